// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definitions of value_summary.hpp.
#ifndef GPUPROF_RANKS_VALUE_SUMMARY_INL_HPP
#define GPUPROF_RANKS_VALUE_SUMMARY_INL_HPP

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include "../detail/builtin.hpp"
#include "message.hpp"
#include "value_summary.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace ranks {

namespace detail {
// Inserts into a list that `before` orders, and keeps the first ones.
template <class Before>
void keep_first(std::vector<ranked_value>& list, ranked_value const& of, Before before) {
    auto const ordered = [&](ranked_value const& a, ranked_value const& b) {
        return before(a.value, b.value) || (a.value == b.value && a.rank < b.rank);
    };
    if (list.size() == value_summary::most_extremes && !ordered(of, list.back())) return;
    list.insert(std::upper_bound(list.begin(), list.end(), of, ordered), of);
    if (list.size() > value_summary::most_extremes) list.pop_back();
}
} // namespace detail

GPUPROF_INLINE void value_summary::add(double value, std::size_t rank) {
    if (!std::isfinite(value)) return;
    value_summary single;
    single.count_ = 1;
    single.mean_ = value;
    single.lowest_ = single.highest_ = {{value, rank}};
    single.points_ = {{value, 1}};
    merge(single);
}

GPUPROF_INLINE void value_summary::merge(value_summary const& other) {
    if (other.count_ == 0) return;
    double const mine = static_cast<double>(count_), theirs = static_cast<double>(other.count_);
    double const apart = other.mean_ - mean_;
    mean_ += apart * theirs / (mine + theirs);
    squares_ += other.squares_ + apart * apart * mine * theirs / (mine + theirs);
    count_ += other.count_;
    for (ranked_value const& each : other.lowest_)
        detail::keep_first(lowest_, each, [](double a, double b) { return a < b; });
    for (ranked_value const& each : other.highest_)
        detail::keep_first(highest_, each, [](double a, double b) { return a > b; });
    std::vector<point> both; // ascending; equal values are one point
    both.reserve(points_.size() + other.points_.size());
    for (std::size_t i = 0, k = 0; i < points_.size() || k < other.points_.size();) {
        bool const first =
            k == other.points_.size() || (i < points_.size() && points_[i].value <= other.points_[k].value);
        point const& next = first ? points_[i++] : other.points_[k++];
        if (!both.empty() && both.back().value == next.value) both.back().weight += next.weight;
        else both.push_back(next);
    }
    points_ = std::move(both);
    compress();
}

// Into points of equal weight; a point that has more by itself stays as it is.
GPUPROF_INLINE void value_summary::compress() {
    if (points_.size() <= most_points) return;
    double const share = static_cast<double>(count_) / most_points;
    double until = 0, passed = 0; // weights so far
    std::size_t kept = 0;
    for (point const& each : points_) {
        double const middle = passed + each.weight / 2;
        if (kept != 0 && middle < until) {
            point& last = points_[kept - 1];
            last.value += (each.value - last.value) * each.weight / (last.weight + each.weight);
            last.weight += each.weight;
        } else {
            points_[kept++] = each;
            until = share * (std::floor(middle / share) + 1);
        }
        passed += each.weight;
    }
    points_.resize(kept);
}

// The value that half of the weight is below; the mean of two where the half ends between them.
GPUPROF_INLINE double value_summary::median_of(std::vector<point> const& sorted) {
    if (sorted.empty()) return gpuprof::detail::quiet_nan;
    double all = 0;
    for (point const& each : sorted) all += each.weight;
    double passed = 0;
    for (std::size_t i = 0; i < sorted.size(); ++i) {
        double const end = passed + sorted[i].weight;
        if (end > all / 2) return sorted[i].value;
        if (end == all / 2 && i + 1 < sorted.size()) return (sorted[i].value + sorted[i + 1].value) / 2;
        passed = end;
    }
    return sorted.back().value;
}

GPUPROF_INLINE double value_summary::median() const { return median_of(points_); }

GPUPROF_INLINE double value_summary::absolute_deviation() const {
    double const middle = median();
    std::vector<point> distances = points_;
    for (point& each : distances) each.value = std::fabs(each.value - middle);
    std::sort(distances.begin(), distances.end(), [](point const& a, point const& b) { return a.value < b.value; });
    return median_of(distances);
}

GPUPROF_INLINE double value_summary::deviation() const noexcept {
    return count_ < 2 ? 0 : std::sqrt(squares_ / static_cast<double>(count_));
}
GPUPROF_INLINE double value_summary::least() const noexcept {
    return lowest_.empty() ? gpuprof::detail::quiet_nan : lowest_.front().value;
}
GPUPROF_INLINE double value_summary::most() const noexcept {
    return highest_.empty() ? gpuprof::detail::quiet_nan : highest_.front().value;
}

GPUPROF_INLINE double value_summary::outlier_distance(outlier_rule const& rule) const {
    constexpr double as_standard_deviation = 1.4826; // of a normal distribution
    double const robust = rule.deviations * as_standard_deviation * absolute_deviation();
    double const share = rule.share * std::fabs(median());
    return robust > share ? robust : share;
}

GPUPROF_INLINE std::vector<ranked_value> value_summary::outliers(outlier_rule const& rule) const {
    std::vector<ranked_value> found;
    if (count_ < 3) return found; // of two nobody knows which
    double const middle = median(), distance = outlier_distance(rule);
    for (ranked_value const& each : highest_)
        if (each.value - middle > distance) found.push_back(each);
    for (ranked_value const& each : lowest_)
        if (middle - each.value > distance) found.push_back(each);
    std::stable_sort(found.begin(), found.end(), [&](ranked_value const& a, ranked_value const& b) {
        return std::fabs(a.value - middle) > std::fabs(b.value - middle);
    });
    return found;
}

GPUPROF_INLINE void summary_message::write(detail::message_writer& to, value_summary const& of) {
    to.small(of.count_);
    to.real(of.mean_);
    to.real(of.squares_);
    for (std::vector<ranked_value> const* const list : {&of.lowest_, &of.highest_})
        to.list(*list, [&](ranked_value const& each) {
            to.real(each.value);
            to.small(each.rank);
        });
    to.list(of.points_, [&](value_summary::point const& each) {
        to.real(each.value);
        to.small(static_cast<std::size_t>(each.weight));
    });
}
GPUPROF_INLINE void summary_message::read(detail::message_reader& from, value_summary& into) {
    into.count_ = from.small();
    into.mean_ = from.real();
    into.squares_ = from.real();
    for (std::vector<ranked_value>* const list : {&into.lowest_, &into.highest_})
        from.list([&] {
            double const value = from.real();
            list->push_back({value, from.small()});
        });
    from.list([&] {
        double const value = from.real();
        into.points_.push_back({value, static_cast<double>(from.small())});
    });
}

} // namespace ranks
GPUPROF_NAMESPACE_END

#endif // GPUPROF_RANKS_VALUE_SUMMARY_INL_HPP
