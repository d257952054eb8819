// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A CUDA program that knows nothing of gpuprof: finds the driver's calls in the library that its first argument names, and
// launches `first` three times and `second` twice, copies 4,096 bytes to the device, sets 1,024 and waits. The second
// argument says how it ends, or what else it does.
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include <csignal>
#include <dlfcn.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {

constexpr char kernels[] = R"(
.version 7.0
.target sm_70
.address_size 64
.visible .entry first() { ret; }
.visible .entry second() { ret; }
.visible .entry ncclDevKernel_AllReduce_Sum_f32_RING_LL() { ret; }
.visible .entry takes(.param .u64 memory) { ret; }
// 2,000 times around, which takes most of the program's time on a GPU.
.visible .entry works() {
    .reg .u32 %n; .reg .pred %p;
    mov.u32 %n, 0;
again:
    add.u32 %n, %n, 1; setp.lt.u32 %p, %n, 2000;
    @%p bra again;
    ret;
}
// Waits until the host has written the word.
.visible .entry polls(.param .u64 word) {
    .reg .u32 %n; .reg .u64 %a<2>; .reg .pred %p;
    ld.param.u64 %a0, [word]; cvta.to.global.u64 %a1, %a0;
wait:
    ld.volatile.global.u32 %n, [%a1]; setp.eq.u32 %p, %n, 0;
    @%p bra wait;
    ret;
}
)";

void* library = nullptr;

template <class... Arguments>
void call(char const* name, Arguments... arguments) {
    auto* const function = reinterpret_cast<int (*)(Arguments...)>(::dlsym(library, name));
    int const status = function != nullptr ? function(arguments...) : -1;
    if (status == 0) return;
    std::fprintf(stderr, "plain_program: %s: %d\n", name, status);
    std::_Exit(2);
}

class program {
public:
    program() {
        call("cuInit", 0u);
        int device = 0, count = 0;
        call("cuDeviceGetCount", &count);
        device = count - 1; // the newest chip
        call("cuCtxCreate_v2", &context_, 0u, device);
        call("cuModuleLoadData", &module_, static_cast<void const*>(kernels));
    }
    void launch(char const* name, int times) const {
        void* function = nullptr;
        call("cuModuleGetFunction", &function, module_, name);
        for (int i = 0; i < times; ++i)
            call("cuLaunchKernel", function, 4u, 1u, 1u, 32u, 1u, 1u, 0u, static_cast<void*>(nullptr),
                 static_cast<void**>(nullptr), static_cast<void**>(nullptr));
    }
    // One block of one thread, with an address.
    void launch_with(char const* name, unsigned long long address, void* stream = nullptr) const {
        void* function = nullptr;
        call("cuModuleGetFunction", &function, module_, name);
        void* arguments[]{&address};
        call("cuLaunchKernel", function, 1u, 1u, 1u, 1u, 1u, 1u, 0u, stream, static_cast<void**>(arguments),
             static_cast<void**>(nullptr));
    }
    void make_current() const { call("cuCtxSetCurrent", context_); }
    static void wait() { call("cuCtxSynchronize"); }
    void end() const { call("cuCtxDestroy_v2", context_); }
    void run() const {
        std::vector<char> host(4096);
        unsigned long long buffer = 0;
        call("cuMemAlloc_v2", &buffer, host.size());
        call("cuMemcpyHtoD_v2", buffer, static_cast<void const*>(host.data()), host.size());
        call("cuMemsetD8_v2", buffer, static_cast<unsigned char>(0), std::size_t{1024});
        launch("first", 3);
        launch("second", 2);
        wait();
    }

private:
    void* context_ = nullptr;
    void* module_ = nullptr;
};

// Still used after the exit handlers that the injection library registered.
struct late_user {
    program const* used = nullptr;
    ~late_user() {
        if (used == nullptr) return;
        used->launch("first", 1);
        program::wait();
    }
} late;

} // namespace

int main(int count, char** arguments) {
    if (count < 3) return 2;
    library = ::dlopen(arguments[1], RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) return 2;
    std::string const how = arguments[2];
    static program const plain; // lives longer than the late user
    plain.run();
    if (how == "late") late.used = &plain;
    if (how == "_exit" || how == "kill") { // a few periods of flushing later
        std::this_thread::sleep_for(std::chrono::milliseconds{500});
        plain.launch("second", 1);
        if (how == "kill") static_cast<void>(std::raise(SIGKILL));
        ::_exit(0);
    }
    if (how == "pause") {
        std::this_thread::sleep_for(std::chrono::milliseconds{300});
        plain.launch("second", 1);
        program::wait();
    }
    if (how == "fork") {
        pid_t const child = ::fork();
        if (child == 0) std::exit(0); // runs the exit handlers that it inherited
        int status = -1;
        if (::waitpid(child, &status, 0) != child || status != 0) return 3;
        plain.launch("first", 4);
        program::wait();
    }
    if (how == "again") { // in a context of its own
        plain.end();
        program const other;
        other.launch("second", 1);
        program::wait();
    }
    if (how == "works") {
        plain.launch("works", 1);
        program::wait();
    }
    if (how == "nccl") {
        plain.launch("ncclDevKernel_AllReduce_Sum_f32_RING_LL", 2);
        program::wait();
    }
    if (how == "polls" || how == "answered") { // a word that the host writes
        void* host = nullptr;
        call("cuMemHostAlloc", &host, std::size_t{64}, 2u); // mapped
        std::memset(host, 0, 64);
        std::thread answering;
        if (how == "answered")
            answering = std::thread{[host] {
                std::this_thread::sleep_for(std::chrono::milliseconds{300});
                *static_cast<unsigned volatile*>(host) = 1;
            }};
        plain.launch_with("polls", reinterpret_cast<unsigned long long>(host));
        if (answering.joinable()) answering.join();
        program::wait();
    }
    if (how == "capture") {
        void *captured = nullptr, *beside = nullptr, *graph = nullptr;
        call("cuStreamCreate", &captured, 0u);
        call("cuStreamCreate", &beside, 1u);           // does not wait for the default stream
        call("cuStreamBeginCapture_v2", captured, 2u); // relaxed
        plain.launch_with("takes", 0, beside);
        plain.launch_with("takes", 0, captured);
        call("cuStreamEndCapture", captured, &graph);
        plain.launch_with("takes", 0, beside);
        program::wait();
    }
    if (how == "many") {
        plain.launch("first", GPUPROF_MANY_LAUNCHES - 3);
        program::wait();
    }
    if (how == "threads") {
        std::vector<std::thread> threads;
        for (int i = 0; i < 8; ++i)
            threads.emplace_back([] {
                plain.make_current();
                plain.launch("first", 100);
                program::wait();
            });
        for (auto& each : threads) each.join();
    }
    if (how == "named") {
        std::thread{[] {
            static_cast<void>(::pthread_setname_np(::pthread_self(), "loader 7"));
            plain.make_current();
            plain.launch("first", 1);
            program::wait();
            std::this_thread::sleep_for(std::chrono::milliseconds{500}); // some periods of flushing
        }}.join();
    }
    std::puts("done");
}
