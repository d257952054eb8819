// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs one CTA: its warps take turns, each instruction for all lanes at once. Layer: embedded GPU, executor.
#ifndef GPUPROF_HW_SIM_EXECUTE_CTA_EXECUTOR_HPP
#define GPUPROF_HW_SIM_EXECUTE_CTA_EXECUTOR_HPP

#include <cstddef>  // counts
#include <cstdint>  // masks
#include <optional> // a failure or none
#include <vector>   // warps

#include "barrier_unit.hpp"
#include "call_unit.hpp"
#include "cta_memory.hpp"
#include "fragment_unit.hpp"
#include "../code/kernel.hpp"
#include "../code/launch.hpp"
#include "memory_unit.hpp"
#include "shared_unit.hpp"
#include "../code/special_registers.hpp"
#include "../code/stop_report.hpp"
#include "../code/warp.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

template <sm_observer Sm>
class cta_executor {
public:
    // @pre kernel, memory, options and sm outlive the executor; the configuration was checked.
    cta_executor(kernel const& k, launch_config const& config, device_memory& memory, execution_options const& options,
                 system_services& services, Sm& sm)
        : kernel_{k},
          options_{options},
          sm_{sm},
          memory_{memory, config.parameters, k.static_shared_bytes + config.dynamic_shared_bytes},
          unit_{memory_, sm},
          shared_{memory_, sm},
          fragments_{memory_, sm},
          stop_{k, place_},
          calls_{k, options, services, memory_, stop_},
          barriers_{warps_, stop_} {
        place_.grid = config.grid;
        place_.block = config.block;
        place_.sm_count = options.sm_count;
        place_.static_shared = k.static_shared_bytes;
        place_.dynamic_shared = config.dynamic_shared_bytes;
    }

    void start(std::uint64_t number) {
        place_.cta = place(number, place_.grid);
        place_.sm = static_cast<unsigned>(number % options_.sm_count);
        place_.time = 0;
        memory_.reset();
        barriers_.reset();
        warps_.clear();
        auto const threads = static_cast<unsigned>(place_.block.count());
        sm_.cta_launched(place_.cta, threads);
        for (unsigned first = 0, w = 0; first < threads; first += warp_size, ++w) {
            unsigned const count = threads - first < warp_size ? threads - first : warp_size;
            lane_mask const present = all_lanes >> (warp_size - count);
            warps_.emplace_back(w, present, kernel_.functions.front());
            sm_.warp_launched(w, present);
        }
        unfinished_ = warps_.size();
    }

    // Lets every warp take up to `quantum` steps. True while there is more to do and nothing has failed.
    [[nodiscard]] bool run(std::uint64_t quantum) {
        bool progress = false;
        for (auto& w : warps_) {
            if (w.finished() || w.waiting_at != warp::no_barrier) continue;
            progress = true;
            place_.warp = w.number();
            if (!run_warp(w, quantum)) return false;
            if (w.finished()) {
                --unfinished_;
                barriers_.settle_all();
            }
        }
        if (unfinished_ == 0) return sm_.cta_finished(), false;
        if (!progress)
            return stop_.stop(stuck(), launch_failure::deadlock, 0, "all warps wait at barriers that cannot complete");
        return true;
    }

    [[nodiscard]] std::optional<launch_error> const& error() const noexcept { return stop_.error(); }
    [[nodiscard]] std::uint64_t steps() const noexcept { return place_.time; }

private:
    bool run_warp(warp& w, std::uint64_t quantum) {
        for (; quantum != 0; --quantum) {
            w.reconverge();
            path& here = w.top();
            decoded const& op = w.frame().function->code[here.pc];
            sim::registers const r = w.registers_of(w.frame());
            lane_mask execute = here.mask;
            stop_.at(op.info);
            if (op.guarded) {
                lane_mask const guard = r.read_predicate(op.guard);
                execute &= op.guard_negated ? ~guard : guard;
            }
            if (++place_.time > options_.step_budget)
                return stop_.stop(w, launch_failure::step_budget, 0,
                                  "the kernel does not end, or its threads wait for threads of their own warp");
            if (!w.released) sm_.instruction(w.number(), op.info, here.mask, execute);
            if (op.action == action::compute) {
                if (execute != 0) {
                    if (op.warp_wide && !members_present(w, r, op, execute)) return false;
                    op.compute(r, op, execute);
                }
                ++here.pc;
                continue;
            }
            if (!perform(w, r, op, execute)) return false;
            if (w.finished() || w.waiting_at != warp::no_barrier) return true;
        }
        return true;
    }

    // Everything that is more than a function of registers.
    bool perform(warp& w, sim::registers const& r, decoded const& op, lane_mask execute) {
        path& here = w.top();
        switch (op.action) {
            case action::branch:
                sm_.branch(w.number(), op.info, here.mask, execute);
                w.diverge(execute, op.target, op.reconvergence);
                return true;
            case action::branch_indexed: return branch_indexed(w, r, op, execute);
            case action::call:
                sm_.branch(w.number(), op.info, here.mask, execute);
                ++here.pc;
                return execute == 0 || calls_.call(w, r, op, execute);
            case action::ret:
                ++here.pc;
                if (execute != 0) calls_.leave(w, execute);
                return true;
            case action::exit:
                ++here.pc;
                if (execute != 0) {
                    unit_.complete_copies(w, execute, ~std::uint32_t{0});
                    w.leave(execute);
                }
                return true;
            case action::barrier: return barriers_.wait(w, r, op, execute);
            default: break;
        }
        ++here.pc;
        if (execute == 0) return true;
        bool good = true;
        switch (op.action) {
            case action::load:
            case action::store:
                if (op.memory.fragment != fragment::none) {
                    if (!members_present(w, r, op, execute)) return false;
                    good = fragments_.move(w, r, op, execute);
                } else {
                    good = op.action == action::load ? unit_.load(w, r, op, execute) : unit_.store(w, r, op, execute);
                }
                break;
            case action::atomic: good = unit_.atomic(w, r, op, execute); break;
            case action::copy_async: good = unit_.copy_async(w, r, op, execute); break;
            case action::copy_async_commit: unit_.commit_copies(w, execute); break;
            case action::copy_async_wait: unit_.complete_copies(w, execute, op.immediate); break;
            case action::mbarrier:
                if (waits_for_copies(static_cast<mbarrier_operation>(op.mode)))
                    unit_.complete_copies(w, execute, ~std::uint32_t{0});
                good = shared_.synchronize(w, r, op, execute);
                break;
            case action::load_matrix:
            case action::store_matrix:
                if (!members_present(w, r, op, execute)) return false;
                good = shared_.move_matrices(w, r, op, execute, op.action == action::load_matrix);
                break;
            case action::fence: fence_memory(); break;
            case action::special_register: read_special(r, op, execute); break;
            case action::local_address: read_local_address(w, r, op, execute); break;
            case action::barrier_arrive: return barriers_.arrive(w, r, op, execute);
            case action::trap:
                return stop_.stop(w, launch_failure::trap, lowest_lane(execute), "the kernel executed trap");
            default: break;
        }
        if (good) return true;
        execution_fault const& f = memory_.fault();
        return stop_.stop(w, f.kind, f.lane, f.detail, f.address, f.bytes);
    }

    // An instruction for a whole warp needs the lanes it names; those that have exited are excused.
    bool members_present(warp& w, sim::registers const& r, decoded const& op, lane_mask execute) {
        auto const members = static_cast<lane_mask>(r.read_lane(op.e, lowest_lane(execute), 4)) & w.live();
        if ((members & ~execute) == 0) return true;
        return stop_.stop(
            w, launch_failure::divergent_barrier, lowest_lane(execute),
            "lanes named by the member mask are elsewhere; independent thread scheduling is not modelled");
    }

    bool branch_indexed(warp& w, sim::registers const& r, decoded const& op, lane_mask execute) {
        auto const& table = w.frame().function->branch_tables[op.target];
        auto const index = r.read<std::uint32_t>(op.a);
        for (unsigned i = 0; i < warp_size; ++i)
            if ((execute >> i & 1) && index[i] >= table.size())
                return stop_.stop(w, launch_failure::invalid_instruction, i, "brx.idx beyond its table");
        path const here = w.top();
        sm_.branch(w.number(), op.info, here.mask, execute);
        if (execute == 0) return ++w.top().pc, true;
        w.split(op.reconvergence);
        lane_mask const others = here.mask & ~execute;
        if (others != 0) w.push({here.pc + 1, op.reconvergence, others});
        for (lane_mask left = execute; left != 0;) {
            std::uint32_t const target = table[index[lowest_lane(left)]];
            lane_mask same = 0;
            for (unsigned i = 0; i < warp_size; ++i)
                if ((left >> i & 1) && table[index[i]] == target) same |= lane_mask{1} << i;
            w.push({target, op.reconvergence, same});
            left &= ~same;
        }
        return true;
    }

    void read_special(sim::registers const& r, decoded const& op, lane_mask execute) noexcept {
        for (unsigned i = 0; i < warp_size; ++i)
            if (execute >> i & 1)
                r.write_lane(op.d, i, op.immediate, special_value(static_cast<special>(op.mode), place_, i));
    }
    static void read_local_address(warp const& w, sim::registers const& r, decoded const& op,
                                   lane_mask execute) noexcept {
        auto const address = w.frame().local + static_cast<std::uint64_t>(op.offset);
        for (unsigned i = 0; i < warp_size; ++i)
            if (execute >> i & 1) r.write_lane(op.d, i, op.immediate, address);
    }

    [[nodiscard]] warp& stuck() noexcept {
        for (auto& w : warps_)
            if (!w.finished()) return w;
        return warps_.front();
    }

    kernel const& kernel_;
    execution_options const& options_;
    Sm& sm_;
    warp_place place_;
    std::vector<warp> warps_;
    std::size_t unfinished_ = 0; // of them
    cta_memory memory_;
    memory_unit<Sm> unit_;
    shared_unit<Sm> shared_;
    fragment_unit<Sm> fragments_;
    stop_report stop_;
    call_unit calls_;
    barrier_unit barriers_;
};

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_SIM_EXECUTE_CTA_EXECUTOR_HPP
