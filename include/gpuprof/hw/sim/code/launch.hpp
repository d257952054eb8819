// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a kernel launch is given and how it can fail. Layer: embedded GPU, the executor's interface.
#ifndef GPUPROF_HW_SIM_CODE_LAUNCH_HPP
#define GPUPROF_HW_SIM_CODE_LAUNCH_HPP

#include <cstddef>     // std::byte
#include <cstdint>     // counts
#include <functional>  // where a kernel's printf goes
#include <optional>    // an error or none
#include <span>        // parameters
#include <string>      // error texts
#include <string_view> // printed text

#include "../../../detail/config.hpp"
#include "check_set.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// Numbers of threads or CTAs along three axes, or a place among them.
struct extent3 {
    std::uint32_t x = 1;
    std::uint32_t y = 1;
    std::uint32_t z = 1;

    [[nodiscard]] constexpr std::uint64_t count() const noexcept { return std::uint64_t{x} * y * z; }
    friend constexpr bool operator==(extent3 const&, extent3 const&) = default;
};

// The place of number `linear` in an extent, x running fastest.
[[nodiscard]] constexpr extent3 place(std::uint64_t linear, extent3 in) noexcept {
    return {static_cast<std::uint32_t>(linear % in.x), static_cast<std::uint32_t>(linear / in.x % in.y),
            static_cast<std::uint32_t>(linear / in.x / in.y)};
}

class device_heap;
class graph_conditions;

// One launch. `parameters` holds the kernel's parameters at the offsets of kernel::parameters(). A cooperative launch
// keeps all CTAs resident and lets them take turns, so that they may wait for each other.
struct launch_config {
    extent3 grid;
    extent3 block;
    std::uint32_t dynamic_shared_bytes = 0;
    std::span<std::byte const> parameters;
    bool cooperative = false;
    std::uint64_t grid_workspace = 0; // where the blocks of a cooperative launch meet: %envreg1 and %envreg2; 0: none
    device_heap* heap = nullptr;      // of malloc in the kernel; without one, malloc gives null
    graph_conditions* conditions = nullptr; // of graphs, which the kernel may set; without them there is none
};

// How many steps a launch may take without any of its warps ending; then it is stopped. A warp instruction is one step, one
// that accesses memory eight, as it takes about that much longer. Warps that end are progress, and a grid has finitely
// many, so a kernel that never ends is always stopped, and a large grid never is for being large. A budget for all steps of
// a launch would either stop large grids or let a small endless one run for minutes. This many take one to five seconds
// (simple loops, one of them over a load, compiled with -O1, on a 2-core EPYC).
inline constexpr std::uint64_t default_step_budget = std::uint64_t{1} << 27;

// How to run it; nothing here changes results or counters of a race-free kernel.
struct execution_options {
    unsigned threads = 1; // host threads at most; CTAs of one SM stay in order
    std::uint64_t alone_steps =
        8192; // that the calling thread takes before it asks others to help: about a quarter of a millisecond
    unsigned sm_count = 1; // CTA i runs on SM i % sm_count
    std::uint64_t step_budget = default_step_budget;
    std::uint32_t stack_bytes = 256 * 1024;      // local memory a thread may take, its call stack included
    std::uint64_t begin = 0;                     // what %globaltimer reads as the launch begins
    std::function<void(std::string_view)> print; // receives what printf wrote, one call at a time; may be empty
};

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

[[nodiscard]] constexpr std::string_view name(launch_failure kind) noexcept {
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
    [[nodiscard]] std::string message() const {
        auto const triple = [](extent3 const& e) {
            return "(" + std::to_string(e.x) + ", " + std::to_string(e.y) + ", " + std::to_string(e.z) + ")";
        };
        std::string text{name(kind)};
        if (!kernel.empty()) text += ": kernel " + kernel;
        if (ptx_line != 0) {
            text += ", CTA " + triple(cta) + ", thread " + triple(thread) + ", PTX line " + std::to_string(ptx_line);
            if (source_line != 0) text += ", " + source_file + ":" + std::to_string(source_line);
        }
        if (!detail.empty()) text += ": " + detail;
        return text;
    }
};

// What a launch came to. With an error, memory holds what was written until then, as on hardware.
struct launch_result {
    std::optional<launch_error> error;
    std::uint64_t warp_instructions = 0;

    [[nodiscard]] explicit operator bool() const noexcept { return !error; }
};

// What the application may choose about the embedded GPU; none of it changes results or counters.
struct execution_settings {
    // Host threads a kernel may run on; 0 for GPUPROF_SIM_THREADS or, where that is not set, as many as the process may
    // use processors. A kernel that is soon over runs on the calling thread alone.
    unsigned threads = 0;
    // See default_step_budget; 0 for GPUPROF_SIM_STEPS or, where that is not set, the default.
    std::uint64_t step_budget = 0;
    // What kernels are checked for (check_set.hpp); nothing for GPUPROF_CHECK. A context keeps what it had as it first
    // allocated or launched. With checks a kernel runs on one host thread, and addresses are others.
    std::optional<check_set> checks{};
};

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_SIM_CODE_LAUNCH_HPP
