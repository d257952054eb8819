// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// timeline.hpp: every scope of every thread, once, in order, with its time on the host; or dropped and counted.
#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <chrono>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <type_traits>
#include <vector>

#include <gpuprof/measure/timeline.hpp>

#include "support/meeting.hpp"
#include "support/sanitized.hpp"

namespace timeline_test {

using gpuprof::scope;
using gpuprof::timeline;
using gpuprof::timeline_record;

namespace {

std::vector<timeline_record> records_of(timeline const& from) {
    std::vector<timeline_record> list;
    from.visit([&list](timeline_record const& each) { list.push_back(each); });
    return list;
}

std::string_view name_of(timeline_record const& of) { return {of.name, of.name_size}; }

std::string names_of(timeline const& from) {
    std::string text;
    for (timeline_record const& each : records_of(from)) text += std::string{name_of(each)} + ' ';
    return text;
}

std::map<std::size_t, std::size_t> records_by_thread(timeline const& from) {
    std::map<std::size_t, std::size_t> counts;
    for (timeline_record const& each : records_of(from)) ++counts[each.thread];
    return counts;
}

void open_scopes(timeline& on, int count) {
    for (int i = 0; i < count; ++i) scope const step{on, "step"};
}

std::uint64_t monotonic_now() {
    using std::chrono::steady_clock;
    return static_cast<std::uint64_t>(std::chrono::nanoseconds{steady_clock::now().time_since_epoch()}.count());
}

} // namespace

static_assert(!std::is_copy_constructible_v<timeline>);
static_assert(!std::is_move_constructible_v<timeline>, "scopes and profilers hold its address");

TEST_CASE("a timeline without scopes has no records") {
    timeline const all;
    CHECK(all.armed());
    CHECK(all.size() == 0);
    CHECK(all.dropped() == 0);
    CHECK(records_of(all).empty());
}

TEST_CASE("scopes are recorded in the order they close, inner ones inside outer ones") {
    timeline all;
    {
        scope const frame{all, "frame"};
        { scope const step{all, "first"}; }
        { scope const step{all, "second"}; }
    }
    auto const list = records_of(all);
    REQUIRE(list.size() == 3);
    CHECK(all.size() == 3);
    CHECK(names_of(all) == "first second frame ");
    for (timeline_record const& each : list) {
        CHECK(each.begin_ns <= each.end_ns);
        CHECK(each.thread == list[0].thread);
    }
    CHECK(list[2].begin_ns <= list[0].begin_ns);
    CHECK(list[0].end_ns <= list[1].begin_ns);
    CHECK(list[1].end_ns <= list[2].end_ns);
}

TEST_CASE("a timeline keeps the pointer to a name and its whole length") {
    std::string const text(10'000, 'n');
    timeline all;
    { scope const open{all, text}; }
    { scope const open{all, "a\0b"}; }
    { scope const open{all, static_cast<char const*>("C string")}; }
    { scope const open{all, static_cast<char const*>(nullptr)}; }
    { scope const open{all, std::string_view{}}; }
    auto const list = records_of(all);
    REQUIRE(list.size() == 5);
    CHECK(list[0].name == text.data());
    CHECK(list[0].name_size == 10'000);
    CHECK(name_of(list[1]) == std::string_view{"a\0b", 3});
    CHECK(name_of(list[2]) == "C string");
    CHECK(list[3].name_size == 0);
    CHECK(list[4].name_size == 0);
}

TEST_CASE("eight threads with ten thousand scopes each lose none and mix none") {
    constexpr int threads = 8;
    constexpr int scopes = 10'000;
    timeline all{scopes};
    {
        gpuprof_test::meeting together{threads}; // all alive at once, so that no identity is used twice
        std::vector<std::jthread> pool;
        for (int i = 0; i < threads; ++i)
            pool.emplace_back([&] {
                together.arrive_and_wait();
                open_scopes(all, scopes);
                together.arrive_and_wait();
            });
    }
    CHECK(all.size() == std::size_t{threads} * scopes);
    CHECK(all.dropped() == 0);
    auto const counts = records_by_thread(all);
    CHECK(counts.size() == threads);
    for (auto const& [thread, count] : counts) CHECK(count == scopes);
    std::map<std::size_t, std::uint64_t> last_end;
    for (timeline_record const& each : records_of(all)) {
        REQUIRE(last_end[each.thread] <= each.begin_ns); // one after the other on each thread
        last_end[each.thread] = each.end_ns;
    }
}

TEST_CASE("a full buffer keeps its first records, and drops and counts the others") {
    timeline all{3};
    open_scopes(all, 3);
    { scope const late{all, "late"}; }
    { scope const later{all, "later"}; }
    CHECK(names_of(all) == "step step step ");
    CHECK(all.size() == 3);
    CHECK(all.dropped() == 2);
    std::jthread{[&all] { open_scopes(all, 5); }}.join(); // room is each thread's own
    CHECK(all.size() == 6);
    CHECK(all.dropped() == 4);
}

TEST_CASE("a full buffer that keeps the newest has the last records, the oldest of them first") {
    constexpr std::size_t room = 4;
    for (std::size_t const scopes : {0u, 3u, 4u, 5u, 7u, 8u, 9u, 100u}) {
        CAPTURE(scopes);
        timeline all{room, timeline::keep::newest};
        std::vector<std::string> names;
        for (std::size_t i = 0; i < scopes; ++i) names.push_back(std::to_string(i));
        for (std::string const& name : names) scope const step{all, name};
        std::size_t const kept = std::min(scopes, room);
        CHECK(all.size() == kept);
        CHECK(all.dropped() == scopes - kept);
        std::string expected;
        for (std::size_t i = scopes - kept; i < scopes; ++i) expected += names[i] + ' ';
        CHECK(names_of(all) == expected);
    }
    timeline nothing{0, timeline::keep::newest};
    open_scopes(nothing, 3);
    CHECK(nothing.size() == 0);
    CHECK(nothing.dropped() == 3);
}

TEST_CASE("a timeline without room drops and counts everything") {
    timeline all{0};
    open_scopes(all, 4);
    CHECK(all.size() == 0);
    CHECK(all.dropped() == 4);
    CHECK(records_of(all).empty());
}

TEST_CASE("a timeline whose buffers do not fit in memory says so, and the application goes on") {
    if (sanitized) {
        MESSAGE("skipped: the sanitizer's allocator ends the process instead of refusing");
        return;
    }
    for (std::size_t const capacity : {std::size_t{1} << 58, std::numeric_limits<std::size_t>::max()}) {
        CAPTURE(capacity);
        timeline all{capacity};
        CHECK_FALSE(all.attach_thread());
        open_scopes(all, 2);
        CHECK(all.size() == 0);
        CHECK(all.dropped() == 2);
    }
}

TEST_CASE("a stopped timeline records nothing until it is started again") {
    timeline all;
    all.stop();
    CHECK_FALSE(all.armed());
    { scope const ignored{all, "ignored"}; }
    all.start();
    { scope const kept{all, "kept"}; }
    all.stop();
    { scope const ignored{all, "ignored"}; }
    CHECK(names_of(all) == "kept ");
    CHECK(all.dropped() == 0);
}

TEST_CASE("stopping while a scope is open keeps it, starting while one is open does not pick it up") {
    timeline all;
    {
        scope const kept{all, "kept"};
        all.stop();
        scope const ignored{all, "ignored"};
        all.start();
    }
    CHECK(names_of(all) == "kept ");
}

TEST_CASE("attaching a thread makes its buffer once and records nothing") {
    timeline all{10};
    CHECK(all.attach_thread());
    CHECK(all.attach_thread());
    CHECK(all.size() == 0);
    open_scopes(all, 10);
    CHECK(all.attach_thread());
    open_scopes(all, 1);
    CHECK(all.size() == 10);
    CHECK(all.dropped() == 1);
}

TEST_CASE("visiting beside writers sees whole records only, and never fewer than before") {
    constexpr int writers = 3;
    constexpr int scopes = 20'000;
    timeline all{scopes};
    std::atomic<int> running{writers};
    std::vector<std::jthread> pool;
    for (int i = 0; i < writers; ++i)
        pool.emplace_back([&] {
            for (int n = 0; n < scopes / 2; ++n) {
                scope const outer{all, "outer"};
                scope const inside{all, "inside"};
            }
            --running;
        });
    std::size_t before = 0;
    std::size_t malformed = 0;
    for (bool more = true; more;) {
        more = running != 0; // one more look after the last writer
        std::size_t const at_least = all.size();
        std::size_t seen = 0;
        all.visit([&](timeline_record const& each) {
            ++seen;
            bool const inside = each.name_size == 6 && name_of(each) == "inside";
            bool const outer = each.name_size == 5 && name_of(each) == "outer";
            malformed += !(inside || outer) || each.begin_ns > each.end_ns;
        });
        REQUIRE(seen >= at_least);
        REQUIRE(at_least >= before);
        before = seen;
    }
    CHECK(malformed == 0);
    CHECK(before == std::size_t{writers} * scopes);
    CHECK(all.dropped() == 0);
}

TEST_CASE("two timelines that alternate on one thread keep their records apart") {
    timeline first;
    timeline second;
    for (int i = 0; i < 100; ++i) {
        scope const a{first, "a"};
        scope const b{second, "b"};
        scope const c{first, "c"};
    }
    CHECK(first.size() == 200);
    CHECK(second.size() == 100);
    for (timeline_record const& each : records_of(first)) CHECK(name_of(each) != "b");
    for (timeline_record const& each : records_of(second)) CHECK(name_of(each) == "b");
}

TEST_CASE("a timeline can be destroyed while threads that wrote to it go on with another") {
    constexpr int threads = 4;
    constexpr int scopes = 1'000;
    timeline kept{scopes};
    std::optional<timeline> gone{std::in_place, std::size_t{scopes}};
    gpuprof_test::meeting together{threads + 1};
    std::vector<std::jthread> pool;
    for (int i = 0; i < threads; ++i)
        pool.emplace_back([&] {
            open_scopes(kept, scopes / 2);
            open_scopes(*gone, scopes); // what the thread remembers is the timeline that goes
            together.arrive_and_wait();
            open_scopes(kept, scopes / 2); // beside the destructor
            together.arrive_and_wait();
        });
    together.arrive_and_wait();
    CHECK(gone->size() == std::size_t{threads} * scopes);
    gone.reset();
    together.arrive_and_wait();
    pool.clear();
    CHECK(kept.size() == std::size_t{threads} * scopes);
    CHECK(kept.dropped() == 0);
}

TEST_CASE("a timeline at the address of a destroyed one starts empty on every thread") {
    constexpr int generations = 50;
    std::optional<timeline> current;
    gpuprof_test::meeting together{2};
    std::jthread const other{[&] {
        for (int i = 0; i < generations; ++i) {
            together.arrive_and_wait();
            open_scopes(*current, 3);
            together.arrive_and_wait();
        }
    }};
    for (int i = 0; i < generations; ++i) {
        current.emplace(std::size_t{8});
        together.arrive_and_wait();
        open_scopes(*current, 2);
        together.arrive_and_wait();
        CHECK(current->size() == 5);
        CHECK(records_by_thread(*current).size() == 2);
        CHECK(current->dropped() == 0);
    }
}

TEST_CASE("records outlive the thread that wrote them, also when a later thread gets its address") {
    constexpr std::size_t threads = 40;
    timeline all{1'000};
    for (std::size_t i = 0; i < threads; ++i) std::jthread{[&all] { open_scopes(all, 10); }}.join();
    CHECK(all.size() == threads * 10);
    CHECK(all.dropped() == 0);
    std::size_t sum = 0;
    for (auto const& [thread, count] : records_by_thread(all)) {
        CHECK(count % 10 == 0);
        sum += count;
    }
    CHECK(sum == threads * 10);
}

TEST_CASE("threads that come and go without waiting for each other lose no record") {
    constexpr int chains = 4;
    constexpr int links = 25;
    timeline all;
    std::vector<std::jthread> pool;
    for (int i = 0; i < chains; ++i)
        pool.emplace_back([&all] { // a thread of one chain may get the address of a dead one of another
            for (int n = 0; n < links; ++n) std::jthread{[&all] { open_scopes(all, 20); }}.join();
        });
    pool.clear();
    CHECK(all.size() == std::size_t{chains} * links * 20);
    CHECK(all.dropped() == 0);
}

TEST_CASE("times are of CLOCK_MONOTONIC, within the scope's own moments") {
    // A process that is put aside between two readings of a clock measures that; one undisturbed attempt proves the point.
    constexpr std::uint64_t tolerance = 20'000;
    bool agreed = false;
    for (int attempt = 0; attempt < 100 && !agreed; ++attempt) {
        timeline all;
        std::uint64_t const before = monotonic_now();
        std::uint64_t inside = 0;
        {
            scope const open{all, "open"};
            do inside = monotonic_now();
            while (inside - before < 2'000'000);
        }
        std::uint64_t const after = monotonic_now();
        auto const list = records_of(all);
        REQUIRE(list.size() == 1);
        REQUIRE(list[0].begin_ns <= list[0].end_ns);
        bool const begins = list[0].begin_ns + tolerance >= before && list[0].begin_ns <= before + tolerance;
        bool const ends = list[0].end_ns + tolerance >= inside && list[0].end_ns <= after + tolerance;
        agreed = begins && ends;
    }
    CHECK(agreed);
}

TEST_CASE("a target that records beside its own work writes the time it was given") {
    timeline all;
    std::uint64_t const begin = gpuprof::platform::ticks();
    { scope const inner{all, "inner"}; }
    all.write("outer", begin);
    auto const list = records_of(all);
    REQUIRE(list.size() == 2);
    CHECK(name_of(list[1]) == "outer");
    CHECK(list[1].begin_ns <= list[0].begin_ns);
    CHECK(list[1].end_ns >= list[0].end_ns);
}

} // namespace timeline_test
