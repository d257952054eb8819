// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How instructions are sampled. Layer: hw.
#ifndef GPUPROF_HW_PC_PC_SAMPLING_OPTIONS_HPP
#define GPUPROF_HW_PC_PC_SAMPLING_OPTIONS_HPP

#include <cstddef>     // std::size_t
#include <cstdint>     // cycles
#include <optional>    // CUPTI's own choice
#include <string_view> // names
#include <vector>      // reasons

#include "../../detail/config.hpp"
#include "stall_reason.hpp"

GPUPROF_NAMESPACE_BEGIN

// Whether kernels run side by side while they are sampled.
enum class pc_sampling_mode : unsigned char {
    continuous,       // as without sampling; samples do not tell of which launch they are
    kernel_serialized // one kernel at a time; samples tell of which launch they are
};
[[nodiscard]] constexpr std::string_view name(pc_sampling_mode of) noexcept {
    return of == pc_sampling_mode::continuous ? "continuous" : "serialised";
}

// The attributes of CUPTI's PC sampling, with the defaults that it documents (CUPTI 12.0, 2.10.1). Only what differs from a
// default is set, but for the mode and the buffers.
struct pc_sampling_options {
    static constexpr unsigned shortest_period = 5, longest_period = 31;

    pc_sampling_mode mode = pc_sampling_mode::continuous;
    // Each sub-partition of an SM samples a warp every 2 to this power cycles, 5 to 31. Too short a period loses samples, and what
    // is lost is counted; too long a one takes none of a short kernel. None: CUPTI chooses by the number of SMs.
    std::optional<unsigned> period{};
    // Reasons to record, with their latency samples; unknown ones of the chip are among all. Empty: all.
    std::vector<stall_reason> reasons{};
    // Host memory for what comes out of the hardware buffer: room for 5,500 instructions with all reasons.
    std::size_t scratch_bytes = std::size_t{1} << 20;
    // Device memory for samples. When it is full they are lost, and that is counted.
    std::size_t hardware_bytes = std::size_t{512} << 20;
    // Sample between try_start() and try_stop() only; else from the beginning to the end.
    bool ranges = false;
    // How often CUPTI's threads look for samples. CUPTI 12.0 and later.
    std::uint32_t worker_milliseconds = 100;
    // Not CUPTI's: how many instructions one call fetches, and how many the last one finds room for.
    std::size_t records_a_fetch = 8192;
};

// What CUPTI says that it does, where it can be asked.
struct pc_sampling_configuration {
    std::optional<unsigned> period{}; // see above; CUPTI's choice, if it chose
    std::optional<std::size_t> scratch_bytes{};
    std::optional<std::size_t> hardware_bytes{};
    std::optional<std::uint32_t> worker_milliseconds{};
};

GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_PC_PC_SAMPLING_OPTIONS_HPP
