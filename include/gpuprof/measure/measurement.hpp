// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What measure() returns: one value for each metric.
#ifndef GPUPROF_MEASURE_MEASUREMENT_HPP
#define GPUPROF_MEASURE_MEASUREMENT_HPP

#include <cstddef>
#include <string_view>

#include "../core/device_source.hpp"
#include "../core/units.hpp"
#include "../detail/builtin.hpp"
#include "../detail/config.hpp"
#include "../metric/metric.hpp"

GPUPROF_NAMESPACE_BEGIN

namespace detail {
// The metric at a place of a list.
template <std::size_t At, class First, class... Rest>
struct metric_at : metric_at<At - 1, Rest...> {};
template <class First, class... Rest>
struct metric_at<0, First, Rest...> {
    using type = First;
};
} // namespace detail

// The values of a list of metrics over one execution of a function, all of them collected. A metric
// that is a quotient is NaN if its divisor was 0, and no comparison with it holds.
template <metric_like... Metrics>
class measurement {
public:
    static constexpr std::size_t size = sizeof...(Metrics);

    // @param values as many as metrics, in their order
    measurement(double const* values, device_source source, double spread = detail::quiet_nan) noexcept
        : source_{source}, spread_{spread} {
        for (std::size_t i = 0; i < size; ++i) values_[i] = values[i];
    }

    // By the metric itself: m[metrics::dram_bytes_read], or by its place: m.template get<0>().
    // Typed with its unit.
    template <metric_like Metric>
    [[nodiscard]] metric_value<Metric> operator[](Metric metric) const noexcept {
        constexpr std::size_t at = index_of(Metric::name());
        static_assert(at < size, "gpuprof: this metric was not measured here; add its name to measure<…>");
        return metric.typed(values_[at]);
    }
    template <std::size_t At>
        requires(At < size)
    [[nodiscard]] auto get() const noexcept { return detail::metric_at<At, Metrics...>::type::typed(values_[At]); }
    // One metric over another as a plain number: m.ratio(sectors, requests). 0/0 is NaN: no
    // comparison with it holds; anything else over 0 is infinite. m[sectors] / m[requests] has the
    // unit as well.
    template <metric_like Over, metric_like By>
    [[nodiscard]] gpuprof::ratio ratio(Over, By) const noexcept {
        constexpr std::size_t at = index_of(Over::name());
        constexpr std::size_t by = index_of(By::name());
        static_assert(at < size && by < size, "gpuprof: this metric was not measured here; add its name to measure<…>");
        return ratio(at, by);
    }
    // The same by places, counted from 0.
    // @pre both are below size
    [[nodiscard]] gpuprof::ratio ratio(std::size_t at, std::size_t by) const noexcept {
        return gpuprof::ratio{values_[at] / values_[by]};
    }

    // How far the passes that the values are from lie apart: they took their middle plus or minus this
    // share of it. The error bar of values that are put together from several passes, as a ratio() is;
    // see pass_times. NaN where one pass was enough.
    [[nodiscard]] gpuprof::ratio spread() const noexcept { return gpuprof::ratio{spread_}; }

    // Where the values come from.
    [[nodiscard]] device_source source() const noexcept { return source_; }

private:
    [[nodiscard]] static constexpr std::size_t index_of(std::string_view name) {
        std::string_view const names[]{Metrics::name()...};
        std::size_t at = 0;
        while (at < size && names[at] != name) ++at;
        return at;
    }

    double values_[size];
    device_source source_;
    double spread_;
};

GPUPROF_NAMESPACE_END

#endif // GPUPROF_MEASURE_MEASUREMENT_HPP
