// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The capability of the chip that a report is of.
#ifndef GPUPROF_EXPLAIN_CHIP_OF_HPP
#define GPUPROF_EXPLAIN_CHIP_OF_HPP

#include "../core/chip.hpp"
#include "../core/compute_capability.hpp"
#include "../detail/config.hpp"
#include "../measure/report.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace explain::detail {

// Of a chip that has no catalogue: that of the newest chip whose tables are known.
[[nodiscard]] inline compute_capability capability_of(report const& of) {
    auto const known = find_chip(of.chip());
    return known ? capability(*known) : compute_capability{9, 0};
}

} // namespace explain::detail
GPUPROF_NAMESPACE_END

#endif // GPUPROF_EXPLAIN_CHIP_OF_HPP
