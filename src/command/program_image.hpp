// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What an executable file says of the GPU code in it, and of the CUDA runtime that it asks for.
#ifndef GPUPROF_SRC_COMMAND_PROGRAM_IMAGE_HPP
#define GPUPROF_SRC_COMMAND_PROGRAM_IMAGE_HPP

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include <gpuprof/core/result.hpp>

namespace gpuprof::command {

// GPU code of which a kernel needs a part that runs on the GPU at hand: a compiled file's, or that of all files that are linked
// with each other (-rdc=true). Files without kernels have none.
struct gpu_code {
    std::set<std::uint32_t> ptx;      // targets: 80 for compute_80
    std::set<std::uint32_t> machines; // of machine code: 80 for sm_80
};

struct program_image {
    bool is_script = false;          // begins with "#!"; nothing else is known of it then
    std::uint16_t processor = 0;     // ELF's number: 62 is x86-64, 183 is AArch64
    std::vector<std::string> needed; // names of shared libraries
    bool asks_for_runtime = false;   // registers its kernels by a function of a shared library
    bool has_gpu_code = false;       // has sections that nvcc makes
    std::vector<gpu_code> codes;
    bool packed_by_zstd = false; // PTX
};

// Reads a file, and runs nothing. Errors: io; invalid_argument for what is no program of 64 bits for Linux, or is damaged.
[[nodiscard]] result<program_image> try_read_program(std::string const& path);

} // namespace gpuprof::command

#endif // GPUPROF_SRC_COMMAND_PROGRAM_IMAGE_HPP
