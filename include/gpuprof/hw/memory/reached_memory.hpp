// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The allocations that launches reach by their arguments.
#ifndef GPUPROF_HW_MEMORY_REACHED_MEMORY_HPP
#define GPUPROF_HW_MEMORY_REACHED_MEMORY_HPP

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "../../core/result.hpp"
#include "../../detail/config.hpp"
#include "../abi/driver.hpp"
#include "../callbacks/launch_watch.hpp"
#include "../machine/device.hpp"
#include "../machine/in_context.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace hw {

// Device memory from its first byte on.
struct memory_span {
    abi::CUdeviceptr begin = 0;
    std::size_t bytes = 0;
};

// Whether an allocation is there as it was found. Cost: a driver call.
[[nodiscard]] inline bool is_still_there(device const& gpu, memory_span const& span) {
    memory_span now;
    auto found = in_context(gpu.driver(), gpu.context(), [&]() -> result<void> {
        if (auto status = gpu.driver().MemGetAddressRange(&now.begin, &now.bytes, span.begin))
            return explain("cuMemGetAddressRange", status);
        return {};
    });
    return found.has_value() && now.begin == span.begin && now.bytes == span.bytes;
}

// Every allocation of device memory into which a word of an argument points. Of an argument that is a
// structure, each word of 8 bytes is looked at. What a kernel reaches only by pointers that lie in
// memory, and variables of modules, are not in it. Not thread-safe.
class reached_memory {
public:
    // One span, and a number that the caller gave with the launch that reached it first.
    struct item {
        memory_span span;
        std::size_t first = 0;
    };

    // Adds what the launch reaches. Where the driver does not tell of parameters (before CUDA 12.4),
    // and for graphs, the launch is counted as unread. Cost: a driver call a parameter, and one for
    // each word that is not yet known. @pre the launch is of the current call
    void add(launch_event const& launch, abi::driver_table const& driver, std::size_t number) {
        if (launch.packed != nullptr) return add_packed(launch.packed, driver, number);
        abi::CUfunction function = launch.function;
        std::size_t offset = 0, bytes = 0;
        bool const asks = !launch.graph && driver.FuncGetParamInfo != nullptr && driver.MemGetAddressRange != nullptr;
        // The runtime of CUDA 12 and later passes kernels of libraries in place of functions.
        if (asks && driver.FuncGetParamInfo(function, 0, &offset, &bytes) == abi::CUDA_ERROR_INVALID_HANDLE &&
            (driver.KernelGetFunction == nullptr ||
             driver.KernelGetFunction(&function, reinterpret_cast<abi::CUkernel>(launch.function)) !=
                 abi::CUDA_SUCCESS))
            function = nullptr;
        if (!asks || function == nullptr) {
            ++unread_;
            return;
        }
        for (std::size_t i = 0; driver.FuncGetParamInfo(function, i, &offset, &bytes) == abi::CUDA_SUCCESS; ++i)
            if (launch.arguments == nullptr || launch.arguments[i] == nullptr) return;
            else look_at(launch.arguments[i], bytes, driver, number);
    }

    void clear() noexcept {
        items_.clear();
        unread_ = 0;
    }
    [[nodiscard]] std::vector<item> const& items() const noexcept { return items_; } // in the order they were reached
    [[nodiscard]] std::size_t unread() const noexcept { return unread_; }            // launches

private:
    void add_packed(void* const* packed, abi::driver_table const& driver, std::size_t number) {
        constexpr std::uintptr_t pointer = 1, size = 2; // CU_LAUNCH_PARAM_BUFFER_POINTER, _SIZE; 0 ends the list
        void const* buffer = nullptr;
        std::size_t bytes = 0;
        for (std::size_t i = 0; packed[i] != nullptr; i += 2) {
            auto const key = reinterpret_cast<std::uintptr_t>(packed[i]);
            if (key == pointer) buffer = packed[i + 1];
            if (key == size) bytes = *static_cast<std::size_t const*>(packed[i + 1]);
        }
        if (buffer != nullptr) look_at(buffer, bytes, driver, number);
    }
    void look_at(void const* argument, std::size_t bytes, abi::driver_table const& driver, std::size_t number) {
        for (std::size_t at = 0; at + sizeof(abi::CUdeviceptr) <= bytes; at += sizeof(abi::CUdeviceptr)) {
            abi::CUdeviceptr word = 0;
            std::memcpy(&word, static_cast<unsigned char const*>(argument) + at, sizeof word);
            memory_span found;
            if (word < 4096 || knows(word) ||
                driver.MemGetAddressRange(&found.begin, &found.bytes, word) != abi::CUDA_SUCCESS)
                continue;
            items_.push_back({found, number});
        }
    }
    [[nodiscard]] bool knows(abi::CUdeviceptr address) const noexcept {
        for (item const& each : items_)
            if (address >= each.span.begin && address - each.span.begin < each.span.bytes) return true;
        return false;
    }

    std::vector<item> items_;
    std::size_t unread_ = 0;
};

} // namespace hw
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_MEMORY_REACHED_MEMORY_HPP
