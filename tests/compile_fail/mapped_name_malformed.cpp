// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A range-hardware metric in a mapping that lacks its roll-up, as table 7 has it for sysmem_read_bytes.
// expect: this_is_not_the_name_of_a_metric
#include <gpuprof/legacy/legacy_mapping.hpp>

using gpuprof::legacy::mapping_parts::on_range;

#ifdef GPUPROF_COMPILE_FAIL
constexpr auto sectors = on_range("lts__t_sectors_aperture_sysmem_op_read");
#else
constexpr auto sectors = on_range("lts__t_sectors_aperture_sysmem_op_read.sum");
#endif
static_assert(sectors.input_count == 1);
