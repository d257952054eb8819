// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Says whether GPUPROF_DEVICE names a device of this machine, or something that must be opened
// first.
#ifndef GPUPROF_HW_DOCTOR_CHOSEN_DEVICE_HPP
#define GPUPROF_HW_DOCTOR_CHOSEN_DEVICE_HPP

#include <string_view>

#include "../../detail/any_case.hpp"
#include "../../detail/config.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace hw {
// Whether the value is "cuda:1", in letters of any case; if so, finds the number.
[[nodiscard]] inline bool names_hardware(std::string_view wanted, int& ordinal) {
    constexpr std::string_view prefix = "cuda:";
    if (wanted.size() <= prefix.size() || wanted.size() > prefix.size() + 3) return false;
    if (!gpuprof::detail::same_letters(wanted.substr(0, prefix.size()), prefix)) return false;
    int number = 0;
    for (char const digit : wanted.substr(prefix.size())) {
        if (digit < '0' || digit > '9') return false;
        number = number * 10 + (digit - '0');
    }
    ordinal = number;
    return true;
}
} // namespace hw
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_DOCTOR_CHOSEN_DEVICE_HPP
