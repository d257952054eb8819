// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The simplified experiments one by one, by PerfKit's names: "DRAM SOL", "DRAM Bottleneck", "GPU Bottleneck".
#ifndef GPUPROF_EXPLAIN_SIMPLIFIED_EXPERIMENT_HPP
#define GPUPROF_EXPLAIN_SIMPLIFIED_EXPERIMENT_HPP

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "../core/result.hpp"
#include "../detail/config.hpp"
#include "../detail/visited.hpp"
#include "../hw/machine/device.hpp"
#include "../measure/report.hpp"
#include "../metric/info.hpp"
#include "bottleneck.hpp"
#include "unit_experiments.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace explain {

// What an experiment tells: the two of a unit, or which unit holds the GPU up.
enum class experiment_kind : unsigned char { speed_of_light, bottleneck, gpu_bottleneck };

// One experiment: what a unit did, how much of the time it held others up, or which unit did so most (PerfKit,
// "Simplified Experiments", table 5). It costs the passes of its own metrics only:
//
//     auto const sol = *explain::find_simplified_experiment("DRAM SOL");
//     frozen.enable(explain::try_metrics(gpu, sol).value());
//     frozen.run(draw);
//     auto const found = explain::try_value(sol, frozen.try_object(17).value()); // found->value, found->cycles
struct simplified_experiment {
    experiment_kind kind = experiment_kind::gpu_bottleneck;
    gpu_unit unit = gpu_unit::issue; // of gpu_bottleneck: it means nothing

    friend constexpr bool operator==(simplified_experiment const&, simplified_experiment const&) = default;
};

// Two for each unit, and the GPU's.
inline constexpr std::size_t simplified_experiments = 2 * gpu_units + 1;

// The experiment at that place of the list. @pre at < simplified_experiments
[[nodiscard]] constexpr simplified_experiment simplified_experiment_at(std::size_t at) noexcept {
    if (at >= 2 * gpu_units) return {};
    return {at % 2 == 0 ? experiment_kind::speed_of_light : experiment_kind::bottleneck, static_cast<gpu_unit>(at / 2)};
}

// "DRAM SOL"
[[nodiscard]] inline std::string name(simplified_experiment const& of) {
    switch (of.kind) {
        case experiment_kind::speed_of_light: return std::string{name(of.unit)} + " SOL";
        case experiment_kind::bottleneck: return std::string{name(of.unit)} + " Bottleneck";
        case experiment_kind::gpu_bottleneck: break;
    }
    return "GPU Bottleneck";
}

// The experiment of that name; none if there is none.
[[nodiscard]] inline std::optional<simplified_experiment> find_simplified_experiment(std::string_view named) {
    for (std::size_t at = 0; at < simplified_experiments; ++at)
        if (simplified_experiment const each = simplified_experiment_at(at); name(each) == named) return each;
    return std::nullopt;
}

// Calls f(name, meaning) for each of them. If f returns false the list ends (PerfKit, EnumCountersByContext). Returns how many
// were told.
template <class F>
std::size_t visit_simplified_experiments(F&& f) {
    for (std::size_t at = 0; at < simplified_experiments; ++at) {
        simplified_experiment const each = simplified_experiment_at(at);
        std::string_view const meaning = each.kind == experiment_kind::gpu_bottleneck
                                             ? std::string_view{"the unit with the highest bottleneck value"}
                                             : experiment_of(each.unit).meaning;
        if (!gpuprof::detail::visited(f, std::string_view{name(each)}, meaning)) return at + 1;
    }
    return simplified_experiments;
}

// What an experiment answers. A speed of light and a bottleneck are per cent, not rounded; "GPU Bottleneck" is the number of
// a unit, see bottleneck_name(). `cycles` are those of an SM that the range took, NaN if they were not collected.
struct simplified_value {
    double value;
    double cycles;
};

// The name of what "GPU Bottleneck" answered: that of a unit, or "latency" (PerfKit, GetGPUBottleneckName).
[[nodiscard]] constexpr std::string_view bottleneck_name(double value) noexcept {
    for (unit_experiment const& each : unit_experiments)
        if (static_cast<double>(each.unit) == value) return each.name;
    return value == static_cast<double>(gpu_units) ? name(bottleneck_kind::latency)
                                                   : name(bottleneck_kind::cannot_be_said);
}

// The metrics that the experiment reads, and those of them that the device has. Errors and cost: see try_measurable().
[[nodiscard]] std::vector<std::string> metric_names(simplified_experiment const& of);
[[nodiscard]] result<std::vector<metric_info>> try_metrics(device const& gpu, simplified_experiment const& of);

// The answer of an experiment from the values of a range. Errors: not_collected, with the metric that is missing.
[[nodiscard]] result<simplified_value> try_value(simplified_experiment const& of, range_view const& range);

#if !GPUPROF_ENABLED
inline std::vector<std::string> metric_names(simplified_experiment const&) { return {}; }
inline result<std::vector<metric_info>> try_metrics(device const&, simplified_experiment const&) {
    return std::vector<metric_info>{};
}
inline result<simplified_value> try_value(simplified_experiment const&, range_view const&) {
    return gpuprof::detail::compiled_out();
}
#endif

} // namespace explain
GPUPROF_NAMESPACE_END

#if GPUPROF_ENABLED && GPUPROF_HEADER_ONLY
#include "simplified_experiment.inl.hpp"
#endif

#endif // GPUPROF_EXPLAIN_SIMPLIFIED_EXPERIMENT_HPP
