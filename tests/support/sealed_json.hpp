// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Files that end with a digest, changed by a test: with the digest that they should have, calculated here.
#ifndef GPUPROF_TESTS_SUPPORT_SEALED_JSON_HPP
#define GPUPROF_TESTS_SUPPORT_SEALED_JSON_HPP

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>

#include <doctest/doctest.h>

namespace test {

// FNV-1a of 64 bits (its authors' constants), as 16 hexadecimal digits.
inline std::string digest_of(std::string_view text) {
    std::uint64_t hash = 0xcbf29ce484222325;
    for (char const c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
    char digits[17] = {};
    std::snprintf(digits, sizeof digits, "%016llx", static_cast<unsigned long long>(hash));
    return digits;
}

// The same text with the digest that it should have.
inline std::string sealed(std::string text) {
    std::size_t const end = text.rfind(",\n  \"digest\": \"");
    if (end != text.npos) text.resize(end);
    return text + ",\n  \"digest\": \"" + digest_of(text) + "\"\n}\n";
}
inline std::string replaced(std::string text, std::string_view what, std::string_view by) {
    std::size_t const at = text.find(what);
    REQUIRE(at != text.npos);
    return text.replace(at, what.size(), by);
}

} // namespace test

#endif // GPUPROF_TESTS_SUPPORT_SEALED_JSON_HPP
