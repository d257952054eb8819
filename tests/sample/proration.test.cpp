// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shares of samples by arithmetic.
#include <gpuprof/sample/proration.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

namespace proration_test {

using gpuprof::detail::sample_combination;
using gpuprof::detail::sampled_span;

namespace {
// Samples of 100 from 0 on, each with the value of a function of its number.
template <class F>
sampled_span span_of(double begin, double end, int samples, F value, double deviation = 0) {
    sampled_span span{begin, end, 1};
    for (int i = 0; i < samples; ++i) {
        std::vector<double> const values{value(i)};
        span.add(100.0 * i, 100.0 * (i + 1), values, deviation);
    }
    return span;
}
} // namespace

TEST_CASE("whole samples count whole, and their sum is exact") {
    auto const span = span_of(100, 400, 6, [](int i) { return 10.0 * i; });
    auto const sum = span.of(0, sample_combination::sum);
    CHECK(sum.value == 10 + 20 + 30);
    CHECK(sum.deviation == 0);
    CHECK(span.samples() == 3);
    CHECK(span.covered() == 300);
}

TEST_CASE("samples that an edge cuts count for their share, and may be off by v * sqrt(f * (1 - f))") {
    // A quarter of sample 0, all of 1 and 2, half of 3.
    auto const span = span_of(75, 350, 6, [](int) { return 8.0; });
    auto const sum = span.of(0, sample_combination::sum);
    CHECK(sum.value == doctest::Approx(8 * (0.25 + 1 + 1 + 0.5)));
    CHECK(sum.deviation == doctest::Approx(8 * std::sqrt(0.25 * 0.75 + 0.5 * 0.5)));
    CHECK(span.samples() == 4);
    CHECK(span.covered() == 275);
}

TEST_CASE("an edge in an idle sample adds nothing to the deviation") {
    auto const span = span_of(50, 250, 4, [](int i) { return i == 1 ? 7.0 : 0.0; });
    auto const sum = span.of(0, sample_combination::sum);
    CHECK(sum.value == 7);
    CHECK(sum.deviation == 0);
}

TEST_CASE("the deviation of a clock counts at the edges, at the rate of the sample there") {
    auto const span = span_of(
        150, 450, 6, [](int) { return 20.0; }, 5);
    double const half = 20 * std::sqrt(0.25 + (5.0 / 100) * (5.0 / 100));
    CHECK(span.of(0, sample_combination::sum).deviation == doctest::Approx(std::sqrt(2 * half * half)));
}

TEST_CASE("a mean is weighted by time, with the standard error of a weighted mean") {
    auto const span = span_of(100, 300, 4, [](int i) { return i == 1 ? 2.0 : 4.0; });
    auto const mean = span.of(0, sample_combination::mean);
    CHECK(mean.value == 3);
    CHECK(mean.deviation == doctest::Approx(1 / std::sqrt(2.0))); // single samples deviate by 1, two of them
    auto const longer = span_of(50, 200, 4, [](int i) { return i == 0 ? 9.0 : 3.0; });
    CHECK(longer.of(0, sample_combination::mean).value == doctest::Approx((9 * 50 + 3 * 100) / 150.0));
}

TEST_CASE("without a sample there is no value") {
    auto const span = span_of(1000, 1100, 3, [](int) { return 1.0; });
    CHECK(span.samples() == 0);
    CHECK(std::isnan(span.of(0, sample_combination::sum).value));
}

} // namespace proration_test
