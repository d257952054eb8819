// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A counter over iterations that differ: its mean, and how far that may be off.
#ifndef GPUPROF_MEASURE_ITERATION_VALUE_HPP
#define GPUPROF_MEASURE_ITERATION_VALUE_HPP

#include <cstddef>

#include "../core/unit.hpp"
#include "../detail/builtin.hpp"
#include "../detail/config.hpp"

GPUPROF_NAMESPACE_BEGIN

// In the metric's unit.
struct iteration_value {
    double mean = 0;
    double least = 0;
    double most = 0;
    // mean - half_width to mean + half_width holds the mean of all iterations like these in 95 of 100
    // cases, if they do not depend on each other (Student's t). Not a number for one round.
    double half_width = 0;
    std::size_t rounds = 0; // that gave a value
    gpuprof::unit unit{};
};

namespace detail {

// The 97.5 % quantile of Student's t distribution. Exact to four digits up to 30 degrees of freedom,
// to two parts in 10,000 beyond (Cornish and Fisher's expansion).
[[nodiscard]] constexpr double student_t(std::size_t freedom) noexcept {
    constexpr double exact[]{12.7062, 4.3027, 3.1824, 2.7764, 2.5706, 2.4469, 2.3646, 2.3060, 2.2622, 2.2281,
                             2.2010,  2.1788, 2.1604, 2.1448, 2.1314, 2.1199, 2.1098, 2.1009, 2.0930, 2.0860,
                             2.0796,  2.0739, 2.0687, 2.0639, 2.0595, 2.0555, 2.0518, 2.0484, 2.0452, 2.0423};
    if (freedom == 0) return quiet_nan;
    if (freedom <= sizeof exact / sizeof exact[0]) return exact[freedom - 1];
    constexpr double z = 1.959964;
    double const n = static_cast<double>(freedom);
    return z + (z * z * z + z) / (4 * n) + (5 * z * z * z * z * z + 16 * z * z * z + 3 * z) / (96 * n * n);
}

// Values as they come, by Welford's recurrence: nothing is kept but five numbers.
class running_value {
public:
    void add(double value) noexcept {
        ++rounds_;
        double const before = value - mean_;
        mean_ += before / static_cast<double>(rounds_);
        squares_ += before * (value - mean_);
        if (rounds_ == 1 || value < least_) least_ = value;
        if (rounds_ == 1 || value > most_) most_ = value;
    }
    [[nodiscard]] std::size_t rounds() const noexcept { return rounds_; }
    // @pre rounds() > 0
    [[nodiscard]] iteration_value value(gpuprof::unit unit) const noexcept {
        double const n = static_cast<double>(rounds_);
        double const half = rounds_ < 2 ? quiet_nan : student_t(rounds_ - 1) * square_root(squares_ / (n - 1) / n);
        return {mean_, least_, most_, half, rounds_, unit};
    }

private:
    std::size_t rounds_ = 0;
    double mean_ = 0;
    double squares_ = 0;
    double least_ = 0;
    double most_ = 0;
};

} // namespace detail
GPUPROF_NAMESPACE_END

#endif // GPUPROF_MEASURE_ITERATION_VALUE_HPP
