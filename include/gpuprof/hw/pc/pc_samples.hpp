// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Samples of instructions: which, how many, and what their warps waited for. Layer: hw.
#ifndef GPUPROF_HW_PC_PC_SAMPLES_HPP
#define GPUPROF_HW_PC_PC_SAMPLES_HPP

#include <cstddef>     // std::size_t
#include <cstdint>     // counts
#include <string>      // names
#include <string_view> // names
#include <utility>     // std::move
#include <vector>      // records

#include "../../core/device_source.hpp"
#include "../../core/fidelity.hpp"
#include "../../core/result.hpp"
#include "../../detail/config.hpp"
#include "pc_sampling_options.hpp"
#include "stall_reason.hpp"

GPUPROF_NAMESPACE_BEGIN

// A reason that a chip's warps can be sampled with. CUPTI has a number for its samples, and one for the latency samples.
struct sampled_reason {
    std::string name; // "long_scoreboard"
    stall_reason reason = stall_reason::unknown;

    friend bool operator==(sampled_reason const&, sampled_reason const&) = default;
};

// Samples of an instruction with one reason. Latency samples are those in a cycle in which the warp's scheduler issued nothing:
// the stall was not hidden by other warps.
struct stall_count {
    std::uint16_t reason = 0; // of pc_samples::reasons
    std::uint64_t samples = 0;
    std::uint64_t latency_samples = 0;

    friend bool operator==(stall_count const&, stall_count const&) = default;
};

// An instruction of a function, and its samples. In serialised mode there is a record for each launch that was sampled there.
struct pc_record {
    std::string function;              // as the driver has it: mangled
    std::uint64_t module = 0;          // CUPTI's CRC of the module's code
    std::uint64_t pc_offset = 0;       // bytes from the beginning of the function
    std::uint32_t function_index = 0;  // of the function among the module's symbols
    std::uint32_t launch = 0;          // correlation number of the launching call; 0 in continuous mode
    std::vector<stall_count> stalls{}; // by reason; only those with samples

    [[nodiscard]] std::uint64_t samples() const noexcept {
        std::uint64_t sum = 0;
        for (stall_count const& each : stalls) sum += each.samples;
        return sum;
    }
    [[nodiscard]] std::uint64_t latency_samples() const noexcept {
        std::uint64_t sum = 0;
        for (stall_count const& each : stalls) sum += each.latency_samples;
        return sum;
    }
    friend bool operator==(pc_record const&, pc_record const&) = default;
};

// What was sampled. All counts are of samples; one stands for a period's cycles of one sub-partition of an SM.
struct pc_samples {
    std::string device;
    std::string chip;
    device_source source = device_source::hardware;
    fidelity how = fidelity::exact; // estimated on the embedded GPU: shares of its model's cycles
    pc_sampling_mode mode = pc_sampling_mode::continuous;
    unsigned period = 0; // 2 to that power cycles; 0: not known
    std::vector<sampled_reason> reasons{};
    std::vector<pc_record> records{}; // by module, function, launch and place, each once

    std::uint64_t total =
        0; // as CUPTI counts: of records, of reasons not asked for, of other kernels, and dropped ones
    std::uint64_t dropped = 0;  // lost on the way out of the hardware
    std::uint64_t non_user = 0; // of kernels that are not the program's, which have no records
    std::uint64_t buffer_full =
        0; // how often the hardware buffer was full: samples were lost, CUPTI does not say how many
    std::uint64_t lost_records = 0; // instructions that the last fetch had no room for

    // Of all records.
    [[nodiscard]] std::uint64_t samples() const noexcept {
        std::uint64_t sum = 0;
        for (pc_record const& each : records) sum += each.samples();
        return sum;
    }
    // Whether all samples that were taken are here.
    [[nodiscard]] bool complete() const noexcept { return dropped == 0 && buffer_full == 0 && lost_records == 0; }

    // Adds a record to the one of the same place, or a new one.
    GPUPROF_DECLARE void add(pc_record record);
    // Adds what another collection has, by function and place. Launches of other processes are not told apart from those here.
    // Errors: invalid_argument, with nothing changed, if chip, source, mode or period differ.
    GPUPROF_DECLARE [[nodiscard]] result<void> try_merge(pc_samples const& other);
    // The number of the reason of that name, which is added if there is none.
    GPUPROF_DECLARE [[nodiscard]] std::uint16_t reason_of(std::string_view called);
};

GPUPROF_NAMESPACE_END

#if GPUPROF_HEADER_ONLY
#include "pc_samples.inl.hpp"
#endif

#endif // GPUPROF_HW_PC_PC_SAMPLES_HPP
