// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A parser's place in PTX text: one token ahead, and the first error. Layer: embedded GPU, front end.
#ifndef GPUPROF_HW_SIM_PTX_CURSOR_HPP
#define GPUPROF_HW_SIM_PTX_CURSOR_HPP

#include <optional>    // the first error
#include <string>      // its text
#include <string_view> // tokens

#include "../../../core/error.hpp"
#include "lexer.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::ptx {

// "line 3, column 7: expected ';', found '}'" as an error.
[[nodiscard]] GPUPROF_COLD inline error error_at(position at, std::string_view text, std::string_view remedy = {}) {
    return {errc::invalid_argument,
            0,
            gpuprof::detail::joined(
                {"PTX line ", std::to_string(at.line), ", column ", std::to_string(at.column), ": ", text}),
            {},
            remedy};
}

// The same about what is PTX, but not what the embedded GPU has: the module is loaded, and what uses it cannot run.
[[nodiscard]] GPUPROF_COLD inline error not_supported_at(position at, std::string_view text) {
    error why = error_at(at, text);
    why.code = errc::unavailable;
    return why;
}

// Functions that can fail return false and leave the first error here; parsing goes on only where somebody calls
// take_fault(). Every loop over tokens must stop at failed() or at_end().
class cursor {
public:
    explicit cursor(std::string_view text) noexcept : lexer_{text}, current_{lexer_.next()} {}

    [[nodiscard]] token const& peek() const noexcept { return current_; }
    [[nodiscard]] bool at_end() const noexcept { return current_.kind == token_kind::end; }
    [[nodiscard]] bool failed() const noexcept { return fault_.has_value(); }
    [[nodiscard]] bool at(char c) const noexcept { return current_.is(c); }
    [[nodiscard]] bool at_dotted(std::string_view text) const noexcept {
        return current_.kind == token_kind::dotted && current_.text == text;
    }

    token take() noexcept {
        token const t = current_;
        if (!at_end()) current_ = lexer_.next();
        return t;
    }
    bool accept(char c) noexcept {
        bool const found = at(c);
        if (found) take();
        return found;
    }
    bool accept_dotted(std::string_view text) noexcept {
        bool const found = at_dotted(text);
        if (found) take();
        return found;
    }
    bool expect(char c) { return accept(c) || unexpected(std::string{'\'', c, '\''}); }

    // The next token's text if it is of that kind, else an error that says what was expected.
    bool expect(token_kind kind, std::string_view what, token& out) {
        if (current_.kind != kind) return unexpected(std::string{what});
        out = take();
        return true;
    }

    GPUPROF_COLD bool unexpected(std::string const& expected) {
        std::string found = at_end() ? "the end of the text" : "'" + std::string{current_.text.substr(0, 60)} + "'";
        return fail(current_.at, "expected " + expected + ", found " + found);
    }
    GPUPROF_COLD bool fail(position where, std::string_view text) {
        if (!fault_) fault_ = error_at(where, text);
        return false;
    }
    GPUPROF_COLD bool not_supported(position where, std::string_view text) {
        if (!fault_) fault_ = not_supported_at(where, text);
        return false;
    }
    [[nodiscard]] std::optional<error> take_fault() noexcept {
        std::optional<error> fault;
        fault.swap(fault_);
        return fault;
    }

    // Passes over a balanced { … }; the next token is the opening one.
    bool skip_block() {
        int depth = 0;
        do {
            if (at_end()) return unexpected("'}'");
            if (at('{')) ++depth;
            if (at('}')) --depth;
            take();
        } while (depth > 0);
        return true;
    }

private:
    lexer lexer_;
    token current_;
    std::optional<error> fault_;
};

} // namespace sim::ptx
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_SIM_PTX_CURSOR_HPP
