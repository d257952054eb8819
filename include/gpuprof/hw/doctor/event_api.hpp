// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finding: where the event API does not work.
#ifndef GPUPROF_HW_DOCTOR_EVENT_API_HPP
#define GPUPROF_HW_DOCTOR_EVENT_API_HPP

#include <string>

#include "../../core/compute_capability_text.hpp"
#include "../../detail/config.hpp"
#include "../machine/machine.hpp"
#include "device_name.hpp"
#include "examined_machine.hpp"
#include "finding.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace hw::findings {

// The last CUDA release whose CUPTI has events of that capability, or 0: CUPTI 12.0, table 3; CUDA
// 11.x for 3.x, CUDA 8.0 for 2.x.
[[nodiscard]] constexpr int last_release_with_events(compute_capability of) noexcept {
    if (!of.has_event_hardware()) return 0;
    return of.generation >= 5 ? 12 : of.generation == 3 ? 11 : 8;
}

// Devices below capability 7.0 count only with the event and metric API. It does not work under
// WSL, on a virtual GPU and on 64-bit ARM servers (CUPTI 12.0, 1.2.1.1, 1.3.1, 4.2, 4.3), and each
// CUPTI has the events of only some capabilities.
inline void event_api(examined_machine const& machine, examined_device const& device, finding_list& found) {
    int const last = last_release_with_events(device.capability);
    if (!device.has_counters || last == 0 || !machine.has_cupti()) return;
    surroundings const& here = machine.here();
    std::string why;
    std::string remedy;
    if (here.wsl()) why = "under WSL";
    else if (device.vgpu != vgpu_profile::none) why = "on a virtual GPU";
    else if (here.arm64 && !here.tegra()) why = "on 64-bit ARM servers";
    if (!why.empty()) remedy = "measure it under Linux on x86-64, without virtualisation";
    else if (cupti_release(machine.on().cupti_library.version) > last) {
        why = "with CUPTI " + std::to_string(last + 1) + " and later";
        remedy = "use the CUPTI of CUDA " + std::to_string(last) + (last == 8 ? ".0" : "") + " or earlier" +
                 (last == 12 ? " (wheel nvidia-cuda-cupti-cu12)" : "");
    }
    if (why.empty()) return;
    bool const nothing_else = !device.capability.has_range_hardware();
    found.add(finding::topic::counters, nothing_else ? finding::severity::obstacle : finding::severity::note,
              device.text() + ", of capability " + capability_text(device.capability) + ", has no events " + why +
                  (nothing_else ? ", and nothing else to count with" : "; range profiling is not affected"),
              remedy);
}

} // namespace hw::findings

GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_DOCTOR_EVENT_API_HPP
