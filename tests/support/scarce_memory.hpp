// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How many allocations succeed before operator new fails, in a program that replaces it: hot_path.test.cpp.
#ifndef GPUPROF_TESTS_SUPPORT_SCARCE_MEMORY_HPP
#define GPUPROF_TESTS_SUPPORT_SCARCE_MEMORY_HPP

#include <cstddef>

namespace test {

inline constexpr std::size_t plenty = static_cast<std::size_t>(-1);
inline thread_local std::size_t allocations_left = plenty;

// Memory is scarce while this lives.
class scarce_memory {
public:
    explicit scarce_memory(std::size_t allocations) { allocations_left = allocations; }
    ~scarce_memory() { allocations_left = plenty; }
    scarce_memory(scarce_memory const&) = delete;
    scarce_memory& operator=(scarce_memory const&) = delete;
    // Whether an allocation failed, or the next one would.
    [[nodiscard]] static bool ran_out() { return allocations_left == 0; }
};

} // namespace test

#endif // GPUPROF_TESTS_SUPPORT_SCARCE_MEMORY_HPP
