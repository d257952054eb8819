// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Under which variables and as whom this process runs. Layer: hw, lowest.
#ifndef GPUPROF_HW_MACHINE_PLATFORM_ENVIRONMENT_HPP
#define GPUPROF_HW_MACHINE_PLATFORM_ENVIRONMENT_HPP

#include <cstdlib>  // std::getenv, secure_getenv
#include <optional> // a variable that may not be set
#include <string>   // values

#include <unistd.h> // geteuid

#include "../../../detail/config.hpp"
#include "platform.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace platform {

// A variable of the environment; nothing if it is not set. Not to be called while another thread sets one.
GPUPROF_LAZY [[nodiscard]] std::optional<std::string> variable(char const* name) {
    char const* const value = std::getenv(name);
    return value == nullptr ? std::nullopt : std::optional<std::string>{value};
}

// The same for variables of which an empty value means that they are not set: empty in both cases.
GPUPROF_LAZY [[nodiscard]] std::string variable_or_empty(char const* name) {
    return variable(name).value_or(std::string{});
}

// A variable that names code to load or files to believe: empty, too, where this process has rights that its caller lacks
// (set-user-ID, set-group-ID, file capabilities), since the caller sets the variables.
GPUPROF_LAZY [[nodiscard]] std::string trusted_variable(char const* name) {
    char const* const value = ::secure_getenv(name);
    return value == nullptr ? std::string{} : std::string{value};
}

// The number of the user in whose name this process acts.
[[nodiscard]] inline unsigned long user_id() noexcept { return ::geteuid(); }

// Whether this process runs with the rights of the system's administrator.
[[nodiscard]] inline bool user_is_root() noexcept { return ::geteuid() == 0; }

} // namespace platform
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_MACHINE_PLATFORM_ENVIRONMENT_HPP
