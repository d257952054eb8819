// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls a function of the program whenever a call of CUDA, or something else that CUPTI announces, happens.
#ifndef GPUPROF_TRACE_CALLBACKS_HPP
#define GPUPROF_TRACE_CALLBACKS_HPP

#include "../detail/config.hpp"

#if !GPUPROF_ENABLED
#include "compiled_out.hpp"
#else

#include <concepts>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "../core/error.hpp"
#include "../core/result.hpp"
#include "../detail/builtin.hpp"
#include "../hw/callbacks/inside.hpp"
#include "../hw/callbacks/subscription.hpp"
#include "../hw/machine/device.hpp"
#include "api_call_event.hpp"
#include "callback_handler.hpp"
#include "callback_ids.hpp"
#include "nvtx_event.hpp"
#include "resource_event.hpp"
#include "state_event.hpp"
#include "synchronize_event.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace detail {

// The handler, and what is counted of it. Owned by the callbacks object and by the subscription, which may end later.
struct callback_state {
    void (*destroy)(callback_state* self) = nullptr;
    unsigned owners = 2;
    std::uint64_t failures = 0;

    static void drop(void* self) noexcept {
        auto* const state = static_cast<callback_state*>(self);
        if (subtract(state->owners, 1u) == 0) state->destroy(state);
    }
};

template <class Handler>
struct handler_state : callback_state {
    Handler handler;

    explicit handler_state(Handler given) : handler(std::move(given)) {
        destroy = [](callback_state* self) { delete static_cast<handler_state*>(self); };
    }

    template <class Event, class Data, class... Word>
    void hand(hw::callback_id id, void const* data, Word&... word) {
        if constexpr (std::invocable<Handler&, Event const&>)
            handler(Event{id, *static_cast<Data const*>(data), word...});
    }
    void dispatch(hw::callback_id id, void const* data) {
        std::uint64_t none = 0;
        std::uint64_t* const word = hw::word_of_call();
        switch (id.domain) {
            case abi::CUPTI_CB_DOMAIN_DRIVER_API:
            case abi::CUPTI_CB_DOMAIN_RUNTIME_API:
                return hand<api_call_event, abi::CUpti_CallbackData>(id, data, word != nullptr ? *word : none);
            case abi::CUPTI_CB_DOMAIN_RESOURCE: return hand<resource_event, abi::CUpti_ResourceData>(id, data);
            case abi::CUPTI_CB_DOMAIN_SYNCHRONIZE: return hand<synchronize_event, abi::CUpti_SynchronizeData>(id, data);
            case abi::CUPTI_CB_DOMAIN_NVTX: return hand<nvtx_event, abi::CUpti_NvtxData>(id, data);
            case abi::CUPTI_CB_DOMAIN_STATE: return hand<state_event, abi::CUpti_StateData>(id, data);
            case abi::CUPTI_CB_DOMAIN_INVALID: return;
        }
    }
    // What CUPTI calls in the end: nothing may be thrown through it.
    static void heard(void* self, hw::callback_id id, void const* data) noexcept {
        if (data == nullptr) return;
        auto& state = *static_cast<handler_state*>(static_cast<callback_state*>(self));
#if GPUPROF_EXCEPTIONS
        try {
            state.dispatch(id, data);
        } catch (...) {
            add_relaxed(state.failures, std::uint64_t{1});
        }
#else
        state.dispatch(id, data);
#endif
    }
};

// The first domain in the set whose events the handler does not take; the invalid one if it takes all.
template <class Handler>
[[nodiscard]] constexpr abi::CUpti_CallbackDomain not_taken(callback_set const& set) noexcept {
    using namespace abi;
    bool const api = std::invocable<Handler&, api_call_event const&>;
    struct {
        CUpti_CallbackDomain domain;
        bool taken;
    } const domains[]{{CUPTI_CB_DOMAIN_DRIVER_API, api},
                      {CUPTI_CB_DOMAIN_RUNTIME_API, api},
                      {CUPTI_CB_DOMAIN_RESOURCE, std::invocable<Handler&, resource_event const&>},
                      {CUPTI_CB_DOMAIN_SYNCHRONIZE, std::invocable<Handler&, synchronize_event const&>},
                      {CUPTI_CB_DOMAIN_NVTX, std::invocable<Handler&, nvtx_event const&>},
                      {CUPTI_CB_DOMAIN_STATE, std::invocable<Handler&, state_event const&>}};
    for (auto const& each : domains)
        if (!each.taken && set.any(each.domain)) return each.domain;
    return CUPTI_CB_DOMAIN_INVALID;
}

[[nodiscard]] GPUPROF_COLD inline error no_handler(abi::CUpti_CallbackDomain domain) {
    char const* const events[]{"",           "api_call_event", "api_call_event", "resource_event", "synchronize_event",
                               "nvtx_event", "state_event"};
    return {errc::invalid_argument, 0, "beginning to listen",
            joined({"the handler takes no gpuprof::", events[domain], ", which is among what it is to hear"}),
            "give it an overload for these events, or leave them out"};
}
} // namespace detail

// While it lives, its handler is called with each of the events that it listens to:
//
//     gpuprof::callbacks heard{gpu, gpuprof::driver_calls::launches, [&](gpuprof::api_call_event const& call) {
//         if (call.enter()) call.word() = now();
//         else log(call.symbol(), now() - call.word());
//     }};
//
// The handler runs on the thread that makes the call, for many threads at once, and the call waits for it. It must be quick. It
// may change and end this object. It must not call the driver, the runtime or CUPTI, but for calls that synchronise (CUPTI 12.0,
// 2.4); gpuprof refuses there what could hang, with errc::inside_callback. If it throws, the exception goes no further, and
// failures() counts it. It is copied or moved in, and destroyed when the last call of it has returned.
//
// All listeners of the process share its one subscription to CUPTI, gpuprof's own launch log and tracers too. In a forked child
// the object does nothing.
//
// Errors: those of hw::subscription; invalid_argument if the handler does not take an event that it is to hear.
// Cost: 130 to 190 instructions a callback, 40 to 60 ns on a 2-core EPYC, besides the handler and CUPTI's own; no lock, no
// allocation; nothing for calls that are not listened to.
// Thread-safe, but for the end of its life. CUPTI 12.0, 2.4.
class callbacks {
public:
    // @pre the machine outlives the object
    template <callback_handler Handler>
    [[nodiscard]] static result<callbacks> try_begin(hw::machine const& on, callback_set const& what,
                                                     Handler&& handler) {
        using own = std::decay_t<Handler>;
        if (auto const domain = detail::not_taken<own>(what); domain != abi::CUPTI_CB_DOMAIN_INVALID)
            return detail::no_handler(domain);
        auto* const state = new detail::handler_state<own>(std::forward<Handler>(handler));
        hw::subscription::extras more;
        more.released = &detail::callback_state::drop;
        more.words = std::invocable<own&, api_call_event const&>;
        auto begun = hw::subscription::try_begin(on, what, &detail::handler_state<own>::heard,
                                                 static_cast<detail::callback_state*>(state), more);
        if (!begun) {
            delete state;
            return std::move(begun).error();
        }
        return callbacks{*std::move(begun), *state, &detail::not_taken<own>};
    }
    template <callback_handler Handler>
    [[nodiscard]] static result<callbacks> try_begin(device const& gpu, callback_set const& what, Handler&& handler) {
        return try_begin(gpu.machine(), what, std::forward<Handler>(handler));
    }
#if GPUPROF_EXCEPTIONS
    // try_begin(), throwing.
    template <callback_handler Handler>
    callbacks(hw::machine const& on, callback_set const& what, Handler&& handler)
        : callbacks{try_begin(on, what, std::forward<Handler>(handler)).value()} {}
    template <callback_handler Handler>
    callbacks(device const& gpu, callback_set const& what, Handler&& handler)
        : callbacks{try_begin(gpu, what, std::forward<Handler>(handler)).value()} {}
#endif

    callbacks(callbacks&& other) noexcept
        : calls_{std::move(other.calls_)}, state_{std::exchange(other.state_, nullptr)}, not_taken_{other.not_taken_} {}
    callbacks& operator=(callbacks&&) = delete;
    // After it the handler is called no more. It waits for calls on other threads; see hw::subscription for an end inside a
    // callback.
    ~callbacks() {
        if (state_ != nullptr) detail::callback_state::drop(state_);
    }

    // More to hear, or less, from now on. Nothing has changed after an error. @pre not moved from
    [[nodiscard]] result<void> try_enable(callback_set const& more) {
        if (auto const domain = not_taken_(more); domain != abi::CUPTI_CB_DOMAIN_INVALID)
            return detail::no_handler(domain);
        return calls_.try_enable(more);
    }
    [[nodiscard]] result<void> try_disable(callback_set const& less) { return calls_.try_disable(less); }
    // What is listened to now.
    [[nodiscard]] callback_set heard() const { return calls_.heard(); }

    // How often the handler threw. @pre not moved from
    [[nodiscard]] std::uint64_t failures() const noexcept { return detail::load_relaxed(state_->failures); }

private:
    callbacks(hw::subscription&& calls, detail::callback_state& state,
              abi::CUpti_CallbackDomain (*not_taken)(callback_set const&) noexcept) noexcept
        : calls_{std::move(calls)}, state_{&state}, not_taken_{not_taken} {}

    hw::subscription calls_;
    detail::callback_state* state_;
    abi::CUpti_CallbackDomain (*not_taken_)(callback_set const&) noexcept;
};

GPUPROF_NAMESPACE_END

#endif // GPUPROF_ENABLED

#endif // GPUPROF_TRACE_CALLBACKS_HPP
