// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// GPUPROF_ENABLED=0: the names of gpuprof.hpp, which do nothing and leave nothing in an object
// file. For programs that keep their profiling code in builds that must not have any.
//
// What works without hardware is the same class in both builds: metrics, units, errors, results,
// options, records, measurement, finding, and all of judge/. Here, and in the compiled_out.hpp of
// other folders, are twins of what needs hardware. Each has every public member of the class it
// stands for, with the same parameters and results (tests/compiled_out). No call fails but those
// that ask for a value: try_... is the error "gpuprof is compiled out", and the plain names give
// NaN, as they must not throw where the code runs on. What is collected is empty.
#ifndef GPUPROF_MEASURE_COMPILED_OUT_HPP
#define GPUPROF_MEASURE_COMPILED_OUT_HPP

#include <cstddef>
#include <initializer_list>
#include <iosfwd>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "../core/device_source.hpp"
#include "../core/error.hpp"
#include "../core/fidelity.hpp"
#include "../core/result.hpp"
#include "../core/unit_text.hpp"
#include "../detail/fixed_string.hpp"
#include "../hw/doctor/compiled_out.hpp"
#include "../hw/machine/compiled_out.hpp"
#include "../hw/memory/compiled_out.hpp"
#include "../metric/derived_metrics.hpp"
#include "../metric/info.hpp"
#include "../metric/metric.hpp"
#include "../metric/metric_sets.hpp"
#include "measurement.hpp"
#include "profiler_options.hpp"
#include "report_contents.hpp"
#include "scope.hpp"

GPUPROF_NAMESPACE_BEGIN

namespace detail {
[[nodiscard]] inline completeness const& not_complete() {
    static completeness const none = [] {
        completeness made;
        made.problems.push_back(compiled_out());
        return made;
    }();
    return none;
}
// A target of scopes, which do nothing in this build.
[[nodiscard]] inline scope_target& idle_target() noexcept {
    struct idle final : scope_target {
        constexpr idle() noexcept : scope_target{nullptr, nullptr} {}
    };
    static idle none;
    return none;
}
} // namespace detail

class report;

// A range that was not measured.
class range_view {
public:
    [[nodiscard]] std::string path() const { return {}; }
    [[nodiscard]] std::string_view name() const noexcept { return {}; }
    [[nodiscard]] std::size_t depth() const noexcept { return 1; }
    [[nodiscard]] std::size_t count() const noexcept { return 0; }
    [[nodiscard]] std::optional<std::size_t> parent() const noexcept { return {}; }
    [[nodiscard]] range_launches const& launches() const noexcept { return detail::nothing<range_launches>(); }
    [[nodiscard]] gpuprof::pass_times pass_times() const noexcept { return {}; }
    [[nodiscard]] gpuprof::report report() const noexcept;

    template <metric_like Metric>
    [[nodiscard]] result<metric_value<Metric>> try_get(Metric) const {
        return detail::compiled_out();
    }
    [[nodiscard]] result<measured_value> try_value(std::string_view) const { return detail::compiled_out(); }
    [[nodiscard]] result<std::vector<double>> try_values(std::string_view) const { return detail::compiled_out(); }
    [[nodiscard]] result<std::optional<double>> try_deviation(std::string_view) const { return detail::compiled_out(); }
    [[nodiscard]] std::vector<activity::interval> times() const { return {}; }
    [[nodiscard]] result<hw::provided::provided_value> try_provided(std::string_view) const {
        return detail::compiled_out();
    }

#if GPUPROF_EXCEPTIONS
    template <metric_like Metric>
    [[nodiscard]] metric_value<Metric> operator[](Metric) const noexcept {
        return Metric::typed(detail::quiet_nan);
    }
    template <metric_like Metric>
    [[nodiscard]] std::vector<metric_value<Metric>> values(Metric) const {
        return {};
    }
#endif

private:
    friend class report;
    constexpr range_view() noexcept = default;
};

// A report without ranges; never complete.
class report {
public:
    using range = report_range;
    using contents = report_contents;

    constexpr report() noexcept = default;
    explicit report(contents) noexcept {} // NOLINT(performance-unnecessary-value-param)

    [[nodiscard]] std::string_view device() const noexcept { return {}; }
    [[nodiscard]] std::string_view chip() const noexcept { return {}; }
    [[nodiscard]] device_source source() const noexcept { return device_source::hardware; }
    [[nodiscard]] std::string_view recording() const noexcept { return {}; }
    [[nodiscard]] std::string_view hardware() const noexcept { return {}; }
    [[nodiscard]] std::vector<metric_info> const& metrics() const noexcept {
        return detail::nothing<std::vector<metric_info>>();
    }
    [[nodiscard]] fidelity fidelity_of(std::size_t) const noexcept { return fidelity::exact; }
    [[nodiscard]] gpuprof::completeness const& completeness() const { return detail::not_complete(); }
    [[nodiscard]] bool complete() const noexcept { return false; }
    [[nodiscard]] std::optional<clock_state> clocks() const noexcept { return {}; }

    [[nodiscard]] contents const& whole() const noexcept { return detail::nothing<contents>(); }

    [[nodiscard]] std::size_t size() const noexcept { return 0; }
    [[nodiscard]] range_view at(std::size_t) const noexcept { return {}; }
    [[nodiscard]] result<range_view> try_range(std::string_view) const { return detail::compiled_out(); }
    [[nodiscard]] result<range_view> try_range(std::initializer_list<std::string_view>) const {
        return detail::compiled_out();
    }
#if GPUPROF_EXCEPTIONS
    [[nodiscard]] range_view operator[](std::string_view) const noexcept { return {}; }
    [[nodiscard]] range_view operator[](std::initializer_list<std::string_view>) const noexcept { return {}; }
#endif

    class iterator {
    public:
        iterator(report const&, std::size_t) noexcept {}
        [[nodiscard]] range_view operator*() const noexcept { return {}; }
        iterator& operator++() noexcept { return *this; }
        [[nodiscard]] bool operator==(iterator const&) const noexcept { return true; }
    };
    [[nodiscard]] iterator begin() const noexcept { return {*this, 0}; }
    [[nodiscard]] iterator end() const noexcept { return {*this, 0}; }
};

inline report range_view::report() const noexcept { return {}; }

class profiler;

// The loop runs its body once.
class [[nodiscard]] pass_sequence {
public:
    explicit constexpr pass_sequence(profiler&) noexcept {}
    pass_sequence(pass_sequence const&) = delete;
    pass_sequence& operator=(pass_sequence const&) = delete;

    class iterator {
    public:
        explicit constexpr iterator(pass_sequence&) noexcept {}
        [[nodiscard]] pass const& operator*() const noexcept { return now_; }
        iterator& operator++() noexcept {
            ran_ = true;
            return *this;
        }
        struct end {};
        [[nodiscard]] bool operator==(end) const noexcept { return ran_; }

    private:
        pass now_;
        bool ran_ = false;
    };
    [[nodiscard]] iterator begin() noexcept { return iterator{*this}; }
    [[nodiscard]] iterator::end end() const noexcept { return {}; }
};

// Measures nothing.
class profiler final : public scope_target {
public:
    [[nodiscard]] static result<profiler> try_create(device const&, profiler_options const&,
                                                     std::span<metric_info const>) {
        return profiler{};
    }
    template <metric_like... Metrics>
        requires(sizeof...(Metrics) > 0)
    [[nodiscard]] static result<profiler> try_create(device const&, profiler_options const&, Metrics...) {
        return profiler{};
    }
    template <metric_like... Metrics>
    [[nodiscard]] static result<profiler> try_create(device const&, profiler_options const&, metric_set<Metrics...>) {
        return profiler{};
    }
    // clang-format off
    template <class... Rest>
    static void try_create(device const&&, profiler_options const&, Rest&&...) = GPUPROF_DELETE("gpuprof: keep the device in a variable");
    // clang-format on

#if GPUPROF_EXCEPTIONS
    template <metric_like... Metrics>
        requires(sizeof...(Metrics) > 0)
    explicit profiler(device const&, Metrics...) noexcept : profiler{} {}
    template <metric_like... Metrics>
        requires(sizeof...(Metrics) > 0)
    profiler(device const&, profiler_options const&, Metrics...)
    noexcept : profiler{} {}
    template <metric_like... Metrics>
    explicit profiler(device const&, metric_set<Metrics...>) noexcept : profiler{} {}
    template <metric_like... Metrics>
    profiler(device const&, profiler_options const&, metric_set<Metrics...>) noexcept : profiler{} {}
    profiler(device const&, profiler_options const&, std::span<metric_info const>) noexcept : profiler{} {}
    // clang-format off
    template <class... Rest>
    profiler(device const&&, Rest&&...) = GPUPROF_DELETE("gpuprof: keep the device in a variable");
    template <class... Rest>
    profiler(device const&&, profiler_options const&, Rest&&...) = GPUPROF_DELETE("gpuprof: keep the device in a variable");
    // clang-format on
    template <class... Given>
        requires(detail::gives_text<Given const&...>)
    explicit profiler(device const&, Given const&...) noexcept : profiler{} {
        static_assert(
            !detail::gives_text<Given const&...>,
            "gpuprof: write profiler{gpu, gpuprof::metric<\"name\">}; for a name that is known when the program "
            "runs, pass a list of what try_metric(name) gives, after profiler_options");
    }
#endif

    profiler(profiler&&) noexcept : profiler{} {}
    profiler& operator=(profiler&&) = delete;

    [[nodiscard]] std::size_t passes_needed() const noexcept { return 0; }
    [[nodiscard]] std::vector<metric_info> const& metrics() const noexcept {
        return detail::nothing<std::vector<metric_info>>();
    }
    [[nodiscard]] pass_sequence passes() & noexcept { return pass_sequence{*this}; }
    // clang-format off
    pass_sequence passes() && = GPUPROF_DELETE("gpuprof: keep the profiler in a variable");
    // clang-format on
    void abandon() noexcept {}
    [[nodiscard]] result<gpuprof::report> try_report() const { return gpuprof::report{}; }
#if GPUPROF_EXCEPTIONS
    [[nodiscard]] gpuprof::report report() const noexcept { return {}; }
#endif

private:
    friend class iterations;
    constexpr profiler() noexcept : scope_target{&profiler::enter, &profiler::leave} {}
    static ticket enter(scope_target&, scope_name) noexcept { return {0, 0}; }
    static void leave(scope_target&, scope_name, ticket) noexcept {}
};

// No member, no instruction.
class [[nodiscard]] paused {
public:
    [[nodiscard]] explicit constexpr paused(profiler&) noexcept {}
    constexpr ~paused() {} // NOLINT(modernize-use-equals-default): keeps "unused variable" quiet
    paused(paused const&) = delete;
    paused& operator=(paused const&) = delete;
    static void* operator new(std::size_t) = delete;
    static void* operator new[](std::size_t) = delete;
};

namespace detail {
template <class... Metrics>
[[nodiscard]] inline measurement<Metrics...> nothing_measured() noexcept {
    double const values[]{(static_cast<void>(sizeof(Metrics)), quiet_nan)...};
    return {values, device_source::hardware};
}

[[nodiscard]] inline profiler_options options_for(device const&, std::size_t) noexcept { return {}; }
template <class>
struct profiler_of {
    using type = profiler;
};
} // namespace detail

// Runs the work once; every value is NaN.
template <class F, metric_like... Metrics>
    requires(sizeof...(Metrics) > 0)
[[nodiscard]] result<measurement<Metrics...>> try_measure(device const&, F&& work, Metrics...) {
    work();
    return detail::nothing_measured<Metrics...>();
}
template <fixed_string... Names, class F>
    requires(sizeof...(Names) > 0)
[[nodiscard]] result<measurement<metric_descriptor<Names>...>> try_measure(device const& gpu, F&& work) {
    return try_measure(gpu, static_cast<F&&>(work), metric<Names>...);
}
#if GPUPROF_EXCEPTIONS
// The same; throws nothing but what the work does.
template <fixed_string... Names, class F>
    requires(sizeof...(Names) > 0)
[[nodiscard]] measurement<metric_descriptor<Names>...> measure(device const&, F&& work) {
    work();
    return detail::nothing_measured<metric_descriptor<Names>...>();
}
template <class F, metric_like... Metrics>
    requires(sizeof...(Metrics) > 0)
[[nodiscard]] measurement<Metrics...> measure(device const&, F&& work, Metrics...) {
    work();
    return detail::nothing_measured<Metrics...>();
}
template <class... Given>
    requires(detail::gives_text<Given const&...>)
void measure(device const&, Given const&...) {
    static_assert(!detail::gives_text<Given const&...>, "gpuprof: write measure<\"name\">(gpu, work)");
}
#endif
template <class... Given>
    requires(detail::gives_text<Given const&...>)
void try_measure(device const&, Given const&...) {
    static_assert(!detail::gives_text<Given const&...>, "gpuprof: write try_measure<\"name\">(gpu, work)");
}

// Of gpuprof/replay.hpp: nothing is recorded.
class recording {
public:
    explicit recording(std::string) noexcept {} // NOLINT(performance-unnecessary-value-param)
    recording(recording const&) = delete;
    recording& operator=(recording const&) = delete;
    [[nodiscard]] result<void> try_save() const { return detail::compiled_out(); }
    [[nodiscard]] std::size_t collections() const noexcept { return 0; }
};
// Of gpuprof/replay.hpp: labels nothing.
class recorded_as {
public:
    explicit recorded_as(std::string_view) noexcept {}
    recorded_as(recorded_as const&) = delete;
    recorded_as& operator=(recorded_as const&) = delete;
    static void* operator new(std::size_t) = delete;
    [[nodiscard]] static std::string current() { return {}; }
};

namespace io {
// Without the commas that a measured table has.
[[nodiscard]] inline std::string number(double value) { return gpuprof::detail::number_text(value); }
// Empty.
[[nodiscard]] inline std::string table(report const&) { return {}; }
// Empty.
[[nodiscard]] inline std::string csv(report const&) { return {}; }
} // namespace io

// Writes nothing.
template <class Char, class Traits>
std::basic_ostream<Char, Traits>& operator<<(std::basic_ostream<Char, Traits>& out, report const&) {
    return out;
}

GPUPROF_NAMESPACE_END

#endif // GPUPROF_MEASURE_COMPILED_OUT_HPP
