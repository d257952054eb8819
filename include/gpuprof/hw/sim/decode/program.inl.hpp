// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definitions of program.hpp. Layer: embedded GPU.
#ifndef GPUPROF_HW_SIM_DECODE_PROGRAM_INL_HPP
#define GPUPROF_HW_SIM_DECODE_PROGRAM_INL_HPP

#include <algorithm>   // std::find_if
#include <cstdint>     // addresses
#include <cstring>     // initialisers as bytes
#include <memory>      // the parsed text is shared
#include <string>      // texts of errors
#include <string_view> // names
#include <utility>     // std::move

#include "../ptx/parse.hpp"
#include "decode.hpp"
#include "program.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

GPUPROF_INLINE result<program> program::load(std::string_view text, device_memory& memory) {
    auto parsed = ptx::parse(text);
    if (!parsed) return std::move(parsed).error();
    program m{memory};
    m.source_ = std::make_shared<ptx::parsed_module const>(*std::move(parsed));
    if (auto placed = m.place_variables(); !placed) return std::move(placed).error();
    if (auto filled = m.initialize(); !filled) return std::move(filled).error();
    for (std::uint32_t i = 0; i < m.source_->functions.size(); ++i)
        if (m.source_->functions[i].is_entry && m.source_->functions[i].has_body) m.kernels_.push_back(m.link(i));
    return result<program>{std::move(m)};
}

GPUPROF_INLINE result<void> program::place_variables() {
    for (std::uint32_t i = 0; i < source_->functions.size(); ++i) functions_[source_->functions[i].name] = i;
    for (auto const& v : source_->variables) {
        addresses_.push_back(0);
        if (v.space == ptx::space::shared) continue;
        if (v.bytes == 0) return ptx::error_at(v.at, "'" + std::string{v.name} + "' has no size in this module");
        auto const where =
            v.space == ptx::space::constant ? device_memory::area::constant : device_memory::area::global;
        auto const at = memory_->allocate(v.bytes, v.alignment, where);
        if (!at) return at.error();
        addresses_.back() = *at;
        variables_.push_back({v.name, *at, v.bytes});
    }
    return {};
}

GPUPROF_INLINE result<void> program::initialize() {
    for (std::size_t i = 0; i < source_->variables.size(); ++i) {
        auto const& v = source_->variables[i];
        if (v.values.empty() || v.space == ptx::space::shared) continue;
        std::byte* to = memory_->translate(addresses_[i], v.bytes);
        unsigned const bytes = ptx::size_of(v.type);
        for (auto const& word : v.values) {
            std::uint64_t value = word.value;
            if (!word.name.empty()) {
                auto const address = address_of(word.name);
                if (address == 0) return ptx::error_at(v.at, "'" + std::string{word.name} + "' is not declared");
                value = (value + address) >> word.shift;
            }
            std::memcpy(to, &value, bytes < 8 ? bytes : 8);
            to += bytes;
        }
    }
    return {};
}

GPUPROF_INLINE std::uint64_t program::address_of(std::string_view name) const {
    for (std::size_t i = 0; i < source_->variables.size(); ++i)
        if (source_->variables[i].name == name) return addresses_[i];
    auto const found = functions_.find(name);
    return found == functions_.end() ? 0 : address_map::code_base + std::uint64_t{found->second} * 16;
}

GPUPROF_INLINE void program::add_function(reach& r, std::string_view name) const {
    auto const found = functions_.find(name);
    if (found == functions_.end() || !source_->functions[found->second].has_body) return;
    if (std::find(r.functions.begin(), r.functions.end(), found->second) == r.functions.end())
        r.functions.push_back(found->second);
}

GPUPROF_INLINE void program::add_operand(reach& r, ptx::operand const& o) const {
    if (o.kind == ptx::operand_kind::name) add_function(r, o.text);
    if (o.kind == ptx::operand_kind::module_variable && source_->variables[o.index].space == ptx::space::shared) {
        auto const* const v = &source_->variables[o.index];
        if (std::find(r.shared.begin(), r.shared.end(), v) == r.shared.end()) r.shared.push_back(v);
    }
    for (auto const& e : o.elements) add_operand(r, e);
}

GPUPROF_INLINE program::reach program::explore(std::uint32_t entry) const {
    reach r;
    r.functions.push_back(entry);
    for (std::size_t next = 0; next < r.functions.size(); ++next) {
        auto const& f = source_->functions[r.functions[next]];
        for (auto const& v : f.variables)
            if (v.space == ptx::space::shared) r.shared.push_back(&v);
        for (auto const& op : f.instructions) {
            for (auto const& o : op.operands) add_operand(r, o);
            bool const through_register =
                op.opcode == "call" && std::any_of(op.operands.begin(), op.operands.end(),
                                                   [](auto const& o) { return o.kind == ptx::operand_kind::reg; });
            if (!through_register || r.indirect) continue;
            r.indirect = true; // then any function whose address a table holds may be called
            for (auto const& v : source_->variables)
                for (auto const& word : v.values)
                    if (!word.name.empty()) add_function(r, word.name);
        }
    }
    return r;
}

GPUPROF_INLINE std::unique_ptr<kernel> program::link(std::uint32_t entry) const {
    auto k = std::make_unique<kernel>();
    auto const& f = source_->functions[entry];
    k->name = f.name;
    k->bounds = f.bounds;
    k->source = source_;
    std::uint64_t offset = 0;
    for (auto const i : f.inputs) {
        auto const& v = f.variables[i];
        offset = (offset + v.alignment - 1) & ~(std::uint64_t{v.alignment} - 1);
        k->parameters.push_back({std::string{v.name}, v.type, static_cast<std::uint32_t>(offset),
                                 static_cast<std::uint32_t>(v.bytes), v.alignment});
        offset += v.bytes;
    }
    k->parameter_bytes = static_cast<std::uint32_t>(offset);
    constexpr std::uint64_t most_parameters = 32764; // bytes, since PTX 8.1
    if (offset > most_parameters) k->fault = ptx::error_at(f.at, "the kernel's parameters are too large");

    reach const r = explore(entry);
    link_context context{*source_, addresses_, functions_, {}, {}};
    place_shared(r, context, *k);
    for (auto const& v : source_->variables)
        if (v.space == ptx::space::constant) k->constant_bytes += static_cast<std::uint32_t>(v.bytes);
    for (auto const number : r.functions)
        context.reachable[number] = static_cast<std::uint32_t>(context.reachable.size());
    k->by_module_index.assign(source_->functions.size(), decoded::nowhere);
    for (auto const number : r.functions) {
        if (k->fault) break;
        auto code = decode_function(context, source_->functions[number]);
        if (!code) {
            k->fault = std::move(code).error();
            break;
        }
        code->module_index = number;
        k->by_module_index[number] = static_cast<std::uint32_t>(k->functions.size());
        k->local_bytes += code->local_bytes;
        k->register_count = std::max(k->register_count, code->register_count);
        k->functions.push_back(*std::move(code));
    }
    return k;
}

GPUPROF_INLINE void program::place_shared(reach const& r, link_context& context, kernel& k) {
    std::uint64_t used = 0;
    std::uint64_t dynamic_alignment = 16;
    for (auto const* v : r.shared) {
        if (v->bytes == 0) {
            dynamic_alignment = std::max<std::uint64_t>(dynamic_alignment, v->alignment);
            continue;
        }
        used = (used + v->alignment - 1) & ~(std::uint64_t{v->alignment} - 1);
        context.shared[v] = static_cast<std::uint32_t>(used);
        used += v->bytes;
    }
    std::uint64_t const dynamic = (used + dynamic_alignment - 1) & ~(dynamic_alignment - 1);
    bool any = false;
    for (auto const* v : r.shared)
        if (v->bytes == 0) context.shared[v] = static_cast<std::uint32_t>(dynamic), any = true;
    if (any) used = dynamic;
    constexpr std::uint64_t most = std::uint64_t{1} << 20;
    if (used > most) k.fault = ptx::error_at(r.shared.front()->at, "the kernel's shared memory is too large");
    k.static_shared_bytes = static_cast<std::uint32_t>(used > most ? 0 : used);
}

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_SIM_DECODE_PROGRAM_INL_HPP
