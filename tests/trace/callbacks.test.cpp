// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The handler of callbacks: on the embedded GPU, and on a CUPTI of the test's for domains that the embedded GPU does not have.
#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <cstring>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <gpuprof/hw/machine/device.hpp>
#include <gpuprof/hw/machine/session_registry.hpp>
#include <gpuprof/sim/open.hpp>
#include <gpuprof/trace/callbacks.hpp>
#include <gpuprof/trace/function_families.hpp>
#include <gpuprof/trace/function_names.hpp>

#include "support/callback_cupti.hpp"
#include "support/driver_kernels.hpp"

namespace callbacks_test {

namespace abi = gpuprof::abi;
namespace hw = gpuprof::hw;
namespace sim = gpuprof::sim;
using namespace gpuprof;

namespace {

constexpr auto driver = abi::CUPTI_CB_DOMAIN_DRIVER_API;
constexpr auto runtime = abi::CUPTI_CB_DOMAIN_RUNTIME_API;

struct opened : with_kernels {
    opened() : gpu{open()} {}
    gpuprof::device gpu;

private:
    gpuprof::device open() {
        auto opened = gpuprof::device::try_open(sim::embedded_machine(), handle, device_source::embedded);
        REQUIRE(opened);
        return *std::move(opened);
    }
};

template <class Handler>
callbacks begun(hw::machine const& on, callback_set const& what, Handler&& handler) {
    auto result = callbacks::try_begin(on, what, std::forward<Handler>(handler));
    REQUIRE_MESSAGE(result, (result ? std::string{} : result.error().message()));
    return *std::move(result);
}

constexpr auto nothing = [] {};

} // namespace

TEST_CASE(
    "callbacks: a launch is heard at its entry and exit, with kernel, parameters, status and a word between them") {
    opened on;
    struct seen {
        bool enter;
        std::string name, symbol;
        std::optional<int> status;
        std::uint32_t correlation;
        std::uint64_t word;
        std::optional<launch_parameters> launch;
        abi::CUcontext context;
    };
    std::vector<seen> all;
    auto const heard = begun(on.gpu.machine(), driver_calls::launches, [&](api_call_event const& call) {
        all.push_back({call.enter(), std::string{call.name()}, std::string{call.symbol()}, call.status(),
                       call.correlation(), call.word(), call.launch(), call.context()});
        if (call.enter()) call.word() = 4711;
        CHECK(call.is(driver_call<"cuLaunchKernel">));
        CHECK(call.is(gpuprof::calls<"cuLaunchKernel">));
        CHECK_FALSE(call.is(runtime_call<"cudaLaunchKernel_v7000">));
        CHECK(call.in_driver() == driver_call<"cuLaunchKernel">);
        CHECK_FALSE(call.in_runtime().has_value());
        CHECK(hw::inside_callback());
    });
    auto to = on.buffer(4096);
    void* params[]{&to};
    REQUIRE(on.driver.LaunchKernel(on.kernel("store"), 3, 2, 1, 16, 4, 1, 256, nullptr, params, nullptr) ==
            abi::CUDA_SUCCESS);
    CHECK(on.driver.LaunchKernel(on.kernel("empty"), 1, 1, 1, 5000, 1, 1, 0, nullptr, nullptr, nullptr) ==
          abi::CUDA_ERROR_INVALID_VALUE); // 1024 threads a block
    REQUIRE(all.size() == 4);
    CHECK(all[0].enter);
    CHECK_FALSE(all[1].enter);
    CHECK(all[0].name == "cuLaunchKernel");
    CHECK(all[0].symbol == "store");
    CHECK_FALSE(all[0].status.has_value());
    CHECK(all[1].status == 0);
    CHECK(all[3].status == static_cast<int>(abi::CUDA_ERROR_INVALID_VALUE));
    CHECK(all[0].correlation == all[1].correlation);
    CHECK(all[0].correlation != all[2].correlation);
    CHECK(all[0].word == 0);
    CHECK(all[1].word == 4711);
    CHECK(all[0].context == on.handle);
    REQUIRE(all[1].launch);
    CHECK(all[1].launch->grid == std::array<unsigned, 3>{3, 2, 1});
    CHECK(all[1].launch->block == std::array<unsigned, 3>{16, 4, 1});
    CHECK(all[1].launch->dynamic_shared == 256);
    CHECK(all[1].launch->arguments == params);
}

TEST_CASE("callbacks: a copy, an allocation and a free of the driver") {
    opened on;
    std::vector<std::string> texts;
    auto const heard = begun(on.gpu.machine(), driver_calls::copies | driver_calls::allocations | driver_calls::frees,
                             [&](api_call_event const& call) {
                                 if (call.enter()) return;
                                 if (auto const copy = call.copy())
                                     texts.push_back("copy " + std::to_string(copy->bytes));
                                 if (auto const memory = call.allocation())
                                     texts.push_back("allocate " + std::to_string(memory->bytes) +
                                                     (memory->address != 0 ? " at an address" : " nowhere"));
                                 if (call.free()) texts.emplace_back("free");
                             });
    auto const memory = on.buffer(512);
    int value = 5;
    REQUIRE(on.driver.MemcpyHtoD(memory, &value, sizeof value) == abi::CUDA_SUCCESS);
    REQUIRE(on.driver.MemFree(memory) == abi::CUDA_SUCCESS);
    abi::CUdeviceptr none = 12345;
    CHECK(on.driver.MemAlloc(&none, std::size_t{1} << 60) != abi::CUDA_SUCCESS);
    CHECK(texts == std::vector<std::string>{"allocate 512 at an address", "copy 4", "free",
                                            "allocate 1152921504606846976 nowhere"});
}

TEST_CASE("callbacks: contexts, streams and modules come and go, streams are waited for") {
    opened on;
    std::vector<resource_change> changes;
    std::vector<std::size_t> module_bytes;
    abi::CUstream created = nullptr, waited = nullptr;
    struct handler {
        std::vector<resource_change>* changes;
        std::vector<std::size_t>* module_bytes;
        abi::CUstream *created, *waited;
        void operator()(resource_event const& event) const {
            changes->push_back(event.change());
            if (auto const module = event.module()) module_bytes->push_back(module->code.size());
            if (event.is(resource_change::stream_created)) *created = event.stream();
        }
        void operator()(synchronize_event const& event) const {
            if (event.kind() == synchronization_kind::stream) *waited = event.stream();
        }
    };
    auto const heard = begun(on.gpu.machine(), callback_domain::resource | callback_domain::synchronize,
                             handler{&changes, &module_bytes, &created, &waited});
    abi::CUstream stream = nullptr;
    REQUIRE(on.driver.StreamCreate(&stream, 0) == abi::CUDA_SUCCESS);
    REQUIRE(on.driver.StreamSynchronize(stream) == abi::CUDA_SUCCESS);
    REQUIRE(on.driver.StreamDestroy(stream) == abi::CUDA_SUCCESS);
    abi::CUmodule module = nullptr;
    REQUIRE(on.driver.ModuleLoadData(&module, driver_kernels) == abi::CUDA_SUCCESS);
    REQUIRE(on.driver.ModuleUnload(module) == abi::CUDA_SUCCESS);
    using enum resource_change;
    CHECK(changes ==
          std::vector<resource_change>{stream_created, stream_destroy_starting, module_loaded, module_unload_starting});
    CHECK(created == stream);
    CHECK(waited == stream);
    REQUIRE(module_bytes.size() == 2);
    CHECK(module_bytes[0] > 0);
}

TEST_CASE("callbacks: one handler takes the events of all domains, and only those that it listens to") {
    test::callback_cupti cupti;
    std::vector<std::string> texts;
    auto const heard = begun(cupti.on, callback_domain::runtime | callback_domain::nvtx | callback_domain::state,
                             [&](auto const& event) {
                                 using type = std::decay_t<decltype(event)>;
                                 if constexpr (std::is_same_v<type, api_call_event>)
                                     texts.push_back(std::string{event.enter() ? "enter " : "exit "} +
                                                     std::string{name(*event.in_runtime())});
                                 if constexpr (std::is_same_v<type, nvtx_event>)
                                     texts.push_back("nvtx " + std::string{event.message()});
                                 if constexpr (std::is_same_v<type, state_event>)
                                     texts.push_back(event.why().message());
                             });
    cupti.call(runtime, static_cast<unsigned>(runtime_call<"cudaMalloc_v3020">), nothing);
    abi::nvtxRangePushA_params const push{"frame"};
    abi::CUpti_NvtxData nvtx;
    nvtx.functionParams = &push;
    cupti.fire(abi::CUPTI_CB_DOMAIN_NVTX, static_cast<unsigned>(nvtx_call<"nvtxRangePushA">), &nvtx);
    abi::CUpti_StateData state;
    state.notification.result = abi::CUPTI_ERROR_HARDWARE;
    state.notification.message = "the counters went away";
    cupti.fire(abi::CUPTI_CB_DOMAIN_STATE, abi::CUPTI_CBID_STATE_ERROR, &state);
    cupti.call(driver, 307, nothing);
    CHECK(texts == std::vector<std::string>{"enter cudaMalloc_v3020", "exit cudaMalloc_v3020", "nvtx frame",
                                            "device lost: CUPTI: CUPTI_ERROR_HARDWARE (" +
                                                std::to_string(static_cast<int>(abi::CUPTI_ERROR_HARDWARE)) +
                                                "); because the counters went away; remedy: look for Xid messages in "
                                                "the kernel log"});
}

TEST_CASE("callbacks: ranges and marks of NVTX") {
    test::callback_cupti cupti;
    struct seen {
        nvtx_action action;
        std::string message;
        std::optional<std::uint64_t> range;
        void const* domain;
        void const* registered;
    };
    std::vector<seen> all;
    auto const heard = begun(cupti.on, callback_domain::nvtx, [&](nvtx_event const& event) {
        all.push_back(
            {event.action(), std::string{event.message()}, event.range(), event.domain(), event.registered_message()});
    });
    auto const fire = [&](nvtx_function function, void const* parameters, void const* returned = nullptr) {
        abi::CUpti_NvtxData const data{"nvtx", parameters, returned};
        cupti.fire(abi::CUPTI_CB_DOMAIN_NVTX, static_cast<unsigned>(function), &data);
    };
    int handle = 0;
    abi::nvtxEventAttributes_v2 attributes;
    attributes.messageType = 1;
    attributes.message.ascii = "step";
    abi::nvtxRangePushEx_params const pushed{&attributes};
    fire(nvtx_call<"nvtxRangePushEx">, &pushed);
    attributes.messageType = 3;
    attributes.message.registered = &handle;
    abi::nvtxDomainRangeStartEx_params const started{&handle, {&attributes}};
    std::uint64_t const id = 77;
    fire(nvtx_call<"nvtxDomainRangeStartEx">, &started, &id);
    abi::nvtxDomainRangeEnd_params const ended{&handle, {77}};
    fire(nvtx_call<"nvtxDomainRangeEnd">, &ended);
    fire(nvtx_call<"nvtxRangePop">, nullptr);
    abi::nvtxMarkW_params const wide{L"wide"};
    fire(nvtx_call<"nvtxMarkW">, &wide);
    fire(nvtx_call<"nvtxNameOsThreadA">, &wide);
    REQUIRE(all.size() == 6);
    CHECK(all[0].action == nvtx_action::range_push);
    CHECK(all[0].message == "step");
    CHECK(all[1].action == nvtx_action::range_start);
    CHECK(all[1].message.empty());
    CHECK(all[1].registered == &handle);
    CHECK(all[1].domain == &handle);
    CHECK(all[1].range == 77);
    CHECK(all[2].action == nvtx_action::range_end);
    CHECK(all[2].range == 77);
    CHECK(all[2].domain == &handle);
    CHECK(all[3].action == nvtx_action::range_pop);
    CHECK(all[4].action == nvtx_action::mark);
    CHECK(all[4].message.empty());
    CHECK(all[5].action == nvtx_action::other);
}

TEST_CASE("callbacks: a graph node tells its graph, its type and what it was cloned from") {
    test::callback_cupti cupti;
    std::optional<graph_change> change;
    auto const heard = begun(cupti.on, callback_domain::resource, [&](resource_event const& event) {
        change = event.graph();
        CHECK_FALSE(event.module());
        CHECK(event.stream() == nullptr);
    });
    auto const pointer = [](auto*& to, std::uintptr_t value) {
        std::memcpy(static_cast<void*>(&to), &value, sizeof value);
    };
    abi::CUpti_GraphData graph;
    pointer(graph.graph, 0x100);
    pointer(graph.originalNode, 0x200);
    graph.nodeType = 2;
    abi::CUpti_ResourceData data;
    data.resourceDescriptor = &graph;
    cupti.fire(abi::CUPTI_CB_DOMAIN_RESOURCE, abi::CUPTI_CBID_RESOURCE_GRAPHNODE_CLONED, &data);
    REQUIRE(change);
    CHECK(change->graph == graph.graph);
    CHECK(change->original_node == graph.originalNode);
    CHECK(change->node_type == 2);
    cupti.fire(abi::CUPTI_CB_DOMAIN_RESOURCE, abi::CUPTI_CBID_RESOURCE_CONTEXT_CREATED, &data);
    CHECK_FALSE(change);
}

TEST_CASE("callbacks: what the handler does not take is refused before anything begins") {
    test::callback_cupti cupti;
    auto const only_resources = [](resource_event const&) {};
    auto const refused =
        callbacks::try_begin(cupti.on, callback_domain::resource | callback_domain::nvtx, only_resources);
    REQUIRE_FALSE(refused);
    CHECK(refused.error().code == errc::invalid_argument);
    CHECK(refused.error().cause == "the handler takes no gpuprof::nvtx_event, which is among what it is to hear");
    CHECK(cupti.calls == 0);
    auto heard = begun(cupti.on, callback_domain::resource, only_resources);
    CHECK_FALSE(heard.try_enable(driver_calls::launches));
    CHECK(heard.heard() == callback_set{callback_domain::resource});
}

#if GPUPROF_EXCEPTIONS
TEST_CASE("callbacks: a handler that throws is counted, and nothing is thrown through CUPTI") {
    test::callback_cupti cupti;
    callbacks heard{cupti.on, callback_domain::driver, [](api_call_event const& call) {
                        if (call.exit()) throw std::runtime_error{"no"};
                    }};
    cupti.call(driver, 1, nothing);
    cupti.call(driver, 1, nothing);
    CHECK(heard.failures() == 2);
    CHECK_FALSE(hw::inside_callback());
}

TEST_CASE("callbacks: the constructor throws what try_begin returns") {
    test::callback_cupti cupti;
    cupti.holder = "CUPTI for other";
    auto const begin = [&] { callbacks{cupti.on, callback_domain::driver, [](api_call_event const&) {}}; };
    CHECK_THROWS_AS(begin(), gpuprof::exception);
}
#endif

TEST_CASE("callbacks: each failing call of CUPTI is an error, and the handler is destroyed once") {
    for (std::size_t nth = 0; nth < 4; ++nth) {
        test::callback_cupti cupti{false};
        cupti.failing = nth;
        auto const alive = std::make_shared<int>();
        {
            auto const heard = callbacks::try_begin(cupti.on, callback_domain::driver | callback_domain::resource,
                                                    [alive](auto const&) {});
            CHECK(heard.has_value() == (nth > 2));
            CHECK(alive.use_count() == (heard ? 2 : 1));
        }
        CHECK(alive.use_count() == 1);
        cupti.failing = ~std::size_t{0};
        {
            auto const again = begun(cupti.on, callback_domain::driver, [](api_call_event const&) {});
        }
        CHECK_FALSE(cupti.subscribed());
    }
}

TEST_CASE("callbacks: a handler ends its own object and another thread ends one that is running") {
    test::callback_cupti cupti;
    auto const alive = std::make_shared<int>();
    std::optional<callbacks> heard;
    int calls_heard = 0;
    heard.emplace(begun(cupti.on, callback_domain::driver, [&heard, &calls_heard, alive](api_call_event const&) {
        ++calls_heard;
        heard.reset();
        CHECK(alive.use_count() == 2); // the handler is there until it has returned
    }));
    cupti.call(driver, 1, nothing);
    CHECK(calls_heard == 1);
    CHECK(alive.use_count() == 1);

    std::atomic<bool> inside{false}, go_on{false}, ended{false};
    heard.emplace(begun(cupti.on, callback_domain::driver, [&](api_call_event const& call) {
        if (call.exit()) return;
        inside = true;
        while (!go_on) std::this_thread::yield();
    }));
    std::thread calling{[&] { cupti.call(driver, 1, nothing); }};
    while (!inside) std::this_thread::yield();
    std::thread ending{[&] {
        heard.reset();
        ended = true;
    }};
    std::this_thread::sleep_for(std::chrono::milliseconds{20});
    CHECK_FALSE(ended); // it waits for the handler
    go_on = true;
    calling.join();
    ending.join();
    CHECK(ended);
}

TEST_CASE("callbacks: what could hang inside a handler is refused there, and the rest goes on") {
    opened on;
    std::optional<errc> opening, lease;
    bool begun_inside = false;
    std::size_t inner_heard = 0;
    std::optional<callbacks> inner;
    auto const heard = begun(on.gpu.machine(), driver_calls::launches, [&](api_call_event const& call) {
        if (call.exit()) return;
        auto const device = gpuprof::device::try_open(on.gpu.machine(), on.handle, device_source::embedded);
        if (!device) opening = device.error().code;
        auto const session = hw::session_lease::try_take(on.handle);
        if (!session) lease = session.error().code;
        auto another =
            callbacks::try_begin(on.gpu, driver_calls::launches, [&](api_call_event const&) { ++inner_heard; });
        begun_inside = another.has_value();
        if (another && !inner) inner.emplace(*std::move(another));
    });
    CHECK(on.launch("empty", 1, 32) == abi::CUDA_SUCCESS);
    CHECK(opening == errc::inside_callback);
    CHECK(lease == errc::inside_callback);
    CHECK(begun_inside);
    CHECK(inner_heard > 0);
    inner.reset();
    CHECK(hw::session_lease::try_take(on.handle).has_value());
}

TEST_CASE("callbacks: eight threads launch while others begin, change and end") {
    opened on;
    std::atomic<std::size_t> whole{0}, brief_calls{0};
    constexpr std::size_t threads = 8, each = 60;
    auto const empty = on.kernel("empty");
    {
        auto const heard = begun(on.gpu.machine(), driver_calls::launches, [&](api_call_event const& call) {
            if (call.enter()) call.word() = call.correlation() + 5;
            else if (call.word() == call.correlation() + 5u) ++whole;
        });
        std::atomic<bool> stop{false};
        std::thread other{[&] {
            while (!stop) {
                auto brief = begun(on.gpu.machine(), callback_domain::driver, [&](auto const&) { ++brief_calls; });
                static_cast<void>(brief.try_enable(callback_domain::resource));
                static_cast<void>(brief.try_disable(driver_call<"cuLaunchKernel">));
            }
        }};
        std::vector<std::thread> launching;
        for (std::size_t i = 0; i < threads; ++i)
            launching.emplace_back([&] {
                on.driver.CtxSetCurrent(on.handle);
                for (std::size_t k = 0; k < each; ++k)
                    on.driver.LaunchKernel(empty, 1, 1, 1, 32, 1, 1, 0, nullptr, nullptr, nullptr);
            });
        for (auto& thread : launching) thread.join();
        stop = true;
        other.join();
    }
    CHECK(whole == threads * each);
}

} // namespace callbacks_test
