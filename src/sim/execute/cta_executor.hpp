// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs one CTA: its warps take turns, each instruction for all lanes at once.
#ifndef GPUPROF_SRC_SIM_EXECUTE_CTA_EXECUTOR_HPP
#define GPUPROF_SRC_SIM_EXECUTE_CTA_EXECUTOR_HPP

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "barrier_unit.hpp"
#include "bulk_copy_unit.hpp"
#include "../check/no_check.hpp"
#include "call_unit.hpp"
#include "cluster.hpp"
#include "collective_unit.hpp"
#include "cta_memory.hpp"
#include "fragment_unit.hpp"
#include "current_sm.hpp"
#include "deferred_sums.hpp"
#include "../code/kernel.hpp"
#include "../code/launch.hpp"
#include "memory_unit.hpp"
#include "order_dependence.hpp"
#include "poll_watch.hpp"
#include "shared_unit.hpp"
#include "speech_map.hpp"
#include "tensor_copy_unit.hpp"
#include "texture_unit.hpp"
#include "../code/special_registers.hpp"
#include "../code/stop_report.hpp"
#include "turn_order.hpp"
#include "../code/warp.hpp"
#include "warpgroup_unit.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// Shared memory that the system keeps for libraries in each block: cooperative groups of several
// warps meet there, and may count on 288 bytes of it. On hardware it lies before the block's own
// memory, here behind it, where only kernels that ask for it find it.
inline constexpr std::uint32_t reserved_shared_bytes = 1024;
[[nodiscard]] inline std::uint32_t reserved_shared_offset(kernel const& k, launch_config const& config) noexcept {
    return (k.static_shared_bytes + config.dynamic_shared_bytes + 127) / 128 * 128;
}
[[nodiscard]] inline std::uint32_t shared_bytes(kernel const& k, launch_config const& config) noexcept {
    return k.uses_reserved_shared ? reserved_shared_offset(k, config) + reserved_shared_bytes
                                  : k.static_shared_bytes + config.dynamic_shared_bytes;
}

template <sm_observer Sm>
class cta_executor {
public:
    // @pre all arguments taken by reference outlive the executor; the configuration was checked.
    // @param steps_since_end steps since a warp ended, or the launch began: of all executors that
    // take turns
    cta_executor(kernel const& k, launch_config const& config, device_memory& memory, execution_options const& options,
                 system_services& services, std::atomic<std::uint64_t>& steps_since_end)
        : kernel_{k},
          options_{options},
          cooperative_{config.cooperative},
          steps_since_end_{&steps_since_end},
          memory_{memory, config.parameters, shared_bytes(k, config)},
          check_{k, config, shared_bytes(k, config)},
          unit_{memory_, sm_, check_},
          shared_{memory_, sm_, check_},
          bulk_copies_{memory_, sm_, check_},
          tensor_copies_{memory_, sm_, bulk_copies_},
          fragments_{memory_, sm_, check_},
          textures_{memory_, sm_},
          stop_{k, place_},
          collectives_{stop_, check_},
          calls_{k, options, services, memory_, config, place_, stop_},
          barriers_{warps_, stop_},
          warpgroups_{warps_, memory_, stop_, check_} {
        place_.grid = config.grid;
        place_.block = config.block;
        place_.cluster = config.ctas_of_cluster();
        place_.explicit_cluster = config.cluster.x != 0;
        place_.sm_count = options.sm_count;
        place_.begin = options.begin;
        place_.static_shared = k.static_shared_bytes;
        place_.dynamic_shared = config.dynamic_shared_bytes;
        place_.reserved_shared = reserved_shared_offset(k, config);
        place_.grid_workspace = config.grid_workspace;
        place_.graph = config.graph;
    }

    // @param alarm called once, when the CTA has taken so many steps
    void call_after(std::uint64_t steps, std::function<void()> alarm) {
        alarm_at_ = steps;
        alarm_ = std::move(alarm);
    }
    // From now on other threads execute CTAs, too. @pre `turn` is that of the thread that calls
    // run()
    // @param sums see order_of_sums(); if deferred, finish_sums() ends each CTA
    // @param speech of the kernel, if the turn is that of this CTA alone and no sums are deferred; else null
    void take_turns(turn_holder* turn, sum_order sums, speech_map const* speech) noexcept {
        turn_ = turn;
        sum_order_ = sums;
        speech_ = speech;
    }
    // The same, where it may have said its last before there were others to listen. @pre it has begun
    void take_turns_midway(turn_holder* turn, sum_order sums, speech_map const* speech) noexcept {
        take_turns(turn, sums, speech);
        if (speech_ != nullptr) fall_silent_at_last();
    }
    // From now on it takes turns with others. @param steps_since_end as above
    void count_steps_in(std::atomic<std::uint64_t>& steps_since_end) noexcept { steps_since_end_ = &steps_since_end; }
    // Waits for the CTAs before if there are sums to add. False: the launch is being stopped.
    [[nodiscard]] bool finish_sums() { return sums_.empty() || await_silence(); }

    using cluster_type = cluster_link<typename check_of<Sm>::type>;
    // It is the next of a cluster, by rank. @param cluster outlives it, and has all its CTAs before one of them runs
    void join(cluster_type& cluster) {
        cluster.add(warps_, memory_, check_);
        memory_.join(cluster.memories());
        check_.join(cluster.checks());
        cluster_ = &cluster;
    }

    // @param number of the CTA in the grid
    // @param on the number of the SM
    void start(std::uint64_t number, unsigned on, Sm& sm) {
        sm_.is = &sm;
        place_.cta = place(number, place_.grid);
        place_.sm = on;
        place_.time = 0;
        extra_steps_ = 0;
        sums_.drop();
        timed_out_.reset();
        memory_.reset();
        barriers_.reset();
        if (own_cluster_) own_cluster_->reset();
        auto const threads = static_cast<unsigned>(place_.block.count());
        std::size_t const count = (threads + warp_size - 1) / warp_size;
        warps_.reserve(count);
        std::size_t const frames = warps_.size() < count ? frame_bytes(kernel_) : 0;
        sm_.cta_launched(place_.cta, threads);
        check_.begin(sm, number, (threads + warp_size - 1) / warp_size);
        for (unsigned first = 0, w = 0; first < threads; first += warp_size, ++w) {
            unsigned const lanes = threads - first < warp_size ? threads - first : warp_size;
            lane_mask const present = all_lanes >> (warp_size - lanes);
            if (w < warps_.size()) warps_[w].restart(present, *kernel_.functions.front());
            else warps_.emplace_back(w, present, *kernel_.functions.front(), frames);
            sm_.warp_launched(w, present);
            check_.entered(warps_[w], nullptr, 0);
        }
        unfinished_ = warps_.size();
        polls_.assign(count, {});
        idle_rounds_ = 0;
    }

    // Lets every warp take up to `quantum` steps. True while there is more to do and nothing has
    // failed.
    [[nodiscard]] bool run(std::uint64_t quantum) {
        bool progress = false;
        bool idle = true;
        bool has_loop = false; // with a barrier
        asks_others_ = false;
        for (auto& w : warps_) {
            if (w.finished() || w.waiting_at != warp::no_barrier) continue;
            progress = true;
            place_.warp = w.number();
            std::uint64_t since_end = steps_since_end_->load(std::memory_order_relaxed);
            if (since_end >= options_.step_budget) {
                if (!may_go_on(w)) return false;
                since_end = 0;
            }
            std::uint64_t const before = place_.time + extra_steps_;
            poll_watch& polls = polls_[w.number()];
            polls.begin_turn(place_.time);
            if (!run_warp(w, (std::min)(quantum, options_.step_budget - since_end))) return false;
            if (w.finished()) {
                steps_since_end_->store(0, std::memory_order_relaxed);
                --unfinished_;
                barriers_.settle_all();
                warpgroups_.settle(w);
                if (cluster_ != nullptr) cluster_->settle();
            } else {
                steps_since_end_->fetch_add(place_.time + extra_steps_ - before, std::memory_order_relaxed);
            }
            if (place_.time + extra_steps_ >= alarm_at_) ring();
            idle &= polls.is_stuck();
            has_loop |= polls.is_stuck_with_others();
            asks_others_ |= polls.asks_all();
        }
        idle_rounds_ = idle || has_loop ? idle_rounds_ + 1 : 0;
        if (unfinished_ == 0) {
            sm_.cta_finished();
            memory_.end();
            return false;
        }
        bool const has_others = cluster_ != nullptr && !cluster_->has_one_cta();
        if (has_others && (progress || waits_for_cluster()) && cluster_->note_turn(progress)) return true;
        if (!progress)
            return stop_.stop(stuck(), launch_failure::deadlock, 0, "all warps wait at barriers that cannot complete");
        return true;
    }

    [[nodiscard]] std::optional<launch_error> const& error() const noexcept { return stop_.error(); }
    [[nodiscard]] std::uint64_t steps() const noexcept { return place_.time; }
    [[nodiscard]] bool has_finished() const noexcept { return unfinished_ == 0; }
    // Whether its warps all wait, at barriers or in loops that ask in vain: of two rounds, as the last one to ask in the
    // first may have let another one go on.
    [[nodiscard]] bool is_idle() const noexcept { return idle_rounds_ > 1; }
    // Whether some of these ask what a CTA that is not of its cluster may answer.
    [[nodiscard]] bool asks_others() const noexcept { return asks_others_; }
    // Nobody else can answer a warp: lanes of it that wait where those that ask will come go on. False: there are none.
    GPUPROF_COLD bool let_lanes_go_on() {
        for (warp& w : warps_) {
            if (w.finished() || w.waiting_at != warp::no_barrier || !polls_[w.number()].is_stuck()) continue;
            w.reconverge();
            if (w.let_others_go_on()) return true;
        }
        return false;
    }
    [[nodiscard]] std::uint64_t weighted_steps() const noexcept { return place_.time + extra_steps_; }
    // Stops the CTA because the launch has used up its steps. @param beside what else is to be told
    bool exhaust(std::string const& beside = {}) { return exhausted(stuck(), beside); }

private:
    using check_type = typename check_of<Sm>::type;

    // Of the kernel and, where it calls functions, two of the largest.
    static std::size_t frame_bytes(kernel const& k) noexcept {
        std::size_t largest = 0;
        for (std::size_t i = 1; i < k.functions.size(); ++i)
            largest = std::max<std::size_t>(largest, k.functions[i]->frame_bytes);
        constexpr std::size_t unit = 64;
        return (k.functions.front()->frame_bytes + unit) + 2 * (largest + (largest != 0 ? unit : 0));
    }

    // All steps are used up. A CTA that waited for one before it did so in vain only if it still
    // waits when that one has ended, as it would have had to with one host thread. What is reported
    // is what would have been then.
    GPUPROF_COLD bool may_go_on(warp& w) {
        if (turn_ == nullptr || cooperative_ || timed_out_ || turn_->is_first()) {
            exhausted(w);
            if (timed_out_) stop_.replace(*timed_out_);
            return false;
        }
        exhausted(w);
        timed_out_ = stop_.error();
        stop_.forget();
        if (!turn_->await()) return false;
        steps_since_end_->store(0, std::memory_order_relaxed);
        return true;
    }
    GPUPROF_COLD void ring() {
        alarm_at_ = ~std::uint64_t{0};
        alarm_();
    }

    // Whether this is the moment for an instruction by which CTAs speak to each other: when those
    // before have ended or do so no more. False: the launch is being stopped.
    bool await_turn(warp const& w, sim::registers const& r, decoded const& op, lane_mask execute) {
        bool const defers = sum_order_ == sum_order::deferred && is_reduction(op);
        unit_.defer_to(nullptr);
        if (!defers && !sums_.empty() && may_reach_sums(w, r, op, execute)) return await_silence();
        if (!speaks_to_ctas(op) || (sum_order_ == sum_order::any && is_reduction(op))) return true;
        if (op.memory.space == ptx::space::generic) {
            bool to_all = false;
            auto address = lane_addresses(w, r, op);
            for (unsigned i = 0; i < warp_size; ++i)
                if (execute >> i & 1) to_all |= cta_memory::classify(address[i]) == ptx::space::global;
            if (!to_all) return true;
        }
        if (!defers || sums_.full() || turn_->is_first()) return await_silence();
        unit_.defer_to(&sums_);
        return true;
    }
    bool await_silence() {
        if (!turn_->await_silence()) return false;
        sums_.apply();
        return true;
    }
    // Lets the CTAs after this one speak if none of its warps can come to where it would.
    void fall_silent_at_last() noexcept {
        auto const is_silent = [this](warp const& w) {
            return w.all_at([this](std::uint32_t pc) { return !speech_->may_speak(pc); });
        };
        if (std::all_of(warps_.begin(), warps_.end(), is_silent)) turn_->fall_silent();
    }
    bool may_reach_sums(warp const& w, sim::registers const& r, decoded const& op, lane_mask execute) const noexcept {
        if (op.action < action::load) return false;
        if (op.action > action::copy_async || op.memory.fragment != fragment::none) return true;
        if (op.memory.space != ptx::space::global && op.memory.space != ptx::space::generic) return false;
        return sums_.overlap(lane_addresses(w, r, op), execute, ptx::size_of(op.memory.element) * op.memory.count);
    }

    bool exhausted(warp& w, std::string const& beside = {}) {
        return stop_.stop(
            w, launch_failure::step_budget, 0,
            "no warp ended within " + std::to_string(options_.step_budget) +
                " steps of the launch: the kernel does not end, or it waits for what cannot come before it ends "
                "(blocks that the GPU has no room for, the host), or it needs a larger GPUPROF_SIM_STEPS" +
                beside);
    }

    bool run_warp(warp& w, std::uint64_t quantum) {
        for (; quantum != 0; --quantum) {
            w.reconverge();
            path& here = w.top();
            decoded const& op = w.frame().function->code[here.pc];
            sim::registers const r = w.registers_of(w.frame());
            lane_mask execute = here.mask, counted = here.mask;
            stop_.at(op.info);
            if (op.guarded) {
                lane_mask const guard = r.read_predicate(op.guard);
                counted &= op.guard_negated ? ~guard : guard;
                if (!op.guard_only_counts) execute = counted;
            }
            ++place_.time;
            if (!w.released) sm_.instruction(w.number(), op.info, here.mask, counted);
            check_.step(w, r, op, here.mask, execute);
            if (op.action == action::compute) {
                if (execute != 0) {
                    if (op.collective != collective::none) { // they may have to wait: the path moves on by itself
                        if (!collectives_.compute(w, r, op, execute)) return false;
                        continue;
                    }
                    op.compute(r, op, execute);
                }
                ++here.pc;
                continue;
            }
            if (!(op.action < action::fence ? transfer(w, r, op, execute) : perform(w, r, op, execute))) return false;
            if (w.finished() || w.waiting_at != warp::no_barrier) return true;
            if (hands_over_) {
                hands_over_ = false;
                return true;
            }
        }
        return true;
    }

    // Executes an instruction that decides where the lanes go on, or whether they wait.
    bool transfer(warp& w, sim::registers const& r, decoded const& op, lane_mask execute) {
        path& here = w.top();
        switch (op.action) {
            case action::branch:
                sm_.branch(w.number(), op.info, here.mask, execute);
                w.diverge(execute, op);
                return true;
            case action::branch_indexed: return branch_indexed(w, r, op, execute);
            case action::find_slow_lanes: // the first predicate has all
                op.compute(r, op, execute);
                here.pc += (r.read_predicate(op.d) & execute) != 0 ? 1 : 1 + op.immediate;
                return true;
            case action::call:
                sm_.branch(w.number(), op.info, here.mask, execute);
                ++here.pc;
                if (execute == 0) return true;
                if (turn_ != nullptr && w.frame().function->calls[op.target].system != system_call::none)
                    if (!finish_sums() || !turn_->await()) return false; // what is printed, and allocated, has an order
                return call(w, r, op, execute);
            case action::ret:
                ++here.pc;
                if (execute != 0) {
                    calls_.leave(w, execute);
                    check_.left(w);
                }
                return true;
            case action::exit:
                ++here.pc;
                if (execute != 0) {
                    unit_.complete_copies(w, op, execute, ~std::uint32_t{0});
                    check_.exited(w, op, execute);
                    w.leave(execute);
                }
                return true;
            case action::barrier: return wait(w, r, op, execute);
            case action::cluster_arrive:
                ++here.pc;
                if (execute == 0) return true;
                cluster().arrive(w, execute);
                check_.arrive_in_cluster(w);
                cluster().settle();
                return true;
            case action::cluster_wait: return wait_for_cluster(w, execute);
            case action::await_products:
                if (execute != 0 && !collectives_.are_present(w, r, op, execute)) return false;
                return warpgroups_.wait(w, op, execute);
            case action::barrier_arrive:
                if (execute == 0) {
                    ++here.pc;
                    return true;
                }
                return arrive(w, r, op, execute);
            case action::trap:
                ++here.pc;
                if (execute == 0) return true;
                return stop_.stop(w, launch_failure::trap, lowest_lane(execute), "the kernel executed trap");
            default: ++here.pc; return true;
        }
    }

    // An instruction by which threads speak to each other was executed: a warp that asks in vain ends its turn.
    void watch(warp& w, sim::registers const& r, decoded const& op, lane_mask execute) {
        if (op.action == action::mbarrier) return; // seen already
        poll_watch& polls = polls_[w.number()];
        bool const answers = op.action == action::load || (op.action == action::atomic && !op.memory.discards);
        if (!answers) return polls.moved();
        hands_over_ =
            polls.asks(w.top().pc, place_.time, warps_.size(), speaks_to_ctas(op) && !op.memory.order.in_cta_only,
                       [&] { return answer_of(w, r, op, execute); });
    }
    // A number that is another one when addresses or values are.
    [[nodiscard]] static std::uint64_t answer_of(warp const& w, sim::registers const& r, decoded const& op,
                                                 lane_mask execute) {
        std::uint64_t number = execute;
        auto const mix = [&](std::uint64_t value) { number = (number ^ value) * 0x9e37'79b9'7f4a'7c15; };
        auto const address = lane_addresses(w, r, op);
        for (unsigned i = 0; i < warp_size; ++i) {
            if (!(execute >> i & 1)) continue;
            mix(address[i]);
            for (unsigned e = 0; e < op.memory.count; ++e) {
                if (op.slots[e].sink) continue;
                std::byte const* const from = r.read_bytes(op.slots[e].ref) + std::size_t{i} * op.slots[e].bytes;
                for (unsigned at = 0; at < op.slots[e].bytes; at += 8) {
                    std::uint64_t part = 0;
                    std::memcpy(&part, from + at, (std::min)(op.slots[e].bytes - at, 8u));
                    mix(part);
                }
            }
        }
        return number;
    }

    // Executes an instruction that is more than a function of registers.
    bool perform(warp& w, sim::registers const& r, decoded const& op, lane_mask execute) {
        ++w.top().pc;
        if (execute == 0) return true;
        if (op.action >= action::load) extra_steps_ += memory_steps - 1;
        if (turn_ != nullptr && (op.memory.ordered || !sums_.empty()) && !await_turn(w, r, op, execute)) return false;
        bool good = true;
        switch (op.action) {
            case action::load:
            case action::store:
                if (op.memory.fragment != fragment::none) {
                    if (!collectives_.are_present(w, r, op, execute)) return false;
                    good = fragments_.move(w, r, op, execute);
                } else {
                    good = op.action == action::load ? unit_.load(w, r, op, execute) : unit_.store(w, r, op, execute);
                }
                if (op.action == action::store && polls_[w.number()].is_asking() &&
                    op.memory.space != ptx::space::local && op.memory.space != ptx::space::param)
                    polls_[w.number()].moved();
                break;
            case action::atomic: good = unit_.atomic(w, r, op, execute); break;
            case action::copy_async: good = unit_.copy_async(w, r, op, execute); break;
            case action::copy_async_commit: unit_.commit_copies(w, execute); break;
            case action::copy_async_wait: unit_.complete_copies(w, op, execute, op.immediate); break;
            case action::bulk_commit: check_.bulk_commit(w, execute); break;
            case action::bulk_wait: check_.bulk_wait(w, op, execute); break;
            case action::store_async:
                good = (op.memory.operation == atomic_operation::none ? unit_.store(w, r, op, execute)
                                                                      : unit_.atomic(w, r, op, execute)) &&
                       bulk_copies_.complete_stores(w, r, op, execute);
                break;
            case action::copy_tensor: good = tensor_copies_.copy(w, r, op, execute); break;
            case action::replace_in_tensor_map: good = tensor_copies_.replace(w, r, op, execute); break;
            case action::copy_tensor_map: good = tensor_copies_.publish(w, r, op, execute); break;
            case action::copy_bulk: good = bulk_copies_.copy(w, r, op, execute); break;
            case action::mbarrier:
                if (waits_for_copies(static_cast<mbarrier_operation>(op.mode)))
                    unit_.complete_copies(w, op, execute, ~std::uint32_t{0});
                good = shared_.synchronize(w, r, op, execute);
                hands_over_ = shared_.waits();
                if (hands_over_) polls_[w.number()].waits();
                else polls_[w.number()].moved();
                break;
            case action::load_matrix:
            case action::store_matrix:
                if (!collectives_.are_present(w, r, op, execute)) return false;
                good = shared_.move_matrices(w, r, op, execute, op.action == action::load_matrix);
                break;
            case action::fence:
                fence_memory();
                check_.fence(w, op, execute);
                break;
            case action::multiply_async:
                if (!collectives_.are_present(w, r, op, execute)) return false;
                good = warpgroups_.multiply(w, r, op, execute);
                break;
            case action::commit_products:
                if (!collectives_.are_present(w, r, op, execute)) return false;
                warpgroups_.commit(w);
                break;
            case action::texture: good = textures_.execute(w, r, op, execute); break;
            case action::special_register: read_special(r, op, place_, execute); break;
            case action::local_address: read_local_address(w, r, op, execute); break;
            case action::cluster_address: answer(r, op, place_, execute); break;
            default: break;
        }
        if (good) {
            if (op.memory.ordered) {
                watch(w, r, op, execute);
                if (speech_ != nullptr) fall_silent_at_last();
            }
            return true;
        }
        execution_fault const& f = memory_.fault();
        return stop_.stop(w, f.kind, f.lane, f.detail, f.address, f.bytes);
    }

    bool call(warp& w, sim::registers const& r, decoded const& op, lane_mask execute) {
        if constexpr (!check_type::listens) return calls_.call(w, r, op, execute);
        std::size_t const depth = w.depth();
        call_site const& site = w.frame().function->calls[op.target];
        if (!calls_.call(w, r, op, execute)) return false;
        if (site.system != system_call::none) {
            check_.answered(w, site, execute);
            for (auto const& written : calls_.writes())
                check_.wrote(w, written.space, written.lane, written.address, written.bytes);
        }
        for (std::size_t i = depth; i < w.depth(); ++i) check_.entered(w, &site, i);
        return true;
    }
    bool wait(warp& w, sim::registers const& r, decoded const& op, lane_mask execute) {
        if constexpr (!check_type::listens) return barriers_.wait(w, r, op, execute);
        bool const passes = w.released;
        auto const number = static_cast<std::uint32_t>(r.read_lane(op.a, lowest_lane(execute), 4));
        std::uint32_t const openings = barriers_.openings(number);
        if (passes) check_.pass(w, number);
        if (!barriers_.wait(w, r, op, execute)) return false;
        if (!passes && (w.released || w.waiting_at != warp::no_barrier)) check_.arrive(w, op, number, openings);
        return true;
    }
    bool arrive(warp& w, sim::registers const& r, decoded const& op, lane_mask execute) {
        if constexpr (check_type::listens)
            if (barriers_.is_complete(w, execute)) {
                auto const number = static_cast<std::uint32_t>(r.read_lane(op.a, lowest_lane(execute), 4));
                check_.arrive(w, op, number, barriers_.openings(number));
            }
        return barriers_.arrive(w, r, op, execute);
    }

    [[nodiscard]] cluster_type& cluster() {
        if (cluster_ == nullptr) {
            own_cluster_ = std::make_unique<cluster_type>();
            join(*own_cluster_);
        }
        return *cluster_;
    }
    [[nodiscard]] bool waits_for_cluster() const noexcept {
        return std::any_of(warps_.begin(), warps_.end(),
                           [](warp const& w) { return w.waiting_at == warp::cluster_barrier; });
    }
    // Executed twice, as a barrier of the CTA is. Lanes that have not arrived do not wait.
    bool wait_for_cluster(warp& w, lane_mask execute) {
        if (!w.released && (execute & w.arrived_in_cluster) != 0) {
            if (!barrier_unit::is_complete(w, execute)) return barriers_.await_others(w, execute);
            w.waiting_at = warp::cluster_barrier;
            cluster().settle(); // others of the warp may have exited since these arrived
            return true;
        }
        w.released = false;
        if (execute != 0) check_.pass_in_cluster(w);
        ++w.top().pc;
        return true;
    }

    bool branch_indexed(warp& w, sim::registers const& r, decoded const& op, lane_mask execute) {
        auto const& table = w.frame().function->branch_tables[op.target];
        auto const index = r.read<std::uint32_t>(op.a);
        for (unsigned i = 0; i < warp_size; ++i)
            if ((execute >> i & 1) && index[i] >= table.size())
                return stop_.stop(w, launch_failure::invalid_instruction, i, "brx.idx beyond its table");
        path const here = w.top();
        sm_.branch(w.number(), op.info, here.mask, execute);
        if (execute == 0) {
            ++w.top().pc;
            return true;
        }
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

    // mapa, getctarank
    static void answer(sim::registers const& r, decoded const& op, warp_place const& at, lane_mask execute) noexcept {
        bool const asks_rank = static_cast<cluster_question>(op.mode) == cluster_question::rank;
        for (unsigned i = 0; i < warp_size; ++i) {
            if (!(execute >> i & 1)) continue;
            std::uint64_t const a = r.read_lane(op.a, i, op.immediate);
            auto const code = static_cast<std::uint32_t>(a) >> address_map::rank_shift;
            if (asks_rank) {
                r.write_lane(op.d, i, 4, code == 0 ? at.rank() : code - 1);
                continue;
            }
            std::uint64_t const rank = r.read_lane(op.b, i, 4);
            std::uint64_t const own = a & ~(address_map::window_bytes & ~address_map::own_offset);
            r.write_lane(op.d, i, op.immediate,
                         rank == at.rank() ? own : own | ((rank + 1) << address_map::rank_shift & 0xffff'ffff));
        }
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
    bool cooperative_;
    std::atomic<std::uint64_t>* steps_since_end_;
    current_sm<Sm> sm_;
    static constexpr std::uint64_t memory_steps = 8; // of an instruction that accesses memory
    std::uint64_t extra_steps_ = 0;                  // that such instructions count beyond one
    warp_place place_;
    std::vector<warp> warps_;
    std::size_t unfinished_ = 0;    // of them
    std::vector<poll_watch> polls_; // of them, too
    unsigned idle_rounds_ = 0;      // one after the other
    bool asks_others_ = false;
    cta_memory memory_;
    check_type check_;
    memory_unit<current_sm<Sm>> unit_;
    shared_unit<current_sm<Sm>> shared_;
    bulk_copy_unit<current_sm<Sm>> bulk_copies_;
    tensor_copy_unit<current_sm<Sm>> tensor_copies_;
    fragment_unit<current_sm<Sm>> fragments_;
    texture_unit<current_sm<Sm>> textures_;
    stop_report stop_;
    bool hands_over_ = false;     // the warp's turn ends
    turn_holder* turn_ = nullptr; // null: there is no other thread
    sum_order sum_order_ = sum_order::in_turn;
    speech_map const* speech_ = nullptr;
    deferred_sums sums_;
    std::optional<launch_error> timed_out_; // reported if the CTA makes no progress
    std::uint64_t alarm_at_ = ~std::uint64_t{0};
    std::function<void()> alarm_;
    collective_unit<check_type> collectives_;
    call_unit calls_;
    barrier_unit barriers_;
    warpgroup_unit<check_type> warpgroups_;
    cluster_type* cluster_ = nullptr;
    std::unique_ptr<cluster_type> own_cluster_; // of a CTA that is one
};

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_EXECUTE_CTA_EXECUTOR_HPP
