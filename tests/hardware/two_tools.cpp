// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What CUPTI does where two tools share it (13.2 and later; its guide says activity records need 13.3 and a driver of the 610
// series), and whether gpuprof traces, hears calls and counts beside another tool. The program is the other tool, too. Prints a
// line a question; exit status 0 if what CUPTI lets gpuprof do gave right numbers.
//   g++ -std=c++20 -I include tests/hardware/two_tools.cpp -o two_tools -ldl -pthread
//   GPUPROF_CUPTI_PATH=…/libcupti.so.13 ./two_tools
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include <gpuprof/gpuprof.hpp>
#include <gpuprof/scope.hpp>
#include <gpuprof/trace.hpp>

namespace {

namespace abi = gpuprof::abi;
namespace activity = gpuprof::activity;

constexpr unsigned launches = 5;
std::atomic<unsigned> heard_by_other{0};
std::atomic<unsigned> buffers_of_other{0};

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
    void launch() const {
        for (unsigned i = 0; i < launches; ++i)
            static_cast<void>(gpu.driver().LaunchKernel(kernel, 2, 1, 1, 32, 1, 1, 0, nullptr, nullptr, nullptr));
        static_cast<void>(gpu.driver().CtxSynchronize());
    }
};

void answer(abi::cupti_table const& cupti, char const* question, abi::CUptiResult status) {
    char const* text = nullptr;
    if (cupti.GetResultString(status, &text) != abi::CUPTI_SUCCESS) text = "?";
    std::printf("%-58s %s\n", question, text);
}

// The other tool: hears launches, and has records of kernels of its own where CUPTI gives it some.
abi::CUpti_SubscriberHandle subscribe_other(abi::cupti_table const& cupti, std::uint8_t shared) {
    abi::CUpti_SubscriberHandle handle = nullptr;
    abi::CUpti_SubscriberParams names;
    char before[128] = {};
    names.subscriberName = "the other tool";
    names.oldSubscriberName = before;
    names.oldSubscriberSize = sizeof before - 1;
    names.allowMultipleSubscribers = shared;
    auto const heard = [](void*, abi::CUpti_CallbackDomain, abi::CUpti_CallbackId, void const*) { ++heard_by_other; };
    answer(cupti, shared != 0 ? "other: cuptiSubscribe_v2, sharing" : "other: cuptiSubscribe_v2, alone",
           cupti.Subscribe_v2(&handle, heard, nullptr, &names));
    if (before[0] != '\0') std::printf("  beside \"%s\"\n", before);
    return handle;
}

void request(std::uint8_t** buffer, std::size_t* size, std::size_t* most, void*) {
    *size = std::size_t{1} << 20;
    *buffer = static_cast<std::uint8_t*>(std::aligned_alloc(8, *size));
    *most = 0;
}
void complete(std::uint8_t* buffer, std::size_t, std::size_t valid, void*) {
    buffers_of_other += valid != 0 ? 1 : 0;
    std::free(buffer);
}

} // namespace

int main() {
    program const app;
    abi::cupti_table const& cupti = app.gpu.cupti();
    std::uint32_t version = 0;
    int driver = 0;
    static_cast<void>(cupti.GetVersion(&version));
    static_cast<void>(app.gpu.driver().DriverGetVersion(&driver));
    std::printf("CUPTI %u, driver for CUDA %d\n", version, driver);
    if (cupti.Subscribe_v2 == nullptr) return std::puts("this CUPTI has no cuptiSubscribe_v2"), 0;

    abi::CUpti_SubscriberHandle const other = subscribe_other(cupti, 1);
    if (other == nullptr) return 1;
    answer(
        cupti, "other: cuptiEnableCallback of cuLaunchKernel",
        cupti.EnableCallback(1, other, abi::CUPTI_CB_DOMAIN_DRIVER_API, abi::CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel));
    if (cupti.ActivityRegisterCallbacks_v2 != nullptr) {
        answer(cupti, "other: cuptiActivityRegisterCallbacks_v2",
               cupti.ActivityRegisterCallbacks_v2(other, request, complete));
        answer(cupti, "other: cuptiActivityEnable_v2 of kernels",
               cupti.ActivityEnable_v2(other, abi::CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, nullptr));
    }
    std::puts("the process's own calls, while a tool shares CUPTI:");
    std::uint64_t now = 0;
    std::size_t dropped = 0;
    answer(cupti, "  cuptiActivityEnable of kernels", cupti.ActivityEnable(abi::CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL));
    answer(cupti, "  cuptiActivityDisable of kernels",
           cupti.ActivityDisable(abi::CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL));
    answer(cupti, "  cuptiActivityGetNumDroppedRecords", cupti.ActivityGetNumDroppedRecords(nullptr, 0, &dropped));
    answer(cupti, "  cuptiGetTimestamp", cupti.GetTimestamp(&now));

    bool right = true;
    {
        unsigned calls = 0;
        auto begun = gpuprof::hw::subscription::try_begin(
            app.gpu.machine(),
            gpuprof::hw::callback_set{
                gpuprof::hw::callback_id{abi::CUPTI_CB_DOMAIN_DRIVER_API, abi::CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel}},
            [](void* count, gpuprof::hw::callback_id, void const*) { ++*static_cast<unsigned*>(count); }, &calls, {});
        if (!begun) {
            std::printf("gpuprof hears calls: %s\n", begun.error().message().c_str());
        } else {
            app.launch();
            std::printf("gpuprof hears calls: %u of %u\n", calls, 2 * launches);
            right = right && calls == 2 * launches;
        }
    }
    auto trace =
        gpuprof::tracer<activity::kind_list<activity::kernel>>::try_begin(app.gpu, activity::kinds<activity::kernel>);
    if (!trace) {
        std::printf("gpuprof traces: %s\n", trace.error().message().c_str());
    } else {
        {
            gpuprof::scope const step{*trace, "step"};
            app.launch();
        }
        unsigned kernels = 0, in_scope = 0;
        if (auto const batch = trace->try_flush(gpuprof::flush_mode::forced))
            batch->visit([&](activity::kernel const& each) {
                ++kernels;
                in_scope += batch->scope_path(batch->scope_of(each)) == "step" ? 1 : 0;
            });
        std::printf("gpuprof traces: %u kernels of %u, %u in their scope\n", kernels, launches, in_scope);
        right = right && kernels == launches && in_scope == launches;
        static_cast<void>(trace->try_finish());
    }
    auto const counted = gpuprof::try_measure<"smsp__warps_launched.sum">(app.gpu, [&] { app.launch(); });
    if (!counted) std::printf("gpuprof counts: %s\n", counted.error().message().c_str());
    else
        std::printf("gpuprof counts: %llu warps of %u\n", static_cast<unsigned long long>(counted->get<0>().count()),
                    2 * launches);
    static_cast<void>(cupti.ActivityFlushAll(1));
    std::printf("other: heard %u calls, got %u buffers\n", heard_by_other.load(), buffers_of_other.load());
    answer(cupti, "other: cuptiUnsubscribe", cupti.Unsubscribe(other));
    std::puts(right ? "right" : "WRONG");
    return right ? 0 : 1;
}
