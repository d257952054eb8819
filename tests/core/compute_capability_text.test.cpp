// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// core/compute_capability_text.hpp: a capability is written as NVIDIA does.
#include <doctest/doctest.h>

#include <gpuprof/core/compute_capability_text.hpp>

namespace compute_capability_text_test {

TEST_CASE("a compute capability is written as generation and revision, of as many digits as they have") {
    CHECK(gpuprof::capability_text({2, 0}) == "2.0");
    CHECK(gpuprof::capability_text({8, 9}) == "8.9");
    CHECK(gpuprof::capability_text({12, 1}) == "12.1");
}

} // namespace compute_capability_text_test
