// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Legacy metrics of real kernels on the embedded chips, against what the kernels do: collected pass by pass and
// evaluated as a program with CUPTI 12 does it.
#include <cmath>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "sim/chip/chips.hpp"
#include <gpuprof/sim/open.hpp>

#include "support/driver_fixture.hpp"

namespace event_kernels_test {

using namespace gpuprof::abi;
namespace sim = gpuprof::sim;

namespace {

// to[i * stride] = from[i * stride], 4 bytes each; and half of a warp's lanes going one way, then a whole block another.
constexpr char kernels[] = R"(
.version 7.0
.target sm_70
.address_size 64
.visible .entry copy(.param .u64 to, .param .u64 from, .param .u32 stride) {
    .reg .u64 %rd<5>; .reg .u32 %r<6>;
    ld.param.u64 %rd1, [to]; ld.param.u64 %rd2, [from]; ld.param.u32 %r1, [stride];
    mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x; mov.u32 %r4, %tid.x;
    mad.lo.u32 %r2, %r2, %r3, %r4;
    mul.lo.u32 %r2, %r2, %r1;
    mul.wide.u32 %rd3, %r2, 4;
    add.u64 %rd1, %rd1, %rd3; add.u64 %rd2, %rd2, %rd3;
    ld.global.u32 %r5, [%rd2];
    st.global.u32 [%rd1], %r5;
    ret;
}
.visible .entry branches(.param .u64 to) {
    .reg .u64 %rd<3>; .reg .u32 %r<6>; .reg .pred %p<3>;
    ld.param.u64 %rd1, [to];
    mov.u32 %r1, %tid.x; mov.u32 %r2, 5;
    and.b32 %r3, %r1, 1;
    setp.eq.u32 %p1, %r3, 0;
    @%p1 bra even;
    add.u32 %r2, %r2, 7;
even:
    mov.u32 %r4, %ctaid.x;
    and.b32 %r4, %r4, 1;
    setp.eq.u32 %p2, %r4, 0;
    @%p2 bra same;
    add.u32 %r2, %r2, 9;
same:
    mul.wide.u32 %rd2, %r1, 4;
    add.u64 %rd1, %rd1, %rd2;
    st.global.u32 [%rd1], %r2;
    ret;
}
)";

struct legacy_chip : embedded_context {
    explicit legacy_chip(sim::chip_model const& chip) : embedded_context{chip} {
        REQUIRE(driver.ModuleLoadData(&module, kernels) == CUDA_SUCCESS); // also where sm_70 is a later GPU
    }

    template <class... Arguments>
    void launch(char const* name, unsigned grid, unsigned block, Arguments... arguments) {
        CUfunction function = nullptr;
        REQUIRE(driver.ModuleGetFunction(&function, module, name) == CUDA_SUCCESS);
        void* params[] = {&arguments...};
        REQUIRE(driver.LaunchKernel(function, grid, 1, 1, block, 1, 1, 0, nullptr, params, nullptr) == CUDA_SUCCESS);
    }
    CUdeviceptr buffer(std::size_t bytes) const {
        CUdeviceptr address = 0;
        REQUIRE(driver.MemAlloc(&address, bytes) == CUDA_SUCCESS);
        return address;
    }

    template <class T>
    T number(CUpti_EventDomainID domain, CUpti_EventDomainAttribute which) const {
        T value{};
        std::size_t size = sizeof value;
        CHECK(cupti.DeviceGetEventDomainAttribute(device, domain, which, &size, &value) == CUPTI_SUCCESS);
        return value;
    }
    template <class T>
    T number(CUpti_EventGroup group, CUpti_EventGroupAttribute which) const {
        T value{};
        std::size_t size = sizeof value;
        CHECK(cupti.EventGroupGetAttribute(group, which, &size, &value) == CUPTI_SUCCESS);
        return value;
    }

    // Runs `work` once a pass and evaluates the metric; a percentage or a ratio.
    template <class Work>
    double metric(char const* name, Work const& work) {
        CUpti_MetricID id = 0;
        REQUIRE(cupti.MetricGetIdFromName(device, name, &id) == CUPTI_SUCCESS);
        CUpti_EventGroupSets* passes = nullptr;
        REQUIRE(cupti.MetricCreateEventGroupSets(handle, sizeof id, &id, &passes) == CUPTI_SUCCESS);
        std::vector<CUpti_EventID> ids;
        std::vector<std::uint64_t> values;
        std::uint64_t nanoseconds = 0;
        for (std::uint32_t p = 0; p < passes->numSets; ++p) {
            auto& pass = passes->sets[p];
            std::uint32_t all = 1;
            for (std::uint32_t g = 0; g < pass.numEventGroups; ++g)
                REQUIRE(cupti.EventGroupSetAttribute(pass.eventGroups[g],
                                                     CUPTI_EVENT_GROUP_ATTR_PROFILE_ALL_DOMAIN_INSTANCES, sizeof all,
                                                     &all) == CUPTI_SUCCESS);
            REQUIRE(cupti.EventGroupSetEnable(&pass) == CUPTI_SUCCESS);
            std::uint64_t before = 0, after = 0;
            CHECK(cupti.DeviceGetTimestamp(handle, &before) == CUPTI_SUCCESS);
            work();
            CHECK(cupti.DeviceGetTimestamp(handle, &after) == CUPTI_SUCCESS);
            nanoseconds = after - before;
            for (std::uint32_t g = 0; g < pass.numEventGroups; ++g) read(pass.eventGroups[g], ids, values);
            REQUIRE(cupti.EventGroupSetDisable(&pass) == CUPTI_SUCCESS);
        }
        REQUIRE(cupti.EventGroupSetsDestroy(passes) == CUPTI_SUCCESS);
        CUpti_MetricValue value = {};
        REQUIRE(cupti.MetricGetValue(device, id, ids.size() * sizeof ids[0], ids.data(),
                                     values.size() * sizeof values[0], values.data(), nanoseconds,
                                     &value) == CUPTI_SUCCESS);
        std::uint32_t kind = 0;
        std::size_t size = sizeof kind;
        CHECK(cupti.MetricGetAttribute(id, CUPTI_METRIC_ATTR_VALUE_KIND, &size, &kind) == CUPTI_SUCCESS);
        bool const real = kind == CUPTI_METRIC_VALUE_KIND_DOUBLE || kind == CUPTI_METRIC_VALUE_KIND_PERCENT;
        return real ? value.metricValueDouble : static_cast<double>(value.metricValueUint64);
    }

    // The events of a group, normalised over the instances there are.
    void read(CUpti_EventGroup group, std::vector<CUpti_EventID>& ids, std::vector<std::uint64_t>& values) {
        auto const events = number<std::uint32_t>(group, CUPTI_EVENT_GROUP_ATTR_NUM_EVENTS);
        auto const counted = number<std::uint32_t>(group, CUPTI_EVENT_GROUP_ATTR_INSTANCE_COUNT);
        auto const domain = number<std::uint32_t>(group, CUPTI_EVENT_GROUP_ATTR_EVENT_DOMAIN_ID);
        auto const total = number<std::uint32_t>(domain, CUPTI_EVENT_DOMAIN_ATTR_TOTAL_INSTANCE_COUNT);
        std::vector<std::uint64_t> raw(events * counted);
        std::vector<CUpti_EventID> order(events);
        std::size_t raw_size = raw.size() * 8, order_size = events * sizeof order[0], found = 0;
        REQUIRE(cupti.EventGroupReadAllEvents(group, CUPTI_EVENT_READ_FLAG_NONE, &raw_size, raw.data(), &order_size,
                                              order.data(), &found) == CUPTI_SUCCESS);
        for (std::size_t e = 0; e < found; ++e) {
            std::uint64_t sum = 0;
            for (std::size_t i = 0; i < counted; ++i) sum += raw[i * events + e];
            ids.push_back(order[e]);
            values.push_back(sum * total / counted);
        }
    }

    cupti_table const& cupti = sim::embedded_legacy_machine().cupti;
    CUmodule module = nullptr;
};

sim::chip_model const* const chips[]{&sim::gf100, &sim::gf114, &sim::gk110b, &sim::gm200, &sim::gp100, &sim::gv100};

} // namespace

TEST_CASE("a coalesced copy moves what it asks for, one with a stride of a line eight times as much") {
    for (sim::chip_model const* const chip : chips) {
        std::string const name = chip->chip_name;
        CAPTURE(name);
        legacy_chip gpu{*chip};
        constexpr unsigned grid = 28, block = 128;
        CUdeviceptr const to = gpu.buffer(std::size_t{grid} * block * 128);
        CUdeviceptr const from = gpu.buffer(std::size_t{grid} * block * 128);
        auto const copy = [&](unsigned stride) {
            return [&, stride] { gpu.launch("copy", grid, block, to, from, stride); };
        };
        CHECK(gpu.metric("gld_efficiency", copy(1)) == doctest::Approx(100));
        CHECK(gpu.metric("gst_efficiency", copy(1)) == doctest::Approx(100));
        CHECK(gpu.metric("gld_efficiency", copy(32)) == doctest::Approx(100.0 * 4 / 32)); // of a sector
        CHECK(gpu.metric("gst_efficiency", copy(32)) == doctest::Approx(100.0 * 4 / 32));
        CHECK(gpu.metric("gld_efficiency", copy(2)) == doctest::Approx(50));
        copy(4)(); // the next two find what it left in L2, and take equally long
        double const asked = gpu.metric("gld_requested_throughput", copy(4));
        CHECK(asked > 0);
        CHECK(gpu.metric("gld_throughput", copy(4)) / asked == doctest::Approx(4)); // a sector for two of its words
    }
}

TEST_CASE("a branch on the lane's parity parts every warp, one on the block's number none") {
    for (sim::chip_model const* const chip : chips) {
        std::string const name = chip->chip_name;
        CAPTURE(name);
        legacy_chip gpu{*chip};
        CUdeviceptr const to = gpu.buffer(4096);
        // Two branches a warp, one of which parts it; 7.0 has branches over branches plus divergent ones (CUPTI 12.0, table 6).
        double const wanted = chip == &sim::gv100 ? 100.0 * 2 / (2 + 1) : 100.0 * (2 - 1) / 2;
        CHECK(gpu.metric("branch_efficiency", [&] { gpu.launch("branches", 4, 64, to); }) == doctest::Approx(wanted));
    }
}

TEST_CASE("warps of half the lanes have half the execution efficiency") {
    for (sim::chip_model const* const chip : chips) {
        std::string const name = chip->chip_name;
        CAPTURE(name);
        legacy_chip gpu{*chip};
        CUdeviceptr const to = gpu.buffer(8192), from = gpu.buffer(8192);
        auto const copy = [&](unsigned block) { return [&, block] { gpu.launch("copy", 14, block, to, from, 1u); }; };
        CHECK(gpu.metric("warp_execution_efficiency", copy(32)) == doctest::Approx(100));
        CHECK(gpu.metric("warp_execution_efficiency", copy(16)) == doctest::Approx(50));
    }
}

TEST_CASE("occupancy is that of the warps there are, of those an SM can hold") {
    for (sim::chip_model const* const chip : chips) {
        std::string const name = chip->chip_name;
        CAPTURE(name);
        legacy_chip gpu{*chip};
        auto const sms = static_cast<unsigned>(chip->count(sim::hardware_unit::sm));
        CUdeviceptr const to = gpu.buffer(std::size_t{sms} * 256 * 4), from = gpu.buffer(std::size_t{sms} * 256 * 4);
        double const one_block = gpu.metric("achieved_occupancy", [&] { gpu.launch("copy", sms, 256, to, from, 1u); });
        CHECK(one_block == doctest::Approx(8.0 / (chip->threads_per_sm / 32)).epsilon(0.01));
    }
}

} // namespace event_kernels_test
