// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the times of samples tell of samples that are missing.
#include <gpuprof/sample/sampling_losses.hpp>

#include <doctest/doctest.h>

namespace sampling_losses_test {

using gpuprof::sampling_interval;
using gpuprof::sampling_losses;
using gpuprof::detail::sample_sequence;

TEST_CASE("the first sample after a start is none, and an H200's gaps of a nanosecond are no loss") {
    sample_sequence sequence{sampling_interval::nanoseconds(100'000)};
    sampling_losses lost;
    CHECK(!sequence.accept(1'000, 657'840'799, lost)); // as h200: what was before the start
    for (std::uint64_t i = 0; i < 5; ++i)
        CHECK(sequence.accept(657'840'800 + i * 100'000, 657'840'800 + i * 100'000 + 99'999, lost));
    CHECK(lost.complete());
    sequence.start();
    CHECK(!sequence.accept(700'000'000, 700'100'000, lost));
    CHECK(lost.complete());
}

TEST_CASE("a gap is dropped samples, a long sample is merged ones") {
    sample_sequence sequence{sampling_interval::nanoseconds(100)};
    sampling_losses lost;
    static_cast<void>(sequence.accept(0, 100, lost));
    CHECK(sequence.accept(100, 200, lost));
    CHECK(sequence.accept(500, 600, lost));  // 200 to 500: three
    CHECK(sequence.accept(600, 1000, lost)); // four in one
    CHECK(lost == sampling_losses{.overflows = 0, .dropped = 3, .merged = 3, .over_room = 0});
}

TEST_CASE("with intervals of cycles the first whole sample says how long one is") {
    sample_sequence sequence{sampling_interval::cycles(1000)};
    sampling_losses lost;
    static_cast<void>(sequence.accept(0, 40, lost));
    CHECK(sequence.accept(40, 665, lost));
    CHECK(sequence.expected() == 625);
    CHECK(sequence.accept(665, 665 + 1250, lost));
    CHECK(lost.merged == 1);
}

} // namespace sampling_losses_test
