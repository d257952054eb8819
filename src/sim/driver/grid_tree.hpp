// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs a kernel of the host, and all that kernels launch under it.
#ifndef GPUPROF_SRC_SIM_DRIVER_GRID_TREE_HPP
#define GPUPROF_SRC_SIM_DRIVER_GRID_TREE_HPP

#include <cstdint>
#include <vector>

#include "../counters/raw_counter.hpp"
#include "grid_runtime.hpp"
#include "launch_pool.hpp"
#include "operation.hpp"
#include "transfer.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::driver {

struct call;

// Grids run one after the other. What a grid launched runs once the grid has ended, in the order of
// its calls; each with all that it launches in turn, since a stream goes on when that has completed.
// Tail launches run after all else, and theirs before the next of the grid that launched them. So
// the outcome is one that a GPU may have, and the same in every run. A kernel that waits for one it
// launched never ends: CUDA does not promise that they run side by side.
class grid_tree {
public:
    // @pre ready() of the pool; the call outlives it
    explicit grid_tree(driver::call& in);

    // Adds up the time and, in `counted`, the counters of all. It ends early when a kernel has failed.
    // @pre the launch was checked
    [[nodiscard]] outcome run(kernel_operation const& launch, counter_values& counted);

private:
    // A grid that has ended, and not all that it launched.
    struct ended_grid {
        std::uint64_t buffer; // its place in the pool
        std::size_t record;   // its number in `children_`; 0: the host launched it
        device_launches launches;
    };

    [[nodiscard]] CUresult run_grid(kernel_operation const& launch, ended_grid grid);
    [[nodiscard]] CUresult run_next();
    // All that the topmost grid launched has completed, or its last tail launch is about to run.
    void complete_top();

    driver::call& in_;
    launch_pool pool_;
    counter_values counted_;
    double begin_;
    double elapsed_ = 0; // nanoseconds since then
    bool keeps_records_; // of children, for activity records
    std::vector<child_grid> children_;
    std::vector<ended_grid> stack_;
};

} // namespace sim::driver
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_DRIVER_GRID_TREE_HPP
