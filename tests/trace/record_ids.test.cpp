// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The numbers that records have for a program's handles, on the embedded GPU: those of the records themselves.
#include <gpuprof/trace/record_ids.hpp>

#include <doctest/doctest.h>

#include <functional>
#include <optional>
#include <set>
#include <string>

#include "sim/cupti/cupti.hpp"
#include <gpuprof/sim/open.hpp>
#include <gpuprof/trace/callbacks.hpp>
#include <gpuprof/trace/cupti_facts.hpp>
#include <gpuprof/trace/tracer.hpp>

#include "support/driver_kernels.hpp"
#include "support/fault_injection.hpp"
#include "support/injected_fault.hpp"

namespace record_ids_test {

namespace activity = gpuprof::activity;
namespace abi = gpuprof::abi;

TEST_CASE("a kernel's record has the numbers of its stream, context and device") {
    embedded_context const made;
    auto const opened = gpuprof::device::try_open(gpuprof::sim::embedded_machine(), made.handle);
    REQUIRE(opened);
    gpuprof::device const& gpu = *opened;
    auto const& driver = gpu.driver();
    abi::CUmodule module = nullptr;
    abi::CUfunction empty = nullptr;
    REQUIRE(driver.CtxSetCurrent(gpu.context()) == abi::CUDA_SUCCESS);
    REQUIRE(driver.ModuleLoadData(&module, driver_kernels) == abi::CUDA_SUCCESS);
    REQUIRE(driver.ModuleGetFunction(&empty, module, "empty") == abi::CUDA_SUCCESS);
    abi::CUstream first = nullptr, second = nullptr;
    REQUIRE(driver.StreamCreate(&first, 0) == abi::CUDA_SUCCESS);
    REQUIRE(driver.StreamCreate(&second, 0) == abi::CUDA_SUCCESS);
    constexpr auto kernels = activity::kinds<activity::kernel>;
    auto trace = gpuprof::tracer<std::remove_const_t<decltype(kernels)>>::try_begin(gpu, kernels);
    REQUIRE(trace);
    std::set<std::uint32_t> expected;
    for (auto* const stream : {first, second, abi::CUstream{nullptr}}) {
        REQUIRE(driver.LaunchKernel(empty, 1, 1, 1, 1, 1, 1, 0, stream, nullptr, nullptr) == abi::CUDA_SUCCESS);
        auto const id = gpuprof::try_stream_id(gpu, stream);
        REQUIRE(id);
        expected.insert(*id);
    }
    std::set<std::uint32_t> recorded;
    auto const batch = trace->try_flush(gpuprof::flush_mode::forced);
    REQUIRE(batch);
    batch->visit([&](activity::kernel const& it) {
        recorded.insert(it.stream);
        CHECK(it.context == *gpuprof::try_context_id(gpu));
        CHECK(it.device == *gpuprof::try_device_id(gpu));
    });
    CHECK(expected.size() == 3);
    CHECK(recorded == expected);
    CHECK(*gpuprof::try_stream_id(gpu, nullptr, gpuprof::default_stream::of_this_thread) !=
          *gpuprof::try_stream_id(gpu, nullptr));
    CHECK(driver.ModuleUnload(module) == abi::CUDA_SUCCESS);
}

TEST_CASE("work of a graph has the numbers of the graph, of the executable one and of its node") {
    embedded_context const made;
    auto const opened = gpuprof::device::try_open(gpuprof::sim::embedded_machine(), made.handle);
    REQUIRE(opened);
    gpuprof::device const& gpu = *opened;
    auto const& driver = gpu.driver();
    abi::CUstream stream = nullptr;
    abi::CUgraph graph = nullptr;
    abi::CUgraphExec executable = nullptr;
    abi::CUdeviceptr memory = 0;
    REQUIRE(driver.CtxSetCurrent(gpu.context()) == abi::CUDA_SUCCESS);
    REQUIRE(driver.MemAlloc(&memory, 16) == abi::CUDA_SUCCESS);
    REQUIRE(driver.StreamCreate(&stream, 0) == abi::CUDA_SUCCESS);
    constexpr auto sets = activity::kinds<activity::memset>;
    auto trace = gpuprof::tracer<std::remove_const_t<decltype(sets)>>::try_begin(gpu, sets);
    REQUIRE(trace);
    REQUIRE(driver.StreamBeginCapture(stream, abi::CU_STREAM_CAPTURE_MODE_GLOBAL) == abi::CUDA_SUCCESS);
    REQUIRE(driver.MemsetD8Async(memory, 1, 16, stream) == abi::CUDA_SUCCESS);
    REQUIRE(driver.StreamEndCapture(stream, &graph) == abi::CUDA_SUCCESS);
    std::uint64_t own_node = 0; // of the executable
    {
        auto const heard = gpuprof::callbacks::try_begin(
            gpu, gpuprof::callback_domain::resource, [&](gpuprof::resource_event const& event) {
                if (!event.is(gpuprof::resource_change::graph_node_cloned)) return;
                auto const number = gpuprof::try_graph_node_id(gpu, event.graph()->node);
                if (number) own_node = *number;
            });
        REQUIRE(heard);
        REQUIRE(driver.GraphInstantiateWithFlags(&executable, graph, 0) == abi::CUDA_SUCCESS);
    }
    REQUIRE(driver.GraphLaunch(executable, stream) == abi::CUDA_SUCCESS);
    auto const of_graph = gpuprof::try_graph_id(gpu, graph), of_executable = gpuprof::try_graph_id(gpu, executable);
    REQUIRE((of_graph && of_executable));
    CHECK(*of_graph != *of_executable);
    std::size_t seen = 0;
    auto const batch = trace->try_flush(gpuprof::flush_mode::forced);
    REQUIRE(batch);
    batch->visit([&](activity::memset const& it) {
        ++seen;
        CHECK(it.graph == *of_executable);
        CHECK(it.graph_node == own_node);
    });
    CHECK(seen == 1);
    CHECK(own_node != 0);
    CHECK_FALSE(gpuprof::try_graph_id(gpu, abi::CUgraph{nullptr}));
    CHECK_FALSE(gpuprof::try_graph_node_id(gpu, nullptr));
}

TEST_CASE("what CUPTI refuses or lacks is an error that names the call") {
    embedded_context const made;
    auto const opened = gpuprof::device::try_open(gpuprof::sim::embedded_machine(), made.handle);
    REQUIRE(opened);
    auto const unknown = gpuprof::try_stream_id(*opened, reinterpret_cast<abi::CUstream>(std::uintptr_t{0x7777}));
    REQUIRE_FALSE(unknown);
    CHECK(unknown.error().message().find("cuptiGetStreamIdEx") != std::string::npos);
    CHECK(unknown.error().message().find("CUPTI_ERROR_INVALID_STREAM") != std::string::npos);
    auto without = opened->machine();
    without.cupti = {};
    auto const lacking =
        gpuprof::detail::ask_id<std::uint32_t>(without, "cuptiGetStreamIdEx", without.cupti.GetStreamIdEx,
                                               opened->context(), abi::CUstream{nullptr}, std::uint8_t{0});
    REQUIRE_FALSE(lacking);
    CHECK(lacking.error().code == gpuprof::errc::unavailable);
}

TEST_CASE("CUPTI is asked for names, domains and a device where gpuprof's tables may be older than it") {
    embedded_context const made;
    auto const opened = gpuprof::device::try_open(gpuprof::sim::embedded_machine(), made.handle);
    REQUIRE(opened);
    auto machine = opened->machine();
    using gpuprof::driver_function;
    using gpuprof::runtime_function;
    machine.cupti.GetCallbackName = [](abi::CUpti_CallbackDomain domain, std::uint32_t id, char const** name) {
        if (domain != abi::CUPTI_CB_DOMAIN_RUNTIME_API || id != 1900) return abi::CUPTI_ERROR_INVALID_PARAMETER;
        *name = "cudaOfTomorrow_v14000";
        return abi::CUPTI_SUCCESS;
    };
    CHECK(gpuprof::name(machine, driver_function{307}) == "cuLaunchKernel"); // of the table
    CHECK(gpuprof::name(machine, runtime_function{1900}) == "cudaOfTomorrow_v14000");
    CHECK(gpuprof::name(machine, driver_function{1900}).empty());
    machine.cupti.GetCallbackName = nullptr;
    CHECK(gpuprof::name(machine, runtime_function{1900}).empty());

    auto const heard = gpuprof::try_supported_callbacks(opened->machine());
    REQUIRE(heard);
    CHECK(heard->whole(abi::CUPTI_CB_DOMAIN_DRIVER_API));
    machine.cupti.SupportedDomains = [](std::size_t*, abi::CUpti_CallbackDomain**) {
        return abi::CUPTI_ERROR_NOT_INITIALIZED;
    };
    CHECK(gpuprof::try_supported_callbacks(machine).error().message().find("cuptiSupportedDomains") !=
          std::string::npos);
    machine.cupti.SupportedDomains = nullptr;
    CHECK(gpuprof::try_supported_callbacks(machine).error().code == gpuprof::errc::unavailable);

    auto const facts = gpuprof::facts_of_cupti(*opened);
    CHECK(facts.is_supported == true);
    CHECK(facts.knows_capability == true);
    CHECK(facts.virtualization == abi::CUPTI_DEVICE_VIRTUALIZATION_MODE_NONE);
    CHECK_FALSE(facts.auto_boost); // the embedded GPU refuses the call, as a device without auto boost does
}

TEST_CASE("each call that asks for a number or a fact fails in turn: the error names it, and other facts are told") {
    embedded_context const made;
    auto machine = gpuprof::sim::embedded_machine();
    machine.cupti.GetAutoBoostState = [](abi::CUcontext, abi::CUpti_ActivityAutoBoostState*) {
        return abi::CUPTI_SUCCESS;
    };
    test::fault_injection faults{machine.cupti};
    auto const opened = gpuprof::device::try_open(machine, made.handle);
    REQUIRE(opened);
    gpuprof::device const& gpu = *opened;
    auto const& driver = gpu.driver();
    abi::CUdeviceptr memory = 0;
    abi::CUstream stream = nullptr;
    abi::CUgraph graph = nullptr;
    abi::CUgraphExec executable = nullptr;
    REQUIRE(driver.CtxSetCurrent(gpu.context()) == abi::CUDA_SUCCESS);
    REQUIRE(driver.MemAlloc(&memory, 16) == abi::CUDA_SUCCESS);
    REQUIRE(driver.StreamCreate(&stream, 0) == abi::CUDA_SUCCESS);
    REQUIRE(driver.StreamBeginCapture(stream, abi::CU_STREAM_CAPTURE_MODE_GLOBAL) == abi::CUDA_SUCCESS);
    REQUIRE(driver.MemsetD8Async(memory, 1, 16, stream) == abi::CUDA_SUCCESS);
    REQUIRE(driver.StreamEndCapture(stream, &graph) == abi::CUDA_SUCCESS);
    REQUIRE(driver.GraphInstantiateWithFlags(&executable, graph, 0) == abi::CUDA_SUCCESS);
    abi::CUgraphNode node = nullptr;
    std::size_t nodes = 1;
    REQUIRE(driver.GraphGetNodes(graph, &node, &nodes) == abi::CUDA_SUCCESS);
    REQUIRE(nodes == 1);

    struct question {
        char const* call;
        std::function<std::optional<gpuprof::error>()> ask;
    };
    auto const problem = [](auto const& of) { return of ? std::nullopt : std::optional{of.error()}; };
    question const questions[]{
        {"cuptiGetDeviceId", [&] { return problem(gpuprof::try_device_id(gpu)); }},
        {"cuptiGetContextId", [&] { return problem(gpuprof::try_context_id(gpu)); }},
        {"cuptiGetStreamIdEx", [&] { return problem(gpuprof::try_stream_id(gpu, stream)); }},
        {"cuptiGetGraphId", [&] { return problem(gpuprof::try_graph_id(gpu, graph)); }},
        {"cuptiGetGraphExecId", [&] { return problem(gpuprof::try_graph_id(gpu, executable)); }},
        {"cuptiGetGraphNodeId", [&] { return problem(gpuprof::try_graph_node_id(gpu, node)); }},
        {"cuptiSupportedDomains", [&] { return problem(gpuprof::try_supported_callbacks(machine)); }},
    };
    for (question const& each : questions) {
        CAPTURE(each.call);
        faults.clear();
        faults.fail(each.call, 1, test::hardware_fault.status);
        auto const why = each.ask();
        REQUIRE(why);
        test::hardware_fault.check(*why, each.call);
        CHECK_FALSE(each.ask());
    }
    for (char const* const call : {"cuptiDeviceSupported", "cuptiComputeCapabilitySupported",
                                   "cuptiDeviceVirtualizationMode", "cuptiGetAutoBoostState"}) {
        CAPTURE(call);
        auto const told = [&] {
            auto const facts = gpuprof::facts_of_cupti(gpu);
            return int{facts.is_supported.has_value()} + int{facts.knows_capability.has_value()} +
                   int{facts.virtualization.has_value()} + int{facts.auto_boost.has_value()};
        };
        faults.clear();
        faults.fail(call, 1, test::hardware_fault.status);
        CHECK(told() == 3);
        CHECK(told() == 4);
    }
}

} // namespace record_ids_test
