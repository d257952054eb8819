// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The arithmetic inside divisions, square roots and other functions that ptxas expands.
#ifndef GPUPROF_SRC_SIM_SASS_EXPANSION_HPP
#define GPUPROF_SRC_SIM_SASS_EXPANSION_HPP

#include <cstdint>
#include <string_view>
#include <vector>

#include "../ptx/instruction_class.hpp"
#include "../ptx/module.hpp"
#include "def_use.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// Operations of a thread, of ordinary numbers: subnormal ones and the like take another way, see slow_way. Less than none corrects an
// estimate.
struct expansion {
    std::int16_t fadd = 0, fmul = 0, ffma = 0;
    std::int16_t dadd = 0, dmul = 0, dfma = 0;

    friend constexpr bool operator==(expansion const&, expansion const&) = default;
};

struct float_operation {
    instruction_kind kind;
    std::int16_t expansion::*inside;
    std::string_view machine; // FADD
};
inline constexpr float_operation float_operations[]{
    {instruction_kind::fadd, &expansion::fadd, "FADD"}, {instruction_kind::fmul, &expansion::fmul, "FMUL"},
    {instruction_kind::ffma, &expansion::ffma, "FFMA"}, {instruction_kind::dadd, &expansion::dadd, "DADD"},
    {instruction_kind::dmul, &expansion::dmul, "DMUL"}, {instruction_kind::dfma, &expansion::dfma, "DFMA"},
};

// None for an instruction that is counted itself. As ptxas 13.0 makes them for sm_90.
[[nodiscard]] expansion expansion_of(ptx::instruction const& i) noexcept;

// What of an expansion the pipe of special functions does (XU), where that is not the instruction's own pipe: reciprocals, conversions,
// and the test whether a division takes its slow way (FCHK).
struct special_part {
    std::uint8_t instructions = 0;
    std::uint8_t waits = 0; // of them that another instruction of the sequence waits for, one after the other
    std::uint8_t aside = 0; // instructions of the sequence that none waits for
};

// None where all is arithmetic, and for approximations, whose own pipe it is. As ptxas 13.0 makes them for sm_90.
[[nodiscard]] special_part special_part_of(ptx::instruction const& i) noexcept;

// Whether a branch to a subroutine, perhaps not taken, stands within its machine code, as in rounded divisions and roots: it parts
// a basic block.
[[nodiscard]] bool has_slow_way(ptx::instruction const& i) noexcept;
// The approximations that scale small numbers, by predicated instructions if nothing else reads what they are of.
[[nodiscard]] bool scales_lanes(ptx::instruction const& i) noexcept;
// By instruction, the number of what it stands in: basic blocks, which such a branch parts.
[[nodiscard]] std::vector<std::uint32_t> undivided_parts(ptx::function const& of, def_use const& flow);

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_SASS_EXPANSION_HPP
