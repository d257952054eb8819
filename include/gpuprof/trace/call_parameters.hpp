// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What launching, copying, filling, allocating and freeing calls were given, the same for driver and runtime.
#ifndef GPUPROF_TRACE_CALL_PARAMETERS_HPP
#define GPUPROF_TRACE_CALL_PARAMETERS_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <variant>

#include "../detail/config.hpp"
#include "../hw/abi/types.hpp"
#include "../hw/callbacks/callback_set.hpp"

GPUPROF_NAMESPACE_BEGIN

// A kernel or a graph that is launched.
struct launch_parameters {
    // The driver's CUfunction or CUkernel, or the host function that stands for the kernel in the runtime; null for a graph.
    void const* function = nullptr;
    abi::CUgraphExec graph = nullptr;
    std::array<unsigned, 3> grid{1, 1, 1};    // blocks
    std::array<unsigned, 3> block{1, 1, 1};   // threads
    std::array<unsigned, 3> cluster{1, 1, 1}; // blocks; 1, 1, 1 without clusters
    std::size_t dynamic_shared = 0;           // bytes a block
    bool cooperative = false;
    abi::CUstream stream = nullptr;
    void* const* arguments =
        nullptr; // addresses of the kernel's arguments; null where they are packed, and for a graph
};

// Between what memory bytes are copied, as far as the call itself says.
enum class copy_direction : unsigned char {
    host_to_host,
    host_to_device,
    device_to_host,
    device_to_device,
    by_address
};

// Bytes that are copied from one address to another.
struct copy_parameters {
    std::uint64_t destination = 0; // address; 0 for an array
    std::uint64_t source = 0;
    std::size_t bytes = 0; // all rows
    std::size_t rows = 1;
    copy_direction direction = copy_direction::by_address;
    bool asynchronous = false;
    abi::CUstream stream = nullptr;
};

// Memory that is filled with a value.
struct set_parameters {
    std::uint64_t destination = 0;
    std::uint32_t value = 0;
    unsigned value_bytes = 1; // 1, 2 or 4
    std::size_t bytes = 0;    // all rows
    std::size_t rows = 1;
    bool asynchronous = false;
    abi::CUstream stream = nullptr;
};

// Memory that is allocated: on the device, on the host, or for both.
enum class allocated_memory : unsigned char { device, host, managed };
// What a call allocated, or is to allocate.
struct allocation_parameters {
    std::uint64_t address = 0; // 0 at the entry
    std::size_t bytes = 0;     // as asked for; rows may be padded
    allocated_memory memory = allocated_memory::device;
    bool asynchronous = false;
    abi::CUstream stream = nullptr;
};

// Memory that is freed.
struct free_parameters {
    std::uint64_t address = 0;
    bool asynchronous = false;
    abi::CUstream stream = nullptr;
};

// Empty (std::monostate) for every other call, and for those that copy or fill arrays and batches.
using call_parameters = std::variant<std::monostate, launch_parameters, copy_parameters, set_parameters,
                                     allocation_parameters, free_parameters>;

// Reads what functionParams of a callback points to. @param returned the call is over: what it stored may be read.
// @pre `parameters` is the structure of the function, or null
[[nodiscard]] call_parameters read_parameters(hw::callback_id function, void const* parameters, bool returned) noexcept;
#if !GPUPROF_ENABLED
inline call_parameters read_parameters(hw::callback_id, void const*, bool) noexcept { return {}; }
#endif

GPUPROF_NAMESPACE_END

#if GPUPROF_ENABLED && GPUPROF_HEADER_ONLY
#include "call_parameters.inl.hpp"
#endif

#endif // GPUPROF_TRACE_CALL_PARAMETERS_HPP
