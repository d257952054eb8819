// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Links PTX texts into one, for programs that were compiled file by file (nvcc -rdc=true).
#ifndef GPUPROF_SRC_SIM_PTX_LINK_HPP
#define GPUPROF_SRC_SIM_PTX_LINK_HPP

#include <span>
#include <string>

#include <gpuprof/detail/config.hpp>

GPUPROF_NAMESPACE_BEGIN
namespace sim::ptx {

// Joins several texts into one. A local name of two texts is renamed in the later one; the first of
// several weak definitions is taken; a declaration is left out where another text has the
// definition. Nothing is checked: the parser finds errors in the result, and names lines of it.
// Linear in the texts.
[[nodiscard]] std::string link(std::span<std::string const> texts);

} // namespace sim::ptx
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_PTX_LINK_HPP
