// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definitions of launch_watch.hpp. Layer: hw.
#ifndef GPUPROF_HW_LAUNCHES_LAUNCH_WATCH_INL_HPP
#define GPUPROF_HW_LAUNCHES_LAUNCH_WATCH_INL_HPP

#include <cstddef> // std::size_t
#include <vector>  // who listens

#include "../abi/cupti.hpp"
#include "../machine/platform/mutex.hpp"
#include "../machine/status.hpp"
#include "launch_watch.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace hw {

GPUPROF_DEFINE kernel_launch describe(launch_event const& launch, abi::driver_table const& driver) {
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
    if (launch.function == nullptr || driver.FuncGetAttribute == nullptr) return known;
    // The runtime of CUDA 12 and later launches kernels of libraries in the place of functions; attributes are the function's.
    abi::CUfunction function = launch.function;
    int value = 0;
    if (driver.FuncGetAttribute(&value, abi::CU_FUNC_ATTRIBUTE_NUM_REGS, function) != abi::CUDA_SUCCESS &&
        driver.KernelGetFunction != nullptr)
        static_cast<void>(driver.KernelGetFunction(&function, reinterpret_cast<abi::CUkernel>(launch.function)));
    auto const ask = [&](abi::CUfunction_attribute which, int& into) {
        if (driver.FuncGetAttribute(&value, which, function) == abi::CUDA_SUCCESS) into = value;
    };
    ask(abi::CU_FUNC_ATTRIBUTE_NUM_REGS, known.registers);
    ask(abi::CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, known.static_shared);
    ask(abi::CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES, known.local);
    ask(abi::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, known.max_dynamic_shared);
    ask(abi::CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, known.preferred_carveout);
    return known;
}

// One for each CUPTI that this process has met, never destroyed: a callback may be on its way when the last listener goes.
struct launch_watch::subscription {
    struct watcher {
        unsigned number;
        abi::CUcontext context;
        listener heard;
        void* self;
    };

    abi::cupti_table const* cupti;
    abi::driver_table const* driver;
    abi::CUpti_SubscriberHandle handle = nullptr;
    platform::mutex listening{}; // callbacks take only this one, and it is never held while CUPTI is called
    std::vector<watcher> watchers{};
    unsigned next_number = 0;
};

} // namespace hw

namespace detail {

// Held while a subscription begins or ends.
inline constinit platform::mutex launch_subscriptions_mutex{};
// One a process, also where header-only files and the compiled library meet.
inline constinit std::vector<hw::launch_watch::subscription*>* launch_subscriptions = nullptr;

inline constexpr abi::CUpti_CallbackId launching_calls[]{abi::CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel,
                                                         abi::CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel_ptsz,
                                                         abi::CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel,
                                                         abi::CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel_ptsz,
                                                         abi::CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch,
                                                         abi::CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch_ptsz,
                                                         abi::CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx,
                                                         abi::CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx_ptsz};

template <class Parameters>
void read_launch(void const* parameters, hw::launch_event& into) {
    auto const& given = *static_cast<Parameters const*>(parameters);
    into.function = given.f;
    into.grid = {given.gridDimX, given.gridDimY, given.gridDimZ};
    into.block = {given.blockDimX, given.blockDimY, given.blockDimZ};
    into.dynamic_shared = given.sharedMemBytes;
    into.stream = given.hStream;
}

// The parameters of a launching call as an event. False for a call that is none, or that was given nothing.
[[nodiscard]] inline bool read_launch(abi::CUpti_CallbackId id, void const* parameters, hw::launch_event& into) {
    switch (id) {
        case abi::CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel:
        case abi::CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel_ptsz:
            read_launch<abi::cuLaunchKernel_params>(parameters, into);
            return true;
        case abi::CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel:
        case abi::CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel_ptsz:
            read_launch<abi::cuLaunchCooperativeKernel_params>(parameters, into);
            into.cooperative = true;
            return true;
        case abi::CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx:
        case abi::CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx_ptsz: {
            auto const& given = *static_cast<abi::cuLaunchKernelEx_params const*>(parameters);
            into.function = given.f;
            if (given.config == nullptr) return true; // refused
            abi::CUlaunchConfig const& config = *given.config;
            into.grid = {config.gridDimX, config.gridDimY, config.gridDimZ};
            into.block = {config.blockDimX, config.blockDimY, config.blockDimZ};
            into.dynamic_shared = config.sharedMemBytes;
            into.stream = config.hStream;
            for (unsigned i = 0; config.attrs != nullptr && i < config.numAttrs; ++i) {
                auto const& value = config.attrs[i].value;
                if (config.attrs[i].id == abi::CU_LAUNCH_ATTRIBUTE_COOPERATIVE)
                    into.cooperative = value.cooperative != 0;
                if (config.attrs[i].id == abi::CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION)
                    into.cluster = {value.clusterDim.x, value.clusterDim.y, value.clusterDim.z};
            }
            return true;
        }
        case abi::CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch:
        case abi::CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch_ptsz:
            into.graph = true;
            into.stream = static_cast<abi::cuGraphLaunch_params const*>(parameters)->hStream;
            return true;
        default: return false;
    }
}

inline void launching_call_returned(void* user_data, abi::CUpti_CallbackDomain domain, abi::CUpti_CallbackId id,
                                    void const* data) {
    auto const& call = *static_cast<abi::CUpti_CallbackData const*>(data);
    if (domain != abi::CUPTI_CB_DOMAIN_DRIVER_API || call.callbackSite != abi::CUPTI_API_EXIT ||
        call.functionParams == nullptr)
        return;
    hw::launch_event launch;
    if (!read_launch(id, call.functionParams, launch)) return;
    launch.symbol = call.symbolName;
    launch.context = call.context;
    if (call.functionReturnValue != nullptr)
        launch.status = *static_cast<abi::CUresult const*>(call.functionReturnValue);
    auto& to = *static_cast<hw::launch_watch::subscription*>(user_data);
    auto capture = abi::CU_STREAM_CAPTURE_STATUS_NONE;
    if (launch.status == abi::CUDA_SUCCESS && to.driver->StreamIsCapturing != nullptr &&
        to.driver->StreamIsCapturing(launch.stream, &capture) == abi::CUDA_SUCCESS &&
        capture != abi::CU_STREAM_CAPTURE_STATUS_NONE)
        return;
    platform::lock const held{to.listening};
    for (auto const& each : to.watchers)
        if (each.context == launch.context) each.heard(each.self, launch);
}

} // namespace detail

namespace hw {

GPUPROF_DEFINE result<launch_watch> launch_watch::try_begin(device const& gpu, listener heard, void* self) {
    abi::cupti_table const& cupti = gpu.cupti();
    if (cupti.Subscribe == nullptr || cupti.Unsubscribe == nullptr || cupti.EnableCallback == nullptr)
        return unavailable_call(gpu.machine(), "cuptiSubscribe");
    platform::lock const control{gpuprof::detail::launch_subscriptions_mutex};
    auto*& all = gpuprof::detail::launch_subscriptions;
    if (all == nullptr) all = new std::vector<subscription*>;
    subscription* found = nullptr;
    for (subscription* const each : *all) // machines may share one CUPTI
        if (each->cupti->Subscribe == cupti.Subscribe) found = each;
    if (found == nullptr) {
        all->reserve(all->size() + 1);
        found = new subscription{&cupti, &gpu.driver()};
        all->push_back(found);
    }
    if (found->handle == nullptr) {
        abi::CUpti_SubscriberHandle handle = nullptr;
        if (auto const status = cupti.Subscribe(&handle, &gpuprof::detail::launching_call_returned, found))
            return explain("cuptiSubscribe", status);
        std::size_t enabled = 0;
        auto status = abi::CUPTI_SUCCESS;
        for (abi::CUpti_CallbackId const id : gpuprof::detail::launching_calls) {
            auto const answer = cupti.EnableCallback(1, handle, abi::CUPTI_CB_DOMAIN_DRIVER_API, id);
            if (answer == abi::CUPTI_SUCCESS) ++enabled; // an old driver lacks the newest calls
            else status = answer;
        }
        if (enabled == 0) {
            static_cast<void>(cupti.Unsubscribe(handle));
            return explain("cuptiEnableCallback", status);
        }
        found->handle = handle;
    }
    platform::lock const held{found->listening};
    found->watchers.push_back({++found->next_number, gpu.context(), heard, self});
    return launch_watch{*found, found->next_number};
}

GPUPROF_INLINE void launch_watch::end() noexcept {
    platform::lock const control{gpuprof::detail::launch_subscriptions_mutex};
    bool last = false;
    {
        platform::lock const held{subscription_->listening};
        std::erase_if(subscription_->watchers, [this](auto const& each) { return each.number == number_; });
        last = subscription_->watchers.empty();
    }
    if (last && subscription_->handle != nullptr)
        static_cast<void>(subscription_->cupti->Unsubscribe(std::exchange(subscription_->handle, nullptr)));
}

} // namespace hw
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_LAUNCHES_LAUNCH_WATCH_INL_HPP
