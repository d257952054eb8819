// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Counts of instructions by opcode: what a kernel's mix of instructions is.
#ifndef GPUPROF_HW_SAMPLERS_OPCODE_COUNTS_HPP
#define GPUPROF_HW_SAMPLERS_OPCODE_COUNTS_HPP

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "../../detail/config.hpp"
#include "code_text.hpp"
#include "sass_counts.hpp"

GPUPROF_NAMESPACE_BEGIN

// Which part of an instruction's text is its opcode: "LDG" or "LDG.E.64".
enum class opcode_form : unsigned char { basic, with_modifiers };

// The opcode of an instruction, without its predicate: of "@!P0 LDG.E.64 R2, [R4]" it is "LDG", or "LDG.E.64". Also of PTX, which
// is the code of the embedded GPU: of "ld.global.u32 %r1, [%rd1];" it is "ld".
[[nodiscard]] constexpr std::string_view opcode_of(std::string_view text, opcode_form form) noexcept {
    auto const skip_spaces = [&] {
        while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
    };
    skip_spaces();
    if (text.starts_with('@')) {
        std::size_t const end = text.find(' ');
        text = end == text.npos ? std::string_view{} : text.substr(end);
        skip_spaces();
    }
    return text.substr(0, text.find_first_of(form == opcode_form::basic ? " \t;." : " \t;"));
}

// All executions of an opcode.
struct opcode_count {
    std::string opcode;                  // empty: of instructions whose text is not known
    std::size_t instructions = 0;        // of the code, that were executed
    std::vector<std::uint64_t> values{}; // in the order of sass_counts::metrics
};

// The counts by opcode, in the order of their names. The sums are Nsight Compute's opcode metrics (guide, 4): with
// smsp__sass_inst_executed they are sass__inst_executed_per_opcode, with smsp__sass_thread_inst_executed_pred_on
// sass__thread_inst_executed_true_per_opcode; with_modifiers is …_with_modifier_all. Pure.
// @param text of the code that was counted: see try_disassemble
[[nodiscard]] inline std::vector<opcode_count> opcodes_of(sass_counts const& counts, code_text const& text,
                                                          opcode_form form = opcode_form::basic) {
    std::map<std::string, opcode_count, std::less<>> by_name;
    for (sass_record const& each : counts.records) {
        std::string_view opcode;
        if (auto const function = text.find(each.function); function != text.end())
            if (auto const at = function->second.find(each.pc_offset); at != function->second.end())
                opcode = opcode_of(at->second.text, form);
        auto place = by_name.find(opcode);
        if (place == by_name.end()) {
            place = by_name.emplace(std::string{opcode}, opcode_count{}).first;
            place->second.opcode = place->first;
        }
        opcode_count& sum = place->second;
        ++sum.instructions;
        sum.values.resize(counts.metrics.size());
        for (std::size_t i = 0; i < sum.values.size() && i < each.values.size(); ++i) sum.values[i] += each.values[i];
    }
    std::vector<opcode_count> list;
    for (auto& [name, sum] : by_name) list.push_back(static_cast<opcode_count&&>(sum));
    return list;
}

GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_SAMPLERS_OPCODE_COUNTS_HPP
