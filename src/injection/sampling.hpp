// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Samples instructions of this process, for `gpuprof sample`.
#ifndef GPUPROF_INJECTION_SAMPLING_HPP
#define GPUPROF_INJECTION_SAMPLING_HPP

namespace gpuprof::injection {

// Begins to sample the instructions of the first context that launches a kernel (CUPTI 12.0, 2.10, 2.13); says on stderr why it
// could not. Ends by itself when the process exits. @pre called once
void begin_sampling();

} // namespace gpuprof::injection

#endif // GPUPROF_INJECTION_SAMPLING_HPP
