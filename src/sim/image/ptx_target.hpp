// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The target of PTX, and whether a chip runs it.
#ifndef GPUPROF_SRC_SIM_IMAGE_PTX_TARGET_HPP
#define GPUPROF_SRC_SIM_IMAGE_PTX_TARGET_HPP

#include <cstddef>
#include <string_view>

#include "../chip/chip_model.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::image {

// 90 for "sm_90" and "sm_90a".
[[nodiscard]] constexpr int target_number(std::string_view target) noexcept {
    int number = 0;
    for (std::size_t i = 3; i < target.size() && i < 7 && target[i] >= '0' && target[i] <= '9'; ++i)
        number = number * 10 + (target[i] - '0');
    return number;
}

// PTX for an earlier GPU runs on a later one; "sm_90a" only on its own.
[[nodiscard]] constexpr bool runs_on(std::string_view target, chip_model const& chip) noexcept {
    if (chip.runs_any_ptx) return true;
    compute_capability const device = chip.capability();
    int const have = device.generation * 10 + device.revision;
    bool const any_later = !target.empty() && target.back() >= '0' && target.back() <= '9';
    return any_later ? target_number(target) <= have : target_number(target) == have;
}

// "sm_80" of ".target sm_80, debug"; empty where the text has none. A search of the text, not a
// parser: the text of a comment would be taken, too, and compilers write none before it that have
// the word.
[[nodiscard]] constexpr std::string_view target_of(std::string_view ptx) noexcept {
    constexpr std::string_view directive = ".target";
    std::size_t const at = ptx.find(directive);
    if (at == ptx.npos) return {};
    ptx.remove_prefix(at + directive.size());
    ptx.remove_prefix(ptx.find_first_not_of(" \t\r\n") == ptx.npos ? ptx.size() : ptx.find_first_not_of(" \t\r\n"));
    return ptx.substr(0, ptx.find_first_of(" \t\r\n,"));
}

} // namespace sim::image
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_IMAGE_PTX_TARGET_HPP
