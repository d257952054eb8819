// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Chooses the PTX of a fat binary that a chip runs.
#ifndef GPUPROF_SRC_SIM_IMAGE_CHOOSE_PTX_HPP
#define GPUPROF_SRC_SIM_IMAGE_CHOOSE_PTX_HPP

#include <cstddef>
#include <span>
#include <string>

#include <gpuprof/core/result.hpp>

#include "../chip/chip_model.hpp"
#include "fat_binary.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::image {

// The PTX with the highest target that the chip runs. Errors: those of read_container() and
// unpack(); unavailable, with CUDA_ERROR_NO_BINARY_FOR_GPU, for a container without PTX (of machine
// code alone) and for one whose PTX is all for later GPUs. Unpacks one PTX after the other until
// one fits: as a rule, the first. Thread-safe.
[[nodiscard]] result<std::string> choose_ptx(std::span<std::byte const> container, chip_model const& chip);

} // namespace sim::image
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_IMAGE_CHOOSE_PTX_HPP
