// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Devices of the embedded GPU by chip.
#ifndef GPUPROF_SRC_SIM_EMBEDDED_DEVICE_HPP
#define GPUPROF_SRC_SIM_EMBEDDED_DEVICE_HPP

#include <cstdint>
#include <string_view>

#include <gpuprof/core/result.hpp>
#include <gpuprof/sim/collection.hpp>

#include "chip/chip_model.hpp"
#include "code/machine_listing.hpp"
#include "driver/kernel_end.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

namespace detail {
// The ordinal of the device with that chip which collects that way, made if there is none.
// @param which of several side by side, from 0 on; those before it are made, too. Less than most_embedded_devices
[[nodiscard]] int device_with(chip_model const& chip, collection how = collection::in_passes, unsigned which = 0);

// The error for a chip there is no model of, with the list of those there are.
[[nodiscard]] error no_such_chip(std::string_view chip);
} // namespace detail

// Calls `listener` while a kernel runs, whenever the thread that launched it has ended a CTA: with how many have ended, and of how
// many. With 0 of 0 before the kernel prints, from any thread; with all at its end, however it ends. It must not call the driver.
void listen_to_progress(void (*listener)(std::uint64_t ended, std::uint64_t ctas));

// Which machine code is looked at of modules that are loaded from now on: at first none. Waits for a kernel that is running.
void use_machine_code(machine_code_use use);

// Calls `listener` with every kernel that runs to its end from now on, in any context, while the driver's lock is held: it
// must not call the driver. What it is given holds during the call. Null ends that.
void listen_to_ends(void (*listener)(kernel_end const&));

// The same with every image (fat binary, text) of which a module is loaded from now on.
void listen_to_images(void (*listener)(void const* image));

// The same with why an image cannot be loaded.
void listen_to_refused_images(void (*listener)(error const& why));

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_EMBEDDED_DEVICE_HPP
