// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Counts kernels while a program runs, and tells of them when it ends, as the settings say.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gpuprof/core/counted.hpp>
#include <gpuprof/text/json_text.hpp>
#include <gpuprof/text/text_appender.hpp>
#include <gpuprof/hw/machine/platform/demangle.hpp>
#include <gpuprof/hw/machine/platform/fork.hpp>
#include <gpuprof/hw/machine/platform/output_file.hpp>
#include "../sim/driver/occupancy.hpp"
#include "../sim/driver/kernel_end.hpp"
#include <gpuprof/sim/open.hpp>
#include "../sim/embedded_device.hpp"
#include <gpuprof/io/csv.hpp>
#include <gpuprof/io/json.hpp>
#include <gpuprof/recording/saved_report.hpp>

#include "../injection/file_name.hpp"
#include "approximate_notes.hpp"
#include "call.hpp"
#include "fork_safe_mutex.hpp"
#include "kernel_table.hpp"
#include "machine_code_notes.hpp"
#include "nvtx_ranges.hpp"
#include "program_end.hpp"
#include "progress_line.hpp"
#include "settings.hpp"
#include "spill_notes.hpp"
#include "table_file.hpp"

namespace gpuprof::driver_library {
namespace {

// Never destroyed: kernels may run while the program's statics go away.
struct tally {
    std::map<std::pair<sim::chip_model const*, std::string>, std::size_t, std::less<>> places;
    std::vector<kernel_total> kernels;
    std::string file;           // of the table, for the process that began
    unsigned process = 0;       // whose kernels these are, by platform::forks_so_far()
    unsigned first_process = 0; // the one that began

    static tally& instance() {
        static auto* const one = new tally;
        return *one;
    }
    static std::mutex& mutex() { return program::fork_safe_mutex<tally>(); }
};

// "<<<(4, 1, 1), (256, 1, 1)>>>"
std::string shape_of(sim::launch_config const& config) {
    auto const triple = [](sim::extent3 const& e) {
        return "(" + std::to_string(e.x) + ", " + std::to_string(e.y) + ", " + std::to_string(e.z) + ")";
    };
    return "<<<" + triple(config.grid) + ", " + triple(config.block) + ">>>";
}

// How often the blocks of a launch fill the GPU; 0 where registers, which are an estimate, decide how many fit.
double waves_of(sim::kernel_end const& end) {
    std::size_t const shared = end.config.dynamic_shared_bytes;
    auto const threads = static_cast<int>(end.config.block.count());
    auto demand = sim::driver::demand_of(end.chip, end.code, static_cast<int>(shared));
    int const resident = sim::driver::resident_blocks(end.chip, demand, threads, shared);
    demand.registers = 1;
    if (resident == 0 || resident != sim::driver::resident_blocks(end.chip, demand, threads, shared)) return 0;
    return static_cast<double>(end.config.grid.count()) /
           (double{1} * resident * end.chip.count(sim::hardware_unit::sm));
}

// Adds a launch to the row of that key, whose name is made when it is new.
template <class Name>
void add(tally& all, sim::kernel_end const& end, std::string const& key, Name const& name) {
    std::uint64_t const block_size = end.config.block.count();
    double const waves = waves_of(end);
    auto const [place, is_new] = all.places.try_emplace({&end.chip, key}, all.kernels.size());
    if (is_new) all.kernels.push_back({name(), &end.chip, 0, block_size, waves, {}, {}});
    kernel_total& total = all.kernels[place->second];
    ++total.launches;
    if (total.block_size != block_size) total.block_size = 0;
    if (waves < total.waves) total.waves = waves;
    total.counted += end.counted;
    total.time.low += end.time.low;
    total.time.likely += end.time.likely;
    total.time.high += end.time.high;
    total.decided_by[end.time.bound] += end.time.likely;
    total.time.bound =
        std::max_element(total.decided_by.begin(), total.decided_by.end(), [](auto const& a, auto const& b) {
            return a.second < b.second;
        })->first;
}

void count(sim::kernel_end const& end) {
    std::lock_guard const held{tally::mutex()};
    tally& all = tally::instance();
    if (all.process != platform::forks_so_far()) { // what was counted is the parent's
        all.places.clear();
        all.kernels.clear();
        all.process = platform::forks_so_far();
    }
    note_approximate_values(end.code);
    note_stack(end.code);
    if (chosen_settings().machine_code != sim::machine_code_use::none) note_instructions(end.code, end.chip);
    switch (chosen_settings().rows) {
        case table_rows::kernels:
            return add(all, end, end.code.name, [&] { return platform::demangled(end.code.name); });
        case table_rows::launches:
            return add(all, end, std::to_string(all.kernels.size()),
                       [&] { return platform::demangled(end.code.name) + shape_of(end.config); });
        case table_rows::ranges: break;
    }
    auto ranges = open_ranges();
    if (ranges.empty()) ranges.emplace_back("(no range)");
    for (std::string const& path : ranges) add(all, end, path, [&] { return path; });
}

void note_image(void const* image) {
    std::lock_guard const held{tally::mutex()};
    note_machine_code(image);
}

std::string json_text(std::string_view value) {
    std::string quoted;
    gpuprof::detail::text_appender const appended{quoted};
    gpuprof::detail::write_json_string(appended, value);
    return quoted;
}

// The time of a row as JSON, in nanoseconds.
std::string json_of(kernel_total const& row) {
    auto const ns = [](double seconds) { return std::to_string(std::llround(seconds * 1e9)); };
    std::string decided;
    for (auto const& [bound, seconds] : row.decided_by)
        decided += (decided.empty() ? "" : ",") + json_text(name(bound)) + ":" + ns(seconds);
    return "{\"name\":" + json_text(row.name) + ",\"low\":" + ns(row.time.low) + ",\"likely\":" + ns(row.time.likely) +
           ",\"high\":" + ns(row.time.high) + ",\"bound\":" + json_text(name(row.time.bound)) + ",\"decided_by\":{" +
           decided + "}}";
}

// A finding as JSON.
std::string json_of(sim::finding const& one) {
    auto const side = [&](sim::finding_side const& at) {
        auto const triple = [](sim::extent3 const& e) {
            return "[" + std::to_string(e.x) + "," + std::to_string(e.y) + "," + std::to_string(e.z) + "]";
        };
        return "{\"cta\":" + triple(at.cta) + ",\"thread\":" + triple(at.thread) +
               ",\"ptx_line\":" + std::to_string(at.ptx_line) + ",\"source_file\":" + json_text(at.source_file) +
               ",\"source_line\":" + std::to_string(at.source_line) + ",\"did\":" + json_text(at.did) + "}";
    };
    return "{\"kind\":" + json_text(std::string{name(one.kind)}) +
           ",\"kernel\":" + json_text(platform::demangled(one.kernel)) +
           (one.here ? ",\"here\":" + side(*one.here) : std::string{}) +
           (one.other ? ",\"other\":" + side(*one.other) : std::string{}) +
           ",\"address\":" + std::to_string(one.address) + ",\"detail\":" + json_text(one.detail) +
           ",\"count\":" + std::to_string(one.count) + "}";
}
// A list as a member of the object that a report is.
template <class List>
std::string with_member(std::string report, std::string_view member, List const& list) {
    std::size_t const end = report.rfind('}');
    if (end == report.npos) return report;
    std::string text;
    for (auto const& each : list) text += (text.empty() ? "" : ",") + json_of(each);
    return report.insert(end, "," + json_text(member) + ":[" + text + "]");
}
std::string json_of_all(report const& kernels, std::vector<kernel_total> const& totals) {
    std::string const text = with_member(io::json(kernels), "times", totals);
    return chosen_settings().checks.any() ? with_member(text, "findings", sim::findings()) : text;
}

// The table goes on in a file that has the same columns already: its first line is not written again.
std::string without_known_heading(std::string csv, std::string const& file) {
    std::size_t const end = csv.find('\n');
    if (end != csv.npos && begins_with_line(file, std::string_view{csv}.substr(0, end))) csv.erase(0, end + 1);
    return csv;
}

// @return whether it went where it was to go
bool write(std::string const& text, std::string const& file) {
    int const problem = file.empty() ? 0 : write_table(file, text, chosen_settings().appends);
    if (problem != 0)
        std::fprintf(stderr, "gpuprof: the table of kernels: %s: %s; so it follows here\n", file.c_str(),
                     platform::reason_of(problem).c_str());
    if (problem == 0 && !file.empty()) return true;
    std::fflush(stdout); // what the program printed comes first
    std::fwrite(text.data(), 1, text.size(), stderr);
    return problem == 0;
}

// @return false if it was to go to a file and could not
bool tell_kernels() {
    settings const& as = chosen_settings();
    if (as.format == table_format::none) return true;
    std::string file = program::file_name_of(as.file);
    std::string notes;
    std::string spills;
    std::vector<kernel_total> totals;
    {
        std::lock_guard const held{tally::mutex()};
        tally& all = tally::instance();
        totals = std::exchange(all.kernels, {}); // who still launches begins a table that nobody sees
        all.places.clear();
        notes = approximate_notes();
        if (as.machine_code != sim::machine_code_use::none) notes += machine_code_notes();
        spills = spill_notes();
        // The child of a fork leaves the file to its parent.
        if (all.process != all.first_process && !as.appends && file == all.file) file.clear();
    }
    report const kernels = report_of(*as.chip, totals, as.names);
    if (as.format == table_format::text)
        return write(totals.empty()
                         ? "gpuprof: no kernel ran\n"
                         : kernel_table_text(kernels, totals, as.rows == table_rows::ranges ? "range" : "kernel") +
                               verdicts_text(*as.chip, totals, spills) + notes,
                     file);
    if (!file.empty() && !as.is_quiet) std::fputs(notes.c_str(), stderr); // these formats have no line for it
    if (as.format == table_format::saved) return write(saved_text(kernels), file);
    if (as.format == table_format::json) return write(json_of_all(kernels, totals), file);
    return write(as.appends ? without_known_heading(io::csv(kernels), file) : io::csv(kernels), file);
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

void tell_refused_image(error const& why) { tell_once(why.message()); }

// How much was found. @return the exit status for that; 0: the program's
int tell_findings() {
    settings const& as = chosen_settings();
    if (!as.checks.any()) return 0;
    if (as.checks.has(sim::check::leaks)) sim::find_leaks();
    std::uint64_t cases = 0;
    auto const all = sim::findings();
    for (sim::finding const& one : all) cases += one.count;
    if (all.empty() && as.is_quiet) return 0;
    using gpuprof::detail::counted;
    std::string const found = counted(static_cast<double>(all.size()), "finding");
    std::fprintf(stderr, "gpuprof: %s, %s\n", found.c_str(), counted(static_cast<double>(cases), "case").c_str());
    return all.empty() ? 0 : as.finding_status;
}

verdict tell_all() {
    if (tally::instance().process != platform::forks_so_far()) return {}; // a child that launched nothing
    int const status = tell_findings();
    return {status, !tell_kernels()};
}

} // namespace

void begin_kernel_table() {
    settings const& as = chosen_settings();
    platform::watch_forks();
    tally& all = tally::instance();
    all.file = program::file_name_of(as.file);
    all.process = all.first_process = platform::forks_so_far();
    tell_at_end(&tell_all);
    sim::listen_to_failures(&tell_failure);
    sim::listen_to_refused_images(&tell_refused_image);
    sim::set_cold_caches(as.cold_caches);
    sim::use_machine_code(as.machine_code);
    if (as.shows_progress) sim::listen_to_progress(&show_progress);
    if (as.checks.any()) sim::listen_to_findings(&tell_finding);
    if (as.format != table_format::none) sim::listen_to_ends(&count);
    if (as.format == table_format::text) sim::listen_to_images(&note_image);
}

} // namespace gpuprof::driver_library
