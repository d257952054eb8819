// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What an OpenMP runtime and its tool hand each other, as OpenMP 5.0's omp-tools.h has it.
#ifndef GPUPROF_HW_ABI_OPENMP_TOOL_HPP
#define GPUPROF_HW_ABI_OPENMP_TOOL_HPP

#include <cstdint>

#include "../../detail/config.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace abi {

// A word that the runtime keeps for the tool.
union ompt_data_t {
    std::uint64_t value;
    void* ptr;
};

using ompt_interface_fn_t = void (*)();
using ompt_function_lookup_t = ompt_interface_fn_t (*)(char const* name);
using ompt_initialize_t = int (*)(ompt_function_lookup_t lookup, int initial_device_num, ompt_data_t* tool_data);
using ompt_finalize_t = void (*)(ompt_data_t* tool_data);

// What ompt_start_tool() returns. A tool whose `initialize` returns 0 hears nothing.
struct ompt_start_tool_result_t {
    ompt_initialize_t initialize;
    ompt_finalize_t finalize;
    ompt_data_t tool_data;
};

} // namespace abi
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_ABI_OPENMP_TOOL_HPP
