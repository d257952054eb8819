// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Releases of CUPTI whose range profiler ends the process, or counts nothing.
#ifndef GPUPROF_HW_COUNTERS_RANGE_PROFILER_FAULTS_HPP
#define GPUPROF_HW_COUNTERS_RANGE_PROFILER_FAULTS_HPP

#include <optional>
#include <string>

#include "../../core/device_source.hpp"
#include "../../core/error.hpp"
#include "../../detail/builtin.hpp"
#include "../machine/device.hpp"
#include "../machine/machine.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace hw {

// Why the range profiler of a machine must not be called; nothing if it may. CUPTI 13.5 ends the process in it on a driver
// of the 580 series, which is for CUDA 13.0, on an H200; with the driver of its own release it was not tried. Later CUPTIs
// are taken to be alike. Cost: two comparisons. Thread-safe.
[[nodiscard]] inline std::optional<error> why_range_profiler_crashes(machine const& on) {
    int const cupti = on.cupti_library.version;   // 130500 is CUDA 13.5
    int const driver = on.driver_library.version; // 13000 is CUDA 13.0; 0 is not known
    if (cupti < 130'500 || driver == 0 || driver >= cupti / 10'000 * 1'000 + cupti / 100 % 100 * 10) return {};
    return error{errc::version_mismatch, 0,
                 detail::joined({"the range profiler of CUPTI ", cupti_version_text(cupti), " is not used"}),
                 detail::joined({"CUPTI 13.5 crashes in it on an older driver, and this one is for CUDA ",
                                 std::to_string(driver / 1'000), ".", std::to_string(driver % 1'000 / 10)}),
                 "name the CUPTI of CUDA 13.0 or earlier in GPUPROF_CUPTI_PATH, or update the driver"};
}

// Whether the range profiler of a device gives no range to a kernel by itself (range_mode::auto_range). Those of CUPTI 12.6
// and 12.9 end without an error and without a range on an H100 and an H200 (driver 580.159.04), in either replay, where
// CUPTI 13.0 has one for each launch; the profiling API of the same CUPTIs has them, too. Thread-safe.
[[nodiscard]] inline bool range_profiler_misses_kernels(device const& gpu) noexcept {
    int const cupti = gpu.machine().cupti_library.version;
    return gpu.source() == device_source::hardware && cupti != 0 && cupti < 130'000;
}

} // namespace hw
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_COUNTERS_RANGE_PROFILER_FAULTS_HPP
