// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conversions to and from e4m3 and e5m2: every half, every byte, and floats at every boundary between two numbers.
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <string>

#include "support/kernel_fixture.hpp"

namespace kernels_fp8_test {

using namespace gpuprof_test;

namespace {

// A format as its documents describe it, apart from the one of the embedded GPU.
struct fp8 {
    char const* name;
    int mantissa;
    int bias;
    unsigned largest; // finite magnitude
    [[nodiscard]] double value(unsigned magnitude) const {
        unsigned const fraction = magnitude & ((1u << mantissa) - 1);
        int const exponent = static_cast<int>(magnitude >> mantissa);
        double const steps = exponent == 0 ? fraction : fraction + (1u << mantissa);
        return std::ldexp(steps, (exponent == 0 ? 1 : exponent) - bias - mantissa);
    }
    // .rn.satfinite: to the nearest, ties to the even one; beyond the largest it is the largest.
    [[nodiscard]] unsigned from(double x, bool relu) const {
        if (std::isnan(x)) return 0x7f;
        if (relu && x < 0) return 0;
        unsigned const sign = std::signbit(x) && !relu ? 0x80 : 0;
        double const size = std::fabs(x);
        unsigned low = 0;
        while (low < largest && value(low + 1) <= size) ++low;
        if (low == largest) return sign | largest;
        double const below = size - value(low), above = value(low + 1) - size;
        return sign | (below < above || (below == above && low % 2 == 0) ? low : low + 1);
    }
};
constexpr std::array<fp8, 2> formats{fp8{"e4m3x2", 3, 7, 0x7e}, fp8{"e5m2x2", 2, 15, 0x7b}};

double of_half(unsigned bits) {
    double const sign = bits & 0x8000 ? -1 : 1;
    unsigned const exponent = bits >> 10 & 31, fraction = bits & 1023;
    if (exponent == 31)
        return fraction != 0 ? std::numeric_limits<double>::quiet_NaN()
                             : sign * std::numeric_limits<double>::infinity();
    return sign * std::ldexp(exponent == 0 ? fraction : fraction + 1024,
                             (exponent == 0 ? 1 : static_cast<int>(exponent)) - 25);
}

// One thread: a word of `in` (a pair for floats) becomes one of `out`.
std::string kernel(std::string const& convert) {
    return R"(.version 8.6
.target sm_90
.address_size 64
.visible .entry k(.param .u64 in, .param .u64 out) {
    .reg .b64 %rd<6>; .reg .b32 %r<9>; .reg .b16 %h<3>; .reg .f32 %f<3>;
    ld.param.u64 %rd1, [in]; ld.param.u64 %rd2, [out];
    mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mov.u32 %r3, %tid.x; mad.lo.u32 %r4, %r1, %r2, %r3;
    mul.wide.u32 %rd3, %r4, 8; add.u64 %rd3, %rd1, %rd3;
    mul.wide.u32 %rd4, %r4, 4; add.u64 %rd4, %rd2, %rd4;
    ld.global.u32 %r5, [%rd3]; ld.global.v2.f32 {%f1, %f2}, [%rd3]; cvt.u16.u32 %h1, %r5;
    )" + convert +
           R"(
    st.global.u32 [%rd4], %r6;
    ret;
}
)";
}

std::vector<unsigned> converted(std::string const& convert, std::vector<std::array<unsigned, 2>> in) {
    in.resize((in.size() + 31) / 32 * 32);
    machine m{ptx_text{kernel(convert)}};
    auto const din = m.array(in);
    auto const out = m.zeros<unsigned>(in.size());
    m.run("k", {static_cast<unsigned>(in.size() / 32)}, {32}, arguments{din, out});
    return out.values();
}

} // namespace

TEST_CASE("every half goes to the nearest e4m3 and e5m2") {
    std::vector<std::array<unsigned, 2>> in(0x10000);
    for (unsigned i = 0; i < in.size(); ++i) in[i] = {i | (i ^ 0x8001) << 16, 0};
    for (fp8 const& to : formats)
        for (bool const relu : {false, true}) {
            auto const got = converted("cvt.rn.satfinite." + std::string{relu ? "relu." : ""} + to.name +
                                           ".f16x2 %h2, %r5; cvt.u32.u16 %r6, %h2;",
                                       in);
            // What becomes of the sign of a negative zero under .relu is not said.
            auto const is = [&](unsigned byte, unsigned half) {
                return byte == to.from(of_half(half), relu) || (relu && half == 0x8000 && byte == 0x80);
            };
            std::size_t wrong = 0;
            for (unsigned i = 0; i < in.size(); ++i) wrong += !is(got[i] & 0xff, i) || !is(got[i] >> 8, i ^ 0x8001);
            CHECK(wrong == 0);
        }
}

TEST_CASE("every e4m3 and e5m2 becomes the half that it is") {
    std::vector<std::array<unsigned, 2>> in(0x10000);
    for (unsigned i = 0; i < in.size(); ++i) in[i] = {i, 0};
    for (fp8 const& from : formats) {
        auto const got = converted("cvt.rn.f16x2." + std::string{from.name} + " %r6, %h1;", in);
        std::size_t wrong = 0;
        auto const is = [&](unsigned half, unsigned byte) {
            double const value = of_half(half);
            unsigned const magnitude = byte & 0x7f;
            if (magnitude <= from.largest)
                return value == from.value(magnitude) * (byte & 0x80 ? -1 : 1) && std::signbit(value) == (byte >= 0x80);
            bool const infinite = from.mantissa == 2 && magnitude == 0x7c; // e4m3 has none
            return infinite ? std::isinf(value) && std::signbit(value) == (byte >= 0x80) : std::isnan(value);
        };
        for (unsigned i = 0; i < in.size(); ++i) wrong += !is(got[i] & 0xffff, i & 0xff) || !is(got[i] >> 16, i >> 8);
        CHECK(wrong == 0);
    }
}

TEST_CASE("floats go to the nearest e4m3 and e5m2 at every boundary, the first operand to the upper half") {
    for (fp8 const& to : formats) {
        std::vector<float> values{0.0F,
                                  -0.0F,
                                  std::numeric_limits<float>::infinity(),
                                  std::numeric_limits<float>::quiet_NaN(),
                                  1e30F,
                                  std::numeric_limits<float>::denorm_min()};
        for (unsigned low = 0; low < to.largest; ++low) {
            auto const middle = static_cast<float>((to.value(low) + to.value(low + 1)) / 2);
            for (float const v : {static_cast<float>(to.value(low)), middle, std::nextafter(middle, 0.0F),
                                  std::nextafter(middle, 1e30F)})
                values.push_back(v);
        }
        std::vector<std::array<unsigned, 2>> in;
        for (float const v : values) in.push_back({std::bit_cast<unsigned>(v), std::bit_cast<unsigned>(-v / 2)});
        auto const got =
            converted("cvt.rn.satfinite." + std::string{to.name} + ".f32 %h2, %f1, %f2; cvt.u32.u16 %r6, %h2;", in);
        for (std::size_t i = 0; i < values.size(); ++i) {
            CAPTURE(values[i]);
            CHECK(got[i] == (to.from(double{values[i]}, false) << 8 | to.from(double{-values[i] / 2}, false)));
        }
    }
}

} // namespace kernels_fp8_test
