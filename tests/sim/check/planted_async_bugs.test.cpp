// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bugs planted into kernels with asynchronous copies: each is a kernel that works with a line changed. The checks find at
// least 90 of 100 of them, and nothing in the kernels that work. A third, by the hash of the name, was held back while
// the checks were made.
#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>

#include <gpuprof/sim/open.hpp>

#include "support/driver_fixture.hpp"

namespace planted_async_bugs_test {

using namespace gpuprof::abi;
namespace sim = gpuprof::sim;
using sim::finding_kind;

namespace {

// Kernels of 64 threads. %r1 is the thread, %p1 names thread 0; %r2 is the thread's word of `buf` and %r3 that of a
// thread of the other warp; %rd1 is the input, %rd2 the output, %rd3 and %rd4 the thread's words there.
// A line "@wait offset, parity" waits for the mbarrier `bars + offset`.
struct working {
    char const* name;
    bool in_cluster; // of two CTAs
    char const* body;
};
constexpr working kernels[] = {
    {"copy", false, R"(
cp.async.ca.shared.global [%r2], [%rd3], 4;
cp.async.commit_group;
cp.async.wait_group 0;
bar.sync 0;
ld.shared.u32 %r10, [%r3];
st.global.u32 [%rd4], %r10;
)"},
    {"stages", false, R"(
cp.async.ca.shared.global [%r2], [%rd3], 4;
cp.async.commit_group; // 0
cp.async.ca.shared.global [%r2+256], [%rd3+256], 4;
cp.async.commit_group; // 1
cp.async.wait_group 1;
bar.sync 0; // 0
ld.shared.u32 %r10, [%r3];
st.global.u32 [%rd4], %r10;
cp.async.wait_group 0;
bar.sync 0; // 1
ld.shared.u32 %r11, [%r3+256];
st.global.u32 [%rd4+256], %r11;
)"},
    {"copy_arrives", false, R"(
@%p1 mbarrier.init.shared.b64 [bars], 64;
bar.sync 0;
cp.async.ca.shared.global [%r2], [%rd3], 4;
cp.async.mbarrier.arrive.noinc.shared.b64 [bars];
@wait 0, 0
ld.shared.u32 %r10, [%r3];
st.global.u32 [%rd4], %r10;
)"},
    {"load", false, R"(
@%p1 mbarrier.init.shared.b64 [bars], 1;
@%p1 fence.mbarrier_init.release.cluster;
bar.sync 0;
@%p1 mbarrier.arrive.expect_tx.shared.b64 %rd10, [bars], 256;
@%p1 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [buf], [%rd1], 256, [bars];
@wait 0, 0
ld.shared.u32 %r10, [%r3];
st.global.u32 [%rd4], %r10;
)"},
    {"two_loads", false, R"(
@%p1 mbarrier.init.shared.b64 [bars], 1;
@%p1 mbarrier.init.shared.b64 [bars+8], 1;
@%p1 fence.mbarrier_init.release.cluster;
bar.sync 0; // 0
@%p1 mbarrier.arrive.expect_tx.shared.b64 %rd10, [bars], 256; // 0
@%p1 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [buf], [%rd1], 256, [bars]; // 0
@%p1 mbarrier.arrive.expect_tx.shared.b64 %rd10, [bars+8], 256; // 1
@%p1 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [buf+256], [%rd1+256], 256, [bars+8]; // 1
@wait 0, 0
ld.shared.u32 %r10, [%r3]; // 0
bar.sync 0; // 1
@%p1 mbarrier.arrive.expect_tx.shared.b64 %rd10, [bars], 256; // 2
@%p1 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [buf], [%rd1+512], 256, [bars]; // 2
@wait 8, 0
ld.shared.u32 %r11, [%r3+256]; // 1
@wait 0, 1
ld.shared.u32 %r12, [%r3]; // 2
add.u32 %r10, %r10, %r11;
add.u32 %r10, %r10, %r12;
st.global.u32 [%rd4], %r10;
)"},
    {"store", false, R"(
st.shared.u32 [%r2], %r1; // 0
fence.proxy.async.shared::cta; // 0
bar.sync 0; // 0
@%p1 cp.async.bulk.global.shared::cta.bulk_group [%rd2], [buf], 256; // 0
@%p1 cp.async.bulk.commit_group; // 0
@%p1 cp.async.bulk.wait_group.read 0; // 0
bar.sync 0; // 1
st.shared.u32 [%r2], %r4; // 1
fence.proxy.async.shared::cta; // 1
bar.sync 0; // 2
@%p1 cp.async.bulk.global.shared::cta.bulk_group [%rd2+256], [buf], 256; // 1
@%p1 cp.async.bulk.commit_group; // 1
@%p1 cp.async.bulk.wait_group 0; // 1
)"},
    {"store_twice", false, R"(
st.shared.u32 [%r2], %r1; // 0
st.shared.u32 [%r2+256], %r1; // 1
fence.proxy.async;
bar.sync 0; // 0
@%p1 cp.async.bulk.global.shared::cta.bulk_group [%rd2], [buf], 256; // 0
@%p1 cp.async.bulk.commit_group; // 0
@%p1 cp.async.bulk.global.shared::cta.bulk_group [%rd2+256], [buf+256], 256; // 1
@%p1 cp.async.bulk.commit_group; // 1
@%p1 cp.async.bulk.wait_group.read 1;
bar.sync 0; // 1
st.shared.u32 [%r2], %r4; // 2
@%p1 cp.async.bulk.wait_group 0;
@%p1 ld.global.u32 %r10, [%rd2];
@%p1 st.global.u32 [%rd2+512], %r10;
)"},
    {"load_store", false, R"(
@%p1 mbarrier.init.shared.b64 [bars], 1;
@%p1 fence.mbarrier_init.release.cluster;
bar.sync 0; // 0
@%p1 mbarrier.arrive.expect_tx.shared.b64 %rd10, [bars], 256;
@%p1 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [buf], [%rd1], 256, [bars];
@wait 0, 0
ld.shared.u32 %r10, [%r2];
add.u32 %r10, %r10, 1;
st.shared.u32 [%r2], %r10;
fence.proxy.async.shared::cta;
bar.sync 0; // 1
@%p1 cp.async.bulk.global.shared::cta.bulk_group [%rd2], [buf], 256;
@%p1 cp.async.bulk.commit_group;
@%p1 cp.async.bulk.wait_group 0;
)"},
    {"ring", false, R"(
@%p1 mbarrier.init.shared.b64 [bars], 1; // full
@%p1 mbarrier.init.shared.b64 [bars+8], 32; // empty
@%p1 fence.mbarrier_init.release.cluster;
bar.sync 0;
mov.u32 %r20, 0;
mov.u32 %r21, 0; // parity
setp.ge.u32 %p2, %r1, 32;
@%p2 bra $consume;
@!%p1 bra $end;
$produce:
xor.b32 %r22, %r21, 1;
@wait 8, %r22
mbarrier.arrive.expect_tx.shared.b64 %rd10, [bars], 256;
cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [buf], [%rd1], 256, [bars];
xor.b32 %r21, %r21, 1; // produced
add.u32 %r20, %r20, 1;
setp.lt.u32 %p3, %r20, 4;
@%p3 bra $produce;
bra $end;
$consume:
@wait 0, %r21
ld.shared.u32 %r10, [%r3];
mbarrier.arrive.shared.b64 %rd10, [bars+8];
xor.b32 %r21, %r21, 1; // consumed
add.u32 %r20, %r20, 1;
setp.lt.u32 %p3, %r20, 4;
@%p3 bra $consume;
st.global.u32 [%rd4], %r10;
$end:
)"},
    {"neighbour", true, R"(
st.shared.u32 [%r2], %r1;
barrier.cluster.arrive.aligned; // 0
barrier.cluster.wait.aligned; // 0
mapa.shared::cluster.u32 %r6, %r3, %r5;
ld.shared::cluster.u32 %r10, [%r6];
st.global.u32 [%rd4], %r10;
barrier.cluster.arrive.aligned; // 1
barrier.cluster.wait.aligned; // 1
)"},
    {"push", true, R"(
barrier.cluster.arrive.aligned; // 0
barrier.cluster.wait.aligned; // 0
mapa.shared::cluster.u32 %r6, %r3, %r5;
st.shared::cluster.u32 [%r6], %r1;
barrier.cluster.arrive.aligned; // 1
barrier.cluster.wait.aligned; // 1
ld.shared.u32 %r10, [%r2];
st.global.u32 [%rd4], %r10;
)"},
    {"send", true, R"(
@%p1 mbarrier.init.shared.b64 [bars], 1;
@%p1 fence.mbarrier_init.release.cluster;
@%p1 mbarrier.arrive.expect_tx.shared.b64 %rd10, [bars], 256;
barrier.cluster.arrive.aligned; // 0
barrier.cluster.wait.aligned; // 0
mapa.shared::cluster.u32 %r6, %r3, %r5;
mov.u32 %r7, bars;
mapa.shared::cluster.u32 %r7, %r7, %r5;
st.async.shared::cluster.mbarrier::complete_tx::bytes.u32 [%r6], %r1, [%r7];
@wait 0, 0
ld.shared.u32 %r10, [%r3];
st.global.u32 [%rd4], %r10;
barrier.cluster.arrive.aligned; // 1
barrier.cluster.wait.aligned; // 1
)"},
    {"sum", true, R"(
@%p1 mbarrier.init.shared.b64 [bars], 1;
@%p1 fence.mbarrier_init.release.cluster;
@%p1 mbarrier.arrive.expect_tx.shared.b64 %rd10, [bars], 256;
@%p1 st.shared.u32 [buf], 0;
barrier.cluster.arrive.aligned; // 0
barrier.cluster.wait.aligned; // 0
mapa.shared::cluster.u32 %r6, %r9, %r5;
mov.u32 %r7, bars;
mapa.shared::cluster.u32 %r7, %r7, %r5;
red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u32 [%r6], %r1, [%r7];
@wait 0, 0
ld.shared.u32 %r10, [buf];
st.global.u32 [%rd4], %r10;
barrier.cluster.arrive.aligned; // 1
barrier.cluster.wait.aligned; // 1
)"},
    {"remote_arrival", true, R"(
@%p1 mbarrier.init.shared.b64 [bars], 64;
@%p1 fence.mbarrier_init.release.cluster;
barrier.cluster.arrive.aligned; // 0
barrier.cluster.wait.aligned; // 0
mapa.shared::cluster.u32 %r6, %r2, %r5;
mov.u32 %r7, bars;
mapa.shared::cluster.u32 %r7, %r7, %r5;
st.shared::cluster.u32 [%r6], %r1;
mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r7];
@wait 0, 0
ld.shared.u32 %r10, [%r3];
st.global.u32 [%rd4], %r10;
barrier.cluster.arrive.aligned; // 1
barrier.cluster.wait.aligned; // 1
)"},
    {"multicast", true, R"(
@%p1 mbarrier.init.shared.b64 [bars], 1;
@%p1 fence.mbarrier_init.release.cluster;
@%p1 mbarrier.arrive.expect_tx.shared.b64 %rd10, [bars], 256;
barrier.cluster.arrive.aligned; // 0
barrier.cluster.wait.aligned; // 0
setp.eq.and.u32 %p2, %r5, 1, %p1; // rank 0
mov.u16 %h1, 3;
@%p2 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [buf], [%rd1], 256, [bars], %h1;
@wait 0, 0
ld.shared.u32 %r10, [%r3];
st.global.u32 [%rd4], %r10;
barrier.cluster.arrive.aligned; // 1
barrier.cluster.wait.aligned; // 1
)"},
};

// What is changed: the first lines that begin so (up to the end of the line) become others. "" removes.
// The letters: which kinds of finding say what is wrong: asynchronous copy, proxy, barrier, race.
struct planted {
    char const* name;
    char const* kernel;
    char const* line;
    char const* instead;
    char const* kinds;
};
constexpr char const* copy_line = "cp.async.ca.shared.global [%r2], [%rd3], 4;";
constexpr char const* wait_0 = "@wait 0, 0";
constexpr planted bugs[] = {
    {"copy is not committed", "copy", "cp.async.commit_group;", "", "a"},
    {"copy is not waited for", "copy", "cp.async.wait_group 0;", "", "a"},
    {"copy may stay pending", "copy", "cp.async.wait_group 0;", "cp.async.wait_group 1;", "a"},
    {"copy is waited for by no barrier", "copy", "bar.sync 0;", "", "r"},
    {"barrier before the wait", "copy", "cp.async.wait_group 0;", "bar.sync 0; cp.async.wait_group 0; bra $skip;", "r"},
    {"commit after the wait", "copy", "cp.async.commit_group;",
     "cp.async.wait_group 0; bar.sync 0; ld.shared.u32 %r10, [%r2];", "a"},
    {"write over a copy", "copy", "cp.async.commit_group;", "cp.async.commit_group; st.shared.u32 [%r2], %r1;", "a"},
    {"copy over a copy", "copy", "cp.async.commit_group;",
     "cp.async.ca.shared.global [%r2], [%rd3+4], 4; cp.async.commit_group;", "a"},
    {"own word before the wait", "copy", "cp.async.wait_group 0;", "ld.shared.u32 %r10, [%r2]; cp.async.wait_group 0;",
     "a"},
    {"other thread copies there", "copy", copy_line,
     "cp.async.ca.shared.global [%r3], [%rd3], 4; cp.async.ca.shared.global [%r2], [%rd3], 4;", "ar"},
    {"two groups may stay", "stages", "cp.async.wait_group 1;", "cp.async.wait_group 2;", "a"},
    {"one group may stay at the end", "stages", "cp.async.wait_group 0;", "cp.async.wait_group 1;", "a"},
    {"first group is not committed", "stages", "cp.async.commit_group; // 0", "", "a"},
    {"second group is not committed", "stages", "cp.async.commit_group; // 1", "", "a"},
    {"second copy into the first stage", "stages", "cp.async.ca.shared.global [%r2+256]",
     "cp.async.ca.shared.global [%r2], [%rd3+256], 4;", "a"},
    {"first wait is missing", "stages", "cp.async.wait_group 1;", "", "a"},
    {"last wait is missing", "stages", "cp.async.wait_group 0;", "", "a"},
    {"first stage barrier is missing", "stages", "bar.sync 0; // 0", "", "r"},
    {"second stage barrier is missing", "stages", "bar.sync 0; // 1", "", "r"},
    {"second stage is read early", "stages", "bar.sync 0; // 0", "bar.sync 0; ld.shared.u32 %r12, [%r3+256];", "a"},
    {"stage is filled again while read", "stages", "cp.async.wait_group 0;",
     "cp.async.ca.shared.global [%r2], [%rd3+512], 4; cp.async.wait_all;", "r"},
    {"arrived copies are not waited for", "copy_arrives", wait_0, "", "ar"},
    {"only a barrier after arrival", "copy_arrives", wait_0, "bar.sync 0;", "a"},
    {"one arrival too many is expected", "copy_arrives", "@%p1 mbarrier.init",
     "@%p1 mbarrier.init.shared.b64 [bars], 65;", "b"},
    {"one arrival too few is expected", "copy_arrives", "@%p1 mbarrier.init",
     "@%p1 mbarrier.init.shared.b64 [bars], 63;", "b"},
    {"arrivals count themselves", "copy_arrives", "cp.async.mbarrier.arrive.noinc",
     "cp.async.mbarrier.arrive.shared.b64 [bars];", "b"},
    {"count of 0", "copy_arrives", "@%p1 mbarrier.init", "@%p1 mbarrier.init.shared.b64 [bars], 0;", "b"},
    {"no barrier after the init", "copy_arrives", "bar.sync 0;", "", "rb"},
    {"no init", "copy_arrives", "@%p1 mbarrier.init", "", "b"},
    {"wrong parity of arrivals", "copy_arrives", wait_0, "@wait 0, 1", "ab"},
    {"all threads initialise", "copy_arrives", "@%p1 mbarrier.init", "mbarrier.init.shared.b64 [bars], 64;", "br"},
    {"arrives before its copy", "copy_arrives", copy_line,
     "cp.async.mbarrier.arrive.noinc.shared.b64 [bars]; cp.async.ca.shared.global [%r2], [%rd3], 4; bra $wait_first;",
     "a"},
    {"load is not waited for", "load", wait_0, "", "a"},
    {"load is awaited by a barrier", "load", wait_0, "bar.sync 0;", "a"},
    {"warp 1 does not wait", "load", wait_0, "setp.ge.u32 %p2, %r1, 32; @%p2 bra $no;\n@wait 0, 0\n$no:", "ar"},
    {"fewer bytes are expected", "load", "@%p1 mbarrier.arrive.expect_tx",
     "@%p1 mbarrier.arrive.expect_tx.shared.b64 %rd10, [bars], 128;", "b"},
    {"more bytes are expected", "load", "@%p1 mbarrier.arrive.expect_tx",
     "@%p1 mbarrier.arrive.expect_tx.shared.b64 %rd10, [bars], 512;", "b"},
    {"words are expected for bytes", "load", "@%p1 mbarrier.arrive.expect_tx",
     "@%p1 mbarrier.arrive.expect_tx.shared.b64 %rd10, [bars], 64;", "b"},
    {"fewer bytes are copied", "load", "@%p1 cp.async.bulk",
     "@%p1 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [buf], [%rd1], 128, [bars];", "b"},
    {"nothing is expected", "load", "@%p1 mbarrier.arrive.expect_tx", "", "b"},
    {"expects without arriving", "load", "@%p1 mbarrier.arrive.expect_tx",
     "@%p1 mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [bars], 256;", "b"},
    {"arrives without expecting", "load", "@%p1 mbarrier.arrive.expect_tx",
     "@%p1 mbarrier.arrive.shared.b64 %rd10, [bars];", "ab"},
    {"all threads expect", "load", "@%p1 mbarrier.arrive.expect_tx",
     "mbarrier.arrive.expect_tx.shared.b64 %rd10, [bars], 256;", "b"},
    {"parity of the phase before", "load", wait_0, "@wait 0, 1", "ab"},
    {"load without init", "load", "@%p1 mbarrier.init", "", "b"},
    {"load counts two arrivals", "load", "@%p1 mbarrier.init", "@%p1 mbarrier.init.shared.b64 [bars], 2;", "b"},
    {"load counts no arrivals", "load", "@%p1 mbarrier.init", "@%p1 mbarrier.init.shared.b64 [bars], 0;", "b"},
    {"no barrier before the load", "load", "bar.sync 0;", "", "rb"},
    {"second arrival", "load", "@%p1 mbarrier.arrive.expect_tx",
     "@%p1 mbarrier.arrive.expect_tx.shared.b64 %rd10, [bars], 256; @%p1 mbarrier.arrive.shared.b64 %rd10, [bars];",
     "b"},
    {"initialised again", "load", "ld.shared.u32 %r10, [%r3];",
     "ld.shared.u32 %r10, [%r3]; bar.sync 0; @%p1 mbarrier.init.shared.b64 [bars], 1;", "b"},
    {"initialised again at once", "load", "bar.sync 0;", "bar.sync 0; @%p1 mbarrier.init.shared.b64 [bars], 1;", "b"},
    {"written while it is filled", "load", wait_0, "@%p1 st.shared.u32 [buf], %r1;\n@wait 0, 0", "a"},
    {"read by the issuer at once", "load", wait_0, "@%p1 ld.shared.u32 %r11, [buf+252];\n@wait 0, 0", "a"},
    {"exits while it is filled", "load", wait_0, "ret;", "a"},
    {"used after inval", "load", wait_0,
     "@wait 0, 0\nbar.sync 0; @%p1 mbarrier.inval.shared.b64 [bars]; bar.sync 0; @%p1 mbarrier.arrive.shared.b64 "
     "%rd10, [bars];",
     "b"},
    {"inval while others wait", "load", "ld.shared.u32 %r10, [%r3];",
     "@%p1 mbarrier.inval.shared.b64 [bars]; ld.shared.u32 %r10, [%r3];", "br"},
    {"waits on another mbarrier", "load", wait_0, "@wait 8, 0", "b"},
    {"refilled while read", "two_loads", "bar.sync 0; // 1", "", "r"},
    {"third wait has the first parity", "two_loads", "@wait 0, 1", "@wait 0, 0", "ab"},
    {"third wait is missing", "two_loads", "@wait 0, 1", "", "a"},
    {"second wait is missing", "two_loads", "@wait 8, 0", "", "a"},
    {"first wait is missing in two_loads", "two_loads", wait_0, "", "a"},
    {"third load is not expected", "two_loads", "@%p1 mbarrier.arrive.expect_tx.shared.b64 %rd10, [bars], 256; // 2",
     "", "ab"},
    {"third load overwrites the second", "two_loads",
     "@%p1 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [buf], [%rd1+512]",
     "@%p1 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [buf+256], [%rd1+512], 256, [bars];",
     "ar"},
    {"second load on the first mbarrier", "two_loads",
     "@%p1 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [buf+256]",
     "@%p1 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [buf+256], [%rd1+256], 256, [bars];",
     "ab"},
    {"second expects on the first mbarrier", "two_loads", "@%p1 mbarrier.arrive.expect_tx.shared.b64 %rd10, [bars+8]",
     "@%p1 mbarrier.arrive.expect_tx.shared.b64 %rd10, [bars], 256;", "ab"},
    {"waits for the first twice", "two_loads", "@wait 8, 0", "@wait 0, 0", "ab"},
    {"second is read before its wait", "two_loads", "@wait 8, 0", "ld.shared.u32 %r11, [%r3+256];\n@wait 8, 0", "a"},
    {"loads overlap", "two_loads", "@%p1 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [buf+256]",
     "@%p1 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [buf+128], [%rd1+256], 256, [bars+8];",
     "a"},
    {"no proxy fence", "store", "fence.proxy.async.shared::cta; // 0", "", "p"},
    {"no second proxy fence", "store", "fence.proxy.async.shared::cta; // 1", "", "p"},
    {"only thread 0 fences", "store", "fence.proxy.async.shared::cta; // 0", "@%p1 fence.proxy.async.shared::cta;",
     "p"},
    {"fence of global memory", "store", "fence.proxy.async.shared::cta; // 0", "fence.proxy.async.global;", "p"},
    {"fence of threads", "store", "fence.proxy.async.shared::cta; // 0", "fence.acq_rel.cta;", "p"},
    {"fence before the write", "store", "st.shared.u32 [%r2], %r1; // 0",
     "fence.proxy.async.shared::cta; st.shared.u32 [%r2], %r1; bra $no_fence;", "p"},
    {"no barrier before the store", "store", "bar.sync 0; // 0", "", "r"},
    {"no second barrier before the store", "store", "bar.sync 0; // 2", "", "r"},
    {"source is not waited for", "store", "@%p1 cp.async.bulk.wait_group.read 0; // 0", "", "a"},
    {"source may stay read", "store", "@%p1 cp.async.bulk.wait_group.read 0; // 0",
     "@%p1 cp.async.bulk.wait_group.read 1;", "a"},
    {"store is not committed", "store", "@%p1 cp.async.bulk.commit_group; // 0", "", "a"},
    {"others do not wait for the source", "store", "bar.sync 0; // 1", "", "ra"},
    {"exits while it is read", "store", "@%p1 cp.async.bulk.wait_group 0; // 1", "", "a"},
    {"exits with an open group", "store", "@%p1 cp.async.bulk.commit_group; // 1", "", "a"},
    {"another thread waits", "store", "@%p1 cp.async.bulk.wait_group.read 0; // 0",
     "@!%p1 cp.async.bulk.wait_group.read 0;", "a"},
    {"waits for groups of cp.async", "store", "@%p1 cp.async.bulk.wait_group.read 0; // 0", "cp.async.wait_all;", "a"},
    {"commits groups of cp.async", "store", "@%p1 cp.async.bulk.commit_group; // 0", "cp.async.commit_group;", "a"},
    {"writes before the wait", "store", "@%p1 cp.async.bulk.commit_group; // 0",
     "@%p1 cp.async.bulk.commit_group; @%p1 st.shared.u32 [buf+8], %r1;", "a"},
    {"both stores in one group", "store_twice", "@%p1 cp.async.bulk.commit_group; // 0", "", "a"},
    {"both may stay", "store_twice", "@%p1 cp.async.bulk.wait_group.read 1;", "@%p1 cp.async.bulk.wait_group.read 2;",
     "a"},
    {"overwrites the second source", "store_twice", "st.shared.u32 [%r2], %r4; // 2", "st.shared.u32 [%r2+256], %r4;",
     "a"},
    {"reads what is still written", "store_twice", "@%p1 cp.async.bulk.wait_group 0;",
     "@%p1 cp.async.bulk.wait_group.read 0;", "a"},
    {"waits for no write", "store_twice", "@%p1 cp.async.bulk.wait_group 0;", "", "a"},
    {"one write may stay", "store_twice", "@%p1 cp.async.bulk.wait_group 0;", "@%p1 cp.async.bulk.wait_group 2;", "a"},
    {"no proxy fence for two", "store_twice", "fence.proxy.async;", "", "p"},
    {"second write after the fence", "store_twice", "st.shared.u32 [%r2+256], %r1; // 1",
     "fence.proxy.async; st.shared.u32 [%r2+256], %r1; bra $no_fence;", "p"},
    {"no fence after changing a tile", "load_store", "fence.proxy.async.shared::cta;", "", "p"},
    {"changes before it came", "load_store", wait_0, "", "a"},
    {"stores before all have changed", "load_store", "bar.sync 0; // 1", "", "r"},
    {"store is not waited for at the end", "load_store", "@%p1 cp.async.bulk.wait_group 0;", "", "a"},
    {"stores what has not come", "load_store", wait_0,
     "@%p1 cp.async.bulk.global.shared::cta.bulk_group [%rd2], [buf], 256;\n@wait 0, 0", "a"},
    {"empty is not waited for", "ring", "@wait 8, %r22", "", "rab"},
    {"producer waits with the other parity", "ring", "xor.b32 %r22, %r21, 1;", "mov.u32 %r22, %r21;", "b"},
    {"empty expects one more", "ring", "@%p1 mbarrier.init.shared.b64 [bars+8], 32;",
     "@%p1 mbarrier.init.shared.b64 [bars+8], 33;", "b"},
    {"empty expects one less", "ring", "@%p1 mbarrier.init.shared.b64 [bars+8], 32;",
     "@%p1 mbarrier.init.shared.b64 [bars+8], 31;", "br"},
    {"empty expects the block", "ring", "@%p1 mbarrier.init.shared.b64 [bars+8], 32;",
     "@%p1 mbarrier.init.shared.b64 [bars+8], 64;", "b"},
    {"consumers do not arrive", "ring", "mbarrier.arrive.shared.b64 %rd10, [bars+8];", "", "b"},
    {"producer does not flip", "ring", "xor.b32 %r21, %r21, 1; // produced", "", "rab"},
    {"consumers do not flip", "ring", "xor.b32 %r21, %r21, 1; // consumed", "", "ab"},
    {"consumers do not wait", "ring", "@wait 0, %r21", "", "ab"},
    {"consumers arrive before they read", "ring", "ld.shared.u32 %r10, [%r3];",
     "mbarrier.arrive.shared.b64 %rd10, [bars+8]; ld.shared.u32 %r10, [%r3]; bra $arrived;", "rab"},
    {"consumers arrive twice", "ring", "mbarrier.arrive.shared.b64 %rd10, [bars+8];",
     "mbarrier.arrive.shared.b64 %rd10, [bars+8]; mbarrier.arrive.shared.b64 %rd10, [bars+8];", "rab"},
    {"reads a neighbour that has not written", "neighbour", "barrier.cluster.wait.aligned; // 0",
     "bar.sync 0; bra $read;", "rb"},
    {"a barrier of the CTA for the cluster", "neighbour", "barrier.cluster.arrive.aligned; // 0",
     "bar.sync 0; bra $read;", "rb"},
    {"ends while a neighbour reads", "neighbour", "barrier.cluster.arrive.aligned; // 1", "ret;", "b"},
    {"ends after the CTA's barrier", "neighbour", "barrier.cluster.arrive.aligned; // 1", "bar.sync 0; ret;", "b"},
    {"writes after the cluster's barrier", "neighbour", "ld.shared::cluster.u32 %r10, [%r6];",
     "ld.shared::cluster.u32 %r10, [%r6]; st.shared.u32 [%r2], %r4;", "r"},
    {"writes to a neighbour that has not begun", "push", "barrier.cluster.arrive.aligned; // 0", "bra $write;", "b"},
    {"reads what a neighbour has not written", "push", "barrier.cluster.arrive.aligned; // 1", "bar.sync 0; bra $read;",
     "rb"},
    {"two CTAs write there", "push", "st.shared::cluster.u32 [%r6], %r1;",
     "st.shared::cluster.u32 [%r6], %r1; st.shared.u32 [%r2], %r4;", "r"},
    {"sent words are not waited for", "send", wait_0, "", "a"},
    {"sends to one that has not begun", "send", "barrier.cluster.arrive.aligned; // 0", "bar.sync 0; bra $read;", "rb"},
    {"fewer words are expected", "send", "@%p1 mbarrier.arrive.expect_tx",
     "@%p1 mbarrier.arrive.expect_tx.shared.b64 %rd10, [bars], 128;", "ab"},
    {"more words are expected", "send", "@%p1 mbarrier.arrive.expect_tx",
     "@%p1 mbarrier.arrive.expect_tx.shared.b64 %rd10, [bars], 260;", "b"},
    {"waits for a later phase", "send", wait_0, "@wait 0, 1", "ab"},
    {"arrives before it writes", "remote_arrival", "st.shared::cluster.u32 [%r6], %r1;",
     "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r7]; st.shared::cluster.u32 [%r6], %r1; bra $arrived;",
     "r"},
    {"reads before the arrival", "remote_arrival", wait_0, "", "r"},
    {"remote count too large", "remote_arrival", "@%p1 mbarrier.init", "@%p1 mbarrier.init.shared.b64 [bars], 65;",
     "b"},
    {"remote count too small", "remote_arrival", "@%p1 mbarrier.init", "@%p1 mbarrier.init.shared.b64 [bars], 32;",
     "rb"},
    {"remote mbarrier not initialised", "remote_arrival", "@%p1 mbarrier.init", "", "b"},
    {"multicast is not waited for", "multicast", wait_0, "", "a"},
    {"multicast to one", "multicast", "mov.u16 %h1, 3;", "mov.u16 %h1, 1;", "b"},
    {"multicast expects half", "multicast", "@%p1 mbarrier.arrive.expect_tx",
     "@%p1 mbarrier.arrive.expect_tx.shared.b64 %rd10, [bars], 128;", "b"},
    {"multicast to one that has not begun", "multicast", "barrier.cluster.arrive.aligned; // 0",
     "bar.sync 0; bra $read;", "rb"},
    {"multicast twice", "multicast", "setp.eq.and.u32", "mov.pred %p2, %p1;", "ab"},
};

// Where the labels of changed lines lie: before the line that begins so.
struct target {
    char const* label;
    char const* line;
};
constexpr target targets[] = {{"$skip", "ld.shared.u32 %r10"},
                              {"$wait_first", "@wait"},
                              {"$no_fence", "bar.sync"},
                              {"$arrived", "xor.b32 %r21, %r21, 1; // consumed"},
                              {"$arrived", "@wait"},
                              {"$read", "mapa"},
                              {"$write", "mapa"},
                              {"$read", "ld.shared.u32 %r10"},
                              {"$read", "setp.eq.and"}};

std::vector<std::string> lines_of(std::string const& text) {
    std::vector<std::string> lines;
    for (std::size_t at = 0; at < text.size();) {
        std::size_t const end = (std::min)(text.find('\n', at), text.size());
        if (end != at) lines.push_back(text.substr(at, end - at));
        at = end + 1;
    }
    return lines;
}
bool begins(std::string const& line, std::string_view with) { return line.compare(0, with.size(), with) == 0; }

// @param bug null: the kernel that works
std::string ptx_of(working const& kernel, planted const* bug) {
    std::vector<std::string> lines = lines_of(kernel.body);
    if (bug != nullptr) {
        auto const line =
            std::find_if(lines.begin(), lines.end(), [&](std::string const& l) { return begins(l, bug->line); });
        INFO(bug->name);
        REQUIRE(line != lines.end());
        std::string const instead = bug->instead;
        auto const after = line - lines.begin();
        *line = instead;
        for (target const& t : targets) { // the first such line behind the change
            if (instead.find("bra " + std::string{t.label} + ";") == std::string::npos) continue;
            auto const to = std::find_if(lines.begin() + after + 1, lines.end(),
                                         [&](std::string const& l) { return begins(l, t.line); });
            if (to == lines.end()) continue;
            *to = std::string{t.label} + ":\n" + *to;
            break;
        }
    }
    std::string body;
    int waits = 0;
    for (std::string const& whole : lines)
        for (std::string const& line : lines_of(whole)) {
            if (!begins(line, "@wait")) {
                body += line + "\n";
                continue;
            }
            std::size_t const comma = line.find(',');
            std::string const label = "$wait" + std::to_string(waits++);
            body += label + ":\nmbarrier.try_wait.parity.shared.b64 %p9, [bars+" + line.substr(6, comma - 6) + "], " +
                    line.substr(comma + 2) + ";\n@!%p9 bra " + label + ";\n";
        }
    return std::string{R"(
.version 8.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 in, .param .u64 out) {
.shared .align 128 .b8 buf[1024];
.shared .align 8 .b8 bars[64];
.reg .u32 %r<32>; .reg .u64 %rd<12>; .reg .pred %p<10>; .reg .u16 %h<2>;
ld.param.u64 %rd1, [in]; ld.param.u64 %rd2, [out];
mov.u32 %r1, %tid.x; setp.eq.u32 %p1, %r1, 0;
mov.u32 %r9, buf; shl.b32 %r8, %r1, 2; add.u32 %r2, %r9, %r8; xor.b32 %r8, %r8, 132; add.u32 %r3, %r9, %r8;
add.u32 %r4, %r1, 1000; mov.u32 %r10, 0;
mov.u32 %r5, %cluster_ctarank; xor.b32 %r5, %r5, 1;
mul.wide.u32 %rd5, %r1, 4; add.u64 %rd3, %rd1, %rd5;
mov.u32 %r11, %ctaid.x; mul.wide.u32 %rd6, %r11, 1024; add.u64 %rd2, %rd2, %rd6; add.u64 %rd4, %rd2, %rd5;
)"} + body +
           "ret;\n}\n";
}

struct outcome {
    CUresult status;
    std::vector<sim::finding> findings;
};
outcome run(std::string const& ptx, bool in_cluster) {
    embedded_context gpu;
    auto const& driver = gpu.driver;
    sim::execution_settings settings;
    settings.checks = sim::all_checks;
    settings.step_budget = 1 << 11; // some bugs are endless
    sim::set_execution(settings);
    sim::forget_findings();
    CUmodule module_handle = nullptr;
    CUfunction function = nullptr;
    CUdeviceptr in = 0, out = 0;
    INFO(ptx);
    REQUIRE(driver.ModuleLoadData(&module_handle, ptx.c_str()) == CUDA_SUCCESS);
    REQUIRE(driver.ModuleGetFunction(&function, module_handle, "k") == CUDA_SUCCESS);
    REQUIRE(driver.MemAlloc(&in, 1024) == CUDA_SUCCESS);
    REQUIRE(driver.MemAlloc(&out, 2048) == CUDA_SUCCESS);
    REQUIRE(driver.MemsetD8(in, 1, 1024) == CUDA_SUCCESS);
    void* parameters[] = {&in, &out};
    CUlaunchAttribute cluster;
    cluster.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
    cluster.value.clusterDim = {2, 1, 1};
    CUlaunchConfig const config{in_cluster ? 2u : 1u, 1, 1, 64, 1, 1, 0, nullptr, &cluster, in_cluster ? 1u : 0u};
    outcome done;
    done.status = driver.LaunchKernelEx(&config, function, parameters, nullptr);
    if (done.status == CUDA_SUCCESS) done.status = driver.CtxSynchronize();
    done.findings = sim::findings();
    sim::set_execution({});
    return done;
}

char letter(finding_kind kind) {
    switch (kind) {
        case finding_kind::asynchronous: return 'a';
        case finding_kind::proxy: return 'p';
        case finding_kind::barrier: return 'b';
        case finding_kind::race: return 'r';
        default: return '?';
    }
}
// FNV-1a. The same on every machine.
bool is_held_back(std::string_view name) {
    std::uint32_t hash = 2166136261u;
    for (char const c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619u;
    return hash % 3 == 0;
}

} // namespace

TEST_CASE("in kernels with asynchronous copies that work nothing is found") {
    for (working const& kernel : kernels) {
        outcome const done = run(ptx_of(kernel, nullptr), kernel.in_cluster);
        INFO(kernel.name);
        CHECK(done.status == CUDA_SUCCESS);
        for (sim::finding const& one : done.findings) FAIL_CHECK(one.message());
    }
}

TEST_CASE("of the planted bugs of asynchronous code 90 of 100 are found, as what they are") {
    std::size_t planted_count[2] = {}, found[2] = {}; // [1]: held back
    std::string missed;
    for (planted const& bug : bugs) {
        working const* const kernel = std::find_if(std::begin(kernels), std::end(kernels), [&](working const& k) {
            return std::string_view{k.name} == bug.kernel;
        });
        REQUIRE(kernel != std::end(kernels));
        outcome const done = run(ptx_of(*kernel, &bug), kernel->in_cluster);
        bool const good = std::any_of(done.findings.begin(), done.findings.end(), [&](sim::finding const& f) {
            return std::string_view{bug.kinds}.find(letter(f.kind)) != std::string_view::npos;
        });
        bool const held_back = is_held_back(bug.name);
        ++planted_count[held_back];
        found[held_back] += good;
        if (good) continue;
        missed += std::string{held_back ? "missed, held back: " : "missed: "} + bug.kernel + ": " + bug.name + "\n";
        for (auto const& f : done.findings) missed += "    " + f.message() + "\n";
    }
    std::size_t const all = planted_count[0] + planted_count[1];
    MESSAGE(found[0] << " of " << planted_count[0] << " found, of those held back " << found[1] << " of "
                     << planted_count[1] << "\n"
                     << missed);
    CHECK(all >= 100);
    CHECK(found[0] + found[1] >= 129); // what docs/cuda-programs.md says; 90 of 100 are demanded
    CHECK(10 * (found[0] + found[1]) >= 9 * all);
}

} // namespace planted_async_bugs_test
