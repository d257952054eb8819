// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The stall reasons of the embedded chips, by CUPTI's numbers and names.
#ifndef GPUPROF_SRC_SIM_CUPTI_PC_SAMPLING_REASONS_HPP
#define GPUPROF_SRC_SIM_CUPTI_PC_SAMPLING_REASONS_HPP

#include <cstddef>
#include <cstdint>
#include <string>

#include <gpuprof/detail/config.hpp>
#include "../gpu/warp_waits.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {
struct chip_model;
}

namespace sim::cupti {

[[nodiscard]] std::size_t reason_count(chip_model const& chip) noexcept;

// The number of a state's reason; the next one is that of its latency samples.
[[nodiscard]] std::uint32_t reason_number(warp_state of) noexcept;

// @pre number < reason_count(chip)
[[nodiscard]] std::string reason_name(std::uint32_t number);

} // namespace sim::cupti
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_CUPTI_PC_SAMPLING_REASONS_HPP
