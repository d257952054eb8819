// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels that do not end alone, known by their names.
#ifndef GPUPROF_HW_CALLBACKS_WAITING_KERNEL_HPP
#define GPUPROF_HW_CALLBACKS_WAITING_KERNEL_HPP

#include <string_view>

#include "../../detail/config.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace hw {

// Whether a kernel, by its symbol, is one of NCCL or NVSHMEM: it waits for its partners on other GPUs. One that the hardware
// replays waits for ever, since its partners run once.
[[nodiscard]] inline bool waits_for_other_gpus(std::string_view symbol) noexcept {
    for (std::string_view const part : {"ncclDevKernel", "ncclKernel", "nvshmem"})
        if (symbol.find(part) != std::string_view::npos) return true;
    return false;
}

} // namespace hw
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_CALLBACKS_WAITING_KERNEL_HPP
