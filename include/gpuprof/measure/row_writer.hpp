// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rows of a report: what the hardware counted, and what is known without counters.
#ifndef GPUPROF_MEASURE_ROW_WRITER_HPP
#define GPUPROF_MEASURE_ROW_WRITER_HPP

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../detail/builtin.hpp"
#include "../hw/counters/counter_hardware.hpp"
#include "../hw/counters/uncounted/graph_metrics.hpp"
#include "../hw/counters/uncounted/provided.hpp"
#include "launch_log.hpp"
#include "metric_columns.hpp"
#include "report.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace detail {

// 0 sectors a request are no value: a request has at least one of what is counted for it, so that
// there was no request, and CUPTI gives 0 for 0/0. Of other quotients, a hit rate for one, 0 may be
// the value.
[[nodiscard]] inline bool is_per_request(metric_info const& of) noexcept {
    for (unit::factor const& each : of.value_unit.factors)
        if (each.of == dimension::request && each.exponent < 0) return of.kind == metric_kind::ratio;
    return false;
}

// The value of a column that is a counter or a quotient of two. @param values those of all counters
[[nodiscard]] inline double counted_value(metric_info const& metric, metric_column const& column,
                                          std::span<double const> values) noexcept {
    auto const counter = [values](std::size_t at) { return at < values.size() ? values[at] : quiet_nan; };
    double const value = counter(column.first);
    if (column.from == metric_column::origin::quotient) return value / counter(column.second);
    return value == 0 && is_per_request(metric) ? quiet_nan : value;
}

class row_writer {
public:
    // @pre what is given outlives the writer; columns.uncounted is set if a column needs it; `into`
    // has the completeness of the collection
    row_writer(device const& gpu, std::vector<metric_info> const& metrics, metric_columns const& columns,
               launch_log const& launches, report_contents& contents)
        : gpu_{gpu}, metrics_{metrics}, columns_{columns}, launches_{launches}, contents_{contents} {
        constants_.assign(metrics.size(), quiet_nan);
        for (std::size_t i = 0; i < metrics.size(); ++i) {
            auto const from = columns.columns[i].from;
            if (from == metric_column::origin::device)
                keep_constant(i, columns.uncounted->device(gpu, metrics[i].name));
            if (from == metric_column::origin::collection) {
                auto const& state = contents.completeness;
                keep_constant(
                    i, of_number(columns.uncounted->collection({state.replay_passes, 0, false}, metrics[i].name)));
            }
        }
    }

    // The number of the row that is added. @param counters the values of columns.counters; null:
    // the hardware has none
    // @param launched null: launches were not heard
    std::size_t add(hw::range_values const* counters, launch_log::range_launches const* launched) {
        std::size_t const row = metrics_.empty() ? 0 : contents_.values.size() / metrics_.size();
        for (std::size_t i = 0; i < metrics_.size(); ++i) {
            metric_column const& column = columns_.columns[i];
            double value = constants_[i];
            switch (column.from) {
                case metric_column::origin::counter:
                case metric_column::origin::quotient:
                    value = counted_value(metrics_[i], column, values_of(counters));
                    break;
                case metric_column::origin::launch: value = launch_value(i, row, launched); break;
                case metric_column::origin::device:
                case metric_column::origin::collection: break;
            }
            contents_.values.push_back(value);
        }
        return row;
    }

private:
    [[nodiscard]] static std::span<double const> values_of(hw::range_values const* counters) noexcept {
        return counters != nullptr ? std::span<double const>{counters->values} : std::span<double const>{};
    }
    [[nodiscard]] static result<hw::provided::provided_value> of_number(result<double> number) {
        if (!number) return std::move(number).error();
        return hw::provided::provided_value{*number};
    }

    // What a number says by itself needs no note.
    double keep(std::size_t metric, std::size_t row, result<hw::provided::provided_value> value) {
        if (!value) {
            contents_.notes.push_back({metric, row, {}, value.error()});
            return quiet_nan;
        }
        double const number = value->number ? *value->number : quiet_nan;
        if (!value->number || !value->text.empty() || !value->instances.empty())
            contents_.notes.push_back({metric, row, *std::move(value), {}});
        return number;
    }
    void keep_constant(std::size_t metric, result<hw::provided::provided_value> value) {
        if (!value) contents_.completeness.problems.push_back(error{value.error()});
        constants_[metric] = keep(metric, report_note::every_row, std::move(value));
    }

    double launch_value(std::size_t metric, std::size_t row, launch_log::range_launches const* launched) {
        std::string const& name = metrics_[metric].name;
        auto const none = [&](std::string_view cause, std::string_view remedy) {
            error const why{errc::not_collected, 0, name, cause, remedy}; // named: nvcc loses a temporary's type
            return keep(metric, row, why);
        };
        if (launched == nullptr)
            return none(contents_.completeness.unwatched ? std::string_view{contents_.completeness.unwatched->what}
                                                         : "launches were not heard",
                        "run without the other tool");
        if (name.starts_with("launch__graph_")) return graph_value(metric, row, *launched);
        if (launched->graphs != 0) return total_value(metric, row, *launched);
        if (launched->kernels == 0) return none("no kernel ran in the range", "");
        if (!launched->alike)
            return none("the range launched kernels of different names or configurations",
                        "open a scope around each of them");
        auto value = columns_.uncounted->launch(gpu_, launches_.kept()[launched->first], name);
        if (!value && !is_reported(name)) contents_.completeness.problems.push_back(error{value.error()});
        return keep(metric, row, std::move(value));
    }
    double without(std::size_t metric, std::size_t row, std::string_view cause, std::string_view remedy) {
        error const why{errc::not_collected, 0, metrics_[metric].name, cause, remedy};
        return keep(metric, row, why);
    }
    // Of a range that holds graphs: one number for their kernel nodes and the kernels beside them.
    double total_value(std::size_t metric, std::size_t row, launch_log::range_launches const& launched) {
        struct share {
            hw::kernel_launch const* launch;
            std::size_t times;
        };
        std::vector<share> all;
        for (launch_log::graph_launches const& each : launched.of_graphs) {
            launch_log::launched_graph const& graph = launches_.graphs()[each.graph];
            if (!graph.known())
                return without(metric, row,
                               joined({"the range launched a graph, whose kernels are not known: ", graph.unknown()}),
                               "make the profiler before the graph is instantiated");
            for (hw::kernel_launch const& kernel : graph.kernels) all.push_back({&kernel, each.times});
        }
        if (launched.kernels != 0) {
            if (!launched.alike)
                return without(metric, row, "the range launched kernels of different names or configurations",
                               "open a scope around each of them");
            all.push_back({&launches_.kept()[launched.first], launched.kernels});
        }
        std::string const& name = metrics_[metric].name;
        auto const how = hw::provided::total_of(name);
        double total = 0;
        for (std::size_t i = 0; i < all.size(); ++i) {
            auto const value = columns_.uncounted->launch(gpu_, *all[i].launch, name);
            if (!value) return keep(metric, row, value.error());
            if (!value->number || (!value->instances.empty() && all.size() != 1))
                return without(metric, row, "its instances are those of one kernel, and the range launched several",
                               "open a scope around each of them");
            double const number = *value->number;
            if (how == hw::provided::launch_total::sum) total += number * static_cast<double>(all[i].times);
            else if (i == 0 || (how == hw::provided::launch_total::largest && number > total)) total = number;
            else if (how == hw::provided::launch_total::common && number != total)
                return without(metric, row, "the kernels of the range's graphs differ in it",
                               "use range_mode::auto_range with replay_mode::kernel: a range each kernel");
        }
        if (all.empty()) return without(metric, row, "the graphs of the range have no kernel", "");
        return keep(metric, row, hw::provided::provided_value{total});
    }
    // Of a range whose work is graphs: 1 if it holds for one of them.
    double graph_value(std::size_t metric, std::size_t row, launch_log::range_launches const& launched) {
        if (launched.graphs == 0) return without(metric, row, "the range launched no graph", "");
        bool const is_launchable = metrics_[metric].name == "launch__graph_is_device_launchable";
        if (!is_launchable) {
            // The embedded GPU has no launches from the device.
            if (gpu_.source() == device_source::embedded) return keep(metric, row, hw::provided::provided_value{0});
            return without(metric, row, "neither the driver nor CUPTI tells whether a kernel launches graphs", "");
        }
        double value = 0;
        for (launch_log::graph_launches const& each : launched.of_graphs) {
            auto const* const nodes = launches_.graphs()[each.graph].nodes.get();
            if (nodes == nullptr || nodes->device_launchable < 0)
                return without(metric, row,
                               nodes == nullptr ? launches_.graphs()[each.graph].unknown()
                                                : "the driver does not tell how the graph was instantiated",
                               nodes == nullptr ? "make the profiler before the graph is instantiated"
                                                : "update the driver");
            if (nodes->device_launchable != 0) value = 1;
        }
        return keep(metric, row, hw::provided::provided_value{value});
    }
    [[nodiscard]] bool is_reported(std::string const& name) const {
        for (error const& each : contents_.completeness.problems)
            if (each.what == name) return true;
        return false;
    }

    device const& gpu_;
    std::vector<metric_info> const& metrics_;
    metric_columns const& columns_;
    launch_log const& launches_;
    report_contents& contents_;
    std::vector<double> constants_;
};

} // namespace detail
GPUPROF_NAMESPACE_END

#endif // GPUPROF_MEASURE_ROW_WRITER_HPP
