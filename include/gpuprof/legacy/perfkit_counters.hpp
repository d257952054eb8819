// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// PerfKit's compute counters and the events that count the same, instance by instance.
#ifndef GPUPROF_LEGACY_PERFKIT_COUNTERS_HPP
#define GPUPROF_LEGACY_PERFKIT_COUNTERS_HPP

#include <span>
#include <string>
#include <string_view>

#include "../core/result.hpp"
#include "../detail/config.hpp"
#include "capability_family.hpp"
#include "lookup.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace legacy {

// A row of PerfKit's table 4 (Fermi: capability 2.x, Kepler: 3.x). In names a capital is a number: N the instance that counts, X a
// slice or texture unit, M a quadrant or sub-partition.
struct perfkit_counter {
    std::string_view name;   // "warps_launched_vsmN"
    std::string_view fermi;  // the event: "warps_launched"; empty: CUPTI has none, or PerfKit does not
    std::string_view kepler; // have the counter there
    bool quadrants = false;  // Kepler has it also for a quadrant of an SM, as "warps_launched_qM_vsmN"
    std::string_view remark{};
};

// clang-format off
// The 59 rows, in the order of the guide.
inline constexpr perfkit_counter perfkit_counters[]{
    {"fb_subpM_read_sectors_fbN", "fb_subpM_read_sectors", "fb_subpM_read_sectors"},
    {"fb_subpM_write_sectors_fbN", "fb_subpM_write_sectors", "fb_subpM_write_sectors"},
    {"texX_cache_sector_misses_gpcN_tpcM", "", "", false, "CUPTI does not say which GPC an instance is of: ask for texX_cache_sector_misses, of all"},
    {"texX_cache_sector_queries_gpcN_tpcM", "", "", false, "CUPTI does not say which GPC an instance is of: ask for texX_cache_sector_queries, of all"},
    {"texX_bank_conflicts_gpcN_tpcM", "", "", false, "CUPTI has no such event"},
    {"cta_launched_vsmN", "sm_cta_launched", "sm_cta_launched"},
    {"warps_launched_vsmN", "warps_launched", "warps_launched", true},
    {"threads_launched_vsmN", "threads_launched", "threads_launched", true},
    {"active_warps_vsmN", "active_warps", "active_warps", true},
    {"active_cycles_vsmN", "active_cycles", "active_cycles", true},
    {"branches_vsmN", "branch", "", true, "CUPTI has no such event of capability 3.x"},
    {"divergent_branches_vsmN", "divergent_branch", "", true, "CUPTI has no such event of capability 3.x"},
    {"inst_issued_vsmN", "inst_issued", "", true, "of capability 2.0 only; on 3.x it is inst_issued1 and twice inst_issued2"},
    {"inst_executed_vsmN", "inst_executed", "inst_executed", true},
    {"inst_executed_red_vsmN", "gred_count", ""},
    {"inst_executed_atom_cas_vsmN", "", "atom_cas_count", true, "CUPTI has no such event of capability 2.x"},
    {"inst_executed_atom_vsmN", "atom_count", "atom_count", true},
    {"inst_executed_shared_loads_vsmN", "shared_load", "shared_load"},
    {"inst_executed_shared_stores_vsmN", "shared_store", "shared_store"},
    {"inst_executed_global_loads_vsmN", "gld_request", ""},
    {"inst_executed_global_loads_uncached_vsmN", "", "", false, "CUPTI counts its transactions, not instructions: uncached_global_load_transaction"},
    {"inst_executed_global_stores_vsmN", "gst_request", ""},
    {"inst_executed_local_loads_vsmN", "local_load", ""},
    {"inst_executed_local_stores_vsmN", "local_store", ""},
    {"inst_executed_generic_loads_vsmN", "", "", false, "CUPTI tells kinds of memory apart: gld_request, local_load, shared_load"},
    {"inst_executed_generic_loads_uncached_vsmN", "", "", false, "CUPTI counts its transactions, not instructions: uncached_global_load_transaction"},
    {"inst_executed_generic_stores_vsmN", "", "", false, "CUPTI tells kinds of memory apart: gst_request, local_store, shared_store"},
    {"thread_inst_executed_even_vsmN", "thread_inst_executed_0", ""},
    {"thread_inst_executed_odd_vsmN", "thread_inst_executed_1", ""},
    {"thread_inst_executed_qM_vsmN", "", "", false, "CUPTI counts an SM as a whole: thread_inst_executed"},
    {"pm_event_0X", "prof_trigger_0X", "prof_trigger_0X", false, "of all SMs; CUPTI counts an SM as a whole"},
    {"l1_local_load_transactions_hit_vsmN", "l1_local_load_hit", "l1_local_load_hit"},
    {"l1_local_load_transactions_miss_vsmN", "l1_local_load_miss", "l1_local_load_miss"},
    {"l1_local_store_transactions_hit_vsmN", "l1_local_store_hit", "l1_local_store_hit"},
    {"l1_local_store_transactions_miss_vsmN", "l1_local_store_miss", "l1_local_store_miss"},
    {"l1_local_shared_load_transactions_vsmN", "", "l1_shared_load_transactions", false, "CUPTI has no such event of capability 2.x"},
    {"l1_local_shared_store_transactions_vsmN", "", "l1_shared_store_transactions", false, "CUPTI has no such event of capability 2.x"},
    {"l1_global_store_transactions_vsmN", "global_store_transaction", "__l1_global_store_transactions"},
    {"l1_shared_bank_conflicts_vsmN", "l1_shared_bank_conflict", ""},
    {"l1_global_load_transactions_hit_vsmN", "l1_global_load_hit", "l1_global_load_hit"},
    {"l1_global_load_transactions_miss_vsmN", "l1_global_load_miss", "l1_global_load_miss"},
    {"l2_sliceX_read_sectors_fbN", "l2_subpX_read_sector_queries", "l2_subpX_total_read_sector_queries"},
    {"l2_sliceX_read_sectors_atomic_fbN", "", "", false, "CUPTI has no such event"},
    {"l2_sliceX_read_sectors_l1_fbN", "", "l2_subpX_read_l1_sector_queries", false, "CUPTI has no such event of capability 2.x"},
    {"l2_sliceX_read_sectors_tex_fbN", "l2_subpX_read_tex_sector_queries", "l2_subpX_read_tex_sector_queries"},
    {"l2_sliceX_read_sysmem_sectors_fbN", "", "l2_subpX_read_sysmem_sector_queries", false, "CUPTI has no such event of capability 2.x"},
    {"l2_sliceX_read_vidmem_sectors_fbN", "", "", false, "CUPTI has no such event; on 3.x it is all reads less those of system memory"},
    {"l2_sliceX_read_hit_sectors_fbN", "l2_subpX_read_hit_sectors", "", false, "CUPTI has no such event of capability 3.x"},
    {"l2_sliceX_read_hit_sectors_atomic_fbN", "", "", false, "CUPTI has no such event"},
    {"l2_sliceX_read_hit_sectors_l1_fbN", "", "l2_subpX_read_l1_hit_sectors", false, "CUPTI has no such event of capability 2.x"},
    {"l2_sliceX_read_hit_sectors_tex_fbN", "l2_subpX_read_tex_hit_sectors", "l2_subpX_read_tex_hit_sectors"},
    {"l2_sliceX_read_hit_sysmem_sectors_fbN", "", "", false, "CUPTI has no such event"},
    {"l2_sliceX_read_hit_vidmem_sectors_fbN", "", "", false, "CUPTI has no such event"},
    {"l2_sliceX_write_sectors_fbN", "l2_subpX_write_sector_queries", "l2_subpX_total_write_sector_queries"},
    {"l2_sliceX_write_atomic_fbN", "", "", false, "CUPTI has no such event"},
    {"l2_sliceX_write_l1_fbN", "", "l2_subpX_write_l1_sector_queries", false, "CUPTI has no such event of capability 2.x"},
    {"l2_sliceX_write_tex_fbN", "", "", false, "CUPTI has no such event: textures write through surfaces, of capability 5.0 and later"},
    {"l2_sliceX_write_sysmem_sectors_fbN", "", "l2_subpX_write_sysmem_sector_queries", false, "CUPTI has no such event of capability 2.x"},
    {"l2_sliceX_write_vidmem_sectors_fbN", "", "", false, "CUPTI has no such event; on 3.x it is all writes less those of system memory"},
};
// clang-format on
static_assert(std::size(perfkit_counters) == 59);

namespace detail {
// The numbers that a name has in the place of a pattern's capitals. Not matched: found is false.
struct perfkit_numbers {
    bool found = false;
    std::string_view n{}, x{}, m{};
};
[[nodiscard]] constexpr perfkit_numbers match_perfkit(std::string_view pattern, std::string_view name) noexcept {
    perfkit_numbers numbers;
    while (!pattern.empty()) {
        char const c = pattern.front();
        pattern.remove_prefix(1);
        if (c < 'A' || c > 'Z') {
            if (name.empty() || name.front() != c) return {};
            name.remove_prefix(1);
            continue;
        }
        std::size_t digits = 0;
        while (digits < name.size() && digits < 4 && name[digits] >= '0' && name[digits] <= '9') ++digits;
        if (digits == 0) return {};
        (c == 'N' ? numbers.n : c == 'X' ? numbers.x : numbers.m) = name.substr(0, digits);
        name.remove_prefix(digits);
    }
    numbers.found = name.empty();
    return numbers;
}
// "warps_launched_vsmN" of "warps_launched_q1_vsm3"; empty if there is no quadrant in the name.
[[nodiscard]] inline std::string without_quadrant(std::string_view name) {
    std::size_t const at = name.rfind("_q");
    if (at == name.npos || at + 3 > name.size() || name[at + 2] < '0' || name[at + 2] > '9') return {};
    return std::string{name.substr(0, at)} + std::string{name.substr(at + 3)};
}
} // namespace detail

// What to ask a profiler, frames or an experiment for on a device of that family, to count what PerfKit's counter of that name
// does: "warps_launched_vsm3" is "warps_launched@3". Errors: unknown_metric for a name that is none of the table's, unavailable
// with the reason where CUPTI has no such event there. Allocates the text; thread-safe. PerfKit, table 4.
[[nodiscard]] inline result<std::string> try_perfkit_counter(std::string_view name, capability_family family) {
    std::string const whole_sm = detail::without_quadrant(name);
    for (perfkit_counter const& each : perfkit_counters) {
        auto numbers = detail::match_perfkit(each.name, name);
        bool const quadrant = !numbers.found && each.quadrants && detail::match_perfkit(each.name, whole_sm).found;
        if (!numbers.found && !quadrant) continue;
        bool const fermi = family == capability_family::cc_2x;
        std::string_view const event = fermi                                ? each.fermi
                                       : family == capability_family::cc_3x ? each.kepler
                                                                            : std::string_view{};
        if (quadrant || event.empty())
            return error{errc::unavailable, 0, name,
                         quadrant ? std::string_view{"CUPTI counts an SM as a whole, not its quadrants"}
                         : !fermi && family != capability_family::cc_3x
                             ? std::string_view{"PerfKit's compute counters are of capability 2.x and 3.x"}
                         : each.remark.empty() ? std::string_view{"PerfKit does not have it on this family"}
                                               : each.remark,
                         "see legacy::perfkit_counters for those that have an event"};
        std::string text;
        for (char const c : event) {
            if (c == 'X') text += numbers.x;
            else if (c == 'M') text += numbers.m;
            else text += c;
        }
        if (events_of(family).find(text) == nullptr)
            return error{errc::unavailable, 0, name, "there are not so many slices or sub-partitions",
                         "count them from 0"};
        if (numbers.n.empty()) return text;
        text += '@';
        text += numbers.n;
        return text;
    }
    return error{errc::unknown_metric, 0, name, "PerfKit has no compute counter of that name",
                 "see legacy::perfkit_counters; an instance is a number: warps_launched_vsm3"};
}

} // namespace legacy
GPUPROF_NAMESPACE_END

#endif // GPUPROF_LEGACY_PERFKIT_COUNTERS_HPP
