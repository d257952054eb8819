// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definitions of range_replay.hpp.
#ifndef GPUPROF_MEASURE_RANGE_REPLAY_INL_HPP
#define GPUPROF_MEASURE_RANGE_REPLAY_INL_HPP

#include <utility>

#include "../detail/builtin.hpp"
#include "../hw/abi/cupti_driver_parameters.hpp"
#include "../hw/callbacks/launching_calls.hpp"
#include "../hw/machine/in_context.hpp"
#include "../hw/machine/platform/demangle.hpp"
#include "launch_log.hpp"
#include "profiler_options.hpp"
#include "range_replay.hpp"
#include "replay_obstacles.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace detail {

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
        made_memory_.clear();
        has_host_function_ = false;
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
        bool const failed = !is_entry && call.functionReturnValue != nullptr &&
                            *static_cast<abi::CUresult const*>(call.functionReturnValue) != abi::CUDA_SUCCESS;
        if (is_entry) mine.note_stream(id, call);
        else if (!failed) mine.note_new(call);
        if (load_acquire(mine.is_recording_) == 0 || mine.obstacle_) return;
        if (is_entry) mine.capture(id, call);
        else if (failed) mine.forget_refused(call.correlationId);
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

// What the application has made or ended, at the end of the call.
GPUPROF_INLINE void range_replay::note_new(abi::CUpti_CallbackData const& call) {
    if (call.functionParams == nullptr) return;
    std::string_view const name = call.functionName;
    auto const note = [this]<class Parameters>(Parameters const* parameters) {
        if constexpr (requires { parameters->priority; })
            made_streams_.push_back({*parameters->phStream, parameters->flags, parameters->priority});
        else if constexpr (requires { parameters->phStream; })
            made_streams_.push_back({*parameters->phStream, parameters->Flags, 0});
        else if (load_acquire(is_recording_) != 0) made_memory_.push_back(*parameters->dptr);
    };
    void const* const given = call.functionParams;
    if (name == "cuStreamDestroy_v2")
        std::erase_if(made_streams_, [given](made_stream const& each) {
            return each.stream == static_cast<abi::cuStreamDestroy_v2_params const*>(given)->hStream;
        });
    else if (name == "cuStreamCreate") note(static_cast<abi::cuStreamCreate_params const*>(given));
    else if (name == "cuStreamCreateWithPriority")
        note(static_cast<abi::cuStreamCreateWithPriority_params const*>(given));
    else if (name == "cuMemAlloc_v2") note(static_cast<abi::cuMemAlloc_v2_params const*>(given));
    else if (name == "cuMemAllocPitch_v2") note(static_cast<abi::cuMemAllocPitch_v2_params const*>(given));
    else if (name == "cuMemAllocManaged") note(static_cast<abi::cuMemAllocManaged_params const*>(given));
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
    using kind = hw::captured_call::kind;
    if (made.what == kind::destruction) {
        if (auto obstacle = outlive(made)) {
            obstacle->cause = joined({call.functionName, ": ", obstacle->cause});
            stop(*std::move(obstacle));
        }
        return;
    }
    has_host_function_ = has_host_function_ || made.what == kind::host_function;
    if (has_host_function_ && !made.bytes.empty() &&
        (made.what == kind::copy_from_host || made.what == kind::copy_of_box))
        return stop({joined({call.functionName,
                             ": it may copy what a host function before it writes, which is not called again"}),
                     other_replay});
    if (auto obstacle = try_save(made, call.symbolName)) return stop(*std::move(obstacle));
    host_bytes_ += made.what == kind::copy_from_host || made.what == kind::copy_of_box ? made.bytes.size() : 0;
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

// ---- what ends in a range -----------------------------------------------------------------------

template <class Test>
bool range_replay::any_call(Test test) const {
    for (step const& each : steps_)
        if (each.what == step::kind::call && test(each.call)) return true;
    return false;
}

// What calls before it use goes on for them when they are made again. Nothing is in the way where none uses it.
GPUPROF_INLINE std::optional<repeat_obstacle> range_replay::outlive(hw::captured_call const& destruction) {
    using call = hw::captured_call;
    std::uint64_t const value = destruction.ended_value;
    switch (destruction.ended) {
        case call::thing::memory: return outlive_memory(static_cast<abi::CUdeviceptr>(value));
        case call::thing::event:
            return outlive_event(reinterpret_cast<abi::CUevent>(static_cast<std::uintptr_t>(value)));
        case call::thing::stream:
            return outlive_stream(reinterpret_cast<abi::CUstream>(static_cast<std::uintptr_t>(value)));
        case call::thing::graph:
            if (any_call([&](call const& each) {
                    return each.what == call::kind::graph &&
                           each.graph == reinterpret_cast<abi::CUgraphExec>(static_cast<std::uintptr_t>(value));
                }))
                return repeat_obstacle{"the range launches the graph", "destroy it after the range"};
            return std::nullopt;
        case call::thing::texture:
            if (any_call([&](call const& each) {
                    for (abi::CUdeviceptr const word : each.words)
                        if (word == value) return true;
                    return false;
                }))
                return repeat_obstacle{"a kernel of the range uses it", "destroy it after the range"};
            return std::nullopt;
        case call::thing::module_or_array:
            if (any_call([](call const& each) {
                    return each.what == call::kind::kernel || each.what == call::kind::graph ||
                           each.box.srcArray != nullptr || each.box.dstArray != nullptr;
                }))
                return repeat_obstacle{"a kernel or a copy of the range may use it", "end it after the range"};
            return std::nullopt;
        case call::thing::nothing: break;
    }
    return std::nullopt;
}

GPUPROF_INLINE std::optional<repeat_obstacle> range_replay::outlive_memory(abi::CUdeviceptr address) {
    abi::driver_table const& driver = from_.gpu->driver();
    hw::memory_span span;
    if (driver.MemGetAddressRange(&span.begin, &span.bytes, address) != abi::CUDA_SUCCESS) return std::nullopt;
    auto const is_in = [&span](abi::CUdeviceptr word) { return word >= span.begin && word - span.begin < span.bytes; };
    bool const is_used = any_call([&](hw::captured_call const& each) {
        if (each.what == hw::captured_call::kind::graph) return true; // its arguments cannot be changed
        for (abi::CUdeviceptr const word : {each.from, each.box.srcDevice})
            if (is_in(word)) return true;
        for (abi::CUdeviceptr const word : each.words)
            if (is_in(word)) return true;
        return false;
    });
    if (!is_used) return std::nullopt;
    bool is_new = false;
    for (abi::CUdeviceptr const each : made_memory_) is_new = is_new || each == address;
    if (!is_new)
        return repeat_obstacle{"it ends memory from before the range that calls of the range use",
                               "free it after the range"};
    if (any_call([](hw::captured_call const& each) { return each.what == hw::captured_call::kind::graph; }))
        return repeat_obstacle{"a graph of the range may use the memory", "free it after the range"};
    abi::CUdeviceptr spare = 0;
    if (auto status = driver.MemAlloc(&spare, span.bytes))
        return repeat_obstacle{
            joined({"there is no memory to stand in for it: ", hw::explain("cuMemAlloc", status).message()}),
            "free it after the range"};
    spare_memory_.push_back(spare);
    for (step& each : steps_) hw::move_addresses(each.call, span.begin, span.bytes, spare);
    std::erase(made_memory_, address);
    return std::nullopt;
}

GPUPROF_INLINE std::optional<repeat_obstacle> range_replay::outlive_event(abi::CUevent event) {
    if (!any_call([event](hw::captured_call const& each) { return each.event == event; })) return std::nullopt;
    abi::CUevent spare = nullptr;
    if (auto status = from_.gpu->driver().EventCreate(&spare, 0))
        return repeat_obstacle{hw::explain("cuEventCreate", status).message(), "destroy it after the range"};
    spare_events_.push_back(spare);
    for (step& each : steps_)
        if (each.call.event == event) each.call.event = spare;
    return std::nullopt;
}

GPUPROF_INLINE std::optional<repeat_obstacle> range_replay::outlive_stream(abi::CUstream stream) {
    if (stream == nullptr || !any_call([stream](hw::captured_call const& each) { return each.stream == stream; }))
        return std::nullopt;
    made_stream const* made = nullptr;
    for (made_stream const& each : made_streams_)
        if (each.stream == stream) made = &each;
    if (made == nullptr)
        return repeat_obstacle{"the stream was made before the profiler began to measure",
                               "destroy it after the range"};
    abi::CUstream spare = nullptr;
    if (auto status = from_.gpu->driver().StreamCreateWithPriority(&spare, made->flags, made->priority))
        return repeat_obstacle{hw::explain("cuStreamCreateWithPriority", status).message(),
                               "destroy it after the range"};
    // What it still does is work of the range.
    if (auto marked = passes_.try_mark(stream); !marked)
        return repeat_obstacle{marked.error().message(), "destroy it after the range"};
    spare_streams_.push_back(spare);
    streams_.push_back(spare);
    for (step& each : steps_)
        if (each.call.stream == stream) each.call.stream = spare;
    return std::nullopt;
}

// And what was saved of arrays. @pre nothing runs
GPUPROF_INLINE void range_replay::forget_stand_ins() {
    abi::driver_table const& driver = from_.gpu->driver();
    for (abi::CUdeviceptr const each : std::exchange(spare_memory_, {})) static_cast<void>(driver.MemFree(each));
    arrays_.forget();
    for (abi::CUevent const each : std::exchange(spare_events_, {})) static_cast<void>(driver.EventDestroy(each));
    for (abi::CUstream const each : std::exchange(spare_streams_, {})) {
        std::erase(streams_, each);
        static_cast<void>(driver.StreamDestroy(each));
    }
}

// Memory that the call reaches first is saved, once nothing runs.
GPUPROF_INLINE std::optional<repeat_obstacle> range_replay::try_save(hw::captured_call& call, char const* symbol) {
    using kind = hw::captured_call::kind;
    if (auto obstacle = partner_obstacle(symbol)) return obstacle;
    if (call.what == kind::graph)
        if (auto obstacle = add_words_of_graph(from_.graphs, call.graph, call.words)) return obstacle;
    auto obstacle = managed_obstacle({call.from, call.box.srcDevice}, *from_.gpu); // copied again as it is later
    if (!obstacle) obstacle = managed_obstacle(call.words, *from_.gpu);
    if (!obstacle && hw::writes_array(call)) return save([&] { return arrays_.try_save(call.box); });
    if (!obstacle && call.words.empty()) return std::nullopt;
    if (!obstacle) obstacle = memory_obstacle(hw::owner_of(call.words, from_.gpu->driver(), from_.gpu->ordinal()));
    if (obstacle) {
        obstacle->cause =
            joined({symbol != nullptr ? platform::demangled(symbol) : std::string{"a call"}, ": ", obstacle->cause});
        return obstacle;
    }
    return as_launch_of(call.words, [&](hw::launch_event const& launch) -> std::optional<repeat_obstacle> {
        std::size_t const known = reached_.items().size();
        reached_.add(launch, from_.gpu->driver(), 0);
        if (reached_.items().size() == known) return std::nullopt;
        return save([&] { return passes_.try_save(launch); });
    });
}

// Once nothing runs.
template <class F>
std::optional<repeat_obstacle> range_replay::save(F how) {
    auto idle = try_idle();
    if (!idle) return repeat_obstacle{idle.error().message(), other_replay};
    if (!*idle)
        return repeat_obstacle{joined({"its work had not ended after ", std::to_string(passes_.deadline_ms()),
                                       " ms, and memory was to be saved"}),
                               other_replay};
    if (auto saved = how(); !saved)
        return repeat_obstacle{joined({"its memory was not saved: ", saved.error().message()}), other_replay};
    return std::nullopt;
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
    if (idle && *idle) forget_stand_ins();
    passes_.forget_memory(idle && *idle);
}

// The calls are made all the same when the hardware fails or something does not end: memory was put back, and the application
// counts on what they leave.
GPUPROF_INLINE result<repetition> range_replay::try_repeat() {
    if (auto restored = passes_.try_put_back(); !restored) return std::move(restored).error();
    if (auto restored = arrays_.try_put_back(); !restored) return std::move(restored).error();
    result<void> counted = passes_.try_begin_pass();
    bool is_waiting = false;
    for (step const& each : steps_) {
        if (each.what == step::kind::call) {
            bool const may_wait = each.call.what == hw::captured_call::kind::copy_to_host || // it is for nobody
                                  (each.call.what == hw::captured_call::kind::copy_of_box &&
                                   each.call.box.dstMemoryType == abi::CU_MEMORYTYPE_HOST);
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
