// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The text for values of a newer CUPTI.
#ifndef GPUPROF_HW_ACTIVITY_NOT_KNOWN_HPP
#define GPUPROF_HW_ACTIVITY_NOT_KNOWN_HPP

#include <string_view>

#include "../../detail/config.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace activity {

// The text of to_text() for values that are not declared here; the record keeps the number.
inline constexpr std::string_view not_known = "not known here";

} // namespace activity
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_ACTIVITY_NOT_KNOWN_HPP
