// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lists all findings: a new finding is a header beside this one and a line below. Linux.
#ifndef GPUPROF_HW_DOCTOR_EXAMINATION_HPP
#define GPUPROF_HW_DOCTOR_EXAMINATION_HPP

#include <string>
#include <utility>
#include <vector>

#include "../../detail/config.hpp"
#include "../counters/range/range_registration.hpp"
#include "../counters/registry.hpp"
#include "../machine/device.hpp"
#include "../machine/machine.hpp"
#include "auto_boost.hpp"
#include "chip_data.hpp"
#include "compute_mode.hpp"
#include "compute_preemption.hpp"
#include "counter_permission.hpp"
#include "cupti_library.hpp"
#include "cupti_newer_than_driver.hpp"
#include "debugger.hpp"
#include "demand_paging.hpp"
#include "device_hardware.hpp"
#include "driver_library.hpp"
#include "event_api.hpp"
#include "examined_machine.hpp"
#include "finding.hpp"
#include "injected_tool.hpp"
#include "mig_instance.hpp"
#include "mps.hpp"
#include "nsight_compute_lock.hpp"
#include "old_compiler.hpp"
#include "other_contexts.hpp"
#include "other_programs.hpp"
#include "persistence_mode.hpp"
#include "profiler_support.hpp"
#include "range_profiler_calls.hpp"
#include "surroundings.hpp"
#include "tegra.hpp"
#include "virtual_gpu.hpp"
#include "visible_devices.hpp"
#include "watchdog.hpp"
#include "windows.hpp"
#include "wsl.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace hw {

// Examines a machine. The program's backends say which capabilities it can measure. See
// gpuprof::doctor().
class examination {
public:
    using machine_finding = void(examined_machine const&, finding_list&);
    using device_finding = void(examined_machine const&, examined_device const&, finding_list&);

    // @param only the number of the only device to examine; -1: all
    [[nodiscard]] static std::vector<finding> of(machine const& on, surroundings const& here, int only = -1) {
        // In the order of the list.
        static constexpr machine_finding* of_libraries[]{
            findings::driver_library,          findings::cupti_library, findings::range_profiler_calls,
            findings::cupti_newer_than_driver, findings::chip_data,     findings::visible_devices,
        };
        static constexpr device_finding* of_each_device[]{
            findings::device_hardware,  findings::compute_mode, findings::event_api,
            findings::profiler_support, findings::mps,          findings::watchdog,
            findings::mig_instance,     findings::virtual_gpu,  findings::compute_preemption,
            findings::demand_paging,    findings::auto_boost,   findings::old_compiler,
        };
        static constexpr machine_finding* of_surroundings[]{
            findings::counter_permission,
            findings::tegra,
            findings::wsl,
            findings::windows,
            findings::other_programs,
            findings::injected_tool,
            findings::debugger,
            findings::nsight_compute_lock,
            findings::other_contexts,
            findings::persistence_mode,
        };
        // clang-format on
        auto const seen = examined_machine::of(on, here, has_backend_for, only);
        finding_list found;
        for (machine_finding* const each : of_libraries) each(seen, found);
        for (examined_device const& device : seen.devices()) {
            found.speak_of(device.ordinal);
            for (device_finding* const each : of_each_device) each(seen, device, found);
        }
        found.speak_of(-1);
        for (machine_finding* const each : of_surroundings) each(seen, found);
        return std::move(found).take();
    }

    // Examines the embedded GPU. Its only obstacle is a program that cannot use its counters.
    [[nodiscard]] static std::vector<finding> of_embedded(device const& gpu, std::string const& asked_by) {
        surroundings const nowhere;
        auto const seen = examined_machine::of(gpu.machine(), nowhere, has_backend_for, gpu.ordinal());
        finding_list found;
        if (gpu.machine().recorded != nullptr) {
            found.add(finding::topic::device, finding::severity::good,
                      gpuprof::detail::joined({asked_by, ": a recording of ", gpu.name(),
                                               ", which is not measured now; a program that includes "
                                               "gpuprof/replay.hpp has it"}));
            return std::move(found).take();
        }
        found.add(finding::topic::device, finding::severity::good,
                  asked_by +
                      ": the embedded GPU, which is not hardware; a program that includes gpuprof/sim.hpp gets it");
        found.speak_of(gpu.ordinal());
        for (examined_device const& device : seen.devices()) findings::device_hardware(seen, device, found);
        return std::move(found).take();
    }
};

} // namespace hw
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_DOCTOR_EXAMINATION_HPP
