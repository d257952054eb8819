// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests of launches on the embedded GPU: parameters, validation, order, what a failed kernel does, counters. The statuses are
// those an H200 gave for the same PTX (driver 580.159, CUDA 13.0).
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "sim/counters/raw_counter.hpp"
#include "sim/driver/kernel.hpp"
#include <gpuprof/sim/open.hpp>
#include "sim/gpu/gpu_state.hpp"
#include "support/driver_kernels.hpp"
#include "support/sanitized.hpp"

namespace launch_test {

using namespace gpuprof::abi;
namespace sim = gpuprof::sim;

namespace {
// The line of driver_kernels on which that instruction of that kernel stands, counted from 1.
unsigned line_of(std::string const& kernel, char const* instruction) {
    std::string_view const text = driver_kernels;
    std::size_t const at = text.find(instruction, text.find(".entry " + kernel + "("));
    REQUIRE(at != text.npos);
    return 1 + static_cast<unsigned>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
}
} // namespace

TEST_CASE("a kernel gets its parameters and writes what it should") {
    with_kernels gpu;
    CUdeviceptr to = gpu.buffer(4 * 512);
    unsigned value = 100;
    void* params[] = {&to, &value};
    CHECK(gpu.launch("fill", 4, 128, params) == CUDA_SUCCESS);
    std::vector<unsigned> got(512);
    CHECK(gpu.driver.MemcpyDtoH(got.data(), to, 4 * 512) == CUDA_SUCCESS);
    for (unsigned i = 0; i < 512; ++i) REQUIRE(got[i] == 100 + i);
}

TEST_CASE("parameters of all sizes find their places, from pointers and from a buffer") {
    with_kernels gpu;
    CUdeviceptr to = gpu.buffer(4);
    unsigned char a = 9;
    unsigned short b = 321;
    float c = 4;
    unsigned const expected = 9 + 321 * 1000 + 4 * 10000000;
    SUBCASE("pointers") {
        void* params[] = {&a, &to, &b, &c};
        CHECK(gpu.launch("mixed", 1, 1, params) == CUDA_SUCCESS);
    }
    SUBCASE("buffer") {
        struct {
            unsigned char a;
            CUdeviceptr to;
            unsigned short b;
            float c;
        } buffer{a, to, b, c};
        std::size_t size = sizeof buffer;
        void* extra[] = {reinterpret_cast<void*>(std::uintptr_t{1}), &buffer,
                         reinterpret_cast<void*>(std::uintptr_t{2}), &size, nullptr};
        CHECK(gpu.driver.LaunchKernel(gpu.kernel("mixed"), 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, extra) ==
              CUDA_SUCCESS);
        void* params[] = {&a, &to, &b, &c};
        CHECK(gpu.driver.LaunchKernel(gpu.kernel("mixed"), 1, 1, 1, 1, 1, 1, 0, nullptr, params, extra) ==
              CUDA_ERROR_INVALID_VALUE);
    }
    SUBCASE("with attributes") {
        void* params[] = {&a, &to, &b, &c};
        CUlaunchAttribute attributes[2];
        attributes[0].id = CU_LAUNCH_ATTRIBUTE_PRIORITY;
        attributes[1].id = CU_LAUNCH_ATTRIBUTE_COOPERATIVE;
        attributes[1].value.cooperative = 1;
        CUlaunchConfig config{1, 1, 1, 1, 1, 1, 0, nullptr, attributes, 2};
        CHECK(gpu.driver.LaunchKernelEx(&config, gpu.kernel("mixed"), params, nullptr) == CUDA_SUCCESS);
        attributes[0].id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
        attributes[0].value.clusterDim = {2, 1, 1};
        CHECK(gpu.driver.LaunchKernelEx(&config, gpu.kernel("mixed"), params, nullptr) ==
              CUDA_ERROR_INVALID_CLUSTER_SIZE); // of one block
        CHECK(gpu.driver.LaunchKernelEx(nullptr, gpu.kernel("mixed"), params, nullptr) == CUDA_ERROR_INVALID_VALUE);
    }
    CHECK(gpu.word(to) == expected);
}

TEST_CASE("launches beyond the limits are refused and lose nothing") {
    with_kernels gpu;
    CUdeviceptr to = gpu.buffer(4);
    void* params[] = {&to};
    auto const shape = [&](unsigned gx, unsigned gy, unsigned bx, unsigned bz) {
        return gpu.driver.LaunchKernel(gpu.kernel("store"), gx, gy, 1, bx, 1, bz, 0, nullptr, params, nullptr);
    };
    CHECK(shape(0, 1, 1, 1) == CUDA_ERROR_INVALID_VALUE);
    CHECK(shape(1, 1, 0, 1) == CUDA_ERROR_INVALID_VALUE);
    CHECK(shape(1, 65536, 1, 1) == CUDA_ERROR_INVALID_VALUE);
    CHECK(shape(1, 1, 1025, 1) == CUDA_ERROR_INVALID_VALUE);
    CHECK(shape(1, 1, 1, 65) == CUDA_ERROR_INVALID_VALUE);
    CHECK(shape(1, 1, 512, 4) == CUDA_ERROR_INVALID_VALUE);
    CHECK(gpu.launch("bounded", 1, 128) == CUDA_ERROR_INVALID_VALUE);
    CHECK(gpu.launch("bounded", 1, 64) == CUDA_SUCCESS);
    CHECK(gpu.launch("required", 1, 32) == CUDA_ERROR_INVALID_VALUE);
    CHECK(gpu.launch("required", 1, 64) == CUDA_SUCCESS);
    CHECK(gpu.launch("store", 1, 1, params, 49152) == CUDA_SUCCESS);
    CHECK(gpu.launch("store", 1, 1, params, 49153) == CUDA_ERROR_INVALID_VALUE);
    CHECK(gpu.launch("uses_shared", 1, 1, nullptr, 9152) == CUDA_SUCCESS);
    CHECK(gpu.launch("uses_shared", 1, 1, nullptr, 9153) == CUDA_ERROR_INVALID_VALUE);
    CHECK(gpu.driver.FuncSetAttribute(gpu.kernel("uses_shared"), CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                                      100000) == CUDA_SUCCESS);
    CHECK(gpu.launch("uses_shared", 1, 1, nullptr, 100000) == CUDA_SUCCESS);
    CHECK(gpu.driver.LaunchKernel(nullptr, 1, 1, 1, 1, 1, 1, 0, nullptr, params, nullptr) == CUDA_ERROR_INVALID_HANDLE);
    CHECK(gpu.launch("store", 1, 1, nullptr) == CUDA_ERROR_INVALID_VALUE); // no parameters
    auto const cooperative = [&](unsigned grid) {
        return gpu.driver.LaunchCooperativeKernel(gpu.kernel("empty"), grid, 1, 1, 1024, 1, 1, 0, nullptr, nullptr);
    };
    CHECK(cooperative(2 * 132) == CUDA_SUCCESS);
    CHECK(cooperative(2 * 132 + 1) == CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE);
    CHECK(gpu.driver.CtxSynchronize() == CUDA_SUCCESS);
}

TEST_CASE("a kernel that uses what is not supported says so, and the others run") {
    with_kernels gpu;
    CHECK(gpu.launch("unsupported", 1, 1) == CUDA_ERROR_NOT_SUPPORTED);
    auto const why = sim::last_launch_error(gpu.handle);
    REQUIRE(why);
    CHECK(why->kind == sim::launch_failure::unsupported);
    CHECK(why->message().find("stacksave") != std::string::npos);
    CHECK(why->message().find("line " + std::to_string(line_of("unsupported", "stacksave"))) != std::string::npos);
    CHECK(gpu.launch("empty", 1, 1) == CUDA_SUCCESS);
    CHECK(gpu.driver.CtxSynchronize() == CUDA_SUCCESS);
}

TEST_CASE("a failed kernel takes its context with it, and only that") {
    embedded_context const untouched;
    {
        with_kernels gpu;
        auto const& driver = gpu.driver;
        CUdeviceptr const good = gpu.buffer(16);
        CUdeviceptr bad = good;
        void* params[] = {&bad};
        char const* kernel = "store";
        CUresult expected = CUDA_SUCCESS;
        SUBCASE("illegal address") { bad = 16, expected = CUDA_ERROR_ILLEGAL_ADDRESS; }
        SUBCASE("just beyond an allocation") { bad = good + 16, expected = CUDA_ERROR_ILLEGAL_ADDRESS; }
        SUBCASE("misaligned address") { bad = good + 2, expected = CUDA_ERROR_MISALIGNED_ADDRESS; }
        SUBCASE("trap") { kernel = "trapping", expected = CUDA_ERROR_LAUNCH_FAILED; }
        CHECK(gpu.launch(kernel, 1, 32, params) == CUDA_SUCCESS);
        auto const why = sim::last_launch_error(gpu.handle);
        REQUIRE(why);
        CHECK(why->kernel == kernel);
        CHECK(why->ptx_line == line_of(kernel, std::string{kernel} == "store" ? "st." : "trap;"));
        unsigned version = 0;
        CUdevice device = -1;
        CUfunction function = nullptr;
        CUdeviceptr more = 0;
        for (int i = 0; i < 2; ++i) CHECK(driver.CtxSynchronize() == expected);
        CHECK(driver.MemFree(good) == expected);
        CHECK(driver.MemAlloc(&more, 4) == expected);
        CHECK(driver.MemcpyHtoD(good, &more, 4) == expected);
        CHECK(driver.ModuleGetFunction(&function, gpu.module, "empty") == expected);
        CHECK(driver.StreamQuery(nullptr) == expected);
        CHECK(driver.CtxGetDevice(&device) == CUDA_SUCCESS);
        CHECK(driver.CtxGetApiVersion(gpu.handle, &version) == CUDA_SUCCESS);
        CHECK(sim::shared().registry.is_lost(gpu.handle));
    }
    CHECK(untouched.driver.CtxSynchronize() == CUDA_SUCCESS);
    CHECK_FALSE(sim::last_launch_error(untouched.handle));
}

TEST_CASE("a kernel that does not end is stopped") {
    sim::set_execution({.threads = 1, .step_budget = 1000});
    {
        with_kernels gpu;
        CHECK(gpu.launch("endless", 1, 32) == CUDA_SUCCESS);
        CHECK(gpu.driver.CtxSynchronize() == CUDA_ERROR_LAUNCH_TIMEOUT);
        auto const why = sim::last_launch_error(gpu.handle);
        REQUIRE(why);
        CHECK(why->kind == sim::launch_failure::step_budget);
    }
    sim::set_execution({});
}

TEST_CASE("kernels, copies and fills of a stream come in its order") {
    with_kernels gpu;
    CUstream stream = nullptr;
    REQUIRE(gpu.driver.StreamCreate(&stream, 0) == CUDA_SUCCESS);
    CUdeviceptr to = gpu.buffer(64);
    unsigned value = 50, seen[16] = {};
    void* params[] = {&to, &value};
    CHECK(gpu.driver.MemsetD32Async(to, 1, 16, stream) == CUDA_SUCCESS);
    CHECK(gpu.launch("fill", 1, 8, params, 0, stream) == CUDA_SUCCESS);
    value = 60; // parameters were taken when the kernel was launched
    CHECK(gpu.driver.MemcpyDtoHAsync(seen, to, 64, stream) == CUDA_SUCCESS);
    CHECK(gpu.driver.MemsetD32Async(to, 2, 16, stream) == CUDA_SUCCESS);
    CHECK(gpu.driver.StreamSynchronize(stream) == CUDA_SUCCESS);
    for (unsigned i = 0; i < 16; ++i) CHECK(seen[i] == (i < 8 ? 50 + i : 1));
    CHECK(gpu.word(to) == 2);
}

TEST_CASE("a graph launches its kernels with the parameters they were captured with") {
    with_kernels gpu;
    auto const& driver = gpu.driver;
    CUstream stream = nullptr;
    REQUIRE(driver.StreamCreate(&stream, 0) == CUDA_SUCCESS);
    CUdeviceptr to = gpu.buffer(64);
    unsigned value = 50;
    void* params[] = {&to, &value};
    CUgraph graph = nullptr;
    CUgraphExec executable = nullptr;
    REQUIRE(driver.StreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL) == CUDA_SUCCESS);
    CHECK(gpu.launch("fill", 1, 16, params, 0, stream) == CUDA_SUCCESS);
    CHECK(gpu.launch("fill", 1, 2000, params, 0, stream) == CUDA_ERROR_INVALID_VALUE); // validated when captured
    REQUIRE(driver.StreamEndCapture(stream, &graph) == CUDA_SUCCESS);
    REQUIRE(driver.GraphInstantiateWithFlags(&executable, graph, 0) == CUDA_SUCCESS);
    value = 60;
    CHECK(gpu.word(to) == 0);
    CHECK(driver.GraphLaunch(executable, stream) == CUDA_SUCCESS);
    CHECK(gpu.word(to + 60) == 65);
    CHECK(driver.ModuleUnload(gpu.module) == CUDA_SUCCESS);
    CHECK(driver.GraphLaunch(executable, stream) == CUDA_ERROR_INVALID_HANDLE); // its kernel is gone
}

TEST_CASE("what a launch counts is told to the machine") {
    with_kernels gpu;
    CUdeviceptr to = gpu.buffer(4 * 512);
    unsigned value = 0;
    void* params[] = {&to, &value};
    int launches = 0;
    sim::shared().registry.listen(gpu.handle, [&](sim::counter_values const& counted) {
        ++launches;
        CHECK(counted[sim::raw_counter::ctas_launched] == 4);
    });
    CHECK(gpu.launch("fill", 4, 128, params) == CUDA_SUCCESS);
    CHECK(gpu.launch("fill", 4, 128, params) == CUDA_SUCCESS);
    CHECK(launches == 2);
    auto const counted = sim::shared().registry.totals(gpu.handle);
    CHECK(counted[sim::raw_counter::warps_launched] == 2 * 16);
    CHECK(counted[sim::raw_counter::threads_launched] == 2 * 512);
    CHECK(counted[sim::raw_counter::l1_requests_global_st] == 2 * 16);
    CHECK(counted[sim::raw_counter::l1_sectors_global_st] == 2 * 16 * 4); // 32 words side by side: 128 bytes
}

TEST_CASE("what is counted does not depend on the number of host threads") {
    sim::counter_values counted[2];
    for (unsigned threads = 1; threads <= 2; ++threads) {
        sim::set_execution({.threads = threads});
        with_kernels gpu;
        CUdeviceptr to = gpu.buffer(4 * 64 * 300);
        unsigned value = 0;
        void* params[] = {&to, &value};
        CHECK(gpu.launch("fill", 300, 64, params) == CUDA_SUCCESS);
        counted[threads - 1] = sim::shared().registry.totals(gpu.handle);
    }
    sim::set_execution({});
    CHECK(counted[0] == counted[1]);
    CHECK(counted[0][sim::raw_counter::warps_launched] == 600);
}

TEST_CASE("kernels of two threads do not disturb each other") {
    with_kernels gpu;
    std::vector<std::thread> threads;
    for (unsigned number = 1; number <= 3; ++number)
        threads.emplace_back([&, number] {
            CHECK(gpu.driver.CtxSetCurrent(gpu.handle) == CUDA_SUCCESS);
            CUdeviceptr to = gpu.buffer(4 * 256);
            unsigned value = number * 1000;
            void* params[] = {&to, &value};
            for (int i = 0; i < 20; ++i) {
                CHECK(gpu.launch("fill", 2, 128, params) == CUDA_SUCCESS);
                CHECK(gpu.word(to + 4 * 255) == value + 255);
            }
        });
    for (auto& thread : threads) thread.join();
}

TEST_CASE("a launch that is refused says of which kernel and beyond which limit") {
    with_kernels gpu;
    auto const& driver = gpu.driver;
    CUdeviceptr to = gpu.buffer(4);
    void* params[] = {&to};
    std::uint64_t failures = 0;
    auto const why = [&](CUresult status, CUresult expected) {
        CHECK(status == expected);
        auto const failure = sim::last_launch_error(gpu.handle);
        REQUIRE(failure);
        CHECK(failure->number > failures); // a new one
        failures = failure->number;
        CHECK(failure->ptx_line == 0);
        return failure->message();
    };
    constexpr auto invalid = CUDA_ERROR_INVALID_VALUE;
    CHECK(why(gpu.launch("store", 1, 2048, params), invalid) ==
          "invalid configuration: kernel store: the block (2048, 1, 1) is larger than (1024, 1024, 64)");
    CHECK(why(driver.LaunchKernel(gpu.kernel("store"), 1, 1, 1, 512, 4, 1, 0, nullptr, params, nullptr), invalid) ==
          "invalid configuration: kernel store: 2048 threads a block, the limit is 1024");
    CHECK(why(gpu.launch("store", 0, 1, params), invalid) ==
          "invalid configuration: kernel store: the grid (0, 1, 1) has a dimension of zero");
    CHECK(why(gpu.launch("store", 0x80000000, 1, params), invalid) ==
          "invalid configuration: kernel store: the grid (2147483648, 1, 1) is larger than (2147483647, 65535, 65535)");
    CHECK(why(gpu.launch("store", 1, 0, params), invalid) ==
          "invalid configuration: kernel store: the block (0, 1, 1) has a dimension of zero");
    // An H200 gives a block 227 KiB of shared memory at most, 48 KiB unless more is asked for.
    CHECK(why(gpu.launch("store", 1, 1, params, 49153), invalid) ==
          "invalid configuration: kernel store: 49153 bytes of dynamic shared memory, the limit is 49152 "
          "(CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES raises it up to 232448)");
    CHECK(
        why(gpu.launch("bounded", 1, 65), invalid) ==
        "invalid configuration: kernel bounded: 65 threads a block, the kernel was compiled for at most 64 (.maxntid)");
    CHECK(why(gpu.launch("required", 1, 32), invalid) ==
          "invalid configuration: kernel required: the block is (32, 1, 1), the kernel requires (64, 1, 1) (.reqntid)");
    CHECK(why(gpu.launch("store", 1, 1), invalid) ==
          "invalid configuration: kernel store: the kernel takes 1 parameters, 8 bytes, which the call does not give");
    CHECK(why(driver.LaunchCooperativeKernel(gpu.kernel("empty"), 265, 1, 1, 1024, 1, 1, 0, nullptr, nullptr),
              CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE) ==
          "invalid configuration: kernel empty: 265 blocks in a cooperative launch, the limit is 264: as many as are "
          "resident at once");
    CHECK(why(gpu.launch("unsupported", 1, 1), CUDA_ERROR_NOT_SUPPORTED).find("not supported: kernel unsupported: ") ==
          0);
    CHECK(why(driver.LaunchKernel(nullptr, 1, 1, 1, 1, 1, 1, 0, nullptr, params, nullptr), CUDA_ERROR_INVALID_HANDLE) ==
          "no such function: the function handle is null");
    CUfunction const gone = gpu.kernel("store");
    CHECK(driver.ModuleUnload(gpu.module) == CUDA_SUCCESS);
    CHECK(why(driver.LaunchKernel(gone, 1, 1, 1, 1, 1, 1, 0, nullptr, params, nullptr), CUDA_ERROR_INVALID_HANDLE) ==
          "no such function: the handle is not that of a loaded function; its module may be unloaded");
    with_kernels const other;
    CUfunction foreign = nullptr;
    CHECK(other.driver.ModuleGetFunction(&foreign, other.module, "store") == CUDA_SUCCESS);
    CHECK(driver.CtxSetCurrent(gpu.handle) == CUDA_SUCCESS);
    CHECK(why(driver.LaunchKernel(foreign, 1, 1, 1, 1, 1, 1, 0, nullptr, params, nullptr), CUDA_ERROR_INVALID_HANDLE) ==
          "no such function: kernel store: the function belongs to a module of another context");
    CHECK(driver.CtxSetCurrent(other.handle) == CUDA_SUCCESS);
}

// Blocks that end are progress, and steps are counted from the last one: the whole grid takes many times the budget.
TEST_CASE("the step budget stops what makes no progress, however large the grid, and nothing else") {
    sim::set_execution({.threads = 2, .step_budget = 5000});
    {
        with_kernels gpu;
        CUdeviceptr to = gpu.buffer(20000 * 4);
        unsigned value = 1;
        void* params[] = {&to, &value};
        CHECK(gpu.launch("fill", 20000, 1, params) == CUDA_SUCCESS);
        CHECK(gpu.driver.CtxSynchronize() == CUDA_SUCCESS);
        CHECK(gpu.launch("endless", 1000000, 1024) == CUDA_SUCCESS);
        CHECK(gpu.driver.CtxSynchronize() == CUDA_ERROR_LAUNCH_TIMEOUT);
        auto const why = sim::last_launch_error(gpu.handle);
        REQUIRE(why);
        CHECK(why->detail.find("no warp ended within 5000 steps") == 0);
        CHECK(why->detail.find("GPUPROF_SIM_STEPS") != std::string::npos);
    }
    sim::set_execution({});
    CHECK(sim::driver::step_budget_from("") == sim::default_step_budget);
    CHECK(sim::driver::step_budget_from("1000000") == 1'000'000);
    for (char const* const nonsense : {"0", "-5", "many", "10 ", "99999999999999999999"})
        CHECK(sim::driver::step_budget_from(nonsense) == sim::default_step_budget);
}

namespace {
// Recursion, the second with 256 bytes of local memory in each call.
constexpr char recursive_kernels[] = R"(
.version 7.0
.target sm_70
.address_size 64
.func (.param .b32 result) small_depth(.param .b32 n) {
    .reg .u32 %r<6>; .reg .pred %p<2>;
    ld.param.u32 %r1, [n]; mov.u32 %r4, 1; setp.eq.u32 %p1, %r1, 0; @%p1 bra $end;
    sub.u32 %r2, %r1, 1;
    {
        .param .b32 in; .param .b32 out; st.param.b32 [in], %r2;
        call.uni (out), small_depth, (in);
        ld.param.b32 %r3, [out];
    }
    add.u32 %r4, %r3, 1;
$end:
    st.param.b32 [result], %r4;
    ret;
}
.visible .entry small(.param .u64 to, .param .u32 n) {
    .reg .u64 %rd<2>; .reg .u32 %r<3>;
    ld.param.u64 %rd1, [to]; ld.param.u32 %r1, [n];
    {
        .param .b32 in; .param .b32 out; st.param.b32 [in], %r1;
        call.uni (out), small_depth, (in);
        ld.param.b32 %r2, [out];
    }
    st.global.u32 [%rd1], %r2;
    ret;
}
.func (.param .b32 result) large_depth(.param .b32 n) {
    .local .align 8 .b8 depot[256]; .reg .u32 %r<6>; .reg .pred %p<2>;
    ld.param.u32 %r1, [n]; mov.u32 %r4, 1; setp.eq.u32 %p1, %r1, 0; @%p1 bra $end;
    sub.u32 %r2, %r1, 1;
    {
        .param .b32 in; .param .b32 out; st.param.b32 [in], %r2;
        call.uni (out), large_depth, (in);
        ld.param.b32 %r3, [out];
    }
    add.u32 %r4, %r3, 1;
$end:
    st.param.b32 [result], %r4;
    ret;
}
.visible .entry large(.param .u64 to, .param .u32 n) {
    .reg .u64 %rd<2>; .reg .u32 %r<3>;
    ld.param.u64 %rd1, [to]; ld.param.u32 %r1, [n];
    {
        .param .b32 in; .param .b32 out; st.param.b32 [in], %r1;
        call.uni (out), large_depth, (in);
        ld.param.b32 %r2, [out];
    }
    st.global.u32 [%rd1], %r2;
    ret;
}
)";

// The status of `n` calls in one another, with that limit of the stack, or the default one for 0.
CUresult recursion(char const* kernel, unsigned n, std::size_t limit) {
    embedded_context gpu{sim::gh100};
    CUmodule module = nullptr;
    CUfunction function = nullptr;
    CUdeviceptr to = 0;
    REQUIRE(gpu.driver.ModuleLoadData(&module, recursive_kernels) == CUDA_SUCCESS);
    REQUIRE(gpu.driver.ModuleGetFunction(&function, module, kernel) == CUDA_SUCCESS);
    REQUIRE(gpu.driver.MemAlloc(&to, 4) == CUDA_SUCCESS);
    if (limit != 0) REQUIRE(gpu.driver.CtxSetLimit(CU_LIMIT_STACK_SIZE, limit) == CUDA_SUCCESS);
    void* params[] = {&to, &n};
    CUresult const launched = gpu.driver.LaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, nullptr, params, nullptr);
    CUresult const status = launched != CUDA_SUCCESS ? launched : gpu.driver.CtxSynchronize();
    unsigned depth = 0;
    if (status == CUDA_SUCCESS) {
        CHECK(gpu.driver.MemcpyDtoH(&depth, to, 4) == CUDA_SUCCESS);
        CHECK(depth == n + 1);
    }
    return status;
}
} // namespace

// The statuses of an H200 (driver 580.159.04) for functions of nvcc with as much local memory.
TEST_CASE("calls go as deep as cudaLimitStackSize says, and no deeper") {
    CHECK(recursion("large", 500, 200000) == CUDA_SUCCESS);
    CHECK(recursion("large", 5000, 200000) == CUDA_ERROR_ILLEGAL_ADDRESS);
    CHECK(recursion("large", 500, 0) == CUDA_ERROR_ILLEGAL_ADDRESS);
    CHECK(recursion("large", 3, 0) == CUDA_ERROR_ILLEGAL_ADDRESS);
    CHECK(recursion("large", 1, 0) == CUDA_SUCCESS);
    if (sanitized) return; // it is one thread, for minutes
    CHECK(recursion("small", 3000, 65536) == CUDA_SUCCESS);
    CHECK(recursion("small", 500, 0) == CUDA_ERROR_ILLEGAL_ADDRESS);
    CHECK(recursion("small", 5000, 200000) == CUDA_SUCCESS);
}

TEST_CASE("an estimate of the registers does not refuse a launch") {
    // 200 values that are all there before the first is used, which is the last that was loaded: more registers than 1,024 threads
    // can have.
    std::string text = ".version 7.0\n.target sm_70\n.address_size 64\n.visible .entry many(.param .u64 to) {\n"
                       ".reg .u64 %rd<3>; .reg .u32 %r<202>;\n"
                       "ld.param.u64 %rd1, [to]; mov.u32 %r0, %tid.x; mul.wide.u32 %rd2, %r0, 4;\n"
                       "add.u64 %rd1, %rd1, %rd2; mov.u32 %r201, 0;\n";
    for (int i = 1; i <= 200; ++i) text += "ld.volatile.global.u32 %r" + std::to_string(i) + ", [%rd1];\n";
    for (int i = 200; i >= 1; --i) text += "add.u32 %r201, %r201, %r" + std::to_string(i) + ";\n";
    text += "st.global.u32 [%rd1], %r201;\nret; }\n";
    with_kernels gpu;
    CUmodule module = nullptr;
    CUfunction function = nullptr;
    REQUIRE(gpu.driver.ModuleLoadData(&module, text.c_str()) == CUDA_SUCCESS);
    REQUIRE(gpu.driver.ModuleGetFunction(&function, module, "many") == CUDA_SUCCESS);
    int registers = 0, blocks = 0, advised = 0;
    REQUIRE(gpu.driver.FuncGetAttribute(&registers, CU_FUNC_ATTRIBUTE_NUM_REGS, function) == CUDA_SUCCESS);
    REQUIRE(registers > 64);
    CHECK(gpu.driver.FuncGetAttribute(&advised, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, function) == CUDA_SUCCESS);
    CHECK(advised < 1024);
    CHECK(gpu.driver.OccupancyMaxActiveBlocksPerMultiprocessor(&blocks, function, 1024, 0) == CUDA_SUCCESS);
    CHECK(blocks == 1);
    CUdeviceptr to = gpu.buffer(4096);
    REQUIRE(gpu.driver.MemsetD32(to, 3, 1024) == CUDA_SUCCESS);
    void* params[] = {&to};
    CHECK(gpu.driver.LaunchKernel(function, 1, 1, 1, 1024, 1, 1, 0, nullptr, params, nullptr) == CUDA_SUCCESS);
    CHECK(gpu.word(to + 4 * 1023) == 600);
    CHECK(gpu.launch("bounded", 1, 65) == CUDA_ERROR_INVALID_VALUE); // a stated bound does
}

} // namespace launch_test
