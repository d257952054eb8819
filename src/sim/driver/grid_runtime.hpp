// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The device runtime of a grid: it takes what the grid's threads launch, and answers what they ask.
#ifndef GPUPROF_SRC_SIM_DRIVER_GRID_RUNTIME_HPP
#define GPUPROF_SRC_SIM_DRIVER_GRID_RUNTIME_HPP

#include <cstdint>
#include <deque>
#include <map>
#include <set>

#include <gpuprof/hw/abi/driver_types.hpp>
#include <gpuprof/sim/extent.hpp>

#include "../code/device_runtime.hpp"
#include "../code/kernel.hpp"
#include "device_errors.hpp"
#include "launch_pool.hpp"
#include "operation.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::driver {

struct call;

// A kernel, a copy or a fill that a kernel launched.
struct device_work {
    operation work;
    std::uint64_t buffer = 0;    // its place in the pool
    extent3 parent_cta{0, 0, 0}; // of the thread that launched it
};

// What a grid launched, in the order of its calls. What is in a stream runs in that order, whatever
// the stream, so that dependencies by streams and events are met.
struct device_launches {
    std::deque<device_work> children; // run as soon as the grid has ended
    std::deque<device_work> tails;    // of cudaStreamTailLaunch: run when all children have completed
};

// Errors are the calling thread's: each thread has its last one. Streams and events are the grid's.
class grid_runtime final : public device_runtime {
public:
    // @pre the arguments outlive it; the module is loaded
    grid_runtime(driver::call& in, CUmodule module, launch_pool& pool) : in_{in}, module_{module}, pool_{pool} {}

    runtime_answer call(runtime_call what, runtime_arguments const& arguments, runtime_thread const& from) override;

    // When the grid has ended: what it launched. Buffers that nothing was launched with are free again.
    [[nodiscard]] device_launches take_launches();

private:
    struct configuration {
        sim::kernel const* kernel = nullptr;
        extent3 grid;
        extent3 block;
        std::uint32_t shared = 0; // dynamic, in bytes
    };

    // Errors, and in `answer` what the call returns or writes.
    [[nodiscard]] device_error perform(runtime_call what, runtime_arguments const& arguments,
                                       runtime_thread const& from, runtime_answer& answer);
    [[nodiscard]] device_error refusal_of(configuration const& with);
    [[nodiscard]] device_error take_buffer(std::uint64_t bytes, configuration const& with, runtime_answer& answer);
    [[nodiscard]] device_error launch(std::uint64_t buffer, std::uint64_t stream, runtime_thread const& from);
    [[nodiscard]] device_error launch_with(configuration const& with, std::uint64_t buffer, std::uint64_t stream,
                                           runtime_thread const& from);
    template <class Operation>
    [[nodiscard]] device_error enqueue(Operation const& work, std::uint64_t stream, runtime_thread const& from);
    void add(operation work, std::uint64_t place, std::uint64_t stream, runtime_thread const& from);

    [[nodiscard]] device_error launch_graph(std::uint64_t executable, std::uint64_t stream);
    [[nodiscard]] device_error make_handle(std::set<std::uint64_t>& of, std::uint64_t to, runtime_answer& answer);
    [[nodiscard]] device_error order(std::uint64_t stream, std::uint64_t event) const;
    [[nodiscard]] device_error allocate(std::uint64_t to, std::uint64_t bytes, runtime_answer& answer);
    [[nodiscard]] device_error release(std::uint64_t address);
    [[nodiscard]] device_error describe(std::uint64_t to, std::uint64_t function, bool with_clusters,
                                        runtime_answer& answer);
    [[nodiscard]] device_error occupancy(runtime_arguments const& arguments, runtime_answer& answer);

    [[nodiscard]] sim::kernel const* kernel_at(std::uint64_t address) const;
    [[nodiscard]] bool is_stream(std::uint64_t handle) const;

    driver::call& in_;
    CUmodule module_;
    launch_pool& pool_;
    device_launches launches_;
    std::map<std::uint64_t, configuration> prepared_;   // by their buffers
    std::map<std::uint64_t, device_error> last_errors_; // by thread
    std::set<std::uint64_t> streams_;
    std::set<std::uint64_t> events_;
    std::uint64_t handles_ = 0; // made
};

} // namespace sim::driver
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_DRIVER_GRID_RUNTIME_HPP
