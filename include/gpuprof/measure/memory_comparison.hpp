// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whether the first and the last replay pass left the same memory behind.
#ifndef GPUPROF_MEASURE_MEMORY_COMPARISON_HPP
#define GPUPROF_MEASURE_MEMORY_COMPARISON_HPP

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "../core/result.hpp"
#include "../detail/config.hpp"
#include "../hw/machine/device.hpp"
#include "../hw/memory/memory_hash.hpp"
#include "../hw/memory/reached_memory.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace detail {

// Hashes of what the launches of the first pass reached: after that pass, and after the last one.
class memory_comparison {
public:
    struct difference {
        hw::memory_span allocation;
        std::size_t offset = 0; // of the first chunk that differs, in bytes
        std::size_t chunks = 0; // that differ, in all allocations
        std::size_t of = 0;     // chunks that were compared
        std::size_t range = 0;  // the innermost that reached the allocation first
    };

    // Forgets everything; a collection that compares begins, or one that does not.
    void reset(bool compares) {
        compares_ = compares;
        reached_.clear();
        first_.clear();
        found_.reset();
        compared_ = false;
    }
    [[nodiscard]] bool compares() const noexcept { return compares_; }
    // Filled by the launches of the first pass; none after it.
    [[nodiscard]] hw::reached_memory& reached() noexcept { return reached_; }
    [[nodiscard]] hw::reached_memory const& reached() const noexcept { return reached_; }

    // After the first pass. Errors: of hw::memory_hasher; nothing is compared then.
    [[nodiscard]] result<void> try_take(device const& gpu) {
        auto taken = try_hash(gpu);
        if (!taken) {
            compares_ = false;
            return std::move(taken).error();
        }
        first_ = *std::move(taken);
        return {};
    }
    // After the last pass. @pre try_take() succeeded
    [[nodiscard]] result<void> try_compare(device const& gpu) {
        auto taken = try_hash(gpu);
        if (!taken) return std::move(taken).error();
        compared_ = true;
        difference all;
        bool differs = false;
        for (std::size_t i = 0; i < first_.size(); ++i) // what was freed, or is new, has nothing to compare with
            for (std::size_t chunk = 0; chunk < first_[i].size() && chunk < (*taken)[i].size(); ++chunk) {
                ++all.of;
                if (first_[i][chunk] == (*taken)[i][chunk]) continue;
                ++all.chunks;
                if (std::exchange(differs, true)) continue;
                all.allocation = reached_.items()[i].span;
                all.offset = chunk * hw::hashed_chunk;
                all.range = reached_.items()[i].first;
            }
        if (differs) found_ = all;
        return {};
    }
    [[nodiscard]] bool compared() const noexcept { return compared_; }
    [[nodiscard]] std::optional<difference> const& found() const noexcept { return found_; }

private:
    using hashes = std::vector<std::vector<std::uint64_t>>; // of each item's chunks

    [[nodiscard]] result<hashes> try_hash(device const& gpu) const {
        auto hasher = hw::memory_hasher::try_create(gpu);
        if (!hasher) return std::move(hasher).error();
        hashes all;
        for (auto const& item : reached_.items()) {
            if (!hw::is_still_there(gpu, item.span)) { // it was freed meanwhile: a kernel that read it would fail
                all.emplace_back();
                continue;
            }
            auto one = hasher->try_hash(item.span);
            if (!one) return std::move(one).error();
            all.push_back(*std::move(one));
        }
        return all;
    }

    bool compares_ = false;
    bool compared_ = false;
    hw::reached_memory reached_;
    hashes first_;
    std::optional<difference> found_;
};

} // namespace detail
GPUPROF_NAMESPACE_END

#endif // GPUPROF_MEASURE_MEMORY_COMPARISON_HPP
