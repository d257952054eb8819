// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Counts of each instruction of the kernels that ran.
#ifndef GPUPROF_HW_SAMPLERS_SASS_COUNTS_HPP
#define GPUPROF_HW_SAMPLERS_SASS_COUNTS_HPP

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "../../core/device_source.hpp"
#include "../../core/fidelity.hpp"
#include "../../core/result.hpp"
#include "../../detail/config.hpp"
#include "source_location.hpp"
#if !GPUPROF_ENABLED
#include "../machine/compiled_out.hpp"
#endif

GPUPROF_NAMESPACE_BEGIN

class module_code;

// A metric that CUPTI counts for each instruction.
struct sass_metric {
    std::string name;        // "smsp__sass_inst_executed"
    std::string description; // CUPTI's
    std::uint64_t id = 0;    // CUPTI's
};

// An instruction of a function, and its counts, all launches added up.
struct sass_record {
    std::string function;                // mangled, as the driver has it
    std::uint64_t module = 0;            // CUPTI's CRC of the module's code: a number of module_code
    std::uint64_t pc_offset = 0;         // bytes from the beginning of the function
    std::uint32_t function_index = 0;    // index of the function among the module's symbols
    std::vector<std::uint64_t> values{}; // in the order of sass_counts::metrics

    friend bool operator==(sass_record const&, sass_record const&) = default;
};

// A function, all its instructions added up.
struct sass_function {
    std::string function;
    std::uint64_t module = 0;
    std::size_t instructions = 0; // that have a record
    std::vector<std::uint64_t> values{};
};

// The counts of a `sass_counter`: a record for each instruction of the functions that ran, with a
// value a metric.
struct sass_counts {
    std::string device;
    std::string chip;
    device_source source = device_source::hardware;
    fidelity how = fidelity::exact;     // estimated on the embedded GPU, for the code that ptxas would generate
    std::vector<std::string> metrics{}; // "smsp__sass_inst_executed"
    std::vector<sass_record> records{}; // by module, function and place, each once
    std::uint64_t dropped = 0;          // values that ended with the counter and were not fetched

    // The index of a metric's values. Errors: not_collected.
    [[nodiscard]] result<std::size_t> try_find(std::string_view metric) const;
    // The functions, in the order of records.
    [[nodiscard]] std::vector<sass_function> functions() const;
    // Adds counts of another time, by function and place. Errors: invalid_argument if chip, source
    // or metrics differ; nothing has changed then.
    [[nodiscard]] result<void> try_merge(sass_counts const& other);
};

// A source line, all its instructions added up. Without a known line: no file, line 0.
struct counted_line {
    source_location at{};
    std::vector<std::uint64_t> values{}; // in the order of sass_counts::metrics
};

// Sums by file and line. Instructions without a known line (module_code::try_locate) are the first
// row. Cost: a look-up for each record.
[[nodiscard]] std::vector<counted_line> lines_of(sass_counts const& of, module_code const& code);

#if !GPUPROF_ENABLED
inline result<std::size_t> sass_counts::try_find(std::string_view) const { return detail::compiled_out(); }
inline std::vector<sass_function> sass_counts::functions() const { return {}; }
inline result<void> sass_counts::try_merge(sass_counts const&) { return {}; }
inline std::vector<counted_line> lines_of(sass_counts const&, module_code const&) { return {}; }
#endif

GPUPROF_NAMESPACE_END

#if GPUPROF_ENABLED && GPUPROF_HEADER_ONLY
#include "sass_counts.inl.hpp"
#endif

#endif // GPUPROF_HW_SAMPLERS_SASS_COUNTS_HPP
