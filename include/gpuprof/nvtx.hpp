// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scopes as NVTX ranges, so that Nsight and other tools see the same names. Layer: measure.
#ifndef GPUPROF_NVTX_HPP
#define GPUPROF_NVTX_HPP

#include <cstring>     // a NUL-terminated copy
#include <string_view> // names

#include "detail/config.hpp"

// 1 where NVTX's C header is found, unless set to 0. It needs no library: a tool brings it.
#ifndef GPUPROF_NVTX
#if defined(__has_include)
#if __has_include(<nvtx3/nvToolsExt.h>)
#define GPUPROF_NVTX 1
#endif
#endif
#endif
#ifndef GPUPROF_NVTX
#define GPUPROF_NVTX 0
#endif

#if GPUPROF_NVTX
#include <nvtx3/nvToolsExt.h> // the C header: a sixth of the C++ one's cost
#endif

GPUPROF_NAMESPACE_BEGIN
namespace detail {

// Whether a tool listens: looked up once, when the first profiler is made, since an unattached NVTX call costs little but
// not nothing. The C header finds its tool at the first call.
[[nodiscard]] inline bool nvtx_attached() noexcept {
#if GPUPROF_NVTX
    static bool const attached = [] {
        nvtxInitialize(nullptr);
        return NVTX_VERSIONED_IDENTIFIER(nvtxGlobals).nvtxRangePushA_impl_fnptr != nullptr;
    }();
    return attached;
#else
    return false;
#endif
}

// A range of the default domain on this thread. Names are cut at 255 bytes.
inline void nvtx_push([[maybe_unused]] std::string_view name) noexcept {
#if GPUPROF_NVTX
    char text[256];
    std::size_t const size = name.size() < sizeof text ? name.size() : sizeof text - 1;
    std::memcpy(text, name.data(), size);
    text[size] = '\0';
    nvtxRangePushA(text); // what it returns means nothing
#endif
}
inline void nvtx_pop() noexcept {
#if GPUPROF_NVTX
    nvtxRangePop();
#endif
}

} // namespace detail
GPUPROF_NAMESPACE_END

#endif // GPUPROF_NVTX_HPP
