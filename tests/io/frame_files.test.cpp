// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// io/frame_files.hpp: frames as CSV, as JSON that another parser reads, and as curves of a trace.
#include <doctest/doctest.h>

#if __has_include(<nlohmann/json.hpp>)

#include <nlohmann/json.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <gpuprof/frames.hpp>
#include <gpuprof/trace.hpp>

#include "frames/frame_program.hpp"

namespace frame_files_test {

using namespace gpuprof;
using nlohmann::json;

namespace {

struct paper_clock {
    static inline std::uint64_t time = 5'000;
    static std::uint64_t now() noexcept { return time; }
};
using paper_sampler = basic_frame_sampler<paper_clock>;

// Every other frame has a reading, whose value is the number of the read.
struct paper_source {
    static constexpr bool timed = false;
    static constexpr bool cheap_to_select = true;
    std::span<frame_group const> groups() const noexcept { return all; }
    result<void> try_select(std::size_t) { return {}; }
    result<frame_read> try_read(std::size_t, frame_sink sink) {
        double const value = ++reads % 2 == 0 ? static_cast<double>(reads) : detail::quiet_nan;
        sink({0, 0, detail::quiet_nan, {&value, 1}});
        return frame_read{1, 0, false};
    }
    std::vector<frame_group> all{{0}};
    std::uint64_t reads = 0;
};

// 10 frames of 1, 2, ... 10 us, of which the last 4 are kept.
paper_sampler ten_frames(device const& gpu) {
    frame_options options;
    options.budget_us = 0;
    options.history = 4;
    options.gpu_times = options.driver_counters = false;
    std::vector<metric_info> const counters{
        metric_info{metric_ref{"a \"name\", quoted", percent_unit, aggregation::mean}}};
    paper_clock::time = 5'000;
    auto made = paper_sampler::try_create(gpu, options, counters, any_frame_source{paper_source{}});
    REQUIRE(made);
    for (std::uint64_t n = 1; n <= 10; ++n) {
        made->begin_frame();
        { scope const draw{*made, "draw"}; }
        paper_clock::time += n * 1'000;
        made->end_frame();
    }
    return *std::move(made);
}

std::size_t column_of(json const& file, std::string_view name) {
    for (std::size_t i = 0; i < file["columns"].size(); ++i)
        if (file["columns"][i]["name"] == name) return i;
    FAIL("no column " << name);
    return 0;
}

} // namespace

TEST_CASE("frames as JSON: a row for each frame of the history, null where a frame has no value") {
    frame_program program{"5.2"};
    auto const frames = ten_frames(program.gpu);
    json const file = json::parse(io::json(frames), nullptr, false);
    REQUIRE_FALSE(file.is_discarded());
    CHECK(file["format"] == "gpuprof frames");
    CHECK(file["version"] == 1);
    CHECK(file["source"] == "embedded");
    CHECK(file["frames"] == 10);
    REQUIRE(file["rows"].size() == 4);
    std::size_t const host = column_of(file, "frame.host_time"), counter = column_of(file, "a \"name\", quoted"),
                      draw = column_of(file, "draw"), gpu = column_of(file, "frame.gpu_time");
    CHECK(file["columns"][host] == json{{"kind", "quantity"}, {"name", "frame.host_time"}, {"unit", "ns"}});
    CHECK(file["columns"][counter]["kind"] == "counter");
    CHECK(file["columns"][counter]["unit"] == "%");
    CHECK(file["columns"][draw]["kind"] == "scope");
    std::size_t known = 0;
    for (std::size_t i = 0; i < 4; ++i) {
        json const& row = file["rows"][i];
        std::uint64_t const n = 7 + i;
        CHECK(row["frame"] == n);
        CHECK(row["begin_ns"] == 5'000 + n * (n - 1) / 2 * 1'000); // after frames of 1 to n - 1 us
        CHECK(row["end_ns"].get<std::uint64_t>() - row["begin_ns"].get<std::uint64_t>() == n * 1'000);
        REQUIRE(row["values"].size() == file["columns"].size());
        CHECK(row["values"][host] == static_cast<double>(n * 1'000));
        CHECK(row["values"][gpu].is_null());
        CHECK(row["values"][draw].is_number());
        known += row["values"][counter].is_number();
    }
    CHECK(known == 2);
    CHECK(file["losses"]["incomplete"] == 0);
    CHECK(file["problems"].empty());
}

TEST_CASE("frames as JSON: problems have code, cause and remedy") {
    frame_program program{"gh100"};
    auto first = sampled(program.gpu, unhurried(), metric<"smsp__warps_launched.sum">);
    auto second = sampled(program.gpu, unhurried(), metric<"smsp__warps_launched.sum">);
    json const file = json::parse(io::json(second), nullptr, false);
    REQUIRE_FALSE(file.is_discarded());
    CHECK(file["rows"].empty());
    REQUIRE(file["problems"].size() == 1);
    CHECK(file["problems"][0]["code"] == "busy");
    CHECK(file["problems"][0]["remedy"] == second.problem()->remedy);
}

TEST_CASE("frames as CSV: a head with units, a line for each frame, empty cells where there is no value") {
    frame_program program{"5.2"};
    std::string const text = io::csv(ten_frames(program.gpu));
    std::vector<std::string> lines;
    for (std::size_t at = 0; at < text.size();) {
        std::size_t const end = text.find("\r\n", at);
        REQUIRE(end != text.npos);
        lines.push_back(text.substr(at, end - at));
        at = end + 2;
    }
    REQUIRE(lines.size() == 5);
    CHECK(lines[0].find("frame,begin [ns],end [ns],frame.host_time [ns],frame.gpu_time [ns],") == 0);
    CHECK(lines[0].find(",\"a \"\"name\"\", quoted [%]\",scope draw [ns]") != lines[0].npos);
    CHECK(lines[1].find("7,26000,33000,7000,,") == 0); // 5 us and 1 + ... + 6 us
    CHECK(lines[4].find("10,50000,60000,10000,,") == 0);
}

TEST_CASE("frames as curves stand beside a tracer's records, in the same time") {
    frame_program program{"gh100"};
    frame_options options = unhurried();
    options.records = frame_records::given;
    auto frames = sampled(program.gpu, options);
    using kinds = activity::kind_list<activity::kernel>;
    auto begun = tracer<kinds>::try_begin(program.gpu, kinds{});
    REQUIRE(begun);
    for (unsigned n = 1; n <= 5; ++n) {
        frames.begin_frame();
        {
            scope const draw{frames, "draw"};
            program.launch(n, 50);
        }
        program.wait();
        frames.end_frame();
    }
    std::string text;
    {
        io::trace_event_writer trace{io::into(text)};
        auto const batch = begun->try_flush();
        REQUIRE(batch);
        frames.add(*batch);
        frames.next();
        frames.next();
        trace.write(*batch);
        io::write_frames(trace, frames);
        REQUIRE(trace.finish());
        CHECK(trace.losses().before_base == 0);
    }
    json const file = json::parse(text, nullptr, false);
    REQUIRE_FALSE(file.is_discarded());
    std::map<std::string, std::vector<double>> curves, times;
    std::size_t kernels = 0;
    for (json const& each : file["traceEvents"]) {
        if (each["ph"] == "C") {
            curves[each["name"]].push_back(each["args"]["value"]);
            times[each["name"]].push_back(each["ts"]);
        }
        if (each["ph"] == "X") ++kernels;
    }
    CHECK(kernels == 15);
    CHECK(curves["driver.launches"] == std::vector<double>{1, 2, 3, 4, 5, 0});
    CHECK(curves["frame.host_time"].size() == 6);
    CHECK(curves["frame.gpu_busy"].size() >= 5);
    CHECK(curves["scope on the GPU draw"].size() == 5);
    for (std::size_t i = 1; i < 6; ++i) CHECK(times["frame.host_time"][i] > times["frame.host_time"][i - 1]);
}

} // namespace frame_files_test

#else

TEST_CASE("frames are read back") { MESSAGE("skipped: there is no nlohmann/json.hpp here"); }

#endif
