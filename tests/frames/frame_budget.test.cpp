// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gpuprof/frames/frame_budget.hpp>

#include <doctest/doctest.h>

#include <cstdint>

namespace frame_budget_test {

using gpuprof::budget_state;
using gpuprof::detail::frame_budget;

namespace {
// Frames that take `fixed` without a read and `read` for one; how many frames read.
unsigned run(frame_budget& budget, unsigned frames, std::uint64_t fixed, std::uint64_t read) {
    unsigned reads = 0;
    for (unsigned i = 0; i < frames; ++i) {
        bool const reads_now = budget.may_read(fixed);
        if (reads_now) {
            budget.read_took(read);
            ++reads;
        }
        budget.frame_took(fixed + (reads_now ? read : 0), fixed);
    }
    return reads;
}
} // namespace

TEST_CASE("frame_budget: a read that fits is made in each frame, and no frame is over") {
    frame_budget budget{50'000};
    CHECK(run(budget, 600, 10'000, 40'000) == 600);
    CHECK(budget.state() == budget_state::kept);
    CHECK(budget.frames_over() == 0);
    CHECK(budget.worst() == 50'000);
    CHECK(budget.mean_cost() == 50'000);
}

TEST_CASE("frame_budget: a read that takes more than a frame has is made less often, and the mean keeps the budget") {
    frame_budget budget{50'000};
    unsigned const reads = run(budget, 600, 10'000, 100'000); // 40 us saved a frame: one read in 2.5 frames
    CHECK(budget.state() == budget_state::averaged);
    CHECK(budget.mean_cost() <= 50'000 + 60'000 / 600.0); // the first read is made before its cost is known
    CHECK(reads >= 239);
    CHECK(reads <= 241);
    CHECK(budget.frames_over() == reads);
}

TEST_CASE("frame_budget: what would take 64 frames' budgets is read no more, after a second try") {
    frame_budget budget{50'000};
    CHECK(run(budget, 2000, 10'000, 10'000'000) == 2);
    CHECK(budget.state() == budget_state::dropped);
}

TEST_CASE("frame_budget: a first read that is slow for once is no reason to stop") {
    frame_budget budget{50'000};
    CHECK(run(budget, 1, 10'000, 10'000'000) == 1);
    CHECK(run(budget, 600, 10'000, 30'000) >= 500);
    CHECK(budget.state() == budget_state::kept);
}

TEST_CASE("frame_budget: frames that take too much without counters say so, and counters are not read") {
    frame_budget budget{50'000};
    unsigned const reads = run(budget, 600, 60'000, 10'000);
    CHECK(reads <= 1);
    CHECK(budget.state() == budget_state::exceeded);
    CHECK(budget.frames_over() == 600);
}

TEST_CASE("frame_budget: without a budget everything is read") {
    frame_budget budget{0};
    CHECK(run(budget, 100, 1'000'000, 1'000'000'000) == 100);
    CHECK(budget.state() == budget_state::none);
    CHECK(budget.frames_over() == 0);
}

} // namespace frame_budget_test
