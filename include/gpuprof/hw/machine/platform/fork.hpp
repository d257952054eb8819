// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Counts forks, so that a child can tell itself from its parent. Windows has no fork.
#ifndef GPUPROF_HW_MACHINE_PLATFORM_FORK_HPP
#define GPUPROF_HW_MACHINE_PLATFORM_FORK_HPP

#include "../../../detail/builtin.hpp"
#include "../../../detail/config.hpp"
#include "platform.hpp"

#if !GPUPROF_WINDOWS
#include <pthread.h>
#endif

GPUPROF_NAMESPACE_BEGIN
namespace platform {

#if GPUPROF_WINDOWS
[[nodiscard]] inline unsigned forks_so_far() noexcept { return 0; }
inline void watch_forks() noexcept {}
#else
namespace inner {
inline constinit unsigned forks = 0;
inline void count_fork() noexcept { gpuprof::detail::add_relaxed(forks, 1u); }
} // namespace inner

// How many calls of fork() lie between this process and the one that first called watch_forks():
// data that was stored with another number belongs to a parent. Cost: one load. Thread-safe.
[[nodiscard]] inline unsigned forks_so_far() noexcept { return gpuprof::detail::load_relaxed(inner::forks); }

// Begins to count; once a process. Thread-safe.
inline void watch_forks() noexcept {
    static bool const watching = ::pthread_atfork(nullptr, nullptr, &inner::count_fork) == 0;
    static_cast<void>(watching);
}
#endif

// Marks the process that something was set up in. A child that is forked afterwards has the memory of it, but
// none of its threads: a lock that one of them held stays locked there for ever.
class owning_process {
public:
    // This process is the owner, if there is none yet. Thread-safe.
    void claim() noexcept {
        watch_forks();
        unsigned none = 0;
        unsigned const mine = forks_so_far() + 1;
        while (none == 0 && !gpuprof::detail::exchange_weak(owner_, none, mine)) {}
    }
    // Whether this process was forked from the owner. Cost: two loads. Thread-safe.
    [[nodiscard]] bool is_child() const noexcept {
        unsigned const owner = gpuprof::detail::load_relaxed(owner_);
        return owner != 0 && owner != forks_so_far() + 1;
    }

private:
    unsigned owner_ = 0; // its forks_so_far() plus 1; 0: none
};

} // namespace platform
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_MACHINE_PLATFORM_FORK_HPP
