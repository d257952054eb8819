// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a GPUPROF_DEVICE means to the doctor: one device of this machine, or something that only opening it tells. Layer: hw.
#ifndef GPUPROF_HW_DOCTOR_CHOSEN_DEVICE_HPP
#define GPUPROF_HW_DOCTOR_CHOSEN_DEVICE_HPP

#include <charconv>    // std::from_chars
#include <cstddef>     // std::size_t
#include <string_view> // values

#include "../../detail/config.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace hw {
// Whether a GPUPROF_DEVICE is "cuda:1", in letters of any case, and if so, which number it is.
GPUPROF_LAZY [[nodiscard]] bool names_hardware(std::string_view wanted, int& ordinal) {
    constexpr std::string_view prefix = "cuda:";
    if (wanted.size() <= prefix.size() || wanted.size() > prefix.size() + 3) return false;
    for (std::size_t i = 0; i < prefix.size(); ++i)
        if (wanted[i] != prefix[i] && (prefix[i] < 'a' || wanted[i] != prefix[i] - 'a' + 'A')) return false;
    wanted.remove_prefix(prefix.size());
    auto const end = wanted.data() + wanted.size();
    return wanted.front() != '-' && std::from_chars(wanted.data(), end, ordinal).ptr == end;
}
} // namespace hw
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_DOCTOR_CHOSEN_DEVICE_HPP
