// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scopes whose clock is off are put where their kernels were counted. The truth is the test's: kernels at known times.
#include <gpuprof/sample/burst_samples.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <vector>

namespace burst_samples_test {

using gpuprof::detail::burst_samples;
using gpuprof::detail::sample_combination;
using gpuprof::detail::sampled_span;

namespace {

struct kernel {
    double begin, end;
};

// Samples of 2 us from 0 on, that count 10 in a nanosecond of a kernel.
burst_samples samples_of(std::vector<kernel> const& all, double until, sample_combination how) {
    burst_samples made;
    made.clear(1);
    for (double from = 0; from < until; from += 2000) {
        double count = 0;
        for (kernel const& each : all) {
            double const common = std::min(each.end, from + 2000) - std::max(each.begin, from);
            count += common > 0 ? 10 * common : 0;
        }
        double const value = how == sample_combination::sum ? count : count / 2000;
        made.add(from, from + 2000, {&value, 1});
    }
    return made;
}

// Scopes begin 1.4 us before their kernel and end 1.4 us behind it, and the next one follows 1.3 us later, as on an H200.
std::vector<kernel> kernels_of(std::size_t number, double length) {
    std::vector<kernel> all;
    for (std::size_t i = 0; i < number; ++i) {
        double const begin = 10'000 + static_cast<double>(i) * (length + 4100);
        all.push_back({begin, begin + length});
    }
    return all;
}
std::vector<sampled_span> spans_of(std::vector<kernel> const& all, double late) {
    std::vector<sampled_span> spans;
    for (kernel const& each : all) spans.emplace_back(each.begin - 1400 + late, each.end + 1400 + late, 1);
    return spans;
}
burst_samples::fit fit_of(burst_samples& samples, std::vector<sampled_span> const& spans, sample_combination how) {
    std::vector<sampled_span const*> list;
    for (sampled_span const& each : spans) list.push_back(&each);
    return samples.fit_of(list, 4000, 0, how);
}

} // namespace

TEST_CASE("burst_samples: scopes that are early or late are shifted back, to half a microsecond") {
    auto const kernels = kernels_of(12, 17'300);
    std::size_t compared = 0;
    for (auto const how : {sample_combination::sum, sample_combination::mean})
        for (double const late : {-3000.0, -1700.0, -400.0, 0.0, 900.0, 2200.0, 3100.0}) {
            CAPTURE(late);
            auto samples = samples_of(kernels, 400'000, how);
            auto const fit = fit_of(samples, spans_of(kernels, late), how);
            CHECK(fit.shift + late < 500);
            CHECK(fit.shift + late > -500);
            CHECK(fit.deviation < 1000);
            ++compared;
        }
    CHECK(compared == 14);
}

TEST_CASE("burst_samples: shifted scopes of 17 us have their kernels' counts to half a per cent") {
    auto const kernels = kernels_of(12, 17'300);
    auto samples = samples_of(kernels, 400'000, sample_combination::sum);
    auto spans = spans_of(kernels, 1700);
    auto const fit = fit_of(samples, spans, sample_combination::sum);
    double sum = 0;
    for (sampled_span& each : spans) {
        each.shift(fit.shift);
        for (std::size_t i = 0; i < samples.size(); ++i)
            each.add(samples.begin_of(i), samples.end_of(i), samples.values_of(i), 0);
        sum += each.of(0, sample_combination::sum).value;
    }
    CHECK(sum == doctest::Approx(12 * 173'000.0).epsilon(0.005));
}

TEST_CASE("burst_samples: where nothing was counted, or nothing depends on the shift, there is none") {
    auto const kernels = kernels_of(3, 20'000);
    auto nothing = samples_of({}, 200'000, sample_combination::sum);
    auto const spans = spans_of(kernels, 1000);
    CHECK(fit_of(nothing, spans, sample_combination::sum).shift == 0);
    CHECK(fit_of(nothing, spans, sample_combination::sum).deviation > 2000);
    auto steady = samples_of({{0, 200'000}}, 200'000, sample_combination::sum); // work of others all the time
    auto const fit = fit_of(steady, spans, sample_combination::sum);
    CHECK(fit.shift == doctest::Approx(0).epsilon(1e-9));
}

} // namespace burst_samples_test
