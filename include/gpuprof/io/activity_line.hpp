// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lines of a summary of activities: by name, and by scope.
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

// The sum of the work of the GPU that was launched in a scope, or in a range that a thread pushed by
// NVTX, and in none within it. The path names those around it: "step/forward", "step/loader:batch"
// with the range `batch` of the domain `loader`.
struct scope_line {
    std::string scope{};  // empty: in none, or not known
    bool is_known = true; // false: nobody knows in which scope or range this work was launched
    std::uint64_t kernels = 0;
    std::uint64_t copies = 0;
    std::uint64_t sets = 0;
    std::uint64_t total = 0; // nanoseconds of them all

    // Adds `count` kernels, copies or sets of so many nanoseconds together.
    constexpr void add(activity_group group, std::uint64_t count, std::uint64_t nanoseconds) noexcept {
        (group == activity_group::kernel ? kernels : group == activity_group::copy ? copies : sets) += count;
        total += nanoseconds;
    }
    // Adds what the other one has.
    constexpr void add(scope_line const& other) noexcept {
        kernels += other.kernels;
        copies += other.copies;
        sets += other.sets;
        total += other.total;
    }
    [[nodiscard]] constexpr bool has_work() const noexcept { return kernels + copies + sets != 0; }
};

} // namespace io
GPUPROF_NAMESPACE_END

#endif // GPUPROF_IO_ACTIVITY_LINE_HPP
