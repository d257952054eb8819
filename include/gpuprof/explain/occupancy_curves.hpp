// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How many warps an SM would hold if a launch had another block size, register count or amount of shared memory.
#ifndef GPUPROF_EXPLAIN_OCCUPANCY_CURVES_HPP
#define GPUPROF_EXPLAIN_OCCUPANCY_CURVES_HPP

#include <optional>
#include <string_view>
#include <vector>

#include "../core/error.hpp"
#include "../core/units.hpp"
#include "../detail/config.hpp"
#include "../measure/report.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace explain {

// How many warps an SM holds at one value of a property.
struct occupancy_point {
    double amount = 0; // threads, registers or bytes: see the curve
    double warps = 0;  // that an SM holds
};

// Active warps by one property of the launch, all others as they are.
struct occupancy_curve {
    std::string_view title{};      // "Block size"
    std::string_view amounts_of{}; // "threads of a block"
    // By ascending amount. A curve of steps holds until the amount of its point, and falls after it.
    std::vector<occupancy_point> points{};
    bool steps = false;
    std::optional<occupancy_point> launch{}; // where the launch is
    std::optional<error> missing{};          // why there are no points
};

// Of one launch. Nsight Compute guide, chapter 4, launch__occupancy_per_….
struct occupancy_curves {
    std::optional<double> most_warps{};   // that an SM can hold
    std::optional<double> warps{};        // that it holds of this launch
    std::optional<percent> theoretical{}; // warps of most_warps
    std::optional<percent> achieved{};    // on the average of the SM's active cycles
    occupancy_curve block_size{"Block size", "threads of a block"};
    occupancy_curve registers{"Registers", "registers of a thread"};
    occupancy_curve shared_memory{"Shared memory", "bytes of a block"};
};

// The curves of a range with one launch, from the metrics of sections::occupancy and sections::launch_statistics. What was not
// collected is missing, and says why.
[[nodiscard]] occupancy_curves occupancy_curves_of(range_view const& range);

#if !GPUPROF_ENABLED
inline occupancy_curves occupancy_curves_of(range_view const&) { return {}; }
#endif

} // namespace explain
GPUPROF_NAMESPACE_END

#if GPUPROF_ENABLED && GPUPROF_HEADER_ONLY
#include "occupancy_curves.inl.hpp"
#endif

#endif // GPUPROF_EXPLAIN_OCCUPANCY_CURVES_HPP
