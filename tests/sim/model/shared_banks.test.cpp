// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Wavefronts of shared memory, against the words of each bank, counted one by one.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <random>
#include <set>

#include <doctest/doctest.h>

#include "sim/model/shared_banks.hpp"

namespace shared_banks_test {

using namespace gpuprof::sim;
using lane_addresses = std::array<std::uint64_t, warp_size>;

namespace {

// The most words that a bank is asked for: each once, or for each lane.
unsigned most_words(memory_access const& access, lane_mask lanes, bool exclusive) {
    std::array<std::multiset<std::uint64_t>, shared_banks> banks;
    for (unsigned lane = 0; lane < warp_size; ++lane)
        for (unsigned w = 0; w < (access.bytes + 3) / 4 && (lanes >> lane & 1) != 0; ++w) {
            std::uint64_t const word = access.address[lane] / 4 + w;
            auto& bank = banks[word % shared_banks];
            if (exclusive || bank.count(word) == 0) bank.insert(word);
        }
    std::size_t most = 0;
    for (auto const& bank : banks) most = std::max(most, bank.size());
    return static_cast<unsigned>(most);
}

} // namespace

TEST_CASE("a phase takes as many wavefronts as its busiest bank has words") {
    std::mt19937_64 random{7};
    auto const below = [&](std::uint64_t n) { return random() % n; };
    constexpr std::array<std::uint32_t, 6> sizes{1, 2, 4, 8, 12, 16};
    unsigned several = 0, wrong = 0;
    for (unsigned round = 0; round < 20'000; ++round) {
        memory_access access{};
        access.bytes = sizes[below(sizes.size())];
        std::uint64_t const aligned = access.bytes == 12 ? 4 : access.bytes;
        std::uint64_t const first = below(1024), stride = below(40), row = 1 + below(32), pitch = below(80);
        bool const is_scattered = below(4) == 0;
        lane_addresses address{};
        for (std::uint64_t lane = 0; lane < warp_size; ++lane)
            address[lane] = aligned * (is_scattered ? below(2048) : first + lane / row * pitch + lane % row * stride);
        if (below(50) == 0) address[below(warp_size)] += 4; // not aligned
        access.address = address.data();
        unsigned const lanes = access.bytes <= 4 ? 32 : access.bytes <= 8 ? 16 : 8;
        lane_mask mask = lanes == 32 ? all_lanes : (lane_mask{1} << lanes) - 1;
        mask <<= lanes * below(warp_size / lanes);
        if (below(3) == 0) mask &= static_cast<lane_mask>(random());
        bool const exclusive = below(4) == 0;
        unsigned const expected = most_words(access, mask, exclusive);
        several += expected > 1 ? 1 : 0;
        wrong += detail::bank_wavefronts(access, mask, exclusive) != expected ? 1 : 0;
    }
    CHECK(wrong == 0);
    CHECK(several > 5'000);
}

TEST_CASE("lanes side by side take 128 bytes a wavefront wherever they begin") {
    for (std::uint32_t const bytes : {4u, 8u, 16u})
        for (std::uint64_t first = 0; first < 4096; first += bytes) {
            lane_addresses address{};
            for (unsigned lane = 0; lane < warp_size; ++lane) address[lane] = first + std::uint64_t{lane} * bytes;
            for (auto const what : {memory_operation::load, memory_operation::store}) {
                memory_access access{};
                access.operation = what;
                access.bytes = bytes;
                access.active = all_lanes;
                access.address = address.data();
                for (auto const pattern : {address_pattern::side_by_side, address_pattern::any}) {
                    access.pattern = pattern;
                    CHECK(shared_wavefronts(access).wavefronts == bytes / 4);
                    CHECK(shared_wavefronts(access).conflicts == 0);
                }
            }
        }
}

} // namespace shared_banks_test
