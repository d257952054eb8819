// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// hw/machine/platform/thread.hpp: threads that live at once can be told apart, in whatever file they ask.
#include <gpuprof/hw/machine/platform/thread.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <set>
#include <thread>
#include <vector>

#include "support/meeting.hpp"

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
    gpuprof_test::meeting all_here{count};
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

} // namespace thread_test
