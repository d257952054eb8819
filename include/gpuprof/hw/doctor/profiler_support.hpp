// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finding: whether CUPTI can profile a device.
#ifndef GPUPROF_HW_DOCTOR_PROFILER_SUPPORT_HPP
#define GPUPROF_HW_DOCTOR_PROFILER_SUPPORT_HPP

#include <cstddef>
#include <string>

#include "../../detail/config.hpp"
#include "../abi/cupti.hpp"
#include "../machine/status.hpp"
#include "examined_machine.hpp"
#include "finding.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace hw::findings {

// The answer of cuptiProfilerDeviceSupported for a device with range profiling, with the reasons
// against it (CUPTI 12.0, 2.7.6).
inline void profiler_support(examined_machine const& machine, examined_device const& device, finding_list& found) {
    hw::machine const& on = machine.on();
    if (!device.has_counters || !device.capability.has_range_hardware() || !machine.has_cupti()) return;
    if (on.cupti.ProfilerDeviceSupported == nullptr || on.cupti.ProfilerInitialize == nullptr) return;
    abi::CUpti_Profiler_Initialize_Params ready;
    if (auto status = on.cupti.ProfilerInitialize(&ready))
        return found.add(finding::topic::counters, explain("cuptiProfilerInitialize", status));
    abi::CUpti_Profiler_DeviceSupported_Params p;
    p.cuDevice = device.handle;
    auto status = on.cupti.ProfilerDeviceSupported(&p);
    // CUPTI 12.0 and others before 12.6 know a shorter structure, and need not take a longer one.
    for (std::size_t const shorter : {GPUPROF_STRUCT_SIZE(abi::CUpti_Profiler_DeviceSupported_Params, wsl),
                                      GPUPROF_STRUCT_SIZE(abi::CUpti_Profiler_DeviceSupported_Params, cmp)})
        if (status == abi::CUPTI_ERROR_INVALID_PARAMETER && on.cupti.RangeProfilerEnable == nullptr) {
            p.structSize = shorter;
            status = on.cupti.ProfilerDeviceSupported(&p);
        }
    if (status != abi::CUPTI_SUCCESS)
        return found.add(finding::topic::counters, explain("cuptiProfilerDeviceSupported", status));
    if (p.isSupported == abi::CUPTI_PROFILER_CONFIGURATION_SUPPORTED)
        return found.add(finding::topic::counters, finding::severity::good, "CUPTI can profile " + device.text());
    if (p.isSupported == abi::CUPTI_PROFILER_CONFIGURATION_LIMITED_SUPPORT)
        return found.add(finding::topic::counters, finding::severity::caveat,
                         "CUPTI can collect some metrics of " + device.text() + " only");
    auto const bad = [](abi::CUpti_Profiler_Support_Level level) {
        return level == abi::CUPTI_PROFILER_CONFIGURATION_UNSUPPORTED;
    };
    auto const off = [](abi::CUpti_Profiler_Support_Level level) {
        return level == abi::CUPTI_PROFILER_CONFIGURATION_DISABLED;
    };
    std::string why;
    std::string remedy;
    auto const blame = [&](abi::CUpti_Profiler_Support_Level level, char const* what, char const* what_to_do) {
        if (!bad(level) && !off(level)) return;
        why += (why.empty() ? "" : ", ") + std::string{what};
        remedy += (remedy.empty() ? "" : "; ") + std::string{what_to_do};
    };
    blame(p.architecture, "its architecture", "use a device of capability 7.0 or later");
    blame(p.sli, "an SLI configuration", "disable SLI");
    blame(p.vGpu, "a virtual GPU",
          "enable profiling for the virtual GPU on the host (vGPU plugin parameter enable_profiling)");
    blame(p.confidentialCompute, "confidential computing", "disable it while profiling");
    blame(p.cmp, "a mining processor", "use another device");
    blame(p.wsl, "WSL",
          "use WSL 2 on Windows 11 with driver 525 or later, and allow counters in the Windows NVIDIA Control Panel");
    found.add(finding::topic::counters, finding::severity::obstacle,
              "CUPTI cannot profile " + device.text() + (why.empty() ? "" : ": " + why), remedy);
}

} // namespace hw::findings

GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_DOCTOR_PROFILER_SUPPORT_HPP
