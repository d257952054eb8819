// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One call: the bottleneck of a function's kernels.
#ifndef GPUPROF_EXPLAIN_MEASURE_BOTTLENECK_HPP
#define GPUPROF_EXPLAIN_MEASURE_BOTTLENECK_HPP

#include <utility>
#include <vector>

#include "../core/result.hpp"
#include "../hw/machine/device.hpp"
#include "../measure/experiment.hpp"
#include "bottleneck.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace explain {

// Runs `work` in as many passes as the simplified experiments need, as one range, and says what bound it. A device that has
// none of the metrics, such as one of event hardware, gets the answer cannot_be_said with all of them named.
// Errors: why it could not be measured (permission, busy, ...). What `work` throws passes through.
// @pre `work` does the same every time. Cost: 9 passes on an H200; see try_bottleneck_metrics for the first call.
template <class Work>
[[nodiscard]] result<bottleneck> try_bottleneck([[maybe_unused]] device const& gpu, Work&& work) {
#if !GPUPROF_ENABLED
    work();
    return detail::of_nothing();
#else
    auto metrics = try_bottleneck_metrics(gpu);
    if (!metrics) {
        if (metrics.error().code != errc::unknown_metric && metrics.error().code != errc::unavailable)
            return std::move(metrics).error();
        bottleneck none;
        none.source = gpu.source();
        none.missing = bottleneck_metric_names();
        none.why = metrics.error().message();
        return none;
    }
    auto made = experiment::try_create(gpu);
    if (!made) return std::move(made).error();
    static_cast<void>(made->enable(*metrics));
    if (auto const ran = made->run(work); !ran) return made->refusal() ? *made->refusal() : ran.as_error();
    auto const whole = made->try_object();
    if (!whole) return whole.error();
    return find_bottleneck(*whole);
#endif
}

#if GPUPROF_EXCEPTIONS
// try_bottleneck(), throwing.
template <class Work>
[[nodiscard]] bottleneck measure_bottleneck(device const& gpu, Work&& work) {
    return try_bottleneck(gpu, static_cast<Work&&>(work)).value();
}
#endif

} // namespace explain
GPUPROF_NAMESPACE_END

#endif // GPUPROF_EXPLAIN_MEASURE_BOTTLENECK_HPP
