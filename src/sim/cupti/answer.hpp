// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Helpers that CUPTI calls share: they check a structure, look up a device and hand out values.
#ifndef GPUPROF_SRC_SIM_CUPTI_ANSWER_HPP
#define GPUPROF_SRC_SIM_CUPTI_ANSWER_HPP

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <string_view>
#include <vector>

#include <gpuprof/detail/config.hpp>
#include <gpuprof/hw/abi/cupti.hpp>

GPUPROF_NAMESPACE_BEGIN
namespace sim {
struct chip_model;
class event_table;
} // namespace sim

namespace sim::cupti {
using namespace abi;

// Whether a call's structure is the one this CUPTI knows: 13.0 refuses shorter and longer ones
// alike.
template <class Params>
[[nodiscard]] bool well_sized(Params const* params) noexcept {
    return params != nullptr && params->structSize == Params{}.structSize;
}

namespace detail {

// CUPTI needs a driver with devices.
[[nodiscard]] bool is_initialized();

// The events of a device, or the status to refuse with.
struct device_events {
    event_table const* catalogue = nullptr;
    CUptiResult status = CUPTI_SUCCESS;
};

[[nodiscard]] device_events of_chip(chip_model const& chip);
[[nodiscard]] device_events of_device(CUdevice device);
[[nodiscard]] device_events of_context(CUcontext context);

// Hands a value out. `size` is in bytes: the caller gives the room, and gets what was written.
template <class T>
[[nodiscard]] CUptiResult put(T const& answer, std::size_t* size, void* value) {
    if (*size < sizeof answer) return CUPTI_ERROR_PARAMETER_SIZE_NOT_SUFFICIENT;
    std::memcpy(value, &answer, sizeof answer);
    *size = sizeof answer;
    return CUPTI_SUCCESS;
}

// Hands a text out. One that is too long is cut, without a null at its end.
[[nodiscard]] CUptiResult put_text(std::string_view text, std::size_t* size, void* value);

// Hands out as many values of a list as fit.
template <class T>
[[nodiscard]] CUptiResult put_all(std::vector<T> const& list, std::size_t* size, T* values) {
    std::size_t const copied = (std::min)(*size / sizeof(T), list.size());
    for (std::size_t i = 0; i < copied; ++i) values[i] = list[i];
    *size = copied * sizeof(T);
    return CUPTI_SUCCESS;
}

// A copy that the tool frees with std::free; null when memory is short.
[[nodiscard]] char* copied_text(std::string_view text) noexcept;

} // namespace detail

} // namespace sim::cupti
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_CUPTI_ANSWER_HPP
