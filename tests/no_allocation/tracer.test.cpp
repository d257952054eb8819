// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a tracer does in the threads of the program allocates nothing, and where memory ends the program goes on. Needs
// hot_path.test.cpp's operator new.
#include <gpuprof/detail/config.hpp>

#if defined(__SANITIZE_THREAD__)
#define REPLACES_NEW 0
#elif defined(__has_feature)
#define REPLACES_NEW !__has_feature(thread_sanitizer)
#else
#define REPLACES_NEW 1
#endif

#if GPUPROF_EXCEPTIONS && REPLACES_NEW

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <thread>

#include <gpuprof/scope.hpp>
#include <gpuprof/trace/tracer.hpp>

#include "support/paper_activity.hpp"
#include "support/scarce_memory.hpp"

namespace tracer_test {

namespace activity = gpuprof::activity;
namespace abi = gpuprof::abi;
using gpuprof::scope;
using test::paper_activity;

namespace {

constexpr auto kernels = activity::kinds<activity::kernel>;
using kernel_tracer = gpuprof::tracer<activity::kind_list<activity::kernel>>;

// How often `body` allocates on this thread.
template <class F>
std::size_t allocations_of(F body) {
    test::scarce_memory const counted{1'000'000};
    body();
    return 1'000'000 - test::allocations_left;
}

} // namespace

TEST_CASE("a scope of a tracer allocates nothing after the first of its name and its thread") {
    paper_activity cupti;
    kernel_tracer trace{cupti.machine, kernels};
    auto const frame = [&] {
        scope const outer{trace, "a frame with a name that is long enough for memory of its own"};
        for (int i = 0; i < 3; ++i)
            scope const inner{trace, "a step with a name that is long enough for memory of its own"};
    };
    CHECK(allocations_of(frame) > 0);
    CHECK(allocations_of([&] {
              for (int i = 0; i < 10'000; ++i) frame(); // 40,000 scopes, of which 8,192 have room
          }) == 0);
    auto const batch = trace.flush();
    CHECK(batch.scopes().size() == 8'192);
    CHECK(batch.losses().scopes_dropped == 40'004 - 8'192);
    std::size_t other = 1;
    std::thread{[&] {
        frame();
        other = allocations_of(frame);
    }}.join();
    CHECK(other == 0);
}

TEST_CASE("the callbacks by which CUPTI gets buffers and hands them back allocate nothing") {
    paper_activity cupti;
    kernel_tracer trace{cupti.machine, kernels};
    auto const calls = cupti.callbacks();
    for (int round = 0; round < 3; ++round) {
        std::size_t lent = 0;
        CHECK(allocations_of([&] {
                  for (int i = 0; i < 100; ++i) { // 32 are kept; the records of the others are counted as lost
                      std::uint8_t* bytes = nullptr;
                      std::size_t size = 0, most = 0;
                      calls.first(&bytes, &size, &most);
                      if (bytes == nullptr) continue;
                      ++lent;
                      calls.second(nullptr, 0, bytes, size, 8);
                  }
              }) == 0);
        CHECK(lent == 100);
        auto const batch = trace.take();
        CHECK(batch.bytes() == 32 * 8);
    }
}

TEST_CASE("taking buffers allocates nothing once a batch before has given its own back") {
    paper_activity cupti;
    kernel_tracer trace{cupti.machine, kernels};
    std::size_t seen = 0;
    for (int round = 0; round < 4; ++round) {
        for (int i = 0; i < 1'000; ++i) cupti.launch();
        CAPTURE(round);
        CHECK(allocations_of([&] { trace.flush().visit([&](activity::kernel const&) { ++seen; }); }) == 0);
    }
    CHECK(seen == 4'000);
    auto const kept = trace.flush(); // takes the list: the next one needs its own
    cupti.launch();
    CHECK(allocations_of([&] { trace.flush().visit([&](activity::kernel const&) { ++seen; }); }) == 1);
    CHECK(seen == 4'001);
}

TEST_CASE("visiting allocates nothing for a record") {
    paper_activity cupti;
    kernel_tracer trace{cupti.machine, kernels};
    for (int i = 0; i < 1'000; ++i) cupti.launch();
    auto const batch = trace.flush();
    std::size_t seen = 0;
    CHECK(allocations_of([&] {
              batch.visit([&](activity::kernel const&) { ++seen; });
              for ([[maybe_unused]] auto const& record : batch) ++seen;
          }) == 0);
    CHECK(seen == 2'000);
}

TEST_CASE("whichever allocation of a scope or a graph's node fails, the program goes on and what is lost is counted") {
    paper_activity cupti;
    bool is_short = true;
    for (std::size_t memory = 0; is_short; ++memory) {
        CAPTURE(memory);
        kernel_tracer trace{cupti.machine, kernels};
        std::thread{[&] { // whose first scope it is
            test::scarce_memory const scarce{memory};
            {
                scope const outer{trace, "a scope with a name that is long enough for memory of its own"};
                cupti.make_node(1);
                cupti.clone_node(2, 1);
                cupti.destroy_node(1);
                scope const inner{trace, "another one with a name that is long enough for memory of its own"};
            }
            is_short = test::scarce_memory::ran_out();
        }}
            .join();
        auto const batch = trace.flush();
        CHECK(batch.scopes().size() + batch.losses().scopes_dropped == 2);
        if (!is_short) CHECK(batch.scopes().size() == 2);
        REQUIRE(memory < 200);
    }
}

} // namespace tracer_test

#endif
