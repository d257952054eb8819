// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definitions of sampling.hpp, and of explain_lines.hpp, too: samples and counts of instructions. Compiled once in a program:
// see GPUPROF_HEADER_ONLY.
#ifndef GPUPROF_PC_SAMPLING_INL_HPP
#define GPUPROF_PC_SAMPLING_INL_HPP

#include "hw/samplers/code_text.inl.hpp"
#include "hw/samplers/module_code.inl.hpp"
#include "hw/samplers/pc_samples.inl.hpp"
#include "hw/samplers/pc_session.inl.hpp"
#include "hw/samplers/sass_counter.inl.hpp"
#include "hw/samplers/sass_counts.inl.hpp"
#include "io/cupti_samples.inl.hpp"
#include "io/pc_samples_json.inl.hpp"
#include "io/sass_table.inl.hpp"
#include "io/annotated_source.inl.hpp"
#include "io/stall_table.inl.hpp"
#include "sample/instruction_values.inl.hpp"
#include "sample/source_table.inl.hpp"

#endif // GPUPROF_PC_SAMPLING_INL_HPP
