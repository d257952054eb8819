// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// replay_mode::kernel: kernels that CUPTI must not repeat are left out.
#ifndef GPUPROF_MEASURE_KERNEL_REPLAY_GUARD_HPP
#define GPUPROF_MEASURE_KERNEL_REPLAY_GUARD_HPP

#include <cstddef>
#include <optional>
#include <vector>

#include "../core/error.hpp"
#include "../core/result.hpp"
#include "../detail/config.hpp"
#include "../hw/callbacks/launch_event.hpp"
#include "../hw/counters/range_mode.hpp"
#include "../hw/machine/device.hpp"
#include "../hw/machine/stream_marks.hpp"
#include "unreplayed.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace hw {
class counter_session;
class graph_watch;
} // namespace hw

namespace detail {

class launch_log;

// Hears of each launch of the context before and after it, for hw::launch_watch. Before a kernel that waits for partners, or
// that reaches memory of another GPU, it stops the hardware, so that CUPTI does not repeat it: the kernel runs once and has no
// values. The hardware goes on before the next launch, once what ran meanwhile has ended: a start waits for that. What has not
// ended by the deadline is waited for no longer, and launches are left out until it has.
//
// Launches of several threads wait for each other, which CUPTI makes them do by itself here. Cost of a launch: a driver call a
// parameter, and up to three for each word of 8 bytes; where something is left out, a stop, a start and an event.
// Thread-safe.
class kernel_replay_guard {
public:
    // @param graphs null: graphs are not known, and are repeated
    // @pre all of them outlive it
    kernel_replay_guard(device const& gpu, launch_log& launches, hw::graph_watch const* graphs, replay_caution caution,
                        unsigned deadline_ms) noexcept
        : gpu_{&gpu}, launches_{&launches}, graphs_{graphs}, caution_{caution}, marks_{gpu, deadline_ms} {}
    kernel_replay_guard(kernel_replay_guard const&) = delete;
    kernel_replay_guard& operator=(kernel_replay_guard const&) = delete;

    // The listeners of hw::launch_watch.
    static void before(void* self, hw::launch_event const& launch);
    static void after(void* self, hw::launch_event const& launch);

    // The hardware counts, or is about to, with that session. @pre it outlives what is heard
    void begin(hw::counter_session& session);
    // See class paused.
    void pause(bool on);

    // What it leaves.
    struct ending {
        std::vector<error> problems{};
        std::optional<error> failure{};
        bool is_stopped = false; // the hardware is: no pass is to be ended
        bool is_stuck = false;   // work runs that does not end: each call of the session could wait for that
    };
    // @pre nothing is heard any more
    [[nodiscard]] ending end();

private:
    template <class F>
    void guarded(F work) noexcept;
    void take_turn() noexcept;
    void give_turn() noexcept;
    [[nodiscard]] std::optional<repeat_obstacle> why_not_repeated(hw::launch_event const& launch) const;
    void look_at(hw::launch_event const& launch);
    void leave_out(hw::launch_event const& launch, repeat_obstacle why);
    void fail(error why);

    device const* gpu_;
    launch_log* launches_;
    hw::graph_watch const* graphs_;
    replay_caution caution_;
    hw::counter_session* session_ = nullptr;
    std::size_t turn_ = 0; // the thread whose launching call is under way
    hw::stream_marks marks_;
    bool is_stopped_ = false;  // by the guard
    bool is_paused_ = false;   // by the application
    bool is_left_out_ = false; // the launch in hand
    unreplayed left_out_;
    std::optional<error> failure_; // the hardware is left alone from then on
};

} // namespace detail
GPUPROF_NAMESPACE_END

#if GPUPROF_HEADER_ONLY
#include "kernel_replay_guard.inl.hpp"
#endif

#endif // GPUPROF_MEASURE_KERNEL_REPLAY_GUARD_HPP
