// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The driver's calls as CUPTI's callbacks and API records name them.
#ifndef GPUPROF_HW_ABI_CUPTI_DRIVER_CALLS_HPP
#define GPUPROF_HW_ABI_CUPTI_DRIVER_CALLS_HPP

#include "../../detail/config.hpp"
#include "cupti_callback.hpp"
#include "cupti_driver_parameters.hpp"
#include "driver.hpp"
#include "function_tables.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace abi {

// What CUPTI has of a member of the driver table: driver_row<&driver_table::MemAlloc>::name is
// "cuMemAlloc_v2", the exported symbol. The id is CUPTI's number of it in function_rows.hpp, and
// the parameters are a structure of cupti_driver_parameters.hpp. A call with a default stream for
// each thread ("_ptds", "_ptsz") has an id of its own: the table lacks those calls.
template <auto Member>
struct driver_row;

#define GPUPROF_ABI_ROW(member, symbol, arguments)                                                                     \
    template <>                                                                                                        \
    struct driver_row<&driver_table::member> {                                                                         \
        static constexpr char const* name = #symbol;                                                                   \
        static constexpr CUpti_CallbackId id = gpuprof::detail::driver_names.find(#symbol)->number;                    \
        using parameters = symbol##_params;                                                                            \
    };
GPUPROF_ABI_DRIVER(GPUPROF_ABI_ROW)
#undef GPUPROF_ABI_ROW

// Calls f(name, id) for every call of the driver table.
template <class F>
constexpr void for_each_driver_call(F&& f) {
#define GPUPROF_ABI_VISIT(member, symbol, arguments) f(#symbol, driver_row<&driver_table::member>::id);
    GPUPROF_ABI_DRIVER(GPUPROF_ABI_VISIT)
#undef GPUPROF_ABI_VISIT
}

} // namespace abi
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_ABI_CUPTI_DRIVER_CALLS_HPP
