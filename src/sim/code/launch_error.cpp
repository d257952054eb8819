// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gpuprof/sim/launch_error.hpp>

#include <string>
#include <string_view>

#include "launch_limits.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

std::string_view name(launch_failure kind) noexcept {
    switch (kind) {
        case launch_failure::invalid_configuration: return "invalid configuration";
        case launch_failure::unsupported: return "not supported";
        case launch_failure::no_such_function: return "no such function";
        case launch_failure::illegal_address: return "illegal address";
        case launch_failure::misaligned_address: return "misaligned address";
        case launch_failure::invalid_instruction: return "invalid instruction";
        case launch_failure::divergent_barrier: return "barrier in divergent code";
        case launch_failure::deadlock: return "deadlock";
        case launch_failure::stack_overflow: return "stack overflow";
        case launch_failure::step_budget: return "step budget exhausted";
        case launch_failure::trap: return "trap";
        case launch_failure::assertion: return "assertion failed";
        case launch_failure::out_of_memory: return "out of host memory";
    }
    return "unknown";
}

std::string launch_error::message() const {
    std::string text{name(kind)};
    if (!kernel.empty()) text += ": kernel " + kernel;
    if (ptx_line != 0) {
        text += ", CTA " + text_of(cta) + ", thread " + text_of(thread) + ", PTX line " + std::to_string(ptx_line);
        if (source_line != 0) text += ", " + source_file + ":" + std::to_string(source_line);
    }
    if (!detail.empty()) text += ": " + detail;
    return text;
}

} // namespace sim
GPUPROF_NAMESPACE_END
