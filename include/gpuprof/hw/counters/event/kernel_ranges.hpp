// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tells an event session where each kernel begins and ends, so that every launch is a range.
#ifndef GPUPROF_HW_COUNTERS_EVENT_KERNEL_RANGES_HPP
#define GPUPROF_HW_COUNTERS_EVENT_KERNEL_RANGES_HPP

#include <atomic>
#include <cstddef>
#include <optional>
#include <utility>

#include "../../../core/result.hpp"
#include "../../callbacks/launch_watch.hpp"
#include "../../machine/machine.hpp"
#include "../../machine/platform/thread.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace hw {

// Around each launching call of a context (CUPTI 12.0, 2.4: job callback_event) it calls `begins`
// and `ends`, on the thread that launches: there the context may be synchronised and counters be
// read. A launch that fails ends nothing. Counters know no threads: a second thread that launches
// meanwhile is an error, and so is what begins or ends returns; from the first error on nothing is
// called any more. Not movable: CUPTI knows its address.
class kernel_ranges {
public:
    struct listener {
        void* self = nullptr;
        result<void> (*begins)(void* self) = nullptr;
        result<void> (*ends)(void* self) = nullptr;
    };

    kernel_ranges() = default;
    kernel_ranges(kernel_ranges const&) = delete;
    kernel_ranges& operator=(kernel_ranges const&) = delete;

    // Errors: those of launch_watch. @pre the machine outlives it
    [[nodiscard]] result<void> try_begin(machine const& on, abi::CUcontext context, listener told) {
        told_ = told;
        failure_.reset();
        launching_ = 0;
        is_paused_ = false;
        return watch_.try_begin(on, context, &kernel_ranges::after, this, &kernel_ranges::before);
    }
    // Launches that begin from now on are not told of, or are again. @pre no thread is in a launching call
    void pause(bool on) noexcept { is_paused_.store(on); }
    // The first error there was.
    [[nodiscard]] result<void> try_end() {
        watch_.end();
        if (failure_) return *std::exchange(failure_, std::nullopt);
        return {};
    }

private:
    static void before(void* self, launch_event const&) {
        auto& mine = *static_cast<kernel_ranges*>(self);
        if (mine.is_paused_.load()) return;
        std::size_t nobody = 0;
        std::size_t const here = platform::this_thread();
        if (!mine.launching_.compare_exchange_strong(nobody, here) && nobody != here) {
            mine.mixed_ = true;
            return;
        }
        mine.note(mine.told_.begins);
    }
    static void after(void* self, launch_event const& launch) {
        auto& mine = *static_cast<kernel_ranges*>(self);
        std::size_t here = platform::this_thread();
        if (mine.launching_.load() != here) return;
        if (mine.mixed_.exchange(false) && !mine.failure_)
            mine.failure_ = error{errc::not_collected, 0, "two threads launched at once",
                                  "event counters do not tell the kernels of two threads apart",
                                  "launch from one thread while ranges of kernels are collected"};
        if (launch.status == abi::CUDA_SUCCESS) mine.note(mine.told_.ends);
        mine.launching_.compare_exchange_strong(here, 0);
    }
    void note(result<void> (*step)(void*)) {
        if (failure_) return;
#if GPUPROF_EXCEPTIONS
        try { // CUPTI is the caller
#endif
            if (auto done = step(told_.self); !done) failure_ = std::move(done).error();
#if GPUPROF_EXCEPTIONS
        } catch (...) {
            failure_.emplace();
        } // no memory, not even for a text
#endif
    }

    listener told_;
    std::atomic<std::size_t> launching_{0}; // the thread that is in a launching call
    std::atomic<bool> mixed_{false};
    std::atomic<bool> is_paused_{false};
    std::optional<error> failure_; // of the thread that launches
    launch_watch watch_;
};

} // namespace hw
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_COUNTERS_EVENT_KERNEL_RANGES_HPP
