// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "system_calls.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>

GPUPROF_NAMESPACE_BEGIN
namespace sim {

static bool read_device_bytes(cta_memory& memory, warp& w, unsigned lane, std::uint64_t address, unsigned bytes,
                              void* to) {
    ptx::space const space = cta_memory::classify(address);
    std::byte const* const from = memory.locate(space, w, lane, address, bytes);
    if (from != nullptr) std::memcpy(to, from, bytes);
    return from != nullptr;
}

// False where the memory ends before the string.
static bool read_device_string(cta_memory& memory, warp& w, unsigned lane, std::uint64_t address, std::string& out) {
    constexpr std::size_t longest = 65536;
    for (char c = 0; out.size() < longest; ++address, out += c) {
        if (!read_device_bytes(memory, w, lane, address, 1, &c)) return false;
        if (c == '\0') return true;
    }
    return true;
}

// Arguments stand one after the other, each aligned to its size.
static std::uint64_t next_argument(cta_memory& memory, warp& w, unsigned lane, std::uint64_t& at, unsigned bytes) {
    at = (at + bytes - 1) & ~std::uint64_t{bytes - 1};
    std::uint64_t value = 0;
    read_device_bytes(memory, w, lane, at, bytes, &value);
    at += bytes;
    return value;
}

template <std::size_t N, class T>
static void format_value(char (&buffer)[N], std::string const& spec, T value) {
#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
#pragma GCC diagnostic ignored "-Wformat-security"
#endif
    std::snprintf(buffer, N, spec.c_str(), value);
#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif
}

// The host's printf formats one argument; the specification was rebuilt from known characters only.
static void append_argument(std::string& text, std::string spec, char kind, bool wide, cta_memory& memory, warp& w,
                            unsigned lane, std::uint64_t& at) {
    char buffer[512];
    buffer[0] = '\0';
    switch (kind) {
        case 'd':
        case 'i': {
            auto const v = next_argument(memory, w, lane, at, wide ? 8 : 4);
            spec += "lld";
            format_value(buffer, spec,
                         wide ? static_cast<long long>(v) : static_cast<long long>(static_cast<std::int32_t>(v)));
            break;
        }
        case 'u':
        case 'x':
        case 'X':
        case 'o':
            spec += "ll";
            spec += kind;
            format_value(buffer, spec,
                         static_cast<unsigned long long>(next_argument(memory, w, lane, at, wide ? 8 : 4)));
            break;
        case 'c':
            spec += kind;
            format_value(buffer, spec, static_cast<int>(next_argument(memory, w, lane, at, 4)));
            break;
        case 'p':
            format_value(buffer, "0x%llx", static_cast<unsigned long long>(next_argument(memory, w, lane, at, 8)));
            break;
        case 's': {
            std::string s;
            read_device_string(memory, w, lane, next_argument(memory, w, lane, at, 8), s);
            spec += kind;
            if (spec == "%s") {
                text += s;
                return;
            }
            format_value(buffer, spec, s.c_str());
            break;
        }
        default: {
            auto const bits = next_argument(memory, w, lane, at, 8);
            double value = 0;
            std::memcpy(&value, &bits, sizeof value);
            spec += std::string_view{"eEfFgGaA"}.find(kind) != std::string_view::npos ? kind : 'g';
            format_value(buffer, spec, value);
            break;
        }
    }
    text += buffer;
}

std::uint64_t system_services::print(cta_memory& memory, warp& w, unsigned lane, std::uint64_t format_at,
                                     std::uint64_t arguments_at) {
    std::string format;
    if (!read_device_string(memory, w, lane, format_at, format)) return ~std::uint64_t{0};
    std::string text;
    std::uint64_t count = 0;
    std::uint64_t at = arguments_at;
    for (std::size_t i = 0; i < format.size();) {
        if (format[i] != '%') {
            text += format[i++];
            continue;
        }
        std::string spec{format[i++]};
        bool wide = false;
        while (i < format.size() && std::string_view{"-+ #0123456789.*lhz"}.find(format[i]) != std::string_view::npos) {
            char const c = format[i++];
            if (c == 'l' || c == 'z') wide = true;
            else if (c == '*')
                spec += std::to_string(static_cast<std::int32_t>(next_argument(memory, w, lane, at, 4))), ++count;
            else if (c != 'h') spec += c;
        }
        if (i == format.size() || spec.size() > 32) break;
        char const kind = format[i++];
        if (kind == '%') {
            text += '%';
            continue;
        }
        ++count;
        append_argument(text, spec, kind, wide, memory, w, lane, at);
    }
    if (out_) {
        std::lock_guard const only{mutex_};
        out_(text);
    }
    return count;
}

std::string system_services::assertion(cta_memory& memory, warp& w, unsigned lane,
                                       std::uint64_t const (&arguments)[5]) {
    std::string message;
    std::string file;
    read_device_string(memory, w, lane, arguments[0], message);
    read_device_string(memory, w, lane, arguments[1], file);
    return file + ":" + std::to_string(static_cast<std::uint32_t>(arguments[2])) + ": " + message;
}

} // namespace sim
GPUPROF_NAMESPACE_END
