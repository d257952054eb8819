// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "settings.hpp"

#include <charconv>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include <unistd.h>

#include <gpuprof/hw/machine/embedded_count.hpp>
#include <gpuprof/hw/machine/platform/environment.hpp>
#include <gpuprof/metric/base_metric.hpp>
#include <gpuprof/metric/base_name.hpp>
#include <gpuprof/metric/info.hpp>
#include <gpuprof/metric/nearest.hpp>
#include <gpuprof/text/list_parts.hpp>
#include <gpuprof/text/printable.hpp>

#include "../sim/chip/chips.hpp"
#include "../sim/counters/metric_table.hpp"
#include "../sim/driver/checks.hpp"
#include "../sim/embedded_device.hpp"

namespace gpuprof::driver_library {
namespace {

error bad_value(std::string_view variable, std::string_view value, std::string_view cause, std::string_view remedy) {
    return {errc::invalid_argument, 0, gpuprof::detail::joined({variable, "=", gpuprof::detail::printable(value)}),
            cause, remedy};
}

// Why the chip's kernels cannot be told by that metric; nothing if they can.
std::optional<error> refusal_of(sim::chip_model const& chip, std::string const& name) {
    if (sim::find_metric(chip, name)) {
        auto known = try_metric(name);
        return known ? std::nullopt : std::optional{std::move(known).error()};
    }
    std::vector<std::string_view> bases;
    for (sim::metric_row const& row : sim::metric_rows)
        if (row.is_on(chip)) bases.emplace_back(row.name);
    auto const row = sim::find_row(chip, base_name(name));
    return unknown_metric(name, "the embedded " + std::string{chip.chip_name}, bases,
                          row ? sub_metrics(sim::metric_rows[*row].kind) : std::span<std::string_view const>{},
                          "does not model");
}

// Which of the words a variable is set to, from 1 on; 0: it is not set.
result<int> word_of(char const* variable, std::vector<std::string_view> const& words) {
    std::string const value = platform::trusted_variable(variable);
    if (value.empty()) return 0;
    std::string names;
    int number = 0;
    for (std::string_view const word : words) {
        ++number;
        if (value == word) return number;
        names = gpuprof::detail::joined({names, names.empty() ? "" : ", ", word});
    }
    return bad_value(variable, value, gpuprof::detail::joined({variable, " is ", names, " or not set"}),
                     gpuprof::detail::perhaps(value, words));
}

// "csv:kernels.csv". The program may go to another folder, so a path is made absolute.
result<void> read_table(settings& to) {
    std::string const value = platform::trusted_variable("GPUPROF_KERNELS");
    if (value.empty()) return {};
    constexpr std::string_view names[]{"text", "csv", "json", "saved"};
    std::string_view const all = value;
    std::size_t const colon = all.find(':');
    std::string_view const format = all.substr(0, colon);
    for (std::size_t i = 0; i < std::size(names); ++i)
        if (names[i] == format) to.format = static_cast<table_format>(i + 1);
    if (to.format == table_format::none)
        return bad_value("GPUPROF_KERNELS", value, "its first word is text, csv, json or saved",
                         gpuprof::detail::perhaps(format, names));
    if (colon != all.npos) to.file = value.substr(colon + 1);
    if (to.file.empty() || to.file.front() == '/') return {};
    std::unique_ptr<char, void (*)(void*)> const folder{::getcwd(nullptr, 0), &std::free};
    if (folder) to.file = gpuprof::detail::joined({folder.get(), "/", to.file});
    return {};
}

result<int> read_finding_status() {
    std::string const value = platform::trusted_variable("GPUPROF_CHECK_EXIT_CODE");
    if (value.empty()) return 0;
    int number = 0;
    auto const [end, fault] = std::from_chars(value.data(), value.data() + value.size(), number);
    if (fault != std::errc{} || end != value.data() + value.size() || number < 1 || number > 255)
        return bad_value("GPUPROF_CHECK_EXIT_CODE", value,
                         "an exit status that says something is a number from 1 to 255", "use 1");
    return number;
}

} // namespace

result<settings> try_read_settings() {
    settings all;
    std::string const chip = platform::trusted_variable("GPUPROF_CHIP");
    all.chip = chip.empty() ? &sim::gh100 : sim::find_embedded_chip(chip);
    if (all.chip == nullptr) return sim::detail::no_such_chip(chip);
    if (auto read = read_table(all); !read) return std::move(read).error();
    auto appends = word_of("GPUPROF_KERNEL_FILE", {"append"});
    auto rows = word_of("GPUPROF_KERNEL_ROWS", {"launches", "ranges"});
    auto flush = word_of("GPUPROF_KERNEL_CACHES", {"flush"});
    auto machine_code = word_of("GPUPROF_MACHINE_CODE", {"binary", "compile"});
    auto progress = word_of("GPUPROF_KERNEL_PROGRESS", {"show"});
    auto collection = word_of("GPUPROF_COLLECTION", {"passes"});
    auto rank = word_of("GPUPROF_RANK", {"first", "other"});
    for (auto* const word : {&appends, &rows, &flush, &machine_code, &progress, &collection, &rank})
        if (!*word) return std::move(*word).error();
    all.appends = *appends != 0;
    all.rows = static_cast<table_rows>(*rows);
    all.cold_caches = *flush != 0;
    all.machine_code = static_cast<sim::machine_code_use>(*machine_code);
    all.shows_progress = *progress != 0;
    all.in_passes = *collection != 0;
    auto const devices = hw::try_embedded_count();
    if (!devices) return devices.error();
    all.devices = *devices;
    all.is_quiet = *rank == 2;
    std::string const names = platform::trusted_variable("GPUPROF_KERNEL_METRICS");
    for (std::string_view const name : gpuprof::detail::list_parts(names)) all.names.emplace_back(name);
    for (std::string const& name : all.names)
        if (auto refusal = refusal_of(*all.chip, name)) return *std::move(refusal);
    auto checks = sim::driver::checks_of_environment();
    if (!checks) return std::move(checks).error();
    all.checks = *checks;
    auto status = read_finding_status();
    if (!status) return std::move(status).error();
    all.finding_status = *status;
    all.injection = platform::trusted_variable("CUDA_INJECTION64_PATH");
    return all;
}

settings const& chosen_settings() {
    static settings const* const one = [] {
        auto read = try_read_settings();
        if (!read) {
            std::fprintf(stderr, "gpuprof: %s\n", read.error().message().c_str());
            std::fflush(nullptr);
            std::_Exit(2);
        }
        return new settings{*std::move(read)};
    }();
    return *one;
}

} // namespace gpuprof::driver_library
