// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What ran: tracers, activity records, callbacks. Opt-in; a list, nothing else. Writers are in io/, each a header of its own.
#ifndef GPUPROF_TRACE_HPP
#define GPUPROF_TRACE_HPP

#include "detail/config.hpp"

#if GPUPROF_ENABLED // else there is nothing to trace

#include "hw/machine/device.hpp"
#include "trace/callbacks.hpp"
#include "trace/function_families.hpp"
#include "trace/function_names.hpp"
#include "trace/overloaded.hpp"
#include "trace/tracer.hpp"

#endif

#endif // GPUPROF_TRACE_HPP
