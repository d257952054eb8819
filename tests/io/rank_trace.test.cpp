// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// io/rank_trace: traces of ranks with skewed clocks are joined, and read back by another parser.
#include <doctest/doctest.h>

#if __has_include(<nlohmann/json.hpp>)

#include <nlohmann/json.hpp>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gpuprof/hw/machine/platform/file.hpp>
#include <gpuprof/io/file_sink.hpp>
#include <gpuprof/io/rank_trace.hpp>

#include "support/scratch_directory.hpp"
#include "support/thread_ranks.hpp"

namespace rank_trace_test {

namespace activity = gpuprof::activity;
namespace cupti = gpuprof::abi;
namespace io = gpuprof::io;
namespace ranks = gpuprof::ranks;
using gpuprof::errc;
using nlohmann::json;

namespace {

constexpr std::uint64_t noon = 1'763'812'800'000'000'000; // 22 November 2025, 12:00 UTC
constexpr std::uint64_t midnight = noon - 43'200'000'000'000;
constexpr std::string_view all_reduce = "ncclDevKernel_AllReduce_Sum_f32_RING_LL";

// A rank's clock is so far ahead of rank 0's; all of this test's times are of rank 0's clock.
constexpr std::int64_t ahead_of(std::size_t rank) { return static_cast<std::int64_t>(rank) * 5'000'000'123; }

struct part_writer {
    io::file_sink file;
    io::trace_event_writer writer;
    std::int64_t ahead;
    explicit part_writer(std::string const& path, std::int64_t how_far)
        : file{*io::file_sink::try_open(path)}, writer{file.sink()}, ahead{how_far} {}

    [[nodiscard]] activity::interval time(std::uint64_t start, std::uint64_t length) const {
        std::uint64_t const at = noon + start + static_cast<std::uint64_t>(ahead);
        return {{at}, {at + length}};
    }
    void kernel(std::string_view name, std::uint64_t start, std::uint64_t length, std::size_t stream = 7,
                std::uint32_t device = 0, std::uint32_t correlation = 0) {
        activity::kernel made;
        made.name = name;
        made.time = time(start, length);
        made.device = device;
        made.context = 1;
        made.stream = static_cast<std::uint32_t>(stream);
        made.correlation = correlation;
        writer.write(made);
    }
    void call(std::uint64_t start, std::uint64_t length, std::uint32_t correlation) {
        activity::api_call made;
        made.kind = cupti::CUPTI_ACTIVITY_KIND_RUNTIME;
        made.callback = 211;
        made.process = 4000;
        made.thread = 4001;
        made.time = time(start, length);
        made.correlation = correlation;
        writer.write(made);
    }
    void finish() {
        CHECK(writer.finish().has_value());
        CHECK(file.close().has_value());
    }
};

// Two steps of four ranks: each computes, then calls an all-reduce, that the last one to come ends at once for all.
constexpr std::uint64_t begins[2][4]{{1'000, 4'000, 2'000, 9'000}, {20'000, 21'000, 20'500, 20'000}};
constexpr std::uint64_t ends[2]{10'000, 23'000};
void write_steps(part_writer& part, std::size_t rank) {
    for (std::size_t step = 0; step < 2; ++step) {
        auto const number = static_cast<std::uint32_t>(step + 1);
        part.call(begins[step][rank] - 900, 100, number);
        part.kernel("compute \"ts\":5,\"pid\":9", begins[step][rank] - 700, 600, 7, 0, number);
        part.kernel(all_reduce, begins[step][rank], ends[step] - begins[step][rank]);
    }
}

ranks::rank_clock clock_of(std::size_t rank, std::uint64_t error = 100) {
    ranks::clock_reading reading;
    reading.known = true;
    reading.at = noon + static_cast<std::uint64_t>(ahead_of(rank));
    reading.ahead = ahead_of(rank);
    reading.error = rank == 0 ? 0 : error;
    return {reading, reading};
}

json parsed(std::string const& path) {
    json read = json::parse(gpuprof::platform::read_file(path).value_or(""), nullptr, false);
    REQUIRE_FALSE(read.is_discarded());
    return read;
}
std::uint64_t nanoseconds(json const& microseconds) {
    return static_cast<std::uint64_t>(microseconds.get<double>() * 1000 + 0.5);
}
std::vector<json> events(json const& file, std::string_view phase, std::string_view category = {}) {
    std::vector<json> found;
    for (json const& each : file["traceEvents"])
        if (each["ph"] == phase && (category.empty() || each["cat"] == category)) found.push_back(each);
    return found;
}

struct joint {
    ranks::wait_report report{}; // rank 0's
    std::vector<std::string> errors{};
};
// Joins what `write` writes for each rank.
template <class Write>
joint joined(std::string const& folder, std::size_t size, Write write, io::rank_trace_options const& options = {}) {
    joint made;
    made.errors.resize(size);
    for (std::size_t rank = 0; rank < size; ++rank) {
        part_writer part{folder + "/part" + std::to_string(rank), ahead_of(rank)};
        write(part, rank);
        part.finish();
    }
    test::as_ranks(size, [&](ranks::communicator& all) {
        io::rank_trace_options mine = options;
        mine.place = "node" + std::to_string(all.rank());
        auto report = io::try_join_traces(all, clock_of(all.rank()), folder + "/part" + std::to_string(all.rank()),
                                          folder + "/joint", mine);
        if (!report) made.errors[all.rank()] = report.error().message();
        else if (all.rank() == 0) made.report = *std::move(report);
    });
    return made;
}

} // namespace

TEST_CASE("rank_trace: events of all ranks are in one file, by rank 0's clock, with a process for each rank") {
    scratch_directory const folder;
    for (std::size_t const block : {std::size_t{1} << 20, std::size_t{100}}) { // in one message each, and in many
        io::rank_trace_options options;
        options.block_bytes = block;
        auto const made = joined(folder.path(), 4, write_steps, options);
        for (std::string const& each : made.errors) CHECK(each == "");
        json const file = parsed(folder.path() + "/joint");
        CHECK(file["displayTimeUnit"] == "ns");
        CHECK(file["otherData"]["base_ns"] == std::to_string(midnight));
        std::map<std::int64_t, std::string> names;
        for (json const& each : events(file, "M"))
            if (each["name"] == "process_name") {
                CHECK(names.count(each["pid"]) == 0);
                names[each["pid"]] = each["args"]["name"];
            }
        REQUIRE(names.size() == 4);
        std::set<std::int64_t> expected;
        for (std::int64_t rank = 0; rank < 4; ++rank) {
            CHECK(names[rank + 1] == "rank " + std::to_string(rank) + ", node" + std::to_string(rank));
            expected.insert(rank + 1);
        }
        std::map<std::int64_t, std::vector<std::uint64_t>> computes, calls;
        for (json const& each : events(file, "X")) {
            CHECK(expected.count(each["pid"]) == 1);
            if (each["name"] == "compute \"ts\":5,\"pid\":9") {
                computes[each["pid"]].push_back(nanoseconds(each["ts"]) + midnight - noon);
                CHECK(nanoseconds(each["dur"]) == 600);
            }
            if (each["cat"] == "runtime") calls[each["pid"]].push_back(nanoseconds(each["ts"]) + midnight - noon);
        }
        for (std::size_t rank = 0; rank < 4; ++rank)
            for (std::size_t step = 0; step < 2; ++step) {
                auto const process = static_cast<std::int64_t>(rank) + 1;
                REQUIRE(computes[process].size() == 2);
                REQUIRE(calls[process].size() == 2);
                CHECK(computes[process][step] == begins[step][rank] - 700);
                CHECK(calls[process][step] == begins[step][rank] - 900);
            }
        // Arrows from calls to kernels stay within their rank: no id is used by two.
        std::map<std::string, std::vector<std::int64_t>> flows;
        for (std::string_view const phase : {"s", "f"})
            for (json const& each : events(file, phase, "flow")) flows[each["id"]].push_back(each["pid"]);
        CHECK(flows.size() == 8);
        for (auto const& each : flows) {
            REQUIRE(each.second.size() == 2);
            CHECK(each.second[0] == each.second[1]);
        }
        std::uint64_t told = 0;
        for (auto const& each : made.report.ranks) told += each.events;
        CHECK(told == file["traceEvents"].size());
    }
}

TEST_CASE("rank_trace: waits are told from work, with the rank that all waited for") {
    scratch_directory const folder;
    auto const made = joined(folder.path(), 4, write_steps);
    auto const& report = made.report;
    CHECK(report.complete());
    CHECK(report.heard == 4);
    CHECK(report.clock_error() == 100);
    REQUIRE(report.collectives.size() == 2);
    constexpr std::uint64_t last_begin[2]{9'000, 21'000};
    constexpr std::size_t last_rank[2]{3, 1};
    std::uint64_t waits[4]{}, works[4]{};
    for (std::size_t step = 0; step < 2; ++step) {
        auto const& each = report.collectives[step];
        CHECK(each.name == all_reduce);
        CHECK(each.index == step);
        CHECK(each.ranks == 4);
        CHECK(each.last_rank == last_rank[step]);
        CHECK(each.first_rank == 0);
        CHECK(each.last_begin == noon + last_begin[step]);
        CHECK(each.overlaps());
        REQUIRE(each.waits.size() == 4);
        for (std::size_t rank = 0; rank < 4; ++rank) {
            CHECK(each.waits[rank] == last_begin[step] - begins[step][rank]);
            waits[rank] += last_begin[step] - begins[step][rank];
            works[rank] += ends[step] - last_begin[step];
        }
    }
    REQUIRE(report.ranks.size() == 4);
    for (std::size_t rank = 0; rank < 4; ++rank) {
        auto const& row = report.ranks[rank];
        CHECK(row.rank == rank);
        CHECK(row.place == "node" + std::to_string(rank));
        CHECK(row.collectives == 2);
        CHECK(row.wait == waits[rank]);
        CHECK(row.work == works[rank]);
        CHECK(row.last == (rank == 3 || rank == 1 ? 1u : 0u));
        CHECK(row.clock_ahead == ahead_of(rank));
    }

    json const file = parsed(folder.path() + "/joint");
    std::set<std::int64_t> numbers;
    std::size_t kernels = 0;
    for (json const& each : events(file, "X", "kernel")) {
        if (each["name"] != all_reduce) continue;
        ++kernels;
        numbers.insert(each["args"]["collective"].get<std::int64_t>());
        auto const rank = each["pid"].get<std::size_t>() - 1, step = each["args"]["collective"].get<std::size_t>();
        REQUIRE(rank < 4);
        REQUIRE(step < 2);
        CHECK(each["args"]["wait (ns)"] == last_begin[step] - begins[step][rank]);
        CHECK(each["args"]["work (ns)"] == ends[step] - last_begin[step]);
        CHECK(each["args"]["last rank"] == last_rank[step]);
    }
    CHECK(kernels == 8);
    CHECK(numbers == std::set<std::int64_t>{0, 1});
    // A slice for each wait, on its kernel's track, and an arrow from the last one's kernel to where the wait ends.
    CHECK(events(file, "X", "wait").size() == 6);
    std::map<std::string, std::pair<json, json>> arrows;
    for (json const& each : events(file, "s", "collective")) arrows[each["id"]].first = each;
    for (json const& each : events(file, "f", "collective")) arrows[each["id"]].second = each;
    CHECK(arrows.size() == 6);
    for (auto const& each : arrows) {
        auto const& [from, to] = each.second;
        REQUIRE_FALSE(from.is_null());
        REQUIRE_FALSE(to.is_null());
        std::uint64_t const at = nanoseconds(from["ts"]) + midnight - noon;
        std::size_t const step = at == last_begin[0] ? 0 : 1;
        CHECK(at == last_begin[step]);
        CHECK(from["pid"] == last_rank[step] + 1);
        CHECK(nanoseconds(to["ts"]) == nanoseconds(from["ts"]) + 1);
    }
    json const& rows = file["otherData"]["ranks"];
    REQUIRE(rows.size() == 4);
    CHECK(rows[2]["clock"]["error (ns)"] == 100);
    CHECK(rows[2]["clock"]["ahead (ns)"] == ahead_of(2));
    CHECK(rows[2]["own"]["records_without_time"] == 0);
    CHECK(rows[2]["wait (ns)"] == waits[2]);
}

TEST_CASE(
    "rank_trace: streams and names are joined apart, groups too, and a second GPU of a rank has its own process") {
    scratch_directory const folder;
    io::rank_trace_options options;
    auto const write = [](part_writer& part, std::size_t rank) {
        std::uint64_t const late = rank * 1'000;
        part.kernel(all_reduce, 1'000 + late, 9'000 - late, 7 + rank); // streams have other numbers on other ranks
        part.kernel(all_reduce, 20'000 + late, 9'000 - late, 27 + rank);
        part.kernel("ncclDevKernel_Broadcast_RING_LL", 40'000 + late, 9'000 - late, 7 + rank);
        part.kernel("other", 60'000, 10, 7, 1);
    };
    auto const made = joined(folder.path(), 2, write, options);
    REQUIRE(made.report.collectives.size() == 3);
    CHECK(made.report.collectives[0].stream == 0);
    CHECK(made.report.collectives[1].stream == 1);
    CHECK(made.report.collectives[1].index == 0);
    CHECK(made.report.collectives[2].name == "ncclDevKernel_Broadcast_RING_LL");
    for (auto const& each : made.report.collectives) CHECK(each.last_rank == 1);
    json const file = parsed(folder.path() + "/joint");
    std::set<std::string> names;
    std::set<std::int64_t> of_other;
    for (json const& each : events(file, "M"))
        if (each["name"] == "process_name") names.insert(each["args"]["name"].get<std::string>());
    for (json const& each : events(file, "X", "kernel"))
        if (each["name"] == "other") of_other.insert(each["pid"].get<std::int64_t>());
    CHECK(names == std::set<std::string>{"rank 0, node0", "rank 0, GPU 1", "rank 1, node1", "rank 1, GPU 1"});
    CHECK(of_other.size() == 2);
    CHECK(of_other.count(1) + of_other.count(2) == 0);
}

TEST_CASE("rank_trace: kernels that did not wait for the last one, and ranks that lack collectives, are told") {
    scratch_directory const folder;
    auto const apart = joined(folder.path(), 2, [](part_writer& part, std::size_t rank) {
        part.kernel(all_reduce, 1'000 + 5'000 * rank, 2'000);
        if (rank == 0) part.kernel(all_reduce, 20'000, 2'000);
    });
    REQUIRE(apart.report.collectives.size() == 2);
    CHECK_FALSE(apart.report.collectives[0].overlaps());
    CHECK(apart.report.collectives[0].waits[0] == 2'000u); // no longer than the kernel
    CHECK(apart.report.collectives[1].ranks == 1);
    CHECK_FALSE(apart.report.collectives[1].waits[1]);
    REQUIRE(apart.report.problems.size() == 2);
    CHECK(apart.report.problems[0].what.find("1 collectives are not on all ranks") != std::string::npos);
    CHECK(apart.report.problems[1].what.find("in 1 collectives a kernel ended") != std::string::npos);

    io::rank_trace_options options;
    options.most_collectives = 1;
    options.most_waits = 1;
    auto const few = joined(folder.path(), 2, write_steps, options);
    CHECK(few.report.collectives.size() == 1);
    CHECK(few.report.left_out == 1);
    CHECK(few.report.collectives[0].waits.empty());
    CHECK_FALSE(few.report.complete());
}

TEST_CASE("rank_trace: a part that is missing, that was cut off, or of a clock that is not known is named, and the "
          "rest is there") {
    scratch_directory const folder;
    std::string const path = folder.path();
    for (std::size_t rank = 0; rank < 3; ++rank) {
        part_writer part{path + "/part" + std::to_string(rank), ahead_of(rank)};
        write_steps(part, rank);
        part.finish();
    }
    std::string const whole = gpuprof::platform::read_file(path + "/part1").value_or("");
    REQUIRE(gpuprof::platform::write_file(path + "/part1", std::string_view{whole}.substr(0, whole.size() / 2)));
    ranks::wait_report report;
    test::as_ranks(3, [&](ranks::communicator& all) {
        auto made = io::try_join_traces(all, all.rank() == 0 ? ranks::rank_clock{} : clock_of(all.rank()),
                                        all.rank() == 2 ? path + "/none" : path + "/part" + std::to_string(all.rank()),
                                        path + "/joint");
        if (made && all.rank() == 0) report = *std::move(made);
    });
    CHECK(report.heard == 3);
    REQUIRE(report.problems.size() == 3);
    CHECK(report.problems[0].cause.find("clock") != std::string::npos);
    CHECK(report.problems[1].cause.find("has no end") != std::string::npos);
    CHECK(report.problems[2].cause.find("cannot be read") != std::string::npos);
    json const file = parsed(path + "/joint");
    CHECK(events(file, "X", "kernel").size() == 4); // rank 0's
}

TEST_CASE("rank_trace: where rank 0 cannot write, all ranks have an error and the parts are left") {
    scratch_directory const folder;
    std::string const path = folder.path();
    for (std::size_t rank = 0; rank < 2; ++rank) part_writer{path + "/part" + std::to_string(rank), 0}.finish();
    std::atomic<unsigned> told{0};
    test::as_ranks(2, [&](ranks::communicator& all) {
        auto const made = io::try_join_traces(all, clock_of(all.rank()), path + "/part" + std::to_string(all.rank()),
                                              path + "/no/joint");
        if (!made && made.error().code == errc::io) ++told;
    });
    CHECK(told == 2);
    CHECK(folder.files() == 2);
}

TEST_CASE("rank_trace: each call of a rank fails in turn, and all ranks come back with an error or a name") {
    scratch_directory const folder;
    std::string const path = folder.path();
    for (std::size_t rank = 0; rank < 3; ++rank) {
        part_writer part{path + "/part" + std::to_string(rank), ahead_of(rank)};
        write_steps(part, rank);
        part.finish();
    }
    for (std::size_t const faulty : {0u, 1u})
        for (unsigned fails = 0; fails < 14; ++fails) {
            std::atomic<unsigned> told{0}, back{0};
            // Rank 0 hears two summaries and answers two, hears two rows, and says, hears and says again for each rank. Rank 1
            // sends, hears, sends, hears its turn, gives, and hears that it is done.
            bool const is_made = fails < (faulty == 0 ? 12u : 6u);
            io::rank_trace_options options;
            options.clocks.deadline_ms = is_made ? 40 : 60'000;
            test::as_ranks(3, [&](ranks::communicator& good) {
                test::failing_ranks all{good, good.rank() == faulty ? fails : 1000};
                auto const made = io::try_join_traces(
                    all, clock_of(all.rank()), path + "/part" + std::to_string(all.rank()), path + "/joint", options);
                if (!made || !made->complete()) ++told;
                ++back;
            });
            INFO("rank ", faulty, ", call ", fails);
            CHECK(back == 3);
            CHECK((told > 0) == is_made);
        }
}

} // namespace rank_trace_test

#endif // nlohmann
