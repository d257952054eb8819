// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads JSON into values.
#ifndef GPUPROF_TEXT_JSON_VALUE_HPP
#define GPUPROF_TEXT_JSON_VALUE_HPP

#include <string>
#include <string_view>
#include <vector>

#include "../detail/config.hpp"
#include "../core/result.hpp"

GPUPROF_NAMESPACE_BEGIN

// A value of JSON. Members keep the order of the file.
struct json_value {
    enum class type : unsigned char { null, boolean, number, text, list, object };

    type is = type::null;
    bool boolean = false;
    double number = 0;
    std::string text{};
    std::vector<json_value> items{};  // of a list, or the members' values
    std::vector<std::string> names{}; // of an object's members

    // The member of that name; null if there is none or this is no object.
    [[nodiscard]] json_value const* find(std::string_view name) const noexcept {
        for (std::size_t i = 0; i < names.size(); ++i)
            if (names[i] == name) return &items[i];
        return nullptr;
    }
    // The text of a member; empty if it is missing or no text.
    [[nodiscard]] std::string_view text_of(std::string_view name) const noexcept {
        json_value const* const found = find(name);
        return found != nullptr && found->is == type::text ? std::string_view{found->text} : std::string_view{};
    }
    [[nodiscard]] double number_of(std::string_view name, double otherwise) const noexcept {
        json_value const* const found = find(name);
        return found != nullptr && found->is == type::number ? found->number : otherwise;
    }
};

// Reads one JSON value and nothing after it, strictly (RFC 8259): no comments, no trailing commas,
// no repeated members, valid UTF-8, numbers that a double holds, at most 64 levels deep. Errors:
// invalid_argument with line and column. Time and memory are linear in the text; recursion ends at
// 64 levels.
[[nodiscard]] result<json_value> try_read_json(std::string_view text);

GPUPROF_NAMESPACE_END

#if GPUPROF_HEADER_ONLY
#include "json_value.inl.hpp"
#endif

#endif // GPUPROF_TEXT_JSON_VALUE_HPP
