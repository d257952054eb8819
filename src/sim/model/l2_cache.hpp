// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The L2 cache of the whole GPU, and the device memory behind it.
#ifndef GPUPROF_SRC_SIM_MODEL_L2_CACHE_HPP
#define GPUPROF_SRC_SIM_MODEL_L2_CACHE_HPP

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "access_lines.hpp"
#include "../chip/chip_model.hpp"
#include "miss_stream.hpp"
#include "../counters/raw_counter.hpp"
#include "request_coalescer.hpp"
#include "sectored_cache.hpp"
#include "slice_set.hpp"
#include "spare_storage.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// Lives as long as its context: what one launch leaves behind the next one finds.
//
// L2 may have two partitions, each next to half of the SMs and home to half of the lines. A request
// goes to the near one; what that one is not the home of and has no copy of it asks the other for,
// which is one more access (counted as coming from another unit), and keeps a copy. Writes and
// atomics always go on to the home, and end all copies. Writes need no sector to be there: they
// count as found, and reach device memory when their line has to go, or when so many others of their
// set were written to. Device memory is read 64 bytes at a time where the chip reads pairs of sectors,
// 32 elsewhere. A sector that comes with another one counts as not found, too (promoted), where L1 or a
// partition asks for the other; so an H200 counts them (tests/hardware/last_l2_counts.txt).
class l2_cache {
public:
    explicit l2_cache(chip_model const& chip)
        : partitions_(static_cast<std::size_t>(chip.l2.partitions),
                      sectored_cache{chip.l2_bytes / static_cast<std::size_t>(chip.l2.partitions)}),
          sm_count_{static_cast<unsigned>(chip.count(hardware_unit::sm))},
          coalescer_{static_cast<unsigned>(chip.count(hardware_unit::gpc)), sm_count_, chip.l2.joins,
                     sets().set_count()},
          no_slices_{chip},
          slice_count_{chip.l2.slice_bytes == 0 ? 0 : static_cast<unsigned>(chip.count(hardware_unit::lts))},
          clusters_{static_cast<unsigned>(chip.count(hardware_unit::gpc))},
          dirty_ways_{chip.l2.dirty_ways},
          reads_pairs_{chip.l2.reads_pairs} {}

    // The shape that all partitions have.
    [[nodiscard]] sectored_cache const& sets() const noexcept { return partitions_.front(); }
    // What an SM asks for before its first request.
    [[nodiscard]] miss_stream stream_of_sm(device_memory const* memory) {
        return miss_stream{sets(), memory, no_slices_, streams_.take().value_or(std::vector<l2_request>{})};
    }
    // An empty cache for an SM, in the storage of one that was given back.
    [[nodiscard]] sectored_cache cache_of_sm(std::size_t bytes) {
        std::optional<sectored_cache> spare = sm_caches_.take();
        if (!spare || spare->bytes() != sectored_cache::bytes_of(bytes)) return sectored_cache{bytes};
        spare->forget();
        return *std::move(spare);
    }
    void give_back(sectored_cache cache_of_sm) { sm_caches_.give_back(std::move(cache_of_sm)); }

    // Everything that the SMs, numbered by their place in `sms`, asked for in a launch. SMs take
    // turns, a request each, so the order does not depend on how the host ran them; it stands for
    // SMs that make progress evenly. Streams are thinned to the coarsest of them; what happened to
    // the requests that are left then happens to all of their class. A set knows nothing of the
    // others, so that each of `threads` host threads can look after some. Streams are empty afterwards.
    void replay(std::span<miss_stream> sms, counter_values& counted, unsigned threads = 1);

    // L2 cycles that atomics of the last launch take where they take longest.
    [[nodiscard]] double hottest_atomics() const noexcept {
        return turns_.empty() ? 0 : static_cast<double>(*std::max_element(turns_.begin(), turns_.end())) / 100;
    }

    // A copy or fill by another unit than an SM. @param bytes at `address`, which device memory
    // need not hold; threads: as above
    void transfer(std::uint64_t address, std::uint64_t bytes, bool writes, counter_values& counted,
                  unsigned threads = 1);

    // The caches of clusters for code and constants read a line. Those next to its home come first, as
    // the way is shorter.
    // @param sectors of each cluster; is_there: L2 has them, since the launch was prepared
    void fetch(std::uint64_t line, std::span<sector_mask const> sectors, bool is_there, counter_values& counted);
    [[nodiscard]] unsigned clusters() const noexcept { return clusters_; }
    [[nodiscard]] unsigned sm_count() const noexcept { return sm_count_; }
    [[nodiscard]] unsigned cluster_of(std::size_t sm) const noexcept {
        return static_cast<unsigned>(sm * clusters_ / sm_count_);
    }

private:
    // Requests that an SM sends while it waits for one, as a coalescer takes it.
    static constexpr std::uint32_t l2_turns = 2;
    static constexpr std::uint32_t device_memory_turns = 16;

    // What became of the requests of a class.
    struct class_outcome {
        std::uint64_t sectors = 0; // looked at, those that joined others included
        l2_traffic nearest{};      // hits alone
        l2_traffic home{};         // of a line whose home is not near
        l2_traffic joined{};       // reads that L2 did not get
        std::uint64_t fetched = 0; // sectors
        std::uint64_t promoted = 0;
        std::uint64_t written_back = 0;
        std::uint64_t displaced = 0; // lines, of those looked at

        class_outcome& operator+=(class_outcome const& more) noexcept {
            sectors += more.sectors;
            nearest += more.nearest;
            home += more.home;
            joined += more.joined;
            fetched += more.fetched;
            promoted += more.promoted;
            written_back += more.written_back;
            displaced += more.displaced;
            return *this;
        }
        void scale(double factor) noexcept {
            for (l2_traffic* const side : {&nearest, &home, &joined})
                for (std::uint64_t* const n : {&side->requests, &side->sectors, &side->hits}) *n = scaled(*n, factor);
            fetched = scaled(fetched, factor);
            promoted = scaled(promoted, factor);
            written_back = scaled(written_back, factor);
        }
        static std::uint64_t scaled(std::uint64_t n, double factor) noexcept {
            return static_cast<std::uint64_t>(static_cast<double>(n) * factor + 0.5);
        }
    };
    using outcome = std::array<class_outcome, l2_class::count>;

    // The barriers that end a launch.
    void count_barriers(std::span<miss_stream const> sms, counter_values& counted) const noexcept;

    // From the requests to the sets that were looked at to all of a class.
    void scale(class_outcome& seen, l2_class what, l2_traffic const& asked) const noexcept;

    static void add_dram(class_outcome const& seen, counter_values& counted) noexcept {
        counted[raw_counter::dram_bytes_read] += seen.fetched * sector_bytes;
        counted[raw_counter::dram_bytes_written] += seen.written_back * sector_bytes;
    }

    [[nodiscard]] std::size_t home_of(std::uint64_t line) const noexcept {
        return partitions_.size() == 1 ? 0 : static_cast<std::size_t>(miss_stream::line_hash(line) >> 63);
    }

    cache_line& touch(std::size_t partition, std::uint64_t line, std::uint32_t set, class_outcome& seen) noexcept {
        cache_line evicted;
        cache_line& here = partitions_[partition].touch(line, set, evicted);
        seen.written_back += sector_count(evicted.dirty());
        seen.displaced += evicted.is_empty() ? 0 : 1;
        return here;
    }

    void write(std::size_t partition, cache_line& line, std::uint32_t set, sector_mask sectors,
               class_outcome& seen) noexcept {
        seen.written_back += sector_count(partitions_[partition].write(line, set, sectors, dirty_ways_));
    }

    // Host threads share the work by sets: every so manieth run of them, so that they do not write side by side.
    static constexpr std::uint8_t no_share = 0xff;
    static constexpr std::uint32_t share_run = 64;
    [[nodiscard]] static constexpr unsigned share_of(std::uint32_t set, unsigned shares) noexcept {
        return shares == 1 ? 0 : set / share_run % shares;
    }
    // Shares that are worth a thread each. @param lines that are asked for
    [[nodiscard]] static constexpr unsigned shares_of(std::uint64_t lines, unsigned threads) noexcept {
        constexpr std::uint64_t worth_a_thread = 1 << 14; // takes about half a millisecond
        constexpr std::uint64_t most = no_share;
        return static_cast<unsigned>(
            std::clamp<std::uint64_t>(lines / worth_a_thread, 1, std::clamp<std::uint64_t>(threads, 1, most)));
    }
    // Whose the requests of some turns are. @param owners of all turns, a byte for each SM in turn
    void assign(std::span<miss_stream const> sms, std::size_t from, std::size_t to, unsigned shares,
                std::span<std::uint8_t> owners) const noexcept;
    // The requests of a share. @param owners empty if all are its
    void take_share(std::span<miss_stream const> sms, std::size_t longest, unsigned share,
                    std::span<std::uint8_t const> owners, outcome& seen) noexcept;
    void take_in_turn(l2_request const& request, std::size_t turn, std::size_t sm, std::uint32_t set,
                      outcome& parts) noexcept;

    // The first half of the clusters lies next to the first partition.
    [[nodiscard]] std::size_t nearest_to(std::size_t sm) const noexcept { return sm * partitions_.size() / sm_count_; }

    // Of the clusters for code, whose i-th is next to the partition i * partitions / clusters.
    [[nodiscard]] std::size_t first_cluster_next_to(std::size_t partition) const noexcept {
        return (partition * clusters_ + partitions_.size() - 1) / partitions_.size();
    }

    // @param set the line's, in every partition
    void take(l2_request const& request, std::uint32_t set, std::size_t nearest, class_outcome& seen) noexcept {
        std::uint64_t const line = request.line();
        std::size_t const home = home_of(line);
        sector_mask wanted = request.sectors();
        std::uint64_t const displaced = seen.displaced;
        if (request.operation() != l2_operation::read) {
            for (std::size_t p = 0; p < partitions_.size(); ++p)
                if (p != home)
                    if (cache_line* const copy = partitions_[p].find(line, set)) copy->drop(wanted);
            if (nearest != home) {
                seen.nearest.hits += sector_count(wanted); // passed on
                unsigned const hits = take_home(request, set, home, wanted, false, seen);
                count_passed_on(seen.home, wanted, hits, seen.displaced != displaced);
            } else {
                seen.nearest.hits += take_home(request, set, home, wanted, true, seen);
            }
            return;
        }
        if (nearest == home) {
            seen.nearest.hits += take_home(request, set, home, wanted, true, seen);
            return;
        }
        cache_line& copy = touch(nearest, line, set, seen);
        auto const missing = static_cast<sector_mask>(wanted & ~copy.valid());
        seen.nearest.hits += sector_count(wanted) - sector_count(missing);
        if (missing == 0) return;
        auto const asked = static_cast<sector_mask>(with_pairs(missing) & ~copy.valid());
        seen.promoted += sector_count(asked) - sector_count(missing);
        unsigned const hits = take_home(request, set, home, asked, false, seen);
        count_passed_on(seen.home, asked, hits, seen.displaced != displaced);
        copy.fill(asked);
    }
    static void count(l2_traffic& what, sector_mask sectors, unsigned hits) noexcept {
        ++what.requests;
        what.sectors += sector_count(sectors);
        what.hits += hits;
    }
    // From one half to the other. Where a line has to make room, sectors go by pairs: an H200 passes on 4 sectors a request until some 36 MB
    // have gone through L2, and 1.9 to 2 of what comes then (tests/hardware/last_l2_counts.txt: write_quads_*, sweep_twice_*, copy_quads_*).
    static void count_passed_on(l2_traffic& what, sector_mask sectors, unsigned hits, bool displaces) noexcept {
        count(what, sectors, hits);
        if (displaces) what.requests += (sector_count(sectors) - 1) / 2;
    }

    // After a launch of which only some sets were looked at: brings the others to where they would be,
    // for the next launch. A line that came in, or that was written to, stands for its neighbours, up
    // to the next set that was looked at. What has to go for them was counted when the launch was
    // scaled up, so it is not counted again: a byte that was stored is written to device memory once.
    // Sets that were looked at stay as they are. @param share whose sets are brought there; see share_of()
    void spread(std::vector<sectored_cache> const& before, unsigned sampling, unsigned share, unsigned shares) noexcept;
    // A line in a partition, at home or a copy as another one is there; null for a line that is not
    // there unless it is to come in.
    struct neighbour {
        sectored_cache* cache;
        std::uint32_t set;
        cache_line* line;
    };
    [[nodiscard]] neighbour find_neighbour(std::size_t partition, cache_line const& of, std::uint64_t line,
                                           std::uint32_t set, bool comes_in) noexcept;

    [[nodiscard]] sector_mask with_pairs(sector_mask sectors) const noexcept {
        if (!reads_pairs_) return sectors;
        return static_cast<sector_mask>(sectors | (sectors & 0b0101) << 1 | (sectors & 0b1010) >> 1);
    }

    // At the line's home. Returns the sectors found.
    unsigned take_home(l2_request const& request, std::uint32_t set, std::size_t home, sector_mask wanted,
                       bool is_nearest, class_outcome& seen) noexcept {
        cache_line& here = touch(home, request.line(), set, seen);
        if (request.operation() == l2_operation::write) {
            if (request.is_elsewhere()) here.fill(wanted); // sent on at once
            else write(home, here, set, wanted, seen);
            return sector_count(wanted);
        }
        auto const missing = static_cast<sector_mask>(wanted & ~here.valid());
        bool const reads = request.operation() == l2_operation::read;
        // An atomic from the other half brings no neighbours.
        auto const fetched =
            static_cast<sector_mask>((reads || is_nearest ? with_pairs(missing) : missing) & ~here.valid());
        if (!request.is_elsewhere()) seen.fetched += sector_count(fetched);
        if (is_nearest) seen.promoted += sector_count(fetched) - sector_count(missing);
        here.fill(fetched);
        if (!reads && !request.is_elsewhere()) write(home, here, set, wanted, seen);
        return sector_count(wanted) - sector_count(missing);
    }

    std::vector<sectored_cache> partitions_;
    unsigned sm_count_;
    request_coalescer coalescer_;
    spare_storage<std::vector<l2_request>> streams_; // for those of the next launch
    spare_storage<sectored_cache> sm_caches_;        // the same
    std::vector<std::uint64_t> turns_;               // of atomics of the last launch
    slice_set no_slices_;
    unsigned slice_count_; // 0: not known to take barriers
    unsigned clusters_;
    unsigned dirty_ways_;
    bool reads_pairs_;
};

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_MODEL_L2_CACHE_HPP
