// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Executes instructions that lanes execute together: votes, shuffles, reductions.
#ifndef GPUPROF_SRC_SIM_EXECUTE_COLLECTIVE_UNIT_HPP
#define GPUPROF_SRC_SIM_EXECUTE_COLLECTIVE_UNIT_HPP

#include <array>
#include <cstdint>
#include <string>

#include "../code/decoded.hpp"
#include "../code/launch.hpp"
#include "../code/stop_report.hpp"
#include "../code/warp.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// Functions give false when the kernel was stopped. @pre the report and the check outlive it.
template <class Check>
class collective_unit {
public:
    collective_unit(stop_report& stop, Check& check) noexcept : stop_{stop}, check_{check} {}

    // An instruction for a whole warp needs the lanes it names; those that have exited are excused.
    [[nodiscard]] bool are_present(warp& w, sim::registers const& r, decoded const& op, lane_mask execute) {
        auto const members = static_cast<lane_mask>(r.read_lane(op.e, lowest_lane(execute), 4)) & w.live();
        return (members & ~execute) == 0 || missing(w, lowest_lane(execute), members & ~execute);
    }

    // Lanes that name the same members form a group, and each group computes for itself. Lanes that
    // are elsewhere are waited for if they can come. PTX leaves undefined what a lane does that does
    // not name itself. On an H100 it takes part as if it were named if all lanes name the same
    // members; in one of several groups it stops the kernel. Lanes that name each other in different
    // masks stop it, too. Lanes that name the same in different places go on when all are at one: each
    // with those of its place (an H200 goes on in loops that lanes leave at different times).
    [[nodiscard]] bool compute(warp& w, sim::registers const& r, decoded const& op, lane_mask execute) {
        auto const members = r.read<lane_mask>(op.e);
        std::array<lane_mask, warp_size> groups;
        unsigned count = 0;
        for (lane_mask left = execute; left != 0; ++count) {
            unsigned const first = lowest_lane(left);
            lane_mask group = op.e.code & operand_ref::in_pool ? left : 0; // a constant is the same for all
            for (unsigned i = first; group != left && i < warp_size; ++i)
                group |= lane_mask{(left >> i & 1) != 0 && members[i] == members[first]} << i;
            lane_mask const named = members[first] & w.live();
            lane_mask const unnamed = group & ~named;
            if (unnamed != 0 && group != execute)
                return stop_.stop(w, launch_failure::invalid_instruction, lowest_lane(unnamed),
                                  "the lane is not in its own member mask, and other lanes name other members");
            bool const met = (named & ~execute) != 0 && w.pass(execute);
            if ((named & ~execute) != 0 && !met) return wait(w, r, op, execute, members[first]);
            if ((named & ~group) != 0 && !met)
                return stop_.stop(w, launch_failure::invalid_instruction, lowest_lane(named & ~group),
                                  "the lane is named by the member mask of another lane, but names other members");
            groups[count] = group;
            left &= ~group;
            if (unnamed != 0) check_.wrong_members(w, op, unnamed, "the thread is not in its own member mask");
            if constexpr (Check::listens)
                if (w.was_left(group) && op.result_bytes != 0) // bar.warp.sync may wait for exits
                    check_.wrong_members(w, op, group, "threads that the member mask names end and do not come here");
            check_.together(w, r, op, group, execute);
        }
        if (op.collective == collective::groups)
            for (unsigned i = 0; i < count; ++i) op.compute(r, op, groups[i]);
        else op.compute(r, op, execute);
        ++w.top().pc;
        return true;
    }

private:
    // Lanes that are named are elsewhere.
    bool wait(warp& w, sim::registers const& r, decoded const& op, lane_mask execute, lane_mask members) {
        lane_mask const others = members & w.live() & ~execute;
        bool const whole = execute == w.top().mask;
        return (whole && w.meet(others, members, members_of_parked(w, r))) || w.park() ||
               wait_for_exits(w, op, execute) || (whole && w.hold(members)) || missing(w, lowest_lane(execute), others);
    }
    [[nodiscard]] static lane_mask members_of_parked(warp const& w, sim::registers const& r) {
        if (w.parked() == 0 || w.parked_at().collective == collective::none) return 0;
        return static_cast<lane_mask>(r.read_lane(w.parked_at().e, lowest_lane(w.parked()), 4));
    }
    // bar.warp.sync, which has no result, needs no lanes that exit: those that it names go on.
    static bool wait_for_exits(warp& w, decoded const& op, lane_mask execute) {
        return op.collective == collective::groups && op.result_bytes == 0 && execute == w.top().mask &&
               w.let_others_go_on();
    }
    bool missing(warp& w, unsigned lane, lane_mask others) {
        unsigned const other = lowest_lane(others);
        return stop_.stop(w, launch_failure::divergent_barrier, lane,
                          "lanes named by the member mask are elsewhere (lane " + std::to_string(other) +
                              " at PTX line " + std::to_string(w.next_of(other).info.line) +
                              "); independent thread scheduling is not modelled");
    }

    stop_report& stop_;
    Check& check_;
};

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_EXECUTE_COLLECTIVE_UNIT_HPP
