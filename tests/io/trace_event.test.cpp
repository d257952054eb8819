// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// io/trace_event.hpp: files are read back by another parser, and held against what the viewers want of them.
#include <doctest/doctest.h>

#if __has_include(<nlohmann/json.hpp>)

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <gpuprof/hw/machine/platform/file.hpp>
#include <gpuprof/io/file_sink.hpp>
#include <gpuprof/io/trace_event.hpp>

#include "support/sanitized.hpp"
#include "support/scratch_directory.hpp"

namespace trace_event_test {

namespace activity = gpuprof::activity;
namespace cupti = gpuprof::abi;
using gpuprof::traced_scope;
using gpuprof::io::trace_event_options;
using gpuprof::io::trace_event_writer;
using nlohmann::json;

namespace {

constexpr std::uint64_t noon = 1'763'812'800'000'000'000; // 22 November 2025, 12:00 UTC

json parsed(std::string const& text) {
    json read = json::parse(text, nullptr, false);
    REQUIRE_FALSE(read.is_discarded());
    return read;
}

// What is written by `write`, read back.
template <class F>
json written(F write, trace_event_options const& options = {}) {
    std::string text;
    {
        trace_event_writer trace{gpuprof::io::into(text), options};
        write(trace);
        CHECK(trace.finish().has_value());
        CHECK(trace.size() == text.size());
    }
    json file = parsed(text);
    CHECK(file["displayTimeUnit"] == "ns");
    return file;
}

std::vector<json> events(json const& file, std::string_view phase) {
    std::vector<json> found;
    for (json const& each : file["traceEvents"])
        if (each["ph"] == phase) found.push_back(each);
    return found;
}

// Nanoseconds of a number of microseconds with three decimals.
std::int64_t nanoseconds(json const& microseconds) {
    double const value = microseconds.get<double>() * 1000;
    return static_cast<std::int64_t>(value < 0 ? value - 0.5 : value + 0.5);
}

activity::interval time(std::uint64_t start, std::uint64_t length) { return {{noon + start}, {noon + start + length}}; }

activity::kernel kernel(std::string_view name, std::uint64_t start, std::uint64_t length, std::uint32_t correlation) {
    activity::kernel made;
    made.name = name;
    made.time = time(start, length);
    made.context = 1;
    made.stream = 7;
    made.correlation = correlation;
    made.grid = {64, 2, 1};
    made.block = {256, 1, 1};
    made.registers_per_thread = 32;
    made.static_shared_memory = gpuprof::bytes{512};
    made.dynamic_shared_memory = gpuprof::bytes{4096};
    return made;
}

activity::api_call call(std::uint64_t start, std::uint64_t length, std::uint32_t correlation,
                        cupti::CUpti_ActivityKind kind = cupti::CUPTI_ACTIVITY_KIND_RUNTIME) {
    activity::api_call made;
    made.kind = kind;
    made.callback = 211;
    made.process = 4000;
    made.thread = 4001;
    made.time = time(start, length);
    made.correlation = correlation;
    return made;
}

// Intervals of each track are apart or one in the other: what Perfetto wants, which drops others.
void check_nesting(json const& file) {
    std::map<std::pair<std::int64_t, std::int64_t>, std::vector<std::pair<std::int64_t, std::int64_t>>> tracks;
    for (json const& each : events(file, "X")) {
        std::int64_t const start = nanoseconds(each["ts"]);
        CHECK(start >= 0);
        tracks[{each["pid"], each["tid"]}].emplace_back(start, start + nanoseconds(each["dur"]));
    }
    for (auto& on_track : tracks) {
        auto const& track = on_track.first; // clang: no structured binding in a message
        auto& intervals = on_track.second;
        std::sort(intervals.begin(), intervals.end(), [](auto const& a, auto const& b) {
            return std::tuple{a.first, -a.second} < std::tuple{b.first, -b.second};
        });
        std::vector<std::int64_t> open;
        std::size_t wrong = 0;
        for (auto const& [start, end] : intervals) {
            while (!open.empty() && open.back() <= start) open.pop_back();
            if (!open.empty() && end > open.back()) ++wrong;
            open.push_back(end);
        }
        CHECK_MESSAGE(wrong == 0, "track " << track.first << " " << track.second);
    }
}

// The interval that an arrow's end binds to: the innermost of its track that has begun and has not ended.
json const* enclosing(std::vector<json> const& intervals, json const& flow) {
    json const* found = nullptr;
    std::int64_t const at = nanoseconds(flow["ts"]);
    for (json const& each : intervals) {
        std::int64_t const start = nanoseconds(each["ts"]);
        if (each["pid"] != flow["pid"] || each["tid"] != flow["tid"] || start > at) continue;
        if (start + nanoseconds(each["dur"]) < at) continue;
        if (found == nullptr || nanoseconds((*found)["ts"]) <= start) found = &each;
    }
    return found;
}

// What a batch of a tracer tells a writer.
struct paper_batch {
    struct lost {
        std::size_t dropped = 3, undecoded = 2, scopes_dropped = 1;
    };
    std::vector<activity::kernel> kernels;
    std::vector<traced_scope> scopes;
    template <class F>
    void visit(F&& f) const {
        for (auto const& each : kernels) f(each);
        for (auto const& each : scopes) f(each);
    }
    [[nodiscard]] std::uint64_t scope_of(std::uint32_t correlation) const { return correlation; }
    // A node of a graph belongs to where it was captured.
    [[nodiscard]] std::uint64_t scope_of(activity::kernel const& of) const {
        return of.graph_node ? 20 + *of.graph_node : scope_of(of.correlation);
    }
    [[nodiscard]] std::string scope_path(std::uint64_t number) const { return "frame/" + std::to_string(number); }
    [[nodiscard]] lost losses() const { return {}; }
};

} // namespace

TEST_CASE("a batch is written with its scopes, those of graph nodes among them, and its losses") {
    paper_batch batch;
    batch.kernels = {kernel("a", 0, 10, 7), kernel("b", 20, 10, 0), kernel("c", 40, 10, 7)};
    batch.kernels[2].graph_node = 5;
    batch.scopes = {{7, 0, "seven", time(0, 100), 4001}};
    json const file = written([&](auto& trace) {
        trace.write(batch);
        trace.write(kernel("d", 60, 10, 7)); // of no batch
        CHECK(trace.losses().lost_before == 6);
    });
    auto const intervals = events(file, "X");
    REQUIRE(intervals.size() == 5);
    CHECK(intervals[0]["args"]["scope"] == "frame/7");
    CHECK_FALSE(intervals[1]["args"].contains("scope number"));
    CHECK(intervals[2]["args"]["scope"] == "frame/25");
    CHECK(intervals[3]["name"] == "seven");
    CHECK_FALSE(intervals[4]["args"].contains("scope number"));
    CHECK(file["otherData"]["records_lost_before"] == 6);
}

TEST_CASE("a kernel is drawn on the stream of its GPU, with its launch as arguments") {
    json const file = written([](auto& trace) { trace.write(kernel("_Z4fillIfEvPT_S0_", 1001, 2002, 5)); });
    auto const intervals = events(file, "X");
    REQUIRE(intervals.size() == 1);
    json const& drawn = intervals[0];
    CHECK(drawn["name"] == "void fill<float>(float*, float)");
    CHECK(drawn["cat"] == "kernel");
    CHECK(nanoseconds(drawn["dur"]) == 2002);
    json const& arguments = drawn["args"];
    CHECK(arguments["mangled"] == "_Z4fillIfEvPT_S0_");
    CHECK(arguments["correlation"] == 5);
    CHECK(arguments["grid"] == json{64, 2, 1});
    CHECK(arguments["block"] == json{256, 1, 1});
    CHECK(arguments["registers per thread"] == 32);
    CHECK(arguments["static shared memory"] == 512);
    CHECK(arguments["dynamic shared memory"] == 4096);
    std::set<std::string> names;
    for (json const& each : events(file, "M"))
        if (each["args"].contains("name") && each["pid"] == drawn["pid"]) names.insert(each["args"]["name"]);
    CHECK(names == std::set<std::string>{"GPU 0", "stream 7"});
}

TEST_CASE("times are exact to the nanosecond, counted from the midnight before the first day") {
    json const file = written([](auto& trace) {
        trace.write(kernel("a", 123'456'789, 1, 1));
        trace.write(kernel("b", 0, 7, 2));
    });
    std::uint64_t const midnight = noon - 36ull * 3600 * 1'000'000'000; // a day and a half before noon
    CHECK(file["otherData"]["base_ns"] == std::to_string(midnight));
    auto const intervals = events(file, "X");
    CHECK(nanoseconds(intervals[0]["ts"]) == static_cast<std::int64_t>(noon - midnight + 123'456'789));
    CHECK(nanoseconds(intervals[0]["dur"]) == 1);
    CHECK(nanoseconds(intervals[1]["ts"]) == static_cast<std::int64_t>(noon - midnight));
}

TEST_CASE("the base of times can be given, and what began before it is counted") {
    trace_event_options options;
    options.base = activity::timestamp{noon + 1000};
    std::string text;
    trace_event_writer trace{gpuprof::io::into(text), options};
    trace.write(kernel("before", 999, 10, 1));
    trace.write(kernel("at", 1000, 10, 2));
    REQUIRE(trace.finish().has_value());
    json const file = parsed(text);
    CHECK(trace.losses().before_base == 1);
    CHECK_FALSE(trace.losses().complete());
    CHECK(file["otherData"]["records_before_base"] == 1);
    REQUIRE(events(file, "X").size() == 1);
    CHECK(events(file, "X")[0]["ts"] == 0.0);
}

TEST_CASE("records without a time are counted, not drawn") {
    json const file = written([](auto& trace) {
        auto lost = kernel("lost", 0, 0, 1);
        lost.time = {};
        trace.write(lost);
        auto begun = kernel("begun", 0, 10, 1);
        begun.time.end = {};
        trace.write(begun);
        CHECK(trace.losses().without_time == 2);
    });
    CHECK(events(file, "X").empty());
    CHECK(file["otherData"]["records_without_time"] == 2);
}

TEST_CASE("an arrow leads from a call to each kernel and copy it started") {
    json const file = written([](auto& trace) {
        for (std::uint32_t i = 0; i < 100; ++i) {
            trace.write(call(i * 1000, 300, 2 * i + 1));
            trace.write(kernel("k", i * 1000 + i % 2 * 400, 100, 2 * i + 1)); // every other one with its call
            activity::memcpy copy;
            copy.time = time(i * 1000 + 500, 100);
            copy.context = 1;
            copy.stream = 7;
            copy.correlation = 2 * i + 2;
            trace.write(call(i * 1000 + 310, 50, 2 * i + 2));
            trace.write(copy);
        }
    });
    auto const intervals = events(file, "X");
    auto const starts = events(file, "s");
    auto const ends = events(file, "f");
    CHECK(intervals.size() == 400);
    CHECK(starts.size() == 200);
    CHECK(ends.size() == 200);
    std::map<std::string, json const*> from;
    std::map<std::string, std::int64_t> begins; // an arrow that ends as it begins is lost in Perfetto
    for (json const& each : starts) {
        json const* const at = enclosing(intervals, each);
        REQUIRE(at != nullptr);
        CHECK((*at)["cat"] == "runtime");
        CHECK(from.emplace(each["id"], at).second); // one beginning each
        begins[each["id"]] = nanoseconds(each["ts"]);
    }
    for (json const& each : ends) {
        json const* const at = enclosing(intervals, each);
        REQUIRE(at != nullptr);
        CHECK((*at)["cat"] != "runtime");
        REQUIRE(from.count(each["id"]) == 1);
        CHECK((*at)["args"]["correlation"] == (*from[each["id"]])["args"]["correlation"]);
        CHECK(each["bp"] == "e");
        CHECK(nanoseconds(each["ts"]) > begins[each["id"]]);
    }
    check_nesting(file);
}

TEST_CASE("nodes of a graph, which share a correlation, get an arrow each") {
    json const file = written([](auto& trace) {
        trace.write(call(0, 100, 9));
        for (std::uint64_t node = 1; node <= 3; ++node) {
            auto of_node = kernel("k", 100 * node, 100, 9);
            of_node.graph = 4;
            of_node.graph_node = std::uint64_t{4} << 32 | node;
            trace.write(of_node);
        }
    });
    std::map<std::string, int> starts;
    for (json const& each : events(file, "s")) ++starts[each["id"]];
    auto const ends = events(file, "f");
    REQUIRE(ends.size() == 3);
    std::set<std::string> ids;
    for (json const& each : ends) {
        ids.insert(each["id"].get<std::string>());
        CHECK(starts[each["id"]] == 1);
    }
    CHECK(ids.size() == 3);
    CHECK(events(file, "X")[1]["args"]["graph"] == 4);
    CHECK(events(file, "X")[1]["args"]["graph node"] == "17179869185"); // 4 * 2^32 + 1; as text: beyond 2^53 at times
}

TEST_CASE("no arrow is written without both of its ends, in whatever order records come") {
    json const file = written([](auto& trace) {
        trace.write(call(0, 100, 1)); // starts nothing
        trace.write(kernel("before its call", 250, 10, 2));
        trace.write(kernel("another of that call", 270, 10, 2));
        trace.write(call(200, 100, 2));
        trace.write(kernel("of a call that never comes", 400, 10, 3));
        trace.write(call(500, 10, 4));
        trace.write(kernel("after its call", 520, 10, 4));
    });
    auto const intervals = events(file, "X");
    auto const starts = events(file, "s");
    auto const ends = events(file, "f");
    REQUIRE(starts.size() == 3);
    REQUIRE(ends.size() == 3);
    std::map<std::string, json const*> from;
    for (json const& each : starts) CHECK(from.emplace(each["id"], enclosing(intervals, each)).second);
    for (json const& each : ends) {
        REQUIRE(from.count(each["id"]) == 1);
        CHECK((*enclosing(intervals, each))["args"]["correlation"] == (*from[each["id"]])["args"]["correlation"]);
    }
}

TEST_CASE(
    "ends that wait for calls which never come are forgotten, and those of a graph that is larger than their room") {
    constexpr std::uint32_t many = gpuprof::io::waiting_ends::room + 1000; // what takes long is the parser
    json const file = written([](auto& trace) {
        for (std::uint32_t i = 0; i < many; ++i) trace.write(kernel("k", i * 10, 5, i + 1));
        trace.write(call(0, 5, many));
        for (std::uint32_t i = 0; i < many; ++i) trace.write(kernel("k", i * 10, 5, 30'000));
        trace.write(call(0, 5, 30'000));
    });
    CHECK(events(file, "s").size() == 1 + gpuprof::io::waiting_ends::room);
    CHECK(events(file, "f").size() == 1 + gpuprof::io::waiting_ends::room);
}

namespace {

// What a tracer's batch has: records, and scopes in the order of their ends.
struct full_batch : paper_batch {
    std::vector<activity::api_call> calls;
    std::vector<traced_scope> ended;
    [[nodiscard]] std::vector<traced_scope> const& scopes() const { return ended; }
    template <class F>
    void visit(F&& f) const {
        for (auto const& each : calls) f(each);
        for (auto const& each : ended) f(each);
    }
};

} // namespace

TEST_CASE("slices of a batch that begin in the same nanosecond are written outer ones first") {
    full_batch batch;
    batch.calls = {call(0, 10, 1, cupti::CUPTI_ACTIVITY_KIND_DRIVER), call(0, 20, 1), call(0, 20, 2), call(50, 5, 3)};
    batch.ended = {{3, 2, "inner", time(0, 30), 4001},
                   {2, 1, "middle", time(0, 40), 4001},
                   {1, 0, "outer", time(0, 40), 4001},
                   {4, 0, "other thread", time(0, 90), 4002}};
    trace_event_options options;
    options.process = 4000;
    json const file = written([&](auto& trace) { trace.write(batch); }, options);
    std::map<std::int64_t, std::int64_t> last_end, last_start; // by thread
    std::vector<std::string> of_thread;
    for (json const& each : events(file, "X")) {
        std::int64_t const thread = each["tid"], start = nanoseconds(each["ts"]),
                           end = start + nanoseconds(each["dur"]);
        if (last_start.count(thread) != 0 && last_start[thread] == start) CHECK(end <= last_end[thread]);
        last_start[thread] = start;
        last_end[thread] = end;
        if (thread == 4001) of_thread.push_back(each["cat"].get<std::string>() + " " + each["name"].get<std::string>());
    }
    REQUIRE(of_thread.size() == 7);
    CHECK(of_thread[0] == "scope outer");
    CHECK(of_thread[1] == "scope middle");
    CHECK(of_thread[2] == "scope inner");
    CHECK(of_thread[3].find("runtime") == 0);
    CHECK(of_thread[5].find("driver") == 0);
}

TEST_CASE("a kernel has its local memory and, where the device is known, its theoretical occupancy") {
    json const file = written([](auto& trace) {
        auto one = kernel("before its device is known", 0, 10, 1);
        one.local_memory_per_thread = gpuprof::bytes{96};
        trace.write(one);
        activity::device h100; // as CUPTI 13.0 tells of an H100
        h100.name = "Paper H100";
        h100.capability_first = 9;
        h100.threads_per_warp = 32;
        h100.multiprocessors = 132;
        h100.max_warps_per_multiprocessor = 64;
        h100.max_blocks_per_multiprocessor = 32;
        h100.max_threads_per_block = 1024;
        h100.max_registers_per_multiprocessor = h100.max_registers_per_block = 65536;
        h100.max_shared_memory_per_multiprocessor = gpuprof::bytes{228 * 1024};
        h100.max_shared_memory_per_block = gpuprof::bytes{48 * 1024};
        trace.write(h100);
        trace.write(kernel("32 registers", 20, 10, 2)); // 8 warps of 1,024 registers a block: 64 warps fit
        one.registers_per_thread = 128;                 // 4,096 a warp: 16 warps fit
        trace.write(one);
        one.registers_per_thread = 32;
        one.dynamic_shared_memory = gpuprof::bytes{100 * 1024}; // two blocks of 8 warps fit 228 KB
        trace.write(one);
    });
    auto const kernels = events(file, "X");
    CHECK(kernels[0]["args"]["local memory per thread"] == 96);
    CHECK_FALSE(kernels[0]["args"].contains("theoretical occupancy (%)"));
    CHECK(kernels[1]["args"]["local memory per thread"] == 0);
    CHECK(kernels[1]["args"]["theoretical occupancy (%)"] == 100.0);
    CHECK(kernels[2]["args"]["theoretical occupancy (%)"] == 25.0);
    CHECK(kernels[3]["args"]["theoretical occupancy (%)"] == 25.0);
}

TEST_CASE("names of tracks are short, and GPUs have their own numbers") {
    json const file = written([](auto& trace) {
        activity::context context;
        context.id = 1;
        context.null_stream = 7;
        trace.write(context);
        for (std::uint32_t const of : {1u, 2u})
            for (std::uint32_t const stream : {7u, 13u}) {
                auto one = kernel("k", of * 100 + stream, 10, of);
                one.context = of;
                one.stream = stream;
                trace.write(one);
                trace.write(one);
            }
        auto other = kernel("k", 0, 10, 9);
        other.device = 3;
        trace.write(other);
    });
    std::set<std::string> names;
    std::set<int> processes;
    for (json const& each : events(file, "M"))
        if (each["name"] == "thread_name") names.insert(each["args"]["name"]);
    for (json const& each : events(file, "X")) processes.insert(each["pid"].get<int>());
    CHECK(names == std::set<std::string>{"stream 7 (default)", "stream 7 (default) +1", "stream 13", "stream 13 +1",
                                         "stream 7 of context 2", "stream 7 of context 2 +1", "stream 13 of context 2",
                                         "stream 13 of context 2 +1", "stream 7"});
    CHECK(processes == std::set<int>{0, 3});

    trace_event_options options;
    options.process = 1; // in a container
    json const inside = written([](auto& trace) { trace.write(kernel("k", 0, 10, 1)); }, options);
    CHECK(events(inside, "X")[0]["pid"] == 64);
}

TEST_CASE("the driver's call in a call of the runtime begins one arrow") {
    json const file = written([](auto& trace) {
        trace.write(call(10, 80, 3, cupti::CUPTI_ACTIVITY_KIND_DRIVER));
        trace.write(call(0, 100, 3));
        trace.write(kernel("k", 200, 10, 3));
    });
    auto const starts = events(file, "s");
    REQUIRE(starts.size() == 1);
    auto const intervals = events(file, "X");
    CHECK((*enclosing(intervals, starts[0]))["cat"] == "driver");
    check_nesting(file);
}

TEST_CASE("kernels of one stream that overlap are drawn beside each other, up to eight") {
    std::string text;
    trace_event_writer trace{gpuprof::io::into(text)};
    for (std::uint32_t i = 0; i < 8; ++i) trace.write(kernel("k", i, 100, i + 1));
    trace.write(kernel("after", 100, 10, 9));
    CHECK(trace.losses().overlapping == 0);
    trace.write(kernel("touches", 110, 10, 10));
    REQUIRE(trace.flush().has_value());
    check_nesting(parsed(text + "\n]}"));
    auto const file = parsed(text + "\n]}");
    std::set<std::int64_t> lanes;
    for (json const& each : events(file, "X")) lanes.insert(each["tid"].get<std::int64_t>());
    CHECK(lanes.size() == 8);
    for (std::uint32_t i = 0; i < 9; ++i) trace.write(kernel("k", 1000, 100, i + 11));
    CHECK(trace.losses().overlapping == 1);
    CHECK_FALSE(trace.losses().complete());
    REQUIRE(trace.finish().has_value());
}

TEST_CASE("scopes are slices of their thread, and kernels know them") {
    json const file = written(
        [](auto& trace) {
            activity::external_correlation link;
            link.kind = cupti::CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM2;
            link.id = 2;
            link.correlation = 6;
            trace.write(link);
            trace.write(call(100, 100, 6));
            trace.write(traced_scope{2, 1, "in\"ner", time(50, 200), 4001});
            trace.write(traced_scope{1, 0, "outer", time(0, 500), 4001});
            trace.write(kernel("k", 150, 500, 6));
            link.kind = cupti::CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM0; // of another tool
            trace.write(link);
        },
        [] {
            trace_event_options options;
            options.process = 4000;
            return options;
        }());
    check_nesting(file);
    auto const intervals = events(file, "X");
    REQUIRE(intervals.size() == 4);
    CHECK(intervals[0]["args"]["scope number"] == 2);
    CHECK(intervals[1]["name"] == "in\"ner");
    CHECK(intervals[1]["tid"] == 4001);
    CHECK(intervals[1]["pid"] == 4000);
    CHECK(intervals[2]["name"] == "outer");
    CHECK(intervals[3]["args"]["scope"] == "in\"ner");
    CHECK(file["otherData"]["records_not_drawn"]["external_correlation"] == 1);
}

TEST_CASE("names of calls come from who knows them") {
    trace_event_options options;
    options.name_of_call = [](cupti::CUpti_ActivityKind kind, std::uint32_t callback) -> std::string_view {
        return kind == cupti::CUPTI_ACTIVITY_KIND_RUNTIME && callback == 211 ? "cudaLaunchKernel" : "";
    };
    json const file = written(
        [](auto& trace) {
            trace.write(call(0, 10, 1));
            trace.write(call(20, 10, 2, cupti::CUPTI_ACTIVITY_KIND_DRIVER));
        },
        options);
    auto const intervals = events(file, "X");
    CHECK(intervals[0]["name"] == "cudaLaunchKernel");
    CHECK(intervals[1]["name"] == "driver call 211");
}

TEST_CASE("any bytes of a name give valid JSON") {
    std::string every;
    for (int c = 1; c < 256; ++c) every += static_cast<char>(c);
    json const file = written([&](auto& trace) {
        trace.write(kernel("q\"b\\n\nt\tz\x01", 0, 1, 1));
        trace.write(kernel(every, 10, 1, 2));
        trace.write(kernel("gr\xc3\xbc\xc3\x9f \xe2\x82\xac \xf0\x9f\x98\x80", 20, 1, 3));
        trace.write(kernel("\xc0\x80 \xed\xa0\x80 \xf4\x90\x80\x80 \xe2\x82", 30, 1, 4)); // no UTF-8, all of it
        trace.write(kernel({}, 40, 1, 5));
        trace.counter("c\"\xff", activity::timestamp{noon}, 1);
    });
    auto const intervals = events(file, "X");
    REQUIRE(intervals.size() == 5);
    CHECK(intervals[0]["name"] == "q\"b\\n\nt\tz\x01");
    std::string const shown = intervals[1]["name"];
    CHECK(shown.substr(0, 127) == every.substr(0, 127));
    CHECK(shown.size() == 127 + 128 * 3); // U+FFFD is three bytes
    CHECK(intervals[2]["name"] == "gr\xc3\xbc\xc3\x9f \xe2\x82\xac \xf0\x9f\x98\x80");
    std::string const bad = "\xef\xbf\xbd";
    CHECK(intervals[3]["name"] == bad + bad + " " + bad + bad + bad + " " + bad + bad + bad + bad + " " + bad + bad);
    CHECK(intervals[4]["name"] == "kernel without a name");
}

TEST_CASE("copies and sets say how much and how fast") {
    json const file = written([](auto& trace) {
        activity::memcpy copy;
        copy.time = time(0, 1000);
        copy.size = gpuprof::bytes{64000};
        copy.direction = activity::memcpy_kind::host_to_device;
        copy.from = activity::memory_kind::pinned;
        copy.to = activity::memory_kind::device;
        copy.flags = 1;
        trace.write(copy);
        activity::memset set;
        set.time = time(2000, 0);
        set.size = gpuprof::bytes{16};
        set.memory = activity::memory_kind::device;
        trace.write(set);
        activity::peer_memcpy peer;
        peer.time = time(3000, 10);
        peer.to_device = 1;
        trace.write(peer);
    });
    auto const intervals = events(file, "X");
    REQUIRE(intervals.size() == 3);
    CHECK(intervals[0]["name"] == "copy host to device");
    CHECK(intervals[0]["args"]["bytes"] == 64000);
    CHECK(intervals[0]["args"]["GB/s"] == 64.0); // 64000 bytes in 1000 ns
    CHECK(intervals[0]["args"]["from"] == "pinned");
    CHECK(intervals[0]["args"]["asynchronous"] == true);
    CHECK_FALSE(intervals[1]["args"].contains("GB/s"));
    CHECK(intervals[2]["args"]["to device"] == 1);
}

TEST_CASE("counters are curves, and what is no number is counted") {
    json const file = written([](auto& trace) {
        trace.counter("load", activity::timestamp{noon}, 0.25);
        trace.counter("load", activity::timestamp{noon + 10}, std::numeric_limits<double>::quiet_NaN());
        trace.counter("load", activity::timestamp{noon + 20}, std::numeric_limits<double>::infinity());
        trace.counter("load", activity::timestamp{noon + 30}, 1e300, 3);
        activity::environment speed;
        speed.device = 3;
        speed.time = {noon};
        speed.kind = activity::environment_kind::power;
        speed.power = 350'500;
        trace.write(speed);
    });
    auto const curves = events(file, "C");
    REQUIRE(curves.size() == 3);
    CHECK(curves[0]["args"]["value"] == 0.25);
    CHECK(curves[1]["args"]["value"] == 1e300);
    CHECK(curves[2]["name"] == "power");
    CHECK(curves[2]["args"]["W"] == 350.5);
    CHECK(curves[2]["pid"] == curves[1]["pid"]);
    CHECK(file["otherData"]["counters_not_finite"] == 2);
}

TEST_CASE("allocations add up to a curve for each kind of memory of a device") {
    json const file = written([](auto& trace) {
        activity::memory_operation operation;
        operation.memory = activity::memory_kind::device;
        auto const at = [&](std::uint64_t when, activity::memory_operation_type type, double size) {
            operation.time = {noon + when};
            operation.type = type;
            operation.size = gpuprof::bytes{size};
            trace.write(operation);
        };
        using type = activity::memory_operation_type;
        at(0, type::allocation, 1000);
        at(1, type::allocation, 500);
        at(2, type::release, 1000);
        at(3, type::release, 800); // more than there was: allocated before the trace
        operation.memory = activity::memory_kind::managed;
        at(4, type::allocation, 7);
    });
    std::vector<double> values;
    for (json const& each : events(file, "C")) values.push_back(each["args"]["bytes"].get<double>());
    CHECK(values == std::vector<double>{1000, 1500, 500, 0, 7});
    CHECK(events(file, "C")[4]["name"] == "allocated managed memory");
}

TEST_CASE("ranges of NVTX that nest are slices of their thread, others are drawn beside them") {
    json const file = written([](auto& trace) {
        activity::marker end;
        end.object.kind = activity::object_kind::thread;
        end.object.ids[0] = 4000;
        end.object.ids[1] = 4001;
        auto const marker = [&](std::uint32_t flags, std::uint32_t id, std::string_view name, std::uint64_t at) {
            auto made = end;
            made.flags = flags;
            made.id = id;
            made.name = name;
            made.time = {noon + at};
            trace.write(made);
        };
        constexpr unsigned point = 1, begin = 2, stop = 4;
        marker(begin, 1, "outer", 0);
        marker(begin, 2, "inner", 10);
        marker(point, 3, "here", 15);
        marker(stop, 2, {}, 20);
        marker(stop, 1, {}, 30);
        marker(begin, 4, "first", 100);
        marker(begin, 5, "second", 110);
        marker(stop, 4, {}, 120); // crosses the second
        marker(stop, 5, {}, 130);
        marker(stop, 6, {}, 140); // began before the trace
        marker(begin, 7, "open", 150);
    });
    check_nesting(file);
    auto const slices = events(file, "X");
    REQUIRE(slices.size() == 3);
    CHECK(slices[0]["name"] == "inner");
    CHECK(nanoseconds(slices[0]["dur"]) == 10);
    CHECK(slices[1]["name"] == "outer");
    CHECK(slices[2]["name"] == "second");
    auto const begins = events(file, "b");
    auto const ends = events(file, "e");
    REQUIRE(begins.size() == 2);
    REQUIRE(ends.size() == 1);
    CHECK(begins[0]["name"] == "first");
    CHECK(ends[0]["name"] == "first");
    CHECK(ends[0]["id"] == begins[0]["id"]);
    CHECK(begins[1]["name"] == "open");
    CHECK(events(file, "i").size() == 1);
    CHECK(file["otherData"]["ranges_unpaired"] == 1);
}

TEST_CASE("a range of NVTX is found again however many began in it") {
    json const file = written([](auto& trace) {
        activity::marker marker;
        marker.object.kind = activity::object_kind::thread;
        auto const write = [&](std::uint32_t flags, std::uint32_t id, std::uint64_t at) {
            marker.flags = flags;
            marker.id = id;
            marker.name = flags == 2 ? "r" : std::string_view{};
            marker.time = {noon + at};
            trace.write(marker);
        };
        write(2, 1, 0);
        for (std::uint32_t i = 0; i < 5000; ++i) {
            write(2, i + 2, 2 * i + 1);
            write(4, i + 2, 2 * i + 2);
        }
        write(4, 1, 20000);
    });
    CHECK(events(file, "X").size() == 5001);
    CHECK(file["otherData"]["ranges_unpaired"] == 0);
    check_nesting(file);
}

TEST_CASE("what has no place on a time axis is counted by kind") {
    json const file = written([](auto& trace) {
        trace.write(activity::record{activity::nvlink{}});
        trace.write(activity::record{activity::nvlink{}});
        trace.write(activity::pcie{});
        trace.write(activity::record{});
        CHECK(trace.losses().not_drawn == 4);
        CHECK(trace.losses().complete());
    });
    CHECK(file["otherData"]["records_not_drawn"] == json{{"nvlink", 2}, {"pcie", 1}, {"unknown", 1}});
}

TEST_CASE("every kind of record can be written, with nothing in it") {
    json const file = written([](auto& trace) {
#define GPUPROF_TEST_WRITE(type) trace.write(activity::record{activity::type{}});
        GPUPROF_ACTIVITY_RECORDS(GPUPROF_TEST_WRITE)
#undef GPUPROF_TEST_WRITE
    });
    CHECK(events(file, "X").empty());
}

TEST_CASE("waits, overheads, graphs, compilations and host functions are drawn") {
    json const file = written([](auto& trace) {
        activity::synchronization wait;
        wait.type = activity::synchronization_type::stream_synchronize;
        wait.time = time(0, 10);
        wait.stream = 7;
        trace.write(wait);
        activity::overhead overhead;
        overhead.kind = activity::overhead_kind::cupti_buffer_flush;
        overhead.time = time(5, 10);
        trace.write(overhead);
        activity::graph_trace graph;
        graph.graph = 12;
        graph.time = time(20, 10);
        trace.write(graph);
        activity::jit jit;
        jit.operation = activity::jit_operation::compile;
        jit.entry = activity::jit_entry::ptx_to_cubin;
        jit.time = time(40, 10);
        trace.write(jit);
        activity::host_launch host;
        host.time = time(60, 10);
        trace.write(host);
        activity::unified_memory_counter moved;
        moved.kind = activity::unified_memory_counter_kind::bytes_transfer_host_to_device;
        moved.time = time(80, 10);
        moved.value = 4096;
        moved.source = 0xffffffff;
        moved.destination = 1;
        trace.write(moved);
        activity::cuda_event event;
        event.time = {noon + 5};
        event.device = 0;
        trace.write(event);
        activity::memory memory;
        memory.time = time(90, 10);
        memory.memory = activity::memory_kind::device;
        trace.write(memory);
    });
    std::vector<std::string> names;
    for (json const& each : events(file, "X")) names.push_back(each["name"].get<std::string>());
    CHECK(names == std::vector<std::string>{"stream synchronize", "cupti buffer flush", "graph 12",
                                            "compile, ptx to cubin", "host function", "bytes transfer host to device"});
    CHECK(events(file, "i").size() == 1);
    CHECK(events(file, "b").size() == 1);
    CHECK(events(file, "e").size() == 1);
    check_nesting(file);
}

TEST_CASE("devices, contexts, streams and named objects name what is drawn") {
    json const file = written([](auto& trace) {
        activity::device device;
        device.id = 1;
        device.name = "Paper GPU";
        trace.write(device);
        activity::context context;
        context.id = 2;
        context.device = 1;
        context.null_stream = 7;
        trace.write(context);
        activity::object_name named;
        named.object.kind = activity::object_kind::stream;
        named.object.ids[0] = 1;
        named.object.ids[1] = 2;
        named.object.ids[2] = 13;
        named.name = "uploads";
        trace.write(named);
        named.object.kind = activity::object_kind::thread;
        named.object.ids[0] = 4000;
        named.object.ids[1] = 4001;
        named.name = "loader";
        trace.write(named);
        auto one = kernel("k", 0, 10, 1);
        one.device = 1;
        one.context = 2;
        trace.write(one);
        one.stream = 13;
        trace.write(one);
    });
    std::map<std::pair<std::int64_t, std::int64_t>, std::string> names;
    std::string gpu;
    for (json const& each : events(file, "M")) {
        if (each["name"] == "thread_name") names[{each["pid"], each["tid"]}] = each["args"]["name"];
        if (each["name"] == "process_name" && each["pid"] == 1) gpu = each["args"]["name"];
    }
    CHECK(gpu == "GPU 1: Paper GPU");
    auto const kernels = events(file, "X");
    CHECK(names[{kernels[0]["pid"], kernels[0]["tid"]}] == "stream 7 (default)");
    CHECK(names[{kernels[1]["pid"], kernels[1]["tid"]}] == "uploads");
    CHECK(names[{4000, 4001}] == "loader");
}

TEST_CASE("thousands of calls and their kernels are all in the file") {
    std::uint32_t const count = sanitized ? 2'000 : 10'000; // what takes long is the parser
    json const file = written([](auto& trace) {
        for (std::uint32_t i = 0; i < count; ++i) {
            trace.write(call(i * 10, 5, i + 1));
            auto one = kernel(i % 2 == 0 ? "_Z1av" : "_Z1bi", i * 10 + 7, 13, i + 1);
            one.stream = i % 5;
            trace.write(one);
        }
    });
    CHECK(events(file, "X").size() == 2 * count);
    CHECK(events(file, "s").size() == count);
    CHECK(events(file, "f").size() == count);
    check_nesting(file);
}

TEST_CASE("a file is whole after each block, though the program never ends it") {
    scratch_directory const directory;
    std::string const path = directory.path() + "/trace.json";
    auto file = gpuprof::io::file_sink::try_open(path);
    REQUIRE(file.has_value());
    auto const content = [&] { return gpuprof::platform::read_file(path).value_or(std::string{}); };
    trace_event_writer trace{file->sink()};
    for (std::uint32_t i = 0; i < 3000; ++i) { // some blocks
        trace.write(kernel("k", i * 10, 5, i + 1));
        if (i % 500 == 499) {
            auto const text = content();
            if (!text.empty()) CHECK(parsed(text)["traceEvents"].size() > 0);
        }
    }
    REQUIRE(trace.flush().has_value());
    CHECK(events(parsed(content()), "X").size() == 3000);
    trace.write(kernel("last", 100'000, 5, 3001));
    REQUIRE(trace.finish().has_value());
    CHECK(events(parsed(content()), "X").size() == 3001);
    CHECK(content().size() == trace.size());
    trace.write(kernel("too late", 200'000, 5, 3002));
    REQUIRE(trace.finish().has_value());
    CHECK(content().size() == trace.size());
    CHECK(file->close().has_value());
}

TEST_CASE("a trace of nothing is a trace") {
    json const file = written([](auto&) {});
    CHECK(file["traceEvents"].empty());
}

} // namespace trace_event_test

#else

TEST_CASE("traces are read back") { MESSAGE("skipped: there is no nlohmann/json.hpp here"); }

#endif
