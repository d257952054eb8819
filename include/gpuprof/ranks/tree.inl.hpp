// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definitions of tree.hpp.
#ifndef GPUPROF_RANKS_TREE_INL_HPP
#define GPUPROF_RANKS_TREE_INL_HPP

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "message.hpp"
#include "tree.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace ranks::detail {

GPUPROF_INLINE agreement agree(communicator& ranks, std::uint64_t number, bool mine, unsigned deadline_ms) {
    agreement found{mine, {}};
    auto const read = [&found](std::string_view message) {
        message_reader from{message};
        bool const any = from.small() != 0;
        std::vector<silent_rank> silent;
        read_silent(from, silent);
        if (!from.whole()) return false;
        found.any = found.any || any;
        found.silent.insert(found.silent.end(), silent.begin(), silent.end());
        return true;
    };
    auto const written = [&found] {
        message_writer to;
        to.small(found.any ? 1 : 0);
        write_silent(to, found.silent);
        return to.take();
    };
    tree_place const place{ranks.rank(), ranks.size()};
    auto silent = try_take(ranks, number, deadline_ms, read);
    if (!silent) found.silent.push_back({ranks.rank(), place.ranks() - 1});
    else found.silent.insert(found.silent.end(), silent->begin(), silent->end());
    if (!place.is_root()) {
        std::size_t const pair[]{ranks.rank(), place.parent()};
        bool answered = false;
        if (try_pass_on(ranks, number, written(), deadline_ms)) {
            found = {false, {}};
            auto answer = ranks.try_gather({number, {}, pair, deadline_ms + deadline_ms / 2});
            answered = answer && answer->size() == 2 && (*answer)[1] && read(*(*answer)[1]);
        }
        if (!answered) found = {mine, {{place.parent(), 0}}};
    }
    std::vector<std::size_t> const below = place.below();
    for (std::size_t i = 1; i < below.size(); ++i) {
        std::size_t const pair[]{below[i], ranks.rank()};
        static_cast<void>(ranks.try_gather({number, written(), pair, deadline_ms}));
    }
    return found;
}

} // namespace ranks::detail
GPUPROF_NAMESPACE_END

#endif // GPUPROF_RANKS_TREE_INL_HPP
