// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Algorithms that launch kernels from kernels: a quicksort with a stream for each half, curves that get as many points as they
// need in memory that a kernel allocates, a tree of squares, an elimination in which each step launches the next.

// Sorts data[left] to data[right]. Each half is sorted by a kernel in a stream of its own; small ones at once.
extern "C" __global__ void quicksort(unsigned* data, int left, int right, int depth) {
    if (depth >= 20 || right - left <= 8) {
        for (int i = left; i < right; ++i) {
            int least = i;
            for (int j = i + 1; j <= right; ++j)
                if (data[j] < data[least]) least = j;
            unsigned const kept = data[i];
            data[i] = data[least];
            data[least] = kept;
        }
        return;
    }
    unsigned const pivot = data[(left + right) / 2];
    int low = left, high = right;
    while (low <= high) {
        while (data[low] < pivot) ++low;
        while (data[high] > pivot) --high;
        if (low > high) break;
        unsigned const kept = data[low];
        data[low++] = data[high];
        data[high--] = kept;
    }
    cudaStream_t stream;
    if (left < high) {
        cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
        quicksort<<<1, 1, 0, stream>>>(data, left, high, depth + 1);
        cudaStreamDestroy(stream);
    }
    if (low < right) {
        cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
        quicksort<<<1, 1, 0, stream>>>(data, low, right, depth + 1);
        cudaStreamDestroy(stream);
    }
}

struct curve {
    int2* points;
    int count;
};

extern "C" __global__ void draw(curve* c, int number) {
    int const i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < c->count) c->points[i] = make_int2(number, i * i);
}

extern "C" __global__ void erase(curve* curves) { cudaFree(curves[threadIdx.x].points); }

extern "C" __global__ void add_up(curve const* curves, int count, int* sums) {
    if (threadIdx.x >= count) return;
    int sum = 0;
    for (int i = 0; i < curves[threadIdx.x].count; ++i)
        sum += curves[threadIdx.x].points[i].y + curves[threadIdx.x].points[i].x;
    sums[threadIdx.x] = sum;
}

// A thread a curve: number n gets 10 n + 3 points.
extern "C" __global__ void tessellate(curve* curves, int count, int* sums) {
    int const n = threadIdx.x;
    if (n < count) {
        curves[n].count = 10 * n + 3;
        if (cudaMalloc(&curves[n].points, curves[n].count * sizeof(int2)) == cudaSuccess)
            draw<<<(curves[n].count + 31) / 32, 32>>>(&curves[n], n);
    }
    __syncthreads();
    if (n == 0) {
        add_up<<<1, 32, 0, cudaStreamTailLaunch>>>(curves, count, sums);
        erase<<<1, count, 0, cudaStreamTailLaunch>>>(curves);
    }
}

// Counts points in squares: a square with more than `most` has four children, by a template as programs have them.
struct square {
    float x, y, size;
    int depth;
};
template <int Threads>
__global__ void divide(float2 const* points, int count, int most, square s, int* leaves, int* in_leaves) {
    __shared__ int inside;
    if (threadIdx.x == 0) inside = 0;
    __syncthreads();
    for (int i = threadIdx.x; i < count; i += Threads) {
        float2 const p = points[i];
        if (p.x >= s.x && p.x < s.x + s.size && p.y >= s.y && p.y < s.y + s.size) atomicAdd(&inside, 1);
    }
    __syncthreads();
    if (threadIdx.x != 0) return;
    if (inside <= most || s.depth == 8) {
        atomicAdd(leaves, 1);
        atomicAdd(in_leaves, inside);
        return;
    }
    float const half = s.size / 2;
    for (int i = 0; i < 4; ++i)
        divide<Threads><<<1, Threads, 0, cudaStreamFireAndForget>>>(
            points, count, most, square{s.x + (i & 1) * half, s.y + (i >> 1) * half, half, s.depth + 1}, leaves, in_leaves);
}
extern "C" __global__ void plant(float2 const* points, int count, int most, int* leaves, int* in_leaves) {
    divide<64><<<1, 64>>>(points, count, most, square{0, 0, 1, 0}, leaves, in_leaves);
}

// Gaussian elimination of an n×n matrix of integers modulo a prime: the steps follow each other by tail launches.
__device__ long long const prime = 10007;
extern "C" __global__ void subtract(long long* a, int n, int k) {
    int const row = k + 1 + blockIdx.x;
    long long const factor = a[row * n + k];
    for (int j = k + 1 + threadIdx.x; j < n; j += blockDim.x)
        a[row * n + j] = ((a[row * n + j] - factor * a[k * n + j]) % prime + prime) % prime;
}
extern "C" __global__ void eliminate(long long* a, int n, int k) {
    long long inverse = 1, power = a[k * n + k];
    for (long long e = prime - 2; e != 0; e /= 2) {
        if (e % 2 != 0) inverse = inverse * power % prime;
        power = power * power % prime;
    }
    for (int i = k + 1; i < n; ++i) a[i * n + k] = a[i * n + k] * inverse % prime;
    if (k + 1 >= n) return;
    subtract<<<n - k - 1, 32>>>(a, n, k);
    eliminate<<<1, 1, 0, cudaStreamTailLaunch>>>(a, n, k + 1);
}
