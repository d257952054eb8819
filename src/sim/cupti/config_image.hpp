// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The bytes that carry a chip's counter availability and a configuration's passes from the host API
// to the range profiler.
#ifndef GPUPROF_SRC_SIM_CUPTI_CONFIG_IMAGE_HPP
#define GPUPROF_SRC_SIM_CUPTI_CONFIG_IMAGE_HPP

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <gpuprof/core/chip.hpp>
#include <gpuprof/detail/config.hpp>
#include <gpuprof/sim/collection.hpp>
#include "../gpu/pass_scheduler.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

[[nodiscard]] std::vector<std::uint8_t> make_availability_image(chip_model const& model, collection how);

// How a device with this availability image collects; nothing if it is none of that chip. @pre
// `image` points at the bytes such an image has.
[[nodiscard]] std::optional<collection> read_availability_image(std::uint8_t const* image, chip_model const& model);

struct configuration {
    chip which;
    std::vector<pass> passes;
};

// Header, then for each pass the number of its rows and the rows.
[[nodiscard]] std::vector<std::uint8_t> make_config_image(configuration const& of);

// Nothing if the bytes are not, in every field, a configuration of this library.
[[nodiscard]] std::optional<configuration> read_config_image(std::span<std::uint8_t const> image);

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_CUPTI_CONFIG_IMAGE_HPP
