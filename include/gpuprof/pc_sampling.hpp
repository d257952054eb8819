// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where warps stall: samples of instructions, their source lines, and what writes them out. Opt-in; a list, nothing else.
#ifndef GPUPROF_PC_SAMPLING_HPP
#define GPUPROF_PC_SAMPLING_HPP

#include "detail/config.hpp"

#if GPUPROF_ENABLED // else there is nothing to sample

#include "hw/pc/module_code.hpp"
#include "io/pc_samples_json.hpp"
#include "io/source_table.hpp"
#include "io/stall_table.hpp"
#include "sample/pc_sampler.hpp"
#include "sample/pc_scopes.hpp"
#include "sample/source_table.hpp"

#endif

#endif // GPUPROF_PC_SAMPLING_HPP
