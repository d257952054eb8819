// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory restored between passes, on a GPU: a kernel that changes its input measured in each way, next to the truth of one pass
// a metric; and what saving, restoring and comparing cost, next to bare copies of the same bytes in the same run.
//   memory          prints both tables; exit status 0 if every value is equal, 1 if not, 77 without a GPU; costs are judged by who
//                   reads them
#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <vector>

#include <gpuprof/gpuprof.hpp>

namespace {

namespace abi = gpuprof::abi;
namespace hw = gpuprof::hw;

// Each of 1024 threads multiplies as often as its word says, and doubles the word.
constexpr char grow_ptx[] = R"(
.version 7.0
.target sm_52
.address_size 64
.visible .entry grow(.param .u64 words) {
    .reg .u32 %n<4>; .reg .u64 %a<4>; .reg .f32 %f<2>; .reg .pred %p<1>;
    ld.param.u64 %a0, [words]; cvta.to.global.u64 %a1, %a0;
    mov.u32 %n0, %ctaid.x; mov.u32 %n1, %ntid.x; mov.u32 %n2, %tid.x; mad.lo.u32 %n0, %n0, %n1, %n2;
    mul.wide.u32 %a2, %n0, 8; add.u64 %a3, %a1, %a2;
    ld.global.u32 %n0, [%a3]; mov.u32 %n1, %n0; mov.f32 %f0, 0f3F800000;
more:
    fma.rn.f32 %f0, %f0, %f0, %f0; sub.u32 %n1, %n1, 1; setp.ne.u32 %p0, %n1, 0;
    @%p0 bra more;
    shl.b32 %n2, %n0, 1; st.global.u32 [%a3], %n2; st.global.f32 [%a3+4], %f0;
    ret;
}
)";
constexpr unsigned threads = 1024;

// Deterministic ones, of several passes.
constexpr char const* names[]{"smsp__inst_executed.sum",
                              "smsp__thread_inst_executed.sum",
                              "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum",
                              "smsp__sass_thread_inst_executed_op_fadd_pred_on.sum",
                              "smsp__sass_thread_inst_executed_op_fmul_pred_on.sum",
                              "smsp__sass_thread_inst_executed_op_integer_pred_on.sum",
                              "smsp__sass_thread_inst_executed_op_control_pred_on.sum",
                              "smsp__sass_thread_inst_executed_op_memory_pred_on.sum",
                              "smsp__sass_inst_executed_op_global_ld.sum",
                              "smsp__sass_inst_executed_op_global_st.sum",
                              "smsp__inst_executed_op_branch.sum",
                              "sm__warps_launched.sum",
                              "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum",
                              "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
                              "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum"};

void must(abi::CUresult status, char const* call) {
    if (status == abi::CUDA_SUCCESS) return;
    std::fprintf(stderr, "%s: %d\n", call, static_cast<int>(status));
    std::exit(1);
}
void must(gpuprof::result<void> given) {
    if (given) return;
    std::fprintf(stderr, "%s\n", given.error().message().c_str());
    std::exit(1);
}
template <class T>
T must(gpuprof::result<T> given) {
    if (given) return std::move(given).value();
    std::fprintf(stderr, "%s\n", given.error().message().c_str());
    std::exit(1);
}

struct program {
    gpuprof::device const& gpu;
    abi::driver_table const& driver = gpu.driver();
    abi::CUdeviceptr words = 0;
    abi::CUmodule module = nullptr;
    abi::CUfunction kernel = nullptr;

    explicit program(gpuprof::device const& on) : gpu{on} {
        must(driver.CtxPushCurrent(gpu.context()), "cuCtxPushCurrent");
        must(driver.MemAlloc(&words, threads * 8), "cuMemAlloc");
        must(driver.ModuleLoadData(&module, grow_ptx), "cuModuleLoadData");
        must(driver.ModuleGetFunction(&kernel, module, "grow"), "cuModuleGetFunction");
    }
    void set() const {
        std::vector<std::uint32_t> fresh(threads * 2, 8);
        must(driver.MemcpyHtoD(words, fresh.data(), threads * 8), "cuMemcpyHtoD");
    }
    void run() { run_on(words); }
    void run_on(abi::CUdeviceptr memory) {
        void* arguments[]{&memory};
        must(driver.LaunchKernel(kernel, threads / 256, 1, 1, 256, 1, 1, 0, nullptr, arguments, nullptr),
             "cuLaunchKernel");
    }
    std::vector<double> measure(gpuprof::profiler_options const& options, std::vector<std::string> const& metrics,
                                gpuprof::report* whole = nullptr) {
        set();
        std::vector<gpuprof::metric_info> list;
        for (auto const& each : metrics) list.push_back(must(gpuprof::try_metric(each)));
        auto prof = must(gpuprof::profiler::try_create(gpu, options, list));
        for ([[maybe_unused]] auto const& pass : prof.passes()) {
            gpuprof::scope const range{prof, "grow"};
            run();
        }
        auto const report = must(prof.try_report());
        if (whole != nullptr) *whole = report;
        std::vector<double> values;
        for (auto const& each : metrics) values.push_back(must(must(report.try_range("grow")).try_value(each)).value);
        return values;
    }
};

template <class F>
double milliseconds(gpuprof::device const& gpu, F work) {
    std::vector<double> taken;
    for (int i = 0; i < 7; ++i) {
        must(gpu.driver().CtxSynchronize(), "cuCtxSynchronize");
        auto const begin = std::chrono::steady_clock::now();
        work();
        must(gpu.driver().CtxSynchronize(), "cuCtxSynchronize");
        taken.push_back(std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count());
    }
    std::sort(taken.begin(), taken.end());
    return taken[taken.size() / 2];
}

int values(program& grow) {
    std::vector<std::string> const metrics(std::begin(names), std::end(names));
    std::vector<double> truth;
    for (auto const& each : metrics) {
        gpuprof::profiler_options once;
        once.max_ranges = 1;
        gpuprof::report report;
        truth.push_back(grow.measure(once, {each}, &report)[0]);
        if (report.completeness().replay_passes != 1) std::printf("%s took more than a pass\n", each.c_str());
    }
    gpuprof::profiler_options left, restored, written, kernel;
    left.compare_memory = true;
    restored.memory = gpuprof::memory_control::restore;
    written.memory = gpuprof::memory_control::restore_written;
    kernel.ranges = gpuprof::range_mode::auto_range;
    kernel.replay = gpuprof::replay_mode::kernel;
    gpuprof::report of_left, of_restored;
    auto const by_left = grow.measure(left, metrics, &of_left);
    auto const by_restored = grow.measure(restored, metrics, &of_restored);
    auto const by_written = grow.measure(written, metrics);
    auto const by_kernel = grow.measure(kernel, metrics);
    int different = 0, changed = 0;
    std::printf("%-56s %10s %10s %10s %10s %10s\n", "metric", "one pass", "restored", "written", "kernel", "left");
    for (std::size_t i = 0; i < metrics.size(); ++i) {
        std::printf("%-56s %10.0f %10.0f %10.0f %10.0f %10.0f\n", metrics[i].c_str(), truth[i], by_restored[i],
                    by_written[i], by_kernel[i], by_left[i]);
        different += (by_restored[i] != truth[i]) + (by_written[i] != truth[i]) + (by_kernel[i] != truth[i]);
        changed += by_left[i] != truth[i];
    }
    std::printf(
        "%zu metrics in %zu passes: %d of %zu values differ where memory is restored, %d of %zu where it is left\n",
        metrics.size(), of_restored.completeness().replay_passes, different, 3 * metrics.size(), changed,
        metrics.size());
    std::printf("restored %zu times, compared: %s\n", of_restored.completeness().memory_restores,
                of_restored.completeness().memory_compared ? "yes" : "no");
    for (auto const& each : of_restored.completeness().problems)
        std::printf("problem where restored: %s\n", each.message().c_str());
    for (auto const& each : of_left.completeness().problems)
        std::printf("problem where left: %s\n", each.message().c_str());
    bool const told = of_left.completeness().problems.size() == 1;
    return different == 0 && changed != 0 && told && of_restored.complete() ? 0 : 1;
}

// A restore that copies only what changed, of 1 MB that was written, beside the same where no more than that is there.
template <class Line>
void changes_only(gpuprof::device const& gpu, abi::CUdeviceptr memory, std::string const& size, double& one_megabyte,
                  Line line) {
    auto const& d = gpu.driver();
    gpuprof::checkpoint_options only;
    only.only_changes = true;
    auto saved = must(gpuprof::checkpoint::try_save(gpu, only));
    std::size_t const written = std::size_t{1} << 20;
    std::optional<gpuprof::error> failed;
    must(d.MemsetD8(memory, 2, written), "cuMemsetD8");
    if (auto found = saved.try_restore(); !found) { // finds what changes
        std::printf("%srestore of what changed: %s\n", size.c_str(), found.error().message().c_str());
        return;
    }
    double const restore = milliseconds(gpu, [&] {
        must(d.MemsetD8(memory, 2, written), "cuMemsetD8");
        if (auto again = saved.try_restore(); !again && !failed) failed = std::move(again).error();
    });
    if (failed) {
        std::printf("%sanother restore of what changed: %s\n", size.c_str(), failed->message().c_str());
        return;
    }
    if (one_megabyte == 0) one_megabyte = restore;
    line(size + "restore of 1 MB written, beside 1 MB", restore, one_megabyte);
    unsigned char last = 0;
    must(d.MemcpyDtoH(&last, memory + written - 1, 1), "cuMemcpyDtoH");
    if (last != 1) std::printf("only_changes did not restore\n");
}

// What a launch is seen to write of an allocation, put back by copies of our own.
double written_only(program& grow, hw::memory_span const& memory, std::size_t written, double* finding) {
    auto const& d = grow.driver;
    must(d.MemsetD8(memory.begin, 1, memory.bytes), "cuMemsetD8");
    hw::written_memory kept{grow.gpu};
    must(kept.try_begin_run());
    grow.run_on(memory.begin);
    must(d.MemsetD8(memory.begin, 3, written), "cuMemsetD8");
    must(d.CtxSynchronize(), "cuCtxSynchronize");
    auto const begin = std::chrono::steady_clock::now();
    must(kept.try_end_run());
    *finding = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
    if (kept.bytes() != written) std::printf("%zu bytes were kept\n", kept.bytes());
    double const back = milliseconds(grow.gpu, [&] { must(kept.try_put_back()); });
    unsigned char last = 0;
    must(d.MemcpyDtoH(&last, memory.begin + written - 1, 1), "cuMemcpyDtoH");
    if (last != 1) std::printf("what was written was not put back\n");
    return back;
}

void costs(program& grow) {
    gpuprof::device const& gpu = grow.gpu;
    auto const& d = gpu.driver();
    std::printf("\n%-40s %10s %10s %10s\n", "milliseconds, median of 7", "ours", "bare copy", "ratio");
    auto const line = [](std::string const& what, double ours, double bare) {
        std::printf("%-40s %10.3f %10.3f %10.2f\n", what.c_str(), ours, bare, ours / bare);
    };
    double one_megabyte = 0, one_written = 0;
    for (std::size_t const megabytes : {1u, 64u, 1024u}) {
        std::size_t const bytes = megabytes << 20;
        abi::CUdeviceptr from = 0, to = 0;
        must(d.MemAlloc(&from, bytes), "cuMemAlloc");
        must(d.MemsetD8(from, 1, bytes), "cuMemsetD8");
        std::string const size = std::to_string(megabytes) + " MB: ";
        double bare = 0;
        {
            must(d.MemAlloc(&to, bytes), "cuMemAlloc");
            bare = milliseconds(gpu, [&] { must(d.MemcpyDtoD(to, from, bytes), "cuMemcpyDtoD"); });
            must(d.MemFree(to), "cuMemFree");
        }
        {
            auto saved = must(gpuprof::checkpoint::try_save(gpu));
            line(size + "save again", milliseconds(gpu, [&] { must(saved.try_save_again()); }), bare);
            line(size + "restore", milliseconds(gpu, [&] { must(saved.try_restore()); }), bare);
        }
        changes_only(gpu, from, size, one_megabyte, line);
        double finding = 0;
        line(size + "all of it written and put back", written_only(grow, {from, bytes}, bytes, &finding), bare);
        double const back = written_only(grow, {from, bytes}, std::size_t{1} << 20, &finding);
        if (one_written == 0) one_written = back;
        line(size + "1 MB written and put back, beside 1 MB", back, one_written);
        line(size + "finding what was written, once", finding, bare);
        auto hasher = must(hw::memory_hasher::try_create(gpu));
        line(size + "hash", milliseconds(gpu, [&] { static_cast<void>(must(hasher.try_hash({from, bytes}))); }), bare);
        must(d.MemFree(from), "cuMemFree");
    }
}

} // namespace

int main() {
    auto opened = gpuprof::try_open_device();
    if (!opened) {
        std::printf("skipped: %s\n", opened.error().message().c_str());
        return 77;
    }
    std::printf("%s, %s\n", std::string{opened->name()}.c_str(), opened->machine().cupti_library.path.c_str());
    program grow{*opened};
    int const failed = values(grow);
    costs(grow);
    return failed;
}
