// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finding: a CUPTI of a newer CUDA release than the driver.
#ifndef GPUPROF_HW_DOCTOR_CUPTI_NEWER_THAN_DRIVER_HPP
#define GPUPROF_HW_DOCTOR_CUPTI_NEWER_THAN_DRIVER_HPP

#include "../../core/error.hpp"
#include "../../detail/config.hpp"
#include "../machine/machine.hpp"
#include "examined_machine.hpp"
#include "finding.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace hw::findings {

// A CUPTI works with drivers of its own CUDA release and later ones, not with earlier ones.
inline void cupti_newer_than_driver(examined_machine const& machine, finding_list& found) {
    hw::machine const& on = machine.on();
    if (!machine.has_driver() || !machine.has_cupti()) return;
    if (cupti_release(on.cupti_library.version) > on.driver_library.version / 1000)
        found.add(finding::topic::cupti, finding::severity::obstacle,
                  "this CUPTI is of a newer CUDA release than the driver",
                  "use the CUPTI of the driver's release, or update the driver", errc::version_mismatch);
}

} // namespace hw::findings

GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_DOCTOR_CUPTI_NEWER_THAN_DRIVER_HPP
