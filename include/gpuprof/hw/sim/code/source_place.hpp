// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The line that an instruction was made of, as tools are told. Layer: hw/sim.
#ifndef GPUPROF_HW_SIM_CODE_SOURCE_PLACE_HPP
#define GPUPROF_HW_SIM_CODE_SOURCE_PLACE_HPP

#include <cstdint>  // lines
#include <cstdio>   // std::snprintf
#include <optional> // a line or none
#include <string>   // files
#include <utility>  // std::move

#include "../../../detail/config.hpp"
#include "kernel.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

struct source_place {
    std::string file; // with its folder, as .file has it
    std::uint32_t line = 0;
};

// The line of .loc; none where the PTX has none.
[[nodiscard]] inline std::optional<source_place> place_in_source(kernel const& k, instruction_info const& info) {
    std::string file = k.file_name(info.source.file);
    if (info.source.line == 0 || file.empty() || file.back() == '/') return std::nullopt;
    return source_place{std::move(file), info.source.line};
}
// The PTX's own line, in a file that is named by the number of the code.
[[nodiscard]] inline source_place place_in_ptx(instruction_info const& info, std::uint64_t code_number) {
    char name[24];
    std::snprintf(name, sizeof name, "%08llx.ptx", static_cast<unsigned long long>(code_number));
    return {name, info.line};
}

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_SIM_CODE_SOURCE_PLACE_HPP
