// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One visitor of several functions, one for each type.
#ifndef GPUPROF_TRACE_OVERLOADED_HPP
#define GPUPROF_TRACE_OVERLOADED_HPP

#include "../detail/config.hpp"

GPUPROF_NAMESPACE_BEGIN

// batch.visit(overloaded{[](activity::kernel const& k) { … }, [](activity::memcpy const& m) { … }});
template <class... F>
struct overloaded : F... {
    using F::operator()...;
};
template <class... F>
overloaded(F...) -> overloaded<F...>;

GPUPROF_NAMESPACE_END

#endif // GPUPROF_TRACE_OVERLOADED_HPP
