// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The L1 data cache of an SM: its contents, and its requests to L2.
#ifndef GPUPROF_SRC_SIM_MODEL_L1_CACHE_HPP
#define GPUPROF_SRC_SIM_MODEL_L1_CACHE_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "access_lines.hpp"
#include "../chip/chip_model.hpp"
#include "miss_stream.hpp"
#include "sectored_cache.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// What is left of an SM's memory for caching when CTAs on it take `shared_bytes` of shared memory
// in all: shared memory comes in a few sizes, of which the driver takes the least that is enough
// (CUDA programming guide, "Shared memory").
[[nodiscard]] constexpr std::size_t l1_data_bytes(chip_model const& chip, std::size_t shared_bytes) noexcept {
    constexpr std::size_t kibibytes[] = {0, 8, 16, 32, 64, 96, 100, 132, 164, 196, 228};
    constexpr std::size_t least = std::size_t{16} << 10;
    std::size_t shared = chip.shared_bytes_per_sm;
    for (std::size_t const size : kibibytes)
        if (size * 1024 >= shared_bytes) {
            shared = size * 1024;
            break;
        }
    std::size_t const all = chip.l1_bytes;
    return (std::max)(all - (std::min)(shared, all), least);
}

// Everything is written through. A store finds its sectors when their line is there, loaded or
// stored to before, as an H200 counts them; loads bring data, and so do stores of whole sectors.
// What a launch finds here is nothing: L1 is invalidated between kernels. Each function takes
// sectors of one line and returns how many of them were found.
class l1_cache {
public:
    // @param storage an empty cache
    l1_cache(sectored_cache storage, miss_stream to_l2) : cache_{std::move(storage)}, to_l2_{std::move(to_l2)} {}

    unsigned load(std::uint64_t line, sector_mask sectors, l2_eviction eviction) {
        cache_line& here = cache_.touch_clean(line);
        auto const missing = static_cast<sector_mask>(sectors & ~here.valid());
        if (missing != 0) {
            to_l2_.add({l2_operation::read, eviction}, line, missing);
            here.fill(missing);
        }
        return sector_count(sectors) - sector_count(missing);
    }
    // L1 neither has it nor keeps it.
    unsigned load_past(std::uint64_t line, sector_mask sectors, l2_eviction eviction) {
        to_l2_.add({l2_operation::read, eviction}, line, sectors);
        return 0;
    }
    // @param whole those sectors of which every byte is stored; sent: those that go to L2 by themselves
    unsigned store(std::uint64_t line, sector_mask sectors, sector_mask whole, sector_mask sent, l2_eviction eviction) {
        std::uint32_t const set = cache_.set_of(line);
        cache_line* here = cache_.find(line, set);
        bool const found = here != nullptr;
        if (!found) here = &cache_.begin_clean(line, set);
        here->fill(whole);
        if (sent != 0) to_l2_.add({l2_operation::write, eviction}, line, sent);
        return found ? sector_count(sectors) : 0;
    }
    // Local memory is the SM's own, so what was stored can be loaded again.
    unsigned local_store(std::uint64_t line, sector_mask sectors, l2_eviction eviction) {
        cache_line& here = cache_.touch_clean(line);
        unsigned const found = sector_count(sectors & here.valid());
        here.fill(sectors);
        to_l2_.add({l2_operation::write, eviction}, line, sectors);
        return found;
    }
    // Done by L2; the copy here is no longer true.
    unsigned atomic(std::uint64_t line, sector_mask sectors, l2_class what, bool sums_floats) {
        if (cache_line* const here = cache_.find(line)) here->drop(sectors);
        to_l2_.add_atomic(what, line, sectors, sums_floats);
        return 0;
    }

    [[nodiscard]] miss_stream& to_l2() noexcept { return to_l2_; }
    // For another cache. This one is not to be used any more.
    [[nodiscard]] sectored_cache take_storage() noexcept { return std::move(cache_); }

private:
    sectored_cache cache_; // clean
    miss_stream to_l2_;
};

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_MODEL_L1_CACHE_HPP
