// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Modifiers of floating-point instructions that no kernel in tests/kernels asks for.
#include <cmath>
#include <limits>

#include "support/fused.hpp"
#include "support/kernel_fixture.hpp"

namespace float_ops_test {

using namespace gpuprof_test;

namespace {
constexpr char const* text = R"(.version 7.0
.target sm_70
.address_size 64
.entry modifiers(.param .u64 in, .param .u64 out)
{
.reg .b64 %rd<4>;
.reg .b32 %t;
.reg .f32 %f<9>;
.reg .pred %p;
ld.param.u64 %rd1, [in];
ld.param.u64 %rd2, [out];
mov.u32 %t, %tid.x;
mad.wide.u32 %rd1, %t, 8, %rd1;
mad.wide.u32 %rd2, %t, 32, %rd2;
ld.global.v2.f32 {%f1, %f2}, [%rd1];
abs.ftz.f32 %f3, %f1;
st.global.f32 [%rd2], %f3;
neg.ftz.f32 %f3, %f1;
st.global.f32 [%rd2+4], %f3;
add.ftz.f32 %f3, %f1, %f2;
st.global.f32 [%rd2+8], %f3;
mul.rn.ftz.f32 %f3, %f1, %f2;
st.global.f32 [%rd2+12], %f3;
fma.rn.ftz.f32 %f3, %f1, %f2, %f1;
st.global.f32 [%rd2+16], %f3;
add.sat.f32 %f3, %f1, %f2;
st.global.f32 [%rd2+20], %f3;
max.ftz.f32 %f3, %f1, %f2;
st.global.f32 [%rd2+24], %f3;
setp.eq.ftz.f32 %p, %f1, 0f00000000;
selp.f32 %f3, 0f3F800000, 0f00000000, %p;
st.global.f32 [%rd2+28], %f3;
ret;
}
)";

float flushed(float x) { return std::fabs(x) < std::numeric_limits<float>::min() ? std::copysign(0.0f, x) : x; }
} // namespace

TEST_CASE("ftz flushes arguments and results, and sat keeps them between 0 and 1") {
    float const tiny = std::numeric_limits<float>::min();
    float const subnormal = tiny / 4;
    std::vector<float> const in{subnormal, 0.5f,  -subnormal, 2.0f,   tiny, -tiny * 0.75f, 1.5f,  -3.0f,
                                tiny,      0.25f, 0.75f,      0.125f, 2.0f, subnormal,     -tiny, 0.5f};
    sim::device_memory memory;
    auto const program = sim::program::load(text, memory);
    REQUIRE(program.has_value());
    device_array<float> const pairs{memory, in};
    device_array<float> const out{memory, std::vector<float>(8 * in.size() / 2)};
    arguments const with{pairs, out};
    auto const threads = static_cast<std::uint32_t>(in.size() / 2);
    auto const done =
        execute_counted(*program->find_kernel("modifiers"), {{1}, {threads}, 0, with.bytes(), false}, memory);
    REQUIRE(!done.result.error);
    CHECK(done.counted[sim::raw_counter::threads_launched] == in.size() / 2);
    CHECK(done.counted[sim::raw_counter::l1_requests_global_ld] == 1); // a pair a thread, from one warp
    CHECK(done.counted[sim::raw_counter::l1_requests_global_st] == 8);
    for (std::size_t i = 0; i < threads; ++i) {
        CAPTURE(i);
        float const x = flushed(in[2 * i]), y = flushed(in[2 * i + 1]);
        CHECK(same_number(out[8 * i], std::fabs(x)));
        CHECK(same_number(out[8 * i + 1], -x));
        CHECK(same_number(out[8 * i + 2], flushed(x + y)));
        CHECK(same_number(out[8 * i + 3], flushed(x * y)));
        CHECK(same_number(out[8 * i + 4], flushed(fused(x, y, x))));
        CHECK(same_number(out[8 * i + 5], std::fmin(1.0f, std::fmax(0.0f, in[2 * i] + in[2 * i + 1]))));
        CHECK(out[8 * i + 6] == std::fmax(x, y));
        CHECK(out[8 * i + 7] == (x == 0 ? 1.0f : 0.0f));
    }
}

} // namespace float_ops_test
