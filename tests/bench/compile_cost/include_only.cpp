// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gpuprof/gpuprof.hpp>

int main() {}
