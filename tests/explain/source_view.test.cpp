// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// explain/source_view.hpp, measure_lines.hpp and finding_lines.hpp on the embedded GPU: kernels with a flaw each, whose counts
// follow from their text, and the lines that findings name.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gpuprof/explain_lines.hpp>
#include <gpuprof/gpuprof.hpp>
#include <gpuprof/hw/counters/event/gpu_stopwatch.hpp>
#include <gpuprof/sim.hpp>

#include "support/scratch_directory.hpp"

namespace source_view_test {

namespace abi = gpuprof::abi;
namespace explain = gpuprof::explain;
namespace hw = gpuprof::hw;
using explain::source_column;
using explain::source_counts;
using explain::source_instruction;
using explain::source_line;
using explain::source_view;

namespace {

// columns reads words 128 bytes apart at line 3 and writes words side by side at line 4; banks stores to one bank at line 11;
// parts has threads that leave a loop one by one at line 21; room writes to local memory at line 31.
std::string kernels(std::string const& folder) {
    return R"(.version 7.0
.target sm_70
.address_size 64
.file 1 ")" +
           folder + R"(/flaws.cu"
.file 2 ")" +
           folder + R"(/scale.hpp"
.visible .entry columns(.param .u64 from, .param .u64 to) {
    .reg .u32 %r<4>; .reg .u64 %d<7>; .reg .f32 %f<3>;
    .loc 1 2 5
    mov.u32 %r1, %tid.x;
    ld.param.u64 %d1, [from];
    ld.param.u64 %d2, [to];
    mul.wide.u32 %d3, %r1, 128;
    add.u64 %d4, %d1, %d3;
    mul.wide.u32 %d5, %r1, 4;
    add.u64 %d6, %d2, %d5;
    .loc 1 3 5
    ld.global.f32 %f1, [%d4];
    .loc 2 7 1, function_name $L__info_string0, inlined_at 1 4 9
    fma.rn.f32 %f2, %f1, 0f40400000, 0f3F800000;
    .loc 1 4 5
    st.global.f32 [%d6], %f2;
    .loc 1 5 1
    ret;
}
.visible .entry banks(.param .u64 from, .param .u64 to) {
    .reg .u32 %r<6>;
    .shared .align 16 .b8 tile[8192];
    .loc 1 10 5
    mov.u32 %r1, %tid.x;
    mov.u32 %r2, tile;
    shl.b32 %r3, %r1, 7;
    add.u32 %r4, %r2, %r3;
    .loc 1 11 5
    st.shared.u32 [%r4], %r1;
    .loc 1 12 5
    bar.sync 0;
    .loc 1 13 1
    ret;
}
.visible .entry parts(.param .u64 from, .param .u64 to) {
    .reg .u32 %r<4>; .reg .u64 %d<4>; .reg .f32 %f<3>; .reg .pred %p<2>;
    .loc 1 20 5
    mov.u32 %r1, %tid.x;
    and.b32 %r2, %r1, 31;
    add.u32 %r2, %r2, 1;
    mov.f32 %f1, 0f3F800000;
again:
    .loc 1 21 9
    fma.rn.f32 %f1, %f1, 0f40400000, 0f3F800000;
    .loc 1 22 9
    sub.u32 %r2, %r2, 1;
    setp.ne.u32 %p1, %r2, 0;
    @%p1 bra again;
    .loc 1 23 5
    ld.param.u64 %d1, [to];
    mul.wide.u32 %d2, %r1, 4;
    add.u64 %d3, %d1, %d2;
    st.global.f32 [%d3], %f1;
    .loc 1 24 1
    ret;
}
.visible .entry room(.param .u64 from, .param .u64 to) {
    .local .align 4 .b8 words[16];
    .reg .u32 %r<4>; .reg .u64 %d<3>;
    .loc 1 30 5
    mov.u32 %r1, %tid.x;
    .loc 1 31 5
    st.local.u32 [words], %r1;
    .loc 1 32 1
    ret;
}
)";
}
constexpr unsigned blocks = 2, threads = 64, warps = blocks * threads / 32;

gpuprof::device open(std::string_view chip = "9.0") {
    auto opened = gpuprof::sim::open_embedded(chip);
    REQUIRE_MESSAGE(opened, (opened ? std::string{} : opened.error().message()));
    return *std::move(opened);
}
template <class T>
T got(gpuprof::result<T> from) {
    REQUIRE_MESSAGE(from, (from ? std::string{} : from.error().message()));
    return *std::move(from);
}

class flawed_kernels {
public:
    explicit flawed_kernels(gpuprof::device const& gpu, std::string const& folder = "/no/such/folder") : gpu_{gpu} {
        hw::context_scope const here{gpu.driver(), gpu.context()};
        REQUIRE(gpu.driver().ModuleLoadData(&module_, kernels(folder).c_str()) == abi::CUDA_SUCCESS);
        REQUIRE(gpu.driver().MemAlloc(&memory_, 1 << 20) == abi::CUDA_SUCCESS);
    }
    ~flawed_kernels() {
        hw::context_scope const here{gpu_.driver(), gpu_.context()};
        gpu_.driver().ModuleUnload(module_);
        gpu_.driver().MemFree(memory_);
    }
    flawed_kernels(flawed_kernels const&) = delete;
    flawed_kernels& operator=(flawed_kernels const&) = delete;

    void launch(char const* name, unsigned grid = blocks) {
        hw::context_scope const here{gpu_.driver(), gpu_.context()};
        abi::CUfunction function = nullptr;
        REQUIRE(gpu_.driver().ModuleGetFunction(&function, module_, name) == abi::CUDA_SUCCESS);
        std::uint64_t from = memory_, to = memory_ + (1 << 19);
        void* list[]{&from, &to};
        REQUIRE(gpu_.driver().LaunchKernel(function, grid, 1, 1, threads, 1, 1, 0, nullptr, list, nullptr) ==
                abi::CUDA_SUCCESS);
    }
    void launch_all() {
        for (char const* const each : {"columns", "banks", "parts", "room"}) launch(each);
    }

private:
    gpuprof::device const& gpu_;
    abi::CUmodule module_ = nullptr;
    abi::CUdeviceptr memory_ = 0;
};

source_line const* find_line(source_view const& view, std::string_view file, std::uint32_t number) {
    for (auto const& each : view.files)
        for (auto const& line : each.lines)
            if (std::string_view{each.path}.ends_with(file) && line.line == number) return &line;
    return nullptr;
}
std::uint64_t value(source_counts const& of, std::string_view column) {
    source_column const* const found = explain::find_source_column(column);
    REQUIRE(found != nullptr);
    return found->of(of);
}
std::uint64_t value(source_view const& view, std::uint32_t line, std::string_view column) {
    source_line const* const found = find_line(view, "/flaws.cu", line);
    REQUIRE_MESSAGE(found != nullptr, line);
    return value(found->counts, column);
}

} // namespace

TEST_CASE("source view: lines count what the kernels' text says") {
    auto const gpu = open();
    auto const code = got(gpuprof::module_code::try_watch(gpu));
    flawed_kernels kernels{gpu};
    auto const view = got(explain::try_measure_lines(gpu, code, [&] { kernels.launch_all(); }));
    CHECK(view.source == gpuprof::device_source::embedded);
    CHECK(view.how == gpuprof::fidelity::estimated);
    CHECK_FALSE(view.no_counts);
    CHECK_FALSE(view.no_samples);
    CHECK_FALSE(view.no_text);
    CHECK(view.unplaced.empty());
    for (source_column const& each : explain::source_columns) CHECK_MESSAGE(view.has(each), each.id);

    // A sector of 32 bytes for each of 32 threads, where four would do.
    CHECK(value(view, 3, "instructions") == 2 * warps); // where the kernel's memory lies is read here, and the data
    CHECK(value(view, 3, "threads") == 2 * 32 * warps);
    CHECK(value(view, 3, "global_sectors") == 32 * warps);
    CHECK(value(view, 3, "global_ideal_sectors") == 4 * warps);
    CHECK(value(view, 3, "global_excess_sectors") == 28 * warps);
    CHECK(value(view, 4, "global_sectors") == 4 * warps);
    CHECK(value(view, 4, "global_excess_sectors") == 0);
    // All threads of a warp store to one bank.
    CHECK(value(view, 11, "shared_wavefronts") == 32 * warps);
    CHECK(value(view, 11, "shared_ideal_wavefronts") == warps);
    CHECK(value(view, 11, "shared_excess_wavefronts") == 31 * warps);
    // Thread i of 32 goes round i + 1 times, its warp 32 times.
    CHECK(value(view, 21, "instructions") == 32 * warps);
    CHECK(value(view, 21, "threads") == (32 * 33 / 2) * warps);
    CHECK(value(view, 21, "idle_threads") == (32 * 32 - 32 * 33 / 2) * warps);
    CHECK(value(view, 22, "divergent_branches") == 31 * warps); // one thread leaves each time, and at last nobody stays
    // A word of each of 32 threads: 128 bytes.
    CHECK(value(view, 31, "local_sectors") == 4 * warps);
    CHECK(value(view, 31, "global_sectors") == 0);
}

TEST_CASE("source view: instructions have their PTX below the line, and the call through which they were inlined") {
    auto const gpu = open();
    scratch_directory const folder;
    std::ofstream{folder.path() + "/flaws.cu"} << "one\ntwo\nthe load\r\nthe store\n";
    auto const code = got(gpuprof::module_code::try_watch(gpu));
    flawed_kernels kernels{gpu, folder.path()};
    auto const view = got(explain::try_measure_lines(gpu, code, [&] { kernels.launch("columns"); }));
    REQUIRE(view.files.size() == 2);
    source_line const* const load = find_line(view, "/flaws.cu", 3);
    REQUIRE(load != nullptr);
    CHECK(load->text == "the load");
    REQUIRE(load->instructions.size() == 1);
    CHECK(load->instructions[0].function == "columns");
    CHECK(load->instructions[0].text == "ld.global.f32 %f1, [%d4]");
    CHECK(load->instructions[0].inlined_at.empty());
    source_line const* const scale = find_line(view, "/scale.hpp", 7);
    REQUIRE(scale != nullptr);
    CHECK(scale->text.empty()); // there is no such file
    REQUIRE(scale->instructions.size() == 1);
    CHECK(scale->instructions[0].text == "fma.rn.f32 %f2, %f1, 0f40400000, 0f3F800000");
    CHECK(scale->instructions[0].inlined_at ==
          std::vector<gpuprof::source_location>{{"", folder.path() + "/flaws.cu", 4}});
    for (auto const& file : view.files) CHECK(file.could_be_read == (file.path == folder.path() + "/flaws.cu"));
}

TEST_CASE("source view: what a file counts is the sum of its lines, and a line's that of its instructions") {
    auto const gpu = open();
    auto const code = got(gpuprof::module_code::try_watch(gpu));
    flawed_kernels kernels{gpu};
    explain::measure_lines_options options;
    options.sampling.period = 5;
    auto const view = got(explain::try_measure_lines(
        gpu, code, [&] { kernels.launch_all(); }, options));
    std::vector<std::uint64_t> whole(std::size(explain::source_metrics));
    std::uint64_t samples = 0, stalled = 0;
    for (auto const& file : view.files)
        for (source_line const& line : file.lines)
            for (source_instruction const& each : line.instructions) {
                for (std::size_t m = 0; m < whole.size(); ++m)
                    whole[m] += each.counts.*explain::source_metrics[m].counts;
                samples += each.counts.samples;
                for (auto const& stall : each.counts.stalls) stalled += stall.samples;
            }
    for (std::size_t m = 0; m < whole.size(); ++m) CHECK(whole[m] == view.counts.*explain::source_metrics[m].counts);
    CHECK(samples == view.counts.samples);
    CHECK(samples > 0);
    CHECK(stalled == samples);
    double hottest = 0;
    for (auto const& file : view.files)
        for (source_line const& line : file.lines) hottest = std::max(hottest, view.heat(line.counts));
    CHECK(hottest == 1);
}

TEST_CASE("finding lines: each flaw is at its line, of its kernel") {
    auto const gpu = open();
    auto const code = got(gpuprof::module_code::try_watch(gpu));
    flawed_kernels kernels{gpu};
    auto const view = got(explain::try_measure_lines(gpu, code, [&] { kernels.launch_all(); }));
    using lines = std::vector<std::string>;
    CHECK(explain::costliest_lines("uncoalesced_global_access", view) == lines{"flaws.cu:3"});
    CHECK(explain::costliest_lines("shared_bank_conflicts", view) == lines{"flaws.cu:11"});
    CHECK(explain::costliest_lines("local_memory", view) == lines{"flaws.cu:31"});
    auto const divergent = explain::costliest_lines("thread_divergence", view);
    REQUIRE(!divergent.empty());
    CHECK((divergent[0] == "flaws.cu:21" || divergent[0] == "flaws.cu:22")); // the loop
    CHECK(explain::costliest_lines("narrow_access", view, {"columns", {"columns", "banks", "parts", "room"}}) ==
          lines{"flaws.cu:3", "flaws.cu:4"});
    CHECK(explain::costliest_lines("uncoalesced_global_access", view, {"banks", {"columns", "banks"}}).empty());
    CHECK(explain::costliest_lines("small_grid", view).empty()); // of no line
    CHECK(explain::costliest_lines("no such finding", view).empty());
    CHECK(explain::costliest_lines("narrow_access", view, {}, 1).size() == 1);
}

TEST_CASE("finding lines: every finding that has a column has one that exists, and every such finding is a rule's") {
    for (explain::finding_column const& each : explain::finding_columns) {
        CAPTURE(each.finding);
        CHECK(explain::find_rule(each.finding) != nullptr);
        CHECK((!each.column.empty() || !each.stall.empty()));
        if (!each.column.empty()) CHECK(explain::find_source_column(each.column) != nullptr);
        if (!each.stall.empty()) CHECK(gpuprof::find_stall_reason(each.stall) != gpuprof::stall_reason::unknown);
    }
}

TEST_CASE("finding lines: an explanation of several kernels gets the lines of each") {
    auto const gpu = open();
    auto const code = got(gpuprof::module_code::try_watch(gpu));
    flawed_kernels kernels{gpu};
    auto const work = [&] {
        kernels.launch("columns", 512);
        kernels.launch("banks", 512);
    };
    auto const view = got(explain::try_measure_lines(gpu, code, work));
    auto why = got(explain::try_measure(gpu, explain::set::full, work));
    for (auto const& each : why.findings()) CHECK(each.lines.empty());
    why.locate(view);
    std::size_t found = 0;
    for (auto const& each : why.findings()) {
        if (each.id == "uncoalesced_global_access") {
            CHECK(each.path == "columns");
            CHECK(each.lines == std::vector<std::string>{"flaws.cu:3"});
            ++found;
        }
        if (each.id == "shared_bank_conflicts") {
            CHECK(each.path == "banks");
            CHECK(each.lines == std::vector<std::string>{"flaws.cu:11"});
            ++found;
        }
        if (each.id == "small_grid") CHECK(each.lines.empty());
    }
    CHECK(found == 2);

    // The page has the lines of each kernel below its range.
    auto const part = explain::lines_of_range(view, why.report(), 0);
    REQUIRE(part.files.size() == 2);
    CHECK(find_line(part, "/flaws.cu", 3) != nullptr);
    CHECK(find_line(part, "/scale.hpp", 7) != nullptr);
    CHECK(find_line(part, "/flaws.cu", 11) == nullptr);
    CHECK(value(part.counts, "global_sectors") == (32 + 4) * 512 * threads / 32);
    CHECK(value(part.counts, "shared_wavefronts") == 0);
    CHECK(find_line(explain::lines_of_range(view, why.report(), 1), "/flaws.cu", 11) != nullptr);
    gpuprof::io::page_options options;
    options.parts.push_back(gpuprof::io::source_part(view));
    std::string const page = gpuprof::io::page(why, options);
    CHECK(page.find("/scale.hpp (could not be read)</caption>") != page.npos);
    CHECK(page.find("st.shared.u32 [%r4], %r1") != page.npos);
}

TEST_CASE("finding lines: a range with a name of its own has the lines of all kernels") {
    auto const gpu = open();
    auto const code = got(gpuprof::module_code::try_watch(gpu));
    flawed_kernels kernels{gpu};
    auto const work = [&] {
        kernels.launch("columns", 512);
        kernels.launch("banks", 512);
    };
    auto const view = got(explain::try_measure_lines(gpu, code, work));
    gpuprof::profiler_options options;
    auto why = got(explain::try_measure(gpu, explain::set::full, work, options));
    why.locate(view);
    explain::finding const* const found = why.find("uncoalesced_global_access");
    REQUIRE(found != nullptr);
    CHECK(found->path == "work");
    CHECK(found->lines == std::vector<std::string>{"flaws.cu:3"});
    CHECK(explain::lines_of_range(view, why.report(), 0).counts.shared_wavefronts == view.counts.shared_wavefronts);
}

TEST_CASE("source view: samples of one run and counts of another are joined by instruction") {
    auto const gpu = open();
    auto const code = got(gpuprof::module_code::try_watch(gpu));
    flawed_kernels kernels{gpu};
    auto const work = [&] { kernels.launch_all(); };
    explain::measure_lines_options sampled, counted;
    sampled.with_counts = false;
    counted.with_samples = false;
    auto both = got(explain::try_measure_lines(gpu, code, work, sampled));
    auto const counts = got(explain::try_measure_lines(gpu, code, work, counted));
    std::uint64_t const samples = both.counts.samples;
    CHECK(samples > 0);
    REQUIRE(both.try_merge(counts));
    CHECK_FALSE(both.no_counts);
    CHECK_FALSE(both.no_samples);
    CHECK(both.counts.samples == samples);
    CHECK(value(both, 3, "global_sectors") == 32 * warps);
    CHECK(value(both, 11, "shared_wavefronts") == 32 * warps);
    CHECK(both.hottest <= samples);
    REQUIRE(both.try_merge(counts)); // another process did the same
    CHECK(value(both, 3, "global_sectors") == 2 * 32 * warps);
    source_line const* const load = find_line(both, "/flaws.cu", 3);
    REQUIRE(load != nullptr);
    CHECK(load->instructions.size() == 1);
    std::uint32_t before = 0;
    for (source_line const& line : both.files.front().lines) CHECK(std::exchange(before, line.line) < line.line);

    source_view other = counts;
    other.chip = "GA100";
    CHECK_FALSE(both.try_merge(other));
    CHECK(both.counts.samples == samples);
}

TEST_CASE("source view: what cannot be counted or sampled is said, and what has no line keeps its counts") {
    auto const gpu = open();
    flawed_kernels kernels{gpu};
    auto const unseen = got(gpuprof::module_code::try_open(gpu));
    explain::measure_lines_options options;
    options.with_samples = false;
    std::size_t runs = 0;
    auto const view = got(explain::try_measure_lines(
        gpu, unseen,
        [&] {
            ++runs;
            kernels.launch_all();
        },
        options));
    CHECK(runs == 1);
    REQUIRE(view.no_samples);
    CHECK(view.no_samples->code == gpuprof::errc::not_collected);
    CHECK(view.files.empty());
    CHECK(view.unplaced.size() == 4);
    auto const why = got(explain::try_measure(gpu, explain::set::basic, [&] { kernels.launch_all(); }));
    auto const banks = explain::lines_of_range(view, why.report(), 1);
    REQUIRE(banks.unplaced.size() == 1); // what the kernel's page says
    CHECK(banks.unplaced[0].function == "banks");
    CHECK(value(banks.counts, "shared_wavefronts") == 32 * warps);
    std::uint64_t unplaced = 0;
    for (auto const& each : view.unplaced) unplaced += each.counts.global_sectors;
    CHECK(unplaced == view.counts.global_sectors);
    CHECK(unplaced == (32 + 4 + 4) * warps); // columns and parts
    CHECK_FALSE(view.has(*explain::find_source_column("samples")));

    options.with_counts = false;
    auto const neither = explain::try_measure_lines(
        gpu, unseen, [&] { ++runs; }, options);
    REQUIRE_FALSE(neither);
    CHECK(neither.error().code == gpuprof::errc::not_collected);
    CHECK(runs == 1);

    auto const old = open("7.0"); // samples, but no counts of instructions
    auto const code = got(gpuprof::module_code::try_watch(old));
    flawed_kernels on_old{old};
    options = {};
    options.sampling.period = 5; // the kernels are short
    auto const sampled = got(explain::try_measure_lines(
        old, code, [&] { on_old.launch_all(); }, options));
    REQUIRE(sampled.no_counts);
    CHECK(sampled.no_counts->code == gpuprof::errc::unavailable);
    CHECK_FALSE(sampled.has(*explain::find_source_column("instructions")));
    // The instruction that uses the loaded value, in a function that was inlined.
    CHECK(explain::costliest_lines("uncoalesced_global_access", sampled,
                                   {"columns", {"columns", "banks", "parts", "room"}}) ==
          std::vector<std::string>{"scale.hpp:7 inlined at flaws.cu:4 (where warps wait)"});
    CHECK(explain::costliest_lines("thread_divergence", sampled).empty()); // no stall tells
}

} // namespace source_view_test
