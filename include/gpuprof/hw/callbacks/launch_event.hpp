// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a listener is told of a launching call.
#ifndef GPUPROF_HW_CALLBACKS_LAUNCH_EVENT_HPP
#define GPUPROF_HW_CALLBACKS_LAUNCH_EVENT_HPP

#include <array>

#include "../../detail/config.hpp"
#include "../abi/driver.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace hw {

// A launching call that has returned. Valid during the listener's call.
struct launch_event {
    char const* symbol = nullptr; // of the kernel, mangled; null where the driver does not say, and for a graph
    bool graph = false;           // a graph was launched; graph_watch may know its kernels
    abi::CUgraphExec executable = nullptr; // of the graph
    abi::CUfunction function = nullptr;
    std::array<unsigned, 3> grid{1, 1, 1};
    std::array<unsigned, 3> block{1, 1, 1};
    std::array<unsigned, 3> cluster{1, 1, 1};
    unsigned dynamic_shared = 0;
    void* const* arguments = nullptr; // one pointer a parameter; null: they are packed, or the call is of a graph
    void* const* packed = nullptr;    // pairs of CU_LAUNCH_PARAM_... and a pointer, as the driver takes them
    bool cooperative = false;
    abi::CUcontext context = nullptr;
    abi::CUstream stream = nullptr;
    abi::CUresult status = abi::CUDA_SUCCESS;
};

} // namespace hw
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_CALLBACKS_LAUNCH_EVENT_HPP
