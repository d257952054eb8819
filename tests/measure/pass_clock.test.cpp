// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Times of passes: alike where the code does the same in each, and a problem of the report where it does not.
#include <gpuprof/detail/config.hpp>

#if GPUPROF_EXCEPTIONS // written with the throwing spellings, which do not exist without them

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include <doctest/doctest.h>

#include <gpuprof/gpuprof.hpp>
#include <gpuprof/io/json.hpp>
#include <gpuprof/measure/pass_problems.hpp>
#include <gpuprof/saved.hpp>
#include <gpuprof/sim.hpp>

namespace pass_clock_test {

namespace abi = gpuprof::abi;
namespace sim = gpuprof::sim;
using gpuprof::scope;
using gpuprof::metrics::ffma_thread_inst; // takes a pass of its own
constexpr auto instructions = gpuprof::metric<"smsp__inst_executed.sum">;

namespace {

// One thread turns in a loop as often as it is told: same name, same configuration, other work.
constexpr char spin_ptx[] = R"(
.version 7.0
.target sm_52
.address_size 64
.visible .entry spin(.param .u32 turns) {
    .reg .u32 %n<1>; .reg .pred %p<1>;
    ld.param.u32 %n0, [turns];
more:
    sub.u32 %n0, %n0, 1;
    setp.ne.u32 %p0, %n0, 0;
    @%p0 bra more;
    ret;
}
)";

struct spinner {
    gpuprof::device gpu = sim::open_embedded("gv100", sim::collection::in_passes).value();
    abi::CUmodule module = nullptr;
    abi::CUfunction spin = nullptr;

    spinner() {
        auto const& d = gpu.driver();
        REQUIRE(d.CtxPushCurrent(gpu.context()) == abi::CUDA_SUCCESS);
        REQUIRE(d.ModuleLoadData(&module, spin_ptx) == abi::CUDA_SUCCESS);
        REQUIRE(d.ModuleGetFunction(&spin, module, "spin") == abi::CUDA_SUCCESS);
    }
    spinner(spinner const&) = delete;
    spinner& operator=(spinner const&) = delete;
    ~spinner() {
        gpu.driver().ModuleUnload(module);
        abi::CUcontext popped = nullptr;
        gpu.driver().CtxPopCurrent(&popped);
    }
    void operator()(std::uint32_t turns, abi::CUstream stream = nullptr) {
        void* arguments[]{&turns};
        REQUIRE(gpu.driver().LaunchKernel(spin, 1, 1, 1, 1, 1, 1, 0, stream, arguments, nullptr) == abi::CUDA_SUCCESS);
    }
    template <class Body>
    gpuprof::report measure(gpuprof::profiler_options const& options, Body body) {
        gpuprof::profiler prof{gpu, options, instructions, ffma_thread_inst};
        REQUIRE(prof.passes_needed() == 2);
        std::uint32_t run = 0;
        for ([[maybe_unused]] auto const& pass : prof.passes()) body(prof, run++);
        return prof.report();
    }
};

bool has(std::string_view text, std::string_view part) { return text.find(part) != text.npos; }

} // namespace

TEST_CASE("pass times: passes of the same work take the same, and nothing is said of it") {
    spinner spin;
    auto const report = spin.measure({}, [&](auto& prof, std::uint32_t) {
        scope const range{prof, "spin"};
        spin(2000);
    });
    CHECK(report.complete());
    auto const times = report["spin"].pass_times();
    CHECK(times.passes == 2);
    CHECK(times.shortest > gpuprof::nanoseconds{1000}); // 6000 instructions one after the other, below 2 GHz
    CHECK(times.spread() == 0);
    CHECK_FALSE(has(gpuprof::io::table(report), "passes took"));
}

TEST_CASE("pass times: a kernel that does other work in each pass is a problem that names the range and its times") {
    spinner spin;
    auto const body = [&](auto& prof, std::uint32_t run) {
        scope const range{prof, "frame"};
        {
            scope const same{prof, "same"};
            spin(100);
        }
        scope const other{prof, "other"};
        spin(run % 2 == 0 ? 1000 : 19'000);
    };
    gpuprof::profiler_options options;
    options.max_ranges = 3; // no survey
    options.nesting_levels = 2;
    auto const report = spin.measure(options, body);
    REQUIRE(report.completeness().replay_passes >= 2);
    auto const& problems = report.completeness().problems;
    std::size_t unlike = 0;
    for (auto const& each : problems)
        if (has(each.what, "passes are not alike: \"frame\" took ")) {
            ++unlike;
            CHECK(each.code == gpuprof::errc::replay_mismatch);
            CHECK(has(each.remedy, "profiler_options::memory"));
        }
    CHECK(unlike == 1);
    auto const times = report["frame"].pass_times();
    CHECK(times.spread() > 0.7); // (19 - 1) / (19 + 1), less what starting the kernels takes
    CHECK(times.spread() < 0.9);
    CHECK(report["frame/other"].pass_times().longest == times.longest); // of the outermost range
    CHECK(has(gpuprof::io::json(report), "\"pass_times\":{\"passes\":"));
    CHECK(has(gpuprof::io::csv(report), ",spread of passes [ratio]\r\n"));
    CHECK(has(gpuprof::io::table(report), " over frame: values of several passes are +- "));

    options.most_spread = 1; // whatever they took
    CHECK(spin.measure(options, body)["frame"].pass_times().passes >= 2);
    for (auto const& each : spin.measure(options, body).completeness().problems) CHECK_FALSE(has(each.what, "alike"));
    options.most_spread = 0;
    auto const untimed = spin.measure(options, body);
    CHECK(untimed["frame"].pass_times().passes == 0);
    CHECK_FALSE(has(gpuprof::io::csv(untimed), "spread"));
}

TEST_CASE("pass times: of several outermost ranges the one that differs is named, and repetitions are added up") {
    spinner spin;
    auto const report = spin.measure({}, [&](auto& prof, std::uint32_t run) {
        for (int i = 0; i < 4; ++i) {
            scope const range{prof, "steady"};
            spin(5000);
        }
        scope const range{prof, "wild"};
        spin(run % 2 == 0 ? 1000 : 40'000);
    });
    REQUIRE(report.completeness().problems.size() == 1);
    CHECK(has(report.completeness().problems[0].what, "\"wild\" took "));
    auto const steady = report["steady"].pass_times(), wild = report["wild"].pass_times();
    CHECK(steady.spread() == 0);
    CHECK(steady.shortest < wild.longest); // 20,000 turns and 40,000
    CHECK(2.2 * steady.shortest > wild.longest);
}

TEST_CASE("pass times: one pass has nothing to compare with") {
    spinner spin;
    gpuprof::profiler prof{spin.gpu, instructions};
    for ([[maybe_unused]] auto const& pass : prof.passes()) {
        scope const range{prof, "spin"};
        spin(100);
    }
    auto const report = prof.report();
    CHECK(report["spin"].pass_times().passes == 0);
    CHECK(report["spin"].pass_times().spread() != report["spin"].pass_times().spread()); // NaN
}

TEST_CASE("pass times: of automatic ranges those of the whole pass") {
    spinner spin;
    gpuprof::profiler_options options;
    options.ranges = gpuprof::range_mode::auto_range;
    auto const report = spin.measure(options, [&](auto&, std::uint32_t run) {
        spin(100);
        spin(run % 2 == 0 ? 100 : 20'000);
    });
    REQUIRE(report.size() == 1);
    CHECK(report["spin"].pass_times().passes == 2);
    CHECK(report["spin"].pass_times().spread() > 0.5);
    REQUIRE(report.completeness().problems.size() == 1);
    CHECK(has(report.completeness().problems[0].what, "passes are not alike"));
}

TEST_CASE("pass times: a stream that is captured while a range opens is left alone") {
    spinner spin;
    auto const& d = spin.gpu.driver();
    abi::CUstream stream = nullptr;
    REQUIRE(d.StreamCreate(&stream, 0) == abi::CUDA_SUCCESS);
    auto const report = spin.measure({}, [&](auto& prof, std::uint32_t) {
        REQUIRE(d.StreamBeginCapture(stream, abi::CU_STREAM_CAPTURE_MODE_RELAXED) == abi::CUDA_SUCCESS);
        abi::CUgraph graph = nullptr;
        {
            scope const range{prof, "captured"};
            spin(100, stream);
        }
        CHECK(d.StreamEndCapture(stream, &graph) == abi::CUDA_SUCCESS); // an invalidated capture ends with an error
        CHECK(graph != nullptr);
        d.GraphDestroy(graph);
    });
    CHECK(report["captured"].pass_times().passes == 0);
    d.StreamDestroy(stream);
}

TEST_CASE("pass times: more ranges than are timed have no times, and measuring goes on") {
    spinner spin;
    gpuprof::profiler_options options;
    auto const report = spin.measure(options, [&](auto& prof, std::uint32_t) {
        for (std::size_t i = 0; i <= gpuprof::detail::pass_clock::most_ranges; ++i) {
            scope const range{prof, "many"};
            spin(1);
        }
    });
    CHECK(report.complete());
    CHECK(report["many"].pass_times().passes == 0);
    CHECK(report["many"][instructions].value() > 0);
}

TEST_CASE("pass times: a measurement has their spread, and a saved report keeps them") {
    spinner spin;
    std::uint32_t run = 0;
    auto const steady = gpuprof::measure(
        spin.gpu, [&] { spin(1000); }, instructions, ffma_thread_inst);
    CHECK(steady.spread() == 0);
    auto const wild = gpuprof::measure(
        spin.gpu, [&] { spin(run++ == 0 ? 1000 : 2000); }, instructions, ffma_thread_inst);
    CHECK(wild.spread() > 0.1); // below the limit of 0.5: (2 - 1) / (2 + 1) less the start
    CHECK(wild.spread() < 0.34);
    auto const alone = gpuprof::measure(
        spin.gpu, [&] { spin(1000); }, instructions);
    CHECK(alone.spread() != alone.spread()); // NaN: one pass

    gpuprof::profiler_options options;
    options.most_spread = 1;
    auto const report = spin.measure(options, [&](auto& prof, std::uint32_t pass) {
        scope const range{prof, "spin"};
        spin(pass % 2 == 0 ? 1000 : 5000);
    });
    auto const text = gpuprof::saved_text(report);
    auto const read = gpuprof::try_parse_report(text);
    REQUIRE(read);
    CHECK((*read)["spin"].pass_times().passes == 2);
    CHECK((*read)["spin"].pass_times().longest == report["spin"].pass_times().longest);
    CHECK((*read)["spin"].pass_times().shortest == report["spin"].pass_times().shortest);
}

TEST_CASE("pass times: on a GPU, differences that opening a range makes are no problem") {
    // What a GPU does and the embedded one does not: by hand.
    gpuprof::report::contents contents;
    contents.source = gpuprof::device_source::hardware;
    contents.ranges.push_back({"a", gpuprof::report::range::top, 1, {}});
    auto& times = contents.ranges[0].pass_times;
    times = {3, gpuprof::nanoseconds{1000}, gpuprof::nanoseconds{1'500'000}};
    gpuprof::detail::add_unlike_passes(contents, 0.5);
    CHECK(contents.completeness.problems.empty()); // opening a range on a GPU takes as long
    times.longest = gpuprof::nanoseconds{15'000'000};
    gpuprof::detail::add_unlike_passes(contents, 0.5);
    REQUIRE(contents.completeness.problems.size() == 1);
    CHECK(contents.completeness.problems[0].what == "passes are not alike: \"a\" took 1 to 15,000 us in 3 passes");
}

} // namespace pass_clock_test

#endif // GPUPROF_EXCEPTIONS
