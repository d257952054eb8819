// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Who repeats driver calls for a profiler: see gpuprof/call_replay.hpp.
#ifndef GPUPROF_MEASURE_CALL_REPLAY_HPP
#define GPUPROF_MEASURE_CALL_REPLAY_HPP

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "../core/result.hpp"
#include "../detail/config.hpp"
#include "../detail/owned.hpp"
#include "../hw/counters/counter_backend.hpp"
#include "../hw/counters/replay_modes.hpp"

GPUPROF_NAMESPACE_BEGIN
struct profiler_options;
namespace hw {
class graph_watch;
} // namespace hw

namespace detail {

class launch_log;

// What a profiler lends. All of it outlives the replay.
struct lent_collection {
    device const* gpu = nullptr;
    profiler_options const* options = nullptr;
    launch_log* launches = nullptr;
    hw::graph_watch const* graphs = nullptr; // null: graphs are not known
    hw::counter_session* session = nullptr;  // null: no metric needs a counter
    std::size_t passes = 1;
    std::size_t room = 0;           // ranges
    bool has_kernel_ranges = false; // a range can be a kernel alone: range_mode::auto_range
    bool patches =
        false; // in a pass each launching call waits for its kernel, which runs with counting instructions put into it
};

// What a replay leaves.
struct replayed_calls {
    std::vector<hw::range_values> values{}; // their ids count ranges, from 0
    std::vector<error> problems{};
    std::optional<error> failure{}; // nothing was measured from there on
    std::size_t cache_flushes = 0;
    std::size_t memory_restores = 0;
    // Work runs that does not end: each call of the session, its end too, could wait for that.
    bool session_is_stuck = false;
};

// Begins once, ends once. Not thread-safe; what it hears of may come from any thread.
class call_replay {
public:
    call_replay() = default;
    call_replay(call_replay const&) = delete;
    call_replay& operator=(call_replay const&) = delete;
    virtual ~call_replay() = default;

    // Errors: of subscriptions; what the driver says.
    [[nodiscard]] virtual result<void> try_begin() = 0;
    // A range by its number, on the thread of the loop. Not called where launches are the ranges.
    virtual void enter(std::uint32_t id, std::string_view name) = 0;
    virtual void leave() = 0;
    // Launches are no ranges from here on, or are again; where launches are the ranges. @pre none is under way
    virtual void pause(bool on) noexcept = 0;
    [[nodiscard]] virtual replayed_calls end() = 0;
};

using call_replay_maker = owned<call_replay> (*)(replay_mode how, lent_collection const& from);

// Whether this thread makes driver calls of a range replay's own.
inline thread_local constinit bool repeats_calls_now = false;

// Null: the program has none.
inline constinit call_replay_maker program_call_replay = nullptr;

[[nodiscard]] constexpr bool repeats_calls(replay_mode how) noexcept {
    return how == replay_mode::launch || how == replay_mode::range;
}

// Never destroyed, since their ends would wait for work that does not end.
struct stuck_replay {
    call_replay* calls;
    hw::counter_session* session;
    stuck_replay* before;
};
inline constinit stuck_replay* last_stuck_replay = nullptr;

inline void keep_stuck(owned<call_replay> calls, owned<hw::counter_session> session) {
    last_stuck_replay = new stuck_replay{calls.release(), session.release(), last_stuck_replay};
}

} // namespace detail
GPUPROF_NAMESPACE_END

#endif // GPUPROF_MEASURE_CALL_REPLAY_HPP
