// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Samples of instructions by scope.
#ifndef GPUPROF_SAMPLE_PC_SCOPE_REPORT_HPP
#define GPUPROF_SAMPLE_PC_SCOPE_REPORT_HPP

#include <cstdint>
#include <string>
#include <vector>

#include "../detail/config.hpp"
#include "../hw/samplers/pc_samples.hpp"

GPUPROF_NAMESPACE_BEGIN

// The samples of a scope, without those of its inner scopes.
struct scoped_samples {
    std::string path;        // "frame/solve"; empty: outside of scopes
    std::uint64_t count = 0; // of times that the scope was entered
    pc_samples samples{};
};

// The samples of each scope.
struct pc_scope_report {
    std::vector<scoped_samples> scopes{}; // in the order of first entry; the first is what was outside
    std::uint64_t ignored = 0;            // scopes on threads that did not open the sampler
};

GPUPROF_NAMESPACE_END

#endif // GPUPROF_SAMPLE_PC_SCOPE_REPORT_HPP
