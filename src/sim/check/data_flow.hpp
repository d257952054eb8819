// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Follows unwritten bytes from the operands of an instruction to its result.
//
// Moves, conversions of integers, permutations, logic, shifts and fields by constants pass bytes on
// one by one, so that values packed together with padding stay as they were. A selection passes the
// selected operand. All other instructions pass unwritten bytes to every byte of the result, which
// is `derived`. Products of matrices pass nothing: parts of a tile are often not used.
#ifndef GPUPROF_SRC_SIM_CHECK_DATA_FLOW_HPP
#define GPUPROF_SRC_SIM_CHECK_DATA_FLOW_HPP

#include <cstdint>
#include <cstring>

#include "../code/decoded.hpp"
#include "../ptx/instruction_set.hpp"
#include "register_shadow.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

namespace detail {

template <std::size_t N>
[[nodiscard]] constexpr std::uint8_t opcode_of(char const (&name)[N]) {
    return static_cast<std::uint8_t>(ptx::row_of({name, N - 1}));
}
[[nodiscard]] inline bool is_constant(operand_ref r) noexcept { return (r.code & operand_ref::in_pool) != 0; }

// The lane that a shuffle reads from.
[[nodiscard]] inline unsigned shuffle_source(decoded const& op, unsigned lane, std::uint32_t b,
                                             std::uint32_t c) noexcept {
    auto const distance = static_cast<int>(b & 31);
    auto const clamp = static_cast<int>(c & 31);
    auto const segment = static_cast<int>(c >> 8 & 31);
    auto const self = static_cast<int>(lane);
    int const last = (self & segment) | (clamp & ~segment);
    int const first = self & segment;
    int const source = op.mode == 0   ? self - distance
                       : op.mode == 1 ? self + distance
                       : op.mode == 2 ? self ^ distance
                                      : first | (distance & ~segment);
    bool const valid = op.mode == 0 ? source >= last : source <= last;
    return static_cast<unsigned>(valid ? source : self) & 31;
}

} // namespace detail

// The operands' shadows of an instruction; those that it does not read are clean.
struct operand_shadows {
    register_shadow const& a;
    register_shadow const& b;
    register_shadow const& c;
    register_shadow const& e;
    [[nodiscard]] lane_mask any() const noexcept { return a.any() | b.any() | c.any() | e.any(); }
    [[nodiscard]] std::uint32_t origin() const noexcept {
        for (register_shadow const* shadow : {&a, &b, &c, &e})
            if (shadow->any() != 0) return shadow->origin;
        return 0;
    }
};

// The shadow of the result of an instruction that computes on registers; of its predicate too, if
// it is derived.
// @param r values before the instruction @param group lanes that execute it together
[[nodiscard]] register_shadow flow(registers const& r, decoded const& op, operand_shadows const& in, lane_mask group);

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_CHECK_DATA_FLOW_HPP
