// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Carries out copies and fills; every byte is checked against the allocations.
#ifndef GPUPROF_SRC_SIM_DRIVER_TRANSFER_HPP
#define GPUPROF_SRC_SIM_DRIVER_TRANSFER_HPP

#include <cstddef>
#include <cstdint>
#include <vector>

#include <gpuprof/hw/abi/results.hpp>

#include "../code/device_memory.hpp"
#include "clock.hpp"
#include "operation.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::driver {

struct call;

// A kernel that a kernel launched. Times are nanoseconds since the host's kernel began.
struct child_grid {
    kernel_operation launch;
    extent3 parent_cta;
    std::size_t parent = 0; // its number among these, from 1 on; 0: the host's kernel
    double start = 0;
    double end = 0;
    double completed = 0; // with all that it launched
};

// The result of an operation: its status, the engine that ran it, and how long in simulated time.
struct outcome {
    CUresult status = CUDA_SUCCESS;
    engine on = engine::compute;
    double nanoseconds = 0;             // with what a kernel launched
    double own_nanoseconds = 0;         // of a kernel that may launch others: without that
    bool launched_kernels = false;      // or copies
    std::vector<child_grid> children{}; // those kernels, where records are kept of them
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
