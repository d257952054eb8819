// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks and expectations of a replayed program: the verdicts of the recorded one, and inconclusive for what was not recorded.
#include <doctest/doctest.h>

#include <cstddef>
#include <string>
#include <vector>

#include <gpuprof/recording/recording_file.hpp>
#include <gpuprof/judge.hpp>
#include <gpuprof/judge/adaptor/doctest.hpp>
#include <gpuprof/judge/traced_work.hpp>
#include <gpuprof/trace/tracer.hpp>

#include "judge/judged_reports.hpp"
#include "support/recorded_program.hpp"

namespace replay_test {

namespace expect = gpuprof::expect;
namespace metrics = gpuprof::metrics;
using gpuprof::verdict;
using namespace gpuprof::literals;

#if defined(__clang__)
#pragma clang diagnostic ignored "-Woverloaded-shift-op-parentheses"
#endif
// What GPUPROF_CHECK makes of an expression.
#define OUTCOME(...) gpuprof::judge::settled(gpuprof::judge::decomposer{} << __VA_ARGS__)

namespace {

// Outcomes of every kind: pass, fail, inconclusive.
std::vector<gpuprof::outcome> outcomes_on(gpuprof::device const& gpu) {
    test::kernels_of const kernels{gpu};
    std::vector<gpuprof::outcome> all;
    for (unsigned const stride : {1u, 8u}) {
        auto const m = gpuprof::observe(
            gpu, [&] { kernels.load(4, stride); }, metrics::global_load_sectors, metrics::global_load_requests,
            metrics::warps_launched, gpuprof::metric<"dram__bytes_read.sum">);
        all.push_back(OUTCOME(m.ratio(0, 1) <= 4.0));
        all.push_back(OUTCOME(m[metrics::warps_launched] == 8_warps));
        all.push_back(OUTCOME(exact_only(m[gpuprof::metric<"dram__bytes_read.sum">]) >= gpuprof::bytes{0}));
        all.push_back(gpuprof::judge::expected(m, expect::launch_count(1)));
        all.push_back(gpuprof::judge::expected(m, expect::launch_count(2)));
        auto const n = gpuprof::observe_for(gpu, {expect::coalesced_global_loads(), expect::no_bank_conflicts()},
                                            [&] { kernels.load(4, stride); });
        all.push_back(gpuprof::judge::expected(n, expect::coalesced_global_loads()));
        all.push_back(gpuprof::judge::expected(n, expect::no_bank_conflicts()));
        auto const median = gpuprof::observe(
            gpu, gpuprof::repetitions{3}, [&] { kernels.load(4, stride); }, metrics::global_load_sectors);
        all.push_back(OUTCOME(median[metrics::global_load_sectors] <= 100_sectors));
    }
    return all;
}

std::string without_origin(std::string text) {
    for (std::string const part : {", a recording: not measured now"})
        for (std::size_t at; (at = text.find(part)) != text.npos;) text.erase(at, part.size());
    return text;
}

} // namespace

TEST_CASE("replay: the outcomes of checks are those of the recorded program, texts included") {
    scratch_directory scratch;
    std::string const file = scratch.path() + "/r.json";
    std::vector<gpuprof::outcome> measured;
    {
        gpuprof::recording session{file};
        gpuprof::device const gpu = test::embedded_gpu();
        measured = outcomes_on(gpu);
    }
    gpuprof::device const gpu = test::replayed(file);
    std::vector<gpuprof::outcome> const replayed = outcomes_on(gpu);
    REQUIRE(measured.size() == 16);
    REQUIRE(replayed.size() == 16);
    std::size_t verdicts[3] = {};
    for (std::size_t i = 0; i < measured.size(); ++i) {
        CAPTURE(i);
        CHECK(measured[i].verdict == replayed[i].verdict);
        CHECK(words_of(measured[i].text()) == without_origin(words_of(replayed[i].text())));
        ++verdicts[static_cast<std::size_t>(measured[i].verdict)];
    }
    CHECK(verdicts[0] == 7); // each kind is there
    CHECK(verdicts[1] == 5);
    CHECK(verdicts[2] == 4);
    CHECK(replayed[8].details.find("a recording: not measured now") != std::string::npos);
}

TEST_CASE("replay: a check of what was not recorded is inconclusive, by name") {
    scratch_directory scratch;
    std::string const file = scratch.path() + "/r.json";
    {
        gpuprof::recording session{file};
        gpuprof::device const gpu = test::embedded_gpu();
        test::kernels_of const kernels{gpu};
        static_cast<void>(gpuprof::observe(
            gpu, [&] { kernels.load(4); }, metrics::warps_launched));
    }
    gpuprof::device const gpu = test::replayed(file);
    auto const m = gpuprof::observe(
        gpu, [] {}, metrics::global_load_sectors);
    gpuprof::outcome const metric = OUTCOME(m[metrics::global_load_sectors] <= 100_sectors);
    CHECK(metric.verdict == verdict::inconclusive);
    CHECK(metric.reason.find("l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum of range \"observed\"") !=
          std::string::npos);
    CHECK(metric.reason.find("is not in the recording") != std::string::npos);
    auto const n = gpuprof::observe(
        gpu, gpuprof::repetitions{2}, [] {}, metrics::warps_launched);
    gpuprof::outcome const repetitions = OUTCOME(n[metrics::warps_launched] == 8_warps);
    CHECK(repetitions.verdict == verdict::inconclusive);
    CHECK(repetitions.reason.find("ran 2 times, and once in the recording") != std::string::npos);
    // The label is this test's name, by the adaptor.
    auto const read = gpuprof::hw::try_read_recording(file);
    REQUIRE(read);
    CHECK(read->collections.at(0).label == "replay: a check of what was not recorded is inconclusive, by name");
}

// What hardware is forgiven, its recording is forgiven: the same numbers, recorded on the one and on the other.
TEST_CASE("replay: a recording of a GPU is judged as the GPU") {
    scratch_directory scratch;
    std::string const file = scratch.path() + "/r.json";
    gpuprof::hw::recording session;
    session.device.name = "Paper GPU";
    session.device.chip = "GH100";
    session.device.capability = {9, 0};
    auto& collection = session.collections.emplace_back();
    collection.label = "replay: a recording of a GPU is judged as the GPU";
    collection.hardware = "range profiler";
    collection.passes_needed = collection.replay_passes = 1;
    auto& range = collection.ranges.emplace_back();
    range.path = {"observed"};
    range.count = 1;
    range.launches = {true, 1, 0, 0, true, "k<<<(1, 1, 1), (32, 1, 1)>>>"};
    for (auto const& [name, value] :
         std::vector<std::pair<std::string, double>>{{"l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum", 3},
                                                     {"l1tex__data_pipe_lsu_wavefronts_mem_shared.sum", 1000},
                                                     {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum", 500},
                                                     {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum", 500}}) {
        collection.metrics.emplace_back(name, gpuprof::fidelity::exact);
        range.values.push_back({value});
    }
    for (auto const source : {gpuprof::device_source::hardware, gpuprof::device_source::embedded}) {
        session.device.source = source;
        test::put(file, gpuprof::hw::to_text(session));
        gpuprof::device const gpu = test::replayed(file);
        CHECK(gpu.source() == source);
        auto const m = gpuprof::observe_for(gpu, {expect::no_bank_conflicts()}, [] {});
        gpuprof::outcome const judged = gpuprof::judge::expected(m, expect::no_bank_conflicts());
        CAPTURE(judged.text());
        CHECK(judged.verdict ==
              (source == gpuprof::device_source::hardware ? verdict::pass : verdict::fail)); // 0.3 % of wavefronts
    }
}

// What a program that waits and copies is told, on the device that it gets: a trace for each of its two parts.
namespace {
std::vector<gpuprof::outcome> traced_on(gpuprof::device const& gpu) {
    test::kernels_of const kernels{gpu};
    gpuprof::abi::driver_table const& driver = gpu.driver();
    gpuprof::abi::CUdeviceptr memory = 0;
    REQUIRE(driver.MemAlloc(&memory, 4096) == gpuprof::abi::CUDA_SUCCESS);
    unsigned char host[4096] = {};
    std::vector<gpuprof::outcome> all;
    for (bool const copies : {false, true}) {
        auto const work = gpuprof::observe_trace(gpu, [&] {
            kernels.load(4);
            if (!copies) return;
            REQUIRE(driver.MemcpyDtoH(host, memory, sizeof host) == gpuprof::abi::CUDA_SUCCESS);
            REQUIRE(driver.CtxSynchronize() == gpuprof::abi::CUDA_SUCCESS);
        });
        all.push_back(gpuprof::judge::expected(work, expect::no_hidden_synchronisation()));
        all.push_back(gpuprof::judge::expected(work, expect::no_hidden_copies()));
    }
    REQUIRE(driver.MemFree(memory) == gpuprof::abi::CUDA_SUCCESS);
    return all;
}
} // namespace

TEST_CASE("replay: what traced work waited for and copied is that of the recorded program, texts included") {
    scratch_directory scratch;
    std::string const file = scratch.path() + "/r.json";
    std::vector<gpuprof::outcome> measured;
    {
        gpuprof::recording session{file};
        gpuprof::device const gpu = test::embedded_gpu();
        measured = traced_on(gpu);
        CHECK(session.collections() == 2);
    }
    gpuprof::device const gpu = test::replayed(file);
    std::vector<gpuprof::outcome> const replayed = traced_on(gpu);
    REQUIRE(measured.size() == 4);
    REQUIRE(replayed.size() == 4);
    for (std::size_t i = 0; i < measured.size(); ++i) {
        CAPTURE(i);
        CHECK(measured[i].verdict == (i < 2 ? verdict::pass : verdict::fail));
        CHECK(replayed[i].verdict == measured[i].verdict);
        CHECK(words_of(measured[i].text()) == without_origin(words_of(replayed[i].text())));
    }
    CHECK(replayed[2].details.find("1 time cuMemcpyDtoH: 4,096 bytes, device to host") != std::string::npos);
    CHECK(replayed[2].details.find("1 time cuCtxSynchronize") != std::string::npos);
    CHECK(replayed[2].details.find("a recording: not measured now") != std::string::npos);
    // Once more than it was recorded, and where it was not recorded.
    gpuprof::outcome const more = expect::no_hidden_copies()(gpuprof::observe_trace(gpu, [] {}));
    CHECK(more.verdict == verdict::inconclusive);
    CHECK(more.reason.find("has no more trace of \"replay: what traced work") != std::string::npos);
    gpuprof::recorded_as const elsewhere{"elsewhere"};
    gpuprof::outcome const none = expect::no_hidden_copies()(gpuprof::observe_trace(gpu, [] {}));
    CHECK(none.verdict == verdict::inconclusive);
    CHECK(none.reason.find("has no trace of \"elsewhere\"") != std::string::npos);
    CHECK(none.reason.find("GPUPROF_RECORD") != std::string::npos);
}

TEST_CASE("replay: a trace that had no answer has none when it is replayed, for the same reason") {
    scratch_directory scratch;
    std::string const file = scratch.path() + "/r.json";
    std::string why;
    {
        gpuprof::recording session{file};
        gpuprof::device const gpu = test::embedded_gpu();
        auto const outer = gpuprof::tracer<gpuprof::activity::kind_set>::try_begin(
            gpu, gpuprof::activity::kind_set{gpuprof::abi::CUPTI_ACTIVITY_KIND_DRIVER});
        REQUIRE(outer);
        auto const refused = gpuprof::observe_trace(gpu, [] {});
        REQUIRE(refused.why_not());
        why = refused.why_not()->message();
    }
    auto const replayed = gpuprof::observe_trace(test::replayed(file), [] {});
    REQUIRE(replayed.why_not());
    CHECK(replayed.why_not()->message() == why);
}

TEST_CASE("replay: a trace that cannot be recorded is judged, and its failures say so") {
    scratch_directory scratch;
    std::string const file = scratch.path() + "/r.json";
    {
        gpuprof::recording session{file};
        gpuprof::device const first = test::embedded_gpu();
        static_cast<void>(traced_on(first));
        auto const other = gpuprof::sim::open_embedded("7.0"); // a recording is of one device
        REQUIRE(other);
        auto const outcomes = traced_on(*other);
        REQUIRE(outcomes.size() == 4);
        CHECK(outcomes[0].verdict == verdict::pass);
        CHECK(outcomes[3].verdict == verdict::fail);
        CAPTURE(outcomes[3].text());
        CHECK(outcomes[3].details.find("not recorded: invalid state: what was measured on") != std::string::npos);
        CHECK(session.collections() == 2);
    }
    auto const read = gpuprof::hw::try_read_recording(file);
    REQUIRE(read);
    CHECK(read->traces.size() == 2);
}

} // namespace replay_test
