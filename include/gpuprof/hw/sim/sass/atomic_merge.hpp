// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which atomic operations ptxas has a warp do once, for all of its threads. Layer: embedded GPU, counters.
#ifndef GPUPROF_HW_SIM_SASS_ATOMIC_MERGE_HPP
#define GPUPROF_HW_SIM_SASS_ATOMIC_MERGE_HPP

#include <cstddef>     // std::size_t
#include <cstdint>     // instructions
#include <string_view> // special registers

#include "def_use.hpp"
#include "../ptx/instruction_facts.hpp"
#include "../ptx/module.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// A view of a function and its flow: valid while those live. Instructions go by their number in the function.
class atomic_merge {
public:
    atomic_merge(ptx::function const& of, def_use const& flow) noexcept : of_{of}, flow_{flow} {}

    // Whether nobody reads the result, and the machine has the operation without one.
    [[nodiscard]] bool is_reduction(std::uint32_t i) const noexcept {
        ptx::instruction const& atomic = of_.instructions[i];
        if (atomic.operands.empty() || has(atomic, "exch") || has(atomic, "cas")) return false;
        ptx::operand const& to = atomic.operands.front();
        return to.kind != ptx::operand_kind::reg || !flow_.is_read(to.index);
    }
    // Of a reduction: whether lanes at one address are added up first, and one of them asks for all. In global memory,
    // where the text shows that there is one address only; in shared memory, when a counter is incremented.
    [[nodiscard]] bool merges_lanes(std::uint32_t i) const {
        ptx::instruction const& atomic = of_.instructions[i];
        return has(atomic, "global") ? combines_lanes(atomic) && is_uniform_address(i) : increments(atomic);
    }

private:
    static bool increments(ptx::instruction const& i) noexcept {
        return i.operands.size() == 3 && has(i, "add") && i.operands[2].kind == ptx::operand_kind::integer &&
               i.operands[2].bits == 1 && is_integer(i) && !is_wide(i);
    }
    // An operation that the machine has for a whole warp (REDUX), or that a count of lanes gives.
    static bool combines_lanes(ptx::instruction const& i) noexcept {
        if (!is_integer(i)) return false;
        bool const adds = has(i, "add");
        if (is_wide(i)) return adds && i.operands.back().kind == ptx::operand_kind::integer;
        return adds || has(i, "min") || has(i, "max") || has(i, "and") || has(i, "or") || has(i, "xor");
    }
    [[nodiscard]] bool is_uniform_address(std::uint32_t i) const {
        auto const& atomic = of_.instructions[i];
        std::size_t const at = ptx::result_of(atomic) == nullptr ? 0 : 1;
        if (atomic.operands.size() <= at) return false;
        auto const& address = atomic.operands[at];
        if (address.elements.empty() || address.elements.front().kind != ptx::operand_kind::reg) return true;
        std::uint32_t const writer = flow_.writer_of(i, address.elements.front().index);
        return writer != def_use::nobody && is_uniform(writer);
    }
    // Whether a result is the same in every thread of a block: parameters, variables and the block's place, and what is
    // computed of them alone.
    [[nodiscard]] bool is_uniform(std::uint32_t i, unsigned depth = 0) const {
        ptx::instruction const& made = of_.instructions[i];
        if (flow_.is_confused(i) || depth == 8) return false;
        if (made.opcode == "ld") return of_.is_entry && has(made, "param");
        if (made.opcode == "mov") {
            ptx::operand const& from = made.operands.back();
            return from.kind == ptx::operand_kind::module_variable ||
                   (from.kind == ptx::operand_kind::special && is_of_block(from.text));
        }
        if (made.opcode != "cvta" && made.opcode != "add" && made.opcode != "mul" && made.opcode != "mad" &&
            made.opcode != "shl")
            return false;
        for (std::uint32_t const writer : flow_.writers(i))
            if (!is_uniform(writer, depth + 1)) return false;
        return !flow_.writers(i).empty();
    }

    static bool is_of_block(std::string_view special) noexcept {
        return special.starts_with("ctaid") || special.starts_with("nctaid") || special.starts_with("ntid");
    }

    ptx::function const& of_;
    def_use const& flow_;
};

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_SIM_SASS_ATOMIC_MERGE_HPP
