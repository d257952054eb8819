// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CUPTI calls that find the source line of an instruction and number a module, for the embedded
// GPU, whose code is PTX.
#ifndef GPUPROF_SRC_SIM_CUPTI_SASS_TO_SOURCE_HPP
#define GPUPROF_SRC_SIM_CUPTI_SASS_TO_SOURCE_HPP

#include <gpuprof/detail/config.hpp>
#include <gpuprof/hw/abi/cupti.hpp>

GPUPROF_NAMESPACE_BEGIN
namespace sim::cupti {
using namespace abi;

CUptiResult get_sass_to_source_correlation(CUpti_GetSassToSourceCorrelationParams* params);
CUptiResult get_cubin_crc(CUpti_GetCubinCrcParams* params);
CUptiResult register_compute_crc_callback(CUpti_ComputeCrcCallbackFunc compute);

} // namespace sim::cupti
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_CUPTI_SASS_TO_SOURCE_HPP
