// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Prints the example message of docs/errors.md for the errc (or other word) that is named: the library's own words, made by making the
// mistake on the embedded GPU. What needs a real machine's refusal is told by its status.
#include <iostream>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include <gpuprof/gpuprof.hpp>
#include <gpuprof/hw/callbacks/inside.hpp>
#include <gpuprof/io/file_sink.hpp>
#include <gpuprof/sim.hpp>

#include "support/ptx_program.hpp"

namespace {

using gpuprof::errc;
using gpuprof::error;
namespace metrics = gpuprof::metrics;

constexpr char kernel[] = R"(
.version 7.0
.target sm_70
.address_size 64
.visible .entry store(.param .u64 out) {
    .reg .u64 %rd<2>;
    ld.param.u64 %rd1, [out];
    st.global.u64 [%rd1], %rd1;
    ret;
}
)";

// The first problem of a collection in which `body` runs once a replay pass.
template <class Body, class... Metrics>
error problem_of(gpuprof::device const& gpu, gpuprof::profiler_options const& options, Body body, Metrics... asked) {
    auto prof = gpuprof::profiler::try_create(gpu, options, asked...).value();
    for (gpuprof::pass const pass : prof.passes()) body(prof, pass);
    return prof.try_report().value().completeness().problems.front();
}

std::optional<error> example(std::string const& code) {
    using namespace gpuprof::abi;
    auto const gpu = gpuprof::sim::open_embedded("gh100", gpuprof::sim::collection::in_passes).value();
    if (code == "unavailable") {
        gpuprof::hw::load_options options;
        options.driver_path.emplace("/opt/driver/libcuda.so.1");
        return gpuprof::hw::try_load_machine(options).error();
    }
    if (code == "inside_callback") return gpuprof::hw::refused_inside_callback("opening a device");
    if (code == "io") return gpuprof::io::file_sink::try_open("/no/such/folder/trace.json").error();
    if (code == "permission")
        return gpuprof::hw::explain("cuptiRangeProfilerEnable", CUPTI_ERROR_INSUFFICIENT_PRIVILEGES);
    if (code == "busy")
        return problem_of(
            gpu, {},
            [&](gpuprof::profiler& outer, gpuprof::pass pass) {
                gpuprof::scope frame{outer, "frame"};
                if (!pass.measured) return;
                error const why = problem_of(
                    gpu, {},
                    [](gpuprof::profiler& prof, gpuprof::pass) {
                        gpuprof::scope step{prof, "step"};
                    },
                    metrics::inst_executed);
                throw gpuprof::exception{why};
            },
            metrics::inst_executed);
    if (code == "unknown_metric")
        return gpuprof::profiler::try_create(gpu, {}, gpuprof::metric<"smsp__inst_exceuted.sum", gpuprof::newer_chip>)
            .error();
    if (code == "invalid_argument")
        return gpuprof::profiler::try_create(gpu, {}, std::span<gpuprof::metric_info const>{}).error();
    if (code == "invalid_state")
        return gpuprof::profiler::try_create(gpu, {}, metrics::inst_executed).value().try_report().error();
    if (code == "not_collected") {
        gpuprof::profiler prof{gpu, metrics::inst_executed};
        device_buffer out{gpu, 8};
        ptx_program program{gpu, kernel};
        for (auto pass : prof.passes()) {
            gpuprof::scope frame{prof, "frame"};
            gpuprof::scope step{prof, "saxpy"};
            program.launch("store", 1, 32, out.address());
        }
        return prof.report().try_range("frame/saxpi").error();
    }
    if (code == "too_many_ranges") {
        gpuprof::profiler_options options;
        options.max_ranges = 2;
        return problem_of(
            gpu, options,
            [](gpuprof::profiler& prof, gpuprof::pass) {
                for (int i = 0; i < 3; ++i) gpuprof::scope step{prof, "step"};
            },
            metrics::inst_executed);
    }
    if (code == "too_many_kernels") {
        gpuprof::profiler_options options;
        options.ranges = gpuprof::range_mode::auto_range;
        options.replay = gpuprof::replay_mode::kernel;
        device_buffer out{gpu, 8};
        ptx_program program{gpu, kernel};
        return problem_of(
            gpu, options,
            [&](gpuprof::profiler&, gpuprof::pass) {
                for (int i = 0; i < 300; ++i) program.launch("store", 1, 32, out.address());
            },
            metrics::inst_executed);
    }
    if (code == "empty_range")
        return problem_of(
            gpu, {},
            [](gpuprof::profiler& prof, gpuprof::pass) {
                gpuprof::scope step{prof, "step"};
            },
            metrics::inst_executed);
    if (code == "replay_mismatch")
        return problem_of(
            gpu, {},
            [](gpuprof::profiler& prof, gpuprof::pass pass) {
                gpuprof::scope step{prof, pass.index == 0 ? "load" : "store"};
            },
            metrics::inst_executed);
    if (code == "version_mismatch") return gpuprof::hw::explain("cuptiProfilerInitialize", CUPTI_ERROR_NOT_INITIALIZED);
    if (code == "device_lost") {
        gpuprof::profiler_options options;
        options.max_ranges = 1;
        return problem_of(
            gpu, options,
            [&](gpuprof::profiler& prof, gpuprof::pass) {
                gpuprof::scope step{prof, "store"};
                ptx_program program{gpu, kernel};
                program.launch("store", 1, 32, std::uint64_t{0});
            },
            metrics::inst_executed);
    }
    if (code == "launch_failed")
        return problem_of(
            gpu, {},
            [&](gpuprof::profiler& prof, gpuprof::pass) {
                gpuprof::scope step{prof, "store"};
                ptx_program program{gpu, kernel};
                try {
                    program.launch("store", 1, 2048, std::uint64_t{0});
                } catch (std::runtime_error const&) {} // a program that does not look at what its launch returned
            },
            metrics::inst_executed);
    if (code == "internal") return gpuprof::hw::explain("cuptiRangeProfilerStart", CUPTI_ERROR_UNKNOWN);
    return std::nullopt;
}

} // namespace

int main(int count, char** words) try {
    auto const why = example(count > 1 ? words[1] : "");
    if (!why) {
        std::cerr << "usage: docs_errors ERRC\n";
        return 2;
    }
    std::cout << why->message() << '\n';
} catch (gpuprof::exception const& problem) {
    std::cout << problem.error().message() << '\n'; // of the profiler inside another's pass
} catch (std::exception const& problem) {
    std::cerr << problem.what() << '\n';
    return 1;
}
