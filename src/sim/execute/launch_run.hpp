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
#include <thread>
#include <utility>
#include <vector>

#include "cta_executor.hpp"
#include "order_dependence.hpp"
#include "turn_order.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// The calling thread begins alone: most launches are over before another thread would have started.
// When a launch turns out to be long, helpers take turns with it. They end with the launch.
//
// A turn is a CTA, from beginning to end, or a cluster of them, which run side by side. CTAs of a
// cooperative launch are all resident, and a turn is what one of them does before the next one gets
// its turn, round after round. See turn_order for what makes the outcome that of one thread.
template <observer Observer>
class launch_run {
public:
    // @pre all arguments taken by reference outlive the object; the configuration was checked
    launch_run(kernel const& k, launch_config const& config, device_memory& memory, execution_options const& options,
               std::vector<typename Observer::sm>& sms, unsigned threads)
        : kernel_{k},
          config_{config},
          memory_{memory},
          options_{options},
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
    static constexpr std::uint64_t warp_quantum = 8192; // instructions before another warp gets its turn

    struct alignas(64) worker {
        worker(turn_order& order, unsigned thread) noexcept : number{thread}, turn{order, thread} {}
        unsigned number;
        turn_holder turn;
        std::uint64_t steps = 0;
        std::atomic<std::uint64_t> steps_since_end{0};
        std::unique_ptr<executor> own;                  // for one CTA after the other
        std::vector<std::unique_ptr<executor>> cluster; // for one cluster after the other, by rank
        link together;                                  // of these
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
        if (config_.cooperative && me.number == 0) make_resident();
        if (cluster_size_ > 1 && !config_.cooperative) return run_clusters(me);
        while (left_.load() != 0) {
            std::uint64_t const turn = order_.take(me.number);
            if (!config_.cooperative && turn >= ctas_) return;
            std::uint64_t const round = turn / ctas_;
            std::uint64_t const cta = turn % ctas_;
            std::uint64_t const sms = sms_.size();
            auto const sm = static_cast<unsigned>(cta % sms);
            std::uint64_t const here = (ctas_ - sm - 1) / sms + 1; // CTAs of the SM
            if (!order_.await_sm(me.number, sm, round * here + cta / sms)) return;
            me.turn.begin();
            if (!(config_.cooperative ? run_a_while(me, cta) : run_whole(me, cta, sm))) {
                if (me.error) order_.stop_after(me.failed_in = turn);
                return;
            }
            order_.end_on(sm);
        }
    }

    // Its CTAs are on as many SMs as there are, one after the other: each has had all before them.
    void run_clusters(worker& me) {
        while (left_.load() != 0) {
            std::uint64_t const turn = order_.take(me.number);
            std::uint64_t const first = turn * cluster_size_;
            if (first >= ctas_) return;
            std::uint64_t const sms = sms_.size();
            for (std::uint64_t i = first; i < first + cluster_size_; ++i) {
                std::uint64_t const sm = i % sms;
                std::uint64_t const before = first > sm ? (first - sm - 1) / sms + 1 : 0;
                if (!order_.await_sm(me.number, static_cast<unsigned>(sm), before)) return;
            }
            me.turn.begin();
            if (!run_cluster(me, first)) {
                if (me.error) order_.stop_after(me.failed_in = turn);
                return;
            }
            for (std::uint64_t i = first; i < first + cluster_size_; ++i) order_.end_on(static_cast<unsigned>(i % sms));
        }
    }

    // Functions give false when the CTA failed or is not to go on.
    bool run_cluster(worker& me, std::uint64_t first) {
        while (me.cluster.size() < cluster_size_) {
            me.cluster.push_back(make_executor(me.steps_since_end));
            me.cluster.back()->join(me.together);
            if (has_help_) me.cluster.back()->take_turns(&me.turn, sums_);
        }
        me.together.reset();
        me.steps_since_end.store(0, std::memory_order_relaxed);
        for (std::uint64_t rank = 0; rank < cluster_size_; ++rank) start(*me.cluster[rank], first + rank);
        if (may_get_help())
            me.cluster.front()->call_after((options_.alone_steps - alone_steps_) / cluster_size_,
                                           [this] { get_help(); });
        for (std::uint64_t left = cluster_size_; left != 0;) {
            if (order_.is_stopped(me.number)) return false;
            for (auto const& cta : me.cluster) {
                if (cta->has_finished() || cta->run(warp_quantum)) continue;
                if (!has_ended(me, *cta)) return false;
                --left;
            }
        }
        if (!has_help_)
            for (auto const& cta : me.cluster) alone_steps_ += cta->weighted_steps();
        return true;
    }
    bool run_whole(worker& me, std::uint64_t cta, unsigned sm) {
        if (!me.own) {
            me.own = make_executor(me.steps_since_end);
            if (has_help_) me.own->take_turns(&me.turn, sums_);
        }
        executor& current = *me.own;
        me.steps_since_end.store(0, std::memory_order_relaxed);
        current.start(cta, sm, sms_[sm]);
        if (may_get_help()) current.call_after(options_.alone_steps - alone_steps_, [this] { get_help(); });
        while (current.run(warp_quantum))
            if (order_.is_stopped(me.number)) return false;
        if (!current.finish_sums()) return false;
        if (!has_help_) alone_steps_ += current.weighted_steps();
        return has_ended(me, current);
    }
    bool run_a_while(worker& me, std::uint64_t cta) {
        if (!resident_[cta] || resident_[cta]->has_finished()) return true;
        executor& current = *resident_[cta];
        if (has_help_) current.take_turns(&me.turn, sums_);
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
        cta.start(cta_in_order(i, config_), sm, sms_[sm]);
    }

    [[nodiscard]] bool may_get_help() const noexcept { return !has_help_ && workers_.size() > 1; }
    // On the calling thread, in one of its turns.
    void get_help() {
        std::uint64_t const turns = config_.cooperative ? left_.load() : ctas_ / cluster_size_ - order_.taken();
        if (turns == 0 || has_help_) return;
        has_help_ = true;
        sums_ = order_of_sums(kernel_);
        if (sums_ == sum_order::deferred && (config_.cooperative || cluster_size_ > 1)) sums_ = sum_order::in_turn;
        worker& me = workers_.front();
        me.turn.begin();
        if (me.own) me.own->take_turns(&me.turn, sums_);
        for (auto const& cta : me.cluster) cta->take_turns(&me.turn, sums_);
        auto const count = std::min<std::uint64_t>(turns, workers_.size() - 1);
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
    std::vector<typename Observer::sm>& sms_;
    std::uint64_t ctas_;
    std::uint64_t cluster_size_; // CTAs
    system_services services_;
    turn_order order_;
    std::deque<worker> workers_;                      // by number; the first is the calling thread
    std::vector<link> clusters_;                      // of a cooperative launch, where CTAs form some
    std::vector<std::unique_ptr<executor>> resident_; // of a cooperative launch; null when ended
    std::vector<std::thread> helpers_;
    bool has_help_ = false;
    sum_order sums_ = sum_order::in_turn;
    std::uint64_t alone_steps_ = 0;   // taken before there was help
    std::atomic<std::uint64_t> left_; // CTAs that have not ended
    std::atomic<bool> out_of_memory_{false};
};

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_EXECUTE_LAUNCH_RUN_HPP
