// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Why a launch on the embedded GPU was refused, or a kernel stopped.
#ifndef GPUPROF_SIM_LAUNCH_ERROR_HPP
#define GPUPROF_SIM_LAUNCH_ERROR_HPP

#include <cstdint>
#include <string>
#include <string_view>

#include "../detail/config.hpp"
#include "extent.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// Why the embedded GPU refused or stopped a launch.
enum class launch_failure : std::uint8_t {
    invalid_configuration, // the launch does not fit the kernel or the GPU
    unsupported,           // the kernel, or the launch, uses what the embedded GPU does not have
    no_such_function,      // the handle names no function of the context
    illegal_address,
    misaligned_address,
    invalid_instruction, // an undefined use of an instruction, such as a call through no function's address
    divergent_barrier,   // a barrier, or an instruction for a whole warp, in divergent code
    deadlock,            // every warp of a CTA waits at a barrier that nobody will complete
    stack_overflow,
    step_budget, // the kernel did not end, or needs independent thread scheduling
    trap,
    assertion,
    out_of_memory // of the host
};

[[nodiscard]] std::string_view name(launch_failure kind) noexcept;

// Why a launch was refused, or a kernel stopped, and where. Refused: `ptx_line` is 0 and `detail` names the limit. Stopped:
// the thread is the lowest of the warp that failed, `ptx_line` and `source_line`
// count from one, 0 when unknown. `address` is what was accessed (generic).
struct launch_error {
    launch_failure kind = launch_failure::invalid_configuration;
    std::string kernel;
    extent3 cta{0, 0, 0};
    extent3 thread{0, 0, 0};
    std::uint32_t ptx_line = 0;
    std::string source_file;
    std::uint32_t source_line = 0;
    std::uint64_t address = 0;
    std::string detail;
    std::uint64_t number = 0; // the how manyth launch of this process that failed, from one

    // "illegal address: kernel saxpy, CTA (0, 0, 0), thread (7, 0, 0), PTX line 40, saxpy.cu:3: load of 4 bytes at 0x…"
    [[nodiscard]] std::string message() const;
};

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SIM_LAUNCH_ERROR_HPP
