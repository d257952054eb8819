// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scopes as NVTX ranges, so that Nsight and other tools see the same names.
#ifndef GPUPROF_MEASURE_NVTX_HPP
#define GPUPROF_MEASURE_NVTX_HPP

#include <cstring>
#include <string_view>

#include "../detail/config.hpp"

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

// NVTX's calls, filled by the translation units that found the header: the others, of the same
// program, share every inline function with them and must not differ. Null where none did.
struct nvtx_calls {
    bool (*attached)() = nullptr;
    void (*push)(char const* name) = nullptr;
    void (*pop)() = nullptr;
};
inline constinit nvtx_calls nvtx{};

// Whether a tool listens: looked up once, when the first profiler is made, since an unattached NVTX
// call costs little but not nothing. The C header finds its tool at the first call.
[[nodiscard]] inline bool nvtx_attached() noexcept {
    static bool const attached = nvtx.attached != nullptr && nvtx.attached();
    return attached;
}

// A range of the default domain on this thread; names are cut at 255 bytes. @pre nvtx_attached()
inline void nvtx_push(std::string_view name) noexcept {
    char text[256];
    std::size_t const size = name.size() < sizeof text ? name.size() : sizeof text - 1;
    if (size != 0) std::memcpy(text, name.data(), size); // an empty name may have no address
    text[size] = '\0';
    nvtx.push(text); // what NVTX returns means nothing
}
inline void nvtx_pop() noexcept { nvtx.pop(); }

} // namespace detail

#if GPUPROF_NVTX
namespace {
struct nvtx_registration {
    nvtx_registration() noexcept {
        detail::nvtx.attached = [] {
            nvtxInitialize(nullptr);
            return NVTX_VERSIONED_IDENTIFIER(nvtxGlobals).nvtxRangePushA_impl_fnptr != nullptr;
        };
        detail::nvtx.push = [](char const* name) { static_cast<void>(nvtxRangePushA(name)); };
        detail::nvtx.pop = [] { static_cast<void>(nvtxRangePop()); };
    }
};
[[maybe_unused]] nvtx_registration const nvtx_registered; // NOLINT(misc-definitions-in-headers): one a file, on purpose
} // namespace
#endif

GPUPROF_NAMESPACE_END

#endif // GPUPROF_MEASURE_NVTX_HPP
