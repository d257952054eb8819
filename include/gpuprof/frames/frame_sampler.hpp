// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Samples counters, times and memory of each frame of a running program.
#ifndef GPUPROF_FRAMES_FRAME_SAMPLER_HPP
#define GPUPROF_FRAMES_FRAME_SAMPLER_HPP

#include "../detail/config.hpp"

#if !GPUPROF_ENABLED
#include "compiled_out.hpp"
#else

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../core/result.hpp"
#include "../hw/machine/device.hpp"
#include "../hw/machine/platform/clock.hpp"
#include "../hw/machine/platform/fork.hpp"
#include "../measure/scope.hpp"
#include "../metric/info.hpp"
#include "frame_budget.hpp"
#include "frame_busy.hpp"
#include "frame_calls.hpp"
#include "frame_counter_set.hpp"
#include "frame_counters.hpp"
#include "frame_driver_counters.hpp"
#include "frame_gpu_times.hpp"
#include "frame_losses.hpp"
#include "frame_options.hpp"
#include "frame_own_records.hpp"
#include "frame_scope_series.hpp"
#include "frame_series.hpp"
#include "frame_source.hpp"
#include "frame_times.hpp"

GPUPROF_NAMESPACE_BEGIN

// The clock that times frames. Tests use another.
struct frame_clock {
    [[nodiscard]] static std::uint64_t now() noexcept { return platform::monotonic_nanoseconds(); }
};

// Samples counters and times once a frame while the program runs; nothing is replayed, waited for
// or patched. The program marks its frames:
//
//     auto frames = gpuprof::frame_sampler::try_create(gpu, {.budget_us = 50}, metric<"sm__inst_executed.sum">);
//     while (running) {
//         frames->begin_frame();
//         { gpuprof::scope draw{*frames, "draw"}; ... }
//         frames->end_frame();                                  // or one frames->next() a frame
//         double instructions = frames->find("sm__inst_executed.sum")->last.value;
//     }
//
// If counters cannot be read (permission, another tool, a lost device), problem() says why, and
// times go on. Scopes may be opened on any thread; a scope's host time counts for the frame in
// which it ends, summed by name. Everything else is for one thread at a time. Do not use it while
// the frames' stream is captured into a graph. After the first frame it neither allocates, throws
// nor waits in a frame. A sampler that was moved from, and any in the child of a fork, takes scopes
// and frames and does nothing. PerfKit: "Using PerfAPI", appendix B.
// Asks for records (frame_options::records), and the sampler knows how long kernels and copies ran: of
// frames, and of scopes. See docs/frames.md.
template <class Clock = frame_clock>
class basic_frame_sampler final : public scope_target {
public:
    // Errors: unknown_metric with the nearest names, invalid_argument also for options; of a recorded device, not_collected, which
    // names what was not recorded. Cost: opening the counters, 0.1 to 1 s on an H200.
    [[nodiscard]] static result<basic_frame_sampler> try_create(device const& gpu, frame_options const& options,
                                                                std::span<metric_info const> counters) {
        if (auto valid = detail::try_check(options); !valid) return std::move(valid).error();
        auto shared = gpu.try_share();
        if (!shared) return std::move(shared).error();
        basic_frame_sampler sampler{std::make_unique<state>(*std::move(shared), options)};
        if (auto begun = sampler.state_->begin_outputs(counters); !begun) return std::move(begun).error();
        sampler.state_->prepare();
        if (auto passed = sampler.state_->pass_problems(); !passed) return std::move(passed).error();
        if (auto set = sampler.state_->counters.try_set({counters.begin(), counters.end()}); !set)
            return std::move(set).error();
        return result<basic_frame_sampler>{std::move(sampler)};
    }
    template <metric_like... Metrics>
    [[nodiscard]] static result<basic_frame_sampler> try_create(device const& gpu, frame_options const& options,
                                                                Metrics... counters) {
        std::vector<metric_info> const list{metric_info{counters}...};
        return try_create(gpu, options, std::span<metric_info const>{list});
    }
    // Reads `counters` from the caller's own source; they cannot be changed.
    [[nodiscard]] static result<basic_frame_sampler> try_create(device const& gpu, frame_options const& options,
                                                                std::span<metric_info const> counters,
                                                                any_frame_source source) {
        if (auto valid = detail::try_check(options); !valid) return std::move(valid).error();
        auto shared = gpu.try_share();
        if (!shared) return std::move(shared).error();
        basic_frame_sampler sampler{std::make_unique<state>(*std::move(shared), options)};
        sampler.state_->prepare();
        sampler.state_->counters.set(counters, std::move(source));
        return result<basic_frame_sampler>{std::move(sampler)};
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
    // In the child of a fork it leaves all to the parent: the threads that hold its locks are not there.
    ~basic_frame_sampler() {
        if (state_ && !is_usable()) static_cast<void>(state_.release());
    }

    // Adds or removes a counter by its name on this device. Opens all counters anew, so call it in
    // a loading screen; references from find() end. Errors: those of try_create(), which leave the
    // counters as they were; invalid_state with a source of one's own, after a move and in the child
    // of a fork.
    [[nodiscard]] result<void> try_enable(std::string_view counter) {
        if (!is_usable()) return refused();
        auto found = detail::try_frame_counter(state_->gpu, counter);
        if (!found) return std::move(found).error();
        return state_->counters.try_enable(*std::move(found));
    }
    template <metric_like Metric>
    [[nodiscard]] result<void> try_enable(Metric counter) {
        if (!is_usable()) return refused();
        return state_->counters.try_enable(metric_info{counter});
    }
    [[nodiscard]] result<void> try_disable(std::string_view counter) {
        if (!is_usable()) return refused();
        return state_->counters.try_disable(counter);
    }
    // Removes all counters; quantities stay, and cost what they did (PerfKit: RemoveAllCounters).
    [[nodiscard]] result<void> try_disable_all() {
        if (!is_usable()) return refused();
        return state_->counters.try_disable_all();
    }
    // Chooses the interval of samples anew, for frames as long as those so far. Cost: that of
    // try_create().
    [[nodiscard]] result<void> try_tune() {
        if (!is_usable()) return refused();
        return state_->try_tune();
    }

    void begin_frame() noexcept {
        if (is_usable()) state_->begin_frame();
    }
    void end_frame() noexcept {
        if (is_usable()) state_->end_frame();
    }
    // Ends a frame and begins the next. For programs with one place a frame, as where they present.
    void next() noexcept {
        if (!is_usable()) return;
        if (state_->in_frame) state_->end_frame();
        state_->begin_frame();
    }
    // Frames that have ended.
    [[nodiscard]] std::uint64_t frames() const noexcept { return state_->frame_number; }

    // Takes the records of a batch, for frame_records::given: a tracer's whose kinds have kernels, and
    // copies and sets if they shall count. Does nothing with other options. On any thread, one at a
    // time. Cost: tens of nanoseconds a record.
    template <class Batch>
    void add(Batch const& batch) {
        if (!is_usable() || state_->options.records != frame_records::given) return;
        detail::add_records(*state_->work, batch, static_cast<std::uint32_t>(state_->gpu.ordinal()));
    }

    // The quantity, counter or scope of that name; null if there is none. Valid until counters
    // change.
    [[nodiscard]] frame_series const* find(std::string_view name) const noexcept {
        for (auto const list : {quantities(), counters(), scopes()})
            for (frame_series const& each : list)
                if (each.name == name) return &each;
        return nullptr;
    }
    [[nodiscard]] frame_series const& operator[](frame_quantity which) const noexcept {
        return state_->quantities[static_cast<std::size_t>(which)];
    }
    // The last value, with its type; none if there is no value yet.
    template <metric_like Metric>
    [[nodiscard]] std::optional<metric_value<Metric>> last(Metric) const noexcept {
        for (frame_series const& each : counters())
            if (each.name == Metric::name() && each.last.known()) return Metric::typed(each.last.value);
        return {};
    }
    [[nodiscard]] std::span<frame_series const> quantities() const noexcept { return state_->quantities; }
    [[nodiscard]] std::span<frame_series const> counters() const noexcept { return state_->counters.series(); }
    // In the order of each name's first scope.
    [[nodiscard]] std::span<frame_series const> scopes() const noexcept { return state_->scopes.series(); }

    // The same scopes and order, with their times on the GPU: how long at least one kernel, copy or set
    // ran that was started in the scope, by its thread. Empty without frame_options::records.
    [[nodiscard]] std::span<frame_series const> gpu_scopes() const noexcept { return state_->scopes.gpu_series(); }
    // When a frame was on the host, in the time of now(). None for frames before the last
    // frame_options::history ones.
    [[nodiscard]] std::optional<frame_times> when(std::uint64_t frame) const noexcept {
        return state_->times_of_frames.find(frame);
    }
    // A time of now() in the time of activity records. Cost: reads two clocks.
    [[nodiscard]] std::uint64_t record_time(std::uint64_t host_time) const noexcept {
        return host_time + state_->record_clock_ahead();
    }

    // Why some or all counters are not read, or come late or never; null if all is well. Stays until
    // the counters change. On a recorded device also where the program's frames are not those that were recorded.
    [[nodiscard]] error const* problem() const noexcept { return state_->counters.problem(); }
    // The same once: null until there is a new problem.
    [[nodiscard]] error const* new_problem() noexcept { return state_->counters.new_problem(); }
    // Why there are no driver counters; null if there are, or if none were asked for.
    [[nodiscard]] error const* driver_problem() const noexcept {
        return state_->driver_problem ? &*state_->driver_problem : nullptr;
    }
    // Why there are no busy times; null if there are, or if none were asked for. Without driver
    // counters there are none either.
    [[nodiscard]] error const* record_problem() const noexcept {
        if (!state_->work || state_->record_problem) return state_->record_problem ? &*state_->record_problem : nullptr;
        return driver_problem();
    }
    [[nodiscard]] frame_losses losses() const noexcept { return state_->losses(); }
    [[nodiscard]] frame_lateness lateness() const noexcept { return state_->lateness; }
    [[nodiscard]] detail::frame_budget const& budget() const noexcept { return state_->budget; }
    // How many groups the counters are in, and the group that is read now.
    [[nodiscard]] std::size_t groups() const noexcept { return state_->counters.groups(); }
    [[nodiscard]] std::size_t group() const noexcept { return state_->counters.group(); }
    // Says whether values are hardware's, or the embedded GPU's, which are modelled or estimated.
    [[nodiscard]] device_source source() const noexcept { return state_->gpu.source(); }

    // Adds nanoseconds to the current frame's own time. For displays of the values.
    void add_own_time(std::uint64_t elapsed) noexcept { state_->own_time_ns += elapsed; }
    [[nodiscard]] static std::uint64_t now() noexcept { return Clock::now(); }

private:
    struct state;

    explicit basic_frame_sampler(std::unique_ptr<state> prepared) noexcept
        : scope_target{&basic_frame_sampler::enter, &basic_frame_sampler::leave}, state_{std::move(prepared)} {
        arm(true);
    }
    static ticket enter(scope_target& self, scope_name name) noexcept {
        auto const& sampler = static_cast<basic_frame_sampler&>(self);
        std::uint64_t const around = sampler.is_usable() ? sampler.state_->open_scope({name.data, name.length()}) : 0;
        return {platform::ticks(), around};
    }
    static void leave(scope_target& self, scope_name name, ticket opened) noexcept {
        std::uint64_t const elapsed = platform::ticks() - opened.begin;
        auto const& sampler = static_cast<basic_frame_sampler&>(self);
        if (!sampler.is_usable()) return;
        sampler.state_->close_scope(opened.token);
        sampler.state_->scopes.add({name.data, name.length()}, elapsed);
    }
    [[nodiscard]] bool is_usable() const noexcept { return state_ && state_->forks == platform::forks_so_far(); }
    [[nodiscard]] static error refused() {
        return {errc::invalid_state, 0, "changing the counters of a frame sampler",
                "it was moved from, or belongs to the parent of this process", "make another sampler"};
    }

    std::unique_ptr<state> state_;
};
// The sampler of a program: see basic_frame_sampler.
using frame_sampler = basic_frame_sampler<>;

GPUPROF_NAMESPACE_END

#include "frame_sampler_state.hpp" // defines the class template's state

#endif // GPUPROF_ENABLED

#endif // GPUPROF_FRAMES_FRAME_SAMPLER_HPP
