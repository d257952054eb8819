// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whether a program that was measured by several replay modes counts the same in each.
//
//     replay_modes kernel=FILE [again=FILE] MODE=FILE...      saved reports (gpuprof replay --mode MODE --keep FILE)
//
// Compares what the same work counts to the unit each time with what kernel replay counts, summed over all launches of a kernel,
// or, of `range`, over the program. A value that two kernel replays, kernel= and again=, count differently varies by itself, and is
// left out. Prints a line for each difference and for each problem, and one for each mode: "MODE equal in N values", "MODE differs
// in N of M values", or "MODE refused: REASON" where its report names what was not measured. Exit status 0 if each mode is equal or
// refused and one is equal; 1 if one differs, 3 if all are refused.
#include <cstddef>
#include <cstdio>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <gpuprof/gpuprof.hpp>
#include <gpuprof/saved.hpp>

namespace {

constexpr std::string_view exact[]{"smsp__inst_executed.sum",
                                   "smsp__thread_inst_executed.sum",
                                   "smsp__inst_executed_op_global_ld.sum",
                                   "smsp__inst_executed_op_global_st.sum",
                                   "smsp__inst_executed_op_shared_ld.sum",
                                   "smsp__inst_executed_op_shared_st.sum",
                                   "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum",
                                   "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"};

// By kernel and metric; the kernel is empty for the whole program.
using sums = std::map<std::pair<std::string, std::string>, double>;

// "kernel (launch 2)" is a launch of kernel.
std::string kernel_of(std::string_view range) { return std::string{range.substr(0, range.find(" (launch "))}; }

sums sums_of(gpuprof::report const& of, bool over_program) {
    sums all;
    for (std::string_view const metric : exact)
        for (auto const& range : of)
            if (auto const values = range.try_values(metric))
                for (double const value : *values)
                    all[{over_program ? std::string{} : kernel_of(range.name()), std::string{metric}}] += value;
    return all;
}

struct outcome {
    std::size_t compared = 0;
    std::size_t differ = 0;
};
outcome compare(std::string const& mode, sums const& kernel, sums const* again, sums const& other) {
    outcome found;
    for (auto const& [key, value] : kernel) {
        if (again != nullptr)
            if (auto const second = again->find(key); second == again->end() || second->second != value) continue;
        auto const there = other.find(key);
        ++found.compared;
        if (there != other.end() && there->second == value) continue;
        ++found.differ;
        std::printf("differs %.50s %s: %.17g by kernel replay, %.17g by %s replay\n", key.first.c_str(),
                    key.second.c_str(), value, there == other.end() ? 0.0 : there->second, mode.c_str());
    }
    return found;
}

} // namespace

int main(int count, char** words) {
    std::map<std::string, gpuprof::report> reports;
    for (int i = 1; i < count; ++i) {
        std::string_view const word = words[i];
        std::string const mode{word.substr(0, word.find('='))};
        auto loaded = gpuprof::try_load_report(std::string{word.substr(word.find('=') + 1)});
        if (loaded) reports.emplace(mode, *std::move(loaded));
        else std::printf("%s failed: %s\n", mode.c_str(), loaded.error().message().c_str());
    }
    auto const kernel = reports.find("kernel"), again = reports.find("again");
    if (kernel == reports.end()) return 2;
    bool has_equal = false, has_different = reports.size() + 1 != static_cast<std::size_t>(count);
    for (auto const& [mode, report] : reports) {
        auto const& problems = report.completeness().problems;
        for (auto const& problem : problems) std::printf("problem %s: %s\n", mode.c_str(), problem.message().c_str());
        if (mode == "kernel" || mode == "again") continue;
        if (!problems.empty()) {
            std::printf("%s refused: %s\n", mode.c_str(), problems.front().message().c_str());
            continue;
        }
        if (!kernel->second.completeness().problems.empty()) {
            std::printf("%s complete, and kernel replay refused: %s\n", mode.c_str(),
                        kernel->second.completeness().problems.front().message().c_str());
            has_equal = true;
            continue;
        }
        bool const over_program = mode == "range";
        std::optional<sums> second;
        if (again != reports.end()) second = sums_of(again->second, over_program);
        outcome const found = compare(mode, sums_of(kernel->second, over_program), second ? &*second : nullptr,
                                      sums_of(report, over_program));
        if (found.differ == 0 && found.compared >= 4) {
            has_equal = true;
            std::printf("%s equal in %zu values\n", mode.c_str(), found.compared);
        } else {
            has_different = true;
            std::printf("%s differs in %zu of %zu values\n", mode.c_str(), found.differ, found.compared);
        }
    }
    return has_different ? 1 : has_equal ? 0 : 3;
}
