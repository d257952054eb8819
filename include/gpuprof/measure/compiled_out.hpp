// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// GPUPROF_ENABLED=0: the names of gpuprof.hpp, which do nothing and leave nothing in an object file. Layer: measure.
// Vocabulary (metrics, units, errors, results) is the same; what measures says that it was compiled out, and a value that
// was never measured is NaN. For programs that keep their profiling code in builds that must not have any.
#ifndef GPUPROF_MEASURE_COMPILED_OUT_HPP
#define GPUPROF_MEASURE_COMPILED_OUT_HPP

#include <cstddef>          // std::size_t
#include <initializer_list> // names of a path
#include <iosfwd>           // operator<<
#include <string>           // texts
#include <string_view>      // names

#include "../core/device_source.hpp"
#include "../core/error.hpp"
#include "../core/result.hpp"
#include "../metric/metric.hpp"
#include "profiler_options.hpp"
#include "scope.hpp"

GPUPROF_NAMESPACE_BEGIN

namespace detail {
[[nodiscard]] inline error compiled_out() {
    return {errc::unavailable, 0, "gpuprof is compiled out", "GPUPROF_ENABLED is 0", "build with GPUPROF_ENABLED=1"};
}

// A list with nothing in it: <vector> would be a tenth of what a compiled-out file costs.
template <class T>
struct nothing {
    [[nodiscard]] constexpr T const* begin() const noexcept { return nullptr; }
    [[nodiscard]] constexpr T const* end() const noexcept { return nullptr; }
    [[nodiscard]] constexpr std::size_t size() const noexcept { return 0; }
    [[nodiscard]] constexpr bool empty() const noexcept { return true; }
};
inline constexpr double not_measured = quiet_nan;
} // namespace detail

struct metric_info;

// No device: what stands in for one.
class device {
public:
    [[nodiscard]] std::string_view name() const noexcept { return {}; }
    [[nodiscard]] std::string_view chip() const noexcept { return {}; }
    [[nodiscard]] device_source source() const noexcept { return device_source::hardware; }
};

[[nodiscard]] inline result<device> try_open_device() { return device{}; }

// A list of no findings: nothing was looked at.
struct finding {
    std::string text;
    std::string remedy;
};
[[nodiscard]] inline detail::nothing<finding> doctor() { return {}; }
[[nodiscard]] inline std::string to_text(detail::nothing<finding> const&, bool = false) { return {}; }
[[nodiscard]] inline bool can_measure(detail::nothing<finding> const&) { return false; }

struct completeness {
    std::size_t passes_needed = 0;
    std::size_t replay_passes = 0;
    std::size_t other_threads = 0;
    std::size_t cache_flushes = 0;
    detail::nothing<error> problems{};
    [[nodiscard]] bool complete() const noexcept { return false; }
};

// One range that was not measured.
class range_view {
public:
    [[nodiscard]] std::string path() const { return {}; }
    [[nodiscard]] std::string_view name() const noexcept { return {}; }
    [[nodiscard]] std::size_t depth() const noexcept { return 1; }
    [[nodiscard]] std::size_t count() const noexcept { return 0; }
    template <metric_like Metric>
    [[nodiscard]] result<metric_value<Metric>> try_get(Metric) const {
        return detail::compiled_out();
    }
    template <metric_like Metric>
    [[nodiscard]] metric_value<Metric> operator[](Metric) const noexcept {
        return Metric::typed(detail::not_measured);
    }
    template <metric_like Metric>
    [[nodiscard]] detail::nothing<metric_value<Metric>> values(Metric) const {
        return {};
    }
};

// A report without ranges; never complete.
class report {
public:
    [[nodiscard]] std::string_view device() const noexcept { return {}; }
    [[nodiscard]] std::string_view chip() const noexcept { return {}; }
    [[nodiscard]] std::string_view recording() const noexcept { return {}; }
    [[nodiscard]] std::string_view hardware() const noexcept { return {}; }
    [[nodiscard]] detail::nothing<metric_info> metrics() const { return {}; }
    [[nodiscard]] gpuprof::completeness completeness() const { return {}; }
    [[nodiscard]] bool complete() const noexcept { return false; }
    [[nodiscard]] std::size_t size() const noexcept { return 0; }
    [[nodiscard]] range_view const* begin() const noexcept { return nullptr; }
    [[nodiscard]] range_view const* end() const noexcept { return nullptr; }
    [[nodiscard]] result<range_view> try_range(std::string_view) const { return detail::compiled_out(); }
    [[nodiscard]] result<range_view> try_range(std::initializer_list<std::string_view>) const {
        return detail::compiled_out();
    }
    [[nodiscard]] range_view operator[](std::string_view) const noexcept { return {}; }
    [[nodiscard]] range_view operator[](std::initializer_list<std::string_view>) const noexcept { return {}; }
};

// Measures nothing; the loop over passes() runs its body once.
class profiler final : public scope_target {
public:
    template <class... Metrics> // options first, or none; nothing is looked at
    explicit profiler(device const&, Metrics const&...) noexcept : profiler{} {}
    template <class... Metrics>
    profiler(device const&, profiler_options const&, Metrics const&...) noexcept : profiler{} {}
    profiler(profiler&&) noexcept : profiler{} {}

    template <class... Metrics>
    [[nodiscard]] static result<profiler> try_create(device const&, profiler_options const&, Metrics const&...) {
        return profiler{};
    }

    class pass_sequence {
    public:
        struct end_of_passes {};
        class iterator {
        public:
            [[nodiscard]] pass operator*() const noexcept { return {}; }
            iterator& operator++() noexcept {
                ran_ = true;
                return *this;
            }
            [[nodiscard]] bool operator==(end_of_passes) const noexcept { return ran_; }

        private:
            bool ran_ = false;
        };
        [[nodiscard]] iterator begin() const noexcept { return {}; }
        [[nodiscard]] end_of_passes end() const noexcept { return {}; }
    };
    [[nodiscard]] pass_sequence passes() noexcept { return {}; }
    void abandon() noexcept {}
    [[nodiscard]] std::size_t passes_needed() const noexcept { return 0; }
    [[nodiscard]] detail::nothing<metric_info> metrics() const { return {}; }
    [[nodiscard]] result<gpuprof::report> try_report() const { return gpuprof::report{}; }
    [[nodiscard]] gpuprof::report report() const noexcept { return {}; }

private:
    constexpr profiler() noexcept : scope_target{&profiler::enter, &profiler::leave} {}
    static ticket enter(scope_target&, scope_name) noexcept { return {0, 0}; }
    static void leave(scope_target&, scope_name, ticket) noexcept {}
};

// Runs the work once; every value is NaN.
template <class... Metrics>
class measurement {
public:
    static constexpr std::size_t size = sizeof...(Metrics);
    template <metric_like Metric>
    [[nodiscard]] metric_value<Metric> operator[](Metric) const noexcept {
        return Metric::typed(detail::not_measured);
    }
    [[nodiscard]] gpuprof::ratio ratio(std::size_t, std::size_t) const noexcept {
        return gpuprof::ratio{detail::not_measured};
    }
    [[nodiscard]] device_source source() const noexcept { return device_source::hardware; }
};

template <class F, class... Metrics>
    requires(sizeof...(Metrics) > 0)
[[nodiscard]] result<measurement<Metrics...>> try_measure(device const&, F&& work, Metrics...) {
    work();
    return measurement<Metrics...>{};
}
template <fixed_string... Names, class F>
    requires(sizeof...(Names) > 0)
[[nodiscard]] result<measurement<metric_descriptor<Names>...>> try_measure(device const&, F&& work) {
    work();
    return measurement<metric_descriptor<Names>...>{};
}

#if GPUPROF_EXCEPTIONS
[[nodiscard]] inline device open_device() noexcept { return {}; }

template <fixed_string... Names, class F>
    requires(sizeof...(Names) > 0)
[[nodiscard]] measurement<metric_descriptor<Names>...> measure(device const&, F&& work) {
    work();
    return {};
}
template <class F, class... Metrics>
    requires(sizeof...(Metrics) > 0)
[[nodiscard]] measurement<Metrics...> measure(device const&, F&& work, Metrics...) {
    work();
    return {};
}
#endif

// Of gpuprof/replay.hpp: nothing is recorded.
class recording {
public:
    explicit recording(std::string_view) noexcept {}
    recording(recording const&) = delete;
    recording& operator=(recording const&) = delete;
    [[nodiscard]] result<void> try_save() const { return detail::compiled_out(); }
    [[nodiscard]] std::size_t collections() const noexcept { return 0; }
};
class recorded_as {
public:
    explicit recorded_as(std::string_view) noexcept {}
    recorded_as(recorded_as const&) = delete;
    recorded_as& operator=(recorded_as const&) = delete;
    [[nodiscard]] static std::string current() { return {}; }
};

namespace io {
[[nodiscard]] inline std::string table(report const&) { return {}; }
} // namespace io

template <class Char, class Traits>
std::basic_ostream<Char, Traits>& operator<<(std::basic_ostream<Char, Traits>& out, report const&) {
    return out;
}

GPUPROF_NAMESPACE_END

#endif // GPUPROF_MEASURE_COMPILED_OUT_HPP
