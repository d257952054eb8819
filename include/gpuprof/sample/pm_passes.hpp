// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Samples of several passes on one time line, by the time of the work that each of them repeated.
#ifndef GPUPROF_SAMPLE_PM_PASSES_HPP
#define GPUPROF_SAMPLE_PM_PASSES_HPP

#include "../detail/config.hpp"

#if !GPUPROF_ENABLED
#include "compiled_out.hpp"
#else

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "../core/result.hpp"
#include "../detail/builtin.hpp"
#include "../hw/activity/timestamp.hpp"
#include "../hw/machine/device.hpp"
#include "../hw/machine/status.hpp"
#include "device_clock.hpp"
#include "pm_sampler.hpp"
#include "pm_series.hpp"
#include "proration.hpp"

GPUPROF_NAMESPACE_BEGIN

// The samples of one pass, and when the repeated work ran on the device, by the clock of activity records: of a tracer's record
// of a kernel, of a trigger, or what try_sample_passes() measured.
struct pm_pass {
    pm_series series;
    activity::interval work{};
    double deviation_ns = 0; // of `work`: how far it may be off
};

// Passes on the time line of the first one.
struct aligned_passes {
    pm_series series;        // the first pass's samples around the work, with the metrics of all passes
    activity::interval work; // of the first pass
    // How far a value may stand from its place: both times of the work, the deviations of the two passes that are known worst.
    double deviation_ns = 0;
    // How much longer the longest pass's work took than the shortest's. Each pass is stretched to the first one's length, so that
    // begin and end fit; in between a value may be off by up to this besides, if the difference came all at once.
    double length_difference_ns = 0;

    [[nodiscard]] double worst_ns() const noexcept { return deviation_ns + length_difference_ns; }
};

// Builds one series of several.
class pm_alignment {
public:
    // Puts passes of the same work on the first one's time line. A count of another pass is shared out by time where samples
    // overlap, so that its sum stays; others are means over the time. A sample for which a pass lacks samples has no value (NaN)
    // of its metrics. Errors: invalid_argument without a pass, for one without the time of its work, and for passes that ran
    // something else: whose work took more than half as long again. Pure.
    [[nodiscard]] static result<aligned_passes> try_align(std::span<pm_pass const> passes) {
        if (passes.empty()) return refused("no pass", "there is nothing to align");
        std::vector<metric_info> metrics;
        double shortest = infinite_length, longest = 0, worst = 0, second = 0;
        for (pm_pass const& each : passes) {
            if (!each.work.known() || each.work.end <= each.work.start)
                return refused("a pass without the time of its work", "what passes have in common is when it ran");
            double const length = (each.work.end - each.work.start).value();
            shortest = length < shortest ? length : shortest;
            longest = length > longest ? length : longest;
            if (each.deviation_ns > worst) second = std::exchange(worst, each.deviation_ns);
            else if (each.deviation_ns > second) second = each.deviation_ns;
            metrics.insert(metrics.end(), each.series.metrics().begin(), each.series.metrics().end());
        }
        if (longest > 1.5 * shortest)
            return refused("passes of different work",
                           "in one pass it took more than half as long again as in another");
        pm_pass const& first = passes.front();
        aligned_passes made{pm_series{std::move(metrics), first.series.interval(), first.series.source()}, first.work};
        made.deviation_ns = detail::square_root(worst * worst + second * second);
        made.length_difference_ns = longest - shortest;
        made.series.passes_ = passes.size();
        made.series.buffer_bytes_ = first.series.buffer_bytes();
        for (pm_pass const& each : passes) made.series.losses_ += each.series.losses();

        std::size_t const width = made.series.metrics().size();
        std::vector<double> row(width);
        std::vector<std::size_t> next(passes.size());
        for (std::size_t at = 0; at < first.series.size(); ++at) {
            activity::interval const time = first.series.time(at);
            if (time.end <= first.work.start || time.start >= first.work.end) continue;
            std::size_t column = 0;
            for (std::size_t pass = 0; pass < passes.size(); ++pass) {
                fill(std::span{row}.subspan(column), passes[pass], place(time.start, first, passes[pass]),
                     place(time.end, first, passes[pass]), next[pass], pass == 0 ? at : none);
                column += passes[pass].series.metrics().size();
            }
            made.series.push(time, row);
        }
        return made;
    }

private:
    static constexpr double infinite_length = 1e300;
    static constexpr std::size_t none = ~std::size_t{0};

    [[nodiscard]] static error refused(std::string_view what, std::string_view cause) {
        return {errc::invalid_argument, 0, what, cause, "sample the same work in each pass, and say when it ran"};
    }
    // A time of the first pass in another one, in nanoseconds since that one's work began.
    [[nodiscard]] static double place(activity::timestamp time, pm_pass const& first, pm_pass const& in) noexcept {
        double const stretch = (in.work.end - in.work.start).value() / (first.work.end - first.work.start).value();
        return (time - first.work.start).value() * stretch;
    }
    // The values of a pass from one place of it to another. @param next the first sample that may overlap; it moves on
    // @param own the sample, where it is the pass's own
    static void fill(std::span<double> to, pm_pass const& of, double begin, double end, std::size_t& next,
                     std::size_t own) {
        std::size_t const width = of.series.metrics().size();
        if (own != none) {
            for (std::size_t i = 0; i < width; ++i) to[i] = of.series.value(own, i);
            return;
        }
        detail::sampled_span span{begin, end, width};
        std::vector<double> values(width);
        auto const since = [&](activity::timestamp time) { return (time - of.work.start).value(); };
        while (next < of.series.size() && since(of.series.time(next).end) <= begin) ++next;
        for (std::size_t at = next; at < of.series.size() && since(of.series.time(at).start) < end; ++at) {
            for (std::size_t i = 0; i < width; ++i) values[i] = of.series.value(at, i);
            span.add(since(of.series.time(at).start), since(of.series.time(at).end), values, 0);
        }
        bool const whole = span.covered() > 0.99 * (end - begin);
        for (std::size_t i = 0; i < width; ++i)
            to[i] = whole ? span.of(i, of.series.metrics()[i].aggregation == aggregation::sum
                                           ? detail::sample_combination::sum
                                           : detail::sample_combination::mean)
                                .value
                          : detail::quiet_nan;
    }
};

// Runs the work once in each pass of the sampler, between two events in the stream, and puts the samples on one time line. Other
// work on the device is counted, too. Errors: those of the sampler, the driver and pm_alignment.
// @pre `work` does the same every time, and launches into the stream. Cost: per pass that of a new sampler, 0.1 s on an H200, 0.3 ms
// for the clock, and a wait for the work. Guide 5.1 aligns passes by context switches.
template <class Work>
[[nodiscard]] result<aligned_passes> try_sample_passes(pm_sampler& sampler, device const& gpu, Work&& work,
                                                       abi::CUstream stream = nullptr) {
    auto clock = detail::device_clock::try_create(gpu);
    if (!clock) return std::move(clock).error();
    abi::driver_table const& driver = gpu.driver();
    struct marks {
        device const& gpu;
        abi::CUevent begin = nullptr, end = nullptr;
        ~marks() {
            detail::current_context const here{gpu};
            if (begin != nullptr) static_cast<void>(gpu.driver().EventDestroy(begin));
            if (end != nullptr) static_cast<void>(gpu.driver().EventDestroy(end));
        }
    } edges{gpu};
    auto const checked = [](std::string_view call, abi::CUresult status) -> result<void> {
        if (status != abi::CUDA_SUCCESS) return hw::explain(call, status);
        return {};
    };
    {
        detail::current_context const here{gpu};
        if (here.status()) return hw::explain("cuCtxPushCurrent", here.status());
        for (abi::CUevent* const each : {&edges.begin, &edges.end})
            if (auto const status = driver.EventCreate(each, abi::CU_EVENT_DEFAULT))
                return hw::explain("cuEventCreate", status);
    }
    std::vector<pm_pass> passes;
    for (std::size_t pass = 0; pass < sampler.passes(); ++pass) {
        if (auto started = sampler.try_start(pass); !started) return std::move(started).error();
        result<void> ran = clock->try_set();
        auto const record = [&](abi::CUevent event) {
            detail::current_context const here{gpu};
            if (ran) ran = checked("cuEventRecord", driver.EventRecord(event, stream));
        };
        record(edges.begin);
        work();
        record(edges.end);
        {
            detail::current_context const here{gpu};
            if (ran) ran = checked("cuEventSynchronize", driver.EventSynchronize(edges.end));
        }
        // A sample after the end of the work, which its last part needs.
        std::uint64_t const until = platform::monotonic_nanoseconds() + 2 * (sampler.interval().length + 1000);
        while (ran && gpu.source() == device_source::hardware && platform::monotonic_nanoseconds() < until) {}
        if (auto stopped = sampler.try_stop(); !stopped && ran) ran = std::move(stopped).error();
        if (!ran) return std::move(ran).error();
        auto const begin = clock->try_time(edges.begin);
        if (!begin) return begin.error();
        auto const end = clock->try_time(edges.end);
        if (!end) return end.error();
        auto series = sampler.try_take();
        if (!series) return std::move(series).error();
        auto const at = [&](double since) {
            return activity::timestamp{clock->origin() + static_cast<std::uint64_t>(static_cast<std::int64_t>(since))};
        };
        passes.push_back({*std::move(series), {at(*begin), at(*end)}, clock->deviation()});
    }
    return pm_alignment::try_align(passes);
}

GPUPROF_NAMESPACE_END

#endif // GPUPROF_ENABLED

#endif // GPUPROF_SAMPLE_PM_PASSES_HPP
