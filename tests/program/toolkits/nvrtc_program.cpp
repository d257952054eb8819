// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program of the driver API, with NVRTC: compiles kernels.cu, loads the PTX, launches both kernels. Writes the PTX into
// kernels.ptx, from which toolkits.sh makes the fat binary of the program of the runtime.
//
//   nvrtc_program KERNELS.CU
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <cuda.h>
#include <nvrtc.h>

static bool is_good(int status, char const* call) {
    if (status != 0) std::printf("%s: %d\n", call, status);
    return status == 0;
}
#define MUST(call)                                                                                                     \
    if (!is_good(static_cast<int>(call), #call)) return 1

int main(int count, char** arguments) {
    if (count != 2) return 2;
    std::ifstream file{arguments[1]};
    std::string const source{std::istreambuf_iterator<char>{file}, {}};
    nvrtcProgram program;
    char const* const options[]{"--gpu-architecture=compute_80", "-default-device"};
    MUST(nvrtcCreateProgram(&program, source.c_str(), "kernels.cu", 0, nullptr, nullptr));
    if (nvrtcCompileProgram(program, 1, options) != NVRTC_SUCCESS) {
        std::size_t bytes = 0;
        MUST(nvrtcGetProgramLogSize(program, &bytes));
        std::string log(bytes, '\0');
        MUST(nvrtcGetProgramLog(program, log.data()));
        return std::printf("%s\n", log.c_str()), 1;
    }
    std::size_t bytes = 0;
    MUST(nvrtcGetPTXSize(program, &bytes));
    std::string ptx(bytes, '\0');
    MUST(nvrtcGetPTX(program, ptx.data()));
    std::ofstream{"kernels.ptx"}.write(ptx.data(), static_cast<std::streamsize>(bytes - 1));
    int generation = 0, revision = 0;
    MUST(nvrtcVersion(&generation, &revision));

    CUdevice device;
    CUcontext context;
    CUmodule module;
    CUfunction scale, sums;
    CUdeviceptr factor, from, to, totals;
    MUST(cuInit(0));
    MUST(cuDeviceGet(&device, 0));
    MUST(cuDevicePrimaryCtxRetain(&context, device));
    MUST(cuCtxSetCurrent(context));
    MUST(cuModuleLoadData(&module, ptx.c_str()));
    MUST(cuModuleGetFunction(&scale, module, "scale"));
    MUST(cuModuleGetFunction(&sums, module, "_Z4sumsILi256EEvPKfPf"));
    MUST(cuModuleGetGlobal(&factor, nullptr, module, "factor"));
    int elements = 2560;
    std::vector<float> numbers(2560), results(2560), sum(10);
    for (int i = 0; i < elements; ++i) numbers[static_cast<std::size_t>(i)] = static_cast<float>(i % 50);
    float const three = 3;
    MUST(cuMemAlloc(&from, 4 * 2560));
    MUST(cuMemAlloc(&to, 4 * 2560));
    MUST(cuMemAlloc(&totals, 4 * 10));
    MUST(cuMemcpyHtoD(factor, &three, sizeof three));
    MUST(cuMemcpyHtoD(from, numbers.data(), 4 * 2560));
    void* scale_arguments[]{&from, &to, &elements};
    void* sums_arguments[]{&to, &totals};
    MUST(cuLaunchKernel(scale, 10, 1, 1, 256, 1, 1, 0, nullptr, scale_arguments, nullptr));
    MUST(cuLaunchKernel(sums, 10, 1, 1, 256, 1, 1, 0, nullptr, sums_arguments, nullptr));
    MUST(cuCtxSynchronize());
    MUST(cuMemcpyDtoH(results.data(), to, 4 * 2560));
    MUST(cuMemcpyDtoH(sum.data(), totals, 4 * 10));
    for (std::size_t i = 0; i < 2560; ++i)
        if (results[i] != 3 * numbers[i])
            return std::printf("element %zu is %g\n", i, static_cast<double>(results[i])), 1;
    for (std::size_t i = 0; i < 10; ++i) {
        float expected = 0;
        for (std::size_t k = 0; k < 256; ++k) expected += 3 * numbers[256 * i + k];
        if (sum[i] != expected) return std::printf("sum %zu is %g\n", i, static_cast<double>(sum[i])), 1;
    }
    std::string const version = ptx.substr(ptx.find(".version"), 12);
    std::printf("passed: headers of %d, NVRTC %d.%d, PTX with %s\n", CUDA_VERSION, generation, revision,
                version.c_str());
}
