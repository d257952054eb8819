// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Detaches CUPTI from the process, which runs on.
#ifndef GPUPROF_HW_CALLBACKS_DETACH_HPP
#define GPUPROF_HW_CALLBACKS_DETACH_HPP

#include <utility>

#include "../../core/result.hpp"
#include "../abi/cupti_callback.hpp"
#include "../machine/machine.hpp"
#include "../machine/status.hpp"
#include "../machine/session_registry.hpp"
#include "inside.hpp"
#include "subscription.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace detail {

// Calls cuptiFinalize once, at the end of a driver call.
struct finalizing {
    decltype(abi::cupti_table::Finalize) finalize;
    bool done = false;
    abi::CUptiResult status = abi::CUPTI_SUCCESS;

    static void heard(void* self, hw::callback_id, void const*) {
        auto& mine = *static_cast<finalizing*>(self);
        if (mine.done || !hw::inside_callback().after_call()) return;
        mine.done = true;
        mine.status = mine.finalize();
    }
};

} // namespace detail

namespace hw {

// The error because of which CUPTI cannot be detached now: see try_detach().
[[nodiscard]] inline result<void> try_prepare_detach(machine const& on) {
    if (on.cupti.Finalize == nullptr) return unavailable_call(on, "cuptiFinalize");
    if (session_registry::any()) {
        error busy{errc::busy, 0, "detaching CUPTI", "a profiler of this process has a session",
                   "finish or destroy it first"};
        return busy;
    }
    if (subscription::shared_handle(on) != nullptr) {
        error shared{errc::busy, 0, "detaching CUPTI", "another tool of this process uses it, too",
                     "end the other tool first"};
        return shared;
    }
    if (auto const place = inside_callback(); place && !place.after_call())
        return refused_inside_callback("detaching CUPTI");
    return {};
}

// Undoes all that CUPTI has done to this process (cuptiFinalize), so that driver calls cost what
// they cost before; the next use of CUPTI attaches it again. cuptiFinalize is safe only at the end
// of a driver or runtime call, so this function makes such a call and detaches there, or at once if
// this thread is at the end of one. End tracers and profilers first. Errors: busy if a profiler has
// a session, or another tool shares CUPTI; inside_callback at another place of a callback; unavailable where CUPTI lacks the
// call; what CUPTI says. Cost: waits for all contexts; CUDA calls of other threads wait meanwhile.
// Thread-safe. CUPTI 12.0, 2.3.7.
[[nodiscard]] inline result<void> try_detach(machine const& on) {
    if (auto prepared = try_prepare_detach(on); !prepared) return prepared;
    auto const finalize = on.cupti.Finalize;
    auto const place = inside_callback();
    auto status = abi::CUPTI_SUCCESS;
    if (place) {
        status = finalize();
    } else {
        gpuprof::detail::finalizing work{finalize};
        callback_id const call{abi::CUPTI_CB_DOMAIN_DRIVER_API, abi::CUPTI_DRIVER_TRACE_CBID_cuCtxGetCurrent};
        auto listening = subscription::try_begin(on, {&call, 1}, &gpuprof::detail::finalizing::heard, &work);
        if (!listening) return std::move(listening).error();
        abi::CUcontext current = nullptr;
        static_cast<void>(on.driver.CtxGetCurrent(&current));
        if (!work.done) {
            error lost{errc::internal, 0, "detaching CUPTI", "CUPTI did not announce a call of the driver", ""};
            return lost;
        }
        status = work.status;
        if (status == abi::CUPTI_SUCCESS)
            subscription::suspend(on); // before `listening` ends, which then has nothing to disable
    }
    if (status != abi::CUPTI_SUCCESS) return explain("cuptiFinalize", status);
    session_registry::forget_profiled();
    if (place) subscription::suspend(on);
    else if (auto resumed = subscription::try_resume(on); !resumed) return resumed; // for the other listeners
    return {};
}

} // namespace hw
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_CALLBACKS_DETACH_HPP
