// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "grid_tree.hpp"

#include <cstddef>
#include <utility>
#include <variant>

#include "../gpu/activity_log.hpp"
#include "kernel.hpp"
#include "state.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::driver {

grid_tree::grid_tree(driver::call& in)
    : in_{in},
      pool_{*in.context},
      begin_{in.driver.clocks[in.context->device].begin_of(engine::compute, in.earliest)},
      keeps_records_{activity_log::is_on() && !in.context->chip->has_range_profiling()} {}

CUresult grid_tree::run_grid(kernel_operation const& launch, ended_grid grid) {
    grid_runtime runtime{in_, in_.driver.functions.find(launch.function)->module, pool_};
    in_.earliest = begin_ + elapsed_;
    outcome const done = run_one(in_, launch, &runtime, counted_);
    elapsed_ += done.nanoseconds;
    if (keeps_records_ && grid.record != 0) children_[grid.record - 1].end = elapsed_;
    if (done.status != CUDA_SUCCESS) return done.status;
    grid.launches = runtime.take_launches();
    stack_.push_back(std::move(grid));
    return CUDA_SUCCESS;
}

void grid_tree::complete_top() {
    ended_grid const& top = stack_.back();
    pool_.give_back(top.buffer);
    if (keeps_records_ && top.record != 0) children_[top.record - 1].completed = elapsed_;
    stack_.pop_back();
}

CUresult grid_tree::run_next() {
    ended_grid& top = stack_.back();
    bool const is_tail = top.launches.children.empty();
    auto& queue = is_tail ? top.launches.tails : top.launches.children;
    if (queue.empty()) {
        complete_top();
        return CUDA_SUCCESS;
    }
    device_work next = std::move(queue.front());
    queue.pop_front();
    // What follows a grid as its last takes its place: a kernel may launch itself so without end.
    ended_grid grid{next.buffer, 0, {}};
    std::size_t const parent = top.record;
    if (is_tail && queue.empty()) complete_top();
    if (auto const* const launch = std::get_if<kernel_operation>(&next.work)) {
        if (keeps_records_) {
            children_.push_back({*launch, next.parent_cta, parent, elapsed_, elapsed_, elapsed_});
            grid.record = children_.size();
        }
        if (CUresult const status = check(in_, *launch)) return status;
        return run_grid(*launch, std::move(grid));
    }
    auto const* const copy = std::get_if<copy_operation>(&next.work);
    outcome const done =
        copy != nullptr ? driver::run(in_, *copy) : driver::run(in_, std::get<fill_operation>(next.work));
    elapsed_ += done.nanoseconds;
    pool_.give_back(next.buffer);
    return done.status;
}

outcome grid_tree::run(kernel_operation const& launch, counter_values& counted) {
    CUresult status = run_grid(launch, {0, 0, {}});
    outcome all{status, engine::compute, 0, elapsed_};
    if (!stack_.empty())
        all.launched_kernels = !stack_.back().launches.children.empty() || !stack_.back().launches.tails.empty();
    while (status == CUDA_SUCCESS && in_.context->lost == CUDA_SUCCESS && !stack_.empty()) status = run_next();
    all.status = status;
    all.nanoseconds = elapsed_;
    all.children = std::move(children_);
    counted += counted_;
    return all;
}

} // namespace sim::driver
GPUPROF_NAMESPACE_END
