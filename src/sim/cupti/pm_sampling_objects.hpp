// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The PM sampling sessions behind CUPTI's handles, and the samples they take of simulated time.
#ifndef GPUPROF_SRC_SIM_CUPTI_PM_SAMPLING_OBJECTS_HPP
#define GPUPROF_SRC_SIM_CUPTI_PM_SAMPLING_OBJECTS_HPP

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include <gpuprof/detail/config.hpp>
#include <gpuprof/hw/abi/cupti.hpp>
#include "../counters/metric_table.hpp"
#include "config_image.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {
struct chip_model;
}

namespace sim::cupti {
using namespace abi;

// Bytes that a sample takes in the hardware's buffer. Modelled: an H200 had room for 63,000 samples
// of four metrics in 512 MiB, and none for 126,000.
inline constexpr std::size_t pm_sample_bytes = 8192;

// A sample of simulated time.
struct pm_sample {
    double begin;
    double end;
};

// One session of a device. Samples are taken from start to stop, each as long as the interval but
// for the first, which holds what was before (as on an H200), and the last, which the stop cuts.
struct pm_sampling_object {
    int device = 0;
    chip_model const* model = nullptr;
    std::optional<configuration> config{}; // none: not configured
    double interval = 0;                   // in nanoseconds
    std::size_t buffer_bytes = 0;
    bool keeps_latest = false;
    bool started = false;
    double edge = 0;                // where the next sample begins
    double stopped = 0;             // when sampling ended the last time
    bool leads = false;             // the next sample is the first after a start
    double begun = 0;               // when sampling started the last time
    std::vector<row_number> rows{}; // of the image last sized
    std::uint32_t room = 0;

    void start();
    void stop();
    // The end of the time that samples are taken of.
    [[nodiscard]] double until() const noexcept;
    // Samples that the buffer would have to hold.
    [[nodiscard]] double waiting() const noexcept;
    [[nodiscard]] bool overflows() const noexcept;
    // The next sample, if there is one.
    [[nodiscard]] std::optional<pm_sample> next();
    // Drops the samples that wait, as an overflow does.
    void lose_waiting() noexcept;

private:
    [[nodiscard]] pm_sample take(double end) noexcept;
};

// All PM sampling sessions of the process, at most one for each device. Guarded by the registry's
// lock.
class pm_sampling_objects {
public:
    [[nodiscard]] CUpti_PmSampling_Object* add(int device, chip_model const& model);
    // Null for what is no living session.
    [[nodiscard]] pm_sampling_object* find(CUpti_PmSampling_Object const* handle) noexcept;
    [[nodiscard]] bool has(int device) const noexcept;
    void remove(pm_sampling_object const* object);
    void clear();

private:
    std::vector<std::unique_ptr<pm_sampling_object>> objects_;
};

} // namespace sim::cupti
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_CUPTI_PM_SAMPLING_OBJECTS_HPP
