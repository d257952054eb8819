// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definitions of launch_watch.hpp.
#ifndef GPUPROF_HW_CALLBACKS_LAUNCH_WATCH_INL_HPP
#define GPUPROF_HW_CALLBACKS_LAUNCH_WATCH_INL_HPP

#include <utility>

#include "launch_facts.hpp"
#include "launching_calls.hpp"
#include "launch_watch.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace hw {

GPUPROF_INLINE kernel_launch as_launched(launch_event const& launch) {
    kernel_launch known;
    if (launch.symbol != nullptr) known.kernel = launch.symbol;
    known.grid = launch.grid;
    known.block = launch.block;
    known.cluster = launch.cluster;
    known.dynamic_shared = launch.dynamic_shared;
    known.cooperative = launch.cooperative;
    known.context = launch.context;
    known.stream = launch.stream;
    known.status = launch.status;
    return known;
}

GPUPROF_INLINE kernel_launch describe(launch_event const& launch, abi::driver_table const& driver) {
    kernel_launch known = as_launched(launch);
    if (launch.function == nullptr || driver.FuncGetAttribute == nullptr) return known;
    // The runtime of CUDA 12 and later passes kernels of libraries in place of functions; only
    // functions have attributes.
    abi::CUfunction function = launch.function;
    int value = 0;
    if (driver.FuncGetAttribute(&value, abi::CU_FUNC_ATTRIBUTE_NUM_REGS, function) != abi::CUDA_SUCCESS &&
        (driver.KernelGetFunction == nullptr ||
         driver.KernelGetFunction(&function, reinterpret_cast<abi::CUkernel>(launch.function)) != abi::CUDA_SUCCESS))
        return known;
    ask_driver(driver, function, known);
    return known;
}

GPUPROF_INLINE result<void> launch_watch::try_begin(machine const& on, abi::CUcontext context, listener heard,
                                                    void* self, listener before) {
    end();
    driver_ = &on.driver;
    context_ = context;
    before_ = before;
    heard_ = heard;
    self_ = self;
    auto begun = subscription::try_begin(on, gpuprof::detail::launching_calls, &launch_watch::called, this);
    if (!begun) return std::move(begun).error();
    calls_.emplace(*std::move(begun));
    return {};
}

GPUPROF_INLINE void launch_watch::called(void* self, callback_id id, void const* data) {
    auto const& watch = *static_cast<launch_watch const*>(self);
    auto const& call = *static_cast<abi::CUpti_CallbackData const*>(data);
    bool const is_exit = call.callbackSite == abi::CUPTI_API_EXIT;
    bool const is_elsewhere = watch.context_ != nullptr && call.context != watch.context_;
    if ((!is_exit && watch.before_ == nullptr) || is_elsewhere || call.functionParams == nullptr) return;
    launch_event launch;
    if (!gpuprof::detail::read_launch(id.number, call.functionParams, launch)) return;
    launch.symbol = call.symbolName;
    launch.context = call.context;
    if (is_exit && call.functionReturnValue != nullptr)
        launch.status = *static_cast<abi::CUresult const*>(call.functionReturnValue);
    auto capture = abi::CU_STREAM_CAPTURE_STATUS_NONE;
    if (launch.status == abi::CUDA_SUCCESS && watch.driver_->StreamIsCapturing != nullptr &&
        watch.driver_->StreamIsCapturing(launch.stream, &capture) == abi::CUDA_SUCCESS &&
        capture != abi::CU_STREAM_CAPTURE_STATUS_NONE)
        return;
    (is_exit ? watch.heard_ : watch.before_)(watch.self_, launch);
}

} // namespace hw
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_CALLBACKS_LAUNCH_WATCH_INL_HPP
