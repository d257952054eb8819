// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The whole way from a library's file to a metric's value, with each CUPTI call failing in turn: the loader, the calls
// through the table it fills, and the clean-up after a failure.
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <gpuprof/hw/machine/device.hpp>

#include "support/child_program.hpp"

#include "fault_machine.hpp"

namespace fault_library_test {

using namespace gpuprof::abi;
using namespace fault_machine;

namespace {

constexpr char kernel[] = R"(
.version 7.0
.target sm_70
.address_size 64
.visible .entry nothing() { ret; }
)";

// A device with a kernel of 15 blocks of two warps.
struct fault_gpu {
    explicit fault_gpu(char const* capability) {
        int count = 0;
        REQUIRE(driver.Init(0) == CUDA_SUCCESS);
        REQUIRE(driver.DeviceGetCount(&count) == CUDA_SUCCESS);
        for (CUdevice each = 0; each < count; ++each) {
            int generation = 0, revision = 0;
            CHECK(driver.DeviceGetAttribute(&generation, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, each) ==
                  CUDA_SUCCESS);
            CHECK(driver.DeviceGetAttribute(&revision, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, each) ==
                  CUDA_SUCCESS);
            if (std::to_string(generation) + '.' + std::to_string(revision) == capability) device = each;
        }
        REQUIRE(device >= 0);
        REQUIRE(driver.CtxCreate(&context, 0, device) == CUDA_SUCCESS);
        REQUIRE(driver.ModuleLoadData(&module, kernel) == CUDA_SUCCESS);
        REQUIRE(driver.ModuleGetFunction(&function, module, "nothing") == CUDA_SUCCESS);
    }
    ~fault_gpu() { CHECK(driver.CtxDestroy(context) == CUDA_SUCCESS); }
    fault_gpu(fault_gpu const&) = delete;
    fault_gpu& operator=(fault_gpu const&) = delete;

    void launch() const {
        REQUIRE(driver.LaunchKernel(function, 15, 1, 1, 64, 1, 1, 0, nullptr, nullptr, nullptr) == CUDA_SUCCESS);
    }

    driver_table const& driver = machine().driver;
    cupti_table const& cupti = machine().cupti;
    CUdevice device = -1;
    CUcontext context = nullptr;
    CUmodule module = nullptr;
    CUfunction function = nullptr;
};

// What a program of CUPTI 12 does to get two metrics, all of it through the loaded table. It stops at the first failure
// and cleans up behind itself, as far as the library lets it.
class legacy_run {
public:
    explicit legacy_run(fault_gpu const& gpu) : gpu_{gpu} {}
    ~legacy_run() {
        if (sets_ == nullptr) return;
        for (std::uint32_t i = 0; i < sets_->numSets; ++i)
            static_cast<void>(gpu_.cupti.EventGroupSetDisable(&sets_->sets[i]));
        static_cast<void>(gpu_.cupti.EventGroupSetsDestroy(sets_));
    }
    legacy_run(legacy_run const&) = delete;
    legacy_run& operator=(legacy_run const&) = delete;

    // The first failure; with none, the values are right.
    CUptiResult operator()() {
        std::uint32_t version = 0;
        if (auto const bad = gpu_.cupti.GetVersion(&version)) return bad;
        if (auto const bad = enumerate()) return bad;
        CUpti_MetricID metrics[2] = {};
        char const* const names[] = {"achieved_occupancy", "inst_per_warp"};
        for (int i = 0; i < 2; ++i)
            if (auto const bad = gpu_.cupti.MetricGetIdFromName(gpu_.device, names[i], &metrics[i])) return bad;
        if (auto const bad = gpu_.cupti.SetEventCollectionMode(gpu_.context, CUPTI_EVENT_COLLECTION_MODE_KERNEL))
            return bad;
        if (auto const bad = gpu_.cupti.MetricCreateEventGroupSets(gpu_.context, sizeof metrics, metrics, &sets_))
            return bad;
        for (std::uint32_t i = 0; i < sets_->numSets; ++i)
            if (auto const bad = collect(sets_->sets[i])) return bad;
        for (CUpti_MetricID const each : metrics) {
            CUpti_MetricValue value = {};
            if (auto const bad =
                    gpu_.cupti.MetricGetValue(gpu_.device, each, ids_.size() * sizeof ids_[0], ids_.data(),
                                              values_.size() * sizeof values_[0], values_.data(), 1000, &value))
                return bad;
            CHECK(value.metricValueDouble > 0);
        }
        auto* const done = sets_;
        auto const bad = gpu_.cupti.EventGroupSetsDestroy(done);
        if (bad == CUPTI_SUCCESS) sets_ = nullptr;
        return bad;
    }

private:
    CUptiResult enumerate() const {
        std::uint32_t count = 0;
        if (auto const bad = gpu_.cupti.DeviceGetNumEventDomains(gpu_.device, &count)) return bad;
        std::vector<CUpti_EventDomainID> domains(count);
        std::size_t size = domains.size() * sizeof domains[0];
        if (auto const bad = gpu_.cupti.DeviceEnumEventDomains(gpu_.device, &size, domains.data())) return bad;
        for (auto const domain : domains) {
            if (auto const bad = gpu_.cupti.EventDomainGetNumEvents(domain, &count)) return bad;
            std::vector<CUpti_EventID> events(count);
            size = events.size() * sizeof events[0];
            if (auto const bad = gpu_.cupti.EventDomainEnumEvents(domain, &size, events.data())) return bad;
            char name[64] = {};
            size = sizeof name;
            if (auto const bad = gpu_.cupti.EventGetAttribute(events[0], CUPTI_EVENT_ATTR_NAME, &size, name))
                return bad;
        }
        return CUPTI_SUCCESS;
    }

    CUptiResult collect(CUpti_EventGroupSet& pass) {
        std::uint32_t all = 1;
        for (std::uint32_t g = 0; g < pass.numEventGroups; ++g)
            if (auto const bad = gpu_.cupti.EventGroupSetAttribute(
                    pass.eventGroups[g], CUPTI_EVENT_GROUP_ATTR_PROFILE_ALL_DOMAIN_INSTANCES, sizeof all, &all))
                return bad;
        if (auto const bad = gpu_.cupti.EventGroupSetEnable(&pass)) return bad;
        gpu_.launch();
        for (std::uint32_t g = 0; g < pass.numEventGroups; ++g)
            if (auto const bad = read(pass.eventGroups[g])) return bad;
        return gpu_.cupti.EventGroupSetDisable(&pass);
    }

    CUptiResult read(CUpti_EventGroup group) {
        std::uint32_t events = 0, instances = 0;
        std::size_t size = sizeof events;
        if (auto const bad =
                gpu_.cupti.EventGroupGetAttribute(group, CUPTI_EVENT_GROUP_ATTR_NUM_EVENTS, &size, &events))
            return bad;
        if (auto const bad =
                gpu_.cupti.EventGroupGetAttribute(group, CUPTI_EVENT_GROUP_ATTR_INSTANCE_COUNT, &size, &instances))
            return bad;
        std::vector<std::uint64_t> raw(events * instances);
        std::vector<CUpti_EventID> order(events);
        std::size_t raw_size = raw.size() * sizeof raw[0], order_size = events * sizeof order[0], found = 0;
        if (auto const bad = gpu_.cupti.EventGroupReadAllEvents(group, CUPTI_EVENT_READ_FLAG_NONE, &raw_size,
                                                                raw.data(), &order_size, order.data(), &found))
            return bad;
        for (std::size_t e = 0; e < found; ++e) {
            std::uint64_t sum = 0;
            for (std::size_t i = 0; i < instances; ++i) sum += raw[i * events + e];
            ids_.push_back(order[e]);
            values_.push_back(sum);
        }
        return CUPTI_SUCCESS;
    }

    fault_gpu const& gpu_;
    CUpti_EventGroupSets* sets_ = nullptr;
    std::vector<CUpti_EventID> ids_;
    std::vector<std::uint64_t> values_;
};

CUptiResult run(fault_gpu const& gpu) { return legacy_run{gpu}(); }

} // namespace

TEST_CASE("the loader fills both tables from the library's file, with nothing missing") {
    hw::machine const& loaded = machine();
    if (gpuprof::platform::is_windows) CHECK(std::filesystem::equivalent(loaded.cupti_library.path, library));
    else CHECK(loaded.cupti_library.path == library);
    CHECK(loaded.cupti_library.how == hw::found_by::explicit_path);
    CHECK(loaded.cupti_library.version == 28);
    CHECK(loaded.cupti_library.missing.empty());
    CHECK(loaded.driver_library.version == 12090);
    CHECK(loaded.driver_library.missing.empty());
    auto const gpu = gpuprof::device::try_open(loaded, 0);
    REQUIRE(gpu);
    CHECK(gpu->capability() == gpuprof::compute_capability{2, 0});
    CHECK(gpu->chip().empty());                               // only the profiler API tells it
    CHECK(gpu->source() == gpuprof::device_source::hardware); // it is taken for a real one
}

TEST_CASE("a library that answers its first question with an error is refused by that error's name") {
    clear();
    fail("cuptiGetVersion", 0, CUPTI_ERROR_DISABLED);
    auto const refused = hw::try_load_machine(from_the_file());
    clear();
    REQUIRE_FALSE(refused);
    CHECK(refused.error().code == gpuprof::errc::unavailable);
    CAPTURE(refused.error().message());
    CHECK(refused.error().message().find("cuptiGetVersion: CUPTI_ERROR_DISABLED (23)") != std::string::npos);
    CHECK(refused.error().remedy.find("GPUPROF_CUPTI_PATH") != std::string::npos);
    CHECK(hw::try_load_machine(from_the_file()));
}

constexpr int met = 42; // what the child process ends with

TEST_CASE("a fault named in the environment stands from the library's first call") {
    CHECK(test::run_test_case("the fault of the environment is met", {{"GPUPROF_FAULT", "cuptiGetVersion:1:26"}}) ==
          met);
}

TEST_CASE("the fault of the environment is met" * doctest::skip()) { // the test case above runs this one
    auto const refused = hw::try_load_machine(from_the_file());
    REQUIRE_FALSE(refused);
    if (refused.error().message().find("CUPTI_ERROR_HARDWARE_BUSY") != std::string::npos) std::_Exit(met);
}

TEST_CASE("each call of a legacy run failing in turn ends the run with that failure, and the next run is whole") {
    struct chip {
        char const* capability; // 2.0 has no inst_per_warp
        std::size_t calls;      // three of them for each event domain
    };
    for (chip const& each : {chip{"3.5", 28}, chip{"5.2", 34}, chip{"6.0", 44}, chip{"7.0", 34}}) {
        CAPTURE(std::string{each.capability});
        fault_gpu const gpu{each.capability};
        clear();
        REQUIRE(run(gpu) == CUPTI_SUCCESS);
        CHECK(calls() == each.calls);
        for (std::size_t nth = 1; nth <= each.calls; ++nth) {
            CAPTURE(nth);
            clear();
            fail(nullptr, nth, CUPTI_ERROR_HARDWARE);
            CHECK(run(gpu) == CUPTI_ERROR_HARDWARE);
            CHECK(calls() >= nth); // the call was made
            clear();
            CHECK(run(gpu) == CUPTI_SUCCESS); // nothing is left enabled
        }
    }
}

TEST_CASE("any status can come from any call, and comes through as it is") {
    fault_gpu const gpu{"5.2"};
    std::size_t faults = 0;
    for (char const* const symbol :
         {"cuptiDeviceGetNumEventDomains", "cuptiEventDomainEnumEvents", "cuptiMetricGetIdFromName",
          "cuptiMetricCreateEventGroupSets", "cuptiEventGroupSetEnable", "cuptiEventGroupReadAllEvents",
          "cuptiMetricGetValue", "cuptiEventGroupSetDisable", "cuptiEventGroupSetsDestroy"}) {
#define GPUPROF_TEST_STATUS(name, value)                                                                               \
    if (name != CUPTI_SUCCESS) {                                                                                       \
        clear();                                                                                                       \
        fail(symbol, 1, name);                                                                                         \
        CHECK_MESSAGE(run(gpu) == name, symbol << " " #name);                                                          \
        CHECK(calls(symbol) >= 1);                                                                                     \
        ++faults;                                                                                                      \
    }
        GPUPROF_ABI_CUPTIRESULTS(GPUPROF_TEST_STATUS)
#undef GPUPROF_TEST_STATUS
    }
    CHECK(faults == 9 * 49); // calls and statuses
    clear();
    CHECK(run(gpu) == CUPTI_SUCCESS);
}

TEST_CASE("a call that always fails is counted, fails every run, and spoils nothing for later") {
    fault_gpu const gpu{"7.0"};
    clear();
    fail("cuptiEventGroupReadAllEvents", 0, CUPTI_ERROR_INVALID_OPERATION);
    for (int i = 0; i < 50; ++i) CHECK(run(gpu) == CUPTI_ERROR_INVALID_OPERATION);
    CHECK(calls("cuptiEventGroupReadAllEvents") == 50);
    clear();
    CHECK(run(gpu) == CUPTI_SUCCESS);
}

} // namespace fault_library_test
