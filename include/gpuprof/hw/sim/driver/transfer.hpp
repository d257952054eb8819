// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Carries out copies and fills, every byte checked against the allocations. Layer: hw/sim, driver table.
#ifndef GPUPROF_HW_SIM_DRIVER_TRANSFER_HPP
#define GPUPROF_HW_SIM_DRIVER_TRANSFER_HPP

#include <cstddef>  // std::byte
#include <cstdint>  // addresses
#include <cstring>  // std::memmove
#include <optional> // a size, or none

#include "checks.hpp"
#include "clock.hpp"
#include "counters.hpp"
#include "operation.hpp"
#include "state.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::driver {

// What an operation came to: its status, what did it, and for how long in simulated nanoseconds.
struct outcome {
    CUresult status = CUDA_SUCCESS;
    engine on = engine::compute;
    double nanoseconds = 0;
};

[[nodiscard]] constexpr bool is_device_address(std::uint64_t address) noexcept {
    return address >= address_map::global_base;
}

namespace detail {

// Bytes from the beginning of the first row to the end of the last; nothing if there is no such number.
[[nodiscard]] constexpr std::optional<std::size_t> span_of(std::size_t row, std::size_t width,
                                                           std::size_t height) noexcept {
    constexpr std::size_t most = std::size_t{1} << 62;
    if (width > most || (height > 1 && row > (most - width) / (height - 1))) return std::nullopt;
    return (height - 1) * row + width;
}

// The host's storage of a place; null where not all of it is allocated. Host memory that the driver did not allocate is
// the application's to know, but for the first page, in which nobody has memory.
[[nodiscard]] inline std::byte* storage_of(context_state const& context, place_of_rows const& place,
                                           std::size_t bytes) {
    if (place.address == 0) return nullptr;
    if (place.device || is_device_address(place.address) || context.memory.find(place.address) != nullptr)
        return context.memory.translate(place.address, bytes);
    if (place.address < 4096) return nullptr;
    return reinterpret_cast<std::byte*>(static_cast<std::uintptr_t>(place.address));
}

struct transfer {
    std::byte* to = nullptr;
    std::byte const* from = nullptr;
};

[[nodiscard]] inline std::optional<transfer> resolve(context_state const& context, copy_operation const& copy) {
    auto const to_bytes = span_of(copy.to.row, copy.width, copy.height);
    auto const from_bytes = span_of(copy.from.row, copy.width, copy.height);
    if (!to_bytes || !from_bytes) return std::nullopt;
    transfer const ends{storage_of(context, copy.to, *to_bytes), storage_of(context, copy.from, *from_bytes)};
    if (ends.to == nullptr || ends.from == nullptr) return std::nullopt;
    return ends;
}

[[nodiscard]] inline std::byte* resolve(context_state const& context, fill_operation const& fill) {
    if (fill.width > (std::size_t{1} << 60) || fill.to % fill.element != 0 || fill.row % fill.element != 0)
        return nullptr;
    auto const bytes = span_of(fill.row, fill.width * fill.element, fill.height);
    return bytes ? storage_of(context, {fill.to, fill.row, true}, *bytes) : nullptr;
}

[[nodiscard]] constexpr bool is_empty(std::size_t width, std::size_t height) noexcept {
    return width == 0 || height == 0;
}

} // namespace detail

// Whether the operation can be carried out as things are.
[[nodiscard]] inline CUresult check(call const& in, copy_operation const& copy) {
    bool const possible = detail::is_empty(copy.width, copy.height) || detail::resolve(*in.context, copy);
    return possible ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}
[[nodiscard]] inline CUresult check(call const& in, fill_operation const& fill) {
    bool const possible = detail::is_empty(fill.width, fill.height) || detail::resolve(*in.context, fill) != nullptr;
    return possible ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

[[nodiscard]] inline outcome run(call& in, copy_operation const& copy) {
    if (detail::is_empty(copy.width, copy.height)) return {};
    auto const ends = detail::resolve(*in.context, copy);
    if (!ends) return {CUDA_ERROR_INVALID_VALUE};
    for (std::size_t y = 0; y < copy.height; ++y)
        std::memmove(ends->to + y * copy.to.row, ends->from + y * copy.from.row, copy.width);
    check_copy(in, copy.to.address, copy.to.row, copy.from.address, copy.from.row, copy.width, copy.height);
    bool const into = is_device_address(copy.to.address);
    bool const out = is_device_address(copy.from.address);
    std::size_t const bytes = copy.width * copy.height;
    if (out) count_transfer(*in.context, copy.from.address, copy.from.row, copy.width, copy.height, false);
    if (into) count_transfer(*in.context, copy.to.address, copy.to.row, copy.width, copy.height, true);
    if (into != out) // data alone, without what the link adds
        gpu_registry::instance().add(in.context->handle,
                                     into ? raw_counter::pcie_bytes_received : raw_counter::pcie_bytes_sent, bytes);
    engine const on = into && out ? engine::compute : into ? engine::copy_to_device : engine::copy_to_host;
    return {CUDA_SUCCESS, on, copy_nanoseconds(*in.context->chip, into && out, bytes)};
}

[[nodiscard]] inline outcome run(call& in, fill_operation const& fill) {
    if (detail::is_empty(fill.width, fill.height)) return {};
    std::byte* const to = detail::resolve(*in.context, fill);
    if (to == nullptr) return {CUDA_ERROR_INVALID_VALUE};
    for (std::size_t y = 0; y < fill.height; ++y) {
        std::byte* const row = to + y * fill.row;
        if (fill.element == 1) std::memset(row, static_cast<int>(fill.value & 0xff), fill.width);
        else
            for (std::size_t x = 0; x < fill.width; ++x) // little-endian, as the GPU
                std::memcpy(row + x * fill.element, &fill.value, fill.element);
    }
    for (std::size_t y = 0; in.context->shadow && y < fill.height; ++y)
        in.context->shadow->written(fill.to + y * fill.row, fill.width * fill.element);
    std::size_t const bytes = fill.width * fill.element * fill.height;
    count_transfer(*in.context, fill.to, fill.row, fill.width * fill.element, fill.height, true);
    return {CUDA_SUCCESS, engine::compute, copy_nanoseconds(*in.context->chip, true, bytes)};
}

} // namespace sim::driver
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_SIM_DRIVER_TRANSFER_HPP
