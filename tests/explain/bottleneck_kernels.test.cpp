// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The simplified experiments on the embedded GPU: kernels that are each bound by one unit (tests/kernels/bound.cu), and chips
// that cannot say.
#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

#include <gpuprof/legacy.hpp>
#include <gpuprof/bottleneck.hpp>
#include <gpuprof/gpuprof.hpp>
#include <gpuprof/sim.hpp>

namespace bottleneck_kernels_test {

namespace explain = gpuprof::explain;
namespace hw = gpuprof::hw;
using explain::bottleneck_kind;
using explain::gpu_unit;

namespace {

namespace abi = gpuprof::abi; // the C++ library may have one of its own

gpuprof::device open(std::string_view chip) {
    auto opened = gpuprof::sim::open_embedded(chip);
    REQUIRE_MESSAGE(opened, (opened ? std::string{} : opened.error().message()));
    return *std::move(opened);
}

// The five kernels, each with as many blocks as fill the GPU, but the last.
class bound_kernels {
public:
    static constexpr std::size_t count = 5;
    static constexpr unsigned bytes = 96u << 20; // more than the 60 MiB of L2

    explicit bound_kernels(gpuprof::device const& gpu) : gpu_{gpu} {
        hw::context_scope const here{gpu.driver(), gpu.context()};
        std::ifstream file{std::string{GPUPROF_TEST_SOURCE_DIR} + "/kernels/bound.sm_80.ptx"};
        std::string const ptx{std::istreambuf_iterator<char>{file}, {}};
        REQUIRE(!ptx.empty());
        REQUIRE(gpu.driver().ModuleLoadData(&module_, ptx.c_str()) == abi::CUDA_SUCCESS);
        REQUIRE(gpu.driver().MemAlloc(&in_, bytes) == abi::CUDA_SUCCESS);
        REQUIRE(gpu.driver().MemsetD8(in_, 0, bytes) == abi::CUDA_SUCCESS);
        REQUIRE(gpu.driver().MemAlloc(&out_, 4) == abi::CUDA_SUCCESS);
    }
    ~bound_kernels() {
        hw::context_scope const here{gpu_.driver(), gpu_.context()};
        gpu_.driver().ModuleUnload(module_);
        gpu_.driver().MemFree(in_);
        gpu_.driver().MemFree(out_);
    }
    void launch(std::size_t which) {
        constexpr unsigned full = 132 * 8;
        switch (which) {
            case 0: run("bound_by_dram", full, 256, in_, out_, bytes / 16); break;
            case 1: run("bound_by_l2", full, 256, in_, out_, 1u << 20, 16u); break; // 16 MiB
            case 2: run("bound_by_fma", full, 256, in_, out_, 64u); break;
            case 3: run("bound_by_shared", full, 256, in_, out_, 64u); break;
            default: run("bound_by_latency", 4, 64, in_, out_, 256u); break;
        }
    }

private:
    template <class... Arguments>
    void run(char const* kernel, unsigned grid, unsigned block, Arguments... arguments) {
        hw::context_scope const here{gpu_.driver(), gpu_.context()};
        abi::CUfunction function = nullptr;
        REQUIRE(gpu_.driver().ModuleGetFunction(&function, module_, kernel) == abi::CUDA_SUCCESS);
        void* list[]{&arguments...};
        REQUIRE(gpu_.driver().LaunchKernel(function, grid, 1, 1, block, 1, 1, 0, nullptr, list, nullptr) ==
                abi::CUDA_SUCCESS);
    }

    gpuprof::device const& gpu_;
    abi::CUmodule module_ = nullptr;
    abi::CUdeviceptr in_ = 0;
    abi::CUdeviceptr out_ = 0;
};

} // namespace

TEST_CASE(
    "bottleneck kernels: the embedded GH100 names DRAM, L2, FMA, shared memory and latency, each for its kernel") {
    auto const gpu = open("9.0");
    bound_kernels kernels{gpu};
    auto made = gpuprof::experiment::try_create(gpu);
    REQUIRE(made);
    auto const metrics = explain::try_bottleneck_metrics(gpu);
    REQUIRE(metrics);
    CHECK(made->enable(*metrics).is_ok());
    CHECK(made->reserve_objects(bound_kernels::count).is_ok());
    auto const ran = made->run([&] {
        for (std::size_t id = 0; id < bound_kernels::count; ++id) {
            made->begin_object(id);
            kernels.launch(id);
            made->end_object(id);
        }
    });
    CHECK(ran.is_ok());
    CHECK(made->mistakes().empty());
    constexpr std::string_view verdicts[]{"DRAM", "L2", "FMA pipe", "shared memory", "latency"};
    for (std::size_t id = 0; id < bound_kernels::count; ++id) {
        auto const range = made->try_object(id);
        REQUIRE(range);
        auto const found = explain::find_bottleneck(*range);
        INFO(gpuprof::io::table(found));
        CHECK(found.verdict() == verdicts[id]);
        CHECK(found.source == gpuprof::device_source::embedded);
        CHECK(found.fidelity == gpuprof::fidelity::estimated);
        for (auto const& each : found.findings) CHECK(each.bottleneck.has_value());
    }
}

TEST_CASE("bottleneck kernels: one call measures and answers") {
    auto const gpu = open("9.0");
    bound_kernels kernels{gpu};
    auto const found = explain::try_bottleneck(gpu, [&] { kernels.launch(3); });
    REQUIRE_MESSAGE(found, (found ? std::string{} : found.error().message()));
    CHECK(found->unit == gpu_unit::shared);
}

TEST_CASE("bottleneck kernels: one experiment alone is enabled by its name, and others have no value") {
    auto const gpu = open("9.0");
    bound_kernels kernels{gpu};
    auto const named = explain::find_simplified_experiment("shared memory Bottleneck");
    auto const other = explain::find_simplified_experiment("DRAM SOL");
    REQUIRE(named);
    REQUIRE(other);
    auto const metrics = explain::try_metrics(gpu, *named);
    REQUIRE(metrics);
    CHECK(metrics->size() == explain::metric_names(*named).size()); // the chip has all of them
    auto made = gpuprof::experiment::try_create(gpu);
    REQUIRE(made);
    CHECK(made->enable(*metrics).is_ok());
    CHECK(made->run([&] { kernels.launch(3); }).is_ok());
    auto const whole = made->try_object();
    REQUIRE(whole);
    auto const value = explain::try_value(*named, *whole);
    REQUIRE_MESSAGE(value, value.error().message());
    CHECK(value->value >= explain::bottleneck::least); // the kernel is bound by it
    CHECK(value->cycles > 0);
    auto const elapsed = made->try_value("sm__cycles_elapsed.avg");
    REQUIRE(elapsed);
    CHECK(value->cycles == elapsed->value);
    CHECK_FALSE(explain::try_value(*other, *whole));
}

TEST_CASE("bottleneck kernels: event hardware has none of the metrics, and the answer names all of them") {
    std::size_t chips = 0;
    for (std::string_view const chip : {"2.0", "3.5", "5.2", "6.0"}) {
        ++chips;
        auto const gpu = open(chip);
        auto const found = explain::try_bottleneck(gpu, [] {});
        REQUIRE_MESSAGE(found, (found ? std::string{} : found.error().message()));
        CHECK(found->kind == bottleneck_kind::cannot_be_said);
        CHECK(found->missing == explain::bottleneck_metric_names());
        CHECK_FALSE(found->why.empty());
    }
    CHECK(chips == 4);
}

} // namespace bottleneck_kernels_test
