// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// nvcuda::wmma: one warp multiplies 16 by 16 matrices in every layout and type, from global and from shared memory.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <mma.h>
using namespace nvcuda;

// d = 2 * (a * b + c), d stored by columns; a and c by rows of n, b by columns of n.
extern "C" __global__ void wmma_f32(__half const* a, __half const* b, float const* c, float* d, int n) {
    wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> fa;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::col_major> fb;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
    wmma::load_matrix_sync(sum, c, n, wmma::mem_row_major);
    for (int k = 0; k < n; k += 16) {
        wmma::load_matrix_sync(fa, a + k, n);
        wmma::load_matrix_sync(fb, b + k, n);
        wmma::mma_sync(sum, fa, fb, sum);
    }
    for (int i = 0; i < sum.num_elements; ++i) sum.x[i] *= 2.0f;
    wmma::store_matrix_sync(d, sum, n, wmma::mem_col_major);
}
// a by columns, in shared memory, and every one of its elements halved; b by rows; sums in half.
extern "C" __global__ void wmma_f16(__half const* a, __half const* b, __half* d) {
    __shared__ __align__(32) __half sa[256];
    for (int i = threadIdx.x; i < 256; i += 32) sa[i] = a[i];
    __syncwarp();
    wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::col_major> fa;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::row_major> fb;
    wmma::fragment<wmma::accumulator, 16, 16, 16, __half> sum;
    wmma::fill_fragment(sum, __float2half(1.0f));
    wmma::load_matrix_sync(fa, sa, 16);
    for (int i = 0; i < fa.num_elements; ++i) fa.x[i] = __hmul(fa.x[i], __float2half(0.5f));
    wmma::load_matrix_sync(fb, b, 16);
    wmma::mma_sync(sum, fa, fb, sum);
    wmma::store_matrix_sync(d, sum, 16, wmma::mem_row_major);
}
extern "C" __global__ void wmma_bf16(__nv_bfloat16 const* a, __nv_bfloat16 const* b, float* d) {
    wmma::fragment<wmma::matrix_a, 16, 16, 16, __nv_bfloat16, wmma::row_major> fa;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, __nv_bfloat16, wmma::row_major> fb;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
    wmma::fill_fragment(sum, 0.0f);
    wmma::load_matrix_sync(fa, a, 16);
    wmma::load_matrix_sync(fb, b, 16);
    wmma::mma_sync(sum, fa, fb, sum);
    wmma::store_matrix_sync(d, sum, 16, wmma::mem_row_major);
}
extern "C" __global__ void wmma_s8(signed char const* a, signed char const* b, int const* c, int* d) {
    wmma::fragment<wmma::matrix_a, 16, 16, 16, signed char, wmma::row_major> fa;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, signed char, wmma::row_major> fb;
    wmma::fragment<wmma::accumulator, 16, 16, 16, int> sum;
    wmma::load_matrix_sync(sum, c, 16, wmma::mem_col_major);
    wmma::load_matrix_sync(fa, a, 16);
    wmma::load_matrix_sync(fb, b, 16);
    wmma::mma_sync(sum, fa, fb, sum);
    wmma::store_matrix_sync(d, sum, 16, wmma::mem_row_major);
}
