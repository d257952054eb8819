// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The file names of NVIDIA's libraries on this system.
#ifndef GPUPROF_HW_MACHINE_LIBRARY_FILES_HPP
#define GPUPROF_HW_MACHINE_LIBRARY_FILES_HPP

#include <string_view>

#include "../../detail/config.hpp"
#include "platform/platform.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace hw {

// How the file names of the driver and of CUPTI begin in all versions: "libcupti.so.13",
// "cupti64_2025.3.1.dll".
inline constexpr std::string_view driver_stem = platform::is_windows ? "nvcuda" : "libcuda";
inline constexpr std::string_view cupti_stem = platform::is_windows ? "cupti64" : "libcupti";

// Libraries that are opened by their full names: the driver, its management library (NVML), and
// those beside CUPTI.
inline constexpr char const* driver_file = platform::is_windows ? "nvcuda.dll" : "libcuda.so.1";
inline constexpr char const* nvml_file = platform::is_windows ? "nvml.dll" : "libnvidia-ml.so.1";
inline constexpr char const* nvperf_host_file = platform::is_windows ? "nvperf_host.dll" : "libnvperf_host.so";
inline constexpr char const* nvperf_target_file = platform::is_windows ? "nvperf_target.dll" : "libnvperf_target.so";

} // namespace hw
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_MACHINE_LIBRARY_FILES_HPP
