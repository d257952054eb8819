// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds the library by which kernels of several GPUs share memory.
#ifndef GPUPROF_HW_MACHINE_PARTNER_LIBRARY_HPP
#define GPUPROF_HW_MACHINE_PARTNER_LIBRARY_HPP

#include <string>
#include <string_view>

#include "../../detail/config.hpp"
#include "device.hpp"
#include "platform/environment.hpp"
#include "platform/library.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace hw {

// The file of NCCL or NVSHMEM, where this process has loaded one and sees several GPUs: CUPTI cannot repeat kernels once they
// have mapped memory, for it fails to save that (docs/call-replay.md#kernel-replay). Empty: there is none, or NCCL_CUMEM_ENABLE=0
// keeps NCCL from mapping. One that is linked statically is not found.
[[nodiscard]] inline std::string partner_library(device const& gpu) {
    int gpus = 0;
    if (gpu.driver().DeviceGetCount(&gpus) != abi::CUDA_SUCCESS || gpus < 2) return {};
    bool const nccl_maps = platform::variable_or_empty("NCCL_CUMEM_ENABLE") != "0";
    return platform::find_mapped_library([nccl_maps](std::string_view path) {
        std::string_view const file = path.substr(platform::file_name_begin(path));
        return (nccl_maps && file.starts_with("libnccl.so")) || file.starts_with("libnvshmem");
    });
}

} // namespace hw
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_MACHINE_PARTNER_LIBRARY_HPP
