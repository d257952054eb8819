// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whether the first and the last replay pass left the same memory behind.
#ifndef GPUPROF_MEASURE_MEMORY_COMPARISON_HPP
#define GPUPROF_MEASURE_MEMORY_COMPARISON_HPP

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "../core/result.hpp"
#include "../detail/config.hpp"
#include "../hw/machine/device.hpp"
#include "../hw/machine/in_context.hpp"
#include "../hw/machine/platform/clock.hpp"
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

    // where_cheap: see profiler_options::compare_memory. What keeps it from being done is no error.
    enum class rule : unsigned char { off, on, where_cheap };

    // Forgets everything; a collection begins.
    void reset(rule how) {
        rule_ = how;
        reached_.clear();
        first_.clear();
        found_.reset();
        compared_ = false;
        began_ = platform::monotonic_nanoseconds();
    }
    // Only one pass is needed, which has nothing to compare with.
    void leave_out() noexcept { rule_ = rule::off; }
    [[nodiscard]] bool compares() const noexcept { return rule_ != rule::off; }
    [[nodiscard]] bool where_cheap() const noexcept { return rule_ == rule::where_cheap; }
    // Filled by the launches of the first pass; none after it.
    [[nodiscard]] hw::reached_memory& reached() noexcept { return reached_; }
    [[nodiscard]] hw::reached_memory const& reached() const noexcept { return reached_; }

    // After the first pass. Errors: of hw::memory_hasher; nothing is compared then.
    [[nodiscard]] result<void> try_take(device const& gpu) {
        if (where_cheap() && !is_cheap(gpu)) {
            rule_ = rule::off;
            return {};
        }
        auto taken = try_hash(gpu);
        if (taken && *taken) {
            first_ = **std::move(taken);
            return {};
        }
        bool const silent = where_cheap();
        rule_ = rule::off;
        if (!silent && !taken) return std::move(taken).error();
        return {};
    }
    // After the last pass. @pre try_take() succeeded
    [[nodiscard]] result<void> try_compare(device const& gpu) {
        auto hashed = try_hash(gpu);
        if (!hashed && !where_cheap()) return std::move(hashed).error();
        if (!hashed || !*hashed) return {};
        hashes const* const taken = &**hashed;
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

    // A 40th of what the collection has taken so far: both hashes are less than 5 % of it.
    [[nodiscard]] std::uint64_t allowed_time() const noexcept {
        return (platform::monotonic_nanoseconds() - began_) / 40;
    }
    // Module and calls take 0.2 to 0.6 ms, 1 GiB takes 0.9 ms without the copy, and with it more than 4
    // (H200). The embedded GPU's rule does not depend on time: it says the same in each run.
    [[nodiscard]] bool is_cheap(device const& gpu) const {
        constexpr std::size_t most_embedded = std::size_t{256} << 10;
        constexpr std::uint64_t start = 600'000, bytes_a_nanosecond = 200;
        std::size_t bytes = 0;
        for (auto const& item : reached_.items()) bytes += is_looked_at(gpu, item.span) ? item.span.bytes : 0;
        if (gpu.source() == device_source::embedded) return bytes != 0 && bytes <= most_embedded;
        return bytes != 0 && start + bytes / bytes_a_nanosecond <= allowed_time();
    }
    // Managed memory would migrate to the device, and that of the host and of other devices is slow.
    [[nodiscard]] bool is_looked_at(device const& gpu, hw::memory_span const& span) const {
        if (!where_cheap()) return true;
        unsigned type = abi::CU_MEMORYTYPE_DEVICE, managed = 0;
        auto const ask = gpu.driver().PointerGetAttribute;
        if (ask == nullptr) return true;
        auto asked = hw::in_context(gpu.driver(), gpu.context(), [&]() -> result<void> {
            if (ask(&type, abi::CU_POINTER_ATTRIBUTE_MEMORY_TYPE, span.begin) != abi::CUDA_SUCCESS) type = 0;
            if (ask(&managed, abi::CU_POINTER_ATTRIBUTE_IS_MANAGED, span.begin) != abi::CUDA_SUCCESS) managed = 0;
            return {};
        });
        return asked && type == abi::CU_MEMORYTYPE_DEVICE && managed == 0;
    }
    // Nothing: it would take too long.
    [[nodiscard]] result<std::optional<hashes>> try_hash(device const& gpu) const {
        bool const has_limit = where_cheap() && gpu.source() != device_source::embedded;
        std::uint64_t const until = has_limit ? platform::monotonic_nanoseconds() + allowed_time()
                                              : (std::numeric_limits<std::uint64_t>::max)();
        auto hasher = hw::memory_hasher::try_create(gpu);
        if (!hasher) return std::move(hasher).error();
        std::optional<hashes> all{std::in_place};
        for (auto const& item : reached_.items()) {
            // It was freed meanwhile: a kernel that read it would fail.
            if (!hw::is_still_there(gpu, item.span) || !is_looked_at(gpu, item.span)) {
                all->emplace_back();
            } else if (where_cheap()) {
                auto one = hasher->try_hash_copied(item.span, until);
                if (!one) return std::move(one).error();
                if (!*one) return std::optional<hashes>{};
                all->push_back(**std::move(one));
            } else {
                auto one = hasher->try_hash(item.span);
                if (!one) return std::move(one).error();
                all->push_back(*std::move(one));
            }
        }
        return result<std::optional<hashes>>{std::move(all)};
    }

    rule rule_ = rule::off;
    std::uint64_t began_ = 0;
    bool compared_ = false;
    hw::reached_memory reached_;
    hashes first_;
    std::optional<difference> found_;
};

} // namespace detail
GPUPROF_NAMESPACE_END

#endif // GPUPROF_MEASURE_MEMORY_COMPARISON_HPP
