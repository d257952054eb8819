// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The memory that a run of some code changes, as it was before.
#ifndef GPUPROF_HW_MEMORY_WRITTEN_MEMORY_HPP
#define GPUPROF_HW_MEMORY_WRITTEN_MEMORY_HPP

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "../../core/result.hpp"
#include "../../detail/config.hpp"
#include "../callbacks/launch_watch.hpp"
#include "../machine/device.hpp"
#include "copy_limits.hpp"
#include "memory_copy.hpp"
#include "reached_memory.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace hw {

// Needs no library of NVIDIA's. While the code runs for the first time, each allocation is copied
// before the first launch that reaches it by an argument. After that run only what it changed is kept,
// to chunks of 4096 bytes, and can be put back as often as wanted: that costs a copy of what changed,
// however much is reached. Not in it: what kernels reach by pointers that lie in memory, variables of
// modules, launches of graphs, and what copies and fills wrote before the first launch that reached it.
//
// The first run costs a copy of all that is reached, on the device where an eighth of its memory stays
// free, else on the host, else in a file (copy_limits), and a wait for the context for each launch that reaches more; its end
// costs a read of all of that, twice. Kernel profiling guide 2023.3, 2.3.1 ("Kernel Replay").
//
// Not thread-safe, but for before_launch(). Not movable: the watch knows its address. @pre the device
// outlives it
class written_memory {
public:
    // @param limits of what is copied in the first run, and kept after it
    explicit written_memory(device const& gpu, copy_limits limits = {}) : gpu_{&gpu}, room_{std::move(limits)} {}
    written_memory(written_memory const&) = delete;
    written_memory& operator=(written_memory const&) = delete;
    ~written_memory();

    // The first run begins. Errors: of launch_watch.
    [[nodiscard]] result<void> try_begin_run();
    // For who hears of launches himself, in place of try_begin_run(): saves what this one reaches, before it is made. @pre its
    // context is current
    [[nodiscard]] result<void> try_add(launch_event const& launch) { return try_reach(launch); }
    // The first run is over: forgets what it left as it was.
    // Errors: what kept memory from being saved, and launches whose memory is not known: nothing is
    // put back then.
    [[nodiscard]] result<void> try_end_run();
    // Waits for the context. Memory that was freed meanwhile is left out. Errors: invalid_state while a
    // stream is being captured; what the driver says, after which it may be put back in part.
    [[nodiscard]] result<void> try_put_back();

    // That are put back.
    [[nodiscard]] std::size_t bytes() const noexcept { return cost_.bytes(); }
    // After the first run: what try_put_back() copies, and from where.
    [[nodiscard]] restore_cost const& cost() const noexcept { return cost_; }

private:
    // Bytes of an allocation, that of a copy in copies_, and where they are in one of changed_.
    struct piece {
        memory_span allocation;
        std::size_t copy = 0;
        std::size_t from = 0;
        std::size_t bytes = 0;
        std::size_t kept = 0;
        std::size_t at = 0;
    };

    static void before_launch(void* self, launch_event const& launch);
    [[nodiscard]] result<void> try_reach(launch_event const& launch);
    [[nodiscard]] result<void> try_find_changes();
    [[nodiscard]] result<void> try_keep_changes();
    void forget_copies() noexcept;

    device const* gpu_;
    launch_watch watch_;
    reached_memory reached_;
    copy_room room_;                  // before the copies
    std::vector<memory_copy> copies_; // of reached_.items(), during the first run
    std::optional<error> failure_;
    std::vector<piece> pieces_;
    std::vector<memory_copy> changed_; // several where the first place has no room for all
    restore_cost cost_;
};

} // namespace hw
GPUPROF_NAMESPACE_END

#if GPUPROF_HEADER_ONLY
#include "written_memory.inl.hpp"
#endif

#endif // GPUPROF_HW_MEMORY_WRITTEN_MEMORY_HPP
