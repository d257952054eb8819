// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definitions of code_text.hpp.
#ifndef GPUPROF_HW_SAMPLERS_CODE_TEXT_INL_HPP
#define GPUPROF_HW_SAMPLERS_CODE_TEXT_INL_HPP

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <optional>
#include <system_error>
#include <utility>

#include "../machine/toolkit_program.hpp"
#include "code_text.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace detail {

[[nodiscard]] inline std::string_view trimmed(std::string_view text) noexcept {
    std::size_t const begin = text.find_first_not_of(" \t\r");
    if (begin == text.npos) return {};
    return text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
}

// Reads from the front of a text.
struct text_front {
    std::string_view rest;

    void blanks() noexcept {
        std::size_t const begin = rest.find_first_not_of(" \t");
        rest = begin == rest.npos ? std::string_view{} : rest.substr(begin);
    }
    bool take(std::string_view word) noexcept {
        blanks();
        if (!rest.starts_with(word)) return false;
        rest.remove_prefix(word.size());
        return true;
    }
    template <class Number>
    bool number(Number& value, int base = 10) noexcept {
        blanks();
        auto const [end, status] = std::from_chars(rest.data(), rest.data() + rest.size(), value, base);
        if (status != std::errc{}) return false;
        rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
        return true;
    }
    // What stands between quotes; a backslash has no meaning.
    bool quoted(std::string& text) {
        blanks();
        if (rest.empty() || rest.front() != '"') return false;
        std::size_t const end = rest.find('"', 1);
        if (end == rest.npos) return false;
        text = rest.substr(1, end - 1);
        rest.remove_prefix(end + 1);
        return true;
    }
};

template <class F>
void for_each_line(std::string_view text, F f) {
    while (!text.empty()) {
        std::size_t const end = text.find('\n');
        f(text.substr(0, end));
        text.remove_prefix(end == text.npos ? text.size() : end + 1);
    }
}

// `"/a.cu", line 8`.
[[nodiscard]] inline bool read_location(text_front& in, source_location& to) {
    return in.quoted(to.file) && in.take(",") && in.take("line") && in.number(to.line);
}

} // namespace detail

GPUPROF_INLINE code_text parse_disassembly(std::string_view listing) {
    code_text all;
    std::string section, function; // of the same place: a section may have more functions than its kernel
    constexpr std::uint64_t unknown = ~std::uint64_t{0};
    std::uint64_t begin = unknown; // of the function, in its section
    std::vector<source_location> calls;
    bool open = false; // the last line named a call
    detail::for_each_line(listing, [&](std::string_view line) {
        detail::text_front in{line};
        if (in.take(".section")) {
            section.clear();
            function.clear();
            calls.clear();
            open = false;
            if (in.take(".text.")) section = in.rest.substr(0, in.rest.find_first_of(", \t\r"));
            return;
        }
        if (section.empty()) return;
        if (in.take("//## File")) {
            source_location at;
            if (!detail::read_location(in, at)) return;
            if (open) calls.back() = std::move(at); // as the line before said it, too
            else calls.clear();
            open = in.take("inlined at");
            if (open) {
                calls.emplace_back();
                if (!detail::read_location(in, calls.back())) calls.pop_back(), open = false;
            }
            return;
        }
        open = false;
        if (in.take("/*")) {
            std::uint64_t offset = 0;
            if (!in.number(offset, 16) || !in.take("*/")) return;
            if (begin == unknown) begin = offset;
            std::string_view text = in.rest.substr(0, in.rest.find(';'));
            instruction_text made{std::string{detail::trimmed(text)}, calls};
            if (made.text.empty()) return;
            if (!function.empty() && function != section) all[function][offset - begin] = made;
            all[section][offset] = std::move(made);
            return;
        }
        std::string_view const label = detail::trimmed(line);
        if (!label.ends_with(':') || label.starts_with('.') || line.front() == ' ' || line.front() == '\t') return;
        function = label.substr(0, label.size() - 1);
        begin = unknown;
        calls.clear();
    });
    return all;
}

GPUPROF_INLINE result<code_text> try_disassemble(std::string_view cubin) {
    std::string const path = hw::new_toolkit_file(".cubin");
    if (!platform::write_file(path, cubin, platform::file_readers::this_user))
        return error{errc::io, 0, detail::joined({"writing ", path}), "the file cannot be written",
                     "name a directory with room in TMPDIR"};
    constexpr unsigned most_seconds = 20;
    auto const listing = hw::output_of_toolkit_program("nvdisasm", {"-c", "-gi", path}, most_seconds);
    static_cast<void>(platform::remove_file(path));
    if (!listing)
        return error{errc::unavailable, 0, "the text of SASS instructions", "nvdisasm was not found, or it failed",
                     "put the bin of a CUDA toolkit into PATH, or name the toolkit in CUDA_HOME"};
    return parse_disassembly(*listing);
}

GPUPROF_INLINE ptx_text::ptx_text(std::string_view ptx) : text_{ptx} {
    place now{}, caller{};
    std::size_t at = 0;
    detail::for_each_line(ptx, [&](std::string_view line) {
        std::string_view const statement = detail::trimmed(line);
        detail::text_front in{statement};
        std::uint32_t number = 0;
        std::string file;
        if (in.take(".file") && in.number(number) && in.quoted(file)) files_[number] = std::move(file);
        in = {statement};
        auto const read = [&](place& to) {
            return in.number(std::get<0>(to)) && in.number(std::get<1>(to)) && in.number(std::get<2>(to));
        };
        std::size_t begin = 0, end = 0; // of the .loc, in `statement`
        place to{};
        if (in.take(".loc") && read(to)) {
            now = to;
            caller = {};
            end = statement.size() - in.rest.size();
            while (in.take(",")) {
                if (in.take("function_name")) {
                    in.blanks();
                    in.rest.remove_prefix(std::min(in.rest.find_first_of(", \t"), in.rest.size()));
                } else if (in.take("inlined_at") && read(caller)) {
                    calls_.insert_or_assign(now, caller);
                } else {
                    break;
                }
                end = statement.size() - in.rest.size();
            }
            std::size_t const from = at + static_cast<std::size_t>(statement.data() - line.data());
            for (; begin < end; ++begin) text_[from + begin] = ' ';
        }
        lines_.emplace_back(detail::trimmed(statement.substr(end)));
        places_.emplace_back(now, caller);
        at += line.size() + 1;
    });
}

GPUPROF_INLINE instruction_text ptx_text::at(std::uint32_t line) const {
    if (line == 0 || line > lines_.size()) return {};
    instruction_text made{lines_[line - 1], {}};
    if (made.text.ends_with(';')) made.text.pop_back();
    place call = places_[line - 1].second;
    for (int depth = 0; std::get<1>(call) != 0 && depth < 64; ++depth) { // PTX may say that a call is its own caller
        auto const file = files_.find(std::get<0>(call));
        made.inlined_at.push_back({"", file == files_.end() ? std::string{} : file->second, std::get<1>(call)});
        auto const next = calls_.find(call);
        call = next == calls_.end() ? place{} : next->second;
    }
    return made;
}

GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_SAMPLERS_CODE_TEXT_INL_HPP
