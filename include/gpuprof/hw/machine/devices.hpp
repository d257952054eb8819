// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Several devices of one program, opened side by side.
#ifndef GPUPROF_HW_MACHINE_DEVICES_HPP
#define GPUPROF_HW_MACHINE_DEVICES_HPP

#include <utility>
#include <vector>

#include "../../core/result.hpp"
#include "../../detail/config.hpp"
#include "device.hpp"

GPUPROF_NAMESPACE_BEGIN

// Opens the devices to measure on, in the driver's order: all GPUs of this machine, after CUDA_VISIBLE_DEVICES; else, if
// gpuprof/sim.hpp is included, as many embedded GPUs as GPUPROF_SIM_DEVICES says, or one. Where GPUPROF_DEVICE names one device
// ("cuda:1", "sim:gh100,1"), that one alone; where it names an embedded chip without a number ("sim", "sim:gv100"), as many of it
// as GPUPROF_SIM_DEVICES says. The context of the first one is current on this thread then; a thread that works with another one
// makes its context current (cuCtxSetCurrent, cudaSetDevice). Each may be measured on at the same time, by a profiler of its own.
// Errors: as try_open_device(), and invalid_argument for a GPUPROF_SIM_DEVICES that is no number from 1 to most_embedded_devices.
// Cost: a context a device. Thread-safe.
[[nodiscard]] result<std::vector<device>> try_open_devices();

#if !GPUPROF_ENABLED
// The one device that there is.
inline result<std::vector<device>> try_open_devices() {
    std::vector<device> all;
    all.push_back(detail::compiled_out_device::make());
    return result<std::vector<device>>{std::move(all)};
}
#endif

#if GPUPROF_EXCEPTIONS
// try_open_devices(), throwing.
[[nodiscard]] inline std::vector<device> open_devices() { return try_open_devices().value(); }
#endif

GPUPROF_NAMESPACE_END

#if GPUPROF_ENABLED && GPUPROF_HEADER_ONLY
#include "devices.inl.hpp"
#endif

#endif // GPUPROF_HW_MACHINE_DEVICES_HPP
