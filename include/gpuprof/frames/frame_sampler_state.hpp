// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The state of a frame_sampler: begins and ends frames, and fills their quantities.
#ifndef GPUPROF_FRAMES_FRAME_SAMPLER_STATE_HPP
#define GPUPROF_FRAMES_FRAME_SAMPLER_STATE_HPP

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../hw/machine/output_line.hpp"
#include "frame_output.hpp"
#include "frame_sampler.hpp"

GPUPROF_NAMESPACE_BEGIN

// Not movable: the driver counters' handler, the events and the counters know its address.
template <class Clock>
struct basic_frame_sampler<Clock>::state {
    state(device on, frame_options const& given)
        : gpu{std::move(on)},
          options{given},
          budget{static_cast<std::uint64_t>(given.budget_us > 0 ? given.budget_us * 1000 : 0)},
          scopes{given.max_scopes},
          work{given.records != frame_records::none ? std::make_unique<detail::frame_busy>(given.max_scopes) : nullptr},
          driver{given.allocations, work.get()},
          times{gpu, given.stream},
          counters{gpu, options, times},
          periods{given.history},
          times_of_frames{given.history} {
        platform::watch_forks();
        forks = platform::forks_so_far();
    }

    // Begins the recording or the replay. @pre before prepare(). Errors: those of hw::try_begin_outputs().
    [[nodiscard]] result<void> begin_outputs(std::span<metric_info const> wanted) {
        hw::output_request request{"frames", {}, false};
        for (metric_info const& each : wanted) request.asked.push_back(each.name);
        if (options.records != frame_records::none) request.asked.emplace_back("busy times");
        auto begun = hw::try_begin_outputs(gpu, std::move(request));
        if (!begun) return std::move(begun).error();
        line = *std::move(begun);
        if (!line) return {};
        if (is_played()) counters.begin_play();
        return {};
    }
    // The first output: why some of what was asked for is not there.
    [[nodiscard]] result<void> pass_problems() {
        if (!line) return {};
        return line->pass([&](hw::output_fields& fields) {
            fields.problem("driver_problem", driver_problem);
            fields.problem("record_problem", record_problem);
        });
    }
    [[nodiscard]] bool is_played() const noexcept { return line && line->plays(); }

    // Prepares everything but counters. What the machine refuses is left out.
    void prepare() {
        for (std::size_t i = 0; i < frame_quantities; ++i) {
            auto const which = static_cast<frame_quantity>(i);
            quantities.emplace_back(std::string{name(which)}, unit_of(which), options.history);
        }
        platform::clock_pair const origin = platform::read_clocks();
        if (options.driver_counters && !is_played())
            if (auto begun = driver.try_begin(gpu); !begun) driver_problem = std::move(begun).error();
        tick_ns = platform::nanoseconds_per_tick(origin);
        scopes.prepare(options.max_scopes, options.history, tick_ns, work != nullptr);
        if (is_played()) return;
        if (options.records == frame_records::own)
            if (auto begun = records.try_begin(gpu, *work); !begun) record_problem = std::move(begun).error();
        if (options.gpu_times && !times.try_prepare(false)) options.gpu_times = false;
    }
    [[nodiscard]] result<void> try_tune() {
        return counters.try_tune(periods.size() != 0 ? periods : quantity(frame_quantity::host_time).history);
    }

    void begin_frame() noexcept {
        if (in_frame) end_frame();
        std::uint64_t const now = Clock::now();
        if (is_played()) {
            in_frame = true;
            return;
        }
        if (counters.discard_stale()) static_cast<void>(driver.take());
        if (work) work->begin_first_frame();
        if (options.gpu_times) {
            detail::current_context const here{gpu};
            times.begin();
        }
        in_frame = true;
        frame_began = now;
        own_time_ns += Clock::now() - now;
    }
    void end_frame() noexcept {
        if (!in_frame) return;
        in_frame = false;
        std::uint64_t const now = Clock::now();
        ++frame_number;
        if (is_played()) return play_frame();
        times_of_frames.push(frame_number, {frame_began, now});
        push(frame_quantity::host_time, static_cast<double>(now - frame_began));
        take_driver_counters();
        {
            detail::current_context const here{gpu};
            if (options.gpu_times) {
                times.end(frame_number);
                poll_times();
            }
        }
        own_time_ns += scopes.end_frame(frame_number);
        if (work) take_busy_times();
        std::uint64_t const reading_ns = read_counters(now);
        counters.publish(frame_number);
        if (budget.state() == budget_state::dropped) counters.tell_dropped();
        note_lateness();
        own_time_ns += Clock::now() - now;
        push(frame_quantity::own_time, static_cast<double>(own_time_ns));
        budget.frame_took(own_time_ns, own_time_ns - reading_ns);
        own_time_ns = 0;
        if (line) keep_frame({frame_began, now});
    }

    // Adds the frame to a recording. No time of the frame counts it.
    GPUPROF_COLD void keep_frame(frame_times when) noexcept {
#if GPUPROF_EXCEPTIONS
        try {
#endif
            detail::frame_output frame{
                when, counters.names(), {}, losses(), lateness, counters.groups(), counters.group(), {}};
            if (error const* const why = counters.problem(); why != nullptr) frame.problem = *why;
            kept.add(detail::frame_list::quantities, quantities, frame.series);
            kept.add(detail::frame_list::counters, counters.series(), frame.series);
            kept.add(detail::frame_list::scopes, scopes.series(), frame.series);
            kept.add(detail::frame_list::gpu_scopes, scopes.gpu_series(), frame.series);
            static_cast<void>(line->pass([&](hw::output_fields& fields) { detail::describe_output(fields, frame); }));
#if GPUPROF_EXCEPTIONS
        } catch (...) {} // no memory: the frame is not recorded
#endif
    }
    // Fills the frame from a recording. What it lacks is a problem() of the counters, and later frames have no values.
    GPUPROF_COLD void play_frame() noexcept {
        if (is_unlike) return;
#if GPUPROF_EXCEPTIONS
        try {
#endif
            detail::frame_output frame;
            auto played = line->pass([&](hw::output_fields& fields) { detail::describe_output(fields, frame); });
            if (played) played = counters.play_frame(frame);
            std::string const scope = scopes.play_frame(frame.series);
            if (played && !scope.empty())
                played = hw::unlike_recording(
                    detail::joined({"frame ", std::to_string(frame_number), " has another number of scopes \"", scope,
                                    "\" than was recorded"}));
            is_unlike = !played;
            if (is_unlike) return counters.fail(std::move(played).error());
            times_of_frames.push(frame_number, frame.times);
            for (detail::frame_series_output const& each : frame.series)
                for (frame_series& series : quantities)
                    if (each.of == detail::frame_list::quantities && each.name == series.name) each.play_to(series);
            played_losses = frame.losses;
            lateness = frame.lateness;
#if GPUPROF_EXCEPTIONS
        } catch (...) {} // no memory: the frame has no values
#endif
    }

    // Makes a scope the innermost one of this thread, for the work that it starts. Returns the one
    // around it.
    [[nodiscard]] std::uint64_t open_scope(std::string_view name) noexcept {
        if (!work) return 0;
        std::uint16_t const around = detail::open_frame_scope::node_of(work.get());
        auto const index = scopes.index_of(name);
        detail::open_frame_scope::here() = {work.get(), index ? work->nodes().in(around, *index) : around};
        return around;
    }
    void close_scope(std::uint64_t around) noexcept {
        if (work) detail::open_frame_scope::here() = {work.get(), static_cast<std::uint16_t>(around)};
    }
    // How far the clock of records is ahead of the host's.
    [[nodiscard]] std::uint64_t record_clock_ahead() const noexcept {
        std::uint64_t now = 0;
        if (auto const own = gpu.machine().record_time; own != nullptr) return own() - Clock::now();
        auto const clock = gpu.cupti().GetTimestamp;
        if (clock == nullptr || clock(&now) != abi::CUPTI_SUCCESS) return 0;
        return now - Clock::now();
    }

    void push(frame_quantity which, double value, std::uint64_t frame) noexcept {
        quantity(which).push({value, value, frame, detail::infinite});
    }
    void push(frame_quantity which, double value) noexcept { push(which, value, frame_number); }
    [[nodiscard]] frame_series& quantity(frame_quantity which) noexcept {
        return quantities[static_cast<std::size_t>(which)];
    }

    void take_driver_counters() noexcept {
        if (!driver.listens()) return;
        auto const sums = driver.take();
        using enum frame_quantity;
        auto const time = [this](frame_quantity which, std::uint64_t ticks) {
            push(which, static_cast<double>(ticks) * tick_ns);
        };
        auto const count = [this](frame_quantity which, std::uint64_t number) {
            push(which, static_cast<double>(number));
        };
        time(call_time, sums.call_ticks);
        time(wait_time, sums.wait_ticks);
        time(wait_context, sums.context_wait_ticks);
        time(wait_stream, sums.stream_wait_ticks);
        time(wait_event, sums.event_wait_ticks);
        time(wait_copy, sums.copy_wait_ticks);
        count(launches, sums.launches);
        count(copied_bytes, sums.copied_bytes);
        count(peer_bytes, sums.peer_bytes);
        count(memory, driver.memory(allocated_memory::device) + driver.memory(allocated_memory::managed));
        count(memory_managed, driver.memory(allocated_memory::managed));
        count(memory_host, driver.memory(allocated_memory::host));
        own_time_ns += static_cast<std::uint64_t>(static_cast<double>(driver.take_own()) * tick_ns);
    }
    void poll_times() noexcept {
        auto const polled = times.try_poll(
            [this](std::uint64_t frame, double elapsed) { push(frame_quantity::gpu_time, elapsed, frame); },
            [this](detail::frame_window const& frame) {
                periods.push(static_cast<double>(frame.end - frame.begin));
                counters.add(frame);
            });
        if (polled) return;
        options.gpu_times = false; // a lost context, or lost events, do not come back
        counters.fail(polled.error());
    }
    void take_busy_times() noexcept {
        work->end_frame(frame_number);
        work->take([this](std::uint64_t frame, std::size_t scope, double busy) {
            if (scope == detail::frame_busy::whole_frame) push(frame_quantity::gpu_busy, busy, frame);
            else scopes.add_gpu_time(scope, frame, busy);
        });
    }
    // Returns the nanoseconds that the read took, 0 if it found nothing.
    [[nodiscard]] std::uint64_t read_counters(std::uint64_t frame_ended) noexcept {
        if (!counters.has_source()) return 0;
        std::uint64_t const before = Clock::now();
        if (!budget.may_read(own_time_ns + (before - frame_ended))) return 0;
        std::size_t const readings = counters.read(frame_number);
        std::uint64_t const elapsed = Clock::now() - before;
        if (readings == 0) return 0;
        budget.read_took(elapsed);
        return elapsed;
    }
    void note_lateness() noexcept {
        auto const& gpu_time = quantity(frame_quantity::gpu_time).last;
        if (gpu_time.known()) lateness.gpu_time = frame_number - gpu_time.frame;
        if (lateness.gpu_time > lateness.worst_gpu_time) lateness.worst_gpu_time = lateness.gpu_time;
        if (auto const late = counters.lateness()) {
            lateness.counters = *late;
            if (*late > lateness.worst_counters) lateness.worst_counters = *late;
        }
    }
    [[nodiscard]] frame_losses losses() const noexcept {
        if (is_played()) return played_losses;
        return {scopes.dropped(),     times.untimed(),    counters.incomplete_frames(),
                counters.overflows(), driver.untracked(), work ? work->lost() : 0};
    }

    device gpu; // holds the context on its own
    frame_options options;
    detail::frame_budget budget;
    detail::frame_scope_series scopes;
    std::unique_ptr<detail::frame_busy> work; // none without records
    detail::frame_driver_counters driver;
    detail::frame_gpu_times times;
    detail::frame_counter_set counters;
    frame_history periods; // of frames on the GPU, from end to end
    detail::frame_times_log times_of_frames;
    std::vector<frame_series> quantities{};
    std::optional<error> driver_problem{};
    std::optional<error> record_problem{};
    frame_lateness lateness{};
    unsigned forks = 0; // platform::forks_so_far() of the process that samples
    bool in_frame = false;
    std::uint64_t frame_number = 0; // of the last frame that ended
    std::uint64_t frame_began = 0;
    std::uint64_t own_time_ns = 0; // of the frame so far
    double tick_ns = 1;
    detail::owned<hw::output_line> line{}; // null: nothing is recorded or played
    detail::kept_frame_values kept{};
    frame_losses played_losses{};
    bool is_unlike = false;              // what is played
    detail::frame_own_records records{}; // last: its thread ends first
};

GPUPROF_NAMESPACE_END

#endif // GPUPROF_FRAMES_FRAME_SAMPLER_STATE_HPP
