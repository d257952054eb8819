// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The environment variables and the user of this process.
#ifndef GPUPROF_HW_MACHINE_PLATFORM_ENVIRONMENT_HPP
#define GPUPROF_HW_MACHINE_PLATFORM_ENVIRONMENT_HPP

#include <cstddef>
#include <cstdlib>
#include <optional>
#include <string>

#include "../../../detail/config.hpp"
#include "platform.hpp"
#include "windows_api.hpp"
#include "windows_security.hpp"
#include "windows_text.hpp"

#if !GPUPROF_WINDOWS
#include <unistd.h>
#endif

GPUPROF_NAMESPACE_BEGIN
namespace platform {

// An environment variable; nothing if it is not set. @pre no other thread sets one meanwhile
#if GPUPROF_WINDOWS
// The system's variables, which include those that the C library's putenv sets.
[[nodiscard]] inline std::optional<std::string> variable(char const* name) {
    constexpr unsigned long not_found = 203;
    std::wstring const wide_name = inner::wide(name);
    std::wstring value(256, L'\0');
    for (;;) {
        unsigned long const room = static_cast<unsigned long>(value.size());
        // 0 means not set, or empty; the error tells them apart, but success does not reset it.
        unsigned long const size = ::GetEnvironmentVariableW(wide_name.c_str(), value.data(), room);
        if (size == 0) {
            wchar_t end[1];
            unsigned long const with_end = ::GetEnvironmentVariableW(wide_name.c_str(), end, 0);
            if (with_end == 0 && ::GetLastError() == not_found) return {};
            if (with_end <= 1) return std::string{};
            continue; // it was set meanwhile
        }
        if (size < room) return inner::utf8({value.data(), size});
        value.resize(size);
    }
}
#else
[[nodiscard]] inline std::optional<std::string> variable(char const* name) {
    char const* const value = std::getenv(name);
    return value == nullptr ? std::nullopt : std::optional<std::string>{value};
}
#endif

// The same for variables whose empty value means "not set": empty in both cases.
[[nodiscard]] inline std::string variable_or_empty(char const* name) { return variable(name).value_or(std::string{}); }

// A variable that names code to load or files to trust: empty also where this process has rights
// that its caller lacks (set-user-ID, set-group-ID, file capabilities), since the caller sets the
// variables. Windows starts no process with more rights than its caller and with the caller's
// variables: an elevated process has those of its user.
#if GPUPROF_WINDOWS
[[nodiscard]] inline std::string trusted_variable(char const* name) { return variable_or_empty(name); }

// The number of the user that this process acts for: 0 on Windows, where users have only names.
[[nodiscard]] inline unsigned long user_id() noexcept { return 0; }

// Whether this process has administrator rights.
[[nodiscard]] inline bool user_is_root() { return inner::token_is_elevated(); }
#else
[[nodiscard]] inline std::string trusted_variable(char const* name) {
    char const* const value = ::secure_getenv(name);
    return value == nullptr ? std::string{} : std::string{value};
}

// The number of the user that this process acts for.
[[nodiscard]] inline unsigned long user_id() noexcept { return ::geteuid(); }

// Whether this process has administrator rights.
[[nodiscard]] inline bool user_is_root() noexcept { return ::geteuid() == 0; }
#endif

} // namespace platform
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_MACHINE_PLATFORM_ENVIRONMENT_HPP
