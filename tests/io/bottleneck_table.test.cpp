// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// io/bottleneck_table.hpp: the text of a verdict, to the character, and the table of docs/bottleneck.md.
#include <doctest/doctest.h>

#include <fstream>
#include <iterator>
#include <sstream>
#include <string>

#include <gpuprof/io/bottleneck_table.hpp>

namespace bottleneck_table_test {

namespace explain = gpuprof::explain;
using explain::gpu_unit;
using gpuprof::percent;

TEST_CASE(
    "bottleneck table: the verdict, whole per cent, question marks for what is not known, the three longest waits") {
    explain::bottleneck found;
    found.kind = explain::bottleneck_kind::unit;
    found.unit = gpu_unit::dram;
    found.findings = {{gpu_unit::l2, percent{12.4}, percent{80.5}, percent{0}, 0, {}},
                      {gpu_unit::dram, percent{101.5}, percent{80.5}, percent{82}, 82, {}},
                      {gpu_unit::fma, {}, percent{3}, {}, 3, {}}};
    found.stalls = {{"drain", percent{50}}, {"wait", percent{20}}, {"membar", percent{5}}, {"misc", percent{1}}};
    found.active = percent{99.6};
    found.running = percent{99.9};
    CHECK(gpuprof::io::table(found) == "bottleneck: DRAM\n"
                                       "unit      bottleneck  speed of light  warps waiting\n"
                                       "L2               0 %            12 %           81 %\n"
                                       "DRAM            82 %           102 %           81 %\n"
                                       "FMA pipe           ?               ?            3 %\n"
                                       "warps waited longest for: drain 50 %, wait 20 %, membar 5 %\n"
                                       "SMs had a warp: 100 % of the time\n"
                                       "kernels ran: 100 % of the range\n");
    std::ostringstream out;
    out << found;
    CHECK(out.str() == gpuprof::io::table(found));
}

TEST_CASE("bottleneck table: latency says from when on a unit is named, and how busy the busiest is") {
    explain::bottleneck found;
    found.kind = explain::bottleneck_kind::latency;
    found.findings = {{gpu_unit::l2, percent{12.4}, percent{80.5}, percent{0}, 0, {}},
                      {gpu_unit::dram, percent{31.5}, percent{80.5}, percent{12}, 12, {}}};
    std::string const text = gpuprof::io::table(found);
    CHECK(text.starts_with(
        "bottleneck: latency: no unit's bottleneck is 25 % or more; the busiest, DRAM, is at 32 % of its "
        "speed of light\n"));
    found.findings.clear();
    CHECK(gpuprof::io::table(found) == "bottleneck: latency: no unit's bottleneck is 25 % or more\n");
}

TEST_CASE("bottleneck table: what cannot be said says why, and the embedded GPU how it got its values") {
    explain::bottleneck none;
    none.why = "no warp was resident in the range";
    none.source = gpuprof::device_source::embedded;
    none.fidelity = gpuprof::fidelity::estimated;
    CHECK(gpuprof::io::table(none) == "bottleneck: cannot be said, because no warp was resident in the range\n"
                                      "embedded GPU: these values are estimated\n");
}

TEST_CASE("bottleneck table: the document shows the definitions as they are") {
    std::ifstream file{std::string{GPUPROF_TEST_SOURCE_DIR} + "/../docs/bottleneck.md"};
    std::string const document{std::istreambuf_iterator<char>{file}, {}};
    std::string const table = gpuprof::io::unit_experiments_table();
    CHECK(table.size() > 11 * 40);
    CHECK_MESSAGE(document.find("\n" + table + "```") != std::string::npos, table);
}

} // namespace bottleneck_table_test
