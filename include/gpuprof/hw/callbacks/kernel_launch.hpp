// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The facts of a kernel launch: name, configuration, and the function's needs.
#ifndef GPUPROF_HW_CALLBACKS_KERNEL_LAUNCH_HPP
#define GPUPROF_HW_CALLBACKS_KERNEL_LAUNCH_HPP

#include <array>
#include <cstddef>
#include <string>

#include "../../detail/config.hpp"
#include "../abi/driver_types.hpp"
#include "../abi/results.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace hw {

// A kernel launch as the driver was asked for it. Independent of the function's module. CUPTI 12.0,
// 2.4.
struct kernel_launch {
    std::string kernel;                       // the symbol's name, mangled as in the module
    std::array<unsigned, 3> grid{1, 1, 1};    // blocks
    std::array<unsigned, 3> block{1, 1, 1};   // threads
    std::array<unsigned, 3> cluster{1, 1, 1}; // blocks; 1, 1, 1 without clusters
    std::size_t dynamic_shared = 0;           // bytes a block
    bool cooperative = false;
    abi::CUcontext context = nullptr;
    abi::CUstream stream = nullptr;
    abi::CUresult status = abi::CUDA_SUCCESS; // returned by the launching call

    // Attributes of the function (cuFuncGetAttribute); 0 where the driver does not say.
    int registers = 0;           // a thread
    int static_shared = 0;       // bytes a block
    int local = 0;               // bytes a thread
    int max_dynamic_shared = 0;  // bytes a block
    int preferred_carveout = -1; // percent of the largest shared memory; -1: the driver's choice
    int cache_config = 0;        // CUfunc_cache

    // Known only at the moment of the launch (launch_facts.hpp); -1 where nobody asked or the
    // driver does not say.
    long long context_id = -1;
    long long stream_id = -1;
    int cluster_policy = -1;  // CUclusterSchedulingPolicy: 0 default, 1 spread, 2 by load
    int largest_cluster = -1; // blocks
    int active_clusters = -1; // of the whole device at once
};

} // namespace hw
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_CALLBACKS_KERNEL_LAUNCH_HPP
