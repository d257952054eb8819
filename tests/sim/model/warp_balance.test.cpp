// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The slowest warp of a CTA from barrier to barrier, by hand.
#include <doctest/doctest.h>

#include "sim/model/warp_balance.hpp"

namespace warp_balance_test {

using gpuprof::sim::chain_sum;
using gpuprof::sim::warp_balance;

namespace {

void execute(warp_balance& balance, unsigned warp, unsigned instructions) {
    for (unsigned i = 0; i < instructions; ++i) balance.instruction(warp, chain_sum{1});
}

} // namespace

TEST_CASE("the slowest warp between barriers is another one each time") {
    warp_balance balance;
    execute(balance, 0, 10), balance.barrier(0);
    execute(balance, 1, 2), balance.barrier(1);
    execute(balance, 0, 3), balance.barrier(0);
    execute(balance, 1, 8), balance.barrier(1);
    execute(balance, 0, 1);
    execute(balance, 1, 4);
    balance.cta_finished(2);
    CHECK(balance.ctas().all().length == 10 + 8 + 4);
    CHECK(balance.cycles() == 10 + 2 + 3 + 8 + 1 + 4);
}

TEST_CASE("CTAs add up, and warps that took turns are told apart") {
    warp_balance balance;
    for (int cta = 0; cta < 3; ++cta) {
        for (int turn = 0; turn < 5; ++turn)
            for (unsigned warp = 0; warp < 4; ++warp) execute(balance, warp, warp + 1);
        balance.cta_finished(4);
    }
    CHECK(balance.ctas().all().length == 3 * 5 * 4);
    CHECK(balance.cycles() == 3 * 5 * (1 + 2 + 3 + 4));
    REQUIRE(balance.ctas().last().size() == 1); // all alike
    CHECK(balance.ctas().last()[0].ctas == 3);
    CHECK(balance.ctas().last()[0].work.length == 5 * 4);
    CHECK(balance.ctas().last()[0].work.resident == 5 * (1 + 2 + 3 + 4)); // each warp until it ends
}

TEST_CASE("warps are there while they wait at a barrier, and CTAs that differ are told apart") {
    warp_balance balance;
    execute(balance, 0, 10), balance.barrier(0);
    execute(balance, 1, 2), balance.barrier(1);
    execute(balance, 0, 1);
    execute(balance, 1, 4);
    balance.cta_finished(2);
    execute(balance, 0, 7);
    balance.cta_finished(2);
    REQUIRE(balance.ctas().last().size() == 2);
    CHECK(balance.ctas().last()[0].work.length == 10 + 4);
    CHECK(balance.ctas().last()[0].work.resident == 2 * 10 + 1 + 4);
    CHECK(balance.ctas().last()[1].work.length == 7);
    CHECK(balance.ctas().last()[1].work.resident == 7);
}

TEST_CASE("waits for global memory are those of the slowest warp, in quarters") {
    warp_balance balance;
    balance.instruction(0, chain_sum{100, 4}); // one wait
    balance.instruction(0, chain_sum{20, 1});  // a round of four that wait together
    balance.instruction(1, chain_sum{300});
    balance.barrier(0);
    balance.barrier(1);
    balance.instruction(0, chain_sum{500, 8});
    balance.instruction(1, chain_sum{40, 12}); // waits more often, and is there first
    balance.cta_finished(2);
    CHECK(balance.ctas().all().length == 300 + 500);
    CHECK(balance.ctas().all().waits == 0 + 8);
    CHECK(balance.cycles() == 100 + 20 + 300 + 500 + 40);
    CHECK(balance.quarter_waits() == 4 + 1 + 8 + 12);
}

} // namespace warp_balance_test
