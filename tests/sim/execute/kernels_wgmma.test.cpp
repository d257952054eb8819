// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// wgmma: every type, shape, layout and scale against a plain product. Elements are small whole numbers, so that every
// sum is exact. Matrices are put into shared memory by the layouts of the PTX ISA as it draws them, tile by tile.
#include <algorithm>
#include <bit>
#include <cstring>
#include <string>

#include "sim/ops/float_format.hpp"

#include "support/kernel_fixture.hpp"

namespace kernels_wgmma_test {

using namespace gpuprof_test;
using sim::launch_failure;
using sim::raw_counter;

namespace {

constexpr std::size_t rows = 64;
constexpr std::size_t room = 65536; // of shared memory
constexpr std::size_t threads = 128;

struct factor {
    char const* name;
    unsigned bits;
    int least, most;
    std::uint32_t (*encode)(int);
};
constexpr factor f16{"f16", 16, -9, 9, [](int x) { return std::uint32_t{sim::narrow(x, sim::f16_format)}; }};
constexpr factor bf16{"bf16", 16, -9, 9, [](int x) { return std::uint32_t{sim::narrow(x, sim::bf16_format)}; }};
constexpr factor tf32{"tf32", 32, -9, 9, // with bits that tf32 does not have
                      [](int x) { return std::bit_cast<std::uint32_t>(static_cast<float>(x)) | 0xfff; }};
// 4 + 3 and 5 + 2 bits after the sign; whole numbers up to 8 and 4 have all they need.
template <int Mantissa, int Bias>
std::uint32_t small_float(int x) {
    if (x == 0) return 0;
    auto const size = static_cast<unsigned>(x < 0 ? -x : x);
    int const exponent = std::bit_width(size) - 1;
    unsigned const mantissa = (size << Mantissa >> exponent) & ((1u << Mantissa) - 1);
    return (x < 0 ? 0x80u : 0u) | static_cast<unsigned>(exponent + Bias) << Mantissa | mantissa;
}
constexpr factor e4m3{"e4m3", 8, -8, 8, small_float<3, 7>};
constexpr factor e5m2{"e5m2", 8, -4, 4, small_float<2, 15>};
constexpr factor s8{"s8", 8, -128, 127, [](int x) { return static_cast<std::uint32_t>(x & 0xff); }};
constexpr factor u8{"u8", 8, 0, 255, [](int x) { return static_cast<std::uint32_t>(x); }};
constexpr factor b1{"b1", 1, 0, 1, [](int x) { return static_cast<std::uint32_t>(x); }};

// How an operand lies in shared memory.
struct layout {
    bool across = false;     // elements along k are no neighbours
    unsigned swizzle = 0;    // bytes
    std::uint32_t shift = 0; // bytes that it begins behind a multiple of its pattern
};

// Lines (rows of a, columns of b) by k, and the descriptor of where they are.
class operand {
public:
    operand(factor const& type, std::size_t lines, std::size_t k, unsigned seed, layout how)
        : type_{type}, lines_{lines}, k_{k}, how_{how}, values_(lines * k) {
        std::uint32_t state = seed;
        for (auto& v : values_) {
            state = state * 1664525u + 1013904223u;
            v = type.least + static_cast<int>(state >> 8) % (type.most - type.least + 1);
        }
    }
    [[nodiscard]] int at(std::size_t line, std::size_t k) const { return values_[line * k_ + k]; }

    // Writes the matrix at `begin`, a multiple of 1024, and says how: the descriptor without the address of shared memory.
    std::uint64_t put(std::vector<std::uint8_t>& shared, std::uint32_t begin) const {
        std::uint32_t const start = begin + how_.shift;
        std::uint32_t const width = how_.swizzle == 0 ? 16 : how_.swizzle; // of an atom, whose height is 8
        std::uint32_t const atom = 8 * width;
        std::uint64_t leading = 0, stride = 0;
        if (!how_.across) {
            stride = atom + 512 * (how_.swizzle == 0); // groups of 8 lines, with gaps where that shows
            leading = how_.swizzle == 0 ? 256 : 16;    // the other 16 bytes of the 8 lines
            if (how_.swizzle == 0) leading = 128, stride = 256 + 32;
        } else {
            std::uint64_t const atoms = (lines_ * 2 + width - 1) / width; // side by side, in rows of 8 along k
            leading = how_.swizzle == 0 ? atoms * atom + 64 : atom;
            stride = how_.swizzle == 0 ? atom : atoms * atom;
        }
        for (std::size_t line = 0; line < lines_; ++line)
            for (std::size_t k = 0; k < k_; ++k) {
                std::size_t const along = how_.across ? line : k, other = how_.across ? k : line;
                std::size_t const byte = along * type_.bits / 8;
                std::size_t const column = byte / width, in_row = byte % width;
                std::uint64_t const next = how_.across ? (how_.swizzle == 0 ? stride : leading) : leading;
                std::uint64_t const down = how_.across ? (how_.swizzle == 0 ? leading : stride) : stride;
                std::uint64_t offset = column * next + other / 8 * down + other % 8 * width + in_row;
                // The pieces of 16 bytes change places within a row of the swizzle's width: of 128 bytes, by the row of
                // the pattern they are in; of fewer, by that of 128 bytes.
                if (how_.swizzle != 0)
                    offset ^= (offset / 128 % (how_.swizzle / 16)) * 16;
                put_bits(shared, start + offset, byte, k * type_.bits % 8, type_.encode(at(line, k)));
            }
        std::uint64_t const mode = how_.swizzle == 128 ? 1 : how_.swizzle == 64 ? 2 : how_.swizzle == 32 ? 3 : 0;
        std::uint64_t const base = how_.swizzle == 0 ? 0 : start / 128 % 8;
        return start / 16 | leading / 16 << 16 | stride / 16 << 32 | base << 49 | mode << 62;
    }
    // The registers of a's fragment: of each thread, four.
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
    void put_bits(std::vector<std::uint8_t>& shared, std::uint64_t at, std::size_t, std::size_t bit,
                  std::uint32_t value) const {
        REQUIRE(at + 4 < shared.size());
        if (type_.bits < 8) shared[at] = static_cast<std::uint8_t>(shared[at] | value << bit);
        for (unsigned i = 0; i < type_.bits / 8; ++i) shared[at + i] = static_cast<std::uint8_t>(value >> 8 * i);
    }

    factor type_;
    std::size_t lines_, k_;
    layout how_;
    std::vector<int> values_;
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
    [[nodiscard]] std::size_t k() const { return 256 / a.bits; }
    [[nodiscard]] std::size_t registers() const { return sums == "f16" ? n / 4 : n / 2; }
};

std::string list(char const* prefix, std::size_t count) {
    std::string text = "{";
    for (std::size_t i = 0; i < count; ++i) text += (i == 0 ? "" : ", ") + (prefix + std::to_string(i));
    return text + "}";
}
// A kernel of a warpgroup: brings 64 KiB into shared memory and the sums and a's fragment into registers, multiplies as
// `body` says (d: the sums, a: the fragment, rd0, rd1: descriptors, p: whether the sums are added), and stores the sums.
std::string kernel(std::size_t sums, std::string const& body) {
    std::string text = ".version 8.5\n.target sm_90a\n.address_size 64\n"
                       ".visible .entry k(.param .u64 in, .param .u64 fragment, .param .u64 c, .param .u64 out, "
                       ".param .u64 da, .param .u64 db, .param .u32 adds) {\n"
                       ".shared .align 1024 .b8 tile[65536];\n.reg .pred p, q; .reg .b32 t, i, s, x, y, z, u, d<128>, a<4>; "
                       ".reg .b64 rd<8>;\n"
                       "mov.u32 t, %tid.x; mov.u32 s, tile; ld.param.u64 rd2, [in]; mul.wide.u32 rd3, t, 16; add.u64 rd2, "
                       "rd2, rd3; shl.b32 i, t, 4; add.u32 s, s, i;\n"
                       "L: ld.global.v4.b32 {x, y, z, u}, [rd2]; st.shared.v4.b32 [s], {x, y, z, u}; add.u64 rd2, rd2, 2048; "
                       "add.u32 s, s, 2048; add.u32 i, i, 2048; setp.lt.u32 q, i, 65536; @q bra L;\n"
                       "bar.sync 0;\nld.param.u64 rd2, [fragment]; add.u64 rd2, rd2, rd3; ld.global.v4.b32 {a0, a1, a2, a3}, "
                       "[rd2];\nld.param.u64 rd2, [c]; ld.param.u64 rd4, [out]; mul.wide.u32 rd3, t, " +
                       std::to_string(4 * sums) + "; add.u64 rd2, rd2, rd3; add.u64 rd4, rd4, rd3;\n";
    for (std::size_t i = 0; i < sums; ++i)
        text += "ld.global.b32 d" + std::to_string(i) + ", [rd2+" + std::to_string(4 * i) + "];\n";
    text += "ld.param.u64 rd0, [da]; ld.param.u64 rd1, [db]; ld.param.u32 x, [adds]; setp.ne.b32 p, x, 0;\n" + body;
    for (std::size_t i = 0; i < sums; ++i)
        text += "st.global.b32 [rd4+" + std::to_string(4 * i) + "], d" + std::to_string(i) + ";\n";
    return text + "ret;\n}\n";
}
std::string instruction(form const& f) {
    bool const integers = f.sums == "s32";
    std::string text = "wgmma.mma_async.sync.aligned.m64n" + std::to_string(f.n) + "k" + std::to_string(f.k()) + "." + f.sums +
                       "." + f.a.name + "." + f.b.name + (f.a.bits == 1 ? ".and.popc" : "") +
                       (f.saturates ? ".satfinite " : " ") + list("d", f.registers()) + ", " +
                       (f.a_in_registers ? list("a", 4) : "rd0") + ", rd1, p";
    if (!integers) text += ", " + std::to_string(f.scale_a) + ", " + std::to_string(f.scale_b);
    if (f.a.bits == 16) {
        if (!f.a_in_registers) text += f.of_a.across ? ", 1" : ", 0";
        text += f.of_b.across ? ", 1" : ", 0";
    }
    return text + ";\n";
}
constexpr char const* before = "wgmma.fence.sync.aligned;\n";
constexpr char const* after = "wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;\n";

// Where thread and number of the value put it among the sums: PTX ISA, "Matrix Fragments for wgmma".
struct spot {
    std::size_t row, column;
};
spot place_of(std::size_t thread, std::size_t value) {
    return {thread / 32 * 16 + thread % 32 / 4 + value / 2 % 2 * 8, value / 4 * 8 + thread % 4 * 2 + value % 2};
}

// Runs the form and compares all sums. What is added is small, but of `saturates` near the end of the range.
void check(form const& f) {
    INFO(instruction(f), f.of_a.swizzle, ' ', f.of_b.swizzle);
    operand const a{f.a, rows, f.k(), 1, f.of_a}, b{f.b, f.n, f.k(), 2, f.of_b};
    std::vector<std::uint8_t> shared(room);
    std::uint64_t const da = a.put(shared, 0), db = b.put(shared, room / 2);
    std::size_t const values = f.n / 2; // of a thread
    auto const added = [&](std::size_t thread, std::size_t value) {
        int const small = static_cast<int>((thread * 5 + value * 3) % 17) - 8;
        return !f.adds ? 0 : !f.saturates ? small : small < 0 ? -2147483647 : 2147483640;
    };
    auto const encode = [&](double x) -> std::uint32_t {
        if (f.sums == "f32") return std::bit_cast<std::uint32_t>(static_cast<float>(x));
        if (f.sums == "f16") return sim::narrow(x, sim::f16_format);
        auto const whole = static_cast<std::int64_t>(x);
        return static_cast<std::uint32_t>(f.saturates ? std::clamp<std::int64_t>(whole, -2147483648ll, 2147483647ll) : whole);
    };
    std::vector<std::uint32_t> c(threads * f.registers()), expected(c.size());
    for (std::size_t thread = 0; thread < threads; ++thread)
        for (std::size_t value = 0; value < values; ++value) {
            auto const [row, column] = place_of(thread, value);
            double sum = added(thread, value);
            for (std::size_t k = 0; k < f.k(); ++k)
                sum += static_cast<double>(a.at(row, k)) * b.at(column, k) * f.scale_a * f.scale_b;
            std::size_t const packed = f.sums == "f16" ? 2 : 1, at = thread * f.registers() + value / packed;
            c[at] |= encode(f.adds ? added(thread, value) : 77) << 16 * (value % packed); // not looked at, or a NaN would do
            expected[at] |= encode(sum) << 16 * (value % packed);
        }
    machine m{ptx_text{kernel(f.registers(), before + instruction(f) + after)}};
    auto const in = m.array(shared);
    auto const fragment = m.array(a.fragment());
    auto const dc = m.array(c);
    auto const out = m.zeros<std::uint32_t>(c.size());
    m.run("k", {1}, {threads}, arguments{in, fragment, dc, out, da, db, static_cast<int>(f.adds)});
    CHECK(out.values() == expected);
}

} // namespace

TEST_CASE("wgmma multiplies matrices of shared memory, all widths of halves and bfloat16") {
    for (std::size_t n = 8; n <= 256; n += 8) check({n % 16 == 0 ? f16 : bf16, n % 16 == 0 ? f16 : bf16, "f32", n});
}

} // namespace kernels_wgmma_test
