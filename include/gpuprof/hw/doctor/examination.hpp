// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The findings, and the lists of them: each is a header beside this one and a line below. Layer: hw; Linux.
#ifndef GPUPROF_HW_DOCTOR_EXAMINATION_HPP
#define GPUPROF_HW_DOCTOR_EXAMINATION_HPP

#include <string>  // texts
#include <utility> // std::move
#include <vector>  // findings

#include "../../detail/config.hpp"
#include "../built_in/policies.inl.hpp"
#include "../machine/machine.hpp"
#include "chip_data.hpp"
#include "counter_permission.hpp"
#include "cupti_library.hpp"
#include "cupti_newer_than_driver.hpp"
#include "device_hardware.hpp"
#include "driver_library.hpp"
#include "events_in_cupti.hpp"
#include "examined_machine.hpp"
#include "finding.hpp"
#include "injected_tool.hpp"
#include "other_programs.hpp"
#include "profiler_support.hpp"
#include "range_profiler_calls.hpp"
#include "surroundings.hpp"
#include "visible_devices.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace hw {

// The findings for one machine. See gpuprof::doctor().
// Hardware: the policy that says which capabilities can be used.
template <class Hardware = any_hardware>
class basic_examination {
public:
    using machine_finding = void(examined_machine const&, finding_list&);
    using device_finding = void(examined_machine const&, examined_device const&, finding_list&);

    [[nodiscard]] static std::vector<finding> of(machine const& on, surroundings const& here) {
        // In the order in which they are told.
        // clang-format off
        static constexpr machine_finding* of_libraries[]{
            findings::driver_library,
            findings::cupti_library,
            findings::range_profiler_calls,
            findings::cupti_newer_than_driver,
            findings::chip_data,
            findings::visible_devices,
        };
        static constexpr device_finding* of_each_device[]{
            findings::device_hardware,
            findings::events_in_cupti,
            findings::profiler_support,
        };
        static constexpr machine_finding* of_surroundings[]{
            findings::counter_permission,
            findings::other_programs,
            findings::injected_tool,
        };
        // clang-format on
        auto const seen = examined_machine::of(on, here, [](compute_capability of) { return Hardware::supports(of); });
        finding_list found;
        for (machine_finding* const each : of_libraries) each(seen, found);
        for (examined_device const& device : seen.devices())
            for (device_finding* const each : of_each_device) each(seen, device, found);
        for (machine_finding* const each : of_surroundings) each(seen, found);
        return std::move(found).take();
    }
};
using examination = basic_examination<>;

} // namespace hw
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_DOCTOR_EXAMINATION_HPP
