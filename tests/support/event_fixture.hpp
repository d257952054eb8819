// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A legacy chip whose kernels count what a test says, and short forms of CUPTI's event calls.
#ifndef GPUPROF_TESTS_SUPPORT_EVENT_FIXTURE_HPP
#define GPUPROF_TESTS_SUPPORT_EVENT_FIXTURE_HPP

#include <cstdint>
#include <initializer_list>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "sim/chip/chips.hpp"

#include "support/test_machine.hpp"

using namespace gpuprof::abi;
namespace sim = gpuprof::sim;

struct legacy_gpu {
    explicit legacy_gpu(sim::chip_model const& chip = sim::gk110b) : machine{chip}, context{machine.use_device()} {}

    CUpti_EventID event(char const* name) const {
        CUpti_EventID id = 0;
        CHECK(cupti.EventGetIdFromName(0, name, &id) == CUPTI_SUCCESS);
        return id;
    }
    CUpti_MetricID metric(char const* name) const {
        CUpti_MetricID id = 0;
        CHECK(cupti.MetricGetIdFromName(0, name, &id) == CUPTI_SUCCESS);
        return id;
    }
    CUpti_EventGroup group(std::initializer_list<char const*> events = {}) const {
        CUpti_EventGroup made = nullptr;
        CHECK(cupti.EventGroupCreate(context, &made, 0) == CUPTI_SUCCESS);
        for (char const* const each : events) CHECK(cupti.EventGroupAddEvent(made, event(each)) == CUPTI_SUCCESS);
        return made;
    }
    CUpti_EventGroup of_all_instances(std::initializer_list<char const*> events) const {
        CUpti_EventGroup const made = group(events);
        std::uint32_t all = 1;
        CHECK(cupti.EventGroupSetAttribute(made, CUPTI_EVENT_GROUP_ATTR_PROFILE_ALL_DOMAIN_INSTANCES, sizeof all,
                                           &all) == CUPTI_SUCCESS);
        return made;
    }
    CUpti_EventGroup enabled(std::initializer_list<char const*> events) const {
        CUpti_EventGroup const made = of_all_instances(events);
        CHECK(cupti.EventGroupEnable(made) == CUPTI_SUCCESS);
        return made;
    }
    void continuous() const {
        CHECK(cupti.SetEventCollectionMode(context, CUPTI_EVENT_COLLECTION_MODE_CONTINUOUS) == CUPTI_SUCCESS);
    }
    // The values of an event, by instance.
    std::vector<std::uint64_t> read(CUpti_EventGroup group, char const* name) const {
        std::vector<std::uint64_t> values(200);
        std::size_t size = values.size() * sizeof values[0];
        CHECK(cupti.EventGroupReadEvent(group, CUPTI_EVENT_READ_FLAG_NONE, event(name), &size, values.data()) ==
              CUPTI_SUCCESS);
        values.resize(size / sizeof values[0]);
        return values;
    }
    std::uint64_t total(CUpti_EventGroup group, char const* name) const {
        std::uint64_t sum = 0;
        for (std::uint64_t const each : read(group, name)) sum += each;
        return sum;
    }
    template <class T>
    T attribute(CUpti_EventGroup group, CUpti_EventGroupAttribute which) const {
        T value{};
        std::size_t size = sizeof value;
        CHECK(cupti.EventGroupGetAttribute(group, which, &size, &value) == CUPTI_SUCCESS);
        CHECK(size == sizeof value);
        return value;
    }

    test::test_machine machine;
    cupti_table const& cupti = machine.cupti;
    CUcontext context;
};

// CUPTI on a machine without a device: nothing there can be initialized.
struct no_gpu {
    test::test_machine machine{std::initializer_list<sim::chip_model const*>{}};
    cupti_table const& cupti = machine.cupti;
};

// A handle that is none.
inline CUpti_EventGroup not_a_group() {
    static int something = 0;
    return &something;
}

#endif // GPUPROF_TESTS_SUPPORT_EVENT_FIXTURE_HPP
