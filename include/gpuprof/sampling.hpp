// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Counters without replay: samples of a device, scopes that have their share of them, where warps stall, and what each
// instruction counts; with what writes them out. Opt-in; a list, nothing else. With GPUPROF_ENABLED=0
// the same names do nothing.
#ifndef GPUPROF_SAMPLING_HPP
#define GPUPROF_SAMPLING_HPP

#include "detail/config.hpp"

// in every build
#include "core/result.hpp"
#include "hw/abi/driver.hpp"
#include "hw/samplers/pc_samples.hpp"
#include "hw/samplers/pc_sampling_options.hpp"
#include "hw/samplers/sass_counts.hpp"
#include "hw/samplers/stall_mapping.hpp"
#include "measure/scope.hpp"
#include "metric/metric.hpp"
#include "sample/pc_scope_report.hpp"
#include "sample/pm_options.hpp"
#include "sample/sampled_options.hpp"
#include "sample/sampling_losses.hpp"

// samples of a device
#include "hw/machine/device.hpp"
#include "measure/scope.hpp"
#include "sample/context_trace.hpp"
#include "sample/pm_sampler.hpp"
#include "sample/sampled_profiler.hpp"

// several passes on one time line
#include "sample/pm_passes.hpp"

// samples of instructions, their source lines and their text
#include "hw/samplers/code_text.hpp"
#include "hw/samplers/module_code.hpp"
#include "hw/samplers/opcode_counts.hpp"
#include "io/cupti_samples.hpp"
#include "io/pc_samples_json.hpp"
#include "io/annotated_source.hpp"
#include "io/stall_table.hpp"
#include "sample/pc_sampler.hpp"
#include "sample/pc_scopes.hpp"
#include "sample/source_table.hpp"

// counts of instructions
#include "hw/samplers/sass_counter.hpp"
#include "hw/samplers/sass_counts.hpp"
#include "io/sass_table.hpp"
#include "sample/instruction_values.hpp"

#if !GPUPROF_HEADER_ONLY
GPUPROF_NAMESPACE_BEGIN
namespace detail {
GPUPROF_COMPILED_ELSEWHERE(
    define_GPUPROF_IMPLEMENTATION_in_one_file_that_includes_gpuprof_sampling_hpp_or_link_gpuprof_compiled);
} // namespace detail
GPUPROF_NAMESPACE_END
#endif

#endif // GPUPROF_SAMPLING_HPP

#if GPUPROF_ENABLED && (GPUPROF_HEADER_ONLY || defined(GPUPROF_IMPLEMENTATION))
#include "gpuprof.inl.hpp"
#include "sampling.inl.hpp"
#include "pc_sampling.inl.hpp"
#endif
