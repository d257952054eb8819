// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definitions of device.hpp.
#ifndef GPUPROF_HW_MACHINE_DEVICE_INL_HPP
#define GPUPROF_HW_MACHINE_DEVICE_INL_HPP

#include <string>
#include <string_view>
#include <utility>

#include "../../detail/any_case.hpp"
#include "../../text/printable.hpp"
#include "callback_place.hpp"
#include "device.hpp"
#include "library_files.hpp"
#include "platform/environment.hpp"
#include "recorder.hpp"
#include "status.hpp"

GPUPROF_NAMESPACE_BEGIN

GPUPROF_INLINE result<device> device::try_open(hw::machine const& machine, int ordinal, device_source source) {
    abi::driver_table const& driver = machine.driver;
    if (hw::inside_callback()) return hw::refused_inside_callback("opening a device");
    if (machine.driver_error) return *machine.driver_error;
    if (auto status = driver.Init(0)) return hw::explain("cuInit", status);
    int count = 0;
    if (auto status = driver.DeviceGetCount(&count)) return hw::explain("cuDeviceGetCount", status);
    if (ordinal < 0 || ordinal >= count)
        return error{errc::unavailable, 0, "there is no device " + std::to_string(ordinal),
                     "the driver sees " + std::to_string(count) + " device(s)",
                     "check nvidia-smi and CUDA_VISIBLE_DEVICES"};
    device opened{machine, source};
    if (auto status = driver.DeviceGet(&opened.handle_, ordinal)) return hw::explain("cuDeviceGet", status);

    abi::CUcontext current = nullptr;
    abi::CUdevice of = -1;
    if (driver.CtxGetCurrent(&current) == abi::CUDA_SUCCESS && current != nullptr &&
        driver.CtxGetDevice(&of) == abi::CUDA_SUCCESS && of == opened.handle_) {
        opened.context_ = current;
        if (auto held = opened.hold(); !held) return std::move(held).error();
    } else {
        if (auto status = driver.DevicePrimaryCtxRetain(&opened.context_, opened.handle_))
            return hw::explain("cuDevicePrimaryCtxRetain", status);
        opened.retained_ = true;
        if (auto status = driver.CtxSetCurrent(opened.context_)) return hw::explain("cuCtxSetCurrent", status);
    }
    opened.ordinal_ = ordinal;
    if (auto described = opened.describe(); !described) return std::move(described).error();
    return result<device>{std::move(opened)};
}

GPUPROF_INLINE result<device> device::try_open(hw::machine const& machine, abi::CUcontext context,
                                               device_source source) {
    abi::driver_table const& driver = machine.driver;
    if (hw::inside_callback()) return hw::refused_inside_callback("opening a device");
    if (machine.driver_error) return *machine.driver_error;
    if (context == nullptr)
        return error{errc::invalid_argument, 0, "a null context", "no context was given",
                     "create one, or open a device by number"};
    if (auto status = driver.Init(0)) return hw::explain("cuInit", status);
    unsigned version = 0;
    if (auto status = driver.CtxGetApiVersion(context, &version)) return foreign("cuCtxGetApiVersion", status);
    device opened{machine, source};
    opened.context_ = context;
    if (auto status = driver.CtxPushCurrent(context)) return foreign("cuCtxPushCurrent", status);
    auto const status = driver.CtxGetDevice(&opened.handle_);
    abi::CUcontext popped = nullptr;
    static_cast<void>(driver.CtxPopCurrent(&popped));
    if (status) return foreign("cuCtxGetDevice", status);
    if (auto held = opened.hold(); !held) return std::move(held).error();
    int count = 0;
    static_cast<void>(driver.DeviceGetCount(&count));
    for (int i = 0; i < count; ++i)
        if (abi::CUdevice each = -1; driver.DeviceGet(&each, i) == abi::CUDA_SUCCESS && each == opened.handle_)
            opened.ordinal_ = i;
    if (auto described = opened.describe(); !described) return std::move(described).error();
    return result<device>{std::move(opened)};
}

GPUPROF_INLINE result<device> device::try_share() const {
    if (context_ == nullptr)
        return error{errc::invalid_argument, 0, "a device without a context", "it was moved from",
                     "use the device that it was moved to"};
    device shared{*machine_, source_};
    shared.ordinal_ = ordinal_;
    shared.handle_ = handle_;
    shared.context_ = context_;
    shared.capability_ = capability_;
    shared.name_ = name_;
    shared.chip_ = chip_;
    shared.chip_call_ = chip_call_;
    shared.chip_status_ = chip_status_;
    if (retained_) {
        abi::CUcontext primary = nullptr;
        if (auto status = driver().DevicePrimaryCtxRetain(&primary, handle_))
            return hw::explain("cuDevicePrimaryCtxRetain", status);
        shared.retained_ = true;
        if (primary != context_) return foreign("cuDevicePrimaryCtxRetain", abi::CUDA_ERROR_CONTEXT_IS_DESTROYED);
    } else if (driver().CtxGetApiVersion != nullptr) {
        unsigned version = 0;
        if (auto status = driver().CtxGetApiVersion(context_, &version)) return foreign("cuCtxGetApiVersion", status);
    }
    return result<device>{std::move(shared)};
}

// Another part of the program may destroy its context; a primary context stays while somebody
// retains it.
GPUPROF_INLINE result<void> device::hold() {
    unsigned flags = 0;
    int active = 0;
    if (driver().DevicePrimaryCtxGetState == nullptr) return {};
    if (auto status = driver().DevicePrimaryCtxGetState(handle_, &flags, &active))
        return hw::explain("cuDevicePrimaryCtxGetState", status);
    if (active == 0) return {}; // retaining would create it
    abi::CUcontext primary = nullptr;
    if (auto status = driver().DevicePrimaryCtxRetain(&primary, handle_))
        return hw::explain("cuDevicePrimaryCtxRetain", status);
    if (primary == context_) retained_ = true;
    else static_cast<void>(driver().DevicePrimaryCtxRelease(handle_));
    return {};
}

GPUPROF_INLINE error device::foreign(std::string_view call, abi::CUresult status) {
    error why = hw::explain(call, status);
    why.code = errc::invalid_argument;
    why.cause = "the context was destroyed, or belongs to another machine";
    why.remedy = "pass a living context, or open a device by number";
    return why;
}

GPUPROF_INLINE result<void> device::describe() {
    char text[256] = {};
    if (auto status = driver().DeviceGetName(text, sizeof text - 1, handle_))
        return hw::explain("cuDeviceGetName", status);
    name_ = text;
    capability_.generation = attribute(abi::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR);
    capability_.revision = attribute(abi::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
    // Older devices have CUPTI's event API, which the profiler API excludes; their chips have no
    // catalogues.
    if (!capability_.has_range_hardware() || cupti().ProfilerInitialize == nullptr ||
        cupti().DeviceGetChipName == nullptr)
        return {};
    hw::open_companion(machine_->cupti_library, hw::nvperf_host_file);
    abi::CUpti_Profiler_Initialize_Params ready; // CUPTI 13.0 crashes when asked for a chip name before this
    chip_call_ = "cuptiProfilerInitialize";
    chip_status_ = cupti().ProfilerInitialize(&ready);
    if (chip_status_ != abi::CUPTI_SUCCESS) return {}; // the device works without range profiling
    chip_call_ = "cuptiDeviceGetChipName";
    abi::CUpti_Device_GetChipName_Params p;
    p.deviceIndex = static_cast<std::size_t>(ordinal_);
    chip_status_ = cupti().DeviceGetChipName(&p);
    if (chip_status_ == abi::CUPTI_SUCCESS && p.pChipName != nullptr) chip_ = p.pChipName;
    return {};
}

GPUPROF_INLINE error device::why_no_chip() const {
    if (chip_status_ != abi::CUPTI_SUCCESS) return hw::explain(chip_call_, chip_status_);
    return error{errc::unavailable, 0, "CUPTI has no chip name for " + name_, "this CUPTI is older than the device",
                 "use a newer CUPTI"};
}

namespace detail {

// Says how many devices there are where there is none of that number.
[[nodiscard]] inline result<device> open_by_number(int ordinal) {
    hw::machine const& machine = hw::real_machine();
    auto opened = device::try_open(machine, ordinal);
    int count = 0;
    if (opened || machine.driver.DeviceGetCount == nullptr ||
        machine.driver.DeviceGetCount(&count) != abi::CUDA_SUCCESS || (ordinal >= 0 && ordinal < count))
        return opened;
    return error{errc::unavailable, opened.error().status, "there is no device cuda:" + std::to_string(ordinal),
                 "the driver has " + std::to_string(count) + (count == 1 ? " device" : " devices") +
                     " for this program, numbered from 0",
                 "choose one of them, or let CUDA_VISIBLE_DEVICES name more"};
}

// @param from what the text is, for messages: "GPUPROF_DEVICE=" or ""
// @param trusted whether it may name a file to read
[[nodiscard]] inline result<device> open_by_name(std::string_view wanted, std::string const& from, bool trusted) {
    if (same_letters(wanted.substr(0, 5), "cuda:") && wanted.size() > 5 && wanted.size() < 9) {
        int ordinal = 0;
        bool digits = true;
        for (char const c : wanted.substr(5)) {
            digits = digits && c >= '0' && c <= '9';
            ordinal = ordinal * 10 + (c - '0');
        }
        if (digits) return open_by_number(ordinal);
    }
    // "sim", "sim:gv100", "sim:gv100,passes", "sim,passes"
    if (same_letters(wanted.substr(0, 3), "sim") && (wanted.size() == 3 || wanted[3] == ':' || wanted[3] == ',')) {
        bool const named = wanted.size() > 3 && wanted[3] == ':';
        if (hw::embedded_device != nullptr) return hw::embedded_device(wanted.substr(named ? 4 : 3));
        return error{errc::unavailable, 0, from + printable(wanted), "this program was built without the embedded GPU",
                     "include <gpuprof/sim.hpp>"};
    }
    if (same_letters(wanted.substr(0, 7), "replay:")) {
        if (!trusted)
            return error{errc::permission, 0, from + printable(wanted),
                         "this program has rights that its user lacks, and reads no file that its user names",
                         "start it without these rights"};
        if (hw::program_recorder != nullptr) return hw::program_recorder->try_open(wanted.substr(7));
        return error{errc::unavailable, 0, from + printable(wanted), "this program was built without recordings",
                     "include <gpuprof/replay.hpp>"};
    }
    return error{errc::invalid_argument, 0, from + printable(wanted), "it names no device",
                 "use cuda:0, or sim with gpuprof/sim.hpp included"};
}

} // namespace detail

GPUPROF_INLINE result<device> try_open_device(std::string_view name) { return detail::open_by_name(name, {}, true); }

GPUPROF_INLINE result<device> try_open_device(int ordinal) { return detail::open_by_number(ordinal); }

GPUPROF_INLINE result<device> try_open_device() {
    std::string const wanted = platform::variable_or_empty("GPUPROF_DEVICE");
    if (!wanted.empty())
        return detail::open_by_name(wanted, "GPUPROF_DEVICE=", !platform::trusted_variable("GPUPROF_DEVICE").empty());
    auto real = device::try_open(hw::real_machine());
    if (real || hw::embedded_device == nullptr) return real;
    return hw::embedded_device("");
}

#if GPUPROF_EXCEPTIONS
GPUPROF_INLINE device open_device() { return try_open_device().value(); }
GPUPROF_INLINE device open_device(std::string_view name) { return try_open_device(name).value(); }
GPUPROF_INLINE device open_device(char const* name) { return try_open_device(std::string_view{name}).value(); }
GPUPROF_INLINE device open_device(int ordinal) { return try_open_device(ordinal).value(); }

GPUPROF_INLINE device open_device(abi::CUcontext context) {
    return device::try_open(hw::real_machine(), context).value();
}
#endif

GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_MACHINE_DEVICE_INL_HPP
