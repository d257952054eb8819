// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A scope of the program in a trace.
#ifndef GPUPROF_TRACE_TRACED_SCOPE_HPP
#define GPUPROF_TRACE_TRACED_SCOPE_HPP

#include <cstdint>
#include <string_view>

#include "../detail/config.hpp"
#include "../hw/activity/timestamp.hpp"

GPUPROF_NAMESPACE_BEGIN

// One scope that was opened on a tracer and has ended. Scopes of one name in the same scope around them share their number,
// which is also the id of the external correlation records that tie calls, and so kernels and copies, to them.
struct traced_scope {
    std::uint64_t number = 0;  // from 1 on
    std::uint64_t parent = 0;  // the number of the scope around it; 0: none
    std::string_view name{};   // valid as long as the tracer
    activity::interval time{}; // on the host, in the time of the activity records
    std::uint32_t thread = 0;  // as in api_call records
};

GPUPROF_NAMESPACE_END

#endif // GPUPROF_TRACE_TRACED_SCOPE_HPP
