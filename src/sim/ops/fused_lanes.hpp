// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// a * b + c, rounded once, of a warp's lanes by the host's own instruction.
#ifndef GPUPROF_SRC_SIM_OPS_FUSED_LANES_HPP
#define GPUPROF_SRC_SIM_OPS_FUSED_LANES_HPP

#include <cmath>
#include <concepts>

#include <gpuprof/detail/processor.hpp>
#include "../code/decoded.hpp"
#include "float_ops.hpp"
#include "lane_map.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// Programs are compiled for the oldest x86-64, which has no such instruction: std::fma is a call
// for each lane there. So this is compiled for later ones, and chosen by the decoder where
// detail::fuses_in_hardware() says that it may be.
template <std::floating_point T>
GPUPROF_TARGET_FMA void fuse_lanes(typename lane_of<T>::type const* a, typename lane_of<T>::type const* b,
                                   typename lane_of<T>::type const* c, lanes<T>& d) noexcept {
    for (unsigned i = 0; i < warp_size; ++i) d[i] = std::fma(a[i], b[i], c[i]);
}

// As map3 of ops::plain<Op>, of an operation that multiplies and adds or subtracts, and with .ftz.
template <class Op, std::floating_point T, bool Flushes>
void fused_map(registers const& r, decoded const& op, lane_mask mask) noexcept {
    constexpr bool subtracts = std::same_as<Op, ops::fused_multiply_subtract>;
    constexpr bool negates = std::same_as<Op, ops::fused_subtract_product>;
    lanes<T> d;
    if constexpr (Flushes || subtracts || negates) {
        auto a = r.read<T>(op.a);
        auto b = r.read<T>(op.b);
        auto c = r.read<T>(op.c);
        for (unsigned i = 0; i < warp_size; ++i) {
            if constexpr (Flushes) a[i] = ops::flush(a[i]), b[i] = ops::flush(b[i]), c[i] = ops::flush(c[i]);
            if constexpr (negates) a[i] = -a[i];
            if constexpr (subtracts) c[i] = -c[i];
        }
        fuse_lanes<T>(a.data(), b.data(), c.data(), d);
    } else {
        fuse_lanes<T>(r.look<T>(op.a), r.look<T>(op.b), r.look<T>(op.c), d);
    }
    lane_result<T> result{r, op.d, mask};
    auto* const to = result.place();
    for (unsigned i = 0; i < warp_size; ++i) {
        T const value = ops::canonical(d[i]);
        if constexpr (Flushes) to[i] = ops::flush(value);
        else to[i] = value;
    }
    result.finish();
}

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_OPS_FUSED_LANES_HPP
