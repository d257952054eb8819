// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scopes in a trace: which records belong to them, on one thread and on many.
#include <gpuprof/trace/tracer.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include <gpuprof/hw/machine/platform/identity.hpp>

#include <gpuprof/hw/machine/platform/process_number.hpp>
#include <gpuprof/scope.hpp>

#include "support/fault_injection.hpp"
#include "support/paper_activity.hpp"

namespace scopes_test {

namespace activity = gpuprof::activity;
namespace abi = gpuprof::abi;
using gpuprof::scope;
using gpuprof::tracer_options;
using test::paper_activity;

namespace {

constexpr auto kernels = activity::kinds<activity::kernel>;
using kernel_tracer = gpuprof::tracer<activity::kind_list<activity::kernel>>;

// The path of each kernel's scope, by the kernel's name.
std::multimap<std::string, std::string> paths(kernel_tracer::batch const& batch) {
    std::multimap<std::string, std::string> all;
    batch.visit(
        [&](activity::kernel const& it) { all.emplace(std::string{it.name}, batch.scope_path(batch.scope_of(it))); });
    return all;
}

} // namespace

TEST_CASE("a kernel belongs to the innermost scope around its launch") {
    paper_activity cupti;
    auto trace = *kernel_tracer::try_begin(cupti.machine, kernels);
    cupti.launch("before");
    {
        scope const frame{trace, "frame"};
        cupti.launch("in frame");
        for (int i = 0; i < 2; ++i) {
            scope const step{trace, "step"};
            cupti.launch("in step");
        }
        cupti.launch("in frame");
    }
    cupti.launch("after");
    auto const batch = *trace.try_flush();
    CHECK(paths(batch) == std::multimap<std::string, std::string>{{"before", ""},
                                                                  {"in frame", "frame"},
                                                                  {"in step", "frame/step"},
                                                                  {"in step", "frame/step"},
                                                                  {"in frame", "frame"},
                                                                  {"after", ""}});
    auto const& scopes = batch.scopes(); // in the order of their ends
    REQUIRE(scopes.size() == 3);
    CHECK(scopes[0].name == "step");
    CHECK(scopes[0].number == scopes[1].number);
    CHECK(scopes[0].parent == scopes[2].number);
    CHECK(scopes[2].name == "frame");
    CHECK(scopes[2].parent == 0);
    CHECK(scopes[2].time.start < scopes[0].time.start);
    CHECK(scopes[0].time.end < scopes[1].time.start);
    CHECK(scopes[1].time.end < scopes[2].time.end);
    CHECK(scopes[0].thread == gpuprof::platform::thread_number());
    CHECK(batch.losses().complete());
    CHECK(cupti.pushed() == 0);
}

TEST_CASE("kinds that scopes need come with the first scope, and their records are not visited") {
    paper_activity cupti;
    auto trace = *kernel_tracer::try_begin(cupti.machine, kernels);
    CHECK(cupti.kinds().size() == 1);
    {
        scope const first{trace, "first"};
        cupti.launch();
    }
    CHECK(cupti.kinds() == std::set<unsigned>{abi::CUPTI_ACTIVITY_KIND_DRIVER, abi::CUPTI_ACTIVITY_KIND_RUNTIME,
                                              abi::CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL,
                                              abi::CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION});
    CHECK(paths(*trace.try_flush()).size() == 1);
    REQUIRE(trace.try_stop());
    CHECK(cupti.kinds().empty());
    REQUIRE(trace.try_start());
    CHECK(cupti.kinds().size() == 4);
}

TEST_CASE("eight threads with nested scopes: each kernel and each scope belongs to its own thread's") {
    constexpr int threads = 8, rounds = 500;
    paper_activity cupti;
    auto trace = *kernel_tracer::try_begin(cupti.machine, kernels);
    std::mutex mutex;
    std::map<std::uint32_t, std::string> expected; // by correlation
    std::map<std::string, std::uint32_t> numbers;  // of threads, by their scope
    std::vector<std::thread> all;
    for (int t = 0; t < threads; ++t)
        all.emplace_back([&, t] {
            std::string const own = "thread " + std::to_string(t);
            for (int i = 0; i < rounds; ++i) {
                scope const outer{trace, own};
                std::uint32_t const in_outer = cupti.launch();
                scope const inner{trace, "inner"};
                std::uint32_t const in_inner = cupti.launch();
                std::lock_guard const held{mutex};
                expected[in_outer] = own;
                expected[in_inner] = own + "/inner";
                numbers[own] = gpuprof::platform::thread_number();
            }
        });
    for (std::thread& each : all) each.join();
    auto const batch = *trace.try_flush();
    std::size_t seen = 0, wrong = 0;
    batch.visit([&](activity::kernel const& it) {
        ++seen;
        if (batch.scope_path(batch.scope_of(it)) != expected.at(it.correlation)) ++wrong;
    });
    CHECK(seen == 2 * threads * rounds);
    CHECK(wrong == 0);
    CHECK(batch.scopes().size() == 2 * threads * rounds);
    for (auto const& each : batch.scopes())
        if (each.parent == 0 && each.thread != numbers.at(std::string{each.name})) ++wrong;
    CHECK(wrong == 0);
    CHECK(batch.losses().complete());
}

TEST_CASE("a thread that takes the place of one that ended has its own number and no open scope") {
    paper_activity cupti;
    auto trace = *kernel_tracer::try_begin(cupti.machine, kernels);
    std::vector<std::uint32_t> numbers;
    for (int i = 0; i < 20; ++i)
        std::thread{[&] {
            scope const own{trace, "own"};
            numbers.push_back(gpuprof::platform::thread_number());
        }}.join();
    auto const batch = *trace.try_flush();
    std::multiset<std::uint32_t> told, expected(numbers.begin(), numbers.end());
    for (auto const& each : batch.scopes()) {
        told.insert(each.thread);
        CHECK(each.parent == 0);
    }
    CHECK(told == expected);
}

TEST_CASE("correlations go on after 2^32 calls, and a scope of 2^32 calls ago is not taken for one of now") {
    paper_activity cupti;
    auto trace = *kernel_tracer::try_begin(cupti.machine, kernels);
    cupti.set_correlation(99);
    {
        scope const old{trace, "old"};
        cupti.launch("old"); // 100
    }
    for (std::uint32_t const call : {1'500'000'000u, 3'000'000'000u, 4'294'967'290u}) {
        cupti.set_correlation(call);
        cupti.launch("between");
    }
    {
        scope const across{trace, "across"};
        for (int i = 0; i < 10; ++i) cupti.launch("across"); // ..., 2^32 - 1, 0, 1, ...
    }
    cupti.set_correlation(99);
    cupti.launch("new"); // 100 again
    auto const batch = *trace.try_flush();
    std::size_t across = 0;
    batch.visit([&](activity::kernel const& it) {
        if (it.name == "across") across += batch.scope_path(batch.scope_of(it)) == "across";
        if (it.name == "new") CHECK(batch.scope_of(it) == 0);
    });
    CHECK(across == 10);
}

TEST_CASE("a scope whose id CUPTI does not take leaves those around it as they are") {
    paper_activity cupti;
    test::fault_injection faults{cupti.machine.cupti};
    auto trace = *kernel_tracer::try_begin(cupti.machine, kernels);
    faults.clear();
    faults.fail("cuptiActivityPushExternalCorrelationId", 2, abi::CUPTI_ERROR_UNKNOWN);
    {
        scope const outer{trace, "outer"};
        {
            scope const inner{trace, "inner"};
            CHECK(cupti.pushed() == 1);
        }
        CHECK(cupti.pushed() == 1);
        cupti.launch("k");
    }
    CHECK(cupti.pushed() == 0);
    auto const batch = *trace.try_flush();
    CHECK(paths(batch) == std::multimap<std::string, std::string>{{"k", "outer"}});
    CHECK(batch.scopes().size() == 2);
}

TEST_CASE("scopes that there is no room for are counted") {
    paper_activity cupti;
    tracer_options options;
    options.scopes_per_thread = 4;
    options.scope_names = 2;
    auto trace = *kernel_tracer::try_begin(cupti.machine, kernels, options);
    for (int i = 0; i < 10; ++i) scope const step{trace, "step"}; // 4 fit
    auto const batch = *trace.try_flush();
    CHECK(batch.scopes().size() == 4);
    CHECK(batch.losses().scopes_dropped == 6);
    for (char const* const name : {"second", "third", "fourth"}) scope const one{trace, name};
    auto const next = *trace.try_flush();
    CHECK(next.scopes().size() == 1);
    CHECK(next.losses().scopes_dropped == 2);
    CHECK(trace.lost().scopes_dropped == 8);
}

TEST_CASE("a scope whose time CUPTI cannot tell is counted") {
    paper_activity cupti;
    test::fault_injection faults{cupti.machine.cupti};
    auto trace = *kernel_tracer::try_begin(cupti.machine, kernels);
    faults.clear();
    faults.fail("cuptiGetTimestamp", 2, abi::CUPTI_ERROR_UNKNOWN);
    { scope const untimed{trace, "untimed"}; }
    auto const batch = *trace.try_flush();
    REQUIRE(batch.scopes().size() == 1);
    CHECK_FALSE(batch.scopes()[0].time.known());
    CHECK(batch.losses().without_time == 1);
}

TEST_CASE("where CUPTI does not tie records to scopes, scopes are recorded alone, and the batch says why") {
    paper_activity cupti;
    test::fault_injection faults{cupti.machine.cupti};
    auto trace = *kernel_tracer::try_begin(cupti.machine, kernels);
    faults.clear();
    faults.fail("cuptiActivityEnable", 2, abi::CUPTI_ERROR_INVALID_KIND);
    {
        scope const step{trace, "step"};
        cupti.launch("k");
        CHECK(cupti.pushed() == 0);
    }
    auto const batch = *trace.try_flush();
    CHECK(paths(batch) == std::multimap<std::string, std::string>{{"k", ""}});
    CHECK(batch.scopes().size() == 1);
    REQUIRE(batch.unknown_scopes());
    CHECK(batch.unknown_scopes()->status == abi::CUPTI_ERROR_INVALID_KIND);
}

TEST_CASE("scopes bear the thread library's numbers where records do") {
    paper_activity cupti;
    tracer_options options;
    options.system_thread_numbers = false;
    auto trace = *kernel_tracer::try_begin(cupti.machine, kernels, options);
    { scope const step{trace, "step"}; }
    auto const batch = *trace.try_flush();
    REQUIRE(batch.scopes().size() == 1);
    CHECK(batch.scopes()[0].thread == gpuprof::platform::library_thread_number());
    CHECK_FALSE(batch.unknown_scopes());
}

} // namespace scopes_test
