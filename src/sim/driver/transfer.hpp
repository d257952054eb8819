// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Carries out copies and fills; every byte is checked against the allocations.
#ifndef GPUPROF_SRC_SIM_DRIVER_TRANSFER_HPP
#define GPUPROF_SRC_SIM_DRIVER_TRANSFER_HPP

#include <cstdint>

#include <gpuprof/hw/abi/results.hpp>

#include "../code/device_memory.hpp"
#include "clock.hpp"
#include "operation.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::driver {

struct call;

// The result of an operation: its status, the engine that ran it, and how long in simulated time.
struct outcome {
    CUresult status = CUDA_SUCCESS;
    engine on = engine::compute;
    double nanoseconds = 0;
};

[[nodiscard]] constexpr bool is_device_address(std::uint64_t address) noexcept {
    return address >= address_map::global_base;
}

// Whether the operation could run now.
[[nodiscard]] CUresult check(call const& in, copy_operation const& copy);
[[nodiscard]] CUresult check(call const& in, fill_operation const& fill);

[[nodiscard]] outcome run(call& in, copy_operation const& copy);
[[nodiscard]] outcome run(call& in, fill_operation const& fill);

} // namespace sim::driver
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_DRIVER_TRANSFER_HPP
