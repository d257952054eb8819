// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Busy times of frames and scopes: from records on paper, and from those of the embedded GPU.
#include <gpuprof/frames.hpp>
#include <gpuprof/trace.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "frames/frame_program.hpp"

namespace frame_busy_test {

using namespace gpuprof;
using detail::frame_busy;

namespace {

// The values so far: nanoseconds by frame and scope.
std::map<std::pair<std::uint64_t, std::size_t>, double> values_of(frame_busy& of) {
    std::map<std::pair<std::uint64_t, std::size_t>, double> values;
    of.settle();
    of.take([&](std::uint64_t frame, std::size_t scope, double busy) { values[{frame, scope}] = busy; });
    return values;
}

constexpr std::size_t whole = frame_busy::whole_frame;

} // namespace

TEST_CASE("frame_busy: work side by side counts once, and gaps do not count") {
    frame_busy busy{4};
    busy.begin_first_frame();
    for (std::uint32_t call = 1; call <= 4; ++call) {
        busy.begin_call(call, 0);
        busy.end_call(call, 1);
    }
    busy.end_frame(1);
    busy.add(3, 5'000, 6'000); // records come in any order
    busy.add(1, 1'000, 2'000);
    busy.add(2, 1'500, 3'000);
    CHECK(values_of(busy).empty()); // a call has no record yet
    busy.add(4, 1'600, 1'700);
    CHECK(values_of(busy)[{1, whole}] == 3'000); // 1,000 to 3,000 and 5,000 to 6,000
    CHECK(busy.lost() == 0);
}

TEST_CASE(
    "frame_busy: work belongs to the frame of its call, however late it runs, and frames without calls are idle") {
    frame_busy busy{4};
    busy.begin_call(9, 0); // before the first frame
    busy.begin_first_frame();
    busy.begin_call(10, 0);
    busy.end_call(10, 1);
    busy.end_frame(1);
    busy.end_frame(2);
    busy.begin_call(11, 0);
    busy.end_call(11, 1);
    busy.end_frame(3);
    busy.add(9, 10, 20);
    busy.add(11, 900, 950);
    auto const values = values_of(busy); // a record of the third frame: nothing of the first can be expected
    CHECK(values.at({1, whole}) == 0);
    CHECK(values.at({2, whole}) == 0);
    CHECK(values.at({3, whole}) == 50);
    CHECK(values.size() == 3); // nothing of the call before the first frame
    CHECK(busy.lost() == 0);
    busy.add(10, 100, 800);
    CHECK(busy.lost() == 1);
}

TEST_CASE("frame_busy: a graph's records are complete when a later frame has some") {
    frame_busy busy{4};
    busy.begin_first_frame();
    busy.begin_call(1, 0);
    busy.end_call(1, frame_busy::many);
    busy.end_frame(1);
    busy.begin_call(2, 0);
    busy.end_call(2, 1);
    busy.end_frame(2);
    busy.add(1, 100, 200);
    CHECK(values_of(busy).empty());
    busy.add(1, 300, 450);
    CHECK(values_of(busy).empty());
    busy.add(2, 1'000, 1'010);
    auto const values = values_of(busy);
    CHECK(values.at({1, whole}) == 250);
    CHECK(values.at({2, whole}) == 10);
}

TEST_CASE("frame_busy: a scope has the work of the scopes in it, and a scope in itself counts once") {
    frame_busy busy{4};
    auto const outer = busy.nodes().in(0, 0), inner = busy.nodes().in(outer, 1), again = busy.nodes().in(inner, 0);
    CHECK(busy.nodes().in(0, 0) == outer);
    busy.begin_first_frame();
    std::uint32_t call = 0;
    for (auto const node : {outer, inner, again}) {
        busy.begin_call(++call, node);
        busy.end_call(call, 1);
        busy.add(call, call * 100, call * 100 + 10 * call);
    }
    busy.end_frame(1);
    auto const values = values_of(busy);
    CHECK(values.at({1, 0}) == 10 + 20 + 30);
    CHECK(values.at({1, 1}) == 20 + 30);
    CHECK(values.at({1, whole}) == 60);
}

TEST_CASE("frame_busy: more frames, scopes and records than there is room for are counted") {
    frame_busy busy{2};
    busy.begin_first_frame();
    for (std::uint32_t frame = 1; frame <= 1'000; ++frame) {
        busy.begin_call(frame, busy.nodes().in(0, frame)); // more scopes than times
        busy.end_call(frame, 1);
        busy.end_frame(frame);
        busy.settle(); // no record ever comes
    }
    CHECK(busy.lost() >= 1'000 - frame_busy::frames_room);
    for (std::uint32_t i = 0; i < 40'000; ++i) busy.add(1'000, 1 + i, 2 + i);
    busy.end_frame(1'001);
    values_of(busy);
    CHECK(busy.lost() >= 1'000 - frame_busy::frames_room + 40'000 - frame_busy::pieces_room);
}

TEST_CASE("frame_sampler: the busy time of a frame is what its kernels ran, also scope by scope") {
    frame_program program{"gh100"};
    frame_options options = unhurried();
    options.records = frame_records::given;
    auto frames = sampled(program.gpu, options);
    REQUIRE(frames.driver_problem() == nullptr);
    CHECK(frames.record_problem() == nullptr);
    constexpr activity::kind_list<activity::kernel, activity::memcpy> kinds;
    auto begun = tracer<std::remove_const_t<decltype(kinds)>>::try_begin(program.gpu, kinds);
    REQUIRE_MESSAGE(begun, (begun ? std::string{} : begun.error().message()));
    std::vector<double> run; // of each frame, by this test's own sum: one stream, so kernels never overlap
    std::vector<double> shadow;
    for (unsigned n = 1; n <= 8; ++n) {
        frames.begin_frame();
        program.launch(1, 50);
        {
            scope const all{frames, "scene"};
            scope const pass{frames, "shadow pass"};
            program.launch(n, 200);
        }
        { scope const idle{frames, "no work"}; }
        program.wait();
        frames.end_frame();
        auto const batch = begun->try_flush();
        REQUIRE(batch);
        double sum = 0, least = 1e18;
        batch->visit([&](auto const& record) {
            if constexpr (requires { record.grid; }) {
                auto const length = static_cast<double>(record.time.end.ticks - record.time.start.ticks);
                sum += length;
                least = length < least ? length : least;
            }
        });
        run.push_back(sum);
        shadow.push_back(sum - least); // the first launch is the shortest
        frames.add(*batch);
    }
    frames.next();
    frames.next();
    frame_history const& busy = frames[frame_quantity::gpu_busy].history;
    REQUIRE(busy.size() >= 8);
    REQUIRE(frames.gpu_scopes().size() == 3);
    for (std::size_t i = 0; i < 8; ++i) {
        CHECK(busy[i] == run[i]);
        CHECK(busy.frame(i) == i + 1);
        CHECK(frames.gpu_scopes()[0].history[i] == shadow[i]);
        CHECK(frames.gpu_scopes()[1].history[i] == shadow[i]);
    }
    CHECK(frames.gpu_scopes()[0].name == "scene");
    CHECK(frames.gpu_scopes()[1].name == "shadow pass");
    CHECK_FALSE(frames.gpu_scopes()[2].last.known());
    CHECK(frames.losses().busy_times == 0);
    frame_history const& elapsed = frames[frame_quantity::gpu_time].history;
    for (std::size_t i = 0; i < 8; ++i) CHECK(busy[i] <= elapsed[i] + 1'000); // a float of milliseconds

    char text[4000];
    std::string const shown{write_hud(text, frames)};
    CHECK(shown.find("\n  GPU elapsed ") != shown.npos);
    CHECK(shown.find("\n  GPU busy ") != shown.npos);
    CHECK(shown.find("\n  shadow pass ") != shown.npos);
    CHECK(shown.find(" GPU ", shown.find("\n  shadow pass ")) != shown.npos);
}

TEST_CASE("frame_sampler: with a tracer of its own, frames get busy times by themselves") {
    frame_program program{"gh100"};
    frame_options options = unhurried();
    options.records = frame_records::own;
    auto frames = sampled(program.gpu, options);
    REQUIRE(frames.record_problem() == nullptr);
    frame_history const& busy = frames[frame_quantity::gpu_busy].history;
    unsigned launched = 0;
    for (int tries = 0; tries < 2'000 && busy.size() < 20; ++tries) {
        frames.begin_frame();
        program.launch(1 + launched++ % 3, 200);
        program.wait();
        frames.end_frame();
        std::this_thread::sleep_for(std::chrono::milliseconds{1});
    }
    REQUIRE(busy.size() >= 20);
    for (std::size_t i = 0; i + 3 < busy.size(); ++i) {
        CHECK(busy[i] > 0);
        if (busy.frame(i) % 3 == 1) CHECK(busy[i + 1] > busy[i]); // two launches after one
    }
    CHECK(frames.losses().busy_times == 0);

    // The process has one tracer: another sampler goes on without busy times, and says why.
    auto second = sampled(program.gpu, options);
    REQUIRE(second.record_problem() != nullptr);
    CHECK(second.record_problem()->code == errc::busy);
    second.next();
    second.next();
    char text[4000];
    CHECK(write_hud(text, second).find("busy times: busy: ") != std::string_view::npos);
}

TEST_CASE("frame_sampler: without records the display calls no time busy, and records need driver counters") {
    frame_program program{"5.2"};
    auto frames = sampled(program.gpu, unhurried());
    for (int i = 0; i < 3; ++i) {
        frames.begin_frame();
        program.launch();
        program.wait();
        frames.end_frame();
    }
    char text[4000];
    std::string const shown{write_hud(text, frames)};
    CHECK(shown.find("GPU elapsed") != shown.npos);
    CHECK(shown.find("busy") == shown.npos);
    CHECK_FALSE(frames[frame_quantity::gpu_busy].last.known());
    CHECK(frames.gpu_scopes().empty());

    frame_options options = unhurried();
    options.records = frame_records::own;
    options.driver_counters = false;
    auto const refused = frame_sampler::try_create(program.gpu, options, std::span<metric_info const>{});
    REQUIRE_FALSE(refused);
    CHECK(refused.error().code == errc::invalid_argument);
    CHECK(refused.error().remedy.find("driver_counters") != std::string::npos);
}

} // namespace frame_busy_test
