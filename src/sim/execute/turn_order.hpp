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
// outcome of depends on who comes first waits until all turns before have ended. The first turn
// that has not ended never waits for another, so there is always one that goes on.
//
// A thread is known by its number. Functions may be called by all of them at once.
class turn_order {
public:
    static constexpr std::uint64_t none = ~std::uint64_t{0};

    turn_order(unsigned threads, unsigned sms) : threads_(threads), ended_on_(sms) {}

    // The next turn for a thread, of which the turn before, if any, has ended.
    [[nodiscard]] std::uint64_t take(unsigned thread) noexcept {
        std::atomic<std::uint64_t>& mine = threads_[thread].turn;
        // Until the number is known it may be any: those after it must not go before.
        if (mine.load(std::memory_order_relaxed) == none) mine.store(0);
        std::uint64_t const turn = next_.fetch_add(1);
        mine.store(turn);
        wake();
        return turn;
    }
    // The thread takes no more turns.
    void leave(unsigned thread) noexcept {
        threads_[thread].turn.store(none);
        wake();
    }
    [[nodiscard]] std::uint64_t taken() const noexcept { return next_.load(); }

    // Waits until `count` turns on the SM have ended. False: a turn before was stopped, so this one
    // is not to be.
    [[nodiscard]] bool await_sm(unsigned thread, unsigned sm, std::uint64_t count) {
        return wait(thread, [&] { return ended_on_[sm].load() == count; });
    }
    void end_on(unsigned sm) noexcept {
        ended_on_[sm].fetch_add(1);
        wake();
    }
    // Waits until all turns before that of the thread have ended. False as above.
    [[nodiscard]] bool await_earlier(unsigned thread) {
        std::uint64_t const turn = threads_[thread].turn.load(std::memory_order_relaxed);
        return wait(thread, [&, turn] {
            for (each_thread const& other : threads_)
                if (other.turn.load() < turn) return false;
            return true;
        });
    }
    [[nodiscard]] bool is_first(unsigned thread) const noexcept {
        std::uint64_t const turn = threads_[thread].turn.load(std::memory_order_relaxed);
        for (each_thread const& other : threads_)
            if (other.turn.load() < turn) return false;
        return true;
    }

    // No turn after this one need end.
    void stop_after(std::uint64_t turn) noexcept {
        for (std::uint64_t seen = stop_.load(); turn < seen && !stop_.compare_exchange_weak(seen, turn);) {}
        wake();
    }
    [[nodiscard]] bool is_stopped(unsigned thread) const noexcept {
        return threads_[thread].turn.load(std::memory_order_relaxed) > stop_.load(std::memory_order_relaxed);
    }

private:
    struct alignas(64) each_thread { // a line of the host's cache each
        std::atomic<std::uint64_t> turn{none};
    };

    template <class Done>
    bool wait(unsigned thread, Done const& done) {
        constexpr unsigned rounds = 20; // turns are short, mostly
        for (unsigned round = 0; round < rounds; ++round) {
            if (is_stopped(thread)) return false;
            if (done()) return true;
            platform::wait_a_little(round);
        }
        platform::lock const held{mutex_};
        sleepers_.fetch_add(1); // before it looks: whoever changes something after that sees it and wakes
        while (!is_stopped(thread) && !done()) changed_.wait(mutex_);
        sleepers_.fetch_sub(1);
        return !is_stopped(thread);
    }
    void wake() noexcept {
        if (sleepers_.load() == 0) return;
        platform::lock const held{mutex_};
        changed_.wake_all();
    }

    std::vector<each_thread> threads_;
    std::vector<std::atomic<std::uint64_t>> ended_on_; // turns, by SM
    std::atomic<std::uint64_t> next_{0};
    std::atomic<std::uint64_t> stop_{none};
    std::atomic<unsigned> sleepers_{0};
    platform::mutex mutex_;
    platform::condition changed_;
};

// A turn as an executor sees it, on the thread that has it.
class turn_holder {
public:
    turn_holder(turn_order& order, unsigned thread) noexcept : order_{order}, thread_{thread} {}

    void begin() noexcept { first_ = false; }
    // All turns before have ended. False: the launch is being stopped. Cost: a load, once it was
    // true in this turn.
    [[nodiscard]] bool await() { return first_ || (first_ = order_.await_earlier(thread_)); }
    [[nodiscard]] bool is_first() const noexcept { return first_ || order_.is_first(thread_); }

private:
    turn_order& order_;
    unsigned thread_;
    bool first_ = false;
};

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_EXECUTE_TURN_ORDER_HPP
