// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Joins the collectives of ranks by name and order.
#ifndef GPUPROF_RANKS_COLLECTIVE_JOIN_HPP
#define GPUPROF_RANKS_COLLECTIVE_JOIN_HPP

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "../detail/config.hpp"
#include "silent_rank.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace ranks::detail {

// One collective, over the ranks so far. Moments are of rank 0's clock.
struct joined_collective {
    std::uint64_t first_begin = 0, last_begin = 0, first_end = 0;
    std::uint32_t first_rank = 0, last_rank = 0, ranks = 0;
    std::uint32_t last_process = 0, last_thread = 0; // where the last one's kernel is in the file
};
// Those of one name and one stream, in order.
struct collective_sequence {
    std::uint64_t group = 0;
    std::uint64_t stream = 0;
    std::string name;
    std::vector<joined_collective> list{};
};

// What ranks tell each other before they write: by try_share().
struct trace_summary {
    static constexpr std::uint64_t no_time = ~std::uint64_t{0};
    std::uint64_t first_event = no_time; // in rank 0's clock
    std::size_t left_out = 0;
    std::vector<collective_sequence> sequences{};
    std::vector<silent_rank> silent{};

    void merge(trace_summary&& other);
    [[nodiscard]] std::string written() const;
    [[nodiscard]] static bool read(std::string_view bytes, trace_summary& into);
    [[nodiscard]] collective_sequence* find(std::uint64_t group, std::uint64_t stream, std::string_view name) noexcept;
};

} // namespace ranks::detail
GPUPROF_NAMESPACE_END

#if GPUPROF_HEADER_ONLY
#include "collective_join.inl.hpp"
#endif

#endif // GPUPROF_RANKS_COLLECTIVE_JOIN_HPP
