// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The trace of this process: from the first call of begin() to its end.
#ifndef GPUPROF_INJECTION_RECORDING_HPP
#define GPUPROF_INJECTION_RECORDING_HPP

#include <gpuprof/hw/activity/kind_set.hpp>
#include <gpuprof/measure/scope.hpp>

namespace gpuprof::injection {

// Begins to record, or to measure (measuring.hpp) if the environment says so, the first time that it is called in a process;
// says on stderr why it could not. Ends by itself when the
// process exits. Never throws; thread-safe.
void begin() noexcept;

// Whether any of these kinds is recorded; waits for a begin() on another thread. Thread-safe.
[[nodiscard]] bool records(activity::kind_set any) noexcept;

// What scopes of the trace are opened on. @pre records() was true
[[nodiscard]] scope_target& scopes_of_trace() noexcept;

} // namespace gpuprof::injection

#endif // GPUPROF_INJECTION_RECORDING_HPP
