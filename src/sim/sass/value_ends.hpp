// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds where a register's value is read for the last time.
#ifndef GPUPROF_SRC_SIM_SASS_VALUE_ENDS_HPP
#define GPUPROF_SRC_SIM_SASS_VALUE_ENDS_HPP

#include <cstdint>
#include <vector>

#include "../ptx/module.hpp"
#include "loops.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// Follows the order of the text: a value ends where nothing behind reads its register, and where each loop around gives the register
// another value before it is read there. Copies, negations and absolute values are no values of their own. So some ends are not
// found. Instructions go by their number in the function. Immutable.
class value_ends {
public:
    explicit value_ends(ptx::function const& of);

    // Whether what the register holds when the instruction reads it is not read behind it.
    [[nodiscard]] bool ends(std::uint32_t i, std::uint32_t register_index) const noexcept;

private:
    struct accesses { // in the text's order
        std::vector<std::uint32_t> reads{};
        std::vector<std::uint32_t> writes{};
    };

    ptx::function const& of_;
    loops loops_;
    std::vector<accesses> registers_;
    std::vector<bool> returned_; // by register
};

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_SASS_VALUE_ENDS_HPP
