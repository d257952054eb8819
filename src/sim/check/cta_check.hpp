// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Watches the instructions of a CTA.
//
// - initialised: each byte of memory has a state, and so has each byte of a register that is not
//   written (value_check.hpp)
// - races: each word of memory knows its last write and read, each warp has a clock
//   (race_check.hpp, clocks.hpp)
// - barriers: warps that meet at different instructions; exits: threads that ended before the
//   others met
// Accesses out of bounds need nothing here: every address is checked anyway, and check::memory
// keeps allocations apart.
#ifndef GPUPROF_SRC_SIM_CHECK_CTA_CHECK_HPP
#define GPUPROF_SRC_SIM_CHECK_CTA_CHECK_HPP

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <utility>
#include <vector>

#include <gpuprof/sim/check_set.hpp>

#include "async_check.hpp"
#include "launch_check.hpp"
#include "race_check.hpp"
#include "value_check.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// One for each executor, which begin()s it for each of its CTAs.
class cta_check {
public:
    static constexpr bool listens = true;

    // @param shared_bytes all that CTAs have of shared memory, the system's included
    cta_check(kernel const& k, launch_config const& config, std::uint32_t shared_bytes) noexcept
        : shared_bytes_{shared_bytes},
          own_shared_bytes_{k.static_shared_bytes + config.dynamic_shared_bytes},
          has_products_{has_products(k)} {}

    // @param sm the observer of the SM that the CTA is on; outlives it
    template <class Sm>
    void begin(Sm const& sm, std::uint64_t cta, unsigned warps) {
        launch_ = &sm.check();
        auto const number = static_cast<std::uint32_t>(cta);
        cta_ = number;
        if (launch_->has(check::initialised))
            values_.emplace(*launch_, number, warps, shared_bytes_, own_shared_bytes_);
        async_.reset();
        if (launch_->has(check::races)) {
            races_.emplace(*launch_, number, warps, shared_bytes_);
            async_.emplace(*launch_, number, races_->clocks(), warps, shared_bytes_);
        }
        live_warps_ = warps;
        waits_.assign(warps, {});
        cluster_phase_.assign(warps, {});
        barriers_ = {};
        first_exit_.reset();
    }

    // A warp is about to execute an instruction.
    void step(warp& w, registers const& r, decoded const& op, lane_mask active, lane_mask execute) {
        if (values_ && values_->any(w)) values_->step(w, r, op, active, execute);
        if (async_ && has_products_) async_->products().step(w, op, execute);
    }
    // Lanes execute together what names members: bar.warp.sync, shuffles and others; or one passes
    // an mbarrier, on which others of its warp may have arrived.
    void together(warp& w, registers const& r, decoded const& op, lane_mask group, lane_mask execute) {
        bool const meet = op.opcode == detail::opcode_of("bar") || op.opcode == detail::opcode_of("mbarrier");
        if (races_ && meet) races_->clocks().meet(w.number(), group, w.live());
        if (values_ && execute != all_lanes && op.opcode == detail::opcode_of("shfl"))
            values_->shuffled(w, r, op, execute);
    }
    // Lanes execute such an instruction with a mask of members that is not theirs. @param what is wrong
    void wrong_members(warp& w, decoded const& op, lane_mask lanes, char const* what);

    // A memory instruction is about to move something. @param shared the CTA's shared memory
    void access(warp& w, registers const& r, decoded const& op, ptx::space space, memory_operation what,
                lanes<std::uint64_t> const& address, lane_mask lanes, address_pattern lie, std::byte const* shared) {
        shared_ = shared;
        bool const writes_elsewhere =
            what == memory_operation::store || what == memory_operation::atomic || what == memory_operation::reduction;
        std::uint32_t const moved = ptx::size_of(op.memory.element) * op.memory.count;
        if (space == ptx::space::shared)
            elsewhere(w, op, op.memory.order, what != memory_operation::store, writes_elsewhere, address, moved, lanes);
        if (async_ && what != memory_operation::copy_async)
            follow(w, op, space, writes_elsewhere, address, moved, lanes);
        bool const loads = what == memory_operation::load || what == memory_operation::copy_async;
        bool const stores = what == memory_operation::store;
        bool const is_atomic = what == memory_operation::atomic || what == memory_operation::reduction;
        if (values_) {
            if (what == memory_operation::copy_async) values_->touched(w, space, false, address, 0, lanes);
            else values_->access(w, r, op, space, loads, stores, address, lanes, lie);
        }
        if (!races_ || (space != ptx::space::global && space != ptx::space::shared)) return;
        std::uint32_t const bytes = ptx::size_of(op.memory.element) * op.memory.count;
        watched_access const of{space,
                                loads || is_atomic,
                                stores || is_atomic,
                                op.memory.order,
                                bytes,
                                address.data(),
                                launch_->number(*w.frame().function, op),
                                stores && !op.memory.order.strong,
                                op.memory.operation == atomic_operation::cas};
        races_->access(
            w.number(), in_bounds(space, address, bytes, lanes), of, [&](unsigned lane, access_record const& then) {
                bool const at_once = then.instruction() == of.instruction && then.lane() < lane &&
                                     (lanes >> then.lane() & 1) != 0 && address[then.lane()] == address[lane];
                return at_once ? stores_same(r, op, lane, then.lane())
                               : holds_already(r, op, space, lane, address[lane]);
            });
    }
    // What is no plain load or store: matrices, asynchronous copies, mbarriers.
    void touch(warp& w, decoded const& op, ptx::space space, memory_operation what, lanes<std::uint64_t> const& address,
               unsigned bytes, lane_mask lanes) {
        bool const is_barrier = what == memory_operation::atomic; // arrivals and bytes of an mbarrier
        bool const acquires = op.action == action::mbarrier && what == memory_operation::load; // a test that passes
        bool const writes = is_barrier || what == memory_operation::store || what == memory_operation::store_matrix ||
                            what == memory_operation::copy_async;
        if (space == ptx::space::shared)
            elsewhere(w, op, {is_barrier || acquires, is_barrier, false}, is_barrier || !writes, writes, address, bytes,
                      lanes);
        if (async_ && !is_barrier) follow(w, op, space, writes, address, bytes, lanes);
        if (values_) values_->touched(w, space, writes, address, bytes, lanes);
        if (!races_ || (space != ptx::space::global && space != ptx::space::shared)) return;
        bool const reduces = writes && op.action >= action::copy_tensor && op.action <= action::copy_bulk &&
                             op.memory.operation != atomic_operation::none;
        watched_access const of{space,
                                is_barrier || !writes || reduces,
                                writes,
                                is_barrier ? memory_order{true, true, true}
                                           : memory_order{reduces || acquires, false, false},
                                bytes,
                                address.data(),
                                launch_->number(*w.frame().function, op),
                                false,
                                false};
        races_->access(w.number(), in_bounds(space, address, bytes, lanes), of,
                       [](unsigned, access_record const&) { return false; });
    }
    void fence(warp& w, decoded const& op, lane_mask lanes) {
        if (async_ && op.memory.order.between_proxies) async_->fence(w.number(), lanes);
        if (races_ && op.memory.order.releases) races_->clocks().fence(w.number(), lanes, op.memory.order.in_cta_only);
    }

    // A warp arrived at a barrier, which opened so many times before; then it passed it, if it
    // waits.
    void arrive(warp& w, decoded const& op, std::uint32_t number, std::uint32_t openings) {
        if (races_) races_->clocks().arrive(w.number(), number, openings);
        waits_[w.number()] = openings;
        if (op.immediate != 0 || number >= barriers_.size()) return; // only some of the CTA are to meet
        meeting& m = barriers_[number];
        std::uint32_t const here = launch_->number(*w.frame().function, op);
        check_place const at{cta_, w.number() * warp_size + lowest(w.live()), here};
        if (!m.begun || m.openings != openings) m = {true, openings, at, op.action == action::barrier};
        else if (m.first.instruction != here && launch_->has(check::barriers))
            report(at, m.first, "the warps of a CTA meet at different barriers", "waits here");
        if (first_exit_ && launch_->has(check::exits))
            report(at, *first_exit_, "not all threads of the CTA come to the barrier", "has exited here");
    }
    void pass(warp& w, std::uint32_t number) {
        if (races_) races_->clocks().pass(w.number(), number, waits_[w.number()]);
        if (number < barriers_.size()) barriers_[number].waiting = false;
    }
    // The CTA is part of a cluster. @param by_rank the checks of all its CTAs
    void join(std::vector<cta_check*> const& by_rank) noexcept { cluster_ = &by_rank; }
    // A warp arrived at the cluster's barrier, and passed it, by which everything before is known to all.
    void arrive_in_cluster(warp& w) {
        if (!races_) return;
        std::uint32_t const openings = cluster_phase_[w.number()];
        cta_clocks& clocks = races_->clocks();
        clocks.arrive(w.number(), cluster_barrier, openings);
        clocks.fence(w.number(), all_lanes, false);
        clocks.release(w.number(), 0, word_of_cluster(openings), false, true);
    }
    void pass_in_cluster(warp& w) {
        if (!races_) return;
        std::uint32_t const openings = cluster_phase_[w.number()]++;
        races_->clocks().pass(w.number(), cluster_barrier, openings);
        races_->clocks().acquire(w.number(), word_of_cluster(openings), false);
    }
    // cp.async of a lane is issued.
    void copy_begins(warp& w, decoded const& op, unsigned lane, std::uint64_t to, unsigned bytes) {
        if (async_) async_->copy_begins(actor(w, op, lane), static_cast<std::uint32_t>(to), bytes);
    }
    // An operation on an mbarrier, or a copy that completes on it. @param number the count, the bytes or the parity
    void mbarrier_used(warp& w, decoded const& op, unsigned lane, std::uint64_t address, mbarrier_operation what,
                       std::uint32_t number, mbarrier before, mbarrier after, bool passes);
    void bulk_commit(warp& w, lane_mask lanes) {
        for (unsigned lane = 0; async_ && lane < warp_size; ++lane)
            if (lanes >> lane & 1) async_->commit_stores(w.number() * warp_size + lane);
    }
    void bulk_wait(warp& w, decoded const& op, lane_mask lanes);
    // A wgmma that step() told of reads shared memory; wgmma.wait_group is over.
    void product_reads(warp& w, decoded const& op, unsigned lane, std::uint64_t offset, unsigned bytes) {
        if (async_) async_->product_reads(actor(w, op, lane), w, static_cast<std::uint32_t>(offset), bytes);
    }
    void products_awaited(warp& w) {
        if (async_) async_->products().awaited(w);
    }
    // Lanes ended; others may wait for them.
    void exited(warp& w, decoded const& op, lane_mask lanes);

    // @param frame the function's; several are entered at once where lanes call different ones
    void entered(warp& w, call_site const* site, std::size_t frame) {
        if (values_) values_->entered(w, site, frame);
    }
    void left(warp& w) {
        if (values_) values_->left(w);
        if (async_ && has_products_) async_->products().left(w);
    }
    // A function of the system has returned: it wrote its result. What malloc gave is fresh memory.
    void answered(warp& w, call_site const& site, lane_mask lanes);
    // It wrote where an argument points to, too.
    void wrote(warp& w, ptx::space space, unsigned lane, std::uint64_t address, unsigned bytes) {
        sim::lanes<std::uint64_t> to{};
        to[lane] = address;
        if (values_) values_->touched(w, space, true, to, bytes, lane_mask{1} << lane);
    }

private:
    struct meeting {
        bool begun = false;
        std::uint32_t openings = 0;
        check_place first;
        bool waiting = false;
    };

    static constexpr std::uint32_t cluster_barrier = 16;
    // A word that no memory has: all CTAs of the cluster meet there. One of them names it.
    [[nodiscard]] std::uint64_t word_of_cluster(std::uint32_t openings) const noexcept {
        std::uint32_t const who = cluster_ == nullptr ? cta_ : cluster_->front()->cta_;
        return std::uint64_t{1} << 63 | std::uint64_t{who} << 32 | openings;
    }
    // Lanes access shared memory of other CTAs of the cluster, which know that it is written, and of what happened
    // before.
    void elsewhere(warp& w, decoded const& op, memory_order order, bool reads, bool writes,
                   lanes<std::uint64_t> const& address, unsigned bytes, lane_mask lanes) {
        if (cluster_ == nullptr) return;
        for (unsigned lane = 0; lane < warp_size; ++lane) {
            std::uint64_t const rank = (address[lane] >> address_map::rank_shift) - 1;
            if (!(lanes >> lane & 1) || rank >= cluster_->size()) continue;
            cta_check& there = *(*cluster_)[rank];
            sim::lanes<std::uint64_t> offset{};
            offset[lane] = address[lane] & address_map::own_offset;
            if (writes && there.values_)
                there.values_->touched(w, ptx::space::shared, true, offset, bytes, lane_mask{1} << lane);
            if (!races_ || !there.races_) continue;
            if (&there != this) there.async_->used_from_elsewhere(actor(w, op, lane)); // whoever sees it arrive knows
            cta_clocks& clocks = races_->clocks();
            if (order.strong) {
                if (order.releases) clocks.fence(w.number(), lane_mask{1} << lane, false);
                clocks.acquire(w.number(), offset[lane] / 4, true, &there.races_->clocks());
                if (writes) clocks.release(w.number(), lane, offset[lane] / 4, true, true, &there.races_->clocks());
            }
            if ((offset[lane] & (bytes - 1)) == 0 && offset[lane] + bytes <= there.shared_bytes_)
                races_->access(
                    w.number(), lane_mask{1} << lane,
                    {ptx::space::shared, reads, writes, order, bytes, offset.data(),
                     launch_->number(*w.frame().function, op), false, false},
                    [](unsigned, access_record const&) { return false; }, &*there.races_);
        }
    }

    // What asynchronous copies have to do with an access.
    void follow(warp& w, decoded const& op, ptx::space space, bool writes, lanes<std::uint64_t> const& address,
                unsigned bytes, lane_mask lanes);
    [[nodiscard]] async_actor actor(warp& w, decoded const& op, unsigned lane) {
        return {races_->clocks(), w.number(), lane, launch_->number(*w.frame().function, op)};
    }
    // The check of the CTA that an address in shared memory belongs to.
    [[nodiscard]] cta_check& owner(std::uint64_t address) {
        std::uint64_t const rank = (address >> address_map::rank_shift) - 1;
        return cluster_ != nullptr && rank < cluster_->size() ? *(*cluster_)[rank] : *this;
    }

    [[nodiscard]] static bool has_products(kernel const& k) noexcept {
        return std::any_of(k.functions.begin(), k.functions.end(), [](auto const& f) {
            return std::any_of(f->code.begin(), f->code.end(),
                               [](decoded const& op) { return op.action == action::multiply_async; });
        });
    }
    static unsigned lowest(lane_mask lanes) noexcept { return static_cast<unsigned>(std::countr_zero(lanes)) & 31; }

    // Lanes whose access will not fault.
    [[nodiscard]] lane_mask in_bounds(ptx::space space, lanes<std::uint64_t> const& address, unsigned bytes,
                                      lane_mask lanes) const noexcept {
        lane_mask good = 0;
        for (unsigned i = 0; i < warp_size; ++i) {
            bool const aligned = (address[i] & (bytes - 1)) == 0;
            bool const inside = space != ptx::space::shared || address[i] + bytes <= shared_bytes_;
            good |= lane_mask{aligned && inside} << i;
        }
        return good & lanes;
    }
    [[nodiscard]] static bool stores_same(registers const& r, decoded const& op, unsigned a, unsigned b) noexcept {
        unsigned const size = ptx::size_of(op.memory.element);
        for (unsigned e = 0; e < op.memory.count; ++e) {
            std::byte const* const from = r.read_bytes(op.slots[e].ref);
            unsigned const stride = op.slots[e].bytes;
            if (std::memcmp(from + std::size_t{a} * stride, from + std::size_t{b} * stride, size) != 0) return false;
        }
        return true;
    }
    [[nodiscard]] bool holds_already(registers const& r, decoded const& op, ptx::space space, unsigned lane,
                                     std::uint64_t address) const noexcept {
        unsigned const size = ptx::size_of(op.memory.element);
        std::byte const* at = nullptr;
        if (space == ptx::space::shared) at = shared_ == nullptr ? nullptr : shared_ + address;
        else at = launch_->memory().translate(address, std::uint64_t{size} * op.memory.count);
        for (unsigned e = 0; at != nullptr && e < op.memory.count; ++e) {
            std::byte const* const from = r.read_bytes(op.slots[e].ref) + std::size_t{lane} * op.slots[e].bytes;
            if (std::memcmp(at + std::size_t{e} * size, from, size) != 0) return false;
        }
        return at != nullptr;
    }
    void report(check_place const& here, check_place const& other, char const* text, char const* did);

    launch_check* launch_ = nullptr;
    std::uint32_t shared_bytes_;
    std::uint32_t own_shared_bytes_;
    bool has_products_;
    std::byte const* shared_ = nullptr;
    std::uint32_t cta_ = 0;
    std::optional<value_check> values_;
    std::optional<race_check> races_;
    std::optional<async_check> async_;
    unsigned live_warps_ = 0;
    std::vector<std::uint32_t> waits_; // how often the barrier had opened that each warp waits at
    std::array<meeting, 16> barriers_;
    std::vector<cta_check*> const* cluster_ = nullptr; // by rank; null: no other CTA
    std::vector<std::uint32_t> cluster_phase_;         // of each warp: how often it passed the cluster's barrier
    std::optional<check_place> first_exit_;
};

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_CHECK_CTA_CHECK_HPP
