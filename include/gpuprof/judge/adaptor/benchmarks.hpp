// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Counters of a range among the numbers of a benchmark: Google Benchmark, nanobench.
#ifndef GPUPROF_JUDGE_ADAPTOR_BENCHMARKS_HPP
#define GPUPROF_JUDGE_ADAPTOR_BENCHMARKS_HPP

#include <cstddef>
#include <string>

#include "../../core/unit_symbol.hpp"
#include "../../core/unit_text.hpp"
#include "../../detail/config.hpp"
#include "../../gpuprof.hpp" // an adaptor is all that a file includes
#include "../../judge.hpp"
#include "../observation.hpp"

GPUPROF_NAMESPACE_BEGIN

namespace judge {

// Each value that was had, by name and unit. @return how many were not had
template <class Add>
std::size_t each_value(observation const& of, Add const& add) {
    std::size_t missing = 0;
    if (!of.range()) return 1;
    report const whole = of.range()->report();
    for (metric_info const& metric : whole.metrics()) {
        judged_value const seen = of.read(metric.name);
        if (seen.from.missing) ++missing;
        else add(metric.name, seen.value, std::string{unit_symbol{metric.value_unit}.view()});
    }
    return missing;
}

} // namespace judge

// Google Benchmark: the values become counters of the benchmark, named "metric [unit]". Measure outside of the timed loop:
// passes over the work would be timed. @param state a benchmark::State
// @return how many values were not had; those have no counter
template <class State>
    requires requires(State& state) { state.counters["name"] = 1.0; }
std::size_t add_counters(State& state, observation const& of) {
    return judge::each_value(of, [&](std::string const& name, double value, std::string const& unit) {
        state.counters[name + " [" + unit + ']'] = value;
    });
}

// nanobench: the values become variables of the benchmark's context, which templates print by {{context(name)}}: the name is the
// metric's. Call before run(). @param bench an ankerl::nanobench::Bench
// @return how many values were not had; those say "not collected"
template <class Bench>
    requires requires(Bench& bench, std::string text) { bench.context(text, text); }
std::size_t add_counters(Bench& bench, observation const& of) {
    if (of.range()) {
        report const whole = of.range()->report();
        for (metric_info const& metric : whole.metrics()) bench.context(metric.name, std::string{"not collected"});
    }
    return judge::each_value(of, [&](std::string const& name, double value, std::string const& unit) {
        bench.context(name, detail::number_text(value) + ' ' + unit);
    });
}

GPUPROF_NAMESPACE_END

#endif // GPUPROF_JUDGE_ADAPTOR_BENCHMARKS_HPP
