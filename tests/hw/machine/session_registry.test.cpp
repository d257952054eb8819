// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// hw/machine/session_registry.hpp: a context has one session, for as long as something holds its lease.
#include <gpuprof/hw/machine/session_registry.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <optional>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include "support/system.hpp"

#include "support/sanitized.hpp"

namespace session_registry_test {

namespace abi = gpuprof::abi;
namespace hw = gpuprof::hw;
using gpuprof::errc;

static_assert(!std::is_copy_constructible_v<hw::session_lease> && !std::is_move_assignable_v<hw::session_lease>);

// Contexts are told apart by their address alone.
static char places[3];
static abi::CUcontext const first = reinterpret_cast<abi::CUcontext>(&places[0]);
static abi::CUcontext const second = reinterpret_cast<abi::CUcontext>(&places[1]);

TEST_CASE("a context is busy while its lease lives, wherever that was moved to, and free afterwards") {
    std::optional<hw::session_lease> held;
    {
        auto lease = hw::session_lease::try_take(first);
        REQUIRE(lease);
        CHECK(lease->context() == first);
        auto const again = hw::session_lease::try_take(first);
        REQUIRE_FALSE(again);
        CHECK(again.error().code == errc::busy);
        CHECK(hw::session_lease::try_take(second)); // and given back
        held.emplace(*std::move(lease));
    }
    CHECK_FALSE(hw::session_lease::try_take(first));
    held.reset();
    CHECK(hw::session_lease::try_take(first));
    CHECK(hw::session_lease::try_take(second));
}

TEST_CASE("no context is not one that could be held") {
    auto const none = hw::session_lease::try_take(nullptr);
    REQUIRE_FALSE(none);
    CHECK(none.error().code == errc::invalid_argument);
}

TEST_CASE("of threads that want one context at once, one has it") {
    int inside = 0;
    int most = 0;
    std::vector<std::jthread> threads;
    for (int i = 0; i < 4; ++i)
        threads.emplace_back([&] {
            for (int n = 0; n < 20'000; ++n)
                if (auto const lease = hw::session_lease::try_take(first)) {
                    most = std::max(most, ++inside); // a race where two have it
                    --inside;
                }
        });
    threads.clear();
    CHECK(most == 1);
    CHECK(inside == 0);
}

#if !defined(_WIN32)
TEST_CASE("a process that forks while another thread takes and gives contexts leaves its child a registry that works") {
    if (thread_sanitized) {
        MESSAGE("skipped: the thread sanitizer does not let a child of several threads go on");
        return;
    }
    REQUIRE(hw::session_lease::try_take(first)); // a fork in the middle of a process's first one is another matter
    std::atomic<bool> done = false;
    std::jthread const other{[&done] {
        while (!done) static_cast<void>(hw::session_lease::try_take(first));
    }};
    int answered = 0;
    for (int i = 0; i < 500; ++i) {
        pid_t const child = fork();
        REQUIRE(child >= 0);
        if (child == 0) {
            ::alarm(5); // ends a child that waits for the other thread, which it does not have
            _exit(hw::session_lease::try_take(second) ? 0 : 1);
        }
        int status = -1;
        REQUIRE(waitpid(child, &status, 0) == child);
        if (status != 0) break;
        ++answered;
    }
    done = true;
    CHECK(answered == 500);
}
#endif

} // namespace session_registry_test
