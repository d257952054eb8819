// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Words of constant memory by lane, by hand.
#include <doctest/doctest.h>

#include <array>
#include <cstdint>

#include "sim/model/constant_words.hpp"

namespace constant_words_test {

using namespace gpuprof::sim;

TEST_CASE("lanes that load different constants load so many words") {
    std::array<std::uint64_t, warp_size> address{};
    memory_access access;
    access.space = ptx::space::constant;
    access.address = address.data();
    access.bytes = 4;
    auto const further = [&](lane_mask active, unsigned different, unsigned apart) {
        for (unsigned i = 0; i < warp_size; ++i) address[i] = 0x1'0000'0000 + i % different * apart;
        access.active = active;
        return further_constant_words(access);
    };
    CHECK(further(all_lanes, 1, 4) == 0);
    CHECK(further(all_lanes, 32, 4) == 31);
    CHECK(further(all_lanes, 32, 64) == 31); // 2 KiB
    CHECK(further(all_lanes, 4, 64) == 3);
    CHECK(further(all_lanes, 32, 1) == 7); // bytes of eight words
    CHECK(further(0xff, 32, 4) == 7);
    CHECK(further(0x10, 32, 4) == 0);
    CHECK(further(0, 32, 4) == 0);
    access.pattern = address_pattern::same;
    CHECK(further(all_lanes, 32, 4) == 0);
}

} // namespace constant_words_test
