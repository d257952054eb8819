// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parses the body of a PTX function: statements, instructions, operands.
#ifndef GPUPROF_SRC_SIM_PTX_BODY_HPP
#define GPUPROF_SRC_SIM_PTX_BODY_HPP

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "cursor.hpp"
#include "declaration.hpp"
#include "module.hpp"
#include "scope.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::ptx {

// Fills one function. The outermost scope of `names` holds the module's names. A statement that is
// wrong faults the function and is passed over up to its semicolon; what is malformed goes before
// what is not supported.
class body_parser {
public:
    body_parser(cursor& in, scope_stack& names, function& result) noexcept
        : in_{in}, names_{names}, function_{result} {}

    // From '{' to its '}'. False: the text ended before.
    bool parse();

    // `.reg .b32 %r<4>, x;` without the semicolon.
    bool registers();

    // `.local .align 4 .b8 x[16], y` without the semicolon; the state space was read.
    bool variables(space where);

private:
    static constexpr std::size_t max_depth = 1000;

    static std::string twice(std::string_view name);
    bool redeclared(token const& name) { return in_.fail(name.at, twice(name.text)); }

    void open_scope() { names_.open(function_.scope_parents); }

    void recover();

    bool statement();

    bool directive();

    // .loc file line column[, function_name label[+offset], inlined_at file line column]: the call
    // chain is not kept.
    bool location();

    bool guarded_instruction();

    // A label, with its .branchtargets, .calltargets or .callprototype if one follows.
    bool place_label(token const& name);

    bool sequence(operand& out, char close, int depth);

    bool signed_offset(std::int64_t& out);

    bool address(operand& out, int depth);

    bool parse_operand(operand& out, int depth);

    bool literal(operand& out);

    bool name(operand& out);

    cursor& in_;
    bool selects_ = false; // registers of a video instruction may have selectors: %r1.b0
    scope_stack& names_;
    function& function_;
    source_line source_;
    std::set<std::pair<std::uint32_t, std::string_view>> labels_; // by scope
};

} // namespace sim::ptx
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_PTX_BODY_HPP
