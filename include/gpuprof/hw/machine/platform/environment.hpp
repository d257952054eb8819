// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Under which variables and as whom this process runs. Layer: hw, lowest.
#ifndef GPUPROF_HW_MACHINE_PLATFORM_ENVIRONMENT_HPP
#define GPUPROF_HW_MACHINE_PLATFORM_ENVIRONMENT_HPP

#include <cstddef>  // std::size_t
#include <cstdlib>  // std::getenv, secure_getenv
#include <optional> // a variable that may not be set
#include <string>   // values

#include "../../../detail/config.hpp"
#include "platform.hpp"

#if GPUPROF_WINDOWS
#include "windows_api.hpp"      // GetEnvironmentVariableW
#include "windows_security.hpp" // what this process may
#include "windows_text.hpp"     // names and values
#else
#include <unistd.h> // geteuid
#endif

GPUPROF_NAMESPACE_BEGIN
namespace platform {

// A variable of the environment; nothing if it is not set. Not to be called while another thread sets one.
#if GPUPROF_WINDOWS
// The system's variables: what the C library's putenv sets is among them.
GPUPROF_LAZY [[nodiscard]] std::optional<std::string> variable(char const* name) {
    constexpr unsigned long not_found = 203;
    std::wstring const wide_name = inner::wide(name);
    std::wstring value(256, L'\0');
    for (;;) {
        unsigned long const room = static_cast<unsigned long>(value.size());
        // 0: not set, or empty, which the error tells apart: a success leaves the last one as it was.
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
GPUPROF_LAZY [[nodiscard]] std::optional<std::string> variable(char const* name) {
    char const* const value = std::getenv(name);
    return value == nullptr ? std::nullopt : std::optional<std::string>{value};
}
#endif

// The same for variables of which an empty value means that they are not set: empty in both cases.
GPUPROF_LAZY [[nodiscard]] std::string variable_or_empty(char const* name) {
    return variable(name).value_or(std::string{});
}

// A variable that names code to load or files to believe: empty, too, where this process has rights that its caller lacks
// (set-user-ID, set-group-ID, file capabilities), since the caller sets the variables. Windows starts no process with more
// rights than its caller has and with the caller's variables: one that is elevated has those of its user.
#if GPUPROF_WINDOWS
GPUPROF_LAZY [[nodiscard]] std::string trusted_variable(char const* name) { return variable_or_empty(name); }

// The number of the user in whose name this process acts: 0 on Windows, where users have names alone.
[[nodiscard]] inline unsigned long user_id() noexcept { return 0; }

// Whether this process runs with the rights of the system's administrator.
GPUPROF_LAZY [[nodiscard]] bool user_is_root() { return inner::token_is_elevated(); }
#else
GPUPROF_LAZY [[nodiscard]] std::string trusted_variable(char const* name) {
    char const* const value = ::secure_getenv(name);
    return value == nullptr ? std::string{} : std::string{value};
}

// The number of the user in whose name this process acts.
[[nodiscard]] inline unsigned long user_id() noexcept { return ::geteuid(); }

// Whether this process runs with the rights of the system's administrator.
[[nodiscard]] inline bool user_is_root() noexcept { return ::geteuid() == 0; }
#endif

} // namespace platform
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_MACHINE_PLATFORM_ENVIRONMENT_HPP
