// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The reader of JSON under the names that it has in judge. Layer: judge.
#ifndef GPUPROF_JUDGE_JSON_VALUE_HPP
#define GPUPROF_JUDGE_JSON_VALUE_HPP

#include "../core/json_value.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace judge {

using gpuprof::json_value;
using gpuprof::try_read_json;

} // namespace judge
GPUPROF_NAMESPACE_END

#endif // GPUPROF_JUDGE_JSON_VALUE_HPP
