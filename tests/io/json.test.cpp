// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// io/json.hpp: reports and records, read back by another parser.
#include <doctest/doctest.h>

#if __has_include(<nlohmann/json.hpp>)

#include <nlohmann/json.hpp>

#include <limits>
#include <sstream>
#include <string>
#include <vector>

#include <gpuprof/io/json.hpp>

namespace json_test {

namespace activity = gpuprof::activity;
using gpuprof::errc;
using gpuprof::metric;
using gpuprof::report;
using nlohmann::json;

namespace {

json parsed(std::string const& text) {
    json read = json::parse(text, nullptr, false);
    REQUIRE_FALSE(read.is_discarded());
    return read;
}

} // namespace

TEST_CASE("a report as JSON has ranges with their parents, values that read back, and problems") {
    report::contents made;
    made.device = "Paper \"GPU\"";
    made.chip = "GH100";
    made.source = gpuprof::device_source::embedded;
    made.hardware = "range profiler";
    made.metrics = {metric<"dram__bytes_read.sum">, metric<"l1tex__t_sector_hit_rate.pct">};
    made.values = {133140480, 0.1 + 0.2, 1024, 50, 2048, std::numeric_limits<double>::quiet_NaN(), 7, 8};
    // "late" was first opened in a later repetition of "frame", after "other".
    made.ranges = {{"frame", report::range::top, 1, {0}},
                   {"step", 0, 2, {1, 2}},
                   {"other", report::range::top, 1, {3}},
                   {"late", 0, 1, {3}}};
    made.completeness.passes_needed = 2;
    made.completeness.replay_passes = 3;
    made.completeness.problems.push_back({errc::not_collected, 12, "what", "why\n", "do"});
    json const read = parsed(gpuprof::io::json(report{made}));
    CHECK(read["device"] == "Paper \"GPU\"");
    CHECK(read["source"] == "embedded");
    CHECK(read["complete"] == false);
    CHECK(read["passes_needed"] == 2);
    CHECK(read["replay_passes"] == 3);
    CHECK(read["problems"] ==
          json::parse(R"([{"code":"not collected","status":12,"what":"what","cause":"why\n","remedy":"do"}])"));
    CHECK(read["unwatched"].is_null());
    CHECK(read["metrics"][0] == json{{"name", "dram__bytes_read.sum"},
                                     {"unit", "byte"},
                                     {"kind", "counter"},
                                     {"repetitions", "sum"},
                                     {"collected_from", "hardware"}});
    CHECK(read["metrics"][1]["unit"] == "%");
    auto const& ranges = read["ranges"];
    REQUIRE(ranges.size() == 4);
    CHECK(ranges[0]["parent"].is_null());
    CHECK(ranges[1]["parent"] == 0);
    CHECK(ranges[2]["parent"].is_null());
    CHECK(ranges[3]["parent"] == 0);
    CHECK(ranges[3]["path"] == "frame/late");
    CHECK(ranges[0]["values"]["l1tex__t_sector_hit_rate.pct"].get<double>() == 0.1 + 0.2);
    CHECK_FALSE(ranges[0].contains("each"));
    CHECK(ranges[1]["count"] == 2);
    CHECK(ranges[1]["values"]["dram__bytes_read.sum"] == 1024 + 2048);
    CHECK(ranges[1]["each"]["dram__bytes_read.sum"] == json{1024, 2048});
    CHECK(ranges[1]["each"]["l1tex__t_sector_hit_rate.pct"][1].is_null());
}

TEST_CASE("texts and instances of a report are in its JSON") {
    report::contents made;
    made.metrics = {metric<"launch__occupancy_per_block_size">, metric<"dram__bytes_read.sum">};
    double const nan = std::numeric_limits<double>::quiet_NaN();
    made.values = {nan, nan};
    made.ranges = {{"r", report::range::top, 1, {0}}};
    gpuprof::report_note note;
    note.metric = 0;
    note.value = gpuprof::hw::provided::provided_value{
        std::vector<gpuprof::hw::provided::provided_instance>{{"32", 50}, {"64", 100}}};
    made.notes.push_back(note);
    json const read = parsed(gpuprof::io::json(report{made}));
    CHECK(read["ranges"][0]["values"]["dram__bytes_read.sum"].is_null());
    auto const& instances = read["ranges"][0]["instances"]["launch__occupancy_per_block_size"];
    REQUIRE(instances.size() == 2);
    CHECK(instances[1]["of"] == "64");
    CHECK(instances[1]["value"] == 100);
}

TEST_CASE("a report of nothing is an object") {
    json const read = parsed(gpuprof::io::json(report{}));
    CHECK(read["ranges"].empty());
    CHECK(read["complete"] == true);
}

TEST_CASE("records as NDJSON are an object a line, with what they have") {
    std::string text;
    {
        gpuprof::io::ndjson_writer lines{gpuprof::io::into(text)};
        activity::kernel kernel;
        kernel.name = "q\"\n\xff";
        kernel.time = {{1'763'790'000'000'000'001}, {1'763'790'000'000'000'501}};
        kernel.graph_node = 0xffffffffffffffffu;
        kernel.grid_id = std::numeric_limits<std::int64_t>::min();
        lines.write(activity::record{kernel});
        lines(gpuprof::traced_scope{1, 0, "step", {{5}, {9}}, 77});
#define GPUPROF_TEST_WRITE(type) lines.write(activity::record{activity::type{}});
        GPUPROF_ACTIVITY_RECORDS(GPUPROF_TEST_WRITE)
#undef GPUPROF_TEST_WRITE
        lines.write(activity::record{});
    }
    std::istringstream in{text};
    std::vector<json> all;
    for (std::string line; std::getline(in, line);) all.push_back(parsed(line));
    REQUIRE(all.size() == 2 + std::variant_size_v<activity::record>);
    CHECK(all[0]["record"] == "kernel");
    CHECK(all[0]["name"] == "q\"\n\xef\xbf\xbd");
    CHECK(all[0]["start"].get<std::uint64_t>() == 1'763'790'000'000'000'001u);
    CHECK(all[0]["graphNodeId"].get<std::uint64_t>() == 0xffffffffffffffffu);
    CHECK(all[0]["gridId"].get<std::int64_t>() == std::numeric_limits<std::int64_t>::min());
    CHECK_FALSE(all[0].contains("queued"));
    CHECK_FALSE(all[0].contains("graphId"));
    CHECK(all[0]["partitionedGlobalCacheRequested"] == "unknown");
    CHECK(all[1] ==
          json::parse(R"({"record":"scope","number":1,"parent":0,"name":"step","start":5,"end":9,"threadId":77})"));
    CHECK(all.back()["record"] == "unknown");
}

} // namespace json_test

#else

TEST_CASE("JSON is read back") { MESSAGE("skipped: there is no nlohmann/json.hpp here"); }

#endif
