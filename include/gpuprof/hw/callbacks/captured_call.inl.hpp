// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definitions of captured_call.hpp.
#ifndef GPUPROF_HW_CALLBACKS_CAPTURED_CALL_INL_HPP
#define GPUPROF_HW_CALLBACKS_CAPTURED_CALL_INL_HPP

#include <cstring>
#include <string>
#include <utility>

#include "../abi/cupti_array_parameters.hpp"
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
                                                         "cuMemGetAllocation",
                                                         "cuMemPoolGet",
                                                         "cuMemAlloc_v2",
                                                         "cuMemAllocPitch",
                                                         "cuMemAllocHost",
                                                         "cuMemAllocManaged",
                                                         "cuMemFreeHost",
                                                         "cuMemHostRegister",
                                                         "cuMemHostUnregister",
                                                         "cuMemHostAlloc",
                                                         "cuMemHostGet",
                                                         "cuPointerGet",
                                                         "cuStreamGet",
                                                         "cuStreamIsCapturing",
                                                         "cuStreamCreate",
                                                         "cuStreamBeginCapture",
                                                         "cuStreamEndCapture",
                                                         "cuStreamUpdateCaptureDependencies",
                                                         "cuGraphCreate",
                                                         "cuGraphAdd",
                                                         "cuGraphGet",
                                                         "cuGraphNodeGet",
                                                         "cuGraphKernelNodeGet",
                                                         "cuGraphInstantiate",
                                                         "cuGraphExecGet",
                                                         "cuGraphDestroy",
                                                         "cuArrayCreate",
                                                         "cuArrayGet",
                                                         "cuArray3DCreate",
                                                         "cuArray3DGet",
                                                         "cuMipmappedArrayCreate",
                                                         "cuMipmappedArrayGet",
                                                         "cuCtxSetLimit",
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

[[nodiscard]] inline hw::captured_call copied(abi::driver_table const& driver, abi::CUdeviceptr to,
                                              abi::CUdeviceptr from, std::size_t bytes) {
    hw::captured_call call;
    call.width = bytes;
    call.to = to;
    call.from = from;
    bool const to_device = hw::is_of_device(driver, to), from_device = hw::is_of_device(driver, from);
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
[[nodiscard]] inline unsigned char* as_host(abi::CUdeviceptr address) noexcept {
    return reinterpret_cast<unsigned char*>(static_cast<std::uintptr_t>(address));
}

// One side of a copy of a box: where its first byte is.
struct copy_side {
    abi::CUmemorytype type = abi::CU_MEMORYTYPE_HOST; // or of the device, or an array
    abi::CUdeviceptr begin = 0;
    std::size_t pitch = 0;
    std::size_t rows = 0; // of a layer
    abi::CUarray array = nullptr;
    std::size_t x = 0, y = 0, z = 0; // of an array
};
// @param width of a row that has no pitch
[[nodiscard]] inline copy_side side_of(abi::driver_table const& driver, copy_side side, void const* host,
                                       std::size_t width) {
    if (side.type == abi::CU_MEMORYTYPE_ARRAY) return side;
    if (side.pitch == 0) side.pitch = width;
    side.begin = (side.type == abi::CU_MEMORYTYPE_HOST ? as_address(host) : side.begin) +
                 (side.z * side.rows + side.y) * side.pitch + side.x;
    bool const of_device = side.type == abi::CU_MEMORYTYPE_DEVICE ||
                           (side.type == abi::CU_MEMORYTYPE_UNIFIED && hw::is_of_device(driver, side.begin));
    side.type = of_device ? abi::CU_MEMORYTYPE_DEVICE : abi::CU_MEMORYTYPE_HOST;
    side.array = nullptr;
    side.x = side.y = side.z = 0;
    return side;
}

// Rows of the host are kept one after the other.
[[nodiscard]] inline hw::captured_call copied_box(copy_side const& to, copy_side const& from, std::size_t width,
                                                  std::size_t height, std::size_t layers) {
    hw::captured_call call;
    call.what = hw::captured_call::kind::copy_of_box;
    abi::CUDA_MEMCPY3D& box = call.box;
    box.WidthInBytes = width;
    box.Height = height;
    box.Depth = layers;
    bool const to_host = to.type == abi::CU_MEMORYTYPE_HOST, from_host = from.type == abi::CU_MEMORYTYPE_HOST;
    box.srcMemoryType = from.type;
    box.srcDevice = from.begin;
    box.srcArray = from.array;
    box.srcXInBytes = from.x, box.srcY = from.y, box.srcZ = from.z;
    box.srcPitch = from_host ? width : from.pitch;
    box.srcHeight = from_host ? height : from.rows;
    box.dstMemoryType = to.type;
    box.dstDevice = to.begin;
    box.dstArray = to.array;
    box.dstXInBytes = to.x, box.dstY = to.y, box.dstZ = to.z;
    box.dstPitch = to_host ? width : to.pitch;
    box.dstHeight = to_host ? height : to.rows;
    if (to.type == abi::CU_MEMORYTYPE_DEVICE) call.words.push_back(to.begin);
    if (!from_host) return call;
    // From the host to the host there is nothing to repeat; from no address it will be refused.
    if (to_host || !hw::may_be_address(from.begin)) box.Depth = 0;
    for (std::size_t z = 0; z < box.Depth; ++z)
        for (std::size_t y = 0; y < height; ++y) {
            unsigned char const* const row = as_host(from.begin + (z * from.rows + y) * from.pitch);
            call.bytes.insert(call.bytes.end(), row, row + width);
        }
    return call;
}

// Fails where parameters are not known; false for a launch that lacks an argument, which will be refused.
[[nodiscard]] inline result<bool> try_capture_arguments(abi::driver_table const& driver, hw::launch_event const& launch,
                                                        hw::captured_call& call) {
    if (launch.packed != nullptr) {
        hw::packed_arguments const all = hw::read_packed(launch.packed);
        auto const* const begin = static_cast<unsigned char const*>(all.begin);
        call.is_packed = true;
        if (begin != nullptr) call.bytes.assign(begin, begin + all.bytes);
        call.offsets = {0};
        call.sizes = {call.bytes.size()};
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
        call.sizes.push_back(bytes);
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
    if (hw::is_capturing(driver, call.stream)) return std::optional<hw::captured_call>{}; // it runs with its graph
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

// ---- other calls, a function for each way to fill a call from parameters ------------------------

using captured_kind = hw::captured_call::kind;
using ended_thing = hw::captured_call::thing;
using filled_call = result<hw::captured_call>;

template <class Parameters>
filled_call capture_copy(abi::driver_table const& driver, Parameters const& p) {
    return copied(driver, p.dst, p.src, p.ByteCount);
}
template <class Parameters>
filled_call capture_from_host(abi::driver_table const& driver, Parameters const& p) {
    return copied(driver, p.dstDevice, as_address(p.srcHost), p.ByteCount);
}
template <class Parameters>
filled_call capture_to_host(abi::driver_table const& driver, Parameters const& p) {
    return copied(driver, as_address(p.dstHost), p.srcDevice, p.ByteCount);
}
template <class Parameters>
filled_call capture_between(abi::driver_table const& driver, Parameters const& p) {
    return copied(driver, p.dstDevice, p.srcDevice, p.ByteCount);
}
template <class Parameters>
filled_call capture_box(abi::driver_table const& driver, Parameters const& p) {
    if (p.pCopy == nullptr) return hw::captured_call{};
    auto const& c = *p.pCopy;
    std::size_t layers = 1;
    copy_side to{c.dstMemoryType, c.dstDevice, c.dstPitch, c.Height, c.dstArray, c.dstXInBytes, c.dstY};
    copy_side from{c.srcMemoryType, c.srcDevice, c.srcPitch, c.Height, c.srcArray, c.srcXInBytes, c.srcY};
    if constexpr (requires { c.Depth; }) {
        layers = c.Depth;
        if (c.srcHeight != 0) from.rows = c.srcHeight;
        if (c.dstHeight != 0) to.rows = c.dstHeight;
        from.z = c.srcZ;
        to.z = c.dstZ;
    }
    return copied_box(side_of(driver, to, c.dstHost, c.WidthInBytes), side_of(driver, from, c.srcHost, c.WidthInBytes),
                      c.WidthInBytes, c.Height, layers);
}
// A line of bytes, with an array of one dimension on one side or both.
template <class Parameters>
filled_call capture_line(abi::driver_table const&, Parameters const& p) {
    copy_side to, from;
    to.pitch = from.pitch = p.ByteCount;
    to.rows = from.rows = 1;
    if constexpr (requires { p.dstArray; })
        to.type = abi::CU_MEMORYTYPE_ARRAY, to.array = p.dstArray, to.x = p.dstOffset;
    else if constexpr (requires { p.dstDevice; }) to.type = abi::CU_MEMORYTYPE_DEVICE, to.begin = p.dstDevice;
    if constexpr (requires { p.srcArray; })
        from.type = abi::CU_MEMORYTYPE_ARRAY, from.array = p.srcArray, from.x = p.srcOffset;
    else if constexpr (requires { p.srcDevice; }) from.type = abi::CU_MEMORYTYPE_DEVICE, from.begin = p.srcDevice;
    else from.begin = as_address(p.srcHost);
    return copied_box(to, from, p.ByteCount, 1, 1);
}
template <class Parameters>
filled_call capture_fill(abi::driver_table const&, Parameters const& p) {
    if constexpr (requires { p.uc; }) return filled(p.dstDevice, p.uc, 1, p.N);
    else if constexpr (requires { p.us; }) return filled(p.dstDevice, p.us, 2, p.N);
    else return filled(p.dstDevice, p.ui, 4, p.N);
}
template <class Parameters>
filled_call capture_fill_of_rows(abi::driver_table const&, Parameters const& p) {
    if constexpr (requires { p.uc; }) return filled(p.dstDevice, p.uc, 1, p.Width, p.Height, p.dstPitch);
    else if constexpr (requires { p.us; }) return filled(p.dstDevice, p.us, 2, p.Width, p.Height, p.dstPitch);
    else return filled(p.dstDevice, p.ui, 4, p.Width, p.Height, p.dstPitch);
}
[[nodiscard]] inline hw::captured_call of_kind(captured_kind what) {
    hw::captured_call call;
    call.what = what;
    return call;
}
inline filled_call capture_event_record(abi::driver_table const&, abi::cuEventRecord_params const& p) {
    auto call = of_kind(captured_kind::event_record);
    call.event = p.hEvent;
    return call;
}
inline filled_call capture_wait_for_event(abi::driver_table const&, abi::cuStreamWaitEvent_params const& p) {
    auto call = of_kind(captured_kind::wait_for_event);
    call.event = p.hEvent;
    call.flags = p.Flags;
    return call;
}
inline filled_call capture_stream_wait(abi::driver_table const&, abi::cuStreamSynchronize_params const&) {
    return of_kind(captured_kind::host_waits_for_stream);
}
inline filled_call capture_event_wait(abi::driver_table const&, abi::cuEventSynchronize_params const& p) {
    auto call = of_kind(captured_kind::host_waits_for_event);
    call.event = p.hEvent;
    return call;
}
inline filled_call capture_host_function(abi::driver_table const&, abi::cuLaunchHostFunc_params const&) {
    return of_kind(captured_kind::host_function);
}
inline filled_call capture_attribute(abi::driver_table const&, abi::cuFuncSetAttribute_params const& p) {
    auto call = of_kind(captured_kind::attribute);
    call.function = p.hfunc;
    call.attribute = p.attrib;
    call.value = p.value;
    return call;
}
inline filled_call capture_cache_preference(abi::driver_table const&, abi::cuFuncSetCacheConfig_params const& p) {
    auto call = of_kind(captured_kind::cache_preference);
    call.function = p.hfunc;
    call.value = static_cast<int>(p.config);
    return call;
}
// A call whose only parameter is the thing that it ends.
struct one_handle {
    std::uint64_t value = 0;
};
template <ended_thing Thing>
filled_call capture_destruction(abi::driver_table const&, one_handle const& p) {
    auto call = of_kind(captured_kind::destruction);
    call.ended = Thing;
    call.ended_value = p.value;
    return call;
}

struct capture_row {
    std::string_view name;
    filled_call (*fill)(abi::driver_table const& driver, call_name const& name, void const* parameters);
};
template <class Parameters, filled_call (*Fill)(abi::driver_table const&, Parameters const&)>
filled_call capture_by(abi::driver_table const& driver, call_name const& name, void const* parameters) {
    auto const& given = *static_cast<Parameters const*>(parameters);
    auto made = Fill(driver, given);
    if (!made) return made;
    // A call that has a stream does not wait for the work.
    if constexpr (requires { given.hStream; }) {
        made->stream = name.stream(given.hStream);
    } else {
        made->stream = name.stream(nullptr);
        made->host_waited = made->what == captured_kind::device_copy || made->what == captured_kind::copy_from_host ||
                            made->what == captured_kind::copy_to_host || made->what == captured_kind::copy_of_box;
    }
    return made;
}

// Of each call that is made again, or that ends what other calls use.
inline constexpr capture_row capture_rows_by_name[]{
    {"cuMemcpy", &capture_by<abi::cuMemcpy_params, &capture_copy<abi::cuMemcpy_params>>},
    {"cuMemcpyAsync", &capture_by<abi::cuMemcpyAsync_params, &capture_copy<abi::cuMemcpyAsync_params>>},
    {"cuMemcpyHtoD_v2", &capture_by<abi::cuMemcpyHtoD_v2_params, &capture_from_host<abi::cuMemcpyHtoD_v2_params>>},
    {"cuMemcpyHtoDAsync_v2",
     &capture_by<abi::cuMemcpyHtoDAsync_v2_params, &capture_from_host<abi::cuMemcpyHtoDAsync_v2_params>>},
    {"cuMemcpyDtoH_v2", &capture_by<abi::cuMemcpyDtoH_v2_params, &capture_to_host<abi::cuMemcpyDtoH_v2_params>>},
    {"cuMemcpyDtoHAsync_v2",
     &capture_by<abi::cuMemcpyDtoHAsync_v2_params, &capture_to_host<abi::cuMemcpyDtoHAsync_v2_params>>},
    {"cuMemcpyDtoD_v2", &capture_by<abi::cuMemcpyDtoD_v2_params, &capture_between<abi::cuMemcpyDtoD_v2_params>>},
    {"cuMemcpyDtoDAsync_v2",
     &capture_by<abi::cuMemcpyDtoDAsync_v2_params, &capture_between<abi::cuMemcpyDtoDAsync_v2_params>>},
    {"cuMemcpy2D_v2", &capture_by<abi::cuMemcpy2D_v2_params, &capture_box<abi::cuMemcpy2D_v2_params>>},
    {"cuMemcpy2DUnaligned_v2", &capture_by<abi::cuMemcpy2D_v2_params, &capture_box<abi::cuMemcpy2D_v2_params>>},
    {"cuMemcpy2DAsync_v2", &capture_by<abi::cuMemcpy2DAsync_v2_params, &capture_box<abi::cuMemcpy2DAsync_v2_params>>},
    {"cuMemcpy3D_v2", &capture_by<abi::cuMemcpy3D_v2_params, &capture_box<abi::cuMemcpy3D_v2_params>>},
    {"cuMemcpy3DAsync_v2", &capture_by<abi::cuMemcpy3DAsync_v2_params, &capture_box<abi::cuMemcpy3DAsync_v2_params>>},
    {"cuMemcpyDtoA_v2", &capture_by<abi::cuMemcpyDtoA_v2_params, &capture_line<abi::cuMemcpyDtoA_v2_params>>},
    {"cuMemcpyAtoD_v2", &capture_by<abi::cuMemcpyAtoD_v2_params, &capture_line<abi::cuMemcpyAtoD_v2_params>>},
    {"cuMemcpyHtoA_v2", &capture_by<abi::cuMemcpyHtoA_v2_params, &capture_line<abi::cuMemcpyHtoA_v2_params>>},
    {"cuMemcpyHtoAAsync_v2",
     &capture_by<abi::cuMemcpyHtoAAsync_v2_params, &capture_line<abi::cuMemcpyHtoAAsync_v2_params>>},
    {"cuMemcpyAtoH_v2", &capture_by<abi::cuMemcpyAtoH_v2_params, &capture_line<abi::cuMemcpyAtoH_v2_params>>},
    {"cuMemcpyAtoHAsync_v2",
     &capture_by<abi::cuMemcpyAtoHAsync_v2_params, &capture_line<abi::cuMemcpyAtoHAsync_v2_params>>},
    {"cuMemcpyAtoA_v2", &capture_by<abi::cuMemcpyAtoA_v2_params, &capture_line<abi::cuMemcpyAtoA_v2_params>>},
    {"cuMemsetD8_v2", &capture_by<abi::cuMemsetD8_v2_params, &capture_fill<abi::cuMemsetD8_v2_params>>},
    {"cuMemsetD8Async", &capture_by<abi::cuMemsetD8Async_params, &capture_fill<abi::cuMemsetD8Async_params>>},
    {"cuMemsetD16_v2", &capture_by<abi::cuMemsetD16_v2_params, &capture_fill<abi::cuMemsetD16_v2_params>>},
    {"cuMemsetD16Async", &capture_by<abi::cuMemsetD16Async_params, &capture_fill<abi::cuMemsetD16Async_params>>},
    {"cuMemsetD32_v2", &capture_by<abi::cuMemsetD32_v2_params, &capture_fill<abi::cuMemsetD32_v2_params>>},
    {"cuMemsetD32Async", &capture_by<abi::cuMemsetD32Async_params, &capture_fill<abi::cuMemsetD32Async_params>>},
    {"cuMemsetD2D8_v2", &capture_by<abi::cuMemsetD2D8_v2_params, &capture_fill_of_rows<abi::cuMemsetD2D8_v2_params>>},
    {"cuMemsetD2D8Async",
     &capture_by<abi::cuMemsetD2D8Async_params, &capture_fill_of_rows<abi::cuMemsetD2D8Async_params>>},
    {"cuMemsetD2D16_v2",
     &capture_by<abi::cuMemsetD2D16_v2_params, &capture_fill_of_rows<abi::cuMemsetD2D16_v2_params>>},
    {"cuMemsetD2D16Async",
     &capture_by<abi::cuMemsetD2D16Async_params, &capture_fill_of_rows<abi::cuMemsetD2D16Async_params>>},
    {"cuMemsetD2D32_v2",
     &capture_by<abi::cuMemsetD2D32_v2_params, &capture_fill_of_rows<abi::cuMemsetD2D32_v2_params>>},
    {"cuMemsetD2D32Async",
     &capture_by<abi::cuMemsetD2D32Async_params, &capture_fill_of_rows<abi::cuMemsetD2D32Async_params>>},
    {"cuEventRecord", &capture_by<abi::cuEventRecord_params, &capture_event_record>},
    {"cuEventRecordWithFlags", &capture_by<abi::cuEventRecord_params, &capture_event_record>}, // flags are of captures
    {"cuStreamWaitEvent", &capture_by<abi::cuStreamWaitEvent_params, &capture_wait_for_event>},
    {"cuStreamSynchronize", &capture_by<abi::cuStreamSynchronize_params, &capture_stream_wait>},
    {"cuStreamQuery", &capture_by<abi::cuStreamSynchronize_params, &capture_stream_wait>},
    {"cuEventSynchronize", &capture_by<abi::cuEventSynchronize_params, &capture_event_wait>},
    {"cuEventQuery", &capture_by<abi::cuEventSynchronize_params, &capture_event_wait>},
    {"cuLaunchHostFunc", &capture_by<abi::cuLaunchHostFunc_params, &capture_host_function>},
    {"cuStreamAddCallback", &capture_by<abi::cuLaunchHostFunc_params, &capture_host_function>},
    {"cuFuncSetAttribute", &capture_by<abi::cuFuncSetAttribute_params, &capture_attribute>},
    {"cuFuncSetCacheConfig", &capture_by<abi::cuFuncSetCacheConfig_params, &capture_cache_preference>},
    {"cuMemFree_v2", &capture_by<one_handle, &capture_destruction<ended_thing::memory>>},
    {"cuEventDestroy_v2", &capture_by<one_handle, &capture_destruction<ended_thing::event>>},
    {"cuStreamDestroy_v2", &capture_by<one_handle, &capture_destruction<ended_thing::stream>>},
    {"cuGraphExecDestroy", &capture_by<one_handle, &capture_destruction<ended_thing::graph>>},
    {"cuTexObjectDestroy", &capture_by<one_handle, &capture_destruction<ended_thing::texture>>},
    {"cuSurfObjectDestroy", &capture_by<one_handle, &capture_destruction<ended_thing::texture>>},
    {"cuModuleUnload", &capture_by<one_handle, &capture_destruction<ended_thing::module_or_array>>},
    {"cuLibraryUnload", &capture_by<one_handle, &capture_destruction<ended_thing::module_or_array>>},
    {"cuArrayDestroy", &capture_by<one_handle, &capture_destruction<ended_thing::module_or_array>>},
    {"cuMipmappedArrayDestroy", &capture_by<one_handle, &capture_destruction<ended_thing::module_or_array>>},
};
[[nodiscard]] inline capture_row const* capture_row_of(std::string_view name) noexcept {
    for (capture_row const& each : capture_rows_by_name)
        if (each.name == name) return &each;
    return nullptr;
}
[[nodiscard]] constexpr bool captures_launch(std::string_view name) noexcept {
    return name == "cuLaunchKernel" || name == "cuLaunchKernelEx" || name == "cuLaunchCooperativeKernel" ||
           name == "cuGraphLaunch";
}
[[nodiscard]] inline bool is_without_effect(std::string_view name) noexcept {
    for (std::string_view const each : calls_without_effect)
        if (name.starts_with(each)) return true;
    return false;
}

// ---- the same calls again -----------------------------------------------------------------------

[[nodiscard]] inline abi::CUresult fill_again(hw::captured_call const& call, abi::driver_table const& driver) {
    auto const byte = static_cast<unsigned char>(call.pattern);
    auto const two = static_cast<unsigned short>(call.pattern);
    if (call.pitch == 0) {
        if (call.element == 1) return driver.MemsetD8Async(call.to, byte, call.width, call.stream);
        if (call.element == 2) return driver.MemsetD16Async(call.to, two, call.width, call.stream);
        return driver.MemsetD32Async(call.to, call.pattern, call.width, call.stream);
    }
    if (call.element == 1)
        return driver.MemsetD2D8Async(call.to, call.pitch, byte, call.width, call.height, call.stream);
    if (call.element == 2)
        return driver.MemsetD2D16Async(call.to, call.pitch, two, call.width, call.height, call.stream);
    return driver.MemsetD2D32Async(call.to, call.pitch, call.pattern, call.width, call.height, call.stream);
}

[[nodiscard]] inline abi::CUresult copy_box_again(hw::captured_call const& call, abi::driver_table const& driver,
                                                  std::vector<unsigned char>& scratch) {
    abi::CUDA_MEMCPY3D box = call.box;
    std::size_t const bytes = box.WidthInBytes * box.Height * box.Depth;
    if (bytes == 0) return abi::CUDA_SUCCESS;
    if (box.srcMemoryType == abi::CU_MEMORYTYPE_HOST) box.srcHost = call.bytes.data();
    if (box.dstMemoryType == abi::CU_MEMORYTYPE_HOST) {
        if (scratch.size() < bytes) scratch.resize(bytes);
        box.dstHost = scratch.data();
    }
    return driver.Memcpy3DAsync(&box, call.stream);
}

} // namespace detail

namespace hw {

GPUPROF_INLINE bool is_capturable(std::string_view full) noexcept {
    std::string_view const name = gpuprof::detail::call_name{full}.name;
    return name == "cuCtxSynchronize" || gpuprof::detail::captures_launch(name) ||
           gpuprof::detail::capture_row_of(name) != nullptr || gpuprof::detail::is_without_effect(name);
}

GPUPROF_INLINE bool is_destruction(std::string_view full) noexcept {
    std::string_view const name = gpuprof::detail::call_name{full}.name;
    return gpuprof::detail::capture_row_of(name) != nullptr &&
           (name.ends_with("Destroy") || name.ends_with("Destroy_v2") || name.ends_with("Unload") ||
            name == "cuMemFree_v2");
}

GPUPROF_INLINE bool is_host_wait(std::string_view full) noexcept {
    std::string_view const name = gpuprof::detail::call_name{full}.name;
    return name == "cuCtxSynchronize" || name == "cuStreamSynchronize" || name == "cuEventSynchronize" ||
           name == "cuMemcpyDtoH_v2" || name == "cuMemcpy";
}

GPUPROF_INLINE result<std::optional<captured_call>> try_capture(abi::driver_table const& driver, std::string_view full,
                                                                callback_id id, void const* parameters) {
    gpuprof::detail::call_name const call{full};
    std::string_view const name = call.name;
    if (gpuprof::detail::captures_launch(name))
        return gpuprof::detail::try_capture_launch(driver, full, id, parameters);
    if (name == "cuCtxSynchronize")
        return gpuprof::detail::captured(gpuprof::detail::of_kind(captured_call::kind::host_waits_for_context));
    auto const* const row = gpuprof::detail::capture_row_of(name);
    if (row == nullptr) {
        if (gpuprof::detail::is_without_effect(name)) return std::optional<captured_call>{};
        return gpuprof::detail::not_capturable(full, "calls of that kind are not repeated");
    }
    auto made = row->fill(driver, call, parameters);
    if (!made) return gpuprof::detail::not_capturable(full, made.error().cause);
    // What is given to a stream that is being captured runs with its graph.
    if (made->stream != nullptr && made->what != captured_call::kind::destruction && is_capturing(driver, made->stream))
        return std::optional<captured_call>{};
    return gpuprof::detail::captured(*std::move(made));
}

GPUPROF_INLINE void move_addresses(captured_call& call, abi::CUdeviceptr from, std::size_t bytes, abi::CUdeviceptr to) {
    auto const move = [&](abi::CUdeviceptr& address) {
        if (address >= from && address - from < bytes) address = address - from + to;
    };
    for (abi::CUdeviceptr* const each : {&call.to, &call.from, &call.box.srcDevice, &call.box.dstDevice}) move(*each);
    for (abi::CUdeviceptr& each : call.words) move(each);
    for (std::size_t i = 0; i < call.offsets.size(); ++i)
        for (std::size_t at = 0; at + sizeof(abi::CUdeviceptr) <= call.sizes[i]; at += sizeof(abi::CUdeviceptr)) {
            abi::CUdeviceptr word = 0;
            std::memcpy(&word, call.bytes.data() + call.offsets[i] + at, sizeof word);
            move(word);
            std::memcpy(call.bytes.data() + call.offsets[i] + at, &word, sizeof word);
        }
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
            if (!call.is_packed)
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
        case kind::fill: return gpuprof::detail::fill_again(call, driver);
        case kind::copy_of_box: return gpuprof::detail::copy_box_again(call, driver, scratch);
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
        case kind::host_waits_for_context:
        case kind::host_function:
        case kind::destruction: break;
    }
    return abi::CUDA_SUCCESS;
}

} // namespace hw
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_CALLBACKS_CAPTURED_CALL_INL_HPP
