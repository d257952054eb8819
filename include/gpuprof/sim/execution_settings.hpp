// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What an application may choose about how the embedded GPU runs kernels.
#ifndef GPUPROF_SIM_EXECUTION_SETTINGS_HPP
#define GPUPROF_SIM_EXECUTION_SETTINGS_HPP

#include <cstdint>
#include <optional>

#include "../detail/config.hpp"
#include "check_set.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// What the application may choose about the embedded GPU; none of it changes results or counters.
struct execution_settings {
    // Host threads a kernel may run on; 0 for GPUPROF_SIM_THREADS or, where that is not set, as many as the process may
    // use processors. A kernel that is soon over runs on the calling thread alone.
    unsigned threads = 0;
    // See docs/embedded-gpu.md; 0 for GPUPROF_SIM_STEPS or, where that is not set, the default.
    std::uint64_t step_budget = 0;
    // What kernels are checked for (check_set.hpp); nothing for GPUPROF_CHECK. A context keeps what it had as it first
    // allocated or launched. With checks a kernel runs on one host thread, and addresses are others.
    std::optional<check_set> checks{};
};

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SIM_EXECUTION_SETTINGS_HPP
