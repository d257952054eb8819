// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// doctest's implementation and main(), compiled once and linked into every test program.
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>
