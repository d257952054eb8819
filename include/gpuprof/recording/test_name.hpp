// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The name of the test that runs, by which recordings find it again.
#ifndef GPUPROF_RECORDING_TEST_NAME_HPP
#define GPUPROF_RECORDING_TEST_NAME_HPP

#include <string>

#include "../detail/config.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace detail {

// That of the test which runs on this thread, empty for none; set by the adaptor of a test
// framework.
inline std::string (*test_at_hand)() = nullptr;

} // namespace detail
GPUPROF_NAMESPACE_END

#endif // GPUPROF_RECORDING_TEST_NAME_HPP
