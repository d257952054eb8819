// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The scopes of a trace that have ended, and those that are open, by thread.
#ifndef GPUPROF_TRACE_SCOPE_LOG_HPP
#define GPUPROF_TRACE_SCOPE_LOG_HPP

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <vector>

#include "../detail/config.hpp"
#include "../hw/machine/platform/identity.hpp"
#include "../hw/machine/platform/thread.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace detail {

struct ended_scope {
    std::uint64_t number;
    std::uint64_t begin; // nanoseconds
    std::uint64_t end;
    std::uint32_t thread; // as records number it
};

// The scopes of one thread: a ring that this thread writes and whoever visits the trace reads.
struct thread_scopes {
    std::size_t thread = 0;  // its address; that of one that ended, a later thread may have
    std::uint64_t owner = 0; // which thread, since the process began. This and the next two are the thread's own
    std::uint32_t thread_number = 0; // as records number it
    std::uint64_t open = 0;          // the innermost scope that is open
    std::size_t capacity = 0;
    std::unique_ptr<ended_scope[]> ring;
    std::atomic<std::size_t> written{0};
    std::atomic<std::size_t> read{0};
    std::atomic<std::size_t> dropped{0};
    thread_scopes* next = nullptr;

    // True when the ring has become half full: time to read it.
    bool write(ended_scope const& one) noexcept {
        std::size_t const at = written.load(std::memory_order_relaxed);
        std::size_t const unread = at - read.load(std::memory_order_acquire);
        if (unread >= capacity) {
            dropped.fetch_add(1, std::memory_order_relaxed);
            return false;
        }
        ring[at % capacity] = one;
        written.store(at + 1, std::memory_order_release);
        return unread + 1 == (capacity + 1) / 2;
    }
};

// Rings of all threads that opened a scope on one tracer. A thread's first scope makes its ring; the others find it without a
// lock. Thread-safe; one thread at a time may call drain().
class scope_log {
public:
    scope_log(std::size_t capacity, bool system_numbers) : capacity_{capacity}, system_numbers_{system_numbers} {
        static std::atomic<std::uint64_t> last{0};
        identity_ = last.fetch_add(1, std::memory_order_relaxed) + 1;
    }
    scope_log(scope_log const&) = delete;
    scope_log& operator=(scope_log const&) = delete;
    ~scope_log() {
        for (thread_scopes* at = head_.load(std::memory_order_acquire); at != nullptr;) {
            thread_scopes* const next = at->next;
            delete at;
            at = next;
        }
    }

    // This thread's ring, or null without memory. A thread that has the address of one that ended goes on with its ring.
    [[nodiscard]] thread_scopes* mine() noexcept {
        cache& last = cached();
        if (last.log == identity_) return last.scopes;
        thread_scopes* found = find();
        if (found == nullptr) found = make(platform::this_thread());
        if (found == nullptr) return nullptr;
        static_cast<void>(found->written.load(std::memory_order_acquire)); // what an ended thread wrote is seen
        if (found->owner != last.thread()) {
            found->owner = last.thread();
            found->thread_number =
                system_numbers_ ? platform::system_thread_number() : platform::library_thread_number();
            found->open = 0;
        }
        last.log = identity_;
        last.scopes = found;
        return found;
    }
    // The innermost scope that is open on this thread; 0: none. Never allocates.
    [[nodiscard]] std::uint64_t open_here() noexcept {
        cache& last = cached();
        thread_scopes const* const found = last.log == identity_ ? last.scopes : find();
        return found != nullptr && found->owner == last.thread() ? found->open : 0;
    }

    // Calls f(ended_scope const&) for each scope that has ended since the last time.
    template <class F>
    void drain(F&& f) {
        for (thread_scopes* at = head_.load(std::memory_order_acquire); at != nullptr; at = at->next) {
            std::size_t const end = at->written.load(std::memory_order_acquire);
            std::size_t from = at->read.load(std::memory_order_relaxed);
            for (; from != end; ++from) f(at->ring[from % at->capacity]);
            at->read.store(from, std::memory_order_release);
        }
    }
    // How many were dropped since the last call.
    [[nodiscard]] std::size_t take_dropped() noexcept {
        std::size_t sum = dropped_.exchange(0, std::memory_order_relaxed);
        for (thread_scopes* at = head_.load(std::memory_order_acquire); at != nullptr; at = at->next)
            sum += at->dropped.exchange(0, std::memory_order_relaxed);
        return sum;
    }
    void drop() noexcept { dropped_.fetch_add(1, std::memory_order_relaxed); }

private:
    struct cache {
        std::uint64_t log; // identities of logs and threads are not used twice
        thread_scopes* scopes;
        std::uint64_t self;
        [[nodiscard]] std::uint64_t thread() noexcept {
            static constinit std::atomic<std::uint64_t> threads{0};
            if (self == 0) self = threads.fetch_add(1, std::memory_order_relaxed) + 1;
            return self;
        }
    };
    [[nodiscard]] static cache& cached() noexcept {
        static thread_local constinit cache last{0, nullptr, 0};
        return last;
    }
    [[nodiscard]] thread_scopes* find() noexcept {
        std::size_t const thread = platform::this_thread();
        thread_scopes* found = head_.load(std::memory_order_acquire);
        while (found != nullptr && found->thread != thread) found = found->next;
        return found;
    }
    [[nodiscard]] thread_scopes* make(std::size_t thread) noexcept {
        std::unique_ptr<thread_scopes> made{new (std::nothrow) thread_scopes};
        if (made == nullptr) return nullptr;
        made->ring.reset(new (std::nothrow) ended_scope[capacity_]);
        made->capacity = made->ring != nullptr ? capacity_ : 0;
        if (made->capacity == 0) return nullptr;
        made->thread = thread;
        made->next = head_.load(std::memory_order_acquire);
        while (!head_.compare_exchange_weak(made->next, made.get(), std::memory_order_acq_rel)) {}
        return made.release();
    }

    std::size_t capacity_;
    bool system_numbers_; // of threads, else those of the thread library
    std::uint64_t identity_;
    std::atomic<thread_scopes*> head_{nullptr};
    std::atomic<std::size_t> dropped_{0};
};

} // namespace detail
GPUPROF_NAMESPACE_END

#endif // GPUPROF_TRACE_SCOPE_LOG_HPP
