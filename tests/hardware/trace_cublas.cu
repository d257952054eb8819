// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products of matrices by cuBLAS, always the same kernels.
//   trace_cublas           as it is, for a library that traces it
//   trace_cublas count     prints `kernel NAME` for each kernel, by CUPTI's activity records, bare
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <cublas_v2.h>
#include <cuda_runtime.h>
#include <cupti.h>

namespace {

void check(bool good, char const* call) {
    if (good) return;
    std::fprintf(stderr, "%s failed\n", call);
    std::exit(1);
}
#define CHECKED(call) check((call) == 0, #call)

void CUPTIAPI requested(std::uint8_t** buffer, std::size_t* size, std::size_t* most) {
    *size = std::size_t{4} << 20;
    *buffer = static_cast<std::uint8_t*>(std::malloc(*size));
    *most = 0;
}
void CUPTIAPI completed(CUcontext, std::uint32_t, std::uint8_t* buffer, std::size_t, std::size_t valid) {
    CUpti_Activity* at = nullptr;
    while (cuptiActivityGetNextRecord(buffer, valid, &at) == CUPTI_SUCCESS)
        if (at->kind == CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL)
            std::printf("kernel %s\n", reinterpret_cast<CUpti_ActivityKernel10 const*>(at)->name);
    std::free(buffer);
}

void products() {
    constexpr int n = 512, batches = 4;
    cublasHandle_t handle = nullptr;
    CHECKED(cublasCreate(&handle));
    float *a = nullptr, *b = nullptr, *c = nullptr;
    CHECKED(cudaMalloc(&a, sizeof(double) * n * n * batches));
    CHECKED(cudaMalloc(&b, sizeof(double) * n * n * batches));
    CHECKED(cudaMalloc(&c, sizeof(double) * n * n * batches));
    CHECKED(cudaMemset(a, 0, sizeof(double) * n * n * batches));
    CHECKED(cudaMemset(b, 0, sizeof(double) * n * n * batches));
    CHECKED(cudaMemset(c, 0, sizeof(double) * n * n * batches));
    float const one = 1, none = 0;
    double const one_double = 1, none_double = 0;
    auto* const a_double = reinterpret_cast<double*>(a);
    auto* const b_double = reinterpret_cast<double*>(b);
    auto* const c_double = reinterpret_cast<double*>(c);
    for (int i = 0; i < 5; ++i) {
        CHECKED(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, a, n, b, n, &none, c, n));
        CHECKED(cublasDgemm(handle, CUBLAS_OP_N, CUBLAS_OP_T, n, n, n, &one_double, a_double, n, b_double, n,
                            &none_double, c_double, n));
        CHECKED(cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, a, CUDA_R_16F, n, b, CUDA_R_16F, n, &none,
                             c, CUDA_R_16F, n, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT));
        CHECKED(cublasSgemmStridedBatched(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, a, n, n * n, b, n, n * n,
                                          &none, c, n, n * n, batches));
        CHECKED(cublasSgemv(handle, CUBLAS_OP_N, n, n, &one, a, n, b, 1, &none, c, 1));
    }
    CHECKED(cudaDeviceSynchronize());
    CHECKED(cudaFree(a));
    CHECKED(cudaFree(b));
    CHECKED(cudaFree(c));
    CHECKED(cublasDestroy(handle));
}

} // namespace

int main(int argument_count, char** arguments) {
    bool const counts = argument_count > 1 && std::strcmp(arguments[1], "count") == 0;
    if (counts) {
        CHECKED(cuptiActivityRegisterCallbacks(&requested, &completed));
        CHECKED(cuptiActivityEnable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL));
    }
    products();
    if (counts) CHECKED(cuptiActivityFlushAll(1));
    std::printf("ends well\n");
}
