// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a rank passes on to rank 0: its report and those below it, summed up.
#ifndef GPUPROF_RANKS_RANK_MESSAGE_HPP
#define GPUPROF_RANKS_RANK_MESSAGE_HPP

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "../detail/config.hpp"
#include "../measure/report.hpp"
#include "rank_report.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace ranks::detail {

// A report as it is, of the lowest ranks that measured a share of the metrics.
struct share_report {
    std::uint64_t share = 0; // a hash of the metrics' names
    std::size_t rank = 0;
    std::uint64_t work = 0;
    std::string saved; // as saved_text() has it
};

struct rank_message {
    static constexpr std::size_t most_works = 16, most_problems = 16, most_shares = 64, reports_of_share = 2;

    struct row {
        std::size_t range = 0;  // ranges[range]
        std::size_t metric = 0; // metrics[metric]
        value_summary values{};
    };

    std::size_t heard = 0;
    std::size_t left_out = 0;
    std::vector<std::string> ranges{};
    std::vector<std::string> metrics{};
    std::vector<row> rows{};
    std::vector<like_ranks> work{};
    std::vector<silent_rank> silent{};
    std::vector<rank_place> places{};
    std::vector<error> problems{};
    std::vector<share_report> shares{};

    // Of one rank.
    [[nodiscard]] static rank_message of(report const& mine, std::size_t rank, bool with_share);
    void merge(rank_message&& other);
    [[nodiscard]] std::string written() const;
    // False for bytes that are no message.
    [[nodiscard]] static bool read(std::string_view bytes, rank_message& into);
    // Passes it through the tree. On rank 0 it is then that of all ranks.
    [[nodiscard]] result<void> try_reduce(communicator& ranks, std::uint64_t number, unsigned deadline_ms);
    // @param known metrics of the program, by which rows get their units
    // @param must_be_alike whether ranks that differ are a problem
    [[nodiscard]] rank_report report_of(communicator const& ranks, std::span<metric_info const> known,
                                        bool must_be_alike) &&;

private:
    // The place in a list, where it is put if there is room; else the list's size.
    [[nodiscard]] static std::size_t place(std::vector<std::string>& list, std::string_view name, std::size_t hint,
                                           std::size_t most);
    void forget_places();
};

// A hash of what a rank did: names and counts of ranges, and what was launched in them.
[[nodiscard]] std::uint64_t work_of(report const& of);

} // namespace ranks::detail
GPUPROF_NAMESPACE_END

#if GPUPROF_HEADER_ONLY
#include "rank_message.inl.hpp"
#endif

#endif // GPUPROF_RANKS_RANK_MESSAGE_HPP
