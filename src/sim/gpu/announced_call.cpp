// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "announced_call.hpp"

#include <atomic>

#include "api_callbacks.hpp"
#include "gpu_state.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

announced_call::announced_call(abi::CUpti_CallbackId id, char const* name, void const* parameters) noexcept
    : id_{id}, correlation_{shared().calls.next_correlation()}, outer_correlation_{current_correlation} {
    data_.functionName = name;
    data_.functionParams = parameters;
    data_.functionReturnValue = &status_;
    data_.correlationData = &word_;
    data_.correlationId = correlation_;
    current_correlation = correlation_;
}

announced_call::~announced_call() { current_correlation = outer_correlation_; }

bool announced_call::has_callbacks() const noexcept {
    return shared().callbacks.is_heard(abi::CUPTI_CB_DOMAIN_DRIVER_API, id_);
}

void announced_call::describe(context_name where, char const* symbol) noexcept {
    described_ = true;
    data_.context = where.context;
    data_.contextUid = where.uid;
    data_.symbolName = symbol;
}

void announced_call::enter() {
    tell(abi::CUPTI_API_ENTER);
    recorder_ = shared().calls.recorder.load(std::memory_order_acquire);
    if (recorder_ != nullptr) began_ = recorder_->begin(id_, correlation_);
}
void announced_call::done(abi::CUresult status) noexcept {
    status_ = status;
    if (recorder_ != nullptr) recorder_->end(id_, correlation_, began_, status);
}
void announced_call::leave() { tell(abi::CUPTI_API_EXIT); }

void announced_call::tell(abi::CUpti_ApiCallbackSite site) {
    data_.callbackSite = site;
    subscription_ = shared().callbacks.tell(abi::CUPTI_CB_DOMAIN_DRIVER_API, id_, &data_, subscription_, &word_);
}

} // namespace sim
GPUPROF_NAMESPACE_END
