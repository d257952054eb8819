// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What can be called with events of callbacks.
#ifndef GPUPROF_TRACE_CALLBACK_HANDLER_HPP
#define GPUPROF_TRACE_CALLBACK_HANDLER_HPP

#include <concepts>

#include "../detail/config.hpp"
#include "api_call_event.hpp"
#include "nvtx_event.hpp"
#include "resource_event.hpp"
#include "state_event.hpp"
#include "synchronize_event.hpp"

GPUPROF_NAMESPACE_BEGIN

// A function that can be called with one kind of event at least: api_call_event const& (domains driver and runtime),
// resource_event const&, synchronize_event const&, nvtx_event const&, state_event const&.
template <class F>
concept callback_handler = std::invocable<F&, api_call_event const&> || std::invocable<F&, resource_event const&> ||
    std::invocable<F&, synchronize_event const&> || std::invocable<F&, nvtx_event const&> ||
    std::invocable<F&, state_event const&>;

GPUPROF_NAMESPACE_END

#endif // GPUPROF_TRACE_CALLBACK_HANDLER_HPP
