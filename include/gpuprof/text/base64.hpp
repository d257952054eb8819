// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bytes as text: base 64 of RFC 4648, section 4.
#ifndef GPUPROF_TEXT_BASE64_HPP
#define GPUPROF_TEXT_BASE64_HPP

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "../detail/config.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace detail {

inline constexpr std::string_view base64_digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

// Three bytes are four digits; the last four end with '=' for each byte that is missing.
inline void add_base64(std::string& to, std::vector<std::uint8_t> const& bytes) {
    to.reserve(to.size() + (bytes.size() + 2) / 3 * 4);
    for (std::size_t at = 0; at < bytes.size(); at += 3) {
        std::size_t const left = bytes.size() - at;
        std::uint32_t const group = std::uint32_t{bytes[at]} << 16 |
                                    (left > 1 ? std::uint32_t{bytes[at + 1]} << 8 : 0u) |
                                    (left > 2 ? std::uint32_t{bytes[at + 2]} : 0u);
        to += base64_digits[group >> 18];
        to += base64_digits[group >> 12 & 63];
        to += left > 1 ? base64_digits[group >> 6 & 63] : '=';
        to += left > 2 ? base64_digits[group & 63] : '=';
    }
}

// The bytes of a text that add_base64 wrote; nothing for any other text.
[[nodiscard]] inline std::optional<std::vector<std::uint8_t>> bytes_of_base64(std::string_view text) {
    if (text.size() % 4 != 0) return {};
    std::uint8_t value[256];
    for (std::uint8_t& each : value) each = 64;
    for (std::size_t i = 0; i < base64_digits.size(); ++i)
        value[static_cast<unsigned char>(base64_digits[i])] = static_cast<std::uint8_t>(i);
    std::vector<std::uint8_t> bytes;
    bytes.reserve(text.size() / 4 * 3);
    for (std::size_t at = 0; at < text.size(); at += 4) {
        bool const last = at + 4 == text.size();
        std::size_t const missing = last && text[at + 3] == '=' ? (text[at + 2] == '=' ? 2 : 1) : 0;
        std::uint32_t group = 0;
        for (std::size_t i = 0; i < 4; ++i) {
            std::uint8_t const digit =
                i < 4 - missing ? value[static_cast<unsigned char>(text[at + i])] : std::uint8_t{0};
            if (digit > 63) return {};
            group = group << 6 | digit;
        }
        if ((group & ((1u << 8 * missing) - 1)) != 0) return {}; // bits of no byte
        for (std::size_t i = 0; i < 3 - missing; ++i) bytes.push_back(static_cast<std::uint8_t>(group >> (16 - 8 * i)));
    }
    return bytes;
}

} // namespace detail
GPUPROF_NAMESPACE_END

#endif // GPUPROF_TEXT_BASE64_HPP
