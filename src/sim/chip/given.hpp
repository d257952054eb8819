// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A member of an aggregate that its initialiser cannot leave out.
#ifndef GPUPROF_SRC_SIM_CHIP_GIVEN_HPP
#define GPUPROF_SRC_SIM_CHIP_GIVEN_HPP

#include <gpuprof/detail/config.hpp>

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// A T without a default: an aggregate with such a member does not compile unless the member is
// initialised. Converts from and to T, so that it is written and read like one.
template <class T>
class given {
public:
    constexpr given(T value) noexcept : value_{value} {}
    constexpr operator T const&() const noexcept { return value_; }

private:
    T value_;
};

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_CHIP_GIVEN_HPP
