// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Metric names in words.
#include <doctest/doctest.h>

#include <string>
#include <string_view>

#include <gpuprof/metric/describe.hpp>

namespace describe_test {

using gpuprof::describe;
using std::string_view_literals::operator""sv;

TEST_CASE("a name is described by its decoded parts, in reading order") {
    CHECK(describe("l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"sv) ==
          "32-byte sectors, at the tag stage of the L1/texture cache, of the load/store pipeline, to global memory, by "
          "load operations, summed over all instances");
    CHECK(describe("l1tex__m_xbar2l1tex_read_sectors.avg.per_second"sv) ==
          "read 32-byte sectors, at the miss stage of the L1/texture cache, from the crossbar to the L1/texture cache, "
          "averaged over all instances, per second");
    CHECK(
        describe("smsp__sass_thread_inst_executed_op_ffma_pred_on.sum"sv) ==
        "thread instructions executed, in the SM sub-partition, by FP32 fused multiply-add operations, whose predicate "
        "is on, counted by the patched program, summed over all instances");
    CHECK(describe("sm__warps_active.avg.peak_sustained_active.per_second"sv) ==
          "warps active, in the streaming multiprocessor, averaged over all instances, at the sustained peak rate over "
          "active cycles, per second");
}

TEST_CASE("qualifiers of several words stay together") {
    CHECK(describe("lts__t_sectors_srcunit_tex_evict_normal_demote_lookup_miss.sum"sv)
              .find("from texture, with eviction policy \"normal demote\", that missed") != std::string::npos);
}

TEST_CASE("words the decoder lacks are given as they are") {
    CHECK(describe("sm__warps_frobnicated.sum"sv) ==
          "warps, in the streaming multiprocessor, frobnicated, summed over all instances");
}

TEST_CASE("other providers' metrics have their own description") {
    CHECK(describe("launch__grid_size"sv) == "Blocks of the grid.");
    CHECK_FALSE(describe("device__attribute_warp_size"sv).empty());
    CHECK(describe("profiler__pmsampler_ctxsw_any"sv) ==
          "Reported by the profiler about itself. A profiler does not collect it: it follows from records: see "
          "context_trace.");
    CHECK(describe("derived__avg_thread_executed"sv) ==
          "Threads per executed instruction, whatever their predicate. Of a range: smsp__thread_inst_executed.sum / "
          "smsp__inst_executed.sum.");
}

TEST_CASE("a wrong name is described by what is wrong with it") {
    CHECK(describe("sm__inst_executed.summ"sv) == "the roll-up is not one of .sum, .avg, .min, .max: \"summ\"");
}

} // namespace describe_test
