// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two definitions of the legacy metrics that were written apart, the vocabulary's formulas and the embedded GPU's CUPTI,
// give the same values.
#include <cmath>
#include <map>
#include <string_view>

#include "sim/counters/event_metric_rows.hpp"
#include "sim/counters/event_metric_table.hpp"
#include "sim/counters/event_table.hpp"
#include <gpuprof/legacy.hpp>

#include "support/event_fixture.hpp"
#include "sim/chip/chips.hpp"

namespace event_formulas_test {

namespace {

using gpuprof::expression_input;
using gpuprof::input_source;
using gpuprof::metric_property;

// Any number will do, the same whenever it is asked for.
std::uint64_t count_of(std::string_view event) {
    std::uint64_t hash = 1469598103934665603u;
    for (char const c : event) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211u;
    return hash % 9000 + 1000;
}

constexpr std::uint64_t nanoseconds = 12345;

double property_of(sim::chip_model const& chip, metric_property which) {
    double const sms = chip.count(sim::hardware_unit::sm);
    switch (which) {
        case metric_property::multiprocessor_count: return sms;
        case metric_property::warps_per_multiprocessor: return chip.threads_per_sm / 32;
        case metric_property::kernel_gpu_time: return nanoseconds;
        case metric_property::clock_rate: return chip.gpc_hz / 1000;
        case metric_property::global_memory_bandwidth:
            return 32 * chip.dram_hz * chip.count(sim::hardware_unit::dram) / 1000;
        case metric_property::flop_sp_per_cycle: return 2 * sms * chip.lanes.fp32;
        case metric_property::flop_dp_per_cycle: return 2 * sms * chip.lanes.fp64;
        case metric_property::flop_hp_per_cycle: return 2 * sms * chip.lanes.fp16;
        case metric_property::warp_size: return 32;
        case metric_property::schedulers_per_multiprocessor: return chip.count(sim::hardware_unit::smsp) / sms;
        default: return 0;
    }
}

double as_number(gpuprof::sim::event_metric_row const& row, CUpti_MetricValue const& value) {
    switch (row.kind) {
        case CUPTI_METRIC_VALUE_KIND_DOUBLE: return value.metricValueDouble;
        case CUPTI_METRIC_VALUE_KIND_PERCENT: return value.metricValuePercent;
        case CUPTI_METRIC_VALUE_KIND_UTILIZATION_LEVEL: return value.metricValueUtilizationLevel;
        default: return static_cast<double>(value.metricValueUint64);
    }
}

} // namespace

TEST_CASE("metrics by the vocabulary's formula and by the embedded CUPTI agree on every chip") {
    struct tally { // of a chip's metrics
        std::size_t compared = 0;
        std::size_t unlisted = 0; // no document lists the metrics of 3.x
        std::size_t of_cupti = 0; // without a formula of the vocabulary's
        std::size_t hidden = 0;   // made of events that nothing is said about, or that the chip does not count
        std::size_t negative = 0; // in both
        bool operator==(tally const&) const = default;
    };
    struct counted_chip {
        sim::chip_model const* chip;
        tally wanted;
    };
    for (counted_chip const& each_chip :
         {counted_chip{&sim::gf100, {24, 0, 0, 0, 2}}, counted_chip{&sim::gf114, {24, 0, 0, 0, 2}},
          counted_chip{&sim::gk110b, {33, 6, 58, 0, 0}}, counted_chip{&sim::gm200, {44, 0, 95, 2, 0}},
          counted_chip{&sim::gp100, {44, 0, 119, 2, 0}}, counted_chip{&sim::gv100, {43, 0, 119, 0, 0}}}) {
        sim::chip_model const* const chip = each_chip.chip;
        tally found;
        std::string const name = chip->chip_name;
        CAPTURE(name);
        legacy_gpu gpu{*chip};
        auto const& catalogue = *sim::event_table::of(*chip);
        auto const family = gpuprof::family_of(chip->capability());
        REQUIRE(family);
        for (auto const& metric : sim::event_metric_table::of(catalogue).metrics()) {
            std::string const metric_name = metric.row->name;
            CAPTURE(metric_name);
            auto const* const row = gpuprof::legacy::metrics_of(*family).find(metric.row->name);
            if (row == nullptr || row->asked_of_cupti()) {
                ++(row == nullptr ? found.unlisted : found.of_cupti);
                continue;
            }
            auto const formula =
                row->formula_with([&](std::string_view name) { return catalogue.find_event(name) != nullptr; });
            bool known = true; // all that the formula names, the chip counts
            for (expression_input const& each : formula.inputs())
                known = known && (each.source != input_source::event || catalogue.find_event(each.name) != nullptr);
            bool hidden = false; // CUPTI's own way takes events that nothing is said about
            std::vector<CUpti_EventID> ids;
            std::vector<std::uint64_t> counts;
            for (auto const* const each : metric.events) {
                hidden = hidden || each->name.substr(0, 2) == "__";
                ids.push_back(each->id);
                counts.push_back(count_of(each->name));
            }
            if (!known || hidden) {
                ++found.hidden;
                continue;
            }
            CUpti_MetricValue value = {};
            auto const status =
                gpu.cupti.MetricGetValue(0, metric.id, ids.size() * sizeof ids[0], ids.data(),
                                         counts.size() * sizeof counts[0], counts.data(), nanoseconds, &value);
            double const own = formula.evaluate([&](expression_input const& input) {
                return input.source == input_source::property ? property_of(*chip, input.property)
                                                              : static_cast<double>(count_of(input.name));
            });
            double const in_cupti_units =
                own * std::pow(10.0, formula.unit().power_of_ten - row->metric->cupti.power_of_ten);
            if (status == CUPTI_ERROR_NOT_COMPATIBLE) {
                CHECK(own < 0);
                ++found.negative;
                continue;
            }
            REQUIRE(status == CUPTI_SUCCESS);
            double const wanted = as_number(*metric.row, value);
            bool const replay_passes = metric.row->kind != CUPTI_METRIC_VALUE_KIND_DOUBLE &&
                                       metric.row->kind != CUPTI_METRIC_VALUE_KIND_PERCENT;
            CAPTURE(in_cupti_units);
            CAPTURE(wanted);
            if (metric.row->kind == CUPTI_METRIC_VALUE_KIND_UTILIZATION_LEVEL)
                CHECK(wanted == std::fmin(std::ceil(in_cupti_units), 10));
            else CHECK(std::fabs(in_cupti_units - wanted) <= (replay_passes ? 0.5 : 0) + std::fabs(wanted) * 1e-12);
            ++found.compared;
        }
        CAPTURE(found.compared);
        CAPTURE(found.unlisted);
        CAPTURE(found.of_cupti);
        CAPTURE(found.hidden);
        CAPTURE(found.negative);
        CHECK(found == each_chip.wanted);
    }
}

} // namespace event_formulas_test
