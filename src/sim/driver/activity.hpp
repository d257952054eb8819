// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes the activity records of operations: kernels, copies, fills, host functions and graphs.
// hw/activity/ has the layout of each kind of record.
#ifndef GPUPROF_SRC_SIM_DRIVER_ACTIVITY_HPP
#define GPUPROF_SRC_SIM_DRIVER_ACTIVITY_HPP

#include <cstdint>
#include <vector>

#include "clock.hpp"
#include "operation.hpp"
#include "transfer.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::driver {

struct call;

// Where an operation comes from: a stream, and the node of an executable graph if it is one.
struct operation_origin {
    std::uint32_t stream = 0;
    int priority = 0;
    bool waited_for = false; // the call returns after it
    std::uint32_t graph = 0; // number of the executable; 0: no graph, and so are all members below
    std::uint64_t node = 0;
    std::uint32_t source_graph = 0; // the graph from which the executable was instantiated
    std::uint64_t source_node = 0;
    bool is_recorded = true; // false where one record stands for the whole graph
};

// Simulated time in nanoseconds. `enqueued` is when the host gave the operation to the stream.
struct operation_time {
    double enqueued = 0;
    double start = 0;
    double end = 0;
    double completed = 0; // of a kernel, with all that it launched
};

void record_operation(call& in, kernel_operation const& launch, engine on, operation_origin const& from,
                      operation_time const& when);
// The kernels that a kernel launched, on chips before capability 7.0. Call it after the record of the host's kernel.
// @param begin when that began
void record_children(call& in, std::vector<child_grid> const& children, operation_origin const& from, double begin);

void record_operation(call& in, copy_operation const& copy, engine on, operation_origin const& from,
                      operation_time const& when);
void record_operation(call& in, fill_operation const& fill, engine on, operation_origin const& from,
                      operation_time const& when);
// Releases before 13.1 have no such record. A host function takes no simulated time.
void record_operation(call& in, host_operation const& host, engine on, operation_origin const& from,
                      operation_time const& when);

// Operations that take no time have no records.
inline void record_operation(call&, mark_operation const&, engine, operation_origin const&, operation_time const&) {}
inline void record_operation(call&, conditional_operation const&, engine, operation_origin const&,
                             operation_time const&) {}

// One record for the launch of a graph, in place of records for its nodes.
void record_graph(call& in, operation_origin const& from, operation_time const& when);

} // namespace sim::driver
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_DRIVER_ACTIVITY_HPP
