// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A mutex at a tenth of <mutex>'s compile time. Layer: hw, lowest.
#ifndef GPUPROF_HW_MACHINE_PLATFORM_MUTEX_HPP
#define GPUPROF_HW_MACHINE_PLATFORM_MUTEX_HPP

#include <pthread.h> // pthread_mutex_t

#include "../../../detail/config.hpp"
#include "platform.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace platform {

class mutex {
public:
    constexpr mutex() = default;
    mutex(mutex const&) = delete;
    mutex& operator=(mutex const&) = delete;

private:
    friend class lock;
    pthread_mutex_t handle_ = PTHREAD_MUTEX_INITIALIZER;
};

// Holds a mutex for a block.
class [[nodiscard]] lock {
public:
    explicit lock(mutex& held) noexcept : held_{held} { pthread_mutex_lock(&held_.handle_); }
    ~lock() { pthread_mutex_unlock(&held_.handle_); }
    lock(lock const&) = delete;
    lock& operator=(lock const&) = delete;

private:
    mutex& held_;
};

} // namespace platform
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_MACHINE_PLATFORM_MUTEX_HPP
