// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// printf and assert in device code. Layer: embedded GPU, executor.
#ifndef GPUPROF_HW_SIM_EXECUTE_SYSTEM_CALLS_HPP
#define GPUPROF_HW_SIM_EXECUTE_SYSTEM_CALLS_HPP

#include <cstddef>     // std::byte
#include <cstdint>     // arguments
#include <cstdio>      // formatting
#include <cstring>     // arguments as bytes
#include <functional>  // where the text goes
#include <mutex>       // one thread prints at a time
#include <string>      // the text
#include <string_view> // the text

#include "cta_memory.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// Shared by all CTAs of a launch; print() may be called by several host threads.
class system_services {
public:
    explicit system_services(std::function<void(std::string_view)> const& out) : out_{out} {}

    // vprintf(format, arguments): the number of arguments, as CUDA's printf gives, or -1 for a format that is no string.
    std::uint64_t print(cta_memory& memory, warp& w, unsigned lane, std::uint64_t format_at,
                        std::uint64_t arguments_at) {
        std::string format;
        if (!read_string(memory, w, lane, format_at, format)) return ~std::uint64_t{0};
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
            while (i < format.size() &&
                   std::string_view{"-+ #0123456789.*lhz"}.find(format[i]) != std::string_view::npos) {
                char const c = format[i++];
                if (c == 'l' || c == 'z') wide = true;
                else if (c == '*')
                    spec += std::to_string(static_cast<std::int32_t>(argument(memory, w, lane, at, 4))), ++count;
                else if (c != 'h') spec += c;
            }
            if (i == format.size() || spec.size() > 32) break;
            char const kind = format[i++];
            if (kind == '%') {
                text += '%';
                continue;
            }
            ++count;
            append(text, spec, kind, wide, memory, w, lane, at);
        }
        if (out_) {
            std::lock_guard const only{mutex_};
            out_(text);
        }
        return count;
    }

    // __assertfail(message, file, line, function, character size)
    static std::string assertion(cta_memory& memory, warp& w, unsigned lane, std::uint64_t const (&arguments)[5]) {
        std::string message;
        std::string file;
        read_string(memory, w, lane, arguments[0], message);
        read_string(memory, w, lane, arguments[1], file);
        return file + ":" + std::to_string(static_cast<std::uint32_t>(arguments[2])) + ": " + message;
    }

private:
    static bool read(cta_memory& memory, warp& w, unsigned lane, std::uint64_t address, unsigned bytes, void* to) {
        ptx::space const space = cta_memory::classify(address);
        std::byte const* const from = memory.locate(space, w, lane, address, bytes);
        if (from != nullptr) std::memcpy(to, from, bytes);
        return from != nullptr;
    }
    static bool read_string(cta_memory& memory, warp& w, unsigned lane, std::uint64_t address, std::string& out) {
        constexpr std::size_t longest = 65536;
        for (char c = 0; out.size() < longest; ++address, out += c) {
            if (!read(memory, w, lane, address, 1, &c)) return false;
            if (c == '\0') return true;
        }
        return true;
    }
    // Arguments stand one after the other, each aligned to its size.
    static std::uint64_t argument(cta_memory& memory, warp& w, unsigned lane, std::uint64_t& at, unsigned bytes) {
        at = (at + bytes - 1) & ~std::uint64_t{bytes - 1};
        std::uint64_t value = 0;
        read(memory, w, lane, at, bytes, &value);
        at += bytes;
        return value;
    }

    // The host's printf formats one argument; the specification was rebuilt from known characters only.
    static void append(std::string& text, std::string spec, char kind, bool wide, cta_memory& memory, warp& w,
                       unsigned lane, std::uint64_t& at) {
        char buffer[512];
        buffer[0] = '\0';
        switch (kind) {
            case 'd':
            case 'i': {
                auto const v = argument(memory, w, lane, at, wide ? 8 : 4);
                spec += "lld";
                format(buffer, spec,
                       wide ? static_cast<long long>(v) : static_cast<long long>(static_cast<std::int32_t>(v)));
                break;
            }
            case 'u':
            case 'x':
            case 'X':
            case 'o':
                spec += "ll";
                spec += kind;
                format(buffer, spec, static_cast<unsigned long long>(argument(memory, w, lane, at, wide ? 8 : 4)));
                break;
            case 'c':
                spec += kind;
                format(buffer, spec, static_cast<int>(argument(memory, w, lane, at, 4)));
                break;
            case 'p':
                format(buffer, "0x%llx", static_cast<unsigned long long>(argument(memory, w, lane, at, 8)));
                break;
            case 's': {
                std::string s;
                read_string(memory, w, lane, argument(memory, w, lane, at, 8), s);
                spec += kind;
                if (spec == "%s") {
                    text += s;
                    return;
                }
                format(buffer, spec, s.c_str());
                break;
            }
            default: {
                auto const bits = argument(memory, w, lane, at, 8);
                double value = 0;
                std::memcpy(&value, &bits, sizeof value);
                spec += std::string_view{"eEfFgGaA"}.find(kind) != std::string_view::npos ? kind : 'g';
                format(buffer, spec, value);
                break;
            }
        }
        text += buffer;
    }

    template <std::size_t N, class T>
    static void format(char (&buffer)[N], std::string const& spec, T value) {
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

    std::function<void(std::string_view)> const& out_;
    std::mutex mutex_;
};

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_SIM_EXECUTE_SYSTEM_CALLS_HPP
