// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where a value that is judged comes from.
#ifndef GPUPROF_JUDGE_EVIDENCE_HPP
#define GPUPROF_JUDGE_EVIDENCE_HPP

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "../core/error.hpp"
#include "../core/fidelity.hpp"
#include "../detail/config.hpp"
#include "../measure/report.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace judge {

// The value of one metric in one range of a report.
struct reading {
    range_view range;
    std::size_t metric = 0; // its place in the report's list
    double value = 0;
    // Of repetitions that were judged together: the value is their median.
    std::size_t repetitions = 1;
    double least = 0;
    double most = 0;

    [[nodiscard]] fidelity how() const { return range.report().fidelity_of(metric); }
};

// What a number was computed from, and why it is none if something is missing.
struct evidence {
    std::vector<reading> readings{};
    std::optional<error> missing{};
    bool exact_demanded = false;
};

// A number and its evidence; NaN where something is missing.
struct judged_value {
    double value = 0;
    evidence from{};
};

// @param range nothing, and `why_not`: it could not be had
// @param repeated the range's repetitions are judged by their median, not as one
[[nodiscard]] judged_value read(std::optional<range_view> const& range, std::optional<error> const& why_not,
                                std::string_view metric, bool repeated);

// Both together.
[[nodiscard]] evidence merged(evidence left, evidence const& right);

// Why the evidence is not good enough for a comparison; nothing if it is.
[[nodiscard]] std::optional<std::string> objection(evidence const& from, bool exact_demanded);

// Metrics with values, descriptions and how they were got; kernel; range; device. Lines that begin with two blanks, the
// last without an end. Empty without readings.
[[nodiscard]] std::string details_of(evidence const& from);

} // namespace judge
GPUPROF_NAMESPACE_END

#if GPUPROF_HEADER_ONLY
#include "evidence.inl.hpp"
#endif

#endif // GPUPROF_JUDGE_EVIDENCE_HPP
