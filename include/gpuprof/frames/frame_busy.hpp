// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Computes from activity records how long frames, and scopes in them, kept the GPU busy.
#ifndef GPUPROF_FRAMES_FRAME_BUSY_HPP
#define GPUPROF_FRAMES_FRAME_BUSY_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "../detail/builtin.hpp"
#include "../detail/config.hpp"
#include "../hw/machine/platform/mutex.hpp"
#include "frame_calls.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace detail {

// Work belongs to the frame and to the scopes in which its call was made. A busy time is the length
// of the union of the work's intervals: work side by side counts once. A frame is settled, in order,
// when each of its calls has a record, or when a record of a later frame has come. Fixed memory.
//
// Calls come from any thread; records from one thread at a time; end_frame() and take() from the
// thread of the frames.
class frame_busy {
public:
    static constexpr std::size_t frames_room = 256;   // frames that are not settled
    static constexpr std::size_t pieces_room = 32768; // records of them
    static constexpr std::size_t values_room = 8192;  // values that are not taken
    static constexpr std::uint32_t many = 1u << 24;   // records of a call: nobody knows how many

    // @param scopes the names of scopes that there can be
    explicit frame_busy(std::size_t scopes) : calls_of_(frames_room), times_(scopes) {
        pieces_.reserve(pieces_room);
        values_.reserve(values_room);
        touched_.reserve(scopes);
    }

    // ---- calls ----------------------------------------------------------------------------------

    // A call that starts work begins.
    void begin_call(std::uint32_t correlation, std::uint16_t node) noexcept {
        calls_.note(correlation, {load_relaxed(frame_), node});
    }
    // It ended without an error. @param records that are expected of it
    void end_call(std::uint32_t correlation, std::uint32_t records) noexcept {
        if (auto const call = calls_.find(correlation, load_relaxed(frame_)))
            add_relaxed(calls_of_[call->frame % frames_room], records);
    }
    // The first frame begins: calls until now are of none.
    void begin_first_frame() noexcept {
        if (load_relaxed(frame_) == 0) store_release(frame_, std::uint64_t{1});
    }
    // Frame `ended` is over: calls from now on are of the next one.
    void end_frame(std::uint64_t ended) noexcept {
        store_relaxed(calls_of_[(ended + 1) % frames_room], 0u);
        store_release(frame_, ended + 1);
    }
    [[nodiscard]] frame_scope_nodes& nodes() noexcept { return nodes_; }

    // ---- records --------------------------------------------------------------------------------

    void add(std::uint32_t correlation, std::uint64_t begin, std::uint64_t end) noexcept {
        auto const call = calls_.find(correlation, load_acquire(frame_));
        if (!call || call->frame == 0 || begin == 0 || end < begin) return;
        newest_ = call->frame > newest_ ? call->frame : newest_;
        if (call->frame < next_ || pieces_.size() == pieces_room) {
            add_relaxed(lost_, std::uint64_t{1});
            return;
        }
        pieces_.push_back({call->frame, begin, end, call->node});
    }
    // Makes the values of all frames that have their records.
    void settle() noexcept {
        std::sort(pieces_.begin(), pieces_.end(), [](piece const& a, piece const& b) {
            return a.frame != b.frame ? a.frame < b.frame : a.begin < b.begin;
        });
        std::uint64_t const now = load_acquire(frame_);
        std::size_t at = 0;
        for (; next_ < now; ++next_) {
            std::size_t end = at;
            while (end != pieces_.size() && pieces_[end].frame == next_) ++end;
            bool const forgotten = now - next_ >= frames_room - 2;
            bool const complete =
                end - at >= load_relaxed(calls_of_[next_ % frames_room]) || newest_ > next_ || forgotten;
            if (!complete) break;
            if (forgotten) add_relaxed(lost_, std::uint64_t{1});
            else measure(at, end);
            at = end;
        }
        pieces_.erase(pieces_.begin(), pieces_.begin() + static_cast<std::ptrdiff_t>(at));
    }

    // ---- values ---------------------------------------------------------------------------------

    static constexpr std::size_t whole_frame = static_cast<std::size_t>(-1);

    // Calls f(frame, scope or whole_frame, nanoseconds) for the new values, in the order of frames.
    template <class F>
    void take(F&& f) noexcept {
        platform::lock const held{values_mutex_};
        for (value const& each : values_) f(each.frame, each.scope, static_cast<double>(each.busy));
        values_.clear();
    }
    // Records that came late or found no room, frames that nobody had records of, values without room.
    [[nodiscard]] std::uint64_t lost() const noexcept { return load_relaxed(lost_); }

private:
    struct piece {
        std::uint64_t frame;
        std::uint64_t begin;
        std::uint64_t end;
        std::uint16_t node;
    };
    struct value {
        std::uint64_t frame;
        std::size_t scope;
        std::uint64_t busy;
    };
    // The union of intervals that come in the order of their begins.
    struct busy_time {
        std::uint64_t until = 0;
        std::uint64_t length = 0;
        void add(std::uint64_t begin, std::uint64_t end) noexcept {
            if (begin < until) begin = until;
            if (end <= begin) return;
            length += end - begin;
            until = end;
        }
    };

    // The values of frame next_, whose records are there.
    void measure(std::size_t at, std::size_t const end) noexcept {
        busy_time whole;
        touched_.clear();
        for (; at != end; ++at) {
            piece const& each = pieces_[at];
            whole.add(each.begin, each.end);
            for (std::uint16_t node = each.node; node != 0; node = nodes_[node].parent) {
                std::size_t const scope = nodes_[node].scope;
                if (scope >= times_.size()) continue;
                if (times_[scope].until == 0) touched_.push_back(scope);
                times_[scope].add(each.begin, each.end);
            }
        }
        platform::lock const held{values_mutex_};
        publish(whole_frame, whole.length);
        for (std::size_t const scope : touched_) {
            publish(scope, times_[scope].length);
            times_[scope] = {};
        }
    }
    void publish(std::size_t scope, std::uint64_t busy) noexcept {
        if (values_.size() == values_room) add_relaxed(lost_, std::uint64_t{1});
        else values_.push_back({next_, scope, busy});
    }

    frame_calls calls_;
    frame_scope_nodes nodes_;
    std::uint64_t frame_ = 0;             // that calls are of now; 0: of none
    std::vector<std::uint32_t> calls_of_; // records that are expected, by frame
    std::vector<piece> pieces_;           // of frames that are not settled
    std::vector<busy_time> times_;        // by scope
    std::vector<std::size_t> touched_;    // scopes with a time
    std::uint64_t next_ = 1;              // the oldest frame that is not settled
    std::uint64_t newest_ = 0;            // that a record came of
    std::uint64_t lost_ = 0;
    platform::mutex values_mutex_;
    std::vector<value> values_;
};

} // namespace detail
GPUPROF_NAMESPACE_END

#endif // GPUPROF_FRAMES_FRAME_BUSY_HPP
