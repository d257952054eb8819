// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cursor.hpp"

#include <optional>
#include <string>
#include <string_view>

GPUPROF_NAMESPACE_BEGIN
namespace sim::ptx {

error error_at(position at, std::string_view text, std::string_view remedy) {
    return {errc::invalid_argument,
            0,
            gpuprof::detail::joined(
                {"PTX line ", std::to_string(at.line), ", column ", std::to_string(at.column), ": ", text}),
            {},
            remedy};
}

error not_supported_at(position at, std::string_view text) {
    error why = error_at(at, text);
    why.code = errc::unavailable;
    return why;
}

token cursor::take() noexcept {
    token const t = current_;
    if (!at_end()) current_ = lexer_.next();
    return t;
}

bool cursor::accept(char c) noexcept {
    bool const found = at(c);
    if (found) take();
    return found;
}

bool cursor::accept_dotted(std::string_view text) noexcept {
    bool const found = at_dotted(text);
    if (found) take();
    return found;
}

bool cursor::expect(char c) { return accept(c) || unexpected(std::string{'\'', c, '\''}); }

bool cursor::expect(token_kind kind, std::string_view expected, token& out) {
    if (current_.kind != kind) return unexpected(std::string{expected});
    out = take();
    return true;
}

bool cursor::unexpected(std::string const& expected) {
    std::string const found = at_end() ? "the end of the text" : "'" + std::string{current_.text.substr(0, 60)} + "'";
    return fail(current_.at, "expected " + expected + ", found " + found);
}

bool cursor::fail(position where, std::string_view text) {
    if (!fault_) fault_ = error_at(where, text);
    return false;
}

bool cursor::not_supported(position where, std::string_view text) {
    if (!fault_) fault_ = not_supported_at(where, text);
    return false;
}

std::optional<error> cursor::take_fault() noexcept {
    std::optional<error> fault;
    fault.swap(fault_);
    return fault;
}

bool cursor::skip_block() {
    int depth = 0;
    do {
        if (at_end()) return unexpected("'}'");
        if (at('{')) ++depth;
        if (at('}')) --depth;
        take();
    } while (depth > 0);
    return true;
}

} // namespace sim::ptx
GPUPROF_NAMESPACE_END
