// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definitions of collective_join.hpp.
#ifndef GPUPROF_RANKS_COLLECTIVE_JOIN_INL_HPP
#define GPUPROF_RANKS_COLLECTIVE_JOIN_INL_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "collective_join.hpp"
#include "message.hpp"
#include "tree.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace ranks::detail {

GPUPROF_INLINE collective_sequence* trace_summary::find(std::uint64_t group, std::uint64_t stream,
                                                        std::string_view name) noexcept {
    for (collective_sequence& each : sequences)
        if (each.group == group && each.stream == stream && each.name == name) return &each;
    return nullptr;
}

GPUPROF_INLINE void trace_summary::merge(trace_summary&& other) {
    if (other.first_event < first_event) first_event = other.first_event;
    if (other.left_out > left_out) left_out = other.left_out;
    add_silent(silent, other.silent);
    for (collective_sequence& theirs : other.sequences) {
        collective_sequence* const mine = find(theirs.group, theirs.stream, theirs.name);
        if (mine == nullptr) {
            sequences.push_back(std::move(theirs));
            continue;
        }
        for (std::size_t i = 0; i < theirs.list.size(); ++i) {
            joined_collective const& add = theirs.list[i];
            if (i == mine->list.size()) {
                mine->list.push_back(add);
                continue;
            }
            joined_collective& to = mine->list[i];
            if (add.first_begin < to.first_begin) {
                to.first_begin = add.first_begin;
                to.first_rank = add.first_rank;
            }
            if (add.last_begin > to.last_begin) {
                to.last_begin = add.last_begin;
                to.last_rank = add.last_rank;
                to.last_process = add.last_process;
                to.last_thread = add.last_thread;
            }
            if (add.first_end < to.first_end) to.first_end = add.first_end;
            to.ranks += add.ranks;
        }
    }
}

GPUPROF_INLINE std::string trace_summary::written() const {
    message_writer to;
    to.number(first_event);
    to.small(left_out);
    write_silent(to, silent);
    to.list(sequences, [&](collective_sequence const& each) {
        to.number(each.group);
        to.number(each.stream);
        to.text(each.name);
        to.list(each.list, [&](joined_collective const& one) {
            to.number(one.first_begin);
            to.number(one.last_begin);
            to.number(one.first_end);
            for (std::uint32_t const part :
                 {one.first_rank, one.last_rank, one.ranks, one.last_process, one.last_thread})
                to.small(part);
        });
    });
    return to.take();
}

GPUPROF_INLINE bool trace_summary::read(std::string_view bytes, trace_summary& into) {
    message_reader from{bytes};
    into.first_event = from.number();
    into.left_out = from.small();
    read_silent(from, into.silent);
    from.list([&] {
        collective_sequence& each = into.sequences.emplace_back();
        each.group = from.number();
        each.stream = from.number();
        each.name = from.text();
        from.list([&] {
            joined_collective& one = each.list.emplace_back();
            one.first_begin = from.number();
            one.last_begin = from.number();
            one.first_end = from.number();
            for (std::uint32_t* const part :
                 {&one.first_rank, &one.last_rank, &one.ranks, &one.last_process, &one.last_thread})
                *part = static_cast<std::uint32_t>(from.small());
        });
    });
    return from.whole();
}

GPUPROF_INLINE result<bool> trace_summary::try_share(communicator& ranks, unsigned deadline_ms) {
    std::uint64_t const number = ranks.next_operation();
    tree_place const place{ranks.rank(), ranks.size()};
    std::vector<silent_rank> const gone = silent;
    auto const is_gone = [&](std::size_t rank) {
        return std::any_of(gone.begin(), gone.end(), [&](silent_rank const& each) { return each.rank == rank; });
    };
    if (!place.is_root() && is_gone(place.parent())) return false;
    auto const take = [&](std::string_view message) {
        trace_summary other;
        if (!read(message, other)) return false;
        merge(std::move(other));
        return true;
    };
    auto silent_here = try_take(ranks, number, deadline_ms, take, gone);
    if (!silent_here) return std::move(silent_here).error();
    add_silent(silent, *silent_here);
    bool has_all = true;
    if (!place.is_root()) {
        if (auto sent = try_pass_on(ranks, number, written(), deadline_ms); !sent) return std::move(sent).error();
        std::size_t const pair[]{ranks.rank(), place.parent()};
        auto answer = ranks.try_gather({number, {}, pair, deadline_ms + deadline_ms / 2});
        if (!answer) return std::move(answer).error();
        trace_summary all;
        has_all = answer->size() == 2 && (*answer)[1] && read(*(*answer)[1], all);
        if (has_all) *this = std::move(all);
        else silent.push_back({place.parent(), 0});
    }
    std::vector<std::size_t> const below = place.below();
    std::string const answer = has_all && below.size() > 1 ? written() : std::string{};
    for (std::size_t i = 1; i < below.size(); ++i) {
        if (is_gone(below[i])) continue;
        std::size_t const pair[]{below[i], ranks.rank()};
        auto sent = ranks.try_gather({number, answer, pair, deadline_ms});
        if (!sent) return std::move(sent).error();
    }
    return has_all;
}

} // namespace ranks::detail
GPUPROF_NAMESPACE_END

#endif // GPUPROF_RANKS_COLLECTIVE_JOIN_INL_HPP
