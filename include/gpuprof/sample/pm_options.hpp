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

    // Which share of the samples is lost while samples are read and more are taken: CUPTI keeps the one that is being taken in
    // the image in part, and when three quarters are full the image is emptied, and that one is gone and counted. 1 in 1,536 with
    // 2,048 or more image_samples. Reading once after the stop loses none.
    [[nodiscard]] constexpr double lost_while_running() const noexcept {
        std::uint32_t const room = image_samples < running_room ? image_samples : running_room;
        return 1.0 / (room - room / 4);
    }
    // How many samples the image of a running sampler has room for at least, if image_samples allows it: 28 MB on an H200.
    static constexpr std::uint32_t running_room = 2048;
};

GPUPROF_NAMESPACE_END

#endif // GPUPROF_SAMPLE_PM_OPTIONS_HPP
