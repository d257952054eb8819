// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Counts of nested ranges, from what was counted between one boundary and the next.
#ifndef GPUPROF_HW_COUNTERS_EVENT_RANGE_COUNTS_HPP
#define GPUPROF_HW_COUNTERS_EVENT_RANGE_COUNTS_HPP

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "../../../detail/config.hpp"
#include "../../abi/cupti_event.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace hw {

// A row a range: one count a column, and the time in each replay pass. What is counted between two
// boundaries belongs to every range that is open then. Allocates in reset() only.
class range_counts {
public:
    void reset(std::size_t ranges, std::size_t depth, std::size_t columns, std::size_t replay_passes) {
        columns_ = columns;
        replay_passes_ = replay_passes;
        open_.clear();
        open_.reserve(depth);
        order_.clear();
        order_.reserve(ranges);
        seen_.assign(ranges, false);
        counts_.assign(ranges * columns, 0);
        elapsed_.assign(ranges * replay_passes, 0.0);
    }

    [[nodiscard]] std::size_t room() const noexcept { return seen_.size(); }
    [[nodiscard]] bool any_open() const noexcept { return !open_.empty(); }
    // Ranges by number, in the order of first opening.
    [[nodiscard]] std::span<std::uint32_t const> ranges() const noexcept { return order_; }

    // @pre id < room()
    void open(std::uint32_t id) {
        if (!seen_[id]) order_.push_back(id);
        seen_[id] = true;
        open_.push_back(id);
    }
    // @pre any_open()
    void close() noexcept { open_.pop_back(); }
    void close_all() noexcept { open_.clear(); }

    // Adds columns [first, last) of `counted`, and nanoseconds to the replay pass, to every open
    // range; to one that is open inside itself, once. A count that overflowed stays
    // abi::cupti_event_overflow.
    void add(std::span<std::uint64_t const> counted, std::size_t first, std::size_t last, std::size_t replay_pass,
             double nanoseconds) noexcept {
        for (std::size_t depth = 0; depth < open_.size(); ++depth) {
            if (is_open_below(depth)) continue;
            std::uint64_t* const row = counts_.data() + std::size_t{open_[depth]} * columns_;
            for (std::size_t column = first; column < last; ++column) {
                bool const lost =
                    row[column] == abi::cupti_event_overflow || counted[column] == abi::cupti_event_overflow;
                row[column] = lost ? abi::cupti_event_overflow : row[column] + counted[column];
            }
            elapsed_[std::size_t{open_[depth]} * replay_passes_ + replay_pass] += nanoseconds;
        }
    }

    [[nodiscard]] std::span<std::uint64_t const> counts(std::uint32_t id) const noexcept {
        return {counts_.data() + std::size_t{id} * columns_, columns_};
    }
    [[nodiscard]] double nanoseconds(std::uint32_t id, std::size_t replay_pass) const noexcept {
        return elapsed_[std::size_t{id} * replay_passes_ + replay_pass];
    }

private:
    [[nodiscard]] bool is_open_below(std::size_t depth) const noexcept {
        for (std::size_t i = 0; i < depth; ++i)
            if (open_[i] == open_[depth]) return true;
        return false;
    }

    std::size_t columns_ = 0;
    std::size_t replay_passes_ = 0;
    std::vector<std::uint32_t> open_;  // outermost first
    std::vector<std::uint32_t> order_; // of first opening
    std::vector<bool> seen_;           // what stands in order_
    std::vector<std::uint64_t> counts_;
    std::vector<double> elapsed_;
};

} // namespace hw
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_COUNTERS_EVENT_RANGE_COUNTS_HPP
