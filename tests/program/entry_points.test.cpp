// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every symbol of the embedded GPU's libcuda and libcudart is there and survives null arguments.
#include <doctest/doctest.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>

#include <dlfcn.h>

#include "support/child_program.hpp"

namespace entry_points_test {

static constexpr char const* driver_symbols[]{
#define X(symbol) #symbol,
#include "../../src/libcuda/entry_points.inc"
#undef X
};
static constexpr char const* runtime_symbols[]{
#define X(symbol) #symbol,
#include "../../src/libcudart/entry_points.inc"
#undef X
};

// As many arguments as any call takes, all of them null.
using any_call = int (*)(void*, void*, void*, void*, void*, void*, void*, void*, void*, void*, void*, void*);
static int call_with_nulls(void* function) {
    return reinterpret_cast<any_call>(function)(nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr,
                                                nullptr, nullptr, nullptr, nullptr);
}
static void* address(char const* library, char const* symbol) {
    void* const handle = ::dlopen(library, RTLD_NOW | RTLD_NOLOAD);
    REQUIRE(handle != nullptr);
    return ::dlsym(handle, symbol);
}

TEST_CASE("libcuda exports every name of CUDA's driver") {
    for (char const* const symbol : driver_symbols) CHECK_MESSAGE(address("libcuda.so.1", symbol) != nullptr, symbol);
    CHECK(address("libcuda.so.1", "cuNoSuchCall") == nullptr);
}

TEST_CASE("libcudart exports every name of CUDA's runtime") {
    for (char const* const symbol : runtime_symbols)
        CHECK_MESSAGE(address("libcudart.so.13", symbol) != nullptr, symbol);
}

// In a process of its own: some of the calls end contexts.
TEST_CASE("child: null arguments to the runtime" * doctest::skip()) {
    static_cast<void>(std::freopen("/dev/null", "w", stderr)); // hundreds of refusals name themselves
    for (char const* const symbol : runtime_symbols) {
        if (std::strncmp(symbol, "__", 2) == 0) continue;                // called by what nvcc writes, never with nulls
        if (std::strcmp(symbol, "cudaCreateChannelDesc") == 0) continue; // returns a structure, takes no pointer
        static_cast<void>(call_with_nulls(address("libcudart.so.13", symbol)));
    }
    std::_Exit(42);
}
TEST_CASE("child: null arguments to the driver" * doctest::skip()) {
    static_cast<void>(std::freopen("/dev/null", "w", stderr)); // hundreds of refusals name themselves
    for (bool const started : {false, true}) {
        if (started) static_cast<void>(call_with_nulls(address("libcuda.so.1", "cuInit")));
        for (char const* const symbol : driver_symbols)
            static_cast<void>(call_with_nulls(address("libcuda.so.1", symbol)));
    }
    void* context = nullptr;
    auto const retain = reinterpret_cast<int (*)(void**, int)>(address("libcuda.so.1", "cuDevicePrimaryCtxRetain"));
    auto const set = reinterpret_cast<int (*)(void*)>(address("libcuda.so.1", "cuCtxSetCurrent"));
    if (retain(&context, 0) != 0) std::_Exit(1);
    for (char const* const symbol : driver_symbols) {
        if (set(context) != 0 && retain(&context, 0) == 0) static_cast<void>(set(context));
        static_cast<void>(call_with_nulls(address("libcuda.so.1", symbol)));
    }
    std::_Exit(42);
}
TEST_CASE("no call of the runtime crashes for null arguments") {
    CHECK(test::run_test_case("child: null arguments to the runtime", {}) == 42);
}
TEST_CASE("no call of the driver crashes for null arguments, with a context or without") {
    CHECK(test::run_test_case("child: null arguments to the driver", {}) == 42);
}

using get_proc_address = int (*)(char const*, void**, int, unsigned long long, int*);
static int found(char const* name, int version, unsigned long long flags, void*& function) {
    function = nullptr;
    int result = -1;
    auto const get = reinterpret_cast<get_proc_address>(address("libcuda.so.1", "cuGetProcAddress_v2"));
    static_cast<void>(get(name, &function, version, flags, &result));
    return result;
}

TEST_CASE("cuGetProcAddress gives the version of a call that the program was built for") {
    // cuGetProcAddress_v2 gives what stands behind the exported symbol; both answer a call alike.
    void* old_function = nullptr;
    void* new_function = nullptr;
    void* per_thread = nullptr;
    CHECK(found("cuStreamGetCaptureInfo", 11000, 0, old_function) == 0);
    CHECK(found("cuStreamGetCaptureInfo", 12030, 0, new_function) == 0);
    CHECK(old_function != new_function);
    CHECK(found("cuLaunchKernel", 13000, 0, new_function) == 0);
    CHECK(found("cuLaunchKernel", 13000, 2, per_thread) == 0);
    CHECK(per_thread != new_function);
    void* later = nullptr;
    CHECK(found("cuLaunchKernelEx", 11000, 0, later) == 2); // of 11.6
    CHECK(later == nullptr);
    CHECK(found("cuNoSuchCall", 13000, 0, later) == 1);
    CHECK(later == nullptr);
}

TEST_CASE("a call that is not there says which one it is") {
    auto const call = reinterpret_cast<int (*)()>(address("libcuda.so.1", "cuMipmappedArrayCreate"));
    CHECK(call() == 801);
}

TEST_CASE("programs of CUDA 13 get the later forms of calls, and they do what the earlier ones do") {
    using find_call = int (*)(char const* name, void** found, int version, unsigned long long flags, int* status);
    auto const find = reinterpret_cast<find_call>(address("libcuda.so.1", "cuGetProcAddress_v2"));
    auto const later = [&](char const* name) {
        void* found = nullptr;
        REQUIRE(find(name, &found, 13010, 0, nullptr) == 0);
        return found;
    };
    auto const call = [](char const* symbol, auto... arguments) {
        return reinterpret_cast<int (*)(decltype(arguments)...)>(address("libcuda.so.1", symbol))(arguments...);
    };
    void *context = nullptr, *found_context = nullptr, *green = &context, *host = nullptr;
    REQUIRE(call("cuInit", 0u) == 0);
    REQUIRE(call("cuDevicePrimaryCtxRetain", &context, 0) == 0);
    REQUIRE(call("cuCtxSetCurrent", context) == 0);
    CHECK(reinterpret_cast<int (*)(void**, std::size_t, unsigned)>(later("cuMemHostAlloc"))(&host, 64, 0u) == 0);
    CHECK(call("cuMemFreeHost", host) == 0);
    int device = -1;
    CHECK(reinterpret_cast<int (*)(int*, void*)>(later("cuCtxGetDevice"))(&device, context) == 0);
    CHECK(device == 0);
    CHECK(reinterpret_cast<int (*)(int*, void*)>(later("cuCtxGetDevice"))(&device, &device) != 0); // no context
    CHECK(reinterpret_cast<int (*)(void*)>(later("cuCtxSynchronize"))(nullptr) == 0);
    auto const context_of = reinterpret_cast<int (*)(void*, void**, void**)>(later("cuStreamGetCtx"));
    CHECK(context_of(nullptr, &found_context, &green) == 0);
    CHECK(found_context == context);
    CHECK(green == nullptr);
    static bool is_called = false;
    auto const launch = reinterpret_cast<int (*)(void*, void (*)(void*), void*, unsigned)>(later("cuLaunchHostFunc"));
    CHECK(launch(
              nullptr, [](void* called) { *static_cast<bool*>(called) = true; }, &is_called, 0u) == 0);
    CHECK(call("cuCtxSynchronize") == 0);
    CHECK(is_called);
    float milliseconds = 0;
    void* event = nullptr;
    REQUIRE(call("cuEventCreate", &event, 0u) == 0);
    REQUIRE(call("cuEventRecord", event, static_cast<void*>(nullptr)) == 0);
    CHECK(reinterpret_cast<int (*)(float*, void*, void*)>(later("cuEventElapsedTime"))(&milliseconds, event, event) ==
          0);
    CHECK(call("cuEventDestroy_v2", event) == 0);
}

} // namespace entry_points_test
