// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "answer.hpp"

#include <cstdlib>

#include "../counters/event_table.hpp"
#include "../gpu/gpu_state.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::cupti {

namespace detail {

bool is_initialized() { return shared().registry.device_count() != 0; }

device_events of_chip(chip_model const& chip) {
    auto const* const found = event_table::of(chip);
    return {found, found == nullptr ? CUPTI_ERROR_LEGACY_PROFILER_NOT_SUPPORTED : CUPTI_SUCCESS};
}

device_events of_device(CUdevice device) {
    if (!is_initialized()) return {nullptr, CUPTI_ERROR_NOT_INITIALIZED};
    chip_model const* const chip = device < 0 ? nullptr : shared().registry.device(static_cast<std::size_t>(device));
    return chip == nullptr ? device_events{nullptr, CUPTI_ERROR_INVALID_DEVICE} : of_chip(*chip);
}

device_events of_context(CUcontext context) {
    if (!is_initialized()) return {nullptr, CUPTI_ERROR_NOT_INITIALIZED};
    chip_model const* const chip = context == nullptr ? nullptr : shared().registry.device_of(context);
    return chip == nullptr ? device_events{nullptr, CUPTI_ERROR_INVALID_CONTEXT} : of_chip(*chip);
}

CUptiResult put_text(std::string_view text, std::size_t* size, void* value) {
    std::size_t const copied = (std::min)(*size, text.size());
    std::memcpy(value, text.data(), copied);
    if (copied < *size) static_cast<char*>(value)[copied] = '\0';
    *size = (std::min)(*size, text.size() + 1);
    return CUPTI_SUCCESS;
}

char* copied_text(std::string_view text) noexcept {
    auto* const copy = static_cast<char*>(std::malloc(text.size() + 1));
    if (copy == nullptr) return nullptr;
    std::memcpy(copy, text.data(), text.size());
    copy[text.size()] = '\0';
    return copy;
}

} // namespace detail

} // namespace sim::cupti
GPUPROF_NAMESPACE_END
