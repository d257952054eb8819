// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One call for a test: counters over a function, as an observation.
#ifndef GPUPROF_JUDGE_OBSERVE_HPP
#define GPUPROF_JUDGE_OBSERVE_HPP

#include <concepts>
#include <cstddef>
#include <type_traits>
#include <utility>

#include "../core/result.hpp"
#include "../detail/fixed_string.hpp"
#include "../measure/measure.hpp"
#include "../measure/scope.hpp"
#include "../metric/metric.hpp"
#include "observation.hpp"

GPUPROF_NAMESPACE_BEGIN

// How often the work is measured in each pass. Values are the median; failures show the spread.
struct repetitions {
    std::size_t count = 1;
};

namespace judge {

// The device of a test, or why there is none. Refers to what it is made of.
class device_or_error {
public:
    device_or_error(device const& gpu) noexcept : gpu_{&gpu} {} // NOLINT(google-explicit-constructor): a parameter
    device_or_error(result<device> const& opened) noexcept      // NOLINT(google-explicit-constructor): a parameter
        : gpu_{opened ? &*opened : nullptr}, why_not_{opened ? nullptr : &opened.error()} {}

    [[nodiscard]] explicit operator bool() const noexcept { return gpu_ != nullptr; }
    [[nodiscard]] device const& operator*() const noexcept { return *gpu_; }
    [[nodiscard]] gpuprof::error const& error() const noexcept { return *why_not_; }

private:
    device const* gpu_;
    gpuprof::error const* why_not_ = nullptr;
};

// @param create makes the profiler: device and options to result<profiler>
template <class F, class Create>
[[nodiscard]] observation observed_over(device_or_error gpu, repetitions times, F&& work, Create&& create) {
    if (!gpu) return observation{gpu.error()};
    auto made = create(*gpu, gpuprof::detail::options_for(*gpu, times.count));
    if (!made) return observation{std::move(made).error()};
    for (pass const& each : made->passes()) {
        static_cast<void>(each);
        for (std::size_t i = 0; i < times.count; ++i) {
            scope whole{*made, "observed"};
            work();
        }
    }
    auto report = made->try_report();
    if (!report) return observation{std::move(report).error()};
    observation const seen{report->try_range("observed")};
    return times.count > 1 ? seen.median() : seen;
}
} // namespace judge

// Runs `work` as often as the metrics need passes, and the repetitions in each, as the range "observed"; on hardware once
// more before, without counters, since a first launch loads the kernel's module, which would be counted. Whatever keeps
// values from being had is in the observation, and makes checks inconclusive; nothing throws but `work`.
//
//     auto m = gpuprof::observe(gpu, [&] { launch(); }, metrics::global_load_sectors, metrics::global_load_requests);
//     GPUPROF_CHECK(m.ratio(0, 1) <= 4.0);
//
// @param gpu a device, or a result<device>: without a device `work` does not run, and checks are inconclusive
// @pre `work` does the same every time; it returns with its launches submitted
template <class F, metric_like... Metrics>
    requires(sizeof...(Metrics) > 0)
[[nodiscard]] observation observe(judge::device_or_error gpu, repetitions times, F&& work, Metrics... metrics) {
    return judge::observed_over(gpu, times, static_cast<F&&>(work),
                                [&](device const& on, profiler_options const& options) {
                                    return detail::profiler_of<F>::type::try_create(on, options, metrics...);
                                });
}
template <class F, metric_like... Metrics>
    requires(sizeof...(Metrics) > 0 && !std::same_as<std::remove_cvref_t<F>, repetitions>)
[[nodiscard]] observation observe(judge::device_or_error gpu, F&& work, Metrics... metrics) {
    return observe(gpu, repetitions{}, static_cast<F&&>(work), metrics...);
}

// By name: observe<"l1tex__t_sectors.sum", "l1tex__t_requests.sum">(gpu, work).
template <fixed_string... Names, class F>
    requires(sizeof...(Names) > 0)
[[nodiscard]] observation observe(judge::device_or_error gpu, F&& work) {
    return observe(gpu, repetitions{}, static_cast<F&&>(work), metric<Names>...);
}
template <fixed_string... Names, class F>
    requires(sizeof...(Names) > 0)
[[nodiscard]] observation observe(judge::device_or_error gpu, repetitions times, F&& work) {
    return observe(gpu, times, static_cast<F&&>(work), metric<Names>...);
}

GPUPROF_NAMESPACE_END

#endif // GPUPROF_JUDGE_OBSERVE_HPP
