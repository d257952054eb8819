// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The source line of an instruction, as tools show it.
#ifndef GPUPROF_SRC_SIM_CODE_SOURCE_PLACE_HPP
#define GPUPROF_SRC_SIM_CODE_SOURCE_PLACE_HPP

#include <cstdint>
#include <optional>
#include <string>

#include "kernel.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// A line of a source file.
struct source_place {
    std::string file; // with its folder, as .file has it
    std::uint32_t line = 0;
};

// The line of .loc; none where the PTX has none.
[[nodiscard]] std::optional<source_place> place_in_source(kernel const& k, instruction_info const& info);
// The PTX's own line, in a file that is named by the number of the code.
[[nodiscard]] source_place place_in_ptx(instruction_info const& info, std::uint64_t code_number);

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_CODE_SOURCE_PLACE_HPP
