// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The number of SASS instructions that a PTX instruction takes by itself: numbers by type, or a
// rule.
#ifndef GPUPROF_SRC_SIM_PTX_INSTRUCTION_COST_HPP
#define GPUPROF_SRC_SIM_PTX_INSTRUCTION_COST_HPP

#include <cstdint>

#include "modifiers.hpp"
#include "module.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::ptx {

// Four numbers, for operations on up to 32 bits and on 64, on integers and on floating-point
// numbers; or a function.
class sass_cost {
public:
    using rule = std::uint16_t (*)(instruction const&) noexcept;

    constexpr sass_cost(int every) noexcept : sass_cost{every, every, every, every} {}
    constexpr sass_cost(int integer, int wide_integer, int single, int twice) noexcept
        : integer_{static_cast<std::uint8_t>(integer)},
          wide_integer_{static_cast<std::uint8_t>(wide_integer)},
          single_{static_cast<std::uint8_t>(single)},
          double_{static_cast<std::uint8_t>(twice)} {}
    constexpr sass_cost(rule function) noexcept : rule_{function} {}

    [[nodiscard]] std::uint16_t operator()(instruction const& i) const noexcept;

private:
    std::uint8_t integer_ = 0;
    std::uint8_t wide_integer_ = 0;
    std::uint8_t single_ = 0;
    std::uint8_t double_ = 0;
    rule rule_ = nullptr;
};

// The rules of instructions whose cost depends on more than the type.
namespace cost {

// A move between registers is a name for one; an address takes an instruction, and so does what is put together of parts.
[[nodiscard]] std::uint16_t of_mov(instruction const& i) noexcept;
// Constant memory at an address that the text knows is an operand.
[[nodiscard]] std::uint16_t of_ld(instruction const& i) noexcept;
[[nodiscard]] std::uint16_t of_cvt(instruction const& i) noexcept;
[[nodiscard]] std::uint16_t of_bfe(instruction const& i) noexcept;
[[nodiscard]] std::uint16_t of_bfi(instruction const& i) noexcept;
// An operation on predicates is done along with the comparison.
[[nodiscard]] std::uint16_t of_logic(instruction const& i) noexcept;
// One comparison gives ones of both halves.
[[nodiscard]] std::uint16_t of_set(instruction const& i) noexcept;
[[nodiscard]] std::uint16_t of_mul(instruction const& i) noexcept;
[[nodiscard]] std::uint16_t of_mad(instruction const& i) noexcept;
[[nodiscard]] std::uint16_t of_ex2(instruction const& i) noexcept;
// Rounding other than to nearest calls a function of ptxas's own.
[[nodiscard]] std::uint16_t of_div(instruction const& i) noexcept;
[[nodiscard]] std::uint16_t of_rem(instruction const& i) noexcept;
[[nodiscard]] std::uint16_t of_sqrt(instruction const& i) noexcept;
[[nodiscard]] std::uint16_t of_rcp(instruction const& i) noexcept;
// The cluster's barrier brings fences along.
[[nodiscard]] std::uint16_t of_barrier(instruction const& i) noexcept;
// One for the threads of a block, four for those of the GPU or the system.
[[nodiscard]] std::uint16_t of_fence(instruction const& i) noexcept;
// To commit a group is a mark on the last of its products.
[[nodiscard]] std::uint16_t of_mma(instruction const& i) noexcept;
[[nodiscard]] std::uint16_t of_wgmma(instruction const& i) noexcept;
// The machine's tiles are half as wide.
[[nodiscard]] std::uint16_t of_wmma(instruction const& i) noexcept;
// No machine instruction adds bytes; those with a sign are cut out one by one.
[[nodiscard]] std::uint16_t of_vadd4(instruction const& i) noexcept;
// Other video instructions that work on two or four parts.
[[nodiscard]] std::uint16_t of_parts(instruction const& i) noexcept;

} // namespace cost

} // namespace sim::ptx
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_PTX_INSTRUCTION_COST_HPP
