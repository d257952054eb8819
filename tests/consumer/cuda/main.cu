// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compiled by nvcc with the standard that the target gpuprof::gpuprof asks for.
#include <gpuprof/metric/metric.hpp>
#include <gpuprof/scope.hpp>

static_assert(__cplusplus >= 202002L);

__global__ void nothing() {}

int main() { return gpuprof::metric<"sm__inst_executed.sum">.name().empty() ? 1 : 0; }
