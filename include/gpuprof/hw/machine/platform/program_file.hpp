// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The file of the program that this process runs.
#ifndef GPUPROF_HW_MACHINE_PLATFORM_PROGRAM_FILE_HPP
#define GPUPROF_HW_MACHINE_PLATFORM_PROGRAM_FILE_HPP

#include <cstddef>
#include <string>

#include "../../../detail/config.hpp"
#include "platform.hpp"
#include "windows_api.hpp"
#include "windows_text.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace platform {

// A path by which the running program's file can be read, also where it was replaced since it
// began; empty if the system does not tell.
[[nodiscard]] inline std::string program_file() {
#if GPUPROF_WINDOWS
    std::wstring path(32768, L'\0');
    path.resize(::GetModuleFileNameW(nullptr, path.data(), static_cast<unsigned long>(path.size())));
    return inner::utf8(path);
#else
    return "/proc/self/exe";
#endif
}

} // namespace platform
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_MACHINE_PLATFORM_PROGRAM_FILE_HPP
