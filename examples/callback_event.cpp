// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Counts an event of each kernel from callbacks, switched on at the entry of the launch and read at its exit: the job of CUPTI's
// sample callback_event. Needs event hardware (capability 2.0 to 7.2); without one, try GPUPROF_DEVICE=sim:5.2.
// What you learn: what may be called inside a callback. A profiler's automatic ranges do the same with less: see hot_loop.cpp.
#include <cstdint>
#include <iostream>
#include <optional>

#include <gpuprof/legacy.hpp>
#include <gpuprof/gpuprof.hpp>
#include <gpuprof/hw/counters/event/event_group.hpp>
#include <gpuprof/sim.hpp>
#include <gpuprof/trace/callbacks.hpp>
#include <gpuprof/trace/function_families.hpp>

#include "support/ptx_program.hpp"

#if !GPUPROF_ENABLED // gpuprof::hw, which has the events, is not there
int main() { std::cout << "gpuprof is compiled out.\n"; }
#else

static constexpr char kernels[] = R"(
.version 7.0
.target sm_52
.address_size 64
.visible .entry first() { .reg .u32 %r<2>; mov.u32 %r1, %tid.x; ret; }
.visible .entry second() { ret; }
)";

// The event's number, by its name.
static std::optional<gpuprof::abi::CUpti_EventID> find(gpuprof::device const& gpu, std::string_view name) {
    auto const catalogue = gpuprof::hw::event_catalogue::try_open(gpu);
    if (!catalogue) {
        std::cout << "No events to count.\n" << catalogue.error().message() << '\n';
        return {};
    }
    for (auto const& event : catalogue->try_events().value())
        if (event.name == name) return event.id;
    std::cout << "No event of the name " << name << ".\n";
    return {};
}

int main() try {
    auto opened = gpuprof::try_open_device();
    if (!opened) {
        std::cout << "No GPU to measure on.\n" << opened.error().message() << '\n';
        return 0;
    }
    gpuprof::device const& gpu = *opened;
    auto const event = find(gpu, "warps_launched");
    if (!event) return 0;

    auto group = gpuprof::hw::event_group::try_create(gpu.cupti(), gpu.context()).value();
    static_cast<void>(group.try_add(*event).value());
    group.try_prepare().value();

    // Between the entry and the exit no other thread may launch: the event would count its kernel, too.
    auto const count = [&](gpuprof::api_call_event const& call) {
        static_cast<void>(gpu.driver().CtxSynchronize()); // one of the few calls that a handler may make
        if (call.enter()) {
            group.try_enable().value();
            return;
        }
        std::uint64_t warps = 0;
        group.try_read({&warps, 1}).value();
        group.try_disable().value();
        std::cout << call.symbol() << ": " << warps << " warps\n";
    };
    auto heard = gpuprof::callbacks::try_begin(gpu, gpuprof::driver_calls::launches, count);
    if (!heard) {
        std::cout << "No callbacks.\n" << heard.error().message() << '\n';
        return 0;
    }
    ptx_program program{gpu, kernels};
    program.launch("first", 8, 256);
    program.launch("second", 3, 64);
    return heard->failures() == 0 ? 0 : 1; // what the handler threw
} catch (std::exception const& failed) {
    std::cerr << failed.what() << '\n';
    return 1;
}

#endif // GPUPROF_ENABLED
