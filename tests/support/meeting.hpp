// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Threads that meet, again and again: what std::barrier does, which loses wake-ups where g++ builds for Windows. Test support.
#ifndef GPUPROF_TESTS_SUPPORT_MEETING_HPP
#define GPUPROF_TESTS_SUPPORT_MEETING_HPP

#include <cstddef>

#include <gpuprof/hw/machine/platform/condition.hpp>
#include <gpuprof/hw/machine/platform/mutex.hpp>

namespace gpuprof_test {

class meeting {
public:
    explicit meeting(std::size_t threads) : threads_{threads} {}

    // Returns when as many threads have called it.
    void arrive_and_wait() {
        gpuprof::platform::lock const held{mutex_};
        std::size_t const round = round_;
        if (++here_ == threads_) {
            here_ = 0;
            ++round_;
            opened_.wake_all();
        }
        while (round_ == round) opened_.wait(mutex_);
    }

private:
    gpuprof::platform::mutex mutex_;
    gpuprof::platform::condition opened_;
    std::size_t threads_;
    std::size_t here_ = 0;
    std::size_t round_ = 0;
};

} // namespace gpuprof_test

#endif // GPUPROF_TESTS_SUPPORT_MEETING_HPP
