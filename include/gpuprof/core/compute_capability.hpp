// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A device's compute capability, and the counter hardware that it implies.
#ifndef GPUPROF_CORE_COMPUTE_CAPABILITY_HPP
#define GPUPROF_CORE_COMPUTE_CAPABILITY_HPP

#include <compare>

#include "../detail/config.hpp"

GPUPROF_NAMESPACE_BEGIN

// "9.0" as two small integers, ordered. (Not `major` and `minor`: system headers define those as
// macros.)
struct compute_capability {
    int generation = 0; // the 9 of 9.0
    int revision = 0;   // the 0 of 9.0

    // Written out: for a defaulted one, nvcc 13.0 has its host compiler warn in files that compare.
    friend constexpr bool operator==(compute_capability const& a, compute_capability const& b) noexcept {
        return a.generation == b.generation && a.revision == b.revision;
    }
    friend constexpr std::strong_ordering operator<=>(compute_capability const& a,
                                                      compute_capability const& b) noexcept {
        return a.generation != b.generation ? a.generation <=> b.generation : a.revision <=> b.revision;
    }

    // Event and metric hardware: 2.0 to 7.2 (CUPTI 12.0, table 3 and sections 2.5, 2.6).
    [[nodiscard]] constexpr bool has_event_hardware() const noexcept {
        return *this >= compute_capability{2, 0} && *this < compute_capability{7, 5};
    }
    // Range-profiling hardware: 7.0 and later (CUPTI 12.0, 2.7).
    [[nodiscard]] constexpr bool has_range_hardware() const noexcept { return *this >= compute_capability{7, 0}; }
};

GPUPROF_NAMESPACE_END

#endif // GPUPROF_CORE_COMPUTE_CAPABILITY_HPP
