// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definitions of profiler.hpp.
#ifndef GPUPROF_MEASURE_PROFILER_INL_HPP
#define GPUPROF_MEASURE_PROFILER_INL_HPP

#include <cstddef>
#include <cstdint>
#include <limits>
#include <new>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../detail/builtin.hpp"
#include "../detail/owned.hpp"
#include "../hw/counters/range/range_registration.hpp"
#include "../hw/counters/uncounted/clock_lock.hpp"
#include "../hw/counters/registry.hpp"
#include "../hw/machine/lost_device.hpp"
#include "../hw/machine/partner_library.hpp"
#include "../hw/machine/platform/clock.hpp"
#include "../hw/machine/platform/program_file.hpp"
#include "../hw/machine/platform/thread.hpp"
#include "../text/json_text.hpp"
#include "profiler.hpp"
#include "nvtx.hpp"
#include "report_writer.hpp"
#include "timeline.hpp"

GPUPROF_NAMESPACE_BEGIN

GPUPROF_COLD GPUPROF_INLINE profiler::profiler(device gpu, profiler_options const& options,
                                               std::vector<metric_info> metrics, detail::metric_columns columns,
                                               detail::owned<hw::counter_plan> plan)
    : scope_target{&profiler::enter, &profiler::leave},
      gpu_{std::move(gpu)},
      options_{options},
      record_{options.record},
      metrics_{std::move(metrics)},
      columns_{std::move(columns)},
      plan_{std::move(plan)},
      nvtx_{detail::nvtx_attached()} {
    know_graphs();
    rearm();
}

// The collection of the other ends before anything of it is moved.
GPUPROF_COLD GPUPROF_INLINE profiler::profiler(profiler&& other) noexcept
    : scope_target{(other.abandon("the profiler was moved in its loop"), static_cast<scope_target&&>(other))},
      gpu_{std::move(other.gpu_)},
      options_{std::move(other.options_)},
      replay_changed_{std::move(other.replay_changed_)},
      record_{std::move(other.record_)},
      metrics_{std::move(other.metrics_)},
      columns_{std::move(other.columns_)},
      plan_{std::move(other.plan_)},
      nvtx_{std::exchange(other.nvtx_, false)},
      counter_lock_{std::move(other.counter_lock_)},
      session_{std::move(other.session_)},
      graphs_{std::move(other.graphs_)},
      state_{std::move(other.state_)},
      report_{std::move(other.report_)} {
    no_report_ = other.no_report_;
    other.gpu_.reset();
    other.metrics_.clear();
    other.session_.reset();
    other.report_.reset();
    other.rearm();
}
GPUPROF_COLD GPUPROF_INLINE profiler::~profiler() { abandon("the profiler ended in its loop"); }

GPUPROF_INLINE std::size_t profiler::passes_needed() const noexcept { return gpu_ && plan_ ? plan_->passes() : 0; }

#if GPUPROF_EXCEPTIONS
GPUPROF_INLINE report profiler::report() const { return try_report().value(); }
#endif

namespace detail {
// By the backend that the options name, else by the one that the program has for the device.
[[nodiscard]] result<owned<hw::counter_plan>> try_plan(device const& gpu, profiler_options const& options,
                                                       std::span<std::string const> counters);
GPUPROF_INLINE result<owned<hw::counter_plan>> try_plan(device const& gpu, profiler_options const& options,
                                                        std::span<std::string const> counters) {
    if (options.backend != nullptr) return options.backend->try_plan(gpu, counters);
    return hw::try_plan_counters(gpu, counters, options.ranges);
}

// Whether gpuprof can repeat driver calls with these options.
[[nodiscard]] result<void> try_check_calls(profiler_options const& options);
GPUPROF_COLD GPUPROF_INLINE result<void> try_check_calls(profiler_options const& options) {
    if (program_call_replay == nullptr)
        return error{errc::unavailable, 0, "launch replay and range replay",
                     "the program does not have what repeats driver calls",
                     "include gpuprof/call_replay.hpp in one file of it"};
    if (!go_together(options.ranges, options.replay)) return hw::refused_modes(options.ranges, options.replay);
    if (options.merge_repeated)
        return error{errc::invalid_argument, 0, "merged ranges where gpuprof repeats driver calls",
                     "each range is collected by itself, and the hardware adds up what it collects together",
                     "use replay_mode::user"};
    if (options.keep_counter_data)
        return error{errc::invalid_argument, 0, "raw counters where gpuprof repeats driver calls",
                     "each launch or range has counter data of its own, which is read and used again",
                     "use replay_mode::user, kernel or application"};
    return {};
}
} // namespace detail

GPUPROF_INLINE result<profiler> profiler::try_create(device const& gpu, profiler_options const& options,
                                                     std::span<metric_info const> metrics) {
    return try_create(gpu, options, metrics, &detail::all_uncounted_values); // the metrics are known at run time
}

GPUPROF_INLINE result<profiler> profiler::try_create(device const& gpu, profiler_options const& options,
                                                     std::span<metric_info const> metrics,
                                                     detail::uncounted_values const* uncounted) {
    auto columns = detail::plan_columns(metrics);
    if (!columns) return std::move(columns).error();
    columns->uncounted = uncounted;
    if (gpu.machine().recorded != nullptr) columns->play_back();
    if (options.caches == cache_control::flush && options.replay == replay_mode::kernel)
        return error{errc::invalid_argument, 0, "caches cannot be flushed in kernel replay",
                     "CUPTI repeats each kernel itself, and nothing can be done between",
                     "use replay_mode::user, replay_mode::launch, or cache_control::leave"};
    if (options.replay == replay_mode::application && options.replay_file.empty())
        return error{errc::invalid_argument, 0, "application replay without a file",
                     "each process measures one pass, and the next one goes on from a file",
                     "name one in profiler_options::replay_file"};
    if (options.replay == replay_mode::application && detail::program_replay_store == nullptr)
        return error{errc::unavailable, 0, "application replay",
                     "the program does not have what reads and writes its file",
                     "include gpuprof/saved.hpp in one file of it"};
    if (detail::repeats_calls(options.replay))
        if (auto checked = detail::try_check_calls(options); !checked) return std::move(checked).error();
    auto held = gpu.try_share();
    if (!held) return std::move(held).error();
    detail::owned<hw::counter_plan> plan;
    if (!columns->counters.empty()) {
        auto planned = detail::try_plan(gpu, options, columns->counters);
        if (!planned) return std::move(planned).error();
        plan = *std::move(planned);
        if (!go_together(options.ranges, options.replay) && !plan->replays_kernels_in_scopes())
            return hw::refused_modes(options.ranges, options.replay);
    }
    profiler made{*std::move(held), options, {metrics.begin(), metrics.end()}, *std::move(columns), std::move(plan)};
    if (auto chosen = made.try_choose_replay(); !chosen) return std::move(chosen).error();
    return result<profiler>{std::move(made)};
}

// CUPTI's own copies of memory fail beside NCCL. Hardware that replays kernels in scopes makes none.
GPUPROF_COLD GPUPROF_INLINE result<void> profiler::try_choose_replay() {
    if (options_.replay != replay_mode::kernel || options_.caution == replay_caution::none || !plan_ ||
        plan_->passes() <= 1 || plan_->replays_kernels_in_scopes() || gpu_->machine().recorded != nullptr)
        return {};
    std::string const library = hw::partner_library(*gpu_);
    if (library.empty()) return {};
    options_.replay = replay_mode::launch;
    replay_changed_ =
        error{errc::unavailable, 0, "gpuprof repeated launches, where CUPTI was asked to repeat kernels",
              detail::joined({library, " is loaded, and CUPTI cannot save the memory that it maps"}),
              "set NCCL_CUMEM_ENABLE=0, or replay_caution::none where it maps nothing, to let CUPTI repeat them"};
    auto checked = detail::try_check_calls(options_);
    if (!checked)
        return error{errc::unavailable, 0, "kernel replay beside NCCL or NVSHMEM, and launch replay in its place",
                     detail::joined({replay_changed_->cause, "; ", checked.error().what, ": ", checked.error().cause}),
                     detail::joined({checked.error().remedy, ", or ", replay_changed_->remedy})};
    return {};
}

GPUPROF_INLINE result<report> profiler::try_report() const {
    if (report_ && stage_ == stage::idle) return *report_;
    if (!gpu_)
        return error{errc::invalid_state, 0, "no report", "this profiler was moved from",
                     "ask the one it was moved to"};
    if (stage_ != stage::idle)
        return error{
            errc::invalid_state, 0, "no report",
            "a loop over passes() of this profiler has not ended: this is its body, or it was left without its "
            "destructor (longjmp, a coroutine that is not resumed)",
            "ask after the loop; for a loop that is gone, call abandon()"};
    if (no_report_)
        return error{errc::not_collected, 0, "no report",
                     "there was no memory for the collection, nor for a report of it",
                     "ask for less room: profiler_options::max_ranges"};
    return error{errc::invalid_state, 0, "no report", "no collection has ended yet",
                 "run a loop over passes() to its end first"};
}

GPUPROF_FLATTEN GPUPROF_INLINE scope_target::ticket profiler::enter(scope_target& target, scope_name name) noexcept {
    auto& self = static_cast<profiler&>(target);
    std::string_view const text{name.data, name.length()};
    if (self.nvtx_) detail::nvtx_push(text);
    ticket opened{0, 0};
    if (self.collects()) opened.token = self.open(text);
    if (timeline const* const record = self.record_.get(); record != nullptr && record->armed())
        opened.begin = platform::ticks(); // last: not the time of the push
    return opened;
}

GPUPROF_FLATTEN GPUPROF_INLINE void profiler::leave(scope_target& target, scope_name name, ticket opened) noexcept {
    auto& self = static_cast<profiler&>(target);
    if (opened.begin != 0)
        if (timeline* const record = self.record_.get(); record != nullptr) record->write(name, opened.begin);
    if (opened.token != 0 && detail::load_relaxed(self.owner_) == platform::this_thread()) self.close(opened.token);
    if (self.nvtx_) detail::nvtx_pop();
}

inline bool profiler::collects() noexcept {
    if (detail::load_acquire(counting_) == 0) return false;
    if (detail::load_relaxed(owner_) == platform::this_thread()) return true;
    detail::add_relaxed(other_threads_, std::size_t{1});
    return false;
}

inline std::uint64_t profiler::open(std::string_view name) noexcept {
#if GPUPROF_EXCEPTIONS
    try {
#endif
        if (log_.is_paused()) [[unlikely]]
            return 0;
        if (flushes_scopes_ && log_.is_outside()) [[unlikely]]
            flush_caches();
        auto const opened = log_.open(name);
        if (opened.push && stage_ == stage::collecting && !failure_) {
            launches_.enter(opened.id);
            pass_clock_.enter(opened.node);
            if (calls_) [[unlikely]]
                calls_->enter(opened.id, name);
            else if (session_)
                if (auto pushed = session_->try_push(opened.id); !pushed) [[unlikely]]
                    fail(std::move(pushed).error());
        }
        return opened.ticket;
#if GPUPROF_EXCEPTIONS
    } catch (...) { // no memory: the scope goes unrecorded, the program goes on
        log_.cancel_open();
        without_memory_in_scope();
        return 0;
    }
#endif
}

// The first thing that goes wrong is what the report says; the hardware is left alone from then on.
GPUPROF_COLD GPUPROF_INLINE void profiler::fail(error why) { failure_ = std::move(why); }

// What the hardware has of the range is not known: it is left alone, too. Allocates nothing.
GPUPROF_COLD GPUPROF_INLINE void profiler::without_memory_in_scope() noexcept {
    out_of_memory_ = true;
    if (stage_ == stage::collecting && !failure_) failure_.emplace();
}

inline void profiler::close(std::uint64_t token) noexcept { pop(log_.close(token)); }

inline void profiler::pop(std::size_t ranges) noexcept {
    if (stage_ != stage::collecting) return;
#if GPUPROF_EXCEPTIONS
    try {
#endif
        for (; ranges > 0 && !failure_; --ranges) {
            launches_.leave();
            if (calls_) [[unlikely]]
                calls_->leave();
            else if (session_)
                if (auto popped = session_->try_pop(); !popped) [[unlikely]]
                    fail(std::move(popped).error());
            pass_clock_.leave();
        }
#if GPUPROF_EXCEPTIONS
    } catch (...) {
        without_memory_in_scope();
    }
#endif
}

GPUPROF_COLD GPUPROF_INLINE std::uint64_t profiler::pause() noexcept {
    if (detail::load_relaxed(owner_) != platform::this_thread()) {
        detail::store_relaxed(other_pauses_, 1u);
        return 0;
    }
    if (stage_ != stage::survey && stage_ != stage::collecting) return 0;
    bool const is_first = !log_.is_paused();
    auto const begun = log_.pause();
    if (!is_first || stage_ != stage::collecting) return begun.ticket;
    if (calls_ && options_.replay == replay_mode::range)
        fail({errc::unavailable, 0, "a pause in a range whose calls are repeated", "it would end the range",
              "use replay_mode::user, or scopes that leave the work out"});
    pop(begun.pops);
    static_cast<void>(guarded([this] {
        count_launches(false);
        return true;
    }));
    return begun.ticket;
}

GPUPROF_COLD GPUPROF_INLINE void profiler::resume(std::uint64_t token) noexcept {
    if (token == 0 || detail::load_relaxed(owner_) != platform::this_thread()) return;
    if (!log_.resume(token) || (stage_ != stage::survey && stage_ != stage::collecting)) return;
    static_cast<void>(guarded([this] {
        go_on();
        return true;
    }));
}

// What was open goes on under its old number, to which the hardware adds.
GPUPROF_COLD GPUPROF_INLINE void profiler::go_on() {
    bool const counts = stage_ == stage::collecting;
    if (counts) count_launches(true);
    bool const has_room = log_.go_on([&](std::uint32_t id, std::uint32_t node) {
        if (!counts || failure_) return true;
        launches_.enter(id);
        pass_clock_.enter(node);
        if (session_)
            if (auto pushed = session_->try_push(id); !pushed) fail(std::move(pushed).error());
        return true;
    });
    if (has_room || failure_) return;
    no_room_to_go_on_ = true;
    fail({errc::too_many_ranges, 0, "there is no room to go on after a pause",
          detail::joined({"each scope that is open then takes room once more, and profiler_options::max_ranges is ",
                          std::to_string(room())}),
          "raise it, or set it to 0 for a survey"});
}

// Where single kernels are ranges: what is launched from here on is one, or is not.
GPUPROF_COLD GPUPROF_INLINE void profiler::count_launches(bool on) {
    launches_.ignore(!on);
    if (failure_ || options_.ranges != range_mode::auto_range) return;
    if (calls_) return calls_->pause(!on);
    if (!session_) return;
    if (guard_) return guard_->pause(!on);
    if (auto done = on ? session_->try_resume() : session_->try_pause(); !done) fail(std::move(done).error());
}

// Of a pass that ends: what is open then is closed, and does not go on.
GPUPROF_COLD GPUPROF_INLINE void profiler::end_pauses() {
    if (log_.is_paused() && stage_ == stage::collecting) count_launches(true);
}

template <class F>
bool profiler::guarded(F transition) noexcept {
#if GPUPROF_EXCEPTIONS
    try {
        return transition();
    } catch (...) {
        without_memory();
        return false;
    }
#else
    return transition();
#endif
}

// The collection ends. What it held is given back first, so that there may be memory for a report
// that says so.
GPUPROF_COLD GPUPROF_INLINE void profiler::without_memory() noexcept {
    watch_.end();
    guard_.reset();
    one_by_one_.end();
    if (calls_ && calls_->end().session_is_stuck) { // without memory to keep them
        static_cast<void>(session_.release());
        static_cast<void>(calls_.release());
    }
    calls_.reset();
    session_.reset();
    saved_memory_.reset();
    pass_clock_.reset();
    counter_lock_.release();
    report_.reset();
    log_ = {};
    launches_.reset(false, false);
    enter_stage(stage::idle);
    no_report_ = true;
#if GPUPROF_EXCEPTIONS
    try {
        failure_ = error{errc::not_collected, 0, "there was no memory for the collection",
                         detail::joined({"room for ", std::to_string(room()), " ranges of ",
                                         std::to_string(metrics_.size()), " metrics was asked for"}),
                         "ask for less room: profiler_options::max_ranges, or fewer metrics"};
        write({});
    } catch (...) {
        report_.reset();
        failure_.reset();
    }
#endif
}

GPUPROF_INLINE detail::running_loop* profiler::begin_collection(void const* loop) noexcept {
    if (!gpu_) return nullptr;
    if (running_ != nullptr && running_->loop == loop)
        abandon("the loop over passes() was left without its destructor, by longjmp"); // two objects at one address
    if (stage_ != stage::idle) {
        nested_ = true;
        return nullptr;
    }
    running_ = new (std::nothrow) detail::running_loop{this, loop};
    auto* const started = running_;
    if (started != nullptr)
        guarded([this] {
            begin();
            return true;
        });
    else without_memory();
    return started;
}

GPUPROF_INLINE bool profiler::next_replay_pass() noexcept {
    return guarded([this] { return advance(); });
}

GPUPROF_INLINE void profiler::end_collection() noexcept {
    guarded([this] { return end("the loop over passes() was left by a break or an exception"); });
}

GPUPROF_COLD GPUPROF_INLINE void profiler::abandon() noexcept { abandon("abandon() was called"); }
GPUPROF_COLD GPUPROF_INLINE void profiler::abandon(std::string_view why) noexcept {
    guarded([this, why] { return end(why); });
}

GPUPROF_COLD GPUPROF_INLINE void profiler::begin() {
    state_ = {};
    state_.replay_changed = replay_changed_;
    clock_reader_ = {};
    clocks_ = {};
    state_.passes_needed = passes_needed();
    failure_.reset();
    nested_ = out_of_memory_ = no_report_ = false;
    detail::store_relaxed(other_threads_, std::size_t{0});
    detail::store_relaxed(other_pauses_, 0u);
    no_room_to_go_on_ = false;
    launches_.ignore(false);
    replay_passes_ = 0;
    pass_clock_.reset();
    detail::store_relaxed(owner_, platform::this_thread());
    if (replays_application()) {
        if (auto taken = try_take_up_replay(); !taken) failure_ = std::move(taken).error();
        state_.replay_passes = replay_ ? replay_->done : 0;
    }
    bool const counted = replay_ && !replay_->ranges.empty(); // by a process before
    bool const unknown = options_.ranges == range_mode::user_range && options_.max_ranges == 0 && !counted;
    bool const repeats = this->repeats();
    bool survey = unknown && plan_ && !failure_ && !repeats;
    launches_.reset(options_.ranges == range_mode::auto_range && !repeats, columns_.needs_launches());
    repeated_values_.clear();
    constexpr std::size_t unlimited = (std::numeric_limits<std::uint32_t>::max)() - 1;
    bool const as_counted = counted && options_.ranges == range_mode::user_range && options_.max_ranges == 0;
    log_.reset(unknown      ? unlimited
               : as_counted ? replay_->ranges.size()
                            : room(),
               unknown      ? deepest_survey
               : as_counted ? replay_->levels
                            : options_.nesting_levels,
               options_.merge_repeated);
    bool const runs_once = !survey && (!plan_ || options_.replay != replay_mode::user ||
                                       (plan_->passes() <= 1 && options_.nesting_levels <= 1));
    bool const restores = options_.memory != memory_control::leave && !runs_once && !replays_application() && !repeats;
    if (restores) save_memory();
    survey = survey || (restores && options_.memory == memory_control::restore_written);
    using rule = detail::memory_comparison::rule;
    bool const known = options_.compare_memory.has_value() || restores;
    bool const compares =
        options_.compare_memory.value_or(!runs_once || restores) && !replays_application() && !repeats;
    comparison_.reset(!compares ? rule::off : known ? rule::on : rule::where_cheap);
    launches_.fill(comparison_.compares() ? &comparison_.reached() : nullptr);
    if (failure_) {
        enter_stage(stage::unmeasured);
    } else if (survey) {
        enter_stage(stage::survey);
        log_.begin_replay_pass();
    } else {
        start_hardware();
    }
}

GPUPROF_COLD GPUPROF_INLINE bool profiler::advance() {
    ++replay_passes_;
    count_other_threads();
    end_pauses();
    switch (stage_) {
        case stage::survey:
            static_cast<void>(log_.end_replay_pass());
            end_first_run();
            if (options_.ranges == range_mode::auto_range || options_.max_ranges != 0) return start_hardware();
            if (log_.ranges() == 0) {
                failure_ =
                    error{errc::invalid_state, 0, "no scope was opened in the pass",
                          state_.other_threads != 0 ? "other threads opened scopes; ranges belong to the thread of "
                                                      "the loop over passes()"
                                                    : "there is no range to measure",
                          "open a scope on this profiler around the work"};
                finish();
                return false;
            }
            log_.limit_to_seen();
            if (replays_application()) {
                finish();
                return false;
            }
            return start_hardware();
        case stage::collecting: {
            read_clocks(clocks_.during, clocks_.memory_during);
            pop(log_.end_replay_pass());
            if (calls_) {
                end_calls();
                tell_of_pass(true);
                finish();
                return false;
            }
            launches_.end_pass();
            ++state_.replay_passes;
            bool const is_running = end_guard();
            if (session_ && !failure_) {
                auto ended =
                    is_running ? session_->try_end_replay_pass() : result<hw::replay_progress>{hw::replay_progress{}};
                if (!ended) {
                    failure_ = std::move(ended).error();
                } else if (pass_clock_.end_pass(), tell_of_pass(ended->last), compare_memory(ended->last); replay_) {
                    replay_->counters.next = *ended;
                    keeps_pass_ = true;
                } else if (!ended->last) {
                    if (auto begun = try_begin_replay_pass(); begun) {
                        begin_pass();
                        return true;
                    } else {
                        failure_ = std::move(begun).error();
                    }
                }
            }
            finish();
            return false;
        }
        case stage::unmeasured: finish(); return false;
        case stage::idle: return false;
    }
    return false;
}

GPUPROF_COLD GPUPROF_INLINE bool profiler::end(std::string_view why) {
    if (stage_ == stage::idle) return false;
    count_other_threads();
    end_pauses();
    if (stage_ == stage::collecting) {
        pop(log_.end_replay_pass(false));
        if (end_guard() && session_ && !failure_ && !calls_)
            if (auto ended = session_->try_end_replay_pass(); !ended) failure_ = std::move(ended).error();
    }
    if (!failure_)
        failure_ = error{errc::not_collected, 0,
                         "the collection was abandoned in replay pass " + std::to_string(replay_passes_ + 1), why,
                         "let it run to its end"};
    finish();
    return false;
}

GPUPROF_COLD GPUPROF_INLINE bool profiler::start_hardware() {
    hw::session_shape shape{room(), options_.nesting_levels, options_.ranges, options_.replay,
                            options_.count_kernels_only};
    if (repeats()) {
        shape = {1, 1, range_mode::user_range, replay_mode::user}; // a launch, or what a range turns out to need
    } else if (options_.ranges == range_mode::user_range && options_.max_ranges == 0) {
        shape.max_ranges = log_.ranges() + log_.resumed();
        shape.nesting_levels = log_.depth();
    }
    if (replay_) {
        if (shape.max_ranges == 0) shape.max_ranges = replay_->ranges.size();
        if (shape.nesting_levels == 0) shape.nesting_levels = replay_->levels;
        if (replay_->done != 0) shape.carried = &replay_->counters;
    }
    lock_counters();
    if (plan_) static_cast<void>(hw::provided::try_put_back_clock(*gpu_)); // if it fails, clocks() shows it
    if (plan_) clock_reader_ = hw::provided::clock_reader{*gpu_};
    clocks_.most = clock_reader_.most_sm();
    read_clocks(clocks_.before, clocks_.memory_before);
    auto started = try_start(shape);
    if (!started && plan_ && plan_->remembered() && started.error().code != errc::busy &&
        started.error().code != errc::permission) {
        session_.reset();
        plan_->forget();
        if (auto again = detail::try_plan(*gpu_, options_, columns_.counters)) {
            plan_ = *std::move(again);
            started = try_start(shape);
        }
    }
    if (!started) {
        failure_ = std::move(started).error();
        if (replay_passes_ > 0) {
            finish();
            return false;
        }
        enter_stage(stage::unmeasured);
        return true;
    }
    enter_stage(stage::collecting);
    time_passes(shape);
    tell_of_pass(false);
    begin_pass();
    return true;
}

// ---- driver calls that are repeated -------------------------------------------------------------

GPUPROF_COLD GPUPROF_INLINE result<void> profiler::try_begin_calls() {
    launches_.on(*gpu_);
    launches_.know_graphs_by(graphs_ ? &*graphs_ : nullptr);
    calls_ = detail::program_call_replay(
        options_.replay, {&*gpu_, &options_, &launches_, graphs_ ? &*graphs_ : nullptr, session_ ? &*session_ : nullptr,
                          plan_ ? plan_->passes() : 1, room(),
                          plan_ && !plan_->replays_kernels_in_scopes(), // such hardware counts nothing but kernels
                          gpu_->source() == device_source::hardware && detail::counts_by_patching(metrics_)});
    return calls_->try_begin();
}

GPUPROF_COLD GPUPROF_INLINE void profiler::end_calls() {
    detail::replayed_calls left = calls_->end();
    if (left.session_is_stuck) detail::keep_stuck(std::move(calls_), std::move(session_));
    calls_.reset();
    repeated_values_ = std::move(left.values);
    for (error& each : left.problems) state_.problems.push_back(std::move(each));
    if (left.failure && !failure_) failure_ = std::move(left.failure);
    state_.cache_flushes += left.cache_flushes;
    state_.memory_restores += left.memory_restores;
    state_.replay_passes = passes_needed();
}

// Hardware that counts one level of nested scopes in a pass needs as many passes for each: known
// when the passes of the first are over.
GPUPROF_COLD GPUPROF_INLINE void profiler::tell_of_pass(bool last) const noexcept {
    if (options_.on_pass.tell == nullptr) return;
    std::size_t const done = state_.replay_passes;
    std::size_t needed = passes_needed();
    bool const surveyed = options_.ranges == range_mode::user_range && options_.max_ranges == 0;
    if (!last && done >= needed) needed *= surveyed ? log_.depth() : options_.nesting_levels;
    options_.on_pass.tell(options_.on_pass.to, done, last || needed < done ? done : needed);
}

// ---- application replay -------------------------------------------------------------------------

GPUPROF_COLD GPUPROF_INLINE result<void> profiler::try_take_up_replay() {
    replay_.reset();
    keeps_pass_ = false;
    detail::replay_store const& store = *detail::program_replay_store; // try_create() saw that there is one
    detail::replay_state now;
    now.program = store.identify_program(platform::program_file());
    now.chip = gpu_->chip();
    static_cast<void>(gpu_->driver().DriverGetVersion(&now.driver));
    now.hardware = plan_->hardware();
    for (metric_info const& each : metrics_) now.metrics.push_back(each.name);
    bool const kernels = options_.ranges == range_mode::auto_range;
    now.settings = {kernels                   ? "automatic ranges"
                    : options_.merge_repeated ? "merged ranges"
                                              : "ranges",
                    detail::joined({"room ", std::to_string(room())}),
                    detail::joined({"levels ", std::to_string(options_.nesting_levels)})};
    now.needed = plan_->passes();
    now.counters.data.source = gpu_->source();
    auto left = store.try_load(options_.replay_file);
    if (!left) return std::move(left).error();
    if (*left && !(*left)->complete) {
        if (auto same = store.try_check_same(**left, now); !same) return same;
        now = **std::move(left);
    }
    replay_ = std::move(now);
    return {};
}

// The ranges of this pass in their order.
GPUPROF_COLD GPUPROF_INLINE std::vector<detail::replayed_range> profiler::replayed_ranges() const {
    std::vector<detail::replayed_range> list;
    if (options_.ranges == range_mode::user_range) {
        for (std::uint32_t const at : log_.instances()) {
            auto const& node = log_.nodes()[at];
            list.push_back({detail::valid_utf8(log_.name(node)), std::to_string(node.depth), 0});
        }
        // So that the processes after have room for them, too.
        for (std::size_t i = 0; i < log_.resumed(); ++i) list.push_back({"a range after a pause", "0", 0});
        return list;
    }
    for (std::size_t const at : launches_.sequence()) {
        if (at >= launches_.kept().size()) return {}; // of a graph, whose order is not known
        list.push_back({detail::valid_utf8(detail::launch_text(launches_.kept()[at])), "1", 0});
    }
    return list;
}

// After the survey, too, which is no pass.
GPUPROF_COLD GPUPROF_INLINE result<void> profiler::try_keep_pass() {
    std::vector<detail::replayed_range> ranges = replayed_ranges();
    std::vector<detail::replayed_range> const& before = replay_->ranges;
    for (std::size_t i = 0; !before.empty() && i < (before.size() < ranges.size() ? ranges.size() : before.size());
         ++i) {
        bool const is_there = i < ranges.size(), was_there = i < before.size();
        if (is_there && was_there && ranges[i].name == before[i].name && ranges[i].key == before[i].key) continue;
        return error{errc::replay_mismatch, 0, "this process differs from the ones before, and its pass is not kept",
                     detail::joined({"range ", std::to_string(i), " is ", is_there ? ranges[i].name : "missing",
                                     ", before it was ", was_there ? before[i].name : "missing"}),
                     "let the program do the same in the same order in every run; remove the file to begin anew"};
    }
    std::size_t const done = replay_->done;
    if (stage_ == stage::collecting) {
        auto kept = session_->try_keep();
        if (!kept) return std::move(kept).error();
        replay_->counters.data = *std::move(kept);
        replay_->complete = replay_->counters.next.last;
        ++replay_->done;
    }
    if (replay_->needed < replay_->done) replay_->needed = replay_->done;
    if (replay_->levels == 0 && options_.ranges == range_mode::user_range) {
        replay_->levels = options_.max_ranges == 0 ? log_.depth() : options_.nesting_levels;
    }
    replay_->ranges = std::move(ranges);
    return detail::program_replay_store->try_save(*replay_, options_.replay_file, done);
}

GPUPROF_COLD GPUPROF_INLINE void profiler::begin_pass() {
    log_.begin_replay_pass();
    if (!calls_) launches_.begin_pass(); // else it began with the calls
    pass_clock_.begin_pass();
}

GPUPROF_COLD GPUPROF_INLINE void profiler::time_passes(hw::session_shape const& shape) {
    bool const alone = !plan_ || (plan_->passes() <= 1 && shape.nesting_levels <= 1);
    if (alone && comparison_.where_cheap()) {
        comparison_.leave_out();
        launches_.fill(nullptr);
    }
    if (options_.most_spread <= 0 || alone || options_.replay != replay_mode::user) return;
    pass_clock_.start(*gpu_, shape.max_ranges, options_.ranges == range_mode::auto_range);
}

// A graph that is instantiated before the first pass is known, too. Without the watch kernels of
// graphs have no names.
GPUPROF_COLD GPUPROF_INLINE void profiler::know_graphs() {
    bool const needed = options_.ranges == range_mode::auto_range || columns_.needs_launches() || repeats();
    if (!needed || gpu_->machine().recorded != nullptr) return;
    if (!graphs_.make().try_begin(gpu_->machine())) graphs_.reset();
}

// Without it the report says less, and says so.
GPUPROF_COLD GPUPROF_INLINE void profiler::watch_launches() {
    launches_.on(*gpu_);
    launches_.know_graphs_by(graphs_ ? &*graphs_ : nullptr);
    watch_.end();
    guard_.reset();
    bool const is_range_hardware = plan_ && !plan_->replays_kernels_in_scopes();
    if (options_.replay == replay_mode::kernel && options_.caution != replay_caution::none && is_range_hardware)
        guard_ = detail::owned<detail::kernel_replay_guard>{new detail::kernel_replay_guard{
            *gpu_, launches_, graphs_ ? &*graphs_ : nullptr, options_.caution, options_.replay_deadline_ms}};
    auto begun = guard_ ? watch_.try_begin(gpu_->machine(), gpu_->context(), &detail::kernel_replay_guard::after,
                                           &*guard_, &detail::kernel_replay_guard::before)
                        : watch_.try_begin(*gpu_, &detail::launch_log::heard, &launches_);
    if (!begun) state_.unwatched = std::move(begun).error();
    if (!options_.serialise_launches) return;
    if (auto serialised = one_by_one_.try_begin(*gpu_); !serialised)
        state_.problems.push_back(std::move(serialised).error());
}

GPUPROF_COLD GPUPROF_INLINE bool profiler::end_guard() {
    if (!guard_) return true;
    watch_.end();
    auto left = guard_->end();
    guard_.reset();
    for (error& each : left.problems) state_.problems.push_back(std::move(each));
    if (left.failure && !failure_) failure_ = std::move(left.failure);
    if (left.is_stuck) detail::keep_stuck({}, std::move(session_));
    return !left.is_stopped;
}

GPUPROF_COLD GPUPROF_INLINE result<void> profiler::try_start(hw::session_shape const& shape) {
    bool const repeats = this->repeats();
    if (!repeats || options_.replay != replay_mode::launch) watch_launches();
    if (!plan_) return repeats ? try_begin_calls() : result<void>{};
    if (!session_) {
        auto opened = plan_->try_open(*gpu_);
        if (!opened) return std::move(opened).error();
        session_ = *std::move(opened);
    }
    if (auto prepared = session_->try_prepare(shape); !prepared) return prepared;
    if (repeats) return try_begin_calls();
    if (guard_) guard_->begin(*session_);
    prepare_flusher();
    return try_begin_replay_pass();
}

GPUPROF_COLD GPUPROF_INLINE void profiler::lock_counters() {
    bool const real = gpu_->source() == device_source::hardware && gpu_->machine().recorded == nullptr;
    if (!options_.lock_counters || !plan_ || !real || counter_lock_.held()) return;
    if (auto acquired = hw::counter_lock::try_acquire(options_.longest_wait_ms))
        static_cast<void>(counter_lock_ = *std::move(acquired));
    else state_.problems.push_back(std::move(acquired).error());
}

GPUPROF_COLD GPUPROF_INLINE void profiler::read_clocks(unsigned& sm, unsigned& memory) noexcept {
    sm = clock_reader_.sm();
    memory = clock_reader_.memory();
    clocks_.limits |= clock_reader_.limits();
}

GPUPROF_COLD GPUPROF_INLINE result<void> profiler::try_begin_replay_pass() {
    if (saved_memory_.holds() && replay_passes_ > 0) restore_memory();
    if (flusher_ && options_.ranges == range_mode::auto_range) flush_caches(); // later its kernel would be a range
    return session_->try_begin_replay_pass();
}

GPUPROF_COLD GPUPROF_INLINE void profiler::save_memory() {
    if (auto saved = saved_memory_.try_begin(*gpu_, options_.memory, options_.copies); !saved)
        state_.problems.push_back(std::move(saved).error());
}

GPUPROF_COLD GPUPROF_INLINE void profiler::end_first_run() {
    if (auto ended = saved_memory_.try_end_first_run(); !ended) state_.problems.push_back(std::move(ended).error());
    restore_cost const* const cost = saved_memory_.cost();
    if (cost == nullptr) return;
    state_.restored_bytes = cost->bytes();
    if (options_.on_restore.tell != nullptr) options_.on_restore.tell(options_.on_restore.to, *cost);
}

GPUPROF_COLD GPUPROF_INLINE void profiler::restore_memory() {
    launches_.ignore(true);
    auto restored = saved_memory_.try_restore();
    launches_.ignore(false);
    if (restored) ++state_.memory_restores;
    else state_.problems.push_back(std::move(restored).error());
}

GPUPROF_COLD GPUPROF_INLINE void profiler::compare_memory(bool last) {
    bool const first = state_.replay_passes == 1;
    if (!comparison_.compares() || first == last) return; // one pass alone has nothing to compare with
    launches_.ignore(true);
    auto looked = first ? comparison_.try_take(*gpu_) : comparison_.try_compare(*gpu_);
    launches_.ignore(false);
    if (!looked) state_.problems.push_back(std::move(looked).error());
    state_.memory_compared = comparison_.compared();
}

GPUPROF_COLD GPUPROF_INLINE void profiler::prepare_flusher() {
    if (options_.caches == cache_control::leave || flusher_) return;
    if (auto created = hw::cache_flusher::try_create(*gpu_)) flusher_.emplace(*std::move(created));
    else state_.problems.push_back(std::move(created).error());
}

GPUPROF_COLD GPUPROF_INLINE void profiler::flush_caches() {
    launches_.ignore(true); // the flusher's own kernel is not the application's
    auto flushed = flusher_->try_flush();
    launches_.ignore(false);
    if (!flushed) {
        state_.problems.push_back(std::move(flushed).error());
        flusher_.reset();
        flushes_scopes_ = false;
    } else {
        ++state_.cache_flushes;
    }
}

GPUPROF_COLD GPUPROF_INLINE void profiler::finish() {
    std::vector<hw::range_values> values;
    detail::shared<hw::counter_data> counters;
    static_cast<void>(end_guard());
    watch_.end();
    one_by_one_.end();
    if (detail::load_relaxed(other_pauses_) != 0)
        state_.problems.push_back({errc::invalid_state, 0, "a pause of another thread did nothing",
                                   "counting pauses on the thread of the loop over passes() alone",
                                   "make the gpuprof::paused there"});
    if (calls_) end_calls();
    if (repeats()) {
        values = std::move(repeated_values_);
    } else if (stage_ == stage::collecting && session_ && !no_room_to_go_on_) {
        if (auto read = session_->try_read()) {
            values = *std::move(read);
            if (keeps_pass_ && !failure_)
                if (auto kept = try_keep_pass(); !kept) failure_ = std::move(kept).error();
            if (options_.keep_counter_data) counters = keep_counters();
        } else if (!failure_) {
            failure_ = std::move(read).error();
        }
    }
    if (stage_ == stage::survey && replay_ && !failure_)
        if (auto kept = try_keep_pass(); !kept) failure_ = std::move(kept).error();
    if (failure_) explain_failure();
    if (replay_ && !failure_ && !replay_->complete)
        failure_ =
            error{errc::not_collected, 0,
                  detail::joined(
                      {"pass ", std::to_string(replay_->done), " of ", std::to_string(replay_->needed), " is done"}),
                  "values of later passes are not there", "run the program again: each process measures one pass"};
    if (failure_ || !options_.stay_armed) {
        session_.reset();
        counter_lock_.release();
        flusher_.reset();
    }
    saved_memory_.reset();
    pass_clock_.stop();
    read_clocks(clocks_.after, clocks_.memory_after);
    enter_stage(stage::idle);
    write(values, std::move(counters));
}

// What keeps them from being kept is a problem of the report, which has the values.
GPUPROF_COLD GPUPROF_INLINE detail::shared<hw::counter_data> profiler::keep_counters() {
    auto kept = session_->try_keep();
    if (kept) return detail::shared<hw::counter_data>::make(*std::move(kept));
    state_.problems.push_back(std::move(kept).error());
    return {};
}

// Once a kernel has failed, every call fails, and none says why: the driver has a number, the
// embedded GPU the place.
GPUPROF_COLD GPUPROF_INLINE void profiler::explain_failure() {
    abi::CUresult const sticky = hw::why_lost(gpu_->driver(), gpu_->context());
    if (sticky == abi::CUDA_SUCCESS) return;
    if (failure_->code != errc::device_lost) failure_ = hw::as_lost(*failure_, sticky);
    if (gpu_->machine().last_fault == nullptr) return;
    if (std::string fault = gpu_->machine().last_fault(gpu_->context()); !fault.empty()) {
        failure_->cause = std::move(fault);
        failure_->remedy = "mend the kernel and start the program anew: this context stays unusable";
    }
}

GPUPROF_COLD GPUPROF_INLINE void profiler::write(std::vector<hw::range_values> const& values,
                                                 detail::shared<hw::counter_data> counters) {
    report_ = detail::write_report(
        detail::collected{*gpu_, plan_ ? plan_->hardware() : std::string_view{"no counters"}, metrics_, columns_, log_,
                          launches_, values, options_, room(), failure_, nested_, out_of_memory_, comparison_,
                          std::move(counters), clocks_.known() ? std::optional{clocks_} : std::nullopt, &pass_clock_},
        state_);
}

// A pass, or the survey, ran once: the scopes of other threads in it. Not all passes need have as
// many.
GPUPROF_COLD GPUPROF_INLINE void profiler::count_other_threads() noexcept {
    std::size_t const opened = detail::exchange(other_threads_, std::size_t{0});
    if (opened > state_.other_threads) state_.other_threads = opened;
}

GPUPROF_INLINE std::size_t profiler::room() const noexcept {
    bool const kernels = options_.ranges == range_mode::auto_range;
    if (options_.max_ranges != 0 || !kernels) return options_.max_ranges;
    // Launches that are repeated need no room on the hardware.
    return options_.replay == replay_mode::launch ? detail::launch_log::most_kept
                                                  : profiler_options::kernels_by_default;
}

// Scopes mean nothing where every kernel is a range. A collection that is over belongs to no loop.
GPUPROF_INLINE void profiler::enter_stage(stage next) noexcept {
    stage_ = next;
    bool const ranges = options_.ranges == range_mode::user_range;
    flushes_scopes_ = next == stage::collecting && flusher_ && ranges;
    detail::store_release(counting_, ranges && (next == stage::survey || next == stage::collecting) ? 1u : 0u);
    rearm();
    if (next == stage::idle && running_ != nullptr) std::exchange(running_, nullptr)->collecting = nullptr;
}

// ---- the loop -----------------------------------------------------------------------------------

GPUPROF_INLINE pass_sequence::pass_sequence(profiler& of) noexcept
    : running_{of.begin_collection(this)}, now_{current()} {}
GPUPROF_INLINE pass_sequence::~pass_sequence() {
    if (running_ == nullptr) return;
    if (running_->collecting != nullptr) running_->collecting->end_collection();
    delete running_;
}
GPUPROF_INLINE profiler* pass_sequence::collecting() const noexcept {
    return running_ != nullptr ? running_->collecting : nullptr;
}
GPUPROF_INLINE pass pass_sequence::current() const noexcept {
    profiler const* const of = collecting();
    return of != nullptr ? of->current_pass() : pass{};
}
GPUPROF_INLINE pass_sequence::iterator& pass_sequence::iterator::operator++() noexcept {
    profiler* const of = sequence_->collecting();
    sequence_->more_ = of != nullptr && of->next_replay_pass();
    sequence_->now_ = sequence_->current();
    return *this;
}

GPUPROF_NAMESPACE_END

#endif // GPUPROF_MEASURE_PROFILER_INL_HPP
