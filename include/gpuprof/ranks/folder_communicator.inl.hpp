// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definitions of folder_communicator.hpp.
#ifndef GPUPROF_RANKS_FOLDER_COMMUNICATOR_INL_HPP
#define GPUPROF_RANKS_FOLDER_COMMUNICATOR_INL_HPP

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../hw/machine/platform/clock.hpp"
#include "../hw/machine/platform/directory.hpp"
#include "../hw/machine/platform/file.hpp"
#include "../hw/machine/platform/thread.hpp"
#include "../text/printable.hpp"
#include "folder_communicator.hpp"
#include "silent_rank.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace ranks {

GPUPROF_INLINE result<folder_communicator> folder_communicator::try_create(std::string folder, std::size_t rank,
                                                                           std::size_t size) {
    std::string const shown = gpuprof::detail::printable_path(folder);
    if (rank >= size)
        return error{errc::invalid_argument, 0,
                     "rank " + std::to_string(rank) + " of " + std::to_string(size) + " ranks", "ranks count from 0",
                     "give the number that the launcher gives this process"};
    static_cast<void>(platform::make_directory(folder)); // another rank may have been first
    std::string const mine = "." + std::to_string(rank) + ".to.";
    bool is_used = false;
    auto const look = [&](std::string_view name) { is_used = is_used || name.find(mine) != name.npos; };
    if (!platform::for_each_entry(folder, look))
        return error{errc::io, 0, "the folder \"" + shown + "\" can neither be made nor read",
                     "the folder around it does not exist, or this user may not",
                     "name a folder that all ranks can write"};
    if (is_used)
        return error{errc::invalid_state, 0, "the folder \"" + shown + "\" has messages of this rank already",
                     "an earlier run ended before they were read",
                     "give each run a folder of its own, or empty this one"};
    return folder_communicator{std::move(folder), rank, size};
}

GPUPROF_INLINE std::string folder_communicator::file_of(std::uint64_t number, std::size_t from, std::size_t to) const {
    return gpuprof::detail::joined(
        {folder_, "/", std::to_string(number), ".", std::to_string(from), ".to.", std::to_string(to)});
}

GPUPROF_INLINE result<messages> folder_communicator::try_gather(gather_call const& call) {
    messages got;
    if (call.ranks.empty()) return result<messages>{std::move(got)};
    std::size_t const to = call.ranks.front();
    if (to != rank_) {
        if (!platform::write_file(file_of(call.number, rank_, to), call.message))
            return error{errc::io, 0,
                         "no message can be written to \"" + gpuprof::detail::printable_path(folder_) + '"',
                         "the folder is gone, may not be written, or there is no room", "look at the folder"};
        return result<messages>{std::move(got)};
    }
    std::vector<std::size_t> waiting;
    for (std::size_t const each : call.ranks) {
        if (each == rank_) {
            got.emplace_back(std::string{call.message});
            continue;
        }
        waiting.push_back(got.size());
        got.emplace_back(problem_of({{each, 0}}));
    }
    std::uint64_t const until = platform::monotonic_nanoseconds() + std::uint64_t{call.deadline_ms} * 1'000'000;
    for (unsigned pause = 2; !waiting.empty();) {
        bool const is_last = platform::monotonic_nanoseconds() >= until;
        std::size_t left = 0;
        for (std::size_t const at : waiting) {
            std::string const file = file_of(call.number, call.ranks[at], rank_);
            if (auto message = platform::read_file(file)) {
                got[at] = *std::move(message);
                platform::remove_file(file);
            } else {
                waiting[left++] = at;
            }
        }
        if (left < waiting.size()) pause = 2; // one came, others may be near
        waiting.resize(left);
        if (is_last) break;
        constexpr unsigned longest_pause = 50; // 5 ms, for the file system's sake
        for (unsigned i = 0; i < pause && !waiting.empty(); ++i) platform::wait_a_little(100);
        pause = pause < longest_pause ? pause + 1 : pause;
    }
    return result<messages>{std::move(got)};
}

} // namespace ranks
GPUPROF_NAMESPACE_END

#endif // GPUPROF_RANKS_FOLDER_COMMUNICATOR_INL_HPP
