// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definitions of series_report.hpp.
#ifndef GPUPROF_EXPLAIN_SERIES_REPORT_INL_HPP
#define GPUPROF_EXPLAIN_SERIES_REPORT_INL_HPP

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../metric/direction.hpp"
#include "series_report.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace explain {

GPUPROF_INLINE std::string series_report::text_of(parameters const& values) const {
    std::string text;
    for (std::size_t i = 0; i < values.list().size(); ++i) {
        auto const& each = values.list()[i];
        text += gpuprof::detail::joined({text.empty() ? "" : ", ", each.name, " = ",
                                         i < axes.size() ? axes[i].text_of(each.value) : std::to_string(each.value)});
    }
    return text;
}

GPUPROF_INLINE result<series_choice> series_report::try_best(std::string_view metric) const {
    return try_best(metric, direction);
}

GPUPROF_INLINE result<series_choice> series_report::try_best(std::string_view metric, better wanted) const {
    using gpuprof::detail::joined;
    std::size_t column = 0;
    if (!metric.empty())
        while (column < metrics.size() && metrics[column].name != metric) ++column;
    if (column == metrics.size())
        return error{errc::invalid_argument, 0,
                     joined({metric.empty() ? "no metric" : metric, ": not measured in this series"}),
                     "it is none of its metrics", "give it to the constructor"};
    std::string_view const by = metrics[column].name;
    int const own = gpuprof::detail::direction_of(by);
    if (wanted == better::as_metric && own == 0)
        return error{errc::invalid_argument, 0, joined({"nobody knows which value of ", by, " is better"}),
                     "its name does not tell", "say it: better::lower or better::higher"};
    bool const higher = wanted == better::higher || (wanted == better::as_metric && own > 0);
    series_choice choice;
    choice.metric = by;
    choice.direction = higher ? better::higher : better::lower;
    bool found = false;
    double best = 0;
    for (std::size_t row = 0; row < rows.size(); ++row) {
        if (rows[row].refused) continue;
        double const mean = rows[row].measured(column, metrics[column].value_unit).mean;
        if (mean != mean || (found && (higher ? mean <= best : mean >= best))) continue;
        found = true;
        best = mean;
        choice.row = row;
    }
    if (!found) {
        error none{errc::not_collected, 0, joined({"no combination has a value of ", by}), "nothing was measured", ""};
        for (series_row const& each : rows)
            if (each.refused) {
                none.cause = joined({text_of(each.values), ": ", each.refused->message()});
                none.remedy = each.refused->remedy;
                break;
            }
        return none;
    }
    choice.values = rows[choice.row].values;
    choice.noise_known = rounds > 1;
    auto const& winner = rows[choice.row].rounds[column];
    for (std::size_t row = 0; row < rows.size(); ++row) {
        if (row == choice.row || rows[row].refused || rows[row].rounds[column].size() != winner.size()) continue;
        gpuprof::detail::running_value differences;
        for (std::size_t i = 0; i < winner.size(); ++i) differences.add(rows[row].rounds[column][i] - winner[i]);
        auto const gap = differences.value(metrics[column].value_unit);
        double const size = gap.mean < 0 ? -gap.mean : gap.mean;
        if (size == 0 || size <= gap.half_width) choice.alike.push_back(row); // false for a width that is not known
    }
    return result<series_choice>{std::move(choice)};
}

} // namespace explain
GPUPROF_NAMESPACE_END

#endif // GPUPROF_EXPLAIN_SERIES_REPORT_INL_HPP
