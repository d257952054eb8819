// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launches that tools hang at: a grid that synchronises, a kernel that waits for the host, one over memory that the host uses,
// and one whose kernels wait for each other. Each in each mode, in a process of its own, which is killed after 20 s.
//   hard_launches          a line for each: what the report says, or that it did not end; exit status 77 without a GPU
//   hard_launches CASE MODE     that one
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <gpuprof/gpuprof.hpp>

namespace {

namespace abi = gpuprof::abi;

constexpr char kernels_ptx[] = R"(
.version 7.0
.target sm_70
.address_size 64
// All blocks count up, and wait for the others.
.visible .entry meet(.param .u64 count, .param .u32 blocks) {
    .reg .u32 %n<4>; .reg .u64 %a<2>; .reg .pred %p;
    ld.param.u64 %a0, [count]; cvta.to.global.u64 %a1, %a0; ld.param.u32 %n0, [blocks];
    atom.global.add.u32 %n1, [%a1], 1;
    rem.u32 %n2, %n1, %n0; sub.u32 %n1, %n1, %n2; add.u32 %n1, %n1, %n0;
wait:
    ld.volatile.global.u32 %n3, [%a1]; setp.lt.u32 %p, %n3, %n1;
    @%p bra wait;
    ret;
}
// Says that it runs, and waits for the host's answer.
.visible .entry ask(.param .u64 words) {
    .reg .u32 %n<2>; .reg .u64 %a<2>; .reg .pred %p;
    ld.param.u64 %a0, [words]; cvta.to.global.u64 %a1, %a0;
    mov.u32 %n0, 1; st.volatile.global.u32 [%a1], %n0; membar.sys;
wait:
    ld.volatile.global.u32 %n1, [%a1+4]; setp.eq.u32 %p, %n1, 0;
    @%p bra wait;
    mov.u32 %n0, 0; st.volatile.global.u32 [%a1+4], %n0; membar.sys;
    ret;
}
// Adds one.
.visible .entry add(.param .u64 word) {
    .reg .u32 %n; .reg .u64 %a<2>;
    ld.param.u64 %a0, [word]; cvta.to.global.u64 %a1, %a0;
    ld.global.u32 %n, [%a1]; add.u32 %n, %n, 1; st.global.u32 [%a1], %n;
    ret;
}
)";

void must(abi::CUresult status, char const* call) {
    if (status == abi::CUDA_SUCCESS) return;
    std::printf("%s: %d\n", call, static_cast<int>(status));
    std::exit(1);
}

struct program {
    gpuprof::device const& gpu;
    abi::driver_table const& driver = gpu.driver();
    abi::CUmodule module = nullptr;
    std::uint32_t* shared = nullptr; // page-locked, by the host's address
    abi::CUdeviceptr words = 0;      // the same, by the device's
    std::uint32_t volatile* managed = nullptr;
    abi::CUdeviceptr managed_at = 0;
    abi::CUdeviceptr count = 0;
    abi::CUstream streams[2]{};

    explicit program(gpuprof::device const& on) : gpu{on} {
        must(driver.CtxPushCurrent(gpu.context()), "cuCtxPushCurrent");
        must(driver.ModuleLoadData(&module, kernels_ptx), "cuModuleLoadData");
        void* host = nullptr;
        must(driver.MemHostAlloc(&host, 64, 2), "cuMemHostAlloc"); // CU_MEMHOSTALLOC_DEVICEMAP
        std::memset(host, 0, 64);
        shared = static_cast<std::uint32_t*>(host);
        words = reinterpret_cast<abi::CUdeviceptr>(host); // unified addresses
        must(driver.MemAllocManaged(&managed_at, 4096, 1), "cuMemAllocManaged");
        managed = reinterpret_cast<std::uint32_t volatile*>(managed_at);
        *managed = 0;
        must(driver.MemAlloc(&count, 4096), "cuMemAlloc");
        must(driver.MemsetD8(count, 0, 4096), "cuMemsetD8");
        for (auto& each : streams) must(driver.StreamCreate(&each, abi::CU_STREAM_NON_BLOCKING), "cuStreamCreate");
    }
    abi::CUfunction function(char const* name) const {
        abi::CUfunction found = nullptr;
        must(driver.ModuleGetFunction(&found, module, name), "cuModuleGetFunction");
        return found;
    }

    void cooperative() {
        std::uint32_t blocks = 32;
        void* arguments[]{&count, &blocks};
        must(driver.LaunchCooperativeKernel(function("meet"), blocks, 1, 1, 32, 1, 1, 0, nullptr, arguments),
             "cuLaunchCooperativeKernel");
    }
    // The host answers after the launching call has returned.
    void waits_for_host() {
        void* arguments[]{&words};
        must(driver.LaunchKernel(function("ask"), 1, 1, 1, 1, 1, 1, 0, streams[0], arguments, nullptr),
             "cuLaunchKernel");
        auto volatile* const seen = shared;
        while (seen[0] == 0) {}
        seen[0] = 0;
        seen[1] = 1;
        must(driver.StreamSynchronize(streams[0]), "cuStreamSynchronize");
    }
    // Another thread answers, whenever it is asked.
    void waits_for_thread() {
        std::atomic<bool> over{false};
        std::thread answering{[&] {
            auto volatile* const seen = shared;
            while (!over)
                if (seen[0] != 0) {
                    seen[0] = 0;
                    seen[1] = 1;
                }
        }};
        void* arguments[]{&words};
        must(driver.LaunchKernel(function("ask"), 1, 1, 1, 1, 1, 1, 0, nullptr, arguments, nullptr), "cuLaunchKernel");
        must(driver.CtxSynchronize(), "cuCtxSynchronize");
        over = true;
        answering.join();
    }
    void managed_memory() {
        void* arguments[]{&managed_at};
        must(driver.LaunchKernel(function("add"), 1, 1, 1, 1, 1, 1, 0, nullptr, arguments, nullptr), "cuLaunchKernel");
        must(driver.CtxSynchronize(), "cuCtxSynchronize");
        *managed = *managed + 1;
    }
    // Two kernels in two streams, each of which needs the other.
    void wait_for_each_other() {
        std::uint32_t blocks = 2;
        void* arguments[]{&count, &blocks};
        for (auto const stream : streams)
            must(driver.LaunchKernel(function("meet"), 1, 1, 1, 1, 1, 1, 0, stream, arguments, nullptr),
                 "cuLaunchKernel");
    }
};

struct hard_case {
    char const* name;
    void (program::*run)();
};
constexpr hard_case cases[]{{"cooperative", &program::cooperative},
                            {"waits_for_host", &program::waits_for_host},
                            {"waits_for_thread", &program::waits_for_thread},
                            {"managed_memory", &program::managed_memory},
                            {"wait_for_each_other", &program::wait_for_each_other}};
// Counters of the hardware, two passes of them, in each mode; in "patched" one that CUPTI counts by patching the program.
constexpr char const* modes[]{"user", "patched", "written", "restored", "auto_user", "auto_kernel"};

int measure(hard_case const& work, std::string const& mode) {
    auto opened = gpuprof::try_open_device();
    if (!opened) {
        std::printf("%s\n", opened.error().message().c_str());
        return 77;
    }
    program on{*opened};
    gpuprof::profiler_options options;
    options.max_ranges = 4;
    if (mode == "written") options.memory = gpuprof::memory_control::restore_written;
    if (mode == "restored") options.memory = gpuprof::memory_control::restore;
    if (mode == "auto_user" || mode == "auto_kernel") options.ranges = gpuprof::range_mode::auto_range;
    if (mode == "auto_kernel") options.replay = gpuprof::replay_mode::kernel;
    std::vector<gpuprof::metric_info> metrics;
    for (auto const* name :
         {"sm__warps_launched.sum", "dram__bytes_read.sum", "lts__t_sectors.sum", "lts__t_requests.sum",
          "l1tex__t_sectors.sum", "sm__inst_executed_pipe_alu.sum", "sm__inst_executed_pipe_fma.sum",
          "smsp__inst_executed.sum", "smsp__warps_issue_stalled_long_scoreboard.sum"})
        metrics.push_back(gpuprof::try_metric(name).value());
    if (mode == "patched")
        metrics.push_back(gpuprof::try_metric("smsp__sass_thread_inst_executed_op_memory_pred_on.sum").value());
    auto made = gpuprof::profiler::try_create(*opened, options, metrics);
    if (!made) {
        std::printf("%s\n", made.error().message().c_str());
        return 0;
    }
    for ([[maybe_unused]] auto const& pass : made->passes()) {
        gpuprof::scope const range{*made, work.name};
        (on.*work.run)();
    }
    auto report = made->try_report();
    if (!report) {
        std::printf("%s\n", report.error().message().c_str());
        return 0;
    }
    std::printf("%zu passes", report->completeness().replay_passes);
    for (auto const& row : *report)
        if (auto const warps = row.try_value("sm__warps_launched.sum"))
            std::printf(", %s: %.0f warps", std::string{row.name()}.c_str(), warps->value);
    for (auto const& each : report->completeness().problems) std::printf("; %s", each.message().c_str());
    std::printf("\n");
    return 0;
}

// What the process says, within 20 s.
std::string run(char const* self, char const* work, char const* mode) {
    int ends[2];
    if (::pipe(ends) != 0) return "no pipe";
    pid_t const child = ::fork();
    if (child == 0) {
        ::dup2(ends[1], 1);
        ::close(ends[0]);
        ::close(ends[1]);
        ::execl(self, self, work, mode, static_cast<char*>(nullptr));
        ::_exit(127);
    }
    ::close(ends[1]);
    int status = 0;
    bool ended = false;
    for (int i = 0; i < 200 && !ended; ++i) {
        std::this_thread::sleep_for(std::chrono::milliseconds{100});
        ended = ::waitpid(child, &status, WNOHANG) == child;
    }
    if (!ended) {
        ::kill(child, SIGKILL);
        ::waitpid(child, &status, 0);
    }
    std::string said;
    char part[512];
    for (ssize_t bytes; (bytes = ::read(ends[0], part, sizeof part)) > 0;)
        said.append(part, static_cast<std::size_t>(bytes));
    ::close(ends[0]);
    if (!ended) return "DID NOT END in 20 s";
    if (said.empty()) return "said nothing, status " + std::to_string(status);
    return said.substr(0, said.find('\n'));
}

} // namespace

int main(int count, char** arguments) {
    if (count == 3) {
        for (auto const& each : cases)
            if (std::strcmp(each.name, arguments[1]) == 0) return measure(each, arguments[2]);
        return 2;
    }
    {
        auto opened = gpuprof::try_open_device();
        if (!opened) {
            std::printf("skipped: %s\n", opened.error().message().c_str());
            return 77;
        }
        std::printf("%s, %s\n", std::string{opened->name()}.c_str(), opened->machine().cupti_library.path.c_str());
        std::fflush(stdout);
    }
    int hung = 0;
    for (auto const& work : cases)
        for (auto const* mode : modes) {
            std::string const said = run(arguments[0], work.name, mode);
            hung += said.rfind("DID NOT END", 0) == 0;
            std::printf("%-20s %-12s %s\n", work.name, mode, said.c_str());
            std::fflush(stdout);
        }
    return hung == 0 ? 0 : 1;
}
