// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads from machine code which resources each kernel takes. The embedded GPU runs PTX, in which registers are neither allocated
// nor spilled yet.
#ifndef GPUPROF_SRC_SIM_IMAGE_MACHINE_CODE_HPP
#define GPUPROF_SRC_SIM_IMAGE_MACHINE_CODE_HPP

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <gpuprof/detail/config.hpp>
#include "../chip/chip_model.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::image {

// What a thread of a kernel takes in machine code.
struct kernel_resources {
    std::uint32_t target = 0;    // 90 for sm_90
    std::uint32_t registers = 0; // 0: it does not say
    std::uint32_t stack =
        0; // bytes: arrays, spilled registers and those that calls save, with those of the functions it calls
};

// Of each kernel and function of a cubin, by mangled name. A cubin is an ELF file of 64 bits; its section .nv.info has entries
// {format, attribute, size, symbol, value}, of which attribute 0x2f is the number of registers and 0x12 the least stack: found by
// comparing the output of nvcc 13.0 with what ptxas -v printed. Empty for bytes that are damaged.
[[nodiscard]] std::map<std::string, kernel_resources> resources_in_cubin(std::string_view cubin);

// The same of all machine code of a fat binary in memory, of the highest target that has the kernel. Empty for other images.
// @pre as image::containers_of
[[nodiscard]] std::map<std::string, kernel_resources> resources_in(void const* image);
// The same of machine code that this chip would run: of its own generation, and not of a later chip.
[[nodiscard]] std::map<std::string, kernel_resources> resources_in(void const* image, chip_model const& chip);

// The machine code of a fat binary that this chip would run, as cubins. Empty for other images.
[[nodiscard]] std::vector<std::string> cubins_in(void const* image, chip_model const& chip);

} // namespace sim::image
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_IMAGE_MACHINE_CODE_HPP
