// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tracers on the embedded GPU: its driver and its CUPTI, as on hardware. Expected numbers are what the test launched.
#include <gpuprof/trace/consumer.hpp>
#include <gpuprof/trace/tracer.hpp>

#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <fstream>
#include <map>
#include <string>
#include <thread>
#include <type_traits>
#include <vector>

#include <gpuprof/hw/callbacks/detach.hpp>
#include <gpuprof/hw/callbacks/subscription.hpp>
#include "sim/cupti/cupti.hpp"
#include <gpuprof/sim/open.hpp>
#include <gpuprof/scope.hpp>
#include <gpuprof/trace/overloaded.hpp>

#include "support/driver_fixture.hpp"
#include "support/fault_injection.hpp"
#include "support/injected_fault.hpp"
#include "support/pc_sampled_gpu.hpp"
#include "support/sanitized.hpp"
#include "sim/chip/chips.hpp"

namespace embedded_test {

namespace activity = gpuprof::activity;
namespace abi = gpuprof::abi;
using gpuprof::overloaded;
using gpuprof::scope;
using gpuprof::tracer_options;

namespace {

constexpr auto work = activity::kinds<activity::kernel, activity::memcpy, activity::memset>;
using kinds = std::remove_const_t<decltype(work)>;
using work_tracer = gpuprof::tracer<kinds>;

// Two kernels that do nothing.
constexpr char ptx[] = ".version 7.8\n.target sm_50\n.address_size 64\n"
                       ".visible .entry first() { ret; }\n.visible .entry second() { ret; }\n";

struct two_kernels : embedded_context {
    two_kernels() {
        REQUIRE(driver.ModuleLoadData(&module, ptx) == abi::CUDA_SUCCESS);
        REQUIRE(driver.ModuleGetFunction(&first, module, "first") == abi::CUDA_SUCCESS);
        REQUIRE(driver.ModuleGetFunction(&second, module, "second") == abi::CUDA_SUCCESS);
        REQUIRE(driver.StreamCreate(&stream, abi::CU_STREAM_NON_BLOCKING) == abi::CUDA_SUCCESS);
        REQUIRE(driver.MemAlloc(&memory, 4096) == abi::CUDA_SUCCESS);
    }
    abi::CUresult launch(abi::CUfunction which, abi::CUstream on) const {
        return driver.LaunchKernel(which, 1, 1, 1, 1, 1, 1, 0, on, nullptr, nullptr);
    }
    [[nodiscard]] gpuprof::hw::machine const& machine() const { return gpuprof::sim::embedded_machine(); }

    abi::CUmodule module = nullptr;
    abi::CUfunction first = nullptr;
    abi::CUfunction second = nullptr;
    abi::CUstream stream = nullptr;
    abi::CUdeviceptr memory = 0;
};

std::size_t resident() {
    std::ifstream file{"/proc/self/statm"};
    std::size_t all = 0, pages = 0;
    file >> all >> pages;
    return pages * 4096;
}

} // namespace

TEST_CASE("embedded: kernels, copies and fills are traced with their scopes") {
    two_kernels gpu;
    auto trace = *work_tracer::try_begin(gpu.machine(), work);
    unsigned char host[64] = {};
    {
        scope const step{trace, "step"};
        REQUIRE(gpu.launch(gpu.first, gpu.stream) == abi::CUDA_SUCCESS);
        REQUIRE(gpu.driver.MemsetD8Async(gpu.memory, 1, 64, gpu.stream) == abi::CUDA_SUCCESS);
        scope const inner{trace, "inner"};
        REQUIRE(gpu.driver.MemcpyDtoH(host, gpu.memory, 64) == abi::CUDA_SUCCESS);
    }
    REQUIRE(gpu.launch(gpu.second, gpu.stream) == abi::CUDA_SUCCESS);
    auto const batch = *trace.try_flush();
    std::map<std::string, std::string> paths;
    auto const path = [&](auto const& it) { return batch.scope_path(batch.scope_of(it)); };
    batch.visit(overloaded{[&](activity::kernel const& it) {
                               CHECK(it.time.known());
                               paths[std::string{it.name}] = path(it);
                           },
                           [&](activity::memcpy const& it) {
                               CHECK(it.size == gpuprof::bytes{64});
                               paths["copy"] = path(it);
                           },
                           [&](activity::memset const& it) {
                               CHECK(it.size == gpuprof::bytes{64});
                               paths["fill"] = path(it);
                           }});
    CHECK(paths == std::map<std::string, std::string>{
                       {"first", "step"}, {"fill", "step"}, {"copy", "step/inner"}, {"second", ""}});
    CHECK(batch.scopes().size() == 2);
    CHECK(batch.losses().complete());
}

TEST_CASE("embedded: nested scopes on eight threads: each kernel belongs to its own thread's") {
    constexpr int threads = 8;
    int const rounds = sanitized ? 20 : 200;
    two_kernels gpu;
    auto trace = *work_tracer::try_begin(gpu.machine(), work);
    std::vector<std::thread> all;
    for (int t = 0; t < threads; ++t)
        all.emplace_back([&, t] {
            std::string const own = "thread " + std::to_string(t);
            abi::CUstream stream = nullptr;
            bool good = gpu.driver.CtxSetCurrent(gpu.handle) == abi::CUDA_SUCCESS;
            good = good && gpu.driver.StreamCreate(&stream, abi::CU_STREAM_NON_BLOCKING) == abi::CUDA_SUCCESS;
            for (int i = 0; good && i < rounds; ++i) {
                scope const outer{trace, own};
                good = gpu.launch(gpu.first, stream) == abi::CUDA_SUCCESS;
                scope const inner{trace, "inner"};
                good = good && gpu.launch(gpu.second, stream) == abi::CUDA_SUCCESS;
            }
            CHECK(good);
        });
    for (std::thread& each : all) each.join();
    auto const batch = *trace.try_flush();
    std::map<std::string, int> counts;
    batch.visit([&](auto const& it) {
        if constexpr (std::is_same_v<std::remove_cvref_t<decltype(it)>, activity::kernel>)
            ++counts[std::string{it.name} + " " + batch.scope_path(batch.scope_of(it))];
    });
    CHECK(counts.size() == 2 * threads);
    for (int t = 0; t < threads; ++t) {
        CHECK(counts["first thread " + std::to_string(t)] == rounds);
        CHECK(counts["second thread " + std::to_string(t) + "/inner"] == rounds);
    }
    CHECK(batch.scopes().size() == static_cast<std::size_t>(2 * threads * rounds));
    CHECK(batch.losses().complete());
}

TEST_CASE("embedded: each node of a graph belongs to the scope that captured it, over many replays in flat memory") {
    int const replays = sanitized ? 500 : 20'000;
    two_kernels gpu;
    tracer_options options;
    options.buffer_bytes = 1 << 20;
    auto trace = *work_tracer::try_begin(gpu.machine(), work, options);
    abi::CUgraph graph = nullptr;
    abi::CUgraphExec executable = nullptr;
    {
        scope const capture{trace, "capture"};
        REQUIRE(gpu.driver.StreamBeginCapture(gpu.stream, abi::CU_STREAM_CAPTURE_MODE_GLOBAL) == abi::CUDA_SUCCESS);
        {
            scope const layer{trace, "layer 1"};
            REQUIRE(gpu.launch(gpu.first, gpu.stream) == abi::CUDA_SUCCESS);
        }
        {
            scope const layer{trace, "layer 2"};
            REQUIRE(gpu.launch(gpu.second, gpu.stream) == abi::CUDA_SUCCESS);
        }
        REQUIRE(gpu.driver.StreamEndCapture(gpu.stream, &graph) == abi::CUDA_SUCCESS);
    }
    {
        scope const instantiate{trace, "instantiate"};
        REQUIRE(gpu.driver.GraphInstantiateWithFlags(&executable, graph, 0) == abi::CUDA_SUCCESS);
    }
    std::size_t before = 0;
    std::map<std::string, int> counts;
    auto const visit = [&](work_tracer::batch const& batch) {
        CHECK_FALSE(batch.unknown_nodes());
        CHECK(batch.losses().complete());
        batch.visit([&](auto const& it) {
            if constexpr (std::is_same_v<std::remove_cvref_t<decltype(it)>, activity::kernel>)
                ++counts[std::string{it.name} + " " + batch.scope_path(batch.scope_of(it))];
        });
    };
    for (int i = 1; i <= replays; ++i) {
        {
            scope const step{trace, "step"};
            REQUIRE(gpu.driver.GraphLaunch(executable, gpu.stream) == abi::CUDA_SUCCESS);
        }
        if (i % 500 != 0) continue;
        if (i == replays) { // the records come when the graph is gone
            REQUIRE(gpu.driver.GraphExecDestroy(executable) == abi::CUDA_SUCCESS);
            REQUIRE(gpu.driver.GraphDestroy(graph) == abi::CUDA_SUCCESS);
        }
        visit(*trace.try_flush());
        if (i <= replays / 4) before = resident();
    }
    CHECK(counts ==
          std::map<std::string, int>{{"first capture/layer 1", replays}, {"second capture/layer 2", replays}});
    std::size_t const after = resident();
    if (!sanitized) CHECK(after < before + (2u << 20));
    MESSAGE(replays << " replays: " << before << " bytes, then " << after);
}

TEST_CASE("embedded: a slow consumer loses what is reported, and no more") {
    std::size_t const launches = sanitized ? 2'000 : 50'000;
    two_kernels gpu;
    tracer_options options;
    options.buffers = 4;
    options.buffer_bytes = 8192;
    auto trace = *work_tracer::try_begin(gpu.machine(), work, options);
    std::size_t seen = 0, told = 0;
    auto const slow = [&](work_tracer::batch const& batch) {
        batch.visit([&](auto const&) { ++seen; });
        told += batch.losses().dropped;
        std::this_thread::sleep_for(std::chrono::microseconds{500});
    };
    auto consume = *gpuprof::trace_consumer<kinds, std::remove_const_t<decltype(slow)>>::try_begin(trace, slow);
    for (std::size_t i = 0; i < launches; ++i) REQUIRE(gpu.launch(gpu.first, gpu.stream) == abi::CUDA_SUCCESS);
    REQUIRE(consume.try_end());
    CHECK(seen + told == launches);
    CHECK(trace.lost().dropped == told);
    MESSAGE(seen << " seen, " << told << " lost and reported");
}

TEST_CASE("embedded: eight threads launch while others flush, subscribe and begin and end tracers") {
    constexpr int threads = 8;
    two_kernels gpu;
    std::atomic<bool> is_over{false};
    std::atomic<std::size_t> heard{0}, wrong{0};
    std::vector<std::thread> all;
    for (int t = 0; t < threads; ++t)
        all.emplace_back([&] {
            abi::CUstream stream = nullptr;
            if (gpu.driver.CtxSetCurrent(gpu.handle) != abi::CUDA_SUCCESS ||
                gpu.driver.StreamCreate(&stream, abi::CU_STREAM_NON_BLOCKING) != abi::CUDA_SUCCESS)
                ++wrong;
            while (!is_over)
                if (gpu.launch(gpu.first, stream) != abi::CUDA_SUCCESS) ++wrong;
        });
    all.emplace_back([&] {
        constexpr gpuprof::hw::callback_id ids[] = {
            {abi::CUPTI_CB_DOMAIN_DRIVER_API, abi::CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel}};
        while (!is_over)
            if (!gpuprof::hw::subscription::try_begin(
                    gpu.machine(), ids,
                    [](void* self, gpuprof::hw::callback_id, void const*) {
                        ++*static_cast<std::atomic<std::size_t>*>(self);
                    },
                    &heard))
                ++wrong;
    });
    std::size_t scopes = 0;
    int const rounds = sanitized ? 5 : 15;
    for (int i = 0; i < rounds; ++i) {
        auto trace = *work_tracer::try_begin(gpu.machine(), work);
        std::thread flushing{[&] {
            for (int k = 0; k < 5; ++k)
                if (!trace.try_flush()) ++wrong;
        }};
        {
            scope const step{trace, "step"};
            if (gpu.launch(gpu.second, gpu.stream) != abi::CUDA_SUCCESS) ++wrong;
        }
        flushing.join();
        auto const last = trace.try_finish();
        REQUIRE(last);
        scopes += last->scopes().size();
    }
    is_over = true;
    for (std::thread& each : all) each.join();
    CHECK(wrong == 0);
    CHECK(scopes <= static_cast<std::size_t>(rounds));
}

TEST_CASE("embedded: what there is of a kind is recorded when it is asked for, whenever it came") {
    two_kernels gpu;
    auto trace = *gpuprof::tracer<activity::kind_set>::try_begin(gpu.machine(), {abi::CUPTI_ACTIVITY_KIND_DEVICE});
    static_cast<void>(*trace.try_flush());
    REQUIRE(trace.try_dump(abi::CUPTI_ACTIVITY_KIND_DEVICE));
    auto const batch = *trace.try_flush();
    std::size_t devices = 0;
    batch.visit([&](activity::device const&) { ++devices; });
    int count = 0;
    REQUIRE(gpu.driver.DeviceGetCount(&count) == abi::CUDA_SUCCESS);
    CHECK(devices == static_cast<std::size_t>(count));
    auto const refused = trace.try_dump(abi::CUPTI_ACTIVITY_KIND_CONTEXT);
    CHECK(refused.error().code == gpuprof::errc::invalid_argument);
}

TEST_CASE("embedded: a kind can be switched in one context") {
    two_kernels first;
    two_kernels second;
    auto const in_first = [&] {
        REQUIRE(first.driver.CtxSetCurrent(first.handle) == abi::CUDA_SUCCESS);
        REQUIRE(first.launch(first.first, first.stream) == abi::CUDA_SUCCESS);
        REQUIRE(first.driver.CtxSetCurrent(second.handle) == abi::CUDA_SUCCESS);
        REQUIRE(second.launch(second.second, second.stream) == abi::CUDA_SUCCESS);
    };
    auto session = *gpuprof::detail::trace_session::try_begin(
        first.machine(), activity::kind_set{abi::CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL}, tracer_options{});
    REQUIRE(session->try_enable(second.handle, abi::CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, false));
    in_first();
    REQUIRE(session->try_flush(gpuprof::flush_mode::forced));
    std::size_t bytes = 0;
    {
        auto const taken = session->try_take(gpuprof::detail::trace_session::taking::asked);
        REQUIRE(taken);
        for (auto const& each : taken->buffers.all()) bytes += each.valid;
    }
    CHECK(bytes == 216); // one kernel of 13.0
    REQUIRE(session->try_enable(second.handle, abi::CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, true));
    in_first();
    REQUIRE(session->try_flush(gpuprof::flush_mode::forced));
    auto const taken = session->try_take(gpuprof::detail::trace_session::taking::asked);
    REQUIRE(taken);
    for (auto const& each : taken->buffers.all()) bytes += each.valid;
    CHECK(bytes == 216 + 2 * 216);
}

TEST_CASE("embedded: after detaching, another tracer attaches CUPTI again") {
    two_kernels gpu;
    for (int i = 0; i < 3; ++i) {
        auto trace = *work_tracer::try_begin(gpu.machine(), work);
        {
            scope const step{trace, "step"};
            REQUIRE(gpu.launch(gpu.first, gpu.stream) == abi::CUDA_SUCCESS);
        }
        auto const last = trace.try_detach();
        REQUIRE(last);
        std::size_t seen = 0;
        last->visit([&](auto const& it) {
            ++seen;
            if constexpr (requires { it.correlation; }) CHECK(last->scope_path(last->scope_of(it)) == "step");
        });
        CHECK(seen == 2); // the kernel and the scope
        REQUIRE(gpu.launch(gpu.first, gpu.stream) == abi::CUDA_SUCCESS);
    }
}

TEST_CASE("embedded: a call for one context or for detaching that fails is told by its name, and works again") {
    two_kernels gpu;
    auto machine = gpu.machine();
    test::fault_injection faults{machine.cupti};
    constexpr auto kind = abi::CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL;
    {
        auto session = *gpuprof::detail::trace_session::try_begin(machine, activity::kind_set{kind}, tracer_options{});
        for (char const* const call : {"cuptiActivityDisableContext", "cuptiActivityEnableContext"}) {
            bool const on = std::string_view{call} == "cuptiActivityEnableContext";
            faults.clear();
            faults.fail(call, 1, test::hardware_fault.status);
            auto const failed = session->try_enable(gpu.handle, kind, on);
            REQUIRE_FALSE(failed);
            CHECK(failed.error().status == test::hardware_fault.status);
            CHECK(failed.error().message().find(call) != std::string::npos);
            CHECK(session->try_enable(gpu.handle, kind, on));
        }
    }
    faults.clear();
    faults.fail("cuptiFinalize", 1, test::hardware_fault.status);
    auto const attached = gpuprof::hw::try_detach(machine);
    REQUIRE_FALSE(attached);
    test::hardware_fault.check(attached.error(), "cuptiFinalize");
    CHECK(gpuprof::hw::try_detach(machine));
}

TEST_CASE("embedded: samples of instructions are traced where CUPTI has the kind, with functions and lines") {
    test::pc_sampled_gpu gpu{gpuprof::sim::gv100};
    gpu.tables.cupti = gpuprof::sim::cupti::legacy_table();
    constexpr auto sampled = activity::kinds<activity::pc_sampling, activity::pc_sampling_summary, activity::function,
                                             activity::source_locator>;
    using sampled_tracer = gpuprof::tracer<std::remove_const_t<decltype(sampled)>>;
    tracer_options options;
    options.pc_sampling_period = 4;
    auto const refused = sampled_tracer::try_begin(gpu.tables, sampled, options);
    REQUIRE(!refused);
    CHECK(refused.error().code == gpuprof::errc::invalid_argument);
    CHECK(refused.error().message().find("2^5 to 2^31") != std::string::npos);

    options.pc_sampling_period = 6;
    {
        test::fault_injection faults{gpu.tables.cupti};
        faults.fail("cuptiActivityConfigurePCSampling", 1, test::hardware_fault.status);
        auto const failed = sampled_tracer::try_begin(gpu.tables, sampled, options);
        REQUIRE(!failed);
        test::hardware_fault.check(failed.error(), "cuptiActivityConfigurePCSampling");
    }
    auto trace = sampled_tracer::try_begin(gpu.tables, sampled, options);
    REQUIRE_MESSAGE(trace, (trace ? std::string{} : trace.error().message()));
    gpu.gather();
    std::uint64_t samples = 0, counted = 0, period = 0;
    std::size_t functions = 0, lines = 0;
    auto const batch = trace->try_flush(gpuprof::flush_mode::forced);
    REQUIRE(batch);
    batch->visit(overloaded{[&](activity::pc_sampling const& one) { samples += one.samples; },
                            [&](activity::pc_sampling_summary const& all) {
                                counted += all.samples;
                                period = all.period;
                            },
                            [&](activity::function const& one) {
                                CHECK(one.name == "gather");
                                ++functions;
                            },
                            [&](activity::source_locator const& one) {
                                CHECK(one.line > 0);
                                ++lines;
                            }});
    CHECK(samples > 0);
    CHECK(samples == counted);
    CHECK(period == 64);
    CHECK(functions == 1);
    CHECK(lines > 5);

    gpu.tables.cupti = gpuprof::sim::cupti::table(); // 13.0 has them no more
    auto const gone = sampled_tracer::try_begin(gpu.tables, sampled);
    REQUIRE(!gone);
    CHECK(gone.error().message().find("PC_SAMPLING") == std::string::npos);
    CHECK(gone.error().message().find("pc_sampling") != std::string::npos);
}

} // namespace embedded_test
