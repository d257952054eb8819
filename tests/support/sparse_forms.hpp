// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Forms of sparse matrix products, of a warpgroup (wgmma.mma_async.sp) and of a warp (mma.sp), and of dense ones of a warp.
// Each has a kernel in PTX, random matrices with random metadata, and the result of a plain product. Elements are small
// whole numbers, so that every sum is exact. Test support of the embedded GPU's tests and of hardware/sparse_products.cu;
// C++17, and nothing of gpuprof.
#ifndef GPUPROF_TESTS_SUPPORT_SPARSE_FORMS_HPP
#define GPUPROF_TESTS_SUPPORT_SPARSE_FORMS_HPP

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "wgmma_forms.hpp"

namespace sparse_forms {

using wgmma_forms::factor;
using wgmma_forms::form;
using wgmma_forms::layout;
using wgmma_forms::matrix;

class random_numbers {
public:
    explicit random_numbers(std::uint32_t seed) : state_{seed} {}
    // At least `least`, at most `most`.
    int next(int least, int most) {
        state_ = state_ * 1664525u + 1013904223u;
        return least + static_cast<int>((state_ >> 8) % static_cast<std::uint32_t>(most - least + 1));
    }

private:
    std::uint32_t state_;
};

// A sparse a: what is stored of it, the whole with its zeros, and the numbers that say where in a row each stored unit is:
// a unit is an element, of 4 bits two, of 32 bits half of one.
struct sparse_matrix {
    // @param ordered the numbers of a chunk ascend
    sparse_matrix(factor const& type, std::size_t lines, std::size_t k, bool ordered, std::uint32_t seed)
        : k_{k}, stored(lines * k / 2), whole(lines * k) {
        random_numbers numbers{seed};
        bool const halves = type.bits == 32, pairs = type.bits == 4;
        std::size_t const chunk = halves ? 2 : pairs ? 8 : 4; // elements
        for (std::size_t line = 0; line < lines; ++line)
            for (std::size_t at = 0; at < k; at += chunk) {
                int first = numbers.next(0, 3), second = numbers.next(0, 2);
                if (second >= first) ++second;
                if (ordered && second < first) std::swap(first, second);
                if (halves) first = 2 * numbers.next(0, 1), second = first + 1;
                units.push_back(static_cast<unsigned>(first));
                units.push_back(static_cast<unsigned>(second));
                for (std::size_t i = 0; i < chunk / 2; ++i) {
                    int const value = numbers.next(type.least, type.most);
                    auto const unit = static_cast<std::size_t>((pairs ? i / 2 : i) == 0 ? first : second);
                    std::size_t const place = halves ? unit / 2 : pairs ? 2 * unit + i % 2 : unit;
                    stored[line * k / 2 + at / 2 + i] = value;
                    whole[line * k + at + place] = value;
                }
            }
    }
    // The word of metadata that a lane holds. Rows of a warp's 16 begin at `first`.
    [[nodiscard]] std::uint32_t word(factor const& type, std::size_t first, std::size_t lane, unsigned selector) const {
        std::size_t const per_line = type.bits == 32 ? k_ : type.bits == 4 ? k_ / 4 : k_ / 2; // units
        std::size_t const quad = lane / 4, in_quad = lane % 4;
        std::uint32_t bits = 0;
        auto const put = [&](std::size_t row, std::size_t unit, std::size_t count, unsigned shift) {
            for (std::size_t i = 0; i < count; ++i)
                bits |= units[(first + row) * per_line + unit + i] << (shift + 2 * i);
        };
        if (type.bits > 8) { // 8 units of the row, and of that 8 below
            std::size_t const lanes = per_line / 8;
            if (in_quad / lanes != selector) return 0x5555'5555; // nobody reads it
            put(quad, in_quad % lanes * 8, 8, 0);
            put(quad + 8, in_quad % lanes * 8, 8, 16);
        } else { // 16 units: of the row, of that 8 below, and the same further along k
            std::size_t const lanes = per_line / 8;
            if (in_quad / lanes != selector) return 0x5555'5555;
            put(quad + in_quad % 2 * 8, in_quad % lanes / 2 * 16, 16, 0);
        }
        return bits;
    }

private:
    std::size_t k_;

public:
    std::vector<int> stored, whole;
    std::vector<unsigned> units;
};

// Of a warpgroup.
struct problem : wgmma_forms::problem {
    explicit problem(form const& f, std::uint32_t seed = 1) : wgmma_forms::problem(wgmma_forms::sparse_shared_bytes) {
        using namespace wgmma_forms;
        sparse_matrix const sparse{f.a, rows, f.k(), true, seed};
        matrix const whole{f.a, rows, f.k(), sparse.whole, {}}, stored{f.a, rows, f.k() / 2, sparse.stored, f.of_a};
        matrix const b{f.b, f.n, f.k(), seed + 1, f.of_b};
        of_a = stored.put(shared, 0);
        of_b = b.put(shared, begin_of_b);
        fragment = stored.fragment();
        for (std::size_t thread = 0; thread < threads; ++thread)
            fragment.push_back(sparse.word(f.a, thread / 32 * 16, thread % 32, f.selector));
        multiply(f, whole, b);
    }
};

inline std::vector<form> every_width() {
    std::vector<form> forms;
    for (form f : wgmma_forms::every_width()) {
        f.sparse = true;
        f.selector = static_cast<unsigned>(f.a.bits > 8 ? f.n / 8 % 2 : 0);
        forms.push_back(f);
    }
    return forms;
}
// Without bits, which cannot be sparse.
inline std::vector<form> sparse_of(std::vector<form> const& dense) {
    std::vector<form> forms;
    for (form f : dense) {
        if (f.a.bits == 1) continue;
        f.sparse = true;
        forms.push_back(f);
        f.selector = 1;
        if (f.a.bits > 8) forms.push_back(f);
    }
    return forms;
}
inline std::vector<form> every_type() { return sparse_of(wgmma_forms::every_type()); }
inline std::vector<form> every_layout() { return sparse_of(wgmma_forms::every_layout()); }
inline std::vector<form> every_base_offset() { return sparse_of(wgmma_forms::every_base_offset()); }
inline std::vector<form> every_scale() { return sparse_of(wgmma_forms::every_scale()); }

// A product of a warp.
struct warp_form {
    factor a, b;
    std::string sums; // f32, f16 or s32
    std::size_t m, k;
    enum kind : std::uint8_t { dense, sparse, ordered } how = dense;
    unsigned selector = 0;
    bool saturates = false;

    [[nodiscard]] bool is_sparse() const { return how != dense; }
    [[nodiscard]] std::size_t words_of_a() const { return m * k * a.bits / (is_sparse() ? 2 : 1) / 1024; }
    [[nodiscard]] std::size_t words_of_b() const { return 8 * k * b.bits / 1024; }
    [[nodiscard]] std::size_t words_of_sums() const { return m / 4 / (sums == "f16" ? 2 : 1); }
};

inline std::string instruction(warp_form const& f) {
    using wgmma_forms::list;
    std::string const way = f.how == warp_form::dense    ? ""
                            : f.how == warp_form::sparse ? ".sp"
                                                         : ".sp::ordered_metadata";
    std::string text = "mma" + way + ".sync.aligned.m" + std::to_string(f.m) + "n8k" + std::to_string(f.k) +
                       ".row.col" + (f.saturates ? ".satfinite." : ".") + f.sums + "." + f.a.name + "." + f.b.name +
                       "." + f.sums + (f.a.bits == 1 ? ".and.popc " : " ") + list("d", f.words_of_sums()) + ", " +
                       list("a", f.words_of_a()) + ", " + list("b", f.words_of_b()) + ", " +
                       list("c", f.words_of_sums());
    if (f.is_sparse()) text += ", m, " + std::to_string(f.selector);
    return text + ";\n";
}

// What a lane brings: a, b and the sums, four words each, and the metadata.
constexpr std::size_t words_of_lane = 16;

// A kernel of a warp a block: loads what each lane brings and stores four words of sums. Parameters: those, the results of
// all blocks.
inline std::string kernel(std::string const& name, warp_form const& f, unsigned rounds = 1) {
    std::string text =
        ".version 8.7\n.target sm_90a\n.address_size 64\n.visible .entry " + name +
        "(.param .u64 brought, .param .u64 results) {\n"
        ".reg .pred q; .reg .b32 t, x, m, a<4>, b<4>, c<4>, d<4>; .reg .b64 rd<4>;\n"
        "mov.u32 t, %tid.x; ld.param.u64 rd0, [brought]; mul.wide.u32 rd1, t, 64; add.u64 rd0, rd0, rd1;\n"
        "ld.param.u64 rd2, [results]; mov.u32 x, %ctaid.x; mad.lo.u32 x, x, 32, t; mul.wide.u32 rd3, x, 16; "
        "add.u64 rd2, rd2, rd3;\n";
    char const* const names[] = {"a", "b", "c"};
    for (std::size_t i = 0; i < 12; ++i)
        text += "ld.global.b32 " + (names[i / 4] + std::to_string(i % 4)) + ", [rd0+" + std::to_string(4 * i) + "];\n";
    text += "ld.global.b32 m, [rd0+48];\nmov.b32 d0, 0; mov.b32 d1, 0; mov.b32 d2, 0; mov.b32 d3, 0;\nmov.u32 x, "
            "0;\nagain:\n" +
            instruction(f);
    if (rounds != 1)
        for (std::size_t i = 0; i < f.words_of_sums(); ++i)
            text += "mov.b32 c" + std::to_string(i) + ", d" + std::to_string(i) + ";\n";
    text += "add.u32 x, x, 1; setp.lt.u32 q, x, " + std::to_string(rounds) +
            "; @q bra again;\nst.global.v4.b32 [rd2], {d0, d1, d2, d3};\nret;\n}\n";
    return text;
}

// What the lanes bring, and what the kernel is to give.
struct warp_problem {
    explicit warp_problem(warp_form const& f, std::uint32_t seed = 1) : brought(32 * words_of_lane), expected(32 * 4) {
        std::size_t const stored_k = f.is_sparse() ? f.k / 2 : f.k;
        sparse_matrix const a{f.a, 16, f.k, f.how == warp_form::ordered, seed};
        matrix const full{f.a, 16, f.k, seed, {}}, b{f.b, 8, f.k, seed + 1, {}};
        auto const stored = [&](std::size_t row, std::size_t k) {
            return f.is_sparse() ? a.stored[row * stored_k + k] : full.at(row, k);
        };
        auto const whole = [&](std::size_t row, std::size_t k) {
            return f.is_sparse() ? a.whole[row * f.k + k] : full.at(row, k);
        };
        for (std::size_t lane = 0; lane < 32; ++lane) {
            std::uint32_t* const words = &brought[lane * words_of_lane];
            std::size_t const in_word = 32 / f.a.bits;
            for (std::size_t reg = 0; reg < f.words_of_a(); ++reg)
                for (std::size_t e = 0; e < in_word; ++e) {
                    std::size_t const row = lane / 4 + (f.m == 16 ? reg % 2 * 8 : 0);
                    std::size_t const k = (lane % 4 + (f.m == 16 ? reg / 2 : reg) * 4) * in_word + e;
                    words[reg] |= f.a.encode(stored(row, k)) << (e * f.a.bits);
                }
            for (std::size_t reg = 0; reg < f.words_of_b(); ++reg)
                for (std::size_t e = 0; e < in_word; ++e)
                    words[4 + reg] |= f.b.encode(b.at(lane / 4, (lane % 4 + reg * 4) * in_word + e)) << (e * f.b.bits);
            if (f.is_sparse()) words[12] = a.word(f.a, 0, lane, f.selector);
            std::size_t const packed = f.sums == "f16" ? 2 : 1;
            for (std::size_t value = 0; value < f.m / 4; ++value) {
                std::size_t const row = lane / 4 + value / 2 * 8, column = lane % 4 * 2 + value % 2;
                std::int64_t product = 0;
                for (std::size_t k = 0; k < f.k; ++k) product += whole(row, k) * b.at(column, k);
                std::int64_t added = static_cast<std::int64_t>((lane * 5 + value * 3) % 17) - 8;
                if (f.saturates) added = added < 0 ? -2147483647 : 2147483640;
                form of{f.a, f.b, f.sums, 8};
                of.saturates = f.saturates;
                words[8 + value / packed] |= wgmma_forms::problem::encode(of, added) << (16 * (value % packed));
                expected[lane * 4 + value / packed] |= wgmma_forms::problem::encode(of, added + product)
                                                       << (16 * (value % packed));
            }
        }
    }

    std::vector<std::uint32_t> brought, expected;
};

inline std::vector<factor> half_bytes() {
    return {{"s4", 4, -8, 7, [](int x) { return static_cast<std::uint32_t>(x & 0xf); }},
            {"u4", 4, 0, 15, [](int x) { return static_cast<std::uint32_t>(x); }}};
}

// Every sparse one, and of the dense ones those of 4 bits and of one.
inline std::vector<warp_form> every_warp_form() {
    std::vector<warp_form> forms;
    auto const add = [&](warp_form f, unsigned selectors) {
        for (auto const how : {warp_form::sparse, warp_form::ordered})
            for (unsigned selector = 0; selector < selectors; ++selector) {
                f.how = how;
                f.selector = selector;
                forms.push_back(f);
            }
    };
    auto const floats = wgmma_forms::floats();
    for (unsigned const k : {16u, 32u}) {
        for (char const* const sums : {"f32", "f16"}) add({floats[0], floats[0], sums, 16, k}, 64 / k);
        add({floats[1], floats[1], "f32", 16, k}, 64 / k);
        add({floats[2], floats[2], "f32", 16, k / 2}, 64 / k);
    }
    for (bool const saturates : {false, true})
        for (unsigned const k : {32u, 64u}) {
            for (factor const& a : wgmma_forms::bytes())
                for (factor const& b : wgmma_forms::bytes())
                    add({a, b, "s32", 16, k, warp_form::dense, 0, saturates}, 64 / k);
            for (factor const& a : half_bytes())
                for (factor const& b : half_bytes()) {
                    add({a, b, "s32", 16, 2 * k, warp_form::dense, 0, saturates}, 64 / k);
                    forms.push_back({a, b, "s32", 16, k, warp_form::dense, 0, saturates});
                    if (k == 32) forms.push_back({a, b, "s32", 8, k, warp_form::dense, 0, saturates});
                }
        }
    for (std::size_t const k : {128u, 256u})
        for (std::size_t const m : {8u, 16u})
            if (m == 16 || k == 128) forms.push_back({wgmma_forms::bits(), wgmma_forms::bits(), "s32", m, k});
    for (factor const& a : wgmma_forms::small_floats())
        for (factor const& b : wgmma_forms::small_floats()) add({a, b, "f32", 16, 64}, 1);
    return forms;
}

} // namespace sparse_forms

#endif // GPUPROF_TESTS_SUPPORT_SPARSE_FORMS_HPP
