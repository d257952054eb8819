// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Frames of known work on embedded chips of both kinds of counter hardware.
#include <gpuprof/frames.hpp>

#include <doctest/doctest.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#if !defined(_WIN32)
#include <sys/wait.h>
#include <unistd.h>
#endif

#include "frames/frame_program.hpp"

namespace frame_sampler_test {

using namespace gpuprof;

namespace {

// Launches of frame `number`, from 1 on.
unsigned launches_of(std::uint64_t number) { return 1 + static_cast<unsigned>(number % 5); }

constexpr auto warps_event = legacy_event<"warps_launched">;
constexpr auto warps_metric = metric<"smsp__warps_launched.sum">;

} // namespace

TEST_CASE("frame_sampler: on event hardware each frame has the count of what it launched") {
    frame_program program{"5.2"};
    auto frames = sampled(program.gpu, unhurried(), warps_event, legacy_event<"sm_cta_launched">);
    REQUIRE(frames.problem() == nullptr);
    program.launch(3); // of no frame
    program.wait();
    std::size_t compared = 0;
    for (std::uint64_t n = 1; n <= 60; ++n) {
        frames.begin_frame();
        program.launch(launches_of(n));
        program.wait();
        frames.end_frame();
        frame_value const warps = frames.find("warps_launched")->last;
        CHECK(warps.frame == n);
        CHECK(warps.value == launches_of(n) * frame_program::warps);
        CHECK(warps.cycles == warps.value); // a count
        auto const blocks = frames.last(legacy_event<"sm_cta_launched">);
        REQUIRE(blocks);
        CHECK(blocks->value() == launches_of(n) * 4.0);
        compared += 2;
    }
    CHECK(compared == 120);
    CHECK(frames.frames() == 60);
    CHECK(frames.lateness().worst_counters == 0);
    auto const summary = frames.find("warps_launched")->history.summary();
    CHECK(summary.min == 8);
    CHECK(summary.max == 40);
    CHECK(summary.mean == 24);
    CHECK(summary.median == 24);
}

TEST_CASE("frame_sampler: where events are too many for one pass, groups take turns and every value is of its frame") {
    frame_program program{"3.5"};
    frame_options options = unhurried();
    options.rotation = 2;
    std::vector<metric_info> wanted;
    char const* const names[]{"warps_launched", "threads_launched", "inst_executed",
                              "active_cycles",  "active_warps",     "thread_inst_executed",
                              "gst_request",    "gld_request",      "sm_cta_launched"};
    for (char const* name : names) wanted.push_back(detail::try_frame_counter(program.gpu, name).value());
    auto made = frame_sampler::try_create(program.gpu, options, std::span<metric_info const>{wanted});
    REQUIRE_MESSAGE(made, (made ? std::string{} : made.error().message()));
    frame_sampler& frames = *made;
    REQUIRE(frames.problem() == nullptr);
    REQUIRE(frames.groups() >= 2);
    std::size_t compared = 0;
    std::vector<bool> read(frames.groups());
    for (std::uint64_t n = 1; n <= 60; ++n) {
        read[frames.group()] = true;
        frames.begin_frame();
        program.launch(launches_of(n));
        program.wait();
        frames.end_frame();
        for (auto const& [name, each_launch] :
             {std::pair{"warps_launched", 8.0}, std::pair{"threads_launched", 256.0}, std::pair{"gst_request", 8.0},
              std::pair{"gld_request", 0.0}, std::pair{"sm_cta_launched", 4.0}}) {
            frame_value const value = frames.find(name)->last;
            if (!value.known()) continue;
            CHECK(value.value == launches_of(value.frame) * each_launch);
            CHECK(value.frame + 2 * frames.groups() > n);
            ++compared;
        }
    }
    for (bool const each : read) CHECK(each);
    CHECK(compared >= 5 * (60 - 2 * frames.groups()));
}

TEST_CASE(
    "frame_sampler: samples of range hardware are given to frames, at most two frames late, and nothing is lost") {
    frame_program program{"gh100"};
    frame_options options = unhurried();
    options.interval = sampling_interval::nanoseconds(500);
    auto frames =
        sampled(program.gpu, options, warps_metric, metric<"sm__warps_active.avg.pct_of_peak_sustained_active">);
    REQUIRE_MESSAGE(frames.problem() == nullptr, frames.problem()->message());
    double sum = 0, expected = 0;
    std::uint64_t last = 0, compared = 0;
    for (std::uint64_t n = 1; n <= 40; ++n) {
        frames.begin_frame();
        program.launch(launches_of(n), 600); // more than 4 us each
        program.wait();
        frames.end_frame();
        frame_value const warps = frames.find("smsp__warps_launched.sum")->last;
        if (warps.frame == last) continue;
        CHECK(warps.frame == last + (last == 0 ? 2 : 1)); // each frame but the first, whose begin is not known
        last = warps.frame;
        double const exact = launches_of(warps.frame) * 8.0;
        // A sample of 500 ns lies across two frames: up to an eighth of a launch, and a warp by rounding.
        CHECK(warps.value >= exact - 2);
        CHECK(warps.value <= exact + 2);
        CHECK(warps.samples > 8 * launches_of(warps.frame));
        CHECK_FALSE(warps.shared_with_neighbours());
        sum += warps.value;
        expected += exact;
        ++compared;
        frame_value const active = frames.find("sm__warps_active.avg.pct_of_peak_sustained_active")->last;
        CHECK(active.frame == warps.frame);
        CHECK(active.value > 0);
        CHECK(active.value <= 100);
        CHECK(active.cycles > 1000); // of the multiprocessors, in 4 us at 1 GHz and more
        CHECK(frames.find("sm__warps_active.avg.pct_of_peak_sustained_active")->display() == frame_display::percentage);
    }
    CHECK(compared >= 37);
    CHECK(sum == doctest::Approx(expected).epsilon(0.01));
    CHECK(frames.lateness().worst_counters <= 2);
    CHECK(frames.losses().incomplete == 0);
    CHECK(frames.losses().overflows == 0);
}

TEST_CASE("frame_sampler: with a budget a thread decodes the samples, and every frame gets what it launched") {
    frame_program program{"gh100"};
    frame_options options;
    options.budget_us = 1e6; // whatever this machine takes
    options.history = 400;
    options.interval = sampling_interval::nanoseconds(500);
    auto frames = sampled(program.gpu, options, warps_metric);
    REQUIRE_MESSAGE(frames.problem() == nullptr, frames.problem()->message());
    frame_history const& history = frames.find("smsp__warps_launched.sum")->history;
    std::uint64_t n = 0;
    while (history.size() < 40 && n < 300) {
        ++n;
        frames.begin_frame();
        program.launch(launches_of(n), 200); // 4 us each
        program.wait();
        frames.end_frame();
        std::this_thread::sleep_for(std::chrono::milliseconds{1});
    }
    REQUIRE_MESSAGE(frames.problem() == nullptr, frames.problem()->message());
    REQUIRE(history.size() >= 40);
    for (std::size_t i = 0; i < 40; ++i) { // from the second frame on: the begin of the first is not known
        CHECK(history[i] >= launches_of(i + 2) * 8.0 - 2);
        CHECK(history[i] <= launches_of(i + 2) * 8.0 + 2);
    }
    CHECK(frames.losses().incomplete == 0);
    CHECK(frames.losses().overflows == 0);
}

TEST_CASE("frame_sampler: times and driver counters of frames, by what the frame did") {
    frame_program program{"gh100"};
    auto frames = sampled(program.gpu, unhurried());
    REQUIRE(frames.problem() == nullptr);
    REQUIRE(frames.driver_problem() == nullptr);
    std::vector<char> bytes(5000);
    abi::CUdeviceptr held[10]{};
    double before = 0;
    for (std::uint64_t n = 1; n <= 10; ++n) {
        frames.begin_frame();
        REQUIRE(program.driver.MemAlloc(&held[n - 1], 5000) == abi::CUDA_SUCCESS);
        REQUIRE(program.driver.MemcpyHtoD(held[n - 1], bytes.data(), n * 100) == abi::CUDA_SUCCESS);
        if (n % 2 == 0) REQUIRE(program.driver.MemFree(held[n - 2]) == abi::CUDA_SUCCESS);
        program.launch(launches_of(n));
        program.wait();
        frames.end_frame();
        CHECK(frames[frame_quantity::launches].last.value == launches_of(n));
        CHECK(frames[frame_quantity::copied_bytes].last.value == static_cast<double>(n * 100));
        CHECK(frames[frame_quantity::memory].last.value == static_cast<double>((n + 1) / 2 * 5000));
        double const calls = frames[frame_quantity::call_time].last.value;
        CHECK(calls > frames[frame_quantity::wait_time].last.value);
        CHECK(frames[frame_quantity::wait_time].last.value > 0);
        CHECK(calls < frames[frame_quantity::host_time].last.value * 1.01);
        CHECK(frames[frame_quantity::own_time].last.value > 0);
        frame_value const gpu_time = frames[frame_quantity::gpu_time].last;
        CHECK(gpu_time.frame == n);
        if (n % 5 == 1) before = gpu_time.value;
        if (n % 5 == 2) CHECK(gpu_time.value > before); // three launches take longer than two
    }
    for (int i = 1; i < 10; i += 2) REQUIRE(program.driver.MemFree(held[i]) == abi::CUDA_SUCCESS);
    frames.next();
    frames.next();
    CHECK(frames[frame_quantity::memory].last.value == 0);
    CHECK(frames[frame_quantity::launches].last.value == 0);
    CHECK(frames.frames() == 11);
    CHECK(frames.losses().allocations == 0);
}

TEST_CASE("frame_sampler: what the machine refuses is told once, typed, and times go on") {
    for (char const* const chip : {"5.2", "gh100"}) {
        CAPTURE(chip);
        frame_program program{chip};
        bool const events = std::string_view{chip} == "5.2";
        std::vector<metric_info> const wanted{events ? metric_info{warps_event} : metric_info{warps_metric}};
        auto first = frame_sampler::try_create(program.gpu, unhurried(), std::span<metric_info const>{wanted});
        REQUIRE(first);
        CHECK(first->problem() == nullptr);
        auto second = frame_sampler::try_create(program.gpu, unhurried(), std::span<metric_info const>{wanted});
        REQUIRE(second);
        error const* const why = second->new_problem();
        REQUIRE(why != nullptr);
        CHECK(why->code == errc::busy);
        CHECK(second->new_problem() == nullptr); // once
        CHECK(second->problem() == why);
        for (int i = 0; i < 5; ++i) {
            second->begin_frame();
            program.launch();
            program.wait();
            second->end_frame();
        }
        CHECK((*second)[frame_quantity::host_time].history.size() == 5);
        CHECK((*second)[frame_quantity::gpu_time].history.size() == 5);
        CHECK_FALSE(second->counters()[0].last.known());
        char text[2000];
        CHECK(write_hud(text, *second).find("counters: busy: ") != std::string_view::npos);
        { [[maybe_unused]] auto const ended = std::move(*first); }
        // The counters are free again: the program may try anew.
        CHECK(second->try_tune());
        CHECK(second->problem() == nullptr);
    }
}

TEST_CASE("frame_sampler: a name that the device does not have is a mistake, which offers the nearest one") {
    frame_program program{"5.2"};
    auto frames = sampled(program.gpu, unhurried(), warps_event);
    auto const refused = frames.try_enable("warps_launchd");
    REQUIRE_FALSE(refused);
    CHECK(refused.error().code == errc::unknown_metric);
    CHECK(refused.error().message().find("warps_launched") != std::string::npos);
    CHECK(frames.problem() == nullptr);
    REQUIRE(frames.try_enable("sm_cta_launched"));
    REQUIRE(frames.try_enable("sm_cta_launched")); // again: no change
    CHECK(frames.counters().size() == 2);
    frames.begin_frame();
    program.launch(2);
    program.wait();
    frames.end_frame();
    CHECK(frames.find("warps_launched")->last.value == 16);
    CHECK(frames.find("sm_cta_launched")->last.value == 8);
    REQUIRE(frames.try_disable("warps_launched"));
    CHECK(frames.find("warps_launched") == nullptr);
    frames.begin_frame();
    program.launch(1);
    program.wait();
    frames.end_frame();
    CHECK(frames.find("sm_cta_launched")->last.value == 4);
    CHECK(frames.find("sm_cta_launched")->history.size() == 2); // kept over the change
}

TEST_CASE("frame_sampler: what there is to enable is told by name and meaning") {
    for (char const* const chip : {"5.2", "gh100"}) {
        frame_program program{chip};
        std::size_t visited = 0;
        bool found = false, described = true;
        auto const count = try_visit_frame_counters(program.gpu, [&](std::string_view name, std::string_view meaning) {
            ++visited;
            found = found || name == "warps_launched" || name == "smsp__warps_launched";
            described = described && !meaning.empty();
        });
        REQUIRE(count);
        CHECK(*count == visited);
        CHECK(visited > 50);
        CHECK(found);
        CHECK(described);
    }
}

TEST_CASE("frame_sampler: the list ends when the function says so, and what is not enabled can be described") {
    for (char const* const chip : {"5.2", "gh100"}) {
        CAPTURE(chip);
        frame_program program{chip};
        std::size_t visited = 0;
        auto const among_quantities =
            try_visit_frame_counters(program.gpu, [&](std::string_view, std::string_view) { return ++visited < 4; });
        REQUIRE(among_quantities);
        CHECK(*among_quantities == 4);
        CHECK(visited == 4);
        visited = 0;
        auto const among_counters = try_visit_frame_counters(
            program.gpu, [&](std::string_view, std::string_view) { return ++visited < 20; }); // 16 quantities
        REQUIRE(among_counters);
        CHECK(*among_counters == 20);
        CHECK(visited == 20);

        auto const quantity = try_describe_frame_counter(program.gpu, "driver.memory");
        REQUIRE(quantity);
        CHECK(quantity->unit == gpuprof::unit_of(dimension::byte));
        CHECK(quantity->display() == frame_display::raw);
        auto const unknown = try_describe_frame_counter(program.gpu, "no_such_counter");
        REQUIRE_FALSE(unknown);
        CHECK(unknown.error().code == errc::unknown_metric);
    }
    auto const hopper = gpuprof::sim::open_embedded("gh100");
    auto const maxwell = gpuprof::sim::open_embedded("5.2");
    REQUIRE(hopper);
    REQUIRE(maxwell);
    auto const share = try_describe_frame_counter(*hopper, "lts__throughput.avg.pct_of_peak_sustained_elapsed");
    REQUIRE(share);
    CHECK(share->display() == frame_display::percentage);
    CHECK_FALSE(share->meaning.empty());
    auto const base = try_describe_frame_counter(*hopper, "dram__bytes_read");
    REQUIRE_MESSAGE(base, base.error().message());
    CHECK(base->unit == gpuprof::unit_of(dimension::byte));
    auto const event = try_describe_frame_counter(*maxwell, "warps_launched");
    REQUIRE(event);
    CHECK(event->display() == frame_display::raw);
    CHECK_FALSE(event->meaning.empty());
}

TEST_CASE("frame_sampler: all counters are disabled at once, and quantities stay") {
    frame_program program{"5.2"};
    auto frames = sampled(program.gpu, unhurried(), warps_event);
    REQUIRE(frames.try_enable("sm_cta_launched"));
    CHECK(frames.counters().size() == 2);
    REQUIRE(frames.try_disable_all());
    CHECK(frames.counters().empty());
    REQUIRE(frames.try_disable_all()); // nothing to do
    frames.begin_frame();
    program.launch(3);
    program.wait();
    frames.end_frame();
    CHECK(frames.problem() == nullptr);
    CHECK(frames[frame_quantity::launches].last.value == 3);
    REQUIRE(frames.try_enable("warps_launched"));
    CHECK(frames.counters().size() == 1);
}

TEST_CASE("frame_sampler: waits by what is waited for, memory by kind, and bytes between GPUs") {
    frame_program program{"gh100"};
    auto frames = sampled(program.gpu, unhurried());
    REQUIRE(frames.driver_problem() == nullptr);
    abi::driver_table const& driver = program.driver;
    auto const waited = [&](frame_quantity which) { return frames[which].last.value > 0; };
    abi::CUdeviceptr managed = 0, device = 0;
    void* host = nullptr;
    abi::CUevent event = nullptr;
    REQUIRE(driver.EventCreate(&event, 0) == abi::CUDA_SUCCESS);
    frames.begin_frame();
    REQUIRE(driver.MemAlloc(&device, 3000) == abi::CUDA_SUCCESS);
    REQUIRE(driver.MemAllocManaged(&managed, 2000, abi::CU_MEM_ATTACH_GLOBAL) == abi::CUDA_SUCCESS);
    REQUIRE(driver.MemHostAlloc(&host, 700, 0) == abi::CUDA_SUCCESS);
    program.launch();
    REQUIRE(driver.StreamSynchronize(nullptr) == abi::CUDA_SUCCESS);
    frames.end_frame();
    CHECK(waited(frame_quantity::wait_stream));
    CHECK_FALSE(waited(frame_quantity::wait_context));
    CHECK_FALSE(waited(frame_quantity::wait_event));
    CHECK_FALSE(waited(frame_quantity::wait_copy));
    CHECK(frames[frame_quantity::wait_time].last.value == frames[frame_quantity::wait_stream].last.value);
    CHECK(frames[frame_quantity::memory].last.value == 5000);
    CHECK(frames[frame_quantity::memory_managed].last.value == 2000);
    CHECK(frames[frame_quantity::memory_host].last.value == 700);
    frames.begin_frame();
    program.launch();
    REQUIRE(driver.EventRecord(event, nullptr) == abi::CUDA_SUCCESS);
    REQUIRE(driver.EventSynchronize(event) == abi::CUDA_SUCCESS);
    REQUIRE(driver.MemcpyDtoH(host, device, 500) == abi::CUDA_SUCCESS);
    REQUIRE(driver.MemFree(managed) == abi::CUDA_SUCCESS);
    REQUIRE(driver.MemFreeHost(host) == abi::CUDA_SUCCESS);
    frames.end_frame();
    CHECK(waited(frame_quantity::wait_event));
    CHECK(waited(frame_quantity::wait_copy));
    CHECK_FALSE(waited(frame_quantity::wait_stream));
    CHECK(frames[frame_quantity::memory].last.value == 3000);
    CHECK(frames[frame_quantity::memory_managed].last.value == 0);
    CHECK(frames[frame_quantity::memory_host].last.value == 0);
    CHECK(frames[frame_quantity::copied_bytes].last.value == 500);
    CHECK(frames[frame_quantity::peer_bytes].last.value == 0);
    frames.begin_frame();
    program.wait();
    frames.end_frame();
    CHECK(waited(frame_quantity::wait_context));
    REQUIRE(driver.MemFree(device) == abi::CUDA_SUCCESS);
    REQUIRE(driver.EventDestroy(event) == abi::CUDA_SUCCESS);
}

TEST_CASE("frame_sampler: a context that is lost ends counters and GPU times with its error, and host times go on") {
    frame_program program{"gh100"};
    abi::CUcontext own = nullptr;
    REQUIRE(program.driver.CtxCreate(&own, 0, program.gpu.handle()) == abi::CUDA_SUCCESS);
    {
        auto gpu = device::try_open(program.gpu.machine(), own, device_source::embedded);
        REQUIRE(gpu);
        auto frames = sampled(*gpu, unhurried(), warps_metric);
        abi::CUmodule module = nullptr;
        abi::CUfunction trapping = nullptr;
        REQUIRE(program.driver.ModuleLoadData(&module,
                                              ".version 7.0\n.target sm_70\n.address_size 64\n"
                                              ".visible .entry trapping() { trap; ret; }\n") == abi::CUDA_SUCCESS);
        REQUIRE(program.driver.ModuleGetFunction(&trapping, module, "trapping") == abi::CUDA_SUCCESS);
        for (int i = 0; i < 5; ++i) {
            frames.begin_frame();
            if (i == 2)
                static_cast<void>(
                    program.driver.LaunchKernel(trapping, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr));
            static_cast<void>(program.driver.CtxSynchronize());
            frames.end_frame();
        }
        REQUIRE(frames.problem() != nullptr);
        CHECK(frames.problem()->code == errc::device_lost);
        CHECK(frames[frame_quantity::host_time].history.size() == 5);
    }
    static_cast<void>(program.driver.CtxDestroy(own));
}

TEST_CASE("frame_sampler: scopes of eight threads are in the frame's host times, and nothing of them is lost") {
    frame_program program{"5.2"};
    frame_options options = unhurried();
    options.max_scopes = 12;
    auto frames = sampled(program.gpu, options);
    constexpr int workers = 8, scopes_each = 500;
    std::vector<std::thread> threads;
    char const* const names[workers]{"w0", "w1", "w2", "w3", "w4", "w5", "w6", "w7"};
    frames.begin_frame();
    for (int w = 0; w < workers; ++w)
        threads.emplace_back([&, w] {
            for (int i = 0; i < scopes_each; ++i) {
                scope const own{frames, names[w]};
                scope const common{frames, "common"};
                std::string const crowd = "crowd " + std::to_string(i % 10); // ten names, three of which have room
                scope const many{frames, crowd};
            }
        });
    double taken[workers + 4]{};
    std::size_t rounds = 0;
    auto const add = [&] {
        for (std::size_t i = 0; i < frames.scopes().size(); ++i)
            if (frames.scopes()[i].last.frame == frames.frames()) taken[i] += frames.scopes()[i].last.cycles;
    };
    while (rounds < 20) {
        frames.next();
        add();
        ++rounds;
        std::this_thread::yield();
    }
    for (std::thread& each : threads) each.join();
    frames.next();
    add();
    REQUIRE(frames.scopes().size() == 12);
    double all = 0;
    for (std::size_t i = 0; i < 12; ++i) {
        all += taken[i];
        if (frames.scopes()[i].name == "common") CHECK(taken[i] == workers * scopes_each);
        if (frames.scopes()[i].name[0] == 'w') CHECK(taken[i] == scopes_each);
    }
    CHECK(all + static_cast<double>(frames.losses().scopes) == 3 * workers * scopes_each);
}

TEST_CASE("frame_sampler: options without a meaning, or for more memory than there may be, are refused") {
    frame_program program{"5.2"};
    auto const refused = [&](auto change) {
        frame_options options = unhurried();
        change(options);
        auto const made = frame_sampler::try_create(program.gpu, options);
        return !made && made.error().code == errc::invalid_argument && !made.error().remedy.empty();
    };
    for (std::size_t const size : {std::size_t{0}, std::size_t{1} << 32, std::size_t{1} << 60, ~std::size_t{0}}) {
        CAPTURE(size);
        CHECK(refused([&](frame_options& of) { of.history = size; }));
        CHECK(refused([&](frame_options& of) { of.max_scopes = size; }));
        if (size != 0) CHECK(refused([&](frame_options& of) { of.allocations = size; }));
    }
    CHECK(refused([](frame_options& of) { of.history = of.max_scopes = std::size_t{1} << 20; }));
    CHECK(refused([](frame_options& of) { of.buffer_bytes = 0; }));
    CHECK(refused([](frame_options& of) { of.budget_us = detail::quiet_nan; }));
    CHECK(refused([](frame_options& of) { of.budget_us = 1e300; }));
    CHECK(refused([](frame_options& of) { of.expected_frame_us = detail::quiet_nan; }));
    CHECK(refused([](frame_options& of) { of.expected_frame_us = 0; }));
    CHECK_FALSE(refused([](frame_options& of) { of.allocations = 0; }));
    CHECK_FALSE(refused([](frame_options& of) { of.max_scopes = of.history = 1; }));
}

TEST_CASE("frame_sampler: one that was moved from takes scopes and frames and does nothing") {
    frame_program program{"5.2"};
    auto first = sampled(program.gpu, unhurried(), warps_event);
    frame_sampler second{std::move(first)};
    { scope const nothing{first, "nothing"}; } // NOLINT(bugprone-use-after-move)
    first.begin_frame();
    first.end_frame();
    first.next();
    CHECK(first.try_tune().error().code == errc::invalid_state);
    CHECK(first.try_enable("sm_cta_launched").error().code == errc::invalid_state);
    CHECK(first.try_disable("warps_launched").error().code == errc::invalid_state);
    second.begin_frame();
    { scope const draw{second, "draw"}; }
    second.end_frame();
    CHECK(second.frames() == 1);
    CHECK(second.scopes().size() == 1);
}

TEST_CASE("frame_sampler: values that come too late for frames are a problem, whose remedy helps") {
    frame_program program{"gh100"};
    // Frames of 4 us, where samples are for frames of 16.7 ms: 520 frames each.
    auto frames = sampled(program.gpu, unhurried(), warps_metric);
    REQUIRE(frames.problem() == nullptr);
    auto const run = [&](int count) {
        for (int i = 0; i < count; ++i) {
            frames.begin_frame();
            program.launch(1, 200);
            program.wait();
            frames.end_frame();
        }
    };
    run(120);
    error const* const why = frames.problem();
    REQUIRE(why != nullptr);
    CHECK(why->code == errc::not_collected);
    CHECK(why->remedy.find("try_tune()") != std::string::npos);
    CHECK(why->remedy.find("expected_frame_us") != std::string::npos);
    CHECK(frames.new_problem() == why);
    CHECK(frames.new_problem() == nullptr);
    char text[4000];
    CHECK(write_hud(text, frames, {.width = 300}).find("remedy: call try_tune()") != std::string_view::npos);
    REQUIRE(frames.try_tune());
    CHECK(frames.problem() == nullptr);
    run(120);
    CHECK(frames.problem() == nullptr);
    CHECK(frames.find("smsp__warps_launched.sum")->history.size() >= 100);
}

#if !defined(_WIN32)
TEST_CASE("frame_sampler: the child of a fork goes through frames and ends, and its parent goes on") {
    frame_program program{"gh100"};
    frame_options options;
    options.budget_us = 1e6; // with threads
    auto frames = sampled(program.gpu, options, warps_metric);
    REQUIRE(frames.problem() == nullptr);
    frames.next();
    for (int round = 0; round < 8; ++round) {
        pid_t const child = ::fork();
        REQUIRE(child >= 0);
        if (child == 0) {
            ::alarm(20); // a deadlock ends
            for (int i = 0; i < 5; ++i) {
                frames.next();
                scope const nothing{frames, "nothing"};
            }
            bool const refused = !frames.try_tune();
            { [[maybe_unused]] auto const ended = std::move(frames); }
            ::_exit(refused ? 0 : 1);
        }
        int status = -1;
        REQUIRE(::waitpid(child, &status, 0) == child);
        CHECK(status == 0);
        frames.next();
    }
    CHECK(frames.frames() == 8);
    CHECK(frames.problem() == nullptr);
}
#endif

TEST_CASE("frame_sampler: the display says what there is to say, in a buffer of any size") {
    frame_program program{"5.2"};
    auto frames = sampled(program.gpu, unhurried(), warps_event);
    for (int i = 0; i < 3; ++i) {
        frames.begin_frame();
        program.launch(2);
        program.wait();
        frames.end_frame();
    }
    char buffer[2000];
    std::string const whole{write_hud(buffer, frames)};
    CHECK(whole.find("frame 3 ") == 0);
    CHECK(whole.find("\n  host ") != whole.npos);
    CHECK(whole.find("\n  GPU elapsed ") != whole.npos);
    CHECK(whole.find("\n  own ") != whole.npos);
    CHECK(whole.find("no budget") != whole.npos);
    CHECK(whole.find("launches 2 ") != whole.npos);
    CHECK(whole.find("\n  warps_launched  16\n") != whole.npos);
    for (std::size_t size = 0; size < whole.size(); size += 7)
        CHECK(write_hud(std::span<char>{buffer, size}, frames).size() + (size != 0) == size);
}

} // namespace frame_sampler_test
