// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Errors: a code, what failed, why, and the remedy.
#ifndef GPUPROF_CORE_ERROR_HPP
#define GPUPROF_CORE_ERROR_HPP

#include <initializer_list>
#include <string>
#include <string_view>

#include "../detail/builtin.hpp"
#include "../detail/config.hpp"

#if GPUPROF_EXCEPTIONS
#include <stdexcept>
#endif

GPUPROF_NAMESPACE_BEGIN

// Kinds of failure that a caller can act on. The texts in `error` say the rest.
enum class errc : unsigned char {
    unavailable,      // the machine lacks a driver, a library, a symbol or a capability
    permission,       // counters are closed to this user
    busy,             // another tool or session holds what is needed
    unknown_metric,   // no chip or not this chip has a metric of that name
    invalid_argument, // the caller's input is malformed (empty list, NUL in a name, foreign context, …)
    invalid_state,    // a call in the wrong order (a second session, reading before collecting, …)
    not_collected,    // the value asked for was not measured, or was lost
    too_many_ranges,  // more ranges, or deeper nesting, than there was room for
    replay_mismatch,  // two passes over the same code did not open the same ranges
    version_mismatch, // library and driver, or library and header, do not fit
    launch_failed,    // the application launched a kernel, and the driver refused it
    device_lost,      // the context or device failed; nothing more can be measured on it
    io,               // a file could not be read or written
    inside_callback,  // the call could hang where it was made: inside a callback of CUPTI
    internal          // the driver or CUPTI answered something no document explains
};

[[nodiscard]] constexpr std::string_view name(errc code) noexcept {
    switch (code) {
        case errc::unavailable: return "unavailable";
        case errc::permission: return "permission";
        case errc::busy: return "busy";
        case errc::unknown_metric: return "unknown metric";
        case errc::invalid_argument: return "invalid argument";
        case errc::invalid_state: return "invalid state";
        case errc::not_collected: return "not collected";
        case errc::too_many_ranges: return "too many ranges";
        case errc::replay_mismatch: return "replay mismatch";
        case errc::version_mismatch: return "version mismatch";
        case errc::launch_failed: return "launch failed";
        case errc::device_lost: return "device lost";
        case errc::io: return "io";
        case errc::inside_callback: return "inside callback";
        case errc::internal: return "internal";
    }
    return "unknown";
}

// One failure. `what` is the attempted call and the status by name, `cause` the likely reason,
// `remedy` the next step; the last two may be empty. `status` is the number that the driver or
// CUPTI returned, 0 if gpuprof found the failure itself.
struct error {
    errc code = errc::internal;
    int status = 0;
    std::string what;
    std::string cause;
    std::string remedy;

    error() = default;
    // Copies the texts. Out of line: many places construct an error.
    error(errc code, int status, std::string_view what, std::string_view cause = {}, std::string_view remedy = {});

    // All of it in one line: "permission: cuptiRangeProfilerEnable:
    // CUPTI_ERROR_INSUFFICIENT_PRIVILEGES (35); because …; remedy: …"
    [[nodiscard]] std::string message() const;
};

#if GPUPROF_EXCEPTIONS

// Thrown by functions whose names do not begin with try_. what() is the error's message().
class exception : public std::runtime_error {
public:
    explicit exception(gpuprof::error why);
    [[nodiscard]] gpuprof::error const& error() const noexcept { return error_; }
    [[nodiscard]] errc code() const noexcept { return error_.code; }

private:
    gpuprof::error error_;
};

#endif

namespace detail {
// Throws the error. Without exceptions it prints the error and stops the program: there it is
// reached only by reading a result that holds an error, a bug in the caller.
[[noreturn]] void raise(error why);

// Concatenates the parts, out of line. Format numbers by std::to_string.
[[nodiscard]] std::string joined(std::initializer_list<std::string_view> parts);
} // namespace detail

GPUPROF_NAMESPACE_END

#if GPUPROF_HEADER_ONLY
#include "error.inl.hpp"
#endif

#endif // GPUPROF_CORE_ERROR_HPP
