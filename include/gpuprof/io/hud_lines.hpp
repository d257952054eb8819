// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lines of text that are no longer than a width, written into a buffer of the caller's.
#ifndef GPUPROF_IO_HUD_LINES_HPP
#define GPUPROF_IO_HUD_LINES_HPP

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "../core/unit.hpp"
#include "../detail/config.hpp"
#include "../text/wrapped.hpp"
#include "text_buffer.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace detail {

// The bytes of the first `count` characters.
[[nodiscard]] constexpr std::size_t bytes_of(std::string_view text, std::size_t count) noexcept {
    std::size_t at = 0;
    for (; at < text.size(); ++at)
        if ((static_cast<unsigned char>(text[at]) & 0xC0) != 0x80 && count-- == 0) break;
    return at;
}

// A line that is put together and then written. Text over its room is cut. Allocates nothing.
struct hud_storage {
    char characters[1536];
};
class hud_line : hud_storage, public text_buffer {
public:
    hud_line() noexcept : text_buffer{{characters, sizeof characters}} {}
    hud_line(hud_line const&) = delete;
    hud_line& operator=(hud_line const&) = delete;

    // "1,204"
    void grouped(std::uint64_t value) noexcept {
        if (value >= 1000) {
            grouped(value / 1000);
            text(",");
            for (std::uint64_t digit = 100; digit > 1 && value % 1000 < digit; digit /= 10) text("0");
            value %= 1000;
        }
        integer(value);
    }
    // A quantity, right-aligned.
    void quantity_in(double value, unit const& of, std::size_t width) noexcept {
        char room[48];
        text_buffer number{room};
        number.quantity(value, of);
        right(number.view(), width);
    }
    // A name of at most `width` characters, with its middle left out if it is longer.
    void name_in(std::string_view name, std::size_t width) noexcept {
        std::size_t const length = columns_of(name);
        if (length <= width) {
            text(name);
            blanks(width - length);
            return;
        }
        std::size_t const tail = (width - 3) / 2, head = width - 3 - tail;
        text(name.substr(0, bytes_of(name, head)));
        text("...");
        text(name.substr(bytes_of(name, length - tail)));
    }
};

// Writes a line. What is longer than `width` goes on in lines that begin with four spaces: broken at a
// space if there is one. @pre width >= 16
inline void write_line(text_buffer& to, std::string_view line, std::size_t width) noexcept {
    for (bool first = true;; first = false) {
        std::size_t const room = first ? width : width - 4;
        if (!first) to.text("    ");
        std::size_t end = line.size() <= room ? line.size() : bytes_of(line, room);
        if (end == line.size()) {
            to.text(line);
            to.text("\n");
            return;
        }
        std::size_t const space = line.substr(0, end + 1).find_last_of(' ');
        if (space != line.npos && line.find_first_not_of(' ') < space) end = space;
        to.text(line.substr(0, end));
        to.text("\n");
        line.remove_prefix(end);
        while (line.starts_with(' ')) line.remove_prefix(1);
    }
}

} // namespace detail
GPUPROF_NAMESPACE_END

#endif // GPUPROF_IO_HUD_LINES_HPP
