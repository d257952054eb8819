// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What CUDA's device runtime answers, fact by fact: limits of nesting and of pending launches, errors, order. It runs on a GPU and
// on the embedded GPU; the outputs are to be the same:
//
//   nvcc -std=c++17 -arch=sm_90 -rdc=true -cudart shared -o facts tests/hardware/device_launches.cu -lcudadevrt && ./facts
//   nvcc -std=c++17 -arch=compute_90 -rdc=true -cudart shared -o facts tests/hardware/device_launches.cu -lcudadevrt &&
//       gpuprof run -- ./facts
#include <cstdio>
#include <cuda_runtime.h>

constexpr int words = 8192;
__managed__ int log_[words];

__device__ void note(int value) {
    int const at = atomicAdd(&log_[0], 1);
    if (at + 1 < words) log_[at + 1] = value;
}
__global__ void leaf(int id) { note(id); }

// Levels: the last note is the error of the launch that was refused, or 0 where `most` levels ran.
__global__ void nest(int level, int most) {
    note(level);
    if (level == most) return;
    nest<<<1, 1>>>(level + 1, most);
    int const error = cudaGetLastError();
    if (error != 0) note(-error);
}
__global__ void nest_by_tails(int level, int most) {
    if (level == most) {
        note(level);
        return;
    }
    nest_by_tails<<<1, 1, 0, cudaStreamTailLaunch>>>(level + 1, most);
    int const error = cudaGetLastError();
    if (error != 0) note(-error);
}

// How many of `count` launches were taken, and the first error.
__global__ void launch_many(int count, int threads) {
    __shared__ int taken, first_error;
    if (threadIdx.x == 0) taken = first_error = 0;
    __syncthreads();
    for (int i = threadIdx.x; i < count; i += threads) {
        leaf<<<1, 1>>>(0);
        int const error = cudaGetLastError();
        if (error == 0) atomicAdd(&taken, 1);
        else atomicCAS(&first_error, 0, error);
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        log_[words - 2] = taken;
        log_[words - 1] = first_error;
    }
}
__global__ void copy_many(int count, int* to) {
    int taken = 0, first_error = 0;
    for (int i = 0; i < count; ++i) {
        int const error = cudaMemsetAsync(to, 0, 4, 0);
        if (error == 0) ++taken;
        else if (first_error == 0) first_error = error;
    }
    cudaGetLastError();
    log_[words - 2] = taken;
    log_[words - 1] = first_error;
}

__global__ void uses_shared(int id) {
    extern __shared__ int room[];
    room[threadIdx.x] = id;
    note(room[threadIdx.x]);
}
__global__ void __launch_bounds__(64) bounded(int id) { note(id); }

#define ASK(what)                                                                                                      \
    do {                                                                                                               \
        int const answer = (what);                                                                                     \
        printf("%s: %d, last %d, then %d\n", #what, answer, cudaPeekAtLastError(),                                     \
               (cudaGetLastError(), cudaGetLastError()));                                                              \
    } while (0)
#define TRY(...)                                                                                                       \
    do {                                                                                                               \
        __VA_ARGS__;                                                                                                   \
        int const last = cudaGetLastError();                                                                           \
        printf("%s: last %d\n", #__VA_ARGS__, last);                                                                   \
    } while (0)

__global__ void errors(int* memory) {
    cudaStream_t stream{}, other{};
    cudaEvent_t event{};
    TRY(leaf<<<0, 1>>>(1));
    TRY(leaf<<<1, 0>>>(1));
    TRY(leaf<<<1, 1025>>>(1));
    TRY(leaf<<<dim3(1, 65536), 1>>>(1));
    TRY(bounded<<<1, 128>>>(1));
    TRY(uses_shared<<<1, 1, 49152>>>(5));
    TRY(uses_shared<<<1, 1, 49153>>>(1));
    TRY(uses_shared<<<1, 1, 1 << 20>>>(1));
    ASK(cudaStreamCreateWithFlags(&other, 0));
    ASK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    ASK(cudaEventCreateWithFlags(&event, 0));
    ASK(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
    TRY(leaf<<<1, 1, 0, stream>>>(6));
    ASK(cudaEventRecord(event, stream));
    ASK(cudaStreamWaitEvent(0, event, 0));
    ASK(cudaEventRecord(event, cudaStreamTailLaunch));
    ASK(cudaEventRecord(event, cudaStreamFireAndForget));
    ASK(cudaStreamWaitEvent(cudaStreamTailLaunch, event, 0));
    ASK(cudaStreamWaitEvent(cudaStreamFireAndForget, event, 0));
    ASK(cudaMemsetAsync(memory, 1, 4, cudaStreamTailLaunch));
    ASK(cudaMemcpyAsync(memory, memory + 1, 4, cudaMemcpyDeviceToDevice, cudaStreamFireAndForget));
    ASK(cudaStreamDestroy(stream));
    ASK(cudaEventDestroy(event));
    int* got = memory;
    ASK(cudaMalloc(&got, 0));
    printf("malloc of nothing gives null: %d\n", got == nullptr);
    ASK(cudaMalloc(&got, size_t{1} << 40));
    ASK(cudaFree(nullptr));
    int device = -1, value = -1, count = -1;
    size_t limit = 0;
    ASK(cudaGetDevice(&device));
    ASK(cudaGetDeviceCount(&count));
    ASK(cudaDeviceGetAttribute(&value, cudaDevAttrMultiProcessorCount, device));
    ASK(cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, 77));
    ASK(cudaDeviceGetLimit(&limit, cudaLimitDevRuntimePendingLaunchCount));
    printf("limit %d\n", int(limit));
    ASK(cudaDeviceGetLimit(&limit, cudaLimitStackSize));
    printf("stack %d\n", int(limit));
    ASK(cudaRuntimeGetVersion(&value));
    cudaFuncAttributes attributes{};
    ASK(cudaFuncGetAttributes(&attributes, bounded));
    printf("attributes: %d threads, %d bytes dynamic, PTX %d, clusters %d\n", attributes.maxThreadsPerBlock,
           attributes.maxDynamicSharedSizeBytes, attributes.ptxVersion, attributes.clusterDimMustBeSet);
    ASK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&value, leaf, 1024, 0));
    printf("occupancy %d\n", value);
    ASK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&value, leaf, 0, 0));
    printf("%s, %s\n", cudaGetErrorName(cudaErrorLaunchPendingCountExceeded),
           cudaGetErrorName(cudaErrorInvalidConfiguration));
}

// A tail launch of a tail launch runs before the next one of the parent; children run before both.
__global__ void branch(int id) {
    leaf<<<1, 1>>>(id + 1);
    leaf<<<1, 1, 0, cudaStreamTailLaunch>>>(id + 2);
}
__global__ void order() {
    leaf<<<1, 1, 0, cudaStreamTailLaunch>>>(90);
    branch<<<1, 1>>>(10);
    branch<<<1, 1>>>(20);
    branch<<<1, 1, 0, cudaStreamTailLaunch>>>(80);
    leaf<<<1, 1, 0, cudaStreamTailLaunch>>>(95);
    note(0);
}
__global__ void fails() { *reinterpret_cast<volatile int*>(16) = 1; }
__global__ void launches_what_fails() { fails<<<1, 1>>>(); }

// Graphs of one kernel each, which the kernels of graphs launch.
__managed__ cudaGraphExec_t graphs[5];
__global__ void first_of_graph() {
    int errors = cudaGraphLaunch(graphs[2], cudaStreamGraphTailLaunch);
    errors |= cudaGraphLaunch(graphs[1], cudaStreamGraphFireAndForget);
    errors |= cudaGraphLaunch(graphs[3], cudaStreamGraphTailLaunch);
    errors |= cudaGraphLaunch(graphs[4], cudaStreamGraphFireAndForgetAsSibling);
    printf("launches of graphs: %d\n", errors);
    note(10);
}
__global__ void second_of_graph() {
    cudaGraphLaunch(graphs[3], cudaStreamGraphTailLaunch);
    note(12);
}
__global__ void odd_of_graph() {
    printf("into the NULL stream: %d\n", cudaGraphLaunch(graphs[1], nullptr));
    printf("not for the device: %d\n", cudaGraphLaunch(graphs[0], cudaStreamGraphFireAndForget));
}
__global__ void outside_of_graphs() {
    printf("by a kernel of no graph: %d\n", cudaGraphLaunch(graphs[1], cudaStreamGraphFireAndForget));
}
template <class Launch>
cudaGraphExec_t graph_of(cudaStream_t stream, unsigned long long flags, Launch launch) {
    cudaGraph_t graph{};
    cudaGraphExec_t made{};
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
    launch();
    cudaStreamEndCapture(stream, &graph);
    cudaError_t const error = cudaGraphInstantiate(&made, graph, flags);
    if (error != cudaSuccess) printf("instantiate: %d\n", error);
    if (flags != 0) cudaGraphUpload(made, stream);
    return made;
}
static void ask_about_graphs() {
    constexpr unsigned long long device = cudaGraphInstantiateFlagDeviceLaunch;
    cudaStream_t s{};
    cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
    for (int& word : log_) word = 0;
    for (int const i : {1, 3, 4}) graphs[i] = graph_of(s, device, [=] { leaf<<<1, 1, 0, s>>>(10 + i); });
    graphs[2] = graph_of(s, device, [=] { second_of_graph<<<1, 1, 0, s>>>(); });
    graphs[0] = graph_of(s, device, [=] { first_of_graph<<<1, 1, 0, s>>>(); });
    cudaStreamSynchronize(s);
    cudaGraphLaunch(graphs[0], s);
    printf("graphs: %d\n", cudaStreamSynchronize(s));
    cudaDeviceSynchronize();
    printf("order of graphs:");
    for (int i = 1; i <= log_[0]; ++i) printf(" %d", log_[i]);
    printf("\n");
    graphs[0] = graph_of(s, 0, [=] { leaf<<<1, 1, 0, s>>>(1); });
    cudaGraphExec_t const odd = graph_of(s, device, [=] { odd_of_graph<<<1, 1, 0, s>>>(); });
    cudaStreamSynchronize(s);
    cudaGraphLaunch(odd, s);
    printf("odd: %d\n", cudaStreamSynchronize(s));
    outside_of_graphs<<<1, 1>>>();
    printf("outside: %d\n", cudaDeviceSynchronize());
}

static void begin() {
    for (int& word : log_) word = 0;
}
static bool end(char const* what) {
    cudaError_t const launched = cudaGetLastError(), ended = cudaDeviceSynchronize();
    if (launched != cudaSuccess || ended != cudaSuccess) printf("%s: launch %d, end %d\n", what, launched, ended);
    return launched == cudaSuccess && ended == cudaSuccess;
}

int main() {
    for (int const most : {20, 24, 25, 30, 64}) {
        begin();
        nest<<<1, 1>>>(1, most);
        if (!end("nest")) return 1;
        int deepest = 0, error = 0;
        for (int i = 1; i <= log_[0]; ++i)
            if (log_[i] < 0) error = -log_[i];
            else if (log_[i] > deepest) deepest = log_[i];
        printf("nested to %d: %d levels ran, error %d\n", most, deepest, error);
    }
    begin();
    nest_by_tails<<<1, 1>>>(0, 5000);
    if (!end("nest_by_tails")) return 1;
    printf("followed by tail launches: %d\n", log_[1]);
    for (int const count : {1000, 2048, 2049, 3000}) {
        begin();
        launch_many<<<1, 1>>>(count, 1);
        if (!end("launch_many")) return 1;
        printf("%d launches: %d taken, error %d\n", count, log_[words - 2], log_[words - 1]);
    }
    begin();
    copy_many<<<1, 1>>>(3000, &log_[100]);
    if (!end("copy_many")) return 1;
    printf("3000 fills: %d taken, error %d\n", log_[words - 2], log_[words - 1]);
    begin();
    errors<<<1, 1>>>(&log_[200]);
    if (!end("errors")) return 1;
    begin();
    order<<<1, 1>>>();
    if (!end("order")) return 1;
    printf("order:");
    for (int i = 1; i <= log_[0]; ++i) printf(" %d", log_[i]);
    printf("\n");
    ask_about_graphs();
    begin();
    launches_what_fails<<<1, 1>>>();
    end("a child that fails");
    return 0;
}
