// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finding: a device whose clock may change by itself.
#ifndef GPUPROF_HW_DOCTOR_AUTO_BOOST_HPP
#define GPUPROF_HW_DOCTOR_AUTO_BOOST_HPP

#include <string>

#include "../../detail/config.hpp"
#include "examined_machine.hpp"
#include "finding.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace hw::findings {

// Some Tesla products of capability 3.0 and later raise their clock by themselves, also between
// passes (CUPTI 12.0, 1.2). CUPTI reports it only for a context, and the doctor creates none.
inline void auto_boost(examined_machine const&, examined_device const& device, finding_list& found) {
    if (!device.has_counters || device.capability < compute_capability{3, 0}) return;
    if (device.name.find("Tesla") == std::string::npos) return;
    found.add(finding::topic::values, finding::severity::note,
              device.text() + " may have auto boost, with which the clock differs from pass to pass",
              "nvidia-smi -q -d CLOCK shows it, nvidia-smi --auto-boost-default=0 turns it off");
}

} // namespace hw::findings

GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_DOCTOR_AUTO_BOOST_HPP
