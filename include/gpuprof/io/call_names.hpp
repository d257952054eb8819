// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Names the functions of API call records.
#ifndef GPUPROF_IO_CALL_NAMES_HPP
#define GPUPROF_IO_CALL_NAMES_HPP

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "../hw/abi/cupti_activity.hpp"
#include "../trace/function_names.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace io {

// "cuLaunchKernel", "cudaMalloc_v3020"; empty for functions that CUDA 11.8 to 13.5 do not have.
[[nodiscard]] inline std::string_view name_of_call(abi::CUpti_ActivityKind kind, std::uint32_t callback) noexcept {
    if (kind == abi::CUPTI_ACTIVITY_KIND_DRIVER) return name(static_cast<driver_function>(callback));
    if (kind == abi::CUPTI_ACTIVITY_KIND_RUNTIME) return name(static_cast<runtime_function>(callback));
    return {};
}

// A name for people: "cudaMalloc" of "cudaMalloc_v3020". The version of CUDA that brought a function of the runtime says nothing
// of the program; "_v2" of the driver's is a part of the name.
[[nodiscard]] constexpr std::string_view without_version(std::string_view name) noexcept {
    std::size_t digits = name.size();
    while (digits > 0 && name[digits - 1] >= '0' && name[digits - 1] <= '9') --digits;
    bool const versioned = name.size() - digits >= 4 && digits > 2 && name.substr(digits - 2, 2) == "_v";
    return versioned ? name.substr(0, digits - 2) : name;
}

} // namespace io
GPUPROF_NAMESPACE_END

#endif // GPUPROF_IO_CALL_NAMES_HPP
