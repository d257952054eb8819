// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// io/series_table.hpp: the table of a series, to the character, and its CSV and JSON.
#include <gpuprof/bottleneck.hpp>
#include <gpuprof/gpuprof.hpp>

#include <doctest/doctest.h>

#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace series_table_test {

namespace explain = gpuprof::explain;

// Three combinations in two rounds, one of them refused. Of two values that differ by 2 the half width is 12.7062.
static explain::series_report paper() {
    explain::series_report of;
    of.device = "GPU";
    of.chip = "GH100";
    of.axes = {{"block", {64, 128, 2048}},
               explain::carveout_axis(std::vector<gpuprof::abi::CUfunction>{nullptr}, {-1})};
    of.metrics = {gpuprof::metric_info{gpuprof::metrics::gpu_time_duration}};
    of.memory = gpuprof::memory_control::restore_written;
    of.rounds = 2;
    of.passes = 1;
    auto const row = [](long long block, std::vector<std::vector<double>> values) {
        return explain::series_row{explain::parameters{{{"block", block}, {"carveout", -1}}}, std::move(values), {}};
    };
    of.rows = {row(64, {{1999, 2001}}), row(128, {{1000, 1002}}), row(2048, {})};
    of.rows[2].refused = gpuprof::error{gpuprof::errc::launch_failed, 1, "refused", "too large", "smaller"};
    return of;
}

TEST_CASE("series table: values, the best, what is like it, and why the rest has none") {
    auto of = paper();
    CHECK(gpuprof::io::table(of) ==
          "GPU (GH100): 3 combinations, 2 rounds of 1 pass, memory put back for each run\n"
          "block         carveout  gpu__time_duration.sum [ns]\n"
          "   64  driver's choice                  2,000 +- 13\n"
          "  128  driver's choice                  1,001 +- 13  best\n"
          " 2048  driver's choice                            -  refused\n"
          "best: block = 128, carveout = driver's choice, by gpu__time_duration.sum (lower is better)\n"
          "refused: block = 2048, carveout = driver's choice: launch failed: refused; because too large; remedy: "
          "smaller\n");
    std::ostringstream out;
    out << of;
    CHECK(out.str() == gpuprof::io::table(of));

    of.rows[0].rounds = {{1001, 1004}}; // longer by 1 and 2: mean 1.5, half width 6.35
    CHECK(gpuprof::io::table(of).find("cannot be told from it: block = 64, carveout = driver's choice\n") !=
          std::string::npos);
    CHECK(gpuprof::io::table(of).find("alike\n") != std::string::npos);
    of.rounds = 1;
    of.rows[0].rounds = {{1001}};
    of.rows[1].rounds = {{1001}};
    CHECK(gpuprof::io::table(of).find("each was measured once: how much the values vary is not known\n") !=
          std::string::npos);
    of.rows[0].refused = of.rows[1].refused = of.rows[2].refused;
    std::string const none = gpuprof::io::table(of);
    CHECK(none.find("no best: not collected: no combination has a value") != std::string::npos);
    CHECK(none.find("refused: block = 64, carveout = driver's choice and 2 others: launch failed") !=
          std::string::npos);
}

TEST_CASE("series table: CSV has a line a combination, with nothing where nothing was measured") {
    CHECK(gpuprof::io::csv(paper()) ==
          "block,carveout,gpu__time_duration.sum mean [ns],gpu__time_duration.sum half width [ns],"
          "gpu__time_duration.sum least [ns],gpu__time_duration.sum most [ns],refused\r\n"
          "64,-1,2000,12.7062,1999,2001,\r\n"
          "128,-1,1001,12.7062,1000,1002,\r\n"
          "2048,-1,,,,,launch failed: refused; because too large; remedy: smaller\r\n");
}

TEST_CASE("series table: JSON has every round, the best and the reasons") {
    CHECK(
        gpuprof::io::json(paper()) ==
        R"({"device":"GPU","chip":"GH100","source":"hardware","rounds":2,"passes":1,)"
        R"("axes":[{"name":"block","values":[64,128,2048]},{"name":"carveout","values":[-1]}],)"
        R"("metrics":[{"name":"gpu__time_duration.sum","unit":"ns"}],)"
        R"("rows":[{"values":{"block":64,"carveout":-1},"rounds":{"gpu__time_duration.sum":[1999,2001]},"refused":null},)"
        R"({"values":{"block":128,"carveout":-1},"rounds":{"gpu__time_duration.sum":[1000,1002]},"refused":null},)"
        R"({"values":{"block":2048,"carveout":-1},"rounds":{},"refused":{"code":"launch failed","status":1,"what":"refused",)"
        R"("cause":"too large","remedy":"smaller"}}],)"
        R"("best":{"row":1,"metric":"gpu__time_duration.sum","better":"lower","alike":[],"noise_known":true},"problems":[]})"
        "\n");
}

} // namespace series_table_test
