// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The operations of streams, as data: they run at once or become nodes of graphs.
#ifndef GPUPROF_SRC_SIM_DRIVER_OPERATION_HPP
#define GPUPROF_SRC_SIM_DRIVER_OPERATION_HPP

#include <cstddef>
#include <cstdint>
#include <memory>
#include <variant>
#include <vector>

#include <gpuprof/hw/abi/driver_types.hpp>
#include <gpuprof/sim/extent.hpp>

GPUPROF_NAMESPACE_BEGIN
namespace sim::driver {
using namespace abi;

// Parameters are copied when the kernel is enqueued, as the driver does.
struct kernel_operation {
    CUfunction function = nullptr;
    extent3 grid;
    extent3 block;
    std::uint32_t dynamic_shared_bytes = 0;
    bool cooperative = false;
    std::vector<std::byte> parameters;
    extent3 cluster{0, 0, 0}; // blocks; 0: nobody asked for clusters
};

// Rows in device or host memory; `row` is the distance between their beginnings in bytes. Without a context they are in the current
// one's memory, or in that of another device if the address is.
struct place_of_rows {
    std::uint64_t address = 0;
    std::size_t row = 0;
    bool device = false; // must be memory of the device; otherwise whatever the address is
    CUcontext context = nullptr;
};

struct copy_operation {
    place_of_rows to;
    place_of_rows from;
    std::size_t width = 0; // bytes a row
    std::size_t height = 1;
};

// Sets elements of 1, 2 or 4 bytes; `width` counts them.
struct fill_operation {
    CUdeviceptr to = 0;
    std::size_t row = 0;
    std::uint32_t value = 0;
    std::uint32_t element = 1;
    std::size_t width = 0;
    std::size_t height = 1;
};

struct host_operation {
    CUhostFn function = nullptr;
    void* data = nullptr;
};
// The function of a node that does nothing, but that others depend on.
inline void empty_node(void*) {}

// A node of a graph that takes no time: an event, or memory of the graph whose use begins or ends.
// That memory exists from the creation of the node to the end of its context, at one address, as
// CUDA promises.
struct mark_operation {
    enum class kind : unsigned char { event_wait, event_record, allocation, release };
    mark_operation::kind what = kind::event_wait;
    CUevent event = nullptr;
    CUdeviceptr address = 0;
    std::size_t bytes = 0;
};

struct graph_node;
using graph_nodes = std::vector<graph_node>;

// A node of a graph that runs one of its bodies, once or repeatedly, as the value of a condition
// says. Each body is a graph of its own while the graph is built. An executable has copies of the
// bodies.
struct conditional_operation {
    enum class kind : unsigned char { choice, loop, selection }; // if, while, switch
    conditional_operation::kind what = kind::choice;
    std::uint64_t condition = 0;                                // its handle
    std::shared_ptr<std::vector<CUgraph> const> bodies;         // shared by all copies of the node
    std::vector<std::shared_ptr<graph_nodes const>> executable; // of the bodies, in their order
};

using operation = std::variant<kernel_operation, copy_operation, fill_operation, host_operation, mark_operation,
                               conditional_operation>;

// An operation and the indices of the nodes that come before it. A list of nodes has them in such
// an order.
struct graph_node {
    operation work;
    std::vector<std::size_t> after;
    CUgraphNode handle = nullptr;
};

} // namespace sim::driver
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_DRIVER_OPERATION_HPP
