// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A thread that notices when measuring a launch does not end.
#ifndef GPUPROF_INJECTION_WATCHDOG_HPP
#define GPUPROF_INJECTION_WATCHDOG_HPP

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <utility>

#include <csignal>
#include <pthread.h>

namespace gpuprof::injection {

// Between begin() and end() a deadline runs; when it has passed `late` is called on the watchdog's thread, with what was begun,
// and end() does not return until that has: it may end the process. The thread begins with the first begin(), takes no signals,
// and is never joined: objects of this class are never destroyed. Thread: begin() and end() alternate, by one thread at a time.
class watchdog {
public:
    explicit watchdog(std::function<void(std::string const&)> late) : late_{std::move(late)} {}
    watchdog(watchdog const&) = delete;
    watchdog& operator=(watchdog const&) = delete;
    ~watchdog() = default;

    // @param most zero: it is never late
    void begin(std::string what, std::chrono::seconds most) {
        if (most == std::chrono::seconds{0}) return;
        std::lock_guard const held{mutex_};
        what_ = std::move(what);
        deadline_ = clock::now() + most;
        runs_ = true;
        if (!has_thread_) {
            start();
            has_thread_ = true;
        }
        changed_.notify_one();
    }
    void end() noexcept {
        std::lock_guard const held{mutex_};
        runs_ = false;
    }

    // Between begin() and end(), whatever leaves the block; keep() leaves end() to somebody else.
    class watched {
    public:
        watched(watchdog& by, std::string what, std::chrono::seconds most) : by_{&by} {
            by.begin(std::move(what), most);
        }
        watched(watched const&) = delete;
        watched& operator=(watched const&) = delete;
        ~watched() {
            if (by_ != nullptr) by_->end();
        }
        void keep() noexcept { by_ = nullptr; }

    private:
        watchdog* by_;
    };

private:
    using clock = std::chrono::steady_clock;

    // The program's signals are for the program's threads.
    void start() {
        sigset_t all, before;
        sigfillset(&all);
        bool const blocked = ::pthread_sigmask(SIG_SETMASK, &all, &before) == 0;
        std::thread{[this] { watch(); }}.detach();
        if (blocked) ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
    }
    void watch() {
        std::unique_lock held{mutex_};
        for (;;) {
            if (!runs_) {
                changed_.wait(held);
            } else if (clock::now() < deadline_) {
                changed_.wait_until(held, deadline_);
            } else {
                late_(what_); // with the mutex held: what is measured does not go on meanwhile
                runs_ = false;
            }
        }
    }

    std::function<void(std::string const&)> const late_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::string what_;
    clock::time_point deadline_{};
    bool runs_ = false;
    bool has_thread_ = false;
};

} // namespace gpuprof::injection

#endif // GPUPROF_INJECTION_WATCHDOG_HPP
