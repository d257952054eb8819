// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The compiled library: what is cold in gpuprof.hpp, made once. See GPUPROF_HEADER_ONLY in detail/config.hpp.
#if !defined(GPUPROF_HEADER_ONLY) || GPUPROF_HEADER_ONLY
#error "the compiled library is made, and used, with GPUPROF_HEADER_ONLY=0: link the target gpuprof::compiled"
#endif

#include <gpuprof/detail/config.hpp>

#if GPUPROF_ENABLED // else nothing is left to compile

#include <gpuprof/experiments.hpp>
#include <gpuprof/gpuprof.hpp>
#include <gpuprof/judge.hpp>
#include <gpuprof/replay.hpp>
#include <gpuprof/sampling.hpp>
#include <gpuprof/pc_sampling.hpp>
#include <gpuprof/sass_metrics.hpp>
#include <gpuprof/trace.hpp>

#include <gpuprof/core/error.inl.hpp>
#include <gpuprof/core/json_value.inl.hpp>
#include <gpuprof/explain/bottleneck.inl.hpp>
#include <gpuprof/hw/built_in/policies.inl.hpp>
#include <gpuprof/hw/cache_flusher.inl.hpp>
#include <gpuprof/hw/callbacks/subscription.inl.hpp>
#include <gpuprof/hw/doctor/doctor.inl.hpp>
#include <gpuprof/hw/launches/launch_watch.inl.hpp>
#include <gpuprof/hw/machine/device.inl.hpp>
#include <gpuprof/hw/machine/machine.inl.hpp>
#include <gpuprof/hw/pc/module_code.inl.hpp>
#include <gpuprof/hw/pc/pc_samples.inl.hpp>
#include <gpuprof/hw/pc/pc_session.inl.hpp>
#include <gpuprof/hw/provided/provided.inl.hpp>
#include <gpuprof/hw/replay/open.inl.hpp>
#include <gpuprof/hw/replay/recording_file.inl.hpp>
#include <gpuprof/hw/sass/sass_counter.inl.hpp>
#include <gpuprof/hw/sass/sass_counts.inl.hpp>
#include <gpuprof/io/activity_table.inl.hpp>
#include <gpuprof/io/bottleneck_table.inl.hpp>
#include <gpuprof/io/csv.inl.hpp>
#include <gpuprof/io/json.inl.hpp>
#include <gpuprof/io/pc_samples_json.inl.hpp>
#include <gpuprof/io/sass_table.inl.hpp>
#include <gpuprof/io/source_table.inl.hpp>
#include <gpuprof/io/stall_table.inl.hpp>
#include <gpuprof/io/table.inl.hpp>
#include <gpuprof/io/trace_event.inl.hpp>
#include <gpuprof/io/trace_records.inl.hpp>
#include <gpuprof/judge/baseline.inl.hpp>
#include <gpuprof/judge/comparison.inl.hpp>
#include <gpuprof/judge/evidence.inl.hpp>
#include <gpuprof/judge/expectations.inl.hpp>
#include <gpuprof/judge/outcome.inl.hpp>
#include <gpuprof/judge/traced_work.inl.hpp>
#include <gpuprof/measure/basic_profiler.inl.hpp>
#include <gpuprof/measure/recording.inl.hpp>
#include <gpuprof/measure/basic_experiment.inl.hpp>
#include <gpuprof/measure/basic_profiler.inl.hpp>
#include <gpuprof/measure/experiment_status.inl.hpp>
#include <gpuprof/measure/report.inl.hpp>
#include <gpuprof/metric/info.inl.hpp>
#include <gpuprof/sample/sampling_session.inl.hpp>
#include <gpuprof/sample/source_table.inl.hpp>
#include <gpuprof/trace/call_parameters.inl.hpp>
#include <gpuprof/trace/trace_session.inl.hpp>

GPUPROF_NAMESPACE_BEGIN

template class basic_experiment<hw::any_hardware>;
template class basic_profiler<hw::any_hardware>;

GPUPROF_NAMESPACE_END

#endif
