// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definitions of evaluate.hpp.
#ifndef GPUPROF_MEASURE_EVALUATE_INL_HPP
#define GPUPROF_MEASURE_EVALUATE_INL_HPP

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../core/device_source.hpp"
#include "../core/error.hpp"
#include "../detail/builtin.hpp"
#include "../hw/counters/counter_backend.hpp"
#include "../hw/counters/counter_data.hpp"
#include "../hw/counters/range/range_registration.hpp"
#include "../hw/counters/registry.hpp"
#include "../hw/machine/device.hpp"
#include "../hw/machine/machine.hpp"
#include "../text/printable.hpp"
#include "evaluate.hpp"
#include "metric_columns.hpp"
#include "report_writer.hpp"
#include "row_writer.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace detail {

// The backend of that name in reports.
[[nodiscard]] inline result<hw::counter_backend const*> try_find_backend(std::string_view name) {
    for (hw::registration const* entry = hw::registration::first(); entry != nullptr; entry = entry->next())
        if (entry->backend().name() == name) return &entry->backend();
    return error{errc::unavailable, 0, joined({"counters of \"", name, "\" cannot be evaluated"}),
                 "this program does not have that counter hardware", "include what the measuring program included"};
}

// The report of other metrics, as it is written: the parts of the old one that stay, then columns.
class evaluation {
public:
    // @pre `from` has counters; `columns` are those of `metrics`, `evaluated` the values of their
    // counters
    evaluation(report_contents const& from, std::span<metric_info const> metrics, metric_columns const& columns,
               hw::evaluated_counters const& evaluated)
        : from_{from}, columns_{columns}, evaluated_{evaluated}, rows_{from.counter_ranges.size()}, made_{from} {
        made_.metrics.assign(metrics.begin(), metrics.end());
        made_.values.assign(rows_ * metrics.size(), quiet_nan);
        made_.notes.clear();
        made_.fidelities.clear();
        made_.deviations.clear();
        drop_problems_of_values();
    }

    [[nodiscard]] report_contents write(hw::machine const& machine) {
        for (std::size_t at = 0; at < made_.metrics.size(); ++at) {
            metric_column const& column = columns_.columns[at];
            bool const quotient = column.from == metric_column::origin::quotient;
            made_.fidelities.push_back(fidelity_of(machine, from_.chip, columns_, column));
            if (column.from == metric_column::origin::counter || quotient) write_counted(at, column, quotient);
            else take_over(at);
        }
        return std::move(made_);
    }

private:
    // What a problem's text begins with a metric's name for is the old report's.
    void drop_problems_of_values() {
        std::vector<error> kept;
        for (error& each : made_.completeness.problems) {
            bool of_value = false;
            for (metric_info const& metric : from_.metrics) of_value = of_value || each.what.starts_with(metric.name);
            if (!of_value) kept.push_back(std::move(each));
        }
        made_.completeness.problems = std::move(kept);
    }
    [[nodiscard]] double& value(std::size_t row, std::size_t at) {
        return made_.values[row * made_.metrics.size() + at];
    }

    void write_missing(std::size_t at, error why) {
        made_.notes.push_back({at, report_note::every_row, {}, why});
        made_.completeness.problems.push_back(std::move(why));
    }

    void write_counted(std::size_t at, metric_column const& column, bool quotient) {
        metric_info const& metric = made_.metrics[at];
        for (std::size_t const counter : {column.first, quotient ? column.second : column.first})
            if (auto const& missing = evaluated_.missing[counter]) return write_missing(at, *missing);
        std::size_t lost = 0;
        for (std::size_t row = 0; row < rows_; ++row) {
            std::size_t const range = from_.counter_ranges[row];
            if (range >= evaluated_.ranges.size()) continue;
            auto const& counters = evaluated_.ranges[range];
            value(row, at) = counted_value(metric, column, counters);
            if (!quotient && counters[column.first] != counters[column.first]) ++lost; // NaN
        }
        if (lost != 0 && !is_quotient(metric))
            made_.completeness.problems.push_back(lost_values(metric.name, lost, rows_));
    }

    // A metric that needs no counter.
    void take_over(std::size_t at) {
        std::size_t old = 0;
        while (old < from_.metrics.size() && from_.metrics[old].name != made_.metrics[at].name) ++old;
        if (old == from_.metrics.size())
            return write_missing(at, {errc::not_collected, 0, made_.metrics[at].name,
                                      "it is no counter, and the report that is evaluated does not have it",
                                      "name this metric, too, when measuring"});
        for (std::size_t row = 0; row < rows_; ++row) value(row, at) = from_.values[row * from_.metrics.size() + old];
        for (report_note const& each : from_.notes)
            if (each.metric == old) {
                made_.notes.push_back(each);
                made_.notes.back().metric = at;
            }
    }

    report_contents const& from_;
    metric_columns const& columns_;
    hw::evaluated_counters const& evaluated_;
    std::size_t rows_;
    report_contents made_;
};

GPUPROF_INLINE result<report> try_evaluate_on(hw::machine const& machine, report const& measured,
                                              std::span<metric_info const> metrics) {
    report_contents const& from = measured.whole();
    auto const columns = plan_columns(metrics);
    if (!columns) return columns.error();
    auto const backend = try_find_backend(from.hardware);
    if (!backend) return backend.error();
    auto const evaluated = (*backend)->try_evaluate(machine, *from.counters.get(), columns->counters);
    if (!evaluated) return evaluated.error();
    return report{evaluation{from, metrics, *columns, *evaluated}.write(machine)};
}

} // namespace detail

GPUPROF_INLINE result<report> try_evaluate(report const& measured, std::span<metric_info const> metrics) {
    hw::counter_data const* const counters = measured.whole().counters.get();
    if (counters == nullptr)
        return error{errc::invalid_state, 0, "the report has no counters to evaluate", "it kept nothing but values",
                     "measure with profiler_options::keep_counter_data"};
    hw::machine const& real = hw::real_machine();
    if ((counters->source == device_source::embedded) == real.is_embedded)
        return detail::try_evaluate_on(real, measured, metrics);
    if (counters->source == device_source::hardware)
        return error{errc::unavailable, 0, "counters of a GPU cannot be evaluated here",
                     "the driver of this program is the embedded GPU", "start it without that library"};
    hw::machine const* const embedded =
        hw::embedded_machine_of != nullptr ? hw::embedded_machine_of(counters->chip) : nullptr;
    if (embedded != nullptr) return detail::try_evaluate_on(*embedded, measured, metrics);
    bool const has_none = hw::embedded_machine_of == nullptr;
    return error{
        errc::unavailable, 0,
        detail::joined({"counters of the embedded ", detail::printable(counters->chip), " cannot be evaluated"}),
        has_none ? "this program was built without the embedded GPU" : "there is no such embedded GPU",
        has_none ? "include <gpuprof/sim.hpp>" : "evaluate them by the gpuprof that measured them"};
}

#if GPUPROF_EXCEPTIONS
GPUPROF_INLINE report evaluate(report const& measured, std::span<metric_info const> metrics) {
    return try_evaluate(measured, metrics).value();
}
#endif

GPUPROF_NAMESPACE_END

#endif // GPUPROF_MEASURE_EVALUATE_INL_HPP
