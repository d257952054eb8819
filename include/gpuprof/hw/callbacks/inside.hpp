// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whether this thread is inside a callback of CUPTI: see callback_place.hpp, which lies where devices are opened. Layer: hw.
#ifndef GPUPROF_HW_CALLBACKS_INSIDE_HPP
#define GPUPROF_HW_CALLBACKS_INSIDE_HPP

#include "../machine/callback_place.hpp"

#endif // GPUPROF_HW_CALLBACKS_INSIDE_HPP
