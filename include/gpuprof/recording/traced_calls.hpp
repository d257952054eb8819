// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls of CUDA after which the host goes on later than it could, and copies.
#ifndef GPUPROF_RECORDING_TRACED_CALLS_HPP
#define GPUPROF_RECORDING_TRACED_CALLS_HPP

#include <cstddef>
#include <string>
#include <string_view>

#include "../detail/config.hpp"
#include "../core/named.hpp"

GPUPROF_NAMESPACE_BEGIN

// Why a call waits, or that it copies.
enum class traced_effect : unsigned char {
    waits,          // that is what it is for: cudaDeviceSynchronize, cuStreamSynchronize
    waits_to_copy,  // a copy between host and device that is not asynchronous
    waits_pageable, // an asynchronous copy that waits, since the memory of the host is not pinned
    waits_to_free,  // cudaFree and its like
    copies
};

[[nodiscard]] constexpr std::string_view name(traced_effect of) noexcept {
    constexpr std::string_view names[]{"waits", "waits to copy", "waits for pageable memory", "waits to free",
                                       "copies"};
    return names[static_cast<std::size_t>(of)];
}
// The effect of that name; false if there is none.
[[nodiscard]] constexpr bool find_named(std::string_view text, traced_effect& found) noexcept {
    return detail::find_named(text,
                              {traced_effect::waits, traced_effect::waits_to_copy, traced_effect::waits_pageable,
                               traced_effect::waits_to_free, traced_effect::copies},
                              found);
}

// Calls that are alike.
struct traced_calls {
    traced_effect effect{};
    std::string name;      // as programs write it: "cudaMemcpy"
    std::string what;      // of copies: "4096 byte, device to host"
    std::size_t times = 0; // how many calls; for what is copied, how many copies
};

GPUPROF_NAMESPACE_END

#endif // GPUPROF_RECORDING_TRACED_CALLS_HPP
