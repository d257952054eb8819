// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The jobs of samples that CUPTI 12.0 describes and CUDA 13.0 does not ship, as far as the hardware can, with rows
// `job | what | expected | gpuprof | equal`. What the hardware cannot is said, with CUPTI's own words.
//   callback_event, callback_metric: counters of each kernel, without a change to the code that launches
//   nvlink_bandwidth: the topology of links, and the throughput of links
//   sass_source_map: records of instructions with their lines of source
#include <cstdio>
#include <string>

#include <gpuprof/gpuprof.hpp>
#include <gpuprof/trace.hpp>

#include "workload.hpp"

namespace {

namespace activity = gpuprof::activity;
bool good = true;

void row(char const* job, std::string const& what, std::string const& expected, std::string const& found,
         bool compared) {
    bool const equal = expected == found;
    good = good && (equal || !compared);
    std::printf("%s | %s | %s | %s | %s\n", job, what.c_str(), expected.c_str(), found.c_str(),
                !compared ? "not compared"
                : equal   ? "yes"
                          : "NO");
}

// 196 blocks of 256 threads: 1,568 warps a launch, by arithmetic; two launches of each of two kernels.
void counters_of_kernels(gpuprof::device const& gpu) {
    char const* const job = "callback_event, callback_metric";
    // tracing begins
    gpuprof::profiler_options options;
    options.ranges = gpuprof::range_mode::auto_range;
    options.replay = gpuprof::replay_mode::kernel;
    options.max_ranges = 8;
    gpuprof::profiler prof{gpu, options, gpuprof::metrics::warps_launched, gpuprof::metrics::inst_executed};
    for (auto pass : prof.passes()) {
        workload::vector_pass(nullptr);
        workload::vector_pass(nullptr);
    }
    auto const report = prof.report();
    // tracing ends
    row(job, "kernels", "2", std::to_string(report.size()), true);
    for (std::size_t i = 0; i < report.size(); ++i) {
        auto const kernel = report.at(i);
        auto const warps = kernel[gpuprof::metrics::warps_launched].value();
        auto const instructions = kernel[gpuprof::metrics::inst_executed].value();
        row(job, "launches of " + kernel.path(), "2", std::to_string(kernel.count()), true);
        row(job, "warps of " + kernel.path(), std::to_string(2 * 8 * workload::blocks),
            std::to_string(static_cast<long long>(warps)), true);
        row(job, "instructions of " + kernel.path(), "more than warps",
            instructions > warps ? "more than warps" : std::to_string(instructions), true);
    }
}

void links(gpuprof::device const& gpu) {
    char const* const job = "nvlink_bandwidth";
    std::size_t records = 0, physical = 0;
    auto trace =
        gpuprof::tracer<activity::kind_list<activity::nvlink>>::try_begin(gpu, activity::kinds<activity::nvlink>);
    if (!trace) return row(job, "topology", "-", trace.error().message(), false);
    if (auto const dumped = trace->try_dump(gpuprof::abi::CUPTI_ACTIVITY_KIND_NVLINK); !dumped)
        row(job, "dump of the topology", "-", dumped.error().message(), false);
    auto const batch = trace->try_flush(gpuprof::flush_mode::forced);
    if (!batch) return row(job, "topology", "-", batch.error().message(), false);
    batch->visit([&](activity::nvlink const& link) {
        ++records;
        physical += link.links;
    });
    // One GPU has no peer: nothing moves over its links, and other GPUs of the host are not visible.
    row(job, "records of links, " + std::to_string(physical) + " physical ones", "-", std::to_string(records), false);
    row(job, "throughput", "-", "one GPU has no peer to copy to", false);
}

void lines_of_source(gpuprof::device const& gpu) {
    for (auto const kind :
         {gpuprof::abi::CUPTI_ACTIVITY_KIND_SOURCE_LOCATOR, gpuprof::abi::CUPTI_ACTIVITY_KIND_INSTRUCTION_EXECUTION,
          gpuprof::abi::CUPTI_ACTIVITY_KIND_GLOBAL_ACCESS, gpuprof::abi::CUPTI_ACTIVITY_KIND_BRANCH}) {
        auto trace = gpuprof::tracer<activity::kind_set>::try_begin(gpu, activity::kind_set{kind});
        std::string found = "enabled";
        if (!trace) {
            found = trace.error().message();
        } else {
            workload::vector_pass(nullptr);
            std::size_t records = 0;
            if (auto const batch = trace->try_flush(gpuprof::flush_mode::forced))
                batch->visit([&](auto const&) { ++records; });
            found = std::to_string(records) + " records";
        }
        row("sass_source_map", std::string{activity::name_of(kind)}, "-", found, false);
    }
}

} // namespace

int main(int argument_count, char** arguments) try {
    std::string const job = argument_count > 1 ? arguments[1] : "";
    CHECKED(cudaFree(nullptr));
    auto const gpu = gpuprof::open_device();
    if (job == "counters") counters_of_kernels(gpu);
    else if (job == "links") links(gpu);
    else if (job == "source") lines_of_source(gpu);
    else return std::printf("not_shipped counters|links|source\n"), 2;
    return good ? 0 : 1;
} catch (std::exception const& problem) {
    std::printf("%s | - | - | %s | NO\n", argument_count > 1 ? arguments[1] : "", problem.what());
    return 1;
}
