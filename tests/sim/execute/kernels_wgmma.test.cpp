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
        // Atoms follow each other along the bytes of a row by `next`, and every 8 rows by `down`: with gaps, where that is free.
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
                put_bits(shared, start + offset, k * type_.bits % 8, type_.encode(at(line, k)));
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
    void put_bits(std::vector<std::uint8_t>& shared, std::uint64_t at, std::size_t bit, std::uint32_t value) const {
        if (type_.bits < 8) shared.at(at) = static_cast<std::uint8_t>(shared[at] | value << bit);
        for (unsigned i = 0; i < type_.bits / 8; ++i) shared.at(at + i) = static_cast<std::uint8_t>(value >> 8 * i);
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
    std::string text =
        ".version 8.5\n.target sm_90a\n.address_size 64\n"
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
    std::string text = "wgmma.mma_async.sync.aligned.m64n" + std::to_string(f.n) + "k" + std::to_string(f.k()) + "." +
                       f.sums + "." + f.a.name + "." + f.b.name + (f.a.bits == 1 ? ".and.popc" : "") +
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
        return static_cast<std::uint32_t>(f.saturates ? std::clamp<std::int64_t>(whole, -2147483648ll, 2147483647ll)
                                                      : whole);
    };
    std::vector<std::uint32_t> c(threads * f.registers()), expected(c.size());
    for (std::size_t thread = 0; thread < threads; ++thread)
        for (std::size_t value = 0; value < values; ++value) {
            auto const [row, column] = place_of(thread, value);
            double sum = added(thread, value);
            for (std::size_t k = 0; k < f.k(); ++k)
                sum += static_cast<double>(a.at(row, k)) * b.at(column, k) * f.scale_a * f.scale_b;
            std::size_t const packed = f.sums == "f16" ? 2 : 1, at = thread * f.registers() + value / packed;
            c[at] |= encode(f.adds ? added(thread, value) : 77)
                     << 16 * (value % packed); // not looked at, or a NaN would do
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

TEST_CASE("wgmma multiplies every type, a from memory and from registers") {
    for (bool const in_registers : {false, true})
        for (std::size_t const n : {8u, 24u}) {
            for (factor const& type : {f16, bf16, tf32}) check({type, type, "f32", n, {}, {}, in_registers});
            for (factor const& a : {e4m3, e5m2})
                for (factor const& b : {e4m3, e5m2})
                    for (char const* const sums : {"f32", "f16"}) check({a, b, sums, n, {}, {}, in_registers});
            check({f16, f16, "f16", n, {}, {}, in_registers});
            for (factor const& a : {s8, u8})
                for (factor const& b : {s8, u8})
                    for (bool const saturates : {false, true})
                        check({a, b, "s32", n, {}, {}, in_registers, 1, 1, true, saturates});
            check({b1, b1, "s32", n, {}, {}, in_registers});
        }
}

TEST_CASE("wgmma reads every layout of shared memory") {
    for (unsigned const swizzle_a : {0u, 32u, 64u, 128u})
        for (unsigned const swizzle_b : {0u, 32u, 64u, 128u}) {
            for (factor const& type : {tf32, e4m3, s8, b1})
                check({type,
                       type,
                       type.bits == 8 && type.least == -128 || type.bits == 1 ? "s32" : "f32",
                       32,
                       {false, swizzle_a},
                       {false, swizzle_b}});
            for (bool const across_a : {false, true})
                for (bool const across_b : {false, true})
                    check({bf16, bf16, "f32", 72, {across_a, swizzle_a}, {across_b, swizzle_b}});
        }
    // b alone has a layout when a is in registers.
    for (unsigned const swizzle : {0u, 32u, 64u, 128u}) check({f16, f16, "f32", 256, {}, {true, swizzle}, true});
}

TEST_CASE("a matrix whose swizzle does not begin at a multiple of its size says so by the base offset") {
    for (std::uint32_t const rows_of_128 : {1u, 3u, 6u})
        for (bool const across : {false, true})
            for (unsigned const swizzle : {32u, 64u, 128u}) {
                layout const shifted{across, swizzle, rows_of_128 * 128};
                check({f16, f16, "f32", 64, shifted, shifted});
            }
}

TEST_CASE("wgmma negates factors and leaves sums out") {
    for (int const scale_a : {1, -1})
        for (int const scale_b : {1, -1})
            for (bool const adds : {false, true})
                for (bool const in_registers : {false, true})
                    check({f16, f16, "f32", 16, {}, {}, in_registers, scale_a, scale_b, adds});
    check({s8, u8, "s32", 16, {}, {}, false, 1, 1, false});
    check({b1, b1, "s32", 16, {}, {}, true, 1, 1, false});
    check({e5m2, e4m3, "f16", 16, {}, {}, true, -1, 1, false});
}

namespace {
// A product of halves by 8 columns, and what another kernel body makes of it.
struct small_product {
    form f{f16, f16, "f32", 8};
    operand a{f16, rows, 16, 1, {}}, b{f16, 8, 16, 2, {}};
    std::vector<std::uint8_t> shared = std::vector<std::uint8_t>(room);
    std::uint64_t da = a.put(shared, 0), db = b.put(shared, room / 2);

    sim::launch_result launch(machine& m, std::uint64_t of_a, std::uint32_t block) {
        auto const in = m.array(shared);
        auto const words = m.zeros<std::uint32_t>(block * 4);
        auto const results = m.zeros<float>(block * 4);
        auto done = m.launch("k", {1}, {block}, arguments{in, words, words, results, of_a, db, 0});
        out = results.values();
        return done;
    }
    std::vector<float> out;
};
} // namespace

TEST_CASE("products of a warpgroup are counted by types and take the matrix pipelines their time") {
    constexpr unsigned rounds = 240;
    form const f{bf16, bf16, "f32", 256};
    std::string const loop = "mov.u32 i, 0;\nmore: " + instruction(f) + "add.u32 i, i, 1; setp.lt.u32 q, i, " +
                             std::to_string(rounds) + ";  @q bra more;\n";
    machine m{ptx_text{kernel(f.registers(), before + loop + after)}};
    auto const in = m.array(std::vector<std::uint8_t>(room));
    auto const words = m.zeros<std::uint32_t>(threads * f.registers());
    m.run("k", {1}, {threads}, arguments{in, words, words, words, std::uint64_t{0}, std::uint64_t{0}, 0});
    CHECK(m.counted[raw_counter::inst_tensor_gmma] == rounds * 4); // warps
    CHECK(m.counted[raw_counter::inst_pipe_tensor] == rounds * 4);
    CHECK(m.counted[raw_counter::gmma_ops_bf16] == rounds * 2 * 64 * 256 * 16);
    CHECK(m.counted[raw_counter::tensor_ops_bf16] == 0);
    CHECK(m.counted[raw_counter::gmma_ops_fp16] == 0);
    CHECK(2 * m.counted[raw_counter::gmma_cycle_pairs_float] == rounds * 4 * 256); // of four pipelines
    CHECK(m.counted[raw_counter::gmma_cycle_pairs_integer] == 0);
    CHECK(m.counted[raw_counter::inst_shared_ld] == 0); // matrices are not read by loads
    CHECK(m.counted[raw_counter::sm_cycles_elapsed] >= rounds * 256);
}

TEST_CASE("who waits for a product may overwrite its operands, whichever warp comes first") {
    // The last warp waits for the product, then clears a and b; others come to the product late.
    small_product p;
    for (int const first : {0, 3}) {
        std::string const late =
            "shr.u32 x, t, 5; setp.eq.u32 q, x, " + std::to_string(first) +
            "; @q bra go; mov.u32 i, 0; turn: add.u32 i, i, 1; setp.lt.u32 q, i, 20000; @q bra turn; go:\n";
        std::string const clear =
            "setp.ne.u32 q, x, " + std::to_string(first) +
            "; @q bra done; mov.u32 s, tile; mov.u32 i, 0; mov.u32 y, 0;\n"
            "clear: st.shared.u32 [s], y; add.u32 s, s, 4; add.u32 i, i, 4; setp.lt.u32 q, i, 65536; "
            "@q bra clear; done:\n";
        machine m{ptx_text{kernel(4, late + before + instruction(p.f) + after + clear)}};
        auto const done = p.launch(m, p.da, threads);
        REQUIRE(!done.error);
        for (std::size_t thread = 0; thread < threads; ++thread)
            for (std::size_t value = 0; value < 4; ++value) {
                auto const [row, column] = place_of(thread, value);
                int sum = 0;
                for (std::size_t k = 0; k < 16; ++k) sum += p.a.at(row, k) * p.b.at(column, k);
                REQUIRE(p.out[thread * 4 + value] == static_cast<float>(sum));
            }
    }
}

TEST_CASE("wgmma without its four warps, or with a matrix outside of shared memory, stops the kernel") {
    small_product p;
    std::string const whole = kernel(4, before + instruction(p.f) + after);
    {
        machine m{ptx_text{whole}};
        auto const done = p.launch(m, p.da, 96);
        REQUIRE(done.error);
        CHECK(done.error->kind == launch_failure::divergent_barrier);
    }
    {
        machine m{ptx_text{whole}};
        auto const done = p.launch(m, p.da | 0x3fff, threads); // 262128
        REQUIRE(done.error);
        CHECK(done.error->kind == launch_failure::illegal_address);
        CHECK(done.error->message().find("descriptor") != std::string::npos);
    }
    { // one warp leaves before
        machine m{ptx_text{kernel(4, "setp.lt.u32 q, t, 32; @q bra leave;\n" + std::string{before} + instruction(p.f) +
                                         after + "leave:\n")}};
        auto const done = p.launch(m, p.da, threads);
        REQUIRE(done.error);
        CHECK(done.error->kind == launch_failure::divergent_barrier);
    }
    { // a lane does
        machine m{ptx_text{kernel(4, "setp.eq.u32 q, t, 5; @q bra leave;\n" + std::string{before} + instruction(p.f) +
                                         after + "leave:\n")}};
        auto const done = p.launch(m, p.da, threads);
        REQUIRE(done.error);
        CHECK(done.error->kind == launch_failure::divergent_barrier);
    }
}

TEST_CASE("forms that wgmma does not have are refused") {
    auto const refused = [](std::string const& line) {
        machine m{ptx_text{kernel(4, line)}};
        auto const& fault = m.program.find_kernel("k")->fault;
        return fault.has_value();
    };
    CHECK(!refused("wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {d0, d1, d2, d3}, rd0, rd1, p, 1, 1, 0, 0;\n"));
    CHECK(refused(
        "wgmma.mma_async.sp.sync.aligned.m64n8k32.f32.f16.f16 {d0, d1, d2, d3}, rd0, rd1, x, 0, p, 1, 1, 0, 0;\n"));
    CHECK(refused("wgmma.mma_async.sync.aligned.m64n40k32.s32.s8.s8 " + list("d", 20) + ", rd0, rd1, p;\n"));
    CHECK(refused("wgmma.mma_async.sync.aligned.m64n8k8.f32.f16.f16 {d0, d1, d2, d3}, rd0, rd1, p, 1, 1, 0, 0;\n"));
    CHECK(refused("wgmma.mma_async.sync.aligned.m64n8k16.f16.bf16.bf16 {d0, d1}, rd0, rd1, p, 1, 1, 0, 0;\n"));
}

} // namespace kernels_wgmma_test
