// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One call: what the lines of a function's kernels count, and where its warps stall.
#ifndef GPUPROF_EXPLAIN_MEASURE_LINES_HPP
#define GPUPROF_EXPLAIN_MEASURE_LINES_HPP

#include <string>
#include <utility>
#include <vector>

#include "../core/result.hpp"
#include "../hw/machine/device.hpp"
#include "../hw/samplers/module_code.hpp"
#include "../hw/samplers/pc_sampling_options.hpp"
#include "../hw/samplers/sass_counter.hpp"
#include "../sample/pc_sampler.hpp"
#include "source_view.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace explain {

// Options of try_measure_lines().
struct measure_lines_options {
    bool with_samples = true; // of warps; costs a run of the work
    bool with_counts = true;  // of instructions; costs a run of the work, which is slower
    pc_sampling_options sampling{};
    source_view_options view{};
};

// The metrics of source_metrics that the device can count, always the same ones in the same order: CUPTI configures a GPU
// once in a process. Errors: those of sass_counter::try_list.
[[nodiscard]] inline result<std::vector<std::string>> try_source_metrics([[maybe_unused]] device const& gpu) {
    std::vector<std::string> names;
#if GPUPROF_ENABLED
    auto const listed = sass_counter::try_list(gpu);
    if (!listed) return listed.error();
    for (source_metric const& each : source_metrics)
        for (sass_metric const& known : *listed)
            if (known.name == each.name) names.push_back(known.name);
#endif
    return names;
}

// Runs `work` once under pc_sampler and once under sass_counter, and joins what they say by the lines in `code`. What one of
// them cannot do (CUPTI 13.0 counts no instructions, capability below 7.5) is in the view with its reason.
//
//     auto const code = gpuprof::module_code::try_watch(gpu).value(); // before the program's first kernel
//     auto const lines = gpuprof::explain::try_measure_lines(gpu, code, [&] { launch(); }).value();
//     auto why = gpuprof::explain::measure(gpu, gpuprof::explain::set::basic, [&] { launch(); });
//     why.locate(lines);
//
// Measure lines before anything else: on a GPU, CUPTI 13.0 has no samples of a kernel that ran under a profiler before.
// Errors: that of counting, if neither works; what the sampler or the counter says after `work`. What `work` throws passes
// through. Cost: `work` twice; counting patches each kernel at its first launch (about 1.4 ms on an H200) and makes it 10 to
// 50 times slower.
template <class Work>
[[nodiscard]] result<source_view> try_measure_lines([[maybe_unused]] device const& gpu,
                                                    [[maybe_unused]] module_code const& code, Work&& work,
                                                    [[maybe_unused]] measure_lines_options const& options = {}) {
#if !GPUPROF_ENABLED
    work();
    return source_view{};
#else
    error const not_asked{errc::not_collected, 0, "lines of kernels", "it was not asked for",
                          "choose it in measure_lines_options"};
    result<pc_samples> samples{not_asked};
    if (options.with_samples) {
        auto sampler = pc_sampler::try_open(gpu, options.sampling);
        if (sampler) {
            work();
            samples = sampler->try_finish();
        } else {
            samples = std::move(sampler).error();
        }
    }
    result<sass_counts> counts{not_asked};
    if (options.with_counts) {
        auto metrics = try_source_metrics(gpu);
        auto counter = metrics ? sass_counter::try_open(gpu, *std::move(metrics))
                               : result<sass_counter>{std::move(metrics).error()};
        if (counter) {
            work();
            counts = counter->try_finish();
        } else {
            counts = std::move(counter).error();
        }
    }
    if (!counts && !samples) return options.with_counts ? counts.error() : samples.error();
    return view_source(counts, samples, code, options.view);
#endif
}

// The same with code that is loaded from now on: `work` loads its kernels, and does so each time or is the program's first to
// run them. Else use the function above.
template <class Work>
[[nodiscard]] result<source_view> try_measure_lines(device const& gpu, Work&& work,
                                                    measure_lines_options const& options = {}) {
    auto const code = module_code::try_watch(gpu);
    if (!code) return code.error();
    return try_measure_lines(gpu, *code, static_cast<Work&&>(work), options);
}

#if GPUPROF_EXCEPTIONS
// try_measure_lines(), throwing.
template <class Work>
[[nodiscard]] source_view measure_lines(device const& gpu, module_code const& code, Work&& work,
                                        measure_lines_options const& options = {}) {
    return try_measure_lines(gpu, code, static_cast<Work&&>(work), options).value();
}
template <class Work>
[[nodiscard]] source_view measure_lines(device const& gpu, Work&& work, measure_lines_options const& options = {}) {
    return try_measure_lines(gpu, static_cast<Work&&>(work), options).value();
}
#endif

} // namespace explain
GPUPROF_NAMESPACE_END

#endif // GPUPROF_EXPLAIN_MEASURE_LINES_HPP
