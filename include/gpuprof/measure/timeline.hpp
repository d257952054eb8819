// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// When scopes began and ended on the host: bounded per-thread buffers, the later trace. Layer: measure.
#ifndef GPUPROF_MEASURE_TIMELINE_HPP
#define GPUPROF_MEASURE_TIMELINE_HPP

#include <cstddef> // std::size_t
#include <cstdint> // std::uint64_t
#include <new>     // std::nothrow

#include "../detail/builtin.hpp"
#include "../detail/config.hpp"
#include "../hw/machine/platform/clock.hpp"
#include "../hw/machine/platform/thread.hpp"
#include "scope.hpp"

GPUPROF_NAMESPACE_BEGIN

class timeline;

namespace detail {

// One closed scope, as written on the hot path: four words.
struct tick_record {
    std::uint64_t begin;
    std::uint64_t end;
    char const* name;
    std::size_t size;
};

// The records of one thread. Written by that thread only; `count` is published after the record it covers.
struct thread_records {
    thread_records* next = nullptr;
    tick_record* data = nullptr;
    std::uint64_t owner = 0; // the timeline's identity
    std::size_t thread = 0;  // the identity of the writing thread
    std::size_t capacity = 0;
    std::size_t count = 0;
    std::size_t dropped = 0;
};

// The buffer this thread wrote to last; a thread that alternates between timelines looks the other one up.
inline thread_local constinit thread_records* last_records = nullptr;

} // namespace detail

// One scope's time on the host, in nanoseconds of CLOCK_MONOTONIC. `name` is borrowed from the scope.
struct timeline_record {
    char const* name;
    std::size_t name_size;
    std::uint64_t begin_ns;
    std::uint64_t end_ns;
    std::size_t thread; // equal for records of one thread, else meaningless
};

// Records host begin and end of every scope opened on it, or on a profiler it is attached to, while started.
// Names are kept by pointer: they must live as long as the records are read (string literals do).
// Cost: two timestamps and one 32-byte write a scope; the first scope of a thread allocates that thread's buffer
// (attach_thread() does it ahead of time). A full buffer drops and counts. Memory: 32 bytes * capacity * threads.
// Thread-safe: scopes from any thread; visit() may run beside writers and sees what was complete when it began.
class timeline final : public scope_target {
public:
    // @param capacity the most records a thread can hold
    explicit timeline(std::size_t capacity = std::size_t{1} << 16) noexcept
        : scope_target{&timeline::enter, &timeline::leave},
          capacity_{capacity < most ? capacity : most},
          origin_{platform::read_clocks()} {
        static std::uint64_t last_identity = 0;
        identity_ = detail::add_relaxed(last_identity, std::uint64_t{1});
        arm(true);
    }
    // @pre no scope on it is open
    ~timeline() {
        arm(false);
        for (detail::thread_records* at = head_; at != nullptr;) {
            detail::thread_records* next = at->next;
            // Only this thread's cache can be reset; others compare the owner before use and never see it again, since
            // identities are not reused and buffers are not freed while a thread may still hold the pointer.
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

    // Makes this thread's buffer now, so that no scope of it ever allocates. False when there is no memory for it.
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
            std::size_t const count = detail::load_acquire(at->count);
            for (std::size_t i = 0; i < count; ++i) {
                detail::tick_record const& r = at->data[i];
                f(timeline_record{r.name, r.size, to_nanoseconds(r.begin, scale), to_nanoseconds(r.end, scale),
                                  at->thread});
            }
        }
    }
    [[nodiscard]] std::size_t size() const noexcept {
        std::size_t sum = 0;
        for (detail::thread_records const* at = head(); at != nullptr; at = at->next)
            sum += detail::load_acquire(at->count);
        return sum;
    }
    // Scopes that found their thread's buffer full (or no memory for one).
    [[nodiscard]] std::size_t dropped() const noexcept {
        std::size_t sum = detail::load_relaxed(without_buffer_);
        for (detail::thread_records const* at = head(); at != nullptr; at = at->next)
            sum += detail::load_relaxed(at->dropped);
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
        std::size_t const at = mine->count; // only this thread writes it
        if (at == mine->capacity) [[unlikely]] {
            detail::store_relaxed(mine->dropped, detail::load_relaxed(mine->dropped) + 1);
            return;
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

    [[nodiscard]] detail::thread_records const* head() const noexcept { return detail::load_acquire(head_); }

    // This thread's buffer on this timeline, made if need be; null without memory.
    GPUPROF_COLD detail::thread_records* records() noexcept {
        std::size_t const thread = platform::this_thread();
        for (detail::thread_records* at = detail::load_acquire(head_); at != nullptr; at = at->next) {
            if (at->thread != thread) continue;
            // Perhaps that of a thread that ended, whose identity this one got: go on behind all that it wrote.
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

    // A small header per thread and timeline stays behind, reachable: another thread's cache may still point at it.
    static void retire(detail::thread_records* header) noexcept {
        static detail::thread_records* retired = nullptr;
        header->next = detail::load_acquire(retired);
        while (!detail::exchange_weak(retired, header->next, header)) {}
    }

    // Beyond it even the new that does not throw would.
    static constexpr std::size_t most = static_cast<std::size_t>(-1) / 2 / sizeof(detail::tick_record);

    std::size_t capacity_;
    platform::clock_pair origin_;
    std::uint64_t identity_ = 0;
    detail::thread_records* head_ = nullptr;
    std::size_t without_buffer_ = 0;
};

GPUPROF_NAMESPACE_END

#endif // GPUPROF_MEASURE_TIMELINE_HPP
