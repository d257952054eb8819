// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// recording/output_lines and recording/output_text: tracers, samplers and frames of a replayed program have what they had.
#include <doctest/doctest.h>

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include <gpuprof/frames.hpp>
#include <gpuprof/recording/recording_file.hpp>
#include <gpuprof/sampling.hpp>
#include <gpuprof/trace.hpp>
#include <gpuprof/trace/consumer.hpp>

#include "support/child_program.hpp"
#include "support/recorded_program.hpp"
#include "support/sealed_json.hpp"

namespace outputs_test {

using gpuprof::device;
using gpuprof::errc;
using gpuprof::scope;
namespace activity = gpuprof::activity;

namespace {

using lines = std::vector<std::string>;

template <class... Value>
std::string line(Value const&... values) {
    std::string all;
    auto const text = [](auto const& value) {
        if constexpr (std::is_convertible_v<decltype(value), std::string_view>) return std::string{value};
        else if constexpr (std::is_floating_point_v<std::remove_cvref_t<decltype(value)>>) {
            char digits[40];
            std::snprintf(digits, sizeof digits, "%.17g", value); // all bits
            return std::string{digits};
        } else return std::to_string(value);
    };
    ((all += text(values), all += ' '), ...);
    return all;
}

template <class T>
T take(gpuprof::result<T> of) {
    REQUIRE_MESSAGE(of, (of ? std::string{} : of.error().message()));
    return *std::move(of);
}

using traced =
    activity::kind_list<activity::kernel, activity::memcpy, activity::api_call, activity::external_correlation>;

// Every record and scope of a batch, with what it says of its scope.
template <class Batch>
void add(Batch const& batch, lines& to) {
    batch.visit([&]<class Record>(Record const& each) {
        if constexpr (std::is_same_v<Record, activity::kernel>)
            to.push_back(line("kernel", each.name, each.time.start.ticks, each.time.end.ticks, each.correlation,
                              each.grid.x, each.block.x, each.registers_per_thread, each.stream,
                              batch.scope_path(batch.scope_of(each))));
        else if constexpr (std::is_same_v<Record, activity::memcpy>)
            to.push_back(line("copy", each.time.start.ticks, each.size.value(), each.correlation,
                              batch.scope_path(batch.scope_of(each))));
        else if constexpr (std::is_same_v<Record, activity::api_call>)
            to.push_back(line("call", each.callback, each.time.start.ticks, each.correlation, each.thread));
        else if constexpr (std::is_same_v<Record, activity::external_correlation>)
            to.push_back(line("correlation", each.id, each.correlation));
        else if constexpr (std::is_same_v<Record, gpuprof::traced_scope>)
            to.push_back(line("scope", each.name, each.number, each.parent, each.time.start.ticks, each.time.end.ticks,
                              each.thread));
    });
}

void copy_something(device const& gpu) {
    gpuprof::abi::CUdeviceptr memory = 0;
    REQUIRE(gpu.driver().MemAlloc(&memory, 4096) == gpuprof::abi::CUDA_SUCCESS);
    char bytes[4096] = {};
    CHECK(gpu.driver().MemcpyHtoD(memory, bytes, sizeof bytes) == gpuprof::abi::CUDA_SUCCESS);
    CHECK(gpu.driver().MemFree(memory) == gpuprof::abi::CUDA_SUCCESS);
}

// Two flushes and an end, each after its own work.
lines trace(device const& gpu) {
    lines all;
    test::kernels_of const kernels{gpu};
    auto tracer = take(gpuprof::tracer<traced>::try_begin(gpu, traced{}));
    for (unsigned step = 1; step <= 3; ++step) {
        {
            scope const frame{tracer, "frame"};
            scope const inner{tracer, step == 2 ? "copy" : "load"};
            if (step == 2) copy_something(gpu);
            else kernels.load(step);
        }
        auto batch = step == 3 ? tracer.try_finish() : tracer.try_flush(gpuprof::flush_mode::forced);
        add(take(std::move(batch)), all);
    }
    return all;
}

lines count_instructions(device const& gpu) {
    lines all;
    test::kernels_of const kernels{gpu};
    auto counter =
        take(gpuprof::sass_counter::try_open(gpu, {"smsp__sass_inst_executed", "smsp__sass_thread_inst_executed"}));
    for (unsigned blocks = 1; blocks <= 2; ++blocks) {
        kernels.load(blocks);
        auto const counts = take(blocks == 2 ? counter.try_finish() : counter.try_take());
        for (auto const& each : counts.records)
            all.push_back(line(each.function, each.module, each.pc_offset, each.values.at(0), each.values.at(1)));
    }
    return all;
}

gpuprof::pc_sampling_options by_launch() {
    gpuprof::pc_sampling_options options;
    options.mode = gpuprof::pc_sampling_mode::kernel_serialized;
    options.period = 5;
    return options;
}
lines sample_instructions(device const& gpu) {
    lines all;
    test::kernels_of const kernels{gpu};
    auto sampler = take(gpuprof::pc_sampler::try_open(gpu, by_launch()));
    all.push_back(line("period", sampler.configuration().period.value_or(0), sampler.reasons().size()));
    for (unsigned blocks = 1; blocks <= 2; ++blocks) {
        kernels.load(32 * blocks);
        auto const samples = take(blocks == 2 ? sampler.try_finish() : sampler.try_take());
        all.push_back(line(samples.total, samples.dropped, samples.non_user, samples.period, samples.chip));
        for (auto const& each : samples.records)
            for (auto const& stall : each.stalls)
                all.push_back(line(each.function, each.pc_offset, each.launch, samples.reasons.at(stall.reason).name,
                                   stall.samples, stall.latency_samples));
    }
    CHECK(sampler.try_take().error().code == errc::invalid_state);
    return all;
}

lines sample_counters(device const& gpu) {
    lines all;
    test::kernels_of const kernels{gpu};
    auto sampler = take(gpuprof::pm_sampler::try_create(gpu, {}, gpuprof::metric<"smsp__inst_executed.sum">,
                                                        gpuprof::metric<"sm__cycles_active.avg">));
    for (unsigned blocks = 1; blocks <= 2; ++blocks) {
        REQUIRE(sampler.try_start());
        CHECK(sampler.is_sampling());
        for (unsigned i = 0; i < 20 * blocks; ++i) kernels.load(64);
        CHECK(gpu.driver().CtxSynchronize() == gpuprof::abi::CUDA_SUCCESS);
        REQUIRE(sampler.try_stop());
        CHECK_FALSE(sampler.is_sampling());
        auto const series = take(sampler.try_take());
        all.push_back(line(series.size(), series.losses().dropped, series.interval().text()));
        for (std::size_t i = 0; i < series.size(); ++i)
            all.push_back(
                line(series.time(i).start.ticks, series.time(i).end.ticks, series.value(i, 0), series.value(i, 1)));
    }
    return all;
}

lines sample_scopes(device const& gpu) {
    lines all;
    test::kernels_of const kernels{gpu};
    auto sampler = take(gpuprof::sampled_profiler::try_create(gpu, {}, gpuprof::metric<"smsp__inst_executed.sum">,
                                                              gpuprof::metric<"gpu__time_duration.sum">));
    for (unsigned burst = 1; burst <= 2; ++burst) {
        REQUIRE(sampler.try_start());
        for (unsigned step = 0; step < 3; ++step) {
            scope const frame{sampler, "frame"};
            scope const inner{sampler, "load"};
            for (unsigned i = 0; i < 8 * burst; ++i) kernels.load(64);
        }
        REQUIRE(sampler.try_stop());
    }
    auto const report = take(sampler.try_report());
    for (gpuprof::range_view const range : report)
        for (std::size_t metric = 0; metric < 2; ++metric)
            for (char const* const name : {"smsp__inst_executed.sum", "gpu__time_duration.sum"}) {
                auto const value = range.try_value(name);
                auto const deviation = range.try_deviation(name);
                all.push_back(line(range.path(), range.count(), name, value ? value->value : -1.0,
                                   value ? std::string{} : value.error().message(),
                                   deviation ? deviation->value_or(-2.0) : -1.0));
            }
    for (auto const& each : report.completeness().problems) all.push_back(each.message());
    return all;
}

lines frames(device const& gpu) {
    lines all;
    test::kernels_of const kernels{gpu};
    gpuprof::frame_options options;
    options.records = gpuprof::frame_records::own;
    options.expected_frame_us = 100;
    auto sampler = take(gpuprof::frame_sampler::try_create(gpu, options, gpuprof::metric<"smsp__inst_executed.sum">));
    for (unsigned frame = 1; frame <= 8; ++frame) {
        sampler.begin_frame();
        {
            scope const draw{sampler, frame % 2 == 0 ? "draw" : "clear"};
            for (unsigned i = 0; i < frame; ++i) kernels.load(64);
        }
        sampler.end_frame();
        for (auto const list : {sampler.quantities(), sampler.counters(), sampler.scopes(), sampler.gpu_scopes()})
            for (auto const& each : list)
                all.push_back(line(each.name, each.last.value, each.last.cycles, each.last.frame, each.last.samples,
                                   each.history.size(), each.history.summary().mean));
        auto const when = sampler.when(frame);
        all.push_back(line(when ? when->begin : 0, when ? when->end : 0, sampler.losses().untimed, sampler.groups()));
        all.push_back(sampler.problem() != nullptr ? sampler.problem()->message() : "no problem");
    }
    return all;
}

struct use {
    char const* name;
    lines (*run)(device const&);
    char const* what; // in the file
    std::size_t least;
};
constexpr use uses[]{{"trace", &trace, "trace", 12},
                     {"counts", &count_instructions, "instruction counts", 10},
                     {"instructions", &sample_instructions, "samples of instructions", 5},
                     {"counters", &sample_counters, "samples of counters", 4},
                     {"scopes", &sample_scopes, "sampled scopes", 4},
                     {"frames", &frames, "frames", 8 * 11}};

// What F does on the embedded GPU, recorded.
template <class F>
auto record(std::string const& file, F f) {
    gpuprof::recording session{file};
    auto made = f(test::embedded_gpu());
    REQUIRE(session.collections() != 0);
    auto const saved = session.try_save();
    REQUIRE_MESSAGE(saved, (saved ? std::string{} : saved.error().message()));
    return made;
}

void write(std::string const& file, lines const& all) {
    std::string text;
    for (std::string const& each : all) text += each + '\n';
    test::put(file, text);
}

} // namespace

TEST_CASE("outputs: the program that another process records and replays" * doctest::skip()) { // of the next one
    auto opened = gpuprof::try_open_device();
    REQUIRE(opened);
    for (use const& each : uses) {
        gpuprof::recorded_as const label{each.name};
        write(std::string{std::getenv("GPUPROF_TEST_OUTPUT")} + each.name, each.run(*opened));
    }
    std::exit(0);
}

TEST_CASE("outputs: another process without the device has the same records, samples, counts and frames, bit for bit") {
    scratch_directory const scratch;
    std::string const file = scratch.path() + "/session.json", then = scratch.path() + "/then.",
                      now = scratch.path() + "/now.";
    constexpr char const* program = "outputs: the program that another process records and replays";
    REQUIRE(test::run_test_case(
                program, {{"GPUPROF_DEVICE", "sim"}, {"GPUPROF_RECORD", file}, {"GPUPROF_TEST_OUTPUT", then}}) == 0);
    REQUIRE(test::run_test_case(program, {{"GPUPROF_DEVICE", "replay:" + file}, {"GPUPROF_TEST_OUTPUT", now}}) == 0);
    std::string const recorded = test::content_of(file);
    for (use const& each : uses) {
        CAPTURE(each.name);
        std::string const text = test::content_of(then + each.name);
        CHECK(text == test::content_of(now + each.name));
        std::size_t count = 0;
        for (char const c : text) count += c == '\n' ? 1 : 0;
        CHECK(count >= each.least);
        CHECK(recorded.find(std::string{"\"what\": \""} + each.what) != recorded.npos);
    }
}

TEST_CASE("outputs: what a replay says comes from the file, and an altered record is another one") {
    scratch_directory const scratch;
    std::string const file = scratch.path() + "/session.json";
    lines const then = record(file, trace);
    std::string const text = test::content_of(file);
    std::string const altered = test::replaced(text, "\"gridX\": 3", "\"gridX\": 5");
    test::put(file, altered);
    auto const refused = gpuprof::hw::try_open_recording(file);
    REQUIRE_FALSE(refused);
    CHECK(refused.error().code == errc::invalid_argument);
    CHECK(test::says(refused.error(), "it was changed after it was written"));

    test::put(file, test::sealed(altered));
    lines const now = trace(test::replayed(file));
    REQUIRE(now.size() == then.size());
    std::size_t unlike = 0;
    for (std::size_t i = 0; i < now.size(); ++i) {
        if (now[i] == then[i]) continue;
        ++unlike;
        CHECK(then[i].find(" 3 64 ") != std::string::npos);
        CHECK(now[i].find(" 5 64 ") != std::string::npos);
    }
    CHECK(unlike == 1);
}

TEST_CASE("outputs: a replay may ask for fewer kinds of records, and not for others") {
    scratch_directory const scratch;
    std::string const file = scratch.path() + "/session.json";
    record(file, trace);
    device const gpu = test::replayed(file);
    using kernels_alone = activity::kind_list<activity::kernel>;
    test::kernels_of const kernels{gpu};
    {
        auto tracer = take(gpuprof::tracer<kernels_alone>::try_begin(gpu, kernels_alone{}));
        {
            scope const frame{tracer, "frame"};
            scope const inner{tracer, "load"};
            kernels.load(1);
        }
        std::size_t count = 0;
        for (auto const& each : take(tracer.try_flush())) count += std::get<activity::kernel>(each).grid.x == 1 ? 1 : 0;
        CHECK(count == 1);
    }
    gpuprof::detail::rewind_recording(gpu);
    using with_sets = activity::kind_list<activity::kernel, activity::memset>;
    auto const other = gpuprof::tracer<with_sets>::try_begin(gpu, with_sets{});
    REQUIRE_FALSE(other);
    CHECK(other.error().code == errc::not_collected);
    CHECK(test::says(other.error(), "session.json\" has trace without memset"));
    CHECK(test::says(other.error(), "it was recorded with: memcpy, driver, runtime, concurrent_kernel"));
    gpuprof::recorded_as const label{"elsewhere"};
    auto const none = gpuprof::tracer<kernels_alone>::try_begin(gpu, kernels_alone{});
    REQUIRE_FALSE(none);
    CHECK(none.error().code == errc::not_collected);
    CHECK(test::says(none.error(), "has no trace of \"elsewhere\""));
    auto const machine = gpuprof::tracer<kernels_alone>::try_begin(gpu.machine(), kernels_alone{});
    REQUIRE_FALSE(machine);
    CHECK(test::says(machine.error(), "begin the tracer on the device"));
}

TEST_CASE("outputs: other kernels, other scopes and more than was recorded are errors that name what differs") {
    scratch_directory const scratch;
    std::string const file = scratch.path() + "/session.json";
    record(file, trace);
    device const gpu = test::replayed(file);
    test::kernels_of const kernels{gpu};
    auto tracer = take(gpuprof::tracer<traced>::try_begin(gpu, traced{}));
    auto const step = [&](char const* name, unsigned blocks) {
        scope const frame{tracer, "frame"};
        scope const inner{tracer, name};
        kernels.load(blocks);
    };
    SUBCASE("another configuration") {
        step("load", 2);
        auto const batch = tracer.try_flush();
        REQUIRE_FALSE(batch);
        CHECK(batch.error().code == errc::replay_mismatch);
        CHECK(test::says(batch.error(), "output 1 of trace comes after 1 kernel, load<<<(2, 1, 1)"));
        CHECK(test::says(batch.error(), "has 1 kernel, load<<<(1, 1, 1)"));
        CHECK_FALSE(tracer.try_flush()); // and remains one
        CHECK(tracer.take().empty());
    }
    SUBCASE("another scope") {
        step("store", 1);
        auto const batch = tracer.try_flush();
        REQUIRE_FALSE(batch);
        CHECK(batch.error().code == errc::replay_mismatch);
        CHECK(
            test::says(batch.error(), "scope 1 of a trace is \"frame/store\", where the recording has \"frame/load\""));
    }
    SUBCASE("no scope") {
        kernels.load(1);
        CHECK(test::says(tracer.try_flush().error(), "is none, where the recording has \"frame/load\""));
    }
    SUBCASE("more of them") {
        step("load", 1);
        CHECK(tracer.try_flush());
        {
            scope const frame{tracer, "frame"};
            scope const inner{tracer, "copy"};
        }
        CHECK(tracer.try_flush());
        step("load", 3);
        CHECK(tracer.try_flush());
        auto const empty = tracer.try_flush(); // nothing was done since: nothing is missing
        REQUIRE(empty);
        CHECK(empty->empty());
        step("load", 1);
        auto const more = tracer.try_flush();
        REQUIRE_FALSE(more);
        CHECK(more.error().code == errc::not_collected);
        CHECK(test::says(more.error(), "output 4 of trace is not in the recording"));
    }
}

TEST_CASE("outputs: a consumer on a replayed device sees all records, also those that were flushed") {
    scratch_directory const scratch;
    std::string const file = scratch.path() + "/session.json";
    lines const then = record(file, trace);
    device const gpu = test::replayed(file);
    test::kernels_of const kernels{gpu};
    lines now;
    auto tracer = take(gpuprof::tracer<traced>::try_begin(gpu, traced{}));
    auto const consume = [&](gpuprof::tracer<traced>::batch const& batch) { add(batch, now); };
    auto consumer = take(gpuprof::trace_consumer<traced, decltype(consume)>::try_begin(tracer, consume));
    SUBCASE("the same work") {
        for (unsigned step = 1; step <= 3; ++step) {
            scope const frame{tracer, "frame"};
            scope const inner{tracer, step == 2 ? "copy" : "load"};
        }
        CHECK(consumer.try_end());
        CHECK(now.size() == then.size());
    }
    SUBCASE("other scopes") {
        { scope const frame{tracer, "frame"}; }
        auto const ended = consumer.try_end();
        REQUIRE_FALSE(ended);
        CHECK(ended.error().code == errc::replay_mismatch);
        CHECK(now.empty());
    }
}

TEST_CASE("outputs: scopes of several threads have the numbers that they had") {
    scratch_directory const scratch;
    std::string const file = scratch.path() + "/session.json";
    auto const run = [](bool backwards) {
        return [backwards](device const& gpu) {
            lines all;
            test::kernels_of const kernels{gpu};
            auto tracer = take(gpuprof::tracer<traced>::try_begin(gpu, traced{}));
            for (int i = 0; i < 2; ++i) {
                bool const first = (i == 0) != backwards;
                std::thread{[&] {
                    REQUIRE(gpu.driver().CtxPushCurrent(gpu.context()) == gpuprof::abi::CUDA_SUCCESS);
                    scope const of{tracer, first ? "first" : "second"};
                    kernels.load(1);
                }}.join();
            }
            add(take(tracer.try_finish()), all);
            return all;
        };
    };
    lines const then = record(file, run(false));
    device const gpu = test::replayed(file);
    CHECK(run(true)(gpu) == then);
    gpuprof::detail::rewind_recording(gpu);
    CHECK(run(false)(gpu) == then);
}

TEST_CASE("outputs: samplers refuse what was not recorded, by name") {
    scratch_directory const scratch;
    std::string const file = scratch.path() + "/session.json";
    record(file, [](device const& gpu) {
        lines all = count_instructions(gpu);
        for (auto* const run : {&sample_instructions, &sample_counters, &sample_scopes, &frames}) run(gpu);
        return all;
    });
    device const gpu = test::replayed(file);
    auto const refuses = [](auto const& opened, char const* said) {
        REQUIRE_FALSE(opened);
        CHECK(opened.error().code == errc::not_collected);
        CHECK(test::says(opened.error(), said));
    };
    SUBCASE("other metrics and options") {
        refuses(gpuprof::sass_counter::try_open(gpu, {"smsp__sass_inst_executed"}),
                "has instruction counts without smsp__sass_inst_executed");
        refuses(gpuprof::pc_sampler::try_open(gpu), "has samples of instructions without continuous");
        refuses(gpuprof::pm_sampler::try_create(gpu, {}, gpuprof::metric<"smsp__inst_executed.sum">),
                "has samples of counters without smsp__inst_executed.sum");
        refuses(gpuprof::pm_sampler::try_create(gpu, {.interval = gpuprof::sampling_interval::nanoseconds(5000)},
                                                gpuprof::metric<"smsp__inst_executed.sum">,
                                                gpuprof::metric<"sm__cycles_active.avg">),
                "has no more samples of counters");
        refuses(gpuprof::sampled_profiler::try_create(gpu, {}, gpuprof::metric<"sm__cycles_active.avg">),
                "has sampled scopes without sm__cycles_active.avg");
        refuses(gpuprof::frame_sampler::try_create(gpu, {}, gpuprof::metric<"sm__cycles_active.avg">),
                "has frames without sm__cycles_active.avg");
    }
    SUBCASE("what had no outputs") {
        std::string const unread = scratch.path() + "/unread.json";
        record(unread, [](device const& of) {
            CHECK_FALSE(gpuprof::sass_counter::try_open(of, {"no_metric"}));
            return count_instructions(of);
        });
        device const again = test::replayed(unread);
        refuses(gpuprof::sass_counter::try_open(again, {"no_metric"}), "has instruction counts without outputs");
        CHECK(count_instructions(again).size() >= 10); // are the next ones
    }
    SUBCASE("other kernels") {
        test::kernels_of const kernels{gpu};
        auto counter =
            take(gpuprof::sass_counter::try_open(gpu, {"smsp__sass_inst_executed", "smsp__sass_thread_inst_executed"}));
        kernels.nothing();
        auto const counts = counter.try_take();
        REQUIRE_FALSE(counts);
        CHECK(counts.error().code == errc::replay_mismatch);
        CHECK(test::says(counts.error(), "comes after 1 kernel, nothing<<<"));
    }
    SUBCASE("once more") {
        CHECK(count_instructions(gpu).size() >= 10);
        refuses(gpuprof::sass_counter::try_open(gpu, {"smsp__sass_inst_executed"}), "has no more instruction counts");
    }
    SUBCASE("other scopes of a burst") {
        auto sampler = take(gpuprof::sampled_profiler::try_create(gpu, {}, gpuprof::metric<"smsp__inst_executed.sum">,
                                                                  gpuprof::metric<"gpu__time_duration.sum">));
        REQUIRE(sampler.try_start());
        { scope const frame{sampler, "frame"}; }
        auto const stopped = sampler.try_stop();
        REQUIRE_FALSE(stopped);
        CHECK(stopped.error().code == errc::replay_mismatch);
        CHECK(test::says(stopped.error(), "scope \"frame\" was opened 1 times, and 3 times in the recording"));
    }
    SUBCASE("other scopes of a frame, and more frames") {
        gpuprof::frame_options options;
        auto sampler =
            take(gpuprof::frame_sampler::try_create(gpu, options, gpuprof::metric<"smsp__inst_executed.sum">));
        sampler.begin_frame();
        { scope const draw{sampler, "draw"}; }
        sampler.end_frame();
        REQUIRE(sampler.problem() != nullptr);
        CHECK(sampler.problem()->code == errc::replay_mismatch);
        CHECK(test::says(*sampler.problem(), "frame 1 has another number of scopes \"draw\" than was recorded"));
        gpuprof::detail::rewind_recording(gpu);
        auto again = take(gpuprof::frame_sampler::try_create(gpu, options, gpuprof::metric<"smsp__inst_executed.sum">));
        for (int frame = 1; frame <= 9; ++frame) {
            CHECK(again.problem() == nullptr);
            again.begin_frame();
            { scope const draw{again, frame % 2 == 0 ? "draw" : "clear"}; }
            again.end_frame();
        }
        REQUIRE(again.problem() != nullptr);
        CHECK(again.problem()->code == errc::not_collected);
    }
}

TEST_CASE("outputs: damaged outputs are errors that name the member, also with the right digest") {
    scratch_directory const scratch;
    std::string const file = scratch.path() + "/session.json";
    record(file, trace);
    std::string const good = test::content_of(file);
    struct damage {
        char const* from;
        char const* to;
        char const* said;
    };
    SUBCASE("of the file") {
        for (damage const& each :
             {damage{"\"gpuprof_recording\": 2", "\"gpuprof_recording\": 1", "its format is not that of its members"},
              damage{"\"what\": \"trace\"", "\"why\": \"trace\"", "has other members"},
              damage{"\"asked\": [", "\"asked\": [1, ", "a text is missing"},
              damage{"\"output\": {", "\"output\": [{}], \"x\": {", "an output has other members"}}) {
            CAPTURE(each.from);
            test::put(file, test::sealed(test::replaced(good, each.from, each.to)));
            auto const opened = gpuprof::hw::try_open_recording(file);
            REQUIRE_FALSE(opened);
            CHECK(opened.error().code == errc::invalid_argument);
            CHECK(test::says(opened.error(), each.said));
        }
    }
    SUBCASE("of an output") {
        for (damage const& each :
             {damage{"\"dropped\": 0", "\"drooped\": 0", "dropped"},
              damage{"\"dropped\": 0", "\"dropped\": -1", "dropped"},
              damage{"\"dropped\": 0", "\"dropped\": \"18446744073709551616\"", "dropped"},
              damage{"\"kind\": \"driver\"", "\"kind\": \"drover\"", "records"},
              damage{"\"cbid\": ", "\"cbod\": ", "records"}, damage{"\"gridX\": 1", "\"gridX\": 4294967296", "records"},
              damage{"\"name\": \"load\"", "\"name\": 7", "name"},
              damage{"\"scopes\": [", "\"scopes\": [1, ", "scopes"}}) {
            CAPTURE(each.to);
            test::put(file, test::sealed(test::replaced(good, each.from, each.to)));
            device const gpu = test::replayed(file);
            test::kernels_of const kernels{gpu};
            auto tracer = take(gpuprof::tracer<traced>::try_begin(gpu, traced{}));
            {
                scope const frame{tracer, "frame"};
                scope const inner{tracer, "load"};
            }
            auto const batch = tracer.try_flush();
            REQUIRE_FALSE(batch);
            CHECK(batch.error().code == errc::invalid_argument);
            CHECK(test::says(batch.error(), (std::string{"is not what it is to be: "} + each.said).c_str()));
        }
    }
}

TEST_CASE("outputs: a file keeps the outputs of labels that another process recorded") {
    scratch_directory const scratch;
    std::string const file = scratch.path() + "/session.json";
    for (char const* const label : {"b", "a", "b"}) {
        gpuprof::recorded_as const name{label};
        record(file, count_instructions);
    }
    auto const all = gpuprof::hw::try_read_recording(file);
    REQUIRE(all);
    REQUIRE(all->outputs.size() == 2);
    CHECK(all->outputs[0].label == "a");
    CHECK(all->outputs[1].label == "b");
    CHECK(gpuprof::hw::to_text(*all) == test::content_of(file));
}

TEST_CASE("outputs: while nothing is recorded, nothing is kept, and a recording without outputs is of format 1") {
    auto line = gpuprof::hw::try_begin_outputs(test::embedded_gpu(), {"trace", {}});
    REQUIRE(line);
    CHECK_FALSE(*line);
    scratch_directory const scratch;
    std::string const file = scratch.path() + "/session.json";
    record(file, test::recorded_run);
    CHECK(test::content_of(file).find("\"gpuprof_recording\": 1") != std::string::npos);
}

} // namespace outputs_test
