// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A stand-in for the runtimes of OpenMP and OpenACC on a machine without their compilers: loads a tool library, says which
// callbacks it registers, and tells it of regions around launches. Prints "ready" words that directives.sh looks for.
//   directives LIBCUDA TOOL
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstring>

#include <dlfcn.h>

namespace {

void* cuda = nullptr;
template <class... Arguments>
int call(char const* name, Arguments... arguments) {
    auto* const function = reinterpret_cast<int (*)(Arguments...)>(::dlsym(cuda, name));
    int const status = function != nullptr ? function(arguments...) : -1;
    if (status != 0) std::printf("%s: %d\n", name, status);
    return status;
}

struct word {
    std::uint64_t value;
};
struct start_result {
    int (*initialize)(void (*(*)(char const*))(), int, word*);
    void (*finalize)(word*);
    word data;
};

std::array<void (*)(), 64> ompt{};
int set_callback(int event, void (*callback)()) {
    std::printf("OpenMP: callback %d\n", event);
    if (event > 0 && event < 64) ompt[static_cast<std::size_t>(event)] = callback;
    return 5; // always
}
void (*look_up_ompt(char const* name))() {
    std::printf("OpenMP: asks for %s\n", name);
    if (std::strcmp(name, "ompt_set_callback") == 0) return reinterpret_cast<void (*)()>(&set_callback);
    return nullptr;
}
template <class... Arguments>
void tell(std::size_t event, Arguments... arguments) {
    if (ompt[event] != nullptr) reinterpret_cast<void (*)(Arguments...)>(ompt[event])(arguments...);
}

struct acc_profile {
    int event, bytes = 72, version = 201711, device_type = 4, device_number = 0, thread = 0;
    std::int64_t async = -2, queue = -2;
    char const *file = "directives.cpp", *function = "main";
    int line = 1, end_line = 2, function_line = 1, function_end_line = 9;
};
struct acc_event {
    int event, bytes = 56, parent = 0, implicit = 0;
    void* info = nullptr;
    char const* name = "first";
    std::uint64_t gangs = 1, workers = 1, length = 32;
};
struct acc_api {
    int api = 1, bytes = 40, type = 4, vendor = 0;
    void const *device = nullptr, *context = nullptr, *queue = nullptr;
};
using acc_callback = void (*)(acc_profile*, acc_event*, acc_api*);
std::array<acc_callback, 64> acc{};
void register_acc(int event, acc_callback callback, int) {
    if (event > 0 && event < 64) acc[static_cast<std::size_t>(event)] = callback;
}
void unregister_acc(int, acc_callback, int) {}
void (*look_up_acc(char const* name))() {
    std::printf("OpenACC: asks for %s\n", name);
    return nullptr;
}
void* tool_info = nullptr;
void tell_acc(int event) {
    acc_profile of{event};
    acc_event what{event};
    acc_api api;
    what.info = tool_info;
    if (acc[static_cast<std::size_t>(event)] != nullptr) acc[static_cast<std::size_t>(event)](&of, &what, &api);
    tool_info = what.info;
}

} // namespace

int main(int count, char** words) {
    if (count < 3) return 2;
    std::setvbuf(stdout, nullptr, _IONBF, 0);
    cuda = ::dlopen(words[1], RTLD_NOW);
    void* const tool = ::dlopen(words[2], RTLD_NOW);
    if (cuda == nullptr || tool == nullptr) return std::printf("%s\n", ::dlerror()), 2;
    static char const kernels[] = ".version 7.0\n.target sm_70\n.address_size 64\n.visible .entry first() { ret; }\n";
    void *context = nullptr, *module = nullptr, *first = nullptr;
    int device = 0;
    call("cuInit", 0u);
    call("cuDeviceGet", &device, 0);
    call("cuDevicePrimaryCtxRetain", &context, device);
    call("cuCtxSetCurrent", context);
    call("cuModuleLoadData", &module, static_cast<void const*>(kernels));
    call("cuModuleGetFunction", &first, module, "first");
    auto const launch = [&] {
        call("cuLaunchKernel", first, 1u, 1u, 1u, 32u, 1u, 1u, 0u, static_cast<void*>(nullptr),
             static_cast<void**>(nullptr), static_cast<void**>(nullptr));
    };

    auto* const start = reinterpret_cast<start_result* (*)(unsigned, char const*)>(::dlsym(tool, "ompt_start_tool"));
    start_result* const openmp = start != nullptr ? start(201811, "a stand-in") : nullptr;
    std::printf("OpenMP: %s\n", openmp == nullptr ? "no tool" : "a tool");
    if (openmp != nullptr) {
        std::printf("OpenMP: initialize says %d\n", openmp->initialize(&look_up_ompt, 0, &openmp->data));
        word thread{0}, region{0}, task{0};
        void* const nowhere = nullptr;
        tell(1, 1, &thread);
        tell(3, static_cast<word*>(nullptr), nowhere, &region, 1u, 0, nowhere);
        tell(7, 1, &region, &task, 1u, 0u, 2);
        launch();
        tell(16, 2, 1, &region, &task, nowhere);
        tell(16, 2, 2, &region, &task, nowhere);
        tell(7, 2, &region, &task, 1u, 0u, 2);
        tell(4, &region, static_cast<word*>(nullptr), 0, nowhere);
        tell(2, &thread);
    }

    auto* const library = reinterpret_cast<void (*)(void (*)(int, acc_callback, int), void (*)(int, acc_callback, int),
                                                    void (*(*)(char const*))())>(::dlsym(tool, "acc_register_library"));
    if (library != nullptr) library(&register_acc, &unregister_acc, &look_up_acc);
    int callbacks = 0;
    for (auto const each : acc) callbacks += each != nullptr;
    std::printf("OpenACC: %d callbacks\n", callbacks);
    tell_acc(1); // device init, from start to end
    tell_acc(2);
    tell_acc(16); // a compute construct, with a launch
    tell_acc(18);
    launch();
    tell_acc(19);
    tell_acc(17);
    call("cuCtxSynchronize");
    std::printf("done\n");
}
