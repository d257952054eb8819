// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launches with clusters: attributes of launches and kernels, what is refused, how many fit, and what checks find.
#include <cstddef>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <gpuprof/sim/open.hpp>

#include "support/driver_fixture.hpp"
#include "support/kernel_fixture.hpp"
#include "sim/chip/chips.hpp"

namespace clusters_test {

using namespace gpuprof::abi;
namespace sim = gpuprof::sim;

namespace {

// A context with the kernels of clusters.cu.
struct with_clusters : embedded_context {
    explicit with_clusters(sim::chip_model const& chip = sim::gh100) : embedded_context{chip} {
        REQUIRE(driver.ModuleLoadData(&module, gpuprof_test::read_kernel_file("clusters.sm_90.ptx").c_str()) ==
                CUDA_SUCCESS);
    }
    CUfunction kernel(char const* name) {
        CUfunction function = nullptr;
        REQUIRE(driver.ModuleGetFunction(&function, module, name) == CUDA_SUCCESS);
        return function;
    }
    CUdeviceptr buffer(std::size_t bytes) {
        CUdeviceptr address = 0;
        REQUIRE(driver.MemAlloc(&address, bytes) == CUDA_SUCCESS);
        REQUIRE(driver.MemsetD8(address, 0, bytes) == CUDA_SUCCESS);
        return address;
    }
    int attribute(char const* name, CUfunction_attribute which) {
        int value = -1;
        CHECK(driver.FuncGetAttribute(&value, which, kernel(name)) == CUDA_SUCCESS);
        return value;
    }
    // @param cluster 0: no attribute
    CUresult launch(char const* name, unsigned grid, unsigned block, unsigned cluster,
                    std::vector<CUdeviceptr> addresses) {
        std::vector<void*> parameters;
        for (auto& each : addresses) parameters.push_back(&each);
        CUlaunchAttribute attribute = cluster_attribute(cluster);
        CUlaunchConfig const config{grid, 1, 1, block, 1, 1, 0, nullptr, &attribute, cluster != 0 ? 1u : 0u};
        return driver.LaunchKernelEx(&config, kernel(name), parameters.data(), nullptr);
    }
    static CUlaunchAttribute cluster_attribute(unsigned blocks) {
        CUlaunchAttribute attribute;
        attribute.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
        attribute.value.clusterDim = {blocks, 1, 1};
        return attribute;
    }
    std::vector<unsigned> words(CUdeviceptr from, std::size_t n) {
        std::vector<unsigned> got(n);
        CHECK(driver.MemcpyDtoH(got.data(), from, 4 * n) == CUDA_SUCCESS);
        return got;
    }
    CUmodule module = nullptr;
};

} // namespace

TEST_CASE("a launch attribute makes clusters, and a kernel may require them") {
    with_clusters gpu;
    auto const out = gpu.buffer(12 * 64);
    CHECK(gpu.launch("who", 12, 1, 3, {out}) == CUDA_SUCCESS);
    auto const said = gpu.words(out, 12 * 16);
    for (unsigned b = 0; b < 12; ++b) {
        CHECK(said[b * 16 + 6] == b % 3); // %cluster_ctarank
        CHECK(said[b * 16 + 8] == b / 3); // %clusterid.x
        CHECK(said[b * 16 + 14] == 1);    // %is_explicit_cluster
    }
    // __cluster_dims__(4, 1, 1): also without an attribute.
    auto const in = gpu.buffer(8 * 64 * 4), sums = gpu.buffer(8 * 3 * 64 * 4);
    for (unsigned const cluster : {0u, 4u}) {
        CHECK(gpu.driver.MemsetD8(sums, 0xff, 8 * 3 * 64 * 4) == CUDA_SUCCESS);
        CHECK(gpu.launch("sum_of_cluster", 8, 64, cluster, {in, sums}) == CUDA_SUCCESS);
        auto const got = gpu.words(sums, 8 * 3 * 64);
        for (std::size_t round = 0; round < 3; ++round)
            CHECK(got[(5 * 3 + round) * 64 + 9] == 4 * round); // zeros, and the round
    }
    CHECK(gpu.attribute("sum_of_cluster", CU_FUNC_ATTRIBUTE_CLUSTER_SIZE_MUST_BE_SET) == 1);
    CHECK(gpu.attribute("sum_of_cluster", CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH) == 4);
    CHECK(gpu.attribute("sum_of_cluster", CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT) == 1);
    CHECK(gpu.attribute("who", CU_FUNC_ATTRIBUTE_CLUSTER_SIZE_MUST_BE_SET) == 0);
    CHECK(gpu.attribute("who", CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH) == 0);
}

TEST_CASE("clusters that do not fit are refused, and lose nothing") {
    with_clusters gpu;
    auto const out = gpu.buffer(64 * 64);
    CHECK(gpu.launch("who", 7, 1, 2, {out}) == CUDA_ERROR_INVALID_CLUSTER_SIZE);
    auto const why = sim::last_launch_error(gpu.handle);
    REQUIRE(why);
    CHECK(why->message().find("no multiple of the cluster (2, 1, 1)") != std::string::npos);
    CHECK(gpu.launch("who", 16, 1, 16, {out}) == CUDA_ERROR_INVALID_CLUSTER_SIZE);
    CHECK(gpu.launch("sum_of_cluster", 8, 64, 2, {out, out}) == CUDA_ERROR_INVALID_CLUSTER_SIZE);
    CHECK(gpu.launch("sum_of_cluster", 6, 64, 0, {out, out}) == CUDA_ERROR_INVALID_CLUSTER_SIZE);
    // More than the portable eight must be asked for.
    CHECK(gpu.driver.FuncSetAttribute(gpu.kernel("who"), CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED, 2) ==
          CUDA_ERROR_INVALID_VALUE);
    CHECK(gpu.driver.FuncSetAttribute(gpu.kernel("who"), CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED, 1) ==
          CUDA_SUCCESS);
    CHECK(gpu.attribute("who", CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED) == 1);
    CHECK(gpu.launch("who", 32, 1, 16, {out}) == CUDA_SUCCESS);
    CHECK(gpu.words(out, 32 * 16)[31 * 16 + 6] == 15);
    CHECK(gpu.launch("who", 17, 1, 17, {out}) == CUDA_ERROR_INVALID_CLUSTER_SIZE);
    // A kernel that says nothing may be told; one that says it itself may not.
    CHECK(gpu.driver.FuncSetAttribute(gpu.kernel("who"), CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH, 2) == CUDA_SUCCESS);
    CHECK(gpu.launch("who", 4, 1, 0, {out}) == CUDA_SUCCESS);
    CHECK(gpu.words(out, 4 * 16)[3 * 16 + 7] == 2);
    CHECK(gpu.driver.FuncSetAttribute(gpu.kernel("sum_of_cluster"), CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH, 2) ==
          CUDA_ERROR_INVALID_VALUE);
}

TEST_CASE("chips before capability 9.0 have no clusters") {
    with_clusters gpu{sim::gm200}; // which runs any PTX
    auto const out = gpu.buffer(64);
    CHECK(gpu.launch("who", 1, 1, 1, {out}) == CUDA_SUCCESS);
    CHECK(gpu.launch("who", 2, 1, 2, {out}) == CUDA_ERROR_NOT_SUPPORTED);
    int value = 0;
    CUlaunchConfig const config{2, 1, 1, 1, 1, 1, 0, nullptr, nullptr, 0};
    CHECK(gpu.driver.OccupancyMaxPotentialClusterSize(&value, gpu.kernel("who"), &config) == CUDA_ERROR_NOT_SUPPORTED);
}

TEST_CASE("the occupancy of clusters counts those that fit on the GPCs") {
    with_clusters gpu;
    int value = 0;
    auto const active = [&](char const* name, unsigned cluster, unsigned threads, unsigned shared) {
        CUlaunchAttribute attribute = with_clusters::cluster_attribute(cluster);
        CUlaunchConfig const config{64, 1, 1, threads, 1, 1, shared, nullptr, &attribute, cluster != 0 ? 1u : 0u};
        value = -1;
        return gpu.driver.OccupancyMaxActiveClusters(&value, gpu.kernel(name), &config);
    };
    CHECK(gpu.driver.FuncSetAttribute(gpu.kernel("who"), CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 200 * 1024) ==
          CUDA_SUCCESS);
    // One block an SM: 132 SMs on eight GPCs are four of 16 and four of 17.
    CHECK(active("who", 8, 128, 200 * 1024) == CUDA_SUCCESS);
    CHECK(value == 8 * 2);
    CHECK(active("who", 1, 128, 200 * 1024) == CUDA_SUCCESS);
    CHECK(value == 132);
    CHECK(active("who", 0, 128, 0) == CUDA_ERROR_INVALID_CLUSTER_SIZE);
    CHECK(active("sum_of_cluster", 0, 1024, 0) == CUDA_SUCCESS); // two blocks of 1024 threads an SM
    CHECK(value == 4 * (32 / 4) + 4 * (34 / 4));
    CHECK(active("sum_of_cluster", 2, 64, 0) == CUDA_ERROR_INVALID_CLUSTER_SIZE);

    auto const potential = [&](char const* name) {
        CUlaunchConfig const config{64, 1, 1, 128, 1, 1, 0, nullptr, nullptr, 0};
        CHECK(gpu.driver.OccupancyMaxPotentialClusterSize(&value, gpu.kernel(name), &config) == CUDA_SUCCESS);
        return value;
    };
    CHECK(potential("who") == 8);
    CHECK(potential("sum_of_cluster") == 4);
    CHECK(gpu.driver.FuncSetAttribute(gpu.kernel("who"), CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED, 1) ==
          CUDA_SUCCESS);
    CHECK(potential("who") == 16);
}

TEST_CASE("programmatic dependent launch is accepted, and kernels run one after the other") {
    with_clusters gpu;
    auto const out = gpu.buffer(64);
    CUlaunchAttribute attribute;
    attribute.id = CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION;
    attribute.value.programmaticStreamSerializationAllowed = 1;
    CUlaunchConfig const config{1, 1, 1, 1, 1, 1, 0, nullptr, &attribute, 1};
    CUdeviceptr address = out;
    void* parameters[] = {&address};
    CHECK(gpu.driver.LaunchKernelEx(&config, gpu.kernel("who"), parameters, nullptr) == CUDA_SUCCESS);
    CHECK(gpu.words(out, 16)[7] == 1);
}

TEST_CASE("checks know what a cluster's barrier, remote mbarriers and remote stores order") {
    struct checking {
        checking() {
            static_cast<void>(sim::embedded_machine().driver.Init(0));
            sim::execution_settings settings;
            settings.checks =
                sim::check_set{sim::check::races} | sim::check::initialised | sim::check::barriers | sim::check::exits;
            sim::set_execution(settings);
            sim::forget_findings();
        }
        ~checking() { sim::set_execution({}); }
    } const now;
    with_clusters gpu;
    auto const data = gpu.buffer(8 * 32 * 4), out = gpu.buffer(8 * 32 * 4);
    CHECK(gpu.launch("through_global", 8, 32, 4, {data, out}) == CUDA_SUCCESS);
    CHECK(gpu.launch("gives", 8, 32, 2, {out}) == CUDA_SUCCESS);
    auto const sums = gpu.buffer(8 * 3 * 64 * 4), in = gpu.buffer(8 * 64 * 4);
    CHECK(gpu.launch("sum_of_cluster", 8, 64, 0, {in, sums}) == CUDA_SUCCESS);
    for (sim::finding const& each : sim::findings()) {
        INFO(each.message());
        CHECK(false);
    }
    CHECK(gpu.launch("not_ordered", 2, 32, 2, {data, out}) == CUDA_SUCCESS);
    auto const found = sim::findings();
    REQUIRE(!found.empty());
    CHECK(found.front().kind == sim::finding_kind::race);
}

} // namespace clusters_test
