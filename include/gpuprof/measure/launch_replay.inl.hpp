// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definitions of launch_replay.hpp.
#ifndef GPUPROF_MEASURE_LAUNCH_REPLAY_INL_HPP
#define GPUPROF_MEASURE_LAUNCH_REPLAY_INL_HPP

#include <utility>

#include "../detail/builtin.hpp"
#include "../hw/callbacks/captured_call.hpp"
#include "../hw/callbacks/launching_calls.hpp"
#include "../hw/machine/in_context.hpp"
#include "launch_log.hpp"
#include "launch_replay.hpp"
#include "profiler_options.hpp"
#include "replay_obstacles.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace detail {

inline constexpr std::string_view no_range_came = "the hardware gave no range to a kernel";

GPUPROF_INLINE result<void> launch_replay::try_begin() {
    if (from_.session != nullptr) passes_.begin();
    from_.launches->begin_pass();
    hw::callback_set ids;
    for (hw::callback_id const each : launching_calls) ids.add(each);
    ids.add({abi::CUPTI_CB_DOMAIN_DRIVER_API, abi::CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernelMultiDevice});
    auto begun = hw::subscription::try_begin(from_.gpu->machine(), ids, &launch_replay::called, this, {});
    if (!begun) return std::move(begun).error();
    calls_.emplace(*std::move(begun));
    return {};
}

GPUPROF_INLINE replayed_calls launch_replay::end() {
    calls_.reset();
    replayed_calls& left = passes_.left;
    guarded([&] {
        from_.launches->end_pass();
        passes_.be_patient();
        static_cast<void>(hw::in_context(from_.gpu->driver(), from_.gpu->context(), [this]() -> result<void> {
            if (gave_up_) static_cast<void>(try_close_given_up());
            else if (auto idle = passes_.try_wait(); idle && !*idle) gave_up_ = true;
            return {};
        }));
        for (; multi_device_ != 0; --multi_device_)
            unreplayed_.add("cuLaunchCooperativeKernelMultiDevice",
                            {"it launches on several devices at once", other_replay}, false);
        unreplayed_.tell(left.problems, "launch", "launches");
        if (over_room_ == 0) return;
        left.problems.push_back(
            {errc::too_many_ranges, 0,
             joined({std::to_string(over_room_), over_room_ == 1 ? " launch was" : " launches were", " over the room"}),
             joined({"there is room for ", std::to_string(from_.room)}),
             "set profiler_options::max_ranges to the number of launches"});
    });
    left.session_is_stuck = gave_up_;
    return std::move(left);
}

// A listener must not throw. Without memory nothing more is measured.
template <class F>
void launch_replay::guarded(F work) noexcept {
#if GPUPROF_EXCEPTIONS
    try {
        work();
    } catch (...) {
        if (!passes_.left.failure) passes_.left.failure.emplace(); // without text: there is no memory
    }
#else
    work();
#endif
}

GPUPROF_INLINE void launch_replay::fail(error why) {
    plan_ = {};
    if (!passes_.left.failure) passes_.left.failure = std::move(why);
}

GPUPROF_INLINE void launch_replay::called(void* self, hw::callback_id id, void const* data) {
    auto& mine = *static_cast<launch_replay*>(self);
    auto const& call = *static_cast<abi::CUpti_CallbackData const*>(data);
    bool const is_exit = call.callbackSite == abi::CUPTI_API_EXIT;
    bool const has_turn = load_acquire(mine.turn_) == platform::this_thread();
    if (call.context != mine.from_.gpu->context() || call.functionParams == nullptr || has_turn != is_exit) return;
    if (has_turn && (mine.is_own_ || mine.correlation_ != call.correlationId)) return;
    hw::launch_event launch;
    if (!read_launch(id.number, call.functionParams, launch)) {
        if (!is_exit) add_relaxed(mine.multi_device_, std::size_t{1});
        return;
    }
    launch.symbol = call.symbolName;
    launch.context = call.context;
    launch.stream = hw::stream_of(id.number, launch.stream);
    if (!is_exit) {
        if (hw::is_capturing(mine.from_.gpu->driver(), launch.stream)) return;
        std::size_t other = 0;
        for (unsigned round = 0; !exchange_weak(mine.turn_, other, platform::this_thread()); other = 0)
            if (other != 0) platform::wait_a_little(round++);
        mine.correlation_ = call.correlationId;
        mine.is_own_ = true;
        mine.guarded([&] { mine.before(launch); });
        mine.is_own_ = false;
        return;
    }
    if (call.functionReturnValue != nullptr)
        launch.status = *static_cast<abi::CUresult const*>(call.functionReturnValue);
    mine.is_own_ = true;
    mine.guarded([&] { mine.after(id, call.functionParams, launch); });
    mine.is_own_ = false;
    store_release(mine.turn_, std::size_t{0});
}

GPUPROF_INLINE std::optional<repeat_obstacle> launch_replay::why_not_measured(hw::launch_event const& launch) {
    if (auto obstacle = partner_obstacle(launch.symbol)) return obstacle;
    if (hw::is_capturing(from_.gpu->driver()))
        return repeat_obstacle{"a stream of the context was being captured", "end the capture before other launches"};
    if (gave_up_ && !try_close_given_up())
        return repeat_obstacle{"a launch before it was given up and still ran", other_replay};
    auto marked = passes_.try_mark(launch.stream);
    auto idle = marked ? passes_.try_wait() : result<bool>{std::move(marked).error()};
    if (!idle) return repeat_obstacle{idle.error().message(), ""};
    if (!*idle)
        return repeat_obstacle{
            joined({"work before it had not ended after ", std::to_string(passes_.deadline_ms()), " ms"}),
            other_replay};
    return std::nullopt;
}

// Saves its memory where nothing keeps it from being repeated.
GPUPROF_INLINE std::optional<repeat_obstacle> launch_replay::why_not_repeated(hw::launch_event const& launch) {
    auto const& driver = from_.gpu->driver();
    std::vector<abi::CUdeviceptr> addresses;
    if (launch.graph) {
        if (auto obstacle = add_words_of_graph(from_.graphs, launch.executable, addresses)) return obstacle;
    } else if (!hw::add_argument_words(launch.function, launch.arguments, launch.packed, driver, addresses)) {
        return repeat_obstacle{"the driver does not tell its parameters, and what it writes is not known",
                               "update the driver to that of CUDA 12.4 or later"};
    }
    if (auto obstacle = memory_obstacle(hw::owner_of(addresses, driver, from_.gpu->ordinal()))) return obstacle;
    if (addresses.empty()) return std::nullopt;
    auto saved = as_launch_of(addresses, [&](hw::launch_event const& reaching) { return passes_.try_save(reaching); });
    if (saved) return std::nullopt;
    passes_.forget_memory(true);
    return repeat_obstacle{joined({"its memory was not saved: ", saved.error().message()}), other_replay};
}

// Says why where the launch is not measured, or not repeated.
GPUPROF_INLINE launch_replay::plan launch_replay::plan_of(hw::launch_event const& launch) {
    if (auto obstacle = why_not_measured(launch)) {
        unreplayed_.add(name_, *std::move(obstacle), false);
        return {};
    }
    bool const is_kernel_range = has_kernel_ranges_ && !launch.graph;
    range_mode const ranges = is_kernel_range ? range_mode::auto_range : range_mode::user_range;
    bool const own_is_counted = !is_kernel_range || !passes_.has_deadline();
    if (own_is_counted && from_.passes == 1) return {stage::counted, ranges, true};
    auto obstacle = why_not_repeated(launch);
    if (!obstacle) return {stage::repeated, ranges, own_is_counted};
    bool const would_wait = from_.patches && from_.passes == 1; // in the launching call, for its kernel
    unreplayed_.add(name_, *std::move(obstacle), !would_wait);
    return {would_wait ? stage::alone : stage::counted, range_mode::user_range, true};
}

GPUPROF_INLINE void launch_replay::before(hw::launch_event const& launch) {
    plan_ = {};
    if (is_paused_) return;
    is_over_room_ = count_ >= from_.room;
    if (is_over_room_) {
        ++over_room_;
        return;
    }
    from_.launches->enter(count_++);
    if (from_.session == nullptr || passes_.left.failure) return;
    name_ = text_of_launch(launch);
    plan_ = plan_of(launch);
    if (plan_.how_far == stage::alone || !plan_.own_is_counted) return;
    auto ready = try_prepare();
    if (ready) ready = try_begin_pass();
    if (!ready) fail(std::move(ready).error());
}

GPUPROF_INLINE void launch_replay::after(hw::callback_id id, void const* parameters, hw::launch_event const& launch) {
    launch_log::heard(from_.launches, launch);
    if (!is_paused_) from_.launches->leave();
    if (from_.session == nullptr || passes_.left.failure || is_over_room_) return;
    if (auto marked = passes_.try_mark(launch.stream); !marked) return fail(std::move(marked).error());
    if (plan_.how_far == stage::alone) return; // whatever is measured next waits for it
    auto pass = try_end_first_launch();
    if (!pass) return fail(std::move(pass).error());
    if (*pass == repetition::running) return give_up();
    bool const ran = launch.status == abi::CUDA_SUCCESS;
    if (ran && *pass == repetition::ended && plan_.how_far == stage::repeated) {
        if (auto ended = passes_.try_end_first_run(); !ended) {
            unreplayed_.add(name_, {joined({"its memory is not put back: ", ended.error().message()}), other_replay},
                            plan_.own_is_counted);
        } else if (!plan_.own_is_counted) {
            return measure_alone(id, parameters);
        } else {
            pass = try_repeat(id, parameters);
            if (!pass) return fail(std::move(pass).error());
            if (*pass == repetition::running) return give_up();
        }
    }
    passes_.forget_memory(true);
    if (auto made = passes_.try_make_up(); !made) return fail(std::move(made).error());
    if (!ran || !plan_.own_is_counted) return;
    auto read = try_read();
    if (!read) return fail(std::move(read).error());
    if (!*read) unreplayed_.add(name_, {std::string{no_range_came}, other_replay}, false);
}

// All passes of a kernel that has ended once, each a range of the kernel alone.
GPUPROF_INLINE void launch_replay::measure_alone(hw::callback_id id, void const* parameters) {
    for (;;) {
        if (auto ready = try_prepare(); !ready) return fail(std::move(ready).error());
        auto pass = try_repeat(id, parameters);
        if (!pass) return fail(std::move(pass).error());
        if (*pass == repetition::running) return give_up();
        auto read = try_read();
        if (!read) return fail(std::move(read).error());
        if (*read) return passes_.forget_memory(true);
    }
}

// Reads the values of the launch. False: they did not come, because the hardware has no ranges of kernels.
GPUPROF_INLINE result<bool> launch_replay::try_read() {
    auto read = passes_.try_read(count_ - 1);
    if (!read) return std::move(read).error();
    if (*read != 0 || plan_.ranges == range_mode::user_range) return true;
    lose_kernel_ranges(errc::not_collected, 0, no_range_came);
    return false;
}

// Falls back to a range that the launching is in, once for all launches that come.
GPUPROF_INLINE void launch_replay::lose_kernel_ranges(errc code, int status, std::string_view cause) {
    has_kernel_ranges_ = false;
    plan_.ranges = range_mode::user_range;
    passes_.left.problems.push_back({code, status, "ranges of kernels hold what launches them, too", cause,
                                     "use replay_mode::kernel for times and shares of elapsed cycles"});
}

GPUPROF_INLINE result<void> launch_replay::try_prepare() {
    if (plan_.ranges == range_mode::auto_range) {
        auto ready = passes_.try_prepare({1, 1, range_mode::auto_range, replay_mode::user, false, nullptr});
        if (ready || ready.error().code == errc::device_lost) return ready;
        lose_kernel_ranges(ready.error().code, ready.error().status, ready.error().message());
    }
    return passes_.try_prepare({1, 1, range_mode::user_range, replay_mode::user, false, nullptr});
}

GPUPROF_INLINE result<void> launch_replay::try_begin_pass() {
    auto ready = passes_.try_begin_pass();
    if (!ready) return ready;
    open_ = plan_.ranges;
    return plan_.ranges == range_mode::user_range ? from_.session->try_push(0) : result<void>{};
}

// Of the application's own call, whether it is a pass or not.
GPUPROF_INLINE result<repetition> launch_replay::try_end_first_launch() {
    if (open_) return try_close_pass();
    auto idle = passes_.try_wait();
    if (!idle) return std::move(idle).error();
    return *idle ? repetition::ended : repetition::running;
}

// Closes the pass once what was marked is done.
GPUPROF_INLINE result<repetition> launch_replay::try_close_pass() {
    auto idle = passes_.try_wait();
    if (!idle) return std::move(idle).error();
    if (!*idle) return repetition::running;
    if (*std::exchange(open_, std::nullopt) == range_mode::user_range)
        if (auto popped = from_.session->try_pop(); !popped) return std::move(popped).error();
    return passes_.try_end_pass();
}

GPUPROF_INLINE result<repetition> launch_replay::try_repeat(hw::callback_id id, void const* parameters) {
    auto const& driver = from_.gpu->driver();
    auto const call = try_capture_launch(driver, "a repeated launch", id, parameters);
    if (!call) return call.error();
    if (!*call) return hw::explain("a repeated launch", abi::CUDA_ERROR_INVALID_VALUE); // it lacks an argument
    std::vector<unsigned char> scratch;
    for (;;) {
        if (auto restored = passes_.try_put_back(); !restored) return std::move(restored).error();
        auto const ready = try_begin_pass();
        // Also where the hardware fails: the application counts on what the launch leaves.
        if (auto status = hw::repeat(**call, driver, scratch)) return hw::explain("a repeated launch", status);
        auto marked = passes_.try_mark((*call)->stream);
        if (!ready) return ready.error();
        if (!marked) return std::move(marked).error();
        auto pass = try_close_pass();
        if (!pass || *pass != repetition::ended) return pass;
    }
}

// Back to the application, with the pass open if there is one. What was saved stays: to free it would wait for the device.
GPUPROF_INLINE void launch_replay::give_up() {
    gave_up_ = true;
    unreplayed_.add(name_,
                    {joined({"it had not ended after ", std::to_string(passes_.deadline_ms()),
                             " ms: it may wait for the host, or for a launch that comes later"}),
                     other_replay},
                    false);
}

// False: it still runs.
GPUPROF_INLINE bool launch_replay::try_close_given_up() {
    auto closed = try_end_first_launch();
    if (closed && *closed == repetition::running) return false;
    gave_up_ = false;
    passes_.forget_memory(true);
    if (!closed) fail(std::move(closed).error());
    else if (auto made = passes_.try_make_up(); !made) fail(std::move(made).error());
    return true;
}

} // namespace detail
GPUPROF_NAMESPACE_END

#endif // GPUPROF_MEASURE_LAUNCH_REPLAY_INL_HPP
