// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A record that cannot be decoded, kept as it is. Layer: trace.
#ifndef GPUPROF_TRACE_ACTIVITY_UNKNOWN_HPP
#define GPUPROF_TRACE_ACTIVITY_UNKNOWN_HPP

#include <cstddef>     // std::size_t
#include <string_view> // to_text

#include "../../hw/abi/cupti_activity.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace activity {

enum class unknown_reason {
    undeclared_kind, // a kind that is not in kinds.hpp
    release_without, // a kind that this release does not have, or a release before CUDA 11.1
    truncated        // fewer bytes than a record of this kind and release has
};
[[nodiscard]] constexpr std::string_view to_text(unknown_reason value) noexcept {
    switch (value) {
        case unknown_reason::undeclared_kind: return "undeclared kind";
        case unknown_reason::release_without: return "release without";
        case unknown_reason::truncated: return "truncated";
    }
    return {};
}

// Its kind, and the bytes that decode() was given: they are not copied, and valid as long as CUPTI's buffer.
struct unknown {
    abi::CUpti_ActivityKind kind{};
    unknown_reason reason{};
    void const* bytes = nullptr;
    std::size_t size = 0;
};

} // namespace activity
GPUPROF_NAMESPACE_END

#endif // GPUPROF_TRACE_ACTIVITY_UNKNOWN_HPP
