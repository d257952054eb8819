// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lets the launches of a context run one by one, whichever streams and threads they are of.
#ifndef GPUPROF_HW_CALLBACKS_LAUNCH_SERIALISER_HPP
#define GPUPROF_HW_CALLBACKS_LAUNCH_SERIALISER_HPP

#include <cstddef>

#include "../../core/result.hpp"
#include "../../detail/builtin.hpp"
#include "../../detail/config.hpp"
#include "../machine/device.hpp"
#include "../machine/in_context.hpp"
#include "../machine/platform/thread.hpp"
#include "launch_watch.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace hw {

// The launching thread waits for the context before and after each launch, and other threads with
// their launches for it: no kernel overlaps another one. A graph is one launch. Launches that a
// capture records do not wait. A kernel that waits for a later launch hangs. Errors: those of
// launch_watch. Cost: two waits a launch. Thread-safe; not movable. Kernel profiling guide 2023.3, 6.
class launch_serialiser {
public:
    launch_serialiser() = default;
    launch_serialiser(launch_serialiser const&) = delete;
    launch_serialiser& operator=(launch_serialiser const&) = delete;

    [[nodiscard]] result<void> try_begin(device const& gpu) {
        end();
        driver_ = &gpu.driver();
        return watch_.try_begin(gpu.machine(), gpu.context(), &launch_serialiser::after, this,
                                &launch_serialiser::before);
    }
    // @pre no launch is under way on another thread, or its thread need not wait for others
    void end() noexcept {
        watch_.end();
        gpuprof::detail::store_release(launching_, std::size_t{0});
    }

private:
    static void before(void* self, launch_event const&) {
        auto& mine = *static_cast<launch_serialiser*>(self);
        std::size_t const here = platform::this_thread();
        std::size_t other = 0;
        for (unsigned round = 0; !gpuprof::detail::exchange_weak(mine.launching_, other, here); other = 0)
            if (other == here) break;
            else if (other != 0) platform::wait_a_little(round++);
        mine.wait();
    }
    static void after(void* self, launch_event const&) {
        auto& mine = *static_cast<launch_serialiser*>(self);
        if (gpuprof::detail::load_acquire(mine.launching_) != platform::this_thread()) return;
        mine.wait();
        gpuprof::detail::store_release(mine.launching_, std::size_t{0});
    }
    // What fails here fails for the application, too, in its next call.
    void wait() const { static_cast<void>(try_wait_for_context(*driver_, "", "")); }

    abi::driver_table const* driver_ = nullptr;
    std::size_t launching_ = 0; // the thread that is in a launching call
    launch_watch watch_;
};

} // namespace hw
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_CALLBACKS_LAUNCH_SERIALISER_HPP
