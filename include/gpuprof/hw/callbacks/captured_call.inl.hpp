// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definitions of captured_call.hpp.
#ifndef GPUPROF_HW_CALLBACKS_CAPTURED_CALL_INL_HPP
#define GPUPROF_HW_CALLBACKS_CAPTURED_CALL_INL_HPP

#include <cstring>
#include <string>
#include <utility>

#include "../abi/cupti_driver_parameters.hpp"
#include "../machine/in_context.hpp"
#include "argument_words.hpp"
#include "captured_call.hpp"
#include "launching_calls.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace detail {

// Beginnings of the names of calls that need not be made again: they ask, or make something that lives on, or choose a context
// of the thread. Kernel profiling guide 2023.3, 2.3.3 ("Supported APIs"), less what is there supported and here is not.
inline constexpr std::string_view calls_without_effect[]{"cuGetError",
                                                         "cuDriverGetVersion",
                                                         "cuGetProcAddress",
                                                         "cuGetExportTable",
                                                         "cuDeviceGet",
                                                         "cuDeviceTotalMem",
                                                         "cuDeviceComputeCap",
                                                         "cuDeviceCanAccess",
                                                         "cuDevicePrimaryCtxGetState",
                                                         "cuDevicePrimaryCtxRetain",
                                                         "cuCtxGet",
                                                         "cuCtxPush",
                                                         "cuCtxPop",
                                                         "cuCtxSetCurrent",
                                                         "cuModuleGet",
                                                         "cuModuleLoad",
                                                         "cuModuleEnumerate",
                                                         "cuLibraryGet",
                                                         "cuLibraryLoad",
                                                         "cuLibraryEnumerate",
                                                         "cuKernelGet",
                                                         "cuFuncGet",
                                                         "cuFuncIsLoaded",
                                                         "cuFuncLoad",
                                                         "cuOccupancy",
                                                         "cuMemGetInfo",
                                                         "cuMemGetAddressRange",
                                                         "cuMemAlloc_v2",
                                                         "cuMemAllocPitch",
                                                         "cuMemAllocHost",
                                                         "cuMemHostAlloc",
                                                         "cuMemHostGet",
                                                         "cuPointerGet",
                                                         "cuStreamGet",
                                                         "cuStreamIsCapturing",
                                                         "cuStreamCreate",
                                                         "cuEventCreate",
                                                         "cuEventElapsedTime",
                                                         "cuTexObjectCreate",
                                                         "cuTexObjectGet",
                                                         "cuSurfObjectCreate",
                                                         "cuSurfObjectGet",
                                                         "cuProfiler",
                                                         "cuThreadExchangeStreamCaptureMode"};

// A call's name without what only says which default stream it means.
struct call_name {
    std::string_view name;
    bool per_thread = false;
    explicit call_name(std::string_view full) noexcept : name{full} {
        per_thread = full.ends_with("_ptsz") || full.ends_with("_ptds");
        if (per_thread) name.remove_suffix(5);
    }
    [[nodiscard]] abi::CUstream stream(abi::CUstream given) const noexcept {
        return hw::stream_meant(given, per_thread);
    }
};

[[nodiscard]] inline error not_capturable(std::string_view call, std::string_view cause) {
    return {errc::unavailable, 0, call, cause, "use replay_mode::application, or replay_mode::user"};
}

[[nodiscard]] inline result<std::optional<hw::captured_call>> captured(hw::captured_call call) {
    return std::optional<hw::captured_call>{std::move(call)};
}

// Whether the address is the device's; what the driver does not know is the host's. Managed memory counts as the device's.
[[nodiscard]] inline bool is_of_device(abi::driver_table const& driver, abi::CUdeviceptr address) {
    unsigned type = 0, managed = 0;
    if (driver.PointerGetAttribute(&type, abi::CU_POINTER_ATTRIBUTE_MEMORY_TYPE, address) != abi::CUDA_SUCCESS)
        return false;
    static_cast<void>(driver.PointerGetAttribute(&managed, abi::CU_POINTER_ATTRIBUTE_IS_MANAGED, address));
    return type == abi::CU_MEMORYTYPE_DEVICE || managed != 0;
}

[[nodiscard]] inline hw::captured_call copied(abi::driver_table const& driver, abi::CUdeviceptr to,
                                              abi::CUdeviceptr from, std::size_t bytes) {
    hw::captured_call call;
    call.width = bytes;
    call.to = to;
    call.from = from;
    bool const to_device = is_of_device(driver, to), from_device = is_of_device(driver, from);
    if (to_device) call.words.push_back(to);
    if (to_device && from_device) {
        call.what = hw::captured_call::kind::device_copy;
    } else if (to_device) {
        call.what = hw::captured_call::kind::copy_from_host;
        auto const* const begin = reinterpret_cast<unsigned char const*>(static_cast<std::uintptr_t>(from));
        if (begin != nullptr) call.bytes.assign(begin, begin + bytes);
        else call.width = 0; // it will be refused
    } else {
        call.what = hw::captured_call::kind::copy_to_host; // from the host to the host there is nothing to repeat
        if (!from_device) call.width = 0;
    }
    return call;
}

[[nodiscard]] inline hw::captured_call filled(abi::CUdeviceptr to, unsigned pattern, unsigned element,
                                              std::size_t width, std::size_t height = 1, std::size_t pitch = 0) {
    hw::captured_call call;
    call.what = hw::captured_call::kind::fill;
    call.words.push_back(to);
    call.to = to;
    call.pattern = pattern;
    call.element = element;
    call.width = width;
    call.height = height;
    call.pitch = pitch;
    return call;
}

// The address of memory of the host, as copies of either kind take it.
[[nodiscard]] inline abi::CUdeviceptr as_address(void const* host) noexcept {
    return static_cast<abi::CUdeviceptr>(reinterpret_cast<std::uintptr_t>(host));
}

// Fails where parameters are not known; false for a launch that lacks an argument, which will be refused.
[[nodiscard]] inline result<bool> try_capture_arguments(abi::driver_table const& driver, hw::launch_event const& launch,
                                                        hw::captured_call& call) {
    if (launch.packed != nullptr) {
        hw::packed_arguments const all = hw::read_packed(launch.packed);
        auto const* const begin = static_cast<unsigned char const*>(all.begin);
        call.is_packed = true;
        if (begin != nullptr) call.bytes.assign(begin, begin + all.bytes);
        hw::add_words(call.bytes.data(), call.bytes.size(), call.words);
        return true;
    }
    abi::CUfunction const function = hw::function_with_parameters(launch.function, driver);
    if (function == nullptr)
        return not_capturable("cuLaunchKernel", "the driver does not tell the kernel's parameters (before CUDA 12.4)");
    std::size_t offset = 0, bytes = 0;
    for (std::size_t i = 0; driver.FuncGetParamInfo(function, i, &offset, &bytes) == abi::CUDA_SUCCESS; ++i) {
        if (launch.arguments == nullptr || launch.arguments[i] == nullptr) return false;
        std::size_t const at = (call.bytes.size() + 15) / 16 * 16;
        call.offsets.push_back(at);
        call.bytes.resize(at + bytes);
        std::memcpy(call.bytes.data() + at, launch.arguments[i], bytes);
        hw::add_words(launch.arguments[i], bytes, call.words);
    }
    return true;
}

[[nodiscard]] inline result<std::optional<hw::captured_call>>
try_capture_launch(abi::driver_table const& driver, std::string_view name, hw::callback_id id, void const* parameters) {
    hw::launch_event launch;
    hw::captured_call call;
    if (!read_launch(id.number, parameters, launch))
        return not_capturable(name, "it launches in a way that is not known");
    call.stream = hw::stream_of(id.number, launch.stream);
    if (hw::is_capturing(driver, call.stream)) return not_capturable(name, "its stream is being captured");
    if (launch.graph) {
        call.what = hw::captured_call::kind::graph;
        call.graph = launch.executable;
        return captured(std::move(call));
    }
    call.function = launch.function;
    call.grid = launch.grid;
    call.block = launch.block;
    call.dynamic_shared = launch.dynamic_shared;
    call.cooperative = launch.cooperative;
    if (id.number == abi::CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx ||
        id.number == abi::CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx_ptsz) {
        auto const* const given = static_cast<abi::cuLaunchKernelEx_params const*>(parameters)->config;
        if (given == nullptr) return std::optional<hw::captured_call>{}; // it will be refused
        abi::CUlaunchConfig const& config = *given;
        call.has_attributes = true;
        if (config.attrs != nullptr) call.attributes.assign(config.attrs, config.attrs + config.numAttrs);
    }
    auto const known = try_capture_arguments(driver, launch, call);
    if (!known) return known.error();
    if (!*known) return std::optional<hw::captured_call>{};
    return captured(std::move(call));
}

} // namespace detail

namespace hw {

GPUPROF_INLINE result<std::optional<captured_call>> try_capture(abi::driver_table const& driver, std::string_view full,
                                                                callback_id id, void const* parameters) {
    using kind = captured_call::kind;
    gpuprof::detail::call_name const call{full};
    std::string_view const name = call.name;
    captured_call made;
    if (name.starts_with("cuLaunchKernel") || name == "cuLaunchCooperativeKernel" || name == "cuGraphLaunch")
        return gpuprof::detail::try_capture_launch(driver, full, id, parameters);
    auto const waiting = [&](kind what) {
        made.what = what;
        return gpuprof::detail::captured(std::move(made));
    };
    if (name == "cuCtxSynchronize") return waiting(kind::host_waits_for_context);
    for (std::string_view const each : gpuprof::detail::calls_without_effect)
        if (name.starts_with(each)) return std::optional<captured_call>{};
    if (parameters == nullptr) return gpuprof::detail::not_capturable(full, "calls of that kind are not repeated");

    bool known = true;
    // A call that has a stream does not wait for the work. Its parameters are of the type that the name says.
    auto const with = [&]<class Parameters>(Parameters const*, auto fill) {
        auto const& given = *static_cast<Parameters const*>(parameters);
        made = fill(given);
        if constexpr (requires { given.hStream; }) made.stream = call.stream(given.hStream);
        else {
            made.stream = call.stream(nullptr);
            made.host_waited =
                made.what != kind::fill && made.what != kind::attribute && made.what != kind::cache_preference;
        }
    };
    using namespace gpuprof::detail;
    auto const copy = [&](auto const& p) { return copied(driver, p.dst, p.src, p.ByteCount); };
    auto const from_host = [&](auto const& p) {
        return copied(driver, p.dstDevice, as_address(p.srcHost), p.ByteCount);
    };
    auto const to_host = [&](auto const& p) { return copied(driver, as_address(p.dstHost), p.srcDevice, p.ByteCount); };
    auto const between = [&](auto const& p) { return copied(driver, p.dstDevice, p.srcDevice, p.ByteCount); };
    auto const bytes = [](auto const& p) { return filled(p.dstDevice, p.uc, 1, p.N); };
    auto const halves = [](auto const& p) { return filled(p.dstDevice, p.us, 2, p.N); };
    auto const words = [](auto const& p) { return filled(p.dstDevice, p.ui, 4, p.N); };
    if (name == "cuMemcpy") with(static_cast<abi::cuMemcpy_params*>(nullptr), copy);
    else if (name == "cuMemcpyAsync") with(static_cast<abi::cuMemcpyAsync_params*>(nullptr), copy);
    else if (name == "cuMemcpyHtoD_v2") with(static_cast<abi::cuMemcpyHtoD_v2_params*>(nullptr), from_host);
    else if (name == "cuMemcpyHtoDAsync_v2") with(static_cast<abi::cuMemcpyHtoDAsync_v2_params*>(nullptr), from_host);
    else if (name == "cuMemcpyDtoH_v2") with(static_cast<abi::cuMemcpyDtoH_v2_params*>(nullptr), to_host);
    else if (name == "cuMemcpyDtoHAsync_v2") with(static_cast<abi::cuMemcpyDtoHAsync_v2_params*>(nullptr), to_host);
    else if (name == "cuMemcpyDtoD_v2") with(static_cast<abi::cuMemcpyDtoD_v2_params*>(nullptr), between);
    else if (name == "cuMemcpyDtoDAsync_v2") with(static_cast<abi::cuMemcpyDtoDAsync_v2_params*>(nullptr), between);
    else if (name == "cuMemsetD8_v2") with(static_cast<abi::cuMemsetD8_v2_params*>(nullptr), bytes);
    else if (name == "cuMemsetD8Async") with(static_cast<abi::cuMemsetD8Async_params*>(nullptr), bytes);
    else if (name == "cuMemsetD16_v2") with(static_cast<abi::cuMemsetD16_v2_params*>(nullptr), halves);
    else if (name == "cuMemsetD16Async") with(static_cast<abi::cuMemsetD16Async_params*>(nullptr), halves);
    else if (name == "cuMemsetD32_v2") with(static_cast<abi::cuMemsetD32_v2_params*>(nullptr), words);
    else if (name == "cuMemsetD32Async") with(static_cast<abi::cuMemsetD32Async_params*>(nullptr), words);
    else if (name == "cuMemsetD2D8_v2")
        with(static_cast<abi::cuMemsetD2D8_v2_params*>(nullptr),
             [](auto const& p) { return filled(p.dstDevice, p.uc, 1, p.Width, p.Height, p.dstPitch); });
    else if (name == "cuMemsetD2D32_v2")
        with(static_cast<abi::cuMemsetD2D32_v2_params*>(nullptr),
             [](auto const& p) { return filled(p.dstDevice, p.ui, 4, p.Width, p.Height, p.dstPitch); });
    else if (name == "cuEventRecord" || name == "cuEventRecordWithFlags") // the flags are for captures
        with(static_cast<abi::cuEventRecord_params*>(nullptr), [](auto const& p) {
            captured_call record;
            record.what = kind::event_record;
            record.event = p.hEvent;
            return record;
        });
    else if (name == "cuStreamWaitEvent")
        with(static_cast<abi::cuStreamWaitEvent_params*>(nullptr), [](auto const& p) {
            captured_call wait;
            wait.what = kind::wait_for_event;
            wait.event = p.hEvent;
            wait.flags = p.Flags;
            return wait;
        });
    else if (name == "cuStreamSynchronize" || name == "cuStreamQuery")
        with(static_cast<abi::cuStreamSynchronize_params*>(nullptr), [](auto const&) {
            captured_call wait;
            wait.what = kind::host_waits_for_stream;
            return wait;
        });
    else if (name == "cuEventSynchronize" || name == "cuEventQuery")
        with(static_cast<abi::cuEventSynchronize_params*>(nullptr), [](auto const& p) {
            captured_call wait;
            wait.what = kind::host_waits_for_event;
            wait.event = p.hEvent;
            return wait;
        });
    else if (name == "cuFuncSetAttribute")
        with(static_cast<abi::cuFuncSetAttribute_params*>(nullptr), [](auto const& p) {
            captured_call set;
            set.what = kind::attribute;
            set.function = p.hfunc;
            set.attribute = p.attrib;
            set.value = p.value;
            return set;
        });
    else if (name == "cuFuncSetCacheConfig")
        with(static_cast<abi::cuFuncSetCacheConfig_params*>(nullptr), [](auto const& p) {
            captured_call set;
            set.what = kind::cache_preference;
            set.function = p.hfunc;
            set.value = static_cast<int>(p.config);
            return set;
        });
    else known = false;
    if (!known) return not_capturable(full, "calls of that kind are not repeated");
    return captured(std::move(made));
}

GPUPROF_INLINE abi::CUresult repeat(captured_call const& call, abi::driver_table const& driver,
                                    std::vector<unsigned char>& scratch) {
    using kind = captured_call::kind;
    switch (call.what) {
        case kind::graph: return driver.GraphLaunch(call.graph, call.stream);
        case kind::kernel: {
            std::vector<void*> arguments;
            auto* const bytes = const_cast<unsigned char*>(call.bytes.data()); // the driver reads them
            std::size_t size = call.bytes.size();
            void* packed[]{reinterpret_cast<void*>(packed_pointer), bytes, reinterpret_cast<void*>(packed_size), &size,
                           nullptr};
            for (std::size_t const at : call.offsets) arguments.push_back(bytes + at);
            void** const one_by_one = call.is_packed || arguments.empty() ? nullptr : arguments.data();
            void** const together = call.is_packed ? packed : nullptr;
            auto const& [grid_x, grid_y, grid_z] = call.grid;
            auto const& [block_x, block_y, block_z] = call.block;
            if (call.has_attributes) {
                abi::CUlaunchConfig config;
                config.gridDimX = grid_x, config.gridDimY = grid_y, config.gridDimZ = grid_z;
                config.blockDimX = block_x, config.blockDimY = block_y, config.blockDimZ = block_z;
                config.sharedMemBytes = call.dynamic_shared;
                config.hStream = call.stream;
                config.attrs = const_cast<abi::CUlaunchAttribute*>(call.attributes.data());
                config.numAttrs = static_cast<unsigned>(call.attributes.size());
                return driver.LaunchKernelEx(&config, call.function, one_by_one, together);
            }
            if (call.cooperative)
                return driver.LaunchCooperativeKernel(call.function, grid_x, grid_y, grid_z, block_x, block_y, block_z,
                                                      call.dynamic_shared, call.stream, one_by_one);
            return driver.LaunchKernel(call.function, grid_x, grid_y, grid_z, block_x, block_y, block_z,
                                       call.dynamic_shared, call.stream, one_by_one, together);
        }
        case kind::fill:
            if (call.pitch != 0)
                return call.element == 1
                           ? driver.MemsetD2D8(call.to, call.pitch, static_cast<unsigned char>(call.pattern),
                                               call.width, call.height)
                           : driver.MemsetD2D32(call.to, call.pitch, call.pattern, call.width, call.height);
            switch (call.element) {
                case 1:
                    return driver.MemsetD8Async(call.to, static_cast<unsigned char>(call.pattern), call.width,
                                                call.stream);
                case 2:
                    return driver.MemsetD16Async(call.to, static_cast<unsigned short>(call.pattern), call.width,
                                                 call.stream);
                default: return driver.MemsetD32Async(call.to, call.pattern, call.width, call.stream);
            }
        case kind::device_copy: return driver.MemcpyDtoDAsync(call.to, call.from, call.width, call.stream);
        case kind::copy_from_host:
            if (call.width == 0) return abi::CUDA_SUCCESS;
            return driver.MemcpyHtoDAsync(call.to, call.bytes.data(), call.width, call.stream);
        case kind::copy_to_host:
            if (call.width == 0) return abi::CUDA_SUCCESS;
            if (scratch.size() < call.width) scratch.resize(call.width);
            return driver.MemcpyDtoHAsync(scratch.data(), call.from, call.width, call.stream);
        case kind::event_record: return driver.EventRecord(call.event, call.stream);
        case kind::wait_for_event: return driver.StreamWaitEvent(call.stream, call.event, call.flags);
        case kind::attribute: return driver.FuncSetAttribute(call.function, call.attribute, call.value);
        case kind::cache_preference:
            return driver.FuncSetCacheConfig(call.function, static_cast<abi::CUfunc_cache>(call.value));
        case kind::host_waits_for_stream:
        case kind::host_waits_for_event:
        case kind::host_waits_for_context: break;
    }
    return abi::CUDA_SUCCESS;
}

} // namespace hw
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_CALLBACKS_CAPTURED_CALL_INL_HPP
