// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// detail/report_writer.hpp: rows of the hardware find their ranges, and every loss becomes a problem with a remedy.
#include <gpuprof/detail/config.hpp>

#if GPUPROF_EXCEPTIONS // written with the throwing spellings, which do not exist without them

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <pthread.h>

#include <gpuprof/measure/range_log.hpp>
#include <gpuprof/measure/report_writer.hpp>

#include "support/hand_filled.hpp"

namespace report_writer_test {

using gpuprof::errc;
using gpuprof::error;
using gpuprof::metric;
using gpuprof::report;
using gpuprof::detail::range_log;

namespace {

constexpr auto warps = metric<"smsp__warps_launched.sum">;
constexpr auto executed = metric<"smsp__inst_executed.sum">;

// A collection of two metrics, ready to be written.
struct collection {
    gpuprof::hw::machine machine = test::hand_filled_machine({{}});
    gpuprof::device gpu = *gpuprof::device::try_open(machine);
    std::vector<gpuprof::metric_info> metrics{warps, executed};
    range_log log;
    gpuprof::detail::launch_log launches{};
    std::vector<gpuprof::hw::range_values> values;
    gpuprof::range_mode ranges = gpuprof::range_mode::user_range;
    std::size_t max_ranges = 0;
    bool merged = false;
    std::optional<error> failure;
    bool nested_loop = false;
    bool out_of_memory = false;
    gpuprof::detail::memory_comparison memory;
    gpuprof::completeness state{};

    explicit collection(bool merge = false, std::size_t room = 1'000, std::size_t depth = 1'000'000) : merged{merge} {
        log.reset(room, depth, merge);
        log.begin_replay_pass();
    }
    [[nodiscard]] report write() const {
        auto const columns = gpuprof::detail::plan_columns(metrics);
        REQUIRE(columns);
        gpuprof::profiler_options options;
        options.ranges = ranges;
        options.merge_repeated = merged;
        return gpuprof::detail::write_report(gpuprof::detail::collected{gpu, "range profiler", metrics, *columns, log,
                                                                        launches, values, options, max_ranges, failure,
                                                                        nested_loop, out_of_memory, memory},
                                             state);
    }
    // A letter opens a range of that name, ')' closes the innermost.
    void run(std::string_view story) {
        std::vector<std::uint64_t> open;
        for (char const c : story) {
            if (c == ')') {
                REQUIRE_FALSE(open.empty());
                static_cast<void>(log.close(open.back()));
                open.pop_back();
            } else {
                open.push_back(log.open({&c, 1}).ticket);
            }
        }
        static_cast<void>(log.end_replay_pass());
    }
};

std::string paths(report const& of) {
    std::string text;
    for (auto const range : of) text += std::string{range.path()} + '*' + std::to_string(range.count()) + ' ';
    return text;
}

bool contains(std::string_view text, std::string_view part) { return text.find(part) != text.npos; }

} // namespace

TEST_CASE("ranges stand parents first, in the order of first opening, with their counts") {
    collection made;
    made.run("abx)))c)ad)b))");
    CHECK(paths(made.write()) == "a*2 a/b*2 a/b/x*1 a/d*1 c*1 ");
}

TEST_CASE("rows are found by the number that was pushed, whatever order the hardware gives them in") {
    collection made;
    made.run("as)s)s))"); // a is 0, the steps 1, 2, 3
    made.values = {{3, {30, 31}}, {0, {1, 2}}, {2, {20, 21}}, {1, {10, 11}}};
    report const of = made.write();
    CHECK(of["a"][warps].value() == 1);
    CHECK(of["a"][executed].value() == 2);
    CHECK(*of["a/s"].try_values(warps.name()) == std::vector<double>{10, 20, 30});
    CHECK(of["a/s"][executed].value() == 11 + 21 + 31);
    CHECK(of.complete());
    CHECK(of.device() == "Paper GPU");
    CHECK(of.hardware() == "range profiler");
}

TEST_CASE("a range without a row is not collected, and does not shift the others") {
    collection made;
    made.run("as)s)s))");
    made.values = {{0, {1, 2}}, {3, {30, 31}}, {1, {10, 11}}};
    report const of = made.write();
    CHECK(of["a"][warps].value() == 1);
    auto const single = *of["a/s"].try_values(warps.name());
    REQUIRE(single.size() == 3);
    CHECK(single[0] == 10);
    CHECK(single[1] != single[1]); // NaN
    CHECK(single[2] == 30);
    auto const sum = of["a/s"].try_get(warps);
    REQUIRE_FALSE(sum);
    CHECK(contains(sum.error().what, "1 of 3 values"));
}

TEST_CASE("a collection that read nothing has its ranges all the same") {
    collection made;
    made.run("as)s))");
    made.failure = error{errc::busy, 26, "the counters are taken", {}, {}};
    report const of = made.write();
    CHECK(paths(of) == "a*1 a/s*2 ");
    auto const none = of["a/s"].try_get(executed);
    REQUIRE_FALSE(none);
    CHECK(none.error().code == errc::not_collected);
    CHECK(none.error().cause == "busy: the counters are taken");
}

TEST_CASE("rows the session did not push are left out") {
    collection made;
    made.run("a)");
    made.values = {{7, {70, 71}}, {std::numeric_limits<std::uint32_t>::max(), {80, 81}}, {0, {1, 2}}};
    report const of = made.write();
    CHECK(*of["a"].try_values(warps.name()) == std::vector<double>{1});
    CHECK(of.size() == 1);
}

TEST_CASE("merged ranges have one row and the count of their repetitions") {
    collection made{true};
    made.run("as)s)s))as))");
    made.values = {{1, {60, 61}}, {0, {5, 6}}}; // numbers of names, not of openings
    report const of = made.write();
    CHECK(paths(of) == "a*2 a/s*4 ");
    CHECK(*of["a/s"].try_values(warps.name()) == std::vector<double>{60});
    CHECK(of["a"][executed].value() == 6);
}

TEST_CASE("a name that only a later replay pass opened is in the report, counted zero times and not collected") {
    for (bool const merge : {false, true}) {
        CAPTURE(merge);
        collection made{merge};
        made.run("a)b)");
        made.log.begin_replay_pass();
        made.run("a)x)");
        made.values = {{0, {1, 2}}, {1, {3, 4}}};
        report const of = made.write();
        CHECK(paths(of) == "a*1 b*1 x*0 ");
        auto const late = of["x"].try_get(warps);
        REQUIRE_FALSE(late);
        CHECK(contains(late.error().cause, "replay mismatch"));
        CHECK(of["a"][warps].value() == 1);
    }
}

TEST_CASE("kernels are numbered, and those over the room are told, not shown") {
    collection made;
    made.ranges = gpuprof::range_mode::auto_range;
    made.max_ranges = 2;
    made.values = {{0, {1, 2}}, {1, {3, 4}}};
    report const all = made.write();
    CHECK(all.complete());
    CHECK(paths(all) == "kernel 0*1 kernel 1*1 ");
    CHECK(all["kernel 1"][executed].value() == 4);
    made.values.push_back({2, {5, 6}});
    report const more = made.write();
    CHECK(paths(more) == "kernel 0*1 kernel 1*1 ");
    REQUIRE_FALSE(more.complete());
    CHECK(more.completeness().problems[0].code == errc::too_many_ranges);
    CHECK(contains(more.completeness().problems[0].message(), "max_ranges"));
}

TEST_CASE("no scope and no value make an empty report") {
    collection made;
    made.run("");
    report const of = made.write();
    CHECK(of.size() == 0);
    CHECK(of.complete());
}

TEST_CASE("each loss is a problem of its kind with its number and a remedy") {
    collection made{false, 3, 2};
    auto const outer = made.log.open(std::string(300, 'n'));
    auto const inner = made.log.open("inner");
    static_cast<void>(made.log.open("too deep"));
    static_cast<void>(made.log.close(outer.ticket));
    static_cast<void>(made.log.close(inner.ticket));
    static_cast<void>(made.log.open("open"));
    static_cast<void>(made.log.open("no room"));
    static_cast<void>(made.log.end_replay_pass());
    made.log.begin_replay_pass();
    made.run("a)");
    made.max_ranges = 3;
    made.failure = error{errc::device_lost, 719, "a kernel failed", {}, {}};
    made.nested_loop = true;
    made.out_of_memory = true;
    made.state.other_threads = 4;
    report const of = made.write();
    struct expectation {
        errc code;
        char const* said;
    };
    std::vector<expectation> const expected{
        {errc::device_lost, "a kernel failed"},
        {errc::not_collected, "no memory"},
        {errc::replay_mismatch, "1 replay pass differs"},
        {errc::too_many_ranges, "1 range was over the room"},
        {errc::too_many_ranges, "1 range was below the declared nesting"},
        {errc::invalid_state, "2 scopes were open when a pass ended"},
        {errc::invalid_state, "2 scopes were still open when one around them closed"},
        {errc::invalid_argument, "1 scope name was cut"},
        {errc::invalid_state, "a loop over passes() began before"},
    };
    auto const& problems = of.completeness().problems;
    REQUIRE(problems.size() == expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
        CAPTURE(i);
        CHECK(problems[i].code == expected[i].code);
        CHECK(contains(problems[i].what, expected[i].said));
        bool const own = i > 1;
        if (own) CHECK_FALSE(problems[i].remedy.empty());
    }
    CHECK_FALSE(of.complete());
    CHECK(of.completeness().other_threads == 4);
}

TEST_CASE("a report of ranges nested 2,000 deep is written on a stack of 256 KiB") {
    collection made{false, 10'000};
    std::string const story(2'000, 'd');
    made.run(story + std::string(2'000, ')'));
    struct job {
        collection const& from;
        report made;
    } work{made, {}};
    pthread_attr_t attributes;
    REQUIRE(pthread_attr_init(&attributes) == 0);
    REQUIRE(pthread_attr_setstacksize(&attributes, 256 * 1024) == 0);
    pthread_t thread{};
    auto const body = [](void* of) -> void* {
        job& mine = *static_cast<job*>(of);
        mine.made = mine.from.write();
        return nullptr;
    };
    REQUIRE(pthread_create(&thread, &attributes, body, &work) == 0);
    pthread_join(thread, nullptr);
    pthread_attr_destroy(&attributes);
    REQUIRE(work.made.size() == 2'000);
    CHECK(work.made.at(1'999).depth() == 2'000);
    CHECK(work.made.at(1'999).path().size() == 2 * 2'000 - 1);
}

TEST_CASE("a tree of any shape is written depth first") {
    collection made;
    made.run("ab)cd)ef))))g)hi))g)ac)j))b)");
    // By hand: a{b, c{d, e{f}}, j?}: the last a opens c again and then j inside a.
    CHECK(paths(made.write()) == "a*2 a/b*1 a/c*2 a/c/d*1 a/c/e*1 a/c/e/f*1 a/j*1 g*2 h*1 h/i*1 b*1 ");
}

TEST_CASE("names with a slash and without a character keep their place") {
    collection made;
    for (std::string_view const name : {"a/b", "", "a"}) {
        auto const outer = made.log.open(name);
        static_cast<void>(made.log.close(made.log.open("b").ticket));
        static_cast<void>(made.log.close(outer.ticket));
    }
    static_cast<void>(made.log.end_replay_pass());
    report const of = made.write();
    REQUIRE(of.size() == 6);
    CHECK(of.at(0).name() == "a/b");
    CHECK(of.at(1).path() == "a/b/b");
    CHECK(of.at(2).path().empty());
    CHECK(of.at(3).path() == "/b");
    CHECK(of.at(3).name() == "b");
    CHECK(of.at(5).path() == "a/b"); // as the first one: told apart by depth, and by names
    CHECK(of.at(5).depth() == 2);
    auto const both = of.try_range("a/b");
    REQUIRE_FALSE(both);
    CHECK(both.error().code == errc::invalid_argument);
    CHECK(contains(both.error().message(), "several ranges have the path \"a/b\""));
    CHECK(of.try_range({"a/b"})->depth() == 1);
    CHECK(of[{"a", "b"}].depth() == 2);
    CHECK(of[{"a/b", "b"}].path() == "a/b/b");
    CHECK(of["a/b/b"].name() == "b");
    CHECK_FALSE(of.try_range({"a", "b", "b"}));
    CHECK_FALSE(of.try_range({"b"}));
    CHECK_FALSE(of.try_range({}));
    CHECK(of[{"", "b"}].path() == "/b");
}

TEST_CASE("a value that the hardware lost is a problem that names the metric, and the cause of the missing value") {
    collection made;
    made.metrics = {warps, executed, metric<"l1tex__t_sector_hit_rate.pct">};
    made.run("a)b)");
    made.values = {{0, {1, 2, 50}}, {1, {std::numeric_limits<double>::quiet_NaN(), 4, 60}}};
    report const of = made.write();
    CHECK(of["a"][warps].value() == 1);
    REQUIRE(of.completeness().problems.size() == 1);
    CHECK(of.completeness().problems[0].code == errc::not_collected);
    CHECK(contains(of.completeness().problems[0].what, "smsp__warps_launched.sum: 1 of 2 values is missing"));
    auto const lost = of["b"].try_get(warps);
    REQUIRE_FALSE(lost);
    CHECK(contains(lost.error().cause, "a counter overflowed"));
    CHECK(of["b"][executed].value() == 4);
}

TEST_CASE("a quotient divided by 0 is not a number, with that cause, and no problem of the report") {
    collection made;
    made.metrics = {warps, metric<"l1tex__t_sector_hit_rate.pct">};
    made.run("a)a)");
    made.values = {{0, {0, std::numeric_limits<double>::quiet_NaN()}}, {1, {0, 50}}};
    report const of = made.write();
    CHECK(of.complete());
    auto const rate = of["a"].try_value("l1tex__t_sector_hit_rate.pct");
    REQUIRE_FALSE(rate); // the mean of 0/0 and 50 % is no number either
    CHECK(rate.error().code == errc::not_collected);
    CHECK(contains(rate.error().cause, "what it divides by was 0"));
    CHECK(of["a"].try_values("l1tex__t_sector_hit_rate.pct")->back() == 50);
    CHECK(of["a"][warps].value() == 0);
}

TEST_CASE("a range that the hardware returned no row for is a problem where nothing else explains it") {
    collection made;
    made.run("a)b)");
    made.values = {{0, {1, 2}}};
    report const of = made.write();
    REQUIRE(of.completeness().problems.size() == 1);
    CHECK(contains(of.completeness().problems[0].what, "no values of 1 range"));
}

TEST_CASE("a report of 20,000 nested ranges does not take the square of their number") {
    collection made{false, 20'000};
    made.run(std::string(20'000, 'd') + std::string(20'000, ')'));
    report const of = made.write();
    REQUIRE(of.size() == 20'000);
    std::size_t names = 0;
    for (auto const range : of) names += range.name().size();
    CHECK(names == 20'000);
    CHECK(of.at(19'999).path().size() == 2 * 20'000 - 1); // made when it is asked for
    CHECK(of.try_range(of.at(9'999).path())->depth() == 10'000);
    CHECK_FALSE(of.try_range("d/e"));
}

TEST_CASE("writing a report leaves the device's context as it was") {
    {
        collection made;
        made.run("a)");
        static_cast<void>(made.write());
        CHECK(test::answers.contexts == 1);
    }
    CHECK(test::answers.contexts == 0);
}

} // namespace report_writer_test

#endif
