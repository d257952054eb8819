// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The one file that is compiled for each soname: whose libcudart it is.
namespace gpuprof::runtime {

extern int const toolkit;
constinit int const toolkit = GPUPROF_TOOLKIT;

} // namespace gpuprof::runtime
