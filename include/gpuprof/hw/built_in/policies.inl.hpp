// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The headers of the policies that policies.hpp names. Layer: hw.
#ifndef GPUPROF_HW_BUILT_IN_POLICIES_INL_HPP
#define GPUPROF_HW_BUILT_IN_POLICIES_INL_HPP

#include "../any_hardware.inl.hpp"
#include "../range/range_hardware.hpp"
#include "policies.hpp"

#endif // GPUPROF_HW_BUILT_IN_POLICIES_INL_HPP
