// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The words of a launch's arguments, any of which may be an address.
#ifndef GPUPROF_HW_CALLBACKS_ARGUMENT_WORDS_HPP
#define GPUPROF_HW_CALLBACKS_ARGUMENT_WORDS_HPP

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "../../detail/config.hpp"
#include "../abi/driver.hpp"
#include "launch_watch.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace hw {

// Calls `look(word)` for each 8 bytes of each argument; of an argument that is a structure, for each
// word of it. Whether the arguments are known: not for graphs, and not where the driver does not tell
// of parameters (before CUDA 12.4). Cost: a driver call a parameter. @pre the launch is of the current
// call
template <class Look>
bool for_each_argument_word(launch_event const& launch, abi::driver_table const& driver, Look look) {
    auto const each_word = [&look](void const* argument, std::size_t bytes) {
        for (std::size_t at = 0; at + sizeof(abi::CUdeviceptr) <= bytes; at += sizeof(abi::CUdeviceptr)) {
            abi::CUdeviceptr word = 0;
            std::memcpy(&word, static_cast<unsigned char const*>(argument) + at, sizeof word);
            look(word);
        }
    };
    std::size_t offset = 0, bytes = 0;
    if (launch.packed != nullptr) {
        constexpr std::uintptr_t pointer = 1, size = 2; // CU_LAUNCH_PARAM_BUFFER_POINTER, _SIZE; 0 ends the list
        void const* buffer = nullptr;
        for (std::size_t i = 0; launch.packed[i] != nullptr; i += 2) {
            auto const key = reinterpret_cast<std::uintptr_t>(launch.packed[i]);
            if (key == pointer) buffer = launch.packed[i + 1];
            if (key == size) bytes = *static_cast<std::size_t const*>(launch.packed[i + 1]);
        }
        if (buffer != nullptr) each_word(buffer, bytes);
        return true;
    }
    abi::CUfunction function = launch.function;
    if (launch.graph || driver.FuncGetParamInfo == nullptr) return false;
    // The runtime of CUDA 12 and later passes kernels of libraries in place of functions.
    if (driver.FuncGetParamInfo(function, 0, &offset, &bytes) == abi::CUDA_ERROR_INVALID_HANDLE &&
        (driver.KernelGetFunction == nullptr ||
         driver.KernelGetFunction(&function, reinterpret_cast<abi::CUkernel>(launch.function)) != abi::CUDA_SUCCESS))
        return false;
    if (function == nullptr) return false;
    for (std::size_t i = 0; driver.FuncGetParamInfo(function, i, &offset, &bytes) == abi::CUDA_SUCCESS; ++i) {
        if (launch.arguments == nullptr || launch.arguments[i] == nullptr) return true;
        each_word(launch.arguments[i], bytes);
    }
    return true;
}

} // namespace hw
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_CALLBACKS_ARGUMENT_WORDS_HPP
