// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program of MPI and the CUDA runtime that knows nothing of gpuprof: each rank launches a kernel, the last one over more blocks with
// the argument "uneven", and all meet in a barrier. With "fail" rank 1 ends with status 3 before it.
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include <mpi.h>

#include "program/runtime_calls.hpp"

int main(int count, char** words) {
    MPI_Init(&count, &words);
    int rank = 0, size = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    std::string_view const how = count > 1 ? words[1] : "";
    unsigned numbers = 512;
    void* memory = nullptr;
    void* arguments[]{&memory, &numbers};
    unsigned const blocks = how == "uneven" && rank == size - 1 ? 8 : 4;
    bool const works =
        cudaMalloc(&memory, numbers * sizeof(unsigned)) == 0 &&
        cudaLaunchKernel(program().scale_stub(), {blocks, 1, 1}, {64, 1, 1}, arguments, 0, nullptr) == 0 &&
        cudaDeviceSynchronize() == 0;
    if (how == "fail" && rank == 1) std::_Exit(3);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) std::printf("%d ranks ran\n", size);
    MPI_Finalize();
    return works ? 0 : 1;
}
