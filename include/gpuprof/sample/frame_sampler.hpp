// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Counters, times and memory of each frame of a running program. Layer: sample.
#ifndef GPUPROF_SAMPLE_FRAME_SAMPLER_HPP
#define GPUPROF_SAMPLE_FRAME_SAMPLER_HPP

#include <cstddef>     // std::size_t
#include <cstdint>     // numbers of frames
#include <memory>      // the state, which stays where it is
#include <optional>    // a value or none
#include <span>        // lists
#include <string>      // names
#include <string_view> // names
#include <utility>     // std::move
#include <vector>      // series

#include "../core/result.hpp"
#include "../hw/machine/device.hpp"
#include "../hw/machine/platform/clock.hpp"
#include "../measure/scope.hpp"
#include "../metric/info.hpp"
#include "frame_budget.hpp"
#include "frame_counters.hpp"
#include "frame_driver_counters.hpp"
#include "frame_gpu_times.hpp"
#include "frame_options.hpp"
#include "frame_scopes.hpp"
#include "frame_series.hpp"
#include "frame_source.hpp"
#include "frame_windows.hpp"

GPUPROF_NAMESPACE_BEGIN

// What frames lack. Numbers since the sampler began.
struct frame_losses {
    std::uint64_t scopes = 0;      // that there was no room for: see frame_options::max_scopes
    std::uint64_t untimed = 0;     // frames without GPU time: the GPU was 14 frames behind
    std::uint64_t incomplete = 0;  // frames without a value of a counter that was on: samples were lost
    std::uint64_t overflows = 0;   // times that the hardware or the sampler lost samples
    std::uint64_t allocations = 0; // that are not in driver.memory: see frame_options::allocations
};

// How many frames pass until there are values of a frame, or until it is sure that there will be none (frame_losses tells of those).
struct frame_lateness {
    std::uint64_t gpu_time = 0;
    std::uint64_t counters = 0;
    std::uint64_t worst_gpu_time = 0;
    std::uint64_t worst_counters = 0;
};

struct frame_clock {
    [[nodiscard]] static std::uint64_t now() noexcept { return platform::monotonic_nanoseconds(); }
};

// Samples counters and times once a frame while the program runs; nothing is replayed, waited for or patched. A frame is what
// the program says it is:
//
//     auto frames = gpuprof::frame_sampler::try_create(gpu, {.budget_us = 50}, metric<"sm__inst_executed.sum">);
//     while (running) {
//         frames->begin_frame();
//         { gpuprof::scope draw{*frames, "draw"}; ... }
//         frames->end_frame();                                  // or one frames->next() a frame
//         double instructions = frames->find("sm__inst_executed.sum")->last.value;
//     }
//
// Counters that cannot be read (permission, another tool, a lost device) are no reason to fail: problem() tells why, once, and
// times go on. Scopes may be opened on any thread; their host times are of the frame in which they end, summed by name.
// Everything else is for one thread at a time. Not to be used while the frames' stream is captured into a graph.
// Nothing is allocated, thrown or waited for in a frame after the first one. PerfKit: "Using PerfAPI", appendix B.
template <class Clock = frame_clock>
class basic_frame_sampler final : public scope_target {
public:
    // Errors: unknown_metric with the nearest names, invalid_argument. Cost: opening the counters, 0.1 to 1 s on an H200.
    [[nodiscard]] static result<basic_frame_sampler> try_create(device const& gpu, frame_options const& options,
                                                                std::span<metric_info const> counters) {
        auto shared = gpu.try_share();
        if (!shared) return std::move(shared).error();
        basic_frame_sampler made{std::make_unique<state>(*std::move(shared), options)};
        made.state_->prepare();
        if (auto set = made.state_->try_set({counters.begin(), counters.end()}); !set) return std::move(set).error();
        return result<basic_frame_sampler>{std::move(made)};
    }
    template <metric_like... Metrics>
    [[nodiscard]] static result<basic_frame_sampler> try_create(device const& gpu, frame_options const& options,
                                                                Metrics... counters) {
        std::vector<metric_info> const list{metric_info{counters}...};
        return try_create(gpu, options, std::span<metric_info const>{list});
    }
    // With a source of the caller's own, which reads `counters`; they cannot be changed.
    [[nodiscard]] static result<basic_frame_sampler> try_create(device const& gpu, frame_options const& options,
                                                                std::span<metric_info const> counters,
                                                                any_frame_source source) {
        auto shared = gpu.try_share();
        if (!shared) return std::move(shared).error();
        basic_frame_sampler made{std::make_unique<state>(*std::move(shared), options)};
        made.state_->prepare();
        made.state_->counters = {counters.begin(), counters.end()};
        made.state_->own_source = true;
        made.state_->use(std::move(source));
        return result<basic_frame_sampler>{std::move(made)};
    }
#if GPUPROF_EXCEPTIONS
    // try_create(), throwing.
    template <metric_like... Metrics>
    explicit basic_frame_sampler(device const& gpu, frame_options const& options, Metrics... counters)
        : basic_frame_sampler{try_create(gpu, options, counters...).value()} {}
#endif
    // @pre no scope is open
    basic_frame_sampler(basic_frame_sampler&& other) noexcept
        : scope_target{std::move(other)}, state_{std::move(other.state_)} {}
    basic_frame_sampler& operator=(basic_frame_sampler&&) = delete;
    ~basic_frame_sampler() = default;

    // A counter more or less, by its name on this device. For a loading screen: counters are opened anew, and the references
    // that find() gave end. Errors: those of try_create(); the counters are as before then. invalid_state with a source of
    // one's own.
    [[nodiscard]] result<void> try_enable(std::string_view counter) {
        auto found = detail::try_frame_counter(state_->gpu, counter);
        if (!found) return std::move(found).error();
        return state_->try_enable(*std::move(found));
    }
    template <metric_like Metric>
    [[nodiscard]] result<void> try_enable(Metric counter) {
        return state_->try_enable(metric_info{counter});
    }
    [[nodiscard]] result<void> try_disable(std::string_view counter) { return state_->try_disable(counter); }
    // Chooses the interval of samples anew, for frames as long as those seen so far. Cost: that of try_create().
    [[nodiscard]] result<void> try_tune() { return state_->try_tune(); }

    void begin_frame() noexcept { state_->begin_frame(); }
    void end_frame() noexcept { state_->end_frame(); }
    // The end of a frame and the begin of the next: for programs that have one place a frame, as where they present.
    void next() noexcept {
        if (state_->in_frame) state_->end_frame();
        state_->begin_frame();
    }
    // Frames that have ended.
    [[nodiscard]] std::uint64_t frames() const noexcept { return state_->number; }

    // Quantities, counters and scopes by name; null for what there is not. Valid until counters change.
    [[nodiscard]] frame_series const* find(std::string_view name) const noexcept {
        for (auto const list : {quantities(), counters(), scopes()})
            for (frame_series const& each : list)
                if (each.name == name) return &each;
        return nullptr;
    }
    [[nodiscard]] frame_series const& operator[](frame_quantity which) const noexcept {
        return state_->quantities[static_cast<std::size_t>(which)];
    }
    // The last value, typed; none as long as there is no value.
    template <metric_like Metric>
    [[nodiscard]] std::optional<metric_value<Metric>> last(Metric) const noexcept {
        for (frame_series const& each : counters())
            if (each.name == Metric::name() && each.last.known()) return Metric::typed(each.last.value);
        return {};
    }
    [[nodiscard]] std::span<frame_series const> quantities() const noexcept { return state_->quantities; }
    [[nodiscard]] std::span<frame_series const> counters() const noexcept { return state_->values; }
    // In the order in which their names came.
    [[nodiscard]] std::span<frame_series const> scopes() const noexcept {
        return {state_->scope_times.data(), state_->scopes_seen};
    }

    // Why counters are not read, or not all of them; null if they are. Stays until the counters change.
    [[nodiscard]] error const* problem() const noexcept { return state_->problem ? &*state_->problem : nullptr; }
    // The same once: null until there is another one.
    [[nodiscard]] error const* new_problem() noexcept {
        return std::exchange(state_->is_new, false) ? problem() : nullptr;
    }
    // Why there are no driver counters; null if there are, or were not asked for.
    [[nodiscard]] error const* driver_problem() const noexcept {
        return state_->driver_problem ? &*state_->driver_problem : nullptr;
    }
    [[nodiscard]] frame_losses losses() const noexcept { return state_->losses(); }
    [[nodiscard]] frame_lateness lateness() const noexcept { return state_->late; }
    [[nodiscard]] detail::frame_budget const& budget() const noexcept { return state_->budget; }
    // Groups that the counters are in, and the one that is read now.
    [[nodiscard]] std::size_t groups() const noexcept { return state_->source ? state_->source.groups().size() : 0; }
    [[nodiscard]] std::size_t group() const noexcept { return state_->group; }
    // The embedded GPU's values are modelled or estimated.
    [[nodiscard]] device_source source() const noexcept { return state_->gpu.source(); }

    // Adds nanoseconds to the own time of the frame that is going on: for what shows values.
    void add_own_time(std::uint64_t elapsed) noexcept { state_->own += elapsed; }
    [[nodiscard]] static std::uint64_t now() noexcept { return Clock::now(); }

private:
    struct state;

    explicit basic_frame_sampler(std::unique_ptr<state> made) noexcept
        : scope_target{&basic_frame_sampler::enter, &basic_frame_sampler::leave}, state_{std::move(made)} {
        arm(true);
    }
    static ticket enter(scope_target&, scope_name) noexcept { return {platform::ticks(), 0}; }
    static void leave(scope_target& self, scope_name name, ticket opened) noexcept {
        std::uint64_t const took = platform::ticks() - opened.begin;
        static_cast<basic_frame_sampler&>(self).state_->scopes.add({name.data, name.length()}, took);
    }

    std::unique_ptr<state> state_;
};
using frame_sampler = basic_frame_sampler<>;

GPUPROF_NAMESPACE_END

#include "frame_sampler_state.hpp" // a class template: its parts are needed wherever it is used

#endif // GPUPROF_SAMPLE_FRAME_SAMPLER_HPP
