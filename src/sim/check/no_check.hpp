// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The interface of the checks to an executor, without any check: it compiles to nothing.
#ifndef GPUPROF_SRC_SIM_CHECK_NO_CHECK_HPP
#define GPUPROF_SRC_SIM_CHECK_NO_CHECK_HPP

#include <cstddef>
#include <cstdint>

#include "../code/decoded.hpp"
#include "../code/kernel.hpp"
#include "../code/launch.hpp"
#include "../code/observer.hpp"
#include "../code/warp.hpp"
#include "../ops/mbarrier.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// The same functions as cta_check, where they are explained.
struct no_check {
    static constexpr bool listens = false;

    no_check(kernel const&, launch_config const&, std::uint32_t) noexcept {}
    template <class Sm>
    void begin(Sm const&, std::uint64_t, unsigned) const noexcept {}
    void step(warp&, registers const&, decoded const&, lane_mask, lane_mask) const noexcept {}
    void together(warp&, registers const&, decoded const&, lane_mask, lane_mask) const noexcept {}
    void wrong_members(warp&, decoded const&, lane_mask, char const*) const noexcept {}
    void access(warp&, registers const&, decoded const&, ptx::space, memory_operation, lanes<std::uint64_t> const&,
                lane_mask, address_pattern, std::byte const*) const noexcept {}
    void touch(warp&, decoded const&, ptx::space, memory_operation, lanes<std::uint64_t> const&, unsigned,
               lane_mask) const noexcept {}
    void fence(warp&, decoded const&, lane_mask) const noexcept {}
    void arrive(warp&, decoded const&, std::uint32_t, std::uint32_t) const noexcept {}
    void pass(warp&, std::uint32_t) const noexcept {}
    template <class Checks>
    void join(Checks const&) const noexcept {}
    void arrive_in_cluster(warp&) const noexcept {}
    void pass_in_cluster(warp&) const noexcept {}
    void exited(warp&, decoded const&, lane_mask) const noexcept {}
    void copy_begins(warp&, decoded const&, unsigned, std::uint64_t, unsigned) const noexcept {}
    void mbarrier_used(warp&, decoded const&, unsigned, std::uint64_t, mbarrier_operation, std::uint32_t, mbarrier,
                       mbarrier, bool) const noexcept {}
    void bulk_commit(warp&, lane_mask) const noexcept {}
    void bulk_wait(warp&, decoded const&, lane_mask) const noexcept {}
    void product_reads(warp&, decoded const&, unsigned, std::uint64_t, unsigned) const noexcept {}
    void products_awaited(warp&) const noexcept {}
    void entered(warp&, call_site const*, std::size_t) const noexcept {}
    void left(warp&) const noexcept {}
    void answered(warp&, call_site const&, lane_mask) const noexcept {}
    void wrote(warp&, ptx::space, unsigned, std::uint64_t, unsigned) const noexcept {}
};

// The checks that an SM's observer brings along.
template <class Sm>
struct check_of {
    using type = no_check;
};
template <class Sm>
    requires requires { typename Sm::check_type; }
struct check_of<Sm> {
    using type = typename Sm::check_type;
};

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_CHECK_NO_CHECK_HPP
