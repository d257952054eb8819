// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What ptxas puts around loads and stores of several words. Of a matrix tile (wmma) each lane finds its place and moves its words one by
// one. As ptxas 13.0 compiles such PTX for sm_90, of tiles of 16x16.
#include "estimate.hpp"

#include <algorithm>
#include <cstdint>

#include "../ptx/instruction_facts.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

static bool moves_tile(ptx::instruction const& i) noexcept {
    return i.opcode == "wmma" && (has(i, "load") || has(i, "store"));
}

std::uint16_t sass_estimator::cost_of_tile(std::uint32_t i) const {
    constexpr unsigned words = 4, address = 2, finds_lane = 4, turned = 4;
    ptx::instruction const& tile = from_->instructions[i];
    if (!moves_tile(tile)) return 0;
    auto const place_of = [](ptx::instruction const& of) -> ptx::operand const* {
        for (ptx::operand const& o : of.operands)
            if (o.kind == ptx::operand_kind::address) return &o;
        return nullptr;
    };
    auto const register_of = [](ptx::operand const& o) {
        ptx::operand const& base = o.kind == ptx::operand_kind::address ? o.elements.front() : o;
        return base.kind == ptx::operand_kind::reg ? base.index : def_use::nobody;
    };
    bool is_first = true, is_found = false; // where the same address and distance of rows was used before
    ptx::operand const* const own = place_of(tile);
    for (std::uint32_t before = 0; before < i && own != nullptr; ++before) {
        ptx::instruction const& other = from_->instructions[before];
        if (!moves_tile(other)) continue;
        is_first = false;
        ptx::operand const* const its = place_of(other);
        is_found |= flow_->block(before) == flow_->block(i) && its != nullptr && register_of(*own) != def_use::nobody &&
                    register_of(*own) == register_of(*its) && own->offset == its->offset &&
                    register_of(tile.operands.back()) == register_of(other.operands.back()) &&
                    tile.modifiers.back() == other.modifiers.back();
    }
    unsigned cost = is_first ? finds_lane : 0;
    if (has(tile, "shared")) return static_cast<std::uint16_t>(cost + (is_found ? 0 : address)); // LDSM
    bool const any_distance =
        tile.operands.back().kind == ptx::operand_kind::reg && !flow_->number(i, tile.operands.back());
    cost += words - 1;
    if (!is_found) cost += address + (any_distance ? 3 : 0);
    bool const is_turned = (has(tile, "a") && has(tile, "col")) || (has(tile, "b") && has(tile, "row"));
    return static_cast<std::uint16_t>(cost + (is_turned ? turned : 0)); // MOVM
}

std::uint16_t sass_estimator::moved_words(ptx::instruction const& store) const {
    if (store.facts->profile.kind != instruction_kind::store || ptx::size_of(type_of(store)) != 4) return 0;
    auto const is_loaded = [&](std::uint32_t r) {
        return std::any_of(from_->instructions.begin(), from_->instructions.end(), [&](ptx::instruction const& i) {
            if (i.facts->profile.kind != instruction_kind::load || i.operands.empty()) return false;
            auto const& words = i.operands[0].elements;
            return i.operands[0].kind == ptx::operand_kind::vector &&
                   std::any_of(words.begin(), words.end(), [=](ptx::operand const& word) {
                       return word.kind == ptx::operand_kind::reg && word.index == r;
                   });
        });
    };
    ptx::operand const& stored = store.operands.back();
    if (stored.kind != ptx::operand_kind::vector) return 0;
    return static_cast<std::uint16_t>(
        std::count_if(stored.elements.begin(), stored.elements.end(), [&](ptx::operand const& word) {
            return word.kind == ptx::operand_kind::reg && flow_->is_written_again(word.index) && is_loaded(word.index);
        }));
}

} // namespace sim
GPUPROF_NAMESPACE_END
