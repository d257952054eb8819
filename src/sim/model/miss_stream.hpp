// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The requests of an SM to L2, kept until all SMs have run.
#ifndef GPUPROF_SRC_SIM_MODEL_MISS_STREAM_HPP
#define GPUPROF_SRC_SIM_MODEL_MISS_STREAM_HPP

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "../code/device_memory.hpp"
#include "access_lines.hpp"
#include "sectored_cache.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

enum class l2_operation : std::uint8_t { read, write, atomic, reduction };
inline constexpr std::size_t l2_operations = 4;

// One request: some sectors of a line.
class l2_request {
public:
    constexpr l2_request(l2_operation what, std::uint64_t line, sector_mask sectors, bool on_host = false) noexcept
        : bits_{line << 8 | std::uint64_t{on_host} << 7 | std::uint64_t{static_cast<std::uint8_t>(what)} << 4 |
                sectors} {}

    [[nodiscard]] constexpr l2_operation operation() const noexcept {
        return static_cast<l2_operation>(bits_ >> 4 & 0x7);
    }
    [[nodiscard]] constexpr bool is_on_host() const noexcept { return (bits_ >> 7 & 1) != 0; } // no device memory
    [[nodiscard]] constexpr std::uint64_t line() const noexcept { return bits_ >> 8; }
    [[nodiscard]] constexpr sector_mask sectors() const noexcept {
        return static_cast<sector_mask>(bits_ & all_sectors);
    }

private:
    std::uint64_t bits_;
};

// Requests and sectors are counted exactly. The requests themselves take at most 512 KiB: a stream
// that grows beyond that keeps only those to half of the sets of L2, then to a quarter, and so on;
// what L2 makes of the sets that are left stands for all (set sampling). Which sets stay depends on
// nothing but this SM's own requests.
class miss_stream {
public:
    static constexpr std::size_t limit = std::size_t{1} << 16;

    // @param l2 whose sets are sampled; must outlive the stream
    // @param memory that says which lines lie on the host; null if none do; must outlive the stream
    explicit miss_stream(sectored_cache const& l2, device_memory const* memory = nullptr) noexcept
        : l2_{&l2}, memory_{memory} {}

    void add(l2_operation what, std::uint64_t line, sector_mask sectors) {
        auto const kind = static_cast<std::size_t>(what);
        ++requests_[kind];
        sectors_[kind] += sector_count(sectors);
        bool const on_host = memory_ != nullptr && memory_->is_on_host(line * line_bytes);
        if (on_host) host_sectors_[kind] += sector_count(sectors);
        if (sampling_ != 0 && !is_sampled(line, sampling_)) return;
        if (stream_.size() == limit && !make_room_for(line)) return;
        stream_.emplace_back(what, line, sectors, on_host);
    }

    // Drops what a coarser sampling leaves out: only sets whose number is a multiple of 2 to the
    // power of `sampling` stay. @pre `sampling` is at least the stream's own
    void sample(unsigned sampling) {
        sampling_ = sampling;
        auto const left_out = [&](l2_request const& r) { return !is_sampled(r.line(), sampling); };
        stream_.erase(std::remove_if(stream_.begin(), stream_.end(), left_out), stream_.end());
    }

    [[nodiscard]] unsigned sampling() const noexcept { return sampling_; }
    [[nodiscard]] std::vector<l2_request> const& requests() const noexcept { return stream_; }
    [[nodiscard]] std::uint64_t request_count(l2_operation what) const noexcept {
        return requests_[static_cast<std::size_t>(what)];
    }
    [[nodiscard]] std::uint64_t sector_total(l2_operation what) const noexcept {
        return sectors_[static_cast<std::size_t>(what)];
    }
    [[nodiscard]] std::uint64_t host_sector_total(l2_operation what) const noexcept {
        return host_sectors_[static_cast<std::size_t>(what)];
    }

private:
    [[nodiscard]] bool is_sampled(std::uint64_t line, unsigned sampling) const noexcept {
        return (l2_->set_of(line) & ((std::uint32_t{1} << sampling) - 1)) == 0;
    }
    // At the coarsest only a few sets are left; should all requests go to them, later ones are
    // dropped.
    [[nodiscard]] bool make_room_for(std::uint64_t line) {
        while (stream_.size() == limit && sampling_ < coarsest) sample(sampling_ + 1);
        return stream_.size() < limit && is_sampled(line, sampling_);
    }
    static constexpr unsigned coarsest = 12;

    sectored_cache const* l2_;
    device_memory const* memory_;
    unsigned sampling_ = 0;
    std::vector<l2_request> stream_;
    std::array<std::uint64_t, l2_operations> requests_{};
    std::array<std::uint64_t, l2_operations> sectors_{};
    std::array<std::uint64_t, l2_operations> host_sectors_{}; // among them
};

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_MODEL_MISS_STREAM_HPP
