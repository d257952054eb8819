// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// When scopes began and ended on the host: bounded per-thread buffers, the later trace.
#ifndef GPUPROF_MEASURE_TIMELINE_HPP
#define GPUPROF_MEASURE_TIMELINE_HPP

#include <cstddef>
#include <cstdint>
#include <new>

#include "../detail/builtin.hpp"
#include "../detail/config.hpp"
#include "../hw/machine/platform/clock.hpp"
#include "../hw/machine/platform/thread.hpp"
#include "attached_timeline.hpp"
#include "scope.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace detail {

// One closed scope, as written on the hot path: four words.
struct tick_record {
    std::uint64_t begin;
    std::uint64_t end;
    char const* name;
    std::size_t size;
};

// The records of one thread. Written by that thread only; `count` is published after the record it
// covers.
struct thread_records {
    thread_records* next = nullptr;
    tick_record* data = nullptr;
    std::uint64_t owner = 0; // the timeline's identity
    std::size_t thread = 0;  // the identity of the writing thread
    std::size_t capacity = 0;
    std::size_t count = 0;
    std::size_t dropped = 0;
    std::size_t turns = 0; // how often it began anew at the start, where the newest are kept
};

// The buffer this thread wrote to last; a thread that alternates between timelines looks the other
// one up.
inline thread_local constinit thread_records* last_records = nullptr;

} // namespace detail

// One scope's time on the host, in nanoseconds of CLOCK_MONOTONIC. `name` is borrowed from the
// scope.
struct timeline_record {
    char const* name;
    std::size_t name_size;
    std::uint64_t begin_ns;
    std::uint64_t end_ns;
    std::size_t thread; // equal for records of one thread, else meaningless
};

// Records host begin and end of every scope opened on it, or on a profiler it is attached to, while
// started. Names are kept by pointer: they must live as long as the records are read (string
// literals do).
// Cost: two timestamps and one 32-byte write a scope; the first scope of a thread allocates that
// thread's buffer (attach_thread() does it ahead of time). A full buffer drops and counts: the new
// scopes, or with keep::newest the oldest ones. Memory: 32 bytes * capacity * threads.
// Thread-safe: scopes from any thread; visit() may run beside writers (but see keep::newest) and
// sees what was complete when it began. A profiler that it is attached to records nothing any more
// once the timeline is destroyed.
class timeline final : public scope_target {
public:
    // Which scopes a thread's full buffer keeps: those it has, so that records can be read beside
    // writers, or the last ones, for programs that run long and look back (stop the timeline, or
    // let its scopes end, before visit() or size() then).
    enum class keep : unsigned char { oldest, newest };

    // @param capacity the most records a thread can hold
    explicit timeline(std::size_t capacity = std::size_t{1} << 16, keep which = keep::oldest) noexcept
        : scope_target{&timeline::enter, &timeline::leave},
          newest_{which == keep::newest},
          capacity_{capacity < most ? capacity : most},
          origin_{platform::read_clocks()} {
        static std::uint64_t last_identity = 0;
        identity_ = detail::add_relaxed(last_identity, std::uint64_t{1});
        arm(true);
    }
    // @pre no scope on it is open
    ~timeline() {
        arm(false);
        {
            detail::attachment_lock const lock;
            for (detail::attached_timeline* at = attached_; at != nullptr; at = at->next_)
                detail::store_relaxed(at->to_, nullptr);
        }
        for (detail::thread_records* at = head_; at != nullptr;) {
            detail::thread_records* next = at->next;
            // Only this thread's cache can be reset; others compare the owner before use and never
            // see it again, since identities are not reused and buffers are not freed while a
            // thread may still hold the pointer.
            if (detail::last_records == at) detail::last_records = nullptr;
            delete[] at->data;
            at->data = nullptr;
            at->capacity = 0;
            detail::store_relaxed(at->owner, std::uint64_t{0});
            retire(at);
            at = next;
        }
    }
    timeline(timeline const&) = delete;
    timeline& operator=(timeline const&) = delete;

    void start() noexcept { arm(true); }
    void stop() noexcept { arm(false); }

    // Makes this thread's buffer now, so that no scope of it ever allocates. False when there is no
    // memory for it.
    bool attach_thread() noexcept {
        detail::thread_records const* const mine = records();
        if (mine == nullptr || mine->data == nullptr) return false;
        constexpr std::size_t records_a_page = 4096 / sizeof(detail::tick_record);
        for (std::size_t i = mine->count; i < mine->capacity; i += records_a_page) mine->data[i] = {};
        return true;
    }

    // Calls f(timeline_record const&) for every closed scope: by thread, in the order they closed.
    template <class F>
    void visit(F&& f) const {
        double const scale = platform::nanoseconds_per_tick(origin_);
        for (detail::thread_records const* at = head(); at != nullptr; at = at->next) {
            // The count first, everywhere: its thread writes it after the turns, so that a count
            // after a turn comes with the turn.
            std::size_t const count = detail::load_acquire(at->count);
            std::size_t const kept = detail::load_relaxed(at->turns) != 0 ? at->capacity : count;
            for (std::size_t i = 0; i < kept; ++i) { // after a turn, the oldest stands behind the newest
                std::size_t const place = kept == count ? i : (count + i) % kept;
                detail::tick_record const& r = at->data[place];
                f(timeline_record{r.name, r.size, to_nanoseconds(r.begin, scale), to_nanoseconds(r.end, scale),
                                  at->thread});
            }
        }
    }
    [[nodiscard]] std::size_t size() const noexcept {
        std::size_t sum = 0;
        for (detail::thread_records const* at = head(); at != nullptr; at = at->next) {
            std::size_t const count = detail::load_acquire(at->count);
            sum += detail::load_relaxed(at->turns) != 0 ? at->capacity : count;
        }
        return sum;
    }
    // Scopes that are not kept: the buffer of their thread was full, or there was no memory for
    // one.
    [[nodiscard]] std::size_t dropped() const noexcept {
        std::size_t sum = detail::load_relaxed(without_buffer_);
        for (detail::thread_records const* at = head(); at != nullptr; at = at->next)
            sum += detail::load_relaxed(at->dropped) + overwritten(*at);
        return sum;
    }

    // For targets that record into a timeline beside what they do themselves.
    void write(scope_name name, std::uint64_t begin_ticks) noexcept {
        detail::thread_records* mine = detail::last_records;
        if (mine == nullptr || detail::load_relaxed(mine->owner) != identity_) [[unlikely]] {
            mine = records();
            if (mine == nullptr) {
                detail::add_relaxed(without_buffer_, std::size_t{1});
                return;
            }
        }
        std::size_t at = mine->count; // only this thread writes it
        if (at == mine->capacity) [[unlikely]] {
            if (!newest_ || at == 0) {
                detail::store_relaxed(mine->dropped, detail::load_relaxed(mine->dropped) + 1);
                return;
            }
            detail::store_relaxed(mine->turns, detail::load_relaxed(mine->turns) + 1);
            at = 0;
        }
        mine->data[at] = {begin_ticks, platform::ticks(), name.data, name.length()};
        detail::store_release(mine->count, at + 1);
    }

private:
    static ticket enter(scope_target&, scope_name) noexcept { return {platform::ticks(), 0}; }
    static void leave(scope_target& self, scope_name name, ticket opened) noexcept {
        static_cast<timeline&>(self).write(name, opened.begin);
    }

    [[nodiscard]] std::uint64_t to_nanoseconds(std::uint64_t at, double scale) const noexcept {
        return origin_.nanoseconds + static_cast<std::uint64_t>(static_cast<double>(at - origin_.ticks) * scale);
    }

    [[nodiscard]] static std::size_t overwritten(detail::thread_records const& of) noexcept {
        std::size_t const count = detail::load_acquire(of.count);
        std::size_t const turns = detail::load_relaxed(of.turns);
        return turns != 0 ? (turns - 1) * of.capacity + count : 0;
    }

    [[nodiscard]] detail::thread_records const* head() const noexcept { return detail::load_acquire(head_); }

    // This thread's buffer on this timeline, made if need be; null without memory.
    GPUPROF_COLD detail::thread_records* records() noexcept {
        std::size_t const thread = platform::this_thread();
        for (detail::thread_records* at = detail::load_acquire(head_); at != nullptr; at = at->next) {
            if (at->thread != thread) continue;
            // Perhaps that of a thread that ended, whose identity this one got: go on behind all
            // that it wrote.
            static_cast<void>(detail::load_acquire(at->count));
            return detail::last_records = at;
        }
        detail::thread_records* made = new (std::nothrow) detail::thread_records;
        if (made == nullptr) return nullptr;
        made->data = new (std::nothrow) detail::tick_record[capacity_];
        made->capacity = made->data != nullptr ? capacity_ : 0;
        made->owner = identity_;
        made->thread = thread;
        made->next = detail::load_acquire(head_);
        while (!detail::exchange_weak(head_, made->next, made)) {}
        return detail::last_records = made;
    }

    // A small header per thread and timeline stays behind, reachable: another thread's cache may
    // still point at it.
    static void retire(detail::thread_records* header) noexcept {
        static detail::thread_records* retired = nullptr;
        header->next = detail::load_acquire(retired);
        while (!detail::exchange_weak(retired, header->next, header)) {}
    }

    // Beyond it even the new that does not throw would.
    static constexpr std::size_t most = static_cast<std::size_t>(-1) / 2 / sizeof(detail::tick_record);

    friend class detail::attached_timeline;

    bool newest_;
    std::size_t capacity_;
    platform::clock_pair origin_;
    std::uint64_t identity_ = 0;
    detail::thread_records* head_ = nullptr;
    std::size_t without_buffer_ = 0;
    detail::attached_timeline* attached_ = nullptr;
};

namespace detail {
inline void attached_timeline::attach(timeline* to) noexcept {
    if (to == nullptr) return;
    attachment_lock const lock;
    next_ = to->attached_;
    to->attached_ = this;
    store_relaxed(to_, to);
}
inline timeline* attached_timeline::detach() noexcept {
    attachment_lock const lock;
    timeline* const from = load_relaxed(to_);
    if (from == nullptr) return nullptr;
    attached_timeline** link = &from->attached_;
    while (*link != this) link = &(*link)->next_;
    *link = next_;
    store_relaxed(to_, nullptr);
    return from;
}
} // namespace detail

GPUPROF_NAMESPACE_END

#endif // GPUPROF_MEASURE_TIMELINE_HPP
