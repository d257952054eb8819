// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// io/waits_table: the table, the CSV and the JSON of how long ranks waited.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <sstream>
#include <string>
#include <string_view>

#include <gpuprof/io/waits_table.hpp>

#if __has_include(<nlohmann/json.hpp>)
#include <nlohmann/json.hpp>
#endif

namespace waits_table_test {

namespace io = gpuprof::io;
namespace ranks = gpuprof::ranks;

namespace {
ranks::wait_report two_ranks() {
    ranks::wait_report made;
    made.size = 3;
    made.heard = 2;
    made.silent = {{2, 0}};
    made.problems = {ranks::problem_of(made.silent)};
    for (std::size_t rank = 0; rank < 2; ++rank) {
        ranks::rank_wait row;
        row.rank = rank;
        row.place = "node17, NVIDIA \"H200\"";
        row.collectives = 2;
        row.last = rank == 1 ? 2 : 0;
        row.wait = rank == 0 ? 3'000'000 : 0;
        row.work = 1'000'000;
        row.longest = rank == 0 ? 2'500'000 : 0;
        row.clock_ahead = rank == 1 ? -1234 : 0;
        row.clock_drift_ppm = rank == 1 ? 0.5 : 0;
        row.clock_error = rank == 1 ? 1500 : 0;
        row.clock_known = true;
        row.events = 10 + rank;
        made.ranks.push_back(row);
    }
    for (std::uint64_t const wait : {2'500'000u, 500'000u}) {
        ranks::collective each;
        each.name = "ncclDevKernel_AllReduce";
        each.index = made.collectives.size();
        each.ranks = 2;
        each.last_rank = 1;
        each.first_begin = 5'000'000;
        each.last_begin = 5'000'000 + wait;
        each.first_end = 9'000'000;
        each.waits = {wait, 0u, {}};
        made.collectives.push_back(each);
    }
    return made;
}
} // namespace

TEST_CASE("table of waits: a line a rank, the longest wait, the clocks' error, and who is missing, in 100 columns") {
    std::string const text = io::table(two_ranks());
    CHECK(text == "2 of 3 ranks; no clock is off by more than 1.5 us against rank 0's\n"
                  "rank  machine, GPU           collectives  wait  share  work  longest wait  last in\n"
                  "   0  node17, NVIDIA \"H200\"            2  3 ms   75 %  1 ms        2.5 ms        0\n"
                  "   1  node17, NVIDIA \"H200\"            2  0 ns    0 %  1 ms          0 ns        2\n"
                  "longest: rank 0 waited 2.5 ms for rank 1 in ncclDevKernel_AllReduce, number 0 of stream 0\n" +
                      text.substr(text.find("missing: ")));
    CHECK(text.find("rank 2") != std::string::npos);
    std::istringstream lines{text};
    std::size_t widest = 0;
    for (std::string line; std::getline(lines, line);) widest = std::max(widest, line.size());
    CHECK(widest <= 100);
    std::ostringstream out;
    out << two_ranks();
    CHECK(out.str() == text);
}

TEST_CASE("table of waits: a long place is cut in its middle, and a collective whose kernels did not wait is not the "
          "longest") {
    auto report = two_ranks();
    report.ranks[0].place = "a-machine-with-a-long-name-17, NVIDIA H200";
    report.collectives[0].first_end = 5'100'000;
    std::string const text = io::table(report);
    CHECK(text.find("   0  a-machine-wit...7, NVIDIA H200  ") != std::string::npos);
    CHECK(text.find("waited 500 us for rank 1") != std::string::npos);
}

TEST_CASE("CSV of waits: a line a rank") {
    CHECK(io::csv(two_ranks()) == "rank,machine and GPU,collectives,last,wait (ns),work (ns),longest wait (ns),clock "
                                  "ahead (ns),clock drift (ppm),"
                                  "clock error (ns),events\r\n"
                                  "0,\"node17, NVIDIA \"\"H200\"\"\",2,0,3000000,1000000,2500000,0,0,0,10\r\n"
                                  "1,\"node17, NVIDIA \"\"H200\"\"\",2,2,0,1000000,0,-1234,0.5,1500,11\r\n");
}

#if __has_include(<nlohmann/json.hpp>)
TEST_CASE("JSON of waits: ranks, collectives with each rank's wait, and what is missing") {
    auto const read = nlohmann::json::parse(io::json(two_ranks()), nullptr, false);
    REQUIRE_FALSE(read.is_discarded());
    CHECK(read["size"] == 3);
    CHECK(read["silent"][0]["rank"] == 2);
    CHECK(read["clock error (ns)"] == 1500);
    REQUIRE(read["ranks"].size() == 2);
    CHECK(read["ranks"][0]["wait (ns)"] == 3'000'000);
    CHECK(read["ranks"][1]["clock ahead (ns)"] == -1234);
    CHECK(read["ranks"][1]["last"] == 2);
    REQUIRE(read["collectives"].size() == 2);
    CHECK(read["collectives"][0]["last rank"] == 1);
    CHECK(read["collectives"][0]["waits (ns)"] == nlohmann::json::parse("[2500000,0,null]", nullptr, false));
    CHECK(read["problems"].size() == 1);
}
#endif

} // namespace waits_table_test
