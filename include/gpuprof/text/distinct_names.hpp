// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shortens the names of a table so that different names stay different.
#ifndef GPUPROF_TEXT_DISTINCT_NAMES_HPP
#define GPUPROF_TEXT_DISTINCT_NAMES_HPP

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../detail/config.hpp"
#include "printable.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace detail {

// The begin of the character at a byte of a text in UTF-8.
[[nodiscard]] constexpr std::size_t character_at(std::string_view text, std::size_t byte) noexcept {
    while (byte > 0 && byte < text.size() && (static_cast<unsigned char>(text[byte]) & 0xc0u) == 0x80u) --byte;
    return byte;
}

[[nodiscard]] constexpr std::size_t common_start(std::string_view a, std::string_view b) noexcept {
    std::size_t size = 0;
    while (size < a.size() && size < b.size() && a[size] == b[size]) ++size;
    return size;
}

// The parts of a name that begin at some places, "..." for what lies between, in `width` bytes.
// @pre the places ascend, and the first is 0
[[nodiscard]] inline std::string parts_of_name(std::string_view name, std::vector<std::size_t> const& places,
                                               std::size_t width) {
    std::size_t const share = (width - 3) / places.size() - 3;
    std::string text;
    std::size_t shown = 0;
    for (std::size_t const place : places) {
        // A part begins with a word if that leaves room for the place.
        std::size_t const word = place == 0 ? 0 : name.find_last_of("<,(: ", place - 1) + 1;
        std::size_t const start = word + share / 2 < place ? place - share / 4 : word;
        std::size_t const first = character_at(name, start), begin = first < shown ? shown : first;
        std::size_t const last = character_at(name, begin + share < name.size() ? begin + share : name.size());
        std::size_t const end = last < begin ? begin : last;
        if (begin > shown) text += "...";
        text += name.substr(begin, end - begin);
        shown = end;
    }
    if (shown < name.size()) text += "...";
    return text;
}

// Both ends of a name: instances of a template often differ there.
[[nodiscard]] inline std::string ends_of_name(std::string_view name, std::size_t width) {
    std::size_t const end = (width - 3) / 2;
    std::size_t last = name.size() - end;
    while (character_at(name, last) != last) ++last;
    return std::string{name.substr(0, character_at(name, width - 3 - end))}.append("...").append(name.substr(last));
}

// What a name is shortened from: without the return type and the anonymous namespaces of a demangled function.
[[nodiscard]] inline std::string essence_of_name(std::string name) {
    constexpr std::string_view unnamed = "(anonymous namespace)::", result = "void ";
    if (name.compare(0, result.size(), result) == 0) name.erase(0, result.size());
    for (std::size_t at = name.find(unnamed); at != name.npos; at = name.find(unnamed, at))
        name.erase(at, unnamed.size());
    return name;
}

// Where a text stands, or belongs, in texts that ascend.
[[nodiscard]] inline std::size_t place_among(std::vector<std::string> const& texts, std::string_view text) noexcept {
    std::size_t begin = 0;
    for (std::size_t end = texts.size(); begin < end;) {
        std::size_t const middle = begin + (end - begin) / 2;
        if (texts[middle] < text) begin = middle + 1;
        else end = middle;
    }
    return begin;
}

// Each name in at most `width` bytes, printable, in the order given. A longer name keeps its begin and its end. If another
// one would look the same, it keeps its begin and the parts in which the two differ; if even these look the same, a number
// follows. Equal names stay equal. Cost: the square of the number of long names. @pre width is at least 24
[[nodiscard]] inline std::vector<std::string> distinct_names(std::vector<std::string> names, std::size_t width) {
    std::vector<std::string> longer, ends, shown; // each long name once, ascending; both ends of it; what is shown
    for (std::string& name : names) {
        name = printable(name, name.size());
        if (name.size() > width) name = essence_of_name(std::move(name));
        if (name.size() <= width) continue;
        std::size_t const place = place_among(longer, name);
        if (place == longer.size() || longer[place] != name)
            longer.insert(longer.begin() + static_cast<std::ptrdiff_t>(place), name);
    }
    for (std::string const& name : longer) ends.push_back(ends_of_name(name, width));
    for (std::size_t i = 0; i < longer.size(); ++i) {
        std::size_t least = longer[i].size(), most = 0, alike = 0; // in common with names of the same ends
        for (std::size_t k = 0; k < longer.size(); ++k) {
            if (k == i || ends[k] != ends[i]) continue;
            std::size_t const common = common_start(longer[i], longer[k]);
            least = common < least ? common : least;
            most = common > most ? common : most;
            ++alike;
        }
        std::string text = ends[i];
        if (alike != 0) {
            std::vector<std::size_t> places{0, least};
            if (most > least + width / 4) places.push_back(most);
            text = parts_of_name(longer[i], places, width);
        }
        std::string const begin = text;
        for (std::size_t number = 2;; ++number) {
            bool is_new = true;
            for (std::string const& other : shown) is_new = is_new && other != text;
            if (is_new) break;
            std::string const ending = " #" + std::to_string(number);
            std::size_t const room = width - ending.size();
            text = begin.substr(0, character_at(begin, begin.size() < room ? begin.size() : room)) + ending;
        }
        shown.push_back(text);
    }
    for (std::string& name : names)
        if (name.size() > width) name = shown[place_among(longer, name)];
    return names;
}

} // namespace detail
GPUPROF_NAMESPACE_END

#endif // GPUPROF_TEXT_DISTINCT_NAMES_HPP
