// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kinds of ids that a program can give its calls.
#ifndef GPUPROF_TRACE_EXTERNAL_KIND_HPP
#define GPUPROF_TRACE_EXTERNAL_KIND_HPP

#include "../hw/abi/cupti_activity.hpp"

GPUPROF_NAMESPACE_BEGIN

// Whose an id is. CUPTI keeps a stack of each for every thread (CUPTI 12.0, 2.3.6). `openacc` are those that CUPTI gives
// what an OpenACC runtime does. Scopes of a tracer have one for themselves, custom2 unless tracer_options::scope_kind says
// another.
enum class external_kind : unsigned {
    unknown = abi::CUPTI_EXTERNAL_CORRELATION_KIND_UNKNOWN,
    openacc = abi::CUPTI_EXTERNAL_CORRELATION_KIND_OPENACC,
    custom0 = abi::CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM0,
    custom1 = abi::CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM1,
    custom2 = abi::CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM2
};

GPUPROF_NAMESPACE_END

#endif // GPUPROF_TRACE_EXTERNAL_KIND_HPP
