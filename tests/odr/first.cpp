// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "everything.hpp"

std::size_t use_everything_elsewhere();

int main() {
    std::size_t const here = use_everything();
    std::size_t const there = use_everything_elsewhere();
    std::printf("%zu here, %zu elsewhere\n", here, there);
    return here != 0 && there != 0 ? 0 : 1;
}
