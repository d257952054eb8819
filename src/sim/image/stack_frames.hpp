// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads from machine code how much stack each kernel has. The embedded GPU runs PTX, in which registers are not spilled yet.
#ifndef GPUPROF_SRC_SIM_IMAGE_STACK_FRAMES_HPP
#define GPUPROF_SRC_SIM_IMAGE_STACK_FRAMES_HPP

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include <gpuprof/detail/config.hpp>

GPUPROF_NAMESPACE_BEGIN
namespace sim::image {

// The stack of a kernel in machine code: arrays, spilled registers and those that calls save.
struct stack_frame {
    std::uint32_t target = 0; // 90 for sm_90
    std::uint32_t bytes = 0;  // a thread, with those of the functions that it calls
};

// The least stack of each kernel and function of a cubin, by mangled name. A cubin is an ELF file of 64 bits; its section
// .nv.info has entries {format, attribute, size, symbol, value}, of which attribute 0x12 is the least stack: found by comparing
// the output of nvcc 13.0 with what ptxas -v printed. Empty for bytes that are damaged.
[[nodiscard]] std::map<std::string, std::uint32_t> stacks_in_cubin(std::string_view cubin);

// The same of all machine code of a fat binary in memory, of the highest target that has the kernel. Empty for other images.
// @pre as image::containers_of
[[nodiscard]] std::map<std::string, stack_frame> stack_frames_in(void const* image);

} // namespace sim::image
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_IMAGE_STACK_FRAMES_HPP
