// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "execute.inl.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "../code/launch_limits.hpp"
#include "../model/launch_counters.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

std::optional<launch_error> detail::check_launch(kernel const& k, launch_config const& config) {
    launch_error why;
    why.kernel = k.name;
    if (k.fault) {
        why.kind = launch_failure::unsupported;
        why.detail = k.fault->what;
        return why;
    }
    auto const invalid = [&](std::string text) {
        why.kind = launch_failure::invalid_configuration;
        why.detail = std::move(text);
        return why;
    };
    if (std::string wrong = misfit(config.grid, config.block); !wrong.empty()) return invalid(std::move(wrong));
    if (std::string wrong = cluster_misfit(config.grid, config.ctas_of_cluster()); !wrong.empty())
        return invalid(std::move(wrong));
    if (config.parameters.size() < k.parameter_bytes) return invalid("the parameters are incomplete");
    constexpr std::uint32_t most_shared = 227 * 1024;
    if (std::uint64_t{k.static_shared_bytes} + config.dynamic_shared_bytes > most_shared)
        return invalid("more shared memory than an SM has");
    return std::nullopt;
}

// With the counters of a launch, and without any.
template launch_result execute(kernel const&, launch_config const&, device_memory&, launch_counters&,
                               execution_options const&);
template launch_result execute(kernel const&, launch_config const&, device_memory&, null_observer&,
                               execution_options const&);
} // namespace sim
GPUPROF_NAMESPACE_END
