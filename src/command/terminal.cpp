// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "terminal.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include <sys/ioctl.h>
#include <unistd.h>

#include <gpuprof/hw/machine/platform/environment.hpp>
#include <gpuprof/text/wrapped.hpp>

namespace gpuprof::command {

std::size_t columns(int stream) {
    constexpr std::size_t least = 40;
    constexpr std::size_t most = 100;
    std::size_t found = std::strtoul(platform::variable_or_empty("COLUMNS").c_str(), nullptr, 10);
    winsize size{};
    if (found == 0 && ::isatty(stream) == 1 && ::ioctl(stream, TIOCGWINSZ, &size) == 0) found = size.ws_col;
    return found == 0 ? most : std::clamp(found, least, most);
}

bool has_colours(int stream) {
    return ::isatty(stream) == 1 && platform::variable_or_empty("NO_COLOR").empty() &&
           platform::variable_or_empty("TERM") != "dumb";
}

std::string coloured(std::string_view text, colour in, bool shown) {
    if (!shown) return std::string{text};
    return std::string{"\x1b[3"} + static_cast<char>(in) + 'm' + std::string{text} + "\x1b[0m";
}

std::string paragraph(std::string_view first, std::string_view words, std::size_t indent, std::size_t width) {
    std::string text{first};
    gpuprof::detail::append_wrapped(text, words, first.size(), indent, width);
    return text + '\n';
}

void print(std::string const& text) { std::fwrite(text.data(), 1, text.size(), stdout); }

} // namespace gpuprof::command
