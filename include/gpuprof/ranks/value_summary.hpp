// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One number of each rank, summed up: of fixed size however many ranks there are.
#ifndef GPUPROF_RANKS_VALUE_SUMMARY_HPP
#define GPUPROF_RANKS_VALUE_SUMMARY_HPP

#include <cstddef>
#include <vector>

#include "../detail/config.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace ranks {
namespace detail {
class message_reader;
class message_writer;
} // namespace detail

// A value, and whose it is.
struct ranked_value {
    double value = 0;
    std::size_t rank = 0;
};

// Which values are called outliers: those further from the median than `deviations` robust standard deviations (1.4826 times
// the median absolute deviation), and further than `share` of the median. The second keeps a few ranks, whose deviation is
// known badly, and counters that are nearly equal from false alarms.
struct outlier_rule {
    double deviations = 5;
    double share = 0.02;
};

// Numbers of ranks. Two summaries of different ranks merge into that of all of them, in any tree. Count, mean, deviation, and the
// four lowest and highest values with their ranks are exact; median and median absolute deviation are, while there are at most 32
// different values, and else are interpolated between 32 points of equal weight. Takes about 0.6 KB at most. A value.
class value_summary {
public:
    static constexpr std::size_t most_points = 32;
    static constexpr std::size_t most_extremes = 4;

    // Infinite values and NaN are left out.
    void add(double value, std::size_t rank);
    void merge(value_summary const& other);

    [[nodiscard]] std::size_t count() const noexcept { return count_; }
    [[nodiscard]] double mean() const noexcept { return mean_; }
    [[nodiscard]] double deviation() const noexcept; // standard, of these ranks; 0 with fewer than two
    [[nodiscard]] double median() const;             // NaN of nothing, as all that follow
    [[nodiscard]] double absolute_deviation() const; // the median of the distances from the median
    [[nodiscard]] double least() const noexcept;
    [[nodiscard]] double most() const noexcept;
    // Equal values by rank.
    [[nodiscard]] std::vector<ranked_value> const& lowest() const noexcept { return lowest_; }   // ascending
    [[nodiscard]] std::vector<ranked_value> const& highest() const noexcept { return highest_; } // descending

    // How far from the median an outlier is at least, in the values' unit.
    [[nodiscard]] double outlier_distance(outlier_rule const& rule) const;
    // The furthest first; of many, those among the four lowest and the four highest.
    [[nodiscard]] std::vector<ranked_value> outliers(outlier_rule const& rule = {}) const;

private:
    friend struct summary_message;
    struct point {
        double value;
        double weight;
    };
    void compress();
    [[nodiscard]] static double median_of(std::vector<point> const& sorted);

    std::size_t count_ = 0;
    double mean_ = 0;
    double squares_ = 0; // of the distances from the mean, added up
    std::vector<ranked_value> lowest_{};
    std::vector<ranked_value> highest_{};
    std::vector<point> points_{}; // ascending
};

// A summary in a message between ranks.
struct summary_message {
    static void write(detail::message_writer& to, value_summary const& of);
    static void read(detail::message_reader& from, value_summary& into);
};

} // namespace ranks
GPUPROF_NAMESPACE_END

#if GPUPROF_HEADER_ONLY
#include "value_summary.inl.hpp"
#endif

#endif // GPUPROF_RANKS_VALUE_SUMMARY_HPP
