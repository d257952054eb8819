// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The tree by which ranks pass messages to rank 0 and answers back: as deep as the logarithm of their number.
#ifndef GPUPROF_RANKS_TREE_HPP
#define GPUPROF_RANKS_TREE_HPP

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../core/result.hpp"
#include "../detail/config.hpp"
#include "../hw/machine/platform/clock.hpp"
#include "agreement.hpp"
#include "communicator.hpp"
#include "message.hpp"
#include "silent_rank.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace ranks::detail {

// Where a rank stands: rank r passes on what ranks 16 r + 1 to 16 r + 16 send it. Up to 17 ranks send to rank 0 alone, so that
// each that is silent is known by name.
class tree_place {
public:
    static constexpr std::size_t fan_in = 16;

    tree_place(std::size_t rank, std::size_t size) noexcept : rank_{rank}, size_{size} {}

    [[nodiscard]] bool is_root() const noexcept { return rank_ == 0; }
    [[nodiscard]] std::size_t parent() const noexcept { return (rank_ - 1) / fan_in; } // @pre not the root
    // This rank, then the ranks that send to it.
    [[nodiscard]] std::vector<std::size_t> below() const {
        std::vector<std::size_t> list{rank_};
        for (std::size_t i = 1; i <= fan_in && fan_in * rank_ + i < size_; ++i) list.push_back(fan_in * rank_ + i);
        return list;
    }
    // Ranks of the subtree, this one included.
    [[nodiscard]] std::size_t ranks() const noexcept {
        std::size_t count = 0;
        for (std::size_t first = rank_, width = 1; first < size_; first = fan_in * first + 1, width *= fan_in)
            count += size_ - first < width ? size_ - first : width;
        return count;
    }
    // Levels below this rank; 0: nobody sends to it.
    [[nodiscard]] std::size_t height() const noexcept {
        std::size_t levels = 0;
        for (std::size_t first = rank_; fan_in * first + 1 < size_; first = fan_in * first + 1) ++levels;
        return levels;
    }

private:
    std::size_t rank_;
    std::size_t size_;
};

// How long a rank waits for those below it: the whole deadline at the root, less further down, so that a rank that waits in vain
// still passes on in time what it has.
[[nodiscard]] inline unsigned wait_of(communicator const& ranks, unsigned deadline_ms) noexcept {
    std::size_t const all = tree_place{0, ranks.size()}.height();
    std::size_t const mine = tree_place{ranks.rank(), ranks.size()}.height();
    if (all == 0) return deadline_ms;
    return static_cast<unsigned>(deadline_ms / 2 + std::uint64_t{deadline_ms} * mine / (2 * all));
}

// What is left of a deadline, in milliseconds; a 128th of it at least, since messages of the others are there after a deadline that
// one rank alone may have taken.
// @param until its end, by platform::monotonic_nanoseconds()
[[nodiscard]] inline unsigned left_ms(std::uint64_t until, unsigned deadline_ms) noexcept {
    constexpr std::uint64_t a_millisecond = 1'000'000;
    std::uint64_t const now = platform::monotonic_nanoseconds();
    unsigned const left = now < until ? static_cast<unsigned>((until - now + a_millisecond - 1) / a_millisecond) : 0;
    unsigned const least = deadline_ms / 128 + 1;
    return left < least ? least : left;
}

// A message from this rank to another, and the other way. Nothing: the other rank is silent.
[[nodiscard]] inline result<void> try_send_to(communicator& ranks, std::size_t to, std::uint64_t number,
                                              std::string_view message, unsigned deadline_ms) {
    std::size_t const pair[]{to, ranks.rank()};
    auto sent = ranks.try_gather({number, message, pair, deadline_ms});
    if (!sent) return std::move(sent).error();
    return {};
}
[[nodiscard]] inline result<std::optional<std::string>> try_hear_of(communicator& ranks, std::size_t from,
                                                                    std::uint64_t number, unsigned deadline_ms) {
    using answer = std::optional<std::string>;
    std::size_t const pair[]{ranks.rank(), from};
    auto got = ranks.try_gather({number, {}, pair, deadline_ms});
    if (!got) return std::move(got).error();
    if (got->size() != 2 || !(*got)[1]) return answer{};
    return result<answer>{answer{std::move(*(*got)[1])}};
}

[[nodiscard]] inline bool has_rank(std::vector<silent_rank> const& list, std::size_t rank) noexcept {
    for (silent_rank const& each : list)
        if (each.rank == rank) return true;
    return false;
}

// Gives merge() the message of each rank that sends to this one, one after another, so that there is never more than one in memory.
// Returns those that are silent, by rank.
// @param gone ranks that were silent before: nobody waits for them again
template <class Merge>
[[nodiscard]] result<std::vector<silent_rank>> try_take(communicator& ranks, std::uint64_t number, unsigned deadline_ms,
                                                        Merge merge, std::vector<silent_rank> const& gone = {}) {
    std::uint64_t const until =
        platform::monotonic_nanoseconds() + std::uint64_t{1'000'000} * wait_of(ranks, deadline_ms);
    std::vector<std::size_t> const below = tree_place{ranks.rank(), ranks.size()}.below();
    std::vector<silent_rank> silent;
    for (std::size_t i = 1; i < below.size(); ++i) {
        if (has_rank(gone, below[i])) continue;
        auto heard = try_hear_of(ranks, below[i], number, left_ms(until, deadline_ms));
        if (!heard) return std::move(heard).error();
        if (*heard && merge(std::string_view{**heard})) continue;
        silent.push_back({below[i], tree_place{below[i], ranks.size()}.ranks() - 1});
    }
    return silent;
}
// Sends to the rank above. @pre not rank 0
[[nodiscard]] inline result<void> try_pass_on(communicator& ranks, std::uint64_t number, std::string_view message,
                                              unsigned deadline_ms) {
    return try_send_to(ranks, tree_place{ranks.rank(), ranks.size()}.parent(), number, message, deadline_ms);
}

// Each rank once.
inline void add_silent(std::vector<silent_rank>& to, std::vector<silent_rank> const& more) {
    for (silent_rank const& each : more)
        if (!has_rank(to, each.rank)) to.push_back(each);
}
inline void write_silent(message_writer& to, std::vector<silent_rank> const& silent) {
    to.list(silent, [&](silent_rank const& each) {
        to.small(each.rank);
        to.small(each.behind);
    });
}
inline void read_silent(message_reader& from, std::vector<silent_rank>& into) {
    from.list([&] {
        std::size_t const rank = from.small();
        into.push_back({rank, from.small()});
    });
}

// Sums up something of each rank, and gives the sum to all. All ranks call it. Of an Item: merge(Item&&), written(), a static
// read(bytes, Item&), and `silent`, which has the ranks that were silent before: nobody waits for them. False: this rank did not
// get the sum, and has its own. Errors: io where it can neither send nor receive. All are back within two and a half deadlines.
template <class Item>
[[nodiscard]] result<bool> try_share(communicator& ranks, Item& mine, unsigned deadline_ms) {
    std::uint64_t const number = ranks.next_operation();
    tree_place const place{ranks.rank(), ranks.size()};
    std::vector<silent_rank> const gone = mine.silent;
    if (!place.is_root() && has_rank(gone, place.parent())) return false;
    auto const take = [&](std::string_view message) {
        Item other;
        if (!Item::read(message, other)) return false;
        mine.merge(std::move(other));
        return true;
    };
    auto silent_here = try_take(ranks, number, deadline_ms, take, gone);
    if (!silent_here) return std::move(silent_here).error();
    add_silent(mine.silent, *silent_here);
    bool has_all = true;
    if (!place.is_root()) {
        if (auto sent = try_pass_on(ranks, number, mine.written(), deadline_ms); !sent) return std::move(sent).error();
        auto answer = try_hear_of(ranks, place.parent(), number, deadline_ms + deadline_ms / 2);
        if (!answer) return std::move(answer).error();
        Item all;
        has_all = *answer && Item::read(**answer, all);
        if (has_all) mine = std::move(all);
        else mine.silent.push_back({place.parent(), 0});
    }
    std::vector<std::size_t> const below = place.below();
    std::string const answer = has_all && below.size() > 1 ? mine.written() : std::string{};
    for (std::size_t i = 1; i < below.size(); ++i) {
        if (has_rank(gone, below[i])) continue;
        if (auto sent = try_send_to(ranks, below[i], number, answer, deadline_ms); !sent)
            return std::move(sent).error();
    }
    return has_all;
}

} // namespace ranks::detail
GPUPROF_NAMESPACE_END

#if GPUPROF_HEADER_ONLY
#include "tree.inl.hpp"
#endif

#endif // GPUPROF_RANKS_TREE_HPP
