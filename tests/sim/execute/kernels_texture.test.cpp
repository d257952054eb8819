// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Textures and surfaces: what the appendix "Texture Fetching" of the CUDA C++ programming guide says, written down here anew
// with coordinates where the embedded GPU works with texels.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include "sim/texture/object.hpp"

#include "support/kernel_fixture.hpp"

namespace kernels_texture_test {

using namespace gpuprof_test;
using sim::address_mode;
using sim::texture_object;

namespace {

constexpr std::size_t n = 256;
constexpr sim::extent3 grid{2};
constexpr sim::extent3 block{128};

// Each thread i reads four 32-bit words at 16 * i of `in`, executes `code` on %f1 … %f4 (or %r1 … %r4: the same bits), and writes
// %f5 … %f8 to 16 * i of `out`.
std::string kernel(std::string const& code) {
    return R"(.version 7.8
.target sm_80
.address_size 64
.visible .entry fetch(.param .u64 object, .param .u64 in, .param .u64 out) {
    .reg .f32 %f<16>;
    .reg .b32 %r<16>;
    .reg .b16 %h<8>;
    .reg .b64 %rd<8>;
    ld.param.u64 %rd1, [object];
    ld.param.u64 %rd2, [in];
    ld.param.u64 %rd3, [out];
    mov.u32 %r9, %ctaid.x;
    mov.u32 %r10, %ntid.x;
    mov.u32 %r11, %tid.x;
    mad.lo.s32 %r9, %r9, %r10, %r11;
    mul.wide.u32 %rd4, %r9, 16;
    add.s64 %rd2, %rd2, %rd4;
    add.s64 %rd3, %rd3, %rd4;
    ld.global.v4.f32 {%f1, %f2, %f3, %f4}, [%rd2];
    mov.b32 %r1, %f1;
    mov.b32 %r2, %f2;
    mov.b32 %r3, %f3;
    mov.b32 %r4, %f4;
    )" + code +
           R"(
    st.global.v4.f32 [%rd3], {%f5, %f6, %f7, %f8};
    ret;
}
)";
}

using words = std::array<std::uint32_t, 4>;
words floats(float x, float y = 0, float z = 0, float w = 0) {
    return {std::bit_cast<std::uint32_t>(x), std::bit_cast<std::uint32_t>(y), std::bit_cast<std::uint32_t>(z),
            std::bit_cast<std::uint32_t>(w)};
}
float number(std::uint32_t bits) { return std::bit_cast<float>(bits); }

struct textured {
    explicit textured(std::string const& code) : m{ptx_text{kernel(code)}} {}

    // An object for texels of T that lie in plain rows.
    template <class T>
    std::uint64_t object(std::vector<T> const& texels, texture_object of) {
        auto const data = m.memory.allocate(texels.size() * sizeof(T)).value();
        std::memcpy(m.memory.translate(data, texels.size() * sizeof(T)), texels.data(), texels.size() * sizeof(T));
        of.address = data;
        of.row = std::uint64_t{of.size[0]} * of.texel_bytes();
        of.slice = of.row * of.size[1];
        texels_at = data;
        auto const at = m.memory.allocate(sizeof of, 512, sim::device_memory::area::constant).value();
        std::memcpy(m.memory.translate(at, sizeof of), &of, sizeof of);
        return at;
    }
    std::vector<words> run(std::uint64_t object, std::vector<words> in) {
        in.resize(n);
        auto const given = m.array(in);
        auto const got = m.array(std::vector<words>(n));
        m.run("fetch", grid, block, arguments{object, given, got});
        return got.values();
    }
    sim::launch_failure fail(std::uint64_t object, std::vector<words> in) {
        in.resize(n);
        auto const given = m.array(in);
        auto const got = m.array(std::vector<words>(n));
        auto const done = m.launch("fetch", grid, block, arguments{object, given, got});
        REQUIRE(done.error);
        message = done.error->message();
        return done.error->kind;
    }
    machine m;
    std::uint64_t texels_at = 0;
    std::string message;
};

constexpr char fetch_1d[] = "tex.1d.v4.f32.f32 {%f5, %f6, %f7, %f8}, [%rd1, {%f1}];";
constexpr char fetch_2d[] = "tex.2d.v4.f32.f32 {%f5, %f6, %f7, %f8}, [%rd1, {%f1, %f2}];";
constexpr char fetch_3d[] = "tex.3d.v4.f32.f32 {%f5, %f6, %f7, %f8}, [%rd1, {%f1, %f2, %f3, %f3}];";

texture_object texture(std::uint32_t width, std::uint32_t height = 0, std::uint32_t depth = 0) {
    texture_object of;
    of.size = {width, std::max(height, 1u), std::max(depth, 1u)};
    of.dimensions = static_cast<std::uint8_t>(depth != 0 ? 3 : height != 0 ? 2 : 1);
    return of;
}

double frac(double x) { return x - std::floor(x); }

// The guide's addressing of a coordinate that is not normalised, in [0, N) afterwards; less than zero: the border.
double addressed(double x, double size, address_mode mode) {
    switch (mode) {
        case address_mode::clamp: return x < 0 ? 0 : std::min(x, size - 1);
        case address_mode::border: return x < 0 || x >= size ? -1 : x;
        case address_mode::wrap: return frac(x / size) * size;
        case address_mode::mirror:
            return (static_cast<long>(std::floor(x / size)) % 2 == 0 ? frac(x / size) : 1 - frac(x / size)) * size;
    }
    return x;
}
// T[i] for an index that may lie one beyond: the texel that a coordinate in its middle has.
double texel(std::vector<float> const& t, double i, address_mode mode) {
    auto const size = static_cast<double>(t.size());
    double const x = addressed(i + 0.5, size, mode);
    return x < 0 ? 0.0 : double{t[static_cast<std::size_t>(std::min(x, size - 1))]};
}
double fixed_point(double a) { return std::floor(a * 256 + 0.5) / 256; } // 9 bits, 8 of them of fraction

} // namespace

TEST_CASE("a one-dimensional texture without filtering, in every address mode") {
    auto const t = spread<float>(16, -1, 1);
    for (auto const mode : {address_mode::wrap, address_mode::clamp, address_mode::mirror, address_mode::border}) {
        CAPTURE(static_cast<int>(mode));
        textured machine{fetch_1d};
        auto of = texture(16);
        of.modes[0] = mode;
        of.is_normalized = true;
        std::vector<words> in;
        for (std::size_t i = 0; i < n; ++i) in.push_back(floats((static_cast<float>(i) - 128) / 51.0f + 0.0078125f));
        auto const got = machine.run(machine.object(t, of), in);
        for (std::size_t i = 0; i < n; ++i) {
            double const x = addressed(double{number(in[i][0])} * 16, 16, mode);
            float const expected = x < 0 ? 0.0f : t[static_cast<std::size_t>(std::min(x, 15.0))];
            REQUIRE(number(got[i][0]) == expected);
        }
    }
}

TEST_CASE("wrap and mirror of coordinates that are not normalised are clamp") {
    auto const t = spread<float>(8, -1, 1);
    for (auto const mode : {address_mode::wrap, address_mode::mirror}) {
        textured machine{fetch_1d};
        auto of = texture(8);
        of.modes[0] = mode;
        auto const got =
            machine.run(machine.object(t, of), {floats(-3.5f), floats(2.25f), floats(8.0f), floats(100.0f)});
        CHECK(number(got[0][0]) == t[0]);
        CHECK(number(got[1][0]) == t[2]);
        CHECK(number(got[2][0]) == t[7]);
        CHECK(number(got[3][0]) == t[7]);
    }
}

TEST_CASE("linear filtering in one dimension weighs with 8 bits of fraction") {
    auto const t = spread<float>(16, -10, 10);
    for (auto const mode : {address_mode::wrap, address_mode::clamp, address_mode::mirror, address_mode::border})
        for (bool const normalized : {true, false}) {
            if (!normalized && (mode == address_mode::wrap || mode == address_mode::mirror)) continue;
            CAPTURE(static_cast<int>(mode));
            textured machine{fetch_1d};
            auto of = texture(16);
            of.modes[0] = mode;
            of.filters = true;
            of.is_normalized = normalized;
            std::vector<words> in;
            for (std::size_t i = 0; i < n; ++i)
                in.push_back(floats((static_cast<float>(i) - 100) / (normalized ? 80.0f : 5.0f)));
            auto const got = machine.run(machine.object(t, of), in);
            for (std::size_t i = 0; i < n; ++i) {
                double const xb = double{number(in[i][0])} * (normalized ? 16 : 1) - 0.5;
                double const a = fixed_point(frac(xb));
                double const expected =
                    (1 - a) * texel(t, std::floor(xb), mode) + a * texel(t, std::floor(xb) + 1, mode);
                REQUIRE(number(got[i][0]) == static_cast<float>(expected));
            }
        }
}

TEST_CASE("linear filtering in two and three dimensions") {
    constexpr unsigned w = 6, h = 5, d = 4;
    auto const t = spread<float>(w * h * d, 0, 1);
    for (unsigned dimensions : {2u, 3u}) {
        CAPTURE(dimensions);
        textured machine{dimensions == 2 ? fetch_2d : fetch_3d};
        auto of = dimensions == 2 ? texture(w, h) : texture(w, h, d);
        of.filters = true;
        auto const x = spread<float>(n, -1, w + 1, 2), y = spread<float>(n, -1, h + 1, 3),
                   z = spread<float>(n, -1, d + 1, 4);
        std::vector<words> in;
        for (std::size_t i = 0; i < n; ++i) in.push_back(floats(x[i], y[i], z[i]));
        auto const got = machine.run(machine.object(t, of), in);
        auto const at = [&](double i, double j, double k) {
            auto const clamped = [](double v, double size) {
                return static_cast<std::size_t>(std::clamp(v, 0.0, size - 1));
            };
            return double{t[(clamped(k, d) * h + clamped(j, h)) * w + clamped(i, w)]};
        };
        for (std::size_t i = 0; i < n; ++i) {
            double const xb = double{x[i]} - 0.5, yb = double{y[i]} - 0.5, zb = double{z[i]} - 0.5;
            double const a = fixed_point(frac(xb)), b = fixed_point(frac(yb)), c = fixed_point(frac(zb));
            double const p = std::floor(xb), q = std::floor(yb), r = std::floor(zb);
            auto const plane = [&](double k) { // the guide's formula of two dimensions
                return (1 - a) * (1 - b) * at(p, q, k) + a * (1 - b) * at(p + 1, q, k) + (1 - a) * b * at(p, q + 1, k) +
                       a * b * at(p + 1, q + 1, k);
            };
            double const expected = dimensions == 2 ? plane(0) : (1 - c) * plane(r) + c * plane(r + 1);
            REQUIRE(double{number(got[i][0])} == doctest::Approx(expected).epsilon(1e-6));
        }
    }
}

TEST_CASE("integers are read as they are, or as numbers from 0 or -1 to 1") {
    std::vector<std::uint8_t> const unsigned_texels{0, 1, 127, 128, 200, 255, 7, 9};
    std::vector<std::int8_t> const signed_texels{-128, -127, -1, 0, 1, 64, 126, 127};
    std::vector<words> in;
    for (int i = 0; i < 8; ++i) in.push_back(floats(static_cast<float>(i) + 0.5f));
    auto of = texture(8);
    of.format = sim::channel_format::u8;
    of.reads_normalized = true;
    {
        textured machine{fetch_1d};
        auto const got = machine.run(machine.object(unsigned_texels, of), in);
        for (std::size_t i = 0; i < 8; ++i) CHECK(number(got[i][0]) == static_cast<float>(unsigned_texels[i] / 255.0));
    }
    of.format = sim::channel_format::s8;
    {
        textured machine{fetch_1d};
        auto const got = machine.run(machine.object(signed_texels, of), in);
        for (std::size_t i = 0; i < 8; ++i)
            CHECK(number(got[i][0]) == static_cast<float>(std::max(signed_texels[i] / 127.0, -1.0)));
    }
    of.reads_normalized = false;
    {
        textured machine{"tex.1d.v4.s32.f32 {%r5, %r6, %r7, %r8}, [%rd1, {%f1}]; mov.b32 %f5, %r5;"};
        auto const got = machine.run(machine.object(signed_texels, of), in);
        for (std::size_t i = 0; i < 8; ++i) CHECK(static_cast<std::int32_t>(got[i][0]) == signed_texels[i]);
    }
}

TEST_CASE("texels of four channels, and of half precision") {
    auto const t = spread<float>(4 * 4, -1, 1);
    textured machine{fetch_2d};
    auto of = texture(2, 2);
    of.channels = 4;
    auto const got = machine.run(machine.object(t, of), {floats(0.5f, 0.5f), floats(1.5f, 0.5f), floats(1.5f, 1.5f)});
    for (std::size_t c = 0; c < 4; ++c) {
        CHECK(number(got[0][c]) == t[c]);
        CHECK(number(got[1][c]) == t[4 + c]);
        CHECK(number(got[2][c]) == t[12 + c]);
    }
    textured halves{fetch_1d};
    auto narrow = texture(3);
    narrow.format = sim::channel_format::f16;
    auto const read = halves.run(halves.object(std::vector<std::uint16_t>{0x3c00, 0xc000, 0x3555}, narrow),
                                 {floats(0.5f), floats(1.5f), floats(2.5f)});
    CHECK(number(read[0][0]) == 1.0f);
    CHECK(number(read[1][0]) == -2.0f);
    CHECK(number(read[2][0]) == 0.333251953125f);
}

TEST_CASE("linear memory is read by index, and beyond it there is zero") {
    auto const t = spread<float>(10, -1, 1);
    textured machine{"tex.1d.v4.f32.s32 {%f5, %f6, %f7, %f8}, [%rd1, {%r1}];"};
    auto of = texture(10);
    of.is_linear = true;
    of.filters = true; // has no meaning there
    auto const got = machine.run(machine.object(t, of), {{0}, {9}, {10}, {~0u}, {5}});
    CHECK(number(got[0][0]) == t[0]);
    CHECK(number(got[1][0]) == t[9]);
    CHECK(got[2][0] == 0);
    CHECK(got[3][0] == 0);
    CHECK(number(got[4][0]) == t[5]);
}

TEST_CASE("layers are not filtered, and those beyond are the last one") {
    auto const t = spread<float>(4 * 3 * 5, -1, 1);
    textured machine{"tex.a2d.v4.f32.f32 {%f5, %f6, %f7, %f8}, [%rd1, {%r3, %f1, %f2, %f2}];"};
    auto of = texture(4, 3);
    of.is_layered = true;
    of.layers = 5;
    auto const place = [](float x, float y, std::uint32_t layer) {
        words all = floats(x, y);
        all[2] = layer;
        return all;
    };
    auto const got =
        machine.run(machine.object(t, of), {place(1.5f, 2.5f, 0), place(3.5f, 0.5f, 3), place(0.5f, 1.5f, 9)});
    CHECK(number(got[0][0]) == t[9]);
    CHECK(number(got[1][0]) == t[3 * 12 + 3]);
    CHECK(number(got[2][0]) == t[4 * 12 + 4]);
}

TEST_CASE("a direction chooses the face of a cube") {
    std::vector<float> t; // each face has its number
    for (int face = 0; face < 6; ++face)
        for (int i = 0; i < 4; ++i) t.push_back(static_cast<float>(10 * face + i));
    textured machine{"tex.cube.v4.f32.f32 {%f5, %f6, %f7, %f8}, [%rd1, {%f1, %f2, %f3, %f3}];"};
    auto of = texture(2, 2);
    of.is_cube = true;
    of.layers = 6;
    // The guide's table: at (1, a, b) the face 0 has s = -b, t = -a, and so on; texel (s > 0, t > 0).
    auto const got =
        machine.run(machine.object(t, of), {floats(1, 0.5f, 0.25f), floats(-1, 0.5f, 0.25f), floats(0.5f, 1, 0.25f),
                                            floats(0.5f, -1, 0.25f), floats(0.5f, 0.25f, 1), floats(0.5f, 0.25f, -1)});
    CHECK(number(got[0][0]) == 0 + 0);  // s = -0.25, t = -0.5
    CHECK(number(got[1][0]) == 10 + 1); // s = 0.25, t = -0.5
    CHECK(number(got[2][0]) == 20 + 3); // s = 0.5, t = 0.25
    CHECK(number(got[3][0]) == 30 + 1); // s = 0.5, t = -0.25
    CHECK(number(got[4][0]) == 40 + 1); // s = 0.5, t = -0.25
    CHECK(number(got[5][0]) == 50 + 0); // s = -0.5, t = -0.25
}

TEST_CASE("tld4 gathers counter-clockwise from the lower left") {
    std::vector<float> const t{0, 1, 2, 10, 11, 12, 20, 21, 22};
    textured machine{"tld4.r.2d.v4.f32.f32 {%f5, %f6, %f7, %f8}, [%rd1, {%f1, %f2}];"};
    auto const got = machine.run(machine.object(t, texture(3, 3)), {floats(1.2f, 1.3f), floats(3, 3)});
    // x - 0.5 = 0.7, y - 0.5 = 0.8: texels 0 and 1 in both; y grows downwards
    CHECK(std::array{number(got[0][0]), number(got[0][1]), number(got[0][2]), number(got[0][3])} ==
          std::array{10.0f, 11.0f, 1.0f, 0.0f});
    CHECK(std::array{number(got[1][0]), number(got[1][1]), number(got[1][2]), number(got[1][3])} ==
          std::array{22.0f, 22.0f, 22.0f, 22.0f});
}

TEST_CASE("levels and gradients find the one level that there is, and queries the sizes") {
    auto const t = spread<float>(6, -1, 1);
    textured levels{"tex.level.2d.v4.f32.f32 {%f5, %f6, %f7, %f8}, [%rd1, {%f1, %f2}], %f3;"};
    CHECK(number(levels.run(levels.object(t, texture(3, 2)), {floats(2.5f, 1.5f, 4)})[0][0]) == t[5]);
    textured gradients{"tex.grad.2d.v4.f32.f32 {%f5, %f6, %f7, %f8}, [%rd1, {%f1, %f2}], {%f3, %f3}, {%f4, %f4};"};
    CHECK(number(gradients.run(gradients.object(t, texture(3, 2)), {floats(2.5f, 0.5f, 4, 4)})[0][0]) == t[2]);
    textured queries{"txq.width.b32 %r5, [%rd1]; txq.height.b32 %r6, [%rd1]; mov.b32 %f5, %r5; mov.b32 %f6, %r6;"};
    auto const sizes = queries.run(queries.object(t, texture(3, 2)), {});
    CHECK(sizes[0][0] == 3);
    CHECK(sizes[0][1] == 2);
}

TEST_CASE("surfaces are read and written by bytes, and bounds are what the instruction says") {
    std::vector<std::uint32_t> texels(4 * 3);
    for (std::uint32_t i = 0; i < 12; ++i) texels[i] = 100 + i;
    auto of = texture(4, 3);
    of.format = sim::channel_format::u32;
    of.tag = texture_object::surface_tag;
    std::vector<words> const in{{4, 1}, {0, 2}, {16, 0}, {12, 3}, {~3u, 0}};
    auto const full = [](std::vector<words> some) { return some.resize(n, words{0, 0}), some; };
    {
        textured machine{"suld.b.2d.b32.zero {%r5}, [%rd1, {%r1, %r2}]; mov.b32 %f5, %r5;"};
        auto const got = machine.run(machine.object(texels, of), in);
        CHECK(got[0][0] == 105);
        CHECK(got[1][0] == 108);
        CHECK(got[2][0] == 0);
        CHECK(got[3][0] == 0);
        CHECK(got[4][0] == 0);
    }
    {
        textured machine{"suld.b.2d.v2.b32.clamp {%r5, %r6}, [%rd1, {%r1, %r2}]; mov.b32 %f5, %r5; mov.b32 %f6, %r6;"};
        auto const got = machine.run(machine.object(texels, of), {{8, 0}, {40, 9}, {0, ~0u}});
        CHECK(got[0][0] == 102);
        CHECK(got[0][1] == 103);
        CHECK(got[1][0] == 110);
        CHECK(got[2][0] == 100);
    }
    {
        textured machine{"suld.b.2d.b32.trap {%r5}, [%rd1, {%r1, %r2}];"};
        CHECK(machine.fail(machine.object(texels, of), in) == sim::launch_failure::illegal_address);
        CHECK(machine.message.find("beyond the surface") != std::string::npos);
    }
    {
        textured machine{"sust.b.2d.b32.zero [%rd1, {%r1, %r2}], {%r3}; cvt.u16.u32 %h1, %r4;"
                         "sust.b.2d.b8.zero [%rd1, {%r1, %r2}], {%h1};"};
        auto const object = machine.object(texels, of);
        machine.run(object, full({{4, 1, 0x01020304, 0xff}, {16, 0, 7, 7}, {0, 0, 1, 1}}));
        auto const* const now =
            reinterpret_cast<std::uint32_t const*>(machine.m.memory.translate(machine.texels_at, texels.size() * 4));
        CHECK(now[5] == 0x010203ff);
        CHECK(now[4] == 104);
    }
}

TEST_CASE("what is no object, or one of another kind, stops the kernel") {
    textured machine{fetch_2d};
    auto of = texture(4, 4);
    of.tag = texture_object::surface_tag;
    std::vector<float> const t(16);
    CHECK(machine.fail(machine.object(t, of), {}) == sim::launch_failure::invalid_instruction);
    CHECK(machine.message.find("not that of a texture object") != std::string::npos);
    CHECK(machine.fail(12345, {}) == sim::launch_failure::invalid_instruction);
    CHECK(machine.fail(machine.object(t, texture(16)), {}) == sim::launch_failure::invalid_instruction);
}

TEST_CASE(
    "a fetch is counted as an instruction of the texture pipeline and one request, with the sectors of its texels") {
    textured machine{fetch_1d};
    auto const t = spread<float>(n, -1, 1);
    std::vector<words> in;
    for (std::size_t i = 0; i < n; ++i) in.push_back(floats(static_cast<float>(i) + 0.5f));
    machine.run(machine.object(t, texture(n)), in);
    using sim::raw_counter;
    auto const& counted = machine.m.counted;
    CHECK(counted[raw_counter::inst_pipe_tex] == n / 32);
    CHECK(counted[raw_counter::inst_texture] == n / 32);
    CHECK(counted[raw_counter::l1_requests_texture] == n / 32);
    CHECK(counted[raw_counter::l1_sectors_texture] == n * 4 / 32); // 128 bytes a warp
    CHECK(counted[raw_counter::l1_wavefronts_texture] == n / 32);  // a line or two each
    CHECK(counted[raw_counter::l1_requests_global_ld] == n / 32);  // of the coordinates alone
}

TEST_CASE("references, samplers of their own and offsets are not supported, and say so") {
    for (char const* const code : {"tex.2d.v4.f32.f32 {%f5, %f6, %f7, %f8}, [%rd1, %rd2, {%f1, %f2}];",
                                   "tex.2d.v4.f32.f32 {%f5, %f6, %f7, %f8}, [%rd1, {%f1, %f2}], {%r1, %r2};",
                                   "suld.p.2d.v4.b32.trap {%r5, %r6, %r7, %r8}, [%rd1, {%r1, %r2}];"}) {
        textured machine{code};
        CHECK(machine.fail(0, {}) == sim::launch_failure::unsupported);
    }
}

} // namespace kernels_texture_test
