// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transfer.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <optional>

#include "../check/memory_shadow.hpp"
#include "../code/host_threads.hpp"
#include "../counters/raw_counter.hpp"
#include "../gpu/gpu_state.hpp"
#include "checks.hpp"
#include "counters.hpp"
#include "kernel.hpp"
#include "peer.hpp"
#include "state.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::driver {

// Bytes from the beginning of the first row to the end of the last; nothing if the number is too
// large.
static constexpr std::optional<std::size_t> bytes_of_rows(std::size_t row, std::size_t width,
                                                          std::size_t height) noexcept {
    constexpr std::size_t most = std::size_t{1} << 62;
    if (width > most || (height > 1 && row > (most - width) / (height - 1))) return std::nullopt;
    return (height - 1) * row + width;
}

// Programs have no memory from there on. What lies just before the first address of the device does not become the host's.
#if defined(__x86_64__) || defined(_M_X64)
static constexpr std::uint64_t end_of_host_addresses = std::uint64_t{1} << 47;
#else
static constexpr std::uint64_t end_of_host_addresses = address_map::global_base;
#endif

// The host's storage of a place; null where not all of it is allocated. Host memory that the driver
// did not allocate is not checked, except that the first page is refused: nobody has memory there.
static std::byte* storage_of_rows(context_state const& context, place_of_rows const& place, std::size_t bytes) {
    if (place.address == 0) return nullptr;
    if (place.device || is_device_address(place.address) || context.memory.find(place.address) != nullptr)
        return context.memory.translate(place.address, bytes);
    if (place.address < 4096 || place.address >= end_of_host_addresses) return nullptr;
    return reinterpret_cast<std::byte*>(static_cast<std::uintptr_t>(place.address));
}

// Where a copy reads and writes, in the host's memory, and in whose memory that is.
struct copy_ends {
    std::byte* to = nullptr;
    std::byte const* from = nullptr;
    context_state* to_context = nullptr;
    context_state* from_context = nullptr;
};

static std::optional<copy_ends> ends_of(call const& in, copy_operation const& copy) {
    context_state* const to = context_of(in, copy.to);
    context_state* const from = context_of(in, copy.from);
    if (to == nullptr || from == nullptr) return std::nullopt;
    auto const to_bytes = bytes_of_rows(copy.to.row, copy.width, copy.height);
    auto const from_bytes = bytes_of_rows(copy.from.row, copy.width, copy.height);
    if (!to_bytes || !from_bytes) return std::nullopt;
    copy_ends const ends{storage_of_rows(*to, copy.to, *to_bytes), storage_of_rows(*from, copy.from, *from_bytes), to,
                         from};
    if (ends.to == nullptr || ends.from == nullptr) return std::nullopt;
    return ends;
}

static std::byte* storage_of_fill(call const& in, fill_operation const& fill) {
    if (fill.width > (std::size_t{1} << 60) || fill.to % fill.element != 0 || fill.row % fill.element != 0)
        return nullptr;
    auto const bytes = bytes_of_rows(fill.row, fill.width * fill.element, fill.height);
    place_of_rows const place{fill.to, fill.row, true};
    return bytes ? storage_of_rows(*context_of(in, place), place, *bytes) : nullptr;
}

static constexpr bool moves_nothing(std::size_t width, std::size_t height) noexcept {
    return width == 0 || height == 0;
}

CUresult check(call const& in, copy_operation const& copy) {
    bool const possible = moves_nothing(copy.width, copy.height) || ends_of(in, copy);
    return possible ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult check(call const& in, fill_operation const& fill) {
    bool const possible = moves_nothing(fill.width, fill.height) || storage_of_fill(in, fill) != nullptr;
    return possible ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

// A long row is moved by several threads of the host, as it mostly comes into memory that the system has yet to provide.
static void move_bytes(std::byte* to, std::byte const* from, std::size_t bytes, unsigned threads) {
    constexpr std::size_t worth_a_thread = std::size_t{1} << 20;
    bool const overlap = to < from + bytes && from < to + bytes;
    std::size_t const pieces = overlap ? 1 : std::clamp<std::size_t>(bytes / worth_a_thread, 1, threads);
    on_host_threads(static_cast<unsigned>(pieces), [=](unsigned i) {
        std::size_t const begin = bytes / pieces * i, end = i + 1 == pieces ? bytes : bytes / pieces * (i + 1);
        std::memmove(to + begin, from + begin, end - begin);
    });
}
static void move_rows(copy_operation const& copy, copy_ends const& ends, unsigned threads) {
    for (std::size_t y = 0; y < copy.height; ++y)
        move_bytes(ends.to + y * copy.to.row, ends.from + y * copy.from.row, copy.width, threads);
}

outcome run(call& in, copy_operation const& copy) {
    if (moves_nothing(copy.width, copy.height)) return {};
    auto const ends = ends_of(in, copy);
    if (!ends) return {CUDA_ERROR_INVALID_VALUE};
    move_rows(copy, *ends, host_threads(in));
    context_state &to = *ends->to_context, &from = *ends->from_context;
    bool const to_device = is_device_address(copy.to.address);
    bool const from_device = is_device_address(copy.from.address);
    bool const to_peer = to_device && from_device && to.device != from.device;
    if (&to == in.context && &from == in.context)
        check_copy(in, copy.to.address, copy.to.row, copy.from.address, copy.from.row, copy.width, copy.height);
    else if (to_device && to.shadow) // what another device has counts as written
        for (std::size_t y = 0; y < copy.height; ++y) to.shadow->written(copy.to.address + y * copy.to.row, copy.width);
    std::size_t const bytes = copy.width * copy.height;
    if (from_device)
        count_transfer(from, copy.from.address, copy.from.row, copy.width, copy.height, false, host_threads(in));
    if (to_device) count_transfer(to, copy.to.address, copy.to.row, copy.width, copy.height, true, host_threads(in));
    // Without the overhead of the link.
    if (to_device && (to_peer || !from_device))
        shared().registry.add(to.handle, raw_counter::pcie_bytes_received, bytes);
    if (from_device && (to_peer || !to_device)) shared().registry.add(from.handle, raw_counter::pcie_bytes_sent, bytes);
    engine const on = to_peer                    ? engine::copy_to_host
                      : to_device && from_device ? engine::compute
                      : to_device                ? engine::copy_to_device
                                                 : engine::copy_to_host;
    bool const by_host = to_peer && goes_by_host(to, from); // devices lie on PCI Express alone
    return {CUDA_SUCCESS, on,
            copy_nanoseconds(*in.context->chip, to_device && from_device && !to_peer, by_host ? 2 * bytes : bytes)};
}

outcome run(call& in, fill_operation const& fill) {
    if (moves_nothing(fill.width, fill.height)) return {};
    std::byte* const to = storage_of_fill(in, fill);
    if (to == nullptr) return {CUDA_ERROR_INVALID_VALUE};
    for (std::size_t y = 0; y < fill.height; ++y) {
        std::byte* const row = to + y * fill.row;
        if (fill.element == 1) std::memset(row, static_cast<int>(fill.value & 0xff), fill.width);
        else
            for (std::size_t x = 0; x < fill.width; ++x) // little-endian, as the GPU
                std::memcpy(row + x * fill.element, &fill.value, fill.element);
    }
    context_state& owner = *context_of(in, {fill.to, fill.row, true});
    for (std::size_t y = 0; owner.shadow && y < fill.height; ++y)
        owner.shadow->written(fill.to + y * fill.row, fill.width * fill.element);
    std::size_t const bytes = fill.width * fill.element * fill.height;
    count_transfer(owner, fill.to, fill.row, fill.width * fill.element, fill.height, true, host_threads(in));
    return {CUDA_SUCCESS, engine::compute, copy_nanoseconds(*in.context->chip, true, bytes)};
}

} // namespace sim::driver
GPUPROF_NAMESPACE_END
