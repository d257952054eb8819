// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How the event and metric API hands out texts, numbers and lists, and which of its calls a CUPTI
// may lack.
#ifndef GPUPROF_HW_COUNTERS_EVENT_EVENT_ATTRIBUTES_HPP
#define GPUPROF_HW_COUNTERS_EVENT_EVENT_ATTRIBUTES_HPP

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "../../../core/error.hpp"
#include "../../../core/result.hpp"
#include "../../abi/cupti.hpp"
#include "../../machine/status.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace detail {

// Calls that CUPTI 5.0 did not have yet or that a later one no longer has; users of them look
// first.
[[nodiscard]] constexpr bool is_optional_event_call(std::string_view symbol) noexcept {
    for (std::string_view const each :
         {"cuptiDeviceGetTimestamp", "cuptiEventGroupSetEnable", "cuptiEventGroupSetDisable",
          "cuptiEnableKernelReplayMode", "cuptiDisableKernelReplayMode", "cuptiKernelReplaySubscribeUpdate",
          "cuptiMetricGetNumProperties", "cuptiMetricEnumProperties", "cuptiMetricGetRequiredEventGroupSets",
          "cuptiMetricGetValue2"})
        if (symbol == each) return true;
    return false;
}

// The first call of the event and metric API that the table lacks; null if it is whole.
[[nodiscard]] inline char const* missing_event_call(abi::cupti_table const& cupti) noexcept {
#define GPUPROF_EVENT_CALL(member, symbol, parameters)                                                                 \
    if (cupti.member == nullptr && !is_optional_event_call(#symbol)) return #symbol;
    GPUPROF_ABI_CUPTI_EVENT(GPUPROF_EVENT_CALL)
    GPUPROF_ABI_CUPTI_METRIC(GPUPROF_EVENT_CALL)
#undef GPUPROF_EVENT_CALL
    return nullptr;
}

// An attribute that is a text: CUPTI cuts it at the room given, and then leaves out the NUL.
template <class Ask>
[[nodiscard]] result<std::string> try_text(std::string_view call, Ask&& ask) {
    for (std::size_t room = 256; room <= 65536; room *= 4) {
        std::string text(room, '\0');
        std::size_t size = room;
        if (auto status = ask(&size, text.data())) return hw::explain(call, status);
        std::size_t const end = text.find('\0');
        if (end == text.npos) continue;
        text.resize(end);
        return text;
    }
    return error{errc::internal, 0, std::string{call} + ": a text without end", "", ""};
}

// An attribute that is a number or an enumerator.
template <class Value, class Ask>
[[nodiscard]] result<Value> try_number(std::string_view call, Ask&& ask) {
    Value value{};
    std::size_t size = sizeof value;
    if (auto status = ask(&size, &value)) return hw::explain(call, status);
    return value;
}

// A list whose length another call tells.
template <class Id, class Count, class List>
[[nodiscard]] result<std::vector<Id>> try_list(std::string_view count_call, Count&& count, std::string_view list_call,
                                               List&& list) {
    std::uint32_t number = 0;
    if (auto status = count(&number)) return hw::explain(count_call, status);
    std::vector<Id> ids(number);
    if (number == 0) return ids;
    std::size_t bytes = ids.size() * sizeof(Id);
    if (auto status = list(&bytes, ids.data())) return hw::explain(list_call, status);
    if (bytes / sizeof(Id) < ids.size()) ids.resize(bytes / sizeof(Id));
    return ids;
}

} // namespace detail
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_COUNTERS_EVENT_EVENT_ATTRIBUTES_HPP
