// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definitions of range_replay.hpp.
#ifndef GPUPROF_MEASURE_RANGE_REPLAY_INL_HPP
#define GPUPROF_MEASURE_RANGE_REPLAY_INL_HPP

#include <utility>

#include "../detail/builtin.hpp"
#include "../hw/abi/cupti_driver_parameters.hpp"
#include "../hw/callbacks/launching_calls.hpp"
#include "../hw/machine/in_context.hpp"
#include "launch_log.hpp"
#include "profiler_options.hpp"
#include "range_replay.hpp"
#include "replay_obstacles.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace detail {

// Whether this thread makes calls of gpuprof's own.
inline thread_local constinit bool repeats_calls_now = false;
struct own_calls {
    bool const before = std::exchange(repeats_calls_now, true);
    own_calls() = default;
    own_calls(own_calls const&) = delete;
    own_calls& operator=(own_calls const&) = delete;
    ~own_calls() { repeats_calls_now = before; }
};

GPUPROF_INLINE result<void> range_replay::try_begin() {
    if (from_.session != nullptr) passes_.begin();
    from_.launches->begin_pass();
    auto const all = hw::callback_set::all_of(abi::CUPTI_CB_DOMAIN_DRIVER_API);
    auto begun = hw::subscription::try_begin(from_.gpu->machine(), all, &range_replay::called, this, {});
    if (!begun) return std::move(begun).error();
    calls_.emplace(*std::move(begun));
    return {};
}

GPUPROF_INLINE replayed_calls range_replay::end() {
    calls_.reset();
    replayed_calls& left = passes_.left;
    guarded([&] {
        from_.launches->end_pass();
        unreplayed_.tell(left.problems, "range", "ranges");
        if (from_.session == nullptr || is_stuck_) return;
        passes_.be_patient();
        static_cast<void>(hw::in_context(from_.gpu->driver(), from_.gpu->context(), [this]() -> result<void> {
            auto idle = try_idle();
            is_stuck_ = idle && !*idle;
            passes_.forget_memory(!is_stuck_);
            return {};
        }));
    });
    left.session_is_stuck = is_stuck_;
    return std::move(left);
}

template <class F>
void range_replay::guarded(F work) noexcept {
#if GPUPROF_EXCEPTIONS
    try {
        work();
    } catch (...) {
        store_release(is_recording_, 0u);
        if (!passes_.left.failure) passes_.left.failure.emplace(); // without text: there is no memory
    }
#else
    work();
#endif
}

GPUPROF_INLINE void range_replay::enter(std::uint32_t id, std::string_view name) {
    if (from_.session == nullptr) return;
    platform::lock const held{mutex_};
    if (depth_++ == 0) {
        steps_.clear();
        reached_.clear();
        obstacle_.reset();
        host_bytes_ = deepest_ = ranges_ = 0;
        first_ = id;
        name_ = joined({"range \"", name, "\""});
        store_release(is_recording_, 1u);
    }
    deepest_ = deepest_ < depth_ ? depth_ : deepest_;
    ++ranges_;
    steps_.push_back({step::kind::push, id, {}});
}

GPUPROF_INLINE void range_replay::leave() {
    if (from_.session == nullptr) return;
    {
        platform::lock const held{mutex_};
        steps_.push_back({step::kind::pop, 0, {}});
        if (--depth_ != 0) return;
        store_release(is_recording_, 0u);
    }
    own_calls const own;
    from_.launches->ignore(true);
    auto made = hw::in_context(from_.gpu->driver(), from_.gpu->context(), [this]() -> result<void> {
        guarded([this] { replay(); });
        return {};
    });
    from_.launches->ignore(false);
    if (!made && !passes_.left.failure) passes_.left.failure = std::move(made).error();
}

// ---- recording ----------------------------------------------------------------------------------

GPUPROF_INLINE void range_replay::called(void* self, hw::callback_id id, void const* data) {
    auto& mine = *static_cast<range_replay*>(self);
    auto const& call = *static_cast<abi::CUpti_CallbackData const*>(data);
    if (repeats_calls_now || call.context != mine.from_.gpu->context() || call.functionName == nullptr) return;
    own_calls const own;
    mine.guarded([&] {
        platform::lock const held{mine.mutex_};
        bool const is_entry = call.callbackSite == abi::CUPTI_API_ENTER;
        if (is_entry) mine.note_stream(id, call);
        if (load_acquire(mine.is_recording_) == 0 || mine.obstacle_) return;
        if (is_entry) mine.capture(id, call);
        else if (call.functionReturnValue != nullptr &&
                 *static_cast<abi::CUresult const*>(call.functionReturnValue) != abi::CUDA_SUCCESS)
            mine.forget_refused(call.correlationId);
    });
}

// Knows each stream that may have work, also from outside of ranges.
GPUPROF_INLINE void range_replay::note_stream(hw::callback_id id, abi::CUpti_CallbackData const& call) {
    if (call.functionParams == nullptr) return;
    if (std::string_view{call.functionName} == "cuStreamDestroy_v2") {
        auto const gone = static_cast<abi::cuStreamDestroy_v2_params const*>(call.functionParams)->hStream;
        std::erase(streams_, gone);
        return;
    }
    hw::launch_event launch;
    if (!read_launch(id.number, call.functionParams, launch)) return;
    abi::CUstream const stream = hw::stream_of(id.number, launch.stream);
    for (abi::CUstream const each : streams_)
        if (each == stream) return;
    streams_.push_back(stream);
}

GPUPROF_INLINE void range_replay::stop(repeat_obstacle why) {
    obstacle_ = std::move(why);
    steps_.clear();
}

GPUPROF_INLINE void range_replay::capture(hw::callback_id id, abi::CUpti_CallbackData const& call) {
    auto found = hw::try_capture(from_.gpu->driver(), call.functionName, id, call.functionParams);
    if (!found) return stop({joined({found.error().what, ": ", found.error().cause}), other_replay});
    if (!*found) return;
    hw::captured_call& made = **found;
    made.correlation = call.correlationId;
    if (auto obstacle = try_save(made, call.symbolName)) return stop(*std::move(obstacle));
    host_bytes_ += made.what == hw::captured_call::kind::copy_from_host ? made.bytes.size() : 0;
    if (host_bytes_ > most_host_bytes)
        return stop({joined({call.functionName, ": more than ", std::to_string(most_host_bytes >> 20),
                             " MiB were copied from the host in the range"}),
                     "open scopes around less work"});
    bool is_known = false;
    for (abi::CUstream const each : streams_) is_known = is_known || each == made.stream;
    if (!is_known) streams_.push_back(made.stream);
    steps_.push_back({step::kind::call, 0, std::move(made)});
}

GPUPROF_INLINE void range_replay::forget_refused(std::uint32_t correlation) {
    for (std::size_t at = steps_.size(); at-- > 0;)
        if (steps_[at].what == step::kind::call && steps_[at].call.correlation == correlation) {
            steps_.erase(steps_.begin() + static_cast<std::ptrdiff_t>(at));
            return;
        }
}

// Memory that the call reaches first is saved, once nothing runs.
GPUPROF_INLINE std::optional<repeat_obstacle> range_replay::try_save(hw::captured_call& call, char const* symbol) {
    using kind = hw::captured_call::kind;
    if (auto obstacle = partner_obstacle(symbol)) return obstacle;
    if (call.what == kind::graph)
        if (auto obstacle = add_words_of_graph(from_.graphs, call.graph, call.words)) return obstacle;
    if (call.words.empty()) return std::nullopt;
    if (auto obstacle = memory_obstacle(hw::owner_of(call.words, from_.gpu->driver(), from_.gpu->ordinal()))) {
        obstacle->cause = joined({symbol != nullptr ? symbol : "a call", ": ", obstacle->cause});
        return obstacle;
    }
    return as_launch_of(call.words, [&](hw::launch_event const& launch) -> std::optional<repeat_obstacle> {
        std::size_t const known = reached_.items().size();
        reached_.add(launch, from_.gpu->driver(), 0);
        if (reached_.items().size() == known) return std::nullopt;
        auto idle = try_idle();
        if (!idle) return repeat_obstacle{idle.error().message(), other_replay};
        if (!*idle)
            return repeat_obstacle{joined({"its work had not ended after ", std::to_string(passes_.deadline_ms()),
                                           " ms, and memory was to be saved"}),
                                   other_replay};
        if (auto saved = passes_.try_save(launch); !saved)
            return repeat_obstacle{joined({"its memory was not saved: ", saved.error().message()}), other_replay};
        return std::nullopt;
    });
}

// ---- repeating ----------------------------------------------------------------------------------

// Whether no stream that is known has work, by the deadline.
GPUPROF_INLINE result<bool> range_replay::try_idle() {
    for (abi::CUstream const each : streams_) {
        if (hw::is_capturing(from_.gpu->driver(), each)) continue; // it has no work
        if (auto marked = passes_.try_mark(each); !marked) return std::move(marked).error();
    }
    return passes_.try_wait();
}

GPUPROF_INLINE bool range_replay::launches_in_several_streams() const {
    abi::CUstream const* first = nullptr;
    for (step const& each : steps_) {
        if (each.what != step::kind::call) continue;
        auto const what = each.call.what;
        if (what != hw::captured_call::kind::kernel && what != hw::captured_call::kind::graph) continue;
        if (first == nullptr) first = &each.call.stream;
        if (*first != each.call.stream) return true;
    }
    return false;
}

GPUPROF_INLINE std::optional<repeat_obstacle> range_replay::why_not_repeated() {
    if (obstacle_) return obstacle_;
    if (is_stuck_) return repeat_obstacle{"a range before it was given up and still ran", other_replay};
    auto idle = try_idle();
    if (!idle) return repeat_obstacle{idle.error().message(), other_replay};
    if (!*idle)
        return repeat_obstacle{joined({"its work had not ended after ", std::to_string(passes_.deadline_ms()),
                                       " ms: it may wait for the host, or for work that comes later"}),
                               other_replay};
    if (from_.patches && launches_in_several_streams())
        return repeat_obstacle{
            "it launches in several streams, and a metric that is counted by patching the program makes each launching "
            "call wait for its kernel: kernels that wait for each other would hang",
            "measure metrics with \"sass\" in their names apart from others"};
    if (auto ended = passes_.try_end_first_run(); !ended)
        return repeat_obstacle{joined({"its memory is not put back: ", ended.error().message()}), other_replay};
    return std::nullopt;
}

GPUPROF_INLINE void range_replay::replay() {
    if (passes_.left.failure) return;
    if (auto obstacle = why_not_repeated()) {
        unreplayed_.add(name_, *std::move(obstacle), false);
    } else {
        auto const levels = deepest_ == 0 ? 1 : deepest_;
        auto ready = passes_.try_prepare({ranges_, levels, range_mode::user_range, replay_mode::user, false, nullptr});
        auto pass = ready ? result<repetition>{repetition::ended} : result<repetition>{std::move(ready).error()};
        while (pass && *pass == repetition::ended) pass = try_repeat();
        if (pass && *pass == repetition::last)
            if (auto read = passes_.try_read(first_); !read) pass = std::move(read).error();
        if (!pass) passes_.left.failure = std::move(pass).error();
        else if (*pass == repetition::running) {
            is_stuck_ = true;
            unreplayed_.add(
                name_,
                {joined({"when it was repeated it had not ended after ", std::to_string(passes_.deadline_ms()), " ms"}),
                 other_replay},
                false);
            return; // what was saved stays: to free it would wait for the device
        }
    }
    steps_.clear();
    auto idle = try_idle();
    passes_.forget_memory(idle && *idle);
}

// The calls are made all the same when the hardware fails or something does not end: memory was put back, and the application
// counts on what they leave.
GPUPROF_INLINE result<repetition> range_replay::try_repeat() {
    if (auto restored = passes_.try_put_back(); !restored) return std::move(restored).error();
    result<void> counted = passes_.try_begin_pass();
    bool is_waiting = false;
    for (step const& each : steps_) {
        if (each.what == step::kind::call) {
            bool const may_wait = each.call.what == hw::captured_call::kind::copy_to_host; // it is for nobody
            if (is_waiting && may_wait) continue;
            if (auto status = hw::repeat(each.call, from_.gpu->driver(), scratch_))
                return hw::explain("a repeated driver call", status);
        }
        if (!counted || is_waiting) continue;
        if (each.what == step::kind::push) {
            counted = from_.session->try_push(each.id - first_);
            continue;
        }
        auto waited = each.what == step::kind::pop ? try_idle() : try_wait_as_host(each.call);
        if (!waited) return std::move(waited).error();
        is_waiting = !*waited;
        if (each.what == step::kind::pop && !is_waiting) counted = from_.session->try_pop();
    }
    if (!counted) return std::move(counted).error();
    if (is_waiting) return repetition::running;
    return passes_.try_end_pass();
}

// Where the host waited in or after the call. False: it would still wait.
GPUPROF_INLINE result<bool> range_replay::try_wait_as_host(hw::captured_call const& call) {
    using kind = hw::captured_call::kind;
    if (call.what == kind::host_waits_for_context) return try_idle();
    if (call.what == kind::host_waits_for_event) {
        auto const status = from_.gpu->driver().EventQuery(call.event);
        if (status == abi::CUDA_SUCCESS) return true;
        if (status != abi::CUDA_ERROR_NOT_READY) return hw::explain("cuEventQuery", status);
        return try_idle(); // which is longer, and no less right
    }
    if (call.what != kind::host_waits_for_stream && !call.host_waited) return true;
    if (auto marked = passes_.try_mark(call.stream); !marked) return std::move(marked).error();
    return passes_.try_wait();
}

} // namespace detail
GPUPROF_NAMESPACE_END

#endif // GPUPROF_MEASURE_RANGE_REPLAY_INL_HPP
