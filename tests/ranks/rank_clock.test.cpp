// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ranks/rank_clock: offsets and drifts of clocks through a communicator, in a world whose time is what its messages take, so that
// the truth is known.
#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <gpuprof/ranks.hpp>
#include <gpuprof/ranks/rank_clock.hpp>

#include "support/thread_ranks.hpp"

namespace rank_clock_test {

namespace ranks = gpuprof::ranks;
using gpuprof::errc;

namespace {

// Time passes only by messages, and where a test says so. Rank r's clock shows ahead + time * (1 + drift).
struct world {
    std::atomic<std::uint64_t> time{1'000'000'000'000};
};
struct skewed_clock {
    world const* in;
    std::int64_t ahead;
    std::int64_t drift_ppm;

    [[nodiscard]] std::uint64_t at(std::uint64_t time) const {
        auto const gained = static_cast<std::int64_t>(time) / 1'000'000 * drift_ppm;
        return static_cast<std::uint64_t>(static_cast<std::int64_t>(time) + ahead + gained);
    }
    [[nodiscard]] ranks::time_source source() const {
        return {[](void const* of) {
                    auto const* const self = static_cast<skewed_clock const*>(of);
                    return self->at(self->in->time);
                },
                this};
    }
};

// Messages down the tree take `down` nanoseconds and messages up `up`; once, shorter.
class slow_ranks final : public ranks::communicator {
public:
    slow_ranks(ranks::communicator& all, world& in, std::uint64_t down, std::uint64_t up)
        : all_{&all}, in_{&in}, down_{down}, up_{up} {}
    std::size_t rank() const noexcept override { return all_->rank(); }
    std::size_t size() const noexcept override { return all_->size(); }
    gpuprof::result<ranks::messages> try_gather(ranks::gather_call const& call) override {
        bool const sends = call.ranks[0] != rank();
        if (sends) {
            constexpr std::uint64_t short_round = 5; // by the numbers of the rounds, which count from the operation on
            std::uint64_t const delay = call.ranks[0] > rank() ? down_ : up_;
            in_->time += (call.number & 0xffff) == short_round ? delay / 10 : delay;
        }
        return all_->try_gather(call);
    }

private:
    ranks::communicator* all_;
    world* in_;
    std::uint64_t down_, up_;
};

} // namespace

TEST_CASE("rank_clock: the shortest round trip counts, and half of it is the error, which holds the truth however "
          "unlike the ways are") {
    struct ways {
        std::uint64_t down, up;
    };
    for (ways const each :
         {ways{1'000, 1'000}, ways{9'000, 1'000}, ways{1'000, 9'000}, ways{20'000, 0}, ways{0, 20'000}}) {
        world here;
        ranks::clock_reading got;
        constexpr std::int64_t ahead = -7'000'000'000;
        test::as_ranks(2, [&](ranks::communicator& good) {
            slow_ranks all{good, here, each.down, each.up};
            skewed_clock const clock{&here, all.rank() == 1 ? ahead : 0, 0};
            auto const read = ranks::try_read_clock(all, clock.source(), {16, 60'000});
            if (read && all.rank() == 1) got = *read;
        });
        INFO("down ", each.down, ", up ", each.up);
        REQUIRE(got.known);
        std::uint64_t const shortest = (each.down + each.up) / 10;
        CHECK(got.round_trip == shortest);
        CHECK(got.error == shortest / 2);
        // The middle of the round trip is taken for the moment of the answer, which came after the way down.
        CHECK(got.ahead == ahead + static_cast<std::int64_t>(each.down / 10) - static_cast<std::int64_t>(shortest / 2));
        std::int64_t const off = got.ahead - ahead;
        CHECK((off < 0 ? -off : off) <= static_cast<std::int64_t>(got.error));
        CHECK(got.silent.empty());
    }
}

TEST_CASE("rank_clock: a clock that drifts is mapped within the error at every moment between two readings") {
    world here;
    constexpr std::int64_t ahead = 3'600'000'000'000, drift_ppm = 80;
    std::vector<ranks::clock_reading> begin(3), end(3);
    std::vector<skewed_clock> clocks;
    for (std::int64_t rank = 0; rank < 3; ++rank) clocks.push_back({&here, rank * ahead, rank * drift_ppm});
    auto const read_into = [&](std::vector<ranks::clock_reading>& into) {
        test::as_ranks(3, [&](ranks::communicator& good) {
            slow_ranks all{good, here, 4'000, 2'000};
            auto const read = ranks::try_read_clock(all, clocks[all.rank()].source(), {8, 60'000});
            if (read) into[all.rank()] = *read;
        });
    };
    std::uint64_t const first = here.time;
    read_into(begin);
    here.time += 60'000'000'000; // a minute of work, in which rank 2 gains 9.6 ms
    read_into(end);
    std::uint64_t const last = here.time;
    for (std::size_t rank = 0; rank < 3; ++rank) {
        ranks::rank_clock const clock{begin[rank], end[rank]};
        REQUIRE(clock.known());
        CHECK(clock.error() == (rank == 0 ? 0u : 300u)); // half of 400 + 200
        CHECK(clock.drift_ppm() == doctest::Approx(static_cast<double>(rank) * drift_ppm).epsilon(0.01));
        std::uint64_t worst = 0;
        for (std::uint64_t time = first + 1'000'000; time + 1'000'000 < last; time += 500'000'123) {
            std::uint64_t const mapped = clock.to_rank_0(clocks[rank].at(time)), truth = clocks[0].at(time);
            std::uint64_t const off = mapped > truth ? mapped - truth : truth - mapped;
            if (off > worst) worst = off;
        }
        INFO("rank ", rank);
        CHECK(worst <= clock.error() + 2); // and two roundings
    }
    // One reading alone misses what the clock gained.
    ranks::rank_clock const without{begin[2], begin[2]};
    std::uint64_t const mapped = without.to_rank_0(clocks[2].at(last));
    CHECK(mapped > clocks[0].at(last) + 9'000'000);
    CHECK(without.drift_ppm() == 0);
}

TEST_CASE("rank_clock: over two levels of the tree errors add up and still hold the truth") {
    world here;
    constexpr std::size_t size = 20; // rank 17 and later ones are below rank 1
    std::atomic<unsigned> right{0};
    test::as_ranks(size, [&](ranks::communicator& all) {
        skewed_clock const clock{&here, static_cast<std::int64_t>(all.rank()) * 1'000'000, 0};
        slow_ranks slow{all, here, 700, 300};
        auto const read = ranks::try_read_clock(slow, clock.source(), {4, 60'000});
        if (!read || !read->known) return;
        std::int64_t const off = read->ahead - clock.ahead;
        if ((off < 0 ? -off : off) <= static_cast<std::int64_t>(read->error) && (all.rank() == 0) == (read->error == 0))
            ++right;
    });
    CHECK(right == size);
}

TEST_CASE("rank_clock: each call of a rank fails in turn, and the others come back in time, with a name or a clock "
          "that is not known") {
    for (std::size_t const faulty : {0u, 1u})
        for (unsigned fails = 0; fails < 11; ++fails) {
            world here;
            std::atomic<unsigned> errors{0}, back{0}, unknown{0};
            auto const begin = std::chrono::steady_clock::now();
            // The barrier: four calls of rank 0 and two of rank 1. Then for each rank a question, an answer and a result.
            bool const is_made = fails < (faulty == 0 ? 10u : 5u);
            test::as_ranks(3, [&](ranks::communicator& good) {
                test::failing_ranks all{good, good.rank() == faulty ? fails : 1000};
                skewed_clock const clock{&here, 5, 0};
                auto const read = ranks::try_read_clock(all, clock.source(), {1, is_made ? 40u : 60'000u});
                if (!read) ++errors;
                else if (!read->known || !read->silent.empty()) ++unknown;
                ++back;
            });
            INFO("rank ", faulty, ", call ", fails);
            CHECK(back == 3);
            CHECK((errors + unknown > 0) == is_made);
            CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds{60});
        }
}

TEST_CASE("rank_clock: a rank that does not come is named, and a clock that tells nothing is an error") {
    world here;
    std::atomic<unsigned> named{0}, known{0};
    test::as_ranks(3, [&](ranks::communicator& all) {
        if (all.rank() == 2) return;
        skewed_clock const clock{&here, 0, 0};
        auto const read = ranks::try_read_clock(all, clock.source(), {2, 600});
        if (read && read->known) ++known;
        if (read && read->silent.size() == 1 && read->silent[0].rank == 2) ++named;
    });
    CHECK(named == 2);
    CHECK(known == 2);
    test::as_ranks(1, [&](ranks::communicator& all) {
        auto const none = ranks::try_read_clock(all, {});
        REQUIRE_FALSE(none);
        CHECK(none.error().code == errc::unavailable);
    });
}

} // namespace rank_clock_test
