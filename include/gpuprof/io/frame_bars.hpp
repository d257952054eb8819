// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes the last frames as a row of bars into a buffer of the caller's.
#ifndef GPUPROF_IO_FRAME_BARS_HPP
#define GPUPROF_IO_FRAME_BARS_HPP

#include <cstddef>
#include <span>
#include <string_view>

#include "../detail/config.hpp"
#include "../frames/frame_history.hpp"
#include "text_buffer.hpp"

GPUPROF_NAMESPACE_BEGIN

// The characters of bars: eighths of a block (UTF-8), or characters that every terminal has.
enum class bar_style : bool { blocks, ascii };

// Writes a row of bars, one for each of the last `width` frames, the newest on the right, from 0 to
// `top`; without `top`, to the largest value shown. Frames that do not exist yet are blank. Returns
// the text, which lies in `buffer` and is followed by NUL; a buffer that is too small cuts it.
// Blocks take 3 bytes each.
[[nodiscard]] inline std::string_view write_bars(std::span<char> buffer, frame_history const& history,
                                                 std::size_t width, double top = 0,
                                                 bar_style style = bar_style::blocks) noexcept {
    constexpr std::string_view blocks[]{" ",      "\u2581", "\u2582", "\u2583", "\u2584",
                                        "\u2585", "\u2586", "\u2587", "\u2588"};
    constexpr std::string_view ascii[]{" ", ".", ":", "-", "=", "+", "*", "#", "@"};
    detail::text_buffer out{buffer};
    std::size_t const shown = history.size() < width ? history.size() : width;
    std::size_t const first = history.size() - shown;
    if (!(top > 0))
        for (std::size_t i = first; i < history.size(); ++i) top = history[i] > top ? history[i] : top;
    for (std::size_t i = shown; i < width; ++i) out.text(" ");
    for (std::size_t i = first; i < history.size(); ++i) {
        double const share = top > 0 && history[i] > 0 ? history[i] / top : 0;
        auto level = static_cast<std::size_t>((share < 1 ? share : 1) * 8 + 0.5);
        if (level == 0 && share > 0) level = 1; // small values stay visible
        out.text(style == bar_style::ascii ? ascii[level] : blocks[level]);
    }
    return out.view();
}

GPUPROF_NAMESPACE_END

#endif // GPUPROF_IO_FRAME_BARS_HPP
