// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads counters of frames from PM samples: capability 7.5 and later.
#ifndef GPUPROF_FRAMES_FRAME_PM_SOURCE_HPP
#define GPUPROF_FRAMES_FRAME_PM_SOURCE_HPP

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "../core/result.hpp"
#include "../hw/machine/device.hpp"
#include "../hw/samplers/pm_plan.hpp"
#include "../hw/samplers/pm_session.hpp"
#include "../metric/info.hpp"
#include "frame_sample_reader.hpp"
#include "frame_source.hpp"
#include "../sample/sample_decoding.hpp"
#include "../sample/sampled_metrics.hpp"
#include "../sample/device_interval.hpp"
#include "../sample/sampling_interval.hpp"
#include "../sample/sampling_losses.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace detail {

// Reads samples that the hardware takes by itself. Cycles are those of the multiprocessors, if a
// metric is no count and they fit the same pass. Another group is another session, which takes 0.1
// s on an H200: change groups only if the program has that time.
class frame_pm_source {
public:
    static constexpr bool timed = true;
    static constexpr bool cheap_to_select = false;
    // Of each of two images, of which three quarters are used: one sample in 375 is lost. Three times as many lose a third of
    // that, but reading them makes values come 20 frames late and frames cost twice as much (H100).
    static constexpr std::uint32_t image_samples = 500;

    // @param aside a thread decodes, and a read takes its samples; else a read decodes, which takes
    // 0.7 ms (H200)
    // Errors: those of pm_sampler.
    [[nodiscard]] static result<frame_pm_source> try_open(device const& gpu, std::span<metric_info const> metrics,
                                                          sampling_interval interval, bool aside,
                                                          std::size_t buffer_bytes) {
        auto names = names_in_samples(metrics);
        if (!names) return std::move(names).error();
        auto shared = gpu.try_share();
        if (!shared) return std::move(shared).error();
        auto planner = hw::pm_planner::try_open(gpu);
        if (!planner) return std::move(planner).error();
        auto plans = planner->try_plan(*names);
        if (!plans) return std::move(plans).error();
        frame_pm_source source{*std::move(shared), *std::move(plans), interval, aside, buffer_bytes};
        source.count_cycles(*planner, metrics);
        if (auto ready = source.try_begin(0); !ready) return std::move(ready).error();
        return result<frame_pm_source>{std::move(source)};
    }

    [[nodiscard]] std::span<frame_group const> groups() const noexcept { return groups_; }

    [[nodiscard]] result<void> try_select(std::size_t group) {
        if (group == selected_ && (session_ || reader_)) return {};
        return try_begin(group);
    }
    [[nodiscard]] result<frame_read> try_read(std::size_t most, frame_sink sink) {
        if (reader_) {
            auto const taken =
                reader_->try_take(most, [&](std::uint64_t begin, std::uint64_t end, std::span<double const> values) {
                    pass_on(sink, begin, end, values);
                });
            if (!taken) return taken.error();
            return frame_read{taken->samples, taken->lost, taken->samples == most};
        }
        return try_decode(sink);
    }

private:
    void pass_on(frame_sink const& sink, std::uint64_t begin, std::uint64_t end, std::span<double const> values) const {
        bool const cycles = cycles_[selected_];
        double const count = cycles ? values.back() : quiet_nan;
        sink({begin, end, count, cycles ? values.first(values.size() - 1) : values});
    }
    // Decodes nothing before a sample can be due: a call that finds none costs nearly as much.
    [[nodiscard]] result<frame_read> try_decode(frame_sink sink) {
        if (!session_) return error{errc::invalid_state, 0, "reading samples that are not taken", "", ""};
        std::uint64_t now = 0;
        auto const clock = gpu_->cupti().GetTimestamp;
        bool const has_time = clock != nullptr && clock(&now) == abi::CUPTI_SUCCESS;
        if (has_time && last_end_ != 0 && now < last_end_ + sequence_.expected()) return frame_read{};
        sampling_losses lost;
        std::size_t readings = 0;
        auto const decoded =
            try_decode_samples(*session_, decoding::a_call, sequence_, lost,
                               [&](std::uint64_t begin, std::uint64_t end, std::span<double const> values) {
                                   last_end_ = end;
                                   pass_on(sink, begin, end, values);
                                   ++readings;
                               });
        if (!decoded) return decoded.error();
        return frame_read{readings, lost.dropped + lost.overflows, decoded->more};
    }

    frame_pm_source(device gpu, std::vector<hw::pm_group> plans, sampling_interval interval, bool aside,
                    std::size_t buffer_bytes)
        : gpu_{std::move(gpu)},
          plans_{std::move(plans)},
          interval_{interval_on(*gpu_, interval)},
          aside_{aside},
          buffer_bytes_{buffer_bytes},
          sequence_{interval_} {
        for (hw::pm_group const& each : plans_) groups_.push_back(each.members);
        cycles_.resize(plans_.size());
    }

    // Adds the cycles to groups with a metric that is no count, if they remain one pass.
    void count_cycles(hw::pm_planner const& planner, std::span<metric_info const> metrics) {
        for (std::size_t at = 0; at < plans_.size(); ++at) {
            bool wanted = false;
            for (std::size_t const i : groups_[at]) wanted = wanted || metrics[i].aggregation != aggregation::sum;
            if (!wanted) continue;
            std::vector<std::string> names = plans_[at].metrics;
            names.emplace_back("sm__cycles_elapsed.max");
            auto wider = planner.try_plan(names);
            if (!wider || wider->size() != 1) continue;
            plans_[at] = std::move(wider->front());
            cycles_[at] = true;
        }
    }
    [[nodiscard]] result<void> try_begin(std::size_t group) {
        reader_.reset();
        session_.reset();
        auto opened = hw::pm_session::try_open(
            *gpu_, plans_[group],
            {interval_.length, interval_.by_cycles, buffer_bytes_, aside_ ? image_samples : 64u, false});
        if (!opened) return std::move(opened).error();
        session_.emplace(*std::move(opened));
        selected_ = group;
        sequence_ = sample_sequence{interval_};
        last_end_ = 0;
        if (!aside_) return session_->try_start();
        auto shared = gpu_->try_share();
        if (!shared) return std::move(shared).error();
        auto reader = std::make_unique<frame_sample_reader>(*std::move(shared), *std::move(session_), sequence_,
                                                            interval_.by_cycles ? 0 : interval_.length);
        session_.reset();
        if (auto started = reader->try_start(); !started) return started;
        reader_ = std::move(reader);
        return {};
    }

    std::optional<device> gpu_; // holds the context on its own
    std::vector<hw::pm_group> plans_;
    std::vector<frame_group> groups_;
    std::vector<bool> cycles_; // by group: the last metric is the cycles
    sampling_interval interval_;
    bool aside_;
    std::size_t buffer_bytes_;
    sample_sequence sequence_;
    std::optional<hw::pm_session> session_; // none while the reader has it
    std::unique_ptr<frame_sample_reader> reader_;
    std::size_t selected_ = 0;
    std::uint64_t last_end_ = 0;
};
static_assert(frame_source<frame_pm_source>);

} // namespace detail
GPUPROF_NAMESPACE_END

#endif // GPUPROF_FRAMES_FRAME_PM_SOURCE_HPP
