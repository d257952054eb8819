// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What was launched in each range of a collection, and whether every replay pass launched the same.
#ifndef GPUPROF_MEASURE_LAUNCH_LOG_HPP
#define GPUPROF_MEASURE_LAUNCH_LOG_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "../core/error.hpp" // joined
#include "../detail/config.hpp"
#include "../detail/hash.hpp"
#include "../hw/callbacks/launch_watch.hpp"
#include "../hw/machine/platform/mutex.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace detail {

// "saxpy<<<(4, 1, 1), (256, 1, 1)>>>", as the launch is written.
[[nodiscard]] inline std::string launch_text(hw::kernel_launch const& launch) {
    auto const triple = [](std::array<unsigned, 3> const& of) {
        return joined({"(", std::to_string(of[0]), ", ", std::to_string(of[1]), ", ", std::to_string(of[2]), ")"});
    };
    std::string shared;
    if (launch.dynamic_shared != 0) shared = joined({", ", std::to_string(launch.dynamic_shared)});
    return joined({launch.kernel.empty() ? "a kernel" : launch.kernel, "<<<", triple(launch.grid), ", ",
                   triple(launch.block), shared, ">>>"});
}

// Listens to a launch_watch while replay passes run. Ranges are known by the numbers that the
// hardware gets; a launch belongs to every range that is open. Launches may come from any thread;
// everything else belongs to the pass's.
class launch_log {
public:
    static constexpr std::size_t none = (std::numeric_limits<std::size_t>::max)();

    // What one range launched in a pass, those inside it included.
    struct range_launches {
        std::size_t kernels = 0;
        std::size_t graphs = 0;
        std::size_t before_graphs = 0; // kernels until the first graph
        std::size_t until_graphs = 0;  // kernels until the last graph
        std::size_t refused = 0;
        std::uint64_t work = 0;   // the sum of the launches' hashes: of names and configurations, in any order
        std::uint64_t last = 0;   // the last kernel's hash
        bool alike = true;        // every kernel has one name and one configuration
        std::size_t first = none; // its first kernel, in kept()
    };

    // @param with_facts the driver is asked what it knows of the launches that are kept, for
    // launch__ metrics
    void reset(bool auto_range, bool with_facts) {
        auto_range_ = auto_range;
        with_facts_ = with_facts;
        pass_ = 0;
        rows_.clear();
        first_rows_.clear();
        kept_.clear();
        open_.clear();
        refused_.reset();
        refused_count_ = outside_ = differing_ = 0;
        out_of_memory_ = false;
    }

    void begin_pass() {
        platform::lock const held{mutex_};
        ++pass_;
        for (range_launches& each : rows_) each = {};
        if (auto_range_) {
            if (rows_.empty()) rows_.resize(1);
            open_.assign(1, 0);
        }
    }
    void enter(std::uint32_t id) {
        platform::lock const held{mutex_};
        if (id >= rows_.size()) rows_.resize(id + std::size_t{1});
        open_.push_back(id);
    }
    void leave() noexcept {
        platform::lock const held{mutex_};
        if (!open_.empty()) open_.pop_back();
    }
    void end_pass() {
        platform::lock const held{mutex_};
        open_.clear();
        if (pass_ == 1) {
            first_rows_ = rows_;
            return;
        }
        for (std::size_t id = 0; id < first_rows_.size() && id < rows_.size(); ++id) {
            range_launches const &then = first_rows_[id], &now = rows_[id];
            if (now.work == then.work && now.kernels == then.kernels && now.graphs == then.graphs) continue;
            if (differing_++ == 0)
                first_difference_ = {id, pass_, then.kernels + then.graphs, now.kernels + now.graphs};
        }
    }

    // Launches from here on are not the application's, or are again.
    void ignore(bool all) {
        platform::lock const held{mutex_};
        ignored_ = all;
    }

    // For hw::launch_watch.
    static void heard(void* self, hw::launch_event const& launch) { static_cast<launch_log*>(self)->add(launch); }
    // Asked for the reason of a refused launch.
    void on(device const& gpu) noexcept { gpu_ = &gpu; }

    struct difference {
        std::size_t range = 0;
        std::size_t pass = 0;
        std::size_t then = 0; // launches in the first pass
        std::size_t now = 0;
    };
    struct refusal {
        hw::kernel_launch launch;
        std::size_t range = none; // the innermost; none outside of every range
        std::string diagnosis;    // the machine's own words; may be empty
    };

    // Of the first pass, by the number of the range; one row with number 0 for a range per kernel.
    [[nodiscard]] std::vector<range_launches> const& ranges() const noexcept { return first_rows_; }
    [[nodiscard]] std::vector<hw::kernel_launch> const& kept() const noexcept { return kept_; }
    [[nodiscard]] std::size_t differing() const noexcept { return differing_; } // ranges, once a pass
    [[nodiscard]] difference const& first_difference() const noexcept { return first_difference_; }
    [[nodiscard]] std::size_t refused() const noexcept { return refused_count_; } // in all passes
    [[nodiscard]] std::optional<refusal> const& first_refusal() const noexcept { return refused_; }
    [[nodiscard]] std::size_t outside() const noexcept { return outside_; } // kernels outside of ranges, in all passes
    [[nodiscard]] bool out_of_memory() const noexcept { return out_of_memory_; }

private:
    // Kernels whose configuration is remembered: the first of each range, or every one where each
    // is a range.
    static constexpr std::size_t most_kept = 65'536;

    void add(hw::launch_event const& launch) noexcept {
        platform::lock const held{mutex_};
        if (ignored_) return;
#if GPUPROF_EXCEPTIONS
        try {
            record(launch);
        } catch (...) {
            out_of_memory_ = true;
        }
#else
        record(launch);
#endif
    }
    void record(hw::launch_event const& launch) {
        if (launch.status != abi::CUDA_SUCCESS) {
            ++refused_count_;
            for (std::uint32_t const id : open_) ++rows_[id].refused;
            if (!refused_) keep_refusal(launch);
            return;
        }
        if (open_.empty()) {
            ++outside_;
            return;
        }
        std::uint64_t const hash = hash_of(launch);
        std::size_t place = none;
        for (std::uint32_t const id : open_) {
            range_launches& row = rows_[id];
            row.work += hash;
            if (launch.graph) {
                if (row.graphs++ == 0) row.before_graphs = row.kernels;
                row.until_graphs = row.kernels;
                continue;
            }
            if (row.kernels++ != 0 && row.last != hash) row.alike = false;
            row.last = hash;
            if (pass_ != 1 || kept_.size() >= most_kept || (row.first != none && !auto_range_)) continue;
            if (place == none) {
                place = kept_.size();
                kept_.push_back(with_facts_ ? describe(launch, gpu_->driver()) : as_launched(launch));
            }
            if (row.first == none) row.first = place;
        }
    }
    GPUPROF_COLD void keep_refusal(hw::launch_event const& launch) {
        refused_.emplace(refusal{as_launched(launch), open_.empty() || auto_range_ ? none : open_.back(),
                                 gpu_->machine().last_fault != nullptr ? gpu_->machine().last_fault(launch.context)
                                                                       : std::string{}});
    }
    [[nodiscard]] static std::uint64_t hash_of(hw::launch_event const& launch) noexcept {
        std::uint64_t hash =
            fnv1a(fnv1a_start, launch.symbol != nullptr ? std::string_view{launch.symbol} : std::string_view{});
        auto const mix = [&hash](std::uint64_t value) { hash = fnv1a(hash, value); };
        for (auto const* part : {&launch.grid, &launch.block, &launch.cluster})
            for (unsigned const dimension : *part) mix(dimension);
        mix(launch.dynamic_shared);
        mix(launch.graph ? 2u : launch.cooperative ? 1u : 0u);
        return hash ^ (hash >> 29);
    }

    device const* gpu_ = nullptr;
    platform::mutex mutex_;
    bool auto_range_ = false;
    bool with_facts_ = false;
    bool ignored_ = false;
    bool out_of_memory_ = false;
    std::size_t pass_ = 0;
    std::vector<range_launches> rows_;
    std::vector<range_launches> first_rows_;
    std::vector<std::uint32_t> open_;
    std::vector<hw::kernel_launch> kept_;
    std::optional<refusal> refused_;
    std::size_t refused_count_ = 0;
    std::size_t outside_ = 0;
    std::size_t differing_ = 0;
    difference first_difference_{};
};

} // namespace detail
GPUPROF_NAMESPACE_END

#endif // GPUPROF_MEASURE_LAUNCH_LOG_HPP
