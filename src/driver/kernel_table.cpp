// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Counts kernels while a program runs, and tells of them when it ends.
//
// GPUPROF_KERNELS   text, csv or json, and after a colon the file it goes to: "csv:kernels.csv". Without a file it is the
//                   standard error output. Not set: nothing is counted for it.
// GPUPROF_KERNEL_METRICS   names of metrics with commas between them, for other columns than the usual ones
#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

#include <gpuprof/hw/machine/platform/demangle.hpp>
#include <gpuprof/hw/machine/platform/environment.hpp>
#include <gpuprof/hw/machine/platform/output_file.hpp>
#include <gpuprof/hw/sim/counters/gpu_registry.hpp>
#include <gpuprof/hw/sim/open.hpp>
#include <gpuprof/io/csv.hpp>
#include <gpuprof/io/json.hpp>
#include <gpuprof/metric/info.hpp>

#include "call.hpp"
#include "kernel_table.hpp"

namespace gpuprof::driver_library {
namespace {

// Never destroyed: kernels may run while the program's statics go away.
struct tally {
    std::mutex mutex;
    std::map<std::pair<sim::chip_model const*, std::string>, std::size_t, std::less<>> places;
    std::vector<kernel_total> kernels;

    static tally& instance() {
        static auto* const one = new tally;
        return *one;
    }
};

void count(sim::chip_model const& chip, sim::counter_values const& counted, std::string_view kernel) {
    tally& all = tally::instance();
    std::lock_guard const held{all.mutex};
    auto const [place, is_new] = all.places.try_emplace({&chip, std::string{kernel}}, all.kernels.size());
    if (is_new) all.kernels.push_back({platform::demangled(std::string{kernel}), &chip, 0, {}});
    kernel_total& total = all.kernels[place->second];
    ++total.launches;
    total.counted += counted;
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
    std::string const text = format == "csv"    ? io::csv(kernels)
                             : format == "json" ? io::json(kernels) + "\n"
                                                : kernel_table_text(kernels);
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

// When the library goes: after the program's exit handlers and its statics. std::quick_exit does not get there, and has handlers of its own.
struct teller {
    ~teller() { tell_kernels(); }
};

} // namespace

void begin_kernel_table() {
    static teller const at_exit{};
    static_cast<void>(at_exit);
    static_cast<void>(std::at_quick_exit(&tell_kernels));
    sim::listen_to_failures(&tell_failure);
    if (platform::variable_or_empty("GPUPROF_KERNELS").empty()) return;
    sim::gpu_registry::instance().listen_to_all(&count);
    for (std::string const& name : split(platform::variable_or_empty("GPUPROF_KERNEL_METRICS")))
        if (auto const known = try_metric(name); !known) tell_once(known.error().message()); // not after hours
}

} // namespace gpuprof::driver_library
