// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gpuprof/io/frame_bars.hpp>
#include <gpuprof/io/text_buffer.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <string>
#include <string_view>

namespace text_buffer_test {

using gpuprof::dimension;
using gpuprof::unit_of;
using gpuprof::detail::text_buffer;

namespace {
std::string written(double value, gpuprof::unit of) {
    char buffer[64];
    text_buffer text{buffer};
    text.quantity(value, of);
    return std::string{text.view()};
}
} // namespace

TEST_CASE("text_buffer: quantities have three digits and a prefix") {
    auto const ns = unit_of(dimension::second, -9);
    auto const byte = unit_of(dimension::byte);
    auto const percent = gpuprof::percent_unit;
    auto const count = gpuprof::one;
    struct {
        double value;
        gpuprof::unit of;
        std::string_view text;
    } const rows[]{{16'667'000, ns, "16.7 ms"},
                   {999, ns, "999 ns"},
                   {1'000, ns, "1.00 us"},
                   {12'345, ns, "12.3 us"},
                   {999'900, ns, "1.00 ms"},
                   {2.5e9, ns, "2.50 s"},
                   {0, ns, "0.00 s"},
                   {0, byte, "0 B"},
                   {1023, byte, "1023 B"},
                   {1024, byte, "1.00 KiB"},
                   {48.0 * 1024 * 1024, byte, "48.0 MiB"},
                   {73.14, percent, "73.1 %"},
                   {123.4, percent, "123 %"},
                   {7, count, "7"},
                   {0.25, count, "0.25"},
                   {999, count, "999"},
                   {1234, count, "1.23 k"},
                   {999'600, count, "1.00 M"},
                   {1.5e12, count, "1.50 T"},
                   {-2, count, "-2"},
                   {gpuprof::detail::quiet_nan, count, "-"}};
    std::size_t compared = 0;
    for (auto const& row : rows) {
        CHECK(written(row.value, row.of) == row.text);
        ++compared;
    }
    CHECK(compared == 21);
}

TEST_CASE("text_buffer: a buffer that is too small cuts the text between characters and ends it with a NUL") {
    std::string const whole = "ab\u2581\u2588c";
    std::size_t compared = 0;
    for (std::size_t size = 0; size <= 12; ++size) {
        char buffer[16];
        for (char& each : buffer) each = 'x';
        text_buffer text{std::span<char>{buffer, size}};
        text.text(whole);
        text.text("more");
        std::string const got{text.view()};
        CHECK((got == "" || got == "a" || got == "ab" || got == "ab\u2581" || got == "ab\u2581\u2588" || got == whole ||
               got == whole + "more" || got == whole + "m" || got == whole + "mo"));
        CHECK(got.size() + (size != 0) <= size);
        if (size != 0) CHECK(buffer[got.size()] == '\0');
        for (std::size_t i = size; i < sizeof buffer; ++i) CHECK(buffer[i] == 'x');
        compared += got.size();
    }
    CHECK(compared == 0 + 0 + 1 + 2 + 2 + 2 + 5 + 5 + 5 + 8 + 9 + 10 + 11);
}

TEST_CASE("write_bars: the newest frames stand on the right, from nothing to the largest") {
    gpuprof::frame_history history{8};
    char buffer[64];
    for (double const each : {100.0, 0.0, 1.0, 4.0, 8.0}) history.push(each);
    CHECK(gpuprof::write_bars(buffer, history, 4) == " \u2581\u2584\u2588");
    CHECK(gpuprof::write_bars(buffer, history, 4, 16) == " \u2581\u2582\u2584");
    CHECK(gpuprof::write_bars(buffer, history, 7, 8, gpuprof::bar_style::ascii) == "  @ .=@");
    CHECK(gpuprof::write_bars(std::span<char>{buffer, 3}, history, 7, 8, gpuprof::bar_style::ascii) == "  ");
}

} // namespace text_buffer_test
