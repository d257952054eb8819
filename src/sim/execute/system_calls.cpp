// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "system_calls.hpp"

#include <algorithm>
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

// Characters of one string, and of one number with its padding. A host that formats what a kernel
// asks for needs time and memory for them.
static constexpr std::int64_t most_characters = 65536;

// False where the memory ends before the string.
static bool read_device_string(cta_memory& memory, warp& w, unsigned lane, std::uint64_t address, std::string& out) {
    for (char c = 0; out.size() < std::size_t{most_characters}; ++address, out += c) {
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

// One conversion of a format, "%-08.3lld". Numbers below zero are not given.
struct print_conversion {
    std::string flags;
    std::int64_t width = -1;
    std::int64_t precision = -1;
    unsigned bytes = 4; // of an integer
    unsigned stars = 0; // arguments that are a width or a precision
    char kind = '\0';   // '\0': the format ends before

    // The host's own conversion, made of known characters only.
    [[nodiscard]] std::string specification(std::string_view kind_of_host) const {
        std::string text = "%" + flags;
        if (width >= 0) text += std::to_string((std::min)(width, most_characters));
        if (precision >= 0) text += "." + std::to_string((std::min)(precision, most_characters));
        return text.append(kind_of_host);
    }
};

template <class T>
static void append_formatted(std::string& text, std::string const& specification, T value) {
#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
#pragma GCC diagnostic ignored "-Wformat-security"
#endif
    int const length = std::snprintf(nullptr, 0, specification.c_str(), value);
    if (length <= 0) return;
    std::size_t const before = text.size();
    text.resize(before + static_cast<std::size_t>(length) + 1); // with the zero
    std::snprintf(text.data() + before, static_cast<std::size_t>(length) + 1, specification.c_str(), value);
    text.pop_back();
#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif
}

// Reads a conversion, from behind its '%' on, and the arguments that its stars stand for. The index
// ends behind it.
static print_conversion read_conversion(std::string const& format, std::size_t& i, cta_memory& memory, warp& w,
                                        unsigned lane, std::uint64_t& at) {
    print_conversion read;
    auto const peek = [&] { return i < format.size() ? format[i] : '\0'; };
    auto const number = [&]() -> std::int64_t {
        if (peek() == '*') {
            ++i;
            ++read.stars;
            return static_cast<std::int32_t>(next_argument(memory, w, lane, at, 4));
        }
        std::int64_t value = 0;
        for (; peek() >= '0' && peek() <= '9'; ++i) value = (std::min)(value * 10 + (peek() - '0'), most_characters);
        return value;
    };
    while (i < format.size() && std::string_view{"-+ #0"}.find(format[i]) != std::string_view::npos) {
        if (read.flags.find(format[i]) == std::string::npos) read.flags += format[i];
        ++i;
    }
    if (peek() == '*' || (peek() >= '1' && peek() <= '9')) {
        std::int64_t const width = number();
        if (width < 0) read.flags += '-'; // a star's number may be both
        read.width = width < 0 ? -width : width;
    }
    if (peek() == '.') {
        ++i;
        read.precision = number();
    }
    for (; std::string_view{"hlzjt"}.find(peek()) != std::string_view::npos && peek() != '\0'; ++i)
        read.bytes = peek() != 'h' ? 8 : read.bytes == 4 ? 2 : 1;
    if (i < format.size()) read.kind = format[i++];
    return read;
}

// The lower bytes of a number, as a signed one.
static long long as_signed(std::uint64_t value, unsigned bytes) noexcept {
    switch (bytes) {
        case 1: return static_cast<std::int8_t>(value);
        case 2: return static_cast<std::int16_t>(value);
        case 4: return static_cast<std::int32_t>(value);
        default: return static_cast<long long>(value);
    }
}

// The host's printf formats one argument.
static void append_argument(std::string& text, print_conversion const& as, cta_memory& memory, warp& w, unsigned lane,
                            std::uint64_t& at) {
    switch (as.kind) {
        case 'd':
        case 'i':
        case 'u':
        case 'x':
        case 'X':
        case 'o': {
            // Narrower ones are passed as int.
            std::uint64_t const value = next_argument(memory, w, lane, at, as.bytes == 8 ? 8 : 4);
            std::string const kind = std::string{"ll"} + as.kind;
            if (as.kind == 'd' || as.kind == 'i')
                return append_formatted(text, as.specification(kind), as_signed(value, as.bytes));
            std::uint64_t const mask = as.bytes == 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << (8 * as.bytes)) - 1;
            return append_formatted(text, as.specification(kind), static_cast<unsigned long long>(value & mask));
        }
        case 'c':
            return append_formatted(text, as.specification("c"),
                                    static_cast<int>(next_argument(memory, w, lane, at, 4)));
        case 'p': {
            std::string pointer;
            append_formatted(pointer, "0x%llx", static_cast<unsigned long long>(next_argument(memory, w, lane, at, 8)));
            return append_formatted(text, as.specification("s"), pointer.c_str());
        }
        case 's': {
            std::string s;
            read_device_string(memory, w, lane, next_argument(memory, w, lane, at, 8), s);
            return append_formatted(text, as.specification("s"), s.c_str());
        }
        default: {
            auto const bits = next_argument(memory, w, lane, at, 8);
            double value = 0;
            std::memcpy(&value, &bits, sizeof value);
            bool const is_known = std::string_view{"eEfFgGaA"}.find(as.kind) != std::string_view::npos;
            return append_formatted(text, as.specification({is_known ? &as.kind : "g", 1}), value);
        }
    }
}

std::uint64_t system_services::print(cta_memory& memory, warp& w, unsigned lane, std::uint64_t format_at,
                                     std::uint64_t arguments_at) {
    std::string format;
    if (!read_device_string(memory, w, lane, format_at, format)) return ~std::uint64_t{0};
    std::string text;
    std::uint64_t count = 0;
    std::uint64_t at = arguments_at;
    for (std::size_t i = 0; i < format.size();) {
        char const c = format[i++];
        if (c != '%') {
            text += c;
            continue;
        }
        print_conversion const conversion = read_conversion(format, i, memory, w, lane, at);
        if (conversion.kind == '\0') break;
        if (conversion.kind == '%') {
            text += '%';
            continue;
        }
        count += conversion.stars + 1;
        append_argument(text, conversion, memory, w, lane, at);
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
