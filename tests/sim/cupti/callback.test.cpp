// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests of the embedded CUPTI's callback calls. Names, limits and refusals are those of CUPTI 13.0: its headers, and what its
// library answered without a GPU where that is possible (names, sizes of parameters).
#include <doctest/doctest.h>

#include <cstdint>
#include <cstring>
#include <string>

#include <gpuprof/hw/abi/cupti_driver_calls.hpp>

#include "support/driver_kernels.hpp"
#include "support/heard_callbacks.hpp"

namespace callback_test {

using namespace gpuprof::abi;
namespace sim = gpuprof::sim;

namespace {

void ignore(void*, CUpti_CallbackDomain, CUpti_CallbackId, void const*) {}
void count(void* self, CUpti_CallbackDomain, CUpti_CallbackId, void const*) { ++*static_cast<unsigned*>(self); }

cupti_table const& cupti() { return sim::embedded_machine().cupti; }

struct subscribed {
    explicit subscribed(cupti_callback callback = &ignore, void* user_data = nullptr) {
        REQUIRE(cupti().Subscribe(&handle, callback, user_data) == CUPTI_SUCCESS);
    }
    ~subscribed() { CHECK(cupti().Unsubscribe(handle) == CUPTI_SUCCESS); }
    subscribed(subscribed const&) = delete;
    subscribed& operator=(subscribed const&) = delete;
    bool state(CUpti_CallbackDomain domain, CUpti_CallbackId id) const {
        std::uint32_t on = 7;
        CHECK(cupti().GetCallbackState(&on, handle, domain, id) == CUPTI_SUCCESS);
        CHECK(on <= 1);
        return on == 1;
    }
    CUpti_SubscriberHandle handle = nullptr;
};

// The ids of each domain in the headers of CUPTI 13.0 run from 1 to below these.
struct domain_size {
    CUpti_CallbackDomain domain;
    CUpti_CallbackId end;
};
constexpr domain_size domain_sizes[] = {{CUPTI_CB_DOMAIN_DRIVER_API, 807}, {CUPTI_CB_DOMAIN_RUNTIME_API, 523},
                                        {CUPTI_CB_DOMAIN_RESOURCE, 24},    {CUPTI_CB_DOMAIN_SYNCHRONIZE, 3},
                                        {CUPTI_CB_DOMAIN_NVTX, 50},        {CUPTI_CB_DOMAIN_STATE, 4}};

} // namespace

TEST_CASE("callback: there is one subscriber at a time") {
    CUpti_SubscriberHandle first = nullptr, second = nullptr;
    CHECK(cupti().Subscribe(nullptr, &ignore, nullptr) == CUPTI_ERROR_INVALID_PARAMETER);
    CHECK(cupti().Unsubscribe(nullptr) == CUPTI_ERROR_INVALID_PARAMETER);
    REQUIRE(cupti().Subscribe(&first, &ignore, nullptr) == CUPTI_SUCCESS);
    CHECK(first != nullptr);
    CHECK(cupti().Subscribe(&second, &ignore, nullptr) == CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED);
    CHECK(cupti().Unsubscribe(first) == CUPTI_SUCCESS);
    CHECK(cupti().Unsubscribe(first) == CUPTI_ERROR_INVALID_PARAMETER);
    REQUIRE(cupti().Subscribe(&second, &ignore, nullptr) == CUPTI_SUCCESS);
    // The handle of a subscription that is over is not good for the next one.
    CHECK(cupti().EnableDomain(1, first, CUPTI_CB_DOMAIN_DRIVER_API) == CUPTI_ERROR_INVALID_PARAMETER);
    CHECK(cupti().Unsubscribe(first) == CUPTI_ERROR_INVALID_PARAMETER);
    CHECK(cupti().Finalize() == CUPTI_SUCCESS); // ends it, too
    CHECK(cupti().Unsubscribe(second) == CUPTI_ERROR_INVALID_PARAMETER);
}

TEST_CASE("callback: the second subscriber is told the name of the first") {
    CUpti_SubscriberHandle holder = nullptr, refused = nullptr;
    std::string const long_name(60, 'n');
    char old_name[64];
    std::memset(old_name, 'x', sizeof old_name);
    CUpti_SubscriberParams params;
    params.structSize = 32; // all that CUPTI 13.0 has
    params.oldSubscriberName = old_name;
    params.oldSubscriberSize = sizeof old_name;

    params.subscriberName = "a tool";
    REQUIRE(cupti().Subscribe_v2(&holder, &ignore, nullptr, &params) == CUPTI_SUCCESS);
    CHECK(std::string{old_name}.empty()); // nobody held it
    CHECK(cupti().Subscribe_v2(&refused, &ignore, nullptr, &params) == CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED);
    CHECK(std::string{old_name} == "CUPTI for a tool");
    params.oldSubscriberSize = 10;
    CHECK(cupti().Subscribe_v2(&refused, &ignore, nullptr, &params) == CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED);
    CHECK(std::string{old_name} == "CUPTI for");
    params.oldSubscriberSize = 0;
    old_name[0] = 'x';
    CHECK(cupti().Subscribe_v2(&refused, &ignore, nullptr, &params) == CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED);
    CHECK(old_name[0] == 'x');
    params.oldSubscriberName = nullptr;
    CHECK(cupti().Subscribe_v2(&refused, &ignore, nullptr, &params) == CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED);
    CHECK(cupti().Subscribe_v2(&refused, &ignore, nullptr, nullptr) == CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED);
    CHECK(cupti().Unsubscribe(holder) == CUPTI_SUCCESS);

    params.oldSubscriberName = old_name;
    params.oldSubscriberSize = sizeof old_name;
    params.subscriberName = long_name.c_str();
    REQUIRE(cupti().Subscribe_v2(&holder, &ignore, nullptr, &params) == CUPTI_SUCCESS);
    CHECK(cupti().Subscribe_v2(&refused, &ignore, nullptr, &params) == CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED);
    CHECK(std::string{old_name} == "CUPTI for " + std::string(53, 'n'));
    CHECK(cupti().Unsubscribe(holder) == CUPTI_SUCCESS);

    REQUIRE(cupti().Subscribe_v2(&holder, &ignore, nullptr, nullptr) == CUPTI_SUCCESS); // has no name
    CHECK(cupti().Subscribe_v2(&refused, &ignore, nullptr, &params) == CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED);
    CHECK(std::string{old_name} == "CUPTI");
    CHECK(cupti().Unsubscribe(holder) == CUPTI_SUCCESS);

    for (std::size_t const size : {std::size_t{0}, std::size_t{8}, std::size_t{40}, std::size_t{64}}) {
        params.structSize = size;
        CHECK(cupti().Subscribe_v2(&holder, &ignore, nullptr, &params) == CUPTI_ERROR_INVALID_PARAMETER);
    }
    CHECK((sim::embedded_legacy_machine().cupti.Subscribe_v2 == nullptr)); // CUPTI 12.9
}

TEST_CASE("callback: single ids are switched on and off in every domain") {
    subscribed const tool;
    for (auto const& size : domain_sizes) {
        auto const domain = size.domain;
        auto const end = size.end;
        INFO(domain);
        CHECK_FALSE(tool.state(domain, 1));
        CHECK(cupti().EnableCallback(1, tool.handle, domain, 1) == CUPTI_SUCCESS);
        CHECK(cupti().EnableCallback(1, tool.handle, domain, end - 1) == CUPTI_SUCCESS);
        CHECK(tool.state(domain, 1));
        CHECK(tool.state(domain, end - 1));
        if (end > 3) CHECK_FALSE(tool.state(domain, 2));
        CHECK(cupti().EnableCallback(0, tool.handle, domain, 1) == CUPTI_SUCCESS);
        CHECK_FALSE(tool.state(domain, 1));
        CHECK(tool.state(domain, end - 1));
        CHECK(cupti().EnableCallback(1, tool.handle, domain, end) == CUPTI_ERROR_INVALID_PARAMETER);
        CHECK(cupti().EnableCallback(1, tool.handle, domain, 0) == CUPTI_ERROR_INVALID_PARAMETER);
        CHECK(cupti().EnableCallback(1, tool.handle, domain, 0xffffffff) == CUPTI_ERROR_INVALID_PARAMETER);
    }
    CHECK(cupti().EnableCallback(1, tool.handle, CUPTI_CB_DOMAIN_INVALID, 1) == CUPTI_ERROR_INVALID_PARAMETER);
    CHECK(cupti().EnableCallback(1, tool.handle, CUpti_CallbackDomain{7u}, 1) == CUPTI_ERROR_INVALID_PARAMETER);
    std::uint32_t on = 0;
    CHECK(cupti().GetCallbackState(nullptr, tool.handle, CUPTI_CB_DOMAIN_STATE, 1) == CUPTI_ERROR_INVALID_PARAMETER);
    CHECK(cupti().GetCallbackState(&on, nullptr, CUPTI_CB_DOMAIN_STATE, 1) == CUPTI_ERROR_INVALID_PARAMETER);
    CHECK(cupti().GetCallbackState(&on, tool.handle, CUPTI_CB_DOMAIN_STATE, 4) == CUPTI_ERROR_INVALID_PARAMETER);
}

TEST_CASE("callback: whole domains are switched on and off, and no other one with them") {
    subscribed const tool;
    auto const count_on = [&](domain_size const& of) {
        unsigned on = 0;
        for (CUpti_CallbackId id = 1; id < of.end; ++id) on += tool.state(of.domain, id);
        return on;
    };
    for (auto const& switched : domain_sizes) {
        CHECK(cupti().EnableDomain(1, tool.handle, switched.domain) == CUPTI_SUCCESS);
        for (auto const& looked_at : domain_sizes)
            CHECK(count_on(looked_at) == (looked_at.domain == switched.domain ? switched.end - 1 : 0));
        CHECK(cupti().EnableDomain(0, tool.handle, switched.domain) == CUPTI_SUCCESS);
        CHECK(count_on(switched) == 0);
    }
    CHECK(cupti().EnableAllDomains(1, tool.handle) == CUPTI_SUCCESS);
    for (auto const& each : domain_sizes) CHECK(count_on(each) == each.end - 1);
    CHECK(cupti().EnableAllDomains(0, tool.handle) == CUPTI_SUCCESS);
    for (auto const& each : domain_sizes) CHECK(count_on(each) == 0);
    CHECK(cupti().EnableAllDomains(1, nullptr) == CUPTI_ERROR_INVALID_PARAMETER);
    CHECK(cupti().EnableDomain(1, tool.handle, CUPTI_CB_DOMAIN_INVALID) == CUPTI_ERROR_INVALID_PARAMETER);
    CHECK(cupti().EnableDomain(1, tool.handle, CUpti_CallbackDomain{7u}) == CUPTI_ERROR_INVALID_PARAMETER);
}

TEST_CASE("callback: the next subscriber begins with everything off") {
    CUpti_SubscriberHandle first = nullptr;
    REQUIRE(cupti().Subscribe(&first, &ignore, nullptr) == CUPTI_SUCCESS);
    CHECK(cupti().EnableAllDomains(1, first) == CUPTI_SUCCESS);
    CHECK(cupti().Unsubscribe(first) == CUPTI_SUCCESS);
    embedded_context gpu;
    unsigned heard = 0;
    subscribed const tool{&count, &heard};
    CHECK_FALSE(tool.state(CUPTI_CB_DOMAIN_DRIVER_API, CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel));
    CHECK(gpu.driver.CtxSynchronize() == CUDA_SUCCESS);
    CHECK(heard == 0);
    CHECK(cupti().EnableCallback(1, tool.handle, CUPTI_CB_DOMAIN_DRIVER_API,
                                 driver_row<&driver_table::CtxSynchronize>::id) == CUPTI_SUCCESS);
    CHECK(gpu.driver.CtxSynchronize() == CUDA_SUCCESS);
    CHECK(gpu.driver.StreamSynchronize(nullptr) == CUDA_SUCCESS); // not this one
    CHECK(heard == 2);
}

TEST_CASE("callback: names of the driver's calls, as CUPTI 13.0 gives them") {
    char const* name = nullptr;
    CHECK(cupti().GetCallbackName(CUPTI_CB_DOMAIN_DRIVER_API, 307, &name) == CUPTI_SUCCESS);
    CHECK(std::string{name} == "cuLaunchKernel");
    CHECK(cupti().GetCallbackName(CUPTI_CB_DOMAIN_DRIVER_API, 277, &name) == CUPTI_SUCCESS);
    CHECK(std::string{name} == "cuMemcpyHtoDAsync_v2");
    CHECK(cupti().GetCallbackName(CUPTI_CB_DOMAIN_DRIVER_API, 1, &name) == CUPTI_SUCCESS);
    CHECK(std::string{name} == "cuInit");
    CHECK(cupti().GetCallbackName(CUPTI_CB_DOMAIN_DRIVER_API, 807, &name) == CUPTI_ERROR_INVALID_PARAMETER);
    CHECK(name == nullptr);
    for (auto const domain : {CUPTI_CB_DOMAIN_INVALID, CUPTI_CB_DOMAIN_RESOURCE, CUPTI_CB_DOMAIN_SYNCHRONIZE,
                              CUPTI_CB_DOMAIN_NVTX, CUPTI_CB_DOMAIN_STATE})
        CHECK(cupti().GetCallbackName(domain, 1, &name) == CUPTI_ERROR_INVALID_PARAMETER);
    CHECK(cupti().GetCallbackName(CUPTI_CB_DOMAIN_DRIVER_API, 1, nullptr) == CUPTI_ERROR_INVALID_PARAMETER);
}

TEST_CASE("callback: all six domains are supported") {
    std::size_t size = 0;
    CUpti_CallbackDomain* domains = nullptr;
    CHECK(cupti().SupportedDomains(&size, nullptr) == CUPTI_ERROR_INVALID_PARAMETER);
    CHECK(cupti().SupportedDomains(nullptr, &domains) == CUPTI_ERROR_INVALID_PARAMETER);
    REQUIRE(cupti().SupportedDomains(&size, &domains) == CUPTI_SUCCESS);
    REQUIRE(size == 6);
    for (std::size_t i = 0; i < size; ++i) CHECK(domains[i] == domain_sizes[i].domain);
}

} // namespace callback_test
