// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The one place that calls libzstd, which is linked statically and hidden: the program may have another one.
#include "zstd.hpp"

#if GPUPROF_HAS_ZSTD
#include <zstd.h>
#endif

namespace gpuprof::driver_library {

sim::image::zstd_decoder zstd_decoder() noexcept {
#if GPUPROF_HAS_ZSTD
    return [](std::span<std::byte const> packed, std::span<std::byte> to) noexcept {
        std::size_t const written = ZSTD_decompress(to.data(), to.size(), packed.data(), packed.size());
        return ZSTD_isError(written) == 0 && written == to.size();
    };
#else
    return nullptr;
#endif
}

} // namespace gpuprof::driver_library
