// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests of kernels that launch kernels on the embedded GPU. The calls are those that nvcc 13.0 makes of `kernel<<<…>>>` in device
// code for compute_90; the order of what runs follows from CUDA's rules for streams, tail launches and completion.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <gpuprof/sim/open.hpp>
#include "sim/driver/kernel_end.hpp"
#include "sim/gpu/gpu_state.hpp"
#include "support/activity_tool.hpp"
#include "support/driver_fixture.hpp"

namespace device_launches_test {

using namespace gpuprof::abi;
namespace sim = gpuprof::sim;
namespace activity = gpuprof::activity;

namespace {

using arguments = std::vector<std::pair<std::string, std::string>>; // type and value

// Declarations of functions of the device runtime.
std::string declared() {
    std::string text = ".version 7.8\n.target sm_50\n.address_size 64\n"; // runs on chips before and after 7.0
    auto const declare = [&](char const* result, char const* name, std::vector<std::string> const& parameters) {
        text += std::string{".extern .func (.param ."} + result + " result) " + name + "(";
        for (std::size_t i = 0; i < parameters.size(); ++i)
            text += (i == 0 ? ".param " : ", .param ") + parameters[i] + " p" + std::to_string(i) +
                    (parameters[i].find("b8") != std::string::npos ? "[12]" : "");
        text += ");\n";
    };
    std::string const dim = ".align 4 .b8";
    declare("b64", "__cudaCDP2GetParameterBufferV2", {".b64", dim, dim, ".b32"});
    declare("b32", "__cudaCDP2LaunchDeviceV2", {".b64", ".b64"});
    declare("b64", "cudaGetParameterBuffer", {".b64", ".b64"});
    declare("b32", "cudaLaunchDevice", {".b64", ".b64", dim, dim, ".b32", ".b64"});
    declare("b32", "__cudaCDP2GetLastError", {});
    declare("b32", "__cudaCDP2PeekAtLastError", {});
    declare("b32", "__cudaCDP2StreamCreateWithFlags", {".b64", ".b32"});
    declare("b32", "__cudaCDP2StreamDestroy", {".b64"});
    declare("b32", "__cudaCDP2StreamWaitEvent", {".b64", ".b64", ".b32"});
    declare("b32", "__cudaCDP2EventCreateWithFlags", {".b64", ".b32"});
    declare("b32", "__cudaCDP2EventRecord", {".b64", ".b64"});
    declare("b32", "__cudaCDP2EventDestroy", {".b64"});
    declare("b32", "__cudaCDP2Malloc", {".b64", ".b64"});
    declare("b32", "__cudaCDP2Free", {".b64"});
    declare("b32", "__cudaCDP2MemcpyAsync", {".b64", ".b64", ".b64", ".b32", ".b64"});
    declare("b32", "__cudaCDP2MemsetAsync", {".b64", ".b32", ".b64", ".b64"});
    declare("b32", "__cudaCDP2GetDevice", {".b64"});
    declare("b32", "__cudaCDP2DeviceGetAttribute", {".b64", ".b32", ".b32"});
    declare("b32", "__cudaCDP2DeviceGetLimit", {".b64", ".b32"});
    declare("b32", "__cudaCDP2FuncGetAttributes", {".b64", ".b64"});
    declare("b32", "__cudaCDP2OccupancyMaxActiveBlocksPerMultiprocessorWithFlags",
            {".b64", ".b64", ".b32", ".b64", ".b32"});
    declare("b32", "cudaDeviceSynchronize", {});
    declare("b32", "cudaGraphLaunch", {".b64", ".b64"});
    return text;
}

// A kernel of two parameters, in %to and %id. Its registers are for all to use.
std::string entry(std::string const& name, std::string const& body) {
    return ".visible .entry " + name + "(.param .u64 to, .param .u32 id) {\n" +
           ".local .align 16 .b8 frame[160];\n"
           ".reg .b64 %to, %at, %a<8>; .reg .b32 %id, %error, %r<8>; .reg .pred %p<4>;\n"
           "ld.param.u64 %to, [to]; ld.param.u32 %id, [id];\n" +
           body + "ret;\n}\n";
}

// A call; the result is in that register.
std::string call(std::string const& name, arguments const& with, std::string const& result_type,
                 std::string const& result) {
    std::string text = "{\n.param ." + result_type + " back;\n";
    std::string list;
    for (std::size_t i = 0; i < with.size(); ++i) {
        std::string const p = "q" + std::to_string(i);
        list += (i == 0 ? "" : ", ") + p;
        if (with[i].first == "dim") { // its x; y and z are 1
            text += ".param .align 4 .b8 " + p + "[12];\nst.param.b32 [" + p + "], " + with[i].second +
                    ";\nst.param.b32 [" + p + "+4], 1;\nst.param.b32 [" + p + "+8], 1;\n";
        } else {
            text += ".param ." + with[i].first + " " + p + ";\nst.param." + with[i].first + " [" + p + "], " +
                    with[i].second + ";\n";
        }
    }
    return text + "call.uni (back), " + name + ", (" + list + ");\nld.param." + result_type + " " + result +
           ", [back];\n}\n";
}
std::string ask(std::string const& name, arguments const& with = {}) { return call(name, with, "b32", "%error"); }

// kernel<<<grid, block, 0, stream>>>(to, id); %error is what the launch returned, or -1 without a buffer.
std::string launch(std::string const& kernel, std::string const& id, std::string const& stream = "0",
                   std::string const& grid = "1", std::string const& block = "1") {
    static int labels = 0;
    std::string const label = "skip" + std::to_string(++labels);
    return "mov.u64 %a0, " + kernel + ";\nmov.u32 %error, -1;\n" +
           call("__cudaCDP2GetParameterBufferV2", {{"b64", "%a0"}, {"dim", grid}, {"dim", block}, {"b32", "0"}}, "b64",
                "%a1") +
           "setp.eq.u64 %p0, %a1, 0;\n@%p0 bra " + label + ";\nst.u64 [%a1], %to;\nst.u32 [%a1+8], " + id + ";\n" +
           ask("__cudaCDP2LaunchDeviceV2", {{"b64", "%a1"}, {"b64", stream}}) + label + ":\n";
}

// Word 0 counts; the words behind it are what was noted.
std::string note(std::string const& value) {
    return "atom.global.add.u32 %r0, [%to], 1;\nmad.wide.u32 %at, %r0, 4, %to;\nst.global.u32 [%at+4], " + value +
           ";\n";
}

std::string const tail = "3";
std::string const fire_and_forget = "4";

struct with_program : embedded_context {
    explicit with_program(std::string const& kernels, sim::chip_model const& chip = sim::gh100)
        : embedded_context{chip} {
        REQUIRE(driver.ModuleLoadData(&module, (declared() + kernels).c_str()) == CUDA_SUCCESS);
        REQUIRE(driver.MemAlloc(&log, 4 * words) == CUDA_SUCCESS);
        REQUIRE(driver.MemsetD32(log, 0, words) == CUDA_SUCCESS);
    }
    CUresult launch(char const* name, unsigned id = 0, unsigned grid = 1, unsigned block = 1) {
        CUfunction function = nullptr;
        REQUIRE(driver.ModuleGetFunction(&function, module, name) == CUDA_SUCCESS);
        void* params[] = {&log, &id};
        return driver.LaunchKernel(function, grid, 1, 1, block, 1, 1, 0, nullptr, params, nullptr);
    }
    // The first words of the log, its count among them.
    std::vector<unsigned> logged(std::size_t count) {
        std::vector<unsigned> values(count);
        REQUIRE(driver.MemcpyDtoH(values.data(), log, 4 * count) == CUDA_SUCCESS);
        return values;
    }
    static constexpr std::size_t words = 4096;
    CUmodule module = nullptr;
    CUdeviceptr log = 0;
};

using numbers = std::vector<unsigned>;

} // namespace

TEST_CASE("a kernel launches a kernel, which gets its parameters") {
    with_program gpu{entry("child", "mov.u32 %r1, %ntid.x; mov.u32 %r2, %nctaid.x; mad.lo.u32 %r1, %r1, 1000, %r2;\n"
                                    "add.u32 %r1, %r1, %id; st.global.u32 [%to], %r1;\n") +
                     entry("parent", launch("child", "%id", "0", "3", "2") + "st.global.u32 [%to+4], %error;\n")};
    REQUIRE(gpu.launch("parent", 500000) == CUDA_SUCCESS);
    CHECK(gpu.logged(2) == numbers{500000 + 2 * 1000 + 3, 0});
}

TEST_CASE("children run in the order of the calls, each with its own, and tail launches last") {
    with_program gpu{
        entry("leaf", note("%id")) + entry("branch", note("%id") + launch("leaf", "11") + launch("leaf", "12", tail)) +
        entry("parent", launch("leaf", "90", tail) + launch("branch", "1") + launch("leaf", "2", fire_and_forget) +
                            launch("branch", "80", tail) + launch("leaf", "95", tail) + note("0"))};
    REQUIRE(gpu.launch("parent") == CUDA_SUCCESS);
    // The tail launch of a tail launch runs before the next of the parent.
    CHECK(gpu.logged(11) == numbers{10, 0, 1, 11, 12, 2, 90, 80, 11, 12, 95});
}

TEST_CASE("a kernel of the host begins when all children of the one before have completed") {
    with_program gpu{entry("leaf", note("%id")) + entry("parent", launch("leaf", "1") + launch("leaf", "2", tail))};
    REQUIRE(gpu.launch("parent") == CUDA_SUCCESS);
    REQUIRE(gpu.launch("leaf", 3) == CUDA_SUCCESS);
    CHECK(gpu.logged(4) == numbers{3, 1, 2, 3});
}

TEST_CASE("launches of many CTAs have one order, whatever the number of host threads") {
    with_program gpu{entry("leaf", note("%id")) +
                     entry("parent", "mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mov.u32 %r3, %tid.x;\n"
                                     "mad.lo.u32 %r4, %r1, %r2, %r3;\n" +
                                         launch("leaf", "%r4"))};
    numbers expected{512};
    for (unsigned i = 0; i < 512; ++i) expected.push_back(i);
    for (unsigned const threads : {1u, 4u}) {
        sim::execution_settings settings;
        settings.threads = threads;
        sim::set_execution(settings);
        REQUIRE(gpu.driver.MemsetD32(gpu.log, 0, gpu.words) == CUDA_SUCCESS);
        REQUIRE(gpu.launch("parent", 0, 128, 4) == CUDA_SUCCESS);
        CHECK(gpu.logged(513) == expected);
    }
    sim::set_execution({});
}

TEST_CASE("a kernel that follows itself by tail launches runs as often as it likes") {
    with_program gpu{entry("again", "atom.global.add.u32 %r0, [%to], 1;\nsetp.eq.u32 %p1, %id, 0;\n@%p1 bra done;\n"
                                    "sub.u32 %id, %id, 1;\n" +
                                        launch("again", "%id", tail) + "done:\n")};
    REQUIRE(gpu.launch("again", 5000) == CUDA_SUCCESS);
    CHECK(gpu.logged(1) == numbers{5001});
}

TEST_CASE("launches that cannot be are errors of the thread that asks") {
    std::string const note_errors = ask("__cudaCDP2PeekAtLastError") + note("%error") + ask("__cudaCDP2GetLastError") +
                                    note("%error") + ask("__cudaCDP2GetLastError") + note("%error");
    with_program gpu{
        entry("child", note("77")) +
        entry("too_wide", launch("child", "0", "0", "1", "1025") + note("%error") + note_errors) +
        entry("no_grid", launch("child", "0", "0", "0", "1") + note("%error") + note_errors) +
        entry("no_stream", launch("child", "0", "4096") + note("%error") + note_errors) +
        entry("no_kernel", "mov.u64 %a0, 64;\n" +
                               call("__cudaCDP2GetParameterBufferV2",
                                    {{"b64", "%a0"}, {"dim", "1"}, {"dim", "1"}, {"b32", "0"}}, "b64", "%a1") +
                               "cvt.u32.u64 %error, %a1;\n" + note("%error") + note_errors) +
        entry("each_its_own", "mov.u32 %r1, %tid.x; add.u32 %r2, %r1, 1024;\n" +
                                  launch("child", "0", "0", "%r1", "1") + // thread 0: no grid
                                  "bar.sync 0;\nsetp.eq.u32 %p1, %r1, 1;\n@!%p1 bra done;\n" +
                                  ask("__cudaCDP2GetLastError") + note("%error") + "done:\n")};
    auto const run = [&](char const* name) {
        REQUIRE(gpu.driver.MemsetD32(gpu.log, 0, 64) == CUDA_SUCCESS);
        REQUIRE(gpu.launch(name) == CUDA_SUCCESS);
        REQUIRE(gpu.driver.CtxSynchronize() == CUDA_SUCCESS);
        return gpu.logged(6);
    };
    // cudaErrorInvalidConfiguration, cudaErrorInvalidResourceHandle, cudaErrorInvalidDeviceFunction
    CHECK(run("too_wide") == numbers{4, ~0u, 9, 9, 0, 0});
    CHECK(run("no_grid") == numbers{4, ~0u, 9, 9, 0, 0});
    CHECK(run("no_stream") == numbers{4, 400, 400, 400, 0, 0});
    CHECK(run("no_kernel") == numbers{4, 0, 98, 98, 0, 0});
    REQUIRE(gpu.driver.MemsetD32(gpu.log, 0, 64) == CUDA_SUCCESS);
    REQUIRE(gpu.launch("each_its_own", 0, 1, 2) == CUDA_SUCCESS);
    CHECK(gpu.logged(3) == numbers{2, 0, 77}); // thread 1 has no error, and its child ran
}

TEST_CASE("no more launches are pending than the limit has room for parameters") {
    with_program gpu{entry("child", "") +
                     entry("parent", "mov.u32 %r1, 0;\nagain:\n" + launch("child", "%r1") +
                                         "add.u32 %r1, %r1, 1;\nsetp.eq.u32 %p1, %error, 0;\n@%p1 bra again;\n" +
                                         note("%r1") + ask("__cudaCDP2GetLastError") + note("%error"))};
    std::size_t limit = 0;
    CHECK(gpu.driver.CtxGetLimit(&limit, CU_LIMIT_DEV_RUNTIME_PENDING_LAUNCH_COUNT) == CUDA_SUCCESS);
    CHECK(limit == 2048);
    for (unsigned const pending : {4u, 4u, 8u}) { // places are free again
        REQUIRE(gpu.driver.CtxSetLimit(CU_LIMIT_DEV_RUNTIME_PENDING_LAUNCH_COUNT, pending) == CUDA_SUCCESS);
        REQUIRE(gpu.driver.MemsetD32(gpu.log, 0, 64) == CUDA_SUCCESS);
        REQUIRE(gpu.launch("parent") == CUDA_SUCCESS);
        // Each has 4,096 bytes, and a child's parameters take 16. cudaErrorLaunchPendingCountExceeded
        CHECK(gpu.logged(3) == numbers{2, pending * 256 + 1, 69});
    }
}

TEST_CASE("kernels nest as deep as they like") { // 64 levels and more on an H200
    constexpr unsigned levels = 60;
    with_program gpu{entry("nest", note("%id") + "setp.eq.u32 %p1, %id, 60;\n@%p1 bra done;\nadd.u32 %id, %id, 1;\n" +
                                       launch("nest", "%id") + "done:\n")};
    REQUIRE(gpu.launch("nest", 1) == CUDA_SUCCESS);
    numbers expected{levels};
    for (unsigned level = 1; level <= levels; ++level) expected.push_back(level);
    CHECK(gpu.logged(levels + 1) == expected);
}

TEST_CASE("streams and events of a kernel are made, used and destroyed") {
    std::string const frame = "cvta.local.u64 %a4, %a3;\n";
    with_program gpu{
        entry("child", note("%id")) +
        entry("parent", "mov.u64 %a3, frame;\n" + frame +
                            ask("__cudaCDP2StreamCreateWithFlags", {{"b64", "%a4"}, {"b32", "0"}}) +
                            note("%error") + // may block
                            ask("__cudaCDP2StreamCreateWithFlags", {{"b64", "%a4"}, {"b32", "1"}}) + note("%error") +
                            "ld.local.u64 %a5, [%a3]; add.u64 %a4, %a4, 8;\n" +
                            ask("__cudaCDP2EventCreateWithFlags", {{"b64", "%a4"}, {"b32", "2"}}) + note("%error") +
                            "ld.local.u64 %a6, [%a3+8];\n" + launch("child", "41", "%a5") + note("%error") +
                            ask("__cudaCDP2EventRecord", {{"b64", "%a6"}, {"b64", "%a5"}}) + note("%error") +
                            ask("__cudaCDP2StreamWaitEvent", {{"b64", "0"}, {"b64", "%a6"}, {"b32", "0"}}) +
                            note("%error") + ask("__cudaCDP2EventRecord", {{"b64", "%a6"}, {"b64", tail}}) +
                            note("%error") + launch("child", "42") + ask("__cudaCDP2EventDestroy", {{"b64", "%a6"}}) +
                            note("%error") + ask("__cudaCDP2StreamDestroy", {{"b64", "%a5"}}) + note("%error") +
                            ask("__cudaCDP2StreamDestroy", {{"b64", "%a5"}}) + note("%error") +
                            launch("child", "43", "%a5") + note("%error"))};
    REQUIRE(gpu.launch("parent") == CUDA_SUCCESS);
    CHECK(gpu.logged(14) == numbers{13, 0, 0, 0, 0, 0, 0, 1, 0, 0, 400, 400, 41, 42});
}

TEST_CASE("copies and fills of a kernel take their turn among its launches") {
    with_program gpu{
        entry("child", note("%id")) +
        entry("parent", launch("child", "7") + "add.u64 %a2, %to, 400;\n" +
                            ask("__cudaCDP2MemcpyAsync",
                                {{"b64", "%a2"}, {"b64", "%to"}, {"b64", "8"}, {"b32", "3"}, {"b64", "0"}}) +
                            "mov.u32 %r7, %error;\n" + launch("child", "8") + "add.u64 %a2, %to, 408;\n" +
                            ask("__cudaCDP2MemsetAsync", {{"b64", "%a2"}, {"b32", "5"}, {"b64", "4"}, {"b64", "0"}}) +
                            "st.global.u32 [%to+412], %error;\nst.global.u32 [%to+416], %r7;\n" +
                            ask("__cudaCDP2MemcpyAsync",
                                {{"b64", "16"}, {"b64", "%to"}, {"b64", "8"}, {"b32", "3"}, {"b64", "0"}}) +
                            "st.global.u32 [%to+420], %error;\n")};
    REQUIRE(gpu.launch("parent") == CUDA_SUCCESS);
    auto const log = gpu.logged(106);
    CHECK(numbers(log.begin(), log.begin() + 3) == numbers{2, 7, 8});
    CHECK(numbers(log.begin() + 100, log.end()) == numbers{1, 7, 0x05050505, 0, 0, 1});
}

TEST_CASE("memory that a kernel allocates is there for its children") {
    with_program gpu{
        entry("use", "ld.global.u64 %a1, [%to+8]; st.global.u32 [%a1+396], %id; ld.global.u32 %r1, [%a1+396];\n"
                     "st.global.u32 [%to+16], %r1;\n") +
        entry("give_back", "ld.global.u64 %a1, [%to+8];\n" + ask("__cudaCDP2Free", {{"b64", "%a1"}}) +
                               "st.global.u32 [%to+20], %error;\n" + ask("__cudaCDP2Free", {{"b64", "%a1"}}) +
                               "st.global.u32 [%to+24], %error;\n") +
        entry("parent", "add.u64 %a2, %to, 8;\n" + ask("__cudaCDP2Malloc", {{"b64", "%a2"}, {"b64", "400"}}) +
                            "st.global.u32 [%to], %error;\n" + launch("use", "123") + launch("give_back", "0", tail)) +
        entry("greedy", "add.u64 %a2, %to, 8;\n" + ask("__cudaCDP2Malloc", {{"b64", "%a2"}, {"b64", "1099511627776"}}) +
                            "st.global.u32 [%to], %error;\n")};
    REQUIRE(gpu.launch("parent") == CUDA_SUCCESS);
    auto const log = gpu.logged(7);
    CHECK(log[0] == 0);
    CHECK(numbers(log.begin() + 4, log.end()) == numbers{123, 0, 1}); // freed once, and not twice
    REQUIRE(gpu.launch("greedy") == CUDA_SUCCESS);
    CHECK(gpu.logged(4) == numbers{2, 0, 0, 0}); // cudaErrorMemoryAllocation, and null
}

TEST_CASE("a kernel asks about the device and about kernels") {
    with_program gpu{
        entry("child", "") +
        entry("parent", "mov.u64 %a3, frame; cvta.local.u64 %a4, %a3; mov.u64 %a0, child;\n" +
                            ask("__cudaCDP2GetDevice", {{"b64", "%a4"}}) + "ld.local.u32 %r1, [%a3];\n" + note("%r1") +
                            ask("__cudaCDP2DeviceGetAttribute", {{"b64", "%a4"}, {"b32", "16"}, {"b32", "%r1"}}) +
                            "ld.local.u32 %r1, [%a3];\n" + note("%r1") +
                            ask("__cudaCDP2DeviceGetLimit", {{"b64", "%a4"}, {"b32", "4"}}) +
                            "ld.local.u32 %r1, [%a3];\n" + note("%r1") +
                            ask("__cudaCDP2OccupancyMaxActiveBlocksPerMultiprocessorWithFlags",
                                {{"b64", "%a4"}, {"b64", "%a0"}, {"b32", "1024"}, {"b64", "0"}, {"b32", "0"}}) +
                            "ld.local.u32 %r1, [%a3];\n" + note("%r1") +
                            ask("__cudaCDP2FuncGetAttributes", {{"b64", "%a4"}, {"b64", "%a0"}}) +
                            "ld.local.u32 %r1, [%a3+24];\n" + note("%r1") + "ld.local.u32 %r1, [%a3+44];\n" +
                            note("%r1") + ask("__cudaCDP2FuncGetAttributes", {{"b64", "%a4"}, {"b64", "%to"}}) +
                            note("%error"))};
    REQUIRE(gpu.launch("parent") == CUDA_SUCCESS);
    // cudaDevAttrMultiProcessorCount and the others of an H200: 2,048 threads an SM, 1,024 a block, no dynamic shared memory.
    CHECK(gpu.logged(8) == numbers{7, static_cast<unsigned>(gpu.device), 132, 2048, 2, 1024, 0, 98});
}

TEST_CASE("a child that fails takes the context with it, and says so") {
    with_program gpu{entry("bad", "mov.u64 %a1, 16; st.global.u32 [%a1], %id;\n") + entry("good", note("%id")) +
                     entry("parent", launch("good", "1") + launch("bad", "0") + launch("good", "2"))};
    REQUIRE(gpu.launch("parent") == CUDA_SUCCESS); // the launch itself
    CHECK(gpu.driver.CtxSynchronize() == CUDA_ERROR_ILLEGAL_ADDRESS);
    auto const why = sim::last_launch_error(gpu.handle);
    REQUIRE(why);
    CHECK(why->kernel == "bad");
}

TEST_CASE("a child that the embedded GPU cannot run is an error too") {
    with_program gpu{entry("waits", ask("cudaDeviceSynchronize")) + entry("parent", launch("waits", "1"))};
    REQUIRE(gpu.launch("parent") == CUDA_SUCCESS);
    CHECK(gpu.driver.CtxSynchronize() == CUDA_ERROR_NOT_SUPPORTED);
    auto const why = sim::last_launch_error(gpu.handle);
    REQUIRE(why);
    CHECK(why->kind == sim::launch_failure::unsupported);
    CHECK(why->detail.find("'cudaDeviceSynchronize' in a kernel") != std::string::npos);
}

namespace {
// Graphs of one kernel each. Their handles lie behind the log, from byte 8192 on, for kernels to launch.
struct with_graphs : with_program {
    explicit with_graphs(std::string const& kernels) : with_program{kernels} {
        REQUIRE(driver.StreamCreate(&stream, CU_STREAM_NON_BLOCKING) == CUDA_SUCCESS);
    }
    CUgraphExec graph(char const* name, unsigned id,
                      unsigned long long flags = CUDA_GRAPH_INSTANTIATE_FLAG_DEVICE_LAUNCH) {
        CUfunction function = nullptr;
        CUgraph captured = nullptr;
        CUgraphExec made = nullptr;
        REQUIRE(driver.ModuleGetFunction(&function, module, name) == CUDA_SUCCESS);
        void* params[] = {&log, &id};
        REQUIRE(driver.StreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL) == CUDA_SUCCESS);
        REQUIRE(driver.LaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, stream, params, nullptr) == CUDA_SUCCESS);
        REQUIRE(driver.StreamEndCapture(stream, &captured) == CUDA_SUCCESS);
        REQUIRE(driver.GraphInstantiateWithFlags(&made, captured, flags) == CUDA_SUCCESS);
        REQUIRE(driver.MemcpyHtoD(log + 8192 + 8 * count++, &made, 8) == CUDA_SUCCESS);
        return made;
    }
    CUstream stream = nullptr;
    unsigned count = 0;
};
std::string const tail_graph = "72057594037927936", child_graph = "144115188075855872",
                  sibling_graph = "216172782113783808";
// cudaGraphLaunch of the graph with that number.
std::string launch_graph(unsigned number, std::string const& stream) {
    return "ld.global.u64 %a1, [%to+" + std::to_string(8192 + 8 * number) + "];\n" +
           ask("cudaGraphLaunch", {{"b64", "%a1"}, {"b64", stream}});
}
} // namespace

TEST_CASE("kernels of graphs launch graphs, and tail launches run when all else is complete") {
    with_graphs gpu{entry("leaf", note("%id")) +
                    entry("first", launch_graph(2, tail_graph) + launch_graph(1, child_graph) +
                                       launch_graph(3, tail_graph) + launch_graph(4, sibling_graph) +
                                       launch_graph(1, child_graph) + note("%id")) +
                    entry("second", note("%id") + launch_graph(3, tail_graph))};
    CUgraphExec const first = gpu.graph("first", 10); // 0
    gpu.graph("leaf", 11);
    gpu.graph("second", 12);
    gpu.graph("leaf", 13);
    gpu.graph("leaf", 14);
    for (int again = 0; again < 2; ++again) {
        REQUIRE(gpu.driver.MemsetD32(gpu.log, 0, 64) == CUDA_SUCCESS);
        REQUIRE(gpu.driver.GraphLaunch(first, gpu.stream) == CUDA_SUCCESS);
        CHECK(gpu.logged(8) == numbers{7, 10, 11, 11, 12, 13, 13, 14});
    }
}

TEST_CASE("a graph follows itself by its own handle as often as it likes") {
    with_graphs gpu{entry("again", "atom.global.add.u32 %r0, [%to], 1;\nsetp.ge.u32 %p1, %r0, %id;\n@%p1 bra done;\n"
                                   "mov.u64 %a1, %current_graph_exec;\n" +
                                       ask("cudaGraphLaunch", {{"b64", "%a1"}, {"b64", tail_graph}}) + "done:\n")};
    REQUIRE(gpu.driver.GraphLaunch(gpu.graph("again", 3000), gpu.stream) == CUDA_SUCCESS);
    CHECK(gpu.logged(1) == numbers{3001});
}

TEST_CASE("graphs that kernels cannot launch are errors") {
    with_graphs gpu{
        entry("leaf", note("%id")) +
        entry("outside",
              launch_graph(0, child_graph) + note("%error") + ask("__cudaCDP2GetLastError") + note("%error")) +
        entry("inside", launch_graph(1, child_graph) + note("%error") + launch_graph(0, "0") + note("%error"))};
    gpu.graph("leaf", 1);
    gpu.graph("leaf", 1, 0); // not for the device
    REQUIRE(gpu.launch("outside") == CUDA_SUCCESS);
    CHECK(gpu.logged(3) == numbers{2, 800, 800}); // cudaErrorNotPermitted: the kernel is in no graph
    REQUIRE(gpu.driver.MemsetD32(gpu.log, 0, 64) == CUDA_SUCCESS);
    REQUIRE(gpu.driver.GraphLaunch(gpu.graph("inside", 0), gpu.stream) == CUDA_SUCCESS);
    CHECK(gpu.logged(3) == numbers{2, 1, 1});
    CUgraphExec made = nullptr;
    CUgraph captured = nullptr;
    unsigned long long flags = 0;
    CHECK(gpu.driver.GraphExecGetFlags(gpu.graph("leaf", 1), &flags) == CUDA_SUCCESS);
    CHECK(flags == CUDA_GRAPH_INSTANTIATE_FLAG_DEVICE_LAUNCH);
    REQUIRE(gpu.driver.StreamBeginCapture(gpu.stream, CU_STREAM_CAPTURE_MODE_GLOBAL) == CUDA_SUCCESS);
    REQUIRE(gpu.driver.LaunchHostFunc(
                gpu.stream, [](void*) {}, nullptr) == CUDA_SUCCESS);
    REQUIRE(gpu.driver.StreamEndCapture(gpu.stream, &captured) == CUDA_SUCCESS);
    CHECK(gpu.driver.GraphInstantiateWithFlags(&made, captured, CUDA_GRAPH_INSTANTIATE_FLAG_DEVICE_LAUNCH) ==
          CUDA_ERROR_NOT_SUPPORTED);
}

TEST_CASE("the interface before CUDA 12 launches, too") {
    with_program gpu{
        entry("child", note("%id")) +
        entry("parent",
              "mov.u64 %a0, child;\n" + call("cudaGetParameterBuffer", {{"b64", "8"}, {"b64", "12"}}, "b64", "%a1") +
                  "st.u64 [%a1], %to; st.u32 [%a1+8], 31;\n" +
                  ask("cudaLaunchDevice",
                      {{"b64", "%a0"}, {"b64", "%a1"}, {"dim", "2"}, {"dim", "1"}, {"b32", "0"}, {"b64", "0"}}) +
                  note("%error"))};
    REQUIRE(gpu.launch("parent") == CUDA_SUCCESS);
    CHECK(gpu.logged(4) == numbers{3, 0, 31, 31});
}

namespace {
std::vector<std::string> ended;
std::uint64_t nanoseconds_of_all = 0;
void note_end(sim::kernel_end const& end) {
    ended.push_back(end.code.name);
    nanoseconds_of_all += end.counted[sim::raw_counter::gpu_time_ns];
}
} // namespace

TEST_CASE("counters and time of a launch have all in them that it launched, and each kernel is heard of") {
    with_program gpu{entry("leaf", note("%id")) + entry("branch", launch("leaf", "1", "0", "5", "64")) +
                     entry("parent", launch("branch", "0", "0", "2", "1") + launch("leaf", "2", tail, "3", "32"))};
    ended.clear();
    nanoseconds_of_all = 0;
    std::uint64_t heard = 0;
    sim::shared().registry.listen(gpu.handle, [&](sim::counter_values const&) { ++heard; });
    sim::listen_to_ends(note_end);
    auto const before = sim::shared().registry.totals(gpu.handle);
    CUevent events[2] = {};
    for (CUevent& event : events) REQUIRE(gpu.driver.EventCreate(&event, CU_EVENT_DEFAULT) == CUDA_SUCCESS);
    REQUIRE(gpu.driver.EventRecord(events[0], nullptr) == CUDA_SUCCESS);
    REQUIRE(gpu.launch("parent") == CUDA_SUCCESS);
    REQUIRE(gpu.driver.EventRecord(events[1], nullptr) == CUDA_SUCCESS);
    sim::listen_to_ends(nullptr);
    auto const counted = sim::shared().registry.totals(gpu.handle) - before;
    CHECK(heard == 1); // one range around the host's kernel
    CHECK(ended == std::vector<std::string>{"parent", "branch", "leaf", "leaf", "leaf"});
    CHECK(counted[sim::raw_counter::ctas_launched] == 1 + 2 + 2 * 5 + 3);
    CHECK(counted[sim::raw_counter::threads_launched] == 1 + 2 + 2 * 5 * 64 + 3 * 32);
    CHECK(counted[sim::raw_counter::gpu_time_ns] == nanoseconds_of_all);
    float milliseconds = 0;
    REQUIRE(gpu.driver.EventElapsedTime(&milliseconds, events[0], events[1]) == CUDA_SUCCESS);
    CHECK(milliseconds == doctest::Approx(static_cast<double>(nanoseconds_of_all) * 1e-6).epsilon(1e-3));
}

TEST_CASE("records have the kernels of kernels before capability 7.0, and their parents") {
    test::activity_tool tool{CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL};
    with_program gpu{entry("leaf", note("%id")) + entry("branch", launch("leaf", "1", "0", "5", "64")) +
                         entry("parent", launch("branch", "0")),
                     sim::gm200};
    REQUIRE(gpu.launch("parent", 0, 2) == CUDA_SUCCESS);
    REQUIRE(gpu.launch("leaf") == CUDA_SUCCESS);
    std::vector<activity::kernel> kernels;
    std::vector<activity::cdp_kernel> children;
    for (auto const& record : tool.take()) {
        if (auto const* const one = std::get_if<activity::kernel>(&record)) kernels.push_back(*one);
        if (auto const* const one = std::get_if<activity::cdp_kernel>(&record)) children.push_back(*one);
    }
    REQUIRE(kernels.size() == 2);
    REQUIRE(children.size() == 4); // a branch and its leaf for each block
    CHECK(kernels[0].name == "parent");
    for (std::size_t i = 0; i < 4; i += 2) {
        activity::cdp_kernel const &branch = children[i], &leaf = children[i + 1];
        CHECK(branch.name == "branch");
        CHECK(branch.parent_grid_id == kernels[0].grid_id);
        CHECK(branch.parent_block.x == static_cast<int>(i / 2));
        CHECK(leaf.name == "leaf");
        CHECK(leaf.parent_grid_id == branch.grid_id);
        CHECK(leaf.grid.x == 5);
        CHECK(leaf.block.x == 64);
        CHECK(branch.time.end.ticks <= leaf.time.start.ticks);
        CHECK(branch.completed.ticks == leaf.time.end.ticks);
        CHECK(leaf.correlation == kernels[0].correlation);
    }
    CHECK(kernels[0].time.end.ticks <= children[0].time.start.ticks);
    CHECK(kernels[0].completed.ticks == children[3].completed.ticks);
    CHECK(kernels[1].time.start.ticks >= kernels[0].completed.ticks);
    CHECK(kernels[1].name == "leaf");
}

TEST_CASE("from capability 7.0 on records end with the first kernel that launches kernels") {
    test::activity_tool tool{CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL};
    with_program gpu{entry("leaf", note("%id")) + entry("parent", launch("leaf", "1"))};
    REQUIRE(gpu.launch("leaf") == CUDA_SUCCESS);
    REQUIRE(gpu.launch("parent") == CUDA_SUCCESS);
    REQUIRE(gpu.launch("leaf") == CUDA_SUCCESS);
    auto const records = tool.take();
    std::vector<std::string> names;
    for (auto const& record : records)
        if (auto const* const one = std::get_if<activity::kernel>(&record)) names.emplace_back(one->name);
    CHECK(names == std::vector<std::string>{"leaf", "parent"});
    CHECK(std::none_of(records.begin(), records.end(),
                       [](auto const& record) { return std::holds_alternative<activity::cdp_kernel>(record); }));
}

TEST_CASE("checks find nothing wrong in what the device runtime writes, and what is wrong in a child") {
    sim::execution_settings settings;
    settings.checks = sim::check::initialised | sim::check::races;
    static_cast<void>(sim::embedded_machine().driver.Init(0));
    sim::set_execution(settings);
    sim::forget_findings();
    {
        with_program gpu{
            entry("child",
                  "mov.u32 %r1, %id; mul.wide.u32 %at, %r1, 4; add.u64 %at, %at, %to;\nst.global.u32 [%at], %id;\n") +
            entry("reads", "ld.global.u64 %a1, [%to+512]; ld.global.u32 %r1, [%a1];\nsetp.eq.u32 %p1, %r1, 7;\n"
                           "@%p1 st.global.u32 [%to], %id;\n") +
            entry("parent", "mov.u64 %a3, frame; cvta.local.u64 %a4, %a3; mov.u32 %r1, %tid.x;\n" +
                                ask("__cudaCDP2StreamCreateWithFlags", {{"b64", "%a4"}, {"b32", "1"}}) +
                                "ld.local.u64 %a5, [%a3]; setp.eq.u64 %p1, %a5, 0;\n@%p1 bra done;\n" +
                                launch("child", "%r1", "%a5") +
                                "setp.ne.u32 %p1, %r1, 0;\n@%p1 bra done;\n"
                                "add.u64 %a4, %to, 512;\n" +
                                ask("__cudaCDP2Malloc", {{"b64", "%a4"}, {"b64", "64"}}) +
                                "setp.eq.u32 %p1, %id, 0;\n@%p1 bra done;\n" + launch("reads", "1") + "done:\n")};
        REQUIRE(gpu.launch("parent", 0, 1, 32) == CUDA_SUCCESS);
        REQUIRE(gpu.driver.CtxSynchronize() == CUDA_SUCCESS);
        CHECK(gpu.logged(32)[31] == 31);
        CHECK(sim::findings().empty());
        REQUIRE(gpu.launch("parent", 1, 1, 32) == CUDA_SUCCESS);
        REQUIRE(gpu.driver.CtxSynchronize() == CUDA_SUCCESS);
        auto const found = sim::findings();
        REQUIRE(found.size() == 1); // a child decides by what nobody wrote
        CHECK(found[0].kernel == "reads");
    }
    sim::set_execution({});
    sim::forget_findings();
}

TEST_CASE("a kernel's static memory is its own, not that of kernels it launches") {
    with_program gpu{
        ".visible .entry large(.param .u64 to, .param .u32 id) { .shared .align 4 .b8 room[4096]; .reg .b64 %a;\n"
        "mov.u64 %a, room; ret; }\n" +
        entry("parent", launch("large", "1"))};
    CUfunction function = nullptr;
    int bytes = -1;
    REQUIRE(gpu.driver.ModuleGetFunction(&function, gpu.module, "parent") == CUDA_SUCCESS);
    REQUIRE(gpu.driver.FuncGetAttribute(&bytes, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, function) == CUDA_SUCCESS);
    CHECK(bytes == 0);
    REQUIRE(gpu.driver.ModuleGetFunction(&function, gpu.module, "large") == CUDA_SUCCESS);
    REQUIRE(gpu.driver.FuncGetAttribute(&bytes, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, function) == CUDA_SUCCESS);
    CHECK(bytes == 4096);
}

} // namespace device_launches_test
