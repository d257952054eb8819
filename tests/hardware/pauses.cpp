// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the range profiler makes of a pause: whether a range that is closed and opened again under its number goes on, and
// whether its stop within a pass is one. Prints a line a range, and where each stop left the collection.
//   g++ -std=c++20 -I include tests/hardware/pauses.cpp -o pauses -ldl -pthread && ./pauses
#include <cstdio>
#include <string>

#include <gpuprof/gpuprof.hpp>
#include <gpuprof/hw/counters/range/range_hardware.hpp>

namespace {

namespace abi = gpuprof::abi;
using gpuprof::range_mode;
using gpuprof::replay_mode;
using session = gpuprof::hw::range_hardware::session;

struct program {
    gpuprof::device gpu = gpuprof::try_open_device().value();
    abi::CUfunction kernel = nullptr;
    program() {
        abi::CUmodule module = nullptr;
        static_cast<void>(gpu.driver().CtxPushCurrent(gpu.context()));
        static_cast<void>(gpu.driver().ModuleLoadData(
            &module, ".version 7.0\n.target sm_70\n.address_size 64\n.visible .entry nothing() { ret; }\n"));
        static_cast<void>(gpu.driver().ModuleGetFunction(&kernel, module, "nothing"));
    }
    void launch(unsigned warps) const {
        static_cast<void>(gpu.driver().LaunchKernel(kernel, warps, 1, 1, 32, 1, 1, 0, nullptr, nullptr, nullptr));
        static_cast<void>(gpu.driver().CtxSynchronize());
    }
};

bool stop(session& counting, char const* what) {
    auto const ended = counting.try_end_replay_pass();
    if (ended) std::printf("  %s: next pass %zu%s\n", what, ended->pass, ended->last ? ", all done" : "");
    else std::printf("  %s: %s\n", what, ended.error().message().c_str());
    return !ended || ended->last;
}

// 3 warps, a pause with 100, 4 warps; and a second range of 1.
void scopes(program const& on, session& counting) {
    for (bool done = false; !done; done = stop(counting, "end")) {
        if (!counting.try_begin_replay_pass()) return;
        static_cast<void>(counting.try_push(0));
        on.launch(3);
        static_cast<void>(counting.try_pop());
        on.launch(100);
        static_cast<void>(counting.try_push(0));
        on.launch(4);
        static_cast<void>(counting.try_pop());
        static_cast<void>(counting.try_push(1));
        on.launch(1);
        static_cast<void>(counting.try_pop());
    }
}
// A kernel of 3 warps, a pause with one of 100, one of 4.
void kernels(program const& on, session& counting) {
    bool done = false;
    for (int pass = 0; pass < 6 && !done; ++pass) {
        if (!counting.try_begin_replay_pass()) return;
        on.launch(3);
        static_cast<void>(stop(counting, "stop"));
        on.launch(100);
        if (!counting.try_begin_replay_pass()) return;
        on.launch(4);
        done = stop(counting, "end");
    }
}

} // namespace

int main() {
    program const on;
    std::string const names[]{"smsp__warps_launched.sum",
                              "smsp__inst_executed.sum",
                              "smsp__thread_inst_executed.sum",
                              "smsp__inst_executed_op_branch.sum",
                              "smsp__inst_executed_pipe_alu.sum",
                              "smsp__inst_executed_pipe_fma.sum",
                              "smsp__inst_issued.sum",
                              "smsp__cycles_active.sum",
                              "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum",
                              "smsp__thread_inst_executed_per_inst_executed.ratio"};
    auto const plan = gpuprof::hw::range_hardware::try_plan(on.gpu, names).value();
    std::printf("%s, %zu passes\n", std::string{on.gpu.name()}.c_str(), plan.passes());
    auto const run = [&](char const* title, range_mode ranges, replay_mode replay, auto work) {
        std::printf("%s\n", title);
        auto counting = session::try_open(on.gpu, plan).value();
        if (!counting.try_prepare({4, 1, ranges, replay})) return;
        work(on, counting);
        auto const read = counting.try_read();
        if (!read) return;
        for (auto const& each : *read)
            std::printf("  range %u: %g warps, %g threads an instruction\n", each.id, each.values[0], each.values[9]);
    };
    run("scopes, closed and opened again", range_mode::user_range, replay_mode::user, scopes);
    run("kernels, CUPTI replays", range_mode::auto_range, replay_mode::kernel, kernels);
    run("kernels, the application replays", range_mode::auto_range, replay_mode::user, kernels);
}
