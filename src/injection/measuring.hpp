// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Measures kernels of this process, for `gpuprof explain`.
#ifndef GPUPROF_INJECTION_MEASURING_HPP
#define GPUPROF_INJECTION_MEASURING_HPP

namespace gpuprof::injection {

// Begins to measure the kernels that the settings name, each by the hardware's own replay (CUPTI 12.0, 2.7, 2.13); says on
// stderr why it could not. Ends by itself when the process exits. @pre called once
void begin_measuring();

} // namespace gpuprof::injection

#endif // GPUPROF_INJECTION_MEASURING_HPP
