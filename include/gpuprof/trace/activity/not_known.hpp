// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The text for a value that a newer CUPTI has. Layer: trace.
#ifndef GPUPROF_TRACE_ACTIVITY_NOT_KNOWN_HPP
#define GPUPROF_TRACE_ACTIVITY_NOT_KNOWN_HPP

#include <string_view> // texts

#include "../../detail/config.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace activity {

// What to_text says of a value that is not declared here; the number is kept.
inline constexpr std::string_view not_known = "not known here";

} // namespace activity
GPUPROF_NAMESPACE_END

#endif // GPUPROF_TRACE_ACTIVITY_NOT_KNOWN_HPP
