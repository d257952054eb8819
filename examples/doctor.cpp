// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Asks gpuprof what would keep it from measuring here, before anything is measured. `gpuprof doctor` says more.
// What you learn: doctor(), its findings and their remedies; a program that needs no embedded GPU is soon compiled.
//
//     doctor          what was found; GPUPROF_DEVICE chooses the device, as for open_device()
//     doctor --all    also what is always so with such a device or system
//
// Exit: 0 if measuring will work, 1 if an obstacle stands in the way, 2 for other arguments.
#include <algorithm>
#include <iostream>
#include <string_view>

#include <gpuprof/hw/doctor/doctor.hpp>
#include <gpuprof/legacy.hpp> // for GPUs before capability 7.0

int main(int count, char** words) {
    bool const all = count == 2 && words[1] == std::string_view{"--all"};
    if (count > 1 && !all) {
        std::cerr << "usage: doctor [--all]\n";
        return 2;
    }
    auto const findings = gpuprof::doctor();
    auto const notes = std::ranges::count(findings, gpuprof::finding::severity::note, &gpuprof::finding::how);
    std::cout << gpuprof::to_text(findings, all);
    if (notes > 0 && !all) std::cout << "  (doctor --all says " << notes << " more)\n";
    bool const ready = gpuprof::can_measure(findings);
    std::cout << (ready ? "Ready to measure.\n" : "Not ready: see the obstacles above.\n");
    return ready ? 0 : 1;
}
