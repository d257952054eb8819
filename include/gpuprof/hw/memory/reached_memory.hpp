// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The allocations that launches reach by their arguments.
#ifndef GPUPROF_HW_MEMORY_REACHED_MEMORY_HPP
#define GPUPROF_HW_MEMORY_REACHED_MEMORY_HPP

#include <cstddef>
#include <vector>

#include "../../core/result.hpp"
#include "../../detail/config.hpp"
#include "../abi/driver.hpp"
#include "../callbacks/argument_words.hpp"
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
        std::vector<abi::CUdeviceptr> words;
        if (launch.graph || driver.MemGetAddressRange == nullptr ||
            !add_argument_words(launch.function, launch.arguments, launch.packed, driver, words))
            ++unread_;
        for (abi::CUdeviceptr const word : words) look_at(word, driver, number);
    }

    void clear() noexcept {
        items_.clear();
        unread_ = 0;
    }
    [[nodiscard]] std::vector<item> const& items() const noexcept { return items_; } // in the order they were reached
    [[nodiscard]] std::size_t unread() const noexcept { return unread_; }            // launches

private:
    void look_at(abi::CUdeviceptr word, abi::driver_table const& driver, std::size_t number) {
        memory_span found;
        if (!may_be_address(word) || knows(word) ||
            driver.MemGetAddressRange(&found.begin, &found.bytes, word) != abi::CUDA_SUCCESS)
            return;
        items_.push_back({found, number});
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
