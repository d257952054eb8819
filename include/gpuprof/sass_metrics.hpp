// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What each instruction of kernels counts, and the source lines of it. Opt-in; a list, nothing else.
#ifndef GPUPROF_SASS_METRICS_HPP
#define GPUPROF_SASS_METRICS_HPP

#include "detail/config.hpp"

#if GPUPROF_ENABLED // else there is nothing to count

#include "hw/pc/module_code.hpp"
#include "hw/sass/sass_counter.hpp"
#include "hw/sass/sass_counts.hpp"
#include "io/sass_table.hpp"

#endif

#endif // GPUPROF_SASS_METRICS_HPP
