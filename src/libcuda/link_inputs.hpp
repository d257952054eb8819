// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What cuLink… and nvJitLink… link: PTX, which inputs of several types hold.
#ifndef GPUPROF_SRC_LIBCUDA_LINK_INPUTS_HPP
#define GPUPROF_SRC_LIBCUDA_LINK_INPUTS_HPP

#include <string>
#include <string_view>
#include <vector>

#include <gpuprof/core/result.hpp>

#include "../sim/chip/chip_model.hpp"

namespace gpuprof::driver_library {

enum class link_input : int { cubin, ptx, fat_binary, object, archive, lto_ir }; // CUjitInputType

// The texts of PTX in an input. Objects and archives of the host hold fat binaries; an archive may have nothing for this chip, as
// the toolkit's library of device calls. Errors, with a CUresult as status: no PTX, PTX that the parser refuses, damaged bytes.
[[nodiscard]] result<std::vector<std::string>> ptx_of(link_input type, std::string const& bytes, std::string_view name,
                                                      sim::chip_model const& chip);

// One text of all: what cuModuleLoadData takes. Calls of the toolkit's library for synchronised grids are linked with it where
// they are left open. @pre there is one
[[nodiscard]] std::string linked(std::vector<std::string> texts);

} // namespace gpuprof::driver_library

#endif // GPUPROF_SRC_LIBCUDA_LINK_INPUTS_HPP
