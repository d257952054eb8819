// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory calls of the embedded GPU's driver: device, managed and pinned memory, pointer attributes.
#ifndef GPUPROF_SRC_SIM_DRIVER_MEMORY_HPP
#define GPUPROF_SRC_SIM_DRIVER_MEMORY_HPP

#include <cstddef>
#include <cstdint>
#include <map>

#include <gpuprof/hw/abi/driver_types.hpp>
#include <gpuprof/hw/abi/results.hpp>

#include "operation.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::driver {

struct allocation;
struct call;
struct state;

namespace detail {

// How much of a device's memory its contexts have allocated, variables of modules included.
[[nodiscard]] std::uint64_t used_bytes(state const& all, int device);

// Moves the only entry to the context's allocations. Cannot fail.
void enter_allocation(call& in, std::map<CUdeviceptr, allocation>& entry, CUdeviceptr address) noexcept;

// Allocates memory for a node of a graph that is being created or captured.
[[nodiscard]] CUresult allocate_for_graph(call& in, CUdeviceptr* address, std::size_t bytes);

} // namespace detail

CUresult mem_get_info(std::size_t* free, std::size_t* total);

// Memory is zeroed, aligned to 512 bytes, and accessible to the byte: a kernel that goes beyond the
// end fails.
CUresult mem_alloc(CUdeviceptr* address, std::size_t bytes);

CUresult mem_alloc_pitch(CUdeviceptr* address, std::size_t* pitch, std::size_t width, std::size_t height,
                         unsigned element);

CUresult mem_free(CUdeviceptr address);

// Ordinary host memory that kernels reach too; there is nothing to migrate.
CUresult mem_alloc_managed(CUdeviceptr* address, std::size_t bytes, unsigned flags);

CUresult mem_host_alloc(void** address, std::size_t bytes, unsigned flags);

CUresult mem_alloc_host(void** address, std::size_t bytes);

CUresult mem_free_host(void* address);

CUresult mem_host_get_device_pointer(CUdeviceptr* device, void* host, unsigned flags);

CUresult mem_get_address_range(CUdeviceptr* base, std::size_t* bytes, CUdeviceptr address);

namespace detail {

// As mem_alloc_async(), from the pool of that number.
[[nodiscard]] CUresult allocate_async(call& in, CUdeviceptr* address, std::size_t bytes, CUstream stream, int pool);

} // namespace detail

// Allocates from the device's current pool. The stream's earlier work has run by then.
CUresult mem_alloc_async(CUdeviceptr* address, std::size_t bytes, CUstream stream);

CUresult mem_free_async(CUdeviceptr address, CUstream stream);

// Looks in the current context first, then in the others, because two contexts may have equal
// addresses. The attribute decides the type of the value, as in the real driver.
CUresult pointer_get_attribute(void* value, CUpointer_attribute attribute, CUdeviceptr address);

} // namespace sim::driver
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_DRIVER_MEMORY_HPP
