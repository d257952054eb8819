// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// replay_mode::application: one pass a process. A profiler stands for a process here: nothing but the file goes from one to the
// next. tests/injection/replaying.test.cpp has real processes.
#include <gpuprof/detail/config.hpp>

#if GPUPROF_EXCEPTIONS // written with the throwing spellings, which do not exist without them

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gpuprof/gpuprof.hpp>
#include <gpuprof/measure/zero_runs.hpp>
#include <gpuprof/saved.hpp>
#include <gpuprof/sim.hpp>

#include "support/scratch_directory.hpp"

namespace application_replay_test {

namespace abi = gpuprof::abi;
using gpuprof::errc;

namespace {

// Of one unit, which holds a few at once: several passes.
constexpr char const* several_passes[]{"smsp__inst_executed.sum",
                                       "smsp__warps_launched.sum",
                                       "smsp__thread_inst_executed.sum",
                                       "smsp__inst_executed_op_branch.sum",
                                       "smsp__inst_executed_pipe_alu.sum",
                                       "smsp__inst_executed_pipe_fma.sum",
                                       "smsp__inst_issued.sum",
                                       "smsp__cycles_active.sum",
                                       "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum"};

std::vector<gpuprof::metric_info> listed(std::size_t count = std::size(several_passes)) {
    std::vector<gpuprof::metric_info> list;
    for (std::size_t i = 0; i < count; ++i) list.push_back(gpuprof::try_metric(several_passes[i]).value());
    return list;
}

struct program {
    explicit program(std::string const& chip = "gv100,passes") : gpu{gpuprof::sim::open_embedded(chip).value()} {
        auto const& d = gpu.driver();
        REQUIRE(d.CtxPushCurrent(gpu.context()) == abi::CUDA_SUCCESS);
        abi::CUmodule module = nullptr;
        REQUIRE(d.ModuleLoadData(&module,
                                 ".version 7.0\n.target sm_52\n.address_size 64\n"
                                 ".visible .entry first() { ret; }\n"
                                 ".visible .entry second() { .reg .f32 %f; fma.rn.f32 %f, %f, %f, %f; ret; }") ==
                abi::CUDA_SUCCESS);
        REQUIRE(d.ModuleGetFunction(&first, module, "first") == abi::CUDA_SUCCESS);
        REQUIRE(d.ModuleGetFunction(&second, module, "second") == abi::CUDA_SUCCESS);
    }
    ~program() {
        abi::CUcontext ignored = nullptr;
        gpu.driver().CtxPopCurrent(&ignored);
    }
    program(program const&) = delete;
    program& operator=(program const&) = delete;

    void launch(abi::CUfunction kernel, unsigned blocks) const {
        REQUIRE(gpu.driver().LaunchKernel(kernel, blocks, 1, 1, 64, 1, 1, 0, nullptr, nullptr, nullptr) ==
                abi::CUDA_SUCCESS);
    }
    // Two ranges side by side, one of them with one inside.
    void work(gpuprof::profiler& prof) const {
        {
            gpuprof::scope const outer{prof, "outer"};
            launch(first, 3);
            gpuprof::scope const inner{prof, "inner"};
            launch(second, 5);
        }
        gpuprof::scope const last{prof, "last"};
        launch(second, 7);
    }

    gpuprof::device gpu;
    abi::CUfunction first = nullptr, second = nullptr;
};

struct ran {
    gpuprof::report report;
    std::size_t executions = 0;
};
// What one process does.
template <class Work>
ran run(program const& on, gpuprof::profiler_options const& options, std::vector<gpuprof::metric_info> const& metrics,
        Work work) {
    gpuprof::profiler prof{on.gpu, options, metrics};
    ran of;
    for ([[maybe_unused]] auto const& pass : prof.passes()) {
        ++of.executions;
        work(prof);
    }
    of.report = prof.report();
    return of;
}
ran run(program const& on, gpuprof::profiler_options const& options,
        std::vector<gpuprof::metric_info> const& metrics = listed()) {
    return run(on, options, metrics, [&](gpuprof::profiler& prof) { on.work(prof); });
}

gpuprof::profiler_options options_for(std::string const& file, std::size_t ranges = 8, std::size_t levels = 2) {
    gpuprof::profiler_options options;
    options.replay = gpuprof::replay_mode::application;
    options.replay_file = file;
    options.max_ranges = ranges;
    options.nesting_levels = levels;
    return options;
}

// Every value of every range, for comparison with another report.
std::vector<double> values_of(gpuprof::report const& of) {
    std::vector<double> all;
    for (auto const& range : of)
        for (auto const& metric : of.metrics()) {
            auto const value = range.try_value(metric.name);
            INFO(range.name(), " ", metric.name);
            REQUIRE(value);
            all.push_back(value->value);
        }
    return all;
}
std::vector<double> in_one_process(program const& on) {
    gpuprof::profiler_options options;
    auto const all = run(on, options);
    REQUIRE(all.report.complete());
    return values_of(all.report);
}

gpuprof::error first_problem(gpuprof::report const& of) {
    REQUIRE_FALSE(of.complete());
    return of.completeness().problems.front();
}
bool has(std::string_view text, std::string_view part) { return text.find(part) != text.npos; }

std::string text_of(std::string const& path) {
    std::ifstream file{path, std::ios::binary};
    return {std::istreambuf_iterator<char>{file}, {}};
}
void write(std::string const& path, std::string const& text) { std::ofstream{path, std::ios::binary} << text; }

// As many processes as it takes. @return the last report; `most` is how many there may be
gpuprof::report run_all(program const& on, gpuprof::profiler_options const& options, std::size_t& processes) {
    for (processes = 1; processes <= 64; ++processes) {
        auto const one = run(on, options);
        CHECK(one.executions == 1);
        if (one.report.complete()) return one.report;
    }
    FAIL("it is not complete");
    return {};
}

} // namespace

TEST_CASE("application replay: processes of one pass each have the values of one process with all passes") {
    for (std::string const chip : {"gv100,passes", "gv100,passes,target", "gh100"}) {
        CAPTURE(chip);
        scratch_directory const scratch;
        program const on{chip};
        auto const expected = in_one_process(on);
        std::size_t const passes = gpuprof::profiler{on.gpu, gpuprof::profiler_options{}, listed()}.passes_needed();
        bool const at_once = chip == "gh100";
        REQUIRE((passes == 1) == at_once);
        std::size_t processes = 0;
        auto const whole = run_all(on, options_for(scratch.path() + "/state"), processes);
        CHECK(processes == (at_once ? 1 : passes * 2)); // two nesting levels, of which a pass has one
        CHECK(values_of(whole) == expected);
        CHECK(whole.completeness().replay_passes == processes);
        // The file is done with: the next process begins anew.
        CHECK(run(on, options_for(scratch.path() + "/state")).report.complete() == at_once);
    }
}

TEST_CASE("application replay: a report before the last says which pass is done, and has no value of later ones") {
    scratch_directory const scratch;
    program const on;
    auto const options = options_for(scratch.path() + "/state");
    auto const one = run(on, options);
    auto const why = first_problem(one.report);
    CHECK(why.code == errc::not_collected);
    CHECK(why.what.starts_with("pass 1 of "));
    CHECK(why.what.ends_with(" is done"));
    CHECK(one.report.completeness().problems.size() == 1);
    CHECK_FALSE(one.report["last"].try_value("smsp__sass_thread_inst_executed_op_ffma_pred_on.sum"));
    CHECK(first_problem(run(on, options).report).what.starts_with("pass 2 of "));
}

TEST_CASE("application replay: where no room is named the first process counts the ranges") {
    scratch_directory const scratch;
    program const on;
    auto const expected = in_one_process(on);
    auto const options = options_for(scratch.path() + "/state", 0, 1);
    CHECK(first_problem(run(on, options).report).what.starts_with("pass 0 of "));
    std::size_t processes = 0;
    CHECK(values_of(run_all(on, options, processes)) == expected);
}

TEST_CASE("application replay: kernels are ranges, in the order of their launches") {
    scratch_directory const scratch;
    program const on;
    auto const work = [&](gpuprof::profiler&) {
        on.launch(on.first, 3);
        on.launch(on.second, 5);
    };
    gpuprof::profiler_options options;
    options.ranges = gpuprof::range_mode::auto_range;
    options.max_ranges = 4;
    auto const expected = values_of(run(on, options, listed(), work).report);
    options.replay = gpuprof::replay_mode::application;
    options.replay_file = scratch.path() + "/state";
    auto one = run(on, options, listed(), work);
    auto const other = run(on, options, listed(), [&](gpuprof::profiler&) {
        on.launch(on.second, 5);
        on.launch(on.first, 3);
    });
    auto const why = first_problem(other.report);
    CHECK(why.code == errc::replay_mismatch);
    CHECK(
        has(why.cause, "range 0 is second<<<(5, 1, 1), (64, 1, 1)>>>, before it was first<<<(3, 1, 1), (64, 1, 1)>>>"));
    for (int i = 0; i < 16 && !one.report.complete(); ++i) one = run(on, options, listed(), work);
    REQUIRE(one.report.complete());
    CHECK(values_of(one.report) == expected);
}

TEST_CASE("application replay: a process with other ranges is told of, and its pass is not kept") {
    scratch_directory const scratch;
    program const on;
    auto const expected = in_one_process(on);
    auto const options = options_for(scratch.path() + "/state");
    static_cast<void>(run(on, options));
    std::string const kept = text_of(options.replay_file);
    auto const other = run(on, options, listed(), [&](gpuprof::profiler& prof) {
        gpuprof::scope const outer{prof, "outer"};
        on.launch(on.first, 3);
    });
    auto const why = first_problem(other.report);
    CHECK(why.code == errc::replay_mismatch);
    CHECK(has(why.cause, "range 1 is missing, before it was inner"));
    CHECK(has(why.remedy, "remove the file"));
    CHECK(text_of(options.replay_file) == kept);
    std::size_t processes = 0;
    CHECK(values_of(run_all(on, options, processes)) == expected);
}

TEST_CASE("application replay: a file of other metrics, another device or other room is refused, and stays as it is") {
    scratch_directory const scratch;
    program const on;
    auto const options = options_for(scratch.path() + "/state");
    static_cast<void>(run(on, options));
    std::string const kept = text_of(options.replay_file);
    auto const refused = [&](ran const& of, std::string_view what) {
        auto const why = first_problem(of.report);
        CHECK(why.code == errc::replay_mismatch);
        CHECK(has(why.what, what));
        CHECK(has(why.remedy, "remove the file"));
        CHECK(of.executions == 1); // the program runs on
        CHECK(text_of(options.replay_file) == kept);
    };
    refused(run(on, options, listed(5)), "other metrics");
    refused(run(on, options_for(options.replay_file, 9)), "other options");
    program const other{"gh100,passes"};
    refused(run(other, options), "another device");
}

TEST_CASE("application replay: a file that was cut off or changed is refused wherever it was, and a removed one begins "
          "anew") {
    scratch_directory const scratch;
    program const on;
    auto const options = options_for(scratch.path() + "/state");
    static_cast<void>(run(on, options));
    std::string const kept = text_of(options.replay_file);
    REQUIRE(kept.size() > 1000);
    for (std::size_t part = 0; part < 8; ++part) {
        std::size_t const at = kept.size() * part / 8;
        write(options.replay_file, kept.substr(0, at));
        CHECK(first_problem(run(on, options).report).code == errc::invalid_argument);
        std::string changed = kept;
        changed[at] = static_cast<char>(changed[at] ^ 1);
        write(options.replay_file, changed);
        auto const why = first_problem(run(on, options).report);
        CHECK(why.code == errc::invalid_argument);
        CHECK(has(why.what, "state\""));
        CHECK(text_of(options.replay_file) == changed);
    }
    REQUIRE(std::remove(options.replay_file.c_str()) == 0);
    CHECK(first_problem(run(on, options).report).what.starts_with("pass 1 of "));
}

TEST_CASE("application replay: an abandoned loop keeps nothing, and the next process repeats its pass") {
    scratch_directory const scratch;
    program const on;
    auto const options = options_for(scratch.path() + "/state");
    static_cast<void>(run(on, options));
    std::string const kept = text_of(options.replay_file);
    {
        gpuprof::profiler prof{on.gpu, options, listed()};
        for ([[maybe_unused]] auto const& pass : prof.passes()) {
            gpuprof::scope const outer{prof, "outer"};
            break;
        }
        CHECK(has(first_problem(prof.report()).what, "abandoned"));
    }
    CHECK(text_of(options.replay_file) == kept);
    CHECK(first_problem(run(on, options).report).what.starts_with("pass 2 of "));
}

TEST_CASE("application replay: another process that went on meanwhile is noticed, and its pass stays") {
    scratch_directory const scratch;
    program const on;
    auto const options = options_for(scratch.path() + "/state");
    static_cast<void>(run(on, options));
    std::string const first = text_of(options.replay_file);
    static_cast<void>(run(on, options));
    std::string const second = text_of(options.replay_file);
    for (bool const is_first_pass : {false, true}) {
        if (is_first_pass) REQUIRE(std::remove(options.replay_file.c_str()) == 0);
        else write(options.replay_file, first);
        auto const late = run(on, options, listed(), [&](gpuprof::profiler& prof) {
            on.work(prof);
            write(options.replay_file, second);
        });
        auto const why = first_problem(late.report);
        CHECK(why.code == errc::replay_mismatch);
        CHECK(has(why.what, "was changed while this pass ran"));
        CHECK(text_of(options.replay_file) == second);
    }
}

TEST_CASE("application replay: what cannot be replayed so is refused with what to do") {
    program const on;
    auto const nameless = gpuprof::profiler::try_create(on.gpu, options_for(""), listed());
    REQUIRE_FALSE(nameless);
    CHECK(nameless.error().code == errc::invalid_argument);
    CHECK(has(nameless.error().remedy, "replay_file"));
    // A folder that is not there.
    auto const lost = run(on, options_for("/nonexistent/folder/state"));
    CHECK(first_problem(lost.report).code == errc::io);
    CHECK(lost.executions == 1);
}

TEST_CASE("application replay: a program without what keeps passes in a file is told to include it") {
    program run;
    gpuprof::profiler_options options;
    options.replay = gpuprof::replay_mode::application;
    options.replay_file = "unused";
    auto const* const kept = std::exchange(gpuprof::detail::program_replay_store, nullptr);
    auto const list = listed();
    auto const refused = gpuprof::profiler::try_create(run.gpu, options, list);
    gpuprof::detail::program_replay_store = kept;
    REQUIRE_FALSE(refused);
    CHECK(refused.error().code == errc::unavailable);
    CHECK(refused.error().remedy.find("gpuprof/saved.hpp") != std::string::npos);
    CHECK(gpuprof::profiler::try_create(run.gpu, options, list));
}

TEST_CASE("zero runs: bytes come back as they were, whatever their length, and other bytes are refused") {
    using gpuprof::detail::with_zero_runs;
    using gpuprof::detail::without_zero_runs;
    using bytes = std::vector<std::uint8_t>;
    constexpr std::size_t most = 1 << 20;
    std::uint32_t seed = 1;
    std::size_t compared = 0;
    for (std::size_t size = 0; size < 300; ++size)
        for (unsigned const zeros : {0u, 1u, 7u, 40u}) { // of 41 bytes or so
            bytes original(size);
            for (auto& each : original) {
                seed = seed * 1'664'525 + 1'013'904'223;
                each = (seed >> 16) % 41 < zeros ? std::uint8_t{0} : static_cast<std::uint8_t>(seed >> 24);
            }
            auto const back = with_zero_runs(without_zero_runs(original), most);
            REQUIRE(back);
            CHECK(*back == original);
            ++compared;
        }
    CHECK(compared == 1'200);
    bytes sparse(100'000);
    sparse[40'000] = 1;
    bytes const coded = without_zero_runs(sparse);
    CHECK(coded.size() < 64);
    CHECK_FALSE(with_zero_runs(coded, sparse.size() - 1)); // more than the most
    std::size_t refused = 0;
    for (std::size_t size = 0; size < coded.size(); ++size)
        refused += !with_zero_runs({coded.begin(), coded.begin() + static_cast<std::ptrdiff_t>(size)}, most);
    CHECK(refused == coded.size());
    bytes longer = coded;
    longer.insert(longer.end(), 8, 0);
    CHECK_FALSE(with_zero_runs(longer, most));
    bytes huge = coded; // runs are added up before there is room for them
    huge[7] = 0x10;
    CHECK_FALSE(with_zero_runs(huge, std::size_t{1} << 62));
    for (std::size_t at = 8; at < 24; ++at) { // numbers of words that are not there
        bytes wrong = coded;
        wrong[at] = 0xff;
        auto const read = with_zero_runs(wrong, most);
        CHECK_FALSE((read && *read == sparse));
    }
}

} // namespace application_replay_test

#endif // GPUPROF_EXCEPTIONS
