// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds registers that hold the same value in every thread of a block.
#ifndef GPUPROF_SRC_SIM_SASS_UNIFORMITY_HPP
#define GPUPROF_SRC_SIM_SASS_UNIFORMITY_HPP

#include <cstdint>
#include <vector>

#include "../ptx/module.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// Parameters of a kernel, constants, the block's place and size, and what is computed of them alone. Of a register that is
// written more than once, every value counts. Where branches decide which one, the branches are not looked at. Immutable.
class uniformity {
public:
    explicit uniformity(ptx::function const& of);

    [[nodiscard]] bool is_uniform(std::uint32_t register_index) const noexcept { return !differs_[register_index]; }

private:
    [[nodiscard]] bool gives_one_value(ptx::function const& of, ptx::instruction const& i) const noexcept;

    std::vector<bool> differs_; // by register
};

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_SASS_UNIFORMITY_HPP
