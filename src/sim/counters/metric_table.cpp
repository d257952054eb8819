// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "metric_table.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <optional>
#include <span>
#include <string_view>

#include <gpuprof/metric/base_metric.hpp>

#include "../chip/chip_model.hpp"
#include "metric_row.hpp"
#include "metric_rows.hpp"
#include "raw_counter.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

static_assert(std::size(rows::table) == metric_row_count,
              "gpuprof: metric_row_count in metric_table.hpp is not the number of rows in metric_rows.hpp");
constinit std::span<metric_row const, metric_row_count> const metric_rows{rows::table};

std::optional<row_number> find_row(chip_model const& on, std::string_view base) noexcept {
    metric_row const* const found = detail::find_metric_row(base);
    if (found == nullptr || !found->is_on(on)) return {};
    return static_cast<row_number>(found - metric_rows.data());
}

std::optional<metric_request> find_metric(chip_model const& on, std::string_view name) noexcept {
    std::size_t const dot = name.find('.');
    if (dot == std::string_view::npos) return {};
    auto const row = find_row(on, name.substr(0, dot));
    if (!row) return {};
    for (std::string_view const sub_metric : sub_metrics(metric_rows[*row].kind))
        if (sub_metric == name.substr(dot)) return metric_request{*row, sub_metric};
    return {};
}

counted read(chip_model const& model, row_number number, counter_values const& values) noexcept {
    metric_row const& row = metric_rows[number];
    auto const clock = [&](raw_counter active, raw_counter elapsed, hardware_unit unit) {
        counted of;
        of.cycles_active = static_cast<double>(values[active]) / model.count(unit);
        of.cycles_elapsed = static_cast<double>(values[elapsed]);
        return of;
    };
    counted result;
    switch (row.unit) {
        case hardware_unit::gpu:
            result = clock(raw_counter::gpu_cycles_active, raw_counter::gpu_cycles_elapsed, hardware_unit::gpu);
            break;
        case hardware_unit::gpc:
        case hardware_unit::sm:
        case hardware_unit::smsp:
        case hardware_unit::l1tex:
            result = clock(raw_counter::sm_cycles_active, raw_counter::sm_cycles_elapsed, hardware_unit::sm);
            break;
        case hardware_unit::lts:
            result = clock(raw_counter::l2_cycles_active, raw_counter::l2_cycles_elapsed, hardware_unit::lts);
            break;
        case hardware_unit::dram:
            result = clock(raw_counter::dram_cycles_active, raw_counter::dram_cycles_elapsed, hardware_unit::dram);
            break;
        case hardware_unit::pcie: // its clock is not modelled
            result.cycles_active = result.cycles_elapsed = not_collected;
            break;
    }
    result.seconds = static_cast<double>(values[raw_counter::gpu_time_ns]) * 1e-9;
    result.value = evaluate(row.value, values) * (row.is_clock() ? model.count(row.unit) : 1);
    result.against = evaluate(row.against, values);
    return result;
}

double derive(chip_model const& model, metric_request const& wanted, counted const& from) noexcept {
    metric_row const& row = metric_rows[wanted.row];
    std::string_view const sub_metric = wanted.sub_metric;
    double const peak = row.peak(model);
    auto const quotient = [](double dividend, double divisor) { return divisor == 0 ? 0 : dividend / divisor; };

    if (row.kind == metric_kind::ratio) {
        if (sub_metric == ".max_rate") return peak;
        if (from.replay_passes == 0) return not_collected;
        return quotient(from.value, from.against) * (sub_metric == ".pct" ? 100 / peak : 1);
    }

    std::string_view const rollup = sub_metric.substr(0, 4);
    std::string_view const rest = sub_metric.substr(4);
    double const instances = model.count(row.unit);
    double const peak_of_rollup = rollup == ".sum" ? peak * instances : peak;
    if (rest == ".peak_sustained") return peak_of_rollup;
    if (from.replay_passes == 0) return not_collected;

    double const replay_passes = static_cast<double>(from.replay_passes);
    double const total = from.value / replay_passes;
    bool const whole = total == std::floor(total);
    double const rolled = rollup == ".sum" ? total
                          : rollup == ".max" && !is_empty(row.against)
                              ? std::max(from.against / replay_passes, total / instances)
                          : rollup == ".min" && whole ? std::floor(total / instances)
                          : rollup == ".max" && whole ? std::ceil(total / instances)
                                                      : total / instances;
    double const active = from.cycles_active / replay_passes;
    double const elapsed = from.cycles_elapsed / replay_passes;
    double const seconds = from.seconds / replay_passes;
    if (rest.empty()) return rolled;
    if (rest == ".per_second") return quotient(rolled, seconds);
    if (rest == ".per_cycle_active") return quotient(rolled, active);
    if (rest == ".per_cycle_elapsed") return quotient(rolled, elapsed);
    if (rest == ".pct_of_peak_sustained_active") return 100 * quotient(rolled, peak_of_rollup * active);
    if (rest == ".pct_of_peak_sustained_elapsed") return 100 * quotient(rolled, peak_of_rollup * elapsed);
    double const cycles = rest.starts_with(".peak_sustained_active") ? active : elapsed;
    return rest.ends_with(".per_second") ? quotient(peak_of_rollup * cycles, seconds) : peak_of_rollup * cycles;
}

} // namespace sim
GPUPROF_NAMESPACE_END
