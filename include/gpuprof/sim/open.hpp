// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Opens an embedded GPU as a device like any other.
#ifndef GPUPROF_SIM_OPEN_HPP
#define GPUPROF_SIM_OPEN_HPP

#include "../detail/config.hpp"

#if !GPUPROF_ENABLED
#include "compiled_out.hpp"
#else

#include <optional>
#include <string_view>
#include <vector>

#include "../core/result.hpp"
#include "../hw/machine/device.hpp"
#include "../hw/machine/machine.hpp"
#include "collection.hpp"
#include "execution_settings.hpp"
#include "finding.hpp"
#include "launch_error.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// The machine whose tables are those of the embedded GPU, with CUDA 13.0. Costs two tables, once; thread-safe.
[[nodiscard]] hw::machine const& embedded_machine();

// The same machine with CUDA 12.9, the last one for devices before capability 7.5: devices, contexts and calls are those
// of embedded_machine(), versions are not. Costs two tables, once; thread-safe.
[[nodiscard]] hw::machine const& embedded_legacy_machine();

// The same machine with CUPTI 12.5, which measures ranges by the profiling API that the range profiler followed: devices,
// contexts and calls are those of embedded_machine() but for what CUPTI 12.6 brought. Costs two tables, once; thread-safe.
[[nodiscard]] hw::machine const& embedded_target_machine();

namespace detail {
// Which of the two has the chip of that name or capability; null if none has. Thread-safe.
[[nodiscard]] hw::machine const* machine_with(std::string_view chip);
} // namespace detail

// The embedded GPU with that chip or capability: "gh100" or "gm200", in letters of any case, or "9.0", "5.2"; "" is
// gh100. All metrics of a range are collected in one pass, whatever their number and however deep scopes nest.
// collection::in_passes runs the code as often as the hardware would need: for tests of code that is to be measured there.
// Events of capability 2.0 to 7.0 are always counted in passes, because programs written for them live with the limits of
// their groups. Opening one chip twice gives the same device, in the context that is current on this thread if that is one
// of its own; the two ways of collecting are two devices. Chips before capability 7.5 come with CUDA 12.9, the others with
// 13.0. Errors: invalid_argument for a chip there is no model of, with the list of those there are, and for a word of the
// variable GPUPROF_CHECK that is no check. Cost: a context.
// Several embedded GPUs of a chip lie side by side by their numbers, each with memory, a clock and counters of its own; they can
// access each other (cuCtxEnablePeerAccess).
// Thread-safe.
// @param number which of them, from 0 on. Errors: also invalid_argument for most_embedded_devices or more
[[nodiscard]] result<device> open_embedded(std::string_view chip, collection how, unsigned number = 0);

// The same as the environment names it: a chip, and after commas the words "passes" for collection::in_passes and "target" for
// embedded_target_machine(), in letters of any case, and a number: "gh100", "GH100,passes", ",passes,target", "gv100,1", "".
// Errors: also invalid_argument for another word.
[[nodiscard]] result<device> open_embedded(std::string_view chip_and_words);

// How kernels run from now on, in every context. A step budget set here goes before GPUPROF_SIM_STEPS. Thread-safe; waits for a kernel that is running.
void set_execution(execution_settings const& settings);

// Whether every kernel from now on, in every context, begins with caches that are empty and have nothing to write back, as Nsight
// Compute's --cache-control all has it. At first they are as copies and earlier kernels left them. What is dropped is counted
// nowhere. Thread-safe; waits for a kernel that is running.
void set_cold_caches(bool cold);

// Why the last launch of a context that was refused, or whose kernel failed, did: kernel and the limit that was exceeded,
// or kernel, thread, PTX line, source line, address; launch_error::message() is all of it as a text. Empty while none has,
// and for what is no context. launch_error::number tells a new failure from one that was read before. The driver's own
// answer is only a number. Thread-safe.
[[nodiscard]] std::optional<launch_error> last_launch_error(abi::CUcontext context);

// Calls `listener` with every launch that is refused and every kernel that fails from now on, in any context, while the driver's
// lock is held: it must not call the driver. Null ends that. Thread-safe.
void listen_to_failures(void (*listener)(launch_error const&));

// What the checks of execution_settings::checks found since the process began, or since forget_findings(): the same error at
// the same lines once, with the number of its cases. A unit test demands that there are none. Thread-safe.
[[nodiscard]] std::vector<finding> findings();
void forget_findings();

// Adds a finding for each allocation that some context still has; managed and pinned ones too. Thread-safe.
void find_leaks();

// Calls `listener` with every new finding that is no failure of a kernel, which listen_to_failures() tells, as that does.
void listen_to_findings(void (*listener)(finding const&));

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_ENABLED

#endif // GPUPROF_SIM_OPEN_HPP
