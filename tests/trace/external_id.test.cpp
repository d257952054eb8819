// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ids of the program's own: which records have them, on one thread and on two.
#include <gpuprof/trace/external_id.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <thread>
#include <type_traits>

#include <gpuprof/scope.hpp>

#include "support/fault_injection.hpp"
#include "support/paper_activity.hpp"

namespace external_id_test {

namespace activity = gpuprof::activity;
namespace abi = gpuprof::abi;
using gpuprof::external_id;
using gpuprof::external_kind;
using test::paper_activity;

namespace {

constexpr auto kernels = activity::kinds<activity::kernel>;
using kernel_tracer = gpuprof::tracer<activity::kind_list<activity::kernel>>;
using ids = std::map<std::string, std::optional<std::uint64_t>>;

static_assert(!std::is_copy_constructible_v<external_id> && !std::is_move_constructible_v<external_id>);
static_assert(static_cast<unsigned>(external_kind::openacc) == abi::CUPTI_EXTERNAL_CORRELATION_KIND_OPENACC);

ids of(kernel_tracer::batch const& batch, external_kind kind) {
    ids all;
    batch.visit([&](activity::kernel const& it) { all[std::string{it.name}] = batch.external_id_of(it, kind); });
    return all;
}

} // namespace

TEST_CASE("a kernel has the innermost id of each kind, though its tracer asks for kernels alone") {
    paper_activity cupti;
    auto trace = *kernel_tracer::try_begin(cupti.machine, kernels);
    cupti.launch("before");
    {
        external_id const request{trace, external_kind::custom0, 101};
        REQUIRE(request.status());
        cupti.launch("outer");
        {
            external_id const part{trace, external_kind::custom0, 0}; // an id like any other
            external_id const user{trace, external_kind::unknown, 7};
            gpuprof::scope const step{trace, "step"};
            cupti.launch("inner");
        }
        cupti.launch("outer again");
    }
    cupti.launch("after");
    auto const batch = *trace.try_flush();
    CHECK(of(batch, external_kind::custom0) ==
          ids{{"before", {}}, {"outer", 101}, {"inner", 0}, {"outer again", 101}, {"after", {}}});
    CHECK(of(batch, external_kind::unknown) ==
          ids{{"before", {}}, {"outer", {}}, {"inner", 7}, {"outer again", {}}, {"after", {}}});
    std::size_t records = 0;
    batch.visit([&](activity::kernel const& it) {
        ++records;
        CHECK(batch.scope_path(batch.scope_of(it)) == (it.name == "inner" ? "step" : ""));
    });
    CHECK(records == 5); // the records of calls, which ids need, are not among them
    CHECK(cupti.pushed() == 0);
}

TEST_CASE("a thread has its own ids") {
    paper_activity cupti;
    auto trace = *kernel_tracer::try_begin(cupti.machine, kernels);
    external_id const mine{trace, external_kind::custom1, 1};
    std::thread{[&] {
        cupti.launch("without");
        external_id const its{trace, external_kind::custom1, 2};
        cupti.launch("with");
    }}.join();
    cupti.launch("here");
    CHECK(of(*trace.try_flush(), external_kind::custom1) == ids{{"without", {}}, {"with", 2}, {"here", 1}});
}

TEST_CASE("an id that calls cannot have says why, and pops no other") {
    paper_activity cupti;
    test::fault_injection faults{cupti.machine.cupti};
    auto trace = *kernel_tracer::try_begin(cupti.machine, kernels);
    faults.clear();
    {
        external_id const of_scopes{trace, external_kind::custom2, 1};
        auto const status = of_scopes.status();
        REQUIRE_FALSE(status);
        CHECK(status.error().code == gpuprof::errc::invalid_argument);
        CHECK(status.error().message().find("tracer_options::scope_kind") != std::string::npos);
    }
    CHECK(faults.calls("cuptiActivityPopExternalCorrelationId") == 0);
    faults.fail("cuptiActivityPushExternalCorrelationId", 2, abi::CUPTI_ERROR_OUT_OF_MEMORY);
    {
        external_id const outer{trace, external_kind::custom0, 1};
        external_id const inner{trace, external_kind::custom0, 2};
        CHECK(outer.status());
        auto const status = inner.status();
        REQUIRE_FALSE(status);
        CHECK(status.error().message().find("CUPTI_ERROR_OUT_OF_MEMORY") != std::string::npos);
    }
    CHECK(faults.calls("cuptiActivityPopExternalCorrelationId") == 1);
    static_cast<void>(trace.try_finish());
    external_id const late{trace, external_kind::custom0, 3};
    REQUIRE_FALSE(late.status());
    CHECK(late.status().error().code == gpuprof::errc::invalid_state);
}

TEST_CASE("where CUPTI cannot tell of calls, ids say so and the trace goes on") {
    paper_activity cupti;
    test::fault_injection faults{cupti.machine.cupti};
    auto trace = *kernel_tracer::try_begin(cupti.machine, kernels);
    faults.clear();
    faults.fail("cuptiActivityEnable", 1, abi::CUPTI_ERROR_NOT_SUPPORTED);
    external_id const one{trace, external_kind::custom0, 1};
    CHECK_FALSE(one.status());
    cupti.launch("k");
    auto const batch = *trace.try_flush();
    CHECK(of(batch, external_kind::custom0) == ids{{"k", {}}});
    CHECK(batch.unknown_scopes());
}

} // namespace external_id_test
