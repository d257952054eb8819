// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Counts what the addresses of single instructions decide: sectors, lines and wavefronts, and how few would do.
#ifndef GPUPROF_SRC_SIM_MODEL_ADDRESS_COUNTS_HPP
#define GPUPROF_SRC_SIM_MODEL_ADDRESS_COUNTS_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "../code/observer.hpp"
#include "../counters/raw_counter.hpp"
#include "access_lines.hpp"
#include "l1_traffic.hpp"
#include "shared_banks.hpp"
#include "sum_turns.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// Of one instruction. An access whose threads lie side by side would touch the ideal number; one whose threads want the same
// touches fewer, and then the ideal is that. So CUPTI's SASS metrics count (H100, CUPTI 12.9: strides, pairs, parts of a
// warp, 4 to 16 bytes a thread, atomics).
struct address_count {
    std::uint64_t global_sectors = 0;
    std::uint64_t global_ideal = 0;
    std::uint64_t global_lines = 0;
    std::uint64_t local_sectors = 0;
    std::uint64_t shared_wavefronts = 0;
    std::uint64_t shared_ideal = 0;
    std::uint64_t divergent_branches = 0;
    std::uint64_t uniform_branches = 0;

    address_count& operator+=(address_count const& more) noexcept {
        global_sectors += more.global_sectors;
        global_ideal += more.global_ideal;
        global_lines += more.global_lines;
        local_sectors += more.local_sectors;
        shared_wavefronts += more.shared_wavefronts;
        shared_ideal += more.shared_ideal;
        divergent_branches += more.divergent_branches;
        uniform_branches += more.uniform_branches;
        return *this;
    }
    void add_to(counter_values& to) const noexcept {
        using enum raw_counter;
        to[l1_sectors_global_ld] += global_sectors; // the metrics do not tell loads from stores
        to[ideal_sectors_global] += global_ideal;
        to[l1_tags_global_ld] += global_lines;
        to[l1_sectors_local_ld] += local_sectors;
        to[shared_wavefronts_ld] += shared_wavefronts;
        to[ideal_wavefronts_shared] += shared_ideal;
        to[branch_targets_divergent] += divergent_branches;
        to[branch_targets_uniform] += uniform_branches;
    }
};

// Of all instructions of a kernel, on one SM. Nothing is counted for 0 instructions.
class address_counts {
public:
    explicit address_counts(std::size_t instructions) : counts_(instructions) {}

    [[nodiscard]] bool counts() const noexcept { return !counts_.empty(); }
    [[nodiscard]] std::vector<address_count> const& all() const noexcept { return counts_; }

    void branch(std::size_t instruction, bool parts) noexcept {
        address_count& count = counts_[instruction];
        ++(parts ? count.divergent_branches : count.uniform_branches);
    }
    // @param local_base line of the warp's local memory
    void access(std::size_t instruction, memory_access access, access_form const& form,
                std::uint64_t local_base) noexcept {
        if (form.counts_lanes) access.active &= ~access.active + 1;
        if (access.active == 0 || access.operation >= memory_operation::bulk_load) return;
        bool const alone = form.counts_lanes; // so that no pattern of a whole warp holds
        if (alone) access.pattern = address_pattern::any;
        address_count& count = counts_[instruction];
        std::uint64_t const bytes = std::uint64_t{access.bytes} * lane_count(access.active);
        auto const ideal = [&](std::uint64_t actual, std::uint64_t of) {
            return std::min(actual, (bytes + of - 1) / of);
        };
        switch (access.space) {
            case ptx::space::shared: {
                if (access.operation == memory_operation::copy_async) return;
                if (access.elsewhere != 0) access = own_of_cluster(access);
                if (access.active == 0) return;
                std::uint64_t const wavefronts = form.cache.sums_floats
                                                     ? sum_turns_.add(access, form.moment).wavefronts
                                                     : shared_wavefronts(access, form.counts_lanes).wavefronts;
                count.shared_wavefronts += wavefronts;
                count.shared_ideal += ideal(wavefronts, line_bytes);
                return;
            }
            case ptx::space::local:
                lines_.collect_local(access, local_base);
                count.local_sectors += lines_.sector_total();
                return;
            case ptx::space::global: {
                lines_.collect(access);
                std::uint64_t const sectors = lines_.sector_total();
                count.global_sectors += sectors;
                count.global_ideal += ideal(sectors, sector_bytes);
                count.global_lines += lines_.size();
                return;
            }
            default: return;
        }
    }

private:
    std::vector<address_count> counts_; // by code_map's numbers
    access_lines lines_;
    sum_turns sum_turns_;
};

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_MODEL_ADDRESS_COUNTS_HPP
