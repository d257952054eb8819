// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ranks/value_summary: what it says of few ranks is exact, of many near, in whatever tree they are merged; it stays small.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include <gpuprof/ranks/message.hpp>
#include <gpuprof/ranks/value_summary.hpp>

namespace value_summary_test {

using gpuprof::ranks::outlier_rule;
using gpuprof::ranks::ranked_value;
using gpuprof::ranks::value_summary;

namespace {

value_summary sum_of(std::vector<double> const& values, std::size_t first_rank = 0) {
    value_summary made;
    for (std::size_t i = 0; i < values.size(); ++i) made.add(values[i], first_rank + i);
    return made;
}
// As the tree of ranks does: a rank adds its own value, then those of up to sixteen below it.
value_summary in_tree(std::vector<double> const& values, std::size_t rank = 0) {
    value_summary made;
    made.add(values[rank], rank);
    for (std::size_t i = 16 * rank + 1; i <= 16 * rank + 16 && i < values.size(); ++i) made.merge(in_tree(values, i));
    return made;
}
double median_of(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    std::size_t const at = values.size() / 2;
    return values.size() % 2 != 0 ? values[at] : (values[at - 1] + values[at]) / 2;
}
std::string written(value_summary const& of) {
    gpuprof::ranks::detail::message_writer to;
    gpuprof::ranks::summary_message::write(to, of);
    return to.take();
}

} // namespace

TEST_CASE("value_summary: of few values everything is exact") {
    auto const of = sum_of({4, 8, 6, 2, 5});
    CHECK(of.count() == 5);
    CHECK(of.mean() == doctest::Approx(5));
    CHECK(of.deviation() == doctest::Approx(2)); // (1 + 9 + 1 + 9 + 0) / 5 = 4
    CHECK(of.median() == 5);
    CHECK(of.absolute_deviation() == 1); // distances 1 3 1 3 0
    CHECK(of.least() == 2);
    CHECK(of.lowest().front().rank == 3);
    CHECK(of.most() == 8);
    CHECK(of.highest().front().rank == 1);
    CHECK(sum_of({1, 2, 3, 10}).median() == 2.5);
}

TEST_CASE("value_summary: what is no number is left out, and of nothing there is no median") {
    value_summary of;
    of.add(std::numeric_limits<double>::quiet_NaN(), 0);
    of.add(std::numeric_limits<double>::infinity(), 1);
    CHECK(of.count() == 0);
    CHECK(std::isnan(of.median()));
    CHECK(std::isnan(of.least()));
    CHECK(of.outliers().empty());
}

TEST_CASE("value_summary: the rank that differs is an outlier, and nobody where all are near") {
    auto const found = sum_of({100, 101, 99, 150, 100}).outliers();
    REQUIRE(found.size() == 1);
    CHECK(found[0].rank == 3);
    CHECK(found[0].value == 150);
    CHECK(sum_of({100, 101, 99, 100.5}).outliers().empty());        // nearer than 2 %
    CHECK(sum_of({100, 60, 140, 80, 120}).outliers().empty());      // they all differ
    CHECK(sum_of({100, 100, 100, 100, 97}).outliers().size() == 1); // of equal ones 3 % is far
    CHECK(sum_of({100, 200}).outliers().empty());                   // of two nobody knows which
    CHECK(sum_of({100, 101, 99, 150, 100}).outliers({5, 0.6}).empty());
}

TEST_CASE("value_summary: equal values of 10,000 ranks are one point, and the one that differs is found") {
    std::vector<double> values(10'000, 4096);
    values[7'321] = 5000;
    auto const of = in_tree(values);
    CHECK(of.count() == 10'000);
    CHECK(of.median() == 4096);
    CHECK(of.absolute_deviation() == 0);
    REQUIRE(of.outliers().size() == 1);
    CHECK(of.outliers()[0].rank == 7'321);
    CHECK(written(of).size() < 300);
}

TEST_CASE("value_summary: of 10,000 different values in the tree the extremes are exact, the median is near, and it is "
          "small") {
    std::mt19937 random{2026};
    for (int round = 0; round < 5; ++round) {
        std::normal_distribution<double> normal{1000, 50};
        std::vector<double> values(10'000);
        for (double& each : values) each = normal(random);
        values[8'888] = 2000;
        auto const of = in_tree(values);
        std::vector<double> distances = values;
        double const middle = median_of(values);
        for (double& each : distances) each = std::fabs(each - middle);
        CHECK(of.median() == doctest::Approx(middle).epsilon(0.005));
        CHECK(of.absolute_deviation() == doctest::Approx(median_of(distances)).epsilon(0.15));
        CHECK(of.most() == 2000);
        CHECK(of.highest().front().rank == 8'888);
        CHECK(of.least() == *std::min_element(values.begin(), values.end()));
        double sum = 0;
        for (double const each : values) sum += each;
        CHECK(of.mean() == doctest::Approx(sum / 10'000).epsilon(1e-9));
        auto const found = of.outliers();
        REQUIRE(found.size() == 1);
        CHECK(found[0].rank == 8'888);
        CHECK(written(of).size() < 700);
    }
}

TEST_CASE("value_summary: a message reads back as it was written, and one that was cut off is told") {
    auto const of = sum_of({3, 1, 2, 2, 9.5}, 10);
    std::string const bytes = written(of);
    for (std::size_t size = 0; size <= bytes.size(); ++size) {
        gpuprof::ranks::detail::message_reader from{std::string_view{bytes}.substr(0, size)};
        value_summary read;
        gpuprof::ranks::summary_message::read(from, read);
        CHECK(from.whole() == (size == bytes.size()));
        if (size == bytes.size()) CHECK(written(read) == bytes);
    }
}

} // namespace value_summary_test
