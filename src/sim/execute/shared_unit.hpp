// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Executes instructions that exist for shared memory only: matrix moves and mbarriers.
#ifndef GPUPROF_SRC_SIM_EXECUTE_SHARED_UNIT_HPP
#define GPUPROF_SRC_SIM_EXECUTE_SHARED_UNIT_HPP

#include <cstddef>
#include <cstdint>

#include "../check/no_check.hpp"
#include "cta_memory.hpp"
#include "../code/decoded.hpp"
#include "lane_addresses.hpp"
#include "../ops/mbarrier.hpp"
#include "../ops/memory_cell.hpp"
#include "../code/warp.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// Functions give false when a lane faults, as memory_unit's do.
template <sm_observer Sm>
class shared_unit {
public:
    using check_type = typename check_of<Sm>::type;
    shared_unit(cta_memory& memory, Sm& sm, check_type& check) noexcept : memory_{memory}, sm_{sm}, check_{check} {}

    // ldmatrix, stmatrix: lane 8m + r has the address of row r of matrix m; lane 4r + c holds
    // elements 2c and 2c + 1 of row r of every matrix, or of column r when transposed.
    bool move_matrices(warp& w, registers const& r, decoded const& op, lane_mask mask, bool loads) {
        auto address = lane_addresses(w, r, op);
        unsigned const rows = 8 * op.immediate;
        lane_mask const givers = rows == warp_size ? all_lanes : (lane_mask{1} << rows) - 1;
        std::byte* row[warp_size]{};
        for (unsigned i = 0; i < rows; ++i) {
            ptx::space space = op.memory.space;
            if (space == ptx::space::generic) space = cta_memory::classify(address[i]);
            if (space != ptx::space::shared)
                return memory_.fail(launch_failure::illegal_address, space, i, address[i], 16) != nullptr;
            row[i] = memory_.locate(space, w, i, address[i], 16);
            if (row[i] == nullptr) return false;
        }
        auto const what = loads ? memory_operation::load_matrix : memory_operation::store_matrix;
        check_.touch(w, op, ptx::space::shared, what, address, 16, givers);
        bool const transposed = op.mode != 0;
        for (unsigned m = 0; m < op.immediate; ++m)
            for (unsigned lane = 0; lane < warp_size; ++lane) {
                if (!(mask >> lane & 1)) continue;
                auto pair = static_cast<std::uint32_t>(loads ? 0 : r.read_lane(op.slots[m].ref, lane, 4));
                for (unsigned e = 0; e < 2; ++e) {
                    unsigned const along = lane % 4 * 2 + e;
                    unsigned const across = lane / 4;
                    std::byte* const at =
                        row[8 * m + (transposed ? along : across)] + std::size_t{2} * (transposed ? across : along);
                    if (loads) pair |= std::uint32_t{load_cell<std::uint16_t>(at, false)} << (16 * e);
                    else store_cell(at, static_cast<std::uint16_t>(pair >> (16 * e)), false);
                }
                if (loads) r.write_lane(op.slots[m].ref, lane, 4, pair);
            }
        sm_.memory(w.number(), op.info,
                   {ptx::space::shared, what, op.memory.space == ptx::space::generic, 16, givers, address.data()});
        return true;
    }

    // mbarrier instructions, lane after lane. Copies that arrive were completed before. The objects
    // are the CTA's own, so nothing here need be atomic.
    bool synchronize(warp& w, registers const& r, decoded const& op, lane_mask mask) {
        using operation = mbarrier_operation;
        auto const what = static_cast<operation>(op.mode);
        auto address = lane_addresses(w, r, op);
        bool passes = false;
        waits_ = what == operation::test_state || what == operation::test_parity;
        for (unsigned i = 0; i < warp_size; ++i) {
            if (!(mask >> i & 1)) continue;
            if (what == operation::pending_count) {
                r.write_lane(op.d, i, 4, mbarrier{r.read_lane(op.c, i, 8)}.pending());
                continue;
            }
            ptx::space const space =
                op.memory.space == ptx::space::generic ? cta_memory::classify(address[i]) : op.memory.space;
            std::byte* const at = space == ptx::space::shared
                                      ? memory_.locate(space, w, i, address[i], 8)
                                      : memory_.fail(launch_failure::illegal_address, space, i, address[i], 8);
            if (at == nullptr) return false;
            bool const is_plain = what == operation::init || what == operation::invalidate; // it orders nothing
            if (!waits_) // tests are told when they pass
                check_.touch(w, op, space, is_plain ? memory_operation::store : memory_operation::atomic, address, 8,
                             lane_mask{1} << i);
            auto const number = static_cast<std::uint32_t>(r.read_lane(op.b, i, 4));
            mbarrier b{load_cell<std::uint64_t>(at, true)};
            mbarrier const before = b;
            bool done = false;
            switch (what) {
                case operation::init: b = mbarrier::of(number); break;
                case operation::invalidate: b = mbarrier{}; break;
                case operation::expect_bytes: b.expect_bytes(number); break;
                case operation::complete_bytes: b.complete_bytes(number); break;
                case operation::test_state:
                    done = write_test(r, op, i, mbarrier{r.read_lane(op.c, i, 8)}.parity() != b.parity());
                    break;
                case operation::test_parity: done = write_test(r, op, i, (number & 1) != b.parity()); break;
                default:
                    r.write_lane(op.d, i, 8, b.bits());
                    if (what == operation::arrive_drop) b.arrive_and_drop(number);
                    else if (what == operation::arrive_expect_bytes) b.expect_bytes(number), b.arrive(1);
                    else if (what == operation::arrive_for_copies) b.add_pending(1), b.arrive(1);
                    else b.arrive(number);
                    break;
            }
            if (done) check_.touch(w, op, space, memory_operation::load, address, 8, lane_mask{1} << i);
            check_.mbarrier_used(w, op, i, address[i], what, number, before, b, done);
            passes |= done;
            store_cell(at, b.bits(), true);
        }
        if (passes) check_.together(w, r, op, all_lanes, mask); // also with lanes that arrived, and now do not wait
        waits_ = waits_ && !passes;
        return true;
    }
    // Whether the last instruction asked an mbarrier in vain: it will ask again, so others had
    // better have their turn, as hardware suspends a warp at try_wait.
    [[nodiscard]] bool waits() const noexcept { return waits_; }

private:
    static bool write_test(registers const& r, decoded const& op, unsigned lane, bool done) noexcept {
        r.write_predicate(op.d, done ? all_lanes : 0, lane_mask{1} << lane);
        return done;
    }

    cta_memory& memory_;
    Sm& sm_;
    check_type& check_;
    bool waits_ = false;
};

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_EXECUTE_SHARED_UNIT_HPP
