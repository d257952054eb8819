// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// gpuprof replay: runs a program until the injection library has measured every pass of it, and prints the report.
#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <unistd.h>

#include <gpuprof/hw/machine/platform/clock.hpp>
#include <gpuprof/hw/machine/platform/directory_lock.hpp>
#include <gpuprof/hw/machine/platform/environment.hpp>
#include <gpuprof/hw/machine/platform/file.hpp>
#include <gpuprof/io/csv.hpp>
#include <gpuprof/io/json.hpp>
#include <gpuprof/io/table.hpp>
#include <gpuprof/measure/replay_file.hpp>
#include <gpuprof/recording/saved_report.hpp>
#include <gpuprof/text/json_text.hpp>
#include <gpuprof/text/printable.hpp>

#include "../injection/replay_settings.hpp"
#include "arguments.hpp"
#include "commands.hpp"
#include "embedded_chip.hpp"
#include "injected.hpp"
#include "scratch_folder.hpp"
#include "start.hpp"
#include "terminal.hpp"

namespace gpuprof::command {
namespace {

namespace files = std::filesystem;
using gpuprof::detail::replay_state;

constexpr int not_measured = 1; // the exit status

void tell(std::string const& text) { std::fputs(("gpuprof: " + text + '\n').c_str(), stderr); }

// The program's file, which a shell would find by that word.
std::string file_of(std::string const& program) {
    if (program.find('/') != program.npos) return program;
    std::string const path = platform::variable_or_empty("PATH");
    for (std::string_view const folder : list_parts(path, ':')) {
        std::string file = std::string{folder.empty() ? "." : folder} + '/' + program;
        if (::access(file.c_str(), X_OK) == 0) return file;
    }
    return program;
}

// The passes of a program that are kept in a folder: a state for each of its processes, and one that says how the command was
// called. Locked until the end.
class kept_passes {
public:
    // Refuses what cannot be made or locked.
    explicit kept_passes(std::string const& folder) : folder_{folder} {
        std::error_code failed;
        // Files of other kinds are not gpuprof's to remove.
        if (files::exists(folder_, failed) && !files::exists(lock_folder(), failed) &&
            !files::is_empty(folder_, failed))
            refuse(folder_ + " has files that are not of a replay: name another folder by --state");
        files::create_directories(lock_folder(), failed);
        if (failed) refuse(folder_ + " cannot be made: " + failed.message());
        lock_.emplace(lock_folder() + "/lock", 0u); // processes of the program lock the folder itself
        if (lock_->late())
            refuse(folder_ + " is used by another gpuprof replay: wait for its end, or name another by --state");
    }
    kept_passes(kept_passes const&) = delete;
    kept_passes& operator=(kept_passes const&) = delete;
    ~kept_passes() = default;

    // Goes on with what is kept, or begins. Refuses passes of another program or command, and damaged ones.
    void take_up(replay_state const& now, bool fresh) {
        if (fresh) remove_passes();
        auto const left = gpuprof::detail::try_load_state(command_file());
        if (!left) refuse_state(left.error());
        if (*left)
            if (auto const same = gpuprof::detail::try_check_same(**left, now); !same) refuse_state(same.error());
        if (*left) return;
        if (auto saved = gpuprof::detail::try_save_state(now, command_file(), 0); !saved)
            refuse(saved.error().message());
    }

    // Numbers of processes are free again.
    void begin_run(std::string const& name) {
        remove_claims();
        set_variable("GPUPROF_REPLAY_RUN", name);
    }

    struct progress {
        std::size_t processes = 0;
        std::size_t done = 0;   // passes, of all processes
        std::size_t pass = 0;   // of the process that is the farthest back
        std::size_t needed = 0; // by that one
        bool complete = true;
    };
    [[nodiscard]] progress look() const {
        progress all;
        for (;; ++all.processes) {
            auto const state = gpuprof::detail::try_load_state(injection::state_file_of(folder_, all.processes));
            if (!state) refuse_state(state.error());
            if (!*state) break;
            std::size_t const done = (*state)->done;
            all.done += done;
            if (all.complete && (all.processes == 0 || !(*state)->complete)) {
                all.pass = done;
                all.needed = (*state)->needed < done ? done : (*state)->needed;
            }
            all.complete = all.complete && (*state)->complete;
        }
        all.complete = all.complete && all.processes != 0;
        return all;
    }
    [[nodiscard]] std::vector<report> reports(std::size_t processes) const {
        std::vector<report> all;
        for (std::size_t i = 0; i < processes; ++i) {
            auto loaded = try_load_report(injection::report_file_of(folder_, i));
            if (!loaded) refuse(loaded.error().message());
            all.push_back(*std::move(loaded));
        }
        return all;
    }

    // Every pass is told of: nothing is left behind.
    void remove() {
        remove_passes();
        std::error_code ignored;
        files::remove(lock_folder(), ignored);
        files::remove(folder_, ignored); // stays if anyone else put something into it
    }

private:
    [[nodiscard]] std::string lock_folder() const { return folder_ + "/lock"; }
    [[nodiscard]] std::string command_file() const { return folder_ + "/command.state"; }
    [[noreturn]] static void refuse_state(error const& why) {
        refuse(why.message() + "; --fresh begins anew, --state names another folder");
    }
    void remove_claims() {
        std::error_code ignored;
        for (auto const& each : files::directory_iterator{folder_, ignored})
            if (each.path().filename().string().starts_with("run.")) files::remove(each.path(), ignored);
    }
    void remove_passes() {
        remove_claims();
        std::error_code ignored;
        std::vector<files::path> own;
        for (auto const& each : files::directory_iterator{folder_, ignored}) {
            std::string const name = each.path().filename().string();
            // What a process that was killed had not written whole has six more characters.
            if (name.find(".state") != name.npos || name.find(".json") != name.npos) own.push_back(each.path());
        }
        for (files::path const& each : own) files::remove(each, ignored);
    }

    std::string folder_;
    std::optional<platform::directory_lock> lock_;
};

// How the command was called, which all passes have in common.
replay_state command_of(arguments const& given, std::string const& metrics, bool is_embedded) {
    replay_state made;
    made.program = gpuprof::detail::identify_program(file_of(given.operands().front()));
    made.chip = is_embedded ? "embedded " + given.word("--chip") : "gpu";
    if (metrics.empty()) made.metrics = {"set " + given.word("--set")};
    else
        for (std::string_view const each : list_parts(metrics, ',')) made.metrics.emplace_back(each);
    for (char const* const option : {"--kernels", "--most", "--match"})
        if (std::string const word = given.word(option); !word.empty())
            made.settings.push_back(gpuprof::detail::valid_utf8(std::string{option} + ' ' + word));
    for (char const* const option : {"--kernels-wait", "--passes"})
        if (given.has(option)) made.settings.emplace_back(option);
    made.settings.emplace_back("--");
    for (std::string const& each : given.operands()) made.settings.push_back(gpuprof::detail::valid_utf8(each));
    return made;
}

// Options, as the library will read them.
void set_replay_variables(arguments const& given, std::string const& folder, std::string const& metrics) {
    set_variable("GPUPROF_REPLAY_FOLDER", folder);
    set_variable("GPUPROF_REPLAY_METRICS", metrics);
    set_variable("GPUPROF_REPLAY_SET", given.word("--set"));
    set_variable("GPUPROF_REPLAY_MATCH", given.word("--match"));
    set_variable("GPUPROF_REPLAY_KERNELS", given.word("--kernels"));
    set_variable("GPUPROF_REPLAY_MOST", given.word("--most"));
    set_variable("GPUPROF_REPLAY_KERNELS_WAIT", given.has("--kernels-wait") ? "1" : "");
    if (given.has("--passes")) set_variable("GPUPROF_COLLECTION", "passes");
    if (auto const settings = injection::try_read_replay_settings(); !settings) refuse(settings.error().message());
}

void check(arguments const& given) {
    if (auto const kernels = program::name_pattern::try_make(given.word("--kernels")); !kernels)
        refuse("--kernels: " + kernels.error().message());
    static_cast<void>(given.number("--most", 1, 65536));
    static_cast<void>(given.number("--runs", 1, 1'000'000));
    for (char const* const option : {"--json", "--csv", "--keep"})
        if (auto const file = given.find(option)) empty_file(absolute(*file));
}

void write(std::string const& text, std::string const& file) {
    std::ofstream out{file, std::ios::binary};
    out << text;
    out.close();
    if (!out) refuse(file + " cannot be written: " + std::strerror(errno));
}
void print_reports(arguments const& given, std::vector<report> const& all) {
    for (std::size_t at = 0; at < all.size(); ++at) {
        if (auto const file = given.find("--json")) write(io::json(all[at]) + '\n', numbered(*file, at));
        if (auto const file = given.find("--csv")) write(io::csv(all[at]), numbered(*file, at));
        if (auto const file = given.find("--keep"))
            if (auto saved = try_save(all[at], numbered(*file, at)); !saved) refuse(saved.error().message());
        std::fputs(((at == 0 ? "" : "\n") + io::table(all[at])).c_str(), stderr);
    }
}

std::string pass_text(std::size_t pass, std::size_t needed) {
    return "pass " + std::to_string(pass) + (needed == 0 ? "" : " of " + std::to_string(needed));
}

std::string chosen_metrics(arguments const& given, bool is_embedded) {
    auto const list = given.find("--metrics");
    if (!list) return {};
    if (!is_embedded) return any_metrics("--metrics", *list);
    std::string const chip = given.word("--chip");
    return embedded_metrics("--metrics", *list,
                            embedded_chip(chip.empty() ? platform::variable_or_empty("GPUPROF_CHIP") : chip));
}

// Passes that are made in one run of the program.
int repeat_in_process(arguments const& given, std::string const& mode) {
    for (char const* const option : {"--match", "--kernels-wait", "--state", "--fresh", "--runs"})
        if (given.has(option)) refuse(std::string{option} + " goes with --mode application: " + mode + " runs once");
    if (given.has("--kernels") && mode != "kernel") refuse("--kernels goes with --mode application and kernel");
    static scratch_folder const folder; // refuse() ends the process
    bool const is_embedded = set_injected(given);
    set_variable("GPUPROF_EXPLAIN_FILE", folder.pattern());
    set_variable("GPUPROF_EXPLAIN_REPLAY", mode);
    set_variable("GPUPROF_EXPLAIN_RANGES", given.word("--range"));
    set_variable("GPUPROF_EXPLAIN_NVTX", given.word("--nvtx"));
    set_variable("GPUPROF_EXPLAIN_METRICS", chosen_metrics(given, is_embedded));
    set_variable("GPUPROF_EXPLAIN_SET", given.word("--set"));
    set_variable("GPUPROF_EXPLAIN_KERNELS", given.word("--kernels"));
    set_variable("GPUPROF_EXPLAIN_LAUNCH", "all");
    set_variable("GPUPROF_EXPLAIN_MOST", given.word("--most"));
    if (given.has("--passes")) set_variable("GPUPROF_COLLECTION", "passes");
    if (auto const settings = injection::try_read_measuring_settings(); !settings) refuse(settings.error().message());
    int const status = run_to_end(given.operands());
    std::vector<report> all;
    for (std::string const& file : folder.files_in_order()) {
        auto loaded = try_load_report(file);
        if (!loaded) refuse(loaded.error().message());
        all.push_back(*std::move(loaded));
    }
    print_reports(given, all);
    if (all.empty()) tell("nothing was measured");
    return status == 0 && all.empty() ? not_measured : status;
}

} // namespace

int replay(arguments const& given) {
    std::vector<std::string> const& words = given.operands();
    check_program(words, "replay");
    check(given);
    std::string const mode = given.word("--mode");
    if (mode != "range")
        for (char const* const option : {"--range", "--nvtx"})
            if (given.has(option)) refuse(std::string{option} + " goes with --mode range");
    if (mode != "application") return repeat_in_process(given, mode);
    std::string const folder =
        absolute(given.find("--state").value_or("gpuprof-replay-" + files::path{words.front()}.filename().string()));
    bool const is_embedded = set_injected(given);
    std::string const metrics = chosen_metrics(given, is_embedded);
    set_replay_variables(given, folder, metrics);
    static kept_passes passes{folder}; // refuse() ends the process
    passes.take_up(command_of(given, metrics, is_embedded), given.has("--fresh"));

    kept_passes::progress now = passes.look();
    std::size_t const most = given.number("--runs", 1, 1'000'000).value_or(1'000'000);
    for (std::size_t run = 0; !now.complete; ++run) {
        if (run == most) {
            tell(pass_text(now.pass, now.needed) + " is done; the same command goes on");
            return not_measured;
        }
        tell(pass_text(now.pass + 1, now.needed));
        passes.begin_run(std::to_string(::getpid()) + '-' + std::to_string(platform::monotonic_nanoseconds()));
        int const status = run_to_end(words);
        kept_passes::progress const before = std::exchange(now, passes.look());
        bool const has_advanced = now.done > before.done;
        if (status != 0 && !(now.complete && has_advanced)) {
            tell("the program ended with status " + std::to_string(status) + "; " +
                 (has_advanced ? "its pass is kept" : "its pass is not measured") +
                 (now.done == 0 ? "" : "; the same command goes on"));
            return status;
        }
        if (status != 0) {
            print_reports(given, passes.reports(now.processes));
            passes.remove();
            return status;
        }
        if (has_advanced) continue;
        tell(now.processes == 0 ? "no kernel was measured"
                                : "this run measured no pass; what was measured before is kept in " + folder);
        return not_measured;
    }
    print_reports(given, passes.reports(now.processes));
    passes.remove();
    return 0;
}

} // namespace gpuprof::command
