// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A legacy metric's name with a slip.
// expect: gpuprof: no capability has a legacy metric of this name
#include <gpuprof/legacy/named.hpp>

#ifdef GPUPROF_COMPILE_FAIL
[[maybe_unused]] constexpr auto metric = gpuprof::legacy_metric<"acheived_occupancy">;
#else
[[maybe_unused]] constexpr auto metric = gpuprof::legacy_metric<"achieved_occupancy">;
#endif
