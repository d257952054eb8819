// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Backend policy for legacy names on range hardware: each is a formula over metrics.
#ifndef GPUPROF_HW_COUNTERS_MAPPED_MAPPED_HARDWARE_HPP
#define GPUPROF_HW_COUNTERS_MAPPED_MAPPED_HARDWARE_HPP

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../../../core/compute_capability.hpp"
#include "../../../core/error.hpp"
#include "../../../legacy/asked_name.hpp"
#include "../../../legacy/expression.hpp"
#include "../../../legacy/lookup.hpp"
#include "../../../core/result.hpp"
#include "../counter_data.hpp"
#include "../counter_hardware.hpp"
#include "../../machine/device.hpp"
#include "../../machine/device_property.hpp"
#include "../../machine/machine.hpp"
#include "../range/range_hardware.hpp"
#include "../target/target_hardware.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace hw {

// True for the name of a legacy metric or event: those of range hardware have two underscores after
// their unit. It may begin with "legacy:".
[[nodiscard]] constexpr bool is_legacy_name(std::string_view name) noexcept {
    return !name.empty() && name.find("__") == name.npos;
}

// Range hardware for lists in which legacy names stand, alone or among others; Hardware is the policy of one of its two
// interfaces. A legacy name is collected as the metrics of its mapping (CUPTI 12.0, tables 7 and 8) and calculated when
// they are read; its unit is the same as on event hardware.
template <class Hardware>
struct basic_mapped_hardware {
    static constexpr std::string_view name = Hardware::name;
    static constexpr bool replays_kernels_in_scopes = false;

    [[nodiscard]] static constexpr bool supports(compute_capability capability) noexcept {
        return Hardware::supports(capability);
    }

    // Lists with a legacy name in them, where Hardware wants its metrics; the rest is Hardware's.
    [[nodiscard]] static result<bool> wants(device const& gpu, std::span<std::string const> names, range_mode ranges) {
        for (std::string const& each : names)
            if (is_legacy_name(each)) return Hardware::wants(gpu, names, ranges);
        return false;
    }

    // One name that was asked for: the value of operand 0, or a formula of all operands.
    struct output {
        gpuprof::formula mapping{};
        std::vector<std::size_t> operands{}; // collected metrics, in the order of the formula's inputs that are metrics
        std::vector<double> properties{};    // and the values of its properties
    };

    struct plan {
        typename Hardware::plan collected;
        std::vector<output> outputs;

        [[nodiscard]] std::size_t passes() const noexcept { return collected.passes(); }
        [[nodiscard]] bool remembered() const noexcept { return collected.remembered(); }
        [[nodiscard]] std::string_view hardware() const noexcept { return basic_mapped_hardware::name; }
    };

    // Errors: those of Hardware; unknown_metric for a legacy name no table has, with the
    // nearest; unavailable for one that has no equivalent on range hardware.
    [[nodiscard]] static result<plan> try_plan(device const& gpu, std::span<std::string const> names) {
        if (auto named = try_check_names(names); !named) return std::move(named).error();
        std::vector<std::string> metrics;
        std::vector<output> outputs;
        auto const collect = [&](std::string_view metric) {
            std::size_t at = 0;
            while (at < metrics.size() && metrics[at] != metric) ++at;
            if (at == metrics.size()) metrics.emplace_back(metric);
            return at;
        };
        for (std::string const& each : names) {
            output& made = outputs.emplace_back();
            if (!is_legacy_name(each)) {
                made.operands.push_back(collect(each));
                continue;
            }
            auto mapping = try_mapping(each);
            if (!mapping) return std::move(mapping).error();
            made.mapping = *mapping;
            for (expression_input const& input : made.mapping.inputs()) {
                if (input.source == input_source::metric) {
                    made.operands.push_back(collect(input.name));
                    continue;
                }
                auto value = try_property(gpu, static_cast<abi::CUpti_MetricPropertyID>(input.property));
                if (!value) return std::move(value).error();
                made.properties.push_back(static_cast<double>(*value));
            }
        }
        auto planned = Hardware::try_plan(gpu, metrics);
        if (!planned) return std::move(planned).error();
        return plan{*std::move(planned), std::move(outputs)};
    }
    static void forget(plan const& refused) { Hardware::forget(refused.collected); }
    // Of Hardware's metrics: a legacy name may need the device, which is not there.
    [[nodiscard]] static result<evaluated_counters> try_evaluate(machine const& here, counter_data const& kept,
                                                                 std::span<std::string const> metrics) {
        return Hardware::try_evaluate(here, kept, metrics);
    }

    class session;

private:
    [[nodiscard]] static result<gpuprof::formula> try_mapping(std::string_view legacy_name) {
        legacy::asked_name const asked = legacy::parse_asked_name(legacy_name);
        if (asked.instance >= 0)
            return error{errc::unavailable, 0, std::string{legacy_name},
                         "range hardware gives no value of a single instance",
                         "ask for the name without \"@\", or for .min and .max of a metric"};
        legacy_name = asked.name;
        range_mapping const* const event = legacy::mapping_of_event(legacy_name);
        if (event != nullptr && event->has_equivalent()) return event->formula;
        auto metric = legacy::try_range_formula(legacy_name);
        if (!metric && legacy::find_event(legacy_name) != nullptr)
            return error{errc::unavailable, 0, std::string{legacy_name},
                         "this event has no equivalent on range hardware",
                         "measure it on event hardware, or choose a metric of this device"};
        return metric;
    }
};

// A session of range hardware whose values are calculated when read; see there.
template <class Hardware>
class basic_mapped_hardware<Hardware>::session {
public:
    [[nodiscard]] static result<session> try_open(device const& gpu, plan const& what) {
        auto opened = Hardware::session::try_open(gpu, what.collected);
        if (!opened) return std::move(opened).error();
        return session{*std::move(opened), what.outputs};
    }
    [[nodiscard]] result<void> try_prepare(session_shape const& shape) { return ranges_.try_prepare(shape); }
    [[nodiscard]] result<void> try_begin_replay_pass() { return ranges_.try_begin_replay_pass(); }
    [[nodiscard]] result<void> try_push(std::uint32_t id) { return ranges_.try_push(id); }
    [[nodiscard]] result<void> try_pop() { return ranges_.try_pop(); }
    [[nodiscard]] result<void> try_pause() { return ranges_.try_pause(); }
    [[nodiscard]] result<void> try_resume() { return ranges_.try_resume(); }
    [[nodiscard]] result<replay_progress> try_end_replay_pass() { return ranges_.try_end_replay_pass(); }
    [[nodiscard]] result<std::vector<range_values>> try_read() {
        auto read = ranges_.try_read();
        if (!read) return read;
        for (range_values& range : *read) {
            std::vector<double> values;
            for (output const& each : outputs_) values.push_back(value_of(each, range.values));
            range.values = std::move(values);
        }
        return read;
    }
    [[nodiscard]] result<counter_data> try_keep() const { return ranges_.try_keep(); }

private:
    session(typename Hardware::session opened, std::vector<output> outputs)
        : ranges_{std::move(opened)}, outputs_{std::move(outputs)} {}

    // NaN if an operand is.
    [[nodiscard]] static double value_of(output const& of, std::span<double const> collected) {
        for (std::size_t const at : of.operands)
            if (collected[at] != collected[at]) return std::numeric_limits<double>::quiet_NaN();
        if (of.mapping.empty()) return collected[of.operands[0]];
        std::vector<double> operands;
        std::size_t metric = 0;
        std::size_t property = 0;
        for (expression_input const& input : of.mapping.inputs())
            operands.push_back(input.source == input_source::metric ? collected[of.operands[metric++]]
                                                                    : of.properties[property++]);
        return of.mapping.evaluate(operands);
    }

    typename Hardware::session ranges_;
    std::vector<output> outputs_;
};

// Legacy names by the range profiler, and by CUPTI's profiling API before it.
using mapped_hardware = basic_mapped_hardware<range_hardware>;
using mapped_target_hardware = basic_mapped_hardware<target_hardware>;
static_assert(counter_hardware<mapped_hardware> && counter_hardware<mapped_target_hardware>);

} // namespace hw
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_COUNTERS_MAPPED_MAPPED_HARDWARE_HPP
