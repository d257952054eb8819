// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finding: a driver that sees no device.
#ifndef GPUPROF_HW_DOCTOR_VISIBLE_DEVICES_HPP
#define GPUPROF_HW_DOCTOR_VISIBLE_DEVICES_HPP

#include <string>

#include "../../detail/config.hpp"
#include "examined_machine.hpp"
#include "finding.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace hw::findings {

// Why the driver lists no devices: it does not start, has none, or CUDA_VISIBLE_DEVICES hides them.
inline void visible_devices(examined_machine const& machine, finding_list& found) {
    if (!machine.has_driver()) return;
    if (machine.devices_error()) return found.add(finding::topic::device, *machine.devices_error());
    if (machine.devices().empty())
        found.add(finding::topic::device, finding::severity::obstacle,
                  machine.only() < 0 ? "the driver sees no device"
                                     : "the driver sees no device " + std::to_string(machine.only()),
                  "check nvidia-smi and CUDA_VISIBLE_DEVICES");
}

} // namespace hw::findings

GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_DOCTOR_VISIBLE_DEVICES_HPP
