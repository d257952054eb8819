// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The sessions of CUPTI's profiling calls before the range profiler.
#ifndef GPUPROF_SRC_SIM_CUPTI_TARGET_SESSIONS_HPP
#define GPUPROF_SRC_SIM_CUPTI_TARGET_SESSIONS_HPP

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>

#include <gpuprof/detail/config.hpp>
#include <gpuprof/hw/abi/cupti.hpp>
#include "range_objects.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::cupti {
using namespace abi;

// A session between BeginSession and EndSession.
struct target_session {
    CUpti_RangeProfiler_Object* counters = nullptr; // of range_objects, which ends it
    std::span<std::uint8_t> image;
    bool auto_ranges = false;
    bool kernel_replay = false;
    std::size_t max_ranges = 0;
    bool configured = false;
    bool in_pass = false;
    bool counting = false; // between EnableProfiling and DisableProfiling
};

// By context. Guarded by the registry's lock.
using target_sessions = std::map<CUcontext, target_session>;

} // namespace sim::cupti
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_CUPTI_TARGET_SESSIONS_HPP
