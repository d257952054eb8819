// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which unit of the GPU the work waited for, and the numbers that say so.
#ifndef GPUPROF_EXPLAIN_BOTTLENECK_HPP
#define GPUPROF_EXPLAIN_BOTTLENECK_HPP

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "../core/device_source.hpp"
#include "../core/fidelity.hpp"
#include "../core/result.hpp"
#include "../core/units.hpp"
#include "../hw/machine/device.hpp"
#include "../measure/report.hpp"
#include "../metric/info.hpp"
#include "unit_experiments.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace explain {

// The two experiments of a unit (PerfKit, "Simplified Experiments", table 5). In per cent, not rounded or clamped; PerfKit's "cycles" are
// those of the answer. Speed of light is of the time in which kernels ran: a launch and the wait for its end, some 70 us of a range
// on an H200, are no time of the kernel.
// bottleneck = waiting - (100 - speed_of_light), at least 0: the time in which warps waited for the unit, less the time in
// which the unit itself had nothing to do. It is the least share of time in which both were the case: warps waited, and the
// unit worked.
struct unit_finding {
    gpu_unit unit = gpu_unit::issue;
    std::optional<percent> speed_of_light{};
    std::optional<percent> waiting{};
    std::optional<percent> bottleneck{}; // none: not known, since one of the others is not
    double at_most = 100;                // what the bottleneck value can be in per cent, whatever is not known
    std::vector<std::string> missing{};  // metrics that would tell
};

// How long warps waited for a reason, of the time in which they were resident.
struct stall_share {
    std::string_view reason; // "long_scoreboard", of stall_reasons
    percent of_warps;
};

// What can be said of a range as a whole.
enum class bottleneck_kind : unsigned char {
    unit,    // one unit: see bottleneck::unit
    latency, // no unit was both waited for and at work: the waits are for latencies, or for warps that are not there
    cannot_be_said // metrics are missing, or no warp ran
};
[[nodiscard]] constexpr std::string_view name(bottleneck_kind kind) noexcept {
    switch (kind) {
        case bottleneck_kind::unit: return "unit";
        case bottleneck_kind::latency: return "latency";
        case bottleneck_kind::cannot_be_said: return "cannot be said";
    }
    return "unknown";
}

// PerfKit's "GPU Bottleneck", with what it came from.
struct bottleneck {
    // A unit is named if warps waited for it while it worked for a quarter of the time at least.
    static constexpr double least = 25;
    // Of units whose values differ by no more than this, the last is named: what feeds it is busy with feeding it.
    static constexpr double alike = 10;

    bottleneck_kind kind = bottleneck_kind::cannot_be_said;
    std::optional<gpu_unit> unit{};       // for kind unit
    std::vector<unit_finding> findings{}; // of each unit, in the order of gpu_unit
    std::vector<stall_share> stalls{};    // the longest wait first; reasons without a value are left out
    std::vector<std::string> missing{};   // metrics for want of which nothing can be said
    std::string why{};                    // for cannot_be_said
    std::optional<double> cycles{};       // of an SM, that the range took
    std::optional<percent> active{};      // of them, with a warp on the SM
    std::optional<percent> running{};     // of them, with a warp on the busiest SM: in the rest no kernel ran
    device_source source = device_source::hardware;
    gpuprof::fidelity fidelity = gpuprof::fidelity::exact; // the least of the values that were used

    [[nodiscard]] unit_finding const* find(gpu_unit of) const noexcept {
        for (unit_finding const& each : findings)
            if (each.unit == of) return &each;
        return nullptr;
    }
    // "DRAM", "latency" or "cannot be said".
    [[nodiscard]] std::string_view verdict() const noexcept {
        return kind == bottleneck_kind::unit && unit ? explain::name(*unit) : explain::name(kind);
    }
    // PerfKit's hint: the shader is busy, and the texture unit, which could do some of its work, is not. Empty if that is not
    // so, or not known.
    [[nodiscard]] std::string_view hint() const noexcept;
};

inline std::string_view bottleneck::hint() const noexcept {
    constexpr double idle = 10; // per cent of the speed of light
    if (kind != bottleneck_kind::unit || !unit || *unit > gpu_unit::xu || *unit == gpu_unit::tensor) return {};
    unit_finding const* const texture = find(gpu_unit::tex);
    if (texture == nullptr || !texture->speed_of_light || texture->speed_of_light->value() >= idle) return {};
    return "arithmetic bounds this and the texture unit idles: what is calculated again and again may come from a "
           "table in a "
           "texture, which interpolates";
}

// The metrics that find_bottleneck() reads, those that the device has: for a profiler or an experiment. What it lacks is no
// error: find_bottleneck() names it where it matters. Errors: those of planning, but unknown_metric; unknown_metric if the
// device has none of them. Cost: one plan, or one for each metric where the device lacks one.
[[nodiscard]] result<std::vector<metric_info>> try_bottleneck_metrics(device const& gpu);
// All of them, for a device that is not there yet.
[[nodiscard]] std::vector<std::string> bottleneck_metric_names();

// Runs the simplified experiments on the values of a range. Reads what the range has; never fails, see bottleneck_kind.
[[nodiscard]] bottleneck find_bottleneck(range_view const& of);

#if !GPUPROF_ENABLED
inline result<std::vector<metric_info>> try_bottleneck_metrics(device const&) { return std::vector<metric_info>{}; }
inline std::vector<std::string> bottleneck_metric_names() { return {}; }
namespace detail {
[[nodiscard]] inline bottleneck of_nothing() {
    bottleneck none;
    none.why = gpuprof::detail::compiled_out().what;
    return none;
}
} // namespace detail
inline bottleneck find_bottleneck(range_view const&) { return detail::of_nothing(); }
#endif

} // namespace explain
GPUPROF_NAMESPACE_END

#if GPUPROF_ENABLED && GPUPROF_HEADER_ONLY
#include "bottleneck.inl.hpp"
#endif

#endif // GPUPROF_EXPLAIN_BOTTLENECK_HPP
