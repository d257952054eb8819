// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a legacy name is spelled at run time.
#ifndef GPUPROF_LEGACY_ASKED_NAME_HPP
#define GPUPROF_LEGACY_ASKED_NAME_HPP

#include <string_view>

#include "../detail/config.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace legacy {

// "legacy:ipc_instance@3": "legacy:" may stand before a name, to tell it from others; "@3" behind it means instance 3 of the
// unit that counts, the first being 0.
struct asked_name {
    std::string_view name; // alone; the whole text if what is behind "@" is no number of at most four digits
    int instance = -1;     // -1: of the device
};

// Takes such a name apart.
[[nodiscard]] constexpr asked_name parse_asked_name(std::string_view text) noexcept {
    constexpr std::string_view prefix = "legacy:";
    if (text.starts_with(prefix)) text.remove_prefix(prefix.size());
    auto const at = text.rfind('@');
    if (at == text.npos || at + 1 == text.size() || text.size() - at > 5) return {text};
    int instance = 0;
    for (char const c : text.substr(at + 1)) {
        if (c < '0' || c > '9') return {text};
        instance = instance * 10 + (c - '0');
    }
    return {text.substr(0, at), instance};
}

} // namespace legacy
GPUPROF_NAMESPACE_END

#endif // GPUPROF_LEGACY_ASKED_NAME_HPP
