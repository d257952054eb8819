// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Samples of instructions: how many an instruction has, and why its warps waited.
#ifndef GPUPROF_HW_SAMPLERS_PC_SAMPLES_HPP
#define GPUPROF_HW_SAMPLERS_PC_SAMPLES_HPP

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../../core/device_source.hpp"
#include "../../core/fidelity.hpp"
#include "../../core/result.hpp"
#include "../../detail/config.hpp"
#include "pc_sampling_options.hpp"
#include "stall_reason.hpp"

#if !GPUPROF_ENABLED
#include "../machine/compiled_out.hpp"
#endif

GPUPROF_NAMESPACE_BEGIN

// A stall reason of a chip. CUPTI has one number for its samples, and one for its latency samples.
struct sampled_reason {
    std::string name; // "long_scoreboard"
    stall_reason reason = stall_reason::unknown;

    friend bool operator==(sampled_reason const&, sampled_reason const&) = default;
};

// The samples of an instruction with one reason. Latency samples are those in cycles in which the
// warp's scheduler issued nothing: other warps did not hide the stall.
struct stall_count {
    std::uint16_t reason = 0; // index of pc_samples::reasons
    std::uint64_t samples = 0;
    std::uint64_t latency_samples = 0;

    friend bool operator==(stall_count const&, stall_count const&) = default;
};

// An instruction of a function, and its samples. In serialised mode there is a record for each
// sampled launch.
struct pc_record {
    std::string function;              // mangled, as the driver has it
    std::uint64_t module = 0;          // CUPTI's CRC of the module's code
    std::uint64_t pc_offset = 0;       // bytes from the beginning of the function
    std::uint32_t function_index = 0;  // index of the function among the module's symbols
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

// The samples of a collection. All counts are of samples; a sample stands for a period's cycles of
// one sub-partition of an SM.
struct pc_samples {
    std::string device;
    std::string chip;
    device_source source = device_source::hardware;
    fidelity how = fidelity::exact; // estimated on the embedded GPU, from its model's cycles
    pc_sampling_mode mode = pc_sampling_mode::continuous;
    unsigned period = 0; // 2 to that power cycles; 0: not known
    std::vector<sampled_reason> reasons{};
    std::vector<pc_record> records{}; // by module, function, launch and place, each once

    // As CUPTI counts: samples of records, of reasons that were not asked for and of other kernels,
    // and dropped ones.
    std::uint64_t total = 0;
    std::uint64_t dropped = 0;  // lost on the way out of the hardware
    std::uint64_t non_user = 0; // of kernels without records: the driver's own, other programs'
    // Of them, those that may be of kernels of this program. CUPTI 13.0 has no records of a kernel
    // that ran under a profiler of this process before it was sampled (H200).
    std::uint64_t unnamed = 0;
    // How often the hardware buffer was full. Samples were lost then; CUPTI does not say how many.
    std::uint64_t buffer_full = 0;
    std::uint64_t lost_records = 0; // instructions that the last fetch had no room for
    std::vector<std::uint64_t>
        ranges{};                 // CUPTI's numbers of the ranges that the samples are of, each once, in their order
    std::size_t buffer_bytes = 0; // of the hardware's buffer; 0: not known

    // The samples of all records.
    [[nodiscard]] std::uint64_t samples() const noexcept {
        std::uint64_t sum = 0;
        for (pc_record const& each : records) sum += each.samples();
        return sum;
    }
    // Whether no sample was lost.
    [[nodiscard]] bool complete() const noexcept {
        return dropped == 0 && buffer_full == 0 && lost_records == 0 && unnamed == 0;
    }

    // A metric about the sampling itself (Nsight Compute's guide, 4): smsp__pcsamp_interval (the interval is 32 cycles, doubled so
    // often), …interval_cycles, …buffer_size_bytes, …aggregated_passes; or smsp__pcsamp_sample_count. Errors: unknown_metric for
    // another name; unavailable for …dropped_bytes, since CUPTI counts dropped samples; not_collected for what is not known.
    [[nodiscard]] result<double> try_value(std::string_view metric) const;

    // Adds a record to the record of the same place, or as a new one.
    void add(pc_record record);
    // Adds another collection by function and place. Does not distinguish launches of other
    // processes from those of this one. Errors: invalid_argument if chip, source, mode or period
    // differ; nothing has changed then.
    [[nodiscard]] result<void> try_merge(pc_samples const& other);
    // The index of the reason of that name; adds it if there is none.
    [[nodiscard]] std::uint16_t reason_of(std::string_view called);
};

#if !GPUPROF_ENABLED
inline result<double> pc_samples::try_value(std::string_view) const { return detail::compiled_out(); }
inline void pc_samples::add(pc_record) {}
inline result<void> pc_samples::try_merge(pc_samples const&) { return {}; }
inline std::uint16_t pc_samples::reason_of(std::string_view) { return 0; }
#endif

GPUPROF_NAMESPACE_END

#if GPUPROF_ENABLED && GPUPROF_HEADER_ONLY
#include "pc_samples.inl.hpp"
#endif

#endif // GPUPROF_HW_SAMPLERS_PC_SAMPLES_HPP
