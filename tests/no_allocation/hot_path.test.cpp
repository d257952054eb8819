// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Nothing that runs once a scope allocates after set-up. A program of its own: it replaces operator new.
#include <gpuprof/detail/config.hpp>

#if GPUPROF_EXCEPTIONS // written with the throwing spellings, which do not exist without them

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <gpuprof/measure/range_log.hpp>
#include <gpuprof/scope.hpp>
#include <gpuprof/measure/timeline.hpp>

#include "support/scarce_memory.hpp"

#if defined(__SANITIZE_THREAD__)
#define REPLACES_NEW 0
#elif defined(__has_feature)
#define REPLACES_NEW !__has_feature(thread_sanitizer)
#else
#define REPLACES_NEW 1
#endif

#if !REPLACES_NEW

TEST_CASE("nothing on the hot path allocates") { MESSAGE("skipped: the thread sanitizer brings its own operator new"); }

#else

namespace {

thread_local std::size_t allocations = 0;

void* allocate(std::size_t size) noexcept {
    ++allocations;
    if (test::allocations_left == 0) return nullptr;
    if (test::allocations_left != test::plenty) --test::allocations_left;
    return std::malloc(size == 0 ? 1 : size);
}
void* allocate_or_throw(std::size_t size) {
    if (void* const made = allocate(size)) return made;
    throw std::bad_alloc{};
}

// How often `body` allocates on this thread.
template <class F>
std::size_t allocations_of(F body) {
    std::size_t const before = allocations;
    body();
    return allocations - before;
}

} // namespace

void* operator new(std::size_t size) { return allocate_or_throw(size); }
void* operator new[](std::size_t size) { return allocate_or_throw(size); }
void* operator new(std::size_t size, std::nothrow_t const&) noexcept { return allocate(size); }
void* operator new[](std::size_t size, std::nothrow_t const&) noexcept { return allocate(size); }
void operator delete(void* block) noexcept { std::free(block); }
void operator delete[](void* block) noexcept { std::free(block); }
void operator delete(void* block, std::size_t) noexcept { std::free(block); }
void operator delete[](void* block, std::size_t) noexcept { std::free(block); }
void operator delete(void* block, std::nothrow_t const&) noexcept { std::free(block); }
void operator delete[](void* block, std::nothrow_t const&) noexcept { std::free(block); }

namespace hot_path_test {

using gpuprof::scope;
using gpuprof::timeline;
using gpuprof::detail::range_log;

TEST_CASE("the counter of this program sees allocations") {
    CHECK(allocations_of([] { static_cast<void>(std::string(1'000, 'x')); }) == 1);
    CHECK(allocations_of([] { static_cast<void>(std::vector<int>(1'000)); }) == 1);
    timeline all;
    CHECK(allocations_of([&] {
              scope const first{all, "first"};
          }) == 2); // a thread's first scope: its header and buffer
}

TEST_CASE("an idle scope allocates nothing, whatever its name") {
    timeline all;
    all.stop();
    std::string const text(1'000, 'x');
    CHECK(allocations_of([&] {
              for (int i = 0; i < 100; ++i) {
                  scope const literal{all, "literal"};
                  scope const string{all, text};
                  scope const c_string{all, text.c_str()};
              }
          }) == 0);
}

TEST_CASE("a recording scope allocates nothing once its thread is attached") {
    timeline all{1'000};
    REQUIRE(all.attach_thread());
    std::string const text(1'000, 'x');
    CHECK(allocations_of([&] {
              for (int i = 0; i < 1'000; ++i) { // twice the room: also while dropping
                  scope const literal{all, "literal"};
                  scope const string{all, text};
              }
          }) == 0);
    CHECK(all.size() == 1'000);
    CHECK(all.dropped() == 1'000);
}

TEST_CASE("alternating between timelines allocates nothing once the thread is attached to both") {
    timeline first;
    timeline second;
    REQUIRE(first.attach_thread());
    REQUIRE(second.attach_thread());
    CHECK(allocations_of([&] {
              for (int i = 0; i < 1'000; ++i) {
                  scope const a{first, "a"};
                  scope const b{second, "b"};
              }
          }) == 0);
    CHECK(first.size() == 1'000);
    CHECK(second.size() == 1'000);
}

TEST_CASE("another thread attaches for itself") {
    timeline all;
    std::size_t counted = 1;
    std::thread{[&] {
        bool const attached = all.attach_thread();
        counted = allocations_of([&] {
            for (int i = 0; i < 100; ++i) scope const step{all, "step"};
        });
        CHECK(attached);
    }}.join();
    CHECK(counted == 0);
    CHECK(all.size() == 100);
}

TEST_CASE("ranges within a declared budget allocate nothing, in every replay pass") {
    constexpr std::size_t ranges = 1'000;
    range_log log;
    log.reset(ranges, 2, false);
    std::size_t pushed = 0;
    CHECK(allocations_of([&] {
              for (int replay_pass = 0; replay_pass < 3; ++replay_pass) {
                  log.begin_replay_pass();
                  for (std::size_t i = 0; i < ranges / 2; ++i) {
                      auto const frame = log.open("a frame with a name of thirty-two"); // and a range inside it
                      auto const step = log.open("step");
                      pushed += frame.push + step.push;
                      static_cast<void>(log.close(step.ticket));
                      static_cast<void>(log.close(frame.ticket));
                  }
                  static_cast<void>(log.end_replay_pass());
              }
          }) == 0);
    CHECK(pushed == 3 * ranges);
    CHECK(log.lost().differing == 0);
}

TEST_CASE("distinct names within a declared budget allocate nothing, however many") {
    constexpr std::size_t ranges = 5'000;
    std::vector<std::string> names;
    for (std::size_t i = 0; i < ranges; ++i) names.push_back("step " + std::to_string(i));
    range_log log;
    log.reset(ranges, 1, false);
    CHECK(allocations_of([&] {
              for (int replay_pass = 0; replay_pass < 2; ++replay_pass) {
                  log.begin_replay_pass();
                  for (std::string const& name : names) static_cast<void>(log.close(log.open(name).ticket));
                  static_cast<void>(log.end_replay_pass());
              }
          }) == 0);
    CHECK(log.nodes().size() == ranges);
}

TEST_CASE("deep nesting within a declared budget allocates nothing") {
    constexpr std::size_t depth = 500;
    range_log log;
    log.reset(depth, depth, false);
    std::vector<std::uint64_t> tickets(depth);
    CHECK(allocations_of([&] {
              log.begin_replay_pass();
              for (auto& ticket : tickets) ticket = log.open("level").ticket;
              for (std::size_t i = depth; i-- > 0;) static_cast<void>(log.close(tickets[i]));
              static_cast<void>(log.end_replay_pass());
          }) == 0);
    CHECK(log.depth() == depth);
}

TEST_CASE("repetitions of merged ranges within a declared budget allocate nothing") {
    range_log log;
    log.reset(10'000, 1, true);
    CHECK(allocations_of([&] {
              log.begin_replay_pass();
              for (int i = 0; i < 10'000; ++i) static_cast<void>(log.close(log.open("step").ticket));
              static_cast<void>(log.end_replay_pass());
          }) == 0);
    CHECK(log.instances().size() == 10'000);
    CHECK(log.nodes().size() == 1);
}

} // namespace hot_path_test

#endif // REPLACES_NEW

#endif
