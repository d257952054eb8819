// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is known beforehand to keep work from being repeated.
#ifndef GPUPROF_MEASURE_REPLAY_OBSTACLES_HPP
#define GPUPROF_MEASURE_REPLAY_OBSTACLES_HPP

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "../detail/config.hpp"
#include "../hw/callbacks/argument_words.hpp"
#include "../hw/callbacks/graph_watch.hpp"
#include "../hw/callbacks/launch_watch.hpp"
#include "../hw/callbacks/waiting_kernel.hpp"
#include "../hw/machine/device.hpp"
#include "../hw/machine/platform/demangle.hpp"
#include "../hw/memory/argument_memory.hpp"
#include "launch_log.hpp"
#include "unreplayed.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace detail {

// Adds the addresses that a graph's nodes reach: by arguments of kernels, and by copies and fills.
[[nodiscard]] inline std::optional<repeat_obstacle> add_words_of_graph(hw::graph_watch const* graphs,
                                                                       abi::CUgraphExec executable,
                                                                       std::vector<abi::CUdeviceptr>& addresses) {
    auto const nodes = graphs != nullptr ? graphs->find(executable) : shared<hw::graph_kernels>{};
    if (nodes.get() == nullptr)
        return repeat_obstacle{"it was instantiated before the profiler was made, and what it writes is not known",
                               "make the profiler before the graph is instantiated"};
    std::string_view const why = !nodes.get()->unknown.empty() ? nodes.get()->unknown : nodes.get()->not_repeatable;
    if (!why.empty()) return repeat_obstacle{std::string{why}, other_replay};
    addresses.insert(addresses.end(), nodes.get()->words.begin(), nodes.get()->words.end());
    return std::nullopt;
}

[[nodiscard]] inline std::optional<repeat_obstacle> memory_obstacle(hw::memory_owner owner) {
    switch (owner) {
        case hw::memory_owner::host:
            return repeat_obstacle{"it reaches memory of the host, which the program may use meanwhile", other_replay};
        case hw::memory_owner::peer: return repeat_obstacle{"it reaches memory of another device", other_replay};
        case hw::memory_owner::device: break;
    }
    return std::nullopt;
}

// Where work is made again later than the application goes on: what the host writes to managed memory in between would be lost.
[[nodiscard]] inline std::optional<repeat_obstacle> managed_obstacle(std::vector<abi::CUdeviceptr> const& addresses,
                                                                     device const& gpu) {
    for (abi::CUdeviceptr const each : addresses) {
        unsigned managed = 0;
        if (hw::may_be_address(each) &&
            gpu.driver().PointerGetAttribute(&managed, abi::CU_POINTER_ATTRIBUTE_IS_MANAGED, each) ==
                abi::CUDA_SUCCESS &&
            managed != 0)
            return repeat_obstacle{"it reaches managed memory, which the program may use before the range ends",
                                   other_replay};
    }
    return std::nullopt;
}

[[nodiscard]] inline std::optional<repeat_obstacle> partner_obstacle(char const* symbol) {
    if (symbol == nullptr || !hw::waits_for_other_gpus(symbol)) return std::nullopt;
    return repeat_obstacle{"it waits for its partners on other GPUs, which run once", other_replay};
}

// A launch as problems name it.
[[nodiscard]] inline std::string text_of_launch(hw::launch_event const& launch) {
    if (launch.graph) return "a graph";
    hw::kernel_launch named = hw::as_launched(launch);
    named.kernel = platform::demangled(named.kernel);
    return launch_text(named);
}

// Calls `use` with a launch whose arguments are these addresses, in the one form that has no function.
template <class F>
auto as_launch_of(std::vector<abi::CUdeviceptr>& addresses, F use) {
    std::size_t bytes = addresses.size() * sizeof(abi::CUdeviceptr);
    void* packed[]{reinterpret_cast<void*>(hw::packed_pointer), addresses.data(),
                   reinterpret_cast<void*>(hw::packed_size), &bytes, nullptr};
    hw::launch_event launch;
    launch.packed = packed;
    return use(launch);
}

} // namespace detail
GPUPROF_NAMESPACE_END

#endif // GPUPROF_MEASURE_REPLAY_OBSTACLES_HPP
