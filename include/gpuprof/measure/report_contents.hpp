// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The data of a report: ranges, values, and how complete they are.
#ifndef GPUPROF_MEASURE_REPORT_CONTENTS_HPP
#define GPUPROF_MEASURE_REPORT_CONTENTS_HPP

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "../core/device_source.hpp"
#include "../core/error.hpp"
#include "../core/fidelity.hpp"
#include "../core/unit.hpp"
#include "../core/units.hpp"
#include "../detail/builtin.hpp"
#include "../detail/config.hpp"
#include "../detail/shared.hpp"
#include "../hw/activity/timestamp.hpp"
#include "../hw/counters/counter_data.hpp"
#include "../hw/counters/uncounted/provided_value.hpp"
#include "../metric/info.hpp"
#include "disturbance.hpp"

GPUPROF_NAMESPACE_BEGIN

// How a collection went. Complete: every range that the loop's thread opened was collected in every
// pass.
struct completeness {
    // Passes of the hardware for these metrics.
    std::size_t passes_needed = 0;
    // How often the measured code ran under the counters.
    std::size_t replay_passes = 0;
    // Scopes that other threads opened while the code ran once (the most of any pass). A count, no
    // problem: their work is in the ranges that were open on the loop's thread.
    std::size_t other_threads = 0;
    // How often samples were taken, of a sampled_profiler, which replays nothing.
    std::size_t bursts = 0;
    // How often the caches were flushed; 0: they were left as they were.
    std::size_t cache_flushes = 0;
    // How often the memory of the context was put back; 0: passes went on with what was there.
    std::size_t memory_restores = 0;
    // That were put back each time, with memory_control::restore_written; 0: not known, or nothing.
    std::size_t restored_bytes = 0;
    // Whether what the first and the last pass left in memory was compared. A difference is a problem
    // where profiler_options::compare_memory asked for it or memory was restored, else it is in
    // memory_differs.
    bool memory_compared = false;
    // What is missing and why, the gravest first; each once, not once a pass.
    std::vector<error> problems{};
    // Why launches were not heard, if they were not: then ranges without a kernel, refused launches
    // and passes of different work are not found. No problem by itself.
    std::optional<error> unwatched{};
    // What passes left in memory differs, where nobody asked. No problem by itself.
    std::optional<error> memory_differs{};
    // Why another replay mode was used than profiler_options says. No problem by itself.
    std::optional<error> replay_changed{};
    // What may have disturbed values, as far as it is known. No problem by itself.
    std::vector<disturbance> disturbances{};

    [[nodiscard]] bool complete() const noexcept { return problems.empty(); }
};

// One value with its unit known only at run time.
struct measured_value {
    double value = 0;
    gpuprof::unit unit{};
};

// How long passes took over one range on the device, all its repetitions in a pass together. Passes
// that did the same work take about as long: how far their times lie apart is the error bar of values
// that are put together from several passes, as far as they go with the work.
struct pass_times {
    std::size_t passes = 0; // that were compared
    nanoseconds shortest{};
    nanoseconds longest{};

    // The passes took the middle of both, plus or minus this share of it: 0 if all took the same, 0.5
    // if one took three times another. NaN with fewer than two passes.
    [[nodiscard]] constexpr double spread() const noexcept {
        if (passes < 2 || shortest + longest <= nanoseconds{0}) return detail::quiet_nan;
        return ((longest - shortest) / (longest + shortest)).value();
    }
};

// What the application launched in a range, the ranges inside it included, in one pass over all its
// repetitions. CUPTI 12.0, 2.4.
struct range_launches {
    bool heard = false; // whether launches could be listened to; if not, nothing else here is known
    std::size_t kernels = 0;
    std::size_t graphs = 0;  // launches of graphs, whose kernels are not counted
    std::size_t refused = 0; // launches that the driver refused
    bool alike = true;       // every kernel had one name and one configuration
    std::string kernel{};    // the first: "saxpy<<<(4, 1, 1), (256, 1, 1)>>>"; empty if none ran
};

// One named range. Its values are rows, in the order its repetitions ran.
struct report_range {
    static constexpr std::size_t top = static_cast<std::size_t>(-1);

    std::string name;
    std::size_t parent = top; // the number of the range around it, less than its own
    std::size_t count = 0;
    std::vector<std::size_t> rows{};
    range_launches launches{};
    // Of a range inside another one: those of the outermost one around it. Of a kernel in automatic
    // ranges: those of the whole pass.
    gpuprof::pass_times pass_times{};
};

// What a number cannot say of a value: its text or its instances, or why there is none.
struct report_note {
    static constexpr std::size_t every_row = static_cast<std::size_t>(-1);

    std::size_t metric = 0;
    std::size_t row = every_row;
    hw::provided::provided_value value{};
    std::optional<error> missing{};
};

// What keeps the clocks of a GPU from being higher, by the numbers of NVIDIA's management library.
enum class clock_limit : unsigned {
    idle = 1,
    set = 2, // by a program, for applications
    power_cap = 4,
    hardware_slowdown = 8, // heat or power: the clocks are halved or less
    sync_boost = 16,       // with other GPUs of a group
    heat = 32,
    hardware_heat = 64,
    power_brake = 128, // from outside of the GPU
    display = 256
};

// The clocks around a collection, in MHz; 0: the driver's management library does not tell. The
// first four are of the multiprocessors. Sampling may hold them where they are; clock_lock of
// gpuprof.hpp does.
struct clock_state {
    unsigned before = 0;
    unsigned during = 0;
    unsigned after = 0;
    unsigned most = 0; // that the device allows
    unsigned memory_before = 0;
    unsigned memory_during = 0;
    unsigned memory_after = 0;
    unsigned limits = 0; // bits of clock_limit, of all three moments

    [[nodiscard]] constexpr bool limited_by(clock_limit by) const noexcept {
        return (limits & static_cast<unsigned>(by)) != 0;
    }
    // Whether heat or power kept them low.
    [[nodiscard]] constexpr bool throttled() const noexcept {
        return limited_by(clock_limit::power_cap) || limited_by(clock_limit::hardware_slowdown) ||
               limited_by(clock_limit::heat) || limited_by(clock_limit::hardware_heat) ||
               limited_by(clock_limit::power_brake);
    }
    [[nodiscard]] constexpr bool known() const noexcept { return during != 0; }
};

// Everything a profiler knows when it writes a report.
struct report_contents {
    static constexpr std::size_t no_range = static_cast<std::size_t>(-1);

    std::string device;
    std::string chip;
    device_source source = device_source::hardware;
    std::string hardware; // the backend's name
    std::vector<metric_info> metrics{};
    std::vector<report_range> ranges{}; // parents before children, in order of first opening
    std::vector<double> values{};       // rows of metrics.size()
    std::vector<report_note> notes{};
    gpuprof::completeness completeness{};
    // Of each metric; those that are missing are exact.
    std::vector<fidelity> fidelities{};
    // The file that the values were recorded in; empty: they were measured.
    std::string recording{};
    // The standard deviation of each value; empty: values are as counted.
    std::vector<double> deviations{};
    // Of rows, on the device; empty: not taken.
    std::vector<activity::interval> times{};
    // On a GPU of this machine with NVML. during is in the last replay pass, or after the samples.
    std::optional<clock_state> clocks{};
    // The raw counters that values are from, where profiler_options::keep_counter_data asked for
    // them; null: not kept. And of each row, which range of the counters it is, or no_range.
    detail::shared<hw::counter_data> counters{};
    std::vector<std::size_t> counter_ranges{};
};

namespace detail {
// Whether values of a metric are quotients, whose divisor may be 0: ratios, percentages, anything
// per anything.
[[nodiscard]] inline bool is_quotient(metric_info const& of) noexcept {
    return of.kind == metric_kind::ratio || of.kind == metric_kind::throughput || of.value_unit == percent_unit ||
           of.value_unit.is_quotient();
}
} // namespace detail

GPUPROF_NAMESPACE_END

#endif // GPUPROF_MEASURE_REPORT_CONTENTS_HPP
