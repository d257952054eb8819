// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Measures a process by driver calls that gpuprof makes again (docs/call-replay.md).
#ifndef GPUPROF_INJECTION_REPEATING_HPP
#define GPUPROF_INJECTION_REPEATING_HPP

#include <cstdint>
#include <string>

#include <gpuprof/core/result.hpp>

#include "measuring_settings.hpp"
#include "nvtx_calls.hpp"

namespace gpuprof::injection {

// Begins to measure launches or ranges of the context that the program uses first; says on stderr why it could not. Ends by itself
// when the context or the process ends, and saves a report. @pre called once
void begin_repeating(result<measuring_settings> with);

// Whether ranges of NVTX are ranges of that measurement. What follows is a program::nvtx::listener of them.
[[nodiscard]] bool measures_nvtx_ranges() noexcept;
int push_measured_range(program::nvtx::handle domain, std::string const& name);
int pop_measured_range(program::nvtx::handle domain);
std::uint64_t start_measured_range(program::nvtx::handle domain, std::string const& name);
void end_measured_range(std::uint64_t range);

} // namespace gpuprof::injection

#endif // GPUPROF_INJECTION_REPEATING_HPP
