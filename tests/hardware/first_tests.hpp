// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Included before a source with googletest's TESTs: those beyond the line LAST_LINE are not instantiated, and so cost no time of the
// compiler for their kernels. cutlass.py gives the line; the source stays as it is.
#ifndef GPUPROF_TESTS_HARDWARE_FIRST_TESTS_HPP
#define GPUPROF_TESTS_HARDWARE_FIRST_TESTS_HPP

#include <gtest/gtest.h>

namespace first_tests {

template <template <bool> class Test, int Line>
bool add(char const* suite, char const* name, char const* file) {
    if constexpr (Line <= LAST_LINE)
        testing::RegisterTest(suite, name, nullptr, nullptr, file, Line,
                              []() -> testing::Test* { return new Test<true>; });
    return true;
}

} // namespace first_tests

#undef TEST
#define TEST(suite, name)                                                                                              \
    template <bool>                                                                                                    \
    struct suite##_##name##_Test : testing::Test {                                                                     \
        void TestBody() override;                                                                                      \
    };                                                                                                                 \
    static bool const suite##_##name##_added =                                                                         \
        first_tests::add<suite##_##name##_Test, __LINE__>(#suite, #name, __FILE__);                                    \
    template <bool Chosen>                                                                                             \
    void suite##_##name##_Test<Chosen>::TestBody()

#endif // GPUPROF_TESTS_HARDWARE_FIRST_TESTS_HPP
