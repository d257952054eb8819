// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CUPTI's own repetition of kernels for events that do not fit one pass.
#ifndef GPUPROF_HW_COUNTERS_EVENT_KERNEL_REPLAY_HPP
#define GPUPROF_HW_COUNTERS_EVENT_KERNEL_REPLAY_HPP

#include <cstddef>
#include <utility>

#include "../../../core/result.hpp"
#include "../../abi/cupti.hpp"
#include "../../machine/status.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace hw {

// Kernel replay mode of one context, from try_begin to end() or destruction: any number of event
// groups can be enabled, and each kernel runs as often as they need (CUPTI 12.0, 2.5). CUPTI
// reports progress for the whole process, so one session of a process at a time can have it.
class kernel_replay {
public:
    kernel_replay() = default;
    kernel_replay(kernel_replay&& other) noexcept
        : cupti_{std::exchange(other.cupti_, nullptr)}, context_{other.context_} {}
    kernel_replay& operator=(kernel_replay&&) = delete;
    ~kernel_replay() { end(); }

    // Errors: unavailable where this CUPTI has no kernel replay, busy while another session has it.
    [[nodiscard]] result<void> try_begin(abi::cupti_table const& cupti, abi::CUcontext context) {
        if (cupti.EnableKernelReplayMode == nullptr || cupti.DisableKernelReplayMode == nullptr)
            return error{errc::unavailable, 0, "kernel replay", "this CUPTI has none",
                         "use replay_mode::user and run the work once a pass"};
        if (detail::exchange(progress().taken, true))
            return error{errc::busy, 0, "kernel replay", "another session of this process uses it",
                         "finish the other one first, or use replay_mode::user"};
        if (auto status = cupti.EnableKernelReplayMode(context)) {
            detail::store_release(progress().taken, false);
            return explain("cuptiEnableKernelReplayMode", status);
        }
        cupti_ = &cupti;
        context_ = context;
        forget();
        if (cupti.KernelReplaySubscribeUpdate != nullptr)
            static_cast<void>(cupti.KernelReplaySubscribeUpdate(&kernel_replay::ran, nullptr));
        return {};
    }
    void end() noexcept {
        abi::cupti_table const* const cupti = std::exchange(cupti_, nullptr);
        if (cupti == nullptr) return;
        if (cupti->KernelReplaySubscribeUpdate != nullptr)
            static_cast<void>(cupti->KernelReplaySubscribeUpdate(nullptr, nullptr));
        static_cast<void>(cupti->DisableKernelReplayMode(context_));
        detail::store_release(progress().taken, false);
    }

    // Kernels that ran, repetitions aside, since the last forget(); 0 where CUPTI does not report
    // them.
    [[nodiscard]] std::size_t kernels() const noexcept {
        return cupti_ == nullptr ? 0 : detail::load_acquire(progress().kernels);
    }
    void forget() noexcept {
        if (cupti_ == nullptr) return;
        detail::store_release(progress().kernels, 0);
        detail::store_release(progress().last, 0);
    }

private:
    struct state {
        bool taken = false;
        std::size_t kernels = 0;
        int last = 0; // repetitions done of the kernel that ran last
    };
    static state& progress() noexcept {
        static state one;
        return one;
    }
    // The number of repetitions grows from run to run of one kernel; if it does not, another one
    // ran.
    static void ran(char const*, int repetitions, void*) {
        int const last = detail::exchange(progress().last, repetitions);
        bool const another = repetitions <= last || detail::load_acquire(progress().kernels) == 0;
        if (another) detail::add_relaxed(progress().kernels, 1);
    }

    abi::cupti_table const* cupti_ = nullptr;
    abi::CUcontext context_ = nullptr;
};

} // namespace hw
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_COUNTERS_EVENT_KERNEL_REPLAY_HPP
