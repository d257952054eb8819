// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program that compiles CUDA C++ by NVIDIA's NVRTC while it runs, where that library is.
#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <initializer_list>
#include <string>

#include <dlfcn.h>

#include "runtime_calls.hpp"

namespace nvrtc_test {

using module_handle = struct CUmod_st*;
using function_handle = struct CUfunc_st*;

extern "C" {
int cuModuleLoadDataEx(module_handle* made, void const* image, unsigned count, int* options, void** values);
int cuModuleGetFunction(function_handle* made, module_handle of, char const* name);
int cuModuleUnload(module_handle gone);
int cuLibraryLoadData(struct CUlib_st** made, void const* code, int* options, void** values, unsigned count, int* more,
                      void** more_values, unsigned more_count);
int cuLibraryGetKernel(function_handle* made, struct CUlib_st* of, char const* name);
int cuLibraryUnload(struct CUlib_st* gone);
int cuLaunchKernel(function_handle kernel, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned shared,
                   stream in, void** arguments, void** extra);
}

namespace {

// The library, by its documented calls.
class nvrtc {
public:
    nvrtc() {
        char const* const named = std::getenv("GPUPROF_NVRTC");
        for (char const* const name : {named, GPUPROF_TEST_NVRTC, "libnvrtc.so.13", "libnvrtc.so.12"})
            if (library_ == nullptr && name != nullptr && *name != '\0') library_ = ::dlopen(name, RTLD_NOW);
    }
    [[nodiscard]] bool is_there() const { return library_ != nullptr; }

    // What nvrtcGetPTX or nvrtcGetCUBIN gives; empty if the source does not compile.
    [[nodiscard]] std::string compile(char const* source, std::string const& architecture, char const* form) const {
        struct program* made = nullptr;
        std::string const option = "--gpu-architecture=" + architecture;
        char const* const options[]{option.c_str()};
        auto const create =
            call<int(struct program**, char const*, char const*, int, char const* const*, char const* const*)>(
                "nvrtcCreateProgram");
        REQUIRE(create(&made, source, "kernel.cu", 0, nullptr, nullptr) == 0);
        std::string image;
        if (call<int(struct program*, int, char const* const*)>("nvrtcCompileProgram")(made, 1, options) == 0) {
            std::size_t bytes = 0;
            std::string const get = std::string{"nvrtcGet"} + form;
            REQUIRE(call<int(struct program*, std::size_t*)>((get + "Size").c_str())(made, &bytes) == 0);
            image.resize(bytes);
            REQUIRE(call<int(struct program*, char*)>(get.c_str())(made, image.data()) == 0);
        }
        static_cast<void>(call<int(struct program**)>("nvrtcDestroyProgram")(&made));
        return image;
    }

private:
    template <class F>
    [[nodiscard]] F* call(char const* name) const {
        void* const found = ::dlsym(library_, name);
        REQUIRE(found != nullptr);
        return reinterpret_cast<F*>(found);
    }
    void* library_ = nullptr;
};

constexpr char const* source = R"(
template <class T> __device__ T sum_of_warp(T value) {
    for (int distance = 16; distance > 0; distance /= 2) value += __shfl_xor_sync(~0u, value, distance);
    return value;
}
extern "C" __global__ void sums(int* to) {
    __shared__ int part[4];
    int const all = sum_of_warp(int(threadIdx.x) * int(threadIdx.x));
    if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = all;
    __syncthreads();
    if (threadIdx.x < 4) to[threadIdx.x] = part[threadIdx.x];
}
)";

// Launches the kernel with four warps, and compares the sums of squares.
void check_sums(function_handle kernel) {
    void* memory = nullptr;
    REQUIRE(cudaMalloc(&memory, 4 * sizeof(int)) == 0);
    void* arguments[]{&memory};
    CHECK(cuLaunchKernel(kernel, 1, 1, 1, 128, 1, 1, 0, nullptr, arguments, nullptr) == 0);
    int got[4]{};
    CHECK(cudaMemcpy(got, memory, sizeof got, device_to_host) == 0);
    for (int warp = 0, thread = 0; warp < 4; ++warp) {
        int expected = 0;
        for (int lane = 0; lane < 32; ++lane, ++thread) expected += thread * thread;
        CHECK(got[warp] == expected);
    }
    CHECK(cudaFree(memory) == 0);
}

} // namespace

TEST_CASE("NVRTC's PTX is loaded as a module and as a library, also for a GPU that it has machine code for") {
    nvrtc const compiler;
    if (!compiler.is_there()) {
        MESSAGE("skipped: there is no libnvrtc; GPUPROF_NVRTC names one");
        return;
    }
    REQUIRE(cudaFree(nullptr) == 0);
    for (char const* const architecture : {"compute_90", "sm_90"}) {
        CAPTURE(architecture);
        std::string const image = compiler.compile(source, architecture, "PTX");
        REQUIRE(!image.empty());
        function_handle kernel = nullptr;
        module_handle module = nullptr;
        REQUIRE(cuModuleLoadDataEx(&module, image.c_str(), 0, nullptr, nullptr) == 0);
        REQUIRE(cuModuleGetFunction(&kernel, module, "sums") == 0);
        check_sums(kernel);
        CHECK(cuModuleUnload(module) == 0);
        struct CUlib_st* library = nullptr;
        REQUIRE(cuLibraryLoadData(&library, image.c_str(), nullptr, nullptr, 0, nullptr, nullptr, 0) == 0);
        REQUIRE(cuLibraryGetKernel(&kernel, library, "sums") == 0);
        check_sums(kernel);
        CHECK(cuLibraryUnload(library) == 0);
    }
}

TEST_CASE("NVRTC's machine code is refused, and the log says what to load") {
    nvrtc const compiler;
    if (!compiler.is_there()) {
        MESSAGE("skipped: there is no libnvrtc; GPUPROF_NVRTC names one");
        return;
    }
    REQUIRE(cudaFree(nullptr) == 0);
    std::string const image = compiler.compile(source, "sm_90", "CUBIN");
    REQUIRE(!image.empty());
    char log[512] = "";
    int options[]{5, 6}; // CU_JIT_ERROR_LOG_BUFFER, its size
    void* values[]{log, reinterpret_cast<void*>(sizeof log)};
    module_handle module = nullptr;
    CHECK(cuModuleLoadDataEx(&module, image.data(), 2, options, values) == 209); // CUDA_ERROR_NO_BINARY_FOR_GPU
    CHECK(std::string{log}.find("nvrtcGetPTX") != std::string::npos);
}

} // namespace nvrtc_test
