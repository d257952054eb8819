// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definitions of expectations.hpp.
#ifndef GPUPROF_JUDGE_EXPECTATIONS_INL_HPP
#define GPUPROF_JUDGE_EXPECTATIONS_INL_HPP

#include <string>
#include <string_view>
#include <utility>

#include "../core/counted.hpp"
#include "bound.hpp"
#include "comparison.hpp"
#include "expectations.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace judge {

namespace detail {
using gpuprof::detail::counted;
using gpuprof::detail::grouped_number;
using gpuprof::detail::joined;

// Puts the expectation's name in front; if the outcome is a failure, with what it means and what to do.
[[nodiscard]] examination explained(outcome made, expectation const& what, std::string_view meaning,
                                    std::string_view advice, double share = 1);
GPUPROF_INLINE examination explained(outcome made, expectation const& what, std::string_view meaning,
                                     std::string_view advice, double share) {
    made.expanded = joined({what.name, ": ", made.expanded});
    if (made.verdict != verdict::fail) return {std::move(made)};
    return {std::move(made), std::string{meaning}, advice, share};
}

// Inconclusive, since what it is about did not happen; or nothing that matters.
[[nodiscard]] examination did_not_happen(expectation const& what, judged_value const& seen, std::string_view reason);
GPUPROF_INLINE examination did_not_happen(expectation const& what, judged_value const& seen, std::string_view reason) {
    return {{verdict::inconclusive, std::string{what.name}, std::string{reason}, details_of(seen.from)}};
}
// Whether the chip runs packed products of halves on its tensor pipe, and counts them there.
[[nodiscard]] bool has_packed_halves(report const& of);
GPUPROF_INLINE bool has_packed_halves(report const& of) {
    return of.source() == device_source::hardware && (of.chip() == "GA100" || of.chip() == "GH100");
}
[[nodiscard]] bool is_none(judged_value const& seen);
GPUPROF_INLINE bool is_none(judged_value const& seen) { return !seen.from.missing && seen.value == 0; }

// The value, with the evidence of others as well.
[[nodiscard]] outcome bounded(double value, std::string_view unit, evidence const& from, limits const& to);
GPUPROF_INLINE outcome bounded(double value, std::string_view unit, evidence const& from, limits const& to) {
    return compared(side{value, unit, &from}, to);
}
} // namespace detail

} // namespace judge

GPUPROF_INLINE outcome expectation::operator()(observation const& of) const {
    examination const found = examine(of);
    outcome made = found.outcome;
    if (!found.meaning.empty()) (made.expanded += "\n  ") += found.meaning;
    if (!found.advice.empty()) (made.expanded += "\n  advice: ") += found.advice;
    return made;
}

namespace judge {

GPUPROF_INLINE examination judge_coalesced(expectation const& what, observation const& of) {
    judged_value const sectors = of.read(what.metrics[0]), requests = of.read(what.metrics[1]);
    if (detail::is_none(requests)) return detail::did_not_happen(what, requests, "the range has no such access");
    limits to = at_most(what.number).limits; // 32 threads of so many bytes, in sectors of 32 bytes
    double const each = sectors.value / requests.value;
    return detail::explained(
        detail::bounded(each, sectors_per_request::symbol(), merged(sectors.from, requests.from), to), what,
        detail::joined({detail::counted(each, "sector"), " per request, where ", detail::grouped_number(what.number),
                        " would do: the 32 threads of a warp that access ", detail::counted(what.number, "byte"),
                        " each, side by side, need no more; this is ", detail::grouped_number(each / what.number),
                        " times that"}),
        "let neighbouring threads of a warp access neighbouring addresses, aligned to 32 bytes; where the data's order "
        "forbids it, read it coalesced into shared memory first",
        1 - what.number / each);
}

GPUPROF_INLINE examination judge_bank_conflicts(expectation const& what, observation const& of) {
    judged_value const conflicts = of.read(what.metrics[0]), all = of.read(what.metrics[1]);
    judged_value const loads = of.read(what.metrics[2]), stores = of.read(what.metrics[3]);
    // The metric for all wavefronts counts shuffles and more as well.
    double const wavefronts = loads.value + stores.value;
    evidence const from = merged(merged(conflicts.from, all.from), merged(loads.from, stores.from));
    if (detail::is_none(loads) && detail::is_none(stores))
        return detail::did_not_happen(what, loads, "the range does not load from or store to shared memory");
    limits to = at_most(0.0).limits;
    to.allowance = &noise::arbitration;
    return detail::explained(
        detail::bounded(conflicts.value, bank_conflicts::symbol(), from, to), what,
        detail::joined({detail::grouped_number(conflicts.value), conflicts.value < wavefronts ? " of " : "",
                        conflicts.value < wavefronts ? detail::grouped_number(wavefronts) : std::string{},
                        " wavefronts of shared memory only repeat what one could have done"}),
        "let the threads of a warp access different banks (32 banks, 4 bytes each) or the same word; for columns of a "
        "tile, pad "
        "each row by one word, or swizzle its index",
        conflicts.value / wavefronts);
}

GPUPROF_INLINE examination judge_local_memory(expectation const& what, observation const& of) {
    judged_value const loads = of.read(what.metrics[0]), stores = of.read(what.metrics[1]);
    return detail::explained(
        detail::bounded(loads.value + stores.value, sectors::symbol(), merged(loads.from, stores.from),
                        at_most(0.0).limits),
        what,
        detail::joined({detail::counted(loads.value + stores.value, sectors::symbol()),
                        " of local memory, which is as slow as global memory where caches do not hold it"}),
        "index local arrays by constants only (unroll the loop), or keep them in shared memory; if registers are "
        "spilled, "
        "allow the kernel more of them (launch bounds, maxrregcount) or give each thread less work");
}

GPUPROF_INLINE examination judge_divergence(expectation const& what, observation const& of) {
    judged_value const divergent = of.read(what.metrics[0]), all = of.read(what.metrics[1]);
    if (detail::is_none(all)) {
        outcome made =
            detail::bounded(0, branch_targets::symbol(), merged(divergent.from, all.from), at_most(0.0).limits);
        return detail::explained(std::move(made), what, "", "");
    }
    return detail::explained(
        detail::bounded(divergent.value, branch_targets::symbol(), merged(divergent.from, all.from),
                        at_most(0.0).limits),
        what,
        detail::joined({detail::grouped_number(divergent.value), " of ", detail::grouped_number(all.value),
                        " branch targets were taken by a part of a warp only; the parts run one after the other"}),
        "let threads of one warp decide alike: sort or group the work by what decides, or let the condition depend on "
        "the "
        "warp instead of the thread; replace short branches by selection",
        divergent.value / all.value);
}

GPUPROF_INLINE examination judge_tensor_cores(expectation const& what, observation const& of) {
    judged_value const tensor = of.read(what.metrics[0]), all = of.read(what.metrics[1]);
    judged_value const halves = of.read(what.where_known);
    evidence seen = merged(tensor.from, all.from);
    double products = tensor.value;
    if (!halves.from.missing) {
        seen = merged(std::move(seen), halves.from);
        products -= halves.value;
    } else if (of.range() && detail::has_packed_halves(of.range()->report())) {
        if (!seen.missing) seen.missing = halves.from.missing;
    }
    return detail::explained(
        detail::bounded(products, instructions::symbol(), seen, at_least(1.0).limits), what,
        detail::joined({"none of ", detail::grouped_number(all.value), " instructions is a matrix product"}),
        "see that types, shapes and alignment are ones that tensor cores multiply (wmma, mma), and that the library or "
        "the "
        "compiler was allowed to choose them");
}

GPUPROF_INLINE examination judge_dram_bytes(expectation const& what, observation const& of) {
    judged_value const moved = of.read(what.metrics[0]);
    return detail::explained(
        detail::bounded(moved.value, bytes::symbol(), moved.from, at_most(what.number * what.other).limits), what,
        detail::joined({"that is ", detail::grouped_number(moved.value / what.other), " times the ",
                        detail::counted(what.other, "byte"), " that the work needs; ",
                        detail::grouped_number(what.number), " times are allowed"}),
        "use each byte while a cache holds it: tile the loops, fuse kernels that pass data on, "
        "and do not leave parts of "
        "sectors unused");
}

GPUPROF_INLINE examination judge_occupancy(expectation const& what, observation const& of) {
    judged_value const share = of.read(what.metrics[0]);
    return detail::explained(
        detail::bounded(share.value, "%", share.from, at_least(what.number).limits), what,
        detail::joined(
            {detail::grouped_number(share.value),
             " % of the warps that an SM has room for were there: fewer leave less to do while others wait"}),
        "see which resource limits the blocks of an SM: registers, shared memory or the block's size "
        "(launch__occupancy_limit_...); if theory allows more than was achieved, blocks are too few or take unequal "
        "time",
        1 - share.value / 100);
}

GPUPROF_INLINE examination judge_atomics(expectation const& what, observation const& of) {
    judged_value const conflicts = of.read(what.metrics[0]), shared = of.read(what.metrics[1]);
    judged_value const atom = of.read(what.metrics[2]), red = of.read(what.metrics[3]);
    evidence const all = merged(merged(conflicts.from, shared.from), merged(atom.from, red.from));
    examination made = detail::explained(
        detail::bounded(conflicts.value, bank_conflicts::symbol(), all, at_most(0.0).limits), what,
        detail::joined({detail::grouped_number(conflicts.value), " of ", detail::grouped_number(shared.value),
                        " wavefronts of atomic operations on shared memory wait for others"}),
        "let each warp add up its values first (a shuffle, redux) and do one atomic operation, or give each warp a "
        "copy of the "
        "counters",
        conflicts.value / shared.value);
    if (!made.outcome || all.missing) return made;
    if (atom.value + red.value > 0)
        return {{verdict::inconclusive, made.outcome.expanded,
                 detail::joined(
                     {detail::grouped_number(atom.value + red.value),
                      " requests are atomic operations on global memory; nothing here counts whether they wait"}),
                 details_of(all)}};
    if (shared.value == 0) return detail::did_not_happen(what, shared, "the range has no atomic operation");
    return made;
}

GPUPROF_INLINE examination judge_launches(expectation const& what, observation const& of) {
    outcome made;
    made.expanded = std::string{what.name};
    made.verdict = verdict::inconclusive;
    if (!of.range()) {
        made.reason = of.why_not() ? of.why_not()->message() : std::string{"nothing was measured"};
        return {std::move(made)};
    }
    range_launches const& seen = of.range()->launches();
    std::size_t const times = of.range()->count();
    gpuprof::report const whole = of.range()->report();
    if (!seen.heard)
        made.reason = whole.recording().empty() || whole.complete() ? std::string{"launches were not heard"}
                                                                    : whole.completeness().problems.front().message();
    else if (seen.graphs != 0) made.reason = "the range launched a graph, whose kernels are not known";
    if (!made.reason.empty()) return {std::move(made)};
    double const kernels = static_cast<double>(seen.kernels) / static_cast<double>(times == 0 ? 1 : times);
    bool const holds = kernels == what.number && seen.refused == 0;
    made.verdict = holds ? verdict::pass : verdict::fail;
    made.expanded = detail::joined(
        {what.name, ": ", detail::grouped_number(kernels), " is to be exactly ", detail::grouped_number(what.number),
         seen.refused == 0 ? std::string{}
                           : detail::joined({"; the driver refused ", std::to_string(seen.refused), " more"})});
    if (!holds)
        made.details =
            detail::joined({"  kernel: ", seen.kernel.empty() ? "none" : seen.kernel, "\n  range: ", of.range()->path(),
                            "\n  advice: see what launches in the range: a call made twice, a loop "
                            "that runs once more, an error that returned early"});
    return {std::move(made)};
}

} // namespace judge
GPUPROF_NAMESPACE_END

#endif // GPUPROF_JUDGE_EXPECTATIONS_INL_HPP
