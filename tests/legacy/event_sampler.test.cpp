// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Samples on a device of paper, whose counts can be worked out by hand; those on embedded chips are in events.test.cpp.
#include <gpuprof/sample/event_sampler.hpp>

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "support/paper_event_gpu.hpp"

namespace event_sampler_test {

TEST_CASE("event_sampler: what CUPTI hands over late is in the two samples after the work") {
    test::paper_machine machine;
    test::paper.late_by = 2;
    auto const gpu = machine.open();
    std::vector<std::string> const names{"active_cycles"};
    auto sampler = gpuprof::event_sampler::try_open(gpu, names);
    REQUIRE(sampler);
    gpuprof::event_sample sample;
    double sum = 0;
    for (std::uint64_t const work : {1u, 2u, 3u}) {
        test::paper_launch(work);
        REQUIRE(sampler->try_sample(sample));
        sum += sample.counts[0];
    }
    CHECK(sum == 1 * 10 * 4);
    for (int i = 0; i < 2; ++i) {
        REQUIRE(sampler->try_sample(sample));
        sum += sample.counts[0];
    }
    CHECK(sum == (1 + 2 + 3) * 10 * 4);
}

} // namespace event_sampler_test
