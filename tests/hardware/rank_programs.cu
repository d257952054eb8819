// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two programs of MPI ranks with a GPU each, for rank_programs.sh: their passes are spread over the ranks, and each rank's own run of
// all passes counts the same.
//   mpirun -n 2 rank_programs stencil      rows of a grid, whose edges go to the neighbours by MPI after each step
//   mpirun -n 2 rank_programs training     a step of a linear model on each rank's samples, gradients added up by NCCL's all-reduce
// Exit status 0 if all that is known beforehand is so, 1 if it is not, 77 without a GPU for each rank.
#include <cmath>
#include <cstdio>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include <cuda_runtime.h>
#include <mpi.h>
#include <nccl.h>

#include <gpuprof/mpi.hpp>

#include "spread_run.hpp"

namespace ranks = gpuprof::ranks;

static void must(bool done, char const* what) {
    if (done) return;
    std::printf("%s failed\n", what);
    MPI_Abort(MPI_COMM_WORLD, 1);
}
static void must(cudaError_t status, char const* call) { must(status == cudaSuccess, call); }
static void must(ncclResult_t status, char const* call) { must(status == ncclSuccess, call); }

struct buffer {
    float* at = nullptr;
    explicit buffer(std::vector<float> const& values) {
        must(cudaMalloc(&at, values.size() * sizeof(float)), "cudaMalloc");
        must(cudaMemcpy(at, values.data(), values.size() * sizeof(float), cudaMemcpyDefault), "cudaMemcpy");
    }
    buffer(buffer const&) = delete;
    ~buffer() { cudaFree(at); }
};

// Row 0 and row rows + 1 are of the neighbours.
__global__ void relax(float const* from, float* to, int rows, int columns) {
    int const column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y + 1;
    if (column < 1 || column >= columns - 1 || row > rows) return;
    float const* const here = from + std::size_t{1} * row * columns + column;
    to[std::size_t{1} * row * columns + column] = 0.25f * (here[-1] + here[1] + here[-columns] + here[columns]);
}

class stencil {
public:
    static constexpr int rows = 1024, columns = 4096, steps = 4;

    void run(gpuprof::scope_target& on) {
        for (int step = 0; step < steps; ++step) {
            {
                gpuprof::scope const here{on, "relax"};
                relax<<<dim3{columns / 256, rows}, 256>>>(from_.at, to_.at, rows, columns);
            }
            std::swap(from_.at, to_.at);
            give_edges();
        }
    }

private:
    void give_edges() {
        int rank = 0, size = 0;
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
        MPI_Comm_size(MPI_COMM_WORLD, &size);
        int const up = rank > 0 ? rank - 1 : MPI_PROC_NULL, down = rank + 1 < size ? rank + 1 : MPI_PROC_NULL;
        pass_on(row(1), up, row(rows + 1), down);
        pass_on(row(rows), down, row(0), up);
    }
    float* row(int number) const { return from_.at + std::size_t{1} * number * columns; }
    void pass_on(float const* mine, int to, float* theirs, int from) {
        constexpr auto bytes = columns * sizeof(float);
        must(cudaMemcpy(sent_.data(), mine, bytes, cudaMemcpyDefault), "a row from the GPU");
        MPI_Sendrecv(sent_.data(), columns, MPI_FLOAT, to, 0, heard_.data(), columns, MPI_FLOAT, from, 0,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (from != MPI_PROC_NULL)
            must(cudaMemcpy(theirs, heard_.data(), bytes, cudaMemcpyDefault), "a row to the GPU");
    }

    std::vector<float> sent_ = std::vector<float>(columns), heard_ = sent_;
    buffer from_{std::vector<float>((rows + 2) * std::size_t{columns}, 1)};
    buffer to_{std::vector<float>((rows + 2) * std::size_t{columns}, 1)};
};

// gradient[c] = the sum over samples of sample[c] * (sample * weights - 1): one block of 256 threads a sample.
__global__ void differentiate(float const* samples, float const* weights, float* gradient, int columns) {
    __shared__ float part[256];
    float const* const sample = samples + std::size_t{blockIdx.x} * columns;
    float sum = 0;
    for (int c = threadIdx.x; c < columns; c += 256) sum += sample[c] * weights[c];
    part[threadIdx.x] = sum;
    __syncthreads();
    for (unsigned half = 128; half > 0; half /= 2) {
        if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
        __syncthreads();
    }
    float const off = part[0] - 1;
    for (int c = threadIdx.x; c < columns; c += 256) atomicAdd(&gradient[c], sample[c] * off);
}
__global__ void descend(float* weights, float* gradient, float rate, int columns) {
    int const c = blockIdx.x * blockDim.x + threadIdx.x;
    if (c >= columns) return;
    weights[c] -= rate * gradient[c];
    gradient[c] = 0;
}

class training {
public:
    static constexpr int samples = 2048, columns = 4096, steps = 3;

    training() {
        int rank = 0, size = 0;
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
        MPI_Comm_size(MPI_COMM_WORLD, &size);
        ncclUniqueId id{};
        if (rank == 0) must(ncclGetUniqueId(&id), "ncclGetUniqueId");
        MPI_Bcast(&id, sizeof id, MPI_BYTE, 0, MPI_COMM_WORLD);
        must(ncclCommInitRank(&all_, size, id, rank), "ncclCommInitRank");
    }
    training(training const&) = delete;
    ~training() { ncclCommDestroy(all_); }

    void run(gpuprof::scope_target& on) {
        for (int step = 0; step < steps; ++step) {
            {
                gpuprof::scope const here{on, "differentiate"};
                differentiate<<<samples, 256>>>(samples_.at, weights_.at, gradient_.at, columns);
            }
            must(ncclAllReduce(gradient_.at, gradient_.at, columns, ncclFloat, ncclSum, all_, nullptr),
                 "ncclAllReduce");
            gpuprof::scope const here{on, "descend"};
            descend<<<columns / 256, 256>>>(weights_.at, gradient_.at, 1e-4f / samples, columns);
        }
    }
    // Weights are the same on all ranks, since the gradients are: the sum of the weights of this rank.
    [[nodiscard]] double weight() const {
        std::vector<float> weights(columns);
        must(cudaMemcpy(weights.data(), weights_.at, columns * sizeof(float), cudaMemcpyDefault), "weights");
        double sum = 0;
        for (float const each : weights) sum += each;
        return sum;
    }

private:
    ncclComm_t all_ = nullptr;
    buffer samples_{std::vector<float>(samples * std::size_t{columns}, 0.5f)};
    buffer weights_{std::vector<float>(columns, 0)};
    buffer gradient_{std::vector<float>(columns, 0)};
};

int main(int count, char** arguments) {
    MPI_Init(&count, &arguments);
    int rank = 0, size = 0, gpus = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (count != 2) return 2;
    if (cudaGetDeviceCount(&gpus) != cudaSuccess || gpus < size) {
        std::printf("there are %d GPUs, and %d are needed\n", gpus, size);
        MPI_Finalize();
        return 77;
    }
    must(cudaSetDevice(rank), "cudaSetDevice");
    must(cudaFree(nullptr), "a context");
    {
        auto const metrics = steady_metrics("l1tex__t_sectors_pipe_lsu_mem_global_op_red.sum");
        ranks::mpi_communicator all{MPI_COMM_WORLD};
        auto const gpu = gpuprof::open_device(rank);
        if (std::strcmp(arguments[1], "stencil") == 0) {
            stencil program;
            compare_spread(gpu, all, metrics, {"relax"}, [&](gpuprof::scope_target& on) { program.run(on); });
        } else {
            training program;
            compare_spread(gpu, all, metrics, {"differentiate", "descend"},
                           [&](gpuprof::scope_target& on) { program.run(on); });
            double const mine = program.weight();
            double least = 0, most = 0;
            MPI_Allreduce(&mine, &least, 1, MPI_DOUBLE, MPI_MIN, MPI_COMM_WORLD);
            MPI_Allreduce(&mine, &most, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
            check(std::isfinite(mine) && mine != 0 && least == most, "all ranks have the same weights");
        }
    }
    MPI_Finalize();
    return failed;
}
