// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Names of threads in a trace, and what a tracer's batch tells a writer of its device.
#include <doctest/doctest.h>

#if __has_include(<nlohmann/json.hpp>)

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <thread>
#include <vector>

#if defined(__linux__)
#include <pthread.h>
#endif

#include <gpuprof/trace.hpp>

#include "frames/frame_program.hpp"

namespace trace_names_test {

using namespace gpuprof;
using nlohmann::json;

namespace {

// A scope on that thread, as a tracer has it.
traced_scope scope_of(std::uint32_t thread, std::uint64_t number) {
    return {number, 0, "work", {{1'000'000 + number}, {2'000'000 + number}}, thread};
}

// The names of the threads in a trace, by their numbers.
std::map<std::uint32_t, std::string> names_in(std::string const& text) {
    json const file = json::parse(text, nullptr, false);
    REQUIRE_FALSE(file.is_discarded());
    std::map<std::uint32_t, std::string> names;
    for (json const& each : file["traceEvents"])
        if (each["ph"] == "M" && each["name"] == "thread_name") {
            CHECK(names.count(each["tid"]) == 0); // once
            names[each["tid"]] = each["args"]["name"];
        }
    return names;
}

} // namespace

TEST_CASE("a thread that named itself has its name in the trace, after it has ended, too") {
    std::uint32_t number = 0;
    std::thread{[&] {
        name_thread("a worker with a \"long\" name \u00fc");
        number = platform::system_thread_number();
    }}.join();
    std::string text;
    io::trace_event_writer trace{io::into(text)};
    trace.write(scope_of(number, 1));
    trace.write(scope_of(number, 2));
    REQUIRE(trace.finish());
    CHECK(names_in(text)[number] == "a worker with a \"long\" name \u00fc");
}

#if defined(__linux__)
TEST_CASE("a thread without such a name has the system's, if it has one of its own") {
    std::string text;
    std::uint32_t numbers[3]{};
    std::thread{[&] {
        io::trace_event_writer trace{io::into(text)};
        numbers[0] = platform::system_thread_number();
        trace.write(scope_of(numbers[0], 1)); // has the name of this program
        std::thread{[&] {
            REQUIRE(pthread_setname_np(pthread_self(), "loader 7") == 0);
            numbers[1] = platform::system_thread_number();
            trace.write(scope_of(numbers[1], 2));
        }}.join();
        std::thread{[&] {
            name_thread("a name of more than 15 bytes");
            numbers[2] = platform::system_thread_number();
            char room[64];
            CHECK(platform::thread_name(numbers[2], room) == "a name of more "); // for debuggers
        }}.join();
        trace.write(scope_of(0x7fff'fff0, 3)); // there is none
        REQUIRE(trace.finish());
    }}.join();
    auto const names = names_in(text);
    CHECK(names.count(numbers[0]) == 0);
    CHECK(names.at(numbers[1]) == "loader 7");
    CHECK(names.size() == 1);
}
#endif

TEST_CASE("kernels of a tracer's batch have their occupancy, by what the driver says of the device") {
    frame_program program{"gh100"};
    using kinds = activity::kind_list<activity::kernel>;
    auto begun = tracer<kinds>::try_begin(program.gpu, kinds{});
    REQUIRE(begun);
    program.launch();
    program.wait();
    std::string text;
    io::trace_event_writer trace{io::into(text)};
    trace.write(*begun->try_flush());
    REQUIRE(trace.finish());
    json const file = json::parse(text, nullptr, false);
    REQUIRE_FALSE(file.is_discarded());
    std::size_t kernels = 0;
    for (json const& each : file["traceEvents"]) {
        if (each["ph"] != "X") continue;
        ++kernels;
        // Two warps a block, few registers: 32 blocks fit an SM of 64 warps.
        CHECK(each["args"]["theoretical occupancy (%)"] == 100.0);
        CHECK(each["args"]["local memory per thread"] == 0);
    }
    CHECK(kernels == 1);
}

} // namespace trace_names_test

#else

TEST_CASE("names in traces are read back") { MESSAGE("skipped: there is no nlohmann/json.hpp here"); }

#endif
