// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The activity records of memory: allocations, releases, and the pools of asynchronous allocations.
#ifndef GPUPROF_SRC_SIM_DRIVER_MEMORY_RECORDS_HPP
#define GPUPROF_SRC_SIM_DRIVER_MEMORY_RECORDS_HPP

#include <cstdint>

#include "operation.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::driver {

struct allocation;
struct call;
struct stream_state;

namespace detail {

// A pool's handle, as a number.
[[nodiscard]] constexpr std::uint64_t pool_address(int number) noexcept {
    return (std::uint64_t{8} << 40) + 16 * static_cast<std::uint64_t>(number + 1);
}

} // namespace detail

// Memory was allocated; a stream and the number of a pool if it was asynchronous.
// @pre the context has the allocation
void record_allocation(call& in, CUdeviceptr address, stream_state const* stream = nullptr, int number = 0);

// Memory is about to be released. Memory that a context still has when it is destroyed gets no
// record of its release.
void record_release(call& in, CUdeviceptr address, allocation const& gone, stream_state const* stream);

} // namespace sim::driver
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_DRIVER_MEMORY_RECORDS_HPP
