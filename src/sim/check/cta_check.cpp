// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cta_check.hpp"

#include <cstdint>

GPUPROF_NAMESPACE_BEGIN
namespace sim {

void cta_check::exited(warp& w, decoded const& op, lane_mask lanes) {
    if (!launch_->has(check::exits) || first_exit_) return;
    first_exit_ = check_place{cta_, w.number() * warp_size + lowest(lanes), launch_->number(*w.frame().function, op)};
    for (meeting const& m : barriers_)
        if (m.begun && m.waiting)
            report(m.first, *first_exit_, "not all threads of the CTA come to the barrier", "exits here");
}

void cta_check::unnamed(warp& w, decoded const& op, lane_mask lanes) {
    if (!launch_->has(check::barriers)) return;
    check_place const here{cta_, w.number() * warp_size + lowest(lanes), launch_->number(*w.frame().function, op)};
    launch_->found(finding_kind::barrier, here.instruction, here.instruction, [&] {
        finding found;
        found.here = launch_->side(here, {});
        found.detail = "the thread is not in its own member mask";
        return found;
    });
}

void cta_check::answered(warp& w, call_site const& site, lane_mask lanes) {
    if (values_) values_->answered(w, site, lanes);
    memory_shadow& shadow = launch_->shadow();
    for (lane_mask left = lanes; left != 0; left &= left - 1) {
        unsigned const lane = lowest(left);
        if (site.system == system_call::release && !site.inputs.empty())
            shadow.freed(value_of(w, site.inputs[0], lane));
        if (site.system != system_call::allocate || site.inputs.empty() || site.outputs.empty()) continue;
        if (std::uint64_t const address = value_of(w, site.outputs[0], lane))
            shadow.allocated(address, value_of(w, site.inputs[0], lane));
    }
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
