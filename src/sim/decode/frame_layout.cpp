// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frame_layout.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <queue>
#include <span>
#include <utility>
#include <vector>

GPUPROF_NAMESPACE_BEGIN
namespace sim {

static constexpr std::uint32_t place_step = 64; // of all but predicates and single bytes
// Instructions before another register gets the place: a write for some lanes reads the others, and would wait for what was stored
// there last. As many results fit in the host's first cache.
static constexpr std::uint32_t idle_instructions = 128;

static std::array<operand_ref*, 7> operands_of(decoded& op) noexcept {
    return {&op.guard, &op.d, &op.d2, &op.a, &op.b, &op.c, &op.e};
}

namespace {

// The instructions from the first to the last one that may need a register.
struct interval {
    std::uint32_t first = ~std::uint32_t{0};
    std::uint32_t last = 0;
    void include(std::uint32_t from, std::uint32_t to) noexcept {
        first = (std::min)(first, from);
        last = (std::max)(last, to);
    }
    [[nodiscard]] bool is_empty() const noexcept { return first > last; }
};

// Registers by the place that they had.
class old_places {
public:
    explicit old_places(std::span<frame_register const> registers) : registers_{registers} {}

    static constexpr std::size_t none = ~std::size_t{0};
    [[nodiscard]] std::size_t register_at(operand_ref r) const noexcept {
        auto const after =
            std::upper_bound(registers_.begin(), registers_.end(), r.code,
                             [](std::uint32_t code, frame_register const& each) { return code < each.at; });
        if (after == registers_.begin() || r.code >= (after - 1)->at + (after - 1)->bytes) return none;
        return static_cast<std::size_t>(after - registers_.begin()) - 1;
    }

private:
    std::span<frame_register const> registers_;
};

} // namespace

static std::vector<interval> intervals_of(function_code& code, std::span<frame_register const> registers,
                                          std::span<backward_branch const> loops,
                                          std::span<std::uint32_t const> first) {
    std::vector<interval> needed(registers.size());
    old_places const old{registers};
    for (std::uint32_t pc = 0; pc < code.code.size(); ++pc) {
        auto const name = [&](operand_ref r) {
            if (std::size_t const which = old.register_at(r); which != old_places::none) needed[which].include(pc, pc);
        };
        decoded& op = code.code[pc];
        for (operand_ref const* const each : operands_of(op)) name(*each);
        for (std::uint32_t i = 0; i < op.list_count; ++i) name(code.slots[op.list + i].ref);
        if (op.action != action::call) continue;
        for (auto const* const values : {&code.calls[op.target].inputs, &code.calls[op.target].outputs})
            for (call_value const& each : *values) name(each.slot);
    }
    for (backward_branch const& loop : loops)
        for (std::uint32_t const r : loop.live)
            if (!needed[r].is_empty()) needed[r].include(first[loop.to], first[loop.from + 1] - 1);
    return needed;
}

std::uint32_t share_places(function_code& code, std::vector<frame_register>& registers,
                           std::span<backward_branch const> loops, std::span<std::uint32_t const> first) {
    auto const needed = intervals_of(code, registers, loops, first);
    auto places = registers;
    std::uint32_t end = 0;
    auto const reserve = [&end](std::uint32_t bytes) {
        std::uint32_t const step = bytes < place_step ? 4 : place_step;
        end = (end + step - 1) & ~(step - 1);
        return std::exchange(end, end + bytes);
    };
    std::vector<std::size_t> sharing;
    for (std::size_t r = 0; r < places.size(); ++r) {
        if (places[r].is_alone) places[r].at = reserve(places[r].bytes);
        else if (!needed[r].is_empty()) sharing.push_back(r);
    }
    std::stable_sort(sharing.begin(), sharing.end(),
                     [&](std::size_t a, std::size_t b) { return needed[a].first < needed[b].first; });
    using taken = std::pair<std::uint32_t, std::uint32_t>; // up to this instruction, a place
    using size_and_kind = std::pair<std::uint32_t, bool>;
    std::map<size_and_kind, std::priority_queue<taken, std::vector<taken>, std::greater<>>> by_size;
    for (std::size_t const r : sharing) {
        auto& of_size = by_size[{places[r].bytes, places[r].is_floating}];
        if (!of_size.empty() && of_size.top().first + idle_instructions < needed[r].first) {
            places[r].at = of_size.top().second;
            of_size.pop();
        } else {
            places[r].at = reserve(places[r].bytes);
        }
        of_size.emplace(needed[r].last, places[r].at);
    }
    // What lies behind stays at the same remainder, for its alignment.
    std::uint32_t const old_end = registers.empty() ? 0 : registers.back().at + registers.back().bytes;
    end += (old_end - end) % place_step;
    old_places const old{registers};
    auto const move = [&](operand_ref& r) {
        if ((r.code & operand_ref::in_pool) != 0) return;
        std::size_t const which = old.register_at(r);
        r.code += which == old_places::none ? end - old_end : places[which].at - registers[which].at;
    };
    for (decoded& op : code.code)
        for (operand_ref* const each : operands_of(op)) move(*each);
    for (operand_slot& slot : code.slots) move(slot.ref);
    for (call_site& site : code.calls)
        for (auto* const values : {&site.inputs, &site.outputs})
            for (call_value& each : *values) move(each.slot);
    for (auto* const values : {&code.inputs, &code.outputs})
        for (call_value& each : *values) move(each.slot);
    registers = std::move(places);
    return end - old_end;
}

} // namespace sim
GPUPROF_NAMESPACE_END
