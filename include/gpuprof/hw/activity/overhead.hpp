// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Activity record: overhead of CUPTI or the driver.
#ifndef GPUPROF_HW_ACTIVITY_OVERHEAD_HPP
#define GPUPROF_HW_ACTIVITY_OVERHEAD_HPP

#include <cstdint>
#include <optional>
#include <string_view>

#include "../abi/cupti_activity.hpp"
#include "../abi/cupti_activity_enums.hpp"
#include "field_reader.hpp"
#include "not_known.hpp"
#include "timestamp.hpp"
#include "traced_object.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace activity {

// The cause of overhead.
enum class overhead_kind : unsigned {
    unknown = abi::CUPTI_ACTIVITY_OVERHEAD_UNKNOWN,
    driver_compiler = abi::CUPTI_ACTIVITY_OVERHEAD_DRIVER_COMPILER,
    cupti_buffer_flush = abi::CUPTI_ACTIVITY_OVERHEAD_CUPTI_BUFFER_FLUSH,
    cupti_instrumentation = abi::CUPTI_ACTIVITY_OVERHEAD_CUPTI_INSTRUMENTATION,
    cupti_resource = abi::CUPTI_ACTIVITY_OVERHEAD_CUPTI_RESOURCE,
    runtime_triggered_module_loading = abi::CUPTI_ACTIVITY_OVERHEAD_RUNTIME_TRIGGERED_MODULE_LOADING,
    lazy_function_loading = abi::CUPTI_ACTIVITY_OVERHEAD_LAZY_FUNCTION_LOADING,
    command_buffer_full = abi::CUPTI_ACTIVITY_OVERHEAD_COMMAND_BUFFER_FULL,
    activity_buffer_request = abi::CUPTI_ACTIVITY_OVERHEAD_ACTIVITY_BUFFER_REQUEST,
    uvm_activity_init = abi::CUPTI_ACTIVITY_OVERHEAD_UVM_ACTIVITY_INIT
};
[[nodiscard]] constexpr std::string_view to_text(overhead_kind value) noexcept {
    switch (value) {
        case overhead_kind::unknown: return "unknown";
        case overhead_kind::driver_compiler: return "driver compiler";
        case overhead_kind::cupti_buffer_flush: return "cupti buffer flush";
        case overhead_kind::cupti_instrumentation: return "cupti instrumentation";
        case overhead_kind::cupti_resource: return "cupti resource";
        case overhead_kind::runtime_triggered_module_loading: return "runtime triggered module loading";
        case overhead_kind::lazy_function_loading: return "lazy function loading";
        case overhead_kind::command_buffer_full: return "command buffer full";
        case overhead_kind::activity_buffer_request: return "activity buffer request";
        case overhead_kind::uvm_activity_init: return "uvm activity init";
    }
    return not_known;
}

// Overhead of CUPTI or the driver.
struct overhead {
    static constexpr abi::CUpti_ActivityKind kinds[] = {abi::CUPTI_ACTIVITY_KIND_OVERHEAD};
    static constexpr record_form forms[] = {{release(11, 1), "CUpti_ActivityOverhead", 40},
                                            {release(12, 3), "CUpti_ActivityOverhead2", 48},
                                            {release(12, 4), "CUpti_ActivityOverhead3", 56}};

    overhead_kind kind{};
    traced_object object{};
    interval time{};
    std::optional<std::uint32_t> correlation{};
    std::optional<void const*>
        data{}; // where kind is command_buffer_full: a CUpti_ActivityOverheadCommandBufferFullData

    template <class Row>
    GPUPROF_ALWAYS_INLINE constexpr void layout(Row& row) {
        row("overheadKind", 4, 4, kind);
        row("objectKind", 8, 4, object.kind);
        row("objectId", 12, 12, object.ids);
        row("start", 24, 8, time.start);
        row("end", 32, 8, time.end);
        row("correlationId", 40, 4, correlation, since(12, 3));
        row("overheadData", 48, 8, data, since(12, 4), no_value{0});
    }
};

} // namespace activity
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_ACTIVITY_OVERHEAD_HPP
