// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The place of a parser in PTX text: the next token and the first error.
#ifndef GPUPROF_SRC_SIM_PTX_CURSOR_HPP
#define GPUPROF_SRC_SIM_PTX_CURSOR_HPP

#include <optional>
#include <string>
#include <string_view>

#include <gpuprof/core/error.hpp>

#include "lexer.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::ptx {

// "line 3, column 7: expected ';', found '}'" as an error.
[[nodiscard]] GPUPROF_COLD error error_at(position at, std::string_view text, std::string_view remedy = {});

// The same for PTX that the embedded GPU does not support: the module is loaded, kernels that use
// it cannot run.
[[nodiscard]] GPUPROF_COLD error not_supported_at(position at, std::string_view text);

// Functions that can fail return false and leave the first error here; parsing goes on only after a
// call of take_fault(). Every loop over tokens must stop at failed() or at_end().
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

    token take() noexcept;
    bool accept(char c) noexcept;
    bool accept_dotted(std::string_view text) noexcept;
    bool expect(char c); // accept(), or an error

    // The next token's text if it is of that kind, else an error that says what was expected.
    bool expect(token_kind kind, std::string_view expected, token& out);

    GPUPROF_COLD bool unexpected(std::string const& expected);
    GPUPROF_COLD bool fail(position where, std::string_view text);
    GPUPROF_COLD bool not_supported(position where, std::string_view text);
    [[nodiscard]] std::optional<error> take_fault() noexcept;

    // Passes over a balanced { … }; the next token is the opening one.
    bool skip_block();

private:
    lexer lexer_;
    token current_;
    std::optional<error> fault_;
};

} // namespace sim::ptx
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_PTX_CURSOR_HPP
