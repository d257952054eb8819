// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a rule found in a range: what is wrong, what it costs, and what to do about it.
#ifndef GPUPROF_EXPLAIN_FINDING_HPP
#define GPUPROF_EXPLAIN_FINDING_HPP

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "../core/fidelity.hpp"
#include "../core/unit.hpp"
#include "../detail/config.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace explain {

// What keeps a range from being faster than it would be after a change.
enum class limit : unsigned char {
    none,        // nothing that was measured
    issue,       // the schedulers issue an instruction nearly every cycle
    pipe,        // an arithmetic pipe works nearly every cycle
    shared,      // the data stage of L1, which serves shared memory
    l1,          // L1
    l2,          // L2
    dram,        // device memory
    latency,     // warps wait for results, and there are too few warps to hide it
    distribution // SMs have nothing to do, while others work
};
[[nodiscard]] constexpr std::string_view name(limit of) noexcept {
    constexpr std::string_view names[]{"nothing measured", "issue slots", "an arithmetic pipe",
                                       "shared memory",    "L1",          "L2",
                                       "DRAM bandwidth",   "latency",     "distribution of work"};
    return names[static_cast<std::size_t>(of)];
}

// How much shorter a range gets if a finding is mended: shares of its time, from 0 (nothing) to 1 (all of it).
// 0 <= least <= likely <= most <= 1.
struct gain {
    double least = 0;
    double likely = 0;
    double most = 0;
    limit then = limit::none; // what bounds the range afterwards, and with it the gain
};

// How a finding is to be read.
enum class finding_kind : unsigned char {
    advice,     // something to change, with a gain
    information // what bounds the range, or what is well
};

// One thing that a rule says of one range. A value: it stays when the report it comes from is gone.
struct finding {
    std::string_view id;    // "uncoalesced_global_access": stable, for programs; a constant
    std::string_view title; // "Uncoalesced access to global memory"; a constant
    finding_kind kind = finding_kind::advice;
    std::size_t range = 0; // its place in the report
    std::string path{};    // of the range
    std::string_view
        condition{};            // what was compared: "sectors of a request, over those that its bytes fill"; a constant
    double measured = 0;        // of that
    double threshold = 0;       // from which on the rule speaks, or below which
    gpuprof::unit value_unit{}; // of both
    explain::gain gain{};
    std::string meaning{};              // of the numbers, in one sentence
    std::string_view advice{};          // what to do; a constant
    std::vector<std::string> metrics{}; // those that it rests on
    fidelity trust = fidelity::exact;   // the least of theirs
    std::vector<std::string> lines{};   // "saxpy.cu:12", the costliest first, if they are known
    std::string what_if{};              // what the counters would be after the change, where that can be computed
};

// A rule that could not say whether something is wrong.
struct unjudged {
    std::string_view id; // of the finding that it might have made
    std::size_t range = 0;
    std::string why{};
};

} // namespace explain
GPUPROF_NAMESPACE_END

#endif // GPUPROF_EXPLAIN_FINDING_HPP
