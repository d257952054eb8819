// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel of 12 warps.
#ifndef GPUPROF_TESTS_CONSUMER_LAUNCH_HPP
#define GPUPROF_TESTS_CONSUMER_LAUNCH_HPP

#include <gpuprof/hw/machine/device.hpp>

inline constexpr double launched_warps = 4 * 96.0 / 32; // 4 blocks of 96 threads

// Launches it on any device, through the driver's table. Returns whether it ran.
bool launch(gpuprof::device const& gpu);

#endif // GPUPROF_TESTS_CONSUMER_LAUNCH_HPP
