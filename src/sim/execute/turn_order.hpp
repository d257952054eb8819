// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The order of the turns of a launch that several host threads take.
#ifndef GPUPROF_SRC_SIM_EXECUTE_TURN_ORDER_HPP
#define GPUPROF_SRC_SIM_EXECUTE_TURN_ORDER_HPP

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
// take turns because they wait for each other, a part of a CTA. Several threads take them in that
// order, too, and run them at once. Two things are as with one thread all the same: turns on one SM
// go one after the other, so that what the SM counts does not depend on the threads; and what the
// outcome of depends on who comes first waits until all turns before have ended, or at least have
// nothing more to say to others. The first turn that has not ended never waits for another, so there
// is always one that goes on.
//
// A thread is known by its number. Functions may be called by all of them at once.
class turn_order {
public:
    static constexpr std::uint64_t none = ~std::uint64_t{0};

    turn_order(unsigned threads, unsigned sms) : threads_(threads), bells_(threads), ended_on_(sms) {}

    // The next turn for a thread, of which the turn before, if any, has ended.
    [[nodiscard]] std::uint64_t take(unsigned thread) noexcept {
        each_thread& mine = threads_[thread];
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
        threads_[thread].speaks.store(none);
        bells_[thread].ring();
    }
    // The thread takes no more turns.
    void leave(unsigned thread) noexcept {
        threads_[thread].turn.store(none);
        fall_silent(thread);
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
        std::uint64_t const turn = threads_[thread].turn.load(std::memory_order_relaxed);
        for (each_thread const& other : threads_)
            if (other.turn.load() < turn) return false;
        return true;
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
        std::atomic<std::uint64_t> speaks{none}; // the same, if it may still speak to others
    };
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

    // A thread's turns ascend, so each of the others is waited for once.
    bool await(unsigned thread, std::atomic<std::uint64_t> each_thread::*which) {
        std::uint64_t const turn = threads_[thread].turn.load(std::memory_order_relaxed);
        for (std::size_t i = 0; i < threads_.size(); ++i)
            if (i != thread && !wait(thread, bells_[i], [&, turn] { return (threads_[i].*which).load() > turn; }))
                return false;
        return true;
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
    alignas(64) std::atomic<std::uint64_t> next_{0};
    alignas(64) std::atomic<std::uint64_t> stop_{none};
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
