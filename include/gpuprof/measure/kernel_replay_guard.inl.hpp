// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definitions of kernel_replay_guard.hpp.
#ifndef GPUPROF_MEASURE_KERNEL_REPLAY_GUARD_INL_HPP
#define GPUPROF_MEASURE_KERNEL_REPLAY_GUARD_INL_HPP

#include <string>
#include <utility>

#include "../detail/builtin.hpp"
#include "../hw/counters/counter_backend.hpp"
#include "../hw/machine/in_context.hpp"
#include "../hw/machine/platform/thread.hpp"
#include "kernel_replay_guard.hpp"
#include "launch_log.hpp"
#include "replay_obstacles.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace detail {

// A listener must not throw. Without memory nothing more is measured.
template <class F>
void kernel_replay_guard::guarded(F work) noexcept {
#if GPUPROF_EXCEPTIONS
    try {
        work();
    } catch (...) {
        if (!failure_) failure_.emplace(); // without text: there is no memory
    }
#else
    work();
#endif
}

GPUPROF_INLINE void kernel_replay_guard::take_turn() noexcept {
    std::size_t other = 0;
    for (unsigned round = 0; !exchange_weak(turn_, other, platform::this_thread()); other = 0)
        if (other != 0) platform::wait_a_little(round++);
}
GPUPROF_INLINE void kernel_replay_guard::give_turn() noexcept { store_release(turn_, std::size_t{0}); }

GPUPROF_INLINE void kernel_replay_guard::fail(error why) {
    if (!failure_) failure_ = std::move(why);
}

GPUPROF_INLINE void kernel_replay_guard::begin(hw::counter_session& session) {
    take_turn();
    session_ = &session;
    give_turn();
}

GPUPROF_INLINE void kernel_replay_guard::before(void* self, hw::launch_event const& launch) {
    auto& mine = *static_cast<kernel_replay_guard*>(self);
    if (load_acquire(mine.turn_) == platform::this_thread()) return; // a launch within a launch
    mine.take_turn();
    mine.is_left_out_ = false;
    if (mine.session_ != nullptr && !mine.failure_) mine.guarded([&] { mine.look_at(launch); });
}

GPUPROF_INLINE void kernel_replay_guard::after(void* self, hw::launch_event const& launch) {
    auto& mine = *static_cast<kernel_replay_guard*>(self);
    bool const has_turn = load_acquire(mine.turn_) == platform::this_thread();
    bool const ran = launch.status == abi::CUDA_SUCCESS;
    if (!has_turn || !mine.is_left_out_ || !ran) launch_log::heard(mine.launches_, launch);
    if (!has_turn) return;
    if (mine.is_stopped_ && ran)
        mine.guarded([&] {
            if (auto marked = mine.marks_.try_mark(launch.stream); !marked) mine.fail(std::move(marked).error());
        });
    mine.give_turn();
}

GPUPROF_INLINE std::optional<repeat_obstacle>
kernel_replay_guard::why_not_repeated(hw::launch_event const& launch) const {
    if (auto obstacle = partner_obstacle(launch.symbol)) return obstacle;
    std::vector<abi::CUdeviceptr> addresses;
    if (launch.graph) {
        auto const nodes = graphs_ != nullptr ? graphs_->find(launch.executable) : shared<hw::graph_kernels>{};
        if (nodes.get() == nullptr) return std::nullopt;
        for (hw::graph_kernel const& each : nodes.get()->kernels)
            if (auto obstacle = partner_obstacle(each.symbol.c_str())) return obstacle;
        addresses = nodes.get()->words;
    } else {
        static_cast<void>(
            hw::add_argument_words(launch.function, launch.arguments, launch.packed, gpu_->driver(), addresses));
    }
    if (gpu_->driver().PointerGetAttribute == nullptr) return std::nullopt;
    hw::memory_owner const owner = hw::owner_of(addresses, gpu_->driver(), gpu_->ordinal());
    if (owner == hw::memory_owner::host && caution_ != replay_caution::host_memory) return std::nullopt;
    return memory_obstacle(owner);
}

// Stops the hardware where the launch must not be repeated, and lets it go on where it is stopped and the launch may be.
GPUPROF_INLINE void kernel_replay_guard::look_at(hw::launch_event const& launch) {
    auto obstacle = why_not_repeated(launch);
    if (is_paused_) { // it is stopped, but is not to go on while this kernel runs
        is_stopped_ = is_stopped_ || obstacle.has_value();
        return;
    }
    if (obstacle) {
        // Nothing that waits runs: CUPTI has waited for all that it repeated, and what it did not has ended.
        if (!is_stopped_)
            if (auto stopped = session_->try_pause(); !stopped) return fail(std::move(stopped).error());
        is_stopped_ = true;
        return leave_out(launch, *std::move(obstacle));
    }
    if (!is_stopped_) return;
    if (hw::is_capturing(gpu_->driver())) // which looking at events would spoil
        return leave_out(launch,
                         {"a stream of the context was being captured", "end the capture before other launches"});
    auto const ended = marks_.try_wait(); // for what ran while the hardware was stopped
    if (!ended) return fail(ended.error());
    if (!*ended)
        return leave_out(launch, {joined({"a kernel before it was not replayed, and had not ended after ",
                                          std::to_string(marks_.deadline_ms()), " ms"}),
                                  other_replay});
    if (auto resumed = session_->try_resume(); !resumed) return fail(std::move(resumed).error());
    is_stopped_ = false;
}

GPUPROF_INLINE void kernel_replay_guard::leave_out(hw::launch_event const& launch, repeat_obstacle why) {
    is_left_out_ = true;
    left_out_.add(text_of_launch(launch), std::move(why), false);
}

GPUPROF_INLINE void kernel_replay_guard::pause(bool on) {
    take_turn();
    guarded([&] {
        is_paused_ = on;
        if (session_ == nullptr || failure_ || is_stopped_) return; // goes on with the next launch
        if (auto done = on ? session_->try_pause() : session_->try_resume(); !done) fail(std::move(done).error());
    });
    give_turn();
}

GPUPROF_INLINE kernel_replay_guard::ending kernel_replay_guard::end() {
    ending left;
    guarded([&] {
        left_out_.tell(left.problems, "launch", "launches");
        if (session_ == nullptr || !is_stopped_) return;
        marks_.be_patient();
        static_cast<void>(hw::in_context(gpu_->driver(), gpu_->context(), [&]() -> result<void> {
            auto const ended = marks_.try_wait();
            left.is_stuck = ended && !*ended;
            if (!ended) fail(ended.error());
            return {};
        }));
        // No failure: to explain one, the profiler would wait for the device.
        if (left.is_stuck)
            left.problems.push_back({errc::not_collected, 0,
                                     joined({"a kernel that was not replayed had not ended ",
                                             std::to_string(marks_.deadline_ms()), " ms after the last launch"}),
                                     "the counters cannot be read while it runs",
                                     "end the loop over passes() when the kernel's partners run"});
    });
    left.is_stopped = is_stopped_;
    left.failure = std::move(failure_);
    return left;
}

} // namespace detail
GPUPROF_NAMESPACE_END

#endif // GPUPROF_MEASURE_KERNEL_REPLAY_GUARD_INL_HPP
