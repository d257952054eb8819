// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tracers over a CUPTI of the test's own: expected numbers are what the test itself had it record.
#include <gpuprof/trace/tracer.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <gpuprof/scope.hpp>
#include <gpuprof/trace/overloaded.hpp>

#include "support/paper_activity.hpp"
#include "support/sanitized.hpp"

namespace tracer_test {

namespace activity = gpuprof::activity;
namespace abi = gpuprof::abi;
using gpuprof::errc;
using gpuprof::flush_mode;
using gpuprof::overloaded;
using gpuprof::scope;
using gpuprof::tracer_options;
using test::paper_activity;

namespace {

constexpr auto kernels = activity::kinds<activity::kernel>;
constexpr auto work = activity::kinds<activity::kernel, activity::memcpy>;
using kernel_tracer = gpuprof::tracer<activity::kind_list<activity::kernel>>;
using work_tracer = gpuprof::tracer<activity::kind_list<activity::kernel, activity::memcpy>>;
using any_tracer = gpuprof::tracer<activity::kind_set>;

// Four kernels of 13.0 a buffer: 4 * 216 bytes fit into 1,024, 5 do not.
constexpr tracer_options two_small_buffers() {
    tracer_options options;
    options.buffer_bytes = 1024;
    options.buffers = 2;
    return options;
}

std::size_t count(kernel_tracer::batch const& batch) {
    std::size_t seen = 0;
    batch.visit([&](activity::kernel const&) { ++seen; });
    return seen;
}
std::size_t kernels_flushed(kernel_tracer& trace, flush_mode mode = flush_mode::completed) {
    auto const batch = trace.try_flush(mode);
    REQUIRE(batch);
    return count(*batch);
}

} // namespace

TEST_CASE("records of 11.8 and of 13.0 are visited by their kinds, with what the program did") {
    for (bool const is_11_8 : {true, false}) {
        CAPTURE(is_11_8);
        paper_activity cupti{is_11_8};
        auto trace = *work_tracer::try_begin(cupti.machine, work);
        std::uint32_t const first = cupti.launch("saxpy");
        std::uint32_t const second = cupti.copy(4096);
        cupti.launch("reduce");
        auto const batch = *trace.try_flush();
        std::vector<std::string> names;
        std::vector<std::uint32_t> correlations;
        batch.visit(overloaded{[&](activity::kernel const& it) {
                                   names.emplace_back(it.name);
                                   correlations.push_back(it.correlation);
                                   CHECK(it.stream == 7);
                                   CHECK(it.time.duration() == gpuprof::nanoseconds{1}); // one tick of that clock
                               },
                               [&](activity::memcpy const& it) {
                                   names.emplace_back("copy");
                                   correlations.push_back(it.correlation);
                                   CHECK(it.size == gpuprof::bytes{4096});
                               }});
        CHECK(names == std::vector<std::string>{"saxpy", "copy", "reduce"});
        CHECK(correlations == std::vector<std::uint32_t>{first, second, second + 1});
        CHECK(batch.losses().complete());
        CHECK(batch.bytes() == (is_11_8 ? 2 * 200 + 88 : 2 * 216 + 96));
    }
}

TEST_CASE("iterating gives the records that visiting gives") {
    paper_activity cupti;
    auto trace = *work_tracer::try_begin(cupti.machine, work);
    cupti.launch("a");
    cupti.copy(1);
    cupti.launch("b");
    auto const batch = *trace.try_flush();
    std::vector<std::string> names;
    for (auto const& record : batch)
        std::visit(overloaded{[&](activity::kernel const& it) { names.emplace_back(it.name); },
                              [&](activity::memcpy const&) { names.emplace_back("copy"); }},
                   record);
    CHECK(names == std::vector<std::string>{"a", "copy", "b"});
}

TEST_CASE("with kinds chosen while running, what the visitor does not take is passed over") {
    paper_activity cupti;
    auto trace = *any_tracer::try_begin(cupti.machine,
                                        {abi::CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, abi::CUPTI_ACTIVITY_KIND_MEMCPY});
    cupti.launch();
    cupti.copy(1);
    cupti.launch();
    auto const batch = *trace.try_flush();
    int seen = 0;
    batch.visit([&](activity::kernel const&) { ++seen; });
    CHECK(seen == 2);
    int all = 0;
    for (auto const& record : batch) all += std::holds_alternative<activity::unknown>(record) ? 100 : 1;
    CHECK(all == 3);
    CHECK(batch.losses().complete());
}

TEST_CASE("the kinds asked for are on while a tracer lives, and no kind before and after") {
    paper_activity cupti;
    {
        auto trace = *work_tracer::try_begin(cupti.machine, work);
        CHECK(cupti.kinds() ==
              std::set<unsigned>{abi::CUPTI_ACTIVITY_KIND_MEMCPY, abi::CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL});
    }
    CHECK(cupti.kinds().empty());
    CHECK(cupti.outstanding() == 0);
    CHECK(cupti.launch() == 1);
    CHECK(cupti.made() == 0);
}

TEST_CASE("CUPTI may write to its buffers and hand them back after the tracer's end") {
    paper_activity cupti;
    cupti.pause(true); // CUPTI's thread is busy: FlushAll gives up on it
    {
        auto trace = *kernel_tracer::try_begin(cupti.machine, kernels, two_small_buffers());
        for (int i = 0; i < 6; ++i) cupti.launch();
    }
    CHECK(cupti.outstanding() == 2);
    auto next = *kernel_tracer::try_begin(cupti.machine, kernels); // has buffers of its own
    cupti.pause(false);
    cupti.launch("new");
    auto const batch = *next.try_flush();
    CHECK(cupti.outstanding() == 0);
    CHECK(count(batch) == 1);
}

TEST_CASE("a batch outlives its tracer, and gives its buffers back where nobody waits for them") {
    paper_activity cupti;
    std::optional<kernel_tracer> trace{*kernel_tracer::try_begin(cupti.machine, kernels, two_small_buffers())};
    std::uint64_t number = 0;
    {
        scope const outer{*trace, "outer"};
        cupti.launch("kept");
    }
    auto const batch = *trace->try_flush();
    trace.reset();
    batch.visit(overloaded{[&](activity::kernel const& it) {
                               CHECK(it.name == "kept");
                               number = batch.scope_of(it);
                           },
                           [&](gpuprof::traced_scope const& it) { CHECK(it.name == "outer"); }});
    CHECK(batch.scope_path(number) == "outer");
}

TEST_CASE("a tracer that is stopped records nothing, and goes on when it is started") {
    paper_activity cupti;
    auto trace = *kernel_tracer::try_begin(cupti.machine, kernels);
    cupti.launch();
    REQUIRE(trace.try_stop());
    CHECK(cupti.kinds().empty());
    cupti.launch();
    { scope const unseen{trace, "unseen"}; }
    CHECK(cupti.kinds().empty());
    REQUIRE(trace.try_start());
    cupti.launch();
    cupti.launch();
    auto const batch = *trace.try_flush();
    CHECK(count(batch) == 3);
    CHECK(batch.scopes().empty());
}

TEST_CASE("a flush waits for records to be complete, a forced one does not and counts them") {
    paper_activity cupti;
    auto trace = *kernel_tracer::try_begin(cupti.machine, kernels);
    cupti.start();
    CHECK(kernels_flushed(trace) == 0);
    cupti.finish();
    CHECK(kernels_flushed(trace) == 1);
    cupti.start();
    auto const batch = *trace.try_flush(flush_mode::forced);
    CHECK(count(batch) == 1);
    CHECK(batch.losses().without_time == 1);
}

TEST_CASE("records that there was no buffer for are counted, once") {
    paper_activity cupti;
    auto trace = *kernel_tracer::try_begin(cupti.machine, kernels, two_small_buffers());
    for (int i = 0; i < 20; ++i) cupti.launch();
    {
        auto const batch = *trace.try_flush();
        CHECK(count(batch) == 8);
        CHECK(batch.losses().dropped == 12);
        for (int i = 0; i < 3; ++i) cupti.launch(); // the batch has all buffers
        auto const next = *trace.try_flush();
        CHECK(count(next) == 0);
        CHECK(next.losses().dropped == 3);
    }
    cupti.launch();
    CHECK(kernels_flushed(trace) == 1);
    CHECK(trace.lost().dropped == 15);
}

TEST_CASE("records without times, of other sizes, and behind one that CUPTI cannot walk over are counted") {
    paper_activity cupti;
    auto trace = *any_tracer::try_begin(
        cupti.machine, {abi::CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, abi::CUPTI_ACTIVITY_KIND_GREEN_CONTEXT});
    cupti.launch();
    cupti.launch_without_time();
    {
        auto const batch = *trace.try_flush();
        CHECK(batch.losses() == gpuprof::trace_losses{.without_time = 1});
        std::size_t seen = 0;
        batch.visit([&](activity::kernel const&) { ++seen; });
        for ([[maybe_unused]] auto const& record : batch) ++seen;
        CHECK(seen == 4);
        CHECK(batch.losses() == gpuprof::trace_losses{.without_time = 1}); // however often they were read
    }
    cupti.launch();
    cupti.write_strange(abi::CUPTI_ACTIVITY_KIND_GREEN_CONTEXT, 64); // 13.0 has no such records
    cupti.launch();
    {
        auto const batch = *trace.try_flush();
        std::size_t seen = 0;
        batch.visit([&](activity::kernel const&) { ++seen; });
        CHECK(seen == 2);
        CHECK(batch.losses() == gpuprof::trace_losses{.undecoded = 1});
    }
    cupti.launch();
    cupti.write_strange(0, 16);
    cupti.launch();
    {
        auto const batch = *trace.try_flush();
        std::size_t seen = 0;
        for ([[maybe_unused]] auto const& record : batch) ++seen;
        CHECK(seen == 1);
        CHECK(batch.losses() == gpuprof::trace_losses{.undecoded = 1});
        batch.visit([](auto const&) {});
        CHECK(batch.losses() == gpuprof::trace_losses{.undecoded = 1});
    }
}

TEST_CASE("a record that ends beyond what CUPTI filled is not decoded") {
    paper_activity cupti;
    auto trace = *kernel_tracer::try_begin(cupti.machine, kernels);
    cupti.write_strange(abi::CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, 208); // 216 would be whole
    auto const batch = *trace.try_flush();
    CHECK(count(batch) == 0);
    CHECK(batch.losses().undecoded == 1);
}

TEST_CASE("settings are made before kinds are on, and taken back in the reverse order") {
    paper_activity cupti;
    cupti.pause(false);
    tracer_options options;
    options.settings.device_buffer_bytes = 1 << 20;
    options.settings.device_buffers_at_start = 5;
    options.settings.pinned_host_memory = true;
    options.kernel_latency = true;
    options.event_times = true;
    options.flush_period_ms = 50;
    options.clock = [] { return std::uint64_t{4711}; };
    {
        auto trace = *kernel_tracer::try_begin(cupti.machine, kernels, options);
        CHECK(cupti.attribute(abi::CUPTI_ACTIVITY_ATTR_DEVICE_BUFFER_SIZE) == 1 << 20);
    }
    CHECK(cupti.log() ==
          std::vector<std::string>{"attribute 0 = 1048576", "attribute 6 = 5", "attribute 8 = 1", "attribute 5 = 1",
                                   "latency 1", "event_times 1", "clock 4711", "period 50", "threads 1",
                                   // and back: CUPTI's own clock has the time of this century
                                   "threads 0", "period 0", "clock 0", "event_times 0", "latency 0", "attribute 5 = 0",
                                   "attribute 8 = 0", "attribute 6 = 3", "attribute 0 = 3200000"});
}

TEST_CASE("without wishes, nothing but zeroed buffers and thread numbers of the system is set") {
    paper_activity cupti;
    tracer_options options;
    options.system_thread_numbers = false;
    { auto trace = *kernel_tracer::try_begin(cupti.machine, kernels, options); }
    CHECK(cupti.log() == std::vector<std::string>{"attribute 5 = 1", "attribute 5 = 0"});
}

TEST_CASE("scopes have the time of the clock that records have") {
    paper_activity cupti;
    tracer_options options;
    options.clock = [] {
        static std::uint64_t time = 500;
        return time += 10;
    };
    auto trace = *kernel_tracer::try_begin(cupti.machine, kernels, options); // asks it once
    { scope const timed{trace, "timed"}; }
    auto const batch = *trace.try_flush();
    REQUIRE(batch.scopes().size() == 1);
    CHECK(batch.scopes()[0].time == activity::interval{{520}, {530}});
}

TEST_CASE("one tracer a process, and the next one when it has ended") {
    paper_activity cupti;
    auto trace = *kernel_tracer::try_begin(cupti.machine, kernels);
    cupti.launch();
    auto const second = kernel_tracer::try_begin(cupti.machine, kernels);
    REQUIRE_FALSE(second);
    CHECK(second.error().code == errc::busy);
    CHECK(kernels_flushed(trace) == 1); // the first one is as it was
    REQUIRE(trace.try_finish());
    auto third = *kernel_tracer::try_begin(cupti.machine, kernels);
    cupti.launch();
    CHECK(kernels_flushed(third) == 1);
}

TEST_CASE("what cannot be is refused with its reason, and leaves nothing behind") {
    paper_activity cupti;
    auto const both = any_tracer::try_begin(
        cupti.machine, {abi::CUPTI_ACTIVITY_KIND_KERNEL, abi::CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL});
    REQUIRE_FALSE(both);
    CHECK(both.error().code == errc::invalid_argument);
    CHECK(both.error().message().find("concurrent_kernel") != std::string::npos);
    tracer_options none;
    none.buffers = 0;
    CHECK(kernel_tracer::try_begin(cupti.machine, kernels, none).error().code == errc::invalid_argument);
    tracer_options tiny;
    tiny.buffer_bytes = 100;
    CHECK(kernel_tracer::try_begin(cupti.machine, kernels, tiny).error().code == errc::invalid_argument);
    tracer_options huge;
    huge.buffers = huge.buffer_bytes = static_cast<std::size_t>(-1) / 2;
    if (!sanitized) // which end a program that asks for so much
        CHECK(kernel_tracer::try_begin(cupti.machine, kernels, huge).error().code == errc::invalid_argument);
    gpuprof::hw::machine const empty;
    CHECK(kernel_tracer::try_begin(empty, kernels).error().code == errc::unavailable);
    CHECK(cupti.log().empty());
    CHECK(kernel_tracer::try_begin(cupti.machine, kernels));
}

TEST_CASE("a tracer that was moved from or has finished answers with an error, and scopes on it do nothing") {
    paper_activity cupti;
    auto trace = *kernel_tracer::try_begin(cupti.machine, kernels);
    auto moved = std::move(trace);
    {
        scope const idle{trace, "idle"};
        scope const seen{moved, "seen"};
        cupti.launch();
    }
    CHECK(trace.try_flush().error().code == errc::invalid_state);
    CHECK(trace.try_start().error().code == errc::invalid_state);
    CHECK(trace.lost().complete());
    CHECK(trace.scope_path(1).empty());
    auto const last = moved.try_finish();
    REQUIRE(last);
    CHECK(count(*last) == 1);
    REQUIRE(last->scopes().size() == 1);
    CHECK(last->scopes()[0].name == "seen");
    CHECK(moved.try_finish().error().code == errc::invalid_state);
    CHECK(moved.scope_path(1) == "seen"); // what was recorded stays known
    CHECK(cupti.kinds().empty());
}

TEST_CASE("another tool that takes CUPTI's buffer callbacks ends the records, and nothing else") {
    paper_activity cupti;
    static std::size_t handed = 0;
    {
        auto trace = *kernel_tracer::try_begin(cupti.machine, kernels, two_small_buffers());
        cupti.launch();
        cupti.register_other(
            [](std::uint8_t** bytes, std::size_t* size, std::size_t* most) {
                *bytes = nullptr;
                *size = *most = 0;
            },
            [](abi::CUcontext, std::uint32_t, std::uint8_t*, std::size_t, std::size_t) { ++handed; });
        for (int i = 0; i < 9; ++i) cupti.launch();
        auto const batch = *trace.try_flush();
        CHECK(count(batch) == 0);
        CHECK(batch.losses().dropped == 6); // of 10, 4 lie in the buffer that the other tool got
    }
    CHECK(handed == 1);
    auto next = *kernel_tracer::try_begin(cupti.machine, kernels); // takes them back
    cupti.launch();
    CHECK(kernels_flushed(next) == 1);
}

} // namespace tracer_test
