// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Throughputs of the embedded GPU: of which counters they are the highest, and that they are.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <gpuprof/gpuprof.hpp>
#include <gpuprof/hw/counters/range/device_breakdown.hpp>
#include <gpuprof/metric/breakdown.hpp>
#include <gpuprof/metric/breakdown_lookup.hpp>
#include <gpuprof/sim.hpp>

#include "sim/chip/chips.hpp"
#include "sim/counters/metric_table.hpp"

namespace throughputs_test {

namespace abi = gpuprof::abi;
namespace sim = gpuprof::sim;
using gpuprof::breakdown_depth;
using gpuprof::metric_info;
using gpuprof::metric_kind;

namespace {

std::vector<std::string_view> modelled_throughputs(sim::chip_model const& model) {
    std::vector<std::string_view> names;
    for (sim::metric_row const& row : sim::metric_rows)
        if (row.is_on(model) && row.kind == metric_kind::throughput) names.emplace_back(row.name);
    return names;
}

} // namespace

TEST_CASE("a throughput of the embedded GPU is made of all of CUPTI's constituents that it models with a peak") {
    for (sim::chip_model const* const model : sim::chip_models) {
        auto const names = modelled_throughputs(*model);
        for (std::string_view const wanted :
             {"sm__throughput", "sm__instruction_throughput", "sm__memory_throughput", "gpu__compute_memory_throughput",
              "gpu__compute_memory_access_throughput", "gpu__compute_memory_request_throughput", "gpu__dram_throughput",
              "dram__throughput", "l1tex__throughput", "lts__throughput"})
            CHECK(std::find(names.begin(), names.end(), wanted) != names.end());
        for (std::string_view const name : names) {
            CAPTURE(model->chip_name);
            CAPTURE(name);
            std::set<std::string_view> expected;
            auto const chip = gpuprof::find_chip(model->chip_name).value();
            for (std::string_view const part :
                 gpuprof::detail::constituents_of(chip, name, breakdown_depth::all_levels))
                if (auto const found = sim::find_row(*model, part)) {
                    sim::metric_row const& row = sim::metric_rows[*found];
                    if (row.how != gpuprof::fidelity::always_zero && !std::isnan(row.peak(*model)))
                        expected.insert(part);
                }
            std::set<std::string_view> listed;
            for (char const* const part : sim::metric_rows[sim::find_row(*model, name).value()].breakdown)
                if (sim::find_row(*model, part)) listed.insert(part);
            CHECK(listed == expected);
        }
    }
}

#if GPUPROF_EXCEPTIONS // written with the throwing spellings, which do not exist without them

namespace {

constexpr std::string_view sub_metrics[]{".avg.pct_of_peak_sustained_elapsed", ".avg.pct_of_peak_sustained_active",
                                         ".max.pct_of_peak_sustained_elapsed"};

// On a device whose context is current while this lives: a kernel with global and shared memory, arithmetic and an atomic.
class work {
public:
    explicit work(gpuprof::device const& gpu) : driver_{gpu.driver()} {
        std::ifstream file{std::string{GPUPROF_TEST_SOURCE_DIR} + "/kernels/reduce.sm_80.ptx"};
        std::string text{std::istreambuf_iterator<char>{file}, {}};
        std::string const target = ".target sm_80";
        REQUIRE(text.find(target) != text.npos);
        text.replace(text.find(target), target.size(), ".target sm_70"); // it has nothing that a V100 lacks
        REQUIRE(driver_.CtxPushCurrent(gpu.context()) == abi::CUDA_SUCCESS);
        REQUIRE(driver_.ModuleLoadData(&module_, text.c_str()) == abi::CUDA_SUCCESS);
        REQUIRE(driver_.ModuleGetFunction(&kernel_, module_, "reduce_shared") == abi::CUDA_SUCCESS);
        REQUIRE(driver_.MemAlloc(&in_, std::size_t{4096} * 4) == abi::CUDA_SUCCESS);
        REQUIRE(driver_.MemAlloc(&out_, 4096) == abi::CUDA_SUCCESS);
    }
    work(work const&) = delete;
    work& operator=(work const&) = delete;
    ~work() {
        driver_.MemFree(in_);
        driver_.MemFree(out_);
        driver_.ModuleUnload(module_);
        abi::CUcontext popped = nullptr;
        driver_.CtxPopCurrent(&popped);
    }
    void operator()() const {
        abi::CUdeviceptr in = in_;
        abi::CUdeviceptr out = out_;
        int count = 4096;
        void* arguments[]{&in, &out, &count};
        REQUIRE(driver_.LaunchKernel(kernel_, 16, 1, 1, 256, 1, 1, 1024, nullptr, arguments, nullptr) ==
                abi::CUDA_SUCCESS);
    }

private:
    abi::driver_table const& driver_;
    abi::CUmodule module_ = nullptr;
    abi::CUfunction kernel_ = nullptr;
    abi::CUdeviceptr in_ = 0;
    abi::CUdeviceptr out_ = 0;
};

gpuprof::profiler_options one_range() {
    gpuprof::profiler_options options;
    options.max_ranges = 1; // no survey
    return options;
}

} // namespace

TEST_CASE("a profiler takes a breakdown that was expanded when compiling, and its values are percentages") {
    gpuprof::device const gpu = sim::open_embedded("gh100").value();
    work const launch{gpu};
    constexpr auto parts =
        gpuprof::breakdown_on<gpuprof::chip::gh100, "sm__throughput.avg.pct_of_peak_sustained_elapsed">;
    gpuprof::profiler prof{gpu, one_range(), parts};
    for ([[maybe_unused]] auto const& pass : prof.passes()) {
        gpuprof::scope const range{prof, "work"};
        launch();
    }
    auto const report = prof.report();
    gpuprof::percent const of_instructions =
        report["work"][gpuprof::metric<"sm__instruction_throughput.avg.pct_of_peak_sustained_elapsed">];
    gpuprof::percent const of_memory =
        report["work"][gpuprof::metric<"sm__memory_throughput.avg.pct_of_peak_sustained_elapsed">];
    CHECK(of_instructions.value() > 0);
    CHECK(of_memory.value() > 0);
}

TEST_CASE("a throughput of the embedded GPU is the highest of its breakdown, level by level and down to counters") {
    for (sim::chip_model const* const model : sim::chip_models) {
        gpuprof::device const gpu = sim::open_embedded(model->chip_name).value();
        work const launch{gpu};
        std::vector<metric_info> asked;
        struct throughput {
            std::string name;
            std::vector<std::string> parts[2]; // one level, all levels
        };
        std::vector<throughput> throughputs;
        for (std::string_view const base : modelled_throughputs(*model))
            for (std::string_view const sub : sub_metrics) {
                throughput each{std::string{base} + std::string{sub}, {}};
                asked.push_back(gpuprof::try_metric(each.name).value());
                for (auto const depth : {breakdown_depth::one_level, breakdown_depth::all_levels})
                    for (metric_info const& part : gpuprof::try_breakdown(gpu, each.name, depth).value().parts) {
                        each.parts[static_cast<std::size_t>(depth)].push_back(part.name);
                        asked.push_back(part);
                    }
                throughputs.push_back(std::move(each));
            }

        gpuprof::profiler prof{gpu, one_range(), asked};
        for ([[maybe_unused]] auto const& pass : prof.passes()) {
            gpuprof::scope const range{prof, "work"};
            launch();
        }
        auto const report = prof.report();
        auto const range = report.try_range("work").value();
        std::size_t not_zero = 0;
        for (throughput const& each : throughputs) {
            CAPTURE(model->chip_name);
            CAPTURE(each.name);
            double const value = range.try_value(each.name).value().value;
            not_zero += value > 0;
            for (auto const& parts : each.parts) {
                double highest = -1;
                for (std::string const& part : parts) // a peak that is not known has no share
                    if (auto const share = range.try_value(part)) highest = std::max(highest, share->value);
                CHECK(value == highest);
            }
        }
        CHECK(not_zero > throughputs.size() / 2);
    }
}

#endif

} // namespace throughputs_test
