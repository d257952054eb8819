// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A buffered text writer for sinks, with numbers as text.
#ifndef GPUPROF_IO_OUTPUT_HPP
#define GPUPROF_IO_OUTPUT_HPP

#include <charconv>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include "sink.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace io {

// Collects text in its own buffer and hands it to a sink in blocks. Only the constructor allocates.
// No locale: std::to_chars writes the numbers. Keeps the first error of the sink, and drops text
// after it. One thread at a time.
class output {
public:
    static constexpr std::size_t block = std::size_t{128} * 1024; // approximate bytes of a block
    static constexpr std::size_t capacity = 2 * block;

    explicit output(io::sink to) : sink_{to}, buffer_{new char[capacity]} {}

    void text(std::string_view part) {
        if (part.size() > capacity - used_) {
            send({});
            if (part.size() > capacity) {
                pass_on(part, {});
                return;
            }
        }
        used_ += part.copy(buffer_.get() + used_, part.size());
    }
    void character(char letter) {
        if (used_ == capacity) send({});
        buffer_[used_++] = letter;
    }
    template <std::integral Number>
    void number(Number value) {
        char* const at = room(20);
        used_ = static_cast<std::size_t>(std::to_chars(at, at + 20, value).ptr - buffer_.get());
    }
    // The shortest text that reads back as the same number. @pre finite
    void real(double value) {
        char* const at = room(32);
        used_ = static_cast<std::size_t>(std::to_chars(at, at + 32, value).ptr - buffer_.get());
    }
    // A number of thousandths, exactly: 1234567 is "1234.567".
    void thousandths(std::uint64_t value) {
        number(value / 1000);
        auto const rest = static_cast<unsigned>(value % 1000);
        char* const at = room(4);
        at[0] = '.';
        at[1] = static_cast<char>('0' + rest / 100);
        at[2] = static_cast<char>('0' + rest / 10 % 10);
        at[3] = static_cast<char>('0' + rest % 10);
        used_ += 4;
    }
    // "0x7f00c0de"
    void hexadecimal(std::uint64_t value) {
        text("0x");
        char* const at = room(16);
        used_ = static_cast<std::size_t>(std::to_chars(at, at + 16, value, 16).ptr - buffer_.get());
    }

    // Writes two hexadecimal digits a byte.
    void digits_of(std::string_view bytes) {
        constexpr char digits[] = "0123456789abcdef";
        for (char const byte : bytes) {
            character(digits[static_cast<unsigned char>(byte) >> 4]);
            character(digits[static_cast<unsigned char>(byte) & 15]);
        }
    }

    // Whether a block is full. The caller must send it at a place where the file can end.
    [[nodiscard]] bool full() const noexcept { return used_ >= block; }
    // Hands the buffer's text to the sink.
    void send(std::string_view ending) {
        pass_on({buffer_.get(), used_}, ending);
        used_ = 0;
    }

    // The number of written bytes, with those in the buffer.
    [[nodiscard]] std::uint64_t size() const noexcept { return sent_ + used_; }
    [[nodiscard]] std::optional<error> const& failure() const noexcept { return failure_; }

private:
    // Makes room for `size` bytes at the end of the buffer.
    [[nodiscard]] char* room(std::size_t size) {
        if (size > capacity - used_) send({});
        return buffer_.get() + used_;
    }
    void pass_on(std::string_view bytes, std::string_view ending) {
        sent_ += bytes.size();
        if (failure_ || sink_.put == nullptr) return;
        auto done = sink_.put(sink_.to, bytes, ending);
        if (!done) failure_ = std::move(done).error();
    }

    io::sink sink_;
    std::unique_ptr<char[]> buffer_;
    std::size_t used_ = 0;
    std::uint64_t sent_ = 0;
    std::optional<error> failure_{};
};

} // namespace io
GPUPROF_NAMESPACE_END

#endif // GPUPROF_IO_OUTPUT_HPP
