// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definitions of execute.hpp. Layer: embedded GPU, executor.
#ifndef GPUPROF_HW_SIM_EXECUTE_EXECUTE_INL_HPP
#define GPUPROF_HW_SIM_EXECUTE_EXECUTE_INL_HPP

#include <algorithm> // std::min, std::clamp
#include <cstdint>   // CTA numbers
#include <optional>  // a failure or none
#include <utility>   // std::move
#include <vector>    // SMs

#include "execute.hpp"
#include "launch_run.hpp"

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
    execution_options settings = options;
    settings.sm_count = sm_count;
    std::vector<typename Observer::sm> sms;
    sms.reserve(sm_count);
    for (unsigned i = 0; i < sm_count; ++i) sms.push_back(all.make_sm(i));
    unsigned const threads = std::clamp(options.threads, 1u, sm_count);
    done = launch_run<Observer>{k, config, memory, settings, sms, threads}();
    for (unsigned i = 0; i < sm_count; ++i) all.merge(i, std::move(sms[i]));
    return done;
}

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_SIM_EXECUTE_EXECUTE_INL_HPP
