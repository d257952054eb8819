// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Says before anything is measured what will work here, what will not, and what to do about it. Layer: hw.
// What is looked at stands in examination.hpp.
#ifndef GPUPROF_HW_DOCTOR_DOCTOR_HPP
#define GPUPROF_HW_DOCTOR_DOCTOR_HPP

#include <string> // texts
#include <vector> // findings

#include "../../detail/config.hpp"
#include "../machine/machine.hpp"
#include "finding.hpp"

GPUPROF_NAMESPACE_BEGIN

// Looks at drivers, libraries, devices, permissions and other tools, and says what it found: the good, too, so that a list
// without obstacles means something. can_measure() sums it up. Makes no context and changes nothing. Errors: none, they are
// findings. Cost: loading the libraries, up to 0.1 s, and a look at each process. Thread-safe.
GPUPROF_DECLARE [[nodiscard]] std::vector<finding> doctor(hw::machine const& on);

// The same for the device that the environment's GPUPROF_DEVICE names, as try_open_device() understands it: one device, or the
// embedded GPU, which is opened for a moment. Without it, for all devices of this machine.
GPUPROF_DECLARE [[nodiscard]] std::vector<finding> doctor();

// One line a finding, then its remedy. with_notes: those too that say how it always is with such a device or system.
GPUPROF_DECLARE [[nodiscard]] std::string to_text(std::vector<finding> const& findings, bool with_notes = false);

GPUPROF_NAMESPACE_END

#if GPUPROF_HEADER_ONLY
#include "doctor.inl.hpp"
#endif

#endif // GPUPROF_HW_DOCTOR_DOCTOR_HPP
