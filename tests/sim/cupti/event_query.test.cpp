// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Enumerating event domains and events on the embedded GPU: each function of the reference and each error it names.
#include <algorithm>
#include <cstring>

#include <gpuprof/legacy/event_rows.hpp>

#include "support/event_fixture.hpp"
#include "sim/chip/chips.hpp"

namespace event_query_test {

namespace {

std::vector<CUpti_EventDomainID> domains_of(cupti_table const& cupti, CUdevice device = 0) {
    std::uint32_t count = 0;
    CHECK(cupti.DeviceGetNumEventDomains(device, &count) == CUPTI_SUCCESS);
    std::vector<CUpti_EventDomainID> ids(count);
    std::size_t size = count * sizeof ids[0];
    CHECK(cupti.DeviceEnumEventDomains(device, &size, ids.data()) == CUPTI_SUCCESS);
    CHECK(size == count * sizeof ids[0]);
    return ids;
}

std::vector<CUpti_EventID> events_of(cupti_table const& cupti, CUpti_EventDomainID domain) {
    std::uint32_t count = 0;
    CHECK(cupti.EventDomainGetNumEvents(domain, &count) == CUPTI_SUCCESS);
    std::vector<CUpti_EventID> ids(count);
    std::size_t size = count * sizeof ids[0];
    CHECK(cupti.EventDomainEnumEvents(domain, &size, ids.data()) == CUPTI_SUCCESS);
    CHECK(size == count * sizeof ids[0]);
    return ids;
}

std::string event_text(cupti_table const& cupti, CUpti_EventID event, CUpti_EventAttribute which) {
    char text[200] = {};
    std::size_t size = sizeof text;
    CHECK(cupti.EventGetAttribute(event, which, &size, text) == CUPTI_SUCCESS);
    CHECK(size == std::strlen(text) + 1);
    return text;
}

constexpr CUpti_EventDomainID no_domain = 1;
constexpr CUpti_EventID no_event = 7;

} // namespace

TEST_CASE("cuptiGetNumEventDomains and cuptiEnumEventDomains name the domains of every chip, each once") {
    no_gpu gpu; // which need not be there
    std::uint32_t count = 0;
    CHECK(gpu.cupti.GetNumEventDomains(nullptr) == CUPTI_ERROR_INVALID_PARAMETER);
    REQUIRE(gpu.cupti.GetNumEventDomains(&count) == CUPTI_SUCCESS);
    CHECK(count == 4 + 4 + 4 + 6 + 8 + 6); // 2.0, 2.1, 3.5, 5.2, 6.0, 7.0
    std::vector<CUpti_EventDomainID> ids(count + 1, no_domain);
    std::size_t size = ids.size() * sizeof ids[0];
    CHECK(gpu.cupti.EnumEventDomains(nullptr, ids.data()) == CUPTI_ERROR_INVALID_PARAMETER);
    CHECK(gpu.cupti.EnumEventDomains(&size, nullptr) == CUPTI_ERROR_INVALID_PARAMETER);
    CHECK(gpu.cupti.EnumEventDomains(&size, ids.data()) == CUPTI_SUCCESS);
    CHECK(size == count * sizeof ids[0]);
    CHECK(ids.back() == no_domain);
    ids.pop_back();
    std::sort(ids.begin(), ids.end());
    CHECK((std::adjacent_find(ids.begin(), ids.end()) == ids.end()));
}

TEST_CASE("cuptiDeviceGetNumEventDomains counts domains, and refuses a wrong device, a newer chip and a null pointer") {
    std::uint32_t count = 0;
    {
        no_gpu gpu;
        CHECK(gpu.cupti.DeviceGetNumEventDomains(0, &count) == CUPTI_ERROR_NOT_INITIALIZED);
    }
    test::test_machine machine{&sim::gf100, &sim::gp100, &sim::gh100};
    CHECK(machine.cupti.DeviceGetNumEventDomains(0, &count) == CUPTI_SUCCESS);
    CHECK(count == 4);
    CHECK(machine.cupti.DeviceGetNumEventDomains(1, &count) == CUPTI_SUCCESS);
    CHECK(count == 8);
    CHECK(machine.cupti.DeviceGetNumEventDomains(2, &count) == CUPTI_ERROR_LEGACY_PROFILER_NOT_SUPPORTED);
    CHECK(machine.cupti.DeviceGetNumEventDomains(3, &count) == CUPTI_ERROR_INVALID_DEVICE);
    CHECK(machine.cupti.DeviceGetNumEventDomains(-1, &count) == CUPTI_ERROR_INVALID_DEVICE);
    CHECK(machine.cupti.DeviceGetNumEventDomains(0, nullptr) == CUPTI_ERROR_INVALID_PARAMETER);
}

TEST_CASE("cuptiDeviceEnumEventDomains gives as many as fit, and refuses a wrong device and null pointers") {
    CUpti_EventDomainID ids[8] = {};
    std::size_t size = sizeof ids;
    {
        no_gpu gpu;
        CHECK(gpu.cupti.DeviceEnumEventDomains(0, &size, ids) == CUPTI_ERROR_NOT_INITIALIZED);
    }
    legacy_gpu gpu{sim::gm200};
    CHECK(gpu.cupti.DeviceEnumEventDomains(0, &size, ids) == CUPTI_SUCCESS);
    CHECK(size == 6 * sizeof ids[0]);
    CHECK(ids[6] == 0);
    CUpti_EventDomainID two[2] = {};
    size = sizeof two + 3; // not a third one
    CHECK(gpu.cupti.DeviceEnumEventDomains(0, &size, two) == CUPTI_SUCCESS);
    CHECK(size == sizeof two);
    CHECK(two[1] == ids[1]);
    CHECK(gpu.cupti.DeviceEnumEventDomains(1, &size, ids) == CUPTI_ERROR_INVALID_DEVICE);
    CHECK(gpu.cupti.DeviceEnumEventDomains(0, nullptr, ids) == CUPTI_ERROR_INVALID_PARAMETER);
    CHECK(gpu.cupti.DeviceEnumEventDomains(0, &size, nullptr) == CUPTI_ERROR_INVALID_PARAMETER);
}

TEST_CASE("cuptiDeviceGetEventDomainAttribute tells instances, and refuses another chip's domain, an unknown attribute "
          "and too little room") {
    std::uint32_t value = 0;
    std::size_t size = sizeof value;
    {
        no_gpu gpu;
        CHECK(gpu.cupti.DeviceGetEventDomainAttribute(0, no_domain, CUPTI_EVENT_DOMAIN_ATTR_INSTANCE_COUNT, &size,
                                                      &value) == CUPTI_ERROR_NOT_INITIALIZED);
    }
    legacy_gpu gpu{sim::gf100};
    auto const domains = domains_of(gpu.cupti);
    auto const get = [&](CUpti_EventDomainID domain, CUpti_EventDomainAttribute which) {
        size = sizeof value;
        return gpu.cupti.DeviceGetEventDomainAttribute(0, domain, which, &size, &value);
    };
    CHECK(get(domains[0], CUPTI_EVENT_DOMAIN_ATTR_INSTANCE_COUNT) == CUPTI_SUCCESS);
    CHECK(value == 7); // every other one of 14 SMs
    CHECK(get(domains[0], CUPTI_EVENT_DOMAIN_ATTR_TOTAL_INSTANCE_COUNT) == CUPTI_SUCCESS);
    CHECK(value == 14);
    CHECK(get(domains[3], CUPTI_EVENT_DOMAIN_ATTR_INSTANCE_COUNT) == CUPTI_SUCCESS);
    CHECK(value == 14);
    CHECK(get(domains[2], CUPTI_EVENT_DOMAIN_ATTR_COLLECTION_METHOD) == CUPTI_SUCCESS);
    CHECK(value == CUPTI_EVENT_COLLECTION_METHOD_INSTRUMENTED);
    CHECK(get(domains[3], CUPTI_EVENT_DOMAIN_ATTR_COLLECTION_METHOD) == CUPTI_SUCCESS);
    CHECK(value == CUPTI_EVENT_COLLECTION_METHOD_SM);
    CHECK(get(no_domain, CUPTI_EVENT_DOMAIN_ATTR_INSTANCE_COUNT) == CUPTI_ERROR_INVALID_EVENT_DOMAIN_ID);
    CHECK(get(5200, CUPTI_EVENT_DOMAIN_ATTR_INSTANCE_COUNT) == CUPTI_ERROR_INVALID_EVENT_DOMAIN_ID); // another chip's
    CHECK(get(domains[0], static_cast<CUpti_EventDomainAttribute>(2)) == CUPTI_ERROR_INVALID_PARAMETER);
    auto const which = CUPTI_EVENT_DOMAIN_ATTR_TOTAL_INSTANCE_COUNT;
    CHECK(gpu.cupti.DeviceGetEventDomainAttribute(1, domains[0], which, &size, &value) == CUPTI_ERROR_INVALID_DEVICE);
    CHECK(gpu.cupti.DeviceGetEventDomainAttribute(0, domains[0], which, nullptr, &value) ==
          CUPTI_ERROR_INVALID_PARAMETER);
    CHECK(gpu.cupti.DeviceGetEventDomainAttribute(0, domains[0], which, &size, nullptr) ==
          CUPTI_ERROR_INVALID_PARAMETER);
    size = sizeof value - 1;
    CHECK(gpu.cupti.DeviceGetEventDomainAttribute(0, domains[0], which, &size, &value) ==
          CUPTI_ERROR_PARAMETER_SIZE_NOT_SUFFICIENT);
}

TEST_CASE("cuptiEventDomainGetAttribute tells what is no device's, and cuts texts that are too long") {
    char text[16] = {};
    std::size_t size = sizeof text;
    {
        no_gpu gpu;
        CHECK(gpu.cupti.EventDomainGetAttribute(no_domain, CUPTI_EVENT_DOMAIN_ATTR_NAME, &size, text) ==
              CUPTI_ERROR_NOT_INITIALIZED);
    }
    legacy_gpu gpu{sim::gv100};
    auto const domain = domains_of(gpu.cupti)[1];
    CHECK(gpu.cupti.EventDomainGetAttribute(domain, CUPTI_EVENT_DOMAIN_ATTR_NAME, &size, text) == CUPTI_SUCCESS);
    CHECK(std::string{text} == "domain_b");
    CHECK(size == 9);
    char cut[4] = {'x', 'x', 'x', 'x'};
    size = 3;
    CHECK(gpu.cupti.EventDomainGetAttribute(domain, CUPTI_EVENT_DOMAIN_ATTR_NAME, &size, cut) == CUPTI_SUCCESS);
    CHECK(std::string(cut, 4) == "domx"); // no null
    CHECK(size == 3);
    std::uint32_t value = 99;
    size = sizeof value;
    CHECK(gpu.cupti.EventDomainGetAttribute(domain, CUPTI_EVENT_DOMAIN_ATTR_COLLECTION_METHOD, &size, &value) ==
          CUPTI_SUCCESS);
    CHECK(value == CUPTI_EVENT_COLLECTION_METHOD_PM);
    CHECK(gpu.cupti.EventDomainGetAttribute(domain, CUPTI_EVENT_DOMAIN_ATTR_INSTANCE_COUNT, &size, &value) ==
          CUPTI_ERROR_INVALID_PARAMETER);
    CHECK(gpu.cupti.EventDomainGetAttribute(no_domain, CUPTI_EVENT_DOMAIN_ATTR_NAME, &size, text) ==
          CUPTI_ERROR_INVALID_EVENT_DOMAIN_ID);
    CHECK(gpu.cupti.EventDomainGetAttribute(domain, CUPTI_EVENT_DOMAIN_ATTR_NAME, nullptr, text) ==
          CUPTI_ERROR_INVALID_PARAMETER);
    CHECK(gpu.cupti.EventDomainGetAttribute(domain, CUPTI_EVENT_DOMAIN_ATTR_NAME, &size, nullptr) ==
          CUPTI_ERROR_INVALID_PARAMETER);
    size = 2;
    CHECK(gpu.cupti.EventDomainGetAttribute(domain, CUPTI_EVENT_DOMAIN_ATTR_COLLECTION_METHOD, &size, &value) ==
          CUPTI_ERROR_PARAMETER_SIZE_NOT_SUFFICIENT);
}

TEST_CASE("cuptiEventDomainGetNumEvents and cuptiEventDomainEnumEvents give as many as fit, and refuse what is no "
          "domain and null pointers") {
    std::uint32_t count = 0;
    CUpti_EventID ids[40] = {};
    std::size_t size = sizeof ids;
    {
        no_gpu gpu;
        CHECK(gpu.cupti.EventDomainGetNumEvents(no_domain, &count) == CUPTI_ERROR_NOT_INITIALIZED);
        CHECK(gpu.cupti.EventDomainEnumEvents(no_domain, &size, ids) == CUPTI_ERROR_NOT_INITIALIZED);
    }
    legacy_gpu gpu{sim::gm200};
    auto const domain = domains_of(gpu.cupti)[1];
    CHECK(gpu.cupti.EventDomainGetNumEvents(domain, &count) == CUPTI_SUCCESS);
    CHECK(count == 4); // two halves of memory partitions, reads and writes
    CHECK(gpu.cupti.EventDomainEnumEvents(domain, &size, ids) == CUPTI_SUCCESS);
    CHECK(size == 4 * sizeof ids[0]);
    size = 1;
    CHECK(gpu.cupti.EventDomainEnumEvents(domain, &size, ids) == CUPTI_SUCCESS);
    CHECK(size == 0);
    CHECK(gpu.cupti.EventDomainGetNumEvents(no_domain, &count) == CUPTI_ERROR_INVALID_EVENT_DOMAIN_ID);
    CHECK(gpu.cupti.EventDomainGetNumEvents(domain, nullptr) == CUPTI_ERROR_INVALID_PARAMETER);
    CHECK(gpu.cupti.EventDomainEnumEvents(no_domain, &size, ids) == CUPTI_ERROR_INVALID_EVENT_DOMAIN_ID);
    CHECK(gpu.cupti.EventDomainEnumEvents(domain, nullptr, ids) == CUPTI_ERROR_INVALID_PARAMETER);
    CHECK(gpu.cupti.EventDomainEnumEvents(domain, &size, nullptr) == CUPTI_ERROR_INVALID_PARAMETER);
}

TEST_CASE("cuptiEventGetAttribute tells texts, category and scope, and refuses what is no event, an unknown attribute "
          "and too little room") {
    std::uint32_t value = 99;
    std::size_t size = sizeof value;
    {
        no_gpu gpu;
        CHECK(gpu.cupti.EventGetAttribute(no_event, CUPTI_EVENT_ATTR_CATEGORY, &size, &value) ==
              CUPTI_ERROR_NOT_INITIALIZED);
    }
    legacy_gpu gpu{sim::gf100};
    CUpti_EventID const event = gpu.event("l1_global_load_hit");
    CHECK(event_text(gpu.cupti, event, CUPTI_EVENT_ATTR_NAME) == "l1_global_load_hit");
    auto const brief = event_text(gpu.cupti, event, CUPTI_EVENT_ATTR_SHORT_DESCRIPTION);
    auto const full = event_text(gpu.cupti, event, CUPTI_EVENT_ATTR_LONG_DESCRIPTION);
    CHECK(full.substr(0, brief.size()) == brief);
    CHECK(full.find("Modelled") != std::string::npos); // how exact it is
    CHECK(gpu.cupti.EventGetAttribute(event, CUPTI_EVENT_ATTR_CATEGORY, &size, &value) == CUPTI_SUCCESS);
    CHECK(value == CUPTI_EVENT_CATEGORY_CACHE);
    CHECK(gpu.cupti.EventGetAttribute(event, CUPTI_EVENT_ATTR_PROFILING_SCOPE, &size, &value) == CUPTI_SUCCESS);
    CHECK(value == CUPTI_EVENT_PROFILING_SCOPE_CONTEXT);
    CHECK(gpu.cupti.EventGetAttribute(no_event, CUPTI_EVENT_ATTR_CATEGORY, &size, &value) ==
          CUPTI_ERROR_INVALID_EVENT_ID);
    CHECK(gpu.cupti.EventGetAttribute(event, static_cast<CUpti_EventAttribute>(4), &size, &value) ==
          CUPTI_ERROR_INVALID_PARAMETER);
    CHECK(gpu.cupti.EventGetAttribute(event, CUPTI_EVENT_ATTR_CATEGORY, nullptr, &value) ==
          CUPTI_ERROR_INVALID_PARAMETER);
    CHECK(gpu.cupti.EventGetAttribute(event, CUPTI_EVENT_ATTR_CATEGORY, &size, nullptr) ==
          CUPTI_ERROR_INVALID_PARAMETER);
    size = 3;
    CHECK(gpu.cupti.EventGetAttribute(event, CUPTI_EVENT_ATTR_CATEGORY, &size, &value) ==
          CUPTI_ERROR_PARAMETER_SIZE_NOT_SUFFICIENT);
}

TEST_CASE("cuptiEventGetIdFromName finds an event of the device, and refuses another chip's name, a wrong device and "
          "null pointers") {
    CUpti_EventID event = 0;
    {
        no_gpu gpu;
        CHECK(gpu.cupti.EventGetIdFromName(0, "inst_executed", &event) == CUPTI_ERROR_NOT_INITIALIZED);
    }
    test::test_machine machine{&sim::gf100, &sim::gv100};
    CUpti_EventID other = 0;
    CHECK(machine.cupti.EventGetIdFromName(0, "inst_executed", &event) == CUPTI_SUCCESS);
    CHECK(machine.cupti.EventGetIdFromName(1, "inst_executed", &other) == CUPTI_SUCCESS);
    CHECK(event != other);
    CHECK(machine.cupti.EventGetIdFromName(0, "branch", &event) == CUPTI_SUCCESS);
    CHECK(machine.cupti.EventGetIdFromName(1, "branch", &event) == CUPTI_ERROR_INVALID_EVENT_NAME);
    CHECK(machine.cupti.EventGetIdFromName(0, "", &event) == CUPTI_ERROR_INVALID_EVENT_NAME);
    CHECK(machine.cupti.EventGetIdFromName(0, std::string(10000, 'a').c_str(), &event) ==
          CUPTI_ERROR_INVALID_EVENT_NAME);
    CHECK(machine.cupti.EventGetIdFromName(2, "branch", &event) == CUPTI_ERROR_INVALID_DEVICE);
    CHECK(machine.cupti.EventGetIdFromName(0, nullptr, &event) == CUPTI_ERROR_INVALID_PARAMETER);
    CHECK(machine.cupti.EventGetIdFromName(0, "branch", nullptr) == CUPTI_ERROR_INVALID_PARAMETER);
}

TEST_CASE("cuptiDeviceGetAttribute tells the product's figures, and refuses an unknown attribute, too little room, a "
          "wrong device and a newer chip") {
    std::uint64_t wide = 0;
    std::size_t size = sizeof wide;
    {
        no_gpu gpu;
        CHECK(gpu.cupti.DeviceGetAttribute(0, CUPTI_DEVICE_ATTR_MAX_FRAME_BUFFERS, &size, &wide) ==
              CUPTI_ERROR_NOT_INITIALIZED);
    }
    test::test_machine machine{&sim::gf100, &sim::gp100, &sim::gh100};
    auto const get = [&](CUdevice device, CUpti_DeviceAttribute which) {
        size = sizeof wide;
        CHECK(machine.cupti.DeviceGetAttribute(device, which, &size, &wide) == CUPTI_SUCCESS);
        CHECK(size == sizeof wide);
        return wide;
    };
    CHECK(get(0, CUPTI_DEVICE_ATTR_GLOBAL_MEMORY_BANDWIDTH) == 144000000); // 384 bits at 3 GT/s
    CHECK(get(0, CUPTI_DEVICE_ATTR_FLOP_SP_PER_CYCLE) == 14 * 32 * 2);     // 32 lanes in 14 SMs
    CHECK(get(0, CUPTI_DEVICE_ATTR_FLOP_HP_PER_CYCLE) == 0);
    CHECK(get(1, CUPTI_DEVICE_ATTR_FLOP_DP_PER_CYCLE) == 56 * 32 * 2);
    CHECK(get(1, CUPTI_DEVICE_ATTR_FLOP_HP_PER_CYCLE) == 2 * get(1, CUPTI_DEVICE_ATTR_FLOP_SP_PER_CYCLE));
    CHECK(get(0, CUPTI_DEVICE_ATTR_PCIE_GEN) == 2);
    std::uint32_t narrow = 0;
    size = sizeof narrow;
    CHECK(machine.cupti.DeviceGetAttribute(0, CUPTI_DEVICE_ATTR_MAX_EVENT_DOMAIN_ID, &size, &narrow) == CUPTI_SUCCESS);
    CHECK(narrow == 4);
    CHECK(machine.cupti.DeviceGetAttribute(0, CUPTI_DEVICE_ATTR_DEVICE_CLASS, &size, &narrow) == CUPTI_SUCCESS);
    CHECK(narrow == CUPTI_DEVICE_ATTR_DEVICE_CLASS_TESLA);
    CHECK(machine.cupti.DeviceGetAttribute(0, CUPTI_DEVICE_ATTR_MAX_FRAME_BUFFERS, &size, &wide) ==
          CUPTI_ERROR_PARAMETER_SIZE_NOT_SUFFICIENT); // that is 64 bits wide
    CHECK(machine.cupti.DeviceGetAttribute(0, static_cast<CUpti_DeviceAttribute>(0), &size, &narrow) ==
          CUPTI_ERROR_INVALID_PARAMETER);
    CHECK(machine.cupti.DeviceGetAttribute(0, CUPTI_DEVICE_ATTR_MAX_EVENT_ID, nullptr, &narrow) ==
          CUPTI_ERROR_INVALID_PARAMETER);
    CHECK(machine.cupti.DeviceGetAttribute(0, CUPTI_DEVICE_ATTR_MAX_EVENT_ID, &size, nullptr) ==
          CUPTI_ERROR_INVALID_PARAMETER);
    CHECK(machine.cupti.DeviceGetAttribute(3, CUPTI_DEVICE_ATTR_MAX_EVENT_ID, &size, &narrow) ==
          CUPTI_ERROR_INVALID_DEVICE);
    CHECK(machine.cupti.DeviceGetAttribute(2, CUPTI_DEVICE_ATTR_MAX_EVENT_ID, &size, &narrow) ==
          CUPTI_ERROR_LEGACY_PROFILER_NOT_SUPPORTED);
}

TEST_CASE("cuptiDeviceGetTimestamp passes with kernels, and refuses what is no context and a null pointer") {
    std::uint64_t before = 0, after = 0;
    {
        no_gpu gpu;
        CHECK(gpu.cupti.DeviceGetTimestamp(nullptr, &before) == CUPTI_ERROR_NOT_INITIALIZED);
    }
    legacy_gpu gpu;
    CHECK(gpu.cupti.DeviceGetTimestamp(gpu.context, &before) == CUPTI_SUCCESS);
    gpu.machine.launch("one");
    CHECK(gpu.cupti.DeviceGetTimestamp(gpu.context, &after) == CUPTI_SUCCESS);
    CHECK(after - before == 1000); // what a launch of the test machine takes
    CHECK(gpu.cupti.DeviceGetTimestamp(nullptr, &after) == CUPTI_ERROR_INVALID_CONTEXT);
    CHECK(gpu.cupti.DeviceGetTimestamp(gpu.context, nullptr) == CUPTI_ERROR_INVALID_PARAMETER);
}

TEST_CASE("a chip lists events of its family alone, in the domain and category that the family has them in") {
    struct family {
        sim::chip_model const* chip;
        gpuprof::event_set const* events;
        std::size_t listed;
    };
    using namespace gpuprof::legacy;
    for (family const& each : {family{&sim::gf100, &events_2x, 66}, family{&sim::gf114, &events_2x, 77},
                               family{&sim::gk110b, &events_3x, 112}, family{&sim::gm200, &events_5x, 95},
                               family{&sim::gp100, &events_6x, 84}, family{&sim::gv100, &events_70, 82}}) {
        CAPTURE(std::string{each.chip->chip_name});
        legacy_gpu gpu{*each.chip};
        std::size_t listed = 0;
        for (auto const domain : domains_of(gpu.cupti)) {
            char name[32] = {};
            std::size_t size = sizeof name;
            CHECK(gpu.cupti.EventDomainGetAttribute(domain, CUPTI_EVENT_DOMAIN_ATTR_NAME, &size, name) ==
                  CUPTI_SUCCESS);
            for (auto const event : events_of(gpu.cupti, domain)) {
                auto const text = event_text(gpu.cupti, event, CUPTI_EVENT_ATTR_NAME);
                CAPTURE(text);
                gpuprof::event_place const* const place = each.events->find(text);
                REQUIRE(place != nullptr);
                CHECK(std::string{each.events->domain_of(*place).name} == name);
                std::uint32_t category = 0;
                size = sizeof category;
                CHECK(gpu.cupti.EventGetAttribute(event, CUPTI_EVENT_ATTR_CATEGORY, &size, &category) == CUPTI_SUCCESS);
                CHECK(category == static_cast<std::uint32_t>(place->event->category));
                CHECK(gpu.event(text.c_str()) == event);
                ++listed;
            }
        }
        CHECK(listed == each.listed);
    }
}

} // namespace event_query_test
