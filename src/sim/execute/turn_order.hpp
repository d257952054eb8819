// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The order of the turns of a launch that several host threads take.
#ifndef GPUPROF_SRC_SIM_EXECUTE_TURN_ORDER_HPP
#define GPUPROF_SRC_SIM_EXECUTE_TURN_ORDER_HPP

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <gpuprof/hw/machine/platform/condition.hpp>
#include <gpuprof/hw/machine/platform/mutex.hpp>
#include <gpuprof/hw/machine/platform/thread.hpp>

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// One host thread would take the turns of a launch one after the other: a CTA each, or, where CTAs
// take turns because they wait for each other, a part of a CTA. Several threads run them at once.
// Two things are as with one thread all the same: turns on one SM
// go one after the other, so that what the SM counts does not depend on the threads; and what the
// outcome of depends on who comes first waits until all turns before have ended, or at least have
// nothing more to say to others. The first turn that has not ended never waits for another, so there
// is always one that goes on.
//
// Turns are taken in their order until they are shared out. From then on each thread has columns of its own, the turns
// of an SM or of a cluster's SMs, because what an SM counts with stays in the cache of the processor that counts. One that has
// none left takes every second column of the thread that has most. Turns of a thread ascend until then.
//
// A thread is known by its number. Functions may be called by all of them at once.
class turn_order {
public:
    static constexpr std::uint64_t none = ~std::uint64_t{0};

    turn_order(unsigned threads, unsigned sms) : threads_(threads), bells_(threads), ended_on_(sms) {}

    // From now on every so manieth turn is a column, up to `limit`, the turn after the last. Called once, by the first thread, in one
    // of its turns, before others take any.
    void share_out(std::uint64_t columns, std::uint64_t limit) {
        for (each_thread& each : threads_) each.next.reserve(columns), each.taken.reserve(columns);
        for (std::uint64_t turn = taken(); turn < (std::min)(taken() + columns, limit); ++turn)
            threads_.front().next.push_back(turn);
        limit_ = limit;
        columns_ = columns;
    }

    // The next turn for a thread, of which the turn before, if any, has ended. Of those that are shared out, one thread gets the turn
    // after the last, and others then get none.
    [[nodiscard]] std::uint64_t take(unsigned thread) noexcept {
        each_thread& mine = threads_[thread];
        if (columns_ != 0) {
            std::uint64_t turn = next_of(mine);
            while (turn == none && take_columns(thread)) turn = next_of(mine);
            if (turn == none && !limit_taken_.exchange(true)) turn = limit_;
            mine.turn.store(turn);
            mine.speaks.store(turn);
            bells_[thread].ring();
            return turn;
        }
        // Until the number is known it may be any: those after it must not go before.
        if (mine.turn.load(std::memory_order_relaxed) == none) mine.turn.store(0);
        if (mine.speaks.load(std::memory_order_relaxed) == none) mine.speaks.store(0);
        std::uint64_t const turn = next_.fetch_add(1);
        mine.turn.store(turn);
        mine.speaks.store(turn);
        bells_[thread].ring();
        return turn;
    }
    // The turn of the thread goes on, but others need no longer wait to speak.
    void fall_silent(unsigned thread) noexcept {
        each_thread& mine = threads_[thread];
        {
            platform::lock const held{mine.mutex};
            mine.speaks.store(mine.next.empty() ? none : mine.next.front());
        }
        bells_[thread].ring();
    }
    // The thread takes no more turns.
    void leave(unsigned thread) noexcept {
        threads_[thread].turn.store(none);
        threads_[thread].speaks.store(none);
        bells_[thread].ring();
    }
    [[nodiscard]] std::uint64_t taken() const noexcept { return next_.load(); }

    // Waits until `count` turns on the SM have ended. False: a turn before was stopped, so this one
    // is not to be.
    [[nodiscard]] bool await_sm(unsigned thread, unsigned sm, std::uint64_t count) {
        return wait(thread, bell_of(sm), [&] { return ended_on_[sm].load() == count; });
    }
    void end_on(unsigned sm) noexcept {
        ended_on_[sm].fetch_add(1);
        bell_of(sm).ring();
    }
    // Waits until all turns before that of the thread have ended. False as above.
    [[nodiscard]] bool await_earlier(unsigned thread) { return await(thread, &each_thread::turn); }
    // The same, until they have ended or fallen silent.
    [[nodiscard]] bool await_silence(unsigned thread) { return await(thread, &each_thread::speaks); }
    [[nodiscard]] bool is_first(unsigned thread) const noexcept {
        std::uint64_t const turn = threads_[thread].turn.load(std::memory_order_relaxed), moves = moves_.load();
        for (each_thread const& other : threads_)
            if (other.turn.load() < turn) return false;
        return moves_.load() == moves;
    }

    // No turn after this one need end.
    void stop_after(std::uint64_t turn) noexcept {
        for (std::uint64_t seen = stop_.load(); turn < seen && !stop_.compare_exchange_weak(seen, turn);) {}
        for (bell& each : bells_) each.ring();
    }
    [[nodiscard]] bool is_stopped(unsigned thread) const noexcept {
        return threads_[thread].turn.load(std::memory_order_relaxed) > stop_.load(std::memory_order_relaxed);
    }

private:
    struct alignas(64) each_thread {             // a line of the host's cache each
        std::atomic<std::uint64_t> turn{none};   // that has not ended
        std::atomic<std::uint64_t> speaks{none}; // the same or a later one: the first in which it may speak to others
        platform::mutex mutex;                   // of `next`
        std::vector<std::uint64_t> next;         // the next turn of each of its columns, ascending
        std::vector<std::uint64_t> taken;        // for take_columns()
    };
    [[nodiscard]] std::uint64_t next_of(each_thread& mine) const noexcept {
        platform::lock const held{mine.mutex};
        if (mine.next.empty()) return none;
        std::uint64_t const turn = mine.next.front();
        mine.next.erase(mine.next.begin());
        if (limit_ - turn > columns_) mine.next.push_back(turn + columns_);
        return turn;
    }
    // Columns that another thread may have: not the one that is under way, whose next turn comes last.
    [[nodiscard]] std::size_t free_columns(each_thread const& of) const noexcept {
        bool const is_under_way = !of.next.empty() && of.next.back() - of.turn.load() == columns_;
        return of.next.size() - (is_under_way ? 1 : 0);
    }
    // Takes every second column of another thread. False: none has any to spare. @pre the thread has no columns
    bool take_columns(unsigned thread) noexcept {
        each_thread* from = nullptr;
        std::size_t most = 0;
        for (each_thread& other : threads_) {
            platform::lock const held{other.mutex};
            if (std::size_t const count = free_columns(other); count > most) most = count, from = &other;
        }
        if (from == nullptr) return false;
        each_thread& mine = threads_[thread];
        mine.taken.clear();
        {
            platform::lock const held{from->mutex};
            std::size_t const count = free_columns(*from);
            if (count == 0) return true; // another thread was quicker
            std::size_t kept = 0;
            auto const is_kept = [&](std::size_t i) { return i >= count || (count - i) % 2 == 0; };
            for (std::size_t i = 0; i < count; ++i)
                if (!is_kept(i)) mine.taken.push_back(from->next[i]);
            // Before the other thread goes on: whoever waits for them, and has looked at this thread already, looks again.
            mine.turn.store(mine.taken.front());
            mine.speaks.store(mine.taken.front());
            moves_.fetch_add(1);
            for (std::size_t i = 0; i < from->next.size(); ++i)
                if (is_kept(i)) from->next[kept++] = from->next[i];
            from->next.resize(kept);
        }
        platform::lock const held{mine.mutex};
        mine.next.swap(mine.taken);
        return true;
    }
    // Wakes those that sleep until a thread, or an SM, has come further. Most waits are too short for sleep, so it is mostly read.
    struct alignas(64) bell {
        void ring() noexcept {
            if (sleepers.load() == 0) return;
            platform::lock const held{mutex};
            changed.wake_all();
        }
        std::atomic<unsigned> sleepers{0};
        platform::mutex mutex;
        platform::condition changed;
    };
    [[nodiscard]] bell& bell_of(unsigned sm) noexcept { return bells_[sm % bells_.size()]; }

    // A thread's turns ascend, so each of the others is waited for once, unless columns changed hands meanwhile.
    bool await(unsigned thread, std::atomic<std::uint64_t> each_thread::*which) {
        std::uint64_t const turn = threads_[thread].turn.load(std::memory_order_relaxed);
        for (;;) {
            std::uint64_t const moves = moves_.load();
            for (std::size_t i = 0; i < threads_.size(); ++i)
                if (i != thread && !wait(thread, bells_[i], [&, turn] { return (threads_[i].*which).load() > turn; }))
                    return false;
            if (moves_.load() == moves) return true;
        }
    }

    template <class Done>
    bool wait(unsigned thread, bell& at, Done const& done) {
        constexpr unsigned looks = 64, rounds = 100; // turns are short, mostly
        for (unsigned i = 0; i < looks; ++i)
            if (is_stopped(thread) || done()) return !is_stopped(thread);
        for (unsigned round = 0; round < rounds; ++round) {
            if (is_stopped(thread) || done()) return !is_stopped(thread);
            platform::wait_a_little(round);
        }
        platform::lock const held{at.mutex};
        at.sleepers.fetch_add(1); // before it looks: whoever changes something after that sees it and wakes
        while (!is_stopped(thread) && !done()) at.changed.wait(at.mutex);
        at.sleepers.fetch_sub(1);
        return !is_stopped(thread);
    }

    std::vector<each_thread> threads_;
    std::vector<bell> bells_;                          // by thread; SMs share them
    std::vector<std::atomic<std::uint64_t>> ended_on_; // turns, by SM
    std::uint64_t columns_ = 0;                        // 0: turns are not shared out
    std::uint64_t limit_ = 0;
    alignas(64) std::atomic<std::uint64_t> next_{0};
    alignas(64) std::atomic<std::uint64_t> stop_{none};
    std::atomic<bool> limit_taken_{false};
    alignas(64) std::atomic<std::uint64_t> moves_{0}; // of columns, from thread to thread
};

// A turn as an executor sees it, on the thread that has it.
class turn_holder {
public:
    turn_holder(turn_order& order, unsigned thread) noexcept : order_{order}, thread_{thread} {}

    void begin() noexcept { first_ = may_speak_ = is_silent_ = false; }
    // All turns before have ended. False: the launch is being stopped. Cost: a load, once it was
    // true in this turn.
    [[nodiscard]] bool await() { return first_ || (first_ = may_speak_ = order_.await_earlier(thread_)); }
    // None of those before speaks to others any more. As above.
    [[nodiscard]] bool await_silence() { return may_speak_ || (may_speak_ = order_.await_silence(thread_)); }
    [[nodiscard]] bool is_first() const noexcept { return first_ || order_.is_first(thread_); }
    // This turn will not wait to speak again.
    void fall_silent() noexcept {
        if (!is_silent_) order_.fall_silent(thread_);
        is_silent_ = true;
    }

private:
    turn_order& order_;
    unsigned thread_;
    bool first_ = false;
    bool may_speak_ = false;
    bool is_silent_ = false;
};

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_EXECUTE_TURN_ORDER_HPP
