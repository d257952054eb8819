// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The time that the warps of a launch spent in each state, by instruction. PC sampling samples it.
#ifndef GPUPROF_SRC_SIM_GPU_WARP_WAITS_HPP
#define GPUPROF_SRC_SIM_GPU_WARP_WAITS_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <gpuprof/detail/config.hpp>
#include <gpuprof/detail/hash.hpp>

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// The states of a warp that the model of time tells apart.
enum class warp_state : unsigned char {
    barrier,
    branch_resolving,
    lg_throttle,
    long_scoreboard,
    math_pipe_throttle,
    membar,
    mio_throttle,
    no_instructions,
    not_selected,
    selected,
    short_scoreboard,
    wait
};
inline constexpr std::size_t warp_states = static_cast<std::size_t>(warp_state::wait) + 1;
[[nodiscard]] constexpr std::string_view name(warp_state of) noexcept {
    constexpr std::string_view names[warp_states]{
        "barrier",      "branch_resolving", "lg_throttle",  "long_scoreboard", "math_pipe_throttle", "membar",
        "mio_throttle", "no_instructions",  "not_selected", "selected",        "short_scoreboard",   "wait"};
    return names[static_cast<std::size_t>(of)];
}

// Cycles added up over warps, by state.
struct instruction_waits {
    std::uint32_t function = 0; // of launch_waits::functions
    std::uint64_t offset = 0;   // bytes from the function's beginning
    std::array<double, warp_states> cycles{};
};
struct launch_waits {
    struct function {
        std::string name;
        std::uint32_t index = 0; // in its module
    };
    std::vector<function> functions;
    std::vector<instruction_waits> instructions; // those that ran
    double samplers_cycles = 0;                  // cycles that sub-partitions were active, added up over them
    double idle_share = 0;                       // of those cycles, in which nothing was issued
};

// An instruction of the embedded GPU takes as much code as one of hardware.
inline constexpr std::uint64_t instruction_bytes = 16;

// The number that names a module: its CRC, as CUPTI calls it, of 32 bits.
[[nodiscard]] constexpr std::uint64_t number_of_code(std::string_view image) noexcept {
    return gpuprof::detail::fnv1a(gpuprof::detail::fnv1a_start, image) & 0xffffffff;
}

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_GPU_WARP_WAITS_HPP
