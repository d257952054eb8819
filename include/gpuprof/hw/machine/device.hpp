// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Devices: a GPU to measure on, with its context, its names and its function tables.
#ifndef GPUPROF_HW_MACHINE_DEVICE_HPP
#define GPUPROF_HW_MACHINE_DEVICE_HPP

#include "../../detail/config.hpp"

#if !GPUPROF_ENABLED
#include "compiled_out.hpp"
#else

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include "../../core/compute_capability.hpp"
#include "../../core/device_source.hpp"
#include "../../core/error.hpp"
#include "../../core/result.hpp"
#include "../abi/cupti.hpp"
#include "../abi/driver.hpp"
#include "machine.hpp"

GPUPROF_NAMESPACE_BEGIN

// A device and a context on it, through one machine's tables. Move-only. Holds its context until it
// is destroyed: a primary context stays retained, whoever created it; any other context belongs to
// the application. A moved-from device has no context, and measuring on it returns
// invalid_argument. Const use is thread-safe.
class device {
public:
    // Opens a device in the context that is current on this thread, or else in the device's primary
    // context, which is retained and made current.
    // @param ordinal the driver's number for the device
    // Errors: unavailable (no driver, no such device), and whatever the driver says. Cost: that of
    // the context.
    [[nodiscard]] static result<device> try_open(hw::machine const& machine, int ordinal = 0,
                                                 device_source source = device_source::hardware);

    // Opens the device of a context that the application created. The context remains the
    // application's: it must outlive the device object, unless it is the device's primary context,
    // which is retained. Errors: invalid_argument for a null context, one that was destroyed, or
    // one of another machine (a pointer that never was a context cannot be checked, by the driver
    // either).
    [[nodiscard]] static result<device> try_open(hw::machine const& machine, abi::CUcontext context,
                                                 device_source source = device_source::hardware);

    device(device&& other) noexcept
        : machine_{other.machine_},
          source_{other.source_},
          ordinal_{other.ordinal_},
          handle_{other.handle_},
          context_{std::exchange(other.context_, nullptr)},
          retained_{std::exchange(other.retained_, false)},
          capability_{other.capability_},
          name_{std::move(other.name_)},
          chip_{std::move(other.chip_)},
          chip_call_{other.chip_call_},
          chip_status_{other.chip_status_} {}
    device& operator=(device&&) = delete;
    ~device() {
        if (retained_) static_cast<void>(machine_->driver.DevicePrimaryCtxRelease(handle_));
    }

    // Another object of the same device and context, which holds the context itself: for users that
    // may outlive this object. Errors: invalid_argument if this object was moved from or its
    // context was destroyed; what the driver says. Cost: one driver call.
    [[nodiscard]] result<device> try_share() const;

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

    // Why chip() is empty on a device of capability 7.0 or later: the call that failed, or a CUPTI
    // that is too old.
    [[nodiscard]] error why_no_chip() const;

    // A device attribute; 0 if the driver does not know it.
    [[nodiscard]] int attribute(abi::CUdevice_attribute which) const noexcept {
        int value = 0;
        return driver().DeviceGetAttribute(&value, which, handle_) == abi::CUDA_SUCCESS ? value : 0;
    }

private:
    device(hw::machine const& machine, device_source source) noexcept
        : machine_{&machine}, source_{machine.is_embedded ? device_source::embedded : source} {}

    [[nodiscard]] static error foreign(std::string_view call, abi::CUresult status);

    // Retains the context if it is the device's primary context.
    [[nodiscard]] result<void> hold();

    [[nodiscard]] result<void> describe();

    hw::machine const* machine_;
    device_source source_;
    int ordinal_ = 0;
    abi::CUdevice handle_ = 0;
    abi::CUcontext context_ = nullptr;
    bool retained_ = false;
    compute_capability capability_;
    std::string name_;
    std::string chip_;
    char const* chip_call_ = nullptr; // the call that failed when CUPTI was asked for the chip
    abi::CUptiResult chip_status_ = abi::CUPTI_SUCCESS;
};

namespace hw {
// Set by gpuprof/sim.hpp: opens the embedded GPU's chip of that name ("" for the default), with
// words after a comma.
using embedded_opener = result<device> (*)(std::string_view chip_and_words);
inline embedded_opener embedded_device = nullptr;
// Set by gpuprof/sim.hpp, too: the machine of the embedded GPU with that chip, for calls that need
// no device; null for a chip that there is none of.
using embedded_machine_finder = machine const* (*)(std::string_view chip);
inline embedded_machine_finder embedded_machine_of = nullptr;
} // namespace hw

// Opens the device that a text names: "cuda:1", "sim", "sim:gv100", "sim:5.2", "sim:gh100,passes",
// "replay:file.json"; letters of any case. The number is the driver's, after CUDA_VISIBLE_DEVICES.
// Errors: unavailable, which says what is missing or how many devices there are; invalid_argument
// for a text that names nothing. Cost: that of the device's context. Thread-safe.
[[nodiscard]] result<device> try_open_device(std::string_view name);

// Opens the GPU of that number: try_open_device("cuda:1").
[[nodiscard]] result<device> try_open_device(int ordinal);
// clang-format off
result<device> try_open_device(std::nullptr_t) = GPUPROF_DELETE("gpuprof: a null pointer names no device; try_open_device(0) is the first GPU");
// clang-format on

// Opens the device to measure on: the one that the environment variable GPUPROF_DEVICE names
// ("cuda:1", "sim", "sim:gv100", "sim:5.2", "sim:gh100,passes", "replay:file.json"; letters of any
// case), else this machine's first GPU, else, if gpuprof/sim.hpp is included, the embedded GPU.
// device::source() says which. Errors: unavailable, which says what is missing; invalid_argument
// for a GPUPROF_DEVICE that names nothing.
[[nodiscard]] result<device> try_open_device();

#if GPUPROF_EXCEPTIONS
// try_open_device(), throwing.
[[nodiscard]] device open_device();
[[nodiscard]] device open_device(std::string_view name);
[[nodiscard]] device open_device(char const* name); // else a text would be a context
[[nodiscard]] device open_device(int ordinal);

// Opens the device of a context that the application created: see device::try_open.
[[nodiscard]] device open_device(abi::CUcontext context);
// clang-format off
device open_device(std::nullptr_t) = GPUPROF_DELETE("gpuprof: a null context is none; open_device(0) is the first GPU");
// clang-format on
#endif

GPUPROF_NAMESPACE_END

#if GPUPROF_HEADER_ONLY
#include "device.inl.hpp"
#endif

#endif // GPUPROF_ENABLED

#endif // GPUPROF_HW_MACHINE_DEVICE_HPP
