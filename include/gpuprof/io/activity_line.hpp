// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lines of a summary of activities.
#ifndef GPUPROF_IO_ACTIVITY_LINE_HPP
#define GPUPROF_IO_ACTIVITY_LINE_HPP

#include <cstdint>
#include <optional>
#include <string>

#include "../detail/config.hpp"
#include "../hw/activity/field_types.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace io {

// The groups of lines, in the order of the table.
enum class activity_group : unsigned char { kernel, copy, set, synchronization, call };

// The sum of all records of a group with the same name and scope.
struct activity_line {
    activity_group group{};
    std::string name{};  // of a kernel demangled; "host to device"; "cudaLaunchKernel"
    std::string scope{}; // its path; empty: in none, or not known
    std::uint64_t count = 0;
    std::uint64_t total = 0; // nanoseconds, like the next two
    std::uint64_t least = 0;
    std::uint64_t most = 0;
    std::uint64_t bytes = 0;                    // of copies and sets
    std::optional<activity::dimensions> grid{}; // of kernels that always had the same grid
    std::optional<activity::dimensions> block{};
};

} // namespace io
GPUPROF_NAMESPACE_END

#endif // GPUPROF_IO_ACTIVITY_LINE_HPP
