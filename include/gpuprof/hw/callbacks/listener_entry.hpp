// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A listener's entry in a hub: its callbacks, and the threads that are in it.
#ifndef GPUPROF_HW_CALLBACKS_LISTENER_ENTRY_HPP
#define GPUPROF_HW_CALLBACKS_LISTENER_ENTRY_HPP

#include <cstdint>

#include "../../detail/builtin.hpp"
#include "../../detail/config.hpp"
#include "../machine/platform/thread.hpp"
#include "callback_set.hpp"
#include "inside.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace hw {
struct listener_entry;
} // namespace hw

namespace detail {

// A callback that this thread is in, and the callbacks around it.
struct callback_frame : hw::callback_place {
    hw::callback_place const* outer = nullptr; // a callback_frame; null: none
    hw::listener_entry* in = nullptr;          // whose listener runs
    std::uint64_t* words = nullptr;            // those of the call, by entry::index; null: none
};

// The counter of an entry that a thread uses. Threads get counters in turn.
inline constexpr unsigned thread_counters = 16;
inline constinit unsigned threads_dealt = 0;
inline thread_local constinit unsigned counter_of_thread = 0; // plus one; 0: none yet
[[nodiscard]] inline unsigned this_counter() noexcept {
    if (counter_of_thread == 0) counter_of_thread = add_relaxed(threads_dealt, 1u) % thread_counters + 1;
    return counter_of_thread - 1;
}

} // namespace detail

namespace hw {

// Never freed, but reused for later subscriptions: a late callback may still look here. A thread
// counts itself in before it looks whether the entry is live; the end of a subscription makes the
// entry not live before it looks for threads that are in. So one of them sees the other. Each
// counter has its own cache line.
struct listener_entry {
    enum state : unsigned { vacant, live, ended, leaving };

    unsigned now = vacant;
    unsigned index = 0; // among a call's words; no_words: none
    void (*heard)(void* self, callback_id id, void const* data) = nullptr;
    void* self = nullptr;
    void (*released)(void* self) = nullptr;
    listener_entry* next = nullptr;
    unsigned whole = 0;                           // domains, a bit each
    std::uint64_t bits[callback_set::words] = {}; // single ids
    int absent = 0;                               // threads in the listener that wait for the end of a subscription
    struct alignas(64) counter {
        int in = 0;
    };
    counter counters[gpuprof::detail::thread_counters] = {};

    static constexpr unsigned no_words = ~0u;

    // Written under the control mutex, read by any thread.
    void set(callback_set const& ids) noexcept {
        for (unsigned i = 0; i < callback_set::words; ++i) gpuprof::detail::store_relaxed(bits[i], ids.bits(i));
        gpuprof::detail::store_relaxed(whole, ids.whole_domains());
    }
    [[nodiscard]] callback_set ids() const {
        callback_set all;
        for (unsigned d = 1; d < gpuprof::detail::callback_domains; ++d) {
            auto const domain = static_cast<abi::CUpti_CallbackDomain>(d);
            if ((gpuprof::detail::load_relaxed(whole) >> d & 1u) != 0) all |= callback_set::all_of(domain);
            for (unsigned number = 0; number < callback_set::room(domain); ++number)
                if ((bits[callback_set::word({domain, number})] & callback_set::bit({domain, number})) != 0)
                    all.add({domain, number});
        }
        return all;
    }
    // @pre the domain is known
    [[nodiscard]] bool hears(callback_id id) const noexcept {
        if ((gpuprof::detail::load_relaxed(whole) >> id.domain & 1u) != 0) return true;
        return id.number < callback_set::room(id.domain) &&
               (gpuprof::detail::load_relaxed(bits[callback_set::word(id)]) & callback_set::bit(id)) != 0;
    }

    // Counts itself in, then asks whether the entry is live; end() marks the entry as ended, then
    // asks who is in. One of the two sees the other only because all four operations are in one
    // total order: acquire and release would let both pass on AArch64. (Whoever sees the entry live
    // also sees what set() wrote.)
    void call(gpuprof::detail::callback_frame& frame, callback_id id, void const* data) {
        int& in = counters[gpuprof::detail::this_counter()].in;
        gpuprof::detail::add_ordered(in, 1);
        if (gpuprof::detail::load_ordered(now) == live && hears(id)) {
            frame.in = this;
            heard(self, id, data);
            frame.in = nullptr;
        }
        gpuprof::detail::add_ordered(in, -1);
        if (gpuprof::detail::load_ordered(now) == ended) release();
    }

    [[nodiscard]] int threads_in() const noexcept {
        int sum = 0;
        for (counter const& each : counters) sum += gpuprof::detail::load_ordered(each.in);
        return sum;
    }

    // Frees the entry if no thread is in. Called by the end of the subscription and by every thread
    // that leaves after it.
    void release() noexcept {
        if (threads_in() != 0) return;
        unsigned expected = ended;
        while (!gpuprof::detail::exchange_weak(now, expected, leaving))
            if (expected != ended) return; // another thread frees it
        if (released != nullptr) released(self);
        gpuprof::detail::store_ordered(now, vacant);
    }

    // Waits until no other thread is in, except those that wait here themselves.
    void wait_for_others() noexcept {
        count_absence(1);
        for (unsigned round = 0; threads_in() > gpuprof::detail::load_ordered(absent); ++round)
            platform::wait_a_little(round);
        count_absence(-1);
    }

private:
    // Adds to each entry whose listener this thread is in, this entry too.
    static void count_absence(int by) noexcept {
        for (auto const* place = gpuprof::detail::current_callback; place != nullptr;) {
            auto const& frame = static_cast<gpuprof::detail::callback_frame const&>(*place);
            if (frame.in != nullptr) gpuprof::detail::add_ordered(frame.in->absent, by);
            place = frame.outer;
        }
    }
};

} // namespace hw
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_CALLBACKS_LISTENER_ENTRY_HPP
