// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Words that listeners keep from a call's entry to its exit.
#ifndef GPUPROF_HW_CALLBACKS_CALL_WORDS_HPP
#define GPUPROF_HW_CALLBACKS_CALL_WORDS_HPP

#include <cstdint>

#include "../../detail/config.hpp"
#include "../abi/cupti_callback.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace detail {

// CUPTI has one word a call (correlationData), which belongs to the subscriber. gpuprof stores a
// place of this thread's ring in it; the place has a word for each listener. Calls of one thread
// end in the reverse order of their beginnings, so the ring is a stack. A call whose exit was not
// announced, since a subscription ended in between, is overwritten later.
struct call_words {
    static constexpr unsigned depth = 16;    // nested calls
    static constexpr unsigned listeners = 8; // with words, at once

    struct call {
        std::uint64_t key = 0; // the call's correlation id plus one; 0: none
        std::uint64_t words[listeners] = {};
    };
    call ring[depth] = {};
    unsigned top = 0;

    // The call's words at its entry and at its exit; null at an exit whose entry was not announced.
    [[nodiscard]] std::uint64_t* of(abi::CUpti_CallbackData const& data) noexcept {
        if (data.correlationData == nullptr) return nullptr;
        std::uint64_t const key = std::uint64_t{data.correlationId} + 1;
        if (data.callbackSite == abi::CUPTI_API_ENTER) {
            call& begun = ring[top];
            begun = call{key, {}};
            *data.correlationData = top + 1;
            top = (top + 1) % depth;
            return begun.words;
        }
        std::uint64_t const place = *data.correlationData - 1; // wraps around where there was no entry
        if (place >= depth || ring[place].key != key) return nullptr;
        return ring[place].words;
    }
    // Frees the call's words. Called after all listeners at its exit.
    void leave(abi::CUpti_CallbackData const& data) noexcept {
        std::uint64_t const place = *data.correlationData - 1;
        ring[place].key = 0;
        top = static_cast<unsigned>(place);
    }
};

inline thread_local constinit call_words words_of_calls{};

} // namespace detail
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_CALLBACKS_CALL_WORDS_HPP
