// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Driver calls about contexts: contexts that the application creates, the current one of each
// thread, limits.
#ifndef GPUPROF_SRC_SIM_DRIVER_CONTEXT_HPP
#define GPUPROF_SRC_SIM_DRIVER_CONTEXT_HPP

#include <cstddef>

#include <gpuprof/hw/abi/driver_types.hpp>
#include <gpuprof/hw/abi/results.hpp>

GPUPROF_NAMESPACE_BEGIN
namespace sim::driver {

struct call;
struct context_state;
struct state;

namespace detail {

inline constexpr unsigned context_flags = 0xff; // all of CUctx_flags

[[nodiscard]] abi::CUcontext make_context(call& in, abi::CUdevice device, unsigned flags);

// When the last work that was given to the context ends, in the host clock's nanoseconds.
[[nodiscard]] double latest_work(state const& all, context_state const& context);

// Waits for the context's work, then destroys the context and everything in it. Does nothing if
// there is no such context.
void destroy_context(state& all, abi::CUcontext gone);

} // namespace detail

// The new context becomes current.
abi::CUresult ctx_create(abi::CUcontext* context, unsigned flags, abi::CUdevice device);

// Not for a primary context. In other threads the context stays current; there every later call
// returns an error.
abi::CUresult ctx_destroy(abi::CUcontext context);

abi::CUresult ctx_push_current(abi::CUcontext context);
abi::CUresult ctx_pop_current(abi::CUcontext* context);
abi::CUresult ctx_set_current(abi::CUcontext context);
abi::CUresult ctx_get_current(abi::CUcontext* context);
abi::CUresult ctx_get_device(abi::CUdevice* device);
abi::CUresult ctx_synchronize();

// @param context null: the current one
abi::CUresult ctx_get_api_version(abi::CUcontext context, unsigned* version);

// The id is the context's handle, which no later context has. @param context null: the current one
abi::CUresult ctx_get_id(abi::CUcontext context, unsigned long long* id);

// A stack of more than 256 KiB a thread needs a higher limit. The size of the heap is fixed when a
// kernel first uses it. The other limits are stored and have no effect.
abi::CUresult ctx_get_limit(std::size_t* value, abi::CUlimit limit);
abi::CUresult ctx_set_limit(abi::CUlimit limit, std::size_t value);

inline constexpr int greatest_priority = -5; // 0 is the least; priorities have no effect

abi::CUresult ctx_get_stream_priority_range(int* least, int* greatest);

} // namespace sim::driver
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_DRIVER_CONTEXT_HPP
