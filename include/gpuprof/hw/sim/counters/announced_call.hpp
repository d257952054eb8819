// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A driver call that is made known before and after, to callbacks and to records. Layer: hw/sim.
#ifndef GPUPROF_HW_SIM_COUNTERS_ANNOUNCED_CALL_HPP
#define GPUPROF_HW_SIM_COUNTERS_ANNOUNCED_CALL_HPP

#include <atomic>  // std::memory_order_relaxed, std::memory_order_acquire
#include <cstdint> // ids

#include "../../../detail/config.hpp"
#include "../../abi/cupti_callback.hpp"
#include "../../abi/results.hpp"
#include "api_callbacks.hpp"
#include "call_trace.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// The context that a thread works in, as callbacks are told.
struct context_name {
    abi::CUcontext context = nullptr;
    std::uint32_t uid = 0;
};

// While it lives, its thread is in the call: what the call starts bears the call's correlation id. The callbacks come first
// and last, so that a record of the call has its time alone, and is there when the callback of the exit runs.
class announced_call {
public:
    // Whether anybody subscribed or records: one relaxed load.
    [[nodiscard]] static bool is_heard() noexcept { return reasons_to_announce.load(std::memory_order_relaxed) != 0; }

    // @param parameters CUPTI's structure for the call, or null
    announced_call(abi::CUpti_CallbackId id, char const* name, void const* parameters) noexcept
        : id_{id},
          correlation_{last_correlation.fetch_add(1, std::memory_order_relaxed) + 1},
          outer_correlation_{current_correlation} {
        data_.functionName = name;
        data_.functionParams = parameters;
        data_.functionReturnValue = &status_;
        data_.correlationData = &word_;
        data_.correlationId = correlation_;
        current_correlation = correlation_;
    }
    ~announced_call() { current_correlation = outer_correlation_; }
    announced_call(announced_call const&) = delete;
    announced_call& operator=(announced_call const&) = delete;

    // Whether callbacks hear of it: what follows need not be known if not.
    [[nodiscard]] bool has_callbacks() const noexcept {
        return api_callbacks::instance().is_heard(abi::CUPTI_CB_DOMAIN_DRIVER_API, id_);
    }
    [[nodiscard]] bool is_described(abi::CUcontext current) const noexcept {
        return described_ && data_.context == current;
    }
    // @param symbol the kernel's name, or null; must stay valid until the call is over
    void describe(context_name where, char const* symbol) noexcept {
        described_ = true;
        data_.context = where.context;
        data_.contextUid = where.uid;
        data_.symbolName = symbol;
    }

    void enter() {
        tell(abi::CUPTI_API_ENTER);
        recorder_ = recorder_of_calls.load(std::memory_order_acquire);
        if (recorder_ != nullptr) began_ = recorder_->begin(id_, correlation_);
    }
    // The call is done, but for leave().
    void done(abi::CUresult status) noexcept {
        status_ = status;
        if (recorder_ != nullptr) recorder_->end(id_, correlation_, began_, status);
    }
    void leave() { tell(abi::CUPTI_API_EXIT); }

private:
    void tell(abi::CUpti_ApiCallbackSite site) {
        data_.callbackSite = site;
        subscription_ =
            api_callbacks::instance().tell(abi::CUPTI_CB_DOMAIN_DRIVER_API, id_, &data_, subscription_, &word_);
    }

    abi::CUpti_CallbackId id_;
    std::uint32_t correlation_;
    std::uint32_t outer_correlation_;
    abi::CUresult status_ = abi::CUDA_SUCCESS;
    std::uint64_t word_ = 0;
    std::uint64_t subscription_ = 0; // who heard of the entry
    std::uint64_t began_ = 0;
    bool described_ = false;
    call_recorder const* recorder_ = nullptr;
    abi::CUpti_CallbackData data_{};
};

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_SIM_COUNTERS_ANNOUNCED_CALL_HPP
