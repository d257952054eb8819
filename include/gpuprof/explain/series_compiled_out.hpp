// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// GPUPROF_ENABLED=0: a series that runs its work once, with the first value of each axis. See measure/compiled_out.hpp.
#ifndef GPUPROF_EXPLAIN_SERIES_COMPILED_OUT_HPP
#define GPUPROF_EXPLAIN_SERIES_COMPILED_OUT_HPP

#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "../core/result.hpp"
#include "../measure/compiled_out.hpp"
#include "../metric/info.hpp"
#include "../metric/metric.hpp"
#include "series_axis.hpp"
#include "series_options.hpp"
#include "series_report.hpp"
#include "series_work.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace explain {

class series {
public:
    [[nodiscard]] static result<series> try_create(device const&, series_options const&, std::vector<axis> axes,
                                                   std::span<metric_info const>) {
        return result<series>{series{std::move(axes)}};
    }
    template <metric_like... Metrics>
        requires(sizeof...(Metrics) > 0)
    [[nodiscard]] static result<series> try_create(device const&, std::vector<axis> axes, Metrics...) {
        return result<series>{series{std::move(axes)}};
    }
#if GPUPROF_EXCEPTIONS
    template <metric_like... Metrics>
        requires(sizeof...(Metrics) > 0)
    series(device const&, std::vector<axis> axes, Metrics...) : series{std::move(axes)} {}
    template <metric_like... Metrics>
        requires(sizeof...(Metrics) > 0)
    series(device const&, series_options const&, std::vector<axis> axes, Metrics...) : series{std::move(axes)} {}
    series(device const&, series_options const&, std::vector<axis> axes, std::span<metric_info const>)
        : series{std::move(axes)} {}
#endif
    series(series&&) noexcept = default;
    series& operator=(series&&) = delete;
    ~series() {} // NOLINT(modernize-use-equals-default): so that an unused one is no warning

    [[nodiscard]] std::size_t combinations() const noexcept { return 1; }
    [[nodiscard]] std::size_t passes_needed() const noexcept { return 0; }
    [[nodiscard]] std::size_t runs() const noexcept { return 1; }
    [[nodiscard]] parameters at(std::size_t) const {
        std::vector<parameters::parameter> list;
        for (axis const& each : axes_)
            if (!each.values.empty()) list.push_back({each.name, each.values.front()});
        return parameters{std::move(list)};
    }

    template <launches_combination Work>
    [[nodiscard]] result<series_report> try_measure(Work&& work) {
        static_cast<void>(work(at(0)));
        return series_report{};
    }
#if GPUPROF_EXCEPTIONS
    template <launches_combination Work>
    [[nodiscard]] series_report measure(Work&& work) {
        static_cast<void>(work(at(0)));
        return {};
    }
#endif

private:
    explicit series(std::vector<axis> axes) noexcept : axes_{std::move(axes)} {}

    std::vector<axis> axes_;
};

} // namespace explain
GPUPROF_NAMESPACE_END

#endif // GPUPROF_EXPLAIN_SERIES_COMPILED_OUT_HPP
