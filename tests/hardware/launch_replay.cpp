// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The same work by each way to repeat it: what it counts to the unit must be the same, and the program's results too.
//
//     launch_replay [DEADLINE_MS]      on the device of GPUPROF_DEVICE, 300 ms where nothing is said
//
// Scopes with user replay are what the others are compared with. Prints the time that each way took, a line for each difference,
// and what kernels came to that wait for the host or for a later launch; then "N equal, M different". Exit status 0 if something
// was compared, nothing differs, and each result was right.
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <gpuprof/call_replay.hpp>
#include <gpuprof/gpuprof.hpp>
#include <gpuprof/sim.hpp>

#include "../../examples/support/ptx_program.hpp"

namespace {

namespace abi = gpuprof::abi;

// store: each thread adds 1 to its word. sum: each thread loads a word. grow: one thread multiplies as often as the word says,
// and doubles the word. wait: until the word is not 0. release: sets it.
constexpr char ptx[] = R"(
.version 7.0
.target sm_70
.address_size 64
.visible .entry store(.param .u64 to) {
    .reg .u32 %r<6>; .reg .u64 %rd<4>;
    mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mov.u32 %r3, %tid.x;
    mad.lo.u32 %r4, %r1, %r2, %r3;
    ld.param.u64 %rd1, [to];
    cvta.to.global.u64 %rd1, %rd1;
    mul.wide.u32 %rd2, %r4, 4; add.u64 %rd3, %rd1, %rd2;
    ld.global.u32 %r5, [%rd3];
    add.u32 %r5, %r5, 1;
    st.global.u32 [%rd3], %r5;
    ret;
}
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
.visible .entry wait(.param .u64 word) {
    .reg .u32 %n<1>; .reg .u64 %a<2>; .reg .pred %p<1>;
    ld.param.u64 %a0, [word]; cvta.to.global.u64 %a1, %a0;
again:
    ld.volatile.global.u32 %n0, [%a1];
    setp.eq.u32 %p0, %n0, 0;
    @%p0 bra again;
    ret;
}
.visible .entry release(.param .u64 word) {
    .reg .u32 %n<1>; .reg .u64 %a<2>;
    ld.param.u64 %a0, [word]; cvta.to.global.u64 %a1, %a0;
    mov.u32 %n0, 1;
    st.volatile.global.u32 [%a1], %n0;
    ret;
}
)";

constexpr char const* exact[]{"smsp__inst_executed.sum",
                              "smsp__warps_launched.sum",
                              "smsp__thread_inst_executed.sum",
                              "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
                              "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum",
                              "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum"};
constexpr char const* others[]{"dram__bytes_read.sum", "gpu__time_duration.sum", "gpc__cycles_elapsed.max",
                               "lts__t_sectors.sum", "smsp__cycles_active.sum"};
constexpr std::size_t printed_others = 3;

using by_name = std::map<std::string, std::vector<double>>; // sums over repetitions, in the order of exact

class work {
public:
    work(gpuprof::device const& gpu, unsigned deadline_ms)
        : gpu_{gpu},
          d_{gpu.driver()},
          program_{gpu, ptx},
          words_{gpu, 1 << 20},
          word_{gpu, 8},
          swapped_{gpu, 8},
          spare_{gpu, 8},
          deadline_ms_{deadline_ms} {
        for (char const* each : exact) metrics_.push_back(gpuprof::try_metric(each).value());
        for (char const* each : others) metrics_.push_back(gpuprof::try_metric(each).value());
        for (auto& each : streams_) check(d_.StreamCreate(&each, abi::CU_STREAM_NON_BLOCKING));
    }

    bool run() {
        by_name const scopes = measure("scopes", gpuprof::range_mode::user_range, gpuprof::replay_mode::user, true);
        by_name const launches = measure("launch", gpuprof::range_mode::auto_range, gpuprof::replay_mode::launch, true);
        by_name const flushed = measure("launch, caches flushed", gpuprof::range_mode::auto_range,
                                        gpuprof::replay_mode::launch, true, gpuprof::cache_control::flush);
        by_name const ranges = measure("range", gpuprof::range_mode::user_range, gpuprof::replay_mode::range, true);
        by_name const kernels = measure("kernel", gpuprof::range_mode::auto_range, gpuprof::replay_mode::kernel, false);
        compare("launch", scopes, launches);
        compare("launch, caches flushed", scopes, flushed);
        compare("range", scopes, ranges);
        compare("kernel", scopes, kernels);
        // A range of gpuprof's around the launch has ten times as many cycles, and more.
        for (char const* kernel : {"store", "grow"})
            if (cycles_[std::string{"launch "} + kernel] > 2 * cycles_[std::string{"kernel "} + kernel])
                wrong("cycles: a launch's range is not the kernel alone");
        if (gpu_.source() == gpuprof::device_source::hardware) {
            wait_for_host();
            wait_for_launch();
            wait_in_range();
        }
        std::printf("%zu equal, %zu different\n", equal_, different_);
        return good_ && equal_ != 0 && different_ == 0;
    }

private:
    void check(abi::CUresult status) {
        if (status == abi::CUDA_SUCCESS) return;
        std::printf("the driver answers %d\n", static_cast<int>(status));
        std::exit(2);
    }
    void wrong(char const* what) {
        std::printf("wrong %s\n", what);
        good_ = false;
    }

    // Scopes have the names that launches have as ranges.
    by_name measure(char const* way, gpuprof::range_mode ranges, gpuprof::replay_mode replay, bool with_graph,
                    gpuprof::cache_control caches = gpuprof::cache_control::leave) {
        gpuprof::profiler_options options;
        options.ranges = ranges;
        options.replay = replay;
        options.caches = caches;
        options.replay_deadline_ms = 10'000;
        bool const scoped = ranges == gpuprof::range_mode::user_range;
        if (replay == gpuprof::replay_mode::user) options.memory = gpuprof::memory_control::restore_written;
        auto made = gpuprof::profiler::try_create(gpu_, options, metrics_);
        if (!made) {
            std::printf("%s: %s\n", way, made.error().message().c_str());
            return {};
        }
        std::uint32_t const eight = 8;
        word_.upload(&eight, 4);
        std::uint32_t const two_words[]{1, 2};
        swapped_.upload(two_words, 8);
        abi::CUgraph graph = nullptr;
        abi::CUgraphExec executable = nullptr;
        if (with_graph) {
            check(d_.StreamBeginCapture(streams_[0], abi::CU_STREAM_CAPTURE_MODE_GLOBAL));
            // Two words change places by a third, and the third is filled: launched three times, once more is once too often.
            check(d_.MemcpyDtoDAsync(spare_.address(), swapped_.address(), 4, streams_[0]));
            check(d_.MemcpyDtoDAsync(swapped_.address(), swapped_.address() + 4, 4, streams_[0]));
            check(d_.MemcpyDtoDAsync(swapped_.address() + 4, spare_.address(), 4, streams_[0]));
            check(d_.MemsetD32Async(spare_.address(), 7, 1, streams_[0]));
            for (int i = 0; i < 3; ++i) program_.launch_in(streams_[0], "store", 5, 256, words_.address());
            check(d_.StreamEndCapture(streams_[0], &graph));
            check(d_.GraphInstantiateWithFlags(&executable, graph, 0));
        }
        auto const in_scope = [&](char const* name, std::function<void()> const& launch) {
            if (!scoped) return launch();
            gpuprof::scope const range{*made, name};
            launch();
        };
        // A graph's memory is not known to restore_written, nor is it put back in user replay; it only counts up.
        auto const began = std::chrono::steady_clock::now();
        for ([[maybe_unused]] auto const& pass : made->passes()) {
            for (unsigned round = 1; round <= 3; ++round) {
                in_scope("store", [&] { program_.launch("store", round * 3, 256, words_.address()); });
                in_scope("grow", [&] { program_.launch_in(streams_[1], "grow", 1, 1, word_.address()); });
                if (with_graph && replay != gpuprof::replay_mode::user)
                    in_scope("graph 0", [&] { check(d_.GraphLaunch(executable, streams_[0])); });
                check(d_.CtxSynchronize());
            }
        }
        double const ms = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - began).count();
        auto const report = made->report();
        std::printf("%s: %zu passes, %.0f ms\n", way, made->passes_needed(), ms);
        for (auto const& problem : report.completeness().problems) {
            std::printf("problem %s: %s\n", way, problem.message().c_str());
            good_ = false;
        }
        std::uint32_t after = 0;
        word_.download(&after, 4);
        if (after != 64) wrong("result: the word should have doubled three times");
        std::uint32_t changed[2]{};
        swapped_.download(changed, 8);
        std::uint32_t const first = with_graph && replay != gpuprof::replay_mode::user ? 2 : 1;
        if (changed[0] != first || changed[1] != 3 - first) wrong("result: the words that a graph changes");
        if (executable != nullptr) check(d_.GraphExecDestroy(executable));
        if (graph != nullptr) check(d_.GraphDestroy(graph));

        by_name sums;
        for (auto const& range : report) {
            auto& list = sums[std::string{range.name()}];
            for (char const* each : exact) {
                double sum = 0;
                auto const values = range.try_values(each);
                if (values)
                    for (double const value : *values) sum += value;
                list.push_back(values ? sum : -1);
            }
        }
        for (auto const& range : report)
            for (std::size_t i = 0; i < printed_others; ++i)
                if (auto const read = range.try_value(others[i])) {
                    std::printf("  %s %s %.0f\n", std::string{range.name()}.c_str(), others[i], read->value);
                    if (i == 2) cycles_[std::string{way} + " " + std::string{range.name()}] = read->value;
                }
        // What graphs count is told by the kernel beside them: 3 times 5 blocks, where store has 3 + 6 + 9. On a GPU their copies
        // and fills may be kernels of the driver's, whose warps count, too.
        if (auto const found = sums.find("graph 0"); found != sums.end()) {
            double const own = 3 * 3 * 5 * 8, warps = found->second[1];
            std::printf("  graph 0: %.0f warps, %.0f of them its kernels'\n", warps, own);
            if (gpu_.source() == gpuprof::device_source::hardware ? warps < own : warps != own)
                wrong("number of warps of the graph");
        }
        return sums;
    }

    void compare(char const* way, by_name const& right, by_name const& found) {
        for (auto const& [name, values] : right) {
            auto const there = found.find(name);
            for (std::size_t i = 0; i < std::size(exact); ++i) {
                bool const is_same = there != found.end() && there->second[i] == values[i];
                (is_same ? equal_ : different_) += 1;
                if (!is_same)
                    std::printf("differs %s %s %s: %.17g by scopes, %.17g\n", way, name.c_str(), exact[i], values[i],
                                there != found.end() ? there->second[i] : -1);
            }
        }
    }

    // Runs `body` under a profiler with a deadline, and tells how long that took and what was said.
    template <class Body>
    void with_deadline(char const* what, gpuprof::replay_mode replay, std::size_t problems, Body body) {
        gpuprof::profiler_options options;
        options.replay = replay;
        if (replay == gpuprof::replay_mode::launch) options.ranges = gpuprof::range_mode::auto_range;
        options.replay_deadline_ms = deadline_ms_;
        gpuprof::profiler prof{gpu_, options, metrics_};
        auto const began = std::chrono::steady_clock::now();
        for ([[maybe_unused]] auto const& pass : prof.passes()) body(prof);
        auto const took = std::chrono::steady_clock::now() - began;
        auto const report = prof.report();
        std::printf("%s: %.0f ms\n", what, std::chrono::duration<double, std::milli>(took).count());
        for (auto const& problem : report.completeness().problems) std::printf("  %s\n", problem.message().c_str());
        if (report.completeness().problems.size() != problems) wrong("number of problems");
        if (took > std::chrono::seconds{20}) wrong("time");
        auto const store = report.try_range("store");
        auto const warps = store ? store->try_value("smsp__warps_launched.sum") : store.error();
        if (!warps || warps->value != 4 * 8) wrong("count of the launch afterwards");
        auto const instructions = store ? store->try_value("dram__bytes_read.sum") : store.error();
        if (!instructions) wrong("pass of the launch afterwards");
    }

    void wait_for_host() {
        void* host = nullptr;
        check(d_.MemAllocHost(&host, 64));
        auto volatile* const flag = static_cast<std::uint32_t volatile*>(host);
        *flag = 0;
        with_deadline("a kernel that waits for the host", gpuprof::replay_mode::launch, 2, [&](gpuprof::profiler&) {
            program_.launch_in(streams_[0], "wait", 1, 1, reinterpret_cast<std::uintptr_t>(host));
            *flag = 1;
            check(d_.CtxSynchronize());
            program_.launch("store", 4, 256, words_.address());
            check(d_.CtxSynchronize());
        });
        check(d_.MemFreeHost(host));
    }
    void wait_for_launch() {
        device_buffer flag{gpu_, 64};
        with_deadline("a kernel that waits for a later launch", gpuprof::replay_mode::launch, 2,
                      [&](gpuprof::profiler&) {
                          program_.launch_in(streams_[0], "wait", 1, 1, flag.address());
                          program_.launch_in(streams_[1], "release", 1, 1, flag.address());
                          check(d_.CtxSynchronize());
                          program_.launch("store", 4, 256, words_.address());
                          check(d_.CtxSynchronize());
                      });
    }
    void wait_in_range() {
        // A metric that is counted by patching makes launching calls wait for their kernels.
        std::erase_if(metrics_,
                      [](gpuprof::metric_info const& each) { return each.name.find("sass") != each.name.npos; });
        device_buffer flag{gpu_, 64};
        with_deadline("kernels that wait for each other in a range", gpuprof::replay_mode::range, 0,
                      [&](gpuprof::profiler& prof) {
                          {
                              gpuprof::scope const range{prof, "together"};
                              program_.launch_in(streams_[0], "wait", 1, 1, flag.address());
                              program_.launch_in(streams_[1], "release", 1, 1, flag.address());
                          }
                          gpuprof::scope const range{prof, "store"};
                          program_.launch("store", 4, 256, words_.address());
                      });
    }

    gpuprof::device const& gpu_;
    abi::driver_table const& d_;
    ptx_program program_;
    device_buffer words_;
    device_buffer word_;
    device_buffer swapped_; // by a graph
    device_buffer spare_;
    std::map<std::string, double> cycles_; // by way and kernel
    unsigned deadline_ms_;
    std::vector<gpuprof::metric_info> metrics_;
    abi::CUstream streams_[2]{};
    std::size_t equal_ = 0;
    std::size_t different_ = 0;
    bool good_ = true;
};

} // namespace

int main(int count, char** words) {
    auto const gpu = gpuprof::try_open_device();
    if (!gpu) return std::printf("%s\n", gpu.error().message().c_str()), 2;
    gpuprof::device const& device = *gpu;
    if (device.driver().CtxPushCurrent(device.context()) != abi::CUDA_SUCCESS) return 2;
    unsigned const deadline = count > 1 ? static_cast<unsigned>(std::atoi(words[1])) : 300;
    return work{device, deadline}.run() ? 0 : 1;
}
