// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What every collection of samples must fulfil on hardware.
#ifndef GPUPROF_TESTS_HARDWARE_PC_SAMPLING_JUDGE_HPP
#define GPUPROF_TESTS_HARDWARE_PC_SAMPLING_JUDGE_HPP

#include <cstdint>
#include <map>
#include <set>
#include <string>

#include <gpuprof/sampling.hpp>

#include "kernels.hpp"

// Samples of functions by the part of their name that the source has.
inline std::uint64_t samples_of(gpuprof::pc_samples const& all, std::string const& kernel) {
    std::uint64_t sum = 0;
    for (auto const& record : all.records)
        if (record.function.find(kernel) != std::string::npos) sum += record.samples();
    return sum;
}
// The reason with most samples; latency samples are never more than samples.
inline std::string top_reason(gpuprof::pc_samples const& all, std::string const& kernel) {
    std::map<std::string, std::uint64_t> sums;
    for (auto const& record : all.records)
        if (record.function.find(kernel) != std::string::npos)
            for (auto const& stall : record.stalls) sums[all.reasons[stall.reason].name] += stall.samples;
    std::string top;
    for (auto const& [name, count] : sums)
        if (top.empty() || count > sums[top]) top = name;
    return top;
}

inline void judge_samples(char const* job, gpuprof::pc_samples const& all, std::set<std::string> const& launched) {
    for (std::string const& kernel : launched) {
        std::uint64_t const count = samples_of(all, kernel);
        row(job, "samples of " + kernel, std::to_string(count), count > 0);
    }
    bool ordered = true;
    for (auto const& record : all.records)
        for (auto const& stall : record.stalls) ordered = ordered && stall.latency_samples <= stall.samples;
    row(job, "latency samples are among samples", std::to_string(all.records.size()) + " records", ordered);
    std::uint64_t const known = all.samples() + all.non_user + all.dropped;
    row(job, "samples + of other kernels + dropped, of CUPTI's total",
        std::to_string(known) + " of " + std::to_string(all.total) + (known == all.total ? " (equal)" : " (not equal)"),
        known <= all.total && known > all.total / 2);
    row(job, "lost", std::to_string(all.dropped) + " dropped, " + std::to_string(all.buffer_full) + " times full",
        all.complete());
    std::size_t unknown = 0;
    for (auto const& reason : all.reasons) unknown += reason.reason == gpuprof::stall_reason::unknown;
    row(job, "reasons without a name in gpuprof", std::to_string(unknown), unknown == 0);
}

#endif // GPUPROF_TESTS_HARDWARE_PC_SAMPLING_JUDGE_HPP
