// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies and fills beside those of the driver's table: boxes, between devices, rows in a stream; and advice about memory, which
// is accepted and changes nothing.
#include <cstddef>
#include <cstdint>

#include "../sim/driver/copy.hpp"

#include "array_copies.hpp"
#include "call.hpp"
#include "node_parameters.hpp"

namespace gpuprof::driver_library {
namespace {

using namespace abi;
namespace driver = sim::driver;

// A box, a layer after the other. Arrays become the memory that they are.
CUresult copy_box(copy_node_parameters const* box, CUstream stream, bool waits) {
    if (box == nullptr) return CUDA_ERROR_INVALID_VALUE;
    copy_node_parameters flat = *box;
    {
        auto const in = driver::enter_context();
        if (!in.ready()) return in.status;
        if (CUresult const status = flatten(in, flat)) return status;
    }
    box = &flat;
    if (box->width == 0 || box->height == 0 || box->depth == 0) return CUDA_SUCCESS;
    std::size_t const last = box->depth - 1;
    bool const is_in_range = last <= ~box->src_z && last <= ~box->dst_z &&
                             driver::detail::rows_before(box->src_z + last, box->src_height, box->src_y) &&
                             driver::detail::rows_before(box->dst_z + last, box->dst_height, box->dst_y);
    if (!is_in_range) return CUDA_ERROR_INVALID_VALUE;
    for (std::size_t z = 0; z < box->depth; ++z) {
        CUDA_MEMCPY2D layer;
        layer.srcXInBytes = box->src_x;
        layer.srcY = (box->src_z + z) * box->src_height + box->src_y;
        layer.srcMemoryType = box->src_type;
        layer.srcHost = box->src_host;
        layer.srcDevice = box->src_device;
        layer.srcPitch = box->src_pitch;
        layer.dstXInBytes = box->dst_x;
        layer.dstY = (box->dst_z + z) * box->dst_height + box->dst_y;
        layer.dstMemoryType = box->dst_type;
        layer.dstHost = box->dst_host;
        layer.dstDevice = box->dst_device;
        layer.dstPitch = box->dst_pitch;
        layer.WidthInBytes = box->width;
        layer.Height = box->height;
        CUresult const status = waits ? table().Memcpy2D(&layer) : table().Memcpy2DAsync(&layer, stream);
        if (status != CUDA_SUCCESS) return status;
    }
    return CUDA_SUCCESS;
}
CUresult copy_3d(copy_node_parameters const* box) { return copy_box(box, nullptr, true); }
CUresult copy_3d_async(copy_node_parameters const* box, CUstream stream) { return copy_box(box, stream, false); }

// Of one device alone: both ends are memory of it, whatever contexts are named.
CUresult copy_peer(CUdeviceptr to, CUcontext, CUdeviceptr from, CUcontext, std::size_t bytes) {
    return table().MemcpyDtoD(to, from, bytes);
}
CUresult copy_peer_async(CUdeviceptr to, CUcontext, CUdeviceptr from, CUcontext, std::size_t bytes, CUstream stream) {
    return table().MemcpyDtoDAsync(to, from, bytes, stream);
}

template <class T>
CUresult fill_rows(CUdeviceptr to, std::size_t pitch, T value, std::size_t width, std::size_t height, CUstream stream) {
    if (height > 1 && pitch / sizeof value < width) return CUDA_ERROR_INVALID_VALUE;
    return driver::detail::fill(stream, {to, pitch, value, sizeof value, width, height});
}
template <class T>
CUresult fill_rows_now(CUdeviceptr to, std::size_t pitch, T value, std::size_t width, std::size_t height) {
    return fill_rows<T>(to, pitch, value, width, height, nullptr);
}

// Attributes one after the other; those that a pointer does not have are left as they are.
CUresult pointer_attributes(unsigned count, CUpointer_attribute const* attributes, void** values, CUdeviceptr address) {
    if (count == 0 || attributes == nullptr || values == nullptr) return CUDA_ERROR_INVALID_VALUE;
    for (unsigned i = 0; i < count; ++i)
        static_cast<void>(table().PointerGetAttribute(values[i], attributes[i], address));
    return driver::enter_context().status;
}

CUresult host_flags(unsigned* flags, void* host) {
    CUdeviceptr device = 0;
    CUresult const status = table().MemHostGetDevicePointer(&device, host, 0);
    if (flags == nullptr) return CUDA_ERROR_INVALID_VALUE;
    if (status == CUDA_SUCCESS) *flags = memhostalloc_devicemap;
    return status;
}

struct location { // CUmemLocation
    int type;
    int id;
};
CUresult accept_managed(CUdeviceptr address) {
    unsigned is_managed = 0;
    CUresult const status = table().PointerGetAttribute(&is_managed, CU_POINTER_ATTRIBUTE_IS_MANAGED, address);
    return status == CUDA_SUCCESS && is_managed == 0 ? CUDA_ERROR_INVALID_VALUE : status;
}
CUresult advise(CUdeviceptr address, std::size_t, int, CUdevice) { return accept_managed(address); }
CUresult advise_location(CUdeviceptr address, std::size_t, int, location) { return accept_managed(address); }
CUresult prefetch(CUdeviceptr address, std::size_t, CUdevice, CUstream) { return accept_managed(address); }
CUresult prefetch_location(CUdeviceptr address, std::size_t, location, unsigned, CUstream) {
    return accept_managed(address);
}
CUresult attach(CUstream, CUdeviceptr, std::size_t, unsigned) { return driver::enter_context().status; }

} // namespace

std::span<call const> copy_calls() {
    static call const calls[]{call::of<&copy_3d>("cuMemcpy3D_v2"),
                              call::of<&copy_3d_async>("cuMemcpy3DAsync_v2"),
                              call::of<&copy_peer>("cuMemcpyPeer"),
                              call::of<&copy_peer_async>("cuMemcpyPeerAsync"),
                              {"cuMemcpy2DUnaligned_v2", reinterpret_cast<void*>(table().Memcpy2D),
                               reinterpret_cast<void*>(table().Memcpy2D)},
                              call::of<&fill_rows<unsigned char>>("cuMemsetD2D8Async"),
                              call::of<&fill_rows<unsigned short>>("cuMemsetD2D16Async"),
                              call::of<&fill_rows<unsigned>>("cuMemsetD2D32Async"),
                              call::of<&fill_rows_now<unsigned short>>("cuMemsetD2D16_v2"),
                              call::of<&pointer_attributes>("cuPointerGetAttributes"),
                              call::of<&host_flags>("cuMemHostGetFlags"),
                              call::of<&advise>("cuMemAdvise"),
                              call::of<&advise_location>("cuMemAdvise_v2"),
                              call::of<&prefetch>("cuMemPrefetchAsync"),
                              call::of<&prefetch_location>("cuMemPrefetchAsync_v2"),
                              call::of<&attach>("cuStreamAttachMemAsync")};
    return calls;
}

} // namespace gpuprof::driver_library
