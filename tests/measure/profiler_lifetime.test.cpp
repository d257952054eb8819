// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// profiler.hpp: moved, ended, left and out of memory at the worst time. Nothing crashes, and what happened is said.
#include <doctest/doctest.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include <gpuprof/measure/profiler.hpp>
#include <gpuprof/measure/timeline.hpp>
#include <gpuprof/metric/named_metrics.hpp>

#include "support/hand_filled.hpp"
#include "support/paper_hardware.hpp"

namespace profiler_lifetime_test {

using gpuprof::errc;
using gpuprof::scope;

namespace {

constexpr auto warps = gpuprof::metrics::warps_launched;
using gpuprof::profiler;
using sequence = gpuprof::pass_sequence;

// A device without a GPU, and hardware that does what a test says.
struct paper {
    gpuprof::hw::machine machine = test::hand_filled_machine({{}});
    gpuprof::device gpu = *gpuprof::device::try_open(machine);

    paper() { test::paper_hardware::now = {}; }
    ~paper() {
        CHECK(test::paper_hardware::now.sessions == 0);
        CHECK(test::paper_hardware::now.pops_too_many == 0);
    }
    paper(paper const&) = delete;
    paper& operator=(paper const&) = delete;

    [[nodiscard]] profiler make(gpuprof::profiler_options options = {}) const {
        options.backend = &gpuprof::hw::backend<test::paper_hardware>;
        return *profiler::try_create(gpu, options, warps);
    }
};

bool contains(std::string_view text, std::string_view part) { return text.find(part) != text.npos; }

// All problems in one text.
std::string problems(gpuprof::report const& of) {
    std::string text;
    for (auto const& each : of.completeness().problems) text += each.message() + '\n';
    return text;
}

gpuprof::report collect(profiler& prof) {
    for (auto pass : prof.passes()) scope all{prof, "all"};
    auto report = prof.try_report();
    REQUIRE_MESSAGE(report, (report ? std::string{} : report.error().message()));
    return *report;
}

template <class Profiler, class... Arguments>
concept creates = requires(Arguments&&... arguments) {
    Profiler::try_create(std::forward<Arguments>(arguments)...);
};
template <class Profiler>
concept loops = requires(Profiler&& of) {
    std::forward<Profiler>(of).passes();
};

} // namespace

#if GPUPROF_EXCEPTIONS
static_assert(std::is_constructible_v<gpuprof::profiler, gpuprof::device&, decltype(warps)>);
static_assert(!std::is_constructible_v<gpuprof::profiler, gpuprof::device, decltype(warps)>);
static_assert(!std::is_constructible_v<gpuprof::profiler, gpuprof::device const, decltype(warps)>);
static_assert(!std::is_constructible_v<gpuprof::profiler, gpuprof::device, gpuprof::profiler_options, decltype(warps)>);
static_assert(!std::is_constructible_v<gpuprof::profiler, gpuprof::device, gpuprof::profiler_options,
                                       std::span<gpuprof::metric_info const>>);
#endif
static_assert(creates<gpuprof::profiler, gpuprof::device&, gpuprof::profiler_options, decltype(warps)>);
static_assert(!creates<gpuprof::profiler, gpuprof::device, gpuprof::profiler_options, decltype(warps)>);
static_assert(
    !creates<gpuprof::profiler, gpuprof::device, gpuprof::profiler_options, std::vector<gpuprof::metric_info>>);
static_assert(loops<gpuprof::profiler&>);
static_assert(!loops<gpuprof::profiler>);

TEST_CASE("lifetime: a moved-from profiler collects nothing and says so") {
    paper const machine;
    auto from = machine.make();
    static_cast<void>(collect(from));
    auto to = std::move(from);
    CHECK(to.try_report());
    // NOLINTBEGIN(bugprone-use-after-move): what this is about
    CHECK_FALSE(from.armed());
    CHECK(from.passes_needed() == 0);
    CHECK(from.metrics().empty());
    int runs = 0;
    for (auto pass : from.passes()) {
        ++runs;
        CHECK_FALSE(pass.measured);
        scope all{from, "all"};
    }
    CHECK(runs == 1); // the application goes on
    from.abandon();
    REQUIRE_FALSE(from.try_report());
    CHECK(from.try_report().error().code == errc::invalid_state);
    CHECK(contains(from.try_report().error().cause, "moved from"));
    auto const again = std::move(from);
    CHECK(again.try_report().error().code == errc::invalid_state);
    // NOLINTEND(bugprone-use-after-move)
    CHECK(collect(to).complete());
}

TEST_CASE("lifetime: a profiler that is moved while it collects abandons the collection, and its loop ends") {
    paper const machine;
    test::paper_hardware::now.passes = 5;
    for (std::size_t const when : {0u, 1u, 3u}) { // the survey, the first and a later replay pass
        CAPTURE(when);
        auto from = machine.make();
        std::optional<profiler> to;
        std::size_t runs = 0;
        for (auto pass : from.passes()) {
            scope all{from, "all"};
            if (pass.index == when) to.emplace(std::move(from));
            ++runs;
        }
        CHECK(runs == when + 1);
        REQUIRE(to);
        auto const report = to->try_report();
        REQUIRE(report);
        CHECK(contains(problems(*report), "abandoned in replay pass " + std::to_string(when + 1)));
        CHECK(contains(problems(*report), "moved in its loop"));
        CHECK(collect(*to).complete());
    }
}

TEST_CASE("lifetime: a profiler that ends while it collects ends its loop, and gives the hardware back") {
    paper const machine;
    for (std::size_t const when : {0u, 1u}) {
        CAPTURE(when);
        std::optional<profiler> prof{machine.make()};
        std::size_t runs = 0;
        for (auto pass : prof->passes()) {
            { scope all{*prof, "all"}; }
            if (pass.index == when) prof.reset();
            ++runs;
        }
        CHECK(runs == when + 1);
        CHECK(test::paper_hardware::now.sessions == 0);
    }
}

TEST_CASE("lifetime: a loop that is left without its destructor is told, and the next collection can begin") {
    paper const machine;
    auto prof = machine.make();
    // What longjmp leaves: a loop in the middle, whose destructor does not run. (It runs at the end, for the heap's sake.)
    alignas(sequence) unsigned char memory[2][sizeof(sequence)];
    auto* const lost = ::new (static_cast<void*>(memory[0])) sequence{prof};
    { scope all{prof, "all"}; }
    ++lost->begin();

    CHECK(contains(prof.try_report().error().cause, "longjmp"));
    CHECK(contains(prof.try_report().error().remedy, "abandon()"));
    int runs = 0;
    for (auto pass : prof.passes()) { // might be inside the other, for all that it knows
        CHECK_FALSE(pass.measured);
        ++runs;
    }
    CHECK(runs == 1);
    prof.abandon();
    auto const told = prof.try_report();
    REQUIRE(told);
    CHECK(contains(problems(*told), "abandoned in replay pass 2"));
    CHECK(contains(problems(*told), "began before the profiler's last one ended"));
    CHECK(collect(prof).complete());

    SUBCASE("the loop that is gone touches nothing any more") {
        ++lost->begin();
        CHECK(lost->begin() == lost->end());
        lost->~sequence();
        CHECK(prof.try_report()->complete());
    }
    SUBCASE("nor during the next collection") {
        for (auto pass : prof.passes()) {
            scope all{prof, "all"};
            if (lost->begin() != lost->end()) ++lost->begin();
        }
        lost->~sequence();
        CHECK(prof.try_report()->complete());
    }
}

TEST_CASE("lifetime: a loop at the place of one that was left without its destructor begins at once") {
    paper const machine;
    auto prof = machine.make();
    alignas(sequence) unsigned char memory[sizeof(sequence)];
    auto* const first = ::new (static_cast<void*>(memory)) sequence{prof};
    { scope all{prof, "all"}; }
    alignas(sequence) unsigned char copy[sizeof(sequence)]; // of what the first one owns
    std::memcpy(copy, memory, sizeof memory);
    static_cast<void>(first);
    auto* const second = ::new (static_cast<void*>(memory)) sequence{prof};
    std::size_t runs = 0;
    for (auto at = second->begin(); at != second->end(); ++at) {
        ++runs;
        scope all{prof, "all"};
    }
    CHECK(runs == 2);
    second->~sequence();
    CHECK(prof.try_report()->complete());
    std::memcpy(memory, copy, sizeof copy);
    reinterpret_cast<sequence*>(memory)->~sequence();
}

TEST_CASE("lifetime: a loop inside another is told, and says that it measures nothing") {
    paper const machine;
    auto prof = machine.make();
    int inner = 0;
    for (auto pass : prof.passes()) {
        scope all{prof, "all"};
        for (auto nested : prof.passes()) {
            ++inner;
            CHECK_FALSE(nested.measured);
        }
    }
    CHECK(inner == 2);
    auto const report = *prof.try_report();
    CHECK(contains(problems(report), "a loop over passes() began before the profiler's last one ended"));
    CHECK(report.try_range("all")->try_get(warps)->value() == 1);
}

TEST_CASE("lifetime: abandon() in the body ends the loop there") {
    paper const machine;
    auto prof = machine.make();
    int runs = 0;
    for (auto pass : prof.passes()) {
        ++runs;
        prof.abandon();
        scope after{prof, "after"};
    }
    CHECK(runs == 1);
    CHECK(contains(problems(*prof.try_report()), "abandon() was called"));
    CHECK(collect(prof).complete());
}

TEST_CASE("lifetime: a scope left open in every replay pass is one scope") {
    paper const machine;
    test::paper_hardware::now.passes = 3;
    auto prof = machine.make();
    std::vector<std::unique_ptr<std::optional<scope>>> kept;
    for (auto pass : prof.passes()) {
        kept.push_back(std::make_unique<std::optional<scope>>());
        kept.back()->emplace(prof, "left open");
    }
    REQUIRE(kept.size() == 4);
    CHECK(contains(problems(*prof.try_report()), "1 scope was open when a pass ended"));
    kept.clear();
}

TEST_CASE("lifetime: a stopped timeline records nothing of a profiler it is attached to") {
    paper const machine;
    gpuprof::timeline times{100};
    gpuprof::profiler_options options;
    options.record = &times;
    auto prof = machine.make(options);
    { scope recorded{prof, "recorded"}; }
    CHECK(times.size() == 1);
    times.stop();
    for (int i = 0; i < 5; ++i) scope not_recorded{prof, "not recorded"};
    CHECK(collect(prof).complete()); // counters go on
    CHECK(times.size() == 1);
    CHECK(times.dropped() == 0);
    times.start();
    { scope recorded{prof, "recorded"}; }
    CHECK(times.size() == 2);
}

TEST_CASE("lifetime: a timeline may end before the profilers that it is attached to") {
    paper const machine;
    std::optional<gpuprof::timeline> times{std::in_place, std::size_t{100}};
    gpuprof::profiler_options options;
    options.record = &*times;
    std::vector<std::optional<profiler>> profilers(4);
    for (auto& each : profilers) each.emplace(machine.make(options));
    profilers[1].reset(); // from the middle of those attached
    auto moved = *std::move(profilers[2]);
    { scope recorded{moved, "recorded"}; }
    { scope not_recorded{*profilers[2], "moved from"}; } // NOLINT(bugprone-use-after-move)
    CHECK(times->size() == 1);
    std::optional<scope> open;
    open.emplace(moved, "open while the timeline ends");
    times.reset();
    open.reset();
    for (auto* const each : {&*profilers[0], &*profilers[3], &moved}) {
        { scope all{*each, "all"}; }
        CHECK(collect(*each).complete());
    }
}

TEST_CASE("lifetime: every kernel a range needs no room said, and scopes mean nothing there") {
    paper const machine;
    gpuprof::profiler_options options;
    options.ranges = gpuprof::range_mode::auto_range;
    options.replay = gpuprof::replay_mode::kernel;
    auto prof = machine.make(options);
    auto const body = [&] {
        for (auto pass : prof.passes())
            for (int i = 0; i < 10; ++i) {
                scope outer{prof, "outer"};
                scope inner{prof, "inner"};
            }
        return *prof.try_report();
    };
    for (std::uint32_t i = 0; i < 3; ++i) test::paper_hardware::now.kernels.push_back({i, {1.0 + i}});
    auto const report = body();
    CHECK_MESSAGE(report.complete(), problems(report));
    CHECK(report.size() == 3);
    CHECK(report.try_range("kernel 2")->try_get(warps)->value() == 3);
    CHECK(test::paper_hardware::now.most_ranges == gpuprof::profiler_options::kernels_by_default);

    for (std::uint32_t i = 3; i < 300; ++i) test::paper_hardware::now.kernels.push_back({i, {1.0 + i}});
    auto const many = body();
    CHECK(many.size() == 256);
    CHECK(contains(problems(many), "more than 256 kernels were launched"));
    CHECK(contains(problems(many), "set profiler_options::max_ranges to the number of kernels"));
}

TEST_CASE("lifetime: threads open scopes while collections begin and end") {
    paper const machine;
    auto prof = machine.make();
    std::atomic<bool> stop{false};
    std::vector<std::jthread> pool;
    for (int i = 0; i < 4; ++i)
        pool.emplace_back([&] {
            while (!stop) scope job{prof, "job"};
        });
    for (int i = 0; i < 200; ++i) {
        auto const report = collect(prof); // for the thread sanitizer to watch
        CHECK(report.complete());
        CHECK(report.size() == 1);
    }
    stop = true;
}

TEST_CASE("lifetime: scopes of other threads alone are no ranges, and the problem says why") {
    paper const machine;
    auto prof = machine.make();
    for (auto pass : prof.passes()) std::jthread{[&] { scope job{prof, "job"}; }}.join();
    CHECK(contains(problems(*prof.try_report()), "other threads opened scopes"));
}

#if GPUPROF_EXCEPTIONS
TEST_CASE("lifetime: memory that runs out in any call of the hardware costs the collection, not the program") {
    for (char const* const member : {"try_open", "try_prepare", "try_begin_replay_pass", "try_push", "try_pop",
                                     "try_end_replay_pass", "try_read"}) {
        CAPTURE(member);
        paper const machine;
        auto prof = machine.make();
        static_cast<void>(collect(prof)); // a report that must not stand for the next one
        test::paper_hardware::now.without_memory = member;
        std::size_t runs = 0;
        for (auto pass : prof.passes()) {
            ++runs;
            scope outer{prof, "outer"};
            { scope inner{prof, "inner"}; }
            scope second{prof, "second"};
        }
        CHECK(runs >= 1);
        CHECK(runs <= 3);
        auto const report = prof.try_report();
        REQUIRE_MESSAGE(report, report.error().message());
        CHECK_FALSE(report->complete());
        CHECK(contains(problems(*report), "there was no memory"));
        CHECK_FALSE(contains(problems(*report), "abandoned"));
        CHECK_FALSE(report->try_range("all"));
        test::paper_hardware::now.without_memory = "";
        CHECK(collect(prof).complete());
    }
}

TEST_CASE("lifetime: memory that runs out when a pause begins or ends costs the collection, not the program") {
    for (bool const at_end : {false, true}) {
        CAPTURE(at_end);
        paper const machine;
        auto prof = machine.make();
        for (auto const pass : prof.passes()) {
            scope outer{prof, "outer"};
            if (pass.measured && !at_end) test::paper_hardware::now.without_memory = "try_pop";
            gpuprof::paused const here{prof};
            if (pass.measured && at_end) test::paper_hardware::now.without_memory = "try_push";
        }
        test::paper_hardware::now.without_memory = "";
        auto const report = prof.try_report();
        REQUIRE_MESSAGE(report, report.error().message());
        CHECK_FALSE(report->complete());
        CHECK(contains(problems(*report), "there was no memory"));
        CHECK(collect(prof).complete());
    }
}

TEST_CASE("lifetime: room that there is no memory for is a problem that says so") {
    paper const machine;
    gpuprof::profiler_options options;
    options.max_ranges = 50'000'000;
    auto prof = machine.make(options);
    static_cast<void>(collect(prof));
    test::paper_hardware::now.without_memory = "try_prepare";
    int runs = 0;
    for (auto pass : prof.passes()) {
        ++runs;
        CHECK_FALSE(pass.measured);
        scope all{prof, "all"};
    }
    CHECK(runs == 1);
    auto const report = prof.try_report();
    REQUIRE(report);
    CHECK(contains(problems(*report), "room for 50000000 ranges of 1 metrics was asked for"));
    CHECK(contains(problems(*report), "profiler_options::max_ranges"));
}
#endif

} // namespace profiler_lifetime_test
