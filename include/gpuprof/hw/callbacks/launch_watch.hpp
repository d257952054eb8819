// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls a listener for each kernel that the application launches.
#ifndef GPUPROF_HW_CALLBACKS_LAUNCH_WATCH_HPP
#define GPUPROF_HW_CALLBACKS_LAUNCH_WATCH_HPP

#include <optional>

#include "../../core/result.hpp"
#include "../abi/cupti_callback.hpp"
#include "../abi/driver.hpp"
#include "subscription.hpp"
#include "../machine/device.hpp"
#include "kernel_launch.hpp"
#include "launch_event.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace hw {

// The launch as a value, with the call's arguments. Makes no call.
[[nodiscard]] kernel_launch as_launched(launch_event const& launch);
// The same with the function's attributes. Cost: six driver calls.
[[nodiscard]] kernel_launch describe(launch_event const& launch, abi::driver_table const& driver);

// Calls a listener for every kernel and graph that this process launches in a context, through the
// driver or the runtime, on any thread, after the launching call has returned. Ignores launches
// that a stream capture records: they run later, with their graph. Several may exist at once. The
// rules of hw::subscription hold for listeners. Errors: those of hw::subscription. Cost: 0.2 to 0.6
// us a launch on an H200, nothing after the end. Thread-safe. Not movable: CUPTI knows its address.
// CUPTI 12.0, 2.4.
class launch_watch {
public:
    using listener = void (*)(void* self, launch_event const& launch);

    launch_watch() = default;
    launch_watch(launch_watch const&) = delete;
    launch_watch& operator=(launch_watch const&) = delete;

    // Begins, or begins again.
    // @param context null: in every context
    // @param before is called as each launching call begins, its status unknown yet; may be null
    // @pre the machine outlives it
    [[nodiscard]] result<void> try_begin(machine const& on, abi::CUcontext context, listener heard, void* self,
                                         listener before);
    [[nodiscard]] result<void> try_begin(device const& gpu, listener heard, void* self) {
        return try_begin(gpu.machine(), gpu.context(), heard, self, nullptr);
    }
    // After it the listener runs on no thread.
    void end() noexcept { calls_.reset(); }

private:
    static void called(void* self, callback_id id, void const* data);

    abi::driver_table const* driver_ = nullptr;
    abi::CUcontext context_ = nullptr;
    listener heard_ = nullptr;
    listener before_ = nullptr;
    void* self_ = nullptr;
    std::optional<subscription> calls_;
};

} // namespace hw
GPUPROF_NAMESPACE_END

#if GPUPROF_HEADER_ONLY
#include "launch_watch.inl.hpp"
#endif

#endif // GPUPROF_HW_CALLBACKS_LAUNCH_WATCH_HPP
