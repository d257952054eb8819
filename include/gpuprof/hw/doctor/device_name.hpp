// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads a device's name: whether it is a part of a GPU, or a virtual GPU.
#ifndef GPUPROF_HW_DOCTOR_DEVICE_NAME_HPP
#define GPUPROF_HW_DOCTOR_DEVICE_NAME_HPP

#include <cstddef>
#include <string_view>

#include "../../detail/config.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace hw {

// How a compute instance relates to its GPU instance. "NVIDIA A100-SXM4-40GB MIG 3g.20gb" is a GPU
// instance with one compute instance; "MIG 1c.3g.20gb" has one of three slices and shares the rest
// with its siblings.
enum class mig_profile : unsigned char { none, isolated, shared };

// The MIG profile in a device's name.
[[nodiscard]] constexpr mig_profile mig_profile_of(std::string_view name) noexcept {
    std::size_t const at = name.rfind(" MIG ");
    if (at == name.npos) return mig_profile::none;
    std::string_view const profile = name.substr(at + 5);
    std::size_t const end = profile.find_first_not_of("0123456789");
    return end != 0 && end != profile.npos && profile.substr(end).starts_with("c.") ? mig_profile::shared
                                                                                    : mig_profile::isolated;
}

// A virtual GPU is named by its board, its memory in GB and its series (A, B, C or Q): "GRID
// T4-16Q". On a MIG instance the number of slices comes before the memory: "NVIDIA A100-3-20C".
enum class vgpu_profile : unsigned char { none, whole, mig };

// The vGPU profile in a device's name.
[[nodiscard]] constexpr vgpu_profile vgpu_profile_of(std::string_view name) noexcept {
    if (name.ends_with("ME")) name.remove_suffix(2); // a profile with media engines: "-1-5CME"
    auto const take_digits = [&name] {
        std::size_t const before = name.size();
        while (!name.empty() && name.back() >= '0' && name.back() <= '9') name.remove_suffix(1);
        return name.size() < before;
    };
    auto const take = [&name](std::string_view any_of) {
        if (name.empty() || any_of.find(name.back()) == any_of.npos) return false;
        name.remove_suffix(1);
        return true;
    };
    if (!take("ABCQ") || !take_digits() || !take("-")) return vgpu_profile::none;
    return take_digits() && take("-") ? vgpu_profile::mig : vgpu_profile::whole;
}

} // namespace hw

GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_DOCTOR_DEVICE_NAME_HPP
