// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Options of instruction sampling.
#ifndef GPUPROF_HW_SAMPLERS_PC_SAMPLING_OPTIONS_HPP
#define GPUPROF_HW_SAMPLERS_PC_SAMPLING_OPTIONS_HPP

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "../../detail/config.hpp"
#include "stall_reason.hpp"

GPUPROF_NAMESPACE_BEGIN

// Whether kernels may run concurrently while they are sampled.
enum class pc_sampling_mode : unsigned char {
    continuous,       // they may; samples do not name their launch
    kernel_serialized // one kernel at a time; samples name their launch
};
[[nodiscard]] constexpr std::string_view name(pc_sampling_mode of) noexcept {
    return of == pc_sampling_mode::continuous ? "continuous" : "serialised";
}

// The attributes of CUPTI's PC sampling, with the defaults that it documents (CUPTI 12.0, 2.10.1).
// gpuprof always sets the mode and the buffers; of the others only what differs from a default.
struct pc_sampling_options {
    static constexpr unsigned shortest_period = 5, longest_period = 31;

    pc_sampling_mode mode = pc_sampling_mode::continuous;
    // Each sub-partition of an SM samples a warp every 2 to this power cycles, 5 to 31. A short
    // period loses samples, which are counted; a long one misses short kernels. None: CUPTI chooses
    // by the number of SMs.
    std::optional<unsigned> period{};
    // Reasons to record, with their latency samples; unknown ones of the chip are among all. Empty:
    // all.
    std::vector<stall_reason> reasons{};
    // Host memory for data of the hardware buffer: room for 5,500 instructions with all reasons.
    std::size_t scratch_bytes = std::size_t{1} << 20;
    // Device memory for samples. When it is full, samples are lost and counted.
    std::size_t hardware_bytes = std::size_t{512} << 20;
    // Sample only between try_start() and try_stop(); else from the beginning to the end.
    bool ranges = false;
    // Period in which CUPTI's threads fetch samples. CUPTI 12.0 and later.
    std::uint32_t worker_milliseconds = 100;
    // Not an attribute: how many instructions a call fetches, and how many the last call has room
    // for.
    std::size_t records_a_fetch = 8192;
};

// The configuration that CUPTI reports, where it can be asked.
struct pc_sampling_configuration {
    std::optional<unsigned> period{}; // as above, or CUPTI's own choice
    std::optional<std::size_t> scratch_bytes{};
    std::optional<std::size_t> hardware_bytes{};
    std::optional<std::uint32_t> worker_milliseconds{};
};

GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_SAMPLERS_PC_SAMPLING_OPTIONS_HPP
