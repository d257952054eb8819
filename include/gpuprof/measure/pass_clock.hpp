// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How long each outermost range took on the device, in each replay pass.
#ifndef GPUPROF_MEASURE_PASS_CLOCK_HPP
#define GPUPROF_MEASURE_PASS_CLOCK_HPP

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "../core/units.hpp"
#include "../detail/config.hpp"
#include "../hw/abi/driver.hpp"
#include "../hw/machine/device.hpp"
#include "../hw/machine/in_context.hpp"
#include "report_contents.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace detail {

// What is measured in every pass: CUPTI places counters in passes by itself, and one that is asked for
// twice takes one more pass. Two events of the driver on the default stream, around a range and outside
// of it: inside they are counted (2,000 to 6,000 requests of L2 on an H200), outside the opening and the
// closing of the range are in the time. Work of streams that do not wait for the default stream is not.
// Whatever keeps a time from being taken leaves it out; nothing else happens.
//
// A pass of sass counters runs patched code, which is slower: up to 5 times on an H200. CUPTI does not
// say which pass it is; `patched` leaves the slowest one out.
//
// One thread, that of the pass. Not movable in a collection. @pre the device outlives it
class pass_clock {
public:
    static constexpr std::size_t most_ranges = 1024; // outermost, in a pass; others have no times

    pass_clock() = default;
    pass_clock(pass_clock const&) = delete;
    pass_clock& operator=(pass_clock const&) = delete;
    ~pass_clock() { stop(); }

    // Forgets everything.
    void reset() noexcept {
        stop();
        nodes_.clear();
        whole_ = {};
    }
    // Events for so many outermost ranges: none are made in a pass. One, of the whole pass, where
    // `whole` says so.
    void start(device const& gpu, std::size_t ranges, bool whole) {
        stop();
        driver_ = &gpu.driver();
        if (driver_->EventCreate == nullptr || driver_->EventRecord == nullptr || driver_->EventElapsedTime == nullptr)
            return; // a device of a recording
        context_ = gpu.context();
        times_whole_ = whole;
        std::size_t const room = whole ? 1 : ranges < most_ranges ? ranges : most_ranges;
        pairs_.reserve(room);
        in_the_context([this, room] {
            for (std::size_t i = 0; i < room; ++i) {
                pair made;
                if (driver_->EventCreate(&made.begin, abi::CU_EVENT_DEFAULT) != abi::CUDA_SUCCESS) break;
                if (driver_->EventCreate(&made.end, abi::CU_EVENT_DEFAULT) != abi::CUDA_SUCCESS) {
                    static_cast<void>(driver_->EventDestroy(made.begin));
                    break;
                }
                pairs_.push_back(made);
            }
        });
    }
    // The times stay.
    void stop() noexcept {
        if (pairs_.empty()) return;
        in_the_context([this] {
            for (pair const& each : pairs_) {
                static_cast<void>(driver_->EventDestroy(each.begin));
                static_cast<void>(driver_->EventDestroy(each.end));
            }
        });
        pairs_.clear();
    }

    void begin_pass() noexcept {
        depth_ = used_ = 0;
        untimed_ = false;
        if (times_whole_) begin(0);
    }
    // A range opened: outermost ones are timed. @param node its name
    void enter(std::uint32_t node) noexcept {
        if (depth_++ == 0 && !times_whole_ && !pairs_.empty()) [[unlikely]]
            begin(node);
    }
    void leave() noexcept {
        if (depth_ != 0 && --depth_ == 0 && !times_whole_ && !pairs_.empty()) [[unlikely]]
            end();
    }
    // The pass ran to its end: waits for its last event. @pre no range is open
    void end_pass() {
        if (pairs_.empty()) return;
        if (times_whole_) end();
        std::size_t nodes = nodes_.size(); // what is allocated is so before
        for (std::size_t i = 0; i < used_; ++i)
            nodes = pairs_[i].node < nodes ? nodes : pairs_[i].node + std::size_t{1};
        if (!times_whole_) nodes_.resize(nodes);
        sums_.assign(nodes, 0);
        in_the_context([this] { add_times(); });
    }

    // Of an outermost range by the number of its node, or of whole passes. @param patched one pass
    // runs patched code: the slowest is left out
    [[nodiscard]] pass_times node(std::size_t number, bool patched) const noexcept {
        return number < nodes_.size() ? nodes_[number].times(patched) : pass_times{};
    }
    [[nodiscard]] pass_times whole(bool patched) const noexcept { return whole_.times(patched); }

private:
    struct pair {
        abi::CUevent begin = nullptr;
        abi::CUevent end = nullptr;
        std::uint32_t node = 0;
        bool complete = false;
    };

    struct passes {
        pass_times all;
        nanoseconds second_longest{};

        void add(nanoseconds pass) noexcept {
            if (all.passes == 0 || pass < all.shortest) all.shortest = pass;
            bool const is_longest = all.passes == 0 || pass > all.longest;
            if (all.passes != 0 && is_longest) second_longest = all.longest;
            else if (pass > second_longest) second_longest = pass;
            if (is_longest) all.longest = pass;
            if (++all.passes == 1) second_longest = {};
        }
        [[nodiscard]] pass_times times(bool without_longest) const noexcept {
            if (!without_longest || all.passes == 0) return all;
            return {all.passes - 1, all.shortest, second_longest};
        }
    };

    template <class F>
    void in_the_context(F work) noexcept {
        static_cast<void>(hw::in_context(*driver_, context_, [&work]() -> result<void> {
            work();
            return {};
        }));
    }
    // The default stream must not be touched while a stream is being captured.
    [[nodiscard]] bool try_record(abi::CUevent event) noexcept {
        bool recorded = false;
        in_the_context([&] {
            recorded = !hw::is_capturing(*driver_) && driver_->EventRecord(event, nullptr) == abi::CUDA_SUCCESS;
        });
        return recorded;
    }
    GPUPROF_COLD void begin(std::uint32_t node) noexcept {
        begun_ = false;
        if (used_ == pairs_.size()) { // a node without all of its times has none in this pass
            untimed_ = true;
            return;
        }
        pairs_[used_].node = node;
        pairs_[used_].complete = false;
        begun_ = try_record(pairs_[used_++].begin);
    }
    GPUPROF_COLD void end() noexcept {
        if (std::exchange(begun_, false)) pairs_[used_ - 1].complete = try_record(pairs_[used_ - 1].end);
    }

    void add_times() noexcept {
        if (used_ == 0 || untimed_ || !pairs_[used_ - 1].complete) return;
        if (hw::is_capturing(*driver_)) return;
        if (driver_->EventSynchronize(pairs_[used_ - 1].end) != abi::CUDA_SUCCESS) return;
        for (std::size_t i = 0; i < used_; ++i) {
            pair const& each = pairs_[i];
            float milliseconds = 0;
            if (!each.complete || driver_->EventElapsedTime(&milliseconds, each.begin, each.end) != abi::CUDA_SUCCESS)
                return;
            sums_[each.node] += static_cast<double>(milliseconds) * 1e6;
        }
        if (times_whole_) return whole_.add(nanoseconds{sums_[0]});
        for (std::size_t i = 0; i < sums_.size(); ++i)
            if (sums_[i] > 0) nodes_[i].add(nanoseconds{sums_[i]});
    }

    abi::driver_table const* driver_ = nullptr;
    abi::CUcontext context_ = nullptr;
    std::vector<pair> pairs_; // of a pass, in the order of opening
    std::size_t used_ = 0;
    std::size_t depth_ = 0;
    bool times_whole_ = false;
    bool begun_ = false;
    bool untimed_ = false;
    std::vector<double> sums_; // of a pass
    std::vector<passes> nodes_;
    passes whole_;
};

} // namespace detail
GPUPROF_NAMESPACE_END

#endif // GPUPROF_MEASURE_PASS_CLOCK_HPP
