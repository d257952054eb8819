// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Devices side by side: whose memory an address is, access of kernels to each other's memory, copies between devices.
#ifndef GPUPROF_SRC_SIM_DRIVER_PEER_HPP
#define GPUPROF_SRC_SIM_DRIVER_PEER_HPP

#include <cstddef>
#include <cstdint>

#include <gpuprof/hw/abi/driver_types.hpp>
#include <gpuprof/hw/abi/results.hpp>

#include "operation.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::driver {

struct call;
struct context_state;
struct state;

// Lets the context and those of other devices know of each other's memory, as from its creation to its end.
void connect_context(state& all, context_state& context);
void disconnect_context(state& all, context_state& context) noexcept;

// The context whose memory a place is in: the one that it names, or one of another device if the address is that device's.
// Else the current one. Null if what it names is gone.
[[nodiscard]] context_state* context_of(call const& in, place_of_rows const& place);

// Whether a copy between two devices goes through the host's memory, one way after the other: neither may access the other.
[[nodiscard]] bool goes_by_host(context_state const& to, context_state const& from) noexcept;

// Goes on in the context that allocated an address, if that is one of another device: an application frees memory wherever it is.
void enter_owner(call& in, CUdeviceptr address);

// The same with a stream: what is no launch may be asked of, or given to, a stream of another device than the current one.
void enter_stream(call& in, CUstream handle);

// Kernels of other devices may have written to memory that they have access to: checks take it as written.
void trust_peers(call& in);

CUresult device_can_access_peer(int* can, CUdevice device, CUdevice peer);

// From the current context to the memory of another, and in that direction alone, as with CUDA.
CUresult ctx_enable_peer_access(CUcontext peer, unsigned flags);
CUresult ctx_disable_peer_access(CUcontext peer);

// The first one begins after all earlier work of the three contexts, and later work of theirs begins after it.
CUresult memcpy_peer(CUdeviceptr to, CUcontext to_context, CUdeviceptr from, CUcontext from_context, std::size_t bytes);
CUresult memcpy_peer_async(CUdeviceptr to, CUcontext to_context, CUdeviceptr from, CUcontext from_context,
                           std::size_t bytes, CUstream stream);

} // namespace sim::driver
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_DRIVER_PEER_HPP
