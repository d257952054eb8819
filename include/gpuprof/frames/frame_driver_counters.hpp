// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums of a program's driver calls between two frames: time, waiting, memory, launches, copies.
#ifndef GPUPROF_FRAMES_FRAME_DRIVER_COUNTERS_HPP
#define GPUPROF_FRAMES_FRAME_DRIVER_COUNTERS_HPP

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "../core/result.hpp"
#include "../detail/builtin.hpp"
#include "../detail/config.hpp"
#include "../hw/machine/device.hpp"
#include "../hw/machine/platform/clock.hpp"
#include "../hw/machine/platform/mutex.hpp"
#include "../trace/call_parameters.hpp"
#include "../trace/callbacks.hpp"
#include "../trace/function_families.hpp"
#include "../trace/functions.hpp"
#include "frame_busy.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace detail {

// A table of sizes by address in fixed memory: open addressing, at most half full. Not thread-safe.
class allocation_table {
public:
    explicit allocation_table(std::size_t most) : most_{most} {
        std::size_t places = 4;
        while (places < 2 * most) places *= 2;
        entries_.resize(places);
    }
    // Adds an allocation. False: there is no room.
    [[nodiscard]] bool add(std::uint64_t address, std::uint64_t bytes,
                           allocated_memory kind = allocated_memory::device) noexcept {
        if (used_ == most_ || address == 0) return false;
        std::size_t at = place(address);
        while (entries_[at].address != 0 && entries_[at].address != address) at = next(at);
        if (entries_[at].address == 0) ++used_;
        entries_[at] = {address, {bytes, kind}};
        return true;
    }
    struct size {
        std::uint64_t bytes = 0;
        allocated_memory kind = allocated_memory::device;
    };
    // Removes an allocation and returns its size; 0 if the address is not in the table.
    [[nodiscard]] size remove(std::uint64_t address) noexcept {
        std::size_t at = place(address);
        while (entries_[at].address != address) {
            if (entries_[at].address == 0) return {};
            at = next(at);
        }
        size const removed = entries_[at].of;
        for (std::size_t hole = at, from = next(at);; from = next(from)) { // closes the gap: no tombstones
            if (entries_[from].address == 0) {
                entries_[hole] = {};
                break;
            }
            std::size_t const home = place(entries_[from].address);
            bool const stays = hole <= from ? (hole < home && home <= from) : (hole < home || home <= from);
            if (stays) continue;
            entries_[hole] = entries_[from];
            hole = from;
        }
        --used_;
        return removed;
    }

private:
    struct entry {
        std::uint64_t address = 0;
        size of{};
    };
    [[nodiscard]] std::size_t place(std::uint64_t address) const noexcept {
        return static_cast<std::size_t>((address * 0x9e3779b97f4a7c15u) >> 20) & (entries_.size() - 1);
    }
    [[nodiscard]] std::size_t next(std::size_t at) const noexcept { return (at + 1) & (entries_.size() - 1); }

    std::size_t most_;
    std::size_t used_ = 0;
    std::vector<entry> entries_;
};

// Sums that all threads add to. Not movable while it listens: the handler has its address.
class frame_driver_counters {
public:
    struct sums {
        std::uint64_t call_ticks = 0;
        std::uint64_t wait_ticks = 0;
        std::uint64_t launches = 0;
        std::uint64_t copied_bytes = 0;
        std::uint64_t context_wait_ticks = 0; // parts of wait_ticks
        std::uint64_t stream_wait_ticks = 0;
        std::uint64_t event_wait_ticks = 0;
        std::uint64_t copy_wait_ticks = 0; // in copies that return when they are done
        std::uint64_t peer_bytes = 0;      // part of copied_bytes
    };

    // @param work hears of calls that start work; null: nobody does. Outlives this
    frame_driver_counters(std::size_t allocations, frame_busy* work) : work_{work}, allocations_{allocations} {}
    frame_driver_counters(frame_driver_counters const&) = delete;
    frame_driver_counters& operator=(frame_driver_counters const&) = delete;

    // Errors: those of callbacks, if CUPTI has none or another tool has them.
    [[nodiscard]] result<void> try_begin(device const& gpu) {
        using namespace driver_calls;
        constexpr callback_set calls = launches | copies | sets | allocations | frees | synchronizations;
        auto begun = callbacks::try_begin(gpu, calls, [this](api_call_event const& call) { hear(call); });
        if (!begun) return std::move(begun).error();
        calls_.emplace(*std::move(begun));
        return {};
    }
    [[nodiscard]] bool listens() const noexcept { return calls_.has_value(); }

    // Returns the sums since the last call.
    [[nodiscard]] sums take() noexcept {
        return {exchange(sums_.call_ticks, 0),         exchange(sums_.wait_ticks, 0),
                exchange(sums_.launches, 0),           exchange(sums_.copied_bytes, 0),
                exchange(sums_.context_wait_ticks, 0), exchange(sums_.stream_wait_ticks, 0),
                exchange(sums_.event_wait_ticks, 0),   exchange(sums_.copy_wait_ticks, 0),
                exchange(sums_.peer_bytes, 0)};
    }
    // Bytes of a kind that were allocated since the beginning and not freed.
    [[nodiscard]] std::uint64_t memory(allocated_memory kind) const noexcept {
        return load_relaxed(memory_[static_cast<std::size_t>(kind)]);
    }
    // Allocations that found no room: their bytes are missing in memory().
    [[nodiscard]] std::uint64_t untracked() const noexcept { return load_relaxed(untracked_); }
    // The handler's own ticks since the last call.
    [[nodiscard]] std::uint64_t take_own() noexcept { return exchange(own_ticks_, 0); }

private:
    // Nested calls are the driver's own; CUPTI announces only the outer ones.
    void hear(api_call_event const& call) noexcept {
        std::uint64_t const now = platform::ticks();
        if (call.enter()) {
            call.word() = now;
            if (call.is(driver_calls::frees)) forget(call); // before another thread can get the same address
            else if (work_ != nullptr && starts_work(call))
                work_->begin_call(call.correlation(), open_frame_scope::node_of(work_));
            return;
        }
        if (call.word() == 0) return; // the call began before the sampler
        std::uint64_t const took = now - call.word();
        add_relaxed(sums_.call_ticks, took);
        if (call.is(driver_calls::synchronizations)) count_wait(call, took);
        else if (!call.failed()) count(call, took);
        if (work_ != nullptr && starts_work(call) && !call.failed())
            work_->end_call(call.correlation(), launches_graph(call) ? frame_busy::many : 1);
        add_relaxed(own_ticks_, platform::ticks() - now);
    }
    [[nodiscard]] static bool starts_work(api_call_event const& call) noexcept {
        constexpr callback_set calls = driver_calls::launches | driver_calls::copies | driver_calls::sets;
        return call.is(calls);
    }
    [[nodiscard]] static bool launches_graph(api_call_event const& call) noexcept {
        return call.is(driver_call<"cuGraphLaunch">) || call.is(driver_call<"cuGraphLaunch_ptsz">);
    }
    void count_wait(api_call_event const& call, std::uint64_t took) noexcept {
        add_relaxed(sums_.wait_ticks, took);
        if (call.is(driver_call<"cuEventSynchronize">)) add_relaxed(sums_.event_wait_ticks, took);
        else if (call.is(driver_call<"cuStreamSynchronize">) || call.is(driver_call<"cuStreamSynchronize_ptsz">))
            add_relaxed(sums_.stream_wait_ticks, took);
        else add_relaxed(sums_.context_wait_ticks, took);
    }
    [[nodiscard]] static bool copies_to_peer(api_call_event const& call) noexcept {
        return call.is(driver_call<"cuMemcpyPeer">) || call.is(driver_call<"cuMemcpyPeer_ptds">) ||
               call.is(driver_call<"cuMemcpyPeerAsync">) || call.is(driver_call<"cuMemcpyPeerAsync_ptsz">);
    }
    void count(api_call_event const& call, std::uint64_t took) noexcept {
        if (call.is(driver_calls::launches)) {
            add_relaxed(sums_.launches, std::uint64_t{1});
        } else if (call.is(driver_calls::copies)) {
            auto const copy = call.copy();
            if (!copy) return;
            add_relaxed(sums_.copied_bytes, std::uint64_t{copy->bytes});
            if (copies_to_peer(call)) add_relaxed(sums_.peer_bytes, std::uint64_t{copy->bytes});
            if (!copy->asynchronous) add_relaxed(sums_.copy_wait_ticks, took);
        } else if (auto const allocation = call.allocation()) {
            platform::lock const lock{guard_};
            if (allocations_.add(allocation->address, allocation->bytes, allocation->memory))
                add_relaxed(memory_[static_cast<std::size_t>(allocation->memory)], std::uint64_t{allocation->bytes});
            else add_relaxed(untracked_, std::uint64_t{1});
        }
    }
    void forget(api_call_event const& call) noexcept {
        auto const freed = call.free();
        if (!freed) return;
        platform::lock const lock{guard_};
        auto const removed = allocations_.remove(freed->address);
        add_relaxed(memory_[static_cast<std::size_t>(removed.kind)], std::uint64_t{0} - removed.bytes);
    }

    frame_busy* work_;
    sums sums_{};
    std::uint64_t memory_[3]{}; // by allocated_memory
    std::uint64_t untracked_ = 0;
    std::uint64_t own_ticks_ = 0;
    platform::mutex guard_;
    allocation_table allocations_;
    std::optional<callbacks> calls_{}; // last: no handler runs while the rest is destroyed
};

} // namespace detail
GPUPROF_NAMESPACE_END

#endif // GPUPROF_FRAMES_FRAME_DRIVER_COUNTERS_HPP
