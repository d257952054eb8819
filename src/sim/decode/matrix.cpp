// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "matrix.hpp"

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "../ops/matrix_ops.hpp"
#include "memory.hpp"
#include "operands.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::decode {

void take_whole_warp(instruction_decoder& in) {
    in.take("sync");
    in.take("aligned");
    in.op.collective = collective::warp;
    in.op.e = in.builder.constant(all_lanes, 4);
}

// Shapes by the type of a. Doubles have 8 rows on sm_80 and 16 from sm_90 on.
struct matrix_shape {
    std::string_view name;
    type a;
    std::uint8_t rows;
    std::uint8_t k;
};
static constexpr matrix_shape matrix_shapes[] = {
    {"m16n8k8", type::f16, 16, 8},    {"m16n8k16", type::f16, 16, 16},  {"m16n8k8", type::bf16, 16, 8},
    {"m16n8k16", type::bf16, 16, 16}, {"m16n8k4", type::tf32, 16, 4},   {"m16n8k8", type::tf32, 16, 8},
    {"m8n8k16", type::s8, 8, 16},     {"m16n8k16", type::s8, 16, 16},   {"m16n8k32", type::s8, 16, 32},
    {"m8n8k16", type::u8, 8, 16},     {"m16n8k16", type::u8, 16, 16},   {"m16n8k32", type::u8, 16, 32},
    {"m16n8k32", type::e4m3, 16, 32}, {"m16n8k32", type::e5m2, 16, 32}, {"m8n8k4", type::f64, 8, 4},
    {"m16n8k4", type::f64, 16, 4},    {"m16n8k8", type::f64, 16, 8},    {"m16n8k16", type::f64, 16, 16}};

bool mma(instruction_decoder& in) {
    take_whole_warp(in);
    if (!in.take("row") || !in.take("col")) return in.unsupported();
    in.take("rn");
    in.op.mode = in.take("satfinite") ? 4 : 0;
    matrix_shape const* shape = nullptr;
    std::string_view name;
    for (auto const& s : matrix_shapes)
        if (name.empty() && in.take(s.name)) name = s.name;
    in.op.type = in.take_type();
    in.op.source_type = in.take_type();
    in.op.memory.element = in.take_type();
    auto const c = in.take_type();
    for (auto const& s : matrix_shapes)
        if (s.name == name && s.a == in.op.source_type) shape = &s;
    if (shape == nullptr || c != in.op.type || !in.has_operands(4, 4)) return in.unsupported();
    if (ptx::size_of(in.op.memory.element) != ptx::size_of(in.op.source_type)) return in.unsupported();
    in.op.mode = static_cast<std::uint8_t>(in.op.mode | (shape->rows == 16 ? 1 : 0));
    in.op.immediate = shape->k;

    bool const wide = in.op.source_type == type::f64;
    bool const floating = ptx::is_floating(in.op.source_type);
    bool const result_fits = wide ? c == type::f64 : floating ? c == type::f32 || c == type::f16 : c == type::s32;
    if (!result_fits || (c == type::f16 && in.op.source_type == type::bf16)) return in.unsupported();
    unsigned const elements = (wide ? 8 : 4) / ptx::size_of(in.op.source_type);
    unsigned const results = shape->rows * 8u / warp_size / (c == type::f16 ? 2 : 1);
    unsigned const counts[4] = {results, shape->rows * shape->k / warp_size / elements,
                                shape->k * 8u / warp_size / elements, results};
    for (std::size_t i = 0; i < 4; ++i)
        if (!bind_slots(in, i, counts[i], wide ? type::b64 : type::b32, i == 0 ? transfer::write : transfer::read))
            return false;
    in.op.compute = multiply_matrices;
    return in.finish();
}

// ldmatrix and stmatrix: `immediate` matrices of 8 rows of 16 bytes, `mode` 1 transposed. Slots:
// their registers.
static bool move_matrices(instruction_decoder& in, bool loads) {
    take_whole_warp(in);
    in.op.action = loads ? action::load_matrix : action::store_matrix;
    in.op.mode = in.take("trans");
    if (!in.take("m8n8")) return in.unsupported();
    static constexpr std::string_view counts[] = {"x1", "x2", "x4"};
    int const which = in.take_one(counts);
    if (which < 0) return in.unsupported();
    in.op.immediate = 1u << which;
    take_space(in);
    in.op.memory.element = in.take_type();
    if (!in.has_operands(2, 2) || in.op.memory.element != type::b16) return in.unsupported();
    if (!take_address(in, loads ? 1 : 0, in.op.a, in.op.offset, in.op.memory)) return false;
    if (!bind_slots(in, loads ? 0 : 1, in.op.immediate, type::b32, loads ? transfer::write : transfer::read))
        return false;
    return in.finish();
}

bool ldmatrix(instruction_decoder& in) { return move_matrices(in, true); }

bool stmatrix(instruction_decoder& in) { return move_matrices(in, false); }

bool movmatrix(instruction_decoder& in) {
    take_whole_warp(in);
    if (!in.take("m8n8") || !in.take("trans")) return in.unsupported();
    in.take_type();
    return unary(in, type::b32, type::b32, transpose_matrix);
}

} // namespace sim::decode
GPUPROF_NAMESPACE_END
