// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// io/marker_ranges.hpp, by the summary that uses it: which NVTX range a kernel, a copy or a set belongs to, with records of a
// program that the test makes up, in any order.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <gpuprof/io/activity_table.hpp>
#include <gpuprof/io/marker_ranges.hpp>
#include <gpuprof/scope.hpp>
#include <gpuprof/trace/tracer.hpp>

#include "support/paper_activity.hpp"

namespace marker_ranges_test {

namespace activity = gpuprof::activity;
namespace cupti = gpuprof::abi;
using gpuprof::io::activity_group;
using gpuprof::io::activity_summary;
using gpuprof::io::marker_ranges;
using gpuprof::io::scope_line;

namespace {

constexpr std::uint64_t noon = 1'700'000'000'000'000'000;

using record = std::variant<activity::marker, activity::api_call, activity::kernel, activity::memcpy, activity::memset>;

// A program that runs on paper: a nanosecond goes by with each thing that it does.
class program {
public:
    std::vector<record> records;

    std::uint32_t push(std::uint32_t thread, std::string_view name, std::string_view domain = {}) {
        records.emplace_back(marker(thread, ++ids_, cupti::CUPTI_ACTIVITY_FLAG_MARKER_START, name, domain));
        return ids_;
    }
    void pop(std::uint32_t thread, std::uint32_t id) {
        records.emplace_back(marker(thread, id, cupti::CUPTI_ACTIVITY_FLAG_MARKER_END, {}, {}));
    }
    // Returns the correlation.
    std::uint32_t call(std::uint32_t thread) {
        activity::api_call made;
        made.kind = cupti::CUPTI_ACTIVITY_KIND_RUNTIME;
        made.callback = 211;
        made.time = {{noon + time_}, {noon + time_ + 1}};
        ++time_;
        made.thread = thread;
        made.correlation = ++correlations_;
        records.emplace_back(made);
        return correlations_;
    }
    void kernel_of(std::uint32_t correlation, std::uint64_t length, std::string_view name = "k") {
        records.emplace_back(work<activity::kernel>(correlation, length));
        std::get<activity::kernel>(records.back()).name = name;
    }
    void launch(std::uint32_t thread, std::uint64_t length) { kernel_of(call(thread), length); }
    void copy(std::uint32_t thread, std::uint64_t length) {
        records.emplace_back(work<activity::memcpy>(call(thread), length));
    }
    void set(std::uint32_t thread, std::uint64_t length) {
        records.emplace_back(work<activity::memset>(call(thread), length));
    }
    activity::marker marker(std::uint32_t thread, std::uint32_t id, std::uint32_t flags, std::string_view name,
                            std::string_view domain) {
        activity::marker made;
        made.flags = flags;
        made.time = {noon + time_++};
        made.id = id;
        made.object.kind = activity::object_kind::thread;
        made.object.ids[0] = 77;
        made.object.ids[1] = thread;
        made.name = name;
        made.domain = domain;
        return made;
    }

private:
    template <class Work>
    Work work(std::uint32_t correlation, std::uint64_t length) const {
        Work made;
        made.correlation = correlation;
        made.time = {{noon + 5000 + time_}, {noon + 5000 + time_ + length}}; // long after the call
        return made;
    }
    std::uint64_t time_ = 0;
    std::uint32_t ids_ = 0;
    std::uint32_t correlations_ = 0;
};

activity_summary sum_of(std::vector<record> const& records) {
    activity_summary summary;
    for (auto const& each : records) summary.add(each);
    return summary;
}

// "step/forward 2 1 0 300": kernels, copies, sets and nanoseconds.
std::vector<std::string> texts(std::vector<scope_line> const& lines) {
    std::vector<std::string> all;
    for (scope_line const& line : lines)
        all.push_back((!line.is_known       ? "?"
                       : line.scope.empty() ? "-"
                                            : line.scope) +
                      " " + std::to_string(line.kernels) + " " + std::to_string(line.copies) + " " +
                      std::to_string(line.sets) + " " + std::to_string(line.total));
    return all;
}
std::vector<std::string> scopes_of(std::vector<record> const& records) { return texts(sum_of(records).scopes()); }

using lines = std::vector<std::string>;

} // namespace

TEST_CASE("work belongs to the innermost range that its thread had open at the time of the call") {
    program of;
    of.launch(1, 1);
    auto const step = of.push(1, "step");
    of.launch(1, 10);
    auto const forward = of.push(1, "forward");
    of.launch(1, 200);
    of.copy(1, 40);
    of.pop(1, forward);
    of.set(1, 5);
    of.pop(1, step);
    of.launch(1, 2);
    auto const again = of.push(1, "step");
    of.launch(1, 100);
    of.pop(1, again);
    CHECK(scopes_of(of.records) == lines{"step/forward 1 1 0 240", "step 2 0 1 115", "- 2 0 0 3"});
}

TEST_CASE("records may come in any order") {
    program of;
    for (std::uint64_t i = 0; i < 50; ++i) {
        auto const outer = of.push(1, i % 2 == 0 ? "even" : "odd");
        of.launch(1, 1);
        auto const inner = of.push(1, "inner");
        of.launch(1, 100);
        of.pop(1, inner);
        of.pop(1, outer);
        of.launch(1, 3);
    }
    lines const expected{"even/inner 25 0 0 2500", "odd/inner 25 0 0 2500", "even 25 0 0 25", "odd 25 0 0 25",
                         "- 50 0 0 150"};
    CHECK(scopes_of(of.records) == expected);
    std::mt19937 random{25};
    for (int round = 0; round < 5; ++round) {
        std::shuffle(of.records.begin(), of.records.end(), random);
        CHECK(scopes_of(of.records) == expected);
    }
    std::reverse(of.records.begin(), of.records.end());
    CHECK(scopes_of(of.records) == expected);
}

TEST_CASE("each thread has its own ranges") {
    program of;
    auto const first = of.push(1, "first");
    auto const second = of.push(2, "second");
    of.launch(1, 10);
    of.launch(2, 20);
    of.launch(3, 30);
    of.pop(1, first);
    of.launch(1, 40);
    of.launch(2, 50);
    of.pop(2, second);
    CHECK(scopes_of(of.records) == lines{"second 2 0 0 70", "first 1 0 0 10", "- 2 0 0 70"});
}

TEST_CASE("ranges of different domains may cross, and show their domain") {
    program of;
    auto const step = of.push(1, "step");
    auto const batch = of.push(1, "batch", "loader");
    of.launch(1, 1);
    of.pop(1, step); // under the other
    of.launch(1, 10);
    of.pop(1, batch);
    of.launch(1, 100);
    CHECK(scopes_of(of.records) == lines{"loader:batch 1 0 0 10", "step/loader:batch 1 0 0 1", "- 1 0 0 100"});
}

TEST_CASE("a range that does not end holds to the end, and an end without a beginning is nothing") {
    program of;
    of.pop(1, 999);
    of.push(1, "open");
    of.launch(1, 7);
    CHECK(scopes_of(of.records) == lines{"open 1 0 0 7"});
    CHECK(sum_of(of.records).late_markers() == 0);
}

TEST_CASE("a range may be as short as a nanosecond's part, and its marks come in any order") {
    program of;
    auto const id = of.push(1, "short");
    auto const end = of.marker(1, id, cupti::CUPTI_ACTIVITY_FLAG_MARKER_END, {}, {});
    auto same = end;
    same.time = std::get<activity::marker>(of.records[0]).time;
    of.records.insert(of.records.begin(), same);
    of.launch(1, 7);
    CHECK(scopes_of(of.records) == lines{"- 1 0 0 7"});
}

TEST_CASE("marks, and ranges of the process, hold no work") {
    program of;
    of.records.emplace_back(of.marker(1, 50, cupti::CUPTI_ACTIVITY_FLAG_MARKER_INSTANTANEOUS, "mark", {}));
    auto process = of.marker(1, 51, cupti::CUPTI_ACTIVITY_FLAG_MARKER_START, "process wide", {});
    process.object.kind = activity::object_kind::process;
    of.records.emplace_back(process);
    auto const id = of.push(1, "pushed");
    of.launch(1, 7);
    of.pop(1, id);
    of.launch(1, 3);
    CHECK(scopes_of(of.records) == lines{"pushed 1 0 0 7", "- 1 0 0 3"});
}

TEST_CASE("all nodes of a graph belong to the ranges of its launch") {
    program of;
    auto const id = of.push(1, "replay");
    auto const graph = of.call(1);
    auto const other = of.call(1);
    of.pop(1, id);
    for (int node = 0; node < 1000; ++node) of.kernel_of(graph, 2, "node");
    of.kernel_of(other, 5);
    for (int node = 0; node < 10; ++node) of.kernel_of(graph, 2, "node"); // another stream's
    CHECK(scopes_of(of.records) == lines{"replay 1011 0 0 2025"});
}

TEST_CASE("without records of calls there is no table by range, and work of calls that are not there is not known") {
    program of;
    auto const id = of.push(1, "r");
    of.launch(1, 7);
    of.pop(1, id);
    std::erase_if(of.records, [](record const& each) { return std::holds_alternative<activity::api_call>(each); });
    CHECK(scopes_of(of.records) == lines{"? 1 0 0 7"});
    CHECK(gpuprof::io::table(sum_of(of.records)).find("scope") == std::string::npos);

    program some;
    auto const known = some.push(1, "r");
    some.launch(1, 60);
    some.pop(1, known);
    some.kernel_of(12'345, 30); // a call of the driver, which is not recorded
    some.launch(1, 10);
    CHECK(scopes_of(some.records) == lines{"r 1 0 0 60", "- 1 0 0 10", "? 1 0 0 30"});
    std::string const text = gpuprof::io::table(sum_of(some.records));
    CHECK(text.find("scope        kernels  copies  sets  total us   share\n"
                    "r                  1       0     0     0.060  60.0 %\n"
                    "(in none)          1       0     0     0.010  10.0 %\n"
                    "(not known)        1       0     0     0.030  30.0 %\n") != std::string::npos);
}

TEST_CASE("the table by range is that of docs/tracing.md") {
    program of;
    of.launch(1, 600);
    of.set(1, 400);
    auto const step = of.push(1, "step");
    auto const batch = of.push(1, "batch", "loader");
    of.copy(1, 1000);
    of.pop(1, batch);
    auto const forward = of.push(1, "forward");
    of.launch(1, 3500);
    of.launch(1, 2500);
    of.pop(1, forward);
    of.launch(1, 2000);
    of.pop(1, step);
    CHECK(gpuprof::io::table(sum_of(of.records))
              .ends_with("\n\nscope              kernels  copies  sets  total us   share\n"
                         "step/forward             2       0     0     6.000  60.0 %\n"
                         "step                     1       0     0     2.000  20.0 %\n"
                         "step/loader:batch        0       1     0     1.000  10.0 %\n"
                         "(in none)                1       0     1     1.000  10.0 %\n"));
}

TEST_CASE("without markers there is no table by range") {
    program of;
    of.launch(1, 7);
    of.kernel_of(99, 3);
    CHECK(scopes_of(of.records) == lines{"- 2 0 0 10"});
    CHECK(gpuprof::io::table(sum_of(of.records)).find("scope") == std::string::npos);
}

namespace {

// What a batch of a tracer tells: the scope of a call, 0 for none.
struct paper_batch {
    std::vector<record> records;
    template <class F>
    void visit(F&& f) const {
        for (auto const& each : records) std::visit(f, each);
    }
    [[nodiscard]] std::uint64_t scope_of(std::uint32_t correlation) const { return correlation == 1 ? 1 : 0; }
    template <class Record>
        requires requires(Record const& of) { of.correlation; }
    [[nodiscard]] std::uint64_t scope_of(Record const& of) const { return scope_of(of.correlation); }
    [[nodiscard]] std::string scope_path(std::uint64_t) const { return "frame/draw"; }
};

} // namespace

TEST_CASE("work of a scope counts there, and not in a range too") {
    program of;
    auto const id = of.push(1, "range");
    of.launch(1, 10); // its correlation is 1
    of.launch(1, 20);
    of.pop(1, id);
    activity_summary summary;
    summary.add(paper_batch{of.records});
    CHECK(texts(summary.scopes()) == lines{"range 1 0 0 20", "frame/draw 1 0 0 10"});
    CHECK(summary.gpu_time() == 30);
    CHECK(gpuprof::io::json(summary).find("],\"scopes\":[{\"scope\":\"range\",\"kernels\":1,\"copies\":0,\"sets\":0,"
                                          "\"total_ns\":20},{\"scope\":\"frame/draw\",") != std::string::npos);
}

TEST_CASE("a tracer's batches tell ranges and scopes, each kernel in one of them") {
    for (bool const is_11_8 : {true, false}) {
        test::paper_activity recorder{is_11_8};
        activity::kind_set kinds;
        for (auto const kind : {cupti::CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, cupti::CUPTI_ACTIVITY_KIND_MEMCPY,
                                cupti::CUPTI_ACTIVITY_KIND_DRIVER, cupti::CUPTI_ACTIVITY_KIND_MARKER})
            kinds.add(kind);
        gpuprof::tracer_options options;
        options.buffer_bytes = 1024; // a few records each
        auto trace = *gpuprof::tracer<activity::kind_set>::try_begin(recorder.machine, kinds, options);
        activity_summary summary;
        recorder.launch();
        auto const step = recorder.push("step");
        recorder.launch_graph({1, 2, 3});
        auto const batch = recorder.push("batch", "loader");
        recorder.copy(4096);
        summary.add(*trace.try_flush()); // the ends come in another batch
        recorder.pop(batch);
        {
            gpuprof::scope own{trace, "own"};
            recorder.launch();
        }
        recorder.pop(step);
        summary.add(*trace.try_finish());
        CHECK(texts(summary.scopes()) ==
              lines{"step 3 0 0 3", "own 1 0 0 1", "step/loader:batch 0 1 0 1", "- 1 0 0 1"}); // a tick each
        CHECK(summary.late_markers() == 0);
    }
}

TEST_CASE("names that repeat are one line, and names without end do not take memory without end") {
    program same;
    for (int i = 0; i < 5000; ++i) {
        auto const step = same.push(1, "ProfilerStep");
        auto const layer = same.push(1, "aten::addmm");
        same.launch(1, 2);
        same.pop(1, layer);
        same.pop(1, step);
    }
    CHECK(scopes_of(same.records) == lines{"ProfilerStep/aten::addmm 5000 0 0 10000"});

    program many;
    constexpr std::size_t beyond = 500, all = marker_ranges::most_names + beyond;
    std::vector<std::string> names;
    for (std::size_t i = 0; i < all; ++i) names.push_back("step " + std::to_string(i));
    for (std::string const& name : names) {
        auto const id = many.push(1, name);
        many.launch(1, 1);
        many.pop(1, id);
    }
    auto const sums = sum_of(many.records).scopes();
    REQUIRE(sums.size() <= marker_ranges::most_names + 1);
    std::uint64_t kernels = 0;
    for (scope_line const& each : sums) kernels += each.kernels;
    CHECK(kernels == all);
    CHECK(sums[0].scope == "(others)");
    CHECK(sums[0].kernels >= beyond);
    std::string const text = gpuprof::io::table(sum_of(many.records), 20);
    CHECK(text.find(" more)") != std::string::npos);
}

TEST_CASE("a million records of four threads are summed up to the unit though most are settled while they come") {
    activity_summary summary;
    program of;
    std::uint64_t const rounds = 1'000'000 / 8;
    auto const forever = of.push(4, "service"); // open for the whole trace
    std::mt19937 random{7};
    for (std::uint64_t i = 0; i < rounds; ++i) {
        auto const thread = static_cast<std::uint32_t>(1 + i % 4);
        auto const outer = of.push(thread, "outer");
        auto const inner = of.push(thread, "inner");
        of.launch(thread, 3);
        of.pop(thread, inner);
        of.launch(thread, 1);
        of.pop(thread, outer);
        if (of.records.size() < 40'000) continue;
        std::shuffle(of.records.begin(), of.records.end(), random); // a buffer
        for (auto const& each : of.records) summary.add(each);
        of.records.clear();
    }
    of.pop(4, forever);
    for (auto const& each : of.records) summary.add(each);
    CHECK(summary.late_markers() == 0);
    std::uint64_t const fourth = rounds / 4;
    REQUIRE(rounds % 4 == 0);
    auto const n = [](std::uint64_t count) { return std::to_string(count); };
    CHECK(texts(summary.scopes()) == lines{"outer/inner " + n(3 * fourth) + " 0 0 " + n(9 * fourth),
                                           "outer " + n(3 * fourth) + " 0 0 " + n(3 * fourth),
                                           "service/outer/inner " + n(fourth) + " 0 0 " + n(3 * fourth),
                                           "service/outer " + n(fourth) + " 0 0 " + n(fourth)});
}

TEST_CASE("what comes when its time is settled is not known, or said to be late") {
    program of;
    std::vector<record> late;
    auto const keep = [&] {
        late.push_back(of.records.back());
        of.records.pop_back();
    };
    auto const early = of.push(1, "early");
    keep();
    auto const correlation = of.call(1);
    keep();
    for (std::size_t i = 0; i < marker_ranges::most_events; ++i) of.call(1);
    of.pop(1, early);
    keep();
    of.kernel_of(correlation, 10);
    of.launch(1, 5);
    for (auto const& each : late) of.records.push_back(each);
    auto const summary = sum_of(of.records);
    CHECK(summary.late_markers() == 1);
    CHECK(texts(summary.scopes()) == lines{"- 1 0 0 5", "? 1 0 0 10"});
}

TEST_CASE("paths end at a depth, though a program pushes and never pops") {
    program of;
    for (std::uint32_t i = 0; i < 1000; ++i) {
        of.push(1, "s");
        of.launch(1, 1);
    }
    auto const sums = sum_of(of.records).scopes();
    CHECK(sums.size() == marker_ranges::most_levels);
    CHECK(sums[0].scope.size() == 2 * marker_ranges::most_levels - 1); // "s/s/s"
    CHECK(sums[0].kernels == 1001 - marker_ranges::most_levels);
}

TEST_CASE("ranges that are never popped, threads and work without end do not take memory without end") {
    program of;
    constexpr auto many = static_cast<std::uint32_t>(marker_ranges::most_events + marker_ranges::most_open);
    for (std::uint32_t i = 0; i < many; ++i) of.push(1, "lost");
    auto const summary = sum_of(of.records);
    CHECK(summary.late_markers() > 0);

    program threads;
    for (std::uint32_t i = 1; i <= 3 * marker_ranges::most_threads; ++i) {
        auto const id = threads.push(i, "of a thread");
        threads.launch(i, 1);
        threads.pop(i, id);
    }
    CHECK(scopes_of(threads.records) == lines{"of a thread " + std::to_string(3 * marker_ranges::most_threads) +
                                              " 0 0 " + std::to_string(3 * marker_ranges::most_threads)});

    program work; // whose calls never come
    auto const id = work.push(1, "r");
    work.launch(1, 1);
    work.pop(1, id);
    constexpr auto pieces = static_cast<std::uint32_t>(3 * marker_ranges::most_work);
    for (std::uint32_t i = 0; i < pieces; ++i) work.kernel_of(1'000'000 + i, 1);
    CHECK(scopes_of(work.records) ==
          lines{"r 1 0 0 1", "? " + std::to_string(pieces) + " 0 0 " + std::to_string(pieces)});
}

} // namespace marker_ranges_test
