// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definitions of execute.hpp.
#ifndef GPUPROF_SRC_SIM_EXECUTE_EXECUTE_INL_HPP
#define GPUPROF_SRC_SIM_EXECUTE_EXECUTE_INL_HPP

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "execute.hpp"
#include "launch_run.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

namespace detail {

// The reason why a launch cannot begin; nothing if it can.
[[nodiscard]] std::optional<launch_error> check_launch(kernel const& k, launch_config const& config);

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
    std::vector<std::optional<typename Observer::sm>> sms(sm_count);
    // Resident CTAs of a cluster reach into each other's memory: one thread lets them take turns.
    bool const clusters_stay = config.cooperative && config.ctas_of_cluster().count() > 1;
    std::uint64_t const at_once = std::clamp<std::uint64_t>(options.resident_ctas, 1, sm_count);
    unsigned const threads = clusters_stay ? 1 : std::clamp(options.threads, 1u, static_cast<unsigned>(at_once));
    done = launch_run<Observer>{k, config, memory, settings, all, sms, threads}();
    for (unsigned i = 0; i < sm_count; ++i) {
        if (!sms[i]) sms[i].emplace(all.make_sm(i)); // no CTA came that far
        all.merge(i, std::move(*sms[i]));
        sms[i].reset();
    }
    return done;
}

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_EXECUTE_EXECUTE_INL_HPP
