// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A thread that consumes records: nothing is lost that is not counted, however slow it is.
#include <gpuprof/trace/consumer.hpp>

#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>

#include <gpuprof/scope.hpp>

#include "support/fault_injection.hpp"
#include "support/paper_activity.hpp"
#include "support/sanitized.hpp"

namespace consumer_test {

namespace activity = gpuprof::activity;
namespace abi = gpuprof::abi;
using gpuprof::scope;
using gpuprof::tracer_options;
using test::paper_activity;

namespace {

constexpr auto kernels = activity::kinds<activity::kernel>;
using kernel_tracer = gpuprof::tracer<activity::kind_list<activity::kernel>>;

template <class F>
auto begin_consumer(kernel_tracer& trace, F f) {
    return *gpuprof::trace_consumer<activity::kind_list<activity::kernel>, F>::try_begin(trace, std::move(f));
}

tracer_options buffers(std::size_t count, std::size_t bytes) {
    tracer_options options;
    options.buffers = count;
    options.buffer_bytes = bytes;
    return options;
}

} // namespace

TEST_CASE("a consumer sees all that was recorded, and its end what was left") {
    paper_activity cupti;
    auto trace = *kernel_tracer::try_begin(cupti.machine, kernels, buffers(64, 4096));
    std::size_t seen = 0, scopes = 0;
    auto consume = begin_consumer(trace, [&](kernel_tracer::batch const& batch) {
        batch.visit([&](activity::kernel const&) { ++seen; });
        scopes += batch.scopes().size();
    });
    for (int i = 0; i < 100; ++i) {
        scope const step{trace, "step"};
        cupti.launch();
    }
    REQUIRE(consume.try_end());
    CHECK(seen == 100);
    CHECK(scopes == 100);
    CHECK(trace.lost().complete());
    CHECK(consume.try_end()); // once more does nothing
}

TEST_CASE("a million launches with a slow consumer: memory is bounded, and what is lost is exactly what is reported") {
    std::size_t const launches = sanitized ? 50'000 : 1'000'000;
    paper_activity cupti;
    auto trace = *kernel_tracer::try_begin(cupti.machine, kernels, buffers(4, 4096)); // 18 kernels each: 72 at a time
    std::size_t seen = 0, told = 0, most = 0;
    auto consume = begin_consumer(trace, [&](kernel_tracer::batch const& batch) {
        batch.visit([&](activity::kernel const&) { ++seen; });
        told += batch.losses().dropped;
        if (batch.bytes() > most) most = batch.bytes();
        std::this_thread::sleep_for(std::chrono::microseconds{200});
    });
    for (std::size_t i = 0; i < launches; ++i) cupti.launch();
    REQUIRE(consume.try_end());
    CHECK(cupti.made() == launches);
    CHECK(seen + told == launches);
    CHECK(told > 0);
    CHECK(trace.lost().dropped == told);
    CHECK(most <= 4 * 4096);
    MESSAGE(seen << " seen, " << told << " lost and reported");
}

TEST_CASE("many scopes wake a consumer although no buffer is full") {
    paper_activity cupti;
    tracer_options options;
    options.scopes_per_thread = 64;
    auto trace = *kernel_tracer::try_begin(cupti.machine, kernels, options);
    std::atomic<std::size_t> scopes{0};
    auto consume = begin_consumer(trace, [&](kernel_tracer::batch const& batch) { scopes += batch.scopes().size(); });
    // Half of the room, again and again. The consumer's first look, when it begins, may take some of the first half, which then needs
    // more to be one.
    std::size_t opened = 0;
    while (scopes.load() < 20 * 32) {
        if (opened - scopes.load() < 32) {
            scope const step{trace, "step"};
            ++opened;
        } else {
            std::this_thread::yield();
        }
    }
    REQUIRE(consume.try_end());
    CHECK(scopes == opened);
    CHECK(trace.lost().complete());
}

TEST_CASE("a consumer of a tracer that has ended is refused, and one may be moved") {
    paper_activity cupti;
    auto trace = *kernel_tracer::try_begin(cupti.machine, kernels);
    std::size_t seen = 0;
    {
        auto first = begin_consumer(
            trace, [&](kernel_tracer::batch const& batch) { batch.visit([&](auto const&) { ++seen; }); });
        auto second = std::move(first);
        cupti.launch();
        CHECK(first.try_end().error().code == gpuprof::errc::invalid_state);
    } // ends without being asked
    CHECK(seen == 1);
    REQUIRE(trace.try_finish());
    auto const nothing = [](kernel_tracer::batch const&) {};
    auto const refused =
        gpuprof::trace_consumer<activity::kind_list<activity::kernel>, decltype(nothing)>::try_begin(trace, nothing);
    CHECK(refused.error().code == gpuprof::errc::invalid_state);
}

TEST_CASE("a flush that fails is told at the end of a consumer") {
    paper_activity cupti;
    test::fault_injection faults{cupti.machine.cupti};
    auto trace = *kernel_tracer::try_begin(cupti.machine, kernels);
    auto consume = begin_consumer(trace, [](kernel_tracer::batch const&) {});
    faults.fail_always("cuptiActivityFlushAll", abi::CUPTI_ERROR_INVALID_OPERATION);
    auto const ended = consume.try_end();
    REQUIRE_FALSE(ended);
    CHECK(ended.error().status == abi::CUPTI_ERROR_INVALID_OPERATION);
    faults.clear();
}

#if GPUPROF_EXCEPTIONS
TEST_CASE(
    "an exception of the function ends its consumer, is told at the end, and leaves later records to the tracer") {
    paper_activity cupti;
    auto trace = *kernel_tracer::try_begin(cupti.machine, kernels);
    std::atomic<int> calls{0};
    gpuprof::trace_consumer consume{trace, [&](auto const&) {
                                        ++calls;
                                        throw std::runtime_error{"the disk is full"};
                                    }};
    cupti.launch();
    REQUIRE(cupti.machine.cupti.ActivityFlushAll(0) == abi::CUPTI_SUCCESS);
    while (calls == 0) std::this_thread::yield();
    cupti.launch();
    cupti.launch();
    auto const ended = consume.try_end();
    REQUIRE_FALSE(ended);
    CHECK(ended.error().code == gpuprof::errc::not_collected);
    CHECK(ended.error().message().find("the disk is full") != std::string::npos);
    CHECK(calls == 1);
    std::size_t seen = 0;
    trace.flush().visit([&](activity::kernel const&) { ++seen; });
    CHECK(seen == 2);
}

TEST_CASE("a consumer cannot be ended by its own function") {
    paper_activity cupti;
    auto trace = *kernel_tracer::try_begin(cupti.machine, kernels);
    struct ender {
        std::atomic<gpuprof::errc>* told;
        void* consumer;
        void operator()(kernel_tracer::batch const&) const {
            auto& self = *static_cast<gpuprof::trace_consumer<activity::kind_list<activity::kernel>, ender>*>(consumer);
            *told = self.try_end().error().code;
        }
    };
    using consumer = gpuprof::trace_consumer<activity::kind_list<activity::kernel>, ender>;
    std::atomic<gpuprof::errc> told{gpuprof::errc::internal};
    alignas(consumer) unsigned char room[sizeof(consumer)];
    auto* const made = new (room) consumer{trace, ender{&told, room}};
    cupti.launch();
    CHECK(made->try_end());
    CHECK(told == gpuprof::errc::invalid_state);
    made->~consumer();
}
#endif

} // namespace consumer_test
