// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The name of this machine.
#ifndef GPUPROF_HW_MACHINE_PLATFORM_HOST_NAME_HPP
#define GPUPROF_HW_MACHINE_PLATFORM_HOST_NAME_HPP

#include <string>

#include "../../../detail/config.hpp"
#include "environment.hpp"
#include "platform.hpp"

#if !GPUPROF_WINDOWS
#include <unistd.h>
#endif

GPUPROF_NAMESPACE_BEGIN
namespace platform {

// As its network knows it: "node17". "this machine" if it has none.
[[nodiscard]] inline std::string host_name() {
#if GPUPROF_WINDOWS
    std::string name = variable_or_empty("COMPUTERNAME");
#else
    char text[256] = {};
    std::string name = ::gethostname(text, sizeof text - 1) == 0 ? text : "";
#endif
    return name.empty() ? "this machine" : name;
}

} // namespace platform
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_MACHINE_PLATFORM_HOST_NAME_HPP
