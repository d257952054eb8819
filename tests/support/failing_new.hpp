// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory that runs out when a test says so, in the program that replaces operator new (tests/no_allocation).
#ifndef GPUPROF_TESTS_SUPPORT_FAILING_NEW_HPP
#define GPUPROF_TESTS_SUPPORT_FAILING_NEW_HPP

namespace test {

// Allocations of this thread that still succeed before one fails; -1: all of them do.
inline thread_local long allocations_left = -1;

// Counts one allocation; true if it is the one that fails. Later ones succeed again.
[[nodiscard]] inline bool runs_out() noexcept { return allocations_left >= 0 && allocations_left-- == 0; }

} // namespace test

#endif // GPUPROF_TESTS_SUPPORT_FAILING_NEW_HPP
