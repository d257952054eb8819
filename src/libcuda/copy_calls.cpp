// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies beside those of the driver's table, and advice about memory, which is accepted and changes nothing.
#include <cstddef>
#include <cstdint>

#include "../sim/driver/state.hpp"

#include "call.hpp"

namespace gpuprof::driver_library {
namespace {

using namespace abi;
namespace driver = sim::driver;

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
    static call const calls[]{{"cuMemcpy2DUnaligned_v2", reinterpret_cast<void*>(table().Memcpy2D),
                               reinterpret_cast<void*>(table().Memcpy2D)},
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
