// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From what kernels counted to a report, and to a table of a line a kernel.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gpuprof/hw/machine/platform/environment.hpp>
#include <gpuprof/text/distinct_names.hpp>
#include <gpuprof/text/wrapped.hpp>
#include <gpuprof/core/unit_symbol.hpp>
#include "../sim/counters/metric_table.hpp"
#include <gpuprof/sim/open.hpp>
#include <gpuprof/io/aligned.hpp>
#include <gpuprof/io/table.hpp>
#include <gpuprof/io/verdicts.hpp>
#include <gpuprof/judge/flaws.hpp>
#include <gpuprof/metric/info.hpp>
#include <gpuprof/metric/named_metrics.hpp>

#include "kernel_table.hpp"

namespace gpuprof::driver_library {
namespace {

// Of the launches: no counters.
constexpr std::string_view block_size = "launch__block_size";
constexpr std::string_view waves = "launch__waves_per_multiprocessor";

// A metric over the raw counters of launches; not a number for one that the chip does not have. A throughput is the highest
// share among its counters.
double value_of(sim::chip_model const& chip, std::string_view metric, sim::counter_values const& values) {
    constexpr double none = std::numeric_limits<double>::quiet_NaN();
    auto const wanted = sim::find_metric(chip, metric);
    if (!wanted) return none;
    auto const derived = [&](sim::row_number row) {
        sim::counted from = sim::read(chip, row, values);
        from.replay_passes = 1;
        return sim::derive(chip, {row, wanted->sub_metric}, from);
    };
    sim::metric_row const& row = sim::metric_rows[wanted->row];
    if (row.breakdown.empty()) return derived(wanted->row);
    double highest = none;
    for (char const* const part : row.breakdown)
        if (auto const number = sim::find_row(chip, part))
            if (double const share = derived(*number); !(share <= highest)) highest = share;
    return highest;
}

// The same of a row, also for what is no counter; not a number where its launches differ in the size of a block.
double value_of(kernel_total const& kernel, std::string_view metric) {
    if (metric == waves) return kernel.waves;
    if (metric != block_size) return value_of(*kernel.chip, metric, kernel.counted);
    return kernel.block_size == 0 ? std::numeric_limits<double>::quiet_NaN() : static_cast<double>(kernel.block_size);
}

// What stands above a column, for the metrics that the table has when none are asked for.
struct heading {
    std::string_view metric;
    std::string_view text;
};
constexpr heading headings[]{
    {"gpu__time_duration.sum", "time [ns]"},
    {block_size, "block"},
    {"smsp__inst_executed.sum", "warp instr."},
    {"smsp__thread_inst_executed_per_inst_executed.ratio", "threads/instr."},
    {"l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_ld.ratio", "ld sectors/req."},
    {"l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_st.ratio", "st sectors/req."},
    {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum", "bank conflicts"},
    {"smsp__sass_inst_executed_op_local.sum", "local instr."},
    {"dram__bytes_read.sum", "dram read [B]"},
    {"dram__bytes_write.sum", "dram write [B]"},
};

constexpr std::size_t widest_name = 60; // instances of templates may take pages

// The columns that a line may have, by the variable; 0: any number.
std::size_t widest_line() { return std::strtoul(platform::variable_or_empty("GPUPROF_COLUMNS").c_str(), nullptr, 10); }

struct column {
    std::string heading;
    char alignment; // as io::detail::aligned has it
    fidelity how;   // of what is no name and no number of launches
    std::vector<std::string> cells;
};

std::string text_above(metric_info const& metric) {
    auto const* const known = std::find_if(std::begin(headings), std::end(headings),
                                           [&](heading const& one) { return one.metric == metric.name; });
    if (known != std::end(headings)) return std::string{known->text};
    std::string const unit{unit_symbol{metric.value_unit}.view()};
    return unit.empty() ? metric.name : metric.name + " [" + unit + "]";
}

// How many of the columns fit into lines of that width, the first three at least.
std::size_t count_fitting(std::vector<column> const& table, std::size_t width) {
    std::size_t used = 0;
    for (std::size_t i = 0; i < table.size(); ++i) {
        std::size_t widest = table[i].heading.size();
        for (std::string const& cell : table[i].cells) widest = std::max(widest, cell.size());
        used += widest + (i == 0 ? 0 : 2);
        if (used > width && i >= 3) return i;
    }
    return table.size();
}

} // namespace

report report_of(sim::chip_model const& chip, std::vector<kernel_total> const& kernels,
                 std::vector<std::string> const& metrics) {
    report_contents contents;
    contents.source = device_source::embedded;
    contents.hardware = "kernels";
    contents.completeness.passes_needed = contents.completeness.replay_passes = 1;
    contents.device = chip.device_name;
    contents.chip = chip.chip_name;
    std::vector<std::string> names = metrics;
    if (names.empty())
        for (heading const& one : headings) names.emplace_back(one.metric);
    for (std::string const& name : names) {
        contents.metrics.push_back(try_metric(name).value());
        contents.fidelities.push_back(name == block_size ? fidelity::exact
                                      : name == waves    ? fidelity::estimated
                                                         : sim::embedded_machine().fidelity_of(chip.chip_name, name));
    }
    for (kernel_total const& kernel : kernels) {
        report_range range;
        range.name = kernel.name;
        range.count = static_cast<std::size_t>(kernel.launches);
        range.rows.push_back(contents.ranges.size());
        range.launches.heard = true;
        range.launches.kernels = range.count;
        range.launches.kernel = kernel.name;
        contents.ranges.push_back(std::move(range));
        for (metric_info const& metric : contents.metrics) contents.values.push_back(value_of(kernel, metric.name));
    }
    return report{std::move(contents)};
}

std::string_view name(sim::time_bound which) noexcept {
    switch (which) {
        case sim::time_bound::launch: return "launch";
        case sim::time_bound::dispatch: return "dispatch";
        case sim::time_bound::issue: return "issue";
        case sim::time_bound::pipe: return "pipe";
        case sim::time_bound::l1: return "L1";
        case sim::time_bound::l2: return "L2";
        case sim::time_bound::dram: return "DRAM";
        case sim::time_bound::host: return "host";
        case sim::time_bound::atomics: return "atomics";
        case sim::time_bound::latency: return "latency";
    }
    return "unknown";
}

std::string kernel_table_text(report const& of, std::vector<kernel_total> const& kernels, std::string_view rows) {
    std::size_t const width = widest_line();
    std::vector<column> table{{std::string{rows}, 'l', {}, {}}, {"launches", 'r', {}, {}}};
    for (range_view const range : of) {
        table[0].cells.emplace_back(range.name());
        table[1].cells.push_back(std::to_string(range.count()));
    }
    table[0].cells = gpuprof::detail::distinct_names(
        std::move(table[0].cells), width == 0 ? widest_name : std::clamp<std::size_t>(width * 2 / 5, 24, widest_name));
    bool has_time = false;
    for (std::size_t i = 0; i < of.metrics().size(); ++i) {
        metric_info const& metric = of.metrics()[i];
        column next{text_above(metric), 'r', of.fidelity_of(i), {}};
        for (range_view const range : of) {
            auto const value = range.try_value(metric.name);
            next.cells.push_back(value ? io::number(value->value) : "-");
        }
        table.push_back(std::move(next));
        if (metric.name != headings[0].metric) continue;
        has_time = true;
        column bound{"bound", 'l', fidelity::modelled, {}};
        for (kernel_total const& kernel : kernels) bound.cells.emplace_back(name(kernel.time.bound));
        table.push_back(std::move(bound));
    }
    if (has_time) {
        column interval{"interval [ns]", 'r', fidelity::modelled, {}};
        for (kernel_total const& kernel : kernels)
            interval.cells.push_back(io::number(std::round(kernel.time.low * 1e9)) + " to " +
                                     io::number(std::round(kernel.time.high * 1e9)));
        table.push_back(std::move(interval));
    }

    std::size_t const shown = width == 0 ? table.size() : count_fitting(table, width);
    std::string trust[4];
    std::string left_out;
    for (std::size_t i = 2; i < table.size(); ++i) {
        std::string& list = i < shown ? trust[static_cast<std::size_t>(table[i].how)] : left_out;
        list += (list.empty() ? "" : ", ") + table[i].heading;
    }
    table.resize(shown);
    std::vector<std::string> cells;
    std::string alignments;
    for (column const& each : table) {
        cells.push_back(each.heading);
        alignments += each.alignment;
    }
    for (std::size_t row = 0; row < kernels.size(); ++row)
        for (column const& each : table) cells.push_back(each.cells[row]);
    std::string text =
        std::string{of.device()} + ", embedded GPU: not hardware\n" + io::detail::aligned(cells, alignments);
    if (!left_out.empty()) {
        left_out = "not shown: " + left_out + "; gpuprof run --wide shows them";
        gpuprof::detail::append_wrapped(text, left_out, 0, 2, width);
        text += '\n';
    }
    for (fidelity const how : {fidelity::exact, fidelity::modelled, fidelity::estimated, fidelity::always_zero})
        if (std::string const& list = trust[static_cast<std::size_t>(how)]; !list.empty())
            text += std::string{name(how)} + ": " + list + "\n";
    return text;
}

std::string verdicts_text(sim::chip_model const& chip, std::vector<kernel_total> const& kernels,
                          std::string const& spills) {
    constexpr std::size_t usual_width = 100;
    std::size_t const width = widest_line() == 0 ? usual_width : std::max<std::size_t>(widest_line(), 40);
    std::vector<std::string> metrics(flaw_metrics.begin(), flaw_metrics.end());
    metrics.emplace_back(gpuprof::metrics::achieved_occupancy.name());
    metrics.emplace_back(waves);
    metrics.emplace_back(gpuprof::metrics::block_size.name());
    return io::verdicts(report_of(chip, kernels, metrics), width) + gpuprof::detail::wrapped_lines(spills, width) +
           "\n";
}

} // namespace gpuprof::driver_library
