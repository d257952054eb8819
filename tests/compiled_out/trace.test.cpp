// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// trace/compiled_out.hpp: what a program that traces does without gpuprof. Linked beside files in which it is not compiled out.
#define GPUPROF_ENABLED 0
#include <gpuprof/gpuprof.hpp>
#include <gpuprof/hw/machine/machine.hpp>
#include <gpuprof/trace.hpp>
#include <gpuprof/trace/consumer.hpp>

#include <doctest/doctest.h>

#include <filesystem>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>

namespace compiled_out_trace_test {
namespace activity = gpuprof::activity;

using kinds = activity::kind_list<activity::kernel, activity::memcpy>;
static_assert(!std::is_default_constructible_v<gpuprof::tracer<kinds>>,
              "what does not compile enabled, must not compile");
static_assert(!std::is_copy_constructible_v<gpuprof::tracer<kinds>>);
static_assert(!std::is_copy_constructible_v<gpuprof::trace_batch<kinds>>);
static_assert(!std::is_default_constructible_v<gpuprof::callbacks>);
static_assert(!std::is_copy_constructible_v<gpuprof::io::file_sink>);
static_assert(!gpuprof::callback_handler<void (*)(int)>);

TEST_CASE("compiled out: a traced loop runs once, and its batches have no records") {
    auto const gpu = *gpuprof::try_open_device();
    auto trace = gpuprof::tracer<kinds>::try_begin(gpu, {}, {.buffers = 4});
    REQUIRE(trace);
    int runs = 0, visits = 0;
    {
        gpuprof::scope const step{*trace, "step"};
        ++runs;
    }
    auto const count = [&](auto const&) { ++visits; };
    auto consume = gpuprof::trace_consumer<kinds, decltype(count)>::try_begin(*trace, count);
    REQUIRE(consume);
    CHECK(consume->try_end());
    auto const batch = *trace->try_flush(gpuprof::flush_mode::forced);
    batch.visit(gpuprof::overloaded{[&](activity::kernel const& each) { visits += each.grid.x > 0; },
                                    [&](activity::memcpy const&) { ++visits; }});
    for (auto const& record : batch) std::visit(count, record);
    for (auto const& each : batch.scopes()) visits += each.number > 0;
    CHECK(runs == 1);
    CHECK(visits == 0);
    CHECK(batch.empty());
    CHECK(batch.bytes() == 0);
    CHECK(batch.losses().complete());
    CHECK(batch.scope_of(7u) == 0);
    CHECK(batch.scope_of(activity::kernel{}) == 0);
    CHECK(batch.scope_path(1).empty());
    CHECK_FALSE(batch.external_id_of(activity::kernel{}, gpuprof::external_kind::custom0));
    {
        gpuprof::external_id const one{*trace, gpuprof::external_kind::custom0, 1};
        CHECK(one.status());
    }
    CHECK(batch.unknown_scopes()->what == "gpuprof is compiled out");
    CHECK(batch.unknown_nodes()->what == "gpuprof is compiled out");
    CHECK(trace->try_stop());
    CHECK(trace->try_start());
    CHECK(trace->try_enable(gpu, gpuprof::abi::CUPTI_ACTIVITY_KIND_KERNEL));
    CHECK(trace->try_dump(gpuprof::abi::CUPTI_ACTIVITY_KIND_DEVICE));
    CHECK(trace->lost().complete());
    CHECK(trace->take().empty());
    CHECK(trace->try_detach()->empty());
    CHECK(trace->try_finish()->empty());
}

TEST_CASE("compiled out: a meter of links reads nothing") {
    auto const gpu = *gpuprof::try_open_device();
    auto meter = gpuprof::link_meter::try_create(gpu);
    REQUIRE(meter);
    CHECK(meter->try_start());
    auto const traffic = *meter->try_read();
    CHECK(traffic.flows.empty());
    CHECK(traffic.data(gpuprof::link_direction::sent) == gpuprof::bytes{0});
    CHECK(gpuprof::io::table(traffic).empty());
}

TEST_CASE("compiled out: a handler of callbacks is never called, and names of functions are still checked") {
    auto const gpu = *gpuprof::try_open_device();
    int calls = 0;
    auto heard =
        gpuprof::callbacks::try_begin(gpu, gpuprof::driver_calls::launches | gpuprof::driver_call<"cuMemAlloc_v2">,
                                      [&](gpuprof::api_call_event const& call) {
                                          calls += call.launch() ? 1 : 0;
                                          call.word() = call.correlation();
                                      });
    REQUIRE(heard);
    CHECK(heard->try_enable(gpuprof::callback_domain::runtime));
    CHECK(heard->try_disable(gpuprof::callback_domain::runtime));
    CHECK(heard->heard().empty());
    CHECK(heard->failures() == 0);
    CHECK(calls == 0);
    CHECK(gpuprof::name(gpuprof::driver_call<"cuLaunchKernel">) == "cuLaunchKernel");
    CHECK(gpuprof::try_calls("cuLaunchKernle").error().code == gpuprof::errc::invalid_argument);
    CHECK(std::holds_alternative<std::monostate>(gpuprof::read_parameters({}, nullptr, true)));
}

TEST_CASE("compiled out: writers of records write nothing and create no file") {
    auto const gpu = *gpuprof::try_open_device();
    auto trace = *gpuprof::tracer<kinds>::try_begin(gpu, {});
    std::string const path = "compiled_out_never_written.json";
    auto file = gpuprof::io::file_sink::try_open(path);
    REQUIRE(file);
    CHECK(file->sink().put(file->sink().to, "text", ""));
    std::string text;
    {
        gpuprof::io::trace_event_writer picture{gpuprof::io::into(text), {.flows = false}};
        gpuprof::io::ndjson_writer lines{gpuprof::io::into(text)};
        gpuprof::io::csv_writer<activity::kernel> csv{gpuprof::io::into(text)};
        gpuprof::io::activity_summary summary;
        auto const batch = *trace.try_flush();
        picture.write(batch);
        picture.write(activity::kernel{});
        picture.counter("load", {}, 1.0);
        lines.write(activity::kernel{});
        csv.write(activity::kernel{});
        summary.add(activity::kernel{});
        batch.visit(picture);
        batch.visit(lines);
        CHECK(picture.flush());
        CHECK(picture.finish());
        CHECK(lines.finish());
        CHECK(csv.finish());
        CHECK(picture.events() + picture.size() + lines.records() + csv.records() == 0);
        CHECK(picture.losses().complete());
        CHECK(summary.lines().empty());
        CHECK(table(summary).empty());
        CHECK(json(summary).empty());
        CHECK(csv.records() == 0);
    }
    CHECK(text.empty());
    CHECK(file->close());
    CHECK(gpuprof::io::try_write_trace(path, trace)->complete());
    CHECK_FALSE(std::filesystem::exists(path));
    CHECK(gpuprof::io::json(gpuprof::report{}).empty());
}

TEST_CASE("compiled out: nothing is asked of CUPTI, and runtimes go on without a tool") {
    auto const gpu = *gpuprof::try_open_device();
    using namespace gpuprof;
    CHECK(try_stream_id(gpu, nullptr, default_stream::of_this_thread).error().what == "gpuprof is compiled out");
    CHECK_FALSE(try_device_id(gpu));
    CHECK_FALSE(try_context_id(gpu));
    CHECK_FALSE(try_graph_id(gpu, abi::CUgraph{nullptr}));
    CHECK_FALSE(try_graph_id(gpu, abi::CUgraphExec{nullptr}));
    CHECK_FALSE(try_graph_node_id(gpu, nullptr));
    CHECK_FALSE(try_supported_callbacks(gpu.machine()));
    CHECK_FALSE(facts_of_cupti(gpu).is_supported);
    CHECK(name(gpu.machine(), driver_function{307}) == "cuLaunchKernel"); // of the table, which is there
    void (*const function)() = nullptr;
    CHECK(try_hear_openacc(gpu.machine(), function, function, function));
    CHECK(hear_openmp(gpu.machine()) == nullptr);
    CHECK_FALSE(hears_openmp());
}

} // namespace compiled_out_trace_test
