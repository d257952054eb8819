// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How the event and metric calls look at a device and hand out values. Layer: hw/sim.
#ifndef GPUPROF_HW_SIM_CUPTI_ANSWER_HPP
#define GPUPROF_HW_SIM_CUPTI_ANSWER_HPP

#include <algorithm>   // std::min
#include <cstddef>     // std::size_t
#include <cstring>     // std::memcpy
#include <string_view> // texts
#include <vector>      // lists

#include "../../../detail/config.hpp"
#include "../../abi/cupti.hpp"
#include "../counters/event_table.hpp"
#include "../counters/gpu_registry.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::cupti {
using namespace abi;

namespace detail {

// CUPTI needs a driver with devices.
[[nodiscard]] inline bool is_initialized() { return gpu_registry::instance().device_count() != 0; }

// The events of a device, or the status to refuse with.
struct device_events {
    event_table const* catalogue = nullptr;
    CUptiResult status = CUPTI_SUCCESS;
};
[[nodiscard]] inline device_events of_chip(chip_model const& chip) {
    auto const* const found = event_table::of(chip);
    return {found, found == nullptr ? CUPTI_ERROR_LEGACY_PROFILER_NOT_SUPPORTED : CUPTI_SUCCESS};
}
[[nodiscard]] inline device_events of_device(CUdevice device) {
    if (!is_initialized()) return {nullptr, CUPTI_ERROR_NOT_INITIALIZED};
    chip_model const* const chip =
        device < 0 ? nullptr : gpu_registry::instance().device(static_cast<std::size_t>(device));
    return chip == nullptr ? device_events{nullptr, CUPTI_ERROR_INVALID_DEVICE} : of_chip(*chip);
}
[[nodiscard]] inline device_events of_context(CUcontext context) {
    if (!is_initialized()) return {nullptr, CUPTI_ERROR_NOT_INITIALIZED};
    chip_model const* const chip = context == nullptr ? nullptr : gpu_registry::instance().device_of(context);
    return chip == nullptr ? device_events{nullptr, CUPTI_ERROR_INVALID_CONTEXT} : of_chip(*chip);
}

// Values go out through a pointer and a size in bytes: the room in, what was written out.
template <class T>
[[nodiscard]] CUptiResult put(T const& what, std::size_t* size, void* value) {
    if (*size < sizeof what) return CUPTI_ERROR_PARAMETER_SIZE_NOT_SUFFICIENT;
    std::memcpy(value, &what, sizeof what);
    *size = sizeof what;
    return CUPTI_SUCCESS;
}
// A text that is too long is cut, without a null at its end.
[[nodiscard]] inline CUptiResult put_text(std::string_view text, std::size_t* size, void* value) {
    std::size_t const copied = (std::min)(*size, text.size());
    std::memcpy(value, text.data(), copied);
    if (copied < *size) static_cast<char*>(value)[copied] = '\0';
    *size = (std::min)(*size, text.size() + 1);
    return CUPTI_SUCCESS;
}
// As many of a list as fit.
template <class T>
[[nodiscard]] CUptiResult put_all(std::vector<T> const& list, std::size_t* size, T* values) {
    std::size_t const copied = (std::min)(*size / sizeof(T), list.size());
    for (std::size_t i = 0; i < copied; ++i) values[i] = list[i];
    *size = copied * sizeof(T);
    return CUPTI_SUCCESS;
}

} // namespace detail

} // namespace sim::cupti
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_SIM_CUPTI_ANSWER_HPP
