// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definitions of execute.hpp. Layer: embedded GPU, executor.
#ifndef GPUPROF_HW_SIM_EXECUTE_EXECUTE_INL_HPP
#define GPUPROF_HW_SIM_EXECUTE_EXECUTE_INL_HPP

#include <algorithm> // std::min
#include <atomic>    // the first failure stops all
#include <cstdint>   // CTA numbers
#include <exception> // what a thread or memory that cannot be had throws
#include <memory>    // executors stay where they are
#include <optional>  // a failure or none
#include <string>    // its text
#include <thread>    // CTAs over host threads
#include <utility>   // std::move
#include <vector>    // SMs

#include "cta_executor.hpp"
#include "execute.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

namespace detail {

// What is wrong with a launch before anything runs.
[[nodiscard]] inline std::optional<launch_error> check_launch(kernel const& k, launch_config const& config) {
    launch_error why;
    why.kernel = k.name;
    if (k.fault) {
        why.kind = launch_failure::unsupported;
        why.detail = k.fault->what;
        return why;
    }
    auto const invalid = [&](char const* text) {
        why.kind = launch_failure::invalid_configuration;
        why.detail = text;
        return why;
    };
    constexpr std::uint64_t most_threads = 1024;
    if (config.grid.count() == 0 || config.block.count() == 0) return invalid("a dimension is zero");
    if (config.block.x > most_threads || config.block.y > most_threads || config.block.z > 64 ||
        config.block.count() > most_threads)
        return invalid("more threads than a CTA can have");
    if (config.grid.x > 0x7fff'ffff || config.grid.y > 0xffff || config.grid.z > 0xffff)
        return invalid("more CTAs than a grid can have");
    if (config.parameters.size() < k.parameter_bytes) return invalid("the parameters are incomplete");
    constexpr std::uint32_t most_shared = 227 * 1024;
    if (std::uint64_t{k.static_shared_bytes} + config.dynamic_shared_bytes > most_shared)
        return invalid("more shared memory than an SM has");
    return std::nullopt;
}

// The number of the first CTA, in launch order, that failed, and why.
struct first_failure {
    std::uint64_t cta = ~std::uint64_t{0};
    std::optional<launch_error> error;
};

// Host threads 1 to `threads` - 1, or the first of them if the system gives no more.
template <class F>
void start_helpers(std::vector<std::thread>& helpers, unsigned threads, F const& run) {
#if GPUPROF_EXCEPTIONS
    try {
        for (unsigned t = 1; t < threads; ++t) helpers.emplace_back(run, t);
    } catch (std::exception const&) {}
#else
    for (unsigned t = 1; t < threads; ++t) helpers.emplace_back(run, t);
#endif
}

inline constexpr std::uint64_t warp_quantum = 8192; // instructions before another warp gets its turn

} // namespace detail

template <observer Observer>
launch_result execute(kernel const& k, launch_config const& config, device_memory& memory, Observer& all,
                      execution_options const& options) {
    launch_result done;
    if (auto refused = detail::check_launch(k, config)) {
        done.error = std::move(refused);
        return done;
    }
    std::uint64_t const ctas = config.grid.count();
    auto const sm_count =
        static_cast<unsigned>(std::min<std::uint64_t>(options.sm_count == 0 ? 1 : options.sm_count, ctas));
    unsigned const threads = config.cooperative || options.threads < 2 ? 1 : (std::min)(options.threads, sm_count);
    execution_options settings = options;
    settings.sm_count = sm_count;
    system_services services{options.print};

    std::vector<typename Observer::sm> sms;
    sms.reserve(sm_count);
    for (unsigned i = 0; i < sm_count; ++i) sms.push_back(all.make_sm(i));

    std::vector<detail::first_failure> failures(threads);
    std::vector<std::uint64_t> steps(threads);
    std::atomic<std::uint64_t> stop_at{ctas}; // CTAs from here on need not run: one before them failed
    std::atomic<std::uint64_t> steps_since_end{0};
    std::atomic<bool> out_of_memory{false};
    auto const failed = [&](unsigned thread, std::uint64_t cta, launch_error const& why) {
        failures[thread] = {cta, why};
        for (std::uint64_t seen = stop_at.load(); cta < seen && !stop_at.compare_exchange_weak(seen, cta);) {}
    };
    using executor = cta_executor<typename Observer::sm>;

    auto const run_ascending = [&](unsigned thread) {
        std::unique_ptr<executor> one;
        unsigned current = ~0u;
        for (std::uint64_t cta = 0; cta < ctas && cta < stop_at.load(std::memory_order_relaxed); ++cta) {
            auto const sm = static_cast<unsigned>(cta % sm_count);
            if (sm % threads != thread) continue;
            if (sm != current)
                one = std::make_unique<executor>(k, config, memory, settings, services, sms[sm], steps_since_end),
                current = sm;
            one->start(cta);
            while (one->run(detail::warp_quantum))
                if (cta > stop_at.load(std::memory_order_relaxed)) return;
            steps[thread] += one->steps();
            if (one->error()) return failed(thread, cta, *one->error());
        }
    };
    auto const run_together = [&] {
        std::vector<std::unique_ptr<executor>> resident;
        for (std::uint64_t cta = 0; cta < ctas; ++cta) {
            resident.push_back(std::make_unique<executor>(k, config, memory, settings, services, sms[cta % sm_count],
                                                          steps_since_end));
            resident.back()->start(cta);
        }
        std::vector<bool> running(ctas, true);
        for (std::uint64_t left = ctas; left != 0;)
            for (std::uint64_t cta = 0; cta < ctas; ++cta) {
                if (!running[cta] || resident[cta]->run(detail::warp_quantum)) continue;
                running[cta] = false;
                --left;
                steps[0] += resident[cta]->steps();
                if (resident[cta]->error()) return failed(0, cta, *resident[cta]->error());
            }
    };

    // No exception leaves a thread.
    auto const run_share = [&](unsigned thread) noexcept {
#if GPUPROF_EXCEPTIONS
        try {
            config.cooperative ? run_together() : run_ascending(thread);
        } catch (std::exception const&) { // std::bad_alloc; nothing else is thrown there
            out_of_memory = true;
            stop_at = 0;
        }
#else
        config.cooperative ? run_together() : run_ascending(thread);
#endif
    };
    {
        std::vector<std::thread> helpers;
        helpers.reserve(threads);
        detail::start_helpers(helpers, threads, run_share);
        run_share(0);
        for (auto t = static_cast<unsigned>(helpers.size()) + 1; t < threads; ++t) run_share(t);
        for (auto& h : helpers) h.join();
    }
    for (unsigned i = 0; i < sm_count; ++i) all.merge(i, std::move(sms[i]));
    for (auto const s : steps) done.warp_instructions += s;
    std::uint64_t first = ~std::uint64_t{0};
    for (auto& f : failures)
        if (f.error && f.cta < first) first = f.cta, done.error = std::move(f.error);
    if (out_of_memory) {
        done.error.emplace();
        done.error->kind = launch_failure::out_of_memory;
        done.error->kernel = k.name;
    }
    return done;
}

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_SIM_EXECUTE_EXECUTE_INL_HPP
