// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Activity record: an allocation of memory (CUDA 9).
#ifndef GPUPROF_HW_ACTIVITY_MEMORY_HPP
#define GPUPROF_HW_ACTIVITY_MEMORY_HPP

#include <cstdint>
#include <optional>
#include <string_view>

#include "../abi/cupti_activity.hpp"
#include "field_reader.hpp"
#include "memory_kind.hpp"
#include "timestamp.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace activity {

// An allocation of memory, with its release if that is known. The MEMORY record of CUDA 9;
// memory_operation is newer.
struct memory {
    static constexpr abi::CUpti_ActivityKind kinds[] = {abi::CUPTI_ACTIVITY_KIND_MEMORY};
    static constexpr record_form forms[] = {{release(11, 1), "CUpti_ActivityMemory", 80}};

    memory_kind memory{};
    std::uint64_t address = 0;
    gpuprof::bytes size{};
    interval time{};
    std::uint64_t allocation_pc = 0; // of the instruction that allocated
    std::uint64_t release_pc = 0;
    std::uint32_t process = 0;
    std::uint32_t device = 0;
    std::optional<std::uint32_t> context{}; // none: no context was current
    std::string_view name{};                // of a variable of the module; null for other memory

    template <class Row>
    GPUPROF_ALWAYS_INLINE constexpr void layout(Row& row) {
        row("memoryKind", 4, 4, memory);
        row("address", 8, 8, address);
        row("bytes", 16, 8, size);
        row("start", 24, 8, time.start);
        row("end", 32, 8, time.end);
        row("allocPC", 40, 8, allocation_pc);
        row("freePC", 48, 8, release_pc);
        row("processId", 56, 4, process);
        row("deviceId", 60, 4, device);
        row("contextId", 64, 4, context, releases{}, no_value{0});
        row("name", 72, 8, name);
    }
};

} // namespace activity
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_ACTIVITY_MEMORY_HPP
