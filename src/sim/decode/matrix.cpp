// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "matrix.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
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

// Shapes by the bits of a's elements, and of them, floating or not. Doubles have 8 rows on sm_80 and 16 from sm_90 on.
struct matrix_shape {
    std::string_view name;
    std::uint8_t bits;
    bool floating;
    bool sparse; // k is then of a with its zeros
    std::uint8_t rows;
    std::uint8_t k;
};
static constexpr matrix_shape matrix_shapes[] = {
    {"m16n8k8", 16, true, false, 16, 8},   {"m16n8k16", 16, true, false, 16, 16},
    {"m16n8k4", 32, true, false, 16, 4},   {"m16n8k8", 32, true, false, 16, 8},
    {"m8n8k16", 8, false, false, 8, 16},   {"m16n8k16", 8, false, false, 16, 16},
    {"m16n8k32", 8, false, false, 16, 32}, {"m16n8k32", 8, true, false, 16, 32},
    {"m8n8k4", 64, true, false, 8, 4},     {"m16n8k4", 64, true, false, 16, 4},
    {"m16n8k8", 64, true, false, 16, 8},   {"m16n8k16", 64, true, false, 16, 16},
    {"m8n8k32", 4, false, false, 8, 32},   {"m16n8k32", 4, false, false, 16, 32},
    {"m16n8k64", 4, false, false, 16, 64}, {"m16n8k16", 16, true, true, 16, 16},
    {"m16n8k32", 16, true, true, 16, 32},  {"m16n8k8", 32, true, true, 16, 8},
    {"m16n8k16", 32, true, true, 16, 16},  {"m16n8k32", 8, false, true, 16, 32},
    {"m16n8k64", 8, false, true, 16, 64},  {"m16n8k64", 8, true, true, 16, 64},
    {"m16n8k64", 4, false, true, 16, 64},  {"m16n8k128", 4, false, true, 16, 128}};

// A factor's type and the bits of its elements. Those of 4 bits are pairs in bytes.
struct factor_type {
    type t;
    unsigned bits;
};
static factor_type take_factor(instruction_decoder& in) {
    std::string_view const next = in.has_modifiers() ? in.next_modifier() : std::string_view{};
    if (next != "s4" && next != "u4") {
        type const t = in.take_type();
        return {t, 8 * ptx::size_of(t)};
    }
    in.take(next);
    return {next == "s4" ? type::s8 : type::u8, 4};
}

// The metadata of a sparse product and their selector: which of the groups of lanes, of those in each quad, has them.
static bool take_metadata(instruction_decoder& in, matrix_shape const& shape) {
    in.add_slot(make_slot(in, in.operand(4), type::b32, transfer::read, width::exact));
    unsigned const bits_of_row = shape.bits == 32 ? shape.k * 2u : shape.bits == 4 ? shape.k / 2u : shape.k;
    unsigned const groups = 64 / bits_of_row;
    auto const& o = in.operand(5);
    if (o.kind != ptx::operand_kind::integer || o.bits >= groups)
        return in.malformed(o.at, "this is to be less than " + std::to_string(groups));
    in.op.mode = static_cast<std::uint8_t>(in.op.mode | static_cast<unsigned>(o.bits) * mma_form::selector);
    return true;
}

// mma of bits, whose words are along k.
static bool multiply_bits(instruction_decoder& in) {
    static constexpr std::string_view shapes[] = {"m8n8k128", "m16n8k128", "m16n8k256"};
    int const which = in.take_one(shapes);
    bool const exclusive = in.take("xor");
    if (which < 0 || !in.take("b1") || (!exclusive && !in.take("and")) || !in.take("popc")) return in.unsupported();
    in.op.type = in.take_type();
    if (in.take_type() != type::s32 || in.op.type != type::s32 || !in.has_operands(4, 4)) return in.unsupported();
    in.op.source_type = in.op.memory.element = type::b8;
    unsigned const rows = which == 0 ? 8 : 16;
    in.op.immediate = which == 2 ? 256 : 128;
    in.op.mode = static_cast<std::uint8_t>((rows == 16 ? mma_form::tall : 0) | (exclusive ? mma_form::wide : 0));
    unsigned const counts[4] = {rows / 4, rows * in.op.immediate / 1024, in.op.immediate / 128, rows / 4};
    for (std::size_t i = 0; i < 4; ++i)
        if (!bind_slots(in, i, counts[i], type::b32, i == 0 ? transfer::write : transfer::read)) return false;
    in.op.compute = multiply_bit_matrices;
    return in.finish();
}

bool mma(instruction_decoder& in) {
    bool const is_sparse = in.take("sp") || in.take("sp::ordered_metadata");
    take_whole_warp(in);
    if (!in.take("row") || !in.take("col")) return in.unsupported();
    if (!is_sparse && in.take("b1")) return multiply_bits(in);
    in.take("rn");
    unsigned mode = in.take("satfinite") ? mma_form::saturates : 0;
    std::string_view name;
    for (auto const& s : matrix_shapes)
        if (name.empty() && in.take(s.name)) name = s.name;
    in.op.type = in.take_type();
    factor_type const a = take_factor(in), b = take_factor(in);
    in.op.source_type = a.t;
    in.op.memory.element = b.t;
    auto const c = in.take_type();
    bool const floating = ptx::is_floating(a.t);
    matrix_shape const* shape = nullptr;
    for (auto const& s : matrix_shapes)
        if (s.name == name && s.bits == a.bits && s.floating == floating && s.sparse == is_sparse) shape = &s;
    std::size_t const operands = is_sparse ? 6 : 4;
    if (shape == nullptr || c != in.op.type || a.bits != b.bits || floating != ptx::is_floating(b.t) ||
        !in.has_operands(operands, operands))
        return in.unsupported();
    if (shape->rows == 16) mode |= mma_form::tall;
    if (is_sparse) mode |= mma_form::sparse;
    if (a.bits == 4) mode |= mma_form::half_bytes;
    in.op.mode = static_cast<std::uint8_t>(mode);
    in.op.immediate = shape->k;

    bool const wide = a.t == type::f64;
    bool const result_fits = wide ? c == type::f64 : floating ? c == type::f32 || c == type::f16 : c == type::s32;
    bool const sums_halves = a.t == type::f16 || a.bits == 8;
    if (!result_fits || (c == type::f16 && !sums_halves) || (a.bits > 8 && a.t != b.t)) return in.unsupported();
    unsigned const elements = (wide ? 64 : 32) / a.bits;
    unsigned const results = shape->rows * 8u / warp_size / (c == type::f16 ? 2 : 1);
    unsigned const counts[4] = {results, shape->rows * shape->k / warp_size / elements / (is_sparse ? 2 : 1),
                                shape->k * 8u / warp_size / elements, results};
    for (std::size_t i = 0; i < 4; ++i)
        if (!bind_slots(in, i, counts[i], wide ? type::b64 : type::b32, i == 0 ? transfer::write : transfer::read))
            return false;
    if (is_sparse && !take_metadata(in, *shape)) return false;
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
