// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// replay_mode::range: gpuprof makes the driver calls of each outermost scope again, once a pass.
#ifndef GPUPROF_MEASURE_RANGE_REPLAY_HPP
#define GPUPROF_MEASURE_RANGE_REPLAY_HPP

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "../core/result.hpp"
#include "../detail/config.hpp"
#include "../hw/callbacks/captured_call.hpp"
#include "../hw/callbacks/subscription.hpp"
#include "../hw/machine/platform/mutex.hpp"
#include "../hw/memory/reached_memory.hpp"
#include "../hw/memory/saved_arrays.hpp"
#include "call_replay.hpp"
#include "repeated_passes.hpp"
#include "unreplayed.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace detail {

// While an outermost scope is open, the driver calls of all threads in the context are recorded, and the memory that they reach
// is saved before. The application runs without counters meanwhile. When the scope ends, the calls are made once a pass, from one
// thread in the order that they were made in, with memory put back before; kernels are not serialised. Then the application goes
// on: it sees one execution, and nothing of its host's memory was touched.
//
// What ends in the range (memory that began in it, streams, events) and is used by earlier calls of it has a stand-in when these are
// made again. Host functions are not called again.
//
// A call that is not supported (hw/callbacks/captured_call.hpp), a kernel that reaches memory of the host or of another device,
// and work that has not ended after profiler_options::replay_deadline_ms keep the range from being measured; the problem names
// which. Other threads must not use the context's memory while the calls are made again.
//
// Cost: a callback each driver call, a copy of what is copied from the host, that of hw::written_memory, and of repeated_passes.
// Kernel profiling guide 2023.3, 2.3.3 ("Range Replay").
class range_replay final : public call_replay {
public:
    explicit range_replay(lent_collection const& from) noexcept : from_{from}, passes_{from}, arrays_{*from.gpu} {}

    [[nodiscard]] result<void> try_begin() override;
    void enter(std::uint32_t id, std::string_view name) override;
    void leave() override;
    void pause(bool) noexcept override {} // the profiler refuses it
    [[nodiscard]] replayed_calls end() override;

private:
    // A call, or where a scope opened or closed.
    struct step {
        enum class kind : unsigned char { call, push, pop };
        step::kind what = step::kind::call;
        std::uint32_t id = 0;
        hw::captured_call call{};
    };
    static constexpr std::size_t most_host_bytes = std::size_t{256} << 20;

    static void called(void* self, hw::callback_id id, void const* data);
    template <class F>
    void guarded(F work) noexcept;
    void note_stream(hw::callback_id id, abi::CUpti_CallbackData const& call);
    void note_new(abi::CUpti_CallbackData const& call);
    void capture(hw::callback_id id, abi::CUpti_CallbackData const& call);
    void forget_refused(std::uint32_t correlation);
    void stop(repeat_obstacle why);
    [[nodiscard]] std::optional<repeat_obstacle> outlive(hw::captured_call const& destruction);
    [[nodiscard]] std::optional<repeat_obstacle> outlive_memory(abi::CUdeviceptr address);
    [[nodiscard]] std::optional<repeat_obstacle> outlive_event(abi::CUevent event);
    [[nodiscard]] std::optional<repeat_obstacle> outlive_stream(abi::CUstream stream);
    template <class Test>
    [[nodiscard]] bool any_call(Test test) const;
    void forget_stand_ins();
    [[nodiscard]] std::optional<repeat_obstacle> try_save(hw::captured_call& call, char const* symbol);
    template <class F>
    [[nodiscard]] std::optional<repeat_obstacle> save(F how);

    void replay();
    [[nodiscard]] bool launches_in_several_streams() const;
    [[nodiscard]] std::optional<repeat_obstacle> why_not_repeated();
    [[nodiscard]] result<bool> try_idle();
    [[nodiscard]] result<repetition> try_repeat();
    [[nodiscard]] result<bool> try_wait_as_host(hw::captured_call const& call);

    lent_collection const from_;
    repeated_passes passes_;
    hw::saved_arrays arrays_; // that the range in hand writes
    unreplayed unreplayed_;
    unsigned is_recording_ = 0; // written under the mutex
    platform::mutex mutex_;
    std::vector<abi::CUstream> streams_; // that were given work
    std::vector<step> steps_;
    hw::reached_memory reached_;
    std::size_t host_bytes_ = 0;
    bool has_host_function_ = false;
    // Streams that the application made since this began, and how.
    struct made_stream {
        abi::CUstream stream = nullptr;
        unsigned flags = 0;
        int priority = 0;
    };
    std::vector<made_stream> made_streams_;
    std::vector<abi::CUdeviceptr> made_memory_; // in the range in hand
    // For what ended in the range in hand, until it is measured.
    std::vector<abi::CUdeviceptr> spare_memory_;
    std::vector<abi::CUstream> spare_streams_;
    std::vector<abi::CUevent> spare_events_;
    std::optional<repeat_obstacle> obstacle_; // of the range in hand
    bool is_stuck_ = false;                   // a pass is open around work that does not end
    std::string name_;                        // of the outermost scope
    std::uint32_t first_ = 0;                 // its number; those inside it follow
    std::size_t depth_ = 0;
    std::size_t deepest_ = 0;
    std::size_t ranges_ = 0; // in the outermost one
    std::vector<unsigned char> scratch_;
    std::optional<hw::subscription> calls_;
};

} // namespace detail
GPUPROF_NAMESPACE_END

#if GPUPROF_HEADER_ONLY
#include "range_replay.inl.hpp"
#endif

#endif // GPUPROF_MEASURE_RANGE_REPLAY_HPP
