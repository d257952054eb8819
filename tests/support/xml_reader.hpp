// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads XML strictly: the part of XML 1.0 that pictures need, and nothing that is not well-formed. Test support.
#ifndef GPUPROF_TESTS_SUPPORT_XML_READER_HPP
#define GPUPROF_TESTS_SUPPORT_XML_READER_HPP

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace test {

struct xml_element {
    std::string name;
    std::map<std::string, std::string> attributes;
    std::string text; // its own, not that of what is inside
    std::vector<xml_element> inside;

    [[nodiscard]] std::string attribute(std::string const& of) const {
        auto const found = attributes.find(of);
        return found == attributes.end() ? std::string{} : found->second;
    }
    // Every element of that name, this one and those inside of those inside included.
    [[nodiscard]] std::vector<xml_element const*> all(std::string_view of) const {
        std::vector<xml_element const*> found;
        if (name == of) found.push_back(this);
        for (xml_element const& each : inside)
            for (xml_element const* const one : each.all(of)) found.push_back(one);
        return found;
    }
    // The text of it and of everything inside.
    [[nodiscard]] std::string whole_text() const {
        std::string made = text;
        for (xml_element const& each : inside) made += '\n' + each.whole_text();
        return made;
    }
};

class xml_reader {
public:
    // The document's element; nothing if the text is not well-formed.
    [[nodiscard]] static std::optional<xml_element> read(std::string_view text) {
        xml_reader reader{text};
        reader.blanks();
        xml_element root;
        if (!reader.element(root)) return {};
        reader.blanks();
        if (!reader.rest_.empty()) return {};
        return root;
    }

private:
    explicit xml_reader(std::string_view text) : rest_{text} {}

    static bool is_name(char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_' ||
               c == ':';
    }
    void blanks() {
        while (!rest_.empty() && (rest_[0] == ' ' || rest_[0] == '\n')) rest_.remove_prefix(1);
    }
    bool take(std::string_view part) {
        if (!rest_.starts_with(part)) return false;
        rest_.remove_prefix(part.size());
        return true;
    }
    bool name(std::string& to) {
        std::size_t size = 0;
        while (size < rest_.size() && is_name(rest_[size])) ++size;
        to = rest_.substr(0, size);
        rest_.remove_prefix(size);
        return size != 0 && !(to[0] >= '0' && to[0] <= '9') && to[0] != '-';
    }
    // Characters up to one of `ends`, entities replaced.
    bool characters(std::string& to, std::string_view ends) {
        while (!rest_.empty() && ends.find(rest_[0]) == ends.npos) {
            char const c = rest_[0];
            if (c == '<' || (static_cast<unsigned char>(c) < 0x20 && c != '\n')) return false;
            if (c == '&') {
                if (take("&amp;")) to += '&';
                else if (take("&lt;")) to += '<';
                else if (take("&gt;")) to += '>';
                else if (take("&quot;")) to += '"';
                else return false;
                continue;
            }
            to += c;
            rest_.remove_prefix(1);
        }
        return !rest_.empty();
    }
    bool element(xml_element& to) {
        if (!take("<") || !name(to.name)) return false;
        for (;;) {
            bool const blank = !rest_.empty() && (rest_[0] == ' ' || rest_[0] == '\n');
            blanks();
            if (take("/>")) return true;
            if (take(">")) break;
            std::string key, value;
            if (!blank || !name(key) || !take("=\"") || !characters(value, "\"") || !take("\"")) return false;
            if (!to.attributes.emplace(key, value).second) return false; // twice
        }
        for (;;) {
            if (!characters(to.text, "<")) return false;
            if (take("</")) {
                std::string end;
                return name(end) && end == to.name && take(">");
            }
            to.inside.emplace_back();
            if (!element(to.inside.back())) return false;
        }
    }

    std::string_view rest_;
};

} // namespace test

#endif // GPUPROF_TESTS_SUPPORT_XML_READER_HPP
