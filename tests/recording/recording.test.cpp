// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// recording/recording and recording/playback: a program that is replayed has the report that it had when it was recorded.
#include <doctest/doctest.h>

#include <chrono>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#if !defined(_WIN32)
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#endif

#include <gpuprof/sample/event_sampler.hpp>
#include <gpuprof/hw/counters/range/range_hardware.hpp>
#include <gpuprof/hw/machine/platform/directory_lock.hpp>
#include <gpuprof/recording/recording_file.hpp>
#include <gpuprof/trace.hpp>

#include "support/recorded_program.hpp"
#include "support/system.hpp"

namespace recording_test {

using gpuprof::errc;
using gpuprof::report;

namespace {

// GPUPROF_RECORD or GPUPROF_DEVICE while it lives.
class variable {
public:
    variable(char const* name, std::string const& value) : name_{name} { ::setenv(name, value.c_str(), 1); }
    ~variable() { ::unsetenv(name_); }
    variable(variable const&) = delete;
    variable& operator=(variable const&) = delete;

private:
    char const* name_;
};

// How many values of two reports have the same bits; all must.
std::size_t compared(report const& a, report const& b) {
    std::size_t equal = 0;
    REQUIRE(a.size() == b.size());
    REQUIRE(a.metrics().size() == b.metrics().size());
    for (std::size_t range = 0; range < a.size(); ++range) {
        CHECK(a.at(range).path() == b.at(range).path());
        CHECK(a.at(range).count() == b.at(range).count());
        auto const there = a.at(range).launches(), here = b.at(range).launches();
        CHECK(there.heard == here.heard);
        CHECK(there.kernels == here.kernels);
        CHECK(there.alike == here.alike);
        CHECK(there.kernel == here.kernel);
        for (std::size_t i = 0; i < a.metrics().size(); ++i) {
            std::string const& metric = a.metrics()[i].name;
            CHECK(a.fidelity_of(i) == b.fidelity_of(i));
            auto const was = a.at(range).try_values(metric), is = b.at(range).try_values(metric);
            REQUIRE(was);
            REQUIRE(is);
            REQUIRE(was->size() == is->size());
            for (std::size_t k = 0; k < was->size(); ++k) {
                bool const same = std::memcmp(&(*was)[k], &(*is)[k], sizeof(double)) == 0 ||
                                  ((*was)[k] != (*was)[k] && (*is)[k] != (*is)[k]);
                CHECK_MESSAGE(same, metric);
                equal += same;
            }
            auto const text = a.at(range).try_provided(metric), again = b.at(range).try_provided(metric);
            REQUIRE(text.has_value() == again.has_value());
            if (text) CHECK(text->text == again->text);
            else CHECK(text.error().message() == again.error().message());
        }
    }
    return equal;
}

// A recording of the program in a scratch directory.
struct recorded {
    scratch_directory scratch;
    std::string file = scratch.path() + "/session.json";
    report measured;

    recorded() {
        gpuprof::recording session{file};
        gpuprof::device const gpu = test::embedded_gpu();
        measured = test::recorded_run(gpu);
        REQUIRE(session.collections() == 1);
        auto const saved = session.try_save();
        REQUIRE_MESSAGE(saved, (saved ? std::string{} : saved.error().message()));
    }
};

// The first problem of a report.
gpuprof::error problem_of(report const& of) {
    REQUIRE_FALSE(of.complete());
    return of.completeness().problems.front();
}

template <class F>
report over(gpuprof::device const& gpu, F&& body, gpuprof::profiler_options const& options = {}) {
    auto prof = test::recorded_profiler(gpu, options);
    REQUIRE(prof);
    for (gpuprof::pass const& each : prof->passes()) {
        static_cast<void>(each);
        body(*prof);
    }
    auto made = prof->try_report();
    REQUIRE(made);
    return *made;
}

} // namespace

TEST_CASE("recording: a replayed program has the ranges, the launches, and the values bit for bit") {
    recorded const session;
    REQUIRE(session.measured.complete());
    gpuprof::device const gpu = test::replayed(session.file);
    CHECK(gpu.name() == "gpuprof embedded GPU (GH100)");
    CHECK(gpu.chip() == "GH100");
    CHECK(gpu.capability() == gpuprof::compute_capability{9, 0});
    CHECK(gpu.source() == gpuprof::device_source::embedded);
    CHECK(gpu.attribute(gpuprof::abi::CU_DEVICE_ATTRIBUTE_WARP_SIZE) == 32);
    report const replayed = test::recorded_run(gpu);
    CHECK(compared(session.measured, replayed) == 6 * 4); // metrics, and rows: frame, step, step, last
    CHECK(replayed.complete());
    CHECK(replayed.recording() == session.file);
    CHECK(session.measured.recording().empty());
    CHECK(replayed.hardware() == session.measured.hardware());
    CHECK(replayed.completeness().passes_needed == session.measured.completeness().passes_needed);
    std::string const text = gpuprof::io::table(replayed);
    CHECK(text.find("a recording: not measured now") != text.npos);
    // 4 blocks of 64 threads: 8 warps, of which each loads 4 sectors with stride 1, 8 with stride 2
    CHECK(*replayed.at(1).try_values("smsp__warps_launched.sum") == std::vector<double>{8, 8});
    CHECK(*replayed.at(1).try_values("l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum") == std::vector<double>{32, 64});
}

TEST_CASE("recording: GPUPROF_RECORD records and GPUPROF_DEVICE=replay:file replays") {
    scratch_directory scratch;
    std::string const file = scratch.path() + "/by_environment.json";
    report measured;
    {
        variable const record{"GPUPROF_RECORD", file};
        gpuprof::device const gpu = test::embedded_gpu();
        measured = test::recorded_run(gpu);
        CHECK(measured.complete());
    }
    variable const chosen{"GPUPROF_DEVICE", "Replay:" + file};
    auto const gpu = gpuprof::try_open_device();
    REQUIRE_MESSAGE(gpu, (gpu ? std::string{} : gpu.error().message()));
    CHECK(compared(measured, test::recorded_run(*gpu)) == 24);
}

TEST_CASE("recording: a replay is not recorded again, and says so") {
    recorded const session;
    gpuprof::device const gpu = test::replayed(session.file);
    variable const record{"GPUPROF_RECORD", session.scratch.path() + "/again.json"};
    report const replayed = test::recorded_run(gpu);
    CHECK(test::says(problem_of(replayed), "values of a recording are not recorded again"));
    CHECK(session.scratch.files() == 1);
}

TEST_CASE("recording: a program that can launch nothing on the recorded device has the recorded launches and values") {
    recorded const session;
    gpuprof::device const gpu = test::replayed(session.file);
    report const replayed = over(gpu, [](gpuprof::profiler& prof) {
        gpuprof::scope frame{prof, "frame"};
        for (int i = 0; i < 2; ++i) gpuprof::scope step{prof, "step"};
        gpuprof::scope last{prof, "last"};
    });
    CHECK(replayed.complete());
    CHECK(compared(session.measured, replayed) == 24);
}

TEST_CASE("recording: what was not recorded is missing, by name") {
    recorded const session;
    gpuprof::device const gpu = test::replayed(session.file);
    test::kernels_of const kernels{gpu};

    SUBCASE("a range") {
        report const replayed = over(gpu, [&](gpuprof::profiler& prof) {
            gpuprof::scope frame{prof, "frame/x"};
            kernels.load(4);
        });
        gpuprof::error const why = problem_of(replayed);
        CHECK(why.code == errc::not_collected);
        CHECK(test::says(why, "session.json\" has no range \"frame/x\""));
        auto const value = replayed.at(0).try_value("smsp__warps_launched.sum");
        REQUIRE_FALSE(value);
        CHECK(test::says(value.error(), "has no range \"frame/x\""));
    }
    SUBCASE("a metric") {
        auto prof = gpuprof::profiler::try_create(gpu, {}, gpuprof::metric<"smsp__warps_launched.sum">,
                                                  gpuprof::metric<"smsp__inst_executed.sum">);
        REQUIRE(prof);
        for (gpuprof::pass const& each : prof->passes()) {
            static_cast<void>(each);
            gpuprof::scope frame{*prof, "frame"};
        }
        report const replayed = *prof->try_report();
        CHECK(test::says(problem_of(replayed), "smsp__inst_executed.sum of range \"frame\" is not in the recording"));
        CHECK(replayed.at(0).try_value("smsp__warps_launched.sum")->value == 8 + 8 + 2);
        auto const value = replayed.at(0).try_value("smsp__inst_executed.sum");
        REQUIRE_FALSE(value);
        CHECK(test::says(value.error(), "smsp__inst_executed.sum of range \"frame\" is not in the recording"));
    }
    SUBCASE("another number of repetitions") {
        report const replayed = over(gpu, [&](gpuprof::profiler& prof) {
            gpuprof::scope frame{prof, "frame"};
            for (int i = 0; i < 3; ++i) gpuprof::scope step{prof, "step"};
        });
        gpuprof::error const why = problem_of(replayed);
        CHECK(why.code == errc::replay_mismatch);
        CHECK(test::says(why, "range \"frame/step\" ran 3 times, and 2 times in the recording"));
    }
    SUBCASE("another launch") {
        report const replayed = over(gpu, [&](gpuprof::profiler& prof) {
            gpuprof::scope frame{prof, "frame"};
            for (int i = 0; i < 2; ++i) {
                gpuprof::scope step{prof, "step"};
                kernels.load(5);
            }
            gpuprof::scope last{prof, "last"};
            kernels.nothing();
        });
        gpuprof::error const why = problem_of(replayed);
        CHECK(why.code == errc::replay_mismatch);
        CHECK(test::says(why, "load<<<(5, 1, 1), (64, 1, 1)>>>"));
        CHECK(test::says(why, "load<<<(4, 1, 1), (64, 1, 1)>>>"));
    }
    SUBCASE("a launch too few, where others are made") {
        report const replayed = over(gpu, [&](gpuprof::profiler& prof) {
            gpuprof::scope frame{prof, "frame"};
            for (int i = 0; i < 2; ++i) {
                gpuprof::scope step{prof, "step"};
                kernels.load(4);
            }
            gpuprof::scope last{prof, "last"};
        });
        CHECK(test::says(problem_of(replayed), "launched 2 kernels"));
    }
    SUBCASE("once more than it was measured") {
        CHECK(test::recorded_run(gpu).complete());
        report const again = test::recorded_run(gpu);
        CHECK(test::says(problem_of(again), "once, and was asked for once more"));
        gpuprof::detail::rewind_recording(gpu);
        CHECK(test::recorded_run(gpu).complete());
    }
    SUBCASE("under another label") {
        gpuprof::recorded_as const name{"other test"};
        CHECK(test::says(problem_of(test::recorded_run(gpu)), "has no range \"frame\" of \"other test\""));
    }
}

TEST_CASE("recording: profilers of one path put their metrics together, and visits count for each metric") {
    scratch_directory scratch;
    std::string const file = scratch.path() + "/r.json";
    auto const run = [](gpuprof::device const& gpu, unsigned blocks, auto... metrics) {
        test::kernels_of const kernels{gpu};
        auto prof = gpuprof::profiler::try_create(gpu, {}, metrics...);
        REQUIRE(prof);
        for (gpuprof::pass const& each : prof->passes()) {
            static_cast<void>(each);
            gpuprof::scope frame{*prof, "frame"};
            kernels.load(blocks);
        }
        return *prof->try_report();
    };
    constexpr auto warps = gpuprof::metric<"smsp__warps_launched.sum">;
    constexpr auto threads = gpuprof::metric<"smsp__threads_launched.sum">;
    {
        gpuprof::recording session{file};
        gpuprof::device const gpu = test::embedded_gpu();
        static_cast<void>(run(gpu, 4, warps));
        static_cast<void>(run(gpu, 4, threads));
        static_cast<void>(run(gpu, 6, warps));
    }
    gpuprof::device const gpu = test::replayed(file);
    report const both = run(gpu, 4, threads, warps);
    CHECK(both.complete());
    CHECK(both.at(0).try_value("smsp__threads_launched.sum")->value == 256);
    CHECK(both.at(0).try_value("smsp__warps_launched.sum")->value == 8);
    // The launches tell which one is meant, whatever the order.
    report const other = run(gpu, 6, warps);
    CHECK(other.complete());
    CHECK(other.at(0).try_value("smsp__warps_launched.sum")->value == 12);
    CHECK_FALSE(run(gpu, 6, threads).complete());
}

TEST_CASE("recording: a range per kernel is replayed by the kernels' names, and as a whole where nothing is launched") {
    scratch_directory scratch;
    std::string const file = scratch.path() + "/r.json";
    gpuprof::profiler_options options;
    options.ranges = gpuprof::range_mode::auto_range;
    report measured;
    auto const launch = [](gpuprof::device const& gpu) {
        test::kernels_of const kernels{gpu};
        kernels.load(4);
        kernels.nothing();
        kernels.load(8);
    };
    {
        gpuprof::recording session{file};
        gpuprof::device const gpu = test::embedded_gpu();
        measured = over(
            gpu, [&](auto&) { launch(gpu); }, options);
    }
    REQUIRE_MESSAGE(measured.complete(), problem_of(measured).message());
    REQUIRE(measured.size() == 2);
    gpuprof::device const gpu = test::replayed(file);
    CHECK(compared(measured, over(
                                 gpu, [&](auto&) { launch(gpu); }, options)) == 3 * 6);
    gpuprof::detail::rewind_recording(gpu);
    CHECK(compared(measured, over(
                                 gpu, [](auto&) {}, options)) == 3 * 6);
    report const more = over(
        gpu, [](auto&) {}, options);
    CHECK(test::says(problem_of(more), "has no kernels as ranges for a loop number 2"));
}

TEST_CASE("recording: problems of what was recorded are problems of the replay") {
    scratch_directory scratch;
    std::string const file = scratch.path() + "/r.json";
    auto const leave = [](gpuprof::device const& gpu) {
        auto prof = test::recorded_profiler(gpu);
        REQUIRE(prof);
        test::kernels_of const kernels{gpu};
        for (gpuprof::pass const& each : prof->passes()) {
            static_cast<void>(each);
            gpuprof::scope frame{*prof, "frame"}; // in which no kernel runs
        }
        return *prof->try_report();
    };
    {
        gpuprof::recording session{file};
        CHECK(test::says(problem_of(leave(test::embedded_gpu())), "no kernel ran in \"frame\""));
    }
    CHECK(test::says(problem_of(leave(test::replayed(file))), "no kernel ran in \"frame\""));
}

TEST_CASE("recording: a file keeps the labels that another process recorded, is replaced for another device, and no "
          "other file is touched") {
    scratch_directory scratch;
    std::string const file = scratch.path() + "/r.json";
    auto const record = [&file](gpuprof::device const& gpu, char const* label) {
        gpuprof::recording session{file};
        gpuprof::recorded_as const name{label};
        static_cast<void>(test::recorded_run(gpu));
        return session.try_save();
    };
    auto const labels = [&file] {
        std::string all;
        auto const read = gpuprof::hw::try_read_recording(file);
        REQUIRE(read);
        for (auto const& each : read->collections) all += each.label + ' ';
        return all;
    };
    {
        gpuprof::device const gpu = test::embedded_gpu();
        REQUIRE(record(gpu, "b"));
        REQUIRE(record(gpu, "a"));
        CHECK(labels() == "a b ");
        std::string const both = test::content_of(file);
        REQUIRE(record(gpu, "b"));
        CHECK(labels() == "a b ");
        CHECK(test::content_of(file) == both); // the order of processes does not matter
    }
    auto const older = gpuprof::sim::open_embedded("gv100");
    REQUIRE(older);
    REQUIRE(record(*older, "c"));
    CHECK(labels() == "c ");
    test::put(file, "important");
    auto const foreign = record(test::embedded_gpu(), "d");
    REQUIRE_FALSE(foreign);
    CHECK(foreign.error().code == errc::invalid_argument);
    CHECK(test::says(foreign.error(), "is not overwritten"));
    CHECK(test::content_of(file) == "important");
    CHECK(scratch.files() == 1);
}

TEST_CASE("recording: what cannot be saved is a problem of the report, and two devices do not go into one recording") {
    scratch_directory scratch;
    gpuprof::device const gpu = test::embedded_gpu();
    {
        variable const record{"GPUPROF_RECORD", scratch.path() + "/no/such/folder.json"};
        gpuprof::error const why = problem_of(test::recorded_run(gpu));
        CHECK(why.code == errc::io);
        CHECK(test::says(why, "folder.json\" cannot be written"));
    }
    gpuprof::recording session{scratch.path() + "/r.json"};
    auto const nothing = session.try_save();
    REQUIRE_FALSE(nothing);
    CHECK(nothing.error().code == errc::invalid_state);
    CHECK(scratch.files() == 0);
    CHECK(test::recorded_run(gpu).complete());
    auto const other = gpuprof::sim::open_embedded("gv100");
    REQUIRE(other);
    CHECK(test::says(problem_of(test::recorded_run(*other)), "a recording has one device"));
    CHECK(session.collections() == 1);
}

TEST_CASE("recording: what stands in the file's place and cannot be read is not overwritten") {
    scratch_directory scratch;
    std::string const file = scratch.path() + "/r.json";
    gpuprof::device const gpu = test::embedded_gpu();
    gpuprof::recording session{file};
    CHECK(test::recorded_run(gpu).complete());
    auto const refused = [&] {
        auto const saved = session.try_save();
        REQUIRE_FALSE(saved);
        CHECK(saved.error().code == errc::io);
        CHECK(test::says(saved.error(), "is not overwritten"));
    };
    test::put(file, std::string(gpuprof::hw::most_recording_bytes + 1, ' '));
    refused();
    CHECK(std::filesystem::file_size(file) == gpuprof::hw::most_recording_bytes + 1);
    std::filesystem::remove(file);
#if !defined(_WIN32)
    REQUIRE(::mkfifo(file.c_str(), 0600) == 0);
    refused();
    CHECK(std::filesystem::is_fifo(file));
    std::filesystem::remove(file);
#endif
    CHECK(session.try_save());
}

#if !defined(_WIN32)
TEST_CASE("recording: a directory that somebody keeps locked is waited for once, and written when it is free") {
    scratch_directory scratch;
    gpuprof::recording session{scratch.path() + "/session.json"};
    gpuprof::device const gpu = test::embedded_gpu();
    static_cast<void>(test::recorded_run(gpu));
    constexpr int attempts = 20; // of 5 s each, if each waited
    auto const begin = std::chrono::steady_clock::now();
    {
        gpuprof::platform::directory_lock const of_somebody_else{scratch.path() + "/other"};
        for (int i = 0; i < attempts; ++i) {
            auto const saved = session.try_save();
            REQUIRE_FALSE(saved);
            CHECK(saved.error().code == gpuprof::errc::busy);
        }
    }
    CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds{50});
    CHECK(session.try_save());
    CHECK(scratch.files() == 1);
}

TEST_CASE("recording: a forked child writes what it measured itself, and nothing of its parent's") {
    scratch_directory scratch;
    std::string const file = scratch.path() + "/r.json";
    auto const labels = [&file] {
        std::string all;
        auto const read = gpuprof::hw::try_read_recording(file);
        REQUIRE(read);
        for (auto const& each : read->collections) all += each.label + ' ';
        return all;
    };
    gpuprof::device const gpu = test::embedded_gpu();
    auto const run = [&gpu](char const* label) {
        gpuprof::recorded_as const name{label};
        return test::recorded_run(gpu).complete();
    };
    std::optional<gpuprof::recording> session{file};
    CHECK(run("step"));
    int go[2];
    REQUIRE(::pipe(go) == 0);
    ::pid_t const child = ::fork();
    REQUIRE(child >= 0);
    if (child == 0) { // it ends after the parent has measured and saved more
        char byte = 0;
        static_cast<void>(!::read(go[0], &byte, 1));
        session.reset();
        ::_exit(0);
    }
    CHECK(run("step"));
    CHECK(session->try_save());
    CHECK(::write(go[1], "x", 1) == 1);
    int status = -1;
    CHECK(::waitpid(child, &status, 0) == child);
    CHECK(status == 0);
    CHECK(labels() == "step step ");
    ::close(go[0]);
    ::close(go[1]);
}
#endif

TEST_CASE("recording: names that are no UTF-8 are found again") {
    scratch_directory scratch;
    std::string const file = scratch.path() + "/r.json";
    auto const run = [](gpuprof::device const& gpu) {
        test::kernels_of const kernels{gpu};
        return over(gpu, [&](gpuprof::profiler& prof) {
            gpuprof::scope frame{prof, "a\xff\x01/\"b\\"};
            kernels.load(4);
        });
    };
    {
        gpuprof::recording session{file};
        CHECK(run(test::embedded_gpu()).complete());
    }
    report const replayed = run(test::replayed(file));
    CHECK(replayed.complete());
    CHECK(replayed.at(0).try_value("smsp__warps_launched.sum")->value == 8);
}

TEST_CASE("recording: a recorded device takes memory, copies and streams, and says what it does not do") {
    recorded const session;
    gpuprof::device const gpu = test::replayed(session.file);
    auto const& driver = gpu.driver();
    using namespace gpuprof::abi;
    CUdeviceptr address = 0;
    REQUIRE(driver.MemAlloc(&address, 1024) == CUDA_SUCCESS);
    int numbers[4]{1, 2, 3, 4};
    CHECK(driver.MemcpyHtoD(address, numbers, sizeof numbers) == CUDA_SUCCESS);
    CHECK(driver.MemcpyDtoH(numbers, address + 16, sizeof numbers) == CUDA_SUCCESS);
    CHECK(numbers[0] + numbers[1] + numbers[2] + numbers[3] == 0); // what was not computed is zero
    CHECK(driver.MemFree(address) == CUDA_SUCCESS);
    REQUIRE(driver.MemAllocManaged(&address, 64, 1) == CUDA_SUCCESS);
    auto* const managed = reinterpret_cast<int*>(static_cast<std::uintptr_t>(address));
    CHECK(driver.MemsetD32(address, 7, 16) == CUDA_SUCCESS);
    CHECK(managed[15] == 7);
    CHECK(driver.MemFree(address) == CUDA_SUCCESS);
    CHECK(driver.MemFree(address) == CUDA_ERROR_INVALID_VALUE);
    void* host = nullptr;
    REQUIRE(driver.MemAllocHost(&host, 16) == CUDA_SUCCESS);
    CHECK(driver.MemFreeHost(host) == CUDA_SUCCESS);
    CHECK(driver.MemFreeHost(host) == CUDA_ERROR_INVALID_VALUE);
    CUstream stream = nullptr;
    CHECK(driver.StreamCreate(&stream, 0) == CUDA_SUCCESS);
    CHECK(driver.StreamSynchronize(stream) == CUDA_SUCCESS);
    CHECK(driver.StreamDestroy(stream) == CUDA_SUCCESS);
    float time = 0;
    CHECK(driver.EventElapsedTime(&time, nullptr, nullptr) == CUDA_ERROR_NOT_SUPPORTED);
    CUgraph graph = nullptr;
    CHECK(driver.GraphCreate(&graph, 0) == CUDA_ERROR_NOT_SUPPORTED);
    std::size_t calls = 0, missing = 0;
    for_each_symbol(driver, [&](char const*, auto const& member) {
        ++calls;
        missing += member == nullptr;
    });
    CHECK(calls > 100);
    CHECK(missing == 0);
    // Launches outside of a context, or of what is no kernel, are refused as a driver refuses them.
    CHECK(driver.LaunchKernel(nullptr, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr) == CUDA_ERROR_INVALID_HANDLE);
}

TEST_CASE("recording: labels nest, and belong to their thread") {
    CHECK(gpuprof::recorded_as::current().empty());
    gpuprof::recorded_as const outer{"outer"};
    {
        gpuprof::recorded_as const inner{"inner"};
        CHECK(gpuprof::recorded_as::current() == "inner");
    }
    CHECK(gpuprof::recorded_as::current() == "outer");
}

TEST_CASE("recording: what a recording has not, and who asks without a profiler, get an error that names the file") {
    recorded const session;
    gpuprof::device const gpu = test::replayed(session.file);
    std::vector<std::string> const names{"smsp__warps_launched.sum"};
    auto const plan = gpuprof::hw::range_hardware::try_plan(gpu, names);
    REQUIRE_FALSE(plan);
    CHECK(plan.error().code == errc::not_collected);
    CHECK(test::says(plan.error(), "session.json\" does not answer cupti"));
    std::vector<std::string> const events{"warps_launched"};
    CHECK_FALSE(gpuprof::event_sampler::try_open(gpu, events));
    using kinds = gpuprof::activity::kind_list<gpuprof::activity::kernel>;
    auto const trace = gpuprof::tracer<kinds>::try_begin(gpu, kinds{});
    REQUIRE_FALSE(trace);
    CHECK(test::says(trace.error(), "session.json\" has no trace"));
}

TEST_CASE("recording: the doctor says that a recorded device is not measured now") {
    recorded const session;
    variable const chosen{"GPUPROF_DEVICE", "replay:" + session.file};
    constexpr std::size_t wide = 1000; // so that no sentence is broken
    std::string const said = gpuprof::to_text(gpuprof::doctor(), false, wide);
    CHECK(said.find("a recording of gpuprof embedded GPU (GH100), which is not measured now") != said.npos);
    variable const lost{"GPUPROF_DEVICE", "replay:" + session.file + ".lost"};
    CHECK(gpuprof::to_text(gpuprof::doctor(), false, wide).find("cannot be read") != std::string::npos);
}

} // namespace recording_test
