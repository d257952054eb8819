// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A mutex that is free in the child of a fork.
#ifndef GPUPROF_SRC_LIBCUDA_FORK_SAFE_MUTEX_HPP
#define GPUPROF_SRC_LIBCUDA_FORK_SAFE_MUTEX_HPP

#include <mutex>

#include <gpuprof/hw/machine/platform/mutex.hpp>

namespace gpuprof::program {

// The mutex of what `Owner` stands for. A thread that forks waits for it and holds it meanwhile: no other thread can have
// it then, which the child would wait for in vain. Never destroyed; thread-safe.
template <class Owner>
[[nodiscard]] std::mutex& fork_safe_mutex() {
    static std::mutex one;
    [[maybe_unused]] static bool const safe = platform::hold_over_fork([] { one.lock(); }, [] { one.unlock(); });
    return one;
}

} // namespace gpuprof::program

#endif // GPUPROF_SRC_LIBCUDA_FORK_SAFE_MUTEX_HPP
