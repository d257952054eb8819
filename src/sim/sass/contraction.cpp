// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "contraction.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "../ptx/instruction_facts.hpp"
#include "../ptx/modifiers.hpp"
#include "compared_sum.hpp"
#include "expansion.hpp"
#include "operand_registers.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

static bool may_be_contracted(ptx::instruction const& i) noexcept {
    ptx::type const t = type_of(i);
    if (t != ptx::type::f32 && t != ptx::type::f64 && t != ptx::type::f16 && t != ptx::type::f16x2) return false;
    for (std::string_view const m : i.modifiers)
        if (m == "rn" || m == "rz" || m == "rm" || m == "rp") return false;
    return i.operands.size() == 3 && i.operands[0].kind == ptx::operand_kind::reg;
}

static bool is_product(ptx::instruction const& i) noexcept {
    return i.opcode == "mul" && i.guard == ptx::instruction::no_guard && !has(i, "sat") && may_be_contracted(i);
}

static bool is_sum(ptx::instruction const& i) noexcept {
    return (i.opcode == "add" || i.opcode == "sub") && may_be_contracted(i);
}

static bool is_parameter(ptx::function const& of, ptx::instruction const& i) noexcept {
    if (i.opcode != "ld" || i.guard != ptx::instruction::no_guard || i.operands.size() != 2) return false;
    auto const& from = i.operands[1].elements;
    return from.size() == 1 && from.front().kind == ptx::operand_kind::function_variable &&
           of.is_kernel_parameter(from.front().index);
}

contraction::contraction(ptx::function const& of) {
    auto const& text = of.instructions;
    if (std::any_of(text.begin(), text.end(), is_product) && std::any_of(text.begin(), text.end(), is_sum))
        contract(of, def_use{of});
}

void contraction::contract(ptx::function const& of, def_use const& flow) {
    auto const& text = of.instructions;
    sums_.resize(text.size());
    taken_.resize(text.size());
    // How often the text reads a register. A product in a register that others write, too, or that is read before it in the text,
    // may go into the next round of a loop.
    std::vector<std::size_t> reads(of.registers.size());
    for (ptx::instruction const& i : text)
        for (ptx::operand const& o : i.operands)
            if (&o != ptx::result_of(i) || ptx::reads_result(i))
                for_each_register(o, [&](std::uint32_t r) { ++reads[r]; });
    auto const has_all_readers = [&](std::uint32_t product) {
        std::uint32_t const r = text[product].operands[0].index;
        return !flow.is_written_again(r) && reads[r] == flow.readers(product).size();
    };
    // Whether the factors are still there at the sum.
    auto const keeps_factors = [&](std::uint32_t product, std::uint32_t sum) {
        bool kept = true;
        for (std::uint32_t i = product; i < sum; ++i)
            if (ptx::operand const* const result = ptx::result_of(text[i]))
                for_each_register(*result, [&](std::uint32_t r) {
                    for (std::size_t factor = 1; factor < 3; ++factor) {
                        ptx::operand const& f = text[product].operands[factor];
                        kept &= f.kind != ptx::operand_kind::reg || f.index != r;
                    }
                });
        return kept;
    };
    // Whether a product can be made again elsewhere: of a register that stays, and of a constant or a parameter.
    auto const is_made_anywhere = [&](std::uint32_t product) {
        bool stays = true, has_constant = false;
        for (std::size_t factor = 1; factor < 3; ++factor) {
            ptx::operand const& f = text[product].operands[factor];
            has_constant |= flow.number(product, f).has_value();
            if (f.kind != ptx::operand_kind::reg) continue;
            stays &= !flow.is_written_again(f.index);
            std::uint32_t const writer = flow.writer_of(product, f.index);
            has_constant |= writer != def_use::nobody && is_parameter(of, text[writer]);
        }
        return stays && has_constant;
    };
    auto const fits = [&](std::uint32_t product, std::uint32_t sum) {
        bool const are_alike = is_sum(text[sum]) && type_of(text[product]) == type_of(text[sum]) &&
                               has(text[product], "ftz") == has(text[sum], "ftz");
        if (!are_alike) return false;
        if (flow.block(product) == flow.block(sum)) return keeps_factors(product, sum);
        return is_made_anywhere(product);
    };
    // The product that is this part of the sum; nobody: it is something else.
    auto const product_in = [&](std::uint32_t sum, std::size_t part) {
        ptx::operand const& o = text[sum].operands[part];
        if (o.kind != ptx::operand_kind::reg) return def_use::nobody;
        std::uint32_t const writer = flow.writer_of(sum, o.index);
        return writer != def_use::nobody && is_product(text[writer]) && has_all_readers(writer) ? writer
                                                                                                : def_use::nobody;
    };
    auto const take = [&](std::uint32_t product, std::uint32_t sum) {
        sums_[sum] = {&text[product], product_in(sum, 1) != product};
        taken_[product] = true;
    };
    for (std::uint32_t sum = 0; sum < text.size(); ++sum) {
        if (!is_sum(text[sum])) continue;
        for (std::size_t part = 1; part < 3 && sums_[sum].product == nullptr; ++part) {
            std::uint32_t const product = product_in(sum, part);
            if (product != def_use::nobody && flow.readers(product).size() == 1 && fits(product, sum))
                take(product, sum);
        }
    }
    std::vector<std::uint32_t> const parts = undivided_parts(of, flow);
    for (std::uint32_t product = 0; product < text.size(); ++product) {
        auto const& readers = flow.readers(product);
        if (taken_[product] || readers.empty() || !is_product(text[product]) || !has_all_readers(product)) continue;
        bool all = true;
        for (std::uint32_t const sum : readers)
            all &= fits(product, sum) && sums_[sum].product == nullptr && !is_merely_compared(of, flow, parts, sum) &&
                   (product_in(sum, 1) == product) != (product_in(sum, 2) == product);
        if (!all) continue;
        for (std::uint32_t const sum : readers) take(product, sum);
    }
}

} // namespace sim
GPUPROF_NAMESPACE_END
