// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The policies that every program has, by name. Layer: hw. Others register themselves (gpuprof/events.hpp).
#ifndef GPUPROF_HW_BUILT_IN_POLICIES_HPP
#define GPUPROF_HW_BUILT_IN_POLICIES_HPP

#include "../any_hardware.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace hw {

struct range_hardware;

// A name each; asked in this order, after what is registered. Their headers are listed in policies.inl.hpp.
using any_hardware = basic_any_hardware<range_hardware>;

} // namespace hw
GPUPROF_NAMESPACE_END

#if GPUPROF_HEADER_ONLY
#include "policies.inl.hpp"
#endif

#endif // GPUPROF_HW_BUILT_IN_POLICIES_HPP
