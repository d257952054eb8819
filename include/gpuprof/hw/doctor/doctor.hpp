// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Says before any measurement what works here, what does not, and what to do about it.
// examination.hpp lists what it checks.
#ifndef GPUPROF_HW_DOCTOR_DOCTOR_HPP
#define GPUPROF_HW_DOCTOR_DOCTOR_HPP

#include "../../detail/config.hpp"

#if !GPUPROF_ENABLED
#include "compiled_out.hpp"
#else

#include <cstddef>
#include <string>
#include <vector>

#include "../machine/machine.hpp"
#include "finding.hpp"

GPUPROF_NAMESPACE_BEGIN

// Checks drivers, libraries, devices, permissions and other tools, and returns findings, good ones
// too, so that a list without obstacles has a meaning. can_measure() sums it up. Creates no context
// and changes nothing. Errors: none, they are findings. Cost: loading the libraries, up to 0.1 s,
// and a look at each process. Thread-safe.
[[nodiscard]] std::vector<finding> doctor(hw::machine const& on);

// The same for the device that the environment variable GPUPROF_DEVICE names, as try_open_device()
// reads it: one device, or the embedded GPU, which is opened for a moment. Without it, for all
// devices of this machine.
[[nodiscard]] std::vector<finding> doctor();

// Writes findings, each with its remedy.
// @param with_notes includes notes: properties of such devices or systems
// @param width the columns of a line; longer sentences are broken
[[nodiscard]] std::string to_text(std::vector<finding> const& findings, bool with_notes = false,
                                  std::size_t width = 100);

GPUPROF_NAMESPACE_END

#if GPUPROF_HEADER_ONLY
#include "doctor.inl.hpp"
#endif

#endif // GPUPROF_ENABLED

#endif // GPUPROF_HW_DOCTOR_DOCTOR_HPP
