// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The measure of all others: a file with one scoped range of NVTX's C++ header.
#include <nvtx3/nvtx3.hpp>

void work();

void measured() {
    nvtx3::scoped_range range{"step"};
    work();
}
