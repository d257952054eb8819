// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Decides what a stream capture forbids, and adds captured operations to it as nodes.
#ifndef GPUPROF_SRC_SIM_DRIVER_CAPTURE_HPP
#define GPUPROF_SRC_SIM_DRIVER_CAPTURE_HPP

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include <gpuprof/hw/abi/results.hpp>
#include "operation.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::driver {

struct call;
struct capture_state;
struct stream_state;

// The rules that a call may break while captures of its context are under way. Such a call fails
// and invalidates the captures.
enum class capture_rule : unsigned char {
    // The call waits for everything: no capture may be under way.
    no_capture,
    // It allocates, frees or waits for a stream: no capture in global mode may be under way, and
    // none of this thread unless it is relaxed.
    safe_call,
    // It works on the default stream: no capture of a stream that waits for the default stream may
    // be under way. Only non-blocking streams do not wait for it.
    default_stream
};

[[nodiscard]] bool violates(call const& in, capture_rule rule);

// Invalidates the captures that forbid the call. @return success if there are none
[[nodiscard]] CUresult refuse_capture(call const& in, capture_rule rule);

// For calls that query a stream or wait for it: work that is captured has not run.
[[nodiscard]] CUresult refuse_captured_stream(call const& in, stream_state& stream);

// Adds the work to the stream's capture as a node. Callbacks about the node run without the lock:
// look up again what is needed after it.
[[nodiscard]] CUresult capture_operation(call& in, stream_state& stream, operation work);

// Whether everything in the capture comes before what the origin would capture next.
[[nodiscard]] bool is_joined(capture_state const& capture, std::vector<std::size_t> const& origin_frontier);

// The index of a node, if it is among `nodes`.
[[nodiscard]] std::optional<std::size_t> place_of(graph_nodes const& nodes, CUgraphNode handle);

// The capture under way that creates the graph or adds to it; null if there is none.
[[nodiscard]] std::shared_ptr<capture_state> capture_into(call const& in, CUgraph graph);

// Adds the nodes of `more` that `frontier` does not have.
void join_frontiers(std::vector<std::size_t>& frontier, std::vector<std::size_t> const& more);

} // namespace sim::driver
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_DRIVER_CAPTURE_HPP
