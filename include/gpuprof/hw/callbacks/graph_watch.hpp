// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Knows the kernels of the graphs that the application instantiates.
#ifndef GPUPROF_HW_CALLBACKS_GRAPH_WATCH_HPP
#define GPUPROF_HW_CALLBACKS_GRAPH_WATCH_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../../core/result.hpp"
#include "../../detail/shared.hpp"
#include "../abi/cupti_callback.hpp"
#include "../abi/driver.hpp"
#include "../machine/platform/mutex.hpp"
#include "subscription.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace hw {

// A kernel node, as the graph had it when it was instantiated.
struct graph_kernel {
    std::string symbol; // mangled; empty where the driver does not say
    abi::CUfunction function = nullptr;
    std::array<unsigned, 3> grid{1, 1, 1};
    std::array<unsigned, 3> block{1, 1, 1};
    std::array<unsigned, 3> cluster{1, 1, 1};
    unsigned dynamic_shared = 0;
    bool cooperative = false;
    // Whether each order in which the nodes can run has this kernel at this place of the list, or
    // an equal one.
    bool in_order = false;

    // The same kernel with the same launch.
    [[nodiscard]] bool equals(graph_kernel const& other) const noexcept {
        return symbol == other.symbol && grid == other.grid && block == other.block && cluster == other.cluster &&
               dynamic_shared == other.dynamic_shared && cooperative == other.cooperative;
    }
};

// The kernel nodes of an executable graph, in an order in which they can run.
struct graph_kernels {
    std::uint64_t number = 0; // of the instantiation; no two of a watch have the same
    std::vector<graph_kernel> kernels{};
    std::string_view unknown{}; // why the list is not that of a launch; empty: it is
    int device_launchable = -1; // 1: from the device, too; -1: the driver does not say
    // Of the arguments of all kernels (see argument_words.hpp), and what other nodes copy and fill on devices.
    std::vector<abi::CUdeviceptr> words{};
    // Why a launch cannot be made again with what `words` points into put back; empty: it can.
    std::string_view not_repeatable{};
};

// The kernel nodes of a graph by the driver; `unknown` says what the driver did not tell. Cost: four
// driver calls a node; memory and time by the square of the number of nodes where it is no chain and
// has at most 4,096 nodes. Thread-safe if nobody changes the graph meanwhile.
[[nodiscard]] graph_kernels kernels_of_graph(abi::driver_table const& driver, abi::CUgraph graph);

// While it lives, notes the kernel nodes of each graph that this process instantiates, by the
// driver or the runtime, on any thread. What was instantiated before is not known; what is changed
// as an executable is known no longer. Errors: those of hw::subscription. Cost: nothing a launch.
// Thread-safe. Not movable: CUPTI knows its address. CUPTI 12.0, 2.3.5.
class graph_watch {
public:
    graph_watch() = default;
    graph_watch(graph_watch const&) = delete;
    graph_watch& operator=(graph_watch const&) = delete;

    // Begins, once. @pre the machine outlives it
    [[nodiscard]] result<void> try_begin(machine const& on);

    // Null for an executable that is not known.
    [[nodiscard]] gpuprof::detail::shared<graph_kernels> find(abi::CUgraphExec executable) const;

private:
    struct entry {
        abi::CUgraphExec executable = nullptr;
        gpuprof::detail::shared<graph_kernels> kernels{};
    };

    static void called(void* self, callback_id id, void const* data);
    void add(abi::CUgraphExec executable, abi::CUgraph graph);
    void remove(abi::CUgraphExec executable);
    void change(abi::CUgraphExec executable);

    abi::driver_table const* driver_ = nullptr;
    mutable platform::mutex mutex_;
    std::vector<entry> known_;
    std::uint64_t count_ = 0;
    std::optional<subscription> calls_; // ends first
};

} // namespace hw
GPUPROF_NAMESPACE_END

#if GPUPROF_HEADER_ONLY
#include "graph_watch.inl.hpp"
#endif

#endif // GPUPROF_HW_CALLBACKS_GRAPH_WATCH_HPP
