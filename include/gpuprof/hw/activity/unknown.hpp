// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Activity record that could not be decoded.
#ifndef GPUPROF_HW_ACTIVITY_UNKNOWN_HPP
#define GPUPROF_HW_ACTIVITY_UNKNOWN_HPP

#include <cstddef>
#include <string_view>

#include "../abi/cupti_activity.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace activity {

// Why a record could not be decoded.
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

// A record that could not be decoded: its kind, and the bytes that decode() was given, which are
// valid as long as CUPTI's buffer.
struct unknown {
    abi::CUpti_ActivityKind kind{};
    unknown_reason reason{};
    void const* bytes = nullptr;
    std::size_t size = 0;
};

} // namespace activity
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_ACTIVITY_UNKNOWN_HPP
