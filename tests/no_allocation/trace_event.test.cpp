// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A trace is written in memory that does not grow: after the first records, no allocation at all.
#include <gpuprof/detail/config.hpp>

#if GPUPROF_EXCEPTIONS // the operator new of this program throws

#include <doctest/doctest.h>

#include <cstdint>
#include <string_view>

#include <gpuprof/io/trace_event.hpp>

#include "support/scarce_memory.hpp"

namespace trace_event_test {

namespace activity = gpuprof::activity;

namespace {

std::uint64_t bytes = 0;

gpuprof::result<void> count(void*, std::string_view block, std::string_view) {
    bytes += block.size();
    return {};
}

} // namespace

TEST_CASE("a million events of a trace are written without an allocation") {
    gpuprof::io::trace_event_writer trace{gpuprof::io::sink{&count, nullptr}};
    constexpr std::string_view names[] = {"_Z4fillIfEvPT_S0_", "_Z5saxpyfPfS_", "reduce"};
    activity::api_call call;
    call.kind = gpuprof::abi::CUPTI_ACTIVITY_KIND_RUNTIME;
    call.process = 4000;
    activity::kernel kernel;
    kernel.context = 1;
    activity::memcpy copy;
    copy.context = 1;
    activity::marker marker;
    marker.object.kind = activity::object_kind::thread;
    std::uint64_t now = 1'763'812'800'000'000'000;
    auto const write = [&](std::uint32_t from, std::uint32_t to) {
        for (std::uint32_t i = from; i < to; ++i, now += 1000) {
            call.correlation = kernel.correlation = copy.correlation = i + 1;
            call.time = {{now}, {now + 300}};
            call.thread = 4000 + i % 16;
            kernel.time = {{now + 400}, {now + 1500}};
            kernel.stream = copy.stream = i % 100;
            kernel.name = names[i % 3];
            copy.time = {{now + 1600}, {now + 1700}};
            marker.time = {now};
            marker.id = i;
            marker.flags = 2;
            marker.name = "a range of the program";
            trace.write(marker);
            trace.write(call);
            trace.write(activity::record{kernel});
            trace.write(copy);
            marker.flags = 4;
            marker.name = {};
            marker.time = {now + 999};
            trace.write(marker);
            trace.write(gpuprof::traced_scope{i % 50 + 1, 0, "step", {{now}, {now + 999}}, call.thread});
            trace.counter("load", {now}, i);
        }
    };
    write(0, 1000);
    auto const before = trace.events();
    {
        test::scarce_memory const none{0};
        write(1000, 150'000);
    }
    CHECK(trace.events() - before >= 1'000'000);
    CHECK(trace.finish().has_value());
    CHECK(bytes == trace.size());
}

} // namespace trace_event_test

#endif
