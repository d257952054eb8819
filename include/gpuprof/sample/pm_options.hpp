// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Options of a pm_sampler.
#ifndef GPUPROF_SAMPLE_PM_OPTIONS_HPP
#define GPUPROF_SAMPLE_PM_OPTIONS_HPP

#include <cstddef>
#include <cstdint>

#include "../detail/config.hpp"
#include "sampling_interval.hpp"

GPUPROF_NAMESPACE_BEGIN

// Options of PM sampling. Memory: the buffer is the driver's; the image takes 14 KB a sample of
// four metrics on an H200, for the samples between two calls of try_visit() or try_take(); a taken
// sample takes 16 bytes, and 8 for each metric.
struct pm_options {
    sampling_interval interval{};
    std::size_t buffer_bytes = std::size_t{512} << 20; // of the hardware: 126,000 samples of four metrics were too many
    std::uint32_t image_samples = 20'000;              // decoded at a time; more are lost and counted
    std::size_t max_samples = 1'000'000;               // that try_take() returns; more are counted
    bool keep_latest = false;                          // a full buffer loses its oldest samples instead of all
    bool several_passes = false;                       // metrics may take several passes, each with samples of its own
};

GPUPROF_NAMESPACE_END

#endif // GPUPROF_SAMPLE_PM_OPTIONS_HPP
