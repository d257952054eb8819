// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel of each kind of library, for `gpuprof explain` to say why it takes as long as it does: library_kernels.sh.
//   library_kernels gemm|sort|reduce|sparse
// Links cuBLAS and cuSPARSE; CUB is headers. It knows nothing of gpuprof.
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string_view>
#include <vector>

#include <cublas_v2.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <cusparse.h>

#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_reduce.cuh>

static void must(bool well, char const* call) {
    if (well) return;
    std::printf("%s failed\n", call);
    std::exit(1);
}
template <class Value>
static Value* room(std::size_t count) {
    void* at = nullptr;
    must(cudaMalloc(&at, count * sizeof(Value)) == cudaSuccess, "cudaMalloc");
    must(cudaMemset(at, 0, count * sizeof(Value)) == cudaSuccess, "cudaMemset");
    return static_cast<Value*>(at);
}
template <class Value>
static Value* copied(std::vector<Value> const& from) {
    Value* const to = room<Value>(from.size());
    must(cudaMemcpy(to, from.data(), from.size() * sizeof(Value), cudaMemcpyHostToDevice) == cudaSuccess, "cudaMemcpy");
    return to;
}

// 4096 x 4096 x 4096 in half precision on tensor cores: near the most that the chip computes.
static void gemm() {
    int const n = 4096;
    __half *a = room<__half>(std::size_t(n) * n), *b = room<__half>(std::size_t(n) * n),
           *c = room<__half>(std::size_t(n) * n);
    cublasHandle_t handle = nullptr;
    must(cublasCreate(&handle) == CUBLAS_STATUS_SUCCESS, "cublasCreate");
    __half const one = __float2half(1), none = __float2half(0);
    must(cublasHgemm(handle, CUBLAS_OP_N, CUBLAS_OP_T, n, n, n, &one, a, n, b, n, &none, c, n) == CUBLAS_STATUS_SUCCESS,
         "cublasHgemm");
}
// 2^26 random keys.
static void sort() {
    std::size_t const count = std::size_t{1} << 26;
    std::vector<unsigned> keys(count);
    std::mt19937 random{1};
    for (unsigned& each : keys) each = static_cast<unsigned>(random());
    unsigned *from = copied(keys), *to = room<unsigned>(count);
    std::size_t bytes = 0;
    must(cub::DeviceRadixSort::SortKeys(nullptr, bytes, from, to, count) == cudaSuccess, "SortKeys");
    must(cub::DeviceRadixSort::SortKeys(room<char>(bytes), bytes, from, to, count) == cudaSuccess, "SortKeys");
}
// The sum of 2^28 numbers: as fast as memory is read.
static void reduce() {
    std::size_t const count = std::size_t{1} << 28, sums = 1;
    float *from = room<float>(count), *to = room<float>(sums);
    std::size_t bytes = 0;
    must(cub::DeviceReduce::Sum(nullptr, bytes, from, to, count) == cudaSuccess, "Sum");
    must(cub::DeviceReduce::Sum(room<char>(bytes), bytes, from, to, count) == cudaSuccess, "Sum");
}
// A million rows with 16 entries anywhere, times a vector: reads at random.
static void sparse() {
    int const rows = 1 << 20, each = 16;
    std::vector<int> offsets(rows + 1), columns(std::size_t(rows) * each);
    std::mt19937 random{1};
    for (int i = 0; i <= rows; ++i) offsets[i] = i * each;
    for (int& column : columns) column = static_cast<int>(random() % rows);
    int *row_at = copied(offsets), *column_at = copied(columns);
    float *values = room<float>(columns.size()), *x = room<float>(rows), *y = room<float>(rows);
    cusparseHandle_t handle = nullptr;
    must(cusparseCreate(&handle) == CUSPARSE_STATUS_SUCCESS, "cusparseCreate");
    cusparseSpMatDescr_t matrix = nullptr;
    cusparseDnVecDescr_t in = nullptr, out = nullptr;
    must(cusparseCreateCsr(&matrix, rows, rows, static_cast<std::int64_t>(columns.size()), row_at, column_at, values,
                           CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO,
                           CUDA_R_32F) == CUSPARSE_STATUS_SUCCESS &&
             cusparseCreateDnVec(&in, rows, x, CUDA_R_32F) == CUSPARSE_STATUS_SUCCESS &&
             cusparseCreateDnVec(&out, rows, y, CUDA_R_32F) == CUSPARSE_STATUS_SUCCESS,
         "cusparseCreateCsr");
    float const one = 1, none = 0;
    std::size_t bytes = 0;
    must(cusparseSpMV_bufferSize(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, matrix, in, &none, out, CUDA_R_32F,
                                 CUSPARSE_SPMV_CSR_ALG1, &bytes) == CUSPARSE_STATUS_SUCCESS &&
             cusparseSpMV(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, matrix, in, &none, out, CUDA_R_32F,
                          CUSPARSE_SPMV_CSR_ALG1, room<char>(bytes + 1)) == CUSPARSE_STATUS_SUCCESS,
         "cusparseSpMV");
}

int main(int count, char** words) {
    std::string_view const what = count > 1 ? words[1] : "";
    if (what == "gemm") gemm();
    else if (what == "sort") sort();
    else if (what == "reduce") reduce();
    else if (what == "sparse") sparse();
    else return std::puts("usage: library_kernels gemm|sort|reduce|sparse"), 2;
    must(cudaDeviceSynchronize() == cudaSuccess, "cudaDeviceSynchronize");
    std::puts("PASSED");
    return 0;
}
