// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conditional nodes of graphs, in the CUDA runtime over the embedded GPU. What is expected is what the runtime's documentation
// says of cudaGraphCondTypeIf, cudaGraphCondTypeWhile and cudaGraphCondTypeSwitch.
#include <doctest/doctest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "runtime_calls.hpp"

namespace conditional_nodes_test {

struct conditional_parameters { // cudaConditionalNodeParams
    unsigned long long handle;
    int type; // 0 if, 1 while, 2 switch
    unsigned size;
    graph* bodies;
    void* context;
};
struct any_parameters { // cudaGraphNodeParams
    int type = 0;
    int reserved[3] = {};
    union {
        long long bytes[29] = {};
        conditional_parameters conditional;
    };
    long long reserved_2 = 0;
};

extern "C" {
int cudaGraphConditionalHandleCreate(unsigned long long* handle, graph in, unsigned at_launch, unsigned flags);
int cudaGraphAddNode(graph_node* made, graph to, graph_node const* after, void const* edges, std::size_t count,
                     any_parameters* parameters);
int cudaStreamBeginCaptureToGraph(stream of, graph to, graph_node const* after, void const* edges, std::size_t count,
                                  int mode);
int cudaStreamUpdateCaptureDependencies(stream of, graph_node* nodes, void const* edges, std::size_t count,
                                        unsigned flags);
int cudaGraphClone(graph* made, graph from);
int cudaMemsetAsync(void* to, int value, std::size_t bytes, stream in);
}

// One kernel: it counts its own runs, makes a number smaller by one unless that is zero, and sets a condition to the number.
struct condition_program {
    condition_program() {
        wrapper.inside = container.data();
        void** const handle = __cudaRegisterFatBinary(&wrapper);
        __cudaRegisterFunction(handle, reinterpret_cast<char const*>(&step), nullptr, "step", -1, nullptr, nullptr,
                               nullptr, nullptr, nullptr);
        __cudaRegisterFatBinaryEnd(handle);
    }
    static void step() {}
    static constexpr char text[] = R"(.version 8.3
.target sm_70
.address_size 64
.extern .func cudaGraphSetConditional(.param .b64 handle, .param .b32 value);
.visible .entry step(.param .u64 number, .param .u64 runs, .param .u64 condition) {
    .reg .pred %p<2>;
    .reg .b32 %r<4>;
    .reg .b64 %rd<4>;
    ld.param.u64 %rd1, [number];
    ld.param.u64 %rd2, [runs];
    ld.param.u64 %rd3, [condition];
    ld.global.u32 %r1, [%rd2];
    add.u32 %r1, %r1, 1;
    st.global.u32 [%rd2], %r1;
    ld.global.u32 %r2, [%rd1];
    setp.ne.u32 %p1, %r2, 0;
    @%p1 sub.u32 %r2, %r2, 1;
    st.global.u32 [%rd1], %r2;
    {
    .param .b64 param0;
    .param .b32 param1;
    st.param.b64 [param0], %rd3;
    st.param.b32 [param1], %r2;
    call.uni cudaGraphSetConditional, (param0, param1);
    }
    ret;
}
)";
    std::string container =
        hand_made_container(std::vector<hand_made_image>{{1, 70, lz4_literals(text), 0x2000, sizeof text - 1}});
    struct {
        unsigned magic = 0x466243b1;
        unsigned version = 1;
        void const* inside = nullptr;
        void const* other = nullptr;
    } wrapper;
};
condition_program const registered;

// A graph, and words of the device: the number, how often the kernel ran, and what bodies leave behind.
struct fixture {
    fixture() {
        REQUIRE(cudaGraphCreate(&made, 0) == 0);
        void* memory = nullptr;
        REQUIRE(cudaMalloc(&memory, 64) == 0);
        REQUIRE(cudaMemset(memory, 0, 64) == 0);
        words = static_cast<std::uint32_t*>(memory);
    }
    ~fixture() {
        if (runs != nullptr) CHECK(cudaGraphExecDestroy(runs) == 0);
        CHECK(cudaGraphDestroy(made) == 0);
        CHECK(cudaFree(words) == 0);
    }
    unsigned long long condition(unsigned at_launch, unsigned flags) {
        unsigned long long handle = 0;
        REQUIRE(cudaGraphConditionalHandleCreate(&handle, made, at_launch, flags) == 0);
        return handle;
    }
    graph_node step(graph in, unsigned long long handle) {
        void *number = words, *count = words + 1;
        std::array<void*, 3> arguments{&number, &count, &handle};
        kernel_node_parameters const launch{
            reinterpret_cast<void const*>(&condition_program::step), {}, {}, 0, arguments.data(), nullptr};
        graph_node node = nullptr;
        REQUIRE(cudaGraphAddKernelNode(&node, in, nullptr, 0, &launch) == 0);
        return node;
    }
    graph_node fill(graph in, unsigned word, unsigned value) {
        fill_node_parameters const parameters{words + word, 0, value, 4, 1, 1};
        graph_node node = nullptr;
        REQUIRE(cudaGraphAddMemsetNode(&node, in, nullptr, 0, &parameters) == 0);
        return node;
    }
    std::vector<graph> branch(graph_node& node, graph in, std::vector<graph_node> const& after,
                              unsigned long long handle, int type, unsigned size) {
        any_parameters parameters;
        parameters.type = 13;
        parameters.conditional = {handle, type, size, nullptr, nullptr};
        REQUIRE(cudaGraphAddNode(&node, in, after.data(), nullptr, after.size(), &parameters) == 0);
        return {parameters.conditional.bodies, parameters.conditional.bodies + size};
    }
    void launch(std::uint32_t number) {
        if (runs == nullptr) REQUIRE(cudaGraphInstantiate(&runs, made, 0) == 0);
        std::array<std::uint32_t, 16> const begin{number};
        REQUIRE(cudaMemcpy(words, begin.data(), 64, host_to_device) == 0);
        REQUIRE(cudaGraphLaunch(runs, nullptr) == 0);
        REQUIRE(cudaMemcpy(got.data(), words, 64, device_to_host) == 0);
    }

    graph made = nullptr;
    graph_executable runs = nullptr;
    std::uint32_t* words = nullptr;
    std::array<std::uint32_t, 16> got{};
};

TEST_CASE("an if node runs its first body for a condition that is not zero, and its second for zero") {
    fixture f;
    unsigned long long const handle = f.condition(0, 0);
    graph_node const sets = f.step(f.made, handle);
    graph_node decides = nullptr;
    auto const bodies = f.branch(decides, f.made, {sets}, handle, 0, 2);
    f.fill(bodies[0], 2, 11);
    f.fill(bodies[1], 2, 22);
    int type = 0;
    CHECK(cudaGraphNodeGetType(decides, &type) == 0);
    CHECK(type == 13);
    for (std::uint32_t const number : {1u, 2u, 1u, 9u}) {
        f.launch(number);
        CHECK(f.got[1] == 1);
        CHECK(f.got[2] == (number == 1 ? 22 : 11)); // the kernel has made the number smaller
    }
}

TEST_CASE("an if node with one body runs nothing for zero, and a body is what it was when the graph was instantiated") {
    fixture f;
    unsigned long long const handle = f.condition(0, 0);
    graph_node decides = nullptr;
    auto const body = f.branch(decides, f.made, {f.step(f.made, handle)}, handle, 0, 1)[0];
    f.fill(body, 2, 11);
    f.launch(1);
    CHECK(f.got[2] == 0);
    f.fill(body, 3, 33);
    f.launch(2);
    CHECK(f.got[2] == 11);
    CHECK(f.got[3] == 0);
}

TEST_CASE("a while node runs its body until the condition is zero, from the value that its handle has at each launch") {
    fixture f;
    unsigned long long const handle = f.condition(1, 1); // cudaGraphCondAssignDefault
    graph_node loops = nullptr;
    auto const body = f.branch(loops, f.made, {}, handle, 1, 1)[0];
    f.step(body, handle);
    for (int again = 0; again < 2; ++again) {
        f.launch(10);
        CHECK(f.got[0] == 0);
        CHECK(f.got[1] == 10);
    }
}

TEST_CASE("a switch node runs the body whose number the condition is, and none beyond its bodies") {
    fixture f;
    unsigned long long const handle = f.condition(0, 0);
    graph_node selects = nullptr;
    auto const bodies = f.branch(selects, f.made, {f.step(f.made, handle)}, handle, 2, 4);
    for (unsigned i = 0; i < 4; ++i) f.fill(bodies[i], 2 + i, 100 + i);
    for (std::uint32_t value = 0; value < 6; ++value) {
        f.launch(value + 1);
        for (unsigned i = 0; i < 4; ++i) CHECK(f.got[2 + i] == (i == value ? 100 + i : 0));
    }
}

TEST_CASE("a loop in the body of an if node") {
    fixture f;
    unsigned long long const outer = f.condition(0, 0), inner = f.condition(1, 1);
    graph_node decides = nullptr, loops = nullptr;
    auto const body = f.branch(decides, f.made, {f.step(f.made, outer)}, outer, 0, 1)[0];
    auto const repeated = f.branch(loops, body, {}, inner, 1, 1)[0];
    f.step(repeated, inner);
    f.launch(1);
    CHECK(f.got[1] == 1);
    f.launch(5);
    CHECK(f.got[0] == 0);
    CHECK(f.got[1] == 5); // one before the loop, four in it
}

TEST_CASE("a conditional node that is put into what a stream captures, and a body that is captured") {
    fixture f;
    stream captures = nullptr;
    REQUIRE(cudaStreamCreate(&captures) == 0);
    REQUIRE(cudaStreamBeginCapture(captures, 0) == 0);
    int status = 0;
    graph captured = nullptr;
    graph_node const* after = nullptr;
    std::size_t count = 9;
    REQUIRE(cudaStreamGetCaptureInfo(captures, &status, nullptr, &captured, &after, nullptr, &count) == 0);
    CHECK(count == 0);
    unsigned long long handle = 0;
    REQUIRE(cudaGraphConditionalHandleCreate(&handle, captured, 0, 0) == 0);
    void *number = f.words, *runs = f.words + 1;
    std::array<void*, 3> arguments{&number, &runs, &handle};
    void const* const step = reinterpret_cast<void const*>(&condition_program::step);
    REQUIRE(cudaLaunchKernel(step, {}, {}, arguments.data(), 0, captures) == 0);
    REQUIRE(cudaStreamGetCaptureInfo(captures, &status, nullptr, &captured, &after, nullptr, &count) == 0);
    REQUIRE(count == 1);
    graph_node loops = nullptr;
    auto const body = f.branch(loops, captured, {after[0]}, handle, 1, 1)[0];
    REQUIRE(cudaStreamUpdateCaptureDependencies(captures, &loops, nullptr, 1, 1) == 0); // in place of the kernel
    REQUIRE(cudaStreamGetCaptureInfo(captures, &status, nullptr, &captured, &after, nullptr, &count) == 0);
    REQUIRE(count == 1);
    CHECK(after[0] == loops);
    CHECK(cudaMemsetAsync(f.words + 2, 7, 4, captures) == 0);
    graph whole = nullptr;
    REQUIRE(cudaStreamEndCapture(captures, &whole) == 0);
    CHECK(whole == captured);

    REQUIRE(cudaStreamBeginCaptureToGraph(captures, body, nullptr, nullptr, 0, 0) == 0);
    graph_executable none = nullptr;
    CHECK(cudaGraphInstantiate(&none, body, 0) == 401); // cudaErrorIllegalState: the capture has not ended
    REQUIRE(cudaLaunchKernel(step, {}, {}, arguments.data(), 0, captures) == 0);
    CHECK(cudaStreamEndCapture(captures, nullptr) == 0); // the graph is known
    CHECK(cudaGraphDestroy(f.made) == 0);
    f.made = whole;
    f.launch(10);
    CHECK(f.got[0] == 0);
    CHECK(f.got[1] == 10); // one before the loop, nine in it
    CHECK(f.got[2] == 0x07070707);
    CHECK(cudaStreamUpdateCaptureDependencies(captures, &loops, nullptr, 1, 1) == 401); // nothing is captured
    CHECK(cudaStreamDestroy(captures) == 0);
    static_cast<void>(cudaGetLastError());
}

TEST_CASE("a capture that adds to a graph comes after the nodes that it is told") {
    fixture f;
    graph_node const first = f.fill(f.made, 2, 5);
    stream captures = nullptr;
    REQUIRE(cudaStreamCreate(&captures) == 0);
    REQUIRE(cudaStreamBeginCaptureToGraph(captures, f.made, &first, nullptr, 1, 0) == 0);
    CHECK(cudaMemsetAsync(f.words + 2, 1, 4, captures) == 0);
    graph same = nullptr;
    REQUIRE(cudaStreamEndCapture(captures, &same) == 0);
    CHECK(same == f.made);
    std::size_t count = 4;
    std::array<graph_node, 4> from{}, to{};
    REQUIRE(cudaGraphGetEdges(f.made, from.data(), to.data(), nullptr, &count) == 0);
    REQUIRE(count == 1);
    CHECK(from[0] == first);
    f.launch(0);
    CHECK(f.got[2] == 0x01010101);
    CHECK(cudaStreamDestroy(captures) == 0);
}

TEST_CASE("conditional nodes that CUDA does not have are refused") {
    fixture f;
    unsigned long long const handle = f.condition(0, 0);
    unsigned long long none = 0;
    CHECK(cudaGraphConditionalHandleCreate(&none, f.made, 0, 2) == 1);
    CHECK(cudaGraphConditionalHandleCreate(&none, nullptr, 0, 0) == 1);
    graph_node node = nullptr;
    any_parameters parameters;
    parameters.type = 13;
    for (conditional_parameters const wrong : {conditional_parameters{handle + 1000, 0, 1, nullptr, nullptr},
                                               {handle, 3, 1, nullptr, nullptr},
                                               {handle, 0, 0, nullptr, nullptr},
                                               {handle, 0, 3, nullptr, nullptr},
                                               {handle, 1, 2, nullptr, nullptr}}) {
        parameters.conditional = wrong;
        CHECK(cudaGraphAddNode(&node, f.made, nullptr, nullptr, 0, &parameters) == 1);
    }
    auto const body = f.branch(node, f.made, {}, handle, 0, 1)[0];
    graph other = nullptr, copy = nullptr;
    REQUIRE(cudaGraphCreate(&other, 0) == 0);
    CHECK(cudaGraphAddChildGraphNode(&node, other, nullptr, 0, f.made) == 801);
    CHECK(cudaGraphClone(&copy, f.made) == 801);
    CHECK(cudaGraphDestroy(other) == 0);
    host_node_parameters const host{[](void*) {}, nullptr};
    REQUIRE(cudaGraphAddHostNode(&node, body, nullptr, 0, &host) == 0);
    graph_executable runs = nullptr;
    CHECK(cudaGraphInstantiate(&runs, f.made, 0) == 801); // host functions in a body
    static_cast<void>(cudaGetLastError());
}

TEST_CASE(
    "an executable takes other nodes in a body and other values at launch, and no conditional node of another kind") {
    fixture f, again, different;
    graph_node node = nullptr;
    f.fill(f.branch(node, f.made, {}, f.condition(1, 1), 0, 2)[0], 2, 11);
    f.launch(0);
    CHECK(f.got[2] == 11);
    graph const body = again.branch(node, again.made, {}, again.condition(1, 1), 0, 2)[0];
    fill_node_parameters const parameters{f.words + 2, 0, 12, 4, 1, 1};
    REQUIRE(cudaGraphAddMemsetNode(&node, body, nullptr, 0, &parameters) == 0);
    update_result result{};
    CHECK(cudaGraphExecUpdate(f.runs, again.made, &result) == 0);
    f.launch(0);
    CHECK(f.got[2] == 12);
    different.branch(node, different.made, {}, different.condition(1, 1), 2, 2);
    CHECK(cudaGraphExecUpdate(f.runs, different.made, &result) == 910); // cudaErrorGraphExecUpdateFailure
    CHECK(result.result != 0);
    static_cast<void>(cudaGetLastError());
}

TEST_CASE("a kernel that sets a condition by what is no handle is stopped") {
    void* memory = nullptr;
    REQUIRE(cudaMalloc(&memory, 64) == 0);
    REQUIRE(cudaMemset(memory, 0, 64) == 0);
    unsigned long long handle = 12345;
    std::array<void*, 3> arguments{&memory, &memory, &handle};
    CHECK(cudaLaunchKernel(reinterpret_cast<void const*>(&condition_program::step), {}, {}, arguments.data(), 0,
                           nullptr) == 0);
    CHECK(cudaDeviceSynchronize() == 715); // cudaErrorIllegalInstruction
    CHECK(cudaDeviceReset() == 0);
    static_cast<void>(cudaGetLastError());
}

} // namespace conditional_nodes_test
