// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definitions of evidence.hpp.
#ifndef GPUPROF_JUDGE_EVIDENCE_INL_HPP
#define GPUPROF_JUDGE_EVIDENCE_INL_HPP

#include <cstddef>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "../core/counted.hpp"
#include "../text/printable.hpp"
#include "../core/unit_symbol.hpp"
#include "../detail/builtin.hpp"
#include "../measure/doubtful.hpp"
#include "../metric/describe.hpp"
#include "evidence.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace judge {

namespace detail {

[[nodiscard]] std::optional<error> why_missing(range_view const& range, report const& whole, metric_info const& metric,
                                               std::size_t column, double value);
GPUPROF_INLINE std::optional<error> why_missing(range_view const& range, report const& whole, metric_info const& metric,
                                                std::size_t column, double value) {
    auto const none = [&](std::string_view cause, std::string_view remedy) {
        return error{errc::not_collected, 0, metric.name, cause, remedy};
    };
    bool const counted = metric.source == metric_source::hardware || metric.source == metric_source::sass;
    range_launches const& launched = range.launches();
    if (counted && launched.heard && launched.kernels + launched.graphs == 0)
        return none(gpuprof::detail::joined({"no kernel ran in the range \"", range.path(), "\""}),
                    "launch inside the range");
    if (whole.fidelity_of(column) == fidelity::always_zero)
        return none("the embedded GPU does not model it: the value is always 0", "check it on a GPU");
    if (value != value) {
        if (gpuprof::detail::is_quotient(metric))
            return none("its divisor was 0: what it is about did not happen in the range", "");
        auto const read = range.try_value(metric.name);
        return read ? none("the value is not a number", "") : read.error();
    }
    return gpuprof::detail::doubt_of(range, column, value);
}

} // namespace detail

GPUPROF_INLINE judged_value read(std::optional<range_view> const& range, std::optional<error> const& why_not,
                                 std::string_view metric, bool repeated) {
    judged_value made;
    made.value = gpuprof::detail::quiet_nan;
    if (!range) {
        made.from.missing = why_not ? *why_not : error{errc::not_collected, 0, "nothing was measured"};
        return made;
    }
    report const whole = range->report();
    std::size_t column = 0;
    while (column < whole.metrics().size() && whole.metrics()[column].name != metric) ++column;
    if (column == whole.metrics().size()) {
        made.from.missing = error{errc::unknown_metric, 0, gpuprof::detail::joined({metric, " was not measured here"}),
                                  "", "add it to the list of metrics"};
        return made;
    }
    reading found{*range, column};
    auto const value = range->try_value(metric);
    found.value = found.least = found.most = value ? value->value : gpuprof::detail::quiet_nan;
    if (auto each = range->try_values(metric); repeated && each && each->size() > 1) {
        bool whole_list = true;
        for (double const number : *each) whole_list = whole_list && number == number;
        found.repetitions = each->size();
        found.value = gpuprof::detail::quiet_nan;
        if (whole_list) {
            std::qsort(each->data(), each->size(), sizeof(double), [](void const* left, void const* right) {
                double const a = *static_cast<double const*>(left), b = *static_cast<double const*>(right);
                return a < b ? -1 : a > b ? 1 : 0;
            });
            std::size_t const middle = each->size() / 2;
            found.value = each->size() % 2 != 0 ? (*each)[middle] : ((*each)[middle - 1] + (*each)[middle]) / 2;
            found.least = each->front();
            found.most = each->back();
        }
    }
    if (!whole.complete()) made.from.missing = whole.completeness().problems.front();
    else made.from.missing = detail::why_missing(*range, whole, whole.metrics()[column], column, found.most);
    made.value = found.value;
    made.from.readings.push_back(found);
    return made;
}

GPUPROF_INLINE evidence merged(evidence left, evidence const& right) {
    for (reading const& each : right.readings) left.readings.push_back(each);
    if (!left.missing) left.missing = right.missing;
    left.exact_demanded = left.exact_demanded || right.exact_demanded;
    return left;
}

GPUPROF_INLINE std::optional<std::string> objection(evidence const& from, bool exact_demanded) {
    if (from.missing) return from.missing->message();
    for (reading const& each : from.readings) {
        if (each.range.report().source() != from.readings.front().range.report().source())
            return "the values are of a GPU and of the embedded GPU";
        if ((exact_demanded || from.exact_demanded) && each.how() != fidelity::exact)
            return gpuprof::detail::joined({each.range.report().metrics()[each.metric].name, " is ", name(each.how()),
                                            " by the embedded GPU, where an exact value is demanded; compare with "
                                            "near, at_most or between, or check it on a GPU"});
    }
    return std::nullopt;
}

GPUPROF_INLINE std::string details_of(evidence const& from) {
    std::string text;
    auto const line = [&text](std::initializer_list<std::string_view> parts) {
        if (!text.empty()) text += '\n';
        (text += "  ") += gpuprof::detail::joined(parts);
    };
    for (std::size_t i = 0; i < from.readings.size(); ++i) {
        reading const& each = from.readings[i];
        report const whole = each.range.report();
        metric_info const& metric = whole.metrics()[each.metric];
        bool const embedded = whole.source() == device_source::embedded;
        bool const counted = metric.source == metric_source::hardware || metric.source == metric_source::sass;
        line({metric.name, " = ", gpuprof::detail::counted(each.value, unit_symbol{metric.value_unit}.view()), ", ",
              !counted   ? "known without a counter"
              : embedded ? name(each.how())
                         : "counted by the hardware",
              ": ", describe(metric.name)});
        if (each.repetitions > 1)
            line({"  the median of ", std::to_string(each.repetitions), " repetitions, from ",
                  gpuprof::detail::grouped_number(each.least), " to ", gpuprof::detail::grouped_number(each.most)});
        bool last = i + 1 == from.readings.size();
        if (!last) {
            reading const& next = from.readings[i + 1];
            last = next.range.path() != each.range.path() || next.range.report().device() != whole.device();
        }
        if (!last) continue;
        range_launches const& launched = each.range.launches();
        if (!launched.heard) line({"kernel: not known, since launches were not heard"});
        else if (launched.kernels == 0) line({"kernel: ", launched.graphs != 0 ? "not known, in a graph" : "none"});
        else
            line({"kernel: ", gpuprof::detail::printable_path(launched.kernel),
                  launched.kernels == 1 ? std::string{}
                                        : gpuprof::detail::joined({launched.alike ? ", launched " : ", the first of ",
                                                                   std::to_string(launched.kernels),
                                                                   launched.alike ? " times" : " kernels"})});
        line({"range: ", gpuprof::detail::printable_path(each.range.path())});
        bool const named = whole.device().find(whole.chip()) != std::string_view::npos;
        line({"device: ", whole.device(), named ? "" : " (", named ? "" : whole.chip(), named ? "" : ")",
              embedded ? ", the embedded GPU: not hardware" : "",
              whole.recording().empty() ? std::string_view{} : recorded_words, ", ",
              std::to_string(whole.completeness().passes_needed),
              whole.completeness().passes_needed == 1 ? " pass" : " passes"});
    }
    return text;
}

} // namespace judge
GPUPROF_NAMESPACE_END

#endif // GPUPROF_JUDGE_EVIDENCE_INL_HPP
