// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the kernels of a program counted, told when it ends.
#ifndef GPUPROF_SRC_LIBCUDA_KERNEL_TABLE_HPP
#define GPUPROF_SRC_LIBCUDA_KERNEL_TABLE_HPP

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "../sim/chip/chip_model.hpp"
#include "../sim/counters/raw_counter.hpp"
#include "../sim/model/time_model.hpp"
#include <gpuprof/measure/report.hpp>

namespace gpuprof::driver_library {

// A row: all launches of one kernel on one chip, one of them, or those within a range of NVTX.
struct kernel_total {
    std::string name; // as the source has it; of one launch with its configuration
    sim::chip_model const* chip = nullptr;
    std::uint64_t launches = 0;
    std::uint64_t block_size = 0; // threads of a block; 0: the launches differ in it
    double waves = 0;             // how often the blocks of a launch fill the GPU, at least; 0: not known
    sim::counter_values counted;
    sim::time_estimate time;                           // of all launches one after the other; what decided most of it
    std::map<sim::time_bound, double> decided_by = {}; // seconds of the launches that this decided
};

// "DRAM"
[[nodiscard]] std::string_view name(sim::time_bound which) noexcept;

// The kernels as a report: a range for each, in the order of their first launch, with these metrics, or the usual ones if none
// are named. @pre the chip has the metrics
[[nodiscard]] report report_of(sim::chip_model const& chip, std::vector<kernel_total> const& kernels,
                               std::vector<std::string> const& metrics);

// A line a row: its launches and a column for each metric, with a heading that says how far the numbers can be trusted.
// Where the time is among the metrics, what decided it stands beside it, and its interval in the last column.
// @param of the report of these kernels
// @param rows what they are: "kernel" or "range"
[[nodiscard]] std::string kernel_table_text(report const& of, std::vector<kernel_total> const& kernels,
                                            std::string_view rows);

// What is bad, in sentences, and then the sentence of spill_notes().
[[nodiscard]] std::string verdicts_text(sim::chip_model const& chip, std::vector<kernel_total> const& kernels,
                                        std::string const& spills);

// From now on failed launches and findings are told on the standard error output, and, if the settings say so, kernels are
// counted and told when the process ends. Called once, before the first kernel.
void begin_kernel_table();

} // namespace gpuprof::driver_library

#endif // GPUPROF_SRC_LIBCUDA_KERNEL_TABLE_HPP
