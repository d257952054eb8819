// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Who reads what which instruction of a function wrote.
#include <string>

#include <doctest/doctest.h>

#include "sim/sass/def_use.hpp"

#include "support/ptx_body.hpp"

namespace def_use_test {

using namespace gpuprof::sim;
using gpuprof_test::parse_body;
using gpuprof_test::register_of;

namespace {

// Whether a last instruction that reads %r1, %d1 and %p1 reads what was written before `line`, and not by `line`.
void check_writes_nothing(std::string const& line) {
    CAPTURE(line);
    auto const parsed = parse_body("mov.u32 %r1, 1; mov.u64 %d1, 1; setp.eq.u32 %p1, %r2, 0;\n" + line +
                                   "\n@%p1 st.global.u32 [%d1], %r1;");
    def_use const flow{parsed.functions[0]};
    constexpr std::uint32_t last = 4;
    CHECK(flow.writer_of(last, register_of("%r1")) == 0);
    CHECK(flow.writer_of(last, register_of("%d1")) == 1);
    CHECK(flow.writer_of(last, register_of("%p1")) == 2);
    CHECK(flow.readers(3).empty());
}
// Whether `line` writes this register, which a store reads afterwards.
void check_writes(std::string const& line, std::string const& what, std::string const& read_by) {
    CAPTURE(line);
    auto const parsed = parse_body(line + "\n" + read_by);
    def_use const flow{parsed.functions[0]};
    REQUIRE(flow.readers(0).size() == 1);
    CHECK(flow.readers(0).front() == 1);
    CHECK(flow.writers(1).front() == 0);
    CHECK(flow.is_read(register_of(what)));
}

} // namespace

TEST_CASE("what stores, synchronizes, hints or waits writes no register, that of its address least") {
    check_writes_nothing("st.shared.u32 [%r1], %r2;");
    check_writes_nothing("stmatrix.sync.aligned.m8n8.x2.shared.b16 [%r1], {%r2, %r3};");
    check_writes_nothing("wmma.store.d.sync.aligned.row.m16n16k16.global.f32 [%d1], "
                         "{%f0, %f1, %f2, %f3, %f4, %f5, %f6, %f7};");
    check_writes_nothing("discard.global.L2 [%d1], 128;");
    check_writes_nothing("nanosleep.u32 %r1;");
    check_writes_nothing("prefetch.global.L2 [%d1];");
    check_writes_nothing("prefetchu.L1 [%d1];");
    check_writes_nothing("applypriority.global.L2::evict_normal [%d1], 128;");
    check_writes_nothing("mbarrier.init.shared.b64 [%r1], 4;");
    check_writes_nothing("mbarrier.inval.shared.b64 [%r1];");
    check_writes_nothing("red.global.add.u32 [%d1], %r2;");
    check_writes_nothing("cp.async.ca.shared.global [%r1], [%d1], 4;");
    check_writes_nothing("bar.sync %r1;");
}

TEST_CASE("a result is written by the forms that have one") {
    check_writes("bar.red.popc.u32 %r1, 0, %p2;", "%r1", "st.shared.u32 [0], %r1;");
    check_writes("mbarrier.arrive.shared.b64 %d1, [%r2];", "%d1", "st.shared.u64 [0], %d1;");
    check_writes("mbarrier.test_wait.shared.b64 %p1, [%r2], %d2;", "%p1", "@%p1 st.shared.u32 [0], %r3;");
    check_writes("call (%r1), malloc, (%d2);", "%r1", "st.shared.u32 [0], %r1;");
    check_writes("shfl.sync.idx.b32 %r2|%p1, %r3, 0, 31, -1;", "%p1", "@%p1 st.shared.u32 [0], %r4;");
    check_writes("atom.global.add.u32 %r1, [%d2], 1;", "%r1", "st.shared.u32 [0], %r1;");
    check_writes("wmma.load.c.sync.aligned.row.m16n16k16.global.f32 {%f0, %f1, %f2, %f3, %f4, %f5, %f6, %f7}, [%d1];",
                 "%f3", "st.shared.f32 [0], %f3;");
}

} // namespace def_use_test
