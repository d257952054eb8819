// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cudaDeviceProp as CUDA 12 and CUDA 13 have it. CUDA 11's is the beginning of CUDA 12's.
#ifndef GPUPROF_SRC_LIBCUDART_PROPERTIES_HPP
#define GPUPROF_SRC_LIBCUDART_PROPERTIES_HPP

#include <cstddef>

namespace gpuprof::runtime {

#define GPUPROF_NUMBER(name) int name;
#define GPUPROF_UNSIGNED(name) unsigned name;
#define GPUPROF_SIZE(name) std::size_t name;
#define GPUPROF_LIST2(name) int name[2];
#define GPUPROF_LIST3(name) int name[3];
#define GPUPROF_MEMBER(type, name, attribute) GPUPROF_##type(name)
#define GPUPROF_NO_MEMBER(type, name, attribute)

#define BOTH GPUPROF_MEMBER
#define OLD GPUPROF_MEMBER
#define NEW GPUPROF_NO_MEMBER
struct device_properties_12 {
    char name[256];
    char uuid[16];
    char luid[8];
    unsigned luidDeviceNodeMask;
    std::size_t totalGlobalMem;
#include "properties.inc"
    int reserved[63];
};
#undef OLD
#undef NEW

#define OLD GPUPROF_NO_MEMBER
#define NEW GPUPROF_MEMBER
struct device_properties_13 {
    char name[256];
    char uuid[16];
    char luid[8];
    unsigned luidDeviceNodeMask;
    std::size_t totalGlobalMem;
#include "properties.inc"
    int reserved[56];
};
#undef BOTH
#undef OLD
#undef NEW

inline constexpr std::size_t device_properties_11_bytes = offsetof(device_properties_12, hostRegisterSupported);

} // namespace gpuprof::runtime

#endif // GPUPROF_SRC_LIBCUDART_PROPERTIES_HPP
