// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// hw/machine/platform/processors.hpp: the affinity is respected.
#include <gpuprof/hw/machine/platform/processors.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <thread>

#if defined(__linux__)
#include <sched.h>
#endif

namespace processors_test {

namespace platform = gpuprof::platform;

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

} // namespace processors_test
