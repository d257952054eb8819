// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The end of files that must come back as they were written: a digest of all that stands before it.
#ifndef GPUPROF_TEXT_SEALED_TEXT_HPP
#define GPUPROF_TEXT_SEALED_TEXT_HPP

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "../detail/config.hpp"
#include "../detail/hash.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace detail {

// The last member of an object of JSON, with the object's end: the FNV-1a hash of `text`, 16
// hexadecimal digits.
[[nodiscard]] inline std::string seal_of(std::string_view text) {
    std::uint64_t const hash = fnv1a(fnv1a_start, text);
    std::string seal = ",\n  \"digest\": \"";
    for (int shift = 60; shift >= 0; shift -= 4) seal += "0123456789abcdef"[hash >> shift & 15u];
    return seal += "\"\n}\n";
}

// Whether the text ends with the seal of what stands before it.
[[nodiscard]] inline bool is_sealed(std::string_view text) {
    std::size_t const length = seal_of({}).size();
    if (text.size() < length) return false;
    std::string_view const sealed = text.substr(0, text.size() - length);
    return text.substr(sealed.size()) == seal_of(sealed);
}

} // namespace detail
GPUPROF_NAMESPACE_END

#endif // GPUPROF_TEXT_SEALED_TEXT_HPP
