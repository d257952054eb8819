// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds branches and addresses that depend on values whose last bits may differ on hardware.
#ifndef GPUPROF_SRC_SIM_SASS_APPROXIMATE_USE_HPP
#define GPUPROF_SRC_SIM_SASS_APPROXIMATE_USE_HPP

#include <vector>

#include "../ptx/module.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// A branch or an access to memory, and an instruction whose approximate result it depends on. Views
// into the function.
struct approximate_use {
    ptx::instruction const* from = nullptr;
    ptx::instruction const* to = nullptr;
    bool is_address = false; // else a branch
};

// Whether hardware may give another result, within the bounds that PTX sets: an approximated
// function, a matrix product of floats (its order and rounding), a time, a place.
[[nodiscard]] bool is_approximate(ptx::instruction const& i) noexcept;

// One entry for each branch and each access that depends on such a value through registers. A
// register that may hold one anywhere counts everywhere, so there may be too many entries; values
// that pass through memory or a call are not followed, so there may be too few. Costs a few passes
// over the text.
[[nodiscard]] std::vector<approximate_use> approximate_uses(ptx::function const& of);

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_SASS_APPROXIMATE_USE_HPP
