// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Strings of JSON, as outputs take them. Layer: write out.
#ifndef GPUPROF_IO_JSON_TEXT_HPP
#define GPUPROF_IO_JSON_TEXT_HPP

#include "../core/json_text.hpp"
#include "output.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace io {

using gpuprof::detail::write_json_characters;
using gpuprof::detail::write_json_string;

} // namespace io
GPUPROF_NAMESPACE_END

#endif // GPUPROF_IO_JSON_TEXT_HPP
