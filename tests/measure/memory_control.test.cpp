// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// profiler_options::memory: a kernel that changes its input does the same work in each pass, or not.
#include <gpuprof/detail/config.hpp>

#if GPUPROF_EXCEPTIONS // written with the throwing spellings, which do not exist without them

#include <cstddef>
#include <cstdint>
#include <string>

#include <doctest/doctest.h>

#include <gpuprof/gpuprof.hpp>
#include <gpuprof/io/json.hpp>
#include <gpuprof/saved.hpp>
#include <gpuprof/sim.hpp>

#include "support/scratch_directory.hpp"

namespace memory_control_test {

namespace abi = gpuprof::abi;
namespace sim = gpuprof::sim;
using gpuprof::memory_control;
using gpuprof::metrics::ffma_thread_inst; // takes a pass of its own
constexpr auto instructions = gpuprof::metric<"smsp__inst_executed.sum">;

namespace {

// One thread multiplies as often as the word says, and doubles the word.
constexpr char grow_ptx[] = R"(
.version 7.0
.target sm_52
.address_size 64
.visible .entry grow(.param .u64 word) {
    .reg .u32 %n<3>; .reg .u64 %a<3>; .reg .f32 %f<2>; .reg .pred %p<1>;
    ld.param.u64 %a0, [word]; cvta.to.global.u64 %a1, %a0;
    ld.global.u32 %n0, [%a1];
    mov.u32 %n1, %n0;
    mov.f32 %f0, 0f3F800000;
more:
    fma.rn.f32 %f0, %f0, %f0, %f0;
    sub.u32 %n1, %n1, 1;
    setp.ne.u32 %p0, %n1, 0;
    @%p0 bra more;
    shl.b32 %n2, %n0, 1;
    st.global.u32 [%a1], %n2;
    st.global.f32 [%a1+4], %f0;
    ret;
}
)";

class grower {
public:
    // @param at where the word lies in memory of that size
    explicit grower(gpuprof::device const& gpu, std::size_t bytes = 8, std::size_t at = 0) : gpu_{gpu} {
        auto const& d = gpu.driver();
        REQUIRE(d.CtxPushCurrent(gpu.context()) == abi::CUDA_SUCCESS);
        REQUIRE(d.MemAlloc(&allocated_, bytes) == abi::CUDA_SUCCESS);
        at_ = allocated_ + at;
        REQUIRE(d.ModuleLoadData(&module_, grow_ptx) == abi::CUDA_SUCCESS);
        REQUIRE(d.ModuleGetFunction(&grow_, module_, "grow") == abi::CUDA_SUCCESS);
        set(8);
    }
    grower(grower const&) = delete;
    grower& operator=(grower const&) = delete;
    ~grower() {
        auto const& d = gpu_.driver();
        d.ModuleUnload(module_);
        d.MemFree(allocated_);
        abi::CUcontext popped = nullptr;
        d.CtxPopCurrent(&popped);
    }
    void operator()() {
        void* arguments[]{&at_};
        REQUIRE(gpu_.driver().LaunchKernel(grow_, 1, 1, 1, 1, 1, 1, 0, nullptr, arguments, nullptr) ==
                abi::CUDA_SUCCESS);
    }
    void set(std::uint32_t word) { REQUIRE(gpu_.driver().MemcpyHtoD(at_, &word, 4) == abi::CUDA_SUCCESS); }
    [[nodiscard]] std::uint32_t word() const {
        std::uint32_t found = 0;
        REQUIRE(gpu_.driver().MemcpyDtoH(&found, at_, 4) == abi::CUDA_SUCCESS);
        return found;
    }

private:
    gpuprof::device const& gpu_;
    abi::CUdeviceptr allocated_ = 0;
    abi::CUdeviceptr at_ = 0;
    abi::CUmodule module_ = nullptr;
    abi::CUfunction grow_ = nullptr;
};

gpuprof::report measure(gpuprof::device const& gpu, grower& grow, gpuprof::profiler_options const& options) {
    gpuprof::profiler prof{gpu, options, instructions, ffma_thread_inst};
    for ([[maybe_unused]] auto const& pass : prof.passes()) {
        gpuprof::scope const range{prof, "grow"};
        grow();
    }
    return prof.report();
}

// The truth, from one pass a metric with the word at 8: the loop runs 8 times.
template <class Metric>
double alone(gpuprof::device const& gpu, grower& grow, Metric metric) {
    grow.set(8);
    gpuprof::profiler_options options;
    options.max_ranges = 1; // no survey
    gpuprof::profiler prof{gpu, options, metric};
    REQUIRE(prof.passes_needed() == 1);
    for ([[maybe_unused]] auto const& pass : prof.passes()) {
        gpuprof::scope const range{prof, "grow"};
        grow();
    }
    return prof.report()["grow"].try_value(Metric::name()).value().value;
}

double value(gpuprof::report const& of, char const* metric) { return of["grow"].try_value(metric).value().value; }

} // namespace

TEST_CASE("memory restored: each pass of a kernel that changes its input measures the first pass's data") {
    gpuprof::device const gpu = sim::open_embedded("gv100", sim::collection::in_passes).value();
    grower grow{gpu};
    double const true_instructions = alone(gpu, grow, instructions);
    double const true_multiplications = alone(gpu, grow, ffma_thread_inst);
    REQUIRE(true_multiplications == 8);

    gpuprof::profiler_options options;
    options.compare_memory = false;
    grow.set(8);
    auto const left = measure(gpu, grow, options);
    options.compare_memory.reset();
    CHECK(left.completeness().memory_restores == 0);
    CHECK_FALSE(left.completeness().memory_compared);
    CHECK(grow.word() == 8 * 2 * 2 * 2); // a survey and two passes
    // The survey had the 8; the two passes counted the loops of 16 and of 32.
    double const multiplied = value(left, "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum");
    CHECK((multiplied == 16 || multiplied == 32));

    options.memory = memory_control::restore;
    grow.set(8);
    auto const restored = measure(gpu, grow, options);
    CHECK(restored.complete());
    CHECK(restored.completeness().memory_restores == 2);
    CHECK(restored.completeness().memory_compared);
    CHECK(value(restored, "smsp__inst_executed.sum") == true_instructions);
    CHECK(value(restored, "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum") == true_multiplications);
    CHECK(grow.word() == 16); // as after one run
    CHECK(gpuprof::io::table(restored).find("\nmemory: restored 2 times\n") != std::string::npos);

    options.max_ranges = 1; // no survey: the first pass is the first run
    grow.set(8);
    auto const without_survey = measure(gpu, grow, options);
    CHECK(without_survey.completeness().memory_restores == 1);
    CHECK(value(without_survey, "smsp__inst_executed.sum") == true_instructions);
    CHECK(value(without_survey, "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum") == true_multiplications);
    CHECK(grow.word() == 16);
}

TEST_CASE("memory restored: auto ranges, nested scopes, and a loop that is left") {
    gpuprof::device const gpu = sim::open_embedded("gv100", sim::collection::in_passes).value();
    grower grow{gpu};
    gpuprof::profiler_options options;
    options.memory = memory_control::restore;
    options.ranges = gpuprof::range_mode::auto_range;
    {
        gpuprof::profiler prof{gpu, options, instructions, ffma_thread_inst};
        REQUIRE(prof.passes_needed() == 2);
        for ([[maybe_unused]] auto const& pass : prof.passes()) grow();
        auto const report = prof.report();
        CHECK(report.complete());
        CHECK(report.size() == 1); // the restore is no kernel of the application's
        CHECK(report.completeness().memory_restores == 1);
        CHECK(value(report, "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum") == 8);
    }
    options.ranges = gpuprof::range_mode::user_range;
    grow.set(8);
    {
        gpuprof::profiler prof{gpu, options, instructions, ffma_thread_inst};
        for ([[maybe_unused]] auto const& pass : prof.passes()) {
            gpuprof::scope const outer{prof, "outer"};
            gpuprof::scope const inner{prof, "grow"};
            grow();
        }
        auto const report = prof.report();
        CHECK(report.complete());
        CHECK(report.completeness().memory_restores == 4); // after the survey, and before all passes but the first
        auto const multiplied = "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum";
        CHECK(report["outer"].try_value(multiplied).value().value == 8);
        CHECK(report["outer/grow"].try_value(multiplied).value().value == 8);
    }
    grow.set(8);
    gpuprof::profiler prof{gpu, options, instructions, ffma_thread_inst};
    for ([[maybe_unused]] auto const& pass : prof.passes()) {
        gpuprof::scope const range{prof, "grow"};
        grow();
        if (pass.measured) break;
    }
    CHECK(prof.report().completeness().memory_restores == 1);
    CHECK(grow.word() == 16);
}

TEST_CASE("what was written restored: each pass measures the first run's data, without NVIDIA's library") {
    static gpuprof::hw::machine without = sim::embedded_machine();
    without.checkpoint = nullptr;
    int const ordinal = sim::open_embedded("gv100", sim::collection::in_passes).value().ordinal();
    gpuprof::device const gpu = gpuprof::device::try_open(without, ordinal, gpuprof::device_source::embedded).value();
    grower grow{gpu, 1 << 20, 700'000};
    double const true_instructions = alone(gpu, grow, instructions);
    gpuprof::profiler_options options;
    options.memory = memory_control::restore_written;
    for (std::size_t const ranges : {0u, 1u}) { // a survey that is needed anyway, and one for the memory alone
        CAPTURE(ranges);
        options.max_ranges = ranges;
        grow.set(8);
        auto const restored = measure(gpu, grow, options);
        CHECK(restored.complete());
        CHECK(restored.completeness().memory_restores == 2);
        CHECK(restored.completeness().replay_passes == 2);
        CHECK(restored.completeness().memory_compared);
        CHECK(value(restored, "smsp__inst_executed.sum") == true_instructions);
        CHECK(value(restored, "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum") == 8);
        CHECK(grow.word() == 16); // as after one run
    }
    options.max_ranges = 0;
    options.ranges = gpuprof::range_mode::auto_range;
    grow.set(8);
    gpuprof::profiler prof{gpu, options, instructions, ffma_thread_inst};
    std::size_t unmeasured = 0;
    for (auto const& pass : prof.passes()) {
        unmeasured += !pass.measured;
        grow();
    }
    auto const report = prof.report();
    CHECK(unmeasured == 1);
    CHECK(report.complete());
    CHECK(report.size() == 1);
    CHECK(report.completeness().memory_restores == 2);
    CHECK(value(report, "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum") == 8);
}

TEST_CASE("memory restored: what it costs is said before the first measured pass, and in the report") {
    gpuprof::device const gpu = sim::open_embedded("gv100", sim::collection::in_passes).value();
    scratch_directory const folder;
    grower grow{gpu, 1 << 20, 700'000};
    grow.set(8);
    static std::string story;
    static gpuprof::restore_cost told;
    story.clear();
    gpuprof::profiler_options options;
    options.memory = memory_control::restore_written;
    options.copies = {0, 0, gpuprof::copy_limits::as_there_is_room, folder.path()};
    options.on_restore.tell = [](void*, gpuprof::restore_cost const& cost) noexcept {
        story += "restore ";
        told = cost;
    };
    options.on_pass.tell = [](void*, std::size_t done, std::size_t) noexcept { story += std::to_string(done) + ' '; };
    auto const report = measure(gpu, grow, options);
    CHECK(report.complete());
    CHECK(story == "restore 0 1 2 ");
    CHECK(told.in_file == 4096);
    CHECK(told.bytes() == 4096);
    CHECK(told.reached == 1 << 20);
    CHECK(told.milliseconds > 0);
    CHECK(report.completeness().memory_restores == 2);
    CHECK(report.completeness().restored_bytes == 4096);
    CHECK(value(report, "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum") == 8);
    CHECK(gpuprof::io::table(report).find("\nmemory: restored 2 times, 4,096 bytes each\n") != std::string::npos);
    CHECK(gpuprof::io::json(report).find("\"restored_bytes\":4096") != std::string::npos);
    CHECK(gpuprof::try_parse_report(gpuprof::saved_text(report))->completeness().restored_bytes == 4096);

    // Where there is no room it is a problem, nobody is told, and measuring goes on without.
    story.clear();
    options.copies.folder = folder.path() + "/gone";
    options.compare_memory = false;
    options.most_spread = 1;
    grow.set(8);
    auto const without = measure(gpu, grow, options);
    CHECK(story == "0 1 2 ");
    REQUIRE(without.completeness().problems.size() == 1);
    CHECK(without.completeness().problems[0].what.find("memory was not saved: 1048576 bytes") != std::string::npos);
    CHECK(without.completeness().problems[0].cause.find("/gone") != std::string::npos);
    CHECK(without.completeness().memory_restores == 0);
    CHECK(value(without, "smsp__inst_executed.sum") > 0);
}

TEST_CASE("memory restored: nothing is saved where the code runs once, or CUPTI repeats the kernels") {
    static int saves = 0;
    static abi::checkpoint_table const counted{
        [](abi::CUpti_Checkpoint*) { return ++saves, abi::CUPTI_ERROR_OUT_OF_MEMORY; },
        [](abi::CUpti_Checkpoint*) { return abi::CUPTI_ERROR_UNKNOWN; },
        [](abi::CUpti_Checkpoint*) { return abi::CUPTI_SUCCESS; }};
    static gpuprof::hw::machine other = sim::embedded_machine();
    other.checkpoint = &counted;
    static_cast<void>(sim::open_embedded("gh100").value());
    gpuprof::device const gpu = gpuprof::device::try_open(other, 0, gpuprof::device_source::embedded).value();
    grower grow{gpu};
    gpuprof::profiler_options options;
    options.memory = memory_control::restore;
    options.max_ranges = 1;
    {
        gpuprof::profiler prof{gpu, options, instructions};
        for ([[maybe_unused]] auto const& pass : prof.passes()) {
            gpuprof::scope const range{prof, "grow"};
            grow();
        }
        CHECK(prof.report().complete());
    }
    options.ranges = gpuprof::range_mode::auto_range;
    options.replay = gpuprof::replay_mode::kernel;
    {
        gpuprof::profiler prof{gpu, options, instructions};
        for ([[maybe_unused]] auto const& pass : prof.passes()) grow();
        CHECK(prof.report().complete());
    }
    CHECK(saves == 0);
    // What keeps it from being saved is a problem; the values are there.
    gpuprof::profiler_options surveyed;
    surveyed.memory = memory_control::restore;
    gpuprof::profiler prof{gpu, surveyed, instructions};
    for ([[maybe_unused]] auto const& pass : prof.passes()) {
        gpuprof::scope const range{prof, "grow"};
        grow();
    }
    CHECK(saves == 1);
    auto const report = prof.report();
    REQUIRE(report.completeness().problems.size() == 1);
    CHECK(report.completeness().problems[0].what.find("cuptiCheckpointSave") != std::string::npos);
    CHECK(report.completeness().memory_restores == 0);
    CHECK(value(report, "smsp__inst_executed.sum") > 0);
}

TEST_CASE("memory compared: passes that leave other memory behind are a problem, with range, allocation and offset") {
    gpuprof::device const gpu = sim::open_embedded("gv100", sim::collection::in_passes).value();
    constexpr std::size_t bytes = 40'000, at = 3 * 4096 + 16;
    grower grow{gpu, bytes, at};
    grow.set(8);
    gpuprof::profiler_options options;
    options.compare_memory = true;
    auto const left = measure(gpu, grow, options);
    CHECK(left.completeness().memory_compared);
    REQUIRE(left.completeness().problems.size() == 1);
    auto const& problem = left.completeness().problems[0];
    CHECK(problem.code == gpuprof::errc::replay_mismatch);
    CHECK(problem.what == "the first and the last replay pass left different memory behind: 1 of 10 chunks of 4096 "
                          "bytes, the first at offset 12288 of an allocation of 40000 bytes, reached in \"grow\"");
    CHECK(problem.remedy.find("memory_control::restore") != std::string::npos);

    // The same work over the same memory: nothing to say. Memory that no pass reaches does not count.
    options.memory = memory_control::restore;
    grow.set(8);
    auto const restored = measure(gpu, grow, options);
    CHECK(restored.complete());
    CHECK(restored.completeness().memory_compared);

    // What the host gives anew each time is not undone.
    int run = 0;
    gpuprof::profiler prof{gpu, options, instructions, ffma_thread_inst};
    for ([[maybe_unused]] auto const& pass : prof.passes()) {
        grow.set(static_cast<std::uint32_t>(++run));
        gpuprof::scope const range{prof, "grow"};
        grow();
    }
    auto const fed = prof.report();
    REQUIRE(fed.completeness().problems.size() == 1);
    CHECK(fed.completeness().problems[0].code == gpuprof::errc::replay_mismatch);
    CHECK(fed.completeness().problems[0].cause.find("from the same memory") != std::string::npos);
}

TEST_CASE("memory compared where it is cheap: a difference is said, and is no problem by itself") {
    gpuprof::device const gpu = sim::open_embedded("gv100", sim::collection::in_passes).value();
    gpuprof::profiler_options options;
    options.most_spread = 1; // the loops of 16 and 32 are not what is tested
    {
        constexpr std::size_t bytes = 40'000, at = 3 * 4096 + 16;
        grower grow{gpu, bytes, at};
        auto const left = measure(gpu, grow, options);
        CHECK(left.complete());
        CHECK(left.completeness().memory_compared);
        REQUIRE(left.completeness().memory_differs);
        CHECK(left.completeness().memory_differs->code == gpuprof::errc::replay_mismatch);
        CHECK(left.completeness().memory_differs->what.find(
                  "1 of 10 chunks of 4096 bytes, the first at offset 12288") != std::string::npos);
        CHECK(gpuprof::io::table(left).find("\nmemory differs between passes: ") != std::string::npos);
        CHECK(gpuprof::io::json(left).find("\"memory_differs\":{\"code\":") != std::string::npos);
        auto const read = gpuprof::try_parse_report(gpuprof::saved_text(left));
        REQUIRE(read);
        REQUIRE(read->completeness().memory_differs);
        CHECK(read->completeness().memory_differs->what == left.completeness().memory_differs->what);
        options.memory = memory_control::restore; // restored: as if it was asked for, and alike
        grow.set(8);
        auto const restored = measure(gpu, grow, options);
        CHECK(restored.completeness().memory_compared);
        CHECK_FALSE(restored.completeness().memory_differs);
        options.memory = memory_control::leave;
        // With times that lie far apart it is the cause of a problem. Loops of 8, 64 and 512 turns.
        options.most_spread = 0.3;
        std::uint32_t word = 8;
        gpuprof::profiler prof{gpu, options, instructions, ffma_thread_inst};
        for ([[maybe_unused]] auto const& pass : prof.passes()) {
            grow.set(word);
            word *= 8;
            gpuprof::scope const range{prof, "grow"};
            grow();
        }
        auto const unlike = prof.report();
        REQUIRE(unlike.completeness().problems.size() == 1);
        CHECK(unlike.completeness().problems[0].what.find("passes are not alike") != std::string::npos);
        CHECK(unlike.completeness().problems[0].cause.find("changes its input") != std::string::npos);
    }
    {
        grower grow{gpu, (256 << 10) + 1}; // beyond what the embedded GPU looks at without being asked
        auto const large = measure(gpu, grow, options);
        CHECK_FALSE(large.completeness().memory_compared);
        CHECK_FALSE(large.completeness().memory_differs);
    }
    grower grow{gpu};
    options.compare_memory = false;
    CHECK_FALSE(measure(gpu, grow, options).completeness().memory_compared);
}

TEST_CASE("memory compared where it is cheap: one pass asks nothing of the driver") {
    static int asked = 0;
    static gpuprof::hw::machine other = sim::embedded_machine();
    static auto const ask = other.driver.MemGetAddressRange;
    other.driver.MemGetAddressRange = [](abi::CUdeviceptr* base, std::size_t* bytes, abi::CUdeviceptr at) {
        ++asked;
        return ask(base, bytes, at);
    };
    int const ordinal = sim::open_embedded("gv100", sim::collection::in_passes).value().ordinal();
    gpuprof::device const gpu = gpuprof::device::try_open(other, ordinal, gpuprof::device_source::embedded).value();
    grower grow{gpu};
    gpuprof::profiler prof{gpu, instructions};
    REQUIRE(prof.passes_needed() == 1);
    for ([[maybe_unused]] auto const& pass : prof.passes()) {
        gpuprof::scope const range{prof, "grow"};
        grow();
    }
    CHECK(prof.report().complete());
    CHECK(asked == 0);
    CHECK(measure(gpu, grow, {}).completeness().memory_compared); // two passes ask
    CHECK(asked > 0);
}

TEST_CASE("memory compared: one pass has nothing to compare with, and memory that is freed in a pass is left out") {
    gpuprof::device const gpu = sim::open_embedded("gv100", sim::collection::in_passes).value();
    gpuprof::profiler_options options;
    options.compare_memory = true;
    options.max_ranges = 1;
    {
        grower grow{gpu};
        gpuprof::profiler prof{gpu, options, instructions};
        for ([[maybe_unused]] auto const& pass : prof.passes()) {
            gpuprof::scope const range{prof, "grow"};
            grow();
        }
        CHECK(prof.report().complete());
        CHECK_FALSE(prof.report().completeness().memory_compared);
    }
    gpuprof::profiler prof{gpu, options, instructions, ffma_thread_inst};
    for ([[maybe_unused]] auto const& pass : prof.passes()) {
        grower grow{gpu};
        gpuprof::scope const range{prof, "grow"};
        grow();
    }
    CHECK(prof.report().complete());
    CHECK(prof.report().completeness().memory_compared);
}

} // namespace memory_control_test

#endif // GPUPROF_EXCEPTIONS
