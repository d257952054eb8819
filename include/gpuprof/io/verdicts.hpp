// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Says in sentences what is bad in a report.
#ifndef GPUPROF_IO_VERDICTS_HPP
#define GPUPROF_IO_VERDICTS_HPP

#include <cstddef>
#include <string>

#include "../detail/config.hpp"
#include "../judge/flaws.hpp"
#include "../measure/report.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace io {

// The flaws that find_flaws finds, a paragraph each: the worst ranges first, with their numbers and what they mean, then the
// advice. A report without flaws has one line, which says what was looked for.
//
//     std::cout << gpuprof::io::verdicts(prof.report());
//
// @param width the columns of a line; @param most the ranges of a flaw that are named. The last line ends, too.
[[nodiscard]] std::string verdicts(report const& of, std::size_t width = 100, std::size_t most = 8);

} // namespace io
GPUPROF_NAMESPACE_END

#if GPUPROF_HEADER_ONLY
#include "verdicts.inl.hpp"
#endif

#endif // GPUPROF_IO_VERDICTS_HPP
