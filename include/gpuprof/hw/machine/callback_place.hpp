// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The place of this thread inside a callback of CUPTI, which limits what it may call.
#ifndef GPUPROF_HW_MACHINE_CALLBACK_PLACE_HPP
#define GPUPROF_HW_MACHINE_CALLBACK_PLACE_HPP

#include <string_view>
#include <utility>

#include "../../core/error.hpp"
#include "../abi/cupti_callback.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace hw {

// The callback that a thread is inside of; for a driver or runtime call, also the side of the call.
struct callback_place {
    abi::CUpti_CallbackDomain domain = abi::CUPTI_CB_DOMAIN_INVALID;
    abi::CUpti_CallbackId number = 0;
    abi::CUpti_ApiCallbackSite site = abi::CUPTI_API_ENTER; // of driver and runtime calls

    // False outside of callbacks.
    [[nodiscard]] constexpr explicit operator bool() const noexcept { return domain != abi::CUPTI_CB_DOMAIN_INVALID; }

    // Whether it is at the end of a driver or runtime call: the only place where cuptiFinalize is
    // safe while other threads use the GPU (CUPTI 12.0, 2.3.7).
    [[nodiscard]] constexpr bool after_call() const noexcept {
        return (domain == abi::CUPTI_CB_DOMAIN_DRIVER_API || domain == abi::CUPTI_CB_DOMAIN_RUNTIME_API) &&
               site == abi::CUPTI_API_EXIT;
    }
    // Whether a stream is about to be destroyed: flushing activity records here would wait for
    // itself (CUPTI 12.0, 2.4).
    [[nodiscard]] constexpr bool in_stream_destruction() const noexcept {
        return domain == abi::CUPTI_CB_DOMAIN_RESOURCE && number == abi::CUPTI_CBID_RESOURCE_STREAM_DESTROY_STARTING;
    }
};

} // namespace hw

namespace detail {
// The innermost callback that this thread is in; set by hw::subscription (hw/callbacks/), null
// outside.
inline thread_local constinit hw::callback_place const* current_callback = nullptr;
} // namespace detail

namespace hw {

// The innermost callback that this thread is in; false outside. Inside, the only safe calls of
// CUPTI and the driver are those that synchronise; others may hang the application (CUPTI 12.0,
// 2.4). Cost: one load. Callbacks of other tools are not known.
[[nodiscard]] inline callback_place inside_callback() noexcept {
    auto const* const place = gpuprof::detail::current_callback;
    return place != nullptr ? *place : callback_place{};
}

// While it lives, this thread counts as outside of its callback: for what is known to be safe at a
// place, such as range profiling around a launch (CUPTI 12.0, 2.13, profiling_injection). No
// subscription may end meanwhile.
class [[nodiscard]] callback_leave {
public:
    callback_leave() noexcept : place_{std::exchange(gpuprof::detail::current_callback, nullptr)} {}
    ~callback_leave() { gpuprof::detail::current_callback = place_; }
    callback_leave(callback_leave const&) = delete;
    callback_leave& operator=(callback_leave const&) = delete;

private:
    callback_place const* place_;
};

// The error for a call that must not happen inside a callback.
// @param what the attempted call
[[nodiscard]] inline error refused_inside_callback(std::string_view what) {
    return {errc::inside_callback, 0, what, "this thread is inside a callback of CUPTI, where the call could hang",
            "note what is to be done, and do it after the callback has returned"};
}

} // namespace hw
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_MACHINE_CALLBACK_PLACE_HPP
