// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The inside of a frame_sampler: what happens at the begin and at the end of a frame. Layer: sample.
#ifndef GPUPROF_SAMPLE_FRAME_SAMPLER_STATE_HPP
#define GPUPROF_SAMPLE_FRAME_SAMPLER_STATE_HPP

#include <cstddef>     // std::size_t
#include <cstdint>     // times
#include <optional>    // problems
#include <span>        // lists
#include <string>      // names
#include <string_view> // std::string_view
#include <utility>     // std::move
#include <vector>      // series

#include "frame_sampler.hpp"

GPUPROF_NAMESPACE_BEGIN

// Has one address: the driver counters' handler and events know it.
template <class Clock>
struct basic_frame_sampler<Clock>::state {
    state(device on, frame_options const& given)
        : gpu{std::move(on)},
          options{given},
          budget{static_cast<std::uint64_t>(given.budget_us > 0 ? given.budget_us * 1000 : 0)},
          scopes{given.max_scopes != 0 ? given.max_scopes : 1},
          driver{given.allocations},
          times{gpu, given.stream},
          frame_us{given.expected_frame_us},
          periods{capacity()} {}

    [[nodiscard]] std::size_t capacity() const noexcept { return options.history != 0 ? options.history : 1; }

    // Everything but counters. What cannot be had is left out.
    void prepare() {
        for (std::size_t i = 0; i < frame_quantities; ++i) {
            auto const which = static_cast<frame_quantity>(i);
            quantities.emplace_back(std::string{name(which)}, unit_of(which), capacity());
        }
        scope_times.reserve(options.max_scopes);
        for (std::size_t i = 0; i < options.max_scopes; ++i) {
            scope_times.emplace_back(std::string{}, unit_of(frame_quantity::own_time), capacity());
            scope_times.back().name.reserve(64);
        }
        platform::clock_pair const origin = platform::read_clocks();
        if (options.driver_counters)
            if (auto begun = driver.try_begin(gpu); !begun) driver_problem = std::move(begun).error();
        tick = platform::nanoseconds_per_tick(origin);
        measure_scope();
        if (options.gpu_times && !times.try_prepare(false)) options.gpu_times = false;
    }
    // What a scope costs here: it is not measured each time.
    void measure_scope() noexcept {
        detail::frame_scopes trial{1};
        std::uint64_t const before = platform::ticks();
        constexpr int rounds = 64;
        for (int i = 0; i < rounds; ++i) {
            std::uint64_t const begin = platform::ticks();
            trial.add("a scope of usual length", platform::ticks() - begin);
        }
        scope_cost = static_cast<double>(platform::ticks() - before) * tick / rounds;
    }

    // Errors: of what was asked for. What the machine refuses is the problem of the counters, not of the program.
    [[nodiscard]] result<void> try_set(std::vector<metric_info> wanted) {
        source.reset();
        any_frame_source opened;
        std::optional<error> why;
        if (!wanted.empty()) {
            auto made = detail::try_open_frame_source(gpu, wanted, options, frame_us);
            if (made) opened = *std::move(made);
            else why = std::move(made).error();
        }
        bool const mistake = why && (why->code == errc::unknown_metric || why->code == errc::invalid_argument);
        if (mistake) {
            reopen();
            return *std::move(why);
        }
        counters = std::move(wanted);
        problem.reset();
        use(std::move(opened));
        if (why) fail(*std::move(why));
        return {};
    }
    // The counters as they were, after a mistake.
    void reopen() {
        if (counters.empty()) return;
        auto made = detail::try_open_frame_source(gpu, counters, options, frame_us);
        if (made) source = *std::move(made);
        else fail(std::move(made).error());
        group = 0;
        if (source) readied();
    }
    void use(any_frame_source opened) {
        source = std::move(opened);
        group = frames_in_group = 0;
        newest_counters = number;
        std::vector<frame_series> kept = std::exchange(values, {});
        std::vector<aggregation> how;
        for (metric_info const& each : counters) {
            how.push_back(each.aggregation);
            frame_series* before = nullptr;
            for (frame_series& old : kept)
                if (old.name == each.name) before = &old;
            if (before != nullptr) values.push_back(std::move(*before));
            else values.emplace_back(each.name, each.value_unit, capacity());
        }
        windows.emplace(std::move(how));
        if (source) readied();
    }
    // Before the first frame with this source: what a read takes is known then.
    void readied() {
        fresh = true;
        if (source.timed()) {
            auto ready = options.gpu_times
                             ? times.try_prepare(true)
                             : result<void>{error{errc::invalid_argument, 0, "samples of frames without GPU times",
                                                  "when a frame was on the GPU is not known", "set gpu_times"}};
            if (!ready) fail(std::move(ready).error());
        }
        if (source && source.groups().size() > 1 && !rotates()) {
            std::size_t const left = counters.size() - source.groups()[0].size();
            fail({errc::not_collected, 0,
                  detail::joined(
                      {std::to_string(left), " of ", std::to_string(counters.size()), " counters are not read"}),
                  "the hardware has too few counters for all, and going round them takes 0.1 s each time",
                  "ask for fewer, or set frame_options::slow_rotation"},
                 true);
        }
    }
    [[nodiscard]] bool rotates() const noexcept { return source.cheap_to_select() || options.slow_rotation; }
    GPUPROF_COLD void fail(error why, bool goes_on = false) {
        if (!goes_on) source.reset();
        problem = std::move(why);
        is_new = true;
    }

    [[nodiscard]] result<void> try_enable(metric_info counter) {
        if (own_source) return fixed();
        std::vector<metric_info> wanted = counters;
        for (metric_info const& each : wanted)
            if (each.name == counter.name) return {};
        wanted.push_back(std::move(counter));
        return try_set(std::move(wanted));
    }
    [[nodiscard]] result<void> try_disable(std::string_view counter) {
        if (own_source) return fixed();
        std::vector<metric_info> wanted = counters;
        if (std::erase_if(wanted, [&](metric_info const& each) { return each.name == counter; }) == 0) return {};
        return try_set(std::move(wanted));
    }
    [[nodiscard]] result<void> try_tune() {
        if (own_source) return fixed();
        frame_history const& seen = periods.size() != 0 ? periods : quantity(frame_quantity::host_time).history;
        if (seen.size() != 0) frame_us = seen.percentile(50) / 1000;
        return try_set(counters);
    }
    [[nodiscard]] static error fixed() {
        return {errc::invalid_state, 0, "changing the counters of a source of one's own", "", "make another sampler"};
    }

    void begin_frame() noexcept {
        if (in_frame) end_frame();
        std::uint64_t const now = Clock::now();
        if (fresh) { // what was counted until now is of no frame
            fresh = false;
            if (source && !source.timed())
                static_cast<void>(source.try_read(1, {[](void*, frame_reading const&) noexcept {}, nullptr}));
            static_cast<void>(driver.take());
        }
        if (options.gpu_times) {
            detail::current_context const here{gpu};
            times.begin();
        }
        in_frame = true;
        frame_began = now;
        own += Clock::now() - now;
    }
    void end_frame() noexcept {
        if (!in_frame) return;
        in_frame = false;
        std::uint64_t const now = Clock::now();
        ++number;
        push(frame_quantity::host_time, static_cast<double>(now - frame_began));
        take_driver_counters();
        {
            detail::current_context const here{gpu};
            if (options.gpu_times) {
                times.end(number);
                poll();
            }
        }
        take_scopes();
        std::uint64_t const reading = read_counters(now);
        if (windows) publish();
        note_lateness();
        own += Clock::now() - now;
        push(frame_quantity::own_time, static_cast<double>(own));
        budget.frame_took(own, own - reading);
        own = 0;
    }

    void push(frame_quantity which, double value, std::uint64_t frame) noexcept {
        quantity(which).push({value, value, frame, detail::infinite});
    }
    void push(frame_quantity which, double value) noexcept { push(which, value, number); }
    [[nodiscard]] frame_series& quantity(frame_quantity which) noexcept {
        return quantities[static_cast<std::size_t>(which)];
    }

    void take_driver_counters() noexcept {
        if (!driver.listens()) return;
        auto const sums = driver.take();
        push(frame_quantity::call_time, static_cast<double>(sums.call_ticks) * tick);
        push(frame_quantity::wait_time, static_cast<double>(sums.wait_ticks) * tick);
        push(frame_quantity::memory, static_cast<double>(driver.memory()));
        push(frame_quantity::launches, static_cast<double>(sums.launches));
        push(frame_quantity::copied_bytes, static_cast<double>(sums.copied_bytes));
        own += static_cast<std::uint64_t>(static_cast<double>(driver.take_own()) * tick);
    }
    void poll() noexcept {
        auto const polled = times.try_poll(
            [this](std::uint64_t frame, double elapsed) { push(frame_quantity::gpu_time, elapsed, frame); },
            [this](detail::frame_window const& frame) {
                periods.push(static_cast<double>(frame.end - frame.begin));
                if (windows) windows->add(frame);
            });
        if (polled) return;
        options.gpu_times = false; // the context is lost, or the events are: they would not come back
        fail(polled.error());
    }
    void take_scopes() noexcept {
        std::uint64_t const all = scopes.scopes();
        own += static_cast<std::uint64_t>(static_cast<double>(all - scopes_before) * scope_cost);
        scopes_before = all;
        std::size_t const names = scopes.size();
        for (; scopes_seen < names; ++scopes_seen) scope_times[scopes_seen].name.assign(scopes.name(scopes_seen));
        for (std::size_t i = 0; i < names; ++i) {
            auto const taken = scopes.take(i);
            if (taken.scopes == 0) continue; // not in this frame
            scope_times[i].push(
                {static_cast<double>(taken.ticks) * tick, static_cast<double>(taken.scopes), number, detail::infinite});
        }
    }

    // Returns what it took, if it came upon something.
    [[nodiscard]] std::uint64_t read_counters(std::uint64_t frame_ended) noexcept {
        if (!source) return 0;
        std::uint64_t const before = Clock::now();
        if (!budget.may_read(own + (before - frame_ended))) return 0;
        auto const read = source.try_read(64, {&state::take, this});
        if (!read) {
            fail(read.error());
            return 0;
        }
        overflows += read->lost;
        if (source.groups().size() > 1 && rotates() &&
            ++frames_in_group >= (options.rotation != 0 ? options.rotation : 1)) {
            frames_in_group = 0;
            group = group + 1 < source.groups().size() ? group + 1 : 0;
            if (auto selected = source.try_select(group); !selected) {
                fail(selected.error());
                return 0;
            }
        }
        std::uint64_t const took = Clock::now() - before;
        if (read->readings == 0) return 0;
        budget.read_took(took);
        return took;
    }
    static void take(void* self, frame_reading const& reading) noexcept {
        state& to = *static_cast<state*>(self);
        frame_group const& places = to.source.groups()[to.group];
        if (to.source.timed()) {
            if (to.windows && reading.begin < reading.end) to.windows->add(reading, places);
            return;
        }
        for (std::size_t i = 0; i < places.size(); ++i) {
            double const value = reading.values[i];
            if (value != value) continue; // not collected is not zero
            bool const count = to.counters[places[i]].aggregation == aggregation::sum;
            to.values[places[i]].push({value, count ? value : reading.cycles, to.number, detail::infinite});
        }
        to.newest_counters = to.number;
    }
    void publish() noexcept {
        settled = windows->next();
        windows->take([this](std::size_t counter, frame_value const& value) {
            values[counter].push(value);
            newest_counters = value.frame;
            counters_known = true;
        });
    }
    void note_lateness() noexcept {
        auto const& gpu_time = quantity(frame_quantity::gpu_time).last;
        if (gpu_time.known()) late.gpu_time = number - gpu_time.frame;
        if (late.gpu_time > late.worst_gpu_time) late.worst_gpu_time = late.gpu_time;
        if (!source || (source.timed() && !counters_known)) return;
        late.counters = number - (source.timed() ? settled : newest_counters);
        if (late.counters > late.worst_counters) late.worst_counters = late.counters;
    }
    [[nodiscard]] frame_losses losses() const noexcept {
        return {scopes.dropped(), times.untimed(), windows ? windows->incomplete() : 0,
                overflows + (windows ? windows->readings_lost() : 0), driver.untracked()};
    }

    device gpu; // holds the context on its own
    frame_options options;
    detail::frame_budget budget;
    detail::frame_scopes scopes;
    detail::frame_driver_counters driver;
    detail::frame_gpu_times times;
    double frame_us;       // what the interval of samples is chosen for
    frame_history periods; // of frames on the GPU, from end to end
    std::vector<frame_series> quantities{};
    std::vector<frame_series> scope_times{};
    std::size_t scopes_seen = 0;
    std::vector<metric_info> counters{};
    std::vector<frame_series> values{}; // of the counters
    std::optional<detail::frame_windows> windows{};
    any_frame_source source{};
    bool own_source = false;
    std::size_t group = 0;
    std::size_t frames_in_group = 0;
    bool fresh = true;
    bool in_frame = false;
    bool is_new = false;
    bool counters_known = false;
    std::optional<error> problem{};
    std::optional<error> driver_problem{};
    std::uint64_t number = 0;
    std::uint64_t frame_began = 0;
    std::uint64_t own = 0; // nanoseconds of the frame so far
    std::uint64_t overflows = 0;
    std::uint64_t scopes_before = 0;
    std::uint64_t newest_counters = 0;
    std::uint64_t settled = 0; // the oldest frame that this one found done, or waiting
    frame_lateness late{};
    double tick = 1;       // nanoseconds
    double scope_cost = 0; // nanoseconds
};

GPUPROF_NAMESPACE_END

#endif // GPUPROF_SAMPLE_FRAME_SAMPLER_STATE_HPP
