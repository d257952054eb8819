// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A range as a test looks at it: values that know where they come from.
#ifndef GPUPROF_JUDGE_OBSERVATION_HPP
#define GPUPROF_JUDGE_OBSERVATION_HPP

#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>

#include "../core/error.hpp"
#include "../core/result.hpp"
#include "../core/units.hpp"
#include "../detail/config.hpp"
#include "../measure/report.hpp"
#include "../metric/metric.hpp"
#include "evidence.hpp"

GPUPROF_NAMESPACE_BEGIN

// A quantity and its evidence, or only the reason why there is none. Arithmetic keeps both. It is compared inside of
// GPUPROF_CHECK, which knows three outcomes; elsewhere ask try_value().
template <unit Unit>
class observed {
public:
    observed(double value, judge::evidence from) : value_{value}, evidence_{std::move(from)} {}
    explicit observed(judge::judged_value from) : observed{from.value, std::move(from.from)} {}

    [[nodiscard]] result<quantity<Unit>> try_value() const {
        if (evidence_.missing) return *evidence_.missing;
        return quantity<Unit>{value_};
    }
#if GPUPROF_EXCEPTIONS
    [[nodiscard]] quantity<Unit> value() const { return try_value().value(); }
#endif
    // NaN if there is none.
    [[nodiscard]] double number() const noexcept { return value_; }
    [[nodiscard]] judge::evidence const& evidence() const noexcept { return evidence_; }

    // The same, for checks that only exact values may pass: exact_only(m[metric]) <= 4_sectors.
    [[nodiscard]] friend observed exact_only(observed of) {
        of.evidence_.exact_demanded = true;
        return of;
    }

    [[nodiscard]] friend observed operator+(observed const& a, observed const& b) {
        return {a.value_ + b.value_, judge::merged(a.evidence_, b.evidence_)};
    }
    [[nodiscard]] friend observed operator-(observed const& a, observed const& b) {
        return {a.value_ - b.value_, judge::merged(a.evidence_, b.evidence_)};
    }
    [[nodiscard]] friend observed operator+(observed const& a, quantity<Unit> b) {
        return {a.value_ + b.value(), a.evidence_};
    }
    [[nodiscard]] friend observed operator-(observed const& a, quantity<Unit> b) {
        return {a.value_ - b.value(), a.evidence_};
    }
    [[nodiscard]] friend observed operator*(observed const& a, double b) { return {a.value_ * b, a.evidence_}; }
    [[nodiscard]] friend observed operator*(double a, observed const& b) { return {a * b.value_, b.evidence_}; }
    [[nodiscard]] friend observed operator/(observed const& a, double b) { return {a.value_ / b, a.evidence_}; }

private:
    double value_;
    judge::evidence evidence_;
};

template <unit Left, unit Right>
[[nodiscard]] observed<Left * Right> operator*(observed<Left> const& a, observed<Right> const& b) {
    return {a.number() * b.number(), judge::merged(a.evidence(), b.evidence())};
}
template <unit Left, unit Right>
[[nodiscard]] observed<Left / Right> operator/(observed<Left> const& a, observed<Right> const& b) {
    return {a.number() / b.number(), judge::merged(a.evidence(), b.evidence())};
}
template <unit Left, unit Right>
[[nodiscard]] observed<Left / Right> operator/(observed<Left> const& a, quantity<Right> b) {
    return {a.number() / b.value(), a.evidence()};
}

// The values of one range. Copies share the report; const use is thread-safe.
//
//     gpuprof::observation step{prof.report(), "frame/step"};
//     GPUPROF_CHECK(step[metrics::global_load_sectors] / step[metrics::global_load_requests] <= sectors_per_request{4});
class observation {
public:
    // Nothing could be measured: every check of it is inconclusive for that reason.
    explicit observation(error why) : why_not_{std::move(why)} {}
    // A path that no range has makes every check inconclusive.
    observation(report const& of, std::string_view path) : observation{of.try_range(path)} {}
    observation(range_view range) : range_{std::move(range)} {} // NOLINT(google-explicit-constructor): a twin
    observation(result<range_view> range) {                     // NOLINT(google-explicit-constructor): a twin
        if (range) range_.emplace(*std::move(range));
        else why_not_.emplace(std::move(range).error());
    }

    // Over all repetitions of the range; see range_view::try_get. @param metric one that was measured; of another, every
    // check is inconclusive
    template <metric_like Metric>
    [[nodiscard]] observed<Metric::ref().value_unit> operator[](Metric) const {
        return observed<Metric::ref().value_unit>{read(Metric::name())};
    }
    // One metric over another as a plain number: m.ratio(sectors, requests). A check of 0/0 is
    // inconclusive, as is one of a metric that was not measured.
    template <metric_like Over, metric_like By>
    [[nodiscard]] observed<one> ratio(Over, By) const {
        return quotient(read(Over::name()), read(By::name()));
    }
    // The same by places in the report's list of metrics, counted from 0.
    [[nodiscard]] observed<one> ratio(std::size_t at, std::size_t by) const {
        return quotient(read_at(at), read_at(by));
    }

    // The value by a name that is known at run time, without its unit.
    [[nodiscard]] judge::judged_value read(std::string_view metric) const {
        return judge::read(range_, why_not_, metric, repeated_);
    }
    // The range; nothing if it could not be had.
    [[nodiscard]] std::optional<range_view> const& range() const noexcept { return range_; }
    // Why there is no range.
    [[nodiscard]] std::optional<error> const& why_not() const noexcept { return why_not_; }

    // The same with the median of the range's repetitions for each value, instead of their sum or mean.
    [[nodiscard]] observation median() const {
        observation made = *this;
        made.repeated_ = true;
        return made;
    }

private:
    [[nodiscard]] static observed<one> quotient(judge::judged_value const& above, judge::judged_value const& below) {
        judge::evidence both = judge::merged(above.from, below.from);
        if (!both.missing && above.value == 0 && below.value == 0)
            both.missing.emplace(errc::not_collected, 0, "0/0", "neither happened in the range");
        return {above.value / below.value, std::move(both)};
    }
    [[nodiscard]] judge::judged_value read_at(std::size_t at) const {
        if (!range_) return read(std::string_view{});
        report const whole = range_->report();
        return read(at < whole.metrics().size() ? std::string_view{whole.metrics()[at].name} : std::string_view{});
    }

    std::optional<range_view> range_;
    std::optional<error> why_not_;
    bool repeated_ = false;
};

GPUPROF_NAMESPACE_END

#endif // GPUPROF_JUDGE_OBSERVATION_HPP
