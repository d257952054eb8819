// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Includes callback_place.hpp, which says whether this thread is inside a callback of CUPTI.
#ifndef GPUPROF_HW_CALLBACKS_INSIDE_HPP
#define GPUPROF_HW_CALLBACKS_INSIDE_HPP

#include "../machine/callback_place.hpp"

#endif // GPUPROF_HW_CALLBACKS_INSIDE_HPP
