// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Counts kernels while a program runs, and tells of them when it ends.
//
// GPUPROF_KERNELS   text, csv or json, and after a colon the file it goes to: "csv:kernels.csv". Without a file it is the
//                   standard error output. Not set: nothing is counted for it.
// GPUPROF_KERNEL_ROWS   "launches": a line for each launch, in their order, in place of one for each kernel
// GPUPROF_KERNEL_CACHES   "flush": each kernel begins with cold caches
// GPUPROF_CHECK   what kernels are checked for; what is found is told as it is found
// GPUPROF_CHECK_EXIT_CODE   the process's exit status if anything was found
// GPUPROF_KERNEL_METRICS   names of metrics with commas between them, for other columns than the usual ones
#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

#include <gpuprof/text/json_text.hpp>
#include <gpuprof/text/text_appender.hpp>
#include <gpuprof/hw/machine/platform/demangle.hpp>
#include <gpuprof/hw/machine/platform/environment.hpp>
#include <gpuprof/hw/machine/platform/output_file.hpp>
#include "../sim/gpu/kernel_end.hpp"
#include <gpuprof/sim/open.hpp>
#include "../sim/embedded_device.hpp"
#include <gpuprof/io/csv.hpp>
#include <gpuprof/io/json.hpp>
#include <gpuprof/metric/info.hpp>

#include "approximate_notes.hpp"
#include "call.hpp"
#include "kernel_table.hpp"

namespace gpuprof::driver_library {
namespace {

// Never destroyed: kernels may run while the program's statics go away.
struct tally {
    std::mutex mutex;
    std::map<std::pair<sim::chip_model const*, std::string>, std::size_t, std::less<>> places;
    std::vector<kernel_total> kernels;
    bool of_each_launch = false;

    static tally& instance() {
        static auto* const one = new tally;
        return *one;
    }
};

// "<<<(4, 1, 1), (256, 1, 1)>>>"
std::string shape_of(sim::launch_config const& config) {
    auto const triple = [](sim::extent3 const& e) {
        return "(" + std::to_string(e.x) + ", " + std::to_string(e.y) + ", " + std::to_string(e.z) + ")";
    };
    return "<<<" + triple(config.grid) + ", " + triple(config.block) + ">>>";
}

void count(sim::kernel_end const& end) {
    note_approximate_values(end.code);
    tally& all = tally::instance();
    std::lock_guard const held{all.mutex};
    if (all.of_each_launch) {
        all.kernels.push_back({platform::demangled(end.code.name) + shape_of(end.config), &end.chip, 1, end.counted});
        return;
    }
    auto const [place, is_new] = all.places.try_emplace({&end.chip, end.code.name}, all.kernels.size());
    if (is_new) all.kernels.push_back({platform::demangled(end.code.name), &end.chip, 0, {}});
    kernel_total& total = all.kernels[place->second];
    ++total.launches;
    total.counted += end.counted;
}

// Whether a variable is set to its only word; another word is told.
bool is_set_to(char const* variable, std::string_view word) {
    std::string const value = platform::variable_or_empty(variable);
    if (!value.empty() && value != word)
        tell_once(std::string{variable} + " is " + std::string{word} + " or not set, and not " + value);
    return value == word;
}

// Whether GPUPROF_CHECK asks for anything.
bool is_checked() {
    auto const read = sim::checks_named(platform::variable_or_empty("GPUPROF_CHECK"));
    return read && read->any();
}

std::vector<std::string> split(std::string_view list) {
    std::vector<std::string> parts;
    while (!list.empty()) {
        std::size_t const comma = list.find(',');
        if (comma != 0) parts.emplace_back(list.substr(0, comma));
        list = comma == list.npos ? std::string_view{} : list.substr(comma + 1);
    }
    return parts;
}

// A finding as JSON.
std::string json_of(sim::finding const& one) {
    auto const text = [](std::string const& value) {
        std::string quoted;
        gpuprof::detail::text_appender const appended{quoted};
        gpuprof::detail::write_json_string(appended, value);
        return quoted;
    };
    auto const side = [&](sim::finding_side const& at) {
        auto const triple = [](sim::extent3 const& e) {
            return "[" + std::to_string(e.x) + "," + std::to_string(e.y) + "," + std::to_string(e.z) + "]";
        };
        return "{\"cta\":" + triple(at.cta) + ",\"thread\":" + triple(at.thread) +
               ",\"ptx_line\":" + std::to_string(at.ptx_line) + ",\"source_file\":" + text(at.source_file) +
               ",\"source_line\":" + std::to_string(at.source_line) + ",\"did\":" + text(at.did) + "}";
    };
    return "{\"kind\":" + text(std::string{name(one.kind)}) + ",\"kernel\":" + text(platform::demangled(one.kernel)) +
           (one.here ? ",\"here\":" + side(*one.here) : std::string{}) +
           (one.other ? ",\"other\":" + side(*one.other) : std::string{}) +
           ",\"address\":" + std::to_string(one.address) + ",\"detail\":" + text(one.detail) +
           ",\"count\":" + std::to_string(one.count) + "}";
}
// The findings as a member of the object that a report is.
std::string with_findings(std::string report) {
    std::size_t const end = report.rfind('}');
    if (!is_checked() || end == report.npos) return report;
    std::string list;
    for (sim::finding const& one : sim::findings()) list += (list.empty() ? "" : ",") + json_of(one);
    return report.insert(end, ",\"findings\":[" + list + "]");
}

void tell_kernels() {
    std::string const set = platform::variable_or_empty("GPUPROF_KERNELS");
    if (set.empty()) return;
    std::size_t const colon = set.find(':');
    std::string_view const format = std::string_view{set}.substr(0, colon);
    std::string const path = colon == set.npos ? std::string{} : set.substr(colon + 1);
    tally& all = tally::instance();
    std::lock_guard const held{all.mutex};
    report const kernels = report_of(all.kernels, split(platform::variable_or_empty("GPUPROF_KERNEL_METRICS")));
    if (format == "csv" || format == "json") // the table says it itself
        for (error const& problem : kernels.completeness().problems) tell_once(problem.message());
    std::string text = format == "csv"    ? io::csv(kernels)
                       : format == "json" ? with_findings(io::json(kernels)) + "\n"
                                          : kernel_table_text(kernels);
    std::string const notes = approximate_notes();
    constexpr char none[] =
        "approximate: no branch and no address depends on a value that hardware computes in another way\n";
    if (format != "csv" && format != "json") text += notes.empty() ? none : notes;
    else if (!path.empty()) std::fputs(notes.c_str(), stderr); // these formats have no line for it
    if (path.empty()) {
        std::fflush(stdout); // what the program printed comes first
        std::fwrite(text.data(), 1, text.size(), stderr);
        return;
    }
    platform::output_file file;
    int status = file.open(path);
    if (status == 0) status = file.append(text);
    if (status != 0) tell_once("the table of kernels: " + path + ": " + platform::reason_of(status));
}

void tell_failure(sim::launch_error const& why) {
    std::string const kernel = platform::demangled(why.kernel);
    sim::launch_error told = why;
    told.kernel = kernel;
    std::fprintf(stderr, "gpuprof: %s\n", told.message().c_str());
}

void tell_finding(sim::finding const& one) {
    sim::finding told = one;
    told.kernel = platform::demangled(one.kernel);
    constexpr std::size_t widest = 120; // instances of templates may take pages
    if (told.kernel.size() > widest) told.kernel = told.kernel.substr(0, widest - 3) + "...";
    std::fprintf(stderr, "gpuprof: %s\n", told.message().c_str());
}

// How much was found, and GPUPROF_CHECK_EXIT_CODE, which the process is to end with if anything was; 0: its own.
int tell_findings() {
    if (!is_checked()) return 0;
    if (sim::checks_named(platform::variable_or_empty("GPUPROF_CHECK")).value().has(sim::check::leaks))
        sim::find_leaks();
    std::uint64_t cases = 0;
    auto const all = sim::findings();
    for (sim::finding const& one : all) cases += one.count;
    std::fprintf(stderr, "gpuprof: %zu findings, %llu cases\n", all.size(), static_cast<unsigned long long>(cases));
    return all.empty() ? 0 : std::atoi(platform::variable_or_empty("GPUPROF_CHECK_EXIT_CODE").c_str());
}

// When the library goes: after the program's exit handlers and its statics. std::quick_exit does not get there, and has handlers
// of its own.
void tell_all() {
    int const code = tell_findings();
    tell_kernels();
    if (code == 0) return;
    std::fflush(nullptr); // what the program printed would be lost
    std::_Exit(code);
}
struct teller {
    ~teller() { tell_all(); }
};

} // namespace

void begin_kernel_table() {
    static teller const at_exit{};
    static_cast<void>(at_exit);
    static_cast<void>(std::at_quick_exit(&tell_all));
    sim::listen_to_failures(&tell_failure);
    sim::set_cold_caches(is_set_to("GPUPROF_KERNEL_CACHES", "flush"));
    std::string const checks = platform::variable_or_empty("GPUPROF_CHECK");
    if (auto const read = sim::checks_named(checks); !read) tell_once("GPUPROF_CHECK: " + read.error().message());
    if (is_checked()) sim::listen_to_findings(&tell_finding);
    if (platform::variable_or_empty("GPUPROF_KERNELS").empty()) return;
    tally::instance().of_each_launch = is_set_to("GPUPROF_KERNEL_ROWS", "launches");
    sim::listen_to_ends(&count);
    for (std::string const& name : split(platform::variable_or_empty("GPUPROF_KERNEL_METRICS")))
        if (auto const known = try_metric(name); !known) tell_once(known.error().message()); // not after hours
}

} // namespace gpuprof::driver_library
