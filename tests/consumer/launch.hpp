// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel of 4 blocks with 96 threads, which are 12 warps, launched through the driver's table of any device.
#ifndef GPUPROF_TESTS_CONSUMER_LAUNCH_HPP
#define GPUPROF_TESTS_CONSUMER_LAUNCH_HPP

#include <gpuprof/hw/machine/device.hpp>

inline constexpr unsigned launched_blocks = 4;
inline constexpr unsigned launched_threads = 96;
inline constexpr double launched_warps = 4 * (96.0 / 32);

// Whether the kernel ran.
inline bool launch(gpuprof::device const& gpu) {
    constexpr char kernel[] = ".version 7.0\n.target sm_70\n.address_size 64\n.visible .entry nothing() { ret; }\n";
    gpuprof::abi::driver_table const& driver = gpu.driver();
    gpuprof::abi::CUmodule module = nullptr;
    gpuprof::abi::CUfunction function = nullptr;
    if (driver.ModuleLoadData(&module, kernel)) return false;
    bool const ran = !driver.ModuleGetFunction(&function, module, "nothing") &&
                     !driver.LaunchKernel(function, launched_blocks, 1, 1, launched_threads, 1, 1, 0, nullptr, nullptr, nullptr) &&
                     !driver.CtxSynchronize();
    return !driver.ModuleUnload(module) && ran;
}

#endif // GPUPROF_TESTS_CONSUMER_LAUNCH_HPP
