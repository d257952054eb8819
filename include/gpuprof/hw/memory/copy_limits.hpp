// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where copies of device memory may go, and what putting them back costs.
#ifndef GPUPROF_HW_MEMORY_COPY_LIMITS_HPP
#define GPUPROF_HW_MEMORY_COPY_LIMITS_HPP

#include <cstddef>
#include <string>

#include "../../detail/config.hpp"

GPUPROF_NAMESPACE_BEGIN

// Copies go to the device, then to the host, then to a file. Kernel profiling guide 2023.3, 2.3.1.
struct copy_limits {
    static constexpr std::size_t as_there_is_room = static_cast<std::size_t>(-1);

    // Bytes, of all copies together. An eighth of the device's memory stays free in any case.
    std::size_t on_device = as_there_is_room;
    std::size_t on_host = as_there_is_room;
    // Nowhere without a folder. The files have no name: nothing stays if the program crashes.
    std::size_t in_file = as_there_is_room;
    std::string folder{};
};

// What memory_control::restore_written does before each pass, told before the first one is measured.
struct restore_cost {
    std::size_t on_device = 0; // bytes that come from a copy there
    std::size_t on_host = 0;
    std::size_t in_file = 0;
    std::size_t reached = 0; // bytes that were looked through for them, once
    // An estimate: as long as keeping these bytes took, which moves them the other way.
    double milliseconds = 0;

    [[nodiscard]] constexpr std::size_t bytes() const noexcept { return on_device + on_host + in_file; }
};

// Whom a profiler tells what restoring memory will cost: `tell` is called once, after the first run of
// the code and before the first measured pass, on the thread of the loop.
struct restore_listener {
    void (*tell)(void* to, restore_cost const& cost) noexcept = nullptr; // null: nobody
    void* to = nullptr;
};

GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_MEMORY_COPY_LIMITS_HPP
