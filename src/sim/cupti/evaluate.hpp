// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CUPTI's profiler host calls that read counter data images of the embedded GPU: names of ranges,
// values of metrics.
#ifndef GPUPROF_SRC_SIM_CUPTI_EVALUATE_HPP
#define GPUPROF_SRC_SIM_CUPTI_EVALUATE_HPP

#include <cstddef>
#include <cstdint>
#include <span>

#include <gpuprof/detail/config.hpp>
#include <gpuprof/hw/abi/cupti.hpp>
#include "../counters/metric_table.hpp"
#include "counter_image.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::cupti {
using namespace abi;

namespace detail {

// Gives a copy of a range's name, which the caller frees with std::free. A null delimiter means
// "/".
[[nodiscard]] CUptiResult range_name(std::uint8_t const* bytes, std::size_t size, std::size_t range,
                                     char const* delimiter, char const*& name);

// The values of metrics of the image's chip in one range; not-a-number for what was not collected, a range that does not
// exist included. @pre `values` has room for as many
void evaluate(const_counter_image const& image, std::size_t range, std::span<metric_request const> metrics,
              double* values);

} // namespace detail

CUptiResult host_get_range_name(CUpti_Profiler_Host_GetRangeName_Params* params);

// Not-a-number for what was not collected, a range that does not exist included; an unknown name
// fails and leaves the values alone. The object need not have been configured for these metrics.
CUptiResult host_evaluate_to_gpu_values(CUpti_Profiler_Host_EvaluateToGpuValues_Params* params);

} // namespace sim::cupti
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_CUPTI_EVALUATE_HPP
