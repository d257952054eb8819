// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tells how many kernels have the instructions of their machine code, and how many have estimates.
#include <functional>
#include <map>
#include <string>

#include <gpuprof/core/counted.hpp>
#include <gpuprof/text/wrapped.hpp>
#include "../sim/model/kernel_estimates.hpp"

#include "machine_code_notes.hpp"

namespace gpuprof::driver_library {
namespace {

// Never destroyed, as the table of kernels.
std::map<std::string, bool, std::less<>>& has_machine_code() {
    static auto* const by_kernel = new std::map<std::string, bool, std::less<>>;
    return *by_kernel;
}

} // namespace

void note_instructions(sim::kernel const& of, sim::chip_model const& chip) {
    auto& all = has_machine_code();
    if (all.find(of.name) == all.end()) all.emplace(of.name, sim::estimates_of(chip, of)->has_machine_code);
}

std::string machine_code_notes() {
    unsigned have = 0, others = 0;
    for (auto const& [kernel, has] : has_machine_code()) ++(has ? have : others);
    std::string text = "instructions of " + gpuprof::detail::counted(have, "kernel") + " are those of machine code";
    if (others != 0)
        text += "; of " + gpuprof::detail::counted(others, "kernel") +
                " they are estimated: there is none, nvdisasm is not found, or it differs";
    return gpuprof::detail::wrapped_lines(text + "\n", 100);
}

} // namespace gpuprof::driver_library
