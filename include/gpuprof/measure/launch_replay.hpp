// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// replay_mode::launch: gpuprof makes each launching call once a pass.
#ifndef GPUPROF_MEASURE_LAUNCH_REPLAY_HPP
#define GPUPROF_MEASURE_LAUNCH_REPLAY_HPP

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "../core/result.hpp"
#include "../detail/config.hpp"
#include "../hw/callbacks/launch_watch.hpp"
#include "../hw/callbacks/subscription.hpp"
#include "call_replay.hpp"
#include "repeated_passes.hpp"
#include "unreplayed.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace detail {

// Hears of each launching call of the context before and after it. The application's own call runs first. After it has ended,
// the call is made once for each pass, in the same stream, with the memory put back that its arguments reach. Then the
// application goes on: it sees one execution.
//
// - A kernel's range is the kernel alone (range_mode::auto_range). Such a range makes the launching call wait for its kernel, so
//   that the application's own call is in none, but shows that the kernel ends. Without a deadline it is the first pass.
// - A graph is one range, which holds the launching, too. So is a kernel where the hardware has no other ranges, and a kernel
//   that is not repeated. The application's own call is the first pass then.
// - Nothing waits longer than profiler_options::replay_deadline_ms for the device. A launch that has not ended by then is given
//   up: the application goes on, and launches are not measured until that one has ended.
// - Not repeated, but measured in the one pass that the application makes: what reaches memory of the host or of another device,
//   and what memory is not known of.
// - Not measured: kernels that are known to wait for partners, and launches of several devices at once.
// - Left alone: launches that a capture records; they run with their graph.
// - Launches of several threads wait for each other.
// Cost of a launch: that of repeated_passes, and what hw::written_memory costs where the call is repeated. Where launches of
// kernels and of graphs alternate, the hardware is configured anew for each. Thread-safe as launch_watch is. Kernel profiling
// guide 2023.3, 2.3.1.
class launch_replay final : public call_replay {
public:
    explicit launch_replay(lent_collection const& from) noexcept
        : from_{from}, passes_{from}, has_kernel_ranges_{from.has_kernel_ranges} {}

    [[nodiscard]] result<void> try_begin() override;
    void enter(std::uint32_t, std::string_view) override {}
    void leave() override {}
    void pause(bool on) noexcept override { is_paused_ = on; }
    [[nodiscard]] replayed_calls end() override;

private:
    // How far a launch is measured.
    enum class stage : unsigned char { alone, counted, repeated };
    // What is decided of a launch before it is made.
    struct plan {
        stage how_far = stage::alone;
        range_mode ranges = range_mode::user_range; // auto_range: the kernel alone; user_range: what launches it, too
        bool own_is_counted = true;                 // the application's own call is the first pass
    };

    static void called(void* self, hw::callback_id id, void const* data);
    template <class F>
    void guarded(F work) noexcept;

    void before(hw::launch_event const& launch);
    void after(hw::callback_id id, void const* parameters, hw::launch_event const& launch);

    [[nodiscard]] plan plan_of(hw::launch_event const& launch);
    [[nodiscard]] std::optional<repeat_obstacle> why_not_measured(hw::launch_event const& launch);
    [[nodiscard]] std::optional<repeat_obstacle> why_not_repeated(hw::launch_event const& launch);
    [[nodiscard]] bool try_close_given_up();
    void give_up();
    [[nodiscard]] result<void> try_prepare();
    [[nodiscard]] result<void> try_begin_pass();
    [[nodiscard]] result<repetition> try_end_first_launch();
    [[nodiscard]] result<repetition> try_close_pass();
    [[nodiscard]] result<repetition> try_repeat(hw::callback_id id, void const* parameters);
    [[nodiscard]] result<bool> try_read();
    void measure_alone(hw::callback_id id, void const* parameters);
    void lose_kernel_ranges(errc code, int status, std::string_view cause);
    void fail(error why);

    lent_collection const from_;
    repeated_passes passes_;
    unreplayed unreplayed_;
    std::size_t turn_ = 0;           // the thread whose launching call is under way
    bool is_own_ = false;            // that thread makes calls of gpuprof's
    std::uint32_t correlation_ = 0;  // CUPTI's number of the launching call
    plan plan_;                      // of the launch in hand
    bool has_kernel_ranges_;         // the hardware is not known to have none
    std::optional<range_mode> open_; // the kind of range of the pass that is open
    std::string name_;               // of the launch in hand
    std::uint32_t count_ = 0;
    std::size_t multi_device_ = 0; // launches of several devices, of any thread
    std::size_t over_room_ = 0;
    bool is_over_room_ = false; // the launch in hand
    bool is_paused_ = false;
    bool gave_up_ = false; // a launch that has not ended is in an open pass; at the end: any that has not ended
    std::optional<hw::subscription> calls_;
};

} // namespace detail
GPUPROF_NAMESPACE_END

#if GPUPROF_HEADER_ONLY
#include "launch_replay.inl.hpp"
#endif

#endif // GPUPROF_MEASURE_LAUNCH_REPLAY_HPP
