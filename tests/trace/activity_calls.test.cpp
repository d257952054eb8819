// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tracers beside another tool that shares CUPTI. What CUPTI answers then is that of its header (13.5), not of a run: it needs a
// driver of CUDA 13.3.
#include <gpuprof/trace/tracer.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include <gpuprof/hw/callbacks/detach.hpp>
#include <gpuprof/hw/callbacks/subscription.hpp>
#include <gpuprof/scope.hpp>

#include "support/fault_injection.hpp"
#include "support/paper_activity.hpp"
#include "support/shared_cupti.hpp"

namespace activity_calls_test {

namespace abi = gpuprof::abi;
namespace activity = gpuprof::activity;
namespace hw = gpuprof::hw;
using gpuprof::errc;
using gpuprof::scope;
using gpuprof::tracer_options;
using test::paper_activity;
using test::shared_cupti;

namespace {

constexpr auto kernels = activity::kinds<activity::kernel>;
using kernel_tracer = gpuprof::tracer<activity::kind_list<activity::kernel>>;

// Kernels of a tracer that has one scope, and what went wrong.
std::size_t kernels_in_scope(paper_activity& cupti, std::optional<gpuprof::error>& why) {
    auto begun = kernel_tracer::try_begin(cupti.machine, kernels);
    if (!begun) return why = begun.error(), std::size_t{0};
    kernel_tracer trace = *std::move(begun);
    if (auto const dumped = trace.try_dump(abi::CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL); !dumped)
        return why = dumped.error(), std::size_t{0};
    {
        scope const step{trace, "step"};
        cupti.launch();
        cupti.launch();
    }
    auto const batch = trace.try_flush();
    if (!batch) return why = batch.error(), std::size_t{0};
    std::size_t seen = 0;
    batch->visit([&](activity::kernel const& each) { seen += batch->scope_path(batch->scope_of(each)) == "step"; });
    return seen;
}

} // namespace

TEST_CASE("activity calls: beside a tool that shares CUPTI a tracer has records, scopes and losses of its own") {
    paper_activity cupti;
    shared_cupti const shared{cupti};
    {
        auto trace = *kernel_tracer::try_begin(cupti.machine, kernels);
        CHECK(cupti.subscribed());
        std::uint32_t launched = 0;
        {
            scope const step{trace, "step"};
            launched = cupti.launch("saxpy");
        }
        auto const batch = *trace.try_flush();
        std::size_t seen = 0;
        batch.visit([&](activity::kernel const& each) {
            ++seen;
            CHECK(each.name == "saxpy");
            CHECK(each.correlation == launched);
            CHECK(batch.scope_path(batch.scope_of(each)) == "step");
        });
        CHECK(seen == 1);
        CHECK(batch.losses().complete());
        CHECK(cupti.pushed() == 0);
    }
    CHECK(cupti.kinds().empty());
    CHECK(cupti.outstanding() == 0);
    CHECK_FALSE(cupti.subscribed());
}

TEST_CASE("activity calls: settings are those of the subscriber, and what has no such setting is refused") {
    paper_activity cupti;
    shared_cupti const shared{cupti};
    tracer_options options;
    options.kernel_latency = options.event_times = true;
    options.settings.device_buffer_bytes = 1 << 20;
    options.clock = [] { return std::uint64_t{4711}; };
    {
        auto trace = *kernel_tracer::try_begin(cupti.machine, kernels, options);
        CHECK(cupti.attribute(abi::CUPTI_ACTIVITY_ATTR_DEVICE_BUFFER_SIZE) == 1 << 20);
        // 15 latencies, 17 times of events, 21 numbers of threads, 22 the clock
        CHECK(shared.own == (1u << 15 | 1u << 17 | 1u << 21 | 1u << 22));
        for (std::string const& each : cupti.log()) CHECK(each.find("attribute") == 0); // no call of the process
        CHECK(trace.try_dump(abi::CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL));
        auto const detached = hw::try_prepare_detach(cupti.machine);
        REQUIRE_FALSE(detached); // cuptiFinalize would take CUPTI from the other tool, too
    }
    CHECK(cupti.attribute(abi::CUPTI_ACTIVITY_ATTR_DEVICE_BUFFER_SIZE) == 3'200'000);
}

TEST_CASE("activity calls: where callbacks share CUPTI already a tracer asks for no other calls") {
    paper_activity cupti;
    shared_cupti const shared{cupti};
    test::fault_injection faults{cupti.machine.cupti};
    constexpr auto nothing = [](void*, hw::callback_id, void const*) {};
    auto const listening = hw::subscription::try_begin(cupti.machine, hw::callback_set{}, nothing, nullptr, {});
    REQUIRE(listening);
    CHECK(hw::subscription::shared_handle(cupti.machine) != nullptr);
    std::optional<gpuprof::error> why;
    CHECK(kernels_in_scope(cupti, why) == 2);
    CHECK_FALSE(why);
    CHECK(faults.calls("cuptiActivityRegisterCallbacks") == 0);
    CHECK(faults.calls("cuptiActivityEnable") == 0);
    CHECK(faults.calls("cuptiActivityRegisterCallbacks_v2") == 1);
}

TEST_CASE("activity calls: alone, or with a CUPTI before 13.3, a tracer makes the calls of the process") {
    paper_activity cupti;
    {
        test::fault_injection faults{cupti.machine.cupti};
        std::optional<gpuprof::error> why;
        CHECK(kernels_in_scope(cupti, why) == 2);
        CHECK(faults.calls("cuptiActivityRegisterCallbacks") == 1);
    }
    shared_cupti const shared{cupti};
    cupti.machine.cupti.GetTimestamp_v2 = nullptr; // 13.2
    auto const refused = kernel_tracer::try_begin(cupti.machine, kernels);
    REQUIRE_FALSE(refused);
    CHECK(refused.error().message().find("cuptiActivityRegisterCallbacks: ") != std::string::npos);
    CHECK(hw::subscription::shared_handle(cupti.machine) == nullptr);
}

TEST_CASE("activity calls: each call beside another tool fails in turn, and the next tracer works") {
    paper_activity cupti;
    shared_cupti const shared{cupti};
    test::fault_injection faults{cupti.machine.cupti};
    std::optional<gpuprof::error> why;
    REQUIRE(kernels_in_scope(cupti, why) == 2);
    auto const calls = faults.record();
    REQUIRE(calls.size() > 30);
    std::size_t told = 0, own = 0;
    for (std::size_t n = 1; n <= calls.size(); ++n)
        for (auto const status : {abi::CUPTI_ERROR_UNKNOWN, abi::CUPTI_ERROR_NOT_SUPPORTED}) {
            CAPTURE(n);
            CAPTURE(calls[n - 1]);
            faults.clear();
            faults.fail_any(n, status);
            why.reset();
            auto const seen = kernels_in_scope(cupti, why);
            CHECK((seen <= 2));
            if (why) {
                ++told;
                std::string const failed = faults.record().at(n - 1);
                if (failed.find("_v2") != std::string::npos && failed != "cuptiSubscribe_v2") {
                    ++own;
                    CHECK(why->message().find(failed) != std::string::npos);
                    CHECK(why->status == static_cast<int>(status));
                }
            }
            faults.clear();
            while (cupti.pushed() != 0) { // of a scope whose end failed
                std::uint64_t last = 0;
                cupti.machine.cupti.ActivityPopExternalCorrelationId(abi::CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM2,
                                                                     &last);
            }
            cupti.machine.cupti.ActivityFlushAll(1);
            REQUIRE(cupti.outstanding() == 0);
            if (n % 4 != 0) continue;
            why.reset();
            CHECK(kernels_in_scope(cupti, why) == 2);
            CHECK(cupti.kinds().empty());
        }
    CHECK(told > 10);
    CHECK(own >= 4);
}

} // namespace activity_calls_test
