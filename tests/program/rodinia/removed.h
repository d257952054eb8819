/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
   Included before every source of Rodinia by rodinia.py: what CUDA 13 and today's C library no longer have, and a clock that
   stands still, so that two programs draw the same numbers. The sources stay as they are. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#define time(x) ((time_t)7)
#if defined(__CUDACC__)
#include <cuda_runtime.h>
#define cudaThreadSynchronize cudaDeviceSynchronize
#define cudaThreadExit cudaDeviceReset
#define clockRate warpSize /* of cudaDeviceProp: programs print these three, or choose a device by them */
#define computeMode warpSize
#define deviceOverlap asyncEngineCount
/* Programs that free what their last kernel computed, unseen: it is shown before that. */
#if defined(RODINIA_BACKPROP)
#define free(pointer)                                                                                                  \
    do {                                                                                                               \
        if (strcmp(#pointer, "input_weights_one_dim") == 0) {                                                          \
            FILE* const weights = fopen("weights", "wb");                                                              \
            fwrite((void*)input_weights_one_dim, sizeof(float), (size_t)(in + 1) * (hid + 1), weights);                \
            fclose(weights);                                                                                           \
        }                                                                                                              \
        free(pointer);                                                                                                 \
    } while (0)
#elif defined(RODINIA_GAUSSIAN)
#define free(pointer)                                                                                                  \
    do {                                                                                                               \
        if (strcmp(#pointer, "m") == 0) {                                                                              \
            printf("The solution:\n");                                                                                 \
            for (int row = 0; row < Size; ++row) printf("%.6f\n", finalVec[row]);                                      \
        }                                                                                                              \
        free(pointer);                                                                                                 \
    } while (0)
#elif defined(RODINIA_ROOM)
/* srad_v2 reads a row before its first array and one after its last, and does not use them: with room on both sides it may. */
enum { room = 65536 };
static cudaError_t malloc_with_room(void** pointer, size_t bytes) {
    cudaError_t const error = cudaMalloc(pointer, bytes + 2 * room);
    *pointer = (char*)*pointer + room;
    return error;
}
static cudaError_t free_with_room(void* pointer) { return cudaFree((char*)pointer - room); }
#define cudaMalloc malloc_with_room
#define cudaFree free_with_room
#endif
#elif defined(RODINIA_ON_HOST)
/* A CUDA program as a program of the CPU, of which rodinia.py changed <<<>>> alone: threads one after the other, so only for
   kernels in which none waits for another. */
#include <math.h>
#define __global__
#define __device__
struct dim3 {
    unsigned x = 1, y = 1, z = 1;
};
static dim3 blockIdx, threadIdx;
static dim3 blockDim, gridDim;
enum { cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost };
static inline int cudaMalloc(void** to, size_t bytes) { return (*to = malloc(bytes)) == NULL; }
static inline int cudaMemcpy(void* to, void const* from, size_t bytes, int) { return memcpy(to, from, bytes) == NULL; }
static inline void cudaFree(void* gone) { free(gone); }
static inline int cudaThreadSynchronize() { return 0; }
template <class Kernel>
static auto on_host(Kernel kernel, dim3 grid, dim3 block) {
    return [=](auto... arguments) {
        gridDim = grid;
        blockDim = block;
        for (blockIdx.x = 0; blockIdx.x < grid.x; ++blockIdx.x)
            for (threadIdx.x = 0; threadIdx.x < block.x; ++threadIdx.x) kernel(arguments...);
    };
}
#endif
