// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the calls of an experiment answer: the mistakes that PerfKit types, and ours.
#ifndef GPUPROF_MEASURE_EXPERIMENT_STATUS_HPP
#define GPUPROF_MEASURE_EXPERIMENT_STATUS_HPP

#include <cstddef>
#include <string>
#include <string_view>

#include "../core/error.hpp"
#include "../detail/config.hpp"

GPUPROF_NAMESPACE_BEGIN

// PerfKit, appendix C, in its order; the name of PerfKit's status stands beside. Those without one
// are gpuprof's own.
enum class experiment_code : unsigned char {
    ok,
    // Warnings: the call did its work.
    counter_was_not_enabled, // NVPM_WARNING_COUNTER_NOT_ENABLED: there was nothing to disable
    pass_not_ended,          // NVPM_WARNING_PASS_NOT_ENDED: it was ended by this call
    object_not_ended,        // NVPM_WARNING_OBJECT_NOT_ENDED: it was ended by this call
    pass_incomplete,         // NVPM_WARNING_PASS_INCOMPLETE: reserved objects were not begun in the pass
    launch_count_changed, // NVPM_WARNING_DRAW_COUNT_CHANGED: the object launched another number of kernels than before
    object_order_changed, // the first pass began the objects in another order
    // Errors: the call did nothing, but for end(), which ends an incomplete experiment, too.
    no_counters,           // NVPM_ERROR_NO_COUNTERS
    not_in_experiment,     // NVPM_ERROR_NOT_IN_EXPERIMENT
    already_in_experiment, // begin() within an experiment; also what would change it: enabling, reserving
    experiment_incomplete, // NVPM_ERROR_EXPERIMENT_INCOMPLETE: end() before the last pass
    pass_skipped,          // NVPM_ERROR_PASS_SKIPPED: not the next one
    invalid_pass,          // NVPM_ERROR_INVALID_PASS: there are not so many
    not_in_pass,           // NVPM_ERROR_NOT_IN_PASS: none is begun, or another one
    too_many_objects,      // NVPM_ERROR_OUT_OF_MEMORY
    unknown_object,        // NVPM_ERROR_UNKNOWN_OBJECT: no place is reserved for it
    object_not_begun,      // the end of an object that is not open
    object_repeated,       // the pass had this object already
    counter_not_enabled,   // NVPM_ERROR_COUNTER_NOT_ENABLED
    experiment_not_run,    // NVPM_ERROR_EXPERIMENT_NOT_RUN: none ran, or counters or objects changed since
    experiment_running,    // NVPM_ERROR_EXPERIMENT_RUNNING
    refused                // the hardware, or memory for it, cannot be had: see experiment::refusal()
};

[[nodiscard]] constexpr std::string_view name(experiment_code code) noexcept {
    switch (code) {
        case experiment_code::ok: return "ok";
        case experiment_code::counter_was_not_enabled: return "counter was not enabled";
        case experiment_code::pass_not_ended: return "pass not ended";
        case experiment_code::object_not_ended: return "object not ended";
        case experiment_code::pass_incomplete: return "pass incomplete";
        case experiment_code::launch_count_changed: return "launch count changed";
        case experiment_code::object_order_changed: return "object order changed";
        case experiment_code::no_counters: return "no counters";
        case experiment_code::not_in_experiment: return "not in experiment";
        case experiment_code::already_in_experiment: return "already in experiment";
        case experiment_code::experiment_incomplete: return "experiment incomplete";
        case experiment_code::pass_skipped: return "pass skipped";
        case experiment_code::invalid_pass: return "invalid pass";
        case experiment_code::not_in_pass: return "not in pass";
        case experiment_code::too_many_objects: return "too many objects";
        case experiment_code::unknown_object: return "unknown object";
        case experiment_code::object_not_begun: return "object not begun";
        case experiment_code::object_repeated: return "object repeated";
        case experiment_code::counter_not_enabled: return "counter not enabled";
        case experiment_code::experiment_not_run: return "experiment not run";
        case experiment_code::experiment_running: return "experiment running";
        case experiment_code::refused: return "refused";
    }
    return "unknown";
}

// One answer. Two numbers say the rest: those of the call, and those that were expected; which ones
// depends on the code (passes, objects, launches) and stands in the text. Trivially copyable: made
// each time, also between two frames, without allocation. A text is made when it is asked for.
class experiment_status {
public:
    constexpr experiment_status() noexcept = default;
    constexpr experiment_status(experiment_code code, std::size_t given = 0, std::size_t expected = 0,
                                std::size_t object = 0) noexcept // NOLINT(google-explicit-constructor): a code alone
        : given_{given}, expected_{expected}, object_{object}, code_{code} {}

    [[nodiscard]] constexpr experiment_code code() const noexcept { return code_; }
    [[nodiscard]] constexpr bool is_ok() const noexcept { return code_ == experiment_code::ok; }
    [[nodiscard]] constexpr bool is_warning() const noexcept {
        return !is_ok() && code_ < experiment_code::no_counters;
    }
    // Whether the call did its work: ok, or a warning.
    [[nodiscard]] constexpr explicit operator bool() const noexcept { return code_ < experiment_code::no_counters; }

    [[nodiscard]] constexpr std::size_t given() const noexcept { return given_; }
    [[nodiscard]] constexpr std::size_t expected() const noexcept { return expected_; }
    [[nodiscard]] constexpr std::size_t object() const noexcept { return object_; } // for launch_count_changed

    // As an error of gpuprof: what, cause and remedy. @pre not ok
    [[nodiscard]] error as_error() const;
    // "pass skipped: pass 3 was begun, the next one is 1"
    [[nodiscard]] std::string message() const;

private:
    std::size_t given_ = 0;
    std::size_t expected_ = 0;
    std::size_t object_ = 0;
    experiment_code code_ = experiment_code::ok;
};

// A mistake of an experiment, as its first occurrence said it, and how often there was one of its
// code.
struct experiment_mistake {
    experiment_status first{};
    std::size_t times = 0;
};

GPUPROF_NAMESPACE_END

#if GPUPROF_HEADER_ONLY
#include "experiment_status.inl.hpp"
#endif

#endif // GPUPROF_MEASURE_EXPERIMENT_STATUS_HPP
