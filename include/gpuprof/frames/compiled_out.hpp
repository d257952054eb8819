// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// GPUPROF_ENABLED=0: the names of frames.hpp, which sample nothing. See measure/compiled_out.hpp.
#ifndef GPUPROF_FRAMES_COMPILED_OUT_HPP
#define GPUPROF_FRAMES_COMPILED_OUT_HPP

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "../core/device_source.hpp"
#include "../core/result.hpp"
#include "../measure/compiled_out.hpp"
#include "../measure/scope.hpp"
#include "../metric/info.hpp"
#include "frame_budget.hpp"
#include "frame_losses.hpp"
#include "frame_options.hpp"
#include "frame_series.hpp"
#include "frame_source.hpp"
#include "frame_times.hpp"
#include "hud_options.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace detail {
// A series without a value, for programs that follow the pointer of find().
[[nodiscard]] inline frame_series const& no_frame_series() {
    static frame_series const none{{}, one, 1};
    return none;
}
} // namespace detail

struct frame_clock {
    [[nodiscard]] static std::uint64_t now() noexcept { return 0; }
};

// Takes frames and scopes and does nothing. find() and [] give a series without a value; problem()
// says that gpuprof is compiled out; all lists are empty.
template <class Clock = frame_clock>
class basic_frame_sampler final : public scope_target {
public:
    [[nodiscard]] static result<basic_frame_sampler> try_create(device const&, frame_options const&,
                                                                std::span<metric_info const>) {
        return basic_frame_sampler{};
    }
    template <metric_like... Metrics>
    [[nodiscard]] static result<basic_frame_sampler> try_create(device const&, frame_options const&, Metrics...) {
        return basic_frame_sampler{};
    }
    [[nodiscard]] static result<basic_frame_sampler> try_create(device const&, frame_options const&,
                                                                std::span<metric_info const>, any_frame_source) {
        return basic_frame_sampler{};
    }
#if GPUPROF_EXCEPTIONS
    template <metric_like... Metrics>
    explicit basic_frame_sampler(device const&, frame_options const&, Metrics...) noexcept : basic_frame_sampler{} {}
#endif
    basic_frame_sampler(basic_frame_sampler&&) noexcept : basic_frame_sampler{} {}
    basic_frame_sampler& operator=(basic_frame_sampler&&) = delete;

    [[nodiscard]] result<void> try_enable(std::string_view) { return {}; }
    template <metric_like Metric>
    [[nodiscard]] result<void> try_enable(Metric) {
        return {};
    }
    [[nodiscard]] result<void> try_disable(std::string_view) { return {}; }
    [[nodiscard]] result<void> try_disable_all() { return {}; }
    [[nodiscard]] result<void> try_tune() { return {}; }

    void begin_frame() noexcept {}
    void end_frame() noexcept {}
    void next() noexcept {}
    [[nodiscard]] std::uint64_t frames() const noexcept { return 0; }

    [[nodiscard]] frame_series const* find(std::string_view) const noexcept { return &detail::no_frame_series(); }
    [[nodiscard]] frame_series const& operator[](frame_quantity) const noexcept { return detail::no_frame_series(); }
    template <metric_like Metric>
    [[nodiscard]] std::optional<metric_value<Metric>> last(Metric) const noexcept {
        return {};
    }
    [[nodiscard]] std::span<frame_series const> quantities() const noexcept { return {}; }
    [[nodiscard]] std::span<frame_series const> counters() const noexcept { return {}; }
    [[nodiscard]] std::span<frame_series const> scopes() const noexcept { return {}; }

    template <class Batch>
    void add(Batch const&) {}
    [[nodiscard]] std::span<frame_series const> gpu_scopes() const noexcept { return {}; }
    [[nodiscard]] std::optional<frame_times> when(std::uint64_t) const noexcept { return {}; }
    [[nodiscard]] std::uint64_t record_time(std::uint64_t host_time) const noexcept { return host_time; }

    [[nodiscard]] error const* problem() const noexcept {
        static error const why = detail::compiled_out();
        return &why;
    }
    [[nodiscard]] error const* new_problem() noexcept { return nullptr; }
    [[nodiscard]] error const* driver_problem() const noexcept { return nullptr; }
    [[nodiscard]] error const* record_problem() const noexcept { return nullptr; }
    [[nodiscard]] frame_losses losses() const noexcept { return {}; }
    [[nodiscard]] frame_lateness lateness() const noexcept { return {}; }
    [[nodiscard]] detail::frame_budget const& budget() const noexcept {
        static constexpr detail::frame_budget none{0};
        return none;
    }
    [[nodiscard]] std::size_t groups() const noexcept { return 0; }
    [[nodiscard]] std::size_t group() const noexcept { return 0; }
    [[nodiscard]] device_source source() const noexcept { return device_source::hardware; }

    void add_own_time(std::uint64_t) noexcept {}
    [[nodiscard]] static std::uint64_t now() noexcept { return 0; }

private:
    // No functions: a scope calls none in this build.
    constexpr basic_frame_sampler() noexcept : scope_target{nullptr, nullptr} {}
};
using frame_sampler = basic_frame_sampler<>;

// Calls nothing: there is nothing to enable.
template <class F>
[[nodiscard]] result<std::size_t> try_visit_frame_counters(device const&, F&&) {
    return std::size_t{0};
}

struct frame_counter_description {
    std::string name;
    std::string meaning;
    gpuprof::unit unit{};

    [[nodiscard]] frame_display display() const noexcept { return display_of(unit); }
};
[[nodiscard]] inline result<frame_counter_description> try_describe_frame_counter(device const&, std::string_view) {
    return detail::compiled_out();
}

// Empty.
template <class Clock>
std::string_view write_hud(std::span<char> buffer, basic_frame_sampler<Clock>&, hud_options const& = {}) noexcept {
    if (!buffer.empty()) buffer[0] = '\0';
    return {buffer.data(), 0};
}

namespace io {

// Empty.
template <class Clock>
[[nodiscard]] std::string csv(basic_frame_sampler<Clock> const&) {
    return {};
}
template <class Clock>
[[nodiscard]] std::string json(basic_frame_sampler<Clock> const&) {
    return {};
}
// Writes nothing.
template <class Writer, class Clock>
void write_frames(Writer&, basic_frame_sampler<Clock> const&) {}

} // namespace io

GPUPROF_NAMESPACE_END

#endif // GPUPROF_FRAMES_COMPILED_OUT_HPP
