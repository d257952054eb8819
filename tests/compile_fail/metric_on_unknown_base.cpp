// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A well-formed name that the chip's catalogue does not have.
// expect: gpuprof: this chip's catalogue has no counter, ratio or throughput of this name
// expect: "gpc__cgas_launched.sum"
// expect: text<.*"gpc__
// expect clang: chip_fault::no_such_base
// expect clang: "gpc__cgas_launched.sum"
// lines: 10
#include <gpuprof/metric/catalogue/ga100.hpp>
#include <gpuprof/metric/on_chip.hpp>

#ifdef GPUPROF_COMPILE_FAIL
[[maybe_unused]] constexpr auto metric =
    gpuprof::metric_on<gpuprof::chip::ga100, "gpc__cgas_launched.sum">; // clusters came later
#else
[[maybe_unused]] constexpr auto metric = gpuprof::metric_on<gpuprof::chip::ga100, "sm__ctas_launched.sum">;
#endif
