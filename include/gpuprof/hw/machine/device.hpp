// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A GPU to measure on: its context, its names, and the tables that reach it. Layer: hw.
#ifndef GPUPROF_HW_MACHINE_DEVICE_HPP
#define GPUPROF_HW_MACHINE_DEVICE_HPP

#include <cstdlib>     // getenv: GPUPROF_DEVICE
#include <string>      // names
#include <string_view> // names
#include <utility>     // std::exchange

#include "../../core/compute_capability.hpp"
#include "../../core/error.hpp"
#include "../../core/printable.hpp"
#include "../../core/result.hpp"
#include "../abi/cupti.hpp"
#include "../abi/driver.hpp"
#include "loader.hpp"
#include "status.hpp"

GPUPROF_NAMESPACE_BEGIN

// Where values come from. A report says which and never mixes them.
enum class device_source : unsigned char {
    hardware, // a GPU of this machine
    embedded  // the GPU that gpuprof/sim.hpp executes on the CPU
};

// A device and a context on it, through one machine's tables. Move-only; holds its context (a primary context stays
// retained) until destroyed. Const use is thread-safe.
class device {
public:
    // A device of `machine` in the context that is current on this thread, or else in the device's primary context,
    // which is retained and made current. @param ordinal the driver's number for the device
    // Errors: unavailable (no driver, no such device), and whatever the driver says. Cost: that of the context.
    GPUPROF_LAZY [[nodiscard]] static result<device> try_open(hw::machine const& machine, int ordinal = 0,
                                                              device_source source = device_source::hardware) {
        abi::driver_table const& driver = machine.driver;
        if (machine.driver_error) return *machine.driver_error;
        if (auto status = driver.Init(0)) return hw::explain("cuInit", status);
        int count = 0;
        if (auto status = driver.DeviceGetCount(&count)) return hw::explain("cuDeviceGetCount", status);
        if (ordinal < 0 || ordinal >= count)
            return error{errc::unavailable, 0, "there is no device " + std::to_string(ordinal),
                         "the driver sees " + std::to_string(count) + " device(s)",
                         "check nvidia-smi and CUDA_VISIBLE_DEVICES"};
        device made{machine, source};
        if (auto status = driver.DeviceGet(&made.handle_, ordinal)) return hw::explain("cuDeviceGet", status);

        abi::CUcontext current = nullptr;
        abi::CUdevice of = -1;
        if (driver.CtxGetCurrent(&current) == abi::CUDA_SUCCESS && current != nullptr &&
            driver.CtxGetDevice(&of) == abi::CUDA_SUCCESS && of == made.handle_) {
            made.context_ = current;
        } else {
            if (auto status = driver.DevicePrimaryCtxRetain(&made.context_, made.handle_))
                return hw::explain("cuDevicePrimaryCtxRetain", status);
            made.retained_ = true;
            if (auto status = driver.CtxSetCurrent(made.context_)) return hw::explain("cuCtxSetCurrent", status);
        }
        made.ordinal_ = ordinal;
        if (auto described = made.describe(); !described) return std::move(described).error();
        return result<device>{std::move(made)};
    }

    // The device of a context the application made. It stays the application's: it must outlive the device object.
    // Errors: invalid_argument for a null context, one that was destroyed, or one of another machine (a pointer that
    // never was a context is beyond checking, by the driver too).
    GPUPROF_LAZY [[nodiscard]] static result<device> try_open(hw::machine const& machine, abi::CUcontext context,
                                                              device_source source = device_source::hardware) {
        abi::driver_table const& driver = machine.driver;
        if (machine.driver_error) return *machine.driver_error;
        if (context == nullptr)
            return error{errc::invalid_argument, 0, "a null context", "no context was given",
                         "create one, or open a device by number"};
        if (auto status = driver.Init(0)) return hw::explain("cuInit", status);
        unsigned version = 0;
        if (auto status = driver.CtxGetApiVersion(context, &version)) return foreign("cuCtxGetApiVersion", status);
        device made{machine, source};
        made.context_ = context;
        if (auto status = driver.CtxPushCurrent(context)) return foreign("cuCtxPushCurrent", status);
        auto const status = driver.CtxGetDevice(&made.handle_);
        abi::CUcontext popped = nullptr;
        static_cast<void>(driver.CtxPopCurrent(&popped));
        if (status) return foreign("cuCtxGetDevice", status);
        int count = 0;
        static_cast<void>(driver.DeviceGetCount(&count));
        for (int i = 0; i < count; ++i)
            if (abi::CUdevice each = -1; driver.DeviceGet(&each, i) == abi::CUDA_SUCCESS && each == made.handle_)
                made.ordinal_ = i;
        if (auto described = made.describe(); !described) return std::move(described).error();
        return result<device>{std::move(made)};
    }

    device(device&& other) noexcept
        : machine_{other.machine_},
          source_{other.source_},
          ordinal_{other.ordinal_},
          handle_{other.handle_},
          context_{other.context_},
          retained_{std::exchange(other.retained_, false)},
          capability_{other.capability_},
          name_{std::move(other.name_)},
          chip_{std::move(other.chip_)} {}
    device& operator=(device&&) = delete;
    ~device() {
        if (retained_) static_cast<void>(machine_->driver.DevicePrimaryCtxRelease(handle_));
    }

    [[nodiscard]] std::string_view name() const noexcept { return name_; }   // "NVIDIA H200"
    [[nodiscard]] std::string const& chip() const noexcept { return chip_; } // "GH100"; empty below capability 7.0
    [[nodiscard]] compute_capability capability() const noexcept { return capability_; }
    [[nodiscard]] device_source source() const noexcept { return source_; }
    [[nodiscard]] int ordinal() const noexcept { return ordinal_; }
    [[nodiscard]] abi::CUdevice handle() const noexcept { return handle_; }
    [[nodiscard]] abi::CUcontext context() const noexcept { return context_; }
    [[nodiscard]] hw::machine const& machine() const noexcept { return *machine_; }
    [[nodiscard]] abi::driver_table const& driver() const noexcept { return machine_->driver; }
    [[nodiscard]] abi::cupti_table const& cupti() const noexcept { return machine_->cupti; }

    // A device attribute, 0 where the driver does not know it.
    [[nodiscard]] int attribute(abi::CUdevice_attribute which) const noexcept {
        int value = 0;
        return driver().DeviceGetAttribute(&value, which, handle_) == abi::CUDA_SUCCESS ? value : 0;
    }

private:
    device(hw::machine const& machine, device_source source) noexcept : machine_{&machine}, source_{source} {}

    GPUPROF_LAZY [[nodiscard]] static error foreign(std::string_view call, abi::CUresult status) {
        error why = hw::explain(call, status);
        why.code = errc::invalid_argument;
        why.cause = "the context was destroyed, or belongs to another machine";
        why.remedy = "pass a living context, or open a device by number";
        return why;
    }

    GPUPROF_LAZY [[nodiscard]] result<void> describe() {
        char text[256] = {};
        if (auto status = driver().DeviceGetName(text, sizeof text - 1, handle_))
            return hw::explain("cuDeviceGetName", status);
        name_ = text;
        capability_.generation = attribute(abi::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR);
        capability_.revision = attribute(abi::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
        // Older devices are for CUPTI's event API, which the profiler API excludes; their chips have no catalogues.
        if (!capability_.has_range_hardware() || cupti().ProfilerInitialize == nullptr ||
            cupti().DeviceGetChipName == nullptr)
            return {};
        hw::open_companion(machine_->cupti_library, "libnvperf_host.so");
        abi::CUpti_Profiler_Initialize_Params ready; // CUPTI 13.0 crashes when asked for a chip name before this
        if (cupti().ProfilerInitialize(&ready) == abi::CUPTI_SUCCESS) {
            abi::CUpti_Device_GetChipName_Params p;
            p.deviceIndex = static_cast<std::size_t>(ordinal_);
            if (cupti().DeviceGetChipName(&p) == abi::CUPTI_SUCCESS && p.pChipName != nullptr) chip_ = p.pChipName;
        }
        return {};
    }

    hw::machine const* machine_;
    device_source source_;
    int ordinal_ = 0;
    abi::CUdevice handle_ = 0;
    abi::CUcontext context_ = nullptr;
    bool retained_ = false;
    compute_capability capability_;
    std::string name_;
    std::string chip_;
};

namespace hw {
// Set by gpuprof/sim.hpp: opens the embedded GPU's chip of that name ("" for its default one).
using embedded_opener = result<device> (*)(std::string_view chip);
inline embedded_opener embedded_device = nullptr;
} // namespace hw

// The device to measure on: what the environment's GPUPROF_DEVICE names ("cuda:1", "sim", "sim:gv100", "sim:5.2"), else
// this machine's first GPU, else, with gpuprof/sim.hpp included, the embedded GPU. device::source() tells which it
// became.
// Errors: unavailable says what is missing; invalid_argument for a GPUPROF_DEVICE that names nothing.
GPUPROF_LAZY [[nodiscard]] result<device> try_open_device() {
    char const* const set = std::getenv("GPUPROF_DEVICE");
    std::string_view const wanted{set != nullptr ? set : ""};
    if (wanted.empty()) {
        auto real = device::try_open(hw::real_machine());
        if (real || hw::embedded_device == nullptr) return real;
        return hw::embedded_device("");
    }
    if (wanted.starts_with("cuda:") && wanted.size() > 5 && wanted.size() < 9) {
        int ordinal = 0;
        bool digits = true;
        for (char const c : wanted.substr(5)) {
            digits = digits && c >= '0' && c <= '9';
            ordinal = ordinal * 10 + (c - '0');
        }
        if (digits) return device::try_open(hw::real_machine(), ordinal);
    }
    if (wanted == "sim" || wanted.starts_with("sim:")) {
        if (hw::embedded_device != nullptr) return hw::embedded_device(wanted.substr(wanted == "sim" ? 3 : 4));
        return error{errc::unavailable, 0, "GPUPROF_DEVICE=" + gpuprof::detail::printable(wanted),
                     "this program was built without the embedded GPU", "include <gpuprof/sim.hpp>"};
    }
    return error{errc::invalid_argument, 0, "GPUPROF_DEVICE=" + gpuprof::detail::printable(wanted),
                 "it names no device", "use cuda:0, or sim with gpuprof/sim.hpp included"};
}

#if GPUPROF_EXCEPTIONS
// try_open_device(), throwing.
GPUPROF_LAZY [[nodiscard]] device open_device() { return try_open_device().value(); }

// The device of a context the application made; see device::try_open.
GPUPROF_LAZY [[nodiscard]] device open_device(abi::CUcontext context) {
    return device::try_open(hw::real_machine(), context).value();
}
#endif

GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_MACHINE_DEVICE_HPP
