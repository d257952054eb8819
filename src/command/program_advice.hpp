// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whether a program can run, as its file shows.
#ifndef GPUPROF_SRC_COMMAND_PROGRAM_ADVICE_HPP
#define GPUPROF_SRC_COMMAND_PROGRAM_ADVICE_HPP

#include <string>
#include <vector>

#include <gpuprof/core/compute_capability.hpp>
#include <gpuprof/hw/doctor/finding.hpp>

#include "../sim/chip/chip_model.hpp"
#include "program_image.hpp"

namespace gpuprof::command {

// A fact about a program. Obstacles say why it cannot run.
struct advice {
    finding::severity how = finding::severity::good;
    std::string about; // "runtime"
    std::string text;
    std::string remedy = {};
};

// On the embedded GPU.
[[nodiscard]] std::vector<advice> advice_for_embedded(program_image const& program, sim::chip_model const& chip);

// On a GPU of this machine. @param driver_version as cuDriverGetVersion says: 12040 for CUDA 12.4
[[nodiscard]] std::vector<advice> advice_for_gpu(program_image const& program, compute_capability gpu,
                                                 int driver_version);

} // namespace gpuprof::command

#endif // GPUPROF_SRC_COMMAND_PROGRAM_ADVICE_HPP
