// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whether passes are alike, on a GPU: the times of ranges that do the same in each pass and of ones that do not, what the profiler
// says of them, what comparing memory by itself costs a collection, and what restoring from the device, the host and a file takes
// next to what was said before.
//   passes FOLDER   prints it; the folder is for a copy of memory. Exit status 0 if equal work is no problem and other work is one,
//                   1 if not, 77 without a GPU
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gpuprof/gpuprof.hpp>
#include <gpuprof/io/progress.hpp>

namespace {

namespace abi = gpuprof::abi;

// Each thread turns so often and adds one to each of its words.
constexpr char turn_ptx[] = R"(
.version 7.0
.target sm_52
.address_size 64
.visible .entry turn(.param .u64 words, .param .u64 count, .param .u32 turns) {
    .reg .u32 %n<6>; .reg .u64 %a<8>; .reg .pred %p<2>;
    ld.param.u64 %a0, [words]; cvta.to.global.u64 %a1, %a0;
    ld.param.u64 %a2, [count]; ld.param.u32 %n4, [turns];
    mov.u32 %n0, %ctaid.x; mov.u32 %n1, %ntid.x; mov.u32 %n2, %tid.x; mad.lo.u32 %n0, %n0, %n1, %n2;
    mov.u32 %n3, %nctaid.x; mul.lo.u32 %n3, %n3, %n1;
    cvt.u64.u32 %a3, %n0; cvt.u64.u32 %a4, %n3;
    mov.u32 %n5, %n0;
more:
    mad.lo.u32 %n5, %n5, 1664525, 1013904223; // each turn needs the one before
    sub.u32 %n4, %n4, 1; setp.ne.u32 %p0, %n4, 0;
    @%p0 bra more;
    setp.eq.u32 %p1, %n5, 7; // keeps the turns from being left out
    @%p1 bra done;
words_left:
    setp.ge.u64 %p1, %a3, %a2;
    @%p1 bra done;
    shl.b64 %a5, %a3, 2; add.u64 %a6, %a1, %a5;
    ld.global.u32 %n0, [%a6]; add.u32 %n0, %n0, 1; st.global.u32 [%a6], %n0;
    add.u64 %a3, %a3, %a4;
    bra words_left;
done:
    ret;
}
)";

constexpr char const* names[]{"smsp__inst_executed.sum",
                              "lts__t_sectors_op_read.sum",
                              "lts__t_sectors_op_write.sum",
                              "l1tex__t_sectors.sum",
                              "lts__t_sectors_op_atom.sum",
                              "dram__bytes_read.sum",
                              "sm__inst_executed_pipe_lsu.sum",
                              "sm__inst_executed_pipe_alu.sum",
                              "smsp__warps_active.sum",
                              "lts__t_tag_requests_hit.sum",
                              "l1tex__data_bank_reads.sum",
                              "dram__bytes_write.sum",
                              "sm__inst_executed_pipe_fp64.sum",
                              "sm__inst_executed_pipe_fma.sum",
                              "sm__inst_executed_pipe_xu.sum",
                              "smsp__thread_inst_executed.sum",
                              "l1tex__m_xbar2l1tex_read_sectors.sum",
                              "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum",
                              "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum",
                              "lts__t_sectors_srcunit_tex_lookup_miss.sum",
                              "smsp__issue_active.sum",
                              "sm__warps_active.sum"};

using clock_type = std::chrono::steady_clock;

template <class T>
T must(gpuprof::result<T> given) {
    if (given) return std::move(given).value();
    std::fprintf(stderr, "%s\n", given.error().message().c_str());
    std::exit(1);
}

struct program {
    gpuprof::device const& gpu;
    abi::CUmodule module = nullptr;
    abi::CUfunction turn = nullptr;
    double milliseconds = 0; // of the last collection

    explicit program(gpuprof::device const& on) : gpu{on} {
        auto const& d = gpu.driver();
        if (d.CtxPushCurrent(gpu.context()) != abi::CUDA_SUCCESS ||
            d.ModuleLoadData(&module, turn_ptx) != abi::CUDA_SUCCESS ||
            d.ModuleGetFunction(&turn, module, "turn") != abi::CUDA_SUCCESS)
            std::exit(1);
    }
    // @param turns of a pass, by its number
    template <class F>
    gpuprof::report measure(gpuprof::profiler_options const& options, abi::CUdeviceptr words, std::size_t bytes,
                            F turns) {
        std::vector<gpuprof::metric_info> list;
        for (char const* const each : names)
            if (auto metric = gpuprof::try_metric(each)) list.push_back(*std::move(metric));
        auto prof = must(gpuprof::profiler::try_create(gpu, options, list));
        auto const began = clock_type::now();
        std::uint64_t count = bytes / 4;
        for (auto const& pass : prof.passes()) {
            gpuprof::scope const range{prof, "turn"};
            std::uint32_t many = turns(pass.index);
            void* arguments[]{&words, &count, &many};
            if (gpu.driver().LaunchKernel(turn, 264, 1, 1, 256, 1, 1, 0, nullptr, arguments, nullptr) !=
                abi::CUDA_SUCCESS)
                std::exit(1);
        }
        milliseconds = std::chrono::duration<double, std::milli>(clock_type::now() - began).count();
        return must(prof.try_report());
    }
};

bool says_unlike(gpuprof::report const& of) {
    for (auto const& each : of.completeness().problems)
        if (each.what.find("passes are not alike") != std::string::npos) return true;
    return false;
}

} // namespace

int main(int count, char** arguments) {
    auto const gpu = must(gpuprof::try_open_device());
    if (gpu.source() != gpuprof::device_source::hardware) {
        std::puts("no GPU");
        return 77;
    }
    std::printf("%.*s\n", static_cast<int>(gpu.name().size()), gpu.name().data());
    program run{gpu};
    int failures = 0;
    constexpr std::size_t large = std::size_t{1} << 30;
    abi::CUdeviceptr words = 0;
    if (gpu.driver().MemAlloc(&words, large) != abi::CUDA_SUCCESS) return 1;
    for (std::uint32_t const turns : {100u, 1'000'000u, 20'000'000u}) { // to 10 ms and more
        for (bool const alike : {true, false}) {
            auto const report = run.measure(
                {}, words, 1 << 20, [&](std::size_t pass) { return alike || pass % 2 == 0 ? turns : turns * 8; });
            auto const times = report["turn"].pass_times();
            std::printf(
                "%9u turns, %s: %zu passes timed, %.3f to %.3f ms, spread %.3f; memory %s, %s; said to be unlike: %s\n",
                turns, alike ? "alike   " : "8 times ", times.passes, times.shortest.value() / 1e6,
                times.longest.value() / 1e6, times.spread(),
                report.completeness().memory_compared ? "compared" : "not compared",
                report.completeness().memory_differs ? "differs" : "alike", says_unlike(report) ? "yes" : "no");
            failures += alike && says_unlike(report) ? 1 : 0;
            failures += !alike && turns == 20'000'000 && !says_unlike(report) ? 1 : 0;
        }
    }
    std::puts("a collection, with and without what compares memory by itself [ms]");
    for (std::size_t const bytes : {std::size_t{1} << 20, std::size_t{64} << 20, large})
        for (std::optional<bool> const compare :
             {std::optional<bool>{false}, std::optional<bool>{}, std::optional<bool>{false}, std::optional<bool>{}}) {
            gpuprof::profiler_options options;
            options.compare_memory = compare;
            auto const report = run.measure(options, words, bytes, [](std::size_t) { return 100u; });
            std::printf("%5zu MB, %s: %.1f, %s\n", bytes >> 20, compare ? "never" : "by itself", run.milliseconds,
                        report.completeness().memory_compared ? "compared" : "not compared");
        }
    std::puts("restored, 1 GB of which so much is changed; said before, and a collection [ms]");
    for (int place = 0; place < 3; ++place)
        for (std::size_t const bytes : {std::size_t{1} << 20, std::size_t{256} << 20}) {
            gpuprof::profiler_options options;
            options.memory = gpuprof::memory_control::restore_written;
            options.compare_memory = false;
            options.copies.on_device = place == 0 ? gpuprof::copy_limits::as_there_is_room : 0;
            options.copies.on_host = place == 1 ? gpuprof::copy_limits::as_there_is_room : 0;
            options.copies.folder = count > 1 ? arguments[1] : "/tmp";
            std::string said;
            options.on_restore = {[](void* to, gpuprof::restore_cost const& cost) noexcept {
                                      *static_cast<std::string*>(to) = gpuprof::io::restore_text(cost);
                                  },
                                  &said};
            auto const report = run.measure(options, words, bytes, [](std::size_t) { return 100u; });
            std::printf("%s; %zu times; all %.1f\n", said.c_str(), report.completeness().memory_restores,
                        run.milliseconds);
            for (auto const& each : report.completeness().problems) std::printf("  %s\n", each.message().c_str());
        }
    std::printf("%d failures\n", failures);
    return failures == 0 ? 0 : 1;
}
