// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matrix products of a warp, and the layout of their fragments in registers.
#ifndef GPUPROF_SRC_SIM_OPS_MATRIX_OPS_HPP
#define GPUPROF_SRC_SIM_OPS_MATRIX_OPS_HPP

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>

#include "convert_ops.hpp"
#include "../code/decoded.hpp"
#include "fused.hpp"
#include "sparse_metadata.hpp"
#include "tensor_sum.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// Where an element of a fragment is in its matrix. Every shape follows one pattern: lane 4g + t
// holds row g (and g + 8) of a, column g of b, and in each register as many neighbours along k as
// it has room for.
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

namespace detail {

// Calls f with how an element of that type becomes a float, which holds all but s32 and f64 exactly; tf32 drops the bits
// that it does not have. A type is asked for once a fragment, so that the loops over its elements have nothing to decide.
template <class F>
inline void with_element(ptx::type t, F const& f) noexcept {
    using ptx::type;
    switch (t) {
        case type::s8: return f([](std::uint8_t x) { return static_cast<float>(static_cast<std::int8_t>(x)); });
        case type::u8: return f([](std::uint8_t x) { return static_cast<float>(x); });
        case type::tf32: return f([](std::uint32_t x) { return std::bit_cast<float>(x & ~0x1fffu); });
        case type::f32: return f([](std::uint32_t x) { return std::bit_cast<float>(x); });
        case type::f16: return f([](std::uint16_t x) { return ops::widened(half{x}); });
        case type::bf16: return f([](std::uint16_t x) { return static_cast<float>(ops::widened(bfloat{x})); });
        default: return f([format = format_of(t)](std::uint8_t x) { return static_cast<float>(widen(x, format)); });
    }
}
template <class T, class R, class Bits>
Bits element_bits(R (T::*)(Bits) const);

// A register of all lanes: the lanes of each row of a fragment, and the elements of each lane, are
// neighbours.
template <class Bits>
struct fragment_register {
    static constexpr unsigned elements = sizeof(Bits) == 8 ? 1 : 4 / sizeof(Bits); // a lane
    static constexpr unsigned run = 4 * elements;
    Bits rows[warp_size / 4][run];

    void read(registers const& r, operand_slot const& slot) noexcept {
        std::memcpy(rows, r.read_bytes(slot.ref), sizeof rows);
    }
    void write(registers const& r, operand_slot const& slot, lane_mask mask) const noexcept {
        constexpr std::size_t bytes = elements * sizeof(Bits);
        auto const* const from = reinterpret_cast<std::byte const*>(rows);
        for (unsigned lane = 0; lane < warp_size; ++lane)
            if (mask >> lane & 1) std::memcpy(r.bytes(slot.ref) + lane * bytes, from + lane * bytes, bytes);
    }
};

// @tparam Factor  float, which holds all types but f64
template <class Factor>
struct matrix_operands {
    static constexpr unsigned most_k = 128;
    Factor a[16][most_k / 2]; // of a sparse product, what is left of a; dense ones are no longer
    Factor b[most_k][16];
    double c[16][16];
    std::int16_t a_exponents[16][most_k / 2];
    std::int16_t b_exponents[most_k][16];
};

// Places as those above, of a register at a time.
template <class Factor, class Convert>
inline void read_a(matrix_operands<Factor>& to, registers const& r, operand_slot const* slots, unsigned count,
                   bool tall, Convert const& convert) noexcept {
    fragment_register<decltype(element_bits(&Convert::operator()))> from;
    for (unsigned reg = 0; reg < count; ++reg) {
        from.read(r, slots[reg]);
        unsigned const top = tall ? 8 * (reg % 2) : 0;
        unsigned const left = (tall ? reg / 2 : reg) * from.run;
        for (unsigned row = 0; row < 8; ++row)
            for (unsigned i = 0; i < from.run; ++i) to.a[top + row][left + i] = convert(from.rows[row][i]);
    }
}
template <class Factor, class Convert>
inline void read_b(matrix_operands<Factor>& to, registers const& r, operand_slot const* slots, unsigned count,
                   unsigned k, Convert const& convert) noexcept {
    fragment_register<decltype(element_bits(&Convert::operator()))> from;
    unsigned const part = k / from.run; // registers of 8 columns
    for (unsigned reg = 0; reg < count; ++reg) {
        from.read(r, slots[reg]);
        unsigned const left = reg / part * 8;
        unsigned const top = reg % part * from.run;
        for (unsigned column = 0; column < 8; ++column)
            for (unsigned i = 0; i < from.run; ++i) to.b[top + i][left + column] = convert(from.rows[column][i]);
    }
}
// Calls f(row, column, element) for the elements of a register of c, or of d.
template <class Bits, class F>
inline void for_each_in_c(fragment_register<Bits>& of, unsigned reg, unsigned rows, F const& f) noexcept {
    unsigned const values = rows / 4; // a lane has of 8 columns
    for (unsigned e = 0; e < of.elements; ++e) {
        unsigned const value = (reg * of.elements + e) % values;
        unsigned const left = (reg * of.elements + e) / values * 8;
        for (unsigned lane = 0; lane < warp_size; ++lane) {
            auto const at = place_in_c(lane, value);
            f(at.row, left + at.column, of.rows[lane / 4][lane % 4 * of.elements + e]);
        }
    }
}
template <class Factor, class Convert>
inline void read_c(matrix_operands<Factor>& to, registers const& r, operand_slot const* slots, unsigned count,
                   unsigned rows, Convert const& convert) noexcept {
    fragment_register<decltype(element_bits(&Convert::operator()))> from;
    for (unsigned reg = 0; reg < count; ++reg) {
        from.read(r, slots[reg]);
        for_each_in_c(from, reg, rows,
                      [&](unsigned row, unsigned column, auto element) { to.c[row][column] = convert(element); });
    }
}
template <class Factor, class Convert>
inline void write_d(matrix_operands<Factor>& from, registers const& r, operand_slot const* slots, unsigned count,
                    unsigned rows, lane_mask mask, Convert const& convert) noexcept {
    using bits = decltype(convert(0.));
    fragment_register<bits> to;
    for (unsigned reg = 0; reg < count; ++reg) {
        for_each_in_c(to, reg, rows,
                      [&](unsigned row, unsigned column, bits& element) { element = convert(from.c[row][column]); });
        to.write(r, slots[reg], mask);
    }
}

inline void read_sums(matrix_operands<float>& to, registers const& r, operand_slot const* slots, unsigned count,
                      unsigned rows, ptx::type t) noexcept {
    auto const read = [&](auto const& convert) { read_c(to, r, slots, count, rows, convert); };
    if (t != ptx::type::s32) return with_element(t, read);
    read([](std::uint32_t x) { return static_cast<double>(static_cast<std::int32_t>(x)); });
}

// Rounds c once, to the type of d. `mode` 4: saturates.
inline void write_results(matrix_operands<float>& of, registers const& r, decoded const& op, operand_slot const* slots,
                          unsigned count, unsigned rows, lane_mask mask) noexcept {
    auto const write = [&](auto const& convert) { write_d(of, r, slots, count, rows, mask, convert); };
    bool const saturates = (op.mode & 4) != 0;
    switch (op.type) {
        case ptx::type::s32:
            return write([saturates](double x) {
                return static_cast<std::uint32_t>(saturates ? ops::to_integer(x, 32, true)
                                                            : static_cast<std::uint64_t>(static_cast<std::int64_t>(x)));
            });
        case ptx::type::f32:
            return write([](double x) { return std::bit_cast<std::uint32_t>(ops::canonical(static_cast<float>(x))); });
        default:
            return write([](double x) { return static_cast<std::uint16_t>(narrow(x, format_of(ptx::type::f16))); });
    }
}

// c = a * b + c, fused, along k from its beginning, of 8 columns: as many sums as every processor has vector registers for.
inline void multiply(matrix_operands<double>& of, unsigned left, unsigned rows, unsigned k) noexcept {
    for (unsigned row = 0; row < rows; ++row) {
        double sums[8];
        std::memcpy(sums, &of.c[row][left], sizeof sums);
        for (unsigned i = 0; i < k; ++i) {
            double const* const b = &of.b[i][left]; // so that neighbours are known to be neighbours
            for (unsigned column = 0; column < 8; ++column)
                sums[column] = multiply_and_add(of.a[row][i], b[column], sums[column]);
        }
        std::memcpy(&of.c[row][left], sums, sizeof sums);
    }
}

// c = a * b + c of integers, exactly. @param place  the row of b that is multiplied by the i-th number of a row of a
template <class Place>
inline void multiply_integers(matrix_operands<float>& of, unsigned left, unsigned rows, unsigned k,
                              Place const& place) noexcept {
    for (unsigned row = 0; row < rows; ++row)
        for (unsigned first = left; first < left + 8; first += 4) {
            integers_4 sums{}; // of at most 128 products of 8 bits
            for (unsigned i = 0; i < k; ++i)
                sums += GPUPROF_CONVERT_VECTOR(of.a[row][i] * neighbours<floats_4>(&of.b[place(row, i)][first]),
                                               integers_4);
            for (unsigned column = 0; column < 4; ++column) of.c[row][first + column] += sums[column];
        }
}

inline void find_exponents_of_a(matrix_operands<float>& of, unsigned k, tensor_core const& how) noexcept {
    for (unsigned row = 0; row < 16; ++row)
        for (unsigned i = 0; i < k; ++i) of.a_exponents[row][i] = tensor_exponent(of.a[row][i], how.smallest_factor);
}
inline void find_exponents_of_b(matrix_operands<float>& of, unsigned left, unsigned k,
                                tensor_core const& how) noexcept {
    for (unsigned i = 0; i < k; ++i) {
        float const* const b = &of.b[i][left];
        std::int16_t* const exponents = &of.b_exponents[i][left];
        for (unsigned column = 0; column < 8; ++column)
            exponents[column] = tensor_exponent(b[column], how.smallest_factor);
    }
}

// c = a * b + c of floating-point numbers of at most 32 bits, from `first` along k. @pre their exponents are found
inline void multiply_by_tensor_core(matrix_operands<float>& of, unsigned left, unsigned rows, unsigned first,
                                    unsigned k, tensor_core const& how) noexcept {
    for (unsigned row = 0; row < rows; ++row)
        add_products<16>(of.a[row] + first, of.a_exponents[row] + first, &of.b[first][left],
                         &of.b_exponents[first][left], k, &of.c[row][left], how);
}

// mma.sync has no 8-bit numbers: the first two of each register, then the others, are added to 0 as halves, and c to
// their sum, as the compiler has it.
inline void multiply_bytes(matrix_operands<float>& of, unsigned rows, tensor_core const& how) noexcept {
    constexpr unsigned k = 32;
    matrix_operands<float> halves;
    for (unsigned i = 0; i < k; ++i) {
        unsigned const to = i / 4 * 2 + i % 2 + i % 4 / 2 * (k / 2);
        for (unsigned row = 0; row < rows; ++row) halves.a[row][to] = of.a[row][i];
        std::memcpy(halves.b[to], of.b[i], sizeof halves.b[to]);
    }
    for (auto& row : halves.c) std::memset(row, 0, sizeof row);
    find_exponents_of_a(halves, k, how);
    find_exponents_of_b(halves, 0, k, how);
    for (unsigned first = 0; first < k; first += k / 2) {
        multiply_by_tensor_core(halves, 0, rows, first, k / 2, how);
        if (how.rounds_to_half())
            for (unsigned row = 0; row < rows; ++row)
                for (unsigned column = 0; column < 8; ++column)
                    halves.c[row][column] = ops::widened(
                        half{static_cast<std::uint16_t>(narrow(halves.c[row][column], format_of(ptx::type::f16)))});
    }
    for (unsigned row = 0; row < rows; ++row)
        for (unsigned column = 0; column < 8; ++column) of.c[row][column] += halves.c[row][column];
}

// The same of a sparse a, which has half of k and metadata that says which half: of eight columns of b, those that a row of
// a has.
inline void multiply_sparse_by_tensor_core(matrix_operands<float>& of, sparse_metadata const& metadata, unsigned left,
                                           unsigned rows, unsigned k, tensor_core const& how) noexcept {
    float b[matrix_operands<float>::most_k / 2][8];
    std::int16_t exponents[matrix_operands<float>::most_k / 2][8];
    for (unsigned row = 0; row < rows; ++row) {
        for (unsigned i = 0; i < k / 2; ++i) {
            unsigned const place = metadata.place(row, i);
            std::memcpy(b[i], &of.b[place][left], sizeof b[i]);
            std::memcpy(exponents[i], &of.b_exponents[place][left], sizeof exponents[i]);
        }
        add_products<8>(of.a[row], of.a_exponents[row], b[0], exponents[0], k / 2, &of.c[row][left], how);
    }
}

// c = a * b + c of eight columns and of numbers of at most 32 bits: exact for integers, else as a tensor core's. @param metadata of a sparse a, or null @pre the exponents of a are found, or the sums are integers
inline void multiply_narrow(matrix_operands<float>& of, unsigned left, unsigned rows, unsigned k, ptx::type sum,
                            tensor_core const& how, sparse_metadata const* metadata) noexcept {
    if (sum == ptx::type::s32) {
        if (metadata == nullptr) return multiply_integers(of, left, rows, k, [](unsigned, unsigned i) { return i; });
        return multiply_integers(of, left, rows, k / 2,
                                 [&](unsigned row, unsigned i) { return metadata->place(row, i); });
    }
    find_exponents_of_b(of, left, k, how);
    if (metadata != nullptr) multiply_sparse_by_tensor_core(of, *metadata, left, rows, k, how);
    else multiply_by_tensor_core(of, left, rows, 0, k, how);
}

// Elements of 4 bits, of which what was read are pairs: unsigned bytes.
[[nodiscard]] inline float half_byte(float pair, unsigned which, ptx::type of) noexcept {
    auto const bits = static_cast<unsigned>(pair) >> 4 * which & 0xf;
    return static_cast<float>(ptx::is_signed(of) && bits > 7 ? static_cast<int>(bits) - 16 : static_cast<int>(bits));
}
inline void split_a(matrix_operands<float>& of, unsigned rows, unsigned pairs, ptx::type type) noexcept {
    for (unsigned row = 0; row < rows; ++row)
        for (unsigned i = 2 * pairs; i-- != 0;) of.a[row][i] = half_byte(of.a[row][i / 2], i % 2, type);
}
inline void split_b(matrix_operands<float>& of, unsigned pairs, ptx::type type) noexcept {
    for (unsigned i = 2 * pairs; i-- != 0;)
        for (unsigned column = 0; column < 8; ++column) of.b[i][column] = half_byte(of.b[i / 2][column], i % 2, type);
}

// What a product multiplies, and where its fragments are.
struct product_shape {
    explicit product_shape(decoded const& op) noexcept
        : tall{(op.mode & mma_form::tall) != 0},
          is_sparse{(op.mode & mma_form::sparse) != 0},
          half_bytes{(op.mode & mma_form::half_bytes) != 0},
          rows{tall ? 16u : 8u},
          columns{(op.mode & mma_form::wide) != 0 ? 16u : 8u},
          k{op.immediate},
          read_k{half_bytes ? k / 2 : k},
          elements{op.source_type == ptx::type::f64 ? 1 : 4 / ptx::size_of(op.source_type)},
          a_regs{rows * read_k / warp_size / elements / (is_sparse ? 2 : 1)},
          b_regs{read_k * columns / warp_size / elements},
          c_regs{rows * columns / warp_size / (op.type == ptx::type::f16 ? 2 : 1)},
          a{op.slots + c_regs},
          b{a + a_regs},
          c{b + b_regs} {}

    bool tall, is_sparse, half_bytes;
    unsigned rows, columns, k;
    unsigned read_k;                 // in elements as they are read
    unsigned elements;               // of a register
    unsigned a_regs, b_regs, c_regs; // of a lane
    operand_slot const *a, *b, *c;
};

inline void multiply_doubles(registers const& r, decoded const& op, product_shape const& shape,
                             lane_mask mask) noexcept {
    matrix_operands<double> of;
    auto const convert = [](std::uint64_t x) { return std::bit_cast<double>(x); };
    read_a(of, r, shape.a, shape.a_regs, shape.tall, convert);
    read_b(of, r, shape.b, shape.b_regs, shape.k, convert);
    read_c(of, r, shape.c, shape.c_regs, shape.rows, convert);
    for (unsigned left = 0; left < shape.columns; left += 8) multiply(of, left, shape.rows, shape.k);
    write_d(of, r, op.slots, shape.c_regs, shape.rows, mask, [](double x) { return std::bit_cast<std::uint64_t>(x); });
}

} // namespace detail

// mma.sync: d = a * b + c with a of m rows and k columns, b of k rows and 8 columns; wmma.mma: two
// such products with 8 columns of b and c each, the registers of one after those of the other.
// `slots` holds the registers of d, a, b and c, then that of a sparse product's metadata; `immediate` is k, `mode` an
// mma_form. `type` is that of c and d, `source_type` that of a,
// `memory.element` that of b. Sums are exact for integers, fused for doubles, and as a tensor_core's
// else.
inline void multiply_matrices(registers const& r, decoded const& op, lane_mask mask) noexcept {
    detail::product_shape const shape{op};
    if (op.type == ptx::type::f64) return detail::multiply_doubles(r, op, shape, mask);
    unsigned const rows = shape.rows, k = shape.k;
    bool const is_sparse = shape.is_sparse;
    detail::matrix_operands<float> of;
    detail::with_element(shape.half_bytes ? ptx::type::u8 : op.source_type, [&](auto const& convert) {
        detail::read_a(of, r, shape.a, shape.a_regs, shape.tall, convert);
    });
    detail::with_element(shape.half_bytes ? ptx::type::u8 : op.memory.element, [&](auto const& convert) {
        detail::read_b(of, r, shape.b, shape.b_regs, shape.read_k, convert);
    });
    detail::read_sums(of, r, shape.c, shape.c_regs, rows, op.type);
    if (shape.half_bytes) {
        detail::split_a(of, rows, shape.read_k / (is_sparse ? 2 : 1), op.source_type);
        detail::split_b(of, shape.read_k, op.memory.element);
    }

    auto const how = tensor_core::of(op.source_type, op.type, true);
    if (op.type != ptx::type::s32 && shape.elements == 4 && !is_sparse) {
        detail::multiply_bytes(of, rows, how);
    } else {
        std::optional<sparse_metadata> metadata;
        if (is_sparse)
            metadata.emplace(r.read<std::uint32_t>(shape.c[shape.c_regs].ref),
                             shape.half_bytes ? 4 : 8 * ptx::size_of(op.source_type), k,
                             static_cast<unsigned>(op.mode / mma_form::selector));
        if (op.type != ptx::type::s32) detail::find_exponents_of_a(of, is_sparse ? k / 2 : k, how);
        for (unsigned left = 0; left < shape.columns; left += 8)
            detail::multiply_narrow(of, left, rows, k, op.type, how, metadata ? &*metadata : nullptr);
    }

    detail::write_results(of, r, op, op.slots, shape.c_regs, rows, mask);
}

// mma.sync of bits: sums of the ones in a & b, or a ^ b (`mode` bit `wide`). Slots as above; a and b are words along k.
inline void multiply_bit_matrices(registers const& r, decoded const& op, lane_mask mask) noexcept {
    constexpr unsigned most_words = 8;
    bool const tall = (op.mode & mma_form::tall) != 0, exclusive = (op.mode & mma_form::wide) != 0;
    unsigned const rows = tall ? 16 : 8, words = op.immediate / 32;
    unsigned const a_regs = rows * words / warp_size, b_regs = 8 * words / warp_size, c_regs = rows * 8 / warp_size;
    operand_slot const* const slot_a = op.slots + c_regs;
    operand_slot const* const slot_b = slot_a + a_regs;
    operand_slot const* const slot_c = slot_b + b_regs;
    std::uint32_t a[16][most_words], b[8][most_words];
    for (unsigned lane = 0; lane < warp_size; ++lane) {
        auto const word = [&](operand_slot const& slot) {
            return static_cast<std::uint32_t>(r.read_lane(slot.ref, lane, 4));
        };
        for (unsigned reg = 0; reg < a_regs; ++reg) {
            auto const at = place_in_a(lane, reg, 0, 1, tall);
            a[at.row][at.column] = word(slot_a[reg]);
        }
        for (unsigned reg = 0; reg < b_regs; ++reg) {
            auto const at = place_in_b(lane, reg, 0, 1);
            b[at.column][at.row] = word(slot_b[reg]);
        }
    }
    for (unsigned value = 0; value < c_regs; ++value) {
        auto sums = r.read<std::uint32_t>(slot_c[value].ref);
        for (unsigned lane = 0; lane < warp_size; ++lane) {
            auto const at = place_in_c(lane, value);
            for (unsigned i = 0; i < words; ++i) {
                std::uint32_t const x = a[at.row][i], y = b[at.column][i];
                sums[lane] += static_cast<std::uint32_t>(std::popcount(exclusive ? x ^ y : x & y));
            }
        }
        r.write(op.slots[value].ref, sums, mask);
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

#endif // GPUPROF_SRC_SIM_OPS_MATRIX_OPS_HPP
