// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The observer of the SM that an executor stands for at the moment.
#ifndef GPUPROF_SRC_SIM_EXECUTE_CURRENT_SM_HPP
#define GPUPROF_SRC_SIM_EXECUTE_CURRENT_SM_HPP

#include "../check/no_check.hpp"
#include "../code/observer.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// A host thread executes CTAs of many SMs, and keeps the memory of one for the next.
template <sm_observer Sm>
struct current_sm {
    Sm* is = nullptr;

    void cta_launched(extent3 cta, unsigned threads) { is->cta_launched(cta, threads); }
    void warp_launched(unsigned warp, lane_mask present) { is->warp_launched(warp, present); }
    void instruction(unsigned warp, instruction_info const& info, lane_mask active, lane_mask on) {
        is->instruction(warp, info, active, on);
    }
    void branch(unsigned warp, instruction_info const& info, lane_mask active, lane_mask taken) {
        is->branch(warp, info, active, taken);
    }
    void memory(unsigned warp, instruction_info const& info, memory_access const& access) {
        is->memory(warp, info, access);
    }
    void cta_finished() { is->cta_finished(); }
};

template <sm_observer Sm>
struct check_of<current_sm<Sm>> : check_of<Sm> {};

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_EXECUTE_CURRENT_SM_HPP
