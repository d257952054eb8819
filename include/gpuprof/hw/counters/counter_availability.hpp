// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Asks CUPTI what a device can count, for both of its profiling interfaces, and names the answer for the cache.
#ifndef GPUPROF_HW_COUNTERS_COUNTER_AVAILABILITY_HPP
#define GPUPROF_HW_COUNTERS_COUNTER_AVAILABILITY_HPP

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "../../core/result.hpp"
#include "../../detail/builtin.hpp"
#include "../abi/cupti.hpp"
#include "../machine/device.hpp"
#include "../machine/lost_device.hpp"
#include "../machine/platform/environment.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace hw {

// Of what a file says: no image of a device is so large.
inline constexpr std::size_t largest_availability = std::size_t{16} << 20;

// cuptiGetVersion's number as a text; "0" where the call is missing.
[[nodiscard]] inline std::string version_of(abi::cupti_table const& cupti) {
    std::uint32_t version = 0;
    if (cupti.GetVersion != nullptr) static_cast<void>(cupti.GetVersion(&version));
    return std::to_string(version);
}

// The image of what the device can count. Errors: permission and others that CUPTI says; device_lost; version_mismatch for a
// CUPTI that is too old for the driver: 11.8 to 12.4 answer CUPTI_ERROR_UNKNOWN on one for CUDA 13.0 (H100 and H200, 580.159.04),
// also where the session begins. Cost: 110 ms (H200).
// @pre cuptiProfilerInitialize succeeded. Thread-safe.
[[nodiscard]] inline result<std::vector<std::uint8_t>> try_availability(device const& gpu) {
    abi::CUpti_Profiler_GetCounterAvailability_Params p;
    p.ctx = gpu.context();
    auto status = gpu.cupti().ProfilerGetCounterAvailability(&p);
    std::vector<std::uint8_t> image(status == abi::CUPTI_SUCCESS ? p.counterAvailabilityImageSize : 0);
    if (status == abi::CUPTI_SUCCESS) {
        p.pCounterAvailabilityImage = image.data();
        status = gpu.cupti().ProfilerGetCounterAvailability(&p);
    }
    if (status == abi::CUPTI_SUCCESS) return image;
    error why = explain_on(gpu.driver(), gpu.context(), "cuptiProfilerGetCounterAvailability", status);
    library_report const &cupti = gpu.machine().cupti_library, &driver = gpu.machine().driver_library;
    if (status == abi::CUPTI_ERROR_UNKNOWN && gpu.cupti().RangeProfilerEnable == nullptr && driver.version >= 13'000) {
        why.code = errc::version_mismatch;
        why.cause = detail::joined({"CUPTI ", cupti_version_text(cupti.version),
                                    " cannot count with a driver for CUDA ", std::to_string(driver.version / 1'000)});
        why.remedy = "name the CUPTI of CUDA 12.5 or later in GPUPROF_CUPTI_PATH";
    }
    return why;
}

// What an availability image depends on: this very device, its driver, this CUPTI, and who is asking.
[[nodiscard]] inline std::string availability_key(device const& gpu) {
    int driver = 0;
    static_cast<void>(gpu.driver().DriverGetVersion(&driver));
    std::string key = detail::joined({"availability\n", gpu.chip(), "\n", version_of(gpu.cupti()), "\n",
                                      std::to_string(driver), "\n", std::to_string(platform::user_id()), "\n"});
    abi::CUuuid id{};
    if (gpu.driver().DeviceGetUuid != nullptr) static_cast<void>(gpu.driver().DeviceGetUuid(&id, gpu.handle()));
    for (auto const byte : id.bytes)
        key += std::to_string(static_cast<unsigned>(static_cast<unsigned char>(byte))) + ' ';
    return key;
}

} // namespace hw
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_COUNTERS_COUNTER_AVAILABILITY_HPP
