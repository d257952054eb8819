// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds atomic operations that ptxas lets a warp do once for all of its threads.
#ifndef GPUPROF_SRC_SIM_SASS_ATOMIC_MERGE_HPP
#define GPUPROF_SRC_SIM_SASS_ATOMIC_MERGE_HPP

#include <cstdint>

#include "../ptx/module.hpp"
#include "def_use.hpp"
#include "uniformity.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// How ptxas lets lanes of a warp share an atomic operation.
enum class lane_merge : std::uint8_t {
    none,
    increments, // in shared memory, an instruction that adds 1 takes lanes at one address together
    elects      // at an address that all threads share, one lane asks for the sum of all
};

// A view of a function, its flow and its uniform registers: valid while those live. Instructions go by their number in the
// function.
class atomic_merge {
public:
    atomic_merge(ptx::function const& of, def_use const& flow, uniformity const& uniform) noexcept
        : of_{of}, flow_{flow}, uniform_{uniform} {}

    // Whether nobody reads the result, and the machine has the operation without one, which needs an address that is
    // known to be global (H200).
    [[nodiscard]] bool is_reduction(std::uint32_t i) const noexcept;
    [[nodiscard]] lane_merge merge(std::uint32_t i) const noexcept;
    // The instructions of a merged operation: which lanes are there and which asks, their sum, and with a result the sum of the
    // lanes before.
    [[nodiscard]] std::uint16_t instructions(std::uint32_t i) const noexcept;

private:
    // Sums of halves come back, whoever reads them (H200).
    static bool is_half(ptx::instruction const& i) noexcept;
    // An operation that the machine has for a whole warp (REDUX), or that a count of lanes gives.
    [[nodiscard]] bool combines_lanes(std::uint32_t i) const noexcept;
    [[nodiscard]] bool is_uniform_address(ptx::instruction const& i) const noexcept;
    // Whether one thread of a block comes here, as a comparison with its place shows.
    [[nodiscard]] bool is_of_one_thread(std::uint32_t i) const noexcept;

    ptx::function const& of_;
    def_use const& flow_;
    uniformity const& uniform_;
};

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_SASS_ATOMIC_MERGE_HPP
