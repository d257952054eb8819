// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the kernels of a running graph launch: other graphs, or the same once more.
#ifndef GPUPROF_SRC_SIM_DRIVER_GRAPH_LAUNCHES_HPP
#define GPUPROF_SRC_SIM_DRIVER_GRAPH_LAUNCHES_HPP

#include <cstdint>
#include <deque>

#include <gpuprof/hw/abi/driver_types.hpp>

GPUPROF_NAMESPACE_BEGIN
namespace sim::driver {

struct graph_launches {
    abi::CUgraphExec graph = nullptr;      // that runs
    std::deque<abi::CUgraphExec> children; // fire and forget: a part of its environment
    std::deque<abi::CUgraphExec> tails;    // run when that is complete
    std::deque<abi::CUgraphExec> siblings; // a part of the environment that it is in itself

    [[nodiscard]] bool any() const noexcept { return !children.empty() || !tails.empty() || !siblings.empty(); }

    // By the streams that cuda_device_runtime_api.h names; null for others.
    [[nodiscard]] std::deque<abi::CUgraphExec>* queue_of(std::uint64_t stream) noexcept {
        constexpr std::uint64_t tail_launch = std::uint64_t{1} << 56;
        switch (stream) {
            case tail_launch: return &tails;
            case 2 * tail_launch: return &children;
            case 3 * tail_launch: return &siblings;
            default: return nullptr;
        }
    }
};

} // namespace sim::driver
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_DRIVER_GRAPH_LAUNCHES_HPP
