// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// GPUPROF_ENABLED=0: the names that tests of counters write. Nothing is measured, and every check is inconclusive: "gpuprof is
// compiled out". Never a pass. Layer: judge.
#ifndef GPUPROF_JUDGE_COMPILED_OUT_HPP
#define GPUPROF_JUDGE_COMPILED_OUT_HPP

#include <concepts>         // std::same_as
#include <cstddef>          // std::size_t
#include <initializer_list> // expectations
#include <string>           // texts
#include <string_view>      // names
#include <type_traits>      // std::remove_cvref_t
#include <utility>          // std::move

#include "../core/error.hpp"
#include "../core/result.hpp"
#include "../core/units.hpp"
#include "../detail/fixed_string.hpp"
#include "../measure/compiled_out.hpp"
#include "../metric/metric.hpp"
#include "bound.hpp"
#include "outcome.hpp"

GPUPROF_NAMESPACE_BEGIN

namespace judge {
[[nodiscard]] inline outcome compiled_out() { return not_answered(detail::compiled_out()); }
} // namespace judge

// No value; arithmetic keeps the unit.
template <unit Unit>
class observed {
public:
    [[nodiscard]] result<quantity<Unit>> try_value() const { return detail::compiled_out(); }
    [[nodiscard]] quantity<Unit> value() const { return try_value().value(); }
    [[nodiscard]] double number() const noexcept { return detail::not_measured; }

    [[nodiscard]] friend observed exact_only(observed) { return {}; }
    [[nodiscard]] friend observed operator+(observed, observed) { return {}; }
    [[nodiscard]] friend observed operator-(observed, observed) { return {}; }
    [[nodiscard]] friend observed operator+(observed, quantity<Unit>) { return {}; }
    [[nodiscard]] friend observed operator-(observed, quantity<Unit>) { return {}; }
    [[nodiscard]] friend observed operator*(observed, double) { return {}; }
    [[nodiscard]] friend observed operator*(double, observed) { return {}; }
    [[nodiscard]] friend observed operator/(observed, double) { return {}; }
};
template <unit Left, unit Right>
[[nodiscard]] observed<Left * Right> operator*(observed<Left>, observed<Right>) {
    return {};
}
template <unit Left, unit Right>
[[nodiscard]] observed<Left / Right> operator/(observed<Left>, observed<Right>) {
    return {};
}
template <unit Left, unit Right>
[[nodiscard]] observed<Left / Right> operator/(observed<Left>, quantity<Right>) {
    return {};
}

// A range that was not measured.
class observation {
public:
    observation() = default;
    explicit observation(error) {}
    observation(report const&, std::string_view) {}
    observation(range_view) {}         // NOLINT(google-explicit-constructor): a twin
    observation(result<range_view>) {} // NOLINT(google-explicit-constructor): a twin

    template <metric_like Metric>
    [[nodiscard]] observed<Metric::ref().value_unit> operator[](Metric) const {
        return {};
    }
    [[nodiscard]] observed<one> ratio(std::size_t, std::size_t) const { return {}; }
    [[nodiscard]] observation median() const { return {}; }
};

struct repetitions {
    std::size_t count = 1;
};

// Runs the work once.
template <class F, metric_like... Metrics>
    requires(sizeof...(Metrics) > 0)
[[nodiscard]] observation observe(device const&, repetitions, F&& work, Metrics...) {
    work();
    return {};
}
template <class F, metric_like... Metrics>
    requires(sizeof...(Metrics) > 0 && !std::same_as<std::remove_cvref_t<F>, repetitions>)
[[nodiscard]] observation observe(device const&, F&& work, Metrics...) {
    work();
    return {};
}
template <fixed_string... Names, class F>
    requires(sizeof...(Names) > 0)
[[nodiscard]] observation observe(device const&, F&& work) {
    work();
    return {};
}
template <fixed_string... Names, class F>
    requires(sizeof...(Names) > 0)
[[nodiscard]] observation observe(device const&, repetitions, F&& work) {
    work();
    return {};
}
template <class F, metric_like... Metrics>
    requires(sizeof...(Metrics) > 0)
[[nodiscard]] observation observe(result<device> const&, F&& work, Metrics...) {
    work();
    return {};
}

// Of an observation or of traced work.
struct expectation {
    template <class Observed>
    [[nodiscard]] outcome operator()(Observed const&) const {
        return judge::compiled_out();
    }
};
using trace_expectation = expectation;

template <class F>
[[nodiscard]] observation observe_for(device const&, std::initializer_list<expectation>, F&& work) {
    work();
    return {};
}

struct traced_work {};
template <class F>
[[nodiscard]] traced_work observe_trace(device const&, F&& work) {
    work();
    return {};
}
template <class F>
[[nodiscard]] traced_work observe_trace(result<device> const&, F&& work) {
    work();
    return {};
}

struct baseline_options {
    percent tolerance{2};
    bool across_devices = false;
    bool across_fidelities = false;
};

namespace expect {
[[nodiscard]] inline expectation coalesced_global_loads(double = 4) noexcept { return {}; }
[[nodiscard]] inline expectation coalesced_global_stores(double = 4) noexcept { return {}; }
[[nodiscard]] inline expectation no_bank_conflicts() noexcept { return {}; }
[[nodiscard]] inline expectation no_local_memory() noexcept { return {}; }
[[nodiscard]] inline expectation no_divergence() noexcept { return {}; }
[[nodiscard]] inline expectation tensor_cores_used() noexcept { return {}; }
[[nodiscard]] inline expectation dram_bytes_within(double, bytes) noexcept { return {}; }
[[nodiscard]] inline expectation occupancy_at_least(percent) noexcept { return {}; }
[[nodiscard]] inline expectation no_serialised_atomics() noexcept { return {}; }
[[nodiscard]] inline expectation launch_count(std::size_t) noexcept { return {}; }
[[nodiscard]] inline expectation no_hidden_synchronisation(std::size_t = 0) noexcept { return {}; }
[[nodiscard]] inline expectation no_hidden_copies(std::size_t = 0) noexcept { return {}; }
struct unchanged_since : expectation {
    unchanged_since(std::string_view, std::string_view, baseline_options const& = {}) {}
};
} // namespace expect

namespace judge {

// An expression of a check: it is compiled, and says nothing.
template <class Left>
struct operand {
    template <class Right>
    [[nodiscard]] outcome operator==(Right const&) const {
        return compiled_out();
    }
    template <class Right>
    [[nodiscard]] outcome operator!=(Right const&) const {
        return compiled_out();
    }
    template <class Right>
    [[nodiscard]] outcome operator<(Right const&) const {
        return compiled_out();
    }
    template <class Right>
    [[nodiscard]] outcome operator<=(Right const&) const {
        return compiled_out();
    }
    template <class Right>
    [[nodiscard]] outcome operator>(Right const&) const {
        return compiled_out();
    }
    template <class Right>
    [[nodiscard]] outcome operator>=(Right const&) const {
        return compiled_out();
    }
};
struct decomposer {
    template <class Left>
    [[nodiscard]] operand<Left> operator<<(Left const&) const noexcept {
        return {};
    }
};
template <class Expression>
[[nodiscard]] outcome settled(Expression const&) {
    return compiled_out();
}
template <class Value, class Expectation>
[[nodiscard]] outcome expected(Value const&, Expectation const&) {
    return compiled_out();
}

} // namespace judge

GPUPROF_NAMESPACE_END

#endif // GPUPROF_JUDGE_COMPILED_OUT_HPP
