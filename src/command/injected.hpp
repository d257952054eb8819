// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lets the driver load the injection library into programs.
#ifndef GPUPROF_SRC_COMMAND_INJECTED_HPP
#define GPUPROF_SRC_COMMAND_INJECTED_HPP

namespace gpuprof::command {

class arguments;

// The program, and those it starts, load the injection library, and find the GPU that --on and --chip say. @return whether it is
// the embedded one
bool set_injected(arguments const& given);

} // namespace gpuprof::command

#endif // GPUPROF_SRC_COMMAND_INJECTED_HPP
