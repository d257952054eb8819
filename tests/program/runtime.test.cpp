// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests of the CUDA runtime over the embedded GPU, as host code that nvcc made would call it.
#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <string>
#include <vector>

#include "runtime_calls.hpp"

namespace runtime_test {

// An array in the embedded GPU's memory.
struct device_numbers {
    explicit device_numbers(std::vector<std::uint32_t> const& from) : count{from.size()} {
        REQUIRE(cudaMalloc(&pointer, count * 4) == 0);
        REQUIRE(cudaMemcpy(pointer, from.data(), count * 4, host_to_device) == 0);
    }
    ~device_numbers() { CHECK(cudaFree(pointer) == 0); }
    device_numbers(device_numbers const&) = delete;
    device_numbers& operator=(device_numbers const&) = delete;

    [[nodiscard]] std::vector<std::uint32_t> read() const {
        std::vector<std::uint32_t> to(count);
        CHECK(cudaMemcpy(to.data(), pointer, count * 4, device_to_host) == 0);
        return to;
    }
    std::size_t count;
    void* pointer = nullptr;
};

static std::vector<std::uint32_t> counting(std::size_t count) {
    std::vector<std::uint32_t> numbers(count);
    std::iota(numbers.begin(), numbers.end(), 1u);
    return numbers;
}
static std::vector<std::uint32_t> times(std::vector<std::uint32_t> numbers, std::uint32_t factor) {
    for (std::uint32_t& number : numbers) number *= factor;
    return numbers;
}

// scale<<<grid, block>>>(numbers, count), as nvcc writes it.
static int launch_scale(device_numbers const& numbers, stream in = nullptr, unsigned block = 64) {
    void* pointer = numbers.pointer;
    auto count = static_cast<std::uint32_t>(numbers.count);
    void* arguments[]{&pointer, &count};
    if (__cudaPushCallConfiguration({(count + 63) / 64, 1, 1}, {block, 1, 1}, 0, in) != 0) return -1;
    void* kernel = nullptr;
    if (int const error = __cudaGetKernel(&kernel, program().scale_stub())) return error;
    dim3 grid, threads;
    std::size_t shared = 1;
    stream popped = nullptr;
    if (int const error = __cudaPopCallConfiguration(&grid, &threads, &shared, &popped)) return error;
    return __cudaLaunchKernel(kernel, grid, threads, arguments, shared, popped);
}

TEST_CASE("a kernel of a registered fat binary is launched by its configuration") {
    device_numbers const numbers{counting(100)};
    CHECK(launch_scale(numbers) == 0);
    CHECK(cudaDeviceSynchronize() == 0);
    CHECK(numbers.read() == times(counting(100), 3));
    CHECK(cudaGetLastError() == 0);
}

TEST_CASE("cudaLaunchKernel takes the host function itself") {
    device_numbers const numbers{counting(10)};
    void* pointer = numbers.pointer;
    std::uint32_t count = 10;
    void* arguments[]{&pointer, &count};
    CHECK(cudaLaunchKernel(program().scale_stub(), {1, 1, 1}, {32, 1, 1}, arguments, 0, nullptr) == 0);
    CHECK(numbers.read() == times(counting(10), 3));
}

TEST_CASE(
    "a configuration that does not fit, a function that is no kernel, and a stub without a configuration are refused") {
    device_numbers const numbers{counting(10)};
    CHECK(launch_scale(numbers, nullptr, 1025) == 9);
    CHECK(cudaPeekAtLastError() == 9);
    CHECK(cudaGetLastError() == 9);
    CHECK(cudaGetLastError() == 0);
    void* kernel = nullptr;
    CHECK(__cudaGetKernel(&kernel, &kernel) == 98);
    CHECK(cudaLaunchKernel(&kernel, {1, 1, 1}, {1, 1, 1}, nullptr, 0, nullptr) == 98);
    dim3 grid, block;
    std::size_t shared = 0;
    stream in = nullptr;
    CHECK(__cudaPopCallConfiguration(&grid, &block, &shared, &in) == 52);
    CHECK(cudaGetLastError() == 52);
}

TEST_CASE("configurations nest: the last one pushed is popped first") {
    __cudaPushCallConfiguration({1, 2, 3}, {4, 5, 6}, 7, nullptr);
    __cudaPushCallConfiguration({8, 1, 1}, {9, 1, 1}, 10, nullptr);
    dim3 grid, block;
    std::size_t shared = 0;
    stream in = nullptr;
    CHECK(__cudaPopCallConfiguration(&grid, &block, &shared, &in) == 0);
    CHECK(grid.x == 8);
    CHECK(shared == 10);
    CHECK(__cudaPopCallConfiguration(&grid, &block, &shared, &in) == 0);
    CHECK(grid.z == 3);
    CHECK(block.y == 5);
    CHECK(shared == 7);
}

TEST_CASE("variables are read and written by their host variable, within their size") {
    void const* const symbol = &program().factor;
    std::uint32_t value = 0;
    CHECK(cudaMemcpyFromSymbol(&value, symbol, 4, 0, device_to_host) == 0);
    CHECK(value == 3);
    value = 5;
    CHECK(cudaMemcpyToSymbol(symbol, &value, 4, 0, host_to_device) == 0);
    device_numbers const numbers{counting(4)};
    CHECK(launch_scale(numbers) == 0);
    CHECK(numbers.read() == times(counting(4), 5));
    std::size_t bytes = 0;
    CHECK(cudaGetSymbolSize(&bytes, symbol) == 0);
    CHECK(bytes == 4);
    CHECK(cudaMemcpyToSymbol(symbol, &value, 4, 1, host_to_device) == 1);
    CHECK(cudaMemcpyToSymbol(&value, &value, 4, 0, host_to_device) == 13);
    value = 3;
    CHECK(cudaMemcpyToSymbol(symbol, &value, 4, 0, host_to_device) == 0);
    CHECK(cudaGetLastError() == 13);
}

TEST_CASE("copies in every direction, of rows, and in the stream of a thread") {
    auto const from = counting(12);
    device_numbers const a{from}, b{std::vector<std::uint32_t>(12)};
    CHECK(cudaMemcpy(b.pointer, a.pointer, 48, device_to_device) == 0);
    CHECK(b.read() == from);
    std::vector<std::uint32_t> host(12);
    CHECK(cudaMemcpy(host.data(), a.pointer, 48, any_to_any) == 0);
    CHECK(host == from);
    CHECK(cudaMemcpyAsync_ptsz(b.pointer, host.data(), 48, host_to_device, nullptr) == 0);
    // Two columns of three rows of four: 1 2, 5 6, 9 10.
    std::vector<std::uint32_t> columns(6);
    CHECK(cudaMemcpy2D(columns.data(), 8, a.pointer, 16, 8, 3, device_to_host) == 0);
    CHECK(columns == std::vector<std::uint32_t>{1, 2, 5, 6, 9, 10});
    CHECK(cudaMemset(b.pointer, 0xff, 4) == 0);
    CHECK(b.read()[0] == 0xffffffff);
    CHECK(b.read()[1] == 2);
    CHECK(cudaMemcpy(b.pointer, host.data(), 48, 7) == 21);
    CHECK(cudaMemcpy(b.pointer, host.data(), 49, host_to_device) == 1); // one byte beyond the end
    CHECK(cudaGetLastError() == 1);
}

// As an H100 answers (driver 580.159, CUDA 13.0): what is called the device's must be, what is called the host's may be either.
TEST_CASE("a copy in the wrong direction is refused, of bytes, rows and boxes") {
    device_numbers const there{std::vector<std::uint32_t>(64)};
    std::vector<std::uint32_t> here(64);
    void* const places[]{here.data(), there.pointer};
    constexpr int kinds[]{0, host_to_device, device_to_host, device_to_device, any_to_any};
    for (int const kind : kinds)
        for (int to = 0; to < 2; ++to)
            for (int from = 0; from < 2; ++from) {
                bool const needs_to = kind == host_to_device || kind == device_to_device;
                bool const needs_from = kind == device_to_host || kind == device_to_device;
                int const expected = (needs_to && to == 0) || (needs_from && from == 0) ? 1 : 0;
                CAPTURE(kind);
                CAPTURE(to);
                CAPTURE(from);
                CHECK(cudaMemcpy(places[to], places[from], 64, kind) == expected);
                CHECK(cudaMemcpy2D(places[to], 32, places[from], 32, 32, 2, kind) == expected);
                box_copy box;
                box.from = {places[from], 32, 32, 2};
                box.to = {places[to], 32, 32, 2};
                box.width = 32;
                box.height = box.depth = 2;
                box.kind = kind;
                CHECK(cudaMemcpy3D(&box) == expected);
            }
    auto* const before = static_cast<std::byte*>(there.pointer) - 1;
    CHECK(cudaMemcpy2D(here.data(), 64, before, 64, 64, 1, device_to_host) == 1);
    CHECK(cudaMemcpy2D(here.data(), 64, before, 64, 64, 1, any_to_any) == 1);
    CHECK(cudaGetLastError() == 1);
}

// The statuses are an H100's (driver 580.159, CUDA 13.0), but for a layer before the first: that one looks at the page alone.
TEST_CASE("a box that leaves its memory is refused, however far it goes") {
    constexpr std::size_t far_away = ~std::size_t{0};
    device_numbers const there{std::vector<std::uint32_t>(512 * 8 * 4 / 4)}; // four layers of eight rows of 512 bytes
    std::vector<std::byte> here(64 * 8 * 4);
    box_copy good;
    good.from = {here.data(), 64, 64, 8};
    good.to = {there.pointer, 512, 64, 8};
    good.width = 64;
    good.height = 8;
    good.depth = 4;
    good.kind = host_to_device;
    CHECK(cudaMemcpy3D(&good) == 0);
    auto const with = [&](auto const& change) {
        box_copy box = good;
        change(box);
        return cudaMemcpy3D(&box);
    };
    CHECK(with([](box_copy& box) { box.to_x = 1; }) == 0);
    CHECK(with([](box_copy& box) { box.to_x = 500; }) == 1);
    CHECK(with([](box_copy& box) { box.to_x = far_away; }) == 1);
    CHECK(with([](box_copy& box) { box.to_y = 1; }) == 1);
    CHECK(with([](box_copy& box) { box.to_y = far_away; }) == 1);
    CHECK(with([](box_copy& box) { box.to_z = far_away; }) == 1);
    CHECK(with([](box_copy& box) { box.from_x = far_away; }) == 1);
    CHECK(with([](box_copy& box) { box.to_x = box.to_y = box.to_z = std::size_t{1} << 60; }) == 1);
    CHECK(with([](box_copy& box) { box.height = 9; }) == 12);
    CHECK(with([](box_copy& box) { box.width = 65; }) == 12);
    CHECK(with([](box_copy& box) { box.to.rows = 4; }) == 12);
    CHECK(with([](box_copy& box) { box.depth = far_away; }) == 1);
    for (auto const member : {&box_copy::width, &box_copy::height, &box_copy::depth})
        CHECK(with([&](box_copy& box) {
                  box.width = 1;
                  box.height = 1;
                  box.depth = far_away;
                  box.*member = 0;
              }) == 0); // at once
    graph made = nullptr;
    graph_node node = nullptr;
    REQUIRE(cudaGraphCreate(&made, 0) == 0);
    box_copy wrong = good;
    wrong.depth = 1;
    wrong.to_x = far_away;
    CHECK(cudaGraphAddMemcpyNode(&node, made, nullptr, 0, &wrong) == 1);
    CHECK(cudaGraphDestroy(made) == 0);
    CHECK(cudaGetLastError() == 1);
}

TEST_CASE("managed and registered memory is the host's own") {
    void* memory = nullptr;
    REQUIRE(cudaMallocManaged(&memory, 16, 1) == 0);
    auto* const managed = static_cast<std::uint32_t*>(memory);
    for (std::uint32_t i = 0; i < 4; ++i) managed[i] = i;
    std::uint32_t count = 4;
    void* arguments[]{&memory, &count};
    CHECK(cudaLaunchKernel(program().scale_stub(), {1, 1, 1}, {4, 1, 1}, arguments, 0, nullptr) == 0);
    CHECK(cudaDeviceSynchronize() == 0);
    CHECK(managed[3] == 9);
    CHECK(cudaFree(memory) == 0);

    std::vector<std::uint32_t> own{1, 2, 3, 4};
    void* pointer = own.data();
    REQUIRE(cudaHostRegister(pointer, 16, 0) == 0);
    CHECK(cudaHostRegister(pointer, 16, 0) == 712);
    arguments[0] = &pointer;
    CHECK(cudaLaunchKernel(program().scale_stub(), {1, 1, 1}, {4, 1, 1}, arguments, 0, nullptr) == 0);
    CHECK(own[3] == 12);
    CHECK(cudaHostUnregister(pointer) == 0);
    CHECK(cudaHostUnregister(pointer) == 713);
    CHECK(cudaGetLastError() == 713);
}

TEST_CASE("streams, events and host functions are in order") {
    stream in = nullptr;
    event begin = nullptr, end = nullptr;
    REQUIRE(cudaStreamCreate(&in) == 0);
    REQUIRE(cudaEventCreate(&begin) == 0);
    REQUIRE(cudaEventCreate(&end) == 0);
    device_numbers const numbers{counting(1000)};
    CHECK(cudaEventRecord(begin, in) == 0);
    CHECK(launch_scale(numbers, in) == 0);
    CHECK(cudaEventRecord(end, in) == 0);
    bool was_called = false;
    CHECK(cudaLaunchHostFunc(
              in, [](void* data) { *static_cast<bool*>(data) = true; }, &was_called) == 0);
    CHECK(cudaStreamSynchronize(in) == 0);
    CHECK(was_called);
    float milliseconds = 0;
    CHECK(cudaEventElapsedTime(&milliseconds, begin, end) == 0);
    CHECK(milliseconds > 0);
    CHECK(cudaEventDestroy(begin) == 0);
    CHECK(cudaEventDestroy(end) == 0);
    CHECK(cudaStreamDestroy(in) == 0);
}

TEST_CASE("what a stream captured runs when its graph is launched, as often as it is") {
    stream in = nullptr;
    graph captured = nullptr;
    graph_executable executable = nullptr;
    REQUIRE(cudaStreamCreate(&in) == 0);
    device_numbers const numbers{counting(8)};
    REQUIRE(cudaStreamBeginCapture(in, 0) == 0);
    CHECK(launch_scale(numbers, in) == 0);
    REQUIRE(cudaStreamEndCapture(in, &captured) == 0);
    CHECK(numbers.read() == counting(8));
    REQUIRE(cudaGraphInstantiate(&executable, captured, 0) == 0);
    CHECK(cudaGraphLaunch(executable, in) == 0);
    CHECK(cudaGraphLaunch(executable, in) == 0);
    CHECK(cudaStreamSynchronize(in) == 0);
    CHECK(numbers.read() == times(counting(8), 9));
    CHECK(cudaGraphExecDestroy(executable) == 0);
    CHECK(cudaGraphDestroy(captured) == 0);
    CHECK(cudaStreamDestroy(in) == 0);
}

// The node parameters of scale<<<1, 64>>>(numbers, count).
struct scale_node {
    explicit scale_node(device_numbers const& numbers)
        : pointer{numbers.pointer}, count{static_cast<std::uint32_t>(numbers.count)} {}
    [[nodiscard]] kernel_node_parameters parameters() {
        return {program().scale_stub(), {1, 1, 1}, {64, 1, 1}, 0, arguments, nullptr};
    }
    void* pointer;
    std::uint32_t count;
    void* arguments[2]{&pointer, &count};
};

TEST_CASE("a graph made node by node runs in the order of its edges") {
    device_numbers const numbers{counting(4)}, copy{counting(4)};
    scale_node scale{numbers};
    graph made = nullptr;
    graph_node fill = nullptr, kernel = nullptr, again = nullptr, line = nullptr, host = nullptr, empty = nullptr;
    REQUIRE(cudaGraphCreate(&made, 0) == 0);
    // Ones, times three, times three, into the copy.
    fill_node_parameters const ones{numbers.pointer, 0, 1, 4, 4, 1};
    kernel_node_parameters const parameters = scale.parameters();
    static int calls;
    calls = 0;
    host_node_parameters const count_calls{[](void*) { ++calls; }, nullptr};
    REQUIRE(cudaGraphAddMemsetNode(&fill, made, nullptr, 0, &ones) == 0);
    REQUIRE(cudaGraphAddKernelNode(&kernel, made, &fill, 1, &parameters) == 0);
    REQUIRE(cudaGraphAddKernelNode(&again, made, &kernel, 1, &parameters) == 0);
    REQUIRE(cudaGraphAddMemcpyNode1D(&line, made, &again, 1, copy.pointer, numbers.pointer, 16, device_to_device) == 0);
    REQUIRE(cudaGraphAddHostNode(&host, made, &again, 1, &count_calls) == 0);
    graph_node const ends[]{line, host};
    REQUIRE(cudaGraphAddEmptyNode(&empty, made, ends, 2) == 0);

    std::size_t count = 0;
    CHECK(cudaGraphGetNodes(made, nullptr, &count) == 0);
    CHECK(count == 6);
    graph_node root = nullptr;
    count = 1;
    CHECK(cudaGraphGetRootNodes(made, &root, &count) == 0);
    CHECK(root == fill);
    CHECK(cudaGraphGetEdges(made, nullptr, nullptr, nullptr, &count) == 0);
    CHECK(count == 6);
    int type = -1;
    CHECK(cudaGraphNodeGetType(kernel, &type) == 0);
    CHECK(type == 0);
    CHECK(cudaGraphNodeGetType(empty, &type) == 0);
    CHECK(type == 5);

    graph_executable executable = nullptr;
    REQUIRE(cudaGraphInstantiate(&executable, made, 0) == 0);
    CHECK(cudaGraphLaunch(executable, nullptr) == 0);
    CHECK(cudaDeviceSynchronize() == 0);
    CHECK(copy.read() == std::vector<std::uint32_t>(4, 9));
    CHECK(calls == 1);

    // The first kernel works on other numbers from now on; the graph stays as it was.
    device_numbers const other{counting(4)};
    scale_node elsewhere{other};
    kernel_node_parameters const changed = elsewhere.parameters();
    CHECK(cudaGraphExecKernelNodeSetParams(executable, kernel, &changed) == 0);
    CHECK(cudaGraphLaunch(executable, nullptr) == 0);
    CHECK(copy.read() == std::vector<std::uint32_t>(4, 3));
    CHECK(other.read() == times(counting(4), 3));
    update_result result{};
    CHECK(cudaGraphExecUpdate(executable, made, &result) == 0);
    CHECK(result.result == 0);
    CHECK(cudaGraphLaunch(executable, nullptr) == 0);
    CHECK(copy.read() == std::vector<std::uint32_t>(4, 9));

    // A graph of the graph, twice.
    graph parent = nullptr;
    graph_node first = nullptr, second = nullptr;
    graph_executable both = nullptr;
    REQUIRE(cudaGraphCreate(&parent, 0) == 0);
    REQUIRE(cudaGraphAddChildGraphNode(&first, parent, nullptr, 0, made) == 0);
    REQUIRE(cudaGraphAddChildGraphNode(&second, parent, &first, 1, made) == 0);
    REQUIRE(cudaGraphInstantiate(&both, parent, 0) == 0);
    calls = 0;
    CHECK(cudaGraphLaunch(both, nullptr) == 0);
    CHECK(calls == 2);
    CHECK(cudaGraphExecUpdate(executable, parent, &result) == 910);
    CHECK(result.result == 2); // another topology
    CHECK(cudaGetLastError() == 910);
    CHECK(cudaGraphExecDestroy(both) == 0);
    CHECK(cudaGraphDestroy(parent) == 0);
    CHECK(cudaGraphExecDestroy(executable) == 0);
    CHECK(cudaGraphDestroy(made) == 0);
}

// A list that is copied for each node takes half a minute for 20,000 nodes, and longer than a test may for as many as here.
TEST_CASE("a graph of 100,000 nodes is made, and graphs in graphs") {
    graph chain = nullptr;
    REQUIRE(cudaGraphCreate(&chain, 0) == 0);
    graph_node last = nullptr, made = nullptr;
    for (int i = 0; i < 100'000; ++i) {
        REQUIRE(cudaGraphAddEmptyNode(&made, chain, last == nullptr ? nullptr : &last, last == nullptr ? 0 : 1) == 0);
        last = made;
    }
    std::size_t count = 0;
    CHECK(cudaGraphGetNodes(chain, nullptr, &count) == 0);
    CHECK(count == 100'000);
    CHECK(cudaGraphGetEdges(chain, nullptr, nullptr, nullptr, &count) == 0);
    CHECK(count == 99'999);
    CHECK(cudaGraphDestroy(chain) == 0);

    std::vector<graph> all(1);
    REQUIRE(cudaGraphCreate(&all[0], 0) == 0);
    for (int i = 0; i < 400; ++i) {
        graph outer = nullptr;
        REQUIRE(cudaGraphCreate(&outer, 0) == 0);
        REQUIRE(cudaGraphAddChildGraphNode(&made, outer, nullptr, 0, all.back()) == 0);
        all.push_back(outer);
    }
    for (graph const one : all) CHECK(cudaGraphDestroy(one) == 0);
}

TEST_CASE("a stream tells what it captures") {
    stream in = nullptr;
    graph captured = nullptr, told = nullptr;
    graph_node const* after = nullptr;
    void const* edges = &told;
    std::size_t count = 9;
    int status = -1;
    unsigned long long id = 0;
    REQUIRE(cudaStreamCreate(&in) == 0);
    CHECK(cudaStreamGetCaptureInfo(in, &status, &id, nullptr, nullptr, nullptr, nullptr) == 0);
    CHECK(status == 0);
    device_numbers const numbers{counting(8)};
    REQUIRE(cudaStreamBeginCapture(in, 0) == 0);
    CHECK(launch_scale(numbers, in) == 0);
    CHECK(cudaStreamGetCaptureInfo(in, &status, &id, &told, &after, &edges, &count) == 0);
    CHECK(status == 1);
    CHECK(count == 1);
    CHECK(edges == nullptr);
    graph_node const last = after[0];
    REQUIRE(cudaStreamEndCapture(in, &captured) == 0);
    CHECK(captured == told);
    graph_node only = nullptr;
    count = 1;
    CHECK(cudaGraphGetNodes(captured, &only, &count) == 0);
    CHECK(only == last);
    CHECK(cudaGraphDestroy(captured) == 0);
    CHECK(cudaStreamDestroy(in) == 0);
}

TEST_CASE("memory in the order of a stream") {
    stream in = nullptr;
    REQUIRE(cudaStreamCreate(&in) == 0);
    void* memory = nullptr;
    CHECK(cudaMallocAsync(&memory, 64, in) == 0);
    CHECK(memory != nullptr);
    CHECK(cudaFreeAsync(memory, in) == 0);
    CHECK(cudaStreamDestroy(in) == 0);
}

TEST_CASE("devices and occupancy") {
    int count = 0, device = -1, blocks = 0;
    CHECK(cudaGetDeviceCount(&count) == 0);
    CHECK(count == 1);
    CHECK(cudaSetDevice(1) == 101);
    CHECK(cudaSetDevice(0) == 0);
    CHECK(cudaGetDevice(&device) == 0);
    CHECK(device == 0);
    // 2048 threads fit on an SM of GH100, and nothing else of this kernel fills up before them.
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, program().scale_stub(), 256, 0) == 0);
    CHECK(blocks == 8);
    CHECK(cudaGetLastError() == 101);
}

TEST_CASE("errors have the names of CUDA's documentation") {
    CHECK(std::string{cudaGetErrorName(0)} == "cudaSuccess");
    CHECK(std::string{cudaGetErrorName(700)} == "cudaErrorIllegalAddress");
    CHECK(std::string{cudaGetErrorName(12345)} == "unrecognized error code");
    CHECK(std::string{cudaGetErrorString(2)} == "out of memory");
}

TEST_CASE("a call that the embedded GPU does not have says so by its error") {
    CHECK(cudaMallocMipmappedArray(nullptr, nullptr, nullptr, 0) == 801);
    CHECK(cudaGetLastError() == 801);
}

TEST_CASE("a kernel that leaves its memory fails every later call, until the device is reset") {
    void* memory = nullptr;
    REQUIRE(cudaMalloc(&memory, 40) == 0);
    void* arguments[]{&memory};
    CHECK(cudaLaunchKernel(program().past_the_end_stub(), {1, 1, 1}, {32, 1, 1}, arguments, 0, nullptr) == 0);
    CHECK(cudaDeviceSynchronize() == 700);
    CHECK(cudaFree(memory) == 700);
    CHECK(cudaDeviceReset() == 0);
    static_cast<void>(cudaGetLastError());
    device_numbers const numbers{counting(4)};
    CHECK(launch_scale(numbers) == 0);
    CHECK(numbers.read() == times(counting(4), 3)); // loaded anew
}

} // namespace runtime_test
