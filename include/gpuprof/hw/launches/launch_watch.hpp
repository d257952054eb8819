// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Hears of the kernels that the application launches. Layer: hw.
#ifndef GPUPROF_HW_LAUNCHES_LAUNCH_WATCH_HPP
#define GPUPROF_HW_LAUNCHES_LAUNCH_WATCH_HPP

#include <array>   // dimensions
#include <utility> // std::exchange

#include "../../core/result.hpp"
#include "../abi/cupti_callback.hpp"
#include "../abi/driver.hpp"
#include "../machine/device.hpp"
#include "kernel_launch.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace hw {

// A launching call that has returned. Valid while a listener is called.
struct launch_event {
    char const* symbol = nullptr; // of the kernel, mangled; null where the driver does not say, and for a graph
    bool graph = false;           // a graph was launched: how many kernels it has is not known
    abi::CUfunction function = nullptr;
    std::array<unsigned, 3> grid{1, 1, 1};
    std::array<unsigned, 3> block{1, 1, 1};
    std::array<unsigned, 3> cluster{1, 1, 1};
    unsigned dynamic_shared = 0;
    bool cooperative = false;
    abi::CUcontext context = nullptr;
    abi::CUstream stream = nullptr;
    abi::CUresult status = abi::CUDA_SUCCESS;
};

// The launch as a value of its own, with what the driver says of the function. Cost: six driver calls.
GPUPROF_DECLARE [[nodiscard]] kernel_launch describe(launch_event const& launch, abi::driver_table const& driver);

// While it lives, a listener hears of every kernel and graph that this process launches in a context, through the driver or
// the runtime, from any thread, after the launching call has returned. Launches that a stream capture records are left out:
// they run later, with their graph. Several may live at once; CUPTI gets one subscriber for all of them.
// A listener runs on the launching thread: it must be quick, must not throw, and must not begin or end a watch.
// Errors: unavailable where CUPTI has no callbacks; busy where another tool holds CUPTI's only subscriber. Cost: 1 us a
// launch at most, nothing after the end. Thread-safe. CUPTI 12.0, 2.4.
class launch_watch {
public:
    using listener = void (*)(void* self, launch_event const& launch);

    GPUPROF_DECLARE [[nodiscard]] static result<launch_watch> try_begin(device const& gpu, listener heard, void* self);

    launch_watch(launch_watch&& other) noexcept
        : subscription_{std::exchange(other.subscription_, nullptr)}, number_{other.number_} {}
    launch_watch& operator=(launch_watch&&) = delete;
    // After it no listener runs any more.
    ~launch_watch() {
        if (subscription_ != nullptr) end();
    }

    // What this process has subscribed with one CUPTI.
    struct subscription;

private:
    launch_watch(subscription& to, unsigned number) noexcept : subscription_{&to}, number_{number} {}
    void end() noexcept;

    subscription* subscription_;
    unsigned number_;
};

} // namespace hw
GPUPROF_NAMESPACE_END

#if GPUPROF_HEADER_ONLY
#include "launch_watch.inl.hpp"
#endif

#endif // GPUPROF_HW_LAUNCHES_LAUNCH_WATCH_HPP
