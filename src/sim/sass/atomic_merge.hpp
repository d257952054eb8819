// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds atomic operations that ptxas lets a warp do once for all of its threads.
#ifndef GPUPROF_SRC_SIM_SASS_ATOMIC_MERGE_HPP
#define GPUPROF_SRC_SIM_SASS_ATOMIC_MERGE_HPP

#include <cstdint>
#include <string_view>

#include "../ptx/module.hpp"
#include "def_use.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// A view of a function and its flow: valid while those live. Instructions go by their number in the
// function.
class atomic_merge {
public:
    atomic_merge(ptx::function const& of, def_use const& flow) noexcept : of_{of}, flow_{flow} {}

    // Whether nobody reads the result, and the machine has the operation without one.
    [[nodiscard]] bool is_reduction(std::uint32_t i) const noexcept;
    // Of a reduction: whether lanes at one address are added up first, and one of them asks for
    // all. In global memory, where the text shows that there is one address only; in shared memory,
    // when a counter is incremented.
    [[nodiscard]] bool merges_lanes(std::uint32_t i) const;

private:
    // Sums of halves come back, whoever reads them (H200).
    static bool is_half(ptx::instruction const& i) noexcept;
    static bool increments(ptx::instruction const& i) noexcept;
    // An operation that the machine has for a whole warp (REDUX), or that a count of lanes gives.
    static bool combines_lanes(ptx::instruction const& i) noexcept;
    [[nodiscard]] bool is_uniform_address(std::uint32_t i) const;
    // Whether a result is the same in every thread of a block: parameters, variables and the
    // block's place, and what is computed of them alone.
    [[nodiscard]] bool is_uniform(std::uint32_t i, unsigned depth = 0) const;

    static bool is_of_block(std::string_view special) noexcept;

    ptx::function const& of_;
    def_use const& flow_;
};

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_SASS_ATOMIC_MERGE_HPP
