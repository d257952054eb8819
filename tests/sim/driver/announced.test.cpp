// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests that the embedded GPU's driver makes its calls known as CUPTI does: names and ids are those of CUPTI 13.0, which
// tests/abi holds against its headers; parameters are compared with what was given, at the places that C gives them.
#include <doctest/doctest.h>

#include <cstdint>
#include <cstring>
#include <set>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <gpuprof/hw/abi/cupti_driver_calls.hpp>
#include "sim/code/device_memory.hpp"
#include "sim/gpu/call_trace.hpp"
#include "sim/gpu/gpu_registry.hpp"

#include "sim/gpu/gpu_state.hpp"
#include "support/driver_kernels.hpp"
#include "support/heard_callbacks.hpp"

namespace announced_test {

using namespace gpuprof::abi;
namespace sim = gpuprof::sim;

namespace {

// An argument that no call accepts for long: numbers and handles that stand for nothing, null for other pointers.
template <class A>
A sample(std::size_t place) {
    if constexpr (std::is_same_v<A, CUdeviceptr>)
        return sim::address_map::global_base + (std::uint64_t{1} << 40) + place * 256;
    else if constexpr (std::is_same_v<A, std::size_t>) return 0;
    else if constexpr (std::is_integral_v<A>) return static_cast<A>(7001 + place);
    else if constexpr (std::is_enum_v<A>) return static_cast<A>(60 + place);
    else if constexpr (std::is_same_v<A, CUcontext> || std::is_same_v<A, CUstream> || std::is_same_v<A, CUevent> ||
                       std::is_same_v<A, CUmodule> || std::is_same_v<A, CUfunction> || std::is_same_v<A, CUkernel> ||
                       std::is_same_v<A, CUgraph> || std::is_same_v<A, CUgraphExec>)
        return reinterpret_cast<A>(static_cast<std::uintptr_t>(0x7000 + place * 8));
    else return nullptr;
}

// The arguments as a C structure has them, one after the other, each at a multiple of its alignment.
struct c_structure {
    std::vector<unsigned char> bytes;
    std::vector<std::pair<std::size_t, std::size_t>> members; // offset and size: bytes between them mean nothing

    template <class A>
    void add(A const& argument) {
        std::size_t const offset = (bytes.size() + alignof(A) - 1) / alignof(A) * alignof(A);
        bytes.resize(offset + sizeof argument);
        std::memcpy(bytes.data() + offset, &argument, sizeof argument);
        members.emplace_back(offset, sizeof argument);
    }
    bool equals(void const* given) const {
        if (members.empty()) return given == nullptr;
        for (auto const& [offset, size] : members)
            if (std::memcmp(bytes.data() + offset, static_cast<unsigned char const*>(given) + offset, size) != 0)
                return false;
        return true;
    }
};

// One call and how it was announced.
struct announcement {
    c_structure expected;
    CUresult returned = CUDA_SUCCESS;
    unsigned entries = 0;
    unsigned exits = 0;
    CUpti_CallbackId id = 0;
    std::string name;
    std::uint32_t correlation = 0;

    static void hear(void* self, CUpti_CallbackDomain domain, CUpti_CallbackId id, void const* data) {
        auto& of = *static_cast<announcement*>(self);
        auto const& call = *static_cast<CUpti_CallbackData const*>(data);
        CHECK(domain == CUPTI_CB_DOMAIN_DRIVER_API);
        CHECK(of.expected.equals(call.functionParams));
        if (call.callbackSite == CUPTI_API_ENTER) {
            ++of.entries;
            of.id = id;
            of.name = call.functionName;
            of.correlation = call.correlationId;
            CHECK(sim::current_correlation == call.correlationId);
            CHECK(*call.correlationData == 0);
            *call.correlationData = 0x1234567890abcdef;
            return;
        }
        ++of.exits;
        CHECK(id == of.id);
        CHECK(call.functionName == of.name);
        CHECK(call.correlationId == of.correlation);
        CHECK(*call.correlationData == 0x1234567890abcdef);
        of.returned = *static_cast<CUresult const*>(call.functionReturnValue);
    }
};

// What all calls of the table told of themselves.
struct tally {
    std::set<std::string> names;
    std::set<CUpti_CallbackId> ids;
    std::set<std::uint32_t> correlations;
    unsigned calls = 0;
    unsigned failed = 0;
};

template <class... A, std::size_t... Place>
CUresult call_with_samples(CUresult (*call)(A...), announcement& heard, std::index_sequence<Place...>) {
    (heard.expected.add(sample<A>(Place)), ...);
    return call(sample<A>(Place)...);
}

template <auto Member, class... A>
void call_once(CUresult (*call)(A...), std::string const& symbol, tally& all) {
    INFO(symbol);
    auto const& cupti = sim::embedded_machine().cupti;
    announcement heard;
    CUpti_SubscriberHandle subscriber = nullptr;
    REQUIRE(cupti.Subscribe(&subscriber, &announcement::hear, &heard) == CUPTI_SUCCESS);
    REQUIRE(cupti.EnableDomain(1, subscriber, CUPTI_CB_DOMAIN_DRIVER_API) == CUPTI_SUCCESS);
    CUresult const status = call_with_samples(call, heard, std::index_sequence_for<A...>{});
    CHECK(cupti.Unsubscribe(subscriber) == CUPTI_SUCCESS);
    CHECK(heard.entries == 1);
    CHECK(heard.exits == 1);
    CHECK(heard.name == symbol);
    CHECK(heard.id == driver_row<Member>::id);
    CHECK(heard.returned == status);
    CHECK(sim::current_correlation == 0);
    all.names.insert(heard.name);
    all.ids.insert(heard.id);
    all.correlations.insert(heard.correlation);
    all.failed += status != CUDA_SUCCESS;
    ++all.calls;
}

} // namespace

TEST_CASE("announced: every call of the driver table is made known once, with its name, id, parameters and status") {
    embedded_context gpu;
    tally all;
#define CALL_ONCE(member, symbol, parameters)                                                                          \
    sim::gpu_registry::set_current(gpu.handle);                                                                        \
    call_once<&driver_table::member>(gpu.driver.member, #symbol, all);
    GPUPROF_ABI_DRIVER(CALL_ONCE)
#undef CALL_ONCE
    sim::gpu_registry::set_current(gpu.handle);
    CHECK(all.calls == 125);
    CHECK(all.names.size() == 125);
    CHECK(all.ids.size() == 125);
    CHECK(all.correlations.size() == 125);
    CHECK(all.failed > 60); // both kinds of status went through
    CHECK(all.failed < 117);
}

TEST_CASE("announced: nothing is counted while nobody listens") {
    embedded_context gpu;
    auto const before = sim::shared().calls.last_correlation.load();
    CHECK(gpu.driver.CtxSynchronize() == CUDA_SUCCESS);
    CHECK(sim::shared().calls.last_correlation.load() == before);
    heard_callbacks heard; // a subscriber that hears of nothing is enough: its records bear the ids
    CHECK(gpu.driver.CtxSynchronize() == CUDA_SUCCESS);
    CHECK(sim::shared().calls.last_correlation.load() == before + 1);
    CHECK(heard.all.empty());
}

TEST_CASE("announced: what the driver calls inside itself is not made known") {
    embedded_context gpu;
    heard_callbacks heard;
    heard.enable(CUPTI_CB_DOMAIN_DRIVER_API);
    CUstream stream = nullptr;
    REQUIRE(gpu.driver.StreamCreate(&stream, 0) == CUDA_SUCCESS); // is cuStreamCreateWithPriority inside
    int blocks = 0;
    CHECK(gpu.driver.OccupancyMaxActiveBlocksPerMultiprocessor(&blocks, nullptr, 32, 0) == CUDA_ERROR_INVALID_HANDLE);
    heard.end();
    CHECK(heard.texts() == std::vector<std::string>{"enter cuStreamCreate", "exit cuStreamCreate 0",
                                                    "enter cuOccupancyMaxActiveBlocksPerMultiprocessor",
                                                    "exit cuOccupancyMaxActiveBlocksPerMultiprocessor 400"});
    CHECK(gpu.driver.StreamDestroy(stream) == CUDA_SUCCESS);
}

TEST_CASE("announced: a launch bears the kernel's name, the current context and its number") {
    with_kernels gpu;
    CUfunction const kernel = gpu.kernel("empty");
    std::uint32_t uid = 0;
    heard_callbacks heard;
    heard.enable(CUPTI_CB_DOMAIN_DRIVER_API);
    CUlaunchConfig config{};
    config.gridDimX = config.gridDimY = config.gridDimZ = config.blockDimX = config.blockDimY = config.blockDimZ = 1;
    CHECK(gpu.driver.LaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr) == CUDA_SUCCESS);
    CHECK(gpu.driver.LaunchKernelEx(&config, kernel, nullptr, nullptr) == CUDA_SUCCESS);
    CHECK(gpu.driver.LaunchCooperativeKernel(kernel, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr) == CUDA_SUCCESS);
    CHECK(gpu.driver.CtxSynchronize() == CUDA_SUCCESS);
    heard.end();
    REQUIRE(heard.all.size() == 8);
    for (std::size_t i = 0; i < 8; ++i) {
        CHECK(heard.all[i].context == gpu.handle);
        CHECK(heard.all[i].symbol == (i < 6 ? "empty" : ""));
        if (uid == 0) uid = heard.all[i].context_uid;
        CHECK(heard.all[i].context_uid == uid);
    }
    std::uint32_t asked = 0;
    CHECK(heard.cupti.GetContextId(gpu.handle, &asked) == CUPTI_SUCCESS);
    CHECK(uid == asked);

    heard_callbacks again; // the next context has the next number
    again.enable(CUPTI_CB_DOMAIN_DRIVER_API);
    CUcontext second = nullptr;
    REQUIRE(gpu.driver.CtxCreate(&second, 0, gpu.device) == CUDA_SUCCESS);
    CHECK(gpu.driver.CtxDestroy(second) == CUDA_SUCCESS);
    again.end();
    REQUIRE(again.all.size() == 4);
    CHECK(again.all[0].context == gpu.handle);
    CHECK(again.all[1].context == second);
    CHECK(again.all[1].context_uid == uid + 1);
    CHECK(again.all[2].context == second);
    CHECK(again.all[3].context == gpu.handle);
    CHECK(again.all[3].context_uid == uid);
}

TEST_CASE("announced: a failed call says its status at the exit") {
    with_kernels gpu;
    heard_callbacks heard;
    heard.enable(CUPTI_CB_DOMAIN_DRIVER_API);
    CHECK(gpu.driver.LaunchKernel(gpu.kernel("empty"), 0, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr) ==
          CUDA_ERROR_INVALID_VALUE);
    CHECK(gpu.driver.MemFree(1) == CUDA_ERROR_INVALID_VALUE);
    heard.end();
    CHECK(heard.texts() == std::vector<std::string>{"enter cuModuleGetFunction", "exit cuModuleGetFunction 0",
                                                    "enter cuLaunchKernel", "exit cuLaunchKernel 1",
                                                    "enter cuMemFree_v2", "exit cuMemFree_v2 1"});
}

namespace {

// Makes a call of its own in each callback of a launch, from the first on until told otherwise.
struct inner_caller {
    driver_table const* driver = nullptr;
    cupti_table const* cupti = nullptr;
    CUpti_SubscriberHandle subscriber = nullptr;
    bool leaves = false;
    unsigned launches = 0;
    unsigned inner = 0;
    std::uint32_t outer_id = 0;
    std::uint32_t inner_id = 0;

    static void hear(void* self, CUpti_CallbackDomain, CUpti_CallbackId id, void const* data) {
        auto& of = *static_cast<inner_caller*>(self);
        auto const& call = *static_cast<CUpti_CallbackData const*>(data);
        if (id == CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel) {
            ++of.launches;
            of.outer_id = call.correlationId;
            if (of.leaves) CHECK(of.cupti->Unsubscribe(of.subscriber) == CUPTI_SUCCESS);
            CHECK(of.driver->CtxSynchronize() == CUDA_SUCCESS);
            CHECK(of.driver->StreamSynchronize(nullptr) == CUDA_SUCCESS);
            CHECK(sim::current_correlation == call.correlationId); // back from the inner calls
            return;
        }
        ++of.inner;
        of.inner_id = call.correlationId;
    }
};

} // namespace

TEST_CASE("announced: a callback may synchronise, and those calls are made known as any others") {
    with_kernels gpu;
    inner_caller caller;
    caller.driver = &gpu.driver;
    auto const& cupti = *(caller.cupti = &sim::embedded_machine().cupti);
    CUfunction const kernel = gpu.kernel("empty");
    auto const launch = [&] { return gpu.driver.LaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr); };
    REQUIRE(cupti.Subscribe(&caller.subscriber, &inner_caller::hear, &caller) == CUPTI_SUCCESS);
    REQUIRE(cupti.EnableDomain(1, caller.subscriber, CUPTI_CB_DOMAIN_DRIVER_API) == CUPTI_SUCCESS);
    CHECK(launch() == CUDA_SUCCESS);
    CHECK(caller.launches == 2);
    CHECK(caller.inner == 8); // two calls in each of two callbacks
    CHECK(caller.inner_id == caller.outer_id + 4);

    caller.leaves = true;
    CHECK(launch() == CUDA_SUCCESS);
    CHECK(caller.launches == 3); // the entry alone
    CHECK(caller.inner == 8);
    CHECK(cupti.Unsubscribe(caller.subscriber) == CUPTI_ERROR_INVALID_PARAMETER);
    CHECK(launch() == CUDA_SUCCESS);
    CHECK(caller.launches == 3);
}

TEST_CASE("announced: a subscriber that comes in the middle of a call does not get the word of the one before") {
    with_kernels gpu;
    struct tool {
        cupti_table const* cupti;
        CUpti_SubscriberHandle subscriber = nullptr;
        std::uint64_t at_exit = 77;
        static void second(void* self, CUpti_CallbackDomain, CUpti_CallbackId, void const* data) {
            static_cast<tool*>(self)->at_exit = *static_cast<CUpti_CallbackData const*>(data)->correlationData;
        }
        static void first(void* self, CUpti_CallbackDomain, CUpti_CallbackId, void const* data) {
            auto& of = *static_cast<tool*>(self);
            *static_cast<CUpti_CallbackData const*>(data)->correlationData = 42;
            REQUIRE(of.cupti->Unsubscribe(of.subscriber) == CUPTI_SUCCESS);
            REQUIRE(of.cupti->Subscribe(&of.subscriber, &second, self) == CUPTI_SUCCESS);
            REQUIRE(of.cupti->EnableDomain(1, of.subscriber, CUPTI_CB_DOMAIN_DRIVER_API) == CUPTI_SUCCESS);
        }
    } tool{&sim::embedded_machine().cupti};
    REQUIRE(tool.cupti->Subscribe(&tool.subscriber, &tool::first, &tool) == CUPTI_SUCCESS);
    REQUIRE(tool.cupti->EnableDomain(1, tool.subscriber, CUPTI_CB_DOMAIN_DRIVER_API) == CUPTI_SUCCESS);
    CHECK(gpu.driver.CtxSynchronize() == CUDA_SUCCESS);
    CHECK(tool.at_exit == 0);
    CHECK(tool.cupti->Unsubscribe(tool.subscriber) == CUPTI_SUCCESS);
}

namespace {

struct recorded_call {
    CUpti_CallbackId id;
    std::uint32_t correlation;
    std::uint64_t began;
    CUresult status;
};
std::vector<recorded_call> recorded;
std::uint64_t recorder_clock = 0;

constexpr sim::call_recorder test_recorder{
    [](CUpti_CallbackId, std::uint32_t correlation) noexcept -> std::uint64_t {
        CHECK(sim::current_correlation == correlation);
        return ++recorder_clock;
    },
    [](CUpti_CallbackId id, std::uint32_t correlation, std::uint64_t began, CUresult status) noexcept {
        CHECK(sim::current_correlation == correlation);
        recorded.push_back({id, correlation, began, status});
    }};

} // namespace

TEST_CASE("announced: a recorder hears of every call without any subscriber") {
    with_kernels gpu;
    recorded.clear();
    recorder_clock = 0;
    auto const before = sim::shared().calls.last_correlation.load();
    sim::shared().calls.record(&test_recorder);
    CHECK(gpu.driver.CtxSynchronize() == CUDA_SUCCESS);
    CHECK(gpu.driver.MemFree(1) == CUDA_ERROR_INVALID_VALUE);
    sim::shared().calls.record(nullptr);
    CHECK(gpu.driver.CtxSynchronize() == CUDA_SUCCESS);
    REQUIRE(recorded.size() == 2);
    CHECK(recorded[0].id == driver_row<&driver_table::CtxSynchronize>::id);
    CHECK(recorded[0].correlation == before + 1);
    CHECK(recorded[0].began == 1);
    CHECK(recorded[0].status == CUDA_SUCCESS);
    CHECK(recorded[1].id == driver_row<&driver_table::MemFree>::id);
    CHECK(recorded[1].correlation == before + 2);
    CHECK(recorded[1].began == 2);
    CHECK(recorded[1].status == CUDA_ERROR_INVALID_VALUE);
}

} // namespace announced_test
