// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// No name of gpuprof is also one of a system header that gpuprof includes: after `using namespace gpuprof;` each of them is
// plain. (<cxxabi.h>, for example, declares a namespace abi.)
#include <gpuprof/bottleneck.hpp>
#include <gpuprof/frames.hpp>
#include <gpuprof/gpuprof.hpp>
#include <gpuprof/judge.hpp>
#include <gpuprof/legacy.hpp>
#include <gpuprof/call_replay.hpp>
#include <gpuprof/replay.hpp>
#include <gpuprof/sampling.hpp>
#include <gpuprof/sim.hpp>
#include <gpuprof/trace.hpp>

using namespace gpuprof;

namespace {
namespace names {
using abi::CUmodule;
using activity::kernel;
using explain::bottleneck;
using hw::machine;
using io::table;
using judge::evidence;
using metrics::inst_executed;
using platform::this_thread;
using sim::open_embedded;
} // namespace names
} // namespace

template <class... Types>
constexpr bool are_types = sizeof...(Types) > 0;
static_assert(are_types<abi::CUmodule, bytes, completeness, compute_capability, device, device_source, errc, error,
                        event_sampler, experiment, fidelity, frame_sampler, instructions, metric_info, nanoseconds,
                        observation, outcome, pass, percent, pm_sampler, profiler, profiler_options, quantity<one>,
                        range_view, ratio, report, requests, result<int>, sampled_profiler, sass_counter, scope,
                        sectors, timeline, tracer_options, unit, verdict, warps>);

int main() {}
