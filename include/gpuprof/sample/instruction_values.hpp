// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Values by instruction in reports: source metrics, and samples of stalls.
#ifndef GPUPROF_SAMPLE_INSTRUCTION_VALUES_HPP
#define GPUPROF_SAMPLE_INSTRUCTION_VALUES_HPP

#include <cstddef>
#include <optional>

#include "../detail/config.hpp"
#include "../hw/counters/uncounted/provided_value.hpp"
#include "../hw/samplers/pc_samples.hpp"
#include "../hw/samplers/sass_counts.hpp"
#include "../measure/report.hpp"

GPUPROF_NAMESPACE_BEGIN

// A value with instances, as range_view::try_provided() returns it: `number` is of the metric as a whole, `instances` has one
// number for each thing that the metric has values for. What these are is told by provider_metric::instanced_by: a number of
// warps, a logical link, or a function address, whose key is "0x1a0", bytes from the beginning of the function.
// CUPTI gives no value for each SM or slice of L2 (CUPTI 12.0, 2.7.4): docs/limits.md.
using instanced_value = hw::provided::provided_value;
using value_instance = hw::provided::provided_instance;

// What the numbers of instances are together.
struct instance_summary {
    std::size_t instances = 0;
    double sum = 0;
    double mean = 0;
    double least = 0;
    double most = 0;
    std::size_t place_of_most = 0; // in value.instances, the first of several
};

// Nothing for a value without instances.
[[nodiscard]] inline std::optional<instance_summary> summary_of(instanced_value const& value) noexcept {
    if (value.instances.empty()) return {};
    double const first = value.instances.front().number;
    instance_summary made{value.instances.size(), 0, 0, first, first, 0};
    for (std::size_t i = 0; i < value.instances.size(); ++i) {
        double const number = value.instances[i].number;
        made.sum += number;
        if (number < made.least) made.least = number;
        if (number > made.most) {
            made.most = number;
            made.place_of_most = i;
        }
    }
    made.mean = made.sum / static_cast<double>(made.instances);
    return made;
}

// The report with more metrics, those of Nsight Compute's guide that have a value by instruction (chapter 4, source metrics),
// as far as their counts are there: inst_executed, thread_inst_executed, memory_l1_wavefronts_shared,
// memory_l2_theoretical_sectors_global, their ideal and excessive ones, and so on.
//
//     auto const more = with_instruction_values(report, counts);
//     for (auto const& each : more.at(0).try_provided("inst_executed")->instances) std::cout << each.key << each.number;
//
// A range has values if it is named after a kernel that was counted, and is the report's only launch of it: CUPTI counts all
// launches together. Other ranges say why they have none. Instructions of functions that the kernel calls are not among its
// own, and those that count 0 are left out. Counts and report must be of the same work; which runs they are from is yours to
// know. What is saved, or written as JSON, has them as the report's other values.
[[nodiscard]] report with_instruction_values(report const& of, sass_counts const& counts);
// The same of samples: smsp__pcsamp_sample_count, and smsp__pcsamp_warps_issue_stalled_* with and without _not_issued (latency
// samples), for each reason that the chip has.
[[nodiscard]] report with_instruction_values(report const& of, pc_samples const& samples);

#if !GPUPROF_ENABLED
inline report with_instruction_values(report const& of, sass_counts const&) { return of; }
inline report with_instruction_values(report const& of, pc_samples const&) { return of; }
#endif

GPUPROF_NAMESPACE_END

#if GPUPROF_ENABLED && GPUPROF_HEADER_ONLY
#include "instruction_values.inl.hpp"
#endif

#endif // GPUPROF_SAMPLE_INSTRUCTION_VALUES_HPP
