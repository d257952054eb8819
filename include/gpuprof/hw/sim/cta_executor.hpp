// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs one CTA: its warps take turns, each instruction for all lanes at once. Layer: embedded GPU, executor.
#ifndef GPUPROF_HW_SIM_CTA_EXECUTOR_HPP
#define GPUPROF_HW_SIM_CTA_EXECUTOR_HPP

#include <bit>      // lowest lane
#include <cstdint>  // masks
#include <cstdio>   // addresses in texts
#include <cstring>  // arguments of calls
#include <optional> // a failure or none
#include <string>   // its text
#include <vector>   // warps

#include "barrier.hpp"
#include "call_transfer.hpp"
#include "cta_memory.hpp"
#include "kernel.hpp"
#include "launch.hpp"
#include "memory_unit.hpp"
#include "shared_unit.hpp"
#include "special_registers.hpp"
#include "system_calls.hpp"
#include "warp.hpp"

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
          services_{services},
          sm_{sm},
          memory_{memory, config.parameters, k.static_shared_bytes + config.dynamic_shared_bytes},
          unit_{memory_, sm},
          shared_{memory_, sm} {
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
        barriers_ = {};
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
                barriers_.settle_all(warps_);
            }
        }
        if (unfinished_ == 0) return sm_.cta_finished(), false;
        if (!progress)
            return stop(stuck(), launch_failure::deadlock, 0, "all warps wait at barriers that cannot complete");
        return true;
    }

    [[nodiscard]] std::optional<launch_error> const& error() const noexcept { return error_; }
    [[nodiscard]] std::uint64_t steps() const noexcept { return place_.time; }

private:
    bool run_warp(warp& w, std::uint64_t quantum) {
        for (; quantum != 0; --quantum) {
            w.reconverge();
            path& here = w.top();
            decoded const& op = w.frame().function->code[here.pc];
            sim::registers const r = w.registers_of(w.frame());
            lane_mask execute = here.mask;
            current_ = &op.info;
            if (op.guarded) {
                lane_mask const guard = r.read_predicate(op.guard);
                execute &= op.guard_negated ? ~guard : guard;
            }
            if (++place_.time > options_.step_budget)
                return stop(w, launch_failure::step_budget, 0,
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
            case action::call: return call(w, r, op, execute);
            case action::ret:
                ++here.pc;
                if (execute != 0) leave_function(w, execute);
                return true;
            case action::exit:
                ++here.pc;
                if (execute != 0) {
                    unit_.complete_copies(w, execute, ~std::uint32_t{0});
                    w.leave(execute);
                }
                return true;
            case action::barrier: return barrier(w, r, op, execute);
            default: break;
        }
        ++here.pc;
        if (execute == 0) return true;
        bool good = true;
        switch (op.action) {
            case action::load: good = unit_.load(w, r, op, execute); break;
            case action::store: good = unit_.store(w, r, op, execute); break;
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
            case action::barrier_arrive: return arrive(w, r, op, execute);
            case action::trap: return stop(w, launch_failure::trap, lowest(execute), "the kernel executed trap");
            default: break;
        }
        if (good) return true;
        execution_fault const& f = memory_.fault();
        return stop(w, f.kind, f.lane, f.detail, f.address, f.bytes);
    }

    static unsigned lowest(lane_mask mask) noexcept { return static_cast<unsigned>(std::countr_zero(mask)) & 31; }

    // An instruction for a whole warp needs the lanes it names; those that have exited are excused.
    bool members_present(warp& w, sim::registers const& r, decoded const& op, lane_mask execute) {
        auto const members = static_cast<lane_mask>(r.read_lane(op.e, lowest(execute), 4)) & w.live();
        if ((members & ~execute) == 0) return true;
        return stop(w, launch_failure::divergent_barrier, lowest(execute),
                    "lanes named by the member mask are elsewhere; independent thread scheduling is not modelled");
    }

    bool branch_indexed(warp& w, sim::registers const& r, decoded const& op, lane_mask execute) {
        auto const& table = w.frame().function->branch_tables[op.target];
        auto const index = r.read<std::uint32_t>(op.a);
        for (unsigned i = 0; i < warp_size; ++i)
            if ((execute >> i & 1) && index[i] >= table.size())
                return stop(w, launch_failure::invalid_instruction, i, "brx.idx beyond its table");
        path const here = w.top();
        sm_.branch(w.number(), op.info, here.mask, execute);
        if (execute == 0) return ++w.top().pc, true;
        w.split(op.reconvergence);
        lane_mask const others = here.mask & ~execute;
        if (others != 0) w.push({here.pc + 1, op.reconvergence, others});
        for (lane_mask left = execute; left != 0;) {
            std::uint32_t const target = table[index[lowest(left)]];
            lane_mask same = 0;
            for (unsigned i = 0; i < warp_size; ++i)
                if ((left >> i & 1) && table[index[i]] == target) same |= lane_mask{1} << i;
            w.push({target, op.reconvergence, same});
            left &= ~same;
        }
        return true;
    }

    bool call(warp& w, sim::registers const& r, decoded const& op, lane_mask execute) {
        sm_.branch(w.number(), op.info, w.top().mask, execute);
        ++w.top().pc;
        if (execute == 0) return true;
        call_site const& site = w.frame().function->calls[op.target];
        if (site.system != system_call::none) return system(w, site, execute);
        if (!site.indirect) return enter(w, site, site.callee, execute);
        auto const target = r.read<std::uint64_t>(op.a);
        std::size_t const caller = w.depth() - 1;
        for (lane_mask left = execute; left != 0;) { // a frame for each function that is called
            std::uint64_t const address = target[lowest(left)];
            lane_mask same = 0;
            for (unsigned i = 0; i < warp_size; ++i)
                if ((left >> i & 1) && target[i] == address) same |= lane_mask{1} << i;
            std::uint64_t const number = (address - address_map::code_base) / 16;
            bool const known = address >= address_map::code_base && number < kernel_.by_module_index.size() &&
                               kernel_.by_module_index[number] != decoded::nowhere;
            if (!known)
                return stop(w, launch_failure::invalid_instruction, lowest(left), "a call to what is no function");
            if (!enter(w, site, kernel_.by_module_index[number], same, caller)) return false;
            left &= ~same;
        }
        return true;
    }

    bool enter(warp& w, call_site const& site, std::uint32_t callee, lane_mask lanes) {
        return enter(w, site, callee, lanes, w.depth() - 1);
    }
    bool enter(warp& w, call_site const& site, std::uint32_t callee, lane_mask lanes, std::size_t caller) {
        function_code const& f = kernel_.functions[callee];
        constexpr std::size_t deepest = 4096; // frames without local memory must end, too
        if (w.local_bytes() + f.local_bytes > options_.stack_bytes || w.depth() > deepest)
            return stop(w, launch_failure::stack_overflow, lowest(lanes), "the call stack is too deep");
        if (site.inputs.size() != f.inputs.size())
            return stop(w, launch_failure::invalid_instruction, lowest(lanes),
                        "the called function has other parameters");
        w.enter(f, &site, caller, lanes);
        for (std::size_t i = 0; i < f.inputs.size(); ++i)
            transfer(w, w.frame(caller), site.inputs[i], w.frame(), f.inputs[i], lanes);
        return true;
    }

    void leave_function(warp& w, lane_mask lanes) {
        call_frame const& from = w.frame();
        for (std::size_t i = 0; i < from.site->outputs.size() && i < from.function->outputs.size(); ++i)
            transfer(w, from, from.function->outputs[i], w.frame(from.caller), from.site->outputs[i], lanes);
        w.leave_frame(lanes);
    }

    bool system(warp& w, call_site const& site, lane_mask execute) {
        for (unsigned lane = 0; lane < warp_size; ++lane) {
            if (!(execute >> lane & 1)) continue;
            std::uint64_t arguments[5]{};
            for (std::size_t i = 0; i < site.inputs.size() && i < 5; ++i) {
                call_value const& v = site.inputs[i];
                std::uint32_t const bytes = v.bytes < 8 ? v.bytes : 8;
                std::byte const* const from =
                    v.in_memory ? w.local(lane, w.frame().local + v.offset)
                                : w.registers_of(w.frame()).read_bytes(v.slot) + std::size_t{lane} * v.bytes;
                std::memcpy(&arguments[i], from, bytes);
            }
            std::uint64_t answer = 0;
            if (site.system == system_call::print) {
                answer = services_.print(memory_, w, lane, arguments[0], arguments[1]);
            } else if (site.system == system_call::fail_assertion) {
                assertion_ = services_.assertion(memory_, w, lane, arguments);
                return stop(w, launch_failure::assertion, lane, assertion_.c_str());
            } else {
                return stop(w, launch_failure::unsupported, lane, "malloc and free in device code are not supported");
            }
            if (site.outputs.empty()) continue;
            call_value const& v = site.outputs[0];
            if (v.in_memory) std::memcpy(w.local(lane, w.frame().local + v.offset), &answer, v.bytes < 8 ? v.bytes : 8);
            else w.registers_of(w.frame()).write_lane(v.slot, lane, v.bytes, answer);
        }
        return true;
    }

    // A barrier is executed twice: once to arrive, and again when it has opened.
    bool barrier(warp& w, sim::registers const& r, decoded const& op, lane_mask execute) {
        if (w.released) {
            w.released = false;
            if (op.mode == 1) {
                lanes<std::uint32_t> d;
                d.fill(w.reduction);
                r.write(op.d, d, execute);
            } else if (op.mode != 0) {
                r.write_predicate(op.d, w.reduction != 0 ? all_lanes : 0, execute);
            }
            ++w.top().pc;
            return true;
        }
        if (execute == 0) return ++w.top().pc, true;
        if (execute != w.live())
            return stop(w, launch_failure::divergent_barrier, lowest(execute), "not all threads of the warp are here");
        w.waiting_at = static_cast<std::uint32_t>(r.read_lane(op.a, lowest(execute), 4));
        return arrive_at(w, r, op, execute);
    }
    bool arrive(warp& w, sim::registers const& r, decoded const& op, lane_mask execute) {
        if (execute != w.live())
            return stop(w, launch_failure::divergent_barrier, lowest(execute), "not all threads of the warp are here");
        return arrive_at(w, r, op, execute);
    }
    bool arrive_at(warp& w, sim::registers const& r, decoded const& op, lane_mask execute) {
        auto const number = static_cast<std::uint32_t>(r.read_lane(op.a, lowest(execute), 4));
        auto const threads = static_cast<std::uint32_t>(r.read_lane(op.b, lowest(execute), 4));
        if (number >= barrier_set::count || threads > 1024) {
            w.waiting_at = warp::no_barrier;
            return stop(w, launch_failure::invalid_instruction, lowest(execute), "no such barrier");
        }
        lane_mask said = 0;
        if (op.mode != 0) said = op.negated ? ~r.read_predicate(op.c) : r.read_predicate(op.c);
        barriers_.arrive({number, threads, op.mode, said, execute}, warps_);
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

    // Always false.
    GPUPROF_COLD bool stop(warp& w, launch_failure kind, unsigned lane, std::string detail, std::uint64_t address = 0,
                           unsigned bytes = 0) {
        launch_error why;
        why.kind = kind;
        why.kernel = kernel_.name;
        why.cta = place_.cta;
        why.thread = place(std::uint64_t{w.number()} * warp_size + lane, place_.block);
        why.address = address;
        why.detail = std::move(detail);
        if (bytes != 0) {
            char text[64];
            std::snprintf(text, sizeof text, "%u bytes at 0x%llx, ", bytes, static_cast<unsigned long long>(address));
            why.detail = text + why.detail;
        }
        if (current_ != nullptr) {
            why.ptx_line = current_->line;
            why.source_line = current_->source.line;
            why.source_file = kernel_.file_name(current_->source.file);
        }
        error_ = std::move(why);
        return false;
    }

    kernel const& kernel_;
    execution_options const& options_;
    system_services& services_;
    Sm& sm_;
    cta_memory memory_;
    memory_unit<Sm> unit_;
    shared_unit<Sm> shared_;
    warp_place place_;
    std::vector<warp> warps_;
    std::size_t unfinished_ = 0;
    barrier_set barriers_;
    instruction_info const* current_ = nullptr;
    std::string assertion_;
    std::optional<launch_error> error_;
};

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_SIM_CTA_EXECUTOR_HPP
