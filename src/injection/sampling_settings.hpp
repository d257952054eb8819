// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How the injection library samples instructions, as the environment says (docs/environment.md).
#ifndef GPUPROF_INJECTION_SAMPLING_SETTINGS_HPP
#define GPUPROF_INJECTION_SAMPLING_SETTINGS_HPP

#include <optional>
#include <string>
#include <utility>

#include <gpuprof/hw/samplers/pc_sampling_options.hpp>

#include "file_name.hpp"
#include "name_pattern.hpp"
#include "settings.hpp"

namespace gpuprof::injection {

enum class sample_format : unsigned char { json, csv, html, lines };

// What is told of instructions.
enum class told_of_instructions : unsigned char { samples, counts, both };

struct sampling_settings {
    std::string file;
    sample_format format = sample_format::json;
    pc_sampling_options how{};
    bool table = true;
    told_of_instructions told = told_of_instructions::samples;
    std::optional<program::name_pattern> kernels{}; // whose lines are written; none: of all

    [[nodiscard]] bool samples() const noexcept { return told != told_of_instructions::counts; }
    [[nodiscard]] bool counts() const noexcept { return told != told_of_instructions::samples; }
};

// Whether gpuprof explain wants the lines of source that its kernels come from.
[[nodiscard]] inline bool wants_lines() { return !platform::trusted_variable("GPUPROF_SAMPLE_LINES").empty(); }

// Errors: as below.
[[nodiscard]] inline result<void> try_read_lines(sampling_settings& all) {
    if (!wants_lines()) return {};
    std::string const word = platform::trusted_variable("GPUPROF_SAMPLE_LINES");
    if (word == "counts") all.told = told_of_instructions::counts;
    else if (word == "both") all.told = told_of_instructions::both;
    else if (word != "samples")
        return bad_value("GPUPROF_SAMPLE_LINES", word, "lines have nothing of this name",
                         "use samples, counts or both");
    if (all.format != sample_format::json)
        return bad_value("GPUPROF_SAMPLE_FILE", all.file, "lines are written as JSON", "end it with .json");
    all.format = sample_format::lines;
    all.table = false;
    auto kernels = program::name_pattern::try_make(platform::trusted_variable("GPUPROF_EXPLAIN_KERNELS"));
    if (!kernels) return std::move(kernels).error();
    all.kernels.emplace(*std::move(kernels));
    return {};
}

// Errors: invalid_argument for a value that means nothing.
[[nodiscard]] inline result<sampling_settings> try_read_sampling_settings() {
    sampling_settings all;
    std::string const file = platform::trusted_variable("GPUPROF_SAMPLE_FILE");
    all.file = program::file_name_of(file);
    if (all.file.ends_with(".csv")) all.format = sample_format::csv;
    else if (all.file.ends_with(".html")) all.format = sample_format::html;
    else if (!all.file.ends_with(".json"))
        return bad_value("GPUPROF_SAMPLE_FILE", file, "its ending says no format",
                         "end it with .json for samples that can be merged, .csv for lines and instructions, or .html");
    if (std::string const word = platform::trusted_variable("GPUPROF_SAMPLE_PERIOD"); !word.empty()) {
        auto const power = number_of("GPUPROF_SAMPLE_PERIOD", word, 0, pc_sampling_options::longest_period);
        if (!power) return power.error();
        if (*power < pc_sampling_options::shortest_period)
            return bad_value("GPUPROF_SAMPLE_PERIOD", word, "samples are taken every 2^5 to 2^31 cycles",
                             "give a power of two from 5 to 31");
        all.how.period = static_cast<unsigned>(*power);
    }
    if (platform::trusted_variable("GPUPROF_SAMPLE_SERIALISED") == "1")
        all.how.mode = pc_sampling_mode::kernel_serialized;
    all.how.records_a_fetch = 65536; // the last fetch has no second one
    all.table = platform::trusted_variable("GPUPROF_SAMPLE_TABLE") != "0";
    if (auto read = try_read_lines(all); !read) return std::move(read).error();
    return result<sampling_settings>{std::move(all)};
}

} // namespace gpuprof::injection

#endif // GPUPROF_INJECTION_SAMPLING_SETTINGS_HPP
