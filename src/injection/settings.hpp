// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the injection library records and where it writes it, as the environment says (docs/environment.md).
#ifndef GPUPROF_INJECTION_SETTINGS_HPP
#define GPUPROF_INJECTION_SETTINGS_HPP

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include <gpuprof/text/list_parts.hpp>
#include <gpuprof/text/printable.hpp>
#include <gpuprof/core/result.hpp>
#include <gpuprof/hw/machine/platform/environment.hpp>
#include <gpuprof/hw/activity/kind_set.hpp>

#include "file_name.hpp"

namespace gpuprof::injection {

enum class file_format : unsigned char { json, csv, ndjson };

// What CUPTI has for every program, at the price of a record a call. Without the driver's calls, of which the runtime makes one
// or more for each of its own.
inline constexpr activity::kind_set default_kinds{abi::CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL,
                                                  abi::CUPTI_ACTIVITY_KIND_MEMCPY,
                                                  abi::CUPTI_ACTIVITY_KIND_MEMCPY2,
                                                  abi::CUPTI_ACTIVITY_KIND_MEMSET,
                                                  abi::CUPTI_ACTIVITY_KIND_RUNTIME,
                                                  abi::CUPTI_ACTIVITY_KIND_MARKER,
                                                  abi::CUPTI_ACTIVITY_KIND_SYNCHRONIZATION,
                                                  abi::CUPTI_ACTIVITY_KIND_OVERHEAD,
                                                  abi::CUPTI_ACTIVITY_KIND_DEVICE,
                                                  abi::CUPTI_ACTIVITY_KIND_CONTEXT,
                                                  abi::CUPTI_ACTIVITY_KIND_NAME};

// What OpenACC's runtime reports, and the same with what ties it to calls.
inline constexpr activity::kind_set openacc_kinds{abi::CUPTI_ACTIVITY_KIND_OPENACC_DATA,
                                                  abi::CUPTI_ACTIVITY_KIND_OPENACC_LAUNCH,
                                                  abi::CUPTI_ACTIVITY_KIND_OPENACC_OTHER};
inline constexpr activity::kind_set openacc_kinds_and_calls = [] {
    activity::kind_set kinds = openacc_kinds;
    kinds.add(abi::CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION);
    return kinds;
}();

struct settings {
    std::string file;
    file_format format = file_format::json;
    activity::kind_set kinds = default_kinds;
    bool kinds_chosen = false;            // by the user: then all must work
    std::size_t buffers = 32;             // of 4 MiB
    std::uint32_t flush_period_ms = 1000; // how much is lost at most if the process is killed
    bool table = true;
};

[[nodiscard]] inline error bad_value(char const* variable, std::string_view value, char const* reason,
                                     char const* remedy) {
    return {errc::invalid_argument, 0, std::string{variable} + "=" + gpuprof::detail::printable(value), reason, remedy};
}

// "default,driver", "kernel,memcpy": names of activity::kind_names, but `kernel` is a kernel that runs as it would without a
// trace; `serial_kernel` lets one run at a time; `openacc` is its three kinds and what ties them to calls.
[[nodiscard]] inline result<activity::kind_set> kinds_of(std::string_view list) {
    activity::kind_set kinds;
    for (std::string_view name : gpuprof::detail::list_parts(list)) {
        while (name.starts_with(' ')) name.remove_prefix(1);
        while (name.ends_with(' ')) name.remove_suffix(1);
        if (name.empty()) continue;
        auto kind = activity::kind_named(name);
        if (name == "kernel") kind = abi::CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL;
        if (name == "serial_kernel") kind = abi::CUPTI_ACTIVITY_KIND_KERNEL;
        if (name == "default") kinds.add(default_kinds);
        else if (name == "openacc") kinds.add(openacc_kinds_and_calls);
        else if (kind != abi::CUPTI_ACTIVITY_KIND_INVALID) kinds.add(kind);
        else
            return bad_value("GPUPROF_TRACE_KINDS", name, "no kind of activity records has this name",
                             "use names such as kernel, memcpy, memset, runtime, driver, or default");
    }
    if (kinds.empty()) return default_kinds;
    return kinds;
}

[[nodiscard]] inline result<std::size_t> number_of(char const* variable, std::string_view text, std::size_t otherwise,
                                                   std::size_t most) {
    if (text.empty()) return otherwise;
    std::size_t number = 0;
    auto const [end, fault] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (fault != std::errc{} || end != text.data() + text.size() || number == 0 || number > most)
        return bad_value(variable, text, "it is no number in the range", "see docs/environment.md for the range");
    return number;
}

// Errors: invalid_argument for a value that means nothing.
[[nodiscard]] inline result<settings> try_read_settings() {
    settings all;
    std::string file = platform::trusted_variable("GPUPROF_TRACE_FILE");
    if (file.empty()) file = "gpuprof-%p.json";
    all.file = program::file_name_of(file);
    if (all.file.ends_with(".csv")) all.format = file_format::csv;
    else if (all.file.ends_with(".ndjson")) all.format = file_format::ndjson;
    else if (!all.file.ends_with(".json"))
        return bad_value("GPUPROF_TRACE_FILE", file, "its ending says no format",
                         "end it with .json for viewers of traces, .csv or .ndjson");

    std::string const kinds = platform::trusted_variable("GPUPROF_TRACE_KINDS");
    auto chosen = kinds_of(kinds);
    if (!chosen) return std::move(chosen).error();
    all.kinds = *chosen;
    all.kinds_chosen = !kinds.empty();
    // Who has the runtimes load a library wants to see them.
    if (!all.kinds_chosen && !platform::trusted_variable("ACC_PROFLIB").empty()) all.kinds.add(openacc_kinds_and_calls);
    if (!all.kinds_chosen && !platform::trusted_variable("OMP_TOOL_LIBRARIES").empty())
        all.kinds.add(abi::CUPTI_ACTIVITY_KIND_OPENMP);

    auto buffers =
        number_of("GPUPROF_TRACE_BUFFERS", platform::trusted_variable("GPUPROF_TRACE_BUFFERS"), all.buffers, 65536);
    if (!buffers) return std::move(buffers).error();
    all.buffers = *buffers;
    auto period = number_of("GPUPROF_TRACE_FLUSH_MS", platform::trusted_variable("GPUPROF_TRACE_FLUSH_MS"),
                            all.flush_period_ms, 3'600'000);
    if (!period) return std::move(period).error();
    all.flush_period_ms = static_cast<std::uint32_t>(*period);
    all.table = platform::trusted_variable("GPUPROF_TRACE_TABLE") != "0";
    return all;
}

} // namespace gpuprof::injection

#endif // GPUPROF_INJECTION_SETTINGS_HPP
