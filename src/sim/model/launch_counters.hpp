// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The observer that turns a launch into raw counters.
#ifndef GPUPROF_SRC_SIM_MODEL_LAUNCH_COUNTERS_HPP
#define GPUPROF_SRC_SIM_MODEL_LAUNCH_COUNTERS_HPP

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "../chip/chip_model.hpp"
#include "../code/device_memory.hpp"
#include "../code/kernel.hpp"
#include "../code/launch.hpp"
#include "../code/observer.hpp"
#include "../counters/raw_counter.hpp"
#include "../gpu/sass_metric_state.hpp"
#include "access_lines.hpp"
#include "address_counts.hpp"
#include "code_map.hpp"
#include "constant_words.hpp"
#include "cta_schedule.hpp"
#include "instruction_profile.hpp"
#include "kernel_estimates.hpp"
#include "l1_cache.hpp"
#include "l1_traffic.hpp"
#include "l2_cache.hpp"
#include "profile_pool.hpp"
#include "stall_model.hpp"
#include "time_model.hpp"
#include "warp_balance.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// One launch. Give it to execute(), then take finish(). While kernels run each SM counts by itself;
// L2 sees what the SMs asked it for afterwards, in an order of its own, so that no count depends on
// the number of host threads. Costs 16 KiB to 1 MiB an SM that gets a CTA, 24 bytes a host thread and
// instruction of the kernel, and no allocation an event beyond growing the stream of misses.
class launch_counters {
public:
    // @param ctas_per_sm that fit on an SM at once
    // @param l2 of the context; used by finish() alone
    // @param memory that kernels reach, if some of it may lie on the host. @pre all outlive the
    // object
    launch_counters(chip_model const& chip, sim::kernel const& kernel, launch_config const& config,
                    unsigned ctas_per_sm, l2_cache& l2, device_memory const* memory = nullptr);

    class sm {
    public:
        sm(launch_counters const& launch, unsigned index)
            : launch_{&launch},
              traffic_{l1_cache{launch.l2_.cache_of_sm(launch.l1_bytes_), launch.l2_.stream_of_sm(launch.memory_)}},
              last_{launch.map_.any()},
              addresses_{launch.addresses_.size()},
              index_{index} {}

        void cta_launched(extent3, unsigned threads) {
            if (profile_ == nullptr) profile_ = launch_->profiles_.take(launch_->map_.size());
            ++resident_;
            ++counts_.ctas;
            counts_.threads += threads;
        }
        void warp_launched(unsigned, lane_mask) noexcept { ++counts_.warps; }

        void instruction(unsigned warp, instruction_info const& info, lane_mask active, lane_mask on) noexcept {
            std::size_t const at = number(info);
            instruction_count& count = profile_[at];
            ++count.warps;
            balance_.instruction(warp, launch_->block_chains_[at]);
            if (info.kind == instruction_kind::barrier && at != 0 && launch_->estimates_[at - 1].awaits_warps)
                pass_barrier(warp);
            count.threads += lane_count(active);
            count.threads_on += lane_count(on);
        }
        // One target a branch, as sass__branch_targets counts them: it parts the warp or it does
        // not.
        void branch(unsigned, instruction_info const& info, lane_mask active, lane_mask taken) noexcept {
            bool const parts = taken != 0 && taken != active;
            ++(parts ? counts_.divergent_branches : counts_.uniform_branches);
            if (addresses_.counts()) addresses_.branch(number(info), parts);
        }
        void memory(unsigned warp, instruction_info const& info, memory_access const& access) {
            if (access.space == ptx::space::constant) counts_.further_words += further_constant_words(access);
            bool const is_atomic =
                access.operation == memory_operation::atomic || access.operation == memory_operation::reduction;
            bool const may_be_merged =
                access.space == ptx::space::shared &&
                (access.operation == memory_operation::load || access.operation == memory_operation::store);
            std::uint64_t const base = access.space == ptx::space::local ? local_base(warp) : 0;
            std::size_t const at = is_atomic || may_be_merged ? number(info) : 0;
            access_form form{false, false, info.cache, {}};
            if (access.space == ptx::space::global) {
                if (access.operation == memory_operation::load) steps_.load(warp);
                else if (access.operation == memory_operation::store && access.bytes < 16)
                    form.moment = steps_.now(info, warp, balance_.since_barrier(warp));
            } else if (info.cache.sums_floats) form.moment = steps_.now(info, warp, balance_.since_barrier(warp));
            if (at == 0) return count_access(info, access, form, base);
            sass_estimate const& estimate = launch_->estimates_[at - 1];
            form.reduces = estimate.reduction;
            form.counts_lanes = estimate.counts_lanes;
            if (estimate.words == 1) return count_access(info, access, form, base);
            if (estimate.words == 0) return; // another instruction does it
            memory_access merged = access;
            merged.bytes *= estimate.words;
            std::array<std::uint64_t, warp_size> begin; // of three words of four, before the first
            for (unsigned lane = 0; lane < warp_size; ++lane)
                begin[lane] = access.address[lane] & ~std::uint64_t{merged.bytes - 1};
            merged.address = begin.data();
            if (merged.pattern == address_pattern::side_by_side) merged.pattern = address_pattern::any; // they overlap
            count_access(info, merged, form, base);
        }
        void cta_finished() {
            balance_.cta_finished(launch_->warps_per_cta_);
            steps_.cta_finished();
            ++finished_;
            if (--resident_ == 0) launch_->profiles_.give_back(std::exchange(profile_, nullptr));
        }

    private:
        friend class launch_counters;

        struct sm_counts {
            std::uint64_t ctas = 0, warps = 0, threads = 0;
            std::uint64_t divergent_branches = 0, uniform_branches = 0;
            std::uint64_t further_words = 0; // of constant memory

            void add_to(counter_values& to) const noexcept {
                using enum raw_counter;
                to[ctas_launched] += ctas;
                to[warps_launched] += warps;
                to[threads_launched] += threads;
                to[branch_targets] += divergent_branches + uniform_branches;
                to[branch_targets_divergent] += divergent_branches;
                to[branch_targets_uniform] += uniform_branches;
                to[constant_words] += further_words;
            }
        };

        void pass_barrier(unsigned warp) noexcept {
            balance_.barrier(warp);
            steps_.barrier(warp);
        }
        [[nodiscard]] std::size_t number(instruction_info const& info) noexcept {
            return launch_->map_.number(info, last_);
        }
        void count_access(instruction_info const& info, memory_access const& access, access_form const& form,
                          std::uint64_t base) {
            if (addresses_.counts()) addresses_.access(number(info), access, form, base);
            traffic_.access(access, form, base);
        }

        // CTAs take the places of those that were resident before them, so local memory is used
        // again and again.
        [[nodiscard]] std::uint64_t local_base(unsigned warp) const noexcept {
            std::uint64_t const lines_a_warp = (launch_->kernel_.local_bytes + 3) / 4 + 1;
            std::uint64_t const place = finished_ % launch_->ctas_per_sm_ * launch_->warps_per_cta_ + warp;
            std::uint64_t const places = std::uint64_t{launch_->ctas_per_sm_} * launch_->warps_per_cta_;
            return address_map::local_window / line_bytes + (index_ * places + place) * lines_a_warp;
        }

        launch_counters const* launch_;
        l1_traffic traffic_;
        code_map::range const* last_;
        instruction_count* profile_ = nullptr; // while CTAs are resident
        unsigned resident_ = 0;                // CTAs
        address_counts addresses_;
        sm_counts counts_;
        warp_balance balance_;
        warp_steps steps_;
        std::uint64_t finished_ = 0; // CTAs
        unsigned index_;
        // Two host threads count for neighbours at once: no line of the host's cache is of both. An alignment would do the same,
        // but the system's allocator uses storage that was aligned by more than its own hardly again.
        [[maybe_unused]] std::array<std::byte, 64> apart_;
    };

    [[nodiscard]] sm make_sm(unsigned index) const { return {*this, index}; }

    void merge(unsigned, sm&& counted);

    // Also counts what the addresses of single instructions decide. Call before the launch.
    void count_addresses() { addresses_.resize(map_.size()); }

    // How many host threads finish() may take; 1 unless said.
    void use_threads(unsigned threads) noexcept { threads_ = threads; }

    // The counters of the launch. Call once, after the launch.
    [[nodiscard]] counter_values finish();

    // The time of the launch, its interval and what decided it. @pre finish() was called
    [[nodiscard]] time_estimate const& time() const noexcept { return time_; }

    // The counters of each instruction; the first one has those of the prologue, too. @pre finish()
    // was called
    [[nodiscard]] counted_instructions instructions() const;

    // The time that its warps spent at each instruction. @param counted the result of finish()
    [[nodiscard]] launch_waits waits(counter_values const& counted) const;

    // The number of times that each instruction ran, by code_map's numbers, for a view of the
    // source.
    [[nodiscard]] std::vector<instruction_count> const& profile() const noexcept { return profile_; }

private:
    // Of a warp, the first time. @pre the profile is complete
    [[nodiscard]] double jump_cycles() const;
    // Adds what a launch reads besides its threads' accesses: its description, the kernel's code with the
    // code fetched ahead, parameters and constants. All clusters read them, but for constants, which
    // those read whose SMs do. The sizes fit what 130 kernels of 2 to 1,600 instructions read beyond
    // their data on an H200 with cold caches (tests/hardware/last_programs.txt); who reads them is as
    // last_l2_counts.txt has it.
    void fetch_code();
    // By all clusters.
    void fetch(std::uint64_t address, std::uint64_t bytes, bool is_there);
    // Adds what other units than SMs read and write in the meantime. @pre the time is known
    void count_background();

    chip_model const& chip_;
    sim::kernel const& kernel_;
    l2_cache& l2_;
    device_memory const* memory_;
    code_map map_;
    std::uint64_t ctas_;
    unsigned ctas_per_sm_;
    unsigned warps_per_cta_;
    unsigned threads_ = 1; // of the host
    std::size_t l1_bytes_ = 0;
    std::shared_ptr<kernel_estimates const> code_;
    std::span<sass_estimate const> estimates_; // of the code
    std::span<chain_sum const> block_chains_;  // of the code
    mutable profile_pool profiles_;
    std::vector<instruction_count> profile_;
    std::vector<address_count> addresses_;    // by code_map's numbers; empty unless they are counted
    std::vector<miss_stream> streams_;        // by SM
    std::vector<constant_sectors> constants_; // by cluster
    std::vector<executed_ctas> ctas_of_sms_;
    counter_values totals_;
    time_estimate time_;
    std::uint64_t warp_cycles_ = 0;
    std::uint64_t warp_waits_ = 0; // for global memory, in quarters
    cta_work all_ctas_;            // see warp_balance
};
static_assert(observer<launch_counters>);

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_MODEL_LAUNCH_COUNTERS_HPP
