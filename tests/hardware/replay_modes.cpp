// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whether a program that was measured by two replay modes counts the same in both.
//
//     replay_modes KERNEL_REPLAY APPLICATION_REPLAY      two saved reports (gpuprof explain --keep, gpuprof replay --keep)
//
// Compares what the same work counts to the unit each time, summed over all launches of a kernel. Prints a line for each
// difference, then "compared C of K kernels, D differ". Exit status 0 if something was compared and nothing differs.
#include <cstddef>
#include <cstdio>
#include <map>
#include <string>
#include <string_view>

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

using by_kernel = std::map<std::string, double>;

// "kernel (launch 2)" and "kernel#2" are launches of kernel.
std::string kernel_of(std::string_view range) {
    auto const launch = range.find(" (launch ");
    return std::string{range.substr(0, launch)};
}

by_kernel sum_of(gpuprof::report const& of, std::string_view metric) {
    by_kernel sums;
    for (auto const& range : of)
        if (auto const value = range.try_value(metric)) sums[kernel_of(range.name())] += value->value;
    return sums;
}

} // namespace

int main(int count, char** words) {
    if (count != 3) return 2;
    auto const by_kernel_replay = gpuprof::try_load_report(words[1]),
               by_application = gpuprof::try_load_report(words[2]);
    for (auto const* each : {&by_kernel_replay, &by_application}) {
        if (!*each) return std::printf("%s\n", each->error().message().c_str()), 2;
        for (auto const& problem : (*each)->completeness().problems)
            std::printf("problem %s\n", problem.message().c_str());
    }
    std::size_t compared = 0, differ = 0, kernels = 0;
    for (std::string_view const metric : exact) {
        by_kernel const one = sum_of(*by_kernel_replay, metric), other = sum_of(*by_application, metric);
        if (one.size() > kernels) kernels = one.size();
        for (auto const& [kernel, value] : one) {
            auto const found = other.find(kernel);
            if (found == other.end()) continue;
            ++compared;
            if (found->second == value) continue;
            ++differ;
            std::printf("differs %.50s %s: %.17g by kernel replay, %.17g by application replay\n", kernel.c_str(),
                        std::string{metric}.c_str(), value, found->second);
        }
    }
    std::printf("compared %zu values of %zu kernels, %zu differ\n", compared, kernels, differ);
    return compared >= 4 && differ == 0 ? 0 : 1;
}
