// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matrix products of a warp, and how their fragments lie in registers. Layer: embedded GPU, executor.
#ifndef GPUPROF_HW_SIM_OPS_MATRIX_OPS_HPP
#define GPUPROF_HW_SIM_OPS_MATRIX_OPS_HPP

#include <bit>     // std::bit_cast
#include <cstdint> // elements

#include "convert_ops.hpp"
#include "../code/decoded.hpp"
#include "fused.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// Where an element of a fragment is in its matrix. Every shape follows one pattern: lane 4g + t holds row g (and g +
// 8) of a, column g of b, and in each register as many neighbours along k as it has room for.
struct fragment_place {
    unsigned row;
    unsigned column;
};
[[nodiscard]] constexpr fragment_place place_in_a(unsigned lane, unsigned reg, unsigned element, unsigned elements,
                                                  bool tall) noexcept {
    unsigned const block = tall ? reg / 2 : reg;
    return {lane / 4 + (tall ? 8 * (reg % 2) : 0), lane % 4 * elements + element + block * 4 * elements};
}
[[nodiscard]] constexpr fragment_place place_in_b(unsigned lane, unsigned reg, unsigned element,
                                                  unsigned elements) noexcept {
    return {lane % 4 * elements + element + reg * 4 * elements, lane / 4};
}
[[nodiscard]] constexpr fragment_place place_in_c(unsigned lane, unsigned value) noexcept {
    return {lane / 4 + 8 * (value / 2), lane % 4 * 2 + value % 2};
}

// One element as a double, which holds every type exactly; tf32 drops the bits it does not have.
[[nodiscard]] inline double matrix_element(std::uint64_t reg, unsigned element, ptx::type t) noexcept {
    unsigned const bits = ptx::size_of(t) * 8;
    std::uint64_t const raw = ops::extend(reg >> (element * bits), bits, ptx::is_signed(t));
    switch (t) {
        case ptx::type::s8:
        case ptx::type::s32: return static_cast<double>(static_cast<std::int64_t>(raw));
        case ptx::type::u8: return static_cast<double>(raw);
        case ptx::type::f64: return std::bit_cast<double>(raw);
        case ptx::type::tf32: return double{std::bit_cast<float>(static_cast<std::uint32_t>(raw) & ~0x1fffu)};
        case ptx::type::f32: return double{std::bit_cast<float>(static_cast<std::uint32_t>(raw))};
        case ptx::type::f16: return double{ops::widened(half{static_cast<std::uint16_t>(raw)})};
        case ptx::type::bf16: return ops::widened(bfloat{static_cast<std::uint16_t>(raw)});
        default: return widen(static_cast<std::uint32_t>(raw), format_of(t));
    }
}

// mma.sync: d = a * b + c with a of m rows and k columns, b of k rows and 8 columns; wmma.mma: two such products with 8
// columns of b and c each, the registers of one after those of the other. `slots` holds the registers of d, a, b and c;
// `immediate` is k, `mode` bit 0: m is 16 rather than 8, bit 1: wmma, bit 2: saturate. `type` is that of c and d,
// `source_type` that of a, `memory.element` that of b. Sums are exact for integers and fused for doubles; narrower
// floating sums are kept in double and rounded once, where hardware leaves the order open.
inline void multiply_matrices(registers const& r, decoded const& op, lane_mask mask) noexcept {
    constexpr unsigned most_k = 32;
    double a[16][most_k];
    double b[most_k][16];
    double c[16][16];
    bool const tall = (op.mode & 1) != 0;
    unsigned const rows = tall ? 16 : 8;
    unsigned const columns = op.mode & 2 ? 16 : 8;
    unsigned const k = op.immediate;
    unsigned const reg_bytes = op.source_type == ptx::type::f64 ? 8 : 4;
    unsigned const elements = reg_bytes / ptx::size_of(op.source_type);
    unsigned const c_elements = op.type == ptx::type::f16 ? 2 : 1;
    unsigned const c_bytes = op.type == ptx::type::f64 ? 8 : 4;
    unsigned const a_regs = rows * k / warp_size / elements;
    unsigned const b_regs = k * columns / warp_size / elements;
    unsigned const c_regs = rows * columns / warp_size / c_elements;
    unsigned const b_values = k * 8 / warp_size; // of 8 columns
    unsigned const c_values = rows * 8 / warp_size;
    operand_slot const* const slot_a = op.slots + c_regs;
    operand_slot const* const slot_b = slot_a + a_regs;
    operand_slot const* const slot_c = slot_b + b_regs;
    for (unsigned lane = 0; lane < warp_size; ++lane) {
        for (unsigned i = 0; i < a_regs * elements; ++i) {
            auto const at = place_in_a(lane, i / elements, i % elements, elements, tall);
            a[at.row][at.column] =
                matrix_element(r.read_lane(slot_a[i / elements].ref, lane, reg_bytes), i % elements, op.source_type);
        }
        for (unsigned i = 0; i < b_regs * elements; ++i) {
            auto const at = place_in_b(lane, i % b_values / elements, i % elements, elements);
            b[at.row][at.column + i / b_values * 8] =
                matrix_element(r.read_lane(slot_b[i / elements].ref, lane, reg_bytes), i % elements, op.memory.element);
        }
        for (unsigned i = 0; i < c_regs * c_elements; ++i) {
            auto const at = place_in_c(lane, i % c_values);
            c[at.row][at.column + i / c_values * 8] =
                matrix_element(r.read_lane(slot_c[i / c_elements].ref, lane, c_bytes), i % c_elements, op.type);
        }
    }
    bool const fuses = op.type == ptx::type::f64; // a product of narrower numbers is exact
    for (unsigned row = 0; row < rows; ++row)
        for (unsigned i = 0; i < k; ++i)
            for (unsigned column = 0; column < columns; ++column) {
                double& sum = c[row][column];
                sum = fuses ? multiply_and_add(a[row][i], b[i][column], sum) : a[row][i] * b[i][column] + sum;
            }
    for (unsigned lane = 0; lane < warp_size; ++lane) {
        if (!(mask >> lane & 1)) continue;
        for (unsigned reg = 0; reg < c_regs; ++reg) {
            std::uint64_t bits = 0;
            for (unsigned e = 0; e < c_elements; ++e) {
                unsigned const i = reg * c_elements + e;
                auto const at = place_in_c(lane, i % c_values);
                double const sum = c[at.row][at.column + i / c_values * 8];
                std::uint64_t value = 0;
                if (op.type == ptx::type::f64) value = std::bit_cast<std::uint64_t>(sum);
                else if (op.type == ptx::type::s32)
                    value = op.mode & 4 ? ops::to_integer(sum, 32, true)
                                        : static_cast<std::uint64_t>(static_cast<std::int64_t>(sum));
                else if (op.type == ptx::type::f32)
                    value = std::bit_cast<std::uint32_t>(ops::canonical(static_cast<float>(sum)));
                else value = narrow(sum, format_of(op.type));
                bits |= value << (e * 16);
            }
            r.write_lane(op.slots[reg].ref, lane, c_bytes, bits);
        }
    }
}

// movmatrix: an 8 by 8 matrix of 16-bit elements, two to a lane, transposed.
inline void transpose_matrix(registers const& r, decoded const& op, lane_mask mask) noexcept {
    auto const a = r.read<std::uint32_t>(op.a);
    lanes<std::uint32_t> d{};
    for (unsigned lane = 0; lane < warp_size; ++lane)
        for (unsigned e = 0; e < 2; ++e) {
            unsigned const row = lane % 4 * 2 + e; // of the source
            unsigned const column = lane / 4;
            d[lane] |= (a[row * 4 + column / 2] >> (column % 2 * 16) & 0xffff) << (16 * e);
        }
    r.write(op.d, d, mask);
}

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_SIM_OPS_MATRIX_OPS_HPP
