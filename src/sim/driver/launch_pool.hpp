// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Places for what kernels launch and has not completed.
#ifndef GPUPROF_SRC_SIM_DRIVER_LAUNCH_POOL_HPP
#define GPUPROF_SRC_SIM_DRIVER_LAUNCH_POOL_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "../code/device_heap.hpp"
#include "device_errors.hpp"
#include "objects.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::driver {

// A kernel that the host launches, and all that it launches, share one: device memory for the parameters of as many launches as
// cudaLimitDevRuntimePendingLaunchCount says. With fewer parameters there is room for more: on a GPU, kernels begin while their parent
// goes on launching, and 3,000 launches are no error with a limit of 2,048 (H200, tests/hardware/device_launches.cu).
class launch_pool {
public:
    static constexpr std::uint64_t most_parameters = 4096; // bytes, of a kernel that a kernel launches

    // Makes sure that the context has the memory. False if there is none left.
    [[nodiscard]] static bool ready(context_state& context) {
        std::uint64_t const bytes = context.limits[CU_LIMIT_DEV_RUNTIME_PENDING_LAUNCH_COUNT] * most_parameters;
        device_launch_memory& memory = context.launch_memory;
        if (memory.texts == 0) {
            auto const texts = context.memory.allocate(device_error_text_bytes);
            if (!texts) return false;
            memory.texts = *texts;
            write_device_error_texts(context.memory.translate(*texts, device_error_text_bytes));
        }
        if (memory.bytes >= bytes && memory.buffers != 0) return true;
        auto const buffers = context.memory.allocate((std::max)(bytes, most_parameters));
        if (!buffers) return false;
        if (memory.buffers != 0) static_cast<void>(context.memory.free(memory.buffers));
        memory.buffers = *buffers;
        memory.bytes = (std::max)(bytes, most_parameters);
        return true;
    }

    // @pre ready()
    explicit launch_pool(context_state const& context)
        : buffers_{context.launch_memory.buffers, context.launch_memory.bytes} {}

    // The address of a buffer; 0 when there is no room left.
    [[nodiscard]] std::uint64_t take(std::uint64_t bytes) {
        return buffers_.allocate((std::max)(bytes, std::uint64_t{16}));
    }
    // 0 is the place of what the host launched, which takes none.
    void give_back(std::uint64_t buffer) {
        if (buffer != 0) static_cast<void>(buffers_.release(buffer));
    }

private:
    device_heap buffers_;
};

} // namespace sim::driver
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_DRIVER_LAUNCH_POOL_HPP
