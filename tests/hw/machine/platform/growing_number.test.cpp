// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// hw/machine/platform/growing_number.hpp: who waits for more sees all that was there before it grew.
#include <gpuprof/hw/machine/platform/growing_number.hpp>

#include <doctest/doctest.h>

#include <thread>

namespace growing_number_test {

namespace platform = gpuprof::platform;

TEST_CASE("two threads answer each other by numbers that grow, and neither sleeps on") {
    constexpr std::uint32_t rounds = 5'000;
    platform::growing_number asked, answered;
    std::uint32_t question = 0, answer = 0;
    std::jthread const other{[&] {
        for (std::uint32_t n = 0; n < rounds; ++n) {
            asked.wait(n);
            answer = question + 1;
            answered.grow();
        }
    }};
    std::uint32_t right = 0;
    for (std::uint32_t n = 0; n < rounds; ++n) {
        question = 2 * n;
        asked.grow();
        answered.wait(n);
        right += answer == 2 * n + 1;
    }
    CHECK(right == rounds);
    asked.wait(0); // it is another number already
    CHECK(asked.now() == rounds);
}

} // namespace growing_number_test
