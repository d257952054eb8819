// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Division of 128-bit integers, for which nvcc writes code that adds with the carry flag of subtractions, and the other
// way round.
extern "C" __global__ void divide_unsigned(unsigned __int128 const* a, unsigned __int128 const* b,
                                           unsigned __int128* quotient, unsigned __int128* remainder, int n) {
    int const i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    quotient[i] = a[i] / b[i];
    remainder[i] = a[i] % b[i];
}
extern "C" __global__ void divide_signed(__int128 const* a, __int128 const* b, __int128* quotient, __int128* remainder,
                                         int n) {
    int const i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    quotient[i] = a[i] / b[i];
    remainder[i] = a[i] % b[i];
}
