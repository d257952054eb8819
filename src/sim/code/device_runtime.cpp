// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "device_runtime.hpp"

#include <algorithm>
#include <string_view>

GPUPROF_NAMESPACE_BEGIN
namespace sim {

namespace {

struct runtime_function {
    std::string_view name; // without what stands before it
    runtime_call call;
};

// Those ending in _ptsz are compiled for default streams of threads: work runs in the order of calls, so they are the same.
constexpr runtime_function runtime_functions[]{
    {"GetParameterBuffer", runtime_call::get_parameter_buffer},
    {"GetParameterBufferV2", runtime_call::get_configured_buffer},
    {"LaunchDevice", runtime_call::launch},
    {"LaunchDeviceV2", runtime_call::launch_configured},
    {"GraphLaunch", runtime_call::launch_graph},
    {"StreamCreateWithFlags", runtime_call::stream_create},
    {"StreamDestroy", runtime_call::stream_destroy},
    {"StreamWaitEvent", runtime_call::stream_wait_event},
    {"EventCreateWithFlags", runtime_call::event_create},
    {"EventRecord", runtime_call::event_record},
    {"EventRecordWithFlags", runtime_call::event_record},
    {"EventDestroy", runtime_call::event_destroy},
    {"Malloc", runtime_call::allocate},
    {"Free", runtime_call::release},
    {"MemcpyAsync", runtime_call::copy},
    {"Memcpy2DAsync", runtime_call::copy_rows},
    {"MemsetAsync", runtime_call::fill},
    {"Memset2DAsync", runtime_call::fill_rows},
    {"GetLastError", runtime_call::take_last_error},
    {"PeekAtLastError", runtime_call::peek_at_last_error},
    {"GetErrorString", runtime_call::error_text},
    {"GetErrorName", runtime_call::error_name},
    {"DeviceGetAttribute", runtime_call::device_attribute},
    {"DeviceGetLimit", runtime_call::device_limit},
    {"DeviceGetCacheConfig", runtime_call::cache_preference},
    {"DeviceGetSharedMemConfig", runtime_call::shared_preference},
    {"GetDeviceCount", runtime_call::device_count},
    {"GetDevice", runtime_call::current_device},
    {"FuncGetAttributes", runtime_call::function_attributes},
    {"OccupancyMaxActiveBlocksPerMultiprocessor", runtime_call::occupancy},
    {"OccupancyMaxActiveBlocksPerMultiprocessorWithFlags", runtime_call::occupancy},
    {"RuntimeGetVersion", runtime_call::version},
};

constexpr std::string_view unsupported_functions[]{"DeviceSynchronize",
                                                   "Memcpy3DAsync",
                                                   "Memset3DAsync",
                                                   "GraphKernelNodeSetParam",
                                                   "GraphKernelNodeSetEnabled",
                                                   "GraphKernelNodeSetGridDim",
                                                   "GraphKernelNodeUpdatesApply"};

// Empty for what is no function of CUDA's runtime.
std::string_view without_prefix(std::string_view name) noexcept {
    std::string_view bare;
    for (std::string_view const prefix : {"__cudaCDP2", "__cuda", "cuda"})
        if (name.starts_with(prefix)) {
            bare = name.substr(prefix.size());
            break;
        }
    for (std::string_view const ending : {"_ptsz", "DeprecationAvoidance"})
        if (bare.ends_with(ending)) bare.remove_suffix(ending.size());
    return bare;
}

} // namespace

runtime_call runtime_call_named(std::string_view name) noexcept {
    if (name == "cudaFuncGetAttributes") return runtime_call::older_function_attributes;
    auto const* const found =
        std::find_if(std::begin(runtime_functions), std::end(runtime_functions),
                     [bare = without_prefix(name)](runtime_function const& known) { return known.name == bare; });
    return found == std::end(runtime_functions) ? runtime_call::none : found->call;
}

bool is_unsupported_runtime_call(std::string_view name) noexcept {
    std::string_view const bare = without_prefix(name);
    return std::find(std::begin(unsupported_functions), std::end(unsupported_functions), bare) !=
           std::end(unsupported_functions);
}

} // namespace sim
GPUPROF_NAMESPACE_END
