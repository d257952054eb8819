// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whose memory a launch reaches by its arguments.
#ifndef GPUPROF_HW_MEMORY_ARGUMENT_MEMORY_HPP
#define GPUPROF_HW_MEMORY_ARGUMENT_MEMORY_HPP

#include <vector>

#include "../../detail/config.hpp"
#include "../abi/driver.hpp"
#include "../callbacks/argument_words.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace hw {

// Who has the memory that an address points into.
enum class memory_owner : unsigned char {
    device, // the device that the launch is on alone, managed memory among it
    host,   // page-locked memory of the host, which the host may look at while the kernel runs
    peer    // another device
};

// The memory that is hardest to put back among what some words point into; words that point nowhere say nothing. Cost: one or
// two driver calls a word. @pre a context of `ordinal` is current
[[nodiscard]] inline memory_owner owner_of(std::vector<abi::CUdeviceptr> const& words, abi::driver_table const& driver,
                                           int ordinal) {
    memory_owner found = memory_owner::device;
    for (abi::CUdeviceptr const word : words) {
        if (!may_be_address(word)) continue;
        unsigned type = 0, managed = 0;
        if (driver.PointerGetAttribute(&type, abi::CU_POINTER_ATTRIBUTE_MEMORY_TYPE, word) != abi::CUDA_SUCCESS)
            continue;
        static_cast<void>(driver.PointerGetAttribute(&managed, abi::CU_POINTER_ATTRIBUTE_IS_MANAGED, word));
        if (managed != 0) continue;
        if (type == abi::CU_MEMORYTYPE_HOST) found = memory_owner::host;
        int owner = ordinal;
        if (type == abi::CU_MEMORYTYPE_DEVICE &&
            driver.PointerGetAttribute(&owner, abi::CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, word) == abi::CUDA_SUCCESS &&
            owner != ordinal)
            return memory_owner::peer;
    }
    return found;
}

} // namespace hw
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_MEMORY_ARGUMENT_MEMORY_HPP
