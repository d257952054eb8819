// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Samples a device's counters at a fixed interval.
#ifndef GPUPROF_SAMPLE_PM_SAMPLER_HPP
#define GPUPROF_SAMPLE_PM_SAMPLER_HPP

#include "../detail/config.hpp"

#if !GPUPROF_ENABLED
#include "compiled_out.hpp"
#else

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "../core/result.hpp"
#include "../hw/machine/device.hpp"
#include "../hw/machine/output_fields.hpp"
#include "../hw/machine/output_line.hpp"
#include "../hw/samplers/pm_plan.hpp"
#include "../hw/samplers/pm_session.hpp"
#include "../metric/info.hpp"
#include "pm_options.hpp"
#include "pm_series.hpp"
#include "sample_decoding.hpp"
#include "sampled_metrics.hpp"
#include "device_interval.hpp"
#include "sampling_interval.hpp"
#include "sampling_losses.hpp"

GPUPROF_NAMESPACE_BEGIN

// Samples a device's counters at intervals, without replaying or slowing anything. Counts all
// programs on the device together.
//
//     gpuprof::pm_sampler sampler{gpu, {.interval = gpuprof::sampling_interval::nanoseconds(10'000)}, metric<"sm__cycles_active.avg">};
//     sampler.start();
//     work();
//     sampler.stop();
//     gpuprof::pm_series const series = sampler.take();
//
// One sampler or profiler a context, and one sampler a device. Several passes: passes() says how
// many, and try_start(pass) samples the metrics of that one; run the work once for each. Move-only;
// one thread at a time. CUPTI 12.6, PM sampling; guide 5.1. The context switch trace of the guide
// is not in CUPTI's interface.
class pm_sampler {
public:
    // Errors: unavailable before CUPTI 12.6 and where the device cannot sample; unknown_metric with
    // the nearest names; invalid_argument for an empty list, and for metrics that take several
    // passes if that was not allowed; permission; busy; of a recorded device, not_collected where it
    // was not recorded, or with other metrics or another interval. Cost: on an H200 0.1 s, and 1 s in a
    // process's first sampler for the hardware's buffer.
    [[nodiscard]] static result<pm_sampler> try_create(device const& gpu, pm_options const& options,
                                                       std::span<metric_info const> metrics) {
        if (options.interval.length == 0 || options.image_samples == 0 || options.buffer_bytes == 0)
            return error{errc::invalid_argument, 0, "a sampler without interval or room",
                         "one of interval, buffer_bytes and image_samples is 0", "leave what is not known as it is"};
        auto names = detail::names_in_samples(metrics);
        if (!names) return std::move(names).error();
        auto shared = gpu.try_share();
        if (!shared) return std::move(shared).error();
        std::string list;
        for (std::string const& each : *names) list += (list.empty() ? "" : ", ") + each;
        auto line = hw::try_begin_outputs(gpu, {"samples of counters", {std::move(list), options.interval.text()}});
        if (!line) return std::move(line).error();
        pm_sampler sampler{*std::move(shared), options, {metrics.begin(), metrics.end()}, *std::move(line)};
        if (!sampler.is_played()) {
            auto planner = hw::pm_planner::try_open(gpu);
            if (!planner) return std::move(planner).error();
            auto groups = planner->try_plan(*names);
            if (!groups) return std::move(groups).error();
            sampler.groups_ = *std::move(groups);
        }
        if (auto passed = sampler.pass_plan(); !passed) return std::move(passed).error();
        if (sampler.passes() > 1 && !options.several_passes)
            return error{errc::invalid_argument, 0,
                         detail::joined({"these metrics take ", std::to_string(sampler.passes()), " passes"}),
                         "samples are of one pass: the hardware has too few counters for all of them at once",
                         "ask for fewer metrics, or set pm_options::several_passes and run the work once a pass"};
        if (auto ready = sampler.try_open(0); !ready) return std::move(ready).error();
        return result<pm_sampler>{std::move(sampler)};
    }
    template <metric_like... Metrics>
        requires(sizeof...(Metrics) > 0)
    [[nodiscard]] static result<pm_sampler> try_create(device const& gpu, pm_options const& options,
                                                       Metrics... metrics) {
        metric_info const list[]{metric_info{metrics}...};
        return try_create(gpu, options, std::span<metric_info const>{list});
    }
#if GPUPROF_EXCEPTIONS
    // try_create(), throwing.
    template <metric_like... Metrics>
        requires(sizeof...(Metrics) > 0)
    explicit pm_sampler(device const& gpu, Metrics... metrics)
        : pm_sampler{try_create(gpu, pm_options{}, metrics...).value()} {}
    template <metric_like... Metrics>
        requires(sizeof...(Metrics) > 0)
    pm_sampler(device const& gpu, pm_options const& options, Metrics... metrics)
        : pm_sampler{try_create(gpu, options, metrics...).value()} {}
#endif

    // The number of passes that the metrics take: 1 without pm_options::several_passes.
    [[nodiscard]] std::size_t passes() const noexcept { return groups_.size(); }
    // The interval that the hardware uses: cycles on chips without intervals of time.
    [[nodiscard]] sampling_interval interval() const noexcept { return interval_; }

    // Begins to sample the metrics of a pass. Samples of another pass that were not taken are lost.
    // Errors: invalid_argument if there is no such pass; invalid_state while sampling; what CUPTI
    // says. Cost: 0.6 ms on an H200; for another pass than the last, that of a new sampler.
    [[nodiscard]] result<void> try_start(std::size_t pass = 0) {
        if (pass >= groups_.size())
            return error{errc::invalid_argument, 0, detail::joined({"there is no pass ", std::to_string(pass)}),
                         detail::joined({"the metrics take ", std::to_string(groups_.size())}), "count passes from 0"};
        if (is_sampling()) return error{errc::invalid_state, 0, "starting a sampler that samples", "", "stop it first"};
        if (pass != pass_ || !is_open())
            if (auto ready = try_open(pass); !ready) return ready;
        sequence_.start();
        if (is_played()) is_playing_ = true;
        return session_ ? session_->try_start() : result<void>{};
    }
    // Ends sampling. Waits for nothing: synchronise first to get all samples of launched work.
    // Cost: 1.8 ms on an H200.
    [[nodiscard]] result<void> try_stop() {
        if (!is_sampling())
            return error{errc::invalid_state, 0, "stopping a sampler that does not sample", "", "start it first"};
        is_playing_ = false;
        return session_ ? session_->try_stop() : result<void>{};
    }
    [[nodiscard]] bool is_sampling() const noexcept { return is_playing_ || (session_ && session_->started()); }

    // Calls f(activity::interval, std::span<double const>) for each sample since the last call, in
    // the order of time, with a value of each metric of the pass; returns the losses. Also works
    // while the device samples: later samples come with the next call. Memory does not grow, unless
    // they are recorded. Errors: what CUPTI says; of a recorded device, not_collected and
    // replay_mismatch for what was not recorded so. Cost: 30 us a sample on an H200.
    template <class F>
    [[nodiscard]] result<sampling_losses> try_visit(F&& f) {
        sampling_losses lost;
        if (!is_open())
            return error{errc::invalid_state, 0, "samples of a sampler that was moved from", "", "use the other one"};
        std::vector<sample> kept; // what a recording keeps, or has
        if (session_) {
            auto const decoded =
                detail::try_decode_samples(*session_, detail::decoding::all, sequence_, lost,
                                           [&](std::uint64_t begin, std::uint64_t end, std::span<double const> values) {
                                               f(activity::interval{{begin}, {end}}, values);
                                               if (line_) kept.push_back({begin, end, {values.begin(), values.end()}});
                                           });
            if (!decoded) return decoded.error();
        }
        if (!line_) return lost;
        if (auto passed = pass_samples(kept, lost); !passed) return std::move(passed).error();
        if (!is_played()) return lost;
        for (sample const& each : kept) f(activity::interval{{each.begin}, {each.end}}, std::span{each.values});
        return lost;
    }
    // Returns the same as a series of at most pm_options::max_samples.
    [[nodiscard]] result<pm_series> try_take() {
        std::vector<metric_info> of_pass;
        if (is_open())
            for (std::size_t const at : groups_[pass_].members) of_pass.push_back(metrics_[at]);
        pm_series series{std::move(of_pass), interval_, gpu_->source()};
        series.pass_ = pass_;
        series.passes_ = groups_.size();
        series.buffer_bytes_ = options_.buffer_bytes;
        std::size_t over = 0;
        auto const lost = try_visit([&](activity::interval time, std::span<double const> values) {
            if (series.times_.size() >= options_.max_samples) {
                ++over;
                return;
            }
            series.push(time, values);
        });
        if (!lost) return lost.error();
        series.losses_ = *lost;
        series.losses_.over_room += over;
        return series;
    }
#if GPUPROF_EXCEPTIONS
    // Throwing.
    void start(std::size_t pass = 0) { try_start(pass).value(); }
    void stop() { try_stop().value(); }
    [[nodiscard]] pm_series take() { return try_take().value(); }
#endif

private:
    // A sample as a recording has it.
    struct sample {
        std::uint64_t begin = 0;
        std::uint64_t end = 0;
        std::vector<double> values;
    };

    pm_sampler(device gpu, pm_options const& options, std::vector<metric_info> metrics,
               detail::owned<hw::output_line> line)
        : gpu_{std::move(gpu)},
          options_{options},
          metrics_{std::move(metrics)},
          line_{std::move(line)},
          interval_{detail::interval_on(*gpu_, options.interval)},
          sequence_{interval_} {}

    [[nodiscard]] bool is_played() const noexcept { return line_ && line_->plays(); }
    [[nodiscard]] bool is_open() const noexcept { return session_ || is_played(); }
    [[nodiscard]] result<void> pass_plan() {
        if (!line_) return {};
        return line_->pass([&](hw::output_fields& fields) {
            fields.whole("interval", interval_.length);
            fields.flag("by_cycles", interval_.by_cycles);
            fields.list("passes", groups_, [&](hw::pm_group& each) {
                std::vector<std::uint64_t> members{each.members.begin(), each.members.end()};
                fields.wholes("metrics", members);
                each.members.assign(members.begin(), members.end());
                for (std::size_t const at : each.members)
                    fields.check(at < metrics_.size(), "a pass has a metric that was not asked for");
            });
            fields.check(!groups_.empty(), "there is no pass");
        });
    }
    [[nodiscard]] result<void> pass_samples(std::vector<sample>& all, sampling_losses& lost) {
        return line_->pass([&](hw::output_fields& fields) {
            std::uint64_t pass = pass_;
            fields.whole("pass", pass);
            fields.check(pass == pass_, "the samples are of another pass");
            fields.list("samples", all, [&](sample& each) {
                fields.whole("begin", each.begin);
                fields.whole("end", each.end);
                fields.numbers("values", each.values);
                fields.check(each.values.size() == groups_[pass_].members.size(), "a sample has other metrics");
            });
            fields.whole("overflows", lost.overflows);
            fields.whole("dropped", lost.dropped);
            fields.whole("merged", lost.merged);
            fields.whole("over_room", lost.over_room);
        });
    }
    [[nodiscard]] result<void> try_open(std::size_t pass) {
        session_.reset();
        if (is_played()) {
            pass_ = pass;
            return {};
        }
        sequence_ = detail::sample_sequence{interval_};
        auto opened = hw::pm_session::try_open(*gpu_, groups_[pass],
                                               {interval_.length, interval_.by_cycles, options_.buffer_bytes,
                                                options_.image_samples, options_.keep_latest});
        if (!opened) return std::move(opened).error();
        session_.emplace(*std::move(opened));
        pass_ = pass;
        return {};
    }

    std::optional<device> gpu_; // holds the context on its own
    pm_options options_;
    std::vector<metric_info> metrics_;
    detail::owned<hw::output_line> line_; // null: nothing is recorded or played
    std::vector<hw::pm_group> groups_{};
    sampling_interval interval_;
    detail::sample_sequence sequence_;
    std::optional<hw::pm_session> session_; // none on a recorded device
    bool is_playing_ = false;               // started there
    std::size_t pass_ = 0;
};

GPUPROF_NAMESPACE_END

#endif // GPUPROF_ENABLED

#endif // GPUPROF_SAMPLE_PM_SAMPLER_HPP
