// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Samples by source lines.
#ifndef GPUPROF_SAMPLE_SOURCE_TABLE_HPP
#define GPUPROF_SAMPLE_SOURCE_TABLE_HPP

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "../core/device_source.hpp"
#include "../core/fidelity.hpp"
#include "../core/result.hpp"
#include "../hw/samplers/module_code.hpp"
#include "../hw/samplers/pc_samples.hpp"

GPUPROF_NAMESPACE_BEGIN

// A line with samples.
struct sampled_line {
    std::uint32_t line = 0; // from 1
    std::uint64_t samples = 0;
    std::uint64_t latency_samples = 0;
    std::vector<stall_count> stalls{}; // most samples first
};

// A source file with samples.
struct sampled_file {
    std::string path;
    std::string text;                  // its content; empty if it could not be read
    std::vector<sampled_line> lines{}; // in the order of the file
    std::uint64_t samples = 0;
};

// Samples of a function without a line, and why.
struct unplaced_samples {
    std::string function;
    std::uint64_t samples = 0;
    std::string why;
};

// The lines of all files with samples; files with most samples come first.
struct source_table {
    std::string device;
    device_source source = device_source::hardware;
    fidelity how = fidelity::exact;
    std::vector<sampled_reason> reasons{};
    std::vector<sampled_file> files{};
    std::vector<unplaced_samples> unplaced{};
    std::uint64_t samples = 0; // of the chosen records
    std::uint64_t lost = 0;    // dropped, of all functions
    bool complete = true;      // see pc_samples::complete()
};

// Chooses the samples of a source table.
struct source_table_options {
    std::string function{};                          // only this kernel or function, mangled or as in the source
    std::size_t largest_file = std::size_t{4} << 20; // bytes; the text of larger ones is left out
};

// Looks up the line of each record and reads the files. Never fails: records without a line are in
// `unplaced`, with the reason. On the embedded GPU, whose code is PTX, lines are those of the PTX
// if it names no others. Cost: a look-up for each record.
[[nodiscard]] source_table lines_of(pc_samples const& of, module_code const& code,
                                    source_table_options const& options = {});

#if !GPUPROF_ENABLED
inline source_table lines_of(pc_samples const&, module_code const&, source_table_options const&) { return {}; }
#endif

GPUPROF_NAMESPACE_END

#if GPUPROF_ENABLED && GPUPROF_HEADER_ONLY
#include "source_table.inl.hpp"
#endif

#endif // GPUPROF_SAMPLE_SOURCE_TABLE_HPP
