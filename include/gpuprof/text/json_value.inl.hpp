// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definitions of json_value.hpp.
#ifndef GPUPROF_TEXT_JSON_VALUE_INL_HPP
#define GPUPROF_TEXT_JSON_VALUE_INL_HPP

#include <charconv>
#include <cstddef>
#include <limits>
#include <set>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "json_value.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace detail {

class json_reader {
public:
    explicit json_reader(std::string_view text) : text_{text} {}

    [[nodiscard]] result<json_value> read() {
        json_value root;
        skip_blanks();
        if (read_value(root, 0)) {
            skip_blanks();
            if (at_ != text_.size()) static_cast<void>(fail("something follows the value"));
        }
        if (why_ == nullptr) return root;
        std::size_t line = 1, column = 1;
        for (std::size_t i = 0; i < at_ && i < text_.size(); ++i) {
            ++column;
            if (text_[i] != '\n') continue;
            ++line;
            column = 1;
        }
        error const where{errc::invalid_argument, 0,
                          "this is no JSON: line " + std::to_string(line) + ", column " + std::to_string(column), why_};
        return where;
    }

private:
    static constexpr unsigned deepest = 64;

    [[nodiscard]] bool fail(char const* why) noexcept {
        if (why_ == nullptr) why_ = why;
        return false;
    }
    [[nodiscard]] char next() const noexcept { return at_ < text_.size() ? text_[at_] : '\0'; }
    void skip_blanks() noexcept {
        while (at_ < text_.size() &&
               (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\t' || text_[at_] == '\r'))
            ++at_;
    }
    [[nodiscard]] bool take(std::string_view word) noexcept {
        if (text_.substr(at_, word.size()) != word) return false;
        at_ += word.size();
        return true;
    }

    [[nodiscard]] bool read_value(json_value& value, unsigned depth) {
        using type = json_value::type;
        if (at_ == text_.size()) return fail("the text ends too early");
        if (next() == '{' || next() == '[') {
            if (depth == deepest) return fail("it is nested too deeply");
            return next() == '{' ? read_object(value, depth) : read_list(value, depth);
        }
        if (next() == '"') {
            value.is = type::text;
            return read_text(value.text);
        }
        if (take("null")) return true;
        if (next() == 't' || next() == 'f') {
            value.is = type::boolean;
            value.boolean = next() == 't';
            return take("true") || take("false") || fail("this is no value");
        }
        value.is = type::number;
        return read_number(value.number);
    }
    [[nodiscard]] bool read_list(json_value& value, unsigned depth) {
        value.is = json_value::type::list;
        ++at_;
        skip_blanks();
        if (take("]")) return true;
        for (;;) {
            if (!read_value(value.items.emplace_back(), depth + 1)) return false;
            skip_blanks();
            if (take("]")) return true;
            if (!take(",")) return fail("a comma or ] belongs here");
            skip_blanks();
        }
    }
    [[nodiscard]] bool read_object(json_value& value, unsigned depth) {
        value.is = json_value::type::object;
        ++at_;
        skip_blanks();
        if (take("}")) return true;
        std::set<std::string> seen;
        for (;;) {
            if (next() != '"') return fail("a member's name belongs here");
            if (!read_text(value.names.emplace_back())) return false;
            if (!seen.insert(value.names.back()).second) return fail("this member is there twice");
            skip_blanks();
            if (!take(":")) return fail("a colon belongs here");
            skip_blanks();
            if (!read_value(value.items.emplace_back(), depth + 1)) return false;
            skip_blanks();
            if (take("}")) return true;
            if (!take(",")) return fail("a comma or } belongs here");
            skip_blanks();
        }
    }
    [[nodiscard]] static bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }
    [[nodiscard]] bool read_number(double& number) {
        std::size_t const begin = at_;
        static_cast<void>(take("-"));
        if (!is_digit(next())) return fail("this is no value");
        if (!take("0"))
            while (is_digit(next())) ++at_;
        if (take(".")) {
            if (!is_digit(next())) return fail("a digit belongs here");
            while (is_digit(next())) ++at_;
        }
        if (next() == 'e' || next() == 'E') {
            ++at_;
            if (next() == '+' || next() == '-') ++at_;
            if (!is_digit(next())) return fail("a digit belongs here");
            while (is_digit(next())) ++at_;
        }
        auto const read = std::from_chars(text_.data() + begin, text_.data() + at_, number);
        return (read.ec == std::errc{} && (number < 0 ? -number : number) < std::numeric_limits<double>::infinity()) ||
               fail("the number is too large or too small");
    }

    // Reads one escape, after its backslash.
    [[nodiscard]] bool read_escape(std::string& text) {
        char const c = next();
        ++at_;
        constexpr std::string_view letters = "\"\\/bfnrt", meant = "\"\\/\b\f\n\r\t";
        if (std::size_t const found = letters.find(c); found != letters.npos && c != '\0') {
            text += meant[found];
            return true;
        }
        unsigned code = 0;
        if (c != 'u' || !read_unit(code)) return fail("there is no such escape");
        if (code >= 0xdc00 && code < 0xe000) return fail("half of a character");
        if (code >= 0xd800 && code < 0xdc00) {
            unsigned low = 0;
            if (!take("\\u") || !read_unit(low) || low < 0xdc00 || low >= 0xe000) return fail("half of a character");
            code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
        }
        auto const add = [&text](unsigned byte) { text += static_cast<char>(byte); };
        if (code < 0x80) {
            add(code);
        } else if (code < 0x800) {
            add(0xc0 | (code >> 6));
            add(0x80 | (code & 0x3f));
        } else if (code < 0x10000) {
            add(0xe0 | (code >> 12));
            add(0x80 | ((code >> 6) & 0x3f));
            add(0x80 | (code & 0x3f));
        } else {
            add(0xf0 | (code >> 18));
            add(0x80 | ((code >> 12) & 0x3f));
            add(0x80 | ((code >> 6) & 0x3f));
            add(0x80 | (code & 0x3f));
        }
        return true;
    }
    [[nodiscard]] bool read_unit(unsigned& unit) noexcept {
        if (text_.size() - at_ < 4) return false;
        auto const read = std::from_chars(text_.data() + at_, text_.data() + at_ + 4, unit, 16);
        if (read.ptr != text_.data() + at_ + 4) return false;
        at_ += 4;
        return true;
    }
    // The number of bytes of a character beyond ASCII; 0 if they are no UTF-8.
    [[nodiscard]] std::size_t character() const noexcept {
        auto const byte = [this](std::size_t i) -> unsigned {
            return at_ + i < text_.size() ? static_cast<unsigned char>(text_[at_ + i]) : 0u;
        };
        unsigned const first = byte(0);
        std::size_t const size = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
        if (first < 0xc2 || first > 0xf4) return 0;
        for (std::size_t i = 1; i < size; ++i)
            if ((byte(i) & 0xc0u) != 0x80u) return 0;
        if ((first == 0xe0 && byte(1) < 0xa0) || (first == 0xed && byte(1) > 0x9f)) return 0;
        if ((first == 0xf0 && byte(1) < 0x90) || (first == 0xf4 && byte(1) > 0x8f)) return 0;
        return size;
    }
    [[nodiscard]] bool read_text(std::string& text) {
        ++at_;
        for (;;) {
            if (at_ == text_.size()) return fail("the text ends in a string");
            auto const c = static_cast<unsigned char>(text_[at_]);
            if (c == '"') {
                ++at_;
                return true;
            }
            if (c < 0x20) return fail("a control character in a string");
            if (c == '\\') {
                ++at_;
                if (at_ == text_.size()) return fail("the text ends in a string");
                if (!read_escape(text)) return false;
                continue;
            }
            std::size_t const size = c < 0x80 ? 1 : character();
            if (size == 0) return fail("this is no UTF-8");
            text.append(text_.substr(at_, size));
            at_ += size;
        }
    }

    std::string_view text_;
    std::size_t at_ = 0;
    char const* why_ = nullptr;
};

} // namespace detail

GPUPROF_INLINE result<json_value> try_read_json(std::string_view text) { return detail::json_reader{text}.read(); }

GPUPROF_NAMESPACE_END

#endif // GPUPROF_TEXT_JSON_VALUE_INL_HPP
