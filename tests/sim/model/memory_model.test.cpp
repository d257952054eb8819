// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lines, banks and caches of the embedded GPU's memory model, against arithmetic.
#include <algorithm>
#include <array>
#include <cstdint>
#include <set>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "sim/chip/chips.hpp"
#include "sim/execute/lane_addresses.hpp"
#include "sim/model/access_lines.hpp"
#include "sim/model/constant_sectors.hpp"
#include "sim/model/l1_cache.hpp"
#include "sim/model/l1_traffic.hpp"
#include "sim/model/l2_cache.hpp"
#include "sim/model/shared_banks.hpp"
#include "sim/model/store_merge.hpp"
#include "sim/model/sum_turns.hpp"
#include "sim/model/warp_moment.hpp"

#include "support/sanitized.hpp"

namespace memory_model_test {

using namespace gpuprof::sim;
using enum raw_counter;

namespace {

constexpr std::uint64_t base = address_map::global_base;
constexpr std::uint64_t first_line_of_stores = base / line_bytes;

// An access whose lane i is at f(i).
struct accessed {
    std::array<std::uint64_t, warp_size> address{};
    memory_access access;

    template <class F>
    accessed(ptx::space space, memory_operation what, std::uint32_t bytes, F f, lane_mask active = all_lanes) {
        for (unsigned i = 0; i < warp_size; ++i) address[i] = static_cast<std::uint64_t>(f(std::uint64_t{i}));
        access = {space, what, false, bytes, active, address.data()};
    }
    accessed(accessed const&) = delete;
};

struct shape {
    unsigned lines;
    unsigned sectors;
    bool operator==(shape const&) const = default;
};
template <class F>
shape global_shape(std::uint32_t bytes, F f, lane_mask active = all_lanes) {
    accessed const a{ptx::space::global, memory_operation::load, bytes, f, active};
    access_lines lines;
    lines.collect(a.access);
    return {lines.size(), lines.sector_total()};
}
template <class F>
shared_cost banks(std::uint32_t bytes, F f, memory_operation what = memory_operation::load,
                  lane_mask active = all_lanes) {
    accessed const a{ptx::space::shared, what, bytes, f, active};
    return shared_wavefronts(a.access);
}

std::uint32_t random_number(std::uint32_t& state) { return state = state * 1664525u + 1013904223u; }

// The counters of some accesses on an SM of GH100 with a cache of `bytes`.
struct one_sm {
    explicit one_sm(std::size_t bytes = std::size_t{256} << 10, chip_model const& chip = gh100)
        : l2{chip}, l1{l1_cache{sectored_cache{bytes}, miss_stream{l2.sets()}}} {}
    template <class F>
    void access(ptx::space space, memory_operation what, std::uint32_t bytes, F f, lane_mask active = all_lanes) {
        accessed const a{space, what, bytes, f, active};
        l1.access(a.access, {}, address_map::local_window / line_bytes);
    }
    template <class F>
    void load(std::uint32_t bytes, F f) {
        access(ptx::space::global, memory_operation::load, bytes, f);
    }
    template <class F>
    void store(std::uint32_t bytes, F f) {
        access(ptx::space::global, memory_operation::store, bytes, f);
    }
    counter_values counts() {
        counter_values c;
        l1.add_to(c);
        l2.replay({&l1.to_l2(), 1}, c);
        return c;
    }
    l2_cache l2;
    l1_traffic l1;
};

} // namespace

TEST_CASE("coalesced accesses touch as many sectors as their bytes fill") {
    for (std::uint32_t const bytes : {1u, 2u, 4u, 8u, 16u})
        CHECK(global_shape(bytes, [=](std::uint64_t i) { return base + i * bytes; }) ==
              shape{(bytes * 32 + 127) / 128, bytes * 32 / 32});
}

TEST_CASE("an access that begins within a sector touches one more") {
    CHECK(global_shape(4, [](std::uint64_t i) { return base + 4 + i * 4; }) == shape{2, 5});
    CHECK(global_shape(4, [](std::uint64_t i) { return base + 64 + i * 4; }) == shape{2, 4});
    CHECK(global_shape(1, [](std::uint64_t i) { return base + 3 + i; }) == shape{1, 2});
}

TEST_CASE("that the pattern of an access is known changes none of its counts") {
    using enum memory_operation;
    constexpr std::size_t l1_bytes = std::size_t{256} << 10;
    unsigned compared = 0;
    for (auto const space : {ptx::space::global, ptx::space::shared, ptx::space::local})
        for (auto const what : {load, store, atomic, reduction, copy_async})
            for (std::uint32_t const bytes : {1u, 2u, 4u, 8u, 16u})
                for (std::uint64_t const step : {std::uint64_t{0}, std::uint64_t{bytes}})
                    for (bool const counts_lanes : {false, true}) {
                        if (space == ptx::space::shared && what == copy_async) continue; // two places, no pattern
                        std::uint64_t const first = (space == ptx::space::global ? base : 0) + 48;
                        one_sm known{l1_bytes, gv100}, unknown{l1_bytes, gv100}; // whose L2 is soon made
                        accessed a{space, what, bytes, [=](std::uint64_t i) { return first + i * step; }};
                        unknown.l1.access(a.access, {false, counts_lanes}, 0);
                        a.access.pattern = step == 0 ? address_pattern::same : address_pattern::side_by_side;
                        known.l1.access(a.access, {false, counts_lanes}, 0);
                        CHECK(known.counts().values == unknown.counts().values);
                        ++compared;
                    }
    CHECK(compared == (3 * 5 - 1) * 5 * 2 * 2);
}

TEST_CASE("the pattern of an access is told of whole warps alone") {
    lanes<std::uint64_t> address;
    for (std::uint64_t i = 0; i < warp_size; ++i) address[i] = base + 8 * i;
    CHECK(pattern_of(address, all_lanes, 8) == address_pattern::side_by_side);
    CHECK(pattern_of(address, all_lanes, 4) == address_pattern::any);
    CHECK(pattern_of(address, all_lanes >> 1, 8) == address_pattern::any);
    std::swap(address[7], address[8]);
    CHECK(pattern_of(address, all_lanes, 8) == address_pattern::any);
    address.fill(base);
    CHECK(pattern_of(address, all_lanes, 8) == address_pattern::same);
    address[20] += 8;
    CHECK(pattern_of(address, all_lanes, 8) == address_pattern::any);
}

TEST_CASE("a stride spreads lanes over sectors, then over lines") {
    CHECK(global_shape(4, [](std::uint64_t i) { return base + i * 8; }) == shape{2, 8});
    CHECK(global_shape(4, [](std::uint64_t i) { return base + i * 32; }) == shape{8, 32});
    CHECK(global_shape(4, [](std::uint64_t i) { return base + i * 128; }) == shape{32, 32});
    CHECK(global_shape(4, [](std::uint64_t i) { return base + (31 - i) * 128; }) == shape{32, 32});
    CHECK(global_shape(16, [](std::uint64_t i) { return base + i * 4096; }) == shape{32, 32});
}

TEST_CASE("lanes at one address and lanes that are off cost nothing more") {
    CHECK(global_shape(4, [](std::uint64_t) { return base + 40; }) == shape{1, 1});
    CHECK(global_shape(
              4, [](std::uint64_t i) { return base + i * 128; }, 1) == shape{1, 1});
    CHECK(global_shape(
              4, [](std::uint64_t i) { return base + i * 4; }, 0xff) == shape{1, 1});
    CHECK(global_shape(
              4, [](std::uint64_t i) { return base + i * 4; }, 0x80000001) == shape{1, 2});
}

TEST_CASE("sectors and lines of any access lie within their bounds, whatever the order of lanes") {
    std::uint32_t state = 7;
    for (int replay_pass = 0; replay_pass < 2000; ++replay_pass) {
        std::uint32_t const bytes = 1u << random_number(state) % 5;
        std::uint32_t const range = 1u << (5 + random_number(state) % 12);
        lane_mask const active = random_number(state) | 1;
        std::array<std::uint64_t, 32> at;
        for (auto& each : at) each = base + random_number(state) % range / bytes * bytes;
        shape const there = global_shape(
            bytes, [&](std::uint64_t i) { return at[i]; }, active);
        CHECK(there.sectors >= there.lines);
        CHECK(there.sectors <= 4 * there.lines);
        CHECK(there.sectors <= lane_count(active));
        CHECK(there.sectors * 32 <= range + 31);
        lane_mask reversed = 0;
        for (unsigned i = 0; i < 32; ++i) reversed |= (active >> i & 1u) << (31 - i);
        CHECK(global_shape(
                  bytes, [&](std::uint64_t i) { return at[31 - i]; }, reversed) == there);
    }
}

TEST_CASE("words of local memory lie side by side for the lanes of a warp") {
    auto const local = [](std::uint32_t bytes, auto f, lane_mask active = all_lanes) {
        accessed const a{ptx::space::local, memory_operation::load, bytes, f, active};
        access_lines lines;
        lines.collect_local(a.access, 1000);
        return shape{lines.size(), lines.sector_total()};
    };
    CHECK(local(4, [](std::uint64_t) { return 12; }) == shape{1, 4});
    CHECK(local(1, [](std::uint64_t) { return 3; }) == shape{1, 4});
    CHECK(local(8, [](std::uint64_t) { return 16; }) == shape{2, 8});
    CHECK(local(16, [](std::uint64_t) { return 16; }) == shape{4, 16});
    CHECK(local(
              4, [](std::uint64_t) { return 12; }, 0xff00) == shape{1, 1});
    CHECK(local(4, [](std::uint64_t i) { return i * 4; }) == shape{32, 32}); // each lane another element
}

TEST_CASE("a stride of words conflicts as often as its lanes meet in a bank") {
    for (std::uint64_t stride = 1; stride <= 64; ++stride) {
        std::uint64_t power = 1; // the greatest power of two in the stride, up to the banks
        while (power < 32 && stride % (power * 2) == 0) power *= 2;
        auto const cost = banks(4, [=](std::uint64_t i) { return i * stride * 4; });
        CHECK(cost.wavefronts == power);
        CHECK(cost.conflicts == power - 1);
    }
}

TEST_CASE("lanes that read one word, or parts of it, share it") {
    CHECK(banks(4, [](std::uint64_t) { return 256; }).wavefronts == 1);
    CHECK(banks(4, [](std::uint64_t i) { return i / 2 * 4; }).wavefronts == 1);
    CHECK(banks(1, [](std::uint64_t i) { return i; }).wavefronts == 1);
    CHECK(banks(2, [](std::uint64_t i) { return i * 2; }).wavefronts == 1);
    CHECK(banks(4, [](std::uint64_t i) { return i % 2 * 128; }).wavefronts == 2); // two words of bank 0
}

TEST_CASE("64 and 128 bits a lane are served in halves and quarters of the warp") {
    CHECK(banks(8, [](std::uint64_t i) { return i * 8; }).wavefronts == 2);
    CHECK(banks(16, [](std::uint64_t i) { return i * 16; }).wavefronts == 4);
    CHECK(banks(8, [](std::uint64_t i) { return i * 8; }).conflicts == 0);
    CHECK(banks(16, [](std::uint64_t i) { return i * 16; }).conflicts == 0);
    CHECK(banks(16, [](std::uint64_t i) { return i * 128; }).wavefronts == 32); // all in banks 0 to 3
    CHECK(banks(16, [](std::uint64_t i) { return i * 128; }).conflicts == 28);
    CHECK(banks(
              16, [](std::uint64_t i) { return i * 16; }, memory_operation::load, 0xff)
              .wavefronts == 1);
}

TEST_CASE("pairs of lanes that load the same data halve the phases") {
    CHECK(banks(16, [](std::uint64_t) { return 64; }).wavefronts == 2);
    CHECK(banks(8, [](std::uint64_t) { return 64; }).wavefronts == 1);
    CHECK(banks(16, [](std::uint64_t i) { return i / 16 * 64; }).wavefronts == 2); // a row of a tile for half a warp
    CHECK(banks(16, [](std::uint64_t i) { return i / 2 * 16; }).wavefronts == 2);
    // Of two places in the same banks, lane by lane, 16 bytes each: what remains of an H200's count in a kernel that asks for 16 such
    // loads in each of 26,496 rounds of a warp, and 64 wavefronts a round fewer with joined phases.
    CHECK(banks(16, [](std::uint64_t i) { return i % 2 * 256; }).wavefronts == 8);
    CHECK(banks(
              16, [](std::uint64_t i) { return i / 2 * 16; }, memory_operation::store)
              .wavefronts == 4); // loads only
}

TEST_CASE("atomics on one word take turns unless they are counted together") {
    CHECK(banks(
              4, [](std::uint64_t) { return 0; }, memory_operation::atomic)
              .wavefronts == 32);
    CHECK(banks(
              4, [](std::uint64_t i) { return i * 4; }, memory_operation::atomic)
              .wavefronts == 1);
    CHECK(banks(
              4, [](std::uint64_t i) { return i % 8 * 4; }, memory_operation::reduction)
              .wavefronts == 4);
    accessed const same{ptx::space::shared, memory_operation::atomic, 4, [](std::uint64_t) { return 0; }};
    CHECK(shared_wavefronts(same.access, true).wavefronts == 1);
}

TEST_CASE("wavefronts are at least one and at most one a lane and word, and of words as many as the fullest bank has") {
    std::uint32_t state = 3;
    int exact = 0;
    for (int replay_pass = 0; replay_pass < 2000; ++replay_pass) {
        std::uint32_t const bytes = 1u << random_number(state) % 5;
        lane_mask const active = random_number(state) | 1;
        std::array<std::uint64_t, 32> at;
        for (auto& each : at) each = random_number(state) % 4096 / bytes * bytes;
        auto const what = random_number(state) % 2 != 0 ? memory_operation::load : memory_operation::atomic;
        auto const cost = banks(
            bytes, [&](std::uint64_t i) { return at[i]; }, what, active);
        if (bytes <= 4 && what == memory_operation::load) {
            std::array<std::set<std::uint64_t>, 32> words; // by bank
            for (std::size_t i = 0; i < 32; ++i)
                if (active >> i & 1) words[at[i] / 4 % 32].insert(at[i] / 4);
            std::size_t fullest = 0;
            for (auto const& bank : words) fullest = std::max(fullest, bank.size());
            CHECK(cost.wavefronts == fullest);
            CHECK(cost.conflicts == fullest - 1);
            ++exact;
        }
        CHECK(cost.wavefronts >= 1);
        CHECK(cost.conflicts < cost.wavefronts);
        CHECK(cost.wavefronts <= lane_count(active) * ((bytes + 3) / 4));
    }
    CHECK(exact > 500); // three of five sizes, one of two operations
}

TEST_CASE("a cache keeps the youngest lines of as many as it holds") {
    constexpr std::size_t lines = 1024;
    sectored_cache cache{lines * line_bytes};
    cache_line evicted;
    for (std::uint64_t i = 0; i < lines; ++i) {
        cache.touch(base + i, evicted).fill(1);
        CHECK(evicted.valid() == 0); // neighbours fill all sets evenly
    }
    for (std::uint64_t i = 0; i < lines; ++i) CHECK(cache.find(base + i) != nullptr);
    cache.touch(base + lines, evicted).fill(1);
    CHECK(evicted.valid() == 1);
    CHECK(cache.find(evicted.number()) == nullptr);
    CHECK(cache.find(base + lines) != nullptr);
    cache.clear();
    CHECK(cache.find(base + lines) == nullptr);
}

TEST_CASE("strides of powers of two use most sets") {
    for (std::uint64_t stride = 2; stride <= 4096; stride *= 2) {
        sectored_cache cache{std::size_t{64} * 16 * line_bytes};
        std::vector<bool> used(64);
        for (std::uint64_t i = 0; i < 1024; ++i) used[cache.set_of(i * stride)] = true;
        std::size_t count = 0;
        for (bool const each : used) count += each;
        CHECK(count >= 32);
    }
}

TEST_CASE("loads hit L1 while the working set fits, and never when it is twice as large") {
    for (std::uint64_t const kibibytes : {64u, 512u}) {
        one_sm sm;
        std::uint64_t const warps = kibibytes * 1024 / 128;
        for (int replay_pass = 0; replay_pass < 2; ++replay_pass)
            for (std::uint64_t w = 0; w < warps; ++w)
                sm.load(4, [=](std::uint64_t i) { return base + w * 128 + i * 4; });
        auto const c = sm.counts();
        CHECK(c[l1_requests_global_ld] == 2 * warps);
        CHECK(c[l1_sectors_global_ld] == 8 * warps);
        CHECK(c[l1_tags_global_ld] == 2 * warps);
        CHECK(c[bytes_global_ld] == 2 * warps * 128);
        CHECK(c[l1_hits_global_ld] == (kibibytes == 64 ? 4 * warps : 0));
        CHECK(c[l2_sectors_tex_read] == c[l1_sectors_global_ld] - c[l1_hits_global_ld]);
        CHECK(c[dram_bytes_read] == kibibytes * 1024); // L2 holds both
    }
}

TEST_CASE("lanes that walk through lines of their own miss together") {
    one_sm sm;
    for (std::uint64_t word = 0; word < 32; ++word)
        sm.load(4, [=](std::uint64_t i) { return base + 128 * i + 4 * word; });
    auto const c = sm.counts();
    CHECK(c[l1_requests_global_ld] == 32);
    CHECK(c[l1_sectors_global_ld] - c[l1_hits_global_ld] == 32 * 4); // each of 32 lines has four sectors
    CHECK(c[l1_requests_missed] == 4);                               // of 32 sectors each
}

TEST_CASE("lines are filled by sectors") {
    one_sm sm;
    sm.load(4, [](std::uint64_t i) { return base + i % 8 * 4; });
    sm.load(4, [](std::uint64_t i) { return base + i * 4; });
    auto const c = sm.counts();
    CHECK(c[l1_sectors_global_ld] == 1 + 4);
    CHECK(c[l1_hits_global_ld] == 1);
    CHECK(c[l2_requests_tex_read] == 2);
    CHECK(c[l2_sectors_tex_read] == 4);
}

TEST_CASE("a load past L1 asks L2 each time") {
    one_sm sm;
    accessed const a{ptx::space::global, memory_operation::load, 4, [](std::uint64_t i) { return base + i * 4; }};
    access_form form;
    form.cache.past_l1 = true;
    for (int i = 0; i < 3; ++i) sm.l1.access(a.access, form, 0);
    counter_values const c = sm.counts();
    CHECK(c[l1_sectors_global_ld] == 12);
    CHECK(c[l1_hits_global_ld] == 0);
    CHECK(c[l2_sectors_tex_read] == 12);
}

TEST_CASE("stores go through to L2 and hit lines that are there") {
    one_sm sm;
    sm.load(4, [](std::uint64_t i) { return base + i * 4; });
    sm.store(4, [](std::uint64_t i) { return base + i * 4; });        // as saxpy does: all hit
    sm.store(4, [](std::uint64_t i) { return base + 4096 + i * 4; }); // nothing there
    auto const c = sm.counts();
    CHECK(c[l1_sectors_global_st] == 8);
    CHECK(c[l1_hits_global_st] == 4);
    CHECK(c[l2_sectors_tex_write] == 8);
    CHECK(c[l2_sectors_tex_read] == 4);
    CHECK(c[dram_bytes_read] == 128);
    CHECK(c[dram_bytes_written] == 0); // still in L2
}

TEST_CASE("local memory that was stored is loaded from L1") {
    one_sm sm;
    for (std::uint64_t at = 0; at < 64; at += 4)
        sm.access(ptx::space::local, memory_operation::store, 4, [=](std::uint64_t) { return at; });
    for (std::uint64_t at = 0; at < 64; at += 4)
        sm.access(ptx::space::local, memory_operation::load, 4, [=](std::uint64_t) { return at; });
    auto const c = sm.counts();
    CHECK(c[l1_requests_local_st] == 16);
    CHECK(c[l1_sectors_local_st] == 64);
    CHECK(c[l1_hits_local_st] == 0);
    CHECK(c[l1_hits_local_ld] == 64);
    CHECK(c[l2_sectors_tex_write] == 64);
    CHECK(c[l2_sectors_tex_read] == 0);
}

TEST_CASE("lanes whose atomics meet pass one after the other, each pass with its sectors") {
    one_sm sm;
    auto const red = [&](auto f) { sm.access(ptx::space::global, memory_operation::reduction, 4, f); };
    red([](std::uint64_t i) { return base + i * 4; });     // 4 sectors
    red([](std::uint64_t i) { return base + i % 4 * 4; }); // 8 passes, as an H200 counts them
    red([](std::uint64_t) { return base; });               // 32
    auto const c = sm.counts();
    CHECK(c[l1_requests_global_red] == 3);
    CHECK(c[l1_sectors_global_red] == 4 + 8 + 32);
    CHECK(c[l1_hits_global_red] == 0);
    CHECK(sm.l2.hottest_atomics() == doctest::Approx(1.28 * (4 + 8 + 32))); // turns, all in one slice
}

// 3 wavefronts a warp on an H200 when no lanes meet (last_l2_counts.txt, shared_float), where integers take one.
TEST_CASE("sums of floats in shared memory load, compare and swap until no lanes are left") {
    accessed const apart{ptx::space::shared, memory_operation::atomic, 4, [](std::uint64_t i) { return i * 4; }};
    CHECK(shared_wavefronts(apart.access).wavefronts == 1);
    CHECK(sum_turns{}.add(apart.access, {}).wavefronts == 3);
    accessed const pairs{ptx::space::shared, memory_operation::atomic, 4, [](std::uint64_t i) { return i / 2 * 4; }};
    sum_cost const cost = sum_turns{}.add(pairs.access, {});
    CHECK(cost.rounds == 2);
    CHECK(cost.lanes == 32 + 16);
    CHECK(cost.wavefronts == 3 + 3);
}

// After a barrier 8 warps add to one word: 144.6 rounds a warp on an H200 (last_l2_counts.txt, shared_float_one_address: of 1,636,451
// instructions those of shared_float are not of further rounds, of 5 instructions each). The lanes of 4 warps that add doubles to one
// are 8,256 in all rounds there, 128 * 129 / 2; three sums one after the other have 12,800.
TEST_CASE("warps that come from a barrier take turns in their first sum") {
    accessed const one{ptx::space::shared, memory_operation::atomic, 4, [](std::uint64_t) { return 64; }};
    accessed const another{ptx::space::shared, memory_operation::atomic, 4, [](std::uint64_t) { return 68; }};
    instruction_info const first{}, second{};
    std::uint64_t rounds = 0, waits = 0;
    auto const lanes = [&](unsigned warps, bool loads, bool again) {
        sum_turns sums;
        warp_steps steps;
        std::uint64_t all = rounds = waits = 0;
        for (unsigned warp = 0; warp < warps; ++warp) {
            steps.barrier(warp);
            if (loads) steps.load(warp);
            sum_cost cost = sums.add(one.access, steps.now(first, warp, 2));
            all += cost.lanes, rounds += cost.rounds, waits += cost.waits;
            if (again) all += sums.add(another.access, steps.now(second, warp, 8)).lanes;
        }
        return all;
    };
    CHECK(lanes(8, false, false) == 256 * 257 / 2);
    CHECK(rounds == 8 * 144);
    CHECK(waits == 8 * (144 - 32));
    CHECK(lanes(4, false, false) == 128 * 129 / 2);
    CHECK(lanes(4, false, true) == 128 * 129 / 2 + 4 * 32 * 33 / 2); // out of step
    CHECK(lanes(4, true, false) == 4 * 32 * 33 / 2);                 // their loads came back one by one
}

// Each of a CTA's warps stores a word of its own, all in one sector. Of eight warps that do nothing before, an H200 sends two
// stores to L2 (last_l2_counts.txt, same_word), of those that loaded before about four (last_programs.txt, warp_sums).
TEST_CASE("stores of warps in step go to L2 together") {
    instruction_info const instruction{}, another{};
    constexpr unsigned warps = 8;
    auto const sent = [&](bool loads, auto moment) {
        store_merge stores;
        warp_steps steps;
        unsigned sectors = 0;
        for (unsigned warp = 0; warp < warps; ++warp) {
            if (loads) steps.load(warp);
            auto const [at, tick] = moment(warp);
            sectors += sector_count(stores.left(first_line_of_stores, 1, 1, steps.now(*at, warp, tick)));
        }
        return sectors;
    };
    using moment = std::pair<instruction_info const*, std::uint64_t>;
    CHECK(sent(false, [&](unsigned) { return moment{&instruction, 10}; }) == 2);
    CHECK(sent(true, [&](unsigned) { return moment{&instruction, 10}; }) == 4);
    CHECK(sent(false, [&](unsigned warp) { return moment{&instruction, 100 * warp}; }) == warps); // out of step
    CHECK(sent(false, [&](unsigned warp) { return moment{warp % 2 == 0 ? &instruction : &another, 10}; }) == warps);

    store_merge stores;
    warp_steps steps;
    auto const left = [&](instruction_info const& at, std::uint64_t tick, unsigned all) {
        return stores.left(first_line_of_stores, 0b1111, all, steps.now(at, 0, tick));
    };
    CHECK(left(instruction, 10, 8) == 0b1111);
    CHECK(left(another, 12, 8) == 0);           // a warp's next store to the same sectors
    CHECK(left(instruction, 13, 32) == 0b1111); // of a request that takes long
    steps.barrier(0);
    CHECK(left(instruction, 1, 8) == 0b1111);
    steps.cta_finished();
    CHECK(left(instruction, 1, 8) == 0b1111);
}

// On an H200 integers take 1.28 L2 cycles a turn and sums of floats 3.08 (last_time.txt, atomic_int_address and
// atomic_float_address: 1.3677 and 0.57012 lanes/ns at 1.755 GHz).
TEST_CASE("atomics of one slice take turns, those of several go on at once") {
    double const integers = gh100.l2_hz / 1.3677e9, floats = gh100.l2_hz / 0.57012e9;
    auto const hottest = [](std::uint64_t stride, bool sums_floats) {
        l2_cache l2{gh100};
        std::vector<miss_stream> streams(1, miss_stream{l2.sets(), nullptr, slice_set{gh100}});
        for (std::uint64_t i = 0; i < 4; ++i)
            streams[0].add_atomic(l2_operation::reduction, base / line_bytes + i * stride, all_sectors, sums_floats);
        counter_values c;
        l2.replay(streams, c);
        return l2.hottest_atomics();
    };
    CHECK(hottest(1, false) == doctest::Approx(16 * integers).epsilon(0.01)); // 512 bytes of a slice
    CHECK(hottest(4, false) == doctest::Approx(4 * integers).epsilon(0.01));
    CHECK(hottest(4, true) == doctest::Approx(4 * floats).epsilon(0.01));
    CHECK(hottest(1, true) == doctest::Approx(16 * integers).epsilon(0.01)); // those of other lines go on meanwhile
}

// As an H200 counts them, a load at a time: last_pairs_values.csv, mended_filtered_keys (here and there, L1 has nearly all),
// bad_dense_rows (a column) and bad_vertex_walks (here and there, L1 has none).
TEST_CASE("lanes that read other lines share a wavefront where their banks differ and L1 has them") {
    one_sm sm;
    auto const wavefronts = [&](std::uint64_t stride) {
        std::uint64_t const before = sm.counts()[lg_wavefronts];
        sm.access(ptx::space::global, memory_operation::load, 4, [=](std::uint64_t i) { return base + i * stride; });
        return sm.counts()[lg_wavefronts] - before;
    };
    CHECK(wavefronts(132) == 16); // 32 lines that are not there, two a cycle
    CHECK(wavefronts(132) == 1);
    CHECK(wavefronts(128) == 32); // all of one bank
    CHECK(wavefronts(8) == 2);
    CHECK(wavefronts(4) == 1);
}

TEST_CASE("an atomic ends what L1 knew of its sectors") {
    one_sm sm;
    sm.load(4, [](std::uint64_t i) { return base + i * 4; });
    sm.access(ptx::space::global, memory_operation::atomic, 4, [](std::uint64_t) { return base + 32; });
    sm.load(4, [](std::uint64_t i) { return base + i * 4; });
    CHECK(sm.counts()[l1_hits_global_ld] == 3);
}

TEST_CASE("shared memory takes what the shared sizes leave of L1") {
    CHECK(l1_data_bytes(gh100, 0) == std::size_t{256} << 10);
    CHECK(l1_data_bytes(gh100, 1) == std::size_t{248} << 10);
    CHECK(l1_data_bytes(gh100, std::size_t{8} << 10) == std::size_t{248} << 10);
    CHECK(l1_data_bytes(gh100, std::size_t{200} << 10) == std::size_t{28} << 10);
    CHECK(l1_data_bytes(gv100, std::size_t{96} << 10) == std::size_t{32} << 10);
}

namespace {

// What an SM streams through L2: each of `lines` lines, whole.
counter_values stream(l2_cache& l2, l2_operation what, std::uint64_t first, std::uint64_t lines, std::size_t sms = 1) {
    std::vector<miss_stream> streams(sms, miss_stream{l2.sets()});
    for (std::uint64_t i = 0; i < lines; ++i) streams[i % sms].add(what, first + i, all_sectors);
    counter_values c;
    l2.replay(streams, c);
    return c;
}
constexpr std::uint64_t first_line = base / line_bytes;

} // namespace

TEST_CASE("L2 keeps between launches what fits, and forgets what does not") {
    l2_cache l2{gv100}; // 6 MiB
    constexpr std::uint64_t small_lines = (4u << 20) / line_bytes, large_lines = (16u << 20) / line_bytes;
    CHECK(stream(l2, l2_operation::read, first_line, small_lines)[dram_bytes_read] == 4u << 20);
    auto const again = stream(l2, l2_operation::read, first_line, small_lines);
    CHECK(again[dram_bytes_read] == 0);
    CHECK(again[l2_hits_tex_read] == again[l2_sectors_tex_read]);
    stream(l2, l2_operation::read, first_line, large_lines);
    CHECK(stream(l2, l2_operation::read, first_line, large_lines)[dram_bytes_read] == 16u << 20);
}

TEST_CASE("written lines reach device memory when they have to go, and only then") {
    l2_cache l2{gv100};
    constexpr std::uint64_t lines = (16u << 20) / line_bytes;
    auto const c = stream(l2, l2_operation::write, first_line, lines);
    CHECK(c[l2_sectors_tex_write] == lines * 4);
    CHECK(c[l2_hits_tex_write] == lines * 4); // a write needs nothing to be there
    CHECK(c[dram_bytes_read] == 0);
    CHECK(c[dram_bytes_written] == doctest::Approx((16u << 20) - gv100.l2_bytes).epsilon(0.001)); // of a sample
    CHECK(stream(l2, l2_operation::read, first_line + lines, lines)[dram_bytes_written] ==
          doctest::Approx(gv100.l2_bytes).epsilon(0.001)); // the rest
}

// An H200 that writes 32 MiB writes 6.6 MB of them to device memory, and 768 bytes of 16 MiB (tests/hardware/last_l2_counts.txt).
TEST_CASE("a part of L2 only waits to be written to device memory") {
    constexpr std::uint64_t mebibyte = std::uint64_t{1} << 20;
    for (std::uint64_t const stored : {16u, 32u}) {
        l2_cache l2{gh100};
        auto const c = stream(l2, l2_operation::write, first_line, stored * mebibyte / line_bytes, 132);
        if (stored == 16) CHECK(c[dram_bytes_written] <= 4096); // sets are not filled quite evenly
        else CHECK(c[dram_bytes_written] == doctest::Approx(6'577'664).epsilon(0.15));
    }
}

// Two SMs, next to either half. Of each pair one sector is asked for, so that its neighbour is counted as not found where L1 or a
// half asks for it, and comes over from the other half, too. So does an H200: read_stride_128 in last_l2_counts.txt.
TEST_CASE("a sector that comes with another one counts as not found") {
    l2_cache l2{gh100};
    constexpr std::uint64_t lines = 10'000;
    counter_values const c = stream(l2, l2_operation::read, first_line, lines);
    CHECK(c[l2_promoted_tex_read] == 0); // all four sectors were asked for
    l2_cache another{gh100};
    miss_stream sm{another.sets()};
    for (std::uint64_t i = 0; i < lines; ++i) sm.add(l2_operation::read, first_line + i, 1);
    counter_values one_of_two;
    another.replay({&sm, 1}, one_of_two);
    CHECK(one_of_two[l2_sectors_tex_read] == lines);
    CHECK(one_of_two[l2_hits_tex_read] == 0);
    CHECK(one_of_two[l2_promoted_tex_read] == lines);
    CHECK(one_of_two[l2_sectors_fabric_read] ==
          doctest::Approx(lines).epsilon(0.05)); // half of the lines, two sectors each
    CHECK(one_of_two[l2_hits_fabric_read] == 0);
    CHECK(one_of_two[dram_bytes_read] == lines * 64);
}

// What an H200 counts of a launch's end (last_l2_counts.txt): 2,954 when no SM asked for anything, 3 more for a store of one SM, 188 more
// for one that reads from all slices, and 25,380 when all do.
// The rows empty and constants_16k 1 x 32 of last_l2_counts.txt. An empty kernel's description and code are 80 sectors that L2 does not
// have, its bank of constants 16 that it has; all eight clusters read them, and each half of L2 asks the other once.
TEST_CASE("all clusters read what a launch needs, and those read constants whose SMs use them") {
    l2_cache l2{gh100};
    counter_values launch, constants;
    std::array<sector_mask, 8> clusters;
    clusters.fill(all_sectors);
    for (std::uint64_t line = 0; line < 20; ++line) l2.fetch(first_line + line, clusters, false, launch);
    for (std::uint64_t line = 0; line < 4; ++line) l2.fetch(first_line + 1000 + line, clusters, true, launch);
    CHECK(launch[l2_sectors_other_read] - launch[l2_sectors_fabric_read] == 768);
    CHECK(launch[l2_sectors_fabric_read] == 96);
    CHECK(launch[l2_hits_fabric_read] == 96);
    CHECK(launch[l2_sectors_other_read] - launch[l2_hits_other_read] == 176);
    CHECK(launch[dram_bytes_read] == 2560);
    clusters.fill(0);
    clusters[7] = all_sectors;
    for (std::uint64_t line = 0; line < 128; ++line)
        l2.fetch(first_line + 5000 + line, clusters, false, constants); // 16 KiB
    CHECK(constants[l2_sectors_other_read] - constants[l2_sectors_fabric_read] == 512);
    CHECK(constants[l2_sectors_fabric_read] == doctest::Approx(256).epsilon(0.2)); // which lines are far is chance
    CHECK(constants[dram_bytes_read] == 16'384);

    constant_sectors read;
    accessed const same{ptx::space::constant, memory_operation::load, 4, [](std::uint64_t) { return 68; }};
    accessed const apart{ptx::space::constant, memory_operation::load, 4, [](std::uint64_t i) { return i * 32; }};
    read.add(same.access);
    CHECK(read.size() != 0);
    CHECK(read.sectors(0) == 0b0100);
    read.add(apart.access);
    for (std::size_t line = 0; line < 8; ++line) CHECK(read.sectors(line) == all_sectors);
    CHECK(read.sectors(8) == 0);
    constant_sectors all;
    CHECK(all.size() == 0);
    all += read;
    CHECK(all.sectors(7) == all_sectors);
}

// reduce_stride_128 in last_l2_counts.txt: 65,536 sums, one in each line, read 3,148,544 bytes; 2,816 of them are the launch's own.
TEST_CASE("an atomic brings a neighbour from device memory only where its half is near") {
    l2_cache l2{gh100};
    std::vector<miss_stream> streams(132, miss_stream{l2.sets()});
    constexpr std::uint64_t sums = 65'536;
    for (std::uint64_t i = 0; i < sums; ++i) streams[i % 132].add(l2_operation::reduction, first_line + i, 1);
    counter_values c;
    l2.replay(streams, c);
    CHECK(c[dram_bytes_read] == doctest::Approx(3'148'544 - 2'816).epsilon(0.01));
    CHECK(c[l2_promoted_tex_red] == doctest::Approx(32'768).epsilon(0.02));
    CHECK(c[l2_hits_tex_red] == doctest::Approx(32'768).epsilon(0.02));
}

TEST_CASE("lines of a run have sets that follow each other") {
    for (std::size_t const sets : {1u, 3u, 12800u}) {
        sectored_cache const cache{sets * sectored_cache::ways * line_bytes};
        for (std::uint64_t const first :
             {std::uint64_t{0}, first_line, first_line + 12'000, (std::uint64_t{1} << 32) - 40'000,
              (std::uint64_t{7} << 32) - 40'000, (std::uint64_t{0xe0} << 32) + 5})
            for (std::uint64_t line = first; line < first + 80'000;) {
                std::uint32_t const set = cache.set_of(line), run = cache.run_from(line, set);
                bool follow = run >= 1;
                for (std::uint32_t i = 0; i < run; ++i) follow &= cache.set_of(line + i) == set + i;
                if (!follow) FAIL("line ", line, ", run of ", run);
                line += run;
            }
    }
}

TEST_CASE("SMs end a launch with barriers at the slices that they used") {
    auto const barriers = [](std::size_t sms, std::uint64_t bytes) {
        l2_cache l2{gh100};
        std::vector<miss_stream> streams(sms, l2.stream_of_sm(nullptr));
        for (miss_stream& sm : streams)
            for (std::uint64_t line = 0; line < bytes / line_bytes; ++line)
                sm.add(l2_operation::read, first_line + line, all_sectors);
        counter_values c;
        l2.replay(streams, c);
        return c[l2_barriers];
    };
    CHECK(barriers(132, 0) == 2954);
    CHECK(barriers(1, 128) == doctest::Approx(2957).epsilon(0.001));
    CHECK(barriers(1, 256 << 10) == doctest::Approx(3142).epsilon(0.01));
    CHECK(barriers(132, 256 << 10) == 25380);
}

TEST_CASE("sectors come from device memory alone, or with their neighbour where it is read 64 bytes at a time") {
    for (auto const* chip : {&gv100, &gh100}) {
        l2_cache l2{*chip};
        miss_stream sm{l2.sets()};
        for (std::uint64_t i = 0; i < 1000; ++i) sm.add(l2_operation::read, first_line + i, 1);
        counter_values c;
        l2.replay({&sm, 1}, c);
        CHECK(c[l2_sectors_tex_read] == 1000);
        CHECK(c[dram_bytes_read] == (chip == &gh100 ? 64'000 : 32'000));
    }
}

TEST_CASE("half of the lines live in the far partition: reads and writes cross once") {
    l2_cache l2{gh100};
    constexpr std::uint64_t lines = 10'000;
    auto const reads = stream(l2, l2_operation::read, first_line, lines);
    CHECK(reads[l2_sectors_other_read] == doctest::Approx(lines * 4 / 2.0).epsilon(0.05));
    CHECK(reads[dram_bytes_read] == lines * 128);
    CHECK(stream(l2, l2_operation::read, first_line, lines)[l2_sectors_other_read] == 0); // the near one has a copy now
    auto const writes = stream(l2, l2_operation::write, first_line, lines);
    CHECK(writes[l2_sectors_other_write] == reads[l2_sectors_other_read]);
    CHECK(stream(l2, l2_operation::read, first_line, lines)[l2_sectors_other_read] ==
          reads[l2_sectors_other_read]); // no copy any more
}

TEST_CASE("long streams are sampled: counts stay exact, traffic stays near") {
    l2_cache l2{gv100};
    constexpr std::uint64_t lines = miss_stream::limit * 4;
    auto const c = stream(l2, l2_operation::read, first_line, lines);
    CHECK(c[l2_requests_tex_read] == lines);
    CHECK(c[l2_sectors_tex_read] == lines * 4);
    CHECK(c[dram_bytes_read] == doctest::Approx(lines * 128.0).epsilon(0.02));
    l2_cache shared_l2{gv100}; // two SMs, only one of which is sampled
    std::vector<miss_stream> streams(2, miss_stream{shared_l2.sets()});
    for (std::uint64_t i = 0; i < lines; ++i) streams[0].add(l2_operation::read, first_line + i, all_sectors);
    for (std::uint64_t i = 0; i < 10'000; ++i) streams[1].add(l2_operation::read, first_line + lines + i, all_sectors);
    counter_values both;
    shared_l2.replay(streams, both);
    CHECK(both[dram_bytes_read] == doctest::Approx((lines + 10'000) * 128.0).epsilon(0.02));
}

// Eight SMs read 1,024 lines of their own again and again, far more often than a stream keeps. All lines fit into L2, so that each
// is missed once, wherever the stride puts them.
TEST_CASE("lines at a stride are missed once each, also when only some sets are looked at") {
    constexpr std::size_t sms = 8;
    constexpr std::uint64_t lines = 1024, rounds = 600;
    for (std::uint64_t const stride : {1u, 8u, 32u, 128u, 1000u, 1024u, 4096u, 15360u}) { // the last: GH100's sets
        if (sanitized && stride != 1 && stride != 1000 && stride != 15360) continue;
        l2_cache l2{gh100};
        std::vector<miss_stream> streams(sms, miss_stream{l2.sets()});
        for (std::uint64_t round = 0; round < rounds; ++round)
            for (std::uint64_t i = 0; i < lines; ++i)
                for (std::size_t sm = 0; sm < sms; ++sm)
                    streams[sm].add(l2_operation::read, first_line + (i * sms + sm) * stride, all_sectors);
        counter_values c;
        l2.replay(streams, c);
        CAPTURE(stride);
        CHECK(streams.front().sampling() >= 4); // 614,400 requests, of which a stream keeps 65,536
        CHECK(c[l2_sectors_tex_read] == sms * lines * rounds * 4);
        CHECK(c[dram_bytes_read] == doctest::Approx(sms * lines * 128.0).epsilon(0.1));
        CHECK(c[l2_hits_tex_read] >= c[l2_sectors_tex_read] * 99 / 100);
    }
}

TEST_CASE("a stream that goes to one line alone is found in L2, however few of its requests were kept") {
    for (std::uint64_t const line : {first_line, first_line + 1, first_line + 2}) {
        l2_cache l2{gh100};
        std::vector<miss_stream> streams(2, miss_stream{l2.sets()});
        for (std::uint64_t i = 0; i < miss_stream::limit * 3; ++i)
            for (miss_stream& sm : streams) sm.add_atomic(l2_operation::atomic, line, 1, false);
        counter_values c;
        l2.replay(streams, c);
        CHECK(c[l2_sectors_tex_atom] == miss_stream::limit * 6);
        CHECK(c[l2_hits_tex_atom] >= miss_stream::limit * 6 - 6);
        CHECK(l2.hottest_atomics() == doctest::Approx(1.28 * miss_stream::limit * 6));
    }
}

TEST_CASE("a stream that goes to one line alone stays within its limit") {
    l2_cache l2{gv100};
    miss_stream sm{l2.sets()};
    for (std::uint64_t i = 0; i < miss_stream::limit * 3; ++i) sm.add(l2_operation::reduction, first_line, 1);
    CHECK(sm.requests().size() <= miss_stream::limit);
    CHECK(sm.traffic()[l2_class{l2_operation::reduction}.index()].requests == miss_stream::limit * 3);
}

TEST_CASE("copies by other units go through L2, too") {
    l2_cache l2{gh100};
    counter_values c;
    l2.transfer(base + 16, 4096, true, c);
    CHECK(c[l2_sectors_other_write] == 129); // neither end on a sector
    CHECK(c[l2_requests_other_write] == 33);
    CHECK(c[dram_bytes_written] == 0);
    l2.transfer(base + 16, 4096, false, c);
    CHECK(c[l2_sectors_other_read] == 129);
    CHECK(c[dram_bytes_read] == 0); // found
    l2.transfer(base, 0, true, c);
    CHECK(c[l2_sectors_other_write] == 129);
}

// A fill of 16 MiB leaves 16 MiB to be written back. One SM alone, which asks for more than a stream keeps, reads 128 MiB, more
// than L2 holds; then another unit reads as much again. Whatever the share of sets that were looked at, what was stored
// reaches device memory once.
TEST_CASE("what was stored is written to device memory once, also by a launch of which only some sets are looked at") {
    constexpr std::uint64_t mebibyte = std::uint64_t{1} << 20;
    constexpr std::uint64_t dirty = 16 * mebibyte, much = 128 * mebibyte;
    for (chip_model const* const chip : {&gh100, &gv100}) {
        l2_cache l2{*chip};
        counter_values filled, read, later;
        std::uint64_t const kept = chip == &gh100 ? dirty : 6 * mebibyte; // V100's L2 is smaller than that
        l2.transfer(base, kept, true, filled);
        CHECK(filled[dram_bytes_written] <= 4096); // sets are not filled quite evenly
        miss_stream one_sm{l2.sets()};
        for (std::uint64_t line = 0; line < much / line_bytes; ++line)
            one_sm.add(l2_operation::read, (base + dirty) / line_bytes + line, all_sectors);
        CHECK(one_sm.sampling() >= 4); // 2^20 requests, of which a stream keeps 2^16
        l2.replay({&one_sm, 1}, read);
        CHECK(read[dram_bytes_read] == doctest::Approx(static_cast<double>(much)).epsilon(0.02));
        CHECK(read[dram_bytes_written] == doctest::Approx(static_cast<double>(kept)).epsilon(0.05));
        l2.transfer(base + dirty + much, much, false, later);
        // Neighbours do not fill their sets quite evenly: without them it would be all of it once more.
        CHECK(later[dram_bytes_written] <= kept / 8);
    }
}

TEST_CASE("what a launch stored is there to be written back, also when only some sets were looked at") {
    constexpr std::uint64_t mebibyte = std::uint64_t{1} << 20;
    constexpr std::uint64_t stored = 8 * mebibyte; // L2 keeps it until it is displaced
    for (std::uint64_t const times : {1u, 16u}) {  // as one stream keeps, and too often for that
        l2_cache l2{gh100};
        counter_values written, later;
        miss_stream one_sm{l2.sets()};
        for (std::uint64_t time = 0; time < times; ++time)
            for (std::uint64_t line = 0; line < stored / line_bytes; ++line)
                one_sm.add(l2_operation::write, base / line_bytes + line, all_sectors);
        CHECK(one_sm.sampling() >= (times == 1 ? 0u : 4u)); // 2^16 or 2^20 requests, of which a stream keeps 2^16
        l2.replay({&one_sm, 1}, written);
        CHECK(written[dram_bytes_written] == 0);
        l2.transfer(base + stored, 128 * mebibyte, false, later);
        CHECK(later[dram_bytes_written] == doctest::Approx(static_cast<double>(stored)).epsilon(0.05));
    }
}

} // namespace memory_model_test
