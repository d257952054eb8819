// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "everything.hpp"

std::size_t use_everything_elsewhere();

std::size_t use_everything_elsewhere() { return use_everything(); }
