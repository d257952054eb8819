// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What ptxas makes of PTX, as the counters show it: each case is what an H200 counts for such code (h200_kernels.txt).
#include <array>
#include <cstdint>
#include <cstring>
#include <string>

#include <doctest/doctest.h>

#include "sim/chip/chips.hpp"
#include "sim/execute/execute.hpp"
#include "sim/model/launch_counters.hpp"
#include "sim/decode/program.hpp"

namespace estimate_test {

using namespace gpuprof::sim;
using enum raw_counter;

namespace {

// One CTA of a kernel with this body on a GPU of its own. `%to` is an array, `%tid0` the thread, `tile` shared memory.
counter_values count(std::string const& body, std::uint32_t threads = 32) {
    device_memory memory;
    auto const program =
        program::load(".version 7.0\n.target sm_70\n.address_size 64\n"
                      ".visible .entry one(.param .u64 out) {\n"
                      ".reg .u32 %r<9>; .reg .u32 %tid0; .reg .u64 %d<4>; .reg .u64 %to; .reg .pred %p;"
                      ".shared .align 16 .b8 tile[4096]; .local .align 16 .b8 mine[16];\n"
                      "ld.param.u64 %to, [out]; mov.u32 %tid0, %tid.x;\n" +
                          body + "\nret;\n}\n",
                      memory);
    REQUIRE(program);
    kernel const* const code = program->find_kernel("one");
    REQUIRE(code != nullptr);
    std::uint64_t const out = memory.allocate(4096).value();
    std::array<std::byte, sizeof out> parameters;
    std::memcpy(parameters.data(), &out, sizeof out);
    launch_config const config{{1}, {threads}, 0, parameters, false};
    l2_cache l2{gh100};
    launch_counters counters{gh100, *code, config, 1, l2};
    auto const done = execute(*code, config, memory, counters, {});
    INFO((done.error ? done.error->message() : std::string{}));
    REQUIRE(!done.error);
    return counters.finish();
}

} // namespace

TEST_CASE("a warp executes what a short branch would skip, for none of its threads") {
    std::string const skip = "setp.gt.u32 %p, %tid0, 31;\n@%p bra over;\n";
    std::string const store = "mov.u32 %r1, tile;\nst.shared.u32 [%r1], %tid0;\n";
    std::string const over = "over:\nbar.sync 0;\n";
    auto const predicated = count(skip + store + over, 64);
    CHECK(predicated[inst_shared_st] == 2); // both warps
    CHECK(predicated[shared_wavefronts_st] == 1);
    std::string work;
    for (int i = 0; i < 10; ++i) work += "mul.lo.u32 %tid0, %tid0, %tid0;\n";
    auto const branched = count(skip + work + store + over, 64);
    CHECK(branched[inst_shared_st] == 1);
    CHECK(branched[shared_wavefronts_st] == 1);
}

TEST_CASE("words side by side in shared memory are loaded together where their address is known to be aligned") {
    std::string const first = "ld.shared.u32 %r4, [%r3];\n";
    std::string const others =
        "ld.shared.u32 %r5, [%r3+4];\nld.shared.u32 %r6, [%r3+8];\nld.shared.u32 %r7, [%r3+12];\n";
    std::string const tile = "mov.u32 %r1, tile;\n";
    auto const together = count(tile + "shl.b32 %r2, %tid0, 6;\nadd.u32 %r3, %r1, %r2;\n" + first + others);
    CHECK(together[inst_shared_ld] == 1);
    CHECK(together[shared_wavefronts_ld] == 16); // of eight lanes four share their banks, in each of four phases
    auto const apart = count(tile + "shl.b32 %r2, %tid0, 2;\nadd.u32 %r3, %r1, %r2;\n" + first + others);
    CHECK(apart[inst_shared_ld] == 4);
    CHECK(apart[shared_wavefronts_ld] == 4);
    auto const interrupted = count(tile + "shl.b32 %r2, %tid0, 6;\nadd.u32 %r3, %r1, %r2;\n" + first +
                                   "st.shared.u32 [%r3], %tid0;\n" + others);
    CHECK(interrupted[inst_shared_ld] == 3); // the word before the store, the one after it, a pair
}

TEST_CASE("a reduction at an address that all threads share is one thread's, and an exchange is no reduction") {
    auto const shared = count("atom.global.add.u32 %r1, [%to], %tid0;\nred.global.max.u32 [%to+4], %tid0;");
    CHECK(shared[inst_global_red] == 2);
    CHECK(shared[l1_sectors_global_red] == 2);
    // An address by the block's place, as kernel `greatest` of tests/hardware/access_patterns.cu has it: 4,096 sectors for 4,096
    // requests on an H200.
    auto const by_block = count("mov.u32 %r2, %ctaid.x;\nmul.wide.u32 %d1, %r2, 4;\nadd.u64 %d2, %to, %d1;\n"
                                "red.global.max.u32 [%d2], %tid0;");
    CHECK(by_block[l1_sectors_global_red] == 1);
    std::string const computed = "and.b32 %r2, %tid0, 0;\ncvt.u64.u32 %d1, %r2;\nadd.u64 %d2, %to, %d1;\n";
    auto const each = count(computed + "atom.global.add.u32 %r1, [%d2], %tid0;");
    CHECK(each[inst_global_red] == 1);
    CHECK(each[l1_sectors_global_red] == 32); // lanes at one address take turns
    auto const unmergeable = count("red.global.add.f32 [%to], 0f3F800000;\nred.global.inc.u32 [%to+4], 5;");
    CHECK(unmergeable[l1_sectors_global_red] == 2 * 32);
    auto const exchange = count("atom.global.exch.b32 %r1, [%to], %tid0;");
    CHECK(exchange[inst_global_red] == 0);
    CHECK(exchange[inst_global_atom] == 1);
}

TEST_CASE("a local access makes a request for each of its words") {
    auto const c = count("st.local.u32 [mine], %tid0;\nst.local.v4.u32 [mine], {%tid0, %tid0, %tid0, %tid0};\n"
                         "ld.local.v2.u32 {%r1, %r2}, [mine+8];");
    CHECK(c[l1_requests_local_st] == 1 + 4);
    CHECK(c[l1_sectors_local_st] == 4 + 16);
    CHECK(c[l1_requests_local_ld] == 2);
    CHECK(c[l1_hits_local_ld] == 8);
}

TEST_CASE("a load finds sectors that the SM stored whole, and not those it stored in part") {
    std::string const address = "mul.wide.u32 %d1, %tid0, 4;\nadd.u64 %d2, %to, %d1;\n";
    auto const whole = count(address + "st.global.u32 [%d2], %tid0;\nld.global.u32 %r1, [%d2];");
    CHECK(whole[l1_sectors_global_ld] == 4);
    CHECK(whole[l1_hits_global_ld] == 4);
    auto const part = count(address + "st.global.u8 [%d2], %tid0;\nld.global.u32 %r1, [%d2];");
    CHECK(part[l1_sectors_global_ld] == 4);
    CHECK(part[l1_hits_global_ld] == 0);
}

TEST_CASE("asynchronous copies are no stores to shared memory") {
    auto const c = count("mul.wide.u32 %d1, %tid0, 4;\nadd.u64 %d2, %to, %d1;\nmov.u32 %r1, tile;\n"
                         "shl.b32 %r2, %tid0, 2;\nadd.u32 %r1, %r1, %r2;\n"
                         "cp.async.ca.shared.global [%r1], [%d2], 4;\ncp.async.wait_all;");
    CHECK(c[inst_ldgsts] == 1);
    CHECK(c[shared_wavefronts_st] == 0);
    CHECK(c[l1_requests_global_ld] == 1);
}

} // namespace estimate_test
