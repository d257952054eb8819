// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Assigns streams, and other sources of intervals, to tracks of a trace.
#ifndef GPUPROF_IO_TRACE_TRACKS_HPP
#define GPUPROF_IO_TRACE_TRACKS_HPP

#include <cstddef>
#include <cstdint>
#include <memory>

#include "../detail/config.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace io {

// The contents of a track.
enum class track_kind : unsigned char { stream, synchronization, overhead, unified_memory, compilation, others };

// A source of intervals that may overlap, and its lanes: intervals of one lane never overlap.
struct trace_track {
    static constexpr std::size_t lanes = 8;

    std::uint32_t process = 0; // that it is drawn under
    track_kind kind{};
    unsigned char named = 0; // lanes whose names are in the file
    char const* note = "";   // an addition to its name
    std::uint32_t context = 0;
    std::uint64_t stream = 0;
    std::uint32_t first_thread = 0; // number of its first lane in the file
    std::uint64_t ends[lanes]{};    // of the last interval of each lane

    // The first lane that is free at `start`; if none is, the last one, which then overlaps.
    struct place {
        std::size_t lane;
        bool overlaps;
    };
    [[nodiscard]] place occupy(std::uint64_t start, std::uint64_t end) noexcept {
        std::size_t lane = 0;
        while (lane + 1 < lanes && ends[lane] > start) ++lane;
        bool const overlaps = ends[lane] > start;
        if (end > ends[lane]) ends[lane] = end;
        return {lane, overlaps};
    }
};

// The tracks so far. Bounded: streams after the first `limit` share a track for each process of the
// file. A look-up costs about 5 ns. One thread at a time.
class trace_tracks {
public:
    static constexpr std::size_t limit = 2000;
    static constexpr std::uint32_t first_thread = 2'000'000'000; // above the numbers of Linux, and of GPUs as processes

    trace_tracks() : tracks_{new trace_track[capacity]}, slots_{new std::uint16_t[slots]{}} {}

    [[nodiscard]] trace_track& of(std::uint32_t process, track_kind kind, std::uint32_t context, std::uint64_t stream) {
        std::uint64_t hash = (stream + 1) * 0x9e3779b97f4a7c15u;
        hash = (hash ^ context) * 0xff51afd7ed558ccdu;
        hash = (hash ^ process ^ static_cast<std::uint64_t>(kind) << 32) * 0x9e3779b97f4a7c15u;
        for (std::size_t at = hash >> 52;; at = (at + 1) % slots) {
            if (slots_[at] == 0) {
                if (count_ >= limit && kind != track_kind::others) return of(process, track_kind::others, 0, 0);
                if (count_ == capacity) return tracks_[capacity - 1];
                trace_track& track = tracks_[count_];
                track.process = process;
                track.kind = kind;
                track.context = context;
                track.stream = stream;
                track.first_thread = first_thread + static_cast<std::uint32_t>(count_ * trace_track::lanes);
                slots_[at] = static_cast<std::uint16_t>(++count_);
                return track;
            }
            trace_track& track = tracks_[slots_[at] - 1u];
            if (track.stream == stream && track.context == context && track.process == process && track.kind == kind)
                return track;
        }
    }

private:
    static constexpr std::size_t slots = 4096;    // 2^(64 - 52)
    static constexpr std::size_t capacity = 2048; // tracks; those after the limit are for `others`

    std::unique_ptr<trace_track[]> tracks_;
    std::unique_ptr<std::uint16_t[]> slots_; // the number of a track, from 1 on
    std::size_t count_ = 0;
};

} // namespace io
GPUPROF_NAMESPACE_END

#endif // GPUPROF_IO_TRACE_TRACKS_HPP
