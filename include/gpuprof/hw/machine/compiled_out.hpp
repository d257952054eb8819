// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// GPUPROF_ENABLED=0: a device that is none. See measure/compiled_out.hpp.
#ifndef GPUPROF_HW_MACHINE_COMPILED_OUT_HPP
#define GPUPROF_HW_MACHINE_COMPILED_OUT_HPP

#include <cstddef>
#include <string>
#include <string_view>

#include "../../core/compute_capability.hpp"
#include "../../core/device_source.hpp"
#include "../../core/error.hpp"
#include "../../core/result.hpp"
#include "../abi/driver.hpp"

GPUPROF_NAMESPACE_BEGIN

namespace hw {
struct machine;
} // namespace hw
namespace abi {
struct cupti_table;
} // namespace abi

namespace detail {
[[nodiscard]] inline error compiled_out() {
    return {errc::unavailable, 0, "gpuprof is compiled out", "GPUPROF_ENABLED is 0", "build with GPUPROF_ENABLED=1"};
}

// For programs that call the driver through a device: no call does anything, and each says what a
// machine without a GPU says.
template <class... Parameters>
abi::CUresult no_driver_call(Parameters...) {
    return abi::CUDA_ERROR_NO_DEVICE;
}
[[nodiscard]] inline abi::driver_table const& no_driver() noexcept {
    static constexpr auto table = [] {
        abi::driver_table calls;
        abi::for_each_symbol(calls, [](char const*, auto& call) { call = no_driver_call; });
        return calls;
    }();
    return table;
}

// The same for CUPTI's calls.
template <class Status, class... Parameters>
Status no_cupti_call(Parameters...) {
    return static_cast<Status>(15); // CUPTI_ERROR_NOT_INITIALIZED
}
template <class Status, class... Parameters>
constexpr void set_no_cupti_call(Status (*&call)(Parameters...)) noexcept {
    call = no_cupti_call<Status, Parameters...>;
}
template <class Table>
[[nodiscard]] Table const& no_cupti() noexcept {
    static constexpr auto table = [] {
        Table calls;
        for_each_symbol(calls, [](char const*, auto& call) { set_no_cupti_call(call); });
        return calls;
    }();
    return table;
}

// What twins refer to, where the class in the other build has a member. Never destroyed, so that nothing has to be
// registered for the end of the program.
template <class T>
union undestroyed {
    constexpr undestroyed() : value{} {}
    constexpr ~undestroyed() {} // NOLINT(modernize-use-equals-default): of a union with such a member
    T value;
};
template <int>
struct constant_value {};
template <class T>
[[nodiscard]] T const& nothing() noexcept {
    if constexpr (requires { typename constant_value<(static_cast<void>(T{}), 0)>; }) {
        static constexpr undestroyed<T> none{}; // which compilers look through: nothing of it is left
        return none.value;
    } else {
        static undestroyed<T> const none{};
        return none.value;
    }
}
// The member of a twin whose class moves and ends by members of its own: one that is not used is no warning.
struct moved_only {
    constexpr moved_only() noexcept {}
    moved_only(moved_only&&) noexcept {}
    moved_only& operator=(moved_only&&) noexcept { return *this; }
    constexpr ~moved_only() {} // NOLINT(modernize-use-equals-default)
};
struct compiled_out_device;
} // namespace detail

// Stands in for a device: it has no name, no context and no capability.
class device {
public:
    [[nodiscard]] static result<device> try_open(hw::machine const&, int = 0, device_source = device_source::hardware) {
        return device{};
    }
    [[nodiscard]] static result<device> try_open(hw::machine const&, abi::CUcontext,
                                                 device_source = device_source::hardware) {
        return device{};
    }

    device(device&&) noexcept = default;
    device& operator=(device&&) = delete;
    constexpr ~device() {} // NOLINT(modernize-use-equals-default): so that an unused one is no warning

    [[nodiscard]] result<device> try_share() const { return device{}; }
    [[nodiscard]] std::string_view name() const noexcept { return {}; }
    [[nodiscard]] std::string const& chip() const noexcept { return detail::nothing<std::string>(); }
    [[nodiscard]] compute_capability capability() const noexcept { return {}; }
    [[nodiscard]] device_source source() const noexcept { return device_source::hardware; }
    [[nodiscard]] int ordinal() const noexcept { return 0; }
    [[nodiscard]] abi::CUdevice handle() const noexcept { return 0; }
    [[nodiscard]] abi::CUcontext context() const noexcept { return nullptr; }
    [[nodiscard]] abi::driver_table const& driver() const noexcept { return detail::no_driver(); }
    // Whoever calls these two includes gpuprof/hw/machine/machine.hpp or gpuprof/hw/abi/cupti.hpp,
    // which would be a twentieth of what a compiled-out file costs.
    template <class Machine = hw::machine>
    [[nodiscard]] Machine const& machine() const {
        static Machine const none{detail::no_driver()};
        return none;
    }
    template <class Table = abi::cupti_table>
    [[nodiscard]] Table const& cupti() const noexcept {
        return detail::no_cupti<Table>();
    }
    [[nodiscard]] error why_no_chip() const { return detail::compiled_out(); }
    [[nodiscard]] int attribute(abi::CUdevice_attribute) const noexcept { return 0; }

private:
    friend struct detail::compiled_out_device;
    constexpr device() noexcept = default;
};

namespace detail {
struct compiled_out_device {
    [[nodiscard]] static device make() noexcept { return {}; }
};
} // namespace detail

// Whatever is named, it is this device.
[[nodiscard]] inline result<device> try_open_device() { return detail::compiled_out_device::make(); }
[[nodiscard]] inline result<device> try_open_device(std::string_view) { return detail::compiled_out_device::make(); }
[[nodiscard]] inline result<device> try_open_device(int) { return detail::compiled_out_device::make(); }
// clang-format off
result<device> try_open_device(std::nullptr_t) = GPUPROF_DELETE("gpuprof: a null pointer names no device; try_open_device(0) is the first GPU");
// clang-format on
#if GPUPROF_EXCEPTIONS
// Never throws.
[[nodiscard]] inline device open_device() noexcept { return detail::compiled_out_device::make(); }
[[nodiscard]] inline device open_device(std::string_view) noexcept { return detail::compiled_out_device::make(); }
[[nodiscard]] inline device open_device(char const*) noexcept { return detail::compiled_out_device::make(); }
[[nodiscard]] inline device open_device(int) noexcept { return detail::compiled_out_device::make(); }
[[nodiscard]] inline device open_device(abi::CUcontext) noexcept { return detail::compiled_out_device::make(); }
// clang-format off
device open_device(std::nullptr_t) = GPUPROF_DELETE("gpuprof: a null context is none; open_device(0) is the first GPU");
// clang-format on
#endif

GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_MACHINE_COMPILED_OUT_HPP
