// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parses a PTX module.
#ifndef GPUPROF_SRC_SIM_PTX_PARSE_HPP
#define GPUPROF_SRC_SIM_PTX_PARSE_HPP

#include <string_view>

#include <gpuprof/core/result.hpp>

#include "module.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::ptx {

// Reads a PTX text as nvcc writes it for 64-bit targets. A function whose body cannot be read
// carries its own fault; malformed declarations fail the module. Errors name line and column.
// Linear in the text; safe on any input and from any thread.
[[nodiscard]] result<parsed_module> parse(std::string_view text);

} // namespace sim::ptx
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_PTX_PARSE_HPP
