// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definitions of collective_join.hpp.
#ifndef GPUPROF_RANKS_COLLECTIVE_JOIN_INL_HPP
#define GPUPROF_RANKS_COLLECTIVE_JOIN_INL_HPP

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

} // namespace ranks::detail
GPUPROF_NAMESPACE_END

#endif // GPUPROF_RANKS_COLLECTIVE_JOIN_INL_HPP
