// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Who else uses a GPU, from the driver's management library.
#ifndef GPUPROF_HW_COUNTERS_UNCOUNTED_OTHER_PROCESSES_HPP
#define GPUPROF_HW_COUNTERS_UNCOUNTED_OTHER_PROCESSES_HPP

#include <cstddef>
#include <vector>

#include "../../../detail/config.hpp"
#include "../../machine/device.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace hw::provided {

// Processes besides this one that have a context on a device.
struct other_processes {
    std::size_t count = 0;
    // In ascending order; empty if this process is not among those that the library lists: it counts
    // in another list of numbers, as in a container, and one of them is this one.
    std::vector<unsigned> numbers{};
};

// Asks for those that compute and those that draw. None on the embedded GPU and of recordings, and
// where the library does not say. Cost: some calls of the driver, three of the library.
[[nodiscard]] other_processes other_processes_on(device const& gpu);

} // namespace hw::provided
GPUPROF_NAMESPACE_END

#if GPUPROF_HEADER_ONLY
#include "other_processes.inl.hpp"
#endif

#endif // GPUPROF_HW_COUNTERS_UNCOUNTED_OTHER_PROCESSES_HPP
