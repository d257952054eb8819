// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Asks gpuprof what would keep it from measuring here, before anything is measured.
// What you learn: doctor(), its findings and their remedies.
#include <iostream>

#include <gpuprof/gpuprof.hpp>

int main() {
    auto const findings = gpuprof::doctor();
    std::size_t problems = 0;
    for (auto const& each : findings) problems += each.how == gpuprof::finding::severity::problem ? 1 : 0;
    std::cout << gpuprof::to_text(findings)
              << (problems == 0 ? "Ready to measure.\n" : "Not ready: see the problems above.\n");
}
