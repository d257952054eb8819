// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// io/hitch_capture.hpp: the trace of the last frames, when one took too long.
#include <doctest/doctest.h>

#if __has_include(<nlohmann/json.hpp>)

#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include <gpuprof/frames.hpp>
#include <gpuprof/hw/machine/platform/file.hpp>
#include <gpuprof/io/hitch_capture.hpp>
#include <gpuprof/trace.hpp>

#include "frames/frame_program.hpp"
#include "support/scratch_directory.hpp"

namespace hitch_capture_test {

using namespace gpuprof;
using nlohmann::json;

namespace {

using kinds = activity::kind_list<activity::kernel, activity::driver_calls>;

json read(std::string const& path) {
    json file = json::parse(platform::read_file(path).value_or(std::string{}), nullptr, false);
    REQUIRE_FALSE(file.is_discarded());
    return file;
}
std::vector<json> slices(json const& file, std::string_view category) {
    std::vector<json> found;
    for (json const& each : file["traceEvents"])
        if (each["ph"] == "X" && each["cat"] == category) found.push_back(each);
    return found;
}

struct paper_batch {
    std::vector<activity::kernel> kernels;
    struct lost {
        std::uint64_t dropped = 2, undecoded = 0, scopes_dropped = 0;
    };
    template <class F>
    void visit(F&& f) const {
        for (auto const& each : kernels) f(each);
    }
    [[nodiscard]] std::uint64_t scope_of(activity::kernel const& of) const { return of.correlation; }
    [[nodiscard]] lost losses() const { return {}; }
};

constexpr double threshold_us = 400'000; // no frame of a busy machine takes so long by itself

// A frame of one launch in a scope; a hitch waits.
template <class Capture>
void frame(frame_program& program, frame_sampler& frames, tracer<kinds>& recorded, Capture& capture, bool hitch) {
    frames.begin_frame();
    {
        scope const draw{recorded, "draw"};
        program.launch(1, 50);
    }
    program.wait();
    if (hitch) std::this_thread::sleep_for(std::chrono::milliseconds{500});
    frames.end_frame();
    capture.frame_ended();
}

} // namespace

TEST_CASE("a hitch is written with the frames before it, their kernels, calls and scopes") {
    scratch_directory const directory;
    frame_program program{"gh100"};
    frame_options options = unhurried();
    options.records = frame_records::given;
    auto frames = sampled(program.gpu, options);
    auto recorded = tracer<kinds>::try_begin(program.gpu, kinds{});
    REQUIRE(recorded);
    {
        auto capture = try_capture_hitches(
            frames, *recorded,
            {.threshold_us = threshold_us, .frames = 5, .path = directory.path() + "/hitch-%n.json"});
        REQUIRE(capture);
        for (int i = 1; i <= 12; ++i) frame(program, frames, *recorded, **capture, i == 12);
        for (int i = 0; i < 200 && (*capture)->files().empty(); ++i)
            std::this_thread::sleep_for(std::chrono::milliseconds{10}); // beside the loop
        CHECK((*capture)->files() == std::vector<std::string>{directory.path() + "/hitch-12.json"});
        CHECK((*capture)->hitches() == 1);
        CHECK_FALSE((*capture)->problem());
    }
    json const file = read(directory.path() + "/hitch-12.json");
    std::set<std::string> names;
    std::size_t draws = 0;
    for (json const& each : slices(file, "scope")) {
        if (each["name"] == "draw") ++draws;
        else names.insert(each["name"]);
    }
    CHECK(names == std::set<std::string>{"frame 8", "frame 9", "frame 10", "frame 11", "frame 12"});
    CHECK(draws >= 5);
    auto const kernels = slices(file, "kernel");
    REQUIRE(kernels.size() >= 4);
    CHECK(kernels[0]["args"]["scope"] == "draw");
    CHECK(slices(file, "driver").size() >= 10); // launches and waits
    std::size_t curve = 0;
    for (json const& each : file["traceEvents"])
        curve += each["ph"] == "C" && each["args"]["value"] >= threshold_us * 1000;
    CHECK(curve == 1);
    // The sampler has got the records, too.
    frames.next();
    frames.next();
    CHECK(frames[frame_quantity::gpu_busy].history.size() >= 12);
}

TEST_CASE("of kept records those are written that were not over at a time, and the newest replace the oldest") {
    io::detail::kept_records kept{4};
    for (std::uint32_t i = 1; i <= 6; ++i) {
        activity::kernel one;
        one.correlation = i;
        one.time = {{i * 100}, {i * 100 + 50}};
        kept.add(paper_batch{{one}});
    }
    CHECK(kept.overwritten() == 2);
    std::vector<std::uint64_t> seen;
    auto const path = [](std::uint64_t number) { return std::to_string(number); };
    io::detail::kept_records::view<decltype(path)> const view{kept, 450, {}, path};
    view.visit([&](auto const& record) {
        if constexpr (requires { record.grid; }) {
            seen.push_back(record.correlation);
            CHECK(view.scope_of(record) == record.correlation);
        }
    });
    CHECK(seen == std::vector<std::uint64_t>{4, 5, 6}); // the fourth ends at 450
    CHECK(view.losses().dropped == 12);
    CHECK(view.scope_path(7) == "7");
}

TEST_CASE("hitches are written to so many files, and memory is bounded") {
    scratch_directory const directory;
    frame_program program{"gh100"};
    auto frames = sampled(program.gpu, unhurried());
    auto recorded = tracer<kinds>::try_begin(program.gpu, kinds{});
    REQUIRE(recorded);
    hitch_options options;
    options.threshold_us = 1e-3; // each frame
    options.files = 2;
    options.records = 16;
    options.path = directory.path() + "/%n";
    std::vector<std::string> files;
    {
        auto capture = try_capture_hitches(frames, *recorded, options);
        REQUIRE(capture);
        for (int i = 0; i < 40; ++i) {
            frame(program, frames, *recorded, **capture, false);
            std::this_thread::sleep_for(std::chrono::milliseconds{10});
        }
        CHECK((*capture)->hitches() == 40);
        files = (*capture)->files();
    }
    REQUIRE(files.size() == 2);
    for (std::string const& each : files) {
        json const file = read(each);
        CHECK(slices(file, "kernel").size() + slices(file, "driver").size() <= 16);
    }
}

TEST_CASE("a capture that ends writes what it has, and a place where nothing can be written is a problem") {
    scratch_directory const directory;
    frame_program program{"gh100"};
    auto frames = sampled(program.gpu, unhurried());
    auto recorded = tracer<kinds>::try_begin(program.gpu, kinds{});
    REQUIRE(recorded);
    hitch_options options;
    options.threshold_us = 1e-3;
    options.path = directory.path() + "/last.json";
    {
        auto capture = try_capture_hitches(frames, *recorded, options);
        REQUIRE(capture);
        frame(program, frames, *recorded, **capture, false);
    }
    CHECK(slices(read(options.path), "kernel").size() == 1);

    options.path = directory.path() + "/no folder/x.json";
    auto capture = try_capture_hitches(frames, *recorded, options);
    REQUIRE(capture);
    frame(program, frames, *recorded, **capture, false);
    for (int i = 0; i < 200 && !(*capture)->problem(); ++i) std::this_thread::sleep_for(std::chrono::milliseconds{10});
    REQUIRE((*capture)->problem());
    CHECK((*capture)->problem()->code == errc::io);

    for (auto const change :
         {+[](hitch_options& of) { of.records = 0; }, +[](hitch_options& of) { of.threshold_us = -1; },
          +[](hitch_options& of) { of.frames = std::size_t{1} << 40; }}) {
        hitch_options wrong;
        change(wrong);
        auto const refused = try_capture_hitches(frames, *recorded, wrong);
        REQUIRE_FALSE(refused);
        CHECK(refused.error().code == errc::invalid_argument);
    }
}

} // namespace hitch_capture_test

#else

TEST_CASE("captures of hitches are read back") { MESSAGE("skipped: there is no nlohmann/json.hpp here"); }

#endif
