// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definitions of flaws.hpp.
#ifndef GPUPROF_JUDGE_FLAWS_INL_HPP
#define GPUPROF_JUDGE_FLAWS_INL_HPP

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "expectations.hpp"
#include "flaws.hpp"
#include "observation.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace judge::detail {

// A smaller share of what was counted is no flaw.
inline constexpr double least_share = 0.2;

// A number that may be 0; NaN if it is not known.
[[nodiscard]] double value_in(observation const& range, std::string_view metric);
GPUPROF_INLINE double value_in(observation const& range, std::string_view metric) {
    judged_value const read = range.read(metric);
    return read.from.missing ? gpuprof::detail::quiet_nan : read.value;
}

// The bytes that each of a warp's 32 threads accesses by one request, as far as they are known; 4 at least, since a request
// that touches no more than 4 sectors is never a flaw.
[[nodiscard]] double bytes_a_thread(observation const& range, std::string_view bytes, std::string_view requests);
GPUPROF_INLINE double bytes_a_thread(observation const& range, std::string_view bytes, std::string_view requests) {
    constexpr double least = 4, most = 16;
    double const mean = value_in(range, bytes) / value_in(range, requests) / 32;
    return mean >= least && mean <= most ? mean : mean < least ? least : most;
}

// The expectations that a range can break, with the widths of its own accesses.
[[nodiscard]] std::vector<expectation> expectations_of(observation const& range);
GPUPROF_INLINE std::vector<expectation> expectations_of(observation const& range) {
    std::vector<expectation> all{expect::coalesced_global_loads(bytes_a_thread(
                                     range, "smsp__sass_data_bytes_mem_global_op_ld.sum", flaw_metrics[1])),
                                 expect::coalesced_global_stores(bytes_a_thread(
                                     range, "smsp__sass_data_bytes_mem_global_op_st.sum", flaw_metrics[3])),
                                 expect::no_bank_conflicts(),
                                 expect::no_serialised_atomics(),
                                 expect::no_divergence(),
                                 expect::no_local_memory()};
    if (value_in(range, "launch__waves_per_multiprocessor") >= 1)
        all.push_back(expect::occupancy_at_least(percent{25}));
    return all;
}

// Whether the sectors of local memory are few beside those of global memory, as where a kernel prints.
[[nodiscard]] bool is_little_local_memory(observation const& range);
GPUPROF_INLINE bool is_little_local_memory(observation const& range) {
    double const local = value_in(range, "l1tex__t_sectors_pipe_lsu_mem_local_op_ld.sum") +
                         value_in(range, "l1tex__t_sectors_pipe_lsu_mem_local_op_st.sum");
    double const global = value_in(range, flaw_metrics[0]) + value_in(range, flaw_metrics[2]);
    return local < least_share * (local + global);
}

// Whether most bank conflicts are those of atomic operations, which no_serialised_atomics tells of.
[[nodiscard]] bool is_of_atomics(observation const& range);
GPUPROF_INLINE bool is_of_atomics(observation const& range) {
    double const all = value_in(range, "l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum");
    return value_in(range, "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_atom.sum") > all / 2;
}

// Raises the share of divergence to that of a warp's threads that do not take part in its instructions, where that is known.
void count_idle_threads(examination& looked, observation const& range);
GPUPROF_INLINE void count_idle_threads(examination& looked, observation const& range) {
    double const block = value_in(range, "launch__block_size");
    auto const threads = block > 0 ? static_cast<unsigned>(block) : 32u;
    double const in_a_warp = threads / static_cast<double>((threads + 31) / 32);
    double const idle = 1 - value_in(range, "smsp__thread_inst_executed_per_inst_executed.ratio") / in_a_warp;
    if (!(idle > looked.share)) return; // or not known
    looked.share = idle;
    looked.meaning += "; on average, " + std::to_string(static_cast<int>(idle * 100 + 0.5)) +
                      " % of a warp's threads wait for the others";
}

} // namespace judge::detail

GPUPROF_INLINE flaw_search find_flaws(report const& of) {
    flaw_search found;
    for (range_view const range : of) {
        observation const seen{range};
        for (expectation const& each : judge::detail::expectations_of(seen)) {
            bool measured = true;
            for (std::string_view const metric : each.metrics)
                if (!metric.empty()) measured = measured && range.try_value(metric);
            if (!measured) continue;
            if (std::find(found.looked_for.begin(), found.looked_for.end(), each.flaw) == found.looked_for.end())
                found.looked_for.push_back(each.flaw);
            examination looked = each.examine(seen);
            if (each.judge == &judge::judge_divergence) judge::detail::count_idle_threads(looked, seen);
            if (looked.outcome.verdict != verdict::fail || looked.share < judge::detail::least_share) continue;
            if (each.judge == &judge::judge_local_memory && judge::detail::is_little_local_memory(seen)) continue;
            if (each.judge == &judge::judge_bank_conflicts && judge::detail::is_of_atomics(seen)) continue;
            found.flaws.push_back({range.path(), each.flaw, looked.meaning, looked.advice, looked.share});
        }
    }
    auto const place = [&](flaw const& of_name) {
        return std::find(found.looked_for.begin(), found.looked_for.end(), of_name.name) - found.looked_for.begin();
    };
    std::stable_sort(found.flaws.begin(), found.flaws.end(), [&](flaw const& a, flaw const& b) {
        return place(a) != place(b) ? place(a) < place(b) : a.share > b.share;
    });
    return found;
}

GPUPROF_NAMESPACE_END

#endif // GPUPROF_JUDGE_FLAWS_INL_HPP
