// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definitions of experiment_status.hpp.
#ifndef GPUPROF_MEASURE_EXPERIMENT_STATUS_INL_HPP
#define GPUPROF_MEASURE_EXPERIMENT_STATUS_INL_HPP

#include <string>

#include "experiment_status.hpp"

GPUPROF_NAMESPACE_BEGIN

GPUPROF_INLINE error experiment_status::as_error() const {
    std::string const given = std::to_string(given_), expected = std::to_string(expected_);
    auto const say = [this](errc kind, std::string_view text, std::string_view cause, std::string_view remedy) {
        return error{kind, 0, detail::joined({name(code_), ": ", text}), cause, remedy};
    };
    using enum experiment_code;
    switch (code_) {
        case ok: break;
        case counter_was_not_enabled:
            return say(errc::invalid_argument, "the counter to disable is not enabled", {}, "enable() it first");
        case pass_not_ended:
            return say(errc::invalid_state, detail::joined({"pass ", expected, " was ended by the next call"}),
                       "end_pass() was left out", "end each pass with its number");
        case object_not_ended:
            return say(errc::invalid_state, detail::joined({"object ", expected, " was ended by the next call"}),
                       "end_object() was left out; objects do not nest", "end each object before the next one begins");
        case pass_incomplete:
            return say(errc::replay_mismatch,
                       detail::joined({given, " of ", expected, " reserved objects were begun in a pass"}),
                       "each pass measures a part of the counters, for the objects that it has",
                       "begin and end every reserved object in every pass");
        case launch_count_changed:
            return say(errc::replay_mismatch,
                       detail::joined({"object ", std::to_string(object_), " launched ", given,
                                       " kernels in a pass, and ", expected, " in an earlier one"}),
                       "the frame is not frozen", "do the same work in every pass");
        case object_order_changed:
            return say(errc::replay_mismatch,
                       detail::joined({"object ", given, " was begun where the first pass had object ", expected}),
                       "the frame is not frozen", "begin the objects in the same order in every pass");
        case no_counters:
            return say(errc::invalid_argument, "no counter is enabled", {}, "enable() at least one before begin()");
        case not_in_experiment: return say(errc::invalid_state, "no experiment is begun", {}, "call begin() first");
        case already_in_experiment:
            return say(errc::invalid_state, "an experiment is running",
                       "its counters and objects stay as they are until it ends", "call end() first");
        case experiment_incomplete:
            return say(errc::not_collected, detail::joined({given, " of ", expected, " passes ran"}),
                       "the experiment was ended before its last pass", "run as many passes as passes() says");
        case pass_skipped:
            return say(errc::invalid_state, detail::joined({"pass ", given, " was begun, the next one is ", expected}),
                       "passes run in sequence", "count from 0");
        case invalid_pass:
            return say(errc::invalid_argument, detail::joined({"pass ", given, " of ", expected, " does not exist"}),
                       {}, "count from 0 to passes() - 1");
        case not_in_pass:
            return say(errc::invalid_state, "the pass is not begun", "no pass is open, or another one is",
                       "call begin_pass() with this number first");
        case too_many_objects:
            return say(errc::too_many_ranges, detail::joined({"there is no memory for ", given, " objects"}), {},
                       "reserve fewer");
        case unknown_object:
            return say(errc::invalid_argument, detail::joined({"object ", given, " of ", expected, " does not exist"}),
                       expected_ == 0 ? "no objects are reserved: all data goes to object 0, the whole pass" : "",
                       "reserve_objects() before begin()");
        case object_not_begun:
            return say(errc::invalid_state, detail::joined({"object ", given, " is not open"}), {},
                       "begin_object() with this number first");
        case object_repeated:
            return say(errc::invalid_state, detail::joined({"object ", given, " was begun twice in a pass"}),
                       "an object is one stretch of the pass", "reserve an object for each stretch");
        case counter_not_enabled:
            return say(errc::unknown_metric, "the counter is not enabled", {}, "enable() it, and run the experiment");
        case experiment_not_run:
            return say(errc::invalid_state, "there is no data",
                       "no experiment ran, or counters or objects changed after it", "run it");
        case experiment_running: return say(errc::invalid_state, "the experiment is running", {}, "ask after end()");
        case refused: return say(errc::unavailable, "the experiment cannot be measured", {}, "refusal() says why");
    }
    return {};
}

GPUPROF_INLINE std::string experiment_status::message() const { return is_ok() ? std::string{"ok"} : as_error().what; }

GPUPROF_NAMESPACE_END

#endif // GPUPROF_MEASURE_EXPERIMENT_STATUS_INL_HPP
