// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shortens the names of a table so that different names stay different.
#ifndef GPUPROF_TEXT_DISTINCT_NAMES_HPP
#define GPUPROF_TEXT_DISTINCT_NAMES_HPP

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <map>
#include <set>
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
        std::size_t const begin = (std::max)(shown, character_at(name, start));
        std::size_t const end = (std::max)(begin, character_at(name, (std::min)(name.size(), begin + share)));
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

// Each name in at most `width` bytes, printable, in the order given. A longer name keeps its begin and its end. If another
// one would look the same, it keeps its begin and the parts in which the two differ; if even these look the same, a number
// follows. Equal names stay equal. @pre width is at least 24
[[nodiscard]] inline std::vector<std::string> distinct_names(std::vector<std::string> names, std::size_t width) {
    std::map<std::string, std::set<std::string>> alike; // long names, by what their ends look like
    for (std::string& name : names) {
        name = printable(name, name.size());
        if (name.size() > width) name = essence_of_name(std::move(name));
        if (name.size() > width) alike[ends_of_name(name, width)].insert(name);
    }
    std::map<std::string, std::set<std::string>> holders; // names, by what is shown of them
    std::map<std::string, std::string> shown;
    for (std::string const& name : names) {
        if (shown.count(name) != 0) continue;
        std::string text = name.size() > width ? ends_of_name(name, width) : name;
        if (auto const group = alike.find(text); name.size() > width && group->second.size() > 1) {
            // In order, a name has most in common with its neighbours, and least with the first or the last one.
            auto const at = group->second.find(name);
            std::size_t least = name.size(), most = 0;
            auto const compare = [&](std::string const& other) {
                if (other == name) return;
                least = (std::min)(least, common_start(name, other));
                most = (std::max)(most, common_start(name, other));
            };
            compare(*group->second.begin());
            compare(*group->second.rbegin());
            if (at != group->second.begin()) compare(*std::prev(at));
            if (auto const next = std::next(at); next != group->second.end()) compare(*next);
            std::vector<std::size_t> places{0, least};
            if (most > least + width / 4) places.push_back(most);
            text = parts_of_name(name, places, width);
        }
        std::set<std::string>& of_text = holders[text];
        of_text.insert(name);
        if (of_text.size() > 1) {
            std::string const number = " #" + std::to_string(of_text.size());
            text = text.substr(0, character_at(text, (std::min)(text.size(), width - number.size()))) + number;
        }
        shown[name] = text;
    }
    for (std::string& name : names) name = shown[name];
    return names;
}

} // namespace detail
GPUPROF_NAMESPACE_END

#endif // GPUPROF_TEXT_DISTINCT_NAMES_HPP
