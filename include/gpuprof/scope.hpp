// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scopes alone, for every file of a program: an export list.
#ifndef GPUPROF_SCOPE_HPP
#define GPUPROF_SCOPE_HPP

#include "measure/scope.hpp"

#endif // GPUPROF_SCOPE_HPP
