// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The PM sampling sessions behind CUPTI's handles, and the samples they take of simulated time. Layer: hw/sim.
#ifndef GPUPROF_HW_SIM_CUPTI_PM_SAMPLING_OBJECTS_HPP
#define GPUPROF_HW_SIM_CUPTI_PM_SAMPLING_OBJECTS_HPP

#include <cmath>    // std::floor
#include <cstddef>  // std::size_t
#include <cstdint>  // times
#include <memory>   // sessions
#include <optional> // a configuration or none
#include <utility>  // std::move
#include <vector>   // sessions

#include "../../../detail/config.hpp"
#include "../../abi/cupti.hpp"
#include "../chip/chip_model.hpp"
#include "../counters/activity_log.hpp"
#include "../counters/host_clock.hpp"
#include "../counters/work_log.hpp"
#include "config_image.hpp"
#include "host_objects.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::cupti {

// What a sample takes in the hardware's buffer. Modelled: an H200 had room for 63,000 samples of four metrics in 512 MiB, and
// none for 126,000.
inline constexpr std::size_t pm_sample_bytes = 8192;

// A sample of simulated time.
struct pm_sample {
    double begin;
    double end;
};

// One session of a device. Samples are taken from start to stop, each as long as the interval but for the first, which holds
// what was before (as on an H200), and the last, which the stop cuts.
struct pm_sampling_object {
    int device = 0;
    chip_model const* model = nullptr;
    std::optional<configuration> config{}; // none: not configured
    double interval = 0;                   // in nanoseconds
    std::size_t buffer_bytes = 0;
    bool keeps_latest = false;
    bool started = false;
    double edge = 0;    // where the next sample begins
    double stopped = 0; // when sampling ended the last time
    bool leads = false; // the next sample is the first after a start
    double begun = 0;
    std::vector<row_number> rows{}; // of the image last sized
    std::uint32_t room = 0;

    void start() {
        begun = static_cast<double>(host_clock::now());
        if (!(edge < begun)) edge = begun - 1;
        leads = started = true;
    }
    void stop() {
        stopped = static_cast<double>(host_clock::now());
        started = false;
    }
    [[nodiscard]] double until() const noexcept { return started ? static_cast<double>(host_clock::now()) : stopped; }
    // Samples that the buffer would have to hold.
    [[nodiscard]] double waiting() const noexcept {
        double const from = leads ? begun : edge;
        return until() > from ? (until() - from) / interval : 0;
    }
    [[nodiscard]] bool overflows() const noexcept {
        return waiting() * static_cast<double>(pm_sample_bytes) > static_cast<double>(buffer_bytes);
    }
    // The next sample, if there is one.
    [[nodiscard]] std::optional<pm_sample> next() {
        if (leads) {
            leads = false;
            return take(begun);
        }
        double const end = edge + interval;
        if (end <= until()) return take(end);
        if (!started && edge < stopped) return take(stopped);
        return {};
    }
    // Loses what waits, as an overflow does.
    void lose_waiting() noexcept {
        leads = false;
        edge = until();
    }

private:
    [[nodiscard]] pm_sample take(double end) noexcept {
        pm_sample const one{edge, end};
        edge = end;
        return one;
    }
};

// The sessions there are, one a device at most. Guarded by the registry's lock.
class pm_sampling_objects {
public:
    [[nodiscard]] static pm_sampling_objects& instance() {
        static auto* const all = new pm_sampling_objects; // outlives every static that may still call
        return *all;
    }

    [[nodiscard]] CUpti_PmSampling_Object* add(int device, chip_model const& model) {
        auto made = std::make_unique<pm_sampling_object>();
        made->device = device;
        made->model = &model;
        made->edge = static_cast<double>(host_clock::now());
        objects_.push_back(std::move(made));
        work_log::instance().begin(device);
        return reinterpret_cast<CUpti_PmSampling_Object*>(objects_.back().get());
    }
    // Null for what is no living session.
    [[nodiscard]] pm_sampling_object* find(CUpti_PmSampling_Object const* handle) noexcept {
        for (auto const& each : objects_)
            if (reinterpret_cast<CUpti_PmSampling_Object const*>(each.get()) == handle) return each.get();
        return nullptr;
    }
    [[nodiscard]] bool has(int device) const noexcept {
        for (auto const& each : objects_)
            if (each->device == device) return true;
        return false;
    }
    void remove(pm_sampling_object const* object) {
        work_log::instance().end(object->device);
        std::erase_if(objects_, [&](auto const& each) { return each.get() == object; });
    }
    void clear() {
        while (!objects_.empty()) remove(objects_.back().get());
    }

private:
    pm_sampling_objects() = default;

    std::vector<std::unique_ptr<pm_sampling_object>> objects_;
};

} // namespace sim::cupti
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_SIM_CUPTI_PM_SAMPLING_OBJECTS_HPP
