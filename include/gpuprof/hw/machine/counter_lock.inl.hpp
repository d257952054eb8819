// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definitions of counter_lock.hpp.
#ifndef GPUPROF_HW_MACHINE_COUNTER_LOCK_INL_HPP
#define GPUPROF_HW_MACHINE_COUNTER_LOCK_INL_HPP

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include "counter_lock.hpp"
#include "platform/environment.hpp"
#include "platform/file_lock.hpp"
#include "platform/fork.hpp"
#include "platform/mutex.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace hw {
namespace inner {

// The lock of this process.
struct shared_counter_lock {
    platform::mutex guard;
    platform::file_lock file;
    std::size_t holders = 0;
    unsigned process = 0;
};

// Never destroyed: a profiler with static storage may end later. The functions of a fork are called
// in the order of their registration after it, so that forks are counted first.
[[nodiscard]] shared_counter_lock& process_counter_lock();
GPUPROF_INLINE shared_counter_lock& process_counter_lock() {
    static shared_counter_lock* const made = [] {
        platform::watch_forks();
        return new shared_counter_lock;
    }();
    static bool const held = platform::hold_over_fork([] { process_counter_lock().guard.acquire(); },
                                                      [] {
                                                          shared_counter_lock& all = process_counter_lock();
                                                          if (all.process != platform::forks_so_far()) {
                                                              all.file.leave_to_parent();
                                                              all.holders = 0;
                                                              all.process = platform::forks_so_far();
                                                          }
                                                          all.guard.release();
                                                      });
    static_cast<void>(held);
    return *made;
}

[[nodiscard]] error no_counter_lock(std::string const& path, platform::file_lock_state why, int status,
                                    unsigned waited_ms);
GPUPROF_COLD GPUPROF_INLINE error no_counter_lock(std::string const& path, platform::file_lock_state why, int status,
                                                  unsigned waited_ms) {
    using state = platform::file_lock_state;
    auto const of = [&](errc code, std::string_view cause, std::string_view remedy) {
        return error{code, status, "the counters were not locked against other processes: " + path, cause, remedy};
    };
    switch (why) {
        case state::late:
            return of(errc::busy,
                      "another process measured for all of the " + std::to_string(waited_ms) +
                          " ms that this one waited: its counts and these may disturb each other",
                      "measure again when it has ended; raise profiler_options::longest_wait_ms");
        case state::no_directory:
            return of(errc::io, "its directory is not there", "set TMPDIR to a directory that all users may write");
        case state::not_a_file:
            return of(errc::io, "it is a link, a directory or a pipe, not a file",
                      "remove it, or set TMPDIR to another directory");
        case state::no_locks:
            return of(errc::unavailable, "its file system has no locks",
                      "set TMPDIR to a directory on a local disk, or clear profiler_options::lock_counters");
        default:
            return of(errc::permission,
                      "this user may not open or make it: it belongs to another user, its directory is not "
                      "writable, or fs.protected_regular forbids it",
                      "let its owner allow all users to write it (chmod a+rw), or remove it; or set TMPDIR, for "
                      "each process that measures the same");
    }
}

} // namespace inner

GPUPROF_INLINE result<counter_lock> counter_lock::try_acquire(unsigned longest_wait_ms) {
    inner::shared_counter_lock& all = inner::process_counter_lock();
    platform::lock const guard{all.guard};
    if (all.holders == 0) {
        all.process = platform::forks_so_far();
        std::string const path = counter_lock_path(&platform::trusted_variable);
        auto const state = all.file.acquire(path, longest_wait_ms);
        if (state != platform::file_lock_state::held)
            return inner::no_counter_lock(path, state, all.file.system_error(), longest_wait_ms);
    }
    ++all.holders;
    counter_lock mine;
    mine.held_ = true;
    mine.process_ = all.process;
    return result<counter_lock>{std::move(mine)};
}

GPUPROF_INLINE void counter_lock::release() noexcept {
    if (!std::exchange(held_, false)) return;
    inner::shared_counter_lock& all = inner::process_counter_lock();
    platform::lock const guard{all.guard};
    if (process_ != platform::forks_so_far()) return; // the parent's
    if (--all.holders == 0) all.file.release();
}

} // namespace hw
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_MACHINE_COUNTER_LOCK_INL_HPP
