// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is known, before a kernel is launched, to keep the hardware from replaying it.
#ifndef GPUPROF_INJECTION_REPLAY_OBSTACLE_HPP
#define GPUPROF_INJECTION_REPLAY_OBSTACLE_HPP

#include <vector>

#include <gpuprof/hw/callbacks/argument_words.hpp>
#include <gpuprof/hw/callbacks/launch_watch.hpp>
#include <gpuprof/hw/callbacks/waiting_kernel.hpp>
#include <gpuprof/hw/counters/replay_modes.hpp>
#include <gpuprof/hw/machine/device.hpp>
#include <gpuprof/hw/machine/in_context.hpp>
#include <gpuprof/hw/memory/argument_memory.hpp>

namespace gpuprof::injection {

// Where the memory lives that a launch's arguments point to.
struct argument_places {
    bool other_gpu = false;
    bool host = false; // page-locked, which the host may write while the kernel runs
};

// Cost: a driver call a parameter, and up to three for each word of 8 bytes. Variables of modules, and pointers that lie in memory,
// are not seen; nor are multicast objects, which the driver does not tell from memory of one GPU.
[[nodiscard]] inline argument_places places_of_arguments(hw::launch_event const& launch, device const& gpu) {
    argument_places found;
    abi::driver_table const& driver = gpu.driver();
    if (driver.PointerGetAttribute == nullptr) return found;
    std::vector<abi::CUdeviceptr> words;
    static_cast<void>(hw::add_argument_words(launch.function, launch.arguments, launch.packed, driver, words));
    for (abi::CUdeviceptr const word : words) {
        hw::memory_owner const owner = hw::owner_of({word}, driver, gpu.ordinal());
        found.host = found.host || owner == hw::memory_owner::host;
        found.other_gpu = found.other_gpu || owner == hw::memory_owner::peer;
    }
    return found;
}

// What is in the way of replaying this launch, which is about to begin. Nothing, where it may hang all the same: then the
// watchdog ends it. @param places of its arguments. @pre the context is current
[[nodiscard]] inline replay_obstacle obstacle_of(hw::launch_event const& launch, argument_places const& places,
                                                 abi::driver_table const& driver) {
    if (hw::is_capturing(driver)) return replay_obstacle::capture;
    if (launch.symbol != nullptr && hw::waits_for_other_gpus(launch.symbol)) return replay_obstacle::other_gpus;
    if (places.other_gpu) return replay_obstacle::memory_of_other_gpu;
    return replay_obstacle::none;
}

} // namespace gpuprof::injection

#endif // GPUPROF_INJECTION_REPLAY_OBSTACLE_HPP
