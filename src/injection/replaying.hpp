// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Measures one pass of this process, for `gpuprof replay`.
#ifndef GPUPROF_INJECTION_REPLAYING_HPP
#define GPUPROF_INJECTION_REPLAYING_HPP

namespace gpuprof::injection {

// Begins to measure the launches that the settings name, in the pass that the process before left to do (CUPTI 12.0, 2.7.2); says
// on stderr why it could not. Ends by itself when the process exits. @pre called once
void begin_replaying();

} // namespace gpuprof::injection

#endif // GPUPROF_INJECTION_REPLAYING_HPP
