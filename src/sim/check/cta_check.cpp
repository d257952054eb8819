// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cta_check.hpp"

#include <cstdint>

GPUPROF_NAMESPACE_BEGIN
namespace sim {

void cta_check::follow(warp& w, decoded const& op, ptx::space space, bool writes, lanes<std::uint64_t> const& address,
                       unsigned bytes, lane_mask lanes) {
    if (space != ptx::space::shared && space != ptx::space::global) return;
    bool const is_copy = op.action == action::copy_bulk || op.action == action::copy_tensor;
    bool const is_store = op.action == action::copy_bulk     ? static_cast<bulk_copy>(op.mode) == bulk_copy::to_global
                          : op.action == action::copy_tensor ? static_cast<tensor_copy>(op.mode) == tensor_copy::store
                                                             : false;
    for (; lanes != 0; lanes &= lanes - 1) {
        unsigned const lane = lowest(lanes);
        async_actor const me = actor(w, op, lane);
        if (space == ptx::space::global) {
            if (!is_copy) async_->global_access(me, address[lane], bytes);
            else if (is_store) async_->store_writes(me, address[lane], bytes);
            continue;
        }
        async_check& there = *owner(address[lane]).async_;
        auto const offset = static_cast<std::uint32_t>(address[lane] & address_map::own_offset);
        if ((is_copy && writes) || op.action == action::store_async)
            there.fills(me, offset, bytes, op.memory.operation != atomic_operation::none);
        else if (is_store) there.store_reads(me, offset, bytes);
        else if (op.action == action::copy_async_wait || op.action == action::exit)
            there.copy_arrived(me, offset, bytes, false);
        else if (op.action == action::mbarrier && writes && waits_for_copies(static_cast<mbarrier_operation>(op.mode)))
            there.copy_arrived(me, offset, bytes, true);
        else if (op.action != action::mbarrier)
            there.access(me, offset, bytes, writes, is_copy ? async_check::by::copy : async_check::by::plain);
    }
}

void cta_check::mbarrier_used(warp& w, decoded const& op, unsigned lane, std::uint64_t address, mbarrier_operation what,
                              std::uint32_t number, mbarrier before, mbarrier after, bool passes) {
    if (!async_) return;
    async_check& there = *owner(address).async_;
    auto const offset = static_cast<std::uint32_t>(address & address_map::own_offset);
    async_actor const me = actor(w, op, lane);
    bool const is_copy = op.action != action::mbarrier || waits_for_copies(what);
    if (is_copy && cluster_ == nullptr) async_->bind(me, there, offset);
    for (std::size_t i = 0; is_copy && cluster_ != nullptr && i < cluster_->size(); ++i)
        if ((*cluster_)[i]->async_) (*cluster_)[i]->async_->bind(me, there, offset);
    there.mbarrier_used(me, offset, what, number, before, after, passes);
}

void cta_check::bulk_wait(warp& w, decoded const& op, lane_mask lanes) {
    if (!async_) return;
    std::uint32_t const instruction = launch_->number(*w.frame().function, op);
    for (unsigned lane = 0; lane < warp_size; ++lane) {
        if (!(lanes >> lane & 1)) continue;
        // The copy has read until now: who writes there must know of the wait.
        async_->wait_for_stores(w.number() * warp_size + lane, op.immediate, op.mode != 0,
                                [&](std::uint32_t offset, std::uint32_t bytes) {
                                    for (std::uint32_t at = 0; at < bytes; at += 16) {
                                        sim::lanes<std::uint64_t> address{};
                                        address[lane] = std::uint64_t{offset} + at;
                                        watched_access const read{ptx::space::shared, true,        false, {},   16,
                                                                  address.data(),     instruction, false, false};
                                        races_->access(w.number(), lane_mask{1} << lane, read,
                                                       [](unsigned, access_record const&) { return true; });
                                    }
                                });
    }
}

void cta_check::exited(warp& w, decoded const& op, lane_mask lanes) {
    bool const warp_ends = (w.live() & ~lanes) == 0;
    if (warp_ends) --live_warps_;
    if (async_) async_->exited(actor(w, op, lowest(lanes)), lanes, warp_ends && live_warps_ == 0);
    if (!launch_->has(check::exits) || first_exit_) return;
    first_exit_ = check_place{cta_, w.number() * warp_size + lowest(lanes), launch_->number(*w.frame().function, op)};
    for (meeting const& m : barriers_)
        if (m.begun && m.waiting)
            report(m.first, *first_exit_, "not all threads of the CTA come to the barrier", "exits here");
}

void cta_check::wrong_members(warp& w, decoded const& op, lane_mask lanes, char const* what) {
    if (!launch_->has(check::barriers)) return;
    check_place const here{cta_, w.number() * warp_size + lowest(lanes), launch_->number(*w.frame().function, op)};
    launch_->found(finding_kind::barrier, here.instruction, here.instruction, [&] {
        finding found;
        found.here = launch_->side(here, {});
        found.detail = what;
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
