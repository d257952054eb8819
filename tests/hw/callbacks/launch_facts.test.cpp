// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the driver tells of a launch at its moment.
#include <doctest/doctest.h>

#include <gpuprof/hw/callbacks/launch_facts.hpp>

#include "support/driver_kernels.hpp"

namespace launch_facts_test {

using gpuprof::hw::ask_driver;
using gpuprof::hw::kernel_launch;
namespace abi = gpuprof::abi;

namespace {
kernel_launch launch_in(abi::CUcontext context) {
    kernel_launch launch;
    launch.context = context;
    launch.block = {64, 1, 1};
    return launch;
}
} // namespace

TEST_CASE("the driver is asked for what a kernel needs") {
    with_kernels gpu;
    kernel_launch launch = launch_in(gpu.handle);
    ask_driver(gpu.driver, gpu.kernel("uses_shared"), launch);
    CHECK(launch.static_shared == 40000); // .b8 s[40000]
    CHECK(launch.registers > 0);
    CHECK(launch.context_id >= 0);
    CHECK(launch.stream_id == 0);        // the default stream
    CHECK(launch.active_clusters == -1); // it has no clusters
    CHECK(launch.largest_cluster == 8);  // what every GPU with clusters has
}

TEST_CASE("contexts and streams have ids of their own") {
    with_kernels gpu;
    abi::CUstream stream = nullptr;
    REQUIRE(gpu.driver.StreamCreate(&stream, 0) == abi::CUDA_SUCCESS);
    kernel_launch on_default = launch_in(gpu.handle), on_other = launch_in(gpu.handle);
    on_other.stream = stream;
    ask_driver(gpu.driver, gpu.kernel("empty"), on_default);
    ask_driver(gpu.driver, gpu.kernel("empty"), on_other);
    CHECK(on_default.stream_id != on_other.stream_id);
    CHECK(on_default.context_id == on_other.context_id);

    with_kernels another;
    kernel_launch elsewhere = launch_in(another.handle);
    ask_driver(another.driver, another.kernel("empty"), elsewhere);
    CHECK(elsewhere.context_id != on_default.context_id);
}

TEST_CASE("what an older driver lacks stays unknown") {
    with_kernels gpu;
    abi::driver_table older = gpu.driver;
    older.CtxGetId = nullptr;
    older.StreamGetId = nullptr;
    older.OccupancyMaxPotentialClusterSize = nullptr;
    older.OccupancyMaxActiveClusters = nullptr;
    kernel_launch launch = launch_in(gpu.handle);
    ask_driver(older, gpu.kernel("empty"), launch);
    CHECK(launch.context_id == -1);
    CHECK(launch.stream_id == -1);
    CHECK(launch.largest_cluster == -1);
    CHECK(launch.registers > 0);
    kernel_launch of_nothing = launch_in(gpu.handle);
    ask_driver(older, nullptr, of_nothing); // refused by the driver
    CHECK(of_nothing.registers == 0);
}

} // namespace launch_facts_test
