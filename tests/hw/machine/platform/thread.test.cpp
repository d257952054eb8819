// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// hw/machine/platform/thread.hpp: threads that live at once can be told apart, in whatever file they ask.
#include <gpuprof/hw/machine/platform/thread.hpp>

#include <doctest/doctest.h>

#include <barrier>
#include <cstddef>
#include <set>
#include <thread>
#include <vector>

#if defined(__linux__)
#include <sched.h>
#endif

namespace thread_test {

namespace platform = gpuprof::platform;

TEST_CASE("a thread keeps its identity, and it is not zero") {
    std::size_t const mine = platform::this_thread();
    CHECK(mine != 0);
    std::thread{[] { static_cast<void>(platform::this_thread()); }}.join();
    CHECK(platform::this_thread() == mine);
}

TEST_CASE("threads that live at once have different identities") {
    constexpr std::size_t count = 8;
    std::vector<std::size_t> identities(count);
    std::barrier all_here{static_cast<std::ptrdiff_t>(count)};
    {
        std::vector<std::jthread> pool;
        for (std::size_t& identity : identities)
            pool.emplace_back([&identity, &all_here] {
                identity = platform::this_thread();
                all_here.arrive_and_wait(); // nobody ends before everybody has asked
            });
    }
    std::set<std::size_t> distinct{identities.begin(), identities.end()};
    distinct.insert(platform::this_thread());
    CHECK(distinct.size() == count + 1);
}

TEST_CASE("the processors that may be used are those of the affinity") {
    CHECK(platform::usable_processors() >= 1);
#if defined(__linux__)
    std::thread{[] {
        cpu_set_t mine;
        CPU_ZERO(&mine);
        REQUIRE(::sched_getaffinity(0, sizeof mine, &mine) == 0);
        CHECK(platform::usable_processors() == static_cast<unsigned>(CPU_COUNT(&mine)));
        std::size_t first = 0;
        while (!CPU_ISSET(first, &mine)) ++first;
        CPU_ZERO(&mine);
        CPU_SET(first, &mine);
        REQUIRE(::sched_setaffinity(0, sizeof mine, &mine) == 0); // of this thread
        CHECK(platform::usable_processors() == 1);
    }}.join();
#endif
}

} // namespace thread_test
