// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cta_check.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

void cta_check::exited(warp& w, decoded const& op, lane_mask lanes) {
    if (!launch_->has(check::exits) || first_exit_) return;
    first_exit_ = check_place{cta_, w.number() * warp_size + lowest(lanes), launch_->number(*w.frame().function, op)};
    for (meeting const& m : barriers_)
        if (m.begun && m.waiting)
            report(m.first, *first_exit_, "not all threads of the CTA come to the barrier", "exits here");
}

void cta_check::report(check_place const& here, check_place const& other, char const* text, char const* did) {
    launch_->found(finding_kind::barrier, here.instruction, other.instruction, [&] {
        finding found;
        found.here = launch_->side(here, {});
        found.other = launch_->side(other, did);
        found.detail = text;
        return found;
    });
}

} // namespace sim
GPUPROF_NAMESPACE_END
