// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The words of a launch's arguments, any of which may be an address, and whose memory an address is of.
#ifndef GPUPROF_HW_CALLBACKS_ARGUMENT_WORDS_HPP
#define GPUPROF_HW_CALLBACKS_ARGUMENT_WORDS_HPP

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "../../detail/config.hpp"
#include "../abi/driver.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace hw {

// The keys of `extra`, whose pairs of a key and a pointer end with a null. CUDA 12.0, cuLaunchKernel.
inline constexpr std::uintptr_t packed_pointer = 1; // CU_LAUNCH_PARAM_BUFFER_POINTER
inline constexpr std::uintptr_t packed_size = 2;    // CU_LAUNCH_PARAM_BUFFER_SIZE

// Arguments that were given in one piece.
struct packed_arguments {
    void const* begin = nullptr;
    std::size_t bytes = 0;
};
// Of `extra`; nothing where it is null.
[[nodiscard]] inline packed_arguments read_packed(void* const* packed) noexcept {
    packed_arguments found;
    for (std::size_t i = 0; packed != nullptr && packed[i] != nullptr; i += 2) {
        auto const key = reinterpret_cast<std::uintptr_t>(packed[i]);
        if (key == packed_pointer) found.begin = packed[i + 1];
        if (key == packed_size) found.bytes = *static_cast<std::size_t const*>(packed[i + 1]);
    }
    return found;
}

// The function of a launch. The runtime of CUDA 12 and later passes kernels of libraries in its place; only functions have
// parameters. Null where the driver does not tell of parameters (before CUDA 12.4).
[[nodiscard]] inline abi::CUfunction function_with_parameters(abi::CUfunction given, abi::driver_table const& driver) {
    std::size_t offset = 0, bytes = 0;
    if (driver.FuncGetParamInfo == nullptr || given == nullptr) return nullptr;
    if (driver.FuncGetParamInfo(given, 0, &offset, &bytes) != abi::CUDA_ERROR_INVALID_HANDLE) return given;
    abi::CUfunction function = nullptr;
    bool const found = driver.KernelGetFunction != nullptr &&
                       driver.KernelGetFunction(&function, reinterpret_cast<abi::CUkernel>(given)) == abi::CUDA_SUCCESS;
    return found ? function : nullptr;
}

// Adds each word of 8 bytes. Of an argument that is a structure each of its words; nothing of one that is smaller.
inline void add_words(void const* from, std::size_t bytes, std::vector<abi::CUdeviceptr>& words) {
    for (std::size_t at = 0; at + sizeof(abi::CUdeviceptr) <= bytes; at += sizeof(abi::CUdeviceptr)) {
        abi::CUdeviceptr word = 0;
        std::memcpy(&word, static_cast<unsigned char const*>(from) + at, sizeof word);
        words.push_back(word);
    }
}

// The words of all arguments of one launch. False where they are not known. Cost: a driver call a parameter.
// @param arguments, packed as the driver takes them; one of them is null, or both
[[nodiscard]] inline bool add_argument_words(abi::CUfunction launched, void* const* arguments, void* const* packed,
                                             abi::driver_table const& driver, std::vector<abi::CUdeviceptr>& words) {
    if (packed != nullptr) {
        packed_arguments const all = read_packed(packed);
        if (all.begin != nullptr) add_words(all.begin, all.bytes, words);
        return true;
    }
    abi::CUfunction const function = function_with_parameters(launched, driver);
    if (function == nullptr) return false;
    std::size_t offset = 0, bytes = 0;
    for (std::size_t i = 0; driver.FuncGetParamInfo(function, i, &offset, &bytes) == abi::CUDA_SUCCESS; ++i) {
        if (arguments == nullptr || arguments[i] == nullptr) return false;
        add_words(arguments[i], bytes, words);
    }
    return true;
}

// Whether a word may be an address: nobody has memory in the first page. Saves a driver call for most numbers.
[[nodiscard]] constexpr bool may_be_address(abi::CUdeviceptr word) noexcept { return word >= 4096; }

// Whether the address is the device's; what the driver does not know is the host's. Managed memory counts as the device's.
[[nodiscard]] inline bool is_of_device(abi::driver_table const& driver, abi::CUdeviceptr address) {
    unsigned type = 0, managed = 0;
    if (driver.PointerGetAttribute(&type, abi::CU_POINTER_ATTRIBUTE_MEMORY_TYPE, address) != abi::CUDA_SUCCESS)
        return false;
    static_cast<void>(driver.PointerGetAttribute(&managed, abi::CU_POINTER_ATTRIBUTE_IS_MANAGED, address));
    return type == abi::CU_MEMORYTYPE_DEVICE || managed != 0;
}

} // namespace hw
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_CALLBACKS_ARGUMENT_WORDS_HPP
