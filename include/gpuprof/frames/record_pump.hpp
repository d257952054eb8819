// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A thread that fetches a tracer's records again and again.
#ifndef GPUPROF_FRAMES_RECORD_PUMP_HPP
#define GPUPROF_FRAMES_RECORD_PUMP_HPP

#include <cstdint>
#include <exception>
#include <memory>
#include <string_view>
#include <thread>
#include <utility>

#include "../core/result.hpp"
#include "../detail/config.hpp"
#include "../hw/machine/platform/condition.hpp"
#include "../hw/machine/platform/fork.hpp"
#include "../hw/machine/platform/mutex.hpp"
#include "../trace/tracer.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace detail {

// Flushes the tracer every `period` and calls f(batch, last) on its own thread, also if the batch is
// empty; `last` says that no other call follows. f may throw nothing but std::bad_alloc; after that the thread ends. In the child of a fork there is
// no such thread. @pre the tracer outlives it, and does not move
template <class Kinds, class F>
class record_pump {
public:
    // Errors: unavailable if the system has no thread.
    [[nodiscard]] static result<std::unique_ptr<record_pump>> try_begin(tracer<Kinds>& of, std::uint64_t period_ns,
                                                                        F f) {
        std::unique_ptr<record_pump> pump{new record_pump{of, period_ns, std::move(f)}};
#if GPUPROF_EXCEPTIONS
        try {
#endif
            pump->thread_ = std::thread{[self = pump.get()] { self->run(); }};
#if GPUPROF_EXCEPTIONS
        } catch (std::exception const& why) {
            return error{errc::unavailable, 0, "a thread to read records", why.what(), "end other threads"};
        }
#endif
        return result<std::unique_ptr<record_pump>>{std::move(pump)};
    }
    record_pump(record_pump const&) = delete;
    record_pump& operator=(record_pump const&) = delete;
    // Calls f a last time, with what there is.
    ~record_pump() {
        if (!thread_.joinable()) return;
        if (forks_ != platform::forks_so_far()) {
            thread_.detach(); // it is the parent's
            return;
        }
        {
            platform::lock const held{mutex_};
            ending_ = true;
        }
        wake_.wake_all();
        thread_.join();
    }

private:
    record_pump(tracer<Kinds>& of, std::uint64_t period_ns, F f)
        : tracer_{&of}, period_{period_ns}, f_{std::move(f)}, forks_{platform::forks_so_far()} {}

    void run() noexcept {
#if GPUPROF_EXCEPTIONS
        try {
            loop();
        } catch (...) {} // no memory: the frames go on without records
#else
        loop();
#endif
    }
    void loop() {
        for (bool last = false; !last;) {
            {
                platform::lock const held{mutex_};
                if (!ending_) wake_.wait_for(mutex_, period_);
                last = ending_;
            }
            if (auto batch = tracer_->try_flush()) f_(*batch, last);
            else return; // the tracer has ended
        }
    }

    tracer<Kinds>* tracer_;
    std::uint64_t period_;
    F f_;
    unsigned forks_;
    platform::mutex mutex_;
    platform::condition wake_;
    bool ending_ = false;
    std::thread thread_;
};

} // namespace detail
GPUPROF_NAMESPACE_END

#endif // GPUPROF_FRAMES_RECORD_PUMP_HPP
