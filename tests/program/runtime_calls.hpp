// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The runtime's calls as these tests make them, declared anew: no toolkit is needed. Errors are numbers, as in CUDA's
// documentation: 0 cudaSuccess, 1 invalid value, 9 invalid configuration, 13 invalid symbol, 98 invalid device function.
#ifndef GPUPROF_TESTS_PROGRAM_RUNTIME_CALLS_HPP
#define GPUPROF_TESTS_PROGRAM_RUNTIME_CALLS_HPP

#include <cstddef>
#include <string>
#include <vector>

#include "support/fat_binary_bytes.hpp"

struct dim3 {
    unsigned x = 1, y = 1, z = 1;
};
using stream = struct CUstream_st*;
using event = struct CUevent_st*;
using graph = struct CUgraph_st*;
using graph_executable = struct CUgraphExec_st*;
using graph_node = struct CUgraphNode_st*;

struct kernel_node_parameters { // cudaKernelNodeParams
    void const* function;
    dim3 grid, block;
    unsigned shared;
    void** arguments;
    void** extra;
};
struct fill_node_parameters { // cudaMemsetParams
    void* to;
    std::size_t pitch;
    unsigned value, element;
    std::size_t width, height;
};
struct host_node_parameters { // cudaHostNodeParams
    void (*function)(void*);
    void* data;
};
struct box_memory { // cudaPitchedPtr: the pitch and the width are bytes
    void* pointer = nullptr;
    std::size_t pitch = 0, width = 0, rows = 0;
};
struct box_copy { // cudaMemcpy3DParms
    void* from_array = nullptr;
    std::size_t from_x = 0, from_y = 0, from_z = 0;
    box_memory from;
    void* to_array = nullptr;
    std::size_t to_x = 0, to_y = 0, to_z = 0;
    box_memory to;
    std::size_t width = 0, height = 0, depth = 0;
    int kind = 0;
};
struct update_result { // cudaGraphExecUpdateResultInfo
    int result;
    graph_node failed, from;
};

extern "C" {
void** __cudaRegisterFatBinary(void* wrapper);
void __cudaRegisterFatBinaryEnd(void** handle);
void __cudaUnregisterFatBinary(void** handle);
void __cudaRegisterFunction(void** handle, char const* host, char* device, char const* name, int limit, void*, void*,
                            void*, void*, int*);
void __cudaRegisterVar(void** handle, char* host, char* device, char const* name, int, std::size_t bytes, int, int);
unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, std::size_t shared, stream in);
int __cudaPopCallConfiguration(dim3* grid, dim3* block, std::size_t* shared, void* in);
int __cudaGetKernel(void** handle, void const* host);
int __cudaLaunchKernel(void* handle, dim3 grid, dim3 block, void** arguments, std::size_t shared, stream in);
int cudaLaunchKernel(void const* host, dim3 grid, dim3 block, void** arguments, std::size_t shared, stream in);
int cudaGetLastError();
int cudaPeekAtLastError();
char const* cudaGetErrorName(int error);
char const* cudaGetErrorString(int error);
int cudaDeviceCanAccessPeer(int* can, int device, int peer);
int cudaDeviceEnablePeerAccess(int peer, unsigned flags);
int cudaDeviceDisablePeerAccess(int peer);
int cudaMemcpyPeer(void* to, int to_device, void const* from, int from_device, std::size_t bytes);
int cudaMemcpyPeerAsync(void* to, int to_device, void const* from, int from_device, std::size_t bytes, stream in);
int cudaMalloc(void** pointer, std::size_t bytes);
int cudaMallocManaged(void** pointer, std::size_t bytes, unsigned flags);
int cudaFree(void* pointer);
int cudaHostRegister(void* host, std::size_t bytes, unsigned flags);
int cudaHostUnregister(void* host);
int cudaMemcpy(void* to, void const* from, std::size_t bytes, int kind);
int cudaMemcpyAsync(void* to, void const* from, std::size_t bytes, int kind, stream in);
int cudaMemcpyAsync_ptsz(void* to, void const* from, std::size_t bytes, int kind, stream in);
int cudaMemcpy2D(void* to, std::size_t to_pitch, void const* from, std::size_t from_pitch, std::size_t width,
                 std::size_t height, int kind);
int cudaMemcpy3D(box_copy const* parameters);
int cudaMemcpyToSymbol(void const* symbol, void const* from, std::size_t bytes, std::size_t offset, int kind);
int cudaMemcpyFromSymbol(void* to, void const* symbol, std::size_t bytes, std::size_t offset, int kind);
int cudaGetSymbolSize(std::size_t* bytes, void const* symbol);
int cudaMemset(void* to, int value, std::size_t bytes);
int cudaDeviceSynchronize();
int cudaDeviceReset();
int cudaGetDeviceCount(int* count);
int cudaSetDevice(int device);
int cudaGetDevice(int* device);
int cudaStreamCreate(stream* made);
int cudaStreamDestroy(stream gone);
int cudaStreamSynchronize(stream of);
int cudaEventCreate(event* made);
int cudaEventRecord(event which, stream in);
int cudaEventElapsedTime(float* milliseconds, event from, event to);
int cudaEventDestroy(event gone);
int cudaStreamBeginCapture(stream of, int mode);
int cudaStreamEndCapture(stream of, graph* made);
int cudaGraphInstantiate(graph_executable* made, graph from, unsigned long long flags);
int cudaGraphLaunch(graph_executable which, stream in);
int cudaGraphExecDestroy(graph_executable gone);
int cudaGraphDestroy(graph gone);
int cudaGraphCreate(graph* made, unsigned flags);
int cudaGraphAddKernelNode(graph_node* made, graph to, graph_node const* after, std::size_t count,
                           kernel_node_parameters const* parameters);
int cudaGraphAddMemsetNode(graph_node* made, graph to, graph_node const* after, std::size_t count,
                           fill_node_parameters const* parameters);
int cudaGraphAddMemcpyNode1D(graph_node* made, graph to, graph_node const* after, std::size_t count, void* target,
                             void const* from, std::size_t bytes, int kind);
int cudaGraphAddMemcpyNode(graph_node* made, graph to, graph_node const* after, std::size_t count,
                           box_copy const* parameters);
int cudaGraphAddHostNode(graph_node* made, graph to, graph_node const* after, std::size_t count,
                         host_node_parameters const* parameters);
int cudaGraphAddEmptyNode(graph_node* made, graph to, graph_node const* after, std::size_t count);
int cudaGraphAddChildGraphNode(graph_node* made, graph to, graph_node const* after, std::size_t count, graph child);
int cudaGraphExecKernelNodeSetParams(graph_executable which, graph_node node, kernel_node_parameters const* parameters);
int cudaGraphExecUpdate(graph_executable which, graph from, update_result* result);
int cudaGraphGetNodes(graph of, graph_node* list, std::size_t* count);
int cudaGraphGetRootNodes(graph of, graph_node* list, std::size_t* count);
int cudaGraphGetEdges(graph of, graph_node* from, graph_node* to, void* data, std::size_t* count);
int cudaGraphNodeGetType(graph_node node, int* type);
int cudaStreamGetCaptureInfo(stream of, int* status, unsigned long long* id, graph* captured, graph_node const** after,
                             void const** edges, std::size_t* count);
int cudaMallocAsync(void** pointer, std::size_t bytes, stream in);
int cudaFreeAsync(void* pointer, stream in);
int cudaLaunchHostFunc(stream in, void (*function)(void*), void* data);
int cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, void const* host, int block, std::size_t shared);
int cudaMallocMipmappedArray(void* made, void const* format, void const* extent, unsigned levels);
}

enum : int { host_to_device = 1, device_to_host = 2, device_to_device = 3, any_to_any = 4 };

// What nvcc's host code has for a program: a fat binary, a host function a kernel, a host variable a device variable. Five
// kernels: `scale` multiplies integers by a variable, `past_the_end` writes one integer a thread wherever that leads, `fetch` reads
// a texture of two dimensions, `strided` writes one integer a thread, 128 bytes apart; `lined` does the same, and has lines of
// source (nvcc -lineinfo).
struct registered_program {
    registered_program() {
        wrapper.inside = container.data();
        handle = __cudaRegisterFatBinary(&wrapper);
        __cudaRegisterFunction(handle, reinterpret_cast<char const*>(&scale), nullptr, "scale", -1, nullptr, nullptr,
                               nullptr, nullptr, nullptr);
        __cudaRegisterFunction(handle, reinterpret_cast<char const*>(&past_the_end), nullptr, "past_the_end", -1,
                               nullptr, nullptr, nullptr, nullptr, nullptr);
        __cudaRegisterFunction(handle, reinterpret_cast<char const*>(&fetch), nullptr, "fetch", -1, nullptr, nullptr,
                               nullptr, nullptr, nullptr);
        __cudaRegisterFunction(handle, reinterpret_cast<char const*>(&strided), nullptr, "strided", -1, nullptr,
                               nullptr, nullptr, nullptr, nullptr);
        __cudaRegisterFunction(handle, reinterpret_cast<char const*>(&lined), nullptr, "lined", -1, nullptr, nullptr,
                               nullptr, nullptr, nullptr);
        __cudaRegisterVar(handle, reinterpret_cast<char*>(&factor), nullptr, "factor", 0, sizeof factor, 0, 0);
        __cudaRegisterFatBinaryEnd(handle);
    }
    static void scale() {}
    static void past_the_end() { unused = 1; } // another body, or the linker could make one function of the two
    static void const* scale_stub() { return reinterpret_cast<void const*>(&scale); }
    static void fetch() { unused = 2; }
    static void const* fetch_stub() { return reinterpret_cast<void const*>(&fetch); }
    static void strided() { unused = 3; }
    static void const* strided_stub() { return reinterpret_cast<void const*>(&strided); }
    static void lined() { unused = 4; }
    static void const* lined_stub() { return reinterpret_cast<void const*>(&lined); }
    static void const* past_the_end_stub() { return reinterpret_cast<void const*>(&past_the_end); }

    static constexpr char text[] = R"(.version 7.0
.target sm_70
.address_size 64
.file 1 "/src/lined.cu"
.visible .global .align 4 .u32 factor = 3;
.visible .entry scale(.param .u64 numbers, .param .u32 count) {
    .reg .pred %p<2>;
    .reg .b32 %r<8>;
    .reg .b64 %rd<4>;
    ld.param.u64 %rd1, [numbers];
    ld.param.u32 %r1, [count];
    mov.u32 %r2, %ctaid.x;
    mov.u32 %r3, %ntid.x;
    mov.u32 %r4, %tid.x;
    mad.lo.s32 %r5, %r2, %r3, %r4;
    setp.ge.u32 %p1, %r5, %r1;
    @%p1 bra DONE;
    mul.wide.u32 %rd2, %r5, 4;
    add.s64 %rd3, %rd1, %rd2;
    ld.global.u32 %r6, [%rd3];
    ld.global.u32 %r7, [factor];
    mul.lo.u32 %r6, %r6, %r7;
    st.global.u32 [%rd3], %r6;
DONE:
    ret;
}
.visible .entry past_the_end(.param .u64 numbers) {
    .reg .b32 %r<2>;
    .reg .b64 %rd<4>;
    ld.param.u64 %rd1, [numbers];
    mov.u32 %r1, %tid.x;
    mul.wide.u32 %rd2, %r1, 4;
    add.s64 %rd3, %rd1, %rd2;
    st.global.u32 [%rd3], %r1;
    ret;
}
.visible .entry strided(.param .u64 numbers) {
    .reg .b32 %r<2>;
    .reg .b64 %rd<4>;
    ld.param.u64 %rd1, [numbers];
    mov.u32 %r1, %tid.x;
    mul.wide.u32 %rd2, %r1, 128;
    add.s64 %rd3, %rd1, %rd2;
    st.global.u32 [%rd3], %r1;
    ret;
}
.visible .entry lined(.param .u64 numbers) {
    .reg .b32 %r<2>;
    .reg .b64 %rd<5>;
    .loc 1 11 5
    ld.param.u64 %rd1, [numbers];
    mov.u32 %r1, %tid.x;
    mul.wide.u32 %rd2, %r1, 4;
    add.s64 %rd3, %rd1, %rd2;
    .loc 1 12 5
    st.global.u32 [%rd3], %r1; // side by side
    .loc 1 13 5
    mul.wide.u32 %rd2, %r1, 128;
    add.s64 %rd3, %rd1, %rd2;
    .loc 1 14 5
    st.global.u32 [%rd3], %r1; // apart
    .loc 1 15 1
    ret;
}
.visible .entry fetch(.param .u64 texture, .param .u64 places, .param .u64 to) {
    .reg .f32 %f<8>;
    .reg .b32 %r<2>;
    .reg .b64 %rd<8>;
    ld.param.u64 %rd1, [texture];
    ld.param.u64 %rd2, [places];
    ld.param.u64 %rd3, [to];
    mov.u32 %r1, %tid.x;
    mul.wide.u32 %rd4, %r1, 8;
    add.s64 %rd2, %rd2, %rd4;
    mul.wide.u32 %rd4, %r1, 4;
    add.s64 %rd3, %rd3, %rd4;
    ld.global.v2.f32 {%f1, %f2}, [%rd2];
    tex.2d.v4.f32.f32 {%f3, %f4, %f5, %f6}, [%rd1, {%f1, %f2}];
    st.global.f32 [%rd3], %f3;
    ret;
}
)";
    inline static int factor = 0;
    inline static int volatile unused = 0;
    std::string container = hand_made_container(
        std::vector<hand_made_image>{{2, 90, "machine code"}, {1, 70, lz4_literals(text), 0x2000, sizeof text - 1}});
    struct {
        unsigned magic = 0x466243b1;
        unsigned version = 1;
        void const* inside = nullptr;
        void const* other = nullptr;
    } wrapper;
    void** handle = nullptr;
};

// Registered before main(), like a program's, and once.
inline registered_program const& program() {
    static registered_program const one;
    return one;
}

#endif // GPUPROF_TESTS_PROGRAM_RUNTIME_CALLS_HPP
