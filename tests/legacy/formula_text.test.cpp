// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// formula_text.hpp: formulas read as they were written.
#include <doctest/doctest.h>

#include <gpuprof/legacy/formula_text.hpp>
#include <gpuprof/legacy/lookup.hpp>

namespace formula_text_test {

using gpuprof::to_text;

namespace events = gpuprof::legacy::events;
namespace legacy = gpuprof::legacy;

TEST_CASE("a formula's text is its arithmetic with no more brackets than needed") {
    CHECK(to_text(legacy::metrics_5x.find("branch_efficiency")->formula) ==
          "100 * (branch - divergent_branch) / branch");
    CHECK(to_text(legacy::metrics_5x.find("achieved_occupancy")->formula) ==
          "100 * active_warps / active_cycles / max_warps_per_multiprocessor");
    CHECK(to_text(legacy::mapping_of_metric("cf_executed")->formula) ==
          "smsp__inst_executed_pipe_cbu.sum + smsp__inst_executed_pipe_adu.sum");
    CHECK(to_text(legacy::mapping_of_metric("l2_tex_read_throughput")->formula) ==
          "lts__t_sectors_srcunit_tex_op_read.sum.per_second * 32");
    CHECK(to_text(gpuprof::formula{}) == "");
}

TEST_CASE("what stands right of a minus or a stroke keeps its brackets") {
    static constexpr auto difference = events::branch - (events::inst_issued1 - events::inst_issued2);
    CHECK(to_text(difference) == "branch - (inst_issued1 - inst_issued2)");
    static constexpr auto quotient = events::branch / (events::inst_issued1 * events::inst_issued2);
    CHECK(to_text(quotient) == "branch / (inst_issued1 * inst_issued2)");
    static constexpr auto sum = events::branch + (events::inst_issued1 + events::inst_issued2);
    CHECK(to_text(sum) == "branch + inst_issued1 + inst_issued2");
}

} // namespace formula_text_test
