// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Requests of several SMs for the same sectors, against what an H200 did: tests/hardware/last_coalescing.txt.
#include <cstddef>
#include <cstdint>
#include <vector>

#include <doctest/doctest.h>

#include "sim/chip/chips.hpp"
#include "sim/model/l2_cache.hpp"
#include "sim/model/request_coalescer.hpp"

namespace request_coalescer_test {

using namespace gpuprof::sim;
using enum raw_counter;

namespace {

constexpr std::size_t sectors = 2048; // that an SM reads there
constexpr unsigned sms = 132;

// Sectors that L2 gets when the SMs read the same memory, each so many turns after the start; the others do nothing.
struct reader {
    unsigned sm;
    unsigned delay;
};
std::uint64_t left(std::vector<reader> const& readers, chip_model const& chip = gh100, bool whole = true) {
    l2_cache l2{chip};
    std::vector<miss_stream> streams(sms, miss_stream{l2.sets()});
    for (auto const& [sm, delay] : readers) {
        for (unsigned turn = 0; turn < delay; ++turn)
            streams[sm].add(l2_operation::write, 1'000'000 + sm * 10'000 + turn, all_sectors);
        for (std::uint64_t line = 0; line < sectors / 4; ++line)
            streams[sm].add(l2_operation::read, line, whole || sm % 2 == 0 ? all_sectors : sector_mask{0b0011});
    }
    counter_values counted;
    l2.replay(streams, counted);
    return counted[l2_sectors_tex_read];
}
std::vector<reader> first(unsigned many) {
    std::vector<reader> all;
    for (unsigned sm = 0; sm < many; ++sm) all.push_back({sm, 0});
    return all;
}

} // namespace

TEST_CASE("a request serves four SMs of a cluster, as on an H200") {
    // "sizes: from device memory, SMs of a group": 1 to 4, 5 to 8, 9 to 12 and 13 to 14 SMs at the same moment.
    for (unsigned many = 1; many <= 16; ++many) {
        INFO(many);
        CHECK(left(first(many)) == (many + 3) / 4 * sectors);
    }
    // All 132 at once leave 70,960 of 2,048 each there, 34.6 times as many as one; here eight clusters of 16 or 17.
    CHECK(left(first(sms)) >= 33 * sectors);
    CHECK(left(first(sms)) <= 40 * sectors);
}

TEST_CASE(
    "requests are joined within a cluster, at about the same time, of the very same sectors, on chips that do so") {
    CHECK(left({{0, 0}, {1, 0}}) == sectors);
    CHECK(left({{0, 0}, {131, 0}}) == 2 * sectors); // another cluster
    CHECK(left({{0, 0}, {1, 4}}) == sectors);       // device memory has not answered
    CHECK(left({{0, 0}, {1, 400}}) == 2 * sectors); // it has
    CHECK(left({{0, 0}, {1, 0}}, gh100, false) == sectors + sectors / 2);
    CHECK(left({{0, 0}, {1, 0}}, gv100) == 2 * sectors);
}

TEST_CASE("an SM's own requests are not joined, nor is any with one of an earlier launch") {
    l2_cache l2{gh100};
    for (int launch = 0; launch < 2; ++launch) {
        std::vector<miss_stream> streams(sms, miss_stream{l2.sets()});
        miss_stream& one = streams[launch == 0 ? 0 : 1];
        if (launch == 0) // its end is far from its beginning
            for (std::uint64_t line = 0; line < 20'000; ++line)
                one.add(l2_operation::write, 1'000'000 + line, all_sectors);
        one.add(l2_operation::read, 7, all_sectors);
        one.add(l2_operation::read, 7, all_sectors);
        counter_values counted;
        l2.replay(streams, counted);
        CHECK(counted[l2_sectors_tex_read] == 8);
        CHECK(counted[l2_requests_tex_read] == 2);
    }
}

TEST_CASE("what is joined does not depend on how many host threads replay the requests") {
    std::vector<std::uint64_t> counts;
    for (unsigned const threads : {1u, 2u, 3u, 8u}) {
        l2_cache l2{gh100};
        std::vector<miss_stream> streams(sms, miss_stream{l2.sets()});
        for (unsigned sm = 0; sm < sms; ++sm)
            for (std::uint64_t i = 0; i < 3000; ++i) // enough for eight threads
                streams[sm].add(l2_operation::read, (i * 37 + sm / 5) % 20'000, all_sectors);
        counter_values counted;
        l2.replay(streams, counted, threads);
        counts.push_back(counted[l2_sectors_tex_read]);
        CHECK(counts.back() < std::uint64_t{sms} * 3000 * 4);
        CHECK(counts.back() == counts.front());
    }
}

} // namespace request_coalescer_test
