// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A driver call that callbacks and activity records hear of.
#ifndef GPUPROF_SRC_SIM_GPU_ANNOUNCED_CALL_HPP
#define GPUPROF_SRC_SIM_GPU_ANNOUNCED_CALL_HPP

#include <atomic>
#include <cstdint>

#include <gpuprof/detail/config.hpp>
#include <gpuprof/hw/abi/cupti_callback.hpp>
#include <gpuprof/hw/abi/results.hpp>

#include "call_trace.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// The context that a thread works in, as callbacks name it.
struct context_name {
    abi::CUcontext context = nullptr;
    std::uint32_t uid = 0;
};

// While it lives, its thread is in the call: what the call starts bears the call's correlation id.
// The callbacks come first and last, so that a record of the call has its time alone, and is there
// when the callback of the exit runs.
class announced_call {
public:
    // Whether anybody subscribed or records: one relaxed load.
    [[nodiscard]] static bool is_heard() noexcept { return listeners.load(std::memory_order_relaxed) != 0; }

    // @param parameters CUPTI's structure for the call, or null
    announced_call(abi::CUpti_CallbackId id, char const* name, void const* parameters) noexcept;
    ~announced_call();
    announced_call(announced_call const&) = delete;
    announced_call& operator=(announced_call const&) = delete;

    // Whether callbacks hear of the call. If not, it needs no description.
    [[nodiscard]] bool has_callbacks() const noexcept;
    [[nodiscard]] bool is_described(abi::CUcontext current) const noexcept {
        return described_ && data_.context == current;
    }
    // @param symbol the kernel's name, or null; must stay valid until the call is over
    void describe(context_name where, char const* symbol) noexcept;

    void enter();
    // The call is done, but for leave().
    void done(abi::CUresult status) noexcept;
    void leave();

private:
    void tell(abi::CUpti_ApiCallbackSite site);

    abi::CUpti_CallbackId id_;
    std::uint32_t correlation_;
    std::uint32_t outer_correlation_;
    abi::CUresult status_ = abi::CUDA_SUCCESS;
    std::uint64_t word_ = 0;         // the subscriber's own, between entry and exit
    std::uint64_t subscription_ = 0; // the subscription that heard of the entry
    std::uint64_t began_ = 0;
    bool described_ = false;
    call_recorder const* recorder_ = nullptr;
    abi::CUpti_CallbackData data_{};
};

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_GPU_ANNOUNCED_CALL_HPP
