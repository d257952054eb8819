// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parameters of calls of the driver and of the runtime, in one form. tests/abi compares the structures with CUPTI's.
#include <doctest/doctest.h>

#include <array>
#include <cstdint>

#include <gpuprof/hw/abi/cupti_driver_parameters.hpp>
#include <gpuprof/hw/abi/cupti_runtime_parameters.hpp>
#include <gpuprof/trace/call_parameters.hpp>
#include <gpuprof/trace/callback_ids.hpp>

namespace call_parameters_test {

namespace abi = gpuprof::abi;
using namespace gpuprof;
using dimensions = std::array<unsigned, 3>;

namespace {

auto* const stream = reinterpret_cast<abi::CUstream>(0x5000);
auto* const at_1 = reinterpret_cast<void*>(0x1000);
auto* const at_2 = reinterpret_cast<void*>(0x2000);

template <class Wanted, class Function, class Given>
Wanted read(Function function, Given const& given, bool returned = false) {
    auto const domain =
        std::is_same_v<Function, driver_function> ? abi::CUPTI_CB_DOMAIN_DRIVER_API : abi::CUPTI_CB_DOMAIN_RUNTIME_API;
    auto const any = read_parameters({domain, static_cast<abi::CUpti_CallbackId>(function)}, &given, returned);
    auto const* const wanted = std::get_if<Wanted>(&any);
    REQUIRE(wanted != nullptr);
    return *wanted;
}

void check_launch(launch_parameters const& launch, bool cooperative = false) {
    CHECK(launch.function == at_1);
    CHECK(launch.graph == nullptr);
    CHECK(launch.grid == dimensions{7, 8, 9});
    CHECK(launch.block == dimensions{32, 2, 3});
    CHECK(launch.dynamic_shared == 48);
    CHECK(launch.stream == stream);
    CHECK(launch.cooperative == cooperative);
}

} // namespace

TEST_CASE("call parameters: launches of the driver and of the runtime read alike") {
    void* arguments[1]{};
    auto* const function = reinterpret_cast<abi::CUfunction>(at_1);
    for (auto const which : {driver_call<"cuLaunchKernel">, driver_call<"cuLaunchKernel_ptsz">}) {
        auto const launch = read<launch_parameters>(
            which, abi::cuLaunchKernel_params{function, 7, 8, 9, 32, 2, 3, 48, stream, arguments, nullptr});
        check_launch(launch);
        CHECK(launch.arguments == arguments);
    }
    check_launch(read<launch_parameters>(
                     driver_call<"cuLaunchCooperativeKernel">,
                     abi::cuLaunchCooperativeKernel_params{function, 7, 8, 9, 32, 2, 3, 48, stream, nullptr}),
                 true);
    for (auto const which : {runtime_call<"cudaLaunchKernel_v7000">, runtime_call<"cudaLaunchKernel_ptsz_v7000">,
                             runtime_call<"__cudaLaunchKernel_v13000">}) {
        auto const launch = read<launch_parameters>(
            which, abi::cudaLaunchKernel_v7000_params{at_1, {7, 8, 9}, {32, 2, 3}, arguments, 48, stream});
        check_launch(launch);
        CHECK(launch.arguments == arguments);
    }
    check_launch(read<launch_parameters>(
                     runtime_call<"cudaLaunchCooperativeKernel_v9000">,
                     abi::cudaLaunchCooperativeKernel_v9000_params{at_1, {7, 8, 9}, {32, 2, 3}, nullptr, 48, stream}),
                 true);

    abi::CUlaunchAttribute attributes[2];
    attributes[0].id = abi::CU_LAUNCH_ATTRIBUTE_COOPERATIVE;
    attributes[0].value.cooperative = 1;
    attributes[1].id = abi::CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
    attributes[1].value.clusterDim = {4, 2, 1};
    abi::CUlaunchConfig of_driver;
    of_driver.gridDimX = 7, of_driver.gridDimY = 8, of_driver.gridDimZ = 9;
    of_driver.blockDimX = 32, of_driver.blockDimY = 2, of_driver.blockDimZ = 3;
    of_driver.sharedMemBytes = 48, of_driver.hStream = stream, of_driver.attrs = attributes, of_driver.numAttrs = 2;
    auto const extended = read<launch_parameters>(driver_call<"cuLaunchKernelEx">,
                                                  abi::cuLaunchKernelEx_params{&of_driver, function, nullptr, nullptr});
    check_launch(extended, true);
    CHECK(extended.cluster == dimensions{4, 2, 1});
    abi::cudaLaunchConfig_t const of_runtime{{7, 8, 9}, {32, 2, 3}, 48, stream, attributes, 2};
    auto const of_runtime_too = read<launch_parameters>(
        runtime_call<"cudaLaunchKernelExC_v11060">, abi::cudaLaunchKernelExC_v11060_params{&of_runtime, at_1, nullptr});
    check_launch(of_runtime_too, true);
    CHECK(of_runtime_too.cluster == dimensions{4, 2, 1});
    CHECK(read<launch_parameters>(driver_call<"cuLaunchKernelEx">,
                                  abi::cuLaunchKernelEx_params{nullptr, function, nullptr, nullptr})
              .grid == dimensions{1, 1, 1});

    auto* const graph = reinterpret_cast<abi::CUgraphExec>(at_2);
    CHECK(read<launch_parameters>(driver_call<"cuGraphLaunch_ptsz">, abi::cuGraphLaunch_params{graph, stream}).graph ==
          graph);
    auto const of_graph = read<launch_parameters>(runtime_call<"cudaGraphLaunch_v10000">,
                                                  abi::cudaGraphLaunch_v10000_params{graph, stream});
    CHECK(of_graph.graph == graph);
    CHECK(of_graph.stream == stream);
    CHECK(of_graph.function == nullptr);
}

TEST_CASE("call parameters: copies") {
    using enum copy_direction;
    auto const check = [](copy_parameters const& copy, copy_direction direction, bool asynchronous) {
        CHECK(copy.destination == 0x1000);
        CHECK(copy.source == 0x2000);
        CHECK(copy.bytes == 300);
        CHECK(copy.rows == 1);
        CHECK(copy.direction == direction);
        CHECK(copy.asynchronous == asynchronous);
        CHECK(copy.stream == (asynchronous ? stream : nullptr));
    };
    check(read<copy_parameters>(driver_call<"cuMemcpy">, abi::cuMemcpy_params{0x1000, 0x2000, 300}), by_address, false);
    check(read<copy_parameters>(driver_call<"cuMemcpyAsync_ptsz">,
                                abi::cuMemcpyAsync_params{0x1000, 0x2000, 300, stream}),
          by_address, true);
    check(read<copy_parameters>(driver_call<"cuMemcpyHtoD_v2">, abi::cuMemcpyHtoD_v2_params{0x1000, at_2, 300}),
          host_to_device, false);
    check(read<copy_parameters>(driver_call<"cuMemcpyHtoDAsync_v2">,
                                abi::cuMemcpyHtoDAsync_v2_params{0x1000, at_2, 300, stream}),
          host_to_device, true);
    check(read<copy_parameters>(driver_call<"cuMemcpyDtoH_v2_ptds">, abi::cuMemcpyDtoH_v2_params{at_1, 0x2000, 300}),
          device_to_host, false);
    check(read<copy_parameters>(driver_call<"cuMemcpyDtoHAsync_v2">,
                                abi::cuMemcpyDtoHAsync_v2_params{at_1, 0x2000, 300, stream}),
          device_to_host, true);
    check(read<copy_parameters>(driver_call<"cuMemcpyDtoD_v2">, abi::cuMemcpyDtoD_v2_params{0x1000, 0x2000, 300}),
          device_to_device, false);
    check(read<copy_parameters>(driver_call<"cuMemcpyDtoDAsync_v2">,
                                abi::cuMemcpyDtoDAsync_v2_params{0x1000, 0x2000, 300, stream}),
          device_to_device, true);
    check(read<copy_parameters>(driver_call<"cuMemcpyPeer">,
                                abi::cuMemcpyPeer_params{0x1000, nullptr, 0x2000, nullptr, 300}),
          device_to_device, false);
    check(read<copy_parameters>(driver_call<"cuMemcpyPeerAsync">,
                                abi::cuMemcpyPeerAsync_params{0x1000, nullptr, 0x2000, nullptr, 300, stream}),
          device_to_device, true);
    check(read<copy_parameters>(runtime_call<"cudaMemcpy_v3020">,
                                abi::cudaMemcpy_v3020_params{at_1, at_2, 300, abi::cudaMemcpyHostToDevice}),
          host_to_device, false);
    check(read<copy_parameters>(runtime_call<"cudaMemcpy_ptds_v7000">,
                                abi::cudaMemcpy_v3020_params{at_1, at_2, 300, abi::cudaMemcpyDefault}),
          by_address, false);
    check(
        read<copy_parameters>(runtime_call<"cudaMemcpyAsync_v3020">,
                              abi::cudaMemcpyAsync_v3020_params{at_1, at_2, 300, abi::cudaMemcpyDeviceToHost, stream}),
        device_to_host, true);
    check(read<copy_parameters>(runtime_call<"cudaMemcpyPeer_v4000">,
                                abi::cudaMemcpyPeer_v4000_params{at_1, 0, at_2, 1, 300}),
          device_to_device, false);
    check(read<copy_parameters>(runtime_call<"cudaMemcpyPeerAsync_v4000">,
                                abi::cudaMemcpyPeerAsync_v4000_params{at_1, 0, at_2, 1, 300, stream}),
          device_to_device, true);
}

TEST_CASE("call parameters: copies of rows") {
    abi::CUDA_MEMCPY2D plane;
    plane.srcMemoryType = abi::CU_MEMORYTYPE_HOST;
    plane.srcHost = at_2;
    plane.srcPitch = 512, plane.srcY = 2, plane.srcXInBytes = 8;
    plane.dstMemoryType = abi::CU_MEMORYTYPE_DEVICE;
    plane.dstDevice = 0x1000;
    plane.dstPitch = 256;
    plane.WidthInBytes = 100, plane.Height = 5;
    auto copy =
        read<copy_parameters>(driver_call<"cuMemcpy2DAsync_v2">, abi::cuMemcpy2DAsync_v2_params{&plane, stream});
    CHECK(copy.source == 0x2000 + 2 * 512 + 8);
    CHECK(copy.destination == 0x1000);
    CHECK(copy.bytes == 500);
    CHECK(copy.rows == 5);
    CHECK(copy.direction == copy_direction::host_to_device);
    CHECK(copy.stream == stream);
    plane.dstMemoryType = abi::CU_MEMORYTYPE_ARRAY;
    copy = read<copy_parameters>(driver_call<"cuMemcpy2D_v2">, abi::cuMemcpy2D_v2_params{&plane});
    CHECK(copy.destination == 0);
    CHECK(copy.direction == copy_direction::host_to_device);
    plane.dstMemoryType = abi::CU_MEMORYTYPE_UNIFIED;
    copy = read<copy_parameters>(driver_call<"cuMemcpy2DUnaligned_v2">, abi::cuMemcpy2DUnaligned_v2_params{&plane});
    CHECK(copy.direction == copy_direction::by_address);
    CHECK(read<copy_parameters>(driver_call<"cuMemcpy2D_v2">, abi::cuMemcpy2D_v2_params{nullptr}).bytes == 0);
    copy = read<copy_parameters>(
        runtime_call<"cudaMemcpy2D_v3020">,
        abi::cudaMemcpy2D_v3020_params{at_1, 256, at_2, 512, 100, 5, abi::cudaMemcpyDeviceToDevice});
    CHECK(copy.bytes == 500);
    CHECK(copy.rows == 5);
    CHECK(copy.direction == copy_direction::device_to_device);
}

TEST_CASE("call parameters: memory that is filled") {
    auto fill = read<set_parameters>(driver_call<"cuMemsetD32_v2">, abi::cuMemsetD32_v2_params{0x1000, 0xdeadbeef, 50});
    CHECK(fill.destination == 0x1000);
    CHECK(fill.value == 0xdeadbeef);
    CHECK(fill.value_bytes == 4);
    CHECK(fill.bytes == 200);
    CHECK_FALSE(fill.asynchronous);
    fill =
        read<set_parameters>(driver_call<"cuMemsetD16Async">, abi::cuMemsetD16Async_params{0x1000, 0xbeef, 50, stream});
    CHECK(fill.bytes == 100);
    CHECK(fill.asynchronous);
    CHECK(fill.stream == stream);
    fill = read<set_parameters>(driver_call<"cuMemsetD2D8_v2">, abi::cuMemsetD2D8_v2_params{0x1000, 64, 7, 10, 3});
    CHECK(fill.value == 7);
    CHECK(fill.bytes == 30);
    CHECK(fill.rows == 3);
    fill = read<set_parameters>(driver_call<"cuMemsetD2D16Async">,
                                abi::cuMemsetD2D16Async_params{0x1000, 64, 7, 10, 3, stream});
    CHECK(fill.bytes == 60);
    fill = read<set_parameters>(runtime_call<"cudaMemset_v3020">, abi::cudaMemset_v3020_params{at_1, 0x1ff, 50});
    CHECK(fill.value == 0xff); // cudaMemset takes the lowest byte
    CHECK(fill.bytes == 50);
    fill = read<set_parameters>(runtime_call<"cudaMemsetAsync_ptsz_v7000">,
                                abi::cudaMemsetAsync_v3020_params{at_1, 3, 50, stream});
    CHECK(fill.asynchronous);
    fill = read<set_parameters>(runtime_call<"cudaMemset2D_v3020">, abi::cudaMemset2D_v3020_params{at_1, 64, 3, 10, 3});
    CHECK(fill.bytes == 30);
}

TEST_CASE("call parameters: memory that is allocated and freed, and the address is there when the call has succeeded") {
    abi::CUdeviceptr device = 0x7000;
    void* host = at_2;
    CHECK(read<allocation_parameters>(driver_call<"cuMemAlloc_v2">, abi::cuMemAlloc_v2_params{&device, 64}).address ==
          0);
    auto memory =
        read<allocation_parameters>(driver_call<"cuMemAlloc_v2">, abi::cuMemAlloc_v2_params{&device, 64}, true);
    CHECK(memory.address == 0x7000);
    CHECK(memory.bytes == 64);
    CHECK(memory.memory == allocated_memory::device);
    CHECK(read<allocation_parameters>(driver_call<"cuMemAlloc_v2">, abi::cuMemAlloc_v2_params{nullptr, 64}, true)
              .address == 0);
    memory = read<allocation_parameters>(driver_call<"cuMemHostAlloc">, abi::cuMemHostAlloc_params{&host, 64, 0}, true);
    CHECK(memory.address == 0x2000);
    CHECK(memory.memory == allocated_memory::host);
    CHECK(read<allocation_parameters>(driver_call<"cuMemAllocManaged">, abi::cuMemAllocManaged_params{&device, 64, 1},
                                      true)
              .memory == allocated_memory::managed);
    CHECK(read<allocation_parameters>(driver_call<"cuMemAllocPitch_v2">,
                                      abi::cuMemAllocPitch_v2_params{&device, nullptr, 100, 3, 4}, true)
              .bytes == 300);
    memory = read<allocation_parameters>(driver_call<"cuMemAllocAsync">,
                                         abi::cuMemAllocAsync_params{&device, 64, stream}, true);
    CHECK(memory.asynchronous);
    CHECK(memory.stream == stream);
    memory =
        read<allocation_parameters>(runtime_call<"cudaMalloc_v3020">, abi::cudaMalloc_v3020_params{&host, 64}, true);
    CHECK(memory.address == 0x2000);
    CHECK(memory.memory == allocated_memory::device);
    CHECK(read<allocation_parameters>(runtime_call<"cudaMallocManaged_v6000">,
                                      abi::cudaMallocManaged_v6000_params{&host, 64, 1}, true)
              .memory == allocated_memory::managed);
    CHECK(read<allocation_parameters>(runtime_call<"cudaMallocHost_v3020">, abi::cudaMallocHost_v3020_params{&host, 64},
                                      true)
              .memory == allocated_memory::host);
    CHECK(read<free_parameters>(driver_call<"cuMemFree_v2">, abi::cuMemFree_v2_params{0x7000}).address == 0x7000);
    CHECK(read<free_parameters>(driver_call<"cuMemFreeHost">, abi::cuMemFreeHost_params{at_1}).address == 0x1000);
    CHECK(read<free_parameters>(runtime_call<"cudaFree_v3020">, abi::cudaFree_v3020_params{at_1}).address == 0x1000);
    auto const freed =
        read<free_parameters>(runtime_call<"cudaFreeAsync_v11020">, abi::cudaFreeAsync_v11020_params{at_1, stream});
    CHECK(freed.asynchronous);
    CHECK(freed.stream == stream);
}

TEST_CASE("call parameters: other calls, and calls without parameters, have none") {
    abi::cuInit_params const init;
    auto const none =
        read_parameters({abi::CUPTI_CB_DOMAIN_DRIVER_API, static_cast<unsigned>(driver_call<"cuInit">)}, &init, true);
    CHECK(std::holds_alternative<std::monostate>(none));
    auto const null = read_parameters({abi::CUPTI_CB_DOMAIN_DRIVER_API, static_cast<unsigned>(driver_call<"cuMemcpy">)},
                                      nullptr, true);
    CHECK(std::holds_alternative<std::monostate>(null));
    auto const elsewhere = read_parameters({abi::CUPTI_CB_DOMAIN_RESOURCE, 1}, &init, true);
    CHECK(std::holds_alternative<std::monostate>(elsewhere));
}

} // namespace call_parameters_test
