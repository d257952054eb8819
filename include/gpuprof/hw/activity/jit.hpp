// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Activity record: a compilation of a module, or an access to the compute cache.
#ifndef GPUPROF_HW_ACTIVITY_JIT_HPP
#define GPUPROF_HW_ACTIVITY_JIT_HPP

#include <cstdint>
#include <optional>
#include <string_view>

#include "../abi/cupti_activity.hpp"
#include "../abi/cupti_activity_enums.hpp"
#include "field_reader.hpp"
#include "not_known.hpp"
#include "timestamp.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace activity {

// The source and the target of a compilation.
enum class jit_entry : unsigned {
    invalid = abi::CUPTI_ACTIVITY_JIT_ENTRY_INVALID,
    ptx_to_cubin = abi::CUPTI_ACTIVITY_JIT_ENTRY_PTX_TO_CUBIN,
    nvvm_ir_to_ptx = abi::CUPTI_ACTIVITY_JIT_ENTRY_NVVM_IR_TO_PTX
};
[[nodiscard]] constexpr std::string_view to_text(jit_entry value) noexcept {
    switch (value) {
        case jit_entry::invalid: return "invalid";
        case jit_entry::ptx_to_cubin: return "ptx to cubin";
        case jit_entry::nvvm_ir_to_ptx: return "nvvm ir to ptx";
    }
    return not_known;
}

// The operation.
enum class jit_operation : unsigned {
    invalid = abi::CUPTI_ACTIVITY_JIT_OPERATION_INVALID,
    cache_load = abi::CUPTI_ACTIVITY_JIT_OPERATION_CACHE_LOAD,
    cache_store = abi::CUPTI_ACTIVITY_JIT_OPERATION_CACHE_STORE,
    compile = abi::CUPTI_ACTIVITY_JIT_OPERATION_COMPILE
};
[[nodiscard]] constexpr std::string_view to_text(jit_operation value) noexcept {
    switch (value) {
        case jit_operation::invalid: return "invalid";
        case jit_operation::cache_load: return "cache load";
        case jit_operation::cache_store: return "cache store";
        case jit_operation::compile: return "compile";
    }
    return not_known;
}

// A compilation of a module, or its load from or store to the compute cache.
struct jit {
    static constexpr abi::CUpti_ActivityKind kinds[] = {abi::CUPTI_ACTIVITY_KIND_JIT};
    static constexpr record_form forms[] = {{release(11, 8), "CUpti_ActivityJit", 64},
                                            {release(12, 4), "CUpti_ActivityJit2", 72}};

    jit_entry entry{};
    jit_operation operation{};
    std::uint32_t device = 0;
    interval time{};
    std::uint32_t correlation = 0;
    std::uint64_t operation_correlation = 0; // the same in all operations on one module
    gpuprof::bytes cache_size{};
    std::string_view cache_path{}; // null if the cache was not used
    std::optional<std::uint32_t> process{};
    std::optional<std::uint32_t> thread{};

    template <class Row>
    GPUPROF_ALWAYS_INLINE constexpr void layout(Row& row) {
        row("jitEntryType", 4, 4, entry);
        row("jitOperationType", 8, 4, operation);
        row("deviceId", 12, 4, device);
        row("start", 16, 8, time.start);
        row("end", 24, 8, time.end);
        row("correlationId", 32, 4, correlation);
        row("jitOperationCorrelationId", 40, 8, operation_correlation);
        row("cacheSize", 48, 8, cache_size);
        row("cachePath", 56, 8, cache_path);
        row("processId", 64, 4, process, since(12, 4));
        row("threadId", 68, 4, thread, since(12, 4));
    }
};

} // namespace activity
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_ACTIVITY_JIT_HPP
