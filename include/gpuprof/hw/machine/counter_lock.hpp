// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Keeps other processes from counting at the same time, by the lock file of Nsight Compute.
#ifndef GPUPROF_HW_MACHINE_COUNTER_LOCK_HPP
#define GPUPROF_HW_MACHINE_COUNTER_LOCK_HPP

#include <initializer_list>
#include <string>
#include <utility>

#include "../../core/result.hpp"
#include "../../detail/config.hpp"
#include "platform/platform.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace hw {

// The path of the file by which processes under Nsight Compute wait for each other: in the directory
// that the first variable of a list names, else in the system's own (Nsight Compute 2023.3, 6.1).
// An empty variable is as one that is not set.
// @param variable gives the text of an environment variable, empty if it is not set
template <class Variable>
[[nodiscard]] std::string counter_lock_path(Variable variable) {
#if GPUPROF_WINDOWS
    for (std::string const& directory : {variable("TMP"), variable("TEMP")}) // the order of GetTempPath
#else
    for (std::string const& directory : {variable("TMPDIR"), variable("TMP"), variable("TEMP"), variable("TEMPDIR")})
#endif
        if (!directory.empty()) return directory + "/nsight-compute-lock";
    return "/tmp/nsight-compute-lock";
}

// Holds that lock for this process: one process at a time counts. Objects of one process share the
// lock, which the last of them gives back; the file stays. Movable; thread-safe. A child made by
// fork() has none of its parent's locks, and waits for it like any other process.
class [[nodiscard]] counter_lock {
public:
    counter_lock() noexcept = default; // holds nothing
    counter_lock(counter_lock&& other) noexcept : held_{std::exchange(other.held_, false)}, process_{other.process_} {}
    counter_lock& operator=(counter_lock&& other) noexcept {
        if (this != &other) {
            release();
            held_ = std::exchange(other.held_, false);
            process_ = other.process_;
        }
        return *this;
    }
    ~counter_lock() { release(); }

    // Waits for other processes for at most so many milliseconds. Errors: busy if one of them held
    // the lock for so long; permission if the file may not be opened or made; io if its directory is
    // missing, or the name is no file; unavailable if the file system has no locks. Each has a
    // remedy. Cost: some system calls, about 10 us, and the wait.
    [[nodiscard]] static result<counter_lock> try_acquire(unsigned longest_wait_ms);

    [[nodiscard]] bool held() const noexcept { return held_; }
    void release() noexcept;

private:
    bool held_ = false;
    unsigned process_ = 0; // forks between this process and the first
};

} // namespace hw
GPUPROF_NAMESPACE_END

#if GPUPROF_HEADER_ONLY
#include "counter_lock.inl.hpp"
#endif

#endif // GPUPROF_HW_MACHINE_COUNTER_LOCK_HPP
