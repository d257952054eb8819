// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A second translation unit with everything in it, linked into every test program: a function or a variable that is
// not inline is a duplicate symbol here.
#include <gpuprof/gpuprof.hpp>
