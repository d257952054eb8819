// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Many threads launch inside scopes while others flush, subscribe and begin tracers. For ThreadSanitizer above all.
#include <gpuprof/trace/consumer.hpp>
#include <gpuprof/trace/tracer.hpp>

#include <doctest/doctest.h>

#include <atomic>
#include <cstdint>
#include <string>
#include <thread>
#include <vector>

#include <gpuprof/hw/callbacks/subscription.hpp>
#include <gpuprof/scope.hpp>

#include "support/paper_activity.hpp"
#include "support/sanitized.hpp"

namespace tracer_threads_test {

namespace activity = gpuprof::activity;
namespace abi = gpuprof::abi;
using gpuprof::scope;
using gpuprof::tracer_options;
using test::paper_activity;

namespace {

constexpr auto kernels = activity::kinds<activity::kernel>;
using kernel_tracer = gpuprof::tracer<activity::kind_list<activity::kernel>>;

constexpr int launchers = 8;
constexpr int rounds = thread_sanitized ? 500 : 3'000;

} // namespace

TEST_CASE("eight threads launch in scopes while others flush, subscribe and try to trace: nothing is lost") {
    paper_activity cupti;
    tracer_options options;
    options.buffers = 64;
    options.buffer_bytes = 16'384;
    auto trace = *kernel_tracer::try_begin(cupti.machine, kernels, options);
    std::atomic<int> running{launchers};
    std::atomic<std::size_t> seen{0}, scoped{0}, wrong{0}, scopes{0}, dropped{0}, heard{0};
    auto const visit = [&](kernel_tracer::batch const& batch) {
        batch.visit([&](activity::kernel const& it) {
            ++seen;
            std::uint64_t const number = batch.scope_of(it);
            if (number != 0) ++scoped;
            std::string const path = batch.scope_path(number);
            if (number != 0 && path.find("thread ") != 0) ++wrong;
        });
        scopes += batch.scopes().size();
        dropped += batch.losses().dropped + batch.losses().scopes_dropped;
    };
    std::vector<std::thread> all;
    for (int t = 0; t < launchers; ++t)
        all.emplace_back([&, t] {
            std::string const name = "thread " + std::to_string(t);
            for (int i = 0; i < rounds; ++i) {
                scope const outer{trace, name};
                cupti.launch();
                auto const node = static_cast<std::uint64_t>(t * rounds + i + 1);
                cupti.make_node(node);
                scope const inner{trace, "inner"};
                cupti.launch_graph({node});
                cupti.destroy_node(node);
            }
            --running;
        });
    for (int i = 0; i < 2; ++i)
        all.emplace_back([&] {
            while (running > 0) visit(*trace.try_flush());
        });
    all.emplace_back([&] {
        constexpr gpuprof::hw::callback_id ids[] = {
            {abi::CUPTI_CB_DOMAIN_RESOURCE, abi::CUPTI_CBID_RESOURCE_GRAPHNODE_CREATED}};
        while (running > 0) {
            auto const listening = gpuprof::hw::subscription::try_begin(
                cupti.machine, ids,
                [](void* self, gpuprof::hw::callback_id, void const*) {
                    ++*static_cast<std::atomic<std::size_t>*>(self);
                },
                &heard);
            if (!listening) ++wrong;
        }
    });
    all.emplace_back([&] {
        while (running > 0)
            if (kernel_tracer::try_begin(cupti.machine, kernels)) ++wrong; // there is one
    });
    for (std::thread& each : all) each.join();
    visit(*trace.try_flush());
    CHECK(wrong == 0);
    CHECK(scopes + trace.lost().scopes_dropped == 2 * launchers * rounds);
    CHECK(dropped == trace.lost().dropped + trace.lost().scopes_dropped);
    if (trace.lost().dropped == 0) {
        CHECK(seen == 2 * launchers * rounds);
        CHECK(scoped == seen);
    }
}

TEST_CASE("tracers begin and end, with consumers, while eight threads launch") {
    paper_activity cupti;
    std::atomic<bool> is_over{false};
    std::vector<std::thread> all;
    for (int t = 0; t < launchers; ++t)
        all.emplace_back([&] {
            while (!is_over) cupti.launch();
        });
    tracer_options options;
    options.buffers = 8;
    options.buffer_bytes = 4096;
    std::size_t seen = 0, lost = 0;
    for (int i = 0; i < (thread_sanitized ? 20 : 40); ++i) {
        auto trace = *kernel_tracer::try_begin(cupti.machine, kernels, options);
        auto const visit = [&](kernel_tracer::batch const& batch) {
            batch.visit([&](activity::kernel const&) { ++seen; });
        };
        auto consume =
            *gpuprof::trace_consumer<activity::kind_list<activity::kernel>, decltype(visit)>::try_begin(trace, visit);
        for (int k = 0; k < 10; ++k) {
            scope const step{trace, "step"};
            cupti.launch();
        }
        CHECK(consume.try_end());
        auto const last = trace.try_finish();
        REQUIRE(last);
        visit(*last);
        lost += trace.lost().dropped;
    }
    is_over = true;
    for (std::thread& each : all) each.join();
    CHECK(seen > 0);
    CHECK(cupti.outstanding() == 0);
    CHECK(cupti.kinds().empty());
    MESSAGE(seen << " seen, " << lost << " dropped");
}

} // namespace tracer_threads_test
