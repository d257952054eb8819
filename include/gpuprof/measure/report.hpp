// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a collection brought: ranges, typed values, and how complete they are. Layer: measure.
#ifndef GPUPROF_MEASURE_REPORT_HPP
#define GPUPROF_MEASURE_REPORT_HPP

#include <cstddef>     // std::size_t
#include <cstdint>     // std::uint32_t
#include <string>      // paths
#include <string_view> // look-ups
#include <utility>     // std::move
#include <vector>      // ranges, values

#include "../core/error.hpp"
#include "../core/device_source.hpp"
#include "../metric/metric.hpp"
#include "../metric/info.hpp"
#include "../core/result.hpp"

GPUPROF_NAMESPACE_BEGIN

// What is missing from a report, and why. No problem: every range of every pass was collected.
struct completeness {
    std::size_t passes_needed = 0; // passes of the hardware for these metrics
    std::size_t replay_passes = 0; // times the measured code ran under the counters
    std::size_t other_threads = 0; // scopes opened on threads that do not run the pass
    std::size_t cache_flushes = 0; // how often the caches were flushed; 0: they were left as they were
    std::vector<error> problems{};

    [[nodiscard]] bool complete() const noexcept { return problems.empty(); }
};

// One value with its unit known only at run time.
struct measured_value {
    double value = 0;
    gpuprof::unit unit{};
};

class report;

// One range of a report. A view: valid while the report lives.
class range_view {
public:
    [[nodiscard]] std::string_view path() const noexcept; // "frame/step"
    [[nodiscard]] std::string_view name() const noexcept; // "step"
    [[nodiscard]] std::size_t depth() const noexcept;     // 1 for an outermost range
    [[nodiscard]] std::size_t count() const noexcept;     // how often it ran in a pass

    // The metric's value over all repetitions of the range, combined as its descriptor's aggregation() says: counts add
    // up, percentages and ratios are averaged. Errors: not_collected with the cause; unknown_metric if it was not asked for.
    template <metric_like Metric>
    [[nodiscard]] result<metric_value<Metric>> try_get(Metric) const {
        auto value = try_value(Metric::name());
        if (!value) return std::move(value).error();
        return Metric::typed(value->value);
    }
    GPUPROF_DECLARE [[nodiscard]] result<measured_value> try_value(std::string_view metric) const;

    // The value of each repetition, in the order they ran; one value when repetitions were merged. NaN: not collected.
    GPUPROF_DECLARE [[nodiscard]] result<std::vector<double>> try_values(std::string_view metric) const;

#if GPUPROF_EXCEPTIONS
    // try_get(), throwing.
    template <metric_like Metric>
    [[nodiscard]] metric_value<Metric> operator[](Metric metric) const {
        return try_get(metric).value();
    }
    // Each repetition's value, typed.
    template <metric_like Metric>
    [[nodiscard]] std::vector<metric_value<Metric>> values(Metric) const {
        std::vector<double> const list = try_values(Metric::name()).value();
        std::vector<metric_value<Metric>> typed;
        for (double const each : list) typed.emplace_back(each);
        return typed;
    }
#endif

private:
    friend class report;
    range_view(report const& of, std::size_t index) noexcept : report_{&of}, index_{index} {}
    report const* report_;
    std::size_t index_;
};

// The ranges of one collection with their values, self-contained: it outlives profiler and device. Copyable; const use
// is thread-safe.
class report {
public:
    // One named range. Its values are rows: of `instances` rows, the first stands at `first` in the order they were read.
    struct range {
        std::string path;
        std::size_t name_at = 0; // where the last component begins
        std::size_t depth = 1;
        std::size_t count = 0;
        std::vector<std::size_t> rows{};
    };
    // Everything a profiler knows when it writes a report.
    struct contents {
        std::string device;
        std::string chip;
        device_source source = device_source::hardware;
        std::string hardware; // the policy's name
        std::vector<metric_info> metrics{};
        std::vector<range> ranges{};  // parents before children, in order of first opening
        std::vector<double> values{}; // rows of metrics.size()
        gpuprof::completeness completeness{};
    };

    report();
    explicit report(contents what);
    report(report const& other);
    report(report&& other) noexcept;
    report& operator=(report const& other);
    report& operator=(report&& other) noexcept;
    ~report();

    [[nodiscard]] std::string_view device() const noexcept { return what_.device; }
    [[nodiscard]] std::string_view chip() const noexcept { return what_.chip; }
    [[nodiscard]] device_source source() const noexcept { return what_.source; }
    [[nodiscard]] std::string_view hardware() const noexcept { return what_.hardware; }
    [[nodiscard]] std::vector<metric_info> const& metrics() const noexcept { return what_.metrics; }
    [[nodiscard]] gpuprof::completeness const& completeness() const noexcept { return what_.completeness; }
    [[nodiscard]] bool complete() const noexcept { return what_.completeness.complete(); }

    [[nodiscard]] std::size_t size() const noexcept { return what_.ranges.size(); }
    [[nodiscard]] range_view at(std::size_t index) const noexcept { return {*this, index}; }

    // The range of that path, outermost name first, joined by '/'. Errors: not_collected, with the nearest paths.
    GPUPROF_DECLARE [[nodiscard]] result<range_view> try_range(std::string_view path) const;

#if GPUPROF_EXCEPTIONS
    // try_range(), throwing.
    GPUPROF_DECLARE [[nodiscard]] range_view operator[](std::string_view path) const;
#endif

    // Iterates over the ranges, parents before children.
    class iterator {
    public:
        iterator(report const& of, std::size_t at) noexcept : report_{&of}, at_{at} {}
        [[nodiscard]] range_view operator*() const noexcept { return report_->at(at_); }
        iterator& operator++() noexcept {
            ++at_;
            return *this;
        }
        [[nodiscard]] bool operator==(iterator const& other) const noexcept { return at_ == other.at_; }

    private:
        report const* report_;
        std::size_t at_;
    };
    [[nodiscard]] iterator begin() const noexcept { return {*this, 0}; }
    [[nodiscard]] iterator end() const noexcept { return {*this, size()}; }

private:
    friend class range_view;

    GPUPROF_DECLARE [[nodiscard]] result<std::size_t> try_column(std::string_view metric) const;

    contents what_;
};

inline std::string_view range_view::path() const noexcept { return report_->what_.ranges[index_].path; }
inline std::string_view range_view::name() const noexcept {
    return path().substr(report_->what_.ranges[index_].name_at);
}
inline std::size_t range_view::depth() const noexcept { return report_->what_.ranges[index_].depth; }
inline std::size_t range_view::count() const noexcept { return report_->what_.ranges[index_].count; }

GPUPROF_NAMESPACE_END

#if GPUPROF_HEADER_ONLY
#include "report.inl.hpp"
#endif

#endif // GPUPROF_MEASURE_REPORT_HPP
