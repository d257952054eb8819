// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The driver and the CUPTI of recorded devices: they take what a program asks for, and do nothing.
#ifndef GPUPROF_RECORDING_REPLAY_DRIVER_HPP
#define GPUPROF_RECORDING_REPLAY_DRIVER_HPP

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <set>
#include <string>
#include <vector>

#include "../detail/builtin.hpp"
#include "../detail/config.hpp"
#include "../hw/abi/cupti.hpp"
#include "../hw/abi/driver.hpp"
#include "../hw/activity/record.hpp"
#include "../hw/activity/release.hpp"
#include "../hw/machine/platform/clock.hpp"
#include "../hw/machine/platform/mutex.hpp"
#include "../hw/machine/status.hpp"
#include "replay_session.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace hw::replay {

using namespace abi;

// What the tables' functions share. One a process, never destroyed.
struct driver_state {
    platform::mutex mutex;
    std::vector<replay_session*> sessions; // the devices, by number
    std::set<std::string> kernels;         // names; a kernel's handle is the address of its name
    cupti_callback callback = nullptr;     // of the one subscriber
    void* user_data = nullptr;
    unsigned launches = 0;
    std::set<void*> host_memory{};
    std::uint32_t release = 0; // whose records the last tracer has

    [[nodiscard]] static driver_state& instance() {
        static driver_state& one = *new driver_state; // NOLINT(bugprone-unhandled-exception-at-new)
        return one;
    }
    [[nodiscard]] replay_session* session(CUdevice device) {
        platform::lock const held{mutex};
        auto const at = static_cast<std::size_t>(device);
        return device >= 0 && at < sessions.size() ? sessions[at] : nullptr;
    }
};

// ---- handles: they say what they are, and hold nothing ------------------------------------------

inline std::uint64_t last_handle = 0; // streams, events, modules

template <class Handle>
[[nodiscard]] CUresult give_handle(Handle* to) noexcept {
    if (to == nullptr) return CUDA_ERROR_INVALID_VALUE;
    *to = reinterpret_cast<Handle>(std::uintptr_t{0x1000} + 16 * detail::add_relaxed(last_handle, 1));
    return CUDA_SUCCESS;
}
// Of a device there is one context, whose handle is the address of its session.
[[nodiscard]] inline CUcontext context_of(replay_session* session) noexcept {
    return reinterpret_cast<CUcontext>(session);
}
[[nodiscard]] inline replay_session* session_of(CUcontext context) {
    driver_state& state = driver_state::instance();
    platform::lock const held{state.mutex};
    for (replay_session* const each : state.sessions)
        if (context_of(each) == context) return each;
    return nullptr;
}
inline std::vector<CUcontext>& current_contexts() {
    thread_local std::vector<CUcontext> stack;
    return stack;
}
[[nodiscard]] inline CUcontext current_context() {
    return current_contexts().empty() ? nullptr : current_contexts().back();
}
// The session whose context is current, else the first.
[[nodiscard]] inline replay_session* session_at_hand() {
    replay_session* const current = session_of(current_context());
    return current != nullptr ? current : driver_state::instance().session(0);
}

// ---- memory: of the device there are only addresses, of the host there is all -------------------

inline constexpr CUdeviceptr device_memory = CUdeviceptr{1} << 62; // no address of a program lies there
inline std::uint64_t next_address = device_memory;

[[nodiscard]] constexpr bool is_of_device(CUdeviceptr address) noexcept { return address >= device_memory; }
[[nodiscard]] inline void* host_address(CUdeviceptr address) noexcept {
    return reinterpret_cast<void*>(static_cast<std::uintptr_t>(address));
}
[[nodiscard]] inline CUresult give_address(CUdeviceptr* to, std::size_t bytes) noexcept {
    if (to == nullptr || bytes == 0) return CUDA_ERROR_INVALID_VALUE;
    if (bytes > std::size_t{1} << 48) return CUDA_ERROR_OUT_OF_MEMORY;
    std::uint64_t const room = (bytes + 511) / 512 * 512;
    *to = detail::add_relaxed(next_address, room) - room;
    return CUDA_SUCCESS;
}
[[nodiscard]] inline CUresult give_memory(void** to, std::size_t bytes) {
    if (to == nullptr || bytes == 0) return CUDA_ERROR_INVALID_VALUE;
    *to = std::calloc(bytes, 1);
    if (*to == nullptr) return CUDA_ERROR_OUT_OF_MEMORY;
    driver_state& state = driver_state::instance();
    platform::lock const held{state.mutex};
    state.host_memory.insert(*to);
    return CUDA_SUCCESS;
}
[[nodiscard]] inline CUresult take_memory(void* address) {
    driver_state& state = driver_state::instance();
    platform::lock const held{state.mutex};
    if (state.host_memory.erase(address) == 0) return CUDA_ERROR_INVALID_VALUE;
    std::free(address);
    return CUDA_SUCCESS;
}
// What a device's memory holds is zeros.
[[nodiscard]] inline CUresult copy(CUdeviceptr to, CUdeviceptr from, std::size_t bytes) noexcept {
    if (bytes == 0 || is_of_device(to)) return CUDA_SUCCESS;
    if (is_of_device(from)) std::memset(host_address(to), 0, bytes);
    else std::memmove(host_address(to), host_address(from), bytes);
    return CUDA_SUCCESS;
}
[[nodiscard]] inline CUdeviceptr number_of(void const* address) noexcept {
    return static_cast<CUdeviceptr>(reinterpret_cast<std::uintptr_t>(address));
}
[[nodiscard]] inline CUresult copy_rows(CUDA_MEMCPY2D const* how) noexcept {
    if (how == nullptr || how->srcMemoryType == CU_MEMORYTYPE_ARRAY || how->dstMemoryType == CU_MEMORYTYPE_ARRAY)
        return CUDA_ERROR_INVALID_VALUE;
    CUdeviceptr const to = how->dstMemoryType == CU_MEMORYTYPE_HOST ? number_of(how->dstHost) : how->dstDevice;
    CUdeviceptr const from = how->srcMemoryType == CU_MEMORYTYPE_HOST ? number_of(how->srcHost) : how->srcDevice;
    for (std::size_t row = 0; row < how->Height; ++row)
        static_cast<void>(copy(to + (how->dstY + row) * how->dstPitch + how->dstXInBytes,
                               from + (how->srcY + row) * how->srcPitch + how->srcXInBytes, how->WidthInBytes));
    return CUDA_SUCCESS;
}
template <class Element>
[[nodiscard]] CUresult fill(CUdeviceptr to, Element value, std::size_t count) noexcept {
    if (is_of_device(to)) return CUDA_SUCCESS;
    for (std::size_t i = 0; i < count; ++i)
        std::memcpy(static_cast<char*>(host_address(to)) + i * sizeof value, &value, sizeof value);
    return CUDA_SUCCESS;
}
template <class Element>
[[nodiscard]] CUresult fill_rows(CUdeviceptr to, std::size_t pitch, Element value, std::size_t width,
                                 std::size_t height) noexcept {
    for (std::size_t row = 0; row < height; ++row) static_cast<void>(fill(to + row * pitch, value, width));
    return CUDA_SUCCESS;
}

// ---- launches: heard by callbacks ---------------------------------------------------------------

// Tells the subscriber of a call, before and after.
inline CUresult announce(CUpti_CallbackId id, char const* name, CUfunction kernel, void const* parameters) {
    driver_state& state = driver_state::instance();
    CUcontext const context = current_context();
    CUpti_CallbackData data;
    CUresult status = CUDA_SUCCESS;
    std::uint64_t word = 0;
    cupti_callback callback = nullptr;
    void* user_data = nullptr;
    {
        platform::lock const held{state.mutex};
        bool known = false;
        for (std::string const& each : state.kernels)
            if (reinterpret_cast<CUfunction>(const_cast<std::string*>(&each)) == kernel) known = true;
        if (context == nullptr) status = CUDA_ERROR_INVALID_CONTEXT;
        else if (!known) status = CUDA_ERROR_INVALID_HANDLE;
        else data.symbolName = reinterpret_cast<std::string const*>(kernel)->c_str();
        callback = state.callback;
        user_data = state.user_data;
        data.correlationId = ++state.launches;
    }
    if (callback == nullptr) return status;
    data.functionName = name;
    data.functionParams = parameters;
    data.functionReturnValue = &status;
    data.context = context;
    data.correlationData = &word;
    for (auto const site : {CUPTI_API_ENTER, CUPTI_API_EXIT}) {
        data.callbackSite = site;
        callback(user_data, CUPTI_CB_DOMAIN_DRIVER_API, id, &data);
    }
    return status;
}

// What the recorded device's driver does not do.
template <class... A>
CUresult not_supported(A...) {
    return CUDA_ERROR_NOT_SUPPORTED;
}
template <class... A>
CUresult nothing(A...) {
    return CUDA_SUCCESS;
}
template <class... A>
void set_default(CUresult (*&member)(A...)) {
    member = &not_supported<A...>;
}
template <class... A>
void set_nothing(CUresult (*&member)(A...)) {
    member = &nothing<A...>;
}

inline void add_device_calls(driver_table& calls) {
    calls.DriverGetVersion = [](int* version) {
        replay_session const* const known = session_at_hand();
        if (version == nullptr) return CUDA_ERROR_INVALID_VALUE;
        *version = known != nullptr ? known->contents.device.driver : 0;
        return CUDA_SUCCESS;
    };
    calls.GetErrorName = calls.GetErrorString = [](CUresult status, char const** text) {
        auto const known = abi::name(status);
        if (text == nullptr || known.empty()) return CUDA_ERROR_INVALID_VALUE;
        *text = known.data();
        return CUDA_SUCCESS;
    };
    calls.DeviceGetCount = [](int* count) {
        if (count == nullptr) return CUDA_ERROR_INVALID_VALUE;
        driver_state& state = driver_state::instance();
        platform::lock const held{state.mutex};
        *count = static_cast<int>(state.sessions.size());
        return CUDA_SUCCESS;
    };
    calls.DeviceGet = [](CUdevice* device, int ordinal) {
        if (device == nullptr || driver_state::instance().session(ordinal) == nullptr) return CUDA_ERROR_INVALID_DEVICE;
        *device = ordinal;
        return CUDA_SUCCESS;
    };
    calls.DeviceGetName = [](char* name, int length, CUdevice device) {
        replay_session const* const of = driver_state::instance().session(device);
        if (of == nullptr || name == nullptr || length <= 0) return CUDA_ERROR_INVALID_VALUE;
        std::string const& text = of->contents.device.name;
        name[text.copy(name, static_cast<std::size_t>(length) - 1)] = '\0';
        return CUDA_SUCCESS;
    };
    calls.DeviceGetAttribute = [](int* value, CUdevice_attribute attribute, CUdevice device) {
        replay_session const* const of = driver_state::instance().session(device);
        if (of == nullptr || value == nullptr) return CUDA_ERROR_INVALID_VALUE;
        recorded_device const& known = of->contents.device;
        int const which = static_cast<int>(attribute);
        if (attribute == CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR) *value = known.capability.generation;
        else if (attribute == CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR) *value = known.capability.revision;
        else {
            for (auto const& each : known.attributes)
                if (each.first == which) {
                    *value = each.second;
                    return CUDA_SUCCESS;
                }
            return CUDA_ERROR_INVALID_VALUE;
        }
        return CUDA_SUCCESS;
    };
    calls.DeviceTotalMem = [](std::size_t* bytes, CUdevice device) {
        replay_session const* const of = driver_state::instance().session(device);
        if (of == nullptr || bytes == nullptr) return CUDA_ERROR_INVALID_VALUE;
        *bytes = of->contents.device.memory;
        return CUDA_SUCCESS;
    };
    calls.MemGetInfo = [](std::size_t* free, std::size_t* total) {
        replay_session const* const of = session_of(current_context());
        if (of == nullptr || free == nullptr || total == nullptr) return CUDA_ERROR_INVALID_CONTEXT;
        *free = *total = of->contents.device.memory;
        return CUDA_SUCCESS;
    };
}

inline void add_context_calls(driver_table& calls) {
    calls.DevicePrimaryCtxRetain = [](CUcontext* context, CUdevice device) {
        replay_session* const of = driver_state::instance().session(device);
        if (of == nullptr || context == nullptr) return CUDA_ERROR_INVALID_DEVICE;
        *context = context_of(of);
        return CUDA_SUCCESS;
    };
    calls.DevicePrimaryCtxGetState = [](CUdevice, unsigned* flags, int* active) {
        if (flags == nullptr || active == nullptr) return CUDA_ERROR_INVALID_VALUE;
        *flags = 0;
        *active = 1;
        return CUDA_SUCCESS;
    };
    calls.CtxCreate = [](CUcontext* context, unsigned, CUdevice device) {
        replay_session* const of = driver_state::instance().session(device);
        if (of == nullptr || context == nullptr) return CUDA_ERROR_INVALID_DEVICE;
        current_contexts().push_back(*context = context_of(of));
        return CUDA_SUCCESS;
    };
    calls.CtxPushCurrent = [](CUcontext context) {
        if (session_of(context) == nullptr) return CUDA_ERROR_INVALID_CONTEXT;
        current_contexts().push_back(context);
        return CUDA_SUCCESS;
    };
    calls.CtxPopCurrent = [](CUcontext* context) {
        auto& stack = current_contexts();
        if (stack.empty()) return CUDA_ERROR_INVALID_CONTEXT;
        if (context != nullptr) *context = stack.back();
        stack.pop_back();
        return CUDA_SUCCESS;
    };
    calls.CtxSetCurrent = [](CUcontext context) {
        auto& stack = current_contexts();
        if (context != nullptr && session_of(context) == nullptr) return CUDA_ERROR_INVALID_CONTEXT;
        if (!stack.empty()) stack.pop_back();
        if (context != nullptr) stack.push_back(context);
        return CUDA_SUCCESS;
    };
    calls.CtxGetCurrent = [](CUcontext* context) {
        if (context == nullptr) return CUDA_ERROR_INVALID_VALUE;
        *context = current_context();
        return CUDA_SUCCESS;
    };
    calls.CtxGetDevice = [](CUdevice* device) {
        replay_session const* const of = session_of(current_context());
        if (of == nullptr || device == nullptr) return CUDA_ERROR_INVALID_CONTEXT;
        *device = of->ordinal;
        return CUDA_SUCCESS;
    };
    calls.CtxGetApiVersion = [](CUcontext context, unsigned* version) {
        if (session_of(context) == nullptr || version == nullptr) return CUDA_ERROR_INVALID_CONTEXT;
        *version = 3020;
        return CUDA_SUCCESS;
    };
    calls.CtxGetStreamPriorityRange = [](int* least, int* greatest) {
        if (least != nullptr) *least = 0;
        if (greatest != nullptr) *greatest = 0;
        return CUDA_SUCCESS;
    };
    set_nothing(calls.Init);
    set_nothing(calls.DevicePrimaryCtxRelease);
    set_nothing(calls.DevicePrimaryCtxSetFlags);
    set_nothing(calls.DevicePrimaryCtxReset);
    set_nothing(calls.CtxDestroy);
    set_nothing(calls.CtxSynchronize);
    set_nothing(calls.CtxSetLimit);
}

inline void add_kernel_calls(driver_table& calls) {
    calls.ModuleLoadData = [](CUmodule* module, void const*) { return give_handle(module); };
    calls.ModuleLoadDataEx = [](CUmodule* module, void const*, unsigned, CUjit_option*, void**) {
        return give_handle(module);
    };
    calls.ModuleLoadFatBinary = [](CUmodule* module, void const*) { return give_handle(module); };
    calls.ModuleGetFunction = [](CUfunction* function, CUmodule, char const* name) {
        if (function == nullptr || name == nullptr) return CUDA_ERROR_INVALID_VALUE;
        driver_state& state = driver_state::instance();
        platform::lock const held{state.mutex};
        *function = reinterpret_cast<CUfunction>(const_cast<std::string*>(&*state.kernels.insert(name).first));
        return CUDA_SUCCESS;
    };
    calls.ModuleGetGlobal = [](CUdeviceptr* address, std::size_t* bytes, CUmodule, char const* name) {
        if (name == nullptr) return CUDA_ERROR_INVALID_VALUE;
        if (bytes != nullptr) *bytes = 0; // nobody knows
        return address != nullptr ? give_address(address, std::size_t{1} << 30) : CUDA_SUCCESS;
    };
    calls.FuncGetName = [](char const** name, CUfunction function) {
        if (name == nullptr || function == nullptr) return CUDA_ERROR_INVALID_VALUE;
        *name = reinterpret_cast<std::string const*>(function)->c_str();
        return CUDA_SUCCESS;
    };
    calls.LaunchKernel = [](CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
                            unsigned block_y, unsigned block_z, unsigned shared, CUstream stream, void** params,
                            void** extra) {
        cuLaunchKernel_params const given{function, grid_x, grid_y, grid_z, block_x, block_y,
                                          block_z,  shared, stream, params, extra};
        return announce(CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel, "cuLaunchKernel", function, &given);
    };
    calls.LaunchCooperativeKernel = [](CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                                       unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared,
                                       CUstream stream, void** params) {
        cuLaunchCooperativeKernel_params const given{function, grid_x,  grid_y, grid_z, block_x,
                                                     block_y,  block_z, shared, stream, params};
        return announce(CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel, "cuLaunchCooperativeKernel", function,
                        &given);
    };
    calls.LaunchKernelEx = [](CUlaunchConfig const* config, CUfunction function, void** params, void** extra) {
        if (config == nullptr) return CUDA_ERROR_INVALID_VALUE;
        cuLaunchKernelEx_params const given{config, function, params, extra};
        return announce(CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx, "cuLaunchKernelEx", function, &given);
    };
    calls.LaunchHostFunc = [](CUstream, CUhostFn function, void* user_data) {
        if (function == nullptr) return CUDA_ERROR_INVALID_VALUE;
        function(user_data);
        return CUDA_SUCCESS;
    };
    set_nothing(calls.ModuleUnload);
    set_nothing(calls.FuncSetAttribute);
    set_nothing(calls.FuncSetCacheConfig);
    set_nothing(calls.ProfilerStart);
    set_nothing(calls.ProfilerStop);
}

inline void add_memory_calls(driver_table& calls) {
    calls.MemAlloc = [](CUdeviceptr* address, std::size_t bytes) { return give_address(address, bytes); };
    calls.MemAllocAsync = [](CUdeviceptr* address, std::size_t bytes, CUstream) {
        return give_address(address, bytes);
    };
    calls.MemAllocPitch = [](CUdeviceptr* address, std::size_t* pitch, std::size_t width, std::size_t height,
                             unsigned) {
        if (pitch == nullptr || width > std::size_t{1} << 32 || height > std::size_t{1} << 32)
            return CUDA_ERROR_INVALID_VALUE;
        *pitch = (width + 511) / 512 * 512;
        return give_address(address, *pitch * height);
    };
    calls.MemAllocManaged = [](CUdeviceptr* address, std::size_t bytes, unsigned) {
        void* memory = nullptr;
        if (address == nullptr) return CUDA_ERROR_INVALID_VALUE;
        CUresult const status = give_memory(&memory, bytes);
        if (status == CUDA_SUCCESS) *address = number_of(memory);
        return status;
    };
    calls.MemFree = [](CUdeviceptr address) {
        return is_of_device(address) ? CUDA_SUCCESS : take_memory(host_address(address)); // managed
    };
    calls.MemHostAlloc = [](void** address, std::size_t bytes, unsigned) { return give_memory(address, bytes); };
    calls.MemAllocHost = [](void** address, std::size_t bytes) { return give_memory(address, bytes); };
    calls.MemFreeHost = [](void* address) { return take_memory(address); };
    calls.MemHostGetDevicePointer = [](CUdeviceptr* address, void* host, unsigned) {
        if (address == nullptr) return CUDA_ERROR_INVALID_VALUE;
        *address = number_of(host);
        return CUDA_SUCCESS;
    };
    set_nothing(calls.MemFreeAsync);
}

inline void add_copy_calls(driver_table& calls) {
    calls.Memcpy =
        calls.MemcpyDtoD = [](CUdeviceptr to, CUdeviceptr from, std::size_t bytes) { return copy(to, from, bytes); };
    calls.MemcpyAsync = calls.MemcpyDtoDAsync = [](CUdeviceptr to, CUdeviceptr from, std::size_t bytes, CUstream) {
        return copy(to, from, bytes);
    };
    calls.MemcpyHtoD = [](CUdeviceptr to, void const* from, std::size_t bytes) {
        return copy(to, number_of(from), bytes);
    };
    calls.MemcpyHtoDAsync = [](CUdeviceptr to, void const* from, std::size_t bytes, CUstream) {
        return copy(to, number_of(from), bytes);
    };
    calls.MemcpyDtoH = [](void* to, CUdeviceptr from, std::size_t bytes) { return copy(number_of(to), from, bytes); };
    calls.MemcpyDtoHAsync = [](void* to, CUdeviceptr from, std::size_t bytes, CUstream) {
        return copy(number_of(to), from, bytes);
    };
    calls.Memcpy2D = [](CUDA_MEMCPY2D const* how) { return copy_rows(how); };
    calls.Memcpy2DAsync = [](CUDA_MEMCPY2D const* how, CUstream) { return copy_rows(how); };
    calls.MemsetD8 = [](CUdeviceptr to, unsigned char value, std::size_t count) { return fill(to, value, count); };
    calls.MemsetD16 = [](CUdeviceptr to, unsigned short value, std::size_t count) { return fill(to, value, count); };
    calls.MemsetD32 = [](CUdeviceptr to, unsigned value, std::size_t count) { return fill(to, value, count); };
    calls.MemsetD8Async = [](CUdeviceptr to, unsigned char value, std::size_t count, CUstream) {
        return fill(to, value, count);
    };
    calls.MemsetD16Async = [](CUdeviceptr to, unsigned short value, std::size_t count, CUstream) {
        return fill(to, value, count);
    };
    calls.MemsetD32Async = [](CUdeviceptr to, unsigned value, std::size_t count, CUstream) {
        return fill(to, value, count);
    };
    calls.MemsetD2D8 = [](CUdeviceptr to, std::size_t pitch, unsigned char value, std::size_t width,
                          std::size_t height) { return fill_rows(to, pitch, value, width, height); };
    calls.MemsetD2D32 = [](CUdeviceptr to, std::size_t pitch, unsigned value, std::size_t width, std::size_t height) {
        return fill_rows(to, pitch, value, width, height);
    };
}

inline void add_stream_calls(driver_table& calls) {
    calls.StreamCreate = [](CUstream* stream, unsigned) { return give_handle(stream); };
    calls.StreamCreateWithPriority = [](CUstream* stream, unsigned, int) { return give_handle(stream); };
    calls.EventCreate = [](CUevent* event, unsigned) { return give_handle(event); };
    calls.StreamIsCapturing = [](CUstream, CUstreamCaptureStatus* status) {
        if (status == nullptr) return CUDA_ERROR_INVALID_VALUE;
        *status = CU_STREAM_CAPTURE_STATUS_NONE;
        return CUDA_SUCCESS;
    };
    set_nothing(calls.StreamDestroy);
    set_nothing(calls.StreamSynchronize);
    set_nothing(calls.StreamQuery);
    set_nothing(calls.StreamWaitEvent);
    set_nothing(calls.EventRecord);
    set_nothing(calls.EventQuery);
    set_nothing(calls.EventSynchronize);
    set_nothing(calls.EventDestroy);
}

// Launches are taken and do not run; copies from the device bring zeros. What would have to say
// something that was not recorded (times, occupancy, attributes of functions, graphs) answers
// CUDA_ERROR_NOT_SUPPORTED. Thread-safe.
[[nodiscard]] inline driver_table make_driver_table() {
    driver_table calls;
    for_each_symbol(calls, [](char const*, auto& member) { set_default(member); });
    add_device_calls(calls);
    add_context_calls(calls);
    add_kernel_calls(calls);
    add_memory_calls(calls);
    add_copy_calls(calls);
    add_stream_calls(calls);
    return calls;
}

// ---- tracing: what is recorded comes by the session's outputs, and nothing from here --------------

template <class... A>
void set_nothing(CUptiResult (*&member)(A...)) {
    member = [](A...) { return CUPTI_SUCCESS; };
}

// The records of a buffer are those of a recording, in the layout of its CUPTI.
inline CUptiResult next_record(std::uint8_t* buffer, std::size_t bytes, CUpti_Activity** at) {
    if (buffer == nullptr || at == nullptr) return CUPTI_ERROR_INVALID_PARAMETER;
    auto const release = static_cast<activity::cuda_release>(detail::load_relaxed(driver_state::instance().release));
    std::uint8_t* next = buffer;
    if (*at != nullptr) {
        auto const* const form = activity::form_of((*at)->kind, release);
        if (form == nullptr) return CUPTI_ERROR_INVALID_KIND;
        next = reinterpret_cast<std::uint8_t*>(*at) + (form->size + 7) / 8 * 8;
    }
    if (next >= buffer + bytes) return CUPTI_ERROR_MAX_LIMIT_REACHED;
    *at = reinterpret_cast<CUpti_Activity*>(next);
    return CUPTI_SUCCESS;
}

// Adds the calls of a tracer, which do nothing but hand out recorded buffers.
inline void add_tracing_calls(cupti_table& calls) {
    set_nothing(calls.ActivityEnable);
    set_nothing(calls.ActivityDisable);
    set_nothing(calls.ActivityEnableContext);
    set_nothing(calls.ActivityDisableContext);
    set_nothing(calls.ActivityEnableAndDump);
    set_nothing(calls.ActivityFlushAll);
    set_nothing(calls.ActivityFlushPeriod);
    set_nothing(calls.ActivityConfigurePCSampling);
    set_nothing(calls.ActivitySetAttribute);
    set_nothing(calls.ActivityRegisterTimestampCallback);
    set_nothing(calls.ActivityEnableLatencyTimestamps);
    set_nothing(calls.ActivityEnableLaunchAttributes);
    set_nothing(calls.ActivityEnableAllocationSource);
    set_nothing(calls.ActivityEnableDeviceGraph);
    set_nothing(calls.ActivityEnableAllSyncRecords);
    set_nothing(calls.ActivityEnableCudaEventDeviceTimestamps);
    set_nothing(calls.ActivityPushExternalCorrelationId);
    set_nothing(calls.ActivityPopExternalCorrelationId);
    calls.ActivityGetNextRecord = &next_record;
    calls.ActivityRegisterCallbacks = [](CUpti_BuffersCallbackRequestFunc, CUpti_BuffersCallbackCompleteFunc) {
        if (replay_session const* const of = session_at_hand(); of != nullptr)
            detail::store_relaxed(driver_state::instance().release,
                                  static_cast<std::uint32_t>(activity::release_of_cupti(
                                      static_cast<std::uint32_t>(of->contents.device.cupti))));
        return CUPTI_SUCCESS;
    };
    calls.ActivityGetNumDroppedRecords = [](CUcontext, std::uint32_t, std::size_t* dropped) {
        if (dropped != nullptr) *dropped = 0;
        return CUPTI_SUCCESS;
    };
    calls.GetTimestamp = [](std::uint64_t* now) {
        if (now == nullptr) return CUPTI_ERROR_INVALID_PARAMETER;
        *now = platform::realtime_nanoseconds();
        return CUPTI_SUCCESS;
    };
}

// The calls by which devices are described, launches are heard, and a tracer takes what was
// recorded. There is no other: nothing is measured.
[[nodiscard]] inline cupti_table make_cupti_table() {
    cupti_table calls;
    add_tracing_calls(calls);
    calls.GetVersion = [](std::uint32_t* version) {
        replay_session const* const known = session_at_hand();
        if (version == nullptr) return CUPTI_ERROR_INVALID_PARAMETER;
        *version = known != nullptr ? static_cast<std::uint32_t>(known->contents.device.cupti) : 0u;
        return CUPTI_SUCCESS;
    };
    calls.GetResultString = [](CUptiResult status, char const** text) {
        auto const known = abi::name(status);
        if (text == nullptr || known.empty()) return CUPTI_ERROR_INVALID_PARAMETER;
        *text = known.data();
        return CUPTI_SUCCESS;
    };
    calls.ProfilerInitialize = [](CUpti_Profiler_Initialize_Params*) { return CUPTI_SUCCESS; };
    calls.DeviceGetChipName = [](CUpti_Device_GetChipName_Params* of) {
        replay_session const* const known =
            driver_state::instance().session(static_cast<CUdevice>(of->deviceIndex & 0x7fffffff));
        if (known == nullptr) return CUPTI_ERROR_INVALID_PARAMETER;
        of->pChipName = known->contents.device.chip.c_str();
        return CUPTI_SUCCESS;
    };
    calls.Subscribe = [](CUpti_SubscriberHandle* subscriber, cupti_callback callback, void* user_data) {
        driver_state& state = driver_state::instance();
        platform::lock const held{state.mutex};
        if (subscriber == nullptr || callback == nullptr) return CUPTI_ERROR_INVALID_PARAMETER;
        if (state.callback != nullptr) return CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED;
        state.callback = callback;
        state.user_data = user_data;
        *subscriber = reinterpret_cast<CUpti_SubscriberHandle>(&state);
        return CUPTI_SUCCESS;
    };
    calls.Unsubscribe = [](CUpti_SubscriberHandle) {
        driver_state& state = driver_state::instance();
        platform::lock const held{state.mutex};
        state.callback = nullptr;
        return CUPTI_SUCCESS;
    };
    calls.EnableCallback = [](std::uint32_t, CUpti_SubscriberHandle, CUpti_CallbackDomain, CUpti_CallbackId) {
        return CUPTI_SUCCESS;
    };
    return calls;
}

} // namespace hw::replay
GPUPROF_NAMESPACE_END

#endif // GPUPROF_RECORDING_REPLAY_DRIVER_HPP
