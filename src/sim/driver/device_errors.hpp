// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The errors that the device runtime gives to kernels, by CUDA's numbers, and their texts in device memory.
#ifndef GPUPROF_SRC_SIM_DRIVER_DEVICE_ERRORS_HPP
#define GPUPROF_SRC_SIM_DRIVER_DEVICE_ERRORS_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <string_view>

#include <gpuprof/detail/config.hpp>

GPUPROF_NAMESPACE_BEGIN
namespace sim::driver {

enum class device_error : int {
    none = 0,
    invalid_value = 1,
    memory_allocation = 2,
    invalid_configuration = 9,
    max_depth_exceeded = 65,
    pending_count_exceeded = 69,
    invalid_device_function = 98,
    invalid_device = 101,
    unsupported_limit = 215,
    invalid_resource_handle = 400,
    out_of_resources = 701,
    not_permitted = 800,
    invalid_cluster_size = 912,
    unknown = 999
};

struct device_error_row {
    device_error error;
    std::string_view name;
    std::string_view text;
};

// The last one stands for all others.
inline constexpr device_error_row device_error_rows[]{
    {device_error::none, "cudaSuccess", "no error"},
    {device_error::invalid_value, "cudaErrorInvalidValue", "invalid argument"},
    {device_error::memory_allocation, "cudaErrorMemoryAllocation", "out of memory"},
    {device_error::invalid_configuration, "cudaErrorInvalidConfiguration",
     "the grid or the block does not fit the device"},
    {device_error::max_depth_exceeded, "cudaErrorLaunchMaxDepthExceeded", "kernels are nested too deeply"},
    {device_error::pending_count_exceeded, "cudaErrorLaunchPendingCountExceeded",
     "more launches are pending than cudaLimitDevRuntimePendingLaunchCount allows"},
    {device_error::invalid_device_function, "cudaErrorInvalidDeviceFunction", "invalid device function"},
    {device_error::invalid_device, "cudaErrorInvalidDevice", "there is no such device"},
    {device_error::unsupported_limit, "cudaErrorUnsupportedLimit", "unsupported limit"},
    {device_error::invalid_resource_handle, "cudaErrorInvalidResourceHandle", "invalid resource handle"},
    {device_error::out_of_resources, "cudaErrorLaunchOutOfResources", "not one block fits an SM"},
    {device_error::not_permitted, "cudaErrorNotPermitted", "not permitted"},
    {device_error::invalid_cluster_size, "cudaErrorInvalidClusterSize", "invalid cluster size"},
    {device_error::unknown, "cudaErrorUnknown", "unknown error"},
};

// Each name and text has a piece of that many bytes, with its end.
inline constexpr std::size_t device_error_piece = 128;
inline constexpr std::size_t device_error_text_bytes = 2 * std::size(device_error_rows) * device_error_piece;

// The place of a name or a text, from the beginning of all.
[[nodiscard]] constexpr std::size_t device_error_offset(int error, bool is_name) noexcept {
    std::size_t row = 0;
    while (row + 1 < std::size(device_error_rows) && static_cast<int>(device_error_rows[row].error) != error) ++row;
    return (2 * row + (is_name ? 0 : 1)) * device_error_piece;
}

// @pre there is room for device_error_text_bytes, which are zeros
inline void write_device_error_texts(std::byte* to) noexcept {
    for (device_error_row const& row : device_error_rows)
        for (std::string_view const text : {row.name, row.text}) {
            std::memcpy(to, text.data(), (std::min)(text.size(), device_error_piece - 1));
            to += device_error_piece;
        }
}

} // namespace sim::driver
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_DRIVER_DEVICE_ERRORS_HPP
