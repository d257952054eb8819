// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Allows one session a context, of whichever backend.
#ifndef GPUPROF_HW_MACHINE_SESSION_REGISTRY_HPP
#define GPUPROF_HW_MACHINE_SESSION_REGISTRY_HPP

#include <utility>
#include <vector>

#include "../../core/error.hpp"
#include "../../core/result.hpp"
#include "../abi/types.hpp"
#include "callback_place.hpp"
#include "platform/mutex.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace hw {

// The contexts with a session of this process. CUPTI itself answers a second
// cuptiRangeProfilerEnable with success and a null object, and crashes when it is used.
// Thread-safe. Sessions use it through session_lease.
class session_registry {
public:
    // False if the context has a session already.
    [[nodiscard]] static bool take(abi::CUcontext context) {
        platform::lock const lock{mutex()};
        return add(held(), context);
    }
    static void give(abi::CUcontext context) {
        platform::lock const lock{mutex()};
        std::erase(held(), context);
    }
    // Remembers that kernels of the context ran under a profiler, for as long as the process lasts.
    static void note_profiled(abi::CUcontext context) {
        platform::lock const lock{mutex()};
        static_cast<void>(add(profiled(), context));
    }
    [[nodiscard]] static bool was_profiled(abi::CUcontext context) {
        platform::lock const lock{mutex()};
        return has(profiled(), context);
    }
    // CUPTI was detached: it knows nothing of earlier sessions.
    static void forget_profiled() {
        platform::lock const lock{mutex()};
        profiled().clear();
    }
    // Whether any context has a session.
    [[nodiscard]] static bool any() {
        platform::lock const lock{mutex()};
        return !held().empty();
    }

private:
    static bool has(std::vector<abi::CUcontext> const& contexts, abi::CUcontext context) {
        for (abi::CUcontext const each : contexts)
            if (each == context) return true;
        return false;
    }
    // False if it was there.
    static bool add(std::vector<abi::CUcontext>& contexts, abi::CUcontext context) {
        if (has(contexts, context)) return false;
        contexts.push_back(context);
        return true;
    }
    static platform::mutex& mutex() {
        static platform::mutex registry_mutex;
        [[maybe_unused]] static bool const safe =
            platform::hold_over_fork([] { mutex().acquire(); }, [] { mutex().release(); });
        return registry_mutex;
    }
    static std::vector<abi::CUcontext>& held() {
        static auto* const contexts = new std::vector<abi::CUcontext>; // outlives every static profiler
        return *contexts;
    }
    static std::vector<abi::CUcontext>& profiled() {
        static auto* const contexts = new std::vector<abi::CUcontext>;
        return *contexts;
    }
};

// The right to the only session of a context, from try_take() until it is destroyed. A session
// takes it first and holds it as its first member: whatever fails later, memory included, the
// context becomes free again. Move-only.
class [[nodiscard]] session_lease {
public:
    // Errors: busy if this process has a session on the context; invalid_argument for the null
    // context of a device that was moved from; inside_callback.
    [[nodiscard]] static result<session_lease> try_take(abi::CUcontext context) {
        if (inside_callback()) return refused_inside_callback("beginning a session of counters");
        if (context == nullptr)
            return error{errc::invalid_argument, 0, "no context to count on", "the device was moved from",
                         "use the device that it was moved to"};
        if (!session_registry::take(context))
            return error{errc::busy, 0, "the counters of this context are taken",
                         "this process has a session on this context already",
                         "finish or destroy the other profiler first"};
        return session_lease{context};
    }

    session_lease(session_lease&& other) noexcept : context_{std::exchange(other.context_, nullptr)} {}
    session_lease& operator=(session_lease&&) = delete;
    ~session_lease() {
        if (context_ != nullptr) session_registry::give(context_);
    }

    // Null after a move.
    [[nodiscard]] abi::CUcontext context() const noexcept { return context_; }

private:
    explicit session_lease(abi::CUcontext taken) noexcept : context_{taken} {}

    abi::CUcontext context_;
};

} // namespace hw
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_MACHINE_SESSION_REGISTRY_HPP
