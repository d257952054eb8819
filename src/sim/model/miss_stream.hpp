// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The requests of an SM to L2, kept until all SMs have run.
#ifndef GPUPROF_SRC_SIM_MODEL_MISS_STREAM_HPP
#define GPUPROF_SRC_SIM_MODEL_MISS_STREAM_HPP

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <gpuprof/detail/builtin.hpp>
#include "../code/device_memory.hpp"
#include "../code/observer.hpp"
#include "access_lines.hpp"
#include "sectored_cache.hpp"
#include "slice_set.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

enum class l2_operation : std::uint8_t { read, write, atomic, reduction, compare }; // the last: and swap
inline constexpr std::size_t l2_operations = 5;

// What metrics tell requests apart by: the operation, the class of eviction, and whether the line lies in the host's
// memory or in that of another device, not in the device's own. A small number that indexes counts.
class l2_class {
public:
    static constexpr std::size_t count = 128;

    constexpr l2_class(l2_operation what, l2_eviction eviction = l2_eviction::normal, bool on_host = false,
                       bool of_peer = false) noexcept
        : bits_{static_cast<std::uint8_t>(static_cast<unsigned>(what) | unsigned{on_host} << 3 |
                                          static_cast<unsigned>(eviction) << 4 | unsigned{of_peer} << 6)} {}
    // @pre index < count, of a class that there is
    [[nodiscard]] static constexpr l2_class at(std::size_t index) noexcept {
        return {static_cast<l2_operation>(index & 0x7), static_cast<l2_eviction>(index >> 4 & 0x3),
                (index >> 3 & 1) != 0, (index >> 6 & 1) != 0};
    }

    [[nodiscard]] constexpr std::size_t index() const noexcept { return bits_; }
    [[nodiscard]] constexpr l2_operation operation() const noexcept { return static_cast<l2_operation>(bits_ & 0x7); }
    [[nodiscard]] constexpr bool is_on_host() const noexcept { return (bits_ >> 3 & 1) != 0; }
    [[nodiscard]] constexpr l2_eviction eviction() const noexcept { return static_cast<l2_eviction>(bits_ >> 4 & 0x3); }
    [[nodiscard]] constexpr l2_class on_host() const noexcept { return {operation(), eviction(), true}; }
    [[nodiscard]] constexpr l2_class of_peer() const noexcept { return {operation(), eviction(), false, true}; }

private:
    std::uint8_t bits_;
};

// One request: some sectors of a line.
class l2_request {
public:
    constexpr l2_request(l2_class what, std::uint64_t line, sector_mask sectors) noexcept
        : bits_{line << 11 | what.index() << 4 | sectors} {}

    [[nodiscard]] constexpr std::size_t class_index() const noexcept { return bits_ >> 4 & 0x7f; }
    [[nodiscard]] constexpr l2_operation operation() const noexcept {
        return static_cast<l2_operation>(bits_ >> 4 & 0x7);
    }
    // Not in the device's own memory.
    [[nodiscard]] constexpr bool is_elsewhere() const noexcept { return (bits_ >> 7 & 0x9) != 0; }
    [[nodiscard]] constexpr std::uint64_t line() const noexcept { return bits_ >> 11; }
    [[nodiscard]] constexpr sector_mask sectors() const noexcept {
        return static_cast<sector_mask>(bits_ & all_sectors);
    }

private:
    std::uint64_t bits_;
};

// Requests, their sectors, and those of them that were found.
struct l2_traffic {
    std::uint64_t requests = 0;
    std::uint64_t sectors = 0;
    std::uint64_t hits = 0;

    constexpr l2_traffic& operator+=(l2_traffic const& more) noexcept {
        requests += more.requests;
        sectors += more.sectors;
        hits += more.hits;
        return *this;
    }
};
using l2_traffic_by_class = std::array<l2_traffic, l2_class::count>;

// Requests, their sectors and turns of atomics are counted exactly. The requests themselves take at most 512 KiB:
// a stream that grows beyond that keeps only those to half of the sets of L2, then to a quarter, and
// so on; what L2 makes of the sets that are left stands for all (set sampling). How many stay depends
// on nothing but this SM's own requests; which, on a hash of the set, so that a stride has its share.
class miss_stream {
public:
    static constexpr std::size_t limit = std::size_t{1} << 16;
    static constexpr unsigned coarsest = 12;   // sampling
    static constexpr unsigned turns_bits = 12; // of a hash of the piece of a slice, or of a line
    // L2 cycles of a turn, in hundredths (last_time.txt, atomic_int_address and atomic_float_address): whole numbers, of
    // which the sum is the same in every order.
    static constexpr unsigned turn = 128;
    static constexpr unsigned float_turn = 308; // a sum of floats, until the next one of its line

    // @param l2 whose sets are sampled; must outlive the stream
    // @param memory that says which lines lie on the host; null if none do; must outlive the stream
    // @param slices an empty set
    // @param storage for requests, which are none of this stream's: an allocation less
    explicit miss_stream(sectored_cache const& l2, device_memory const* memory = nullptr, slice_set const& slices = {},
                         std::vector<l2_request> storage = {}) noexcept
        : l2_{&l2}, memory_{memory}, slices_{slices}, stream_{std::move(storage)} {
        stream_.clear();
    }

    void add(l2_class what, std::uint64_t line, sector_mask sectors) {
        if (memory_ != nullptr) {
            if (memory_->is_on_host(line * line_bytes)) what = what.on_host();
            else if (memory_->is_of_peer(line * line_bytes)) what = what.of_peer();
        }
        line = without_slot(line);
        l2_traffic& counted = traffic_[what.index()];
        ++counted.requests;
        counted.sectors += sector_count(sectors);
        slices_.add(line);
        if (sampling_ != 0 && !keeps(line)) return;
        if (stream_.size() == limit && !make_room_for(line)) return;
        stream_.emplace_back(what, line, sectors);
    }

    // Atomics, one of each address. A slice does those of a sector in one turn, and the turns one after the other. Sums of floats
    // take longer, but those of other lines go on meanwhile: 256 of them beside each other, to which all warps of an H200 add,
    // take 1.3 ms and not 3.1 (last_pairs_values.csv, bad_cluster_sums).
    void add_atomic(l2_class what, std::uint64_t line, sector_mask sectors, bool sums_floats) {
        if (turns_.empty()) turns_.resize(std::size_t{1} << turns_bits);
        std::uint64_t const place = without_slot(line), turns = sector_count(sectors);
        turns_of(slices_.piece_of(place)) += turns * turn;
        if (sums_floats) turns_of(~place) += turns * float_turn;
        add(what, line, sectors);
    }

    // Whether a set is looked at: one of every 2 to the power of `sampling` that lie side by side, and
    // with a finer sampling, too.
    [[nodiscard]] static constexpr bool is_sampled(std::uint32_t set, unsigned sampling) noexcept {
        for (unsigned bit = 0; bit < sampling; ++bit)
            if ((set >> bit & 1) != kept_half(set >> (bit + 1))) return false;
        return true;
    }

    // Drops what a coarser sampling leaves out. @pre `sampling` is at least the stream's own
    void sample(unsigned sampling) {
        sampling_ = sampling;
        auto const left_out = [&](l2_request const& r) { return !keeps(r.line()); };
        stream_.erase(std::remove_if(stream_.begin(), stream_.end(), left_out), stream_.end());
    }

    [[nodiscard]] unsigned sampling() const noexcept { return sampling_; }
    [[nodiscard]] std::vector<l2_request> const& requests() const noexcept { return stream_; }
    // For another stream. This one has no requests any more.
    [[nodiscard]] std::vector<l2_request> take_storage() noexcept { return std::exchange(stream_, {}); }
    // All that was asked for, of the sets that are not sampled, too. Hits are not known here.
    [[nodiscard]] l2_traffic_by_class const& traffic() const noexcept { return traffic_; }
    [[nodiscard]] slice_set const& slices() const noexcept { return slices_; }
    // Hundredths of L2 cycles that atomics take, by a hash of the piece of a slice, or of the line for sums of floats; empty if there
    // were none.
    [[nodiscard]] std::vector<std::uint64_t> const& turns() const noexcept { return turns_; }

    // Spreads evenly, whatever the stride.
    [[nodiscard]] static constexpr std::uint64_t line_hash(std::uint64_t line) noexcept {
        return line * 0x9e37'79b9'7f4a'7c15;
    }

private:
    [[nodiscard]] std::uint64_t& turns_of(std::uint64_t what) noexcept {
        return turns_[line_hash(what) >> (64 - turns_bits)];
    }
    [[nodiscard]] std::uint64_t without_slot(std::uint64_t line) const noexcept {
        return memory_ == nullptr ? line : memory_->without_slot(line * line_bytes) / line_bytes;
    }
    // Of two neighbours, by a hash of what they have in common.
    [[nodiscard]] static constexpr std::uint32_t kept_half(std::uint32_t pair) noexcept {
        std::uint32_t const mixed = pair * 0x9e37'79b1u;
        return (mixed ^ mixed >> 15) * 0x85eb'ca6bu >> 31;
    }
    [[nodiscard]] bool keeps(std::uint64_t line) const noexcept { return is_sampled(l2_->set_of(line), sampling_); }
    // At the coarsest only a few sets are left; should all requests go to them, later ones are
    // dropped.
    [[nodiscard]] bool make_room_for(std::uint64_t line) {
        while (stream_.size() == limit && sampling_ < coarsest) sample(sampling_ + 1);
        return stream_.size() < limit && keeps(line);
    }

    sectored_cache const* l2_;
    device_memory const* memory_;
    slice_set slices_;
    unsigned sampling_ = 0;
    std::vector<l2_request> stream_;
    l2_traffic_by_class traffic_{};
    std::vector<std::uint64_t> turns_;
};

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_MODEL_MISS_STREAM_HPP
