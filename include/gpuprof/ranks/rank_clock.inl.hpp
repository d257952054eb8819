// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definitions of rank_clock.hpp.
#ifndef GPUPROF_RANKS_RANK_CLOCK_INL_HPP
#define GPUPROF_RANKS_RANK_CLOCK_INL_HPP

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../hw/machine/platform/clock.hpp"
#include "message.hpp"
#include "rank_clock.hpp"
#include "tree.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace ranks {
namespace detail {

// Between a rank and the one above it in the tree. What the upper one sends:
enum class clock_question : unsigned char { time, result_known, result_unknown };

// Answers the rank above until that one tells the result.
[[nodiscard]] inline result<clock_reading> try_answer_clock(communicator& ranks, std::uint64_t number,
                                                            time_source clock, unsigned wait_ms) {
    clock_reading made;
    std::size_t const parent = tree_place{ranks.rank(), ranks.size()}.parent();
    for (;; ++number) {
        auto heard = try_hear_of(ranks, parent, number, wait_ms);
        if (!heard) return std::move(heard).error();
        message_reader from{*heard ? std::string_view{**heard} : std::string_view{}};
        auto const question = static_cast<clock_question>(from.small());
        if (from.ok() && question == clock_question::time) {
            message_writer to;
            to.number(clock.now(clock.of));
            if (auto sent = try_send_to(ranks, parent, number, to.take(), wait_ms); !sent)
                return std::move(sent).error();
            continue;
        }
        if (from.ok() && question == clock_question::result_known) {
            made.known = true;
            made.at = from.number();
            made.ahead = static_cast<std::int64_t>(from.number());
            made.error = from.number();
            made.round_trip = from.number();
        }
        if (!*heard) made.silent.push_back({parent, 0});
        return result<clock_reading>{std::move(made)};
    }
}

// Asks a rank below. False: it is silent.
[[nodiscard]] inline result<bool> try_ask_clock(communicator& ranks, std::size_t below, std::uint64_t number,
                                                time_source clock, clock_reading const& mine, unsigned rounds,
                                                std::uint64_t until, unsigned deadline_ms) {
    clock_reading best;
    for (unsigned round = 0; round < rounds; ++round, ++number) {
        unsigned const left = left_ms(until, deadline_ms);
        message_writer question;
        question.small(static_cast<std::size_t>(clock_question::time));
        std::string const text = question.take();
        std::uint64_t const asked = clock.now(clock.of);
        if (auto sent = try_send_to(ranks, below, number, text, deadline_ms); !sent) return std::move(sent).error();
        auto heard = try_hear_of(ranks, below, number, left);
        std::uint64_t const answered = clock.now(clock.of);
        if (!heard) return std::move(heard).error();
        if (!*heard) return false;
        message_reader from{**heard};
        std::uint64_t const theirs = from.number();
        if (!from.whole() || theirs == 0 || asked == 0 || answered < asked) continue; // set back meanwhile
        std::uint64_t const trip = answered - asked;
        if (best.known && trip >= best.round_trip) continue;
        best.known = true;
        best.round_trip = trip;
        best.at = theirs;
        best.ahead = static_cast<std::int64_t>(theirs - (asked + trip / 2));
    }
    message_writer told;
    if (best.known && mine.known) {
        told.small(static_cast<std::size_t>(clock_question::result_known));
        told.number(best.at);
        told.number(static_cast<std::uint64_t>(best.ahead + mine.ahead));
        told.number((best.round_trip + 1) / 2 + mine.error);
        told.number(best.round_trip);
    } else {
        told.small(static_cast<std::size_t>(clock_question::result_unknown));
    }
    if (auto sent = try_send_to(ranks, below, number, told.take(), deadline_ms); !sent) return std::move(sent).error();
    return true;
}

} // namespace detail

GPUPROF_INLINE result<clock_reading> try_read_clock(communicator& ranks, time_source clock,
                                                    clock_options const& options) {
    using gpuprof::detail::joined;
    std::uint64_t const number = ranks.next_operation();
    unsigned const rounds = options.rounds < 1 ? 1 : options.rounds > 1000 ? 1000 : options.rounds;
    if (clock.now == nullptr || clock.now(clock.of) == 0)
        return error{errc::unavailable, 0,
                     joined({"the clock of rank ", std::to_string(ranks.rank()), " tells nothing"}),
                     "there is no CUPTI in this process, or no clock was given", "give a clock that tells nanoseconds"};
    // So that ranks which come late cost one deadline, not a round trip that is long.
    auto const here = detail::agree(ranks, number, false, options.deadline_ms);
    detail::tree_place const place{ranks.rank(), ranks.size()};
    clock_reading mine;
    auto const is_silent = [&](std::size_t rank) {
        for (silent_rank const& each : here.silent)
            if (each.rank == rank) return true;
        return false;
    };
    if (place.is_root()) {
        mine.known = true;
        mine.at = clock.now(clock.of);
    } else {
        unsigned depth = 0;
        for (std::size_t up = ranks.rank(); up != 0; up = detail::tree_place{up, ranks.size()}.parent()) ++depth;
        auto answered = detail::try_answer_clock(ranks, number + 1, clock, 2 * depth * options.deadline_ms);
        if (!answered) return std::move(answered).error();
        mine = *std::move(answered);
    }
    mine.silent.insert(mine.silent.end(), here.silent.begin(), here.silent.end());
    std::uint64_t const until = platform::monotonic_nanoseconds() + std::uint64_t{1'000'000} * options.deadline_ms;
    std::vector<std::size_t> const below = place.below();
    for (std::size_t i = 1; i < below.size(); ++i) {
        if (is_silent(below[i])) continue;
        auto heard =
            detail::try_ask_clock(ranks, below[i], number + 1, clock, mine, rounds, until, options.deadline_ms);
        if (!heard) return std::move(heard).error();
        if (!*heard) mine.silent.push_back({below[i], detail::tree_place{below[i], ranks.size()}.ranks() - 1});
    }
    return result<clock_reading>{std::move(mine)};
}

} // namespace ranks
GPUPROF_NAMESPACE_END

#endif // GPUPROF_RANKS_RANK_CLOCK_INL_HPP
