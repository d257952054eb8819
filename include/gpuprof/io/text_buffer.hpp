// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes text and quantities into a buffer of the caller's, without allocation.
#ifndef GPUPROF_IO_TEXT_BUFFER_HPP
#define GPUPROF_IO_TEXT_BUFFER_HPP

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "../core/unit.hpp"
#include "../core/unit_symbol.hpp"
#include "../detail/config.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace detail {

// Appends while there is room; text that does not fit is dropped, in whole characters. NUL always
// follows the text if the buffer is not empty.
class text_buffer {
public:
    explicit text_buffer(std::span<char> buffer) noexcept : buffer_{buffer} { terminate(); }

    void text(std::string_view part) noexcept {
        if (full_) return;
        std::size_t const room = buffer_.empty() ? 0 : buffer_.size() - 1 - size_;
        std::size_t count = part.size();
        if (count > room) {
            full_ = true;
            count = room;
            while (count != 0 && (static_cast<unsigned char>(part[count]) & 0xC0) == 0x80) --count; // within UTF-8
        }
        if (count != 0) size_ += part.copy(buffer_.data() + size_, count);
        terminate();
    }
    void blanks(std::size_t count) noexcept {
        constexpr std::string_view some = "                                ";
        for (; count > some.size(); count -= some.size()) text(some);
        text(some.substr(0, count));
    }
    // Right-aligned in `width` characters. @pre `part` is ASCII
    void right(std::string_view part, std::size_t width) noexcept {
        if (part.size() < width) blanks(width - part.size());
        text(part);
    }
    void left(std::string_view part, std::size_t width) noexcept {
        text(part);
        if (part.size() < width) blanks(width - part.size());
    }
    void integer(std::uint64_t value) noexcept {
        char digits[20];
        std::size_t at = sizeof digits;
        do digits[--at] = static_cast<char>('0' + value % 10);
        while ((value /= 10) != 0);
        text({digits + at, sizeof digits - at});
    }
    // Three digits and a prefix: "16.7 ms" for 16'667'000 ns, "1.23 G", "48.0 MiB", "73.1 %"; "-"
    // for NaN. Large percentages have all their digits.
    void quantity(double value, unit const& of) noexcept {
        if (value != value) return text("-");
        if (value < 0) {
            text("-");
            value = -value;
        }
        if (same_dimension(of, gpuprof::unit_of(dimension::second))) {
            for (int power = of.power_of_ten; power < 0; ++power) value *= 0.1; // in seconds
            for (int power = of.power_of_ten; power > 0; --power) value *= 10;
            char const* const names[]{" s", " ms", " us", " ns"};
            int step = 0;
            while (step < 3 && value != 0 && value < 0.9995) {
                value *= 1000;
                ++step;
            }
            three_digits(value);
            return text(value == 0 ? " s" : names[step]);
        }
        if (of == percent_unit) {
            three_digits(value);
            return text(" %");
        }
        bool const bytes = of == gpuprof::unit_of(dimension::byte);
        double const step = bytes ? 1024 : 1000;
        char const* const prefixes[]{"", "k", "M", "G", "T", "P", "E"};
        std::size_t at = 0;
        while (at < 6 && value >= (bytes ? 1024 : 999.5)) {
            value /= step;
            ++at;
        }
        if (at == 0 && value == static_cast<double>(static_cast<std::uint64_t>(value)))
            integer(static_cast<std::uint64_t>(value));
        else three_digits(value);
        if (bytes) {
            text(at == 0 ? " B" : " ");
            if (at != 0) text(at == 1 ? "K" : prefixes[at]);
            if (at != 0) text("iB");
        } else if (at != 0) {
            text(" ");
            text(prefixes[at]);
        }
    }

    [[nodiscard]] std::string_view view() const noexcept { return {buffer_.data(), size_}; }
    [[nodiscard]] bool full() const noexcept { return full_; }

private:
    // "0.12", "1.23", "12.3", "123", "1234". @pre value >= 0
    void three_digits(double value) noexcept {
        if (value >= 9.0e15) return text("very many");
        int const places = value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
        std::uint64_t const scale = places == 2 ? 100 : places == 1 ? 10 : 1;
        auto const scaled = static_cast<std::uint64_t>(value * static_cast<double>(scale) + 0.5);
        integer(scaled / scale);
        if (places == 0) return;
        text(".");
        if (places == 2) integer(scaled % 100 / 10);
        integer(scaled % 10);
    }
    void terminate() noexcept {
        if (!buffer_.empty()) buffer_[size_] = '\0';
    }

    std::span<char> buffer_;
    std::size_t size_ = 0;
    bool full_ = false;
};

} // namespace detail
GPUPROF_NAMESPACE_END

#endif // GPUPROF_IO_TEXT_BUFFER_HPP
