// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds choices between a value and another that ptxas turns into a predicate of what computes the value.
#ifndef GPUPROF_SRC_SIM_SASS_PREDICATED_SELECT_HPP
#define GPUPROF_SRC_SIM_SASS_PREDICATED_SELECT_HPP

#include <cstdint>
#include <vector>

#include "../ptx/module.hpp"
#include "def_use.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// `add %x, ...; selp %y, %x, %z, %p;` is `@%p add %z, ...;` in ptxas 13.0's code for sm_90, where %z holds 32 bits that nobody reads any
// more, nobody else reads %x, and no branch stands between the two. Of two values the one computed later has the predicate. So the
// operation counts for the threads that choose it. A view of the function. Immutable.
class predicated_select {
public:
    static constexpr std::uint32_t nobody = def_use::nobody;

    explicit predicated_select(ptx::function const& of);

    // The instruction that a `selp` makes a predicated one; nobody where it stays one of its own, and of other instructions.
    [[nodiscard]] std::uint32_t value(std::uint32_t i) const noexcept { return values_.empty() ? nobody : values_[i]; }
    // Whether the value is what the choice gives where its predicate is false.
    [[nodiscard]] bool is_second(std::uint32_t i) const noexcept;

private:
    ptx::function const& of_;
    std::vector<std::uint32_t> values_; // by instruction; empty where there is none
};

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_SASS_PREDICATED_SELECT_HPP
