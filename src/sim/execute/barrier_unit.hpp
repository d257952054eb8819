// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Executes bar and barrier: warps that arrive, wait and take results.
#ifndef GPUPROF_SRC_SIM_EXECUTE_BARRIER_UNIT_HPP
#define GPUPROF_SRC_SIM_EXECUTE_BARRIER_UNIT_HPP

#include <cstdint>
#include <vector>

#include "barrier.hpp"
#include "../code/decoded.hpp"
#include "../code/launch.hpp"
#include "../code/stop_report.hpp"
#include "../code/warp.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// Functions return false when the kernel was stopped. @pre the warps, those of the CTA, and the
// report outlive it.
class barrier_unit {
public:
    barrier_unit(std::vector<warp>& warps, stop_report& stop) noexcept : warps_{warps}, stop_{stop} {}

    [[nodiscard]] std::uint32_t openings(std::uint32_t number) const noexcept { return barriers_.openings(number); }
    void reset() noexcept { barriers_ = {}; }
    // A warp has exited.
    void settle_all() noexcept { barriers_.settle_all(warps_); }

    // Whether these are all lanes of the warp that a barrier needs. It does not need those that wait
    // for the others at an instruction of the warp, as on an H100; it does if that is a barrier, too.
    [[nodiscard]] static bool is_complete(warp const& w, lane_mask execute) noexcept {
        if (execute == w.live()) return true;
        bool const at_barrier = w.parked() != 0 && (w.parked_at().action == action::barrier ||
                                                    w.parked_at().action == action::barrier_arrive ||
                                                    w.parked_at().action == action::cluster_wait);
        return !at_barrier && execute == (w.live() & ~w.parked() & ~w.held());
    }

    // A barrier is executed twice: once to arrive, and again when it has opened.
    [[nodiscard]] bool wait(warp& w, sim::registers const& r, decoded const& op, lane_mask execute) {
        if (w.released) {
            w.released = false;
            if (reduction_of(op) == barrier_reduction::popc) {
                lanes<std::uint32_t> d;
                d.fill(w.reduction);
                r.write(op.d, d, execute);
            } else if (reduction_of(op) != barrier_reduction::none) {
                r.write_predicate(op.d, w.reduction != 0 ? all_lanes : 0, execute);
            }
            ++w.top().pc;
            return true;
        }
        if (execute == 0) {
            ++w.top().pc;
            return true;
        }
        if (!is_complete(w, execute)) return await_others(w, execute);
        w.waiting_at = static_cast<std::uint32_t>(r.read_lane(op.a, lowest_lane(execute), 4));
        return arrive_at(w, r, op, execute);
    }
    // The warp goes on.
    [[nodiscard]] bool arrive(warp& w, sim::registers const& r, decoded const& op, lane_mask execute) {
        if (!is_complete(w, execute)) return await_others(w, execute);
        ++w.top().pc;
        return arrive_at(w, r, op, execute);
    }

    // Some lanes of the warp are here, and all that live are needed.
    [[nodiscard]] bool await_others(warp& w, lane_mask execute) {
        if (execute == w.top().mask && (w.park() || w.let_others_go_on())) return true;
        return stop_.stop(w, launch_failure::divergent_barrier, lowest_lane(execute),
                          "not all threads of the warp are here");
    }

private:
    bool arrive_at(warp& w, sim::registers const& r, decoded const& op, lane_mask execute) {
        auto const number = static_cast<std::uint32_t>(r.read_lane(op.a, lowest_lane(execute), 4));
        auto const threads = static_cast<std::uint32_t>(r.read_lane(op.b, lowest_lane(execute), 4));
        if (number >= barrier_set::count || threads > 1024) {
            w.waiting_at = warp::no_barrier;
            return stop_.stop(w, launch_failure::invalid_instruction, lowest_lane(execute), "no such barrier");
        }
        lane_mask said = 0;
        if (reduction_of(op) != barrier_reduction::none)
            said = op.negated ? ~r.read_predicate(op.c) : r.read_predicate(op.c);
        barriers_.arrive({number, threads, reduction_of(op), said, execute}, warps_);
        return true;
    }

    std::vector<warp>& warps_;
    stop_report& stop_;
    barrier_set barriers_;
};

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_EXECUTE_BARRIER_UNIT_HPP
