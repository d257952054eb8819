// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "control.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "operands.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::decode {

// The label of that name that an instruction of scope `scope` means: the innermost. Null when there
// is none.
static ptx::label const* find_label(function_builder const& function, std::string_view name, std::uint32_t scope) {
    for (;; scope = function.from.scope_parents[scope]) {
        auto const found = function.labels.find({scope, name});
        if (found != function.labels.end()) return found->second;
        if (scope == 0 || function.from.scope_parents.empty()) return nullptr;
    }
}

// Targets are indices of PTX instructions until the whole function is decoded; decode_function()
// translates them.
bool bra(instruction_decoder& in) {
    in.op.action = action::branch;
    in.take("uni");
    if (!in.expect_operands(1, 1)) return false;
    auto const* const l = find_label(in.builder, in.operand(0).text, in.from.scope);
    if (l == nullptr) return in.malformed(in.operand(0).at, "no label '" + std::string{in.operand(0).text} + "'");
    in.op.target = l->instruction;
    return in.finish();
}

bool brx(instruction_decoder& in) {
    in.op.action = action::branch_indexed;
    in.take("uni");
    if (!in.take("idx") || !in.expect_operands(2, 2)) return in.unsupported();
    auto const* const list = find_label(in.builder, in.operand(1).text, in.from.scope);
    if (list == nullptr || list->targets.empty())
        return in.malformed(in.operand(1).at, "expected a .branchtargets label");
    std::vector<std::uint32_t> table;
    for (auto const name : list->targets) {
        auto const* const l = find_label(in.builder, name, in.from.scope);
        if (l == nullptr) return in.malformed(in.operand(1).at, "no label '" + std::string{name} + "'");
        table.push_back(l->instruction);
    }
    bind(in, 0, {place::a, type::u32});
    in.op.target = static_cast<std::uint32_t>(in.builder.code.branch_tables.size());
    in.builder.code.branch_tables.push_back(std::move(table));
    return in.finish();
}

static system_call system_call_named(std::string_view name) noexcept {
    if (name == "vprintf") return system_call::print;
    if (name == "__assertfail") return system_call::fail_assertion;
    if (name == "malloc") return system_call::allocate;
    if (name == "free") return system_call::release;
    if (name == "cudaGraphSetConditional") return system_call::set_condition;
    return runtime_call_named(name) == runtime_call::none ? system_call::none : system_call::device_runtime;
}

static call_value call_argument(instruction_decoder& in, ptx::operand const& o, bool is_result, std::uint32_t bytes) {
    if (o.kind == ptx::operand_kind::function_variable) {
        auto const& v = in.builder.from.variables[o.index];
        if (v.space != ptx::space::param || in.builder.from.is_kernel_parameter(o.index))
            in.malformed(o.at, "an argument is a register, a constant or a .param variable");
        return {true,
                static_cast<std::uint32_t>(in.builder.variable_offset(o.index)),
                static_cast<std::uint32_t>(v.bytes),
                {}};
    }
    if (o.kind == ptx::operand_kind::reg) {
        auto const t = in.register_type(o);
        auto const way = is_result ? transfer::write : transfer::read;
        return {false, 0, ptx::size_of(t), make_slot(in, o, t, way, width::exact).ref};
    }
    if (is_result && o.kind == ptx::operand_kind::sink) return {false, 0, bytes, in.builder.scratch(bytes)};
    type const as = bytes == 8 ? type::b64 : bytes == 4 ? type::b32 : type::b16;
    return {false, 0, ptx::size_of(as), make_slot(in, o, as, transfer::read, width::exact).ref};
}

// call (result), function, (arguments), prototype; all but the function may be missing.
bool call(instruction_decoder& in) {
    using kind = ptx::operand_kind;
    in.op.action = action::call;
    in.take("uni");
    std::size_t next = 0;
    std::vector<ptx::operand> const none;
    bool const has_results = in.operand(0).kind == kind::list;
    auto const& results = has_results ? in.operand(next++).elements : none;
    auto const& target = in.operand(next++);
    bool const has_arguments = next < in.operand_count() && in.operand(next).kind == kind::list;
    auto const& arguments = has_arguments ? in.operand(next).elements : none;

    call_site site;
    ptx::function const* callee = nullptr;
    if (target.kind == kind::reg) {
        site.indirect = true;
        bind(in, target, {place::a, type::u64});
    } else {
        auto const found = in.builder.link.functions.find(target.text);
        if (target.kind != kind::name || found == in.builder.link.functions.end())
            return in.malformed(target.at, "'" + std::string{target.text} + "' is not declared");
        callee = &in.builder.link.source.functions[found->second];
        if (!callee->has_body) {
            site.system = system_call_named(target.text);
            site.runtime = runtime_call_named(target.text);
            in.builder.code.uses_heap |= site.system == system_call::allocate || site.system == system_call::release ||
                                         site.runtime == runtime_call::allocate ||
                                         site.runtime == runtime_call::release;
            in.builder.code.uses_device_runtime |= site.system == system_call::device_runtime;
            if (is_unsupported_runtime_call(target.text))
                return in.fail(target.at, "'" + std::string{target.text} +
                                              "' in a kernel: kernels may launch kernels here, and neither wait for "
                                              "them, nor change graphs, nor copy in three dimensions");
            if (site.system == system_call::none)
                return in.fail(target.at, "'" + std::string{target.text} + "' has no body in this module");
        } else if (callee->is_entry) {
            return in.malformed(target.at, "'" + std::string{target.text} + "' is a kernel, which cannot be called");
        } else {
            site.callee = found->second;
        }
        if (arguments.size() != callee->inputs.size() + callee->register_inputs.size() ||
            results.size() > callee->outputs.size() + callee->register_outputs.size())
            return in.malformed(target.at, "the call does not fit the function's parameters");
    }
    auto const bytes_of = [&](bool result, std::size_t i) -> std::uint32_t {
        if (callee == nullptr) return 4;
        auto const& memory = result ? callee->outputs : callee->inputs;
        if (i < memory.size()) return static_cast<std::uint32_t>(callee->variables[memory[i]].bytes);
        auto const& registers = result ? callee->register_outputs : callee->register_inputs;
        return i < registers.size() ? ptx::size_of(callee->registers[registers[i]].type) : 4;
    };
    for (std::size_t i = 0; i < arguments.size(); ++i)
        site.inputs.push_back(call_argument(in, arguments[i], false, bytes_of(false, i)));
    for (std::size_t i = 0; i < results.size(); ++i)
        site.outputs.push_back(call_argument(in, results[i], true, bytes_of(true, i)));
    in.op.target = static_cast<std::uint32_t>(in.builder.code.calls.size());
    in.builder.code.calls.push_back(std::move(site));
    return in.finish();
}

template <action Action>
static bool simple(instruction_decoder& in) {
    in.take("uni");
    in.op.action = Action;
    return in.finish();
}

bool ret(instruction_decoder& in) {
    if (in.builder.from.is_entry) return simple<action::exit>(in);
    return simple<action::ret>(in);
}

// Timing and power hints: nothing to do, but they are instructions.
bool nothing(instruction_decoder& in) {
    while (in.has_modifiers()) in.take(in.next_modifier());
    in.op.action = action::nothing;
    return in.finish();
}

// pmevent a: trigger number a; pmevent.mask a: the triggers that are bits of a.
bool pmevent(instruction_decoder& in) {
    bool const mask = in.take("mask");
    in.op.action = action::nothing;
    if (in.operand_count() != 1 || in.operand(0).kind != ptx::operand_kind::integer) return in.unsupported();
    auto const a = static_cast<std::uint64_t>(in.operand(0).bits);
    if (a > (mask ? 0xffffu : 15u)) return in.unsupported();
    in.op.immediate = mask ? static_cast<std::uint32_t>(a) : std::uint32_t{1} << a;
    return in.finish();
}

bool exit_thread(instruction_decoder& in) { return simple<action::exit>(in); }

bool trap(instruction_decoder& in) { return simple<action::trap>(in); }

} // namespace sim::decode
GPUPROF_NAMESPACE_END
