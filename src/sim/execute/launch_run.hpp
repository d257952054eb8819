// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs a launch: distributes its CTAs over host threads.
#ifndef GPUPROF_SRC_SIM_EXECUTE_LAUNCH_RUN_HPP
#define GPUPROF_SRC_SIM_EXECUTE_LAUNCH_RUN_HPP

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "cta_executor.hpp"
#include "order_dependence.hpp"
#include "speech_map.hpp"
#include "turn_order.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// The calling thread begins alone: most launches are over before another thread would have started.
// When a launch turns out to be long, helpers take turns with it. They end with the launch.
//
// A turn is a CTA, from beginning to end, or a cluster of them, which run side by side. Those that ask
// memory in vain for what others have not written yet are put aside, and go on when no other can
// begin. CTAs of a cooperative launch are all resident, and a turn is what one of them does before
// the next one gets its turn, round after round. See turn_order for what makes the outcome that of
// one thread.
template <observer Observer>
class launch_run {
public:
    // @pre all arguments taken by reference outlive the object; the configuration was checked
    launch_run(kernel const& k, launch_config const& config, device_memory& memory, execution_options const& options,
               Observer& all, std::vector<std::optional<typename Observer::sm>>& sms, unsigned threads)
        : kernel_{k},
          config_{config},
          memory_{memory},
          options_{options},
          all_{all},
          sms_{sms},
          ctas_{config.grid.count()},
          cluster_size_{config.ctas_of_cluster().count()},
          services_{options.print},
          order_{threads, static_cast<unsigned>(sms.size())},
          left_{ctas_} {
        for (unsigned i = 0; i < threads; ++i) workers_.emplace_back(order_, i);
    }

    [[nodiscard]] launch_result operator()() {
        work(workers_.front());
        for (std::thread& helper : helpers_) helper.join();
        launch_result done;
        worker* first = nullptr;
        for (worker& w : workers_) {
            done.warp_instructions += w.steps;
            if (w.error && (first == nullptr || w.failed_in < first->failed_in)) first = &w;
        }
        if (first != nullptr) done.error = std::move(first->error);
        if (done.error && done.error->kind == launch_failure::step_budget && config_.cooperative) blame_first(done);
        if (out_of_memory_) {
            done.error.emplace();
            done.error->kind = launch_failure::out_of_memory;
            done.error->kernel = kernel_.name;
        }
        return done;
    }

private:
    using executor = cta_executor<typename Observer::sm>;
    using link = typename executor::cluster_type;
    static constexpr std::uint64_t warp_quantum = 256; // instructions before another warp gets its turn

    // CTAs that run side by side from beginning to end: one, or a cluster.
    struct group {
        std::vector<std::unique_ptr<executor>> ctas; // by rank
        link together;
        std::uint64_t left = 0; // CTAs that have not ended
        bool moved = false;     // when it had its turn last
    };
    enum class group_state : std::uint8_t { ended, waits, stopped };

    struct alignas(64) worker {
        worker(turn_order& order, unsigned thread) noexcept : number{thread}, turn{order, thread} {}
        unsigned number;
        turn_holder turn;
        std::uint64_t steps = 0;
        std::atomic<std::uint64_t> steps_since_end{0};
        std::unique_ptr<group> own; // for one after the other
        std::optional<launch_error> error;
        std::uint64_t failed_in = 0; // this turn
    };

    // No exception leaves a thread.
    void work(worker& me) noexcept {
#if GPUPROF_EXCEPTIONS
        try {
            take_turns(me);
        } catch (std::exception const&) { // std::bad_alloc; nothing else is thrown there
            out_of_memory_ = true;
            order_.stop_after(0);
        }
#else
        take_turns(me);
#endif
        order_.leave(me.number);
    }

    void take_turns(worker& me) {
        if (!config_.cooperative) return run_groups(me);
        if (me.number == 0) make_resident();
        while (left_.load() != 0) {
            std::uint64_t const turn = order_.take(me.number);
            std::uint64_t const round = turn / ctas_;
            std::uint64_t const cta = turn % ctas_;
            std::uint64_t const sms = sms_.size();
            auto const sm = static_cast<unsigned>(cta % sms);
            std::uint64_t const here = (ctas_ - sm - 1) / sms + 1; // CTAs of the SM
            if (!order_.await_sm(me.number, sm, round * here + cta / sms)) return;
            me.turn.begin();
            if (!run_a_while(me, cta)) return stop(me, turn);
            order_.end_on(sm);
        }
    }
    void stop(worker& me, std::uint64_t turn) {
        if (me.error) order_.stop_after(me.failed_in = turn);
    }

    // CTAs of a group are on as many SMs as there are, one after the other: each has had all before them. The turn after
    // all of them is of those that wait.
    void run_groups(worker& me) {
        std::uint64_t const groups = ctas_ / cluster_size_;
        while (left_.load() != 0) {
            std::uint64_t const turn = order_.take(me.number);
            if (turn > groups) return;
            if (turn == groups) {
                me.turn.begin();
                if (me.turn.await() && !run_waiting(me, 0, ctas_)) stop(me, turn);
                return;
            }
            std::uint64_t const first = turn * cluster_size_;
            std::uint64_t const sms = sms_.size();
            for (std::uint64_t i = first; i < first + cluster_size_; ++i) {
                std::uint64_t const sm = i % sms;
                std::uint64_t const before = first > sm ? (first - sm - 1) / sms + 1 : 0;
                if (!order_.await_sm(me.number, static_cast<unsigned>(sm), before)) return;
            }
            me.turn.begin();
            if (!run_next(me, first)) return stop(me, turn);
            for (std::uint64_t i = first; i < first + cluster_size_; ++i) order_.end_on(static_cast<unsigned>(i % sms));
        }
    }

    // Functions give false when a CTA failed or is not to go on.
    bool run_next(worker& me, std::uint64_t first) {
        if (some_wait_.load() && !(me.turn.await() && run_waiting(me, groups_at_once() - 1, first))) return false;
        if (!me.own) me.own = std::make_unique<group>();
        group& own = *me.own;
        while (own.ctas.size() < cluster_size_) {
            own.ctas.push_back(make_executor(me.steps_since_end));
            if (cluster_size_ > 1) own.ctas.back()->join(own.together);
            if (has_help_) own.ctas.back()->take_turns(&me.turn, sums_, speech());
        }
        own.together.reset();
        own.left = cluster_size_;
        me.steps_since_end.store(0, std::memory_order_relaxed);
        for (std::uint64_t rank = 0; rank < cluster_size_; ++rank) start(*own.ctas[rank], first + rank);
        if (may_get_help())
            own.ctas.front()->call_after((options_.alone_steps - alone_steps_) / cluster_size_, [this] { get_help(); });
        group_state const state = run_group(me, own);
        if (state == group_state::stopped) return false;
        if (!has_help_)
            for (auto const& cta : own.ctas) alone_steps_ += cta->weighted_steps();
        return state == group_state::ended || put_aside(me);
    }
    group_state run_group(worker& me, group& own) {
        own.moved = false;
        while (own.left != 0) {
            if (order_.is_stopped(me.number)) return group_state::stopped;
            bool idle = true;
            bool asks_others = false;
            for (auto const& cta : own.ctas) {
                if (cta->has_finished()) continue;
                if (cta->run(warp_quantum)) {
                    idle &= cta->is_idle();
                    asks_others |= cta->asks_others();
                    continue;
                }
                if (!cta->finish_sums() || !has_ended(me, *cta)) return group_state::stopped;
                --own.left;
                idle = false;
            }
            if (!idle) own.moved = true;
            else if (asks_others) return group_state::waits;
            else static_cast<void>(let_lanes_go_on(own));
        }
        return group_state::ended;
    }
    static bool let_lanes_go_on(group& own) {
        return std::any_of(own.ctas.begin(), own.ctas.end(),
                           [](auto const& cta) { return !cta->has_finished() && cta->let_lanes_go_on(); });
    }

    // CTAs that wait for others keep their place on the GPU while those begin for which there is room. From the first one
    // on, one host thread at a time runs CTAs: who waits, and for how long, depends on all CTAs before.
    bool put_aside(worker& me) {
        if (has_help_ && !me.turn.await()) return false;
        for (auto const& cta : me.own->ctas) {
            if (!cta->finish_sums()) return false; // others may see them now
            cta->count_steps_in(steps_since_end_);
        }
        waiting_.push_back(std::move(me.own));
        some_wait_ = true;
        return true;
    }
    // Lets those that wait go on by turns until at most `most` still do. @param begun CTAs. @pre all turns before have ended
    bool run_waiting(worker& me, std::uint64_t most, std::uint64_t begun) {
        for (bool backwards = false; waiting_.size() > most; backwards = !backwards) { // whoever waits for whom
            bool moved = false;
            for (std::size_t count = waiting_.size(), i = 0; i < count; ++i) {
                group& own = *waiting_[backwards ? count - 1 - i : i];
                if (has_help_)
                    for (auto const& cta : own.ctas) cta->take_turns(&me.turn, sums_, nullptr);
                if (run_group(me, own) == group_state::stopped) {
                    bool const is_stuck = me.error && me.error->kind == launch_failure::step_budget && !own.moved;
                    if (is_stuck) blame_waiting(me, begun);
                    return false;
                }
                moved |= own.moved;
            }
            std::erase_if(waiting_, [](auto const& own) { return own->left == 0; });
            if (!moved)
                static_cast<void>(std::any_of(waiting_.begin(), waiting_.end(),
                                              [](auto const& own) { return let_lanes_go_on(*own); }));
        }
        return true;
    }
    // Reports the first of those that wait: which of them took the last step says nothing.
    void blame_waiting(worker& me, std::uint64_t begun) {
        std::string const beside =
            "; blocks that wait for each other: " + std::to_string(waiting_.size() * cluster_size_) +
            ", not begun: " + std::to_string(ctas_ - begun);
        for (auto const& own : waiting_)
            for (auto const& cta : own->ctas) {
                if (cta->has_finished()) continue;
                static_cast<void>(cta->exhaust(beside));
                me.error = cta->error();
                return;
            }
    }
    [[nodiscard]] std::uint64_t groups_at_once() const noexcept {
        return std::max<std::uint64_t>(options_.resident_ctas / cluster_size_, 1);
    }

    bool run_a_while(worker& me, std::uint64_t cta) {
        if (!resident_[cta] || resident_[cta]->has_finished()) return true;
        executor& current = *resident_[cta];
        if (has_help_) current.take_turns(&me.turn, sums_, nullptr);
        std::uint64_t const before = current.weighted_steps();
        bool const goes_on = current.run(warp_quantum);
        if (may_get_help()) {
            alone_steps_ += current.weighted_steps() - before;
            if (alone_steps_ >= options_.alone_steps) get_help();
        }
        if (goes_on) return true;
        if (!has_ended(me, current)) return false;
        if (cluster_size_ == 1) resident_[cta].reset(); // others may look for it
        return true;
    }
    bool has_ended(worker& me, executor const& ended) {
        me.steps += ended.steps();
        me.error = ended.error();
        if (!ended.has_finished()) return false;
        std::uint64_t const left = left_.fetch_sub(1) - 1;
        if (options_.progress != nullptr && me.number == 0) options_.progress(ctas_ - left, ctas_);
        return true;
    }

    [[nodiscard]] std::unique_ptr<executor> make_executor(std::atomic<std::uint64_t>& steps_since_end) {
        return std::make_unique<executor>(kernel_, config_, memory_, options_, services_, steps_since_end);
    }
    void make_resident() {
        if (cluster_size_ > 1) clusters_.resize(ctas_ / cluster_size_);
        for (std::uint64_t i = 0; i < ctas_; ++i) {
            resident_.push_back(make_executor(workers_.front().steps_since_end));
            if (cluster_size_ > 1) resident_.back()->join(clusters_[i / cluster_size_]);
            start(*resident_.back(), i);
        }
    }
    // The CTA that is the i-th to begin.
    void start(executor& cta, std::uint64_t i) {
        auto const sm = static_cast<unsigned>(i % sms_.size());
        if (!sms_[sm]) sms_[sm].emplace(all_.make_sm(sm));
        cta.start(cta_in_order(i, config_), sm, *sms_[sm]);
    }

    [[nodiscard]] speech_map const* speech() const noexcept { return speech_ ? &*speech_ : nullptr; }
    [[nodiscard]] bool may_get_help() const noexcept { return !has_help_ && workers_.size() > 1; }
    // On the calling thread, in one of its turns.
    void get_help() {
        std::uint64_t const turns = config_.cooperative ? left_.load() : ctas_ / cluster_size_ - order_.taken();
        if (turns == 0 || has_help_) return;
        has_help_ = true;
        sums_ = order_of_sums(kernel_);
        if (sums_ == sum_order::deferred && (config_.cooperative || cluster_size_ > 1)) sums_ = sum_order::in_turn;
        if (sums_ != sum_order::deferred && !config_.cooperative && cluster_size_ == 1) speech_.emplace(kernel_);
        worker& me = workers_.front();
        me.turn.begin();
        if (me.own)
            for (auto const& cta : me.own->ctas) cta->take_turns_midway(&me.turn, sums_, speech());
        // As many as have half of what was done until now each: that is worth more than it takes to start one.
        std::uint64_t const taken = config_.cooperative ? 1 : order_.taken();
        auto const count = (std::min)({turns, (2 * turns + taken - 1) / taken, std::uint64_t{workers_.size() - 1}});
#if GPUPROF_EXCEPTIONS
        try { // the system may give fewer
            for (std::size_t i = 1; i <= count; ++i) helpers_.emplace_back([this, i] { work(workers_[i]); });
        } catch (std::exception const&) {}
#else
        for (std::size_t i = 1; i <= count; ++i) helpers_.emplace_back([this, i] { work(workers_[i]); });
#endif
    }

    // Reports the first CTA: which of those that wait for each other took the last step says
    // nothing.
    void blame_first(launch_result& done) {
        for (auto const& cta : resident_)
            if (cta && !cta->has_finished()) {
                static_cast<void>(cta->exhaust());
                done.error = cta->error();
                return;
            }
    }

    kernel const& kernel_;
    launch_config const& config_;
    device_memory& memory_;
    execution_options const& options_;
    Observer& all_;
    std::vector<std::optional<typename Observer::sm>>& sms_; // each of the thread that runs CTAs on it
    std::uint64_t ctas_;
    std::uint64_t cluster_size_; // CTAs
    system_services services_;
    turn_order order_;
    std::deque<worker> workers_;                      // by number; the first is the calling thread
    std::vector<link> clusters_;                      // of a cooperative launch, where CTAs form some
    std::vector<std::unique_ptr<executor>> resident_; // of a cooperative launch; null when ended
    std::vector<std::unique_ptr<group>> waiting_;     // of another launch, in the order in which they began to wait
    std::atomic<bool> some_wait_{false};              // or did
    std::atomic<std::uint64_t> steps_since_end_{0};   // of those that wait
    std::vector<std::thread> helpers_;
    bool has_help_ = false;
    sum_order sums_ = sum_order::in_turn;
    std::optional<speech_map> speech_; // where turns are those of single CTAs
    std::uint64_t alone_steps_ = 0;    // taken before there was help
    std::atomic<bool> out_of_memory_{false};
    alignas(64) std::atomic<std::uint64_t> left_; // CTAs that have not ended; away from what is mostly read
};

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_EXECUTE_LAUNCH_RUN_HPP
