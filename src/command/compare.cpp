// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// gpuprof compare: baselines of two versions as Markdown.
#include <charconv>
#include <cstdio>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include <gpuprof/hw/machine/platform/file.hpp>
#include <gpuprof/judge/baseline.hpp>
#include <gpuprof/text/printable.hpp>

#include "arguments.hpp"
#include "commands.hpp"
#include "terminal.hpp"

namespace gpuprof::command {
namespace {

namespace files = std::filesystem;

// The paths of baselines below a folder, relative to it. Recordings and other JSON lie there, too: they are left out.
std::set<std::string> baselines_in(std::string const& folder) {
    std::set<std::string> found;
    std::error_code failed;
    for (files::recursive_directory_iterator at{folder, failed}, end; !failed && at != end; at.increment(failed)) {
        if (at->path().extension() != ".json") continue;
        auto const text = platform::read_file(at->path().string());
        if (text && text->find("\"gpuprof_baseline\"") != text->npos)
            found.insert(at->path().lexically_relative(folder).string());
    }
    if (failed) refuse(gpuprof::detail::printable_path(folder) + " cannot be read: " + failed.message());
    return found;
}

baseline read_baseline(std::string const& path) {
    auto read = baseline::try_read(path);
    if (!read) refuse(read.error().message());
    return *std::move(read);
}

// A baseline that the other side lacks: all of its values were added or removed.
baseline without_values(baseline of) {
    of.values.clear();
    return of;
}

double percent_of(std::string const& text) {
    double number = 0;
    auto const [end, fault] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (fault != std::errc{} || end != text.data() + text.size() || !(number >= 0))
        refuse("--tolerance is a number of percent, such as 2 or 0.5, not " + gpuprof::detail::printable(text));
    return number;
}

} // namespace

int compare(arguments const& given) {
    if (given.operands().size() != 2) refuse("name two files or two folders: gpuprof compare BEFORE AFTER");
    std::string const before = given.operand(0);
    std::string const after = given.operand(1);
    baseline_options options;
    options.across_devices = given.has("--across-devices");
    options.across_fidelities = given.has("--across-fidelities");
    if (auto const tolerance = given.find("--tolerance")) options.tolerance = percent{percent_of(*tolerance)};

    std::map<std::string, std::vector<value_change>> changes; // by device: one table each
    auto const add = [&](baseline const& old_one, baseline const& new_one, std::string const& file) {
        auto found = try_compare(old_one, new_one, options);
        if (!found) refuse((file.empty() ? "" : file + ": ") + found.error().message());
        auto& table = changes[new_one.device];
        table.insert(table.end(), found->begin(), found->end());
    };

    std::error_code ignored;
    bool const folder = files::is_directory(before, ignored);
    if (folder != files::is_directory(after, ignored)) refuse("a folder is compared with a folder, a file with a file");
    if (folder) {
        auto const old_files = baselines_in(before);
        auto const new_files = baselines_in(after);
        if (old_files.empty() && new_files.empty()) refuse("neither folder has a baseline");
        auto all = old_files;
        all.insert(new_files.begin(), new_files.end());
        for (std::string const& file : all) {
            bool const was = old_files.contains(file);
            bool const is = new_files.contains(file);
            baseline const old_one = read_baseline((was ? before : after) + '/' + file);
            baseline const new_one = read_baseline((is ? after : before) + '/' + file);
            add(was ? old_one : without_values(old_one), is ? new_one : without_values(new_one), file);
        }
    } else {
        add(read_baseline(before), read_baseline(after), {});
    }

    bool worse = false;
    for (auto const& [device, table] : changes) {
        if (changes.size() > 1) print("### " + device + "\n\n");
        print(markdown(table, given.has("--all")));
        if (changes.size() > 1) print("\n");
        for (value_change const& each : table) worse = worse || each.what == change::worse;
    }
    return worse ? 1 : 0;
}

} // namespace gpuprof::command
