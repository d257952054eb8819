// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "embedded_gpu.hpp"

#include <new>

GPUPROF_NAMESPACE_BEGIN
namespace sim {

static embedded_gpu& gpu_of_process() noexcept {
    alignas(embedded_gpu) static unsigned char room[sizeof(embedded_gpu)];
    static embedded_gpu* const gpu = ::new (static_cast<void*>(room)) embedded_gpu;
    return *gpu;
}

gpu_state& shared() noexcept { return gpu_of_process().shared; }

driver::state& driver::process_state() noexcept { return gpu_of_process().driver; }

cupti::cupti_state& cupti::state() noexcept { return gpu_of_process().cupti; }

} // namespace sim
GPUPROF_NAMESPACE_END
