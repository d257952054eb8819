// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a backend policy is: one kind of counter hardware, planned, opened, run in replay passes,
// read.
#ifndef GPUPROF_HW_COUNTERS_COUNTER_HARDWARE_HPP
#define GPUPROF_HW_COUNTERS_COUNTER_HARDWARE_HPP

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "../../core/compute_capability.hpp"
#include "../../core/error.hpp"
#include "../../core/result.hpp"
#include "../abi/cupti_range.hpp"
#include "../machine/device.hpp"
#include "../machine/machine.hpp"
#include "counter_data.hpp"
#include "range_mode.hpp"
#include "replay_modes.hpp"

GPUPROF_NAMESPACE_BEGIN

namespace hw {

// Where a collection stands after a replay pass.
struct replay_progress {
    std::size_t pass = 0;
    std::size_t nesting_level = 0;
    bool last = true; // every pass is collected
};

// What one process leaves to the next in application replay (CUPTI 12.0, 2.7.2).
struct carried_counters {
    counter_data data;
    replay_progress next; // the pass and the nesting level that come next
};

// The room a session prepares. More room costs time: on an H200 the first start takes 130 ms with
// room for 1 range, 250 ms with room for 200.
struct session_shape {
    std::size_t max_ranges = 1; // opened in one pass, equal names counted each time
    std::size_t nesting_levels = 1;
    range_mode ranges = range_mode::user_range;
    replay_mode replay = replay_mode::user;
    bool count_kernels_only = false; // event hardware: nothing but kernels counts, and a range has one of its own
    // Application replay: what the process before left, of the same shape and metrics; null: this is
    // the first. Outlives the session's preparation.
    carried_counters const* carried = nullptr;

    friend bool operator==(session_shape const&, session_shape const&) = default;
};

// Why a collection does not begin. @pre the two do not go together
[[nodiscard]] inline error refused_modes(range_mode ranges, replay_mode replay) {
    replay_rule const& rule = rule_of(ranges, replay, launched_work::kernel);
    std::string_view const what = replay == replay_mode::kernel   ? "user ranges with kernel replay"
                                  : replay == replay_mode::launch ? "user ranges with launch replay"
                                                                  : "automatic ranges with range replay";
    return {errc::invalid_argument, 0, what, rule.cause, rule.remedy};
}

// Whether names can be those of range hardware's metrics: 1 to 512 characters without NUL or line break, which part names
// in keys of the cache. Errors: invalid_argument.
[[nodiscard]] inline result<void> try_check_names(std::span<std::string const> metrics) {
    constexpr std::size_t longest = 512;
    for (std::string const& each : metrics)
        if (each.empty() || each.size() > longest || each.find('\0') != each.npos || each.find('\n') != each.npos)
            return error{errc::invalid_argument, 0,
                         detail::joined({"a metric name of ", std::to_string(each.size()), " bytes"}),
                         "a name is 1 to 512 characters without NUL or line break", "check the list of metrics"};
    return {};
}

// Goes on with what the process before counted, by its configuration: another one might distribute the same metrics over the
// passes in another way. The images, of this process's own, are replaced.
// Errors: replay_mismatch for data of another chip, CUPTI, list or size; nothing has changed then.
[[nodiscard]] inline result<void> try_take_up(carried_counters const& from, std::string_view chip,
                                              std::string_view version, std::vector<std::string> const& metrics,
                                              std::vector<std::uint8_t>& image,
                                              std::vector<std::uint8_t>& configuration) {
    auto const refused = [](std::string_view cause) {
        return error{errc::replay_mismatch, 0, "the counter data of the pass before does not fit this process", cause,
                     "measure with the same metrics and room on the same device, or remove the file and begin anew"};
    };
    if (from.data.chip != chip || from.data.version != version || from.data.counters != metrics)
        return refused("it is of another chip, another CUPTI or other metrics");
    if (from.data.image.size() != image.size() || from.data.configuration.empty())
        return refused("it has another size");
    image = from.data.image;
    configuration = from.data.configuration;
    return {};
}

// Whether a session of range hardware can be prepared for a shape. Errors: invalid_argument.
[[nodiscard]] inline result<void> try_check(session_shape const& shape) {
    if (!go_together(shape.ranges, shape.replay)) return refused_modes(shape.ranges, shape.replay);
    if (shape.max_ranges == 0 || shape.max_ranges > 0xffffffffu || shape.nesting_levels == 0 ||
        shape.nesting_levels > 0xffff)
        return error{errc::invalid_argument, 0, "room for no range, or for too many",
                     shape.ranges == range_mode::auto_range ? "kernels cannot be counted beforehand, as scopes can"
                                                            : "",
                     "set profiler_options::max_ranges to 1 to 4294967295, nesting_levels to 1 to 65535"};
    return {};
}

// The replay mode by CUPTI's number.
[[nodiscard]] constexpr abi::CUpti_ProfilerReplayMode cupti_mode_of(replay_mode replay) noexcept {
    switch (replay) {
        case replay_mode::kernel: return abi::CUPTI_KernelReplay;
        case replay_mode::application: return abi::CUPTI_ApplicationReplay;
        case replay_mode::user:
        case replay_mode::launch:
        case replay_mode::range: break;
    }
    return abi::CUPTI_UserReplay;
}

// The ranges that range hardware is to make room for: one more than asked for where CUPTI opens them, since it does not
// tell when it ran out.
[[nodiscard]] constexpr std::size_t room_of(session_shape const& shape) noexcept {
    return shape.max_ranges + (shape.ranges == range_mode::auto_range ? 1 : 0);
}

// What was read in one range. `id`: as pushed, or for auto_range the number of the launch, from 0.
// A value that was not collected is NaN.
struct range_values {
    std::uint32_t id = 0;
    std::vector<double> values;
};

// A policy is a stateless class. The concept names every member of one; there are no optional ones.
//
// - name: for people.
// - replays_kernels_in_scopes: whether user ranges go with kernel replay; see replay_modes.hpp.
// - supports: whether devices of a capability have this hardware.
// - wants: whether it measures these metrics on this device, in ranges of this mode. Errors: what kept it from finding out.
// - plan: what to count and in how many passes. Planning does not touch the counters. remembered():
//   an earlier plan was reused, so that forget() and another try_plan() may help where the hardware
//   refuses it. hardware(): the name in reports.
// - session: the hardware, held from try_open() to destruction by one profiler a context. It is
//   prepared for a shape, then runs replay passes until one is the last, then is read. After an
//   error only its destructor is to be called. try_pause(), try_resume(): with auto_range, within a
//   replay pass: kernels between the two run, are not counted and have no number; a pass ends
//   resumed. Where ranges are pushed, popping all of them does the same. try_keep(): what was read last, for try_evaluate();
//   its ranges have the order of try_read().
// - try_evaluate: the values of other metrics from what a session kept, on a machine that need not
//   have a GPU. Errors: of all metrics; those of one are in its result.
template <class Policy>
concept counter_hardware = requires(device const& gpu, std::span<std::string const> metrics,
                                    typename Policy::plan const& plan, typename Policy::session& session,
                                    session_shape const& shape, std::uint32_t id, machine const& here,
                                    counter_data const& kept) {
    { Policy::name } -> std::convertible_to<std::string_view>;
    { Policy::replays_kernels_in_scopes } -> std::convertible_to<bool>;
    { Policy::supports(compute_capability{}) } -> std::same_as<bool>;
    { Policy::wants(gpu, metrics, range_mode{}) } -> std::same_as<result<bool>>;
    { Policy::try_plan(gpu, metrics) } -> std::same_as<result<typename Policy::plan>>;
    {Policy::forget(plan)};
    { plan.passes() } -> std::same_as<std::size_t>;
    { plan.remembered() } -> std::same_as<bool>;
    { plan.hardware() } -> std::convertible_to<std::string_view>;
    { Policy::session::try_open(gpu, plan) } -> std::same_as<result<typename Policy::session>>;
    { session.try_prepare(shape) } -> std::same_as<result<void>>;
    { session.try_begin_replay_pass() } -> std::same_as<result<void>>;
    { session.try_push(id) } -> std::same_as<result<void>>;
    { session.try_pop() } -> std::same_as<result<void>>;
    { session.try_pause() } -> std::same_as<result<void>>;
    { session.try_resume() } -> std::same_as<result<void>>;
    { session.try_end_replay_pass() } -> std::same_as<result<replay_progress>>;
    { session.try_read() } -> std::same_as<result<std::vector<range_values>>>;
    { session.try_keep() } -> std::same_as<result<counter_data>>;
    { Policy::try_evaluate(here, kept, metrics) } -> std::same_as<result<evaluated_counters>>;
};

} // namespace hw
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_COUNTERS_COUNTER_HARDWARE_HPP
