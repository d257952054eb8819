// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Forms of wgmma, each with a kernel in PTX, its matrices in shared memory and registers, and the result of a plain
// product. Elements are small whole numbers, so that every sum is exact. Matrices are put into shared memory by the
// layouts of the PTX ISA as it draws them, atom by atom. Test support of the embedded GPU's tests and of
// hardware/wgmma.cu; C++17, and nothing of gpuprof.
#ifndef GPUPROF_TESTS_SUPPORT_WGMMA_FORMS_HPP
#define GPUPROF_TESTS_SUPPORT_WGMMA_FORMS_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

namespace wgmma_forms {

constexpr std::size_t rows = 64;
constexpr std::size_t threads = 128;
constexpr std::uint32_t shared_bytes = 32768, sparse_shared_bytes = 40960;
constexpr std::uint32_t begin_of_b = 16384;

// A whole number as a floating-point number of that many mantissa bits, which must suffice.
inline std::uint32_t float_bits(int x, unsigned mantissa, unsigned bias, unsigned sign_at) {
    if (x == 0) return 0;
    std::uint32_t const size = static_cast<std::uint32_t>(x < 0 ? -x : x);
    unsigned exponent = 0;
    while (size >> (exponent + 1) != 0) ++exponent;
    std::uint32_t const digits = static_cast<std::uint32_t>((std::uint64_t{size} << mantissa) >> exponent);
    return (x < 0 ? 1u << sign_at : 0u) | ((exponent + bias) << mantissa) | (digits & ((1u << mantissa) - 1));
}
inline std::uint32_t f32_bits(int x) { return float_bits(x, 23, 127, 31); }
inline std::uint32_t f16_bits(int x) { return float_bits(x, 10, 15, 15); }

// The type of a matrix, and the range of its elements.
struct factor {
    char const* name;
    unsigned bits;
    int least, most;
    std::uint32_t (*encode)(int);
};
inline std::vector<factor> floats() {
    return {{"f16", 16, -9, 9, f16_bits},
            {"bf16", 16, -9, 9, [](int x) { return float_bits(x, 7, 127, 15); }},
            {"tf32", 32, -9, 9, [](int x) { return f32_bits(x) | 0xfff; }}}; // with bits that tf32 does not have
}
inline std::vector<factor> small_floats() {
    return {{"e4m3", 8, -8, 8, [](int x) { return float_bits(x, 3, 7, 7); }},
            {"e5m2", 8, -4, 4, [](int x) { return float_bits(x, 2, 15, 7); }}};
}
inline std::vector<factor> bytes() {
    return {{"s8", 8, -128, 127, [](int x) { return static_cast<std::uint32_t>(x & 0xff); }},
            {"u8", 8, 0, 255, [](int x) { return static_cast<std::uint32_t>(x); }}};
}
inline factor bits() {
    return {"b1", 1, 0, 1, [](int x) { return static_cast<std::uint32_t>(x); }};
}

// How a matrix lies in shared memory.
struct layout {
    bool across = false;     // elements along k are no neighbours
    unsigned swizzle = 0;    // bytes
    std::uint32_t shift = 0; // bytes that it begins behind a multiple of 1024
};

struct form {
    factor a, b;
    std::string sums; // f32, f16 or s32
    std::size_t n;
    layout of_a{}, of_b{};
    bool a_in_registers = false;
    int scale_a = 1, scale_b = 1;
    bool adds = true;
    bool saturates = false;
    unsigned rounds = 1;
    bool sparse = false;
    unsigned selector = 0; // of the metadata

    [[nodiscard]] std::size_t k() const { return (sparse ? 512 : 256) / a.bits; }
    [[nodiscard]] std::size_t registers() const { return sums == "f16" ? n / 4 : n / 2; } // of the sums
};

inline std::string list(char const* prefix, std::size_t count) {
    std::string text = "{";
    for (std::size_t i = 0; i < count; ++i) text += (i == 0 ? "" : ", ") + (prefix + std::to_string(i));
    return text + "}";
}
// d: the sums, a: the fragment, rd0, rd1: descriptors, p: whether sums are added.
// m: the metadata of a sparse product.
inline std::string instruction(form const& f) {
    std::string text = std::string{"wgmma.mma_async"} + (f.sparse ? ".sp" : "") + ".sync.aligned.m64n" +
                       std::to_string(f.n) + "k" + std::to_string(f.k()) + "." + f.sums + "." + f.a.name + "." +
                       f.b.name + (f.a.bits == 1 ? ".and.popc" : "") + (f.saturates ? ".satfinite " : " ") +
                       list("d", f.registers()) + ", " + (f.a_in_registers ? list("a", 4) : "rd0") + ", rd1, " +
                       (f.sparse ? "m, " + std::to_string(f.selector) + ", " : "") + "p";
    if (f.sums != "s32") text += ", " + std::to_string(f.scale_a) + ", " + std::to_string(f.scale_b);
    if (f.a.bits == 16) {
        if (!f.a_in_registers) text += f.of_a.across ? ", 1" : ", 0";
        text += f.of_b.across ? ", 1" : ", 0";
    }
    return text + ";\n";
}
constexpr char const* before = "wgmma.fence.sync.aligned;\n";
constexpr char const* after = "wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;\n";

// A kernel of a warpgroup a block: brings the matrices into shared memory, the sums and a's fragment into registers, does
// what `body` says and stores the sums. Parameters: matrices, fragments, sums, results (of all blocks), descriptors without
// the address of shared memory, whether sums are added. Metadata, a word a thread, stand behind the fragments. Free to use:
// x, y, z, u, i, s, predicate q; t: the thread.
inline std::string kernel(std::string const& name, std::size_t sums, std::string const& body,
                          bool a_in_registers = false, bool sparse = false) {
    std::string const of_sums = std::to_string(4 * sums);
    std::string const of_shared = std::to_string(sparse ? sparse_shared_bytes : shared_bytes);
    std::string text =
        ".version 8.4\n.target sm_90a\n.address_size 64\n.visible .entry " + name +
        "(.param .u64 matrices, .param .u64 fragments, .param .u64 sums, .param .u64 results, .param .u64 of_a, "
        ".param .u64 of_b, .param .u32 adds) {\n.shared .align 1024 .b8 tile[" +
        of_shared +
        "];\n.reg .pred p, q; .reg .b32 t, i, s, x, y, z, u, m, d<128>, a<4>; .reg .b64 rd<8>;\n"
        "mov.u32 t, %tid.x; mov.u32 s, tile; cvt.u64.u32 rd5, s; shr.u64 rd5, rd5, 4;\n"
        "ld.param.u64 rd0, [of_a]; add.u64 rd0, rd0, rd5; ld.param.u64 rd1, [of_b]; add.u64 rd1, rd1, rd5;\n"
        "ld.param.u64 rd2, [matrices]; mul.wide.u32 rd3, t, 16; add.u64 rd2, rd2, rd3; shl.b32 i, t, 4; "
        "add.u32 s, s, i;\nbring: ld.global.v4.b32 {x, y, z, u}, [rd2]; st.shared.v4.b32 [s], {x, y, z, u}; "
        "add.u64 rd2, rd2, 2048; add.u32 s, s, 2048; add.u32 i, i, 2048; setp.lt.u32 q, i, " +
        of_shared +
        "; @q bra bring;\nfence.proxy.async.shared::cta; bar.sync 0;\n"
        "ld.param.u64 rd2, [fragments]; add.u64 rd2, rd2, rd3;" +
        std::string{a_in_registers ? "ld.global.v4.b32 {a0, a1, a2, a3}, [rd2];" : ""} +
        (sparse ? "ld.param.u64 rd2, [fragments]; mul.wide.u32 rd3, t, 4; add.u64 rd2, rd2, rd3; "
                  "ld.global.b32 m, [rd2+2048];"
                : "") +
        "\n"
        "ld.param.u64 rd2, [sums]; mul.wide.u32 rd3, t, " +
        of_sums +
        "; add.u64 rd2, rd2, rd3; "
        "ld.param.u64 rd4, [results]; mov.u32 x, %ctaid.x; mad.lo.u32 x, x, 128, t; mul.wide.u32 rd3, x, " +
        of_sums + "; add.u64 rd4, rd4, rd3;\n";
    for (std::size_t i = 0; i < sums; ++i)
        text += "ld.global.b32 d" + std::to_string(i) + ", [rd2+" + std::to_string(4 * i) + "];\n";
    text += "ld.param.u32 x, [adds]; setp.ne.b32 p, x, 0;\n" + body;
    for (std::size_t i = 0; i < sums; ++i)
        text += "st.global.b32 [rd4+" + std::to_string(4 * i) + "], d" + std::to_string(i) + ";\n";
    return text + "ret;\n}\n";
}
inline std::string kernel(std::string const& name, form const& f) {
    std::string const product = before + instruction(f) + after;
    if (f.rounds == 1) return kernel(name, f.registers(), product, f.a_in_registers, f.sparse);
    return kernel(name, f.registers(),
                  "mov.u32 i, 0;\nagain:\n" + product + "add.u32 i, i, 1; setp.lt.u32 q, i, " +
                      std::to_string(f.rounds) + "; @q bra again;\n",
                  f.a_in_registers, f.sparse);
}

// Lines (rows of a, columns of b) by k.
class matrix {
public:
    matrix(factor const& type, std::size_t lines, std::size_t k, std::uint32_t seed, layout how)
        : type_{type}, lines_{lines}, k_{k}, how_{how}, values_(lines * k) {
        for (auto& v : values_) {
            seed = seed * 1664525u + 1013904223u;
            v = type.least + static_cast<int>(seed >> 8) % (type.most - type.least + 1);
        }
    }
    matrix(factor const& type, std::size_t lines, std::size_t k, std::vector<int> values, layout how)
        : type_{type}, lines_{lines}, k_{k}, how_{how}, values_(std::move(values)) {}
    [[nodiscard]] int at(std::size_t line, std::size_t k) const { return values_[line * k_ + k]; }

    // Writes it to `begin`, a multiple of 1024. Its descriptor, without the address of shared memory.
    std::uint64_t put(std::vector<std::uint8_t>& shared, std::uint32_t begin) const {
        std::uint32_t const start = begin + how_.shift;
        std::uint32_t const width = how_.swizzle == 0 ? 16 : how_.swizzle; // of an atom, whose height is 8
        std::uint32_t const atom = 8 * width;
        // Atoms follow each other along the bytes of a row by `next`, and every 8 rows by `down`: with gaps, where that is
        // free.
        std::size_t const row_bytes = (how_.across ? lines_ : k_) * type_.bits / 8;
        std::uint64_t const next = how_.swizzle == 0 && !how_.across ? atom + 32 : atom;
        std::uint64_t const down = (row_bytes + width - 1) / width * next + (how_.swizzle == 0 ? 64 : 0);
        bool const next_leads = !how_.across || how_.swizzle != 0; // is the leading dimension's offset
        std::uint64_t const leading = next_leads ? next : down, stride = next_leads ? down : next;
        for (std::size_t line = 0; line < lines_; ++line)
            for (std::size_t k = 0; k < k_; ++k) {
                std::size_t const byte = (how_.across ? line : k) * type_.bits / 8, row = how_.across ? k : line;
                std::uint64_t offset = byte / width * next + row / 8 * down + row % 8 * width + byte % width;
                // Pieces of 16 bytes change places within the swizzle's width, by the 128 bytes of the pattern they are in.
                if (how_.swizzle != 0) offset ^= offset / 128 % (how_.swizzle / 16) * 16;
                std::size_t const place = static_cast<std::size_t>(start + offset);
                std::uint32_t const value = type_.encode(at(line, k));
                if (type_.bits < 8) shared.at(place) = static_cast<std::uint8_t>(shared[place] | value << (k % 8));
                for (unsigned i = 0; i < type_.bits / 8; ++i)
                    shared.at(place + i) = static_cast<std::uint8_t>(value >> (8 * i));
            }
        std::uint64_t const mode = how_.swizzle == 128 ? 1 : how_.swizzle == 64 ? 2 : how_.swizzle == 32 ? 3 : 0;
        std::uint64_t const base = how_.swizzle == 0 ? 0 : start / 128 % 8;
        return start / 16 | leading / 16 << 16 | stride / 16 << 32 | base << 49 | mode << 62;
    }
    // As a's fragment: four registers of each thread.
    [[nodiscard]] std::vector<std::uint32_t> fragment() const {
        std::vector<std::uint32_t> words(threads * 4);
        std::size_t const in_word = 32 / type_.bits;
        for (std::size_t thread = 0; thread < threads; ++thread)
            for (std::size_t reg = 0; reg < 4; ++reg)
                for (std::size_t e = 0; e < in_word; ++e) {
                    std::size_t const row = thread / 32 * 16 + thread % 32 / 4 + (reg % 2) * 8;
                    std::size_t const k = (thread % 4 + reg / 2 * 4) * in_word + e;
                    words[thread * 4 + reg] |= type_.encode(at(row, k)) << (e * type_.bits);
                }
        return words;
    }

private:
    factor type_;
    std::size_t lines_, k_;
    layout how_;
    std::vector<int> values_;
};

// Where thread and number of the value put it among the sums.
struct spot {
    std::size_t row, column;
};
inline spot place_of(std::size_t thread, std::size_t value) {
    return {thread / 32 * 16 + thread % 32 / 4 + value / 2 % 2 * 8, value / 4 * 8 + thread % 4 * 2 + value % 2};
}

// What a form's kernel gets, and what it is to give. What is added is small, but of `saturates` near the end of the range.
struct problem {
    explicit problem(form const& f) : shared(shared_bytes) {
        matrix const a{f.a, rows, f.k(), 1, f.of_a}, b{f.b, f.n, f.k(), 2, f.of_b};
        of_a = a.put(shared, 0);
        of_b = b.put(shared, begin_of_b);
        fragment = a.fragment();
        multiply(f, a, b);
    }

    std::vector<std::uint8_t> shared;
    std::vector<std::uint32_t> fragment, sums, expected;
    std::uint64_t of_a = 0, of_b = 0;

    static std::uint32_t encode(form const& f, std::int64_t x) {
        if (f.sums == "f32") return f32_bits(static_cast<int>(x));
        if (f.sums == "f16") return f16_bits(static_cast<int>(x));
        if (f.saturates) x = (std::min<std::int64_t>)((std::max<std::int64_t>)(x, -2147483648ll), 2147483647);
        return static_cast<std::uint32_t>(x);
    }

protected:
    problem(std::size_t bytes) : shared(bytes) {}
    // The sums before, and after it.
    void multiply(form const& f, matrix const& a, matrix const& b) {
        sums.resize(threads * f.registers());
        expected.resize(sums.size());
        std::size_t const packed = f.sums == "f16" ? 2 : 1;
        for (std::size_t thread = 0; thread < threads; ++thread)
            for (std::size_t value = 0; value < f.n / 2; ++value) {
                spot const at = place_of(thread, value);
                std::int64_t product = 0;
                for (std::size_t k = 0; k < f.k(); ++k) product += a.at(at.row, k) * b.at(at.column, k);
                product *= f.scale_a * f.scale_b;
                std::int64_t added = static_cast<std::int64_t>((thread * 5 + value * 3) % 17) - 8;
                if (f.saturates) added = added < 0 ? -2147483647 : 2147483640;
                std::size_t const word = thread * f.registers() + value / packed, bit = 16 * (value % packed);
                sums[word] |= encode(f, added) << bit;
                expected[word] |= encode(f, f.adds ? added + f.rounds * product : product) << bit;
            }
    }
};

inline std::vector<form> every_width() {
    std::vector<form> forms;
    for (std::size_t n = 8; n <= 256; n += 8) forms.push_back({floats()[n / 8 % 2], floats()[n / 8 % 2], "f32", n});
    for (std::size_t const n : {16u, 24u, 48u, 208u, 256u}) forms.push_back({bytes()[0], bytes()[1], "s32", n});
    return forms;
}
// a from memory and from registers.
inline std::vector<form> every_type() {
    std::vector<form> forms;
    for (bool const in_registers : {false, true})
        for (std::size_t const n : {8u, 24u}) {
            for (factor const& type : floats()) forms.push_back({type, type, "f32", n, {}, {}, in_registers});
            for (factor const& a : small_floats())
                for (factor const& b : small_floats())
                    for (char const* const sums : {"f32", "f16"})
                        forms.push_back({a, b, sums, n, {}, {}, in_registers});
            forms.push_back({floats()[0], floats()[0], "f16", n, {}, {}, in_registers});
            for (factor const& a : bytes())
                for (factor const& b : bytes())
                    for (bool const saturates : {false, true})
                        forms.push_back({a, b, "s32", n, {}, {}, in_registers, 1, 1, true, saturates});
            forms.push_back({bits(), bits(), "s32", n, {}, {}, in_registers});
        }
    return forms;
}
inline std::vector<form> every_layout() {
    std::vector<form> forms;
    for (unsigned const of_a : {0u, 32u, 64u, 128u})
        for (unsigned const of_b : {0u, 32u, 64u, 128u}) {
            layout const a{false, of_a}, b{false, of_b};
            forms.push_back({floats()[2], floats()[2], "f32", 32, a, b});
            forms.push_back({small_floats()[0], small_floats()[0], "f32", 32, a, b});
            forms.push_back({bytes()[0], bytes()[0], "s32", 32, a, b});
            forms.push_back({bits(), bits(), "s32", 32, a, b});
            for (bool const a_across : {false, true})
                for (bool const b_across : {false, true})
                    forms.push_back({floats()[1], floats()[1], "f32", 72, {a_across, of_a}, {b_across, of_b}});
        }
    for (unsigned const of_b : {0u, 32u, 64u, 128u}) // alone has a layout when a is in registers
        forms.push_back({floats()[0], floats()[0], "f32", 256, {}, {true, of_b}, true});
    return forms;
}
// Patterns of swizzles that do not begin at a multiple of their size.
inline std::vector<form> every_base_offset() {
    std::vector<form> forms;
    for (std::uint32_t const rows_of_128 : {1u, 3u, 6u})
        for (bool const across : {false, true})
            for (unsigned const swizzle : {32u, 64u, 128u}) {
                layout const shifted{across, swizzle, rows_of_128 * 128};
                forms.push_back({floats()[0], floats()[0], "f32", 64, shifted, shifted});
            }
    return forms;
}
inline std::vector<form> every_scale() {
    std::vector<form> forms;
    for (int const scale_a : {1, -1})
        for (int const scale_b : {1, -1})
            for (bool const adds : {false, true})
                for (bool const in_registers : {false, true})
                    forms.push_back(
                        {floats()[0], floats()[0], "f32", 16, {}, {}, in_registers, scale_a, scale_b, adds});
    forms.push_back({bytes()[0], bytes()[1], "s32", 16, {}, {}, false, 1, 1, false});
    forms.push_back({bits(), bits(), "s32", 16, {}, {}, true, 1, 1, false});
    forms.push_back({small_floats()[1], small_floats()[0], "f16", 16, {}, {}, true, -1, 1, false});
    return forms;
}

} // namespace wgmma_forms

#endif // GPUPROF_TESTS_SUPPORT_WGMMA_FORMS_HPP
