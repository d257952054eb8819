// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What may have disturbed values. In every build.
#ifndef GPUPROF_MEASURE_DISTURBANCE_HPP
#define GPUPROF_MEASURE_DISTURBANCE_HPP

#include <string>
#include <string_view>

#include "../detail/config.hpp"

GPUPROF_NAMESPACE_BEGIN

// Nsight Compute 2023.3, 3.4 and 7.1; CUPTI 12.0, 1.2.
enum class disturbance_cause : unsigned char {
    other_programs, // use the same GPU: their traffic is in values of units that all share
    low_clocks,     // heat or power kept them low
    shared_gpu,     // a part of a MIG instance, or a virtual GPU: others' work is in its values
    short_ranges    // of several passes, too short for the GPU to reach a steady state
};
namespace detail {
inline constexpr std::string_view disturbance_names[]{"other_programs", "low_clocks", "shared_gpu", "short_ranges"};
} // namespace detail
// "other_programs", as files have it.
[[nodiscard]] constexpr std::string_view name(disturbance_cause value) noexcept {
    return detail::disturbance_names[static_cast<unsigned char>(value)];
}

// Something that may have changed values of a report, which are as they were counted all the same.
struct disturbance {
    disturbance_cause cause{};
    std::string text{};   // a sentence without its full stop
    std::string remedy{}; // what to do

    // "may be disturbed: process 12 had the GPU open …; remedy: …"
    [[nodiscard]] std::string message() const { return "may be disturbed: " + text + "; remedy: " + remedy; }
};

GPUPROF_NAMESPACE_END

#endif // GPUPROF_MEASURE_DISTURBANCE_HPP
