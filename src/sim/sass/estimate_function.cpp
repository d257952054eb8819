// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What ptxas does to several instructions of a function at once: it moves, joins and unrolls them.
#include "estimate.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "../ptx/instruction_facts.hpp"
#include "conditions.hpp"
#include "if_conversion.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// Whether it needs the descriptor of global memory.
static bool reaches_global_memory(ptx::instruction const& i) noexcept {
    using enum instruction_kind;
    auto const kind = i.facts->profile.kind;
    if (kind == copy_async) return !i.operands.empty();
    if (kind != load && kind != store && kind != atomic && kind != reduction) return false;
    if (i.opcode == "ldmatrix" || i.opcode == "stmatrix") return false;
    for (std::string_view const m : i.modifiers)
        if (m == "local" || m == "param" || m == "const" || m.starts_with("shared")) return false;
    return true;
}

// Whether an instruction can hold one constant, and needs others in registers.
static bool has_immediate(ptx::instruction const& i) noexcept {
    bool const floats = is_floating(i) && i.facts->profile.kind != instruction_kind::load &&
                        (i.opcode == "fma" || i.opcode == "add" || i.opcode == "sub" || i.opcode == "mul" ||
                         i.opcode == "min" || i.opcode == "max" || i.opcode == "setp" || i.opcode == "selp");
    return floats || ((i.opcode == "selp" || i.opcode == "mad") && !is_wide(i));
}

void sass_estimator::estimate_branches(std::vector<sass_estimate>& estimates) {
    if_conversion const branches{*from_};
    std::set<std::uint32_t> ends; // where threads that parted meet again, whichever branch parted them
    std::map<std::uint32_t, std::uint32_t>
        around; // by such a place: a branch of two arms, which all threads take alike
    joined_.assign(from_->instructions.size(), false);
    std::uint32_t joined_branch = def_use::nobody; // with one before it
    bool knows_memory = false;                     // what is not parted from here has found shared memory
    for (std::uint32_t i = 0; i < from_->instructions.size(); ++i) {
        if (i != 0 && begins_part(i)) knows_memory = false;
        knows_memory |= names_shared_memory(i);
        if (branches.hops(i)) estimates[place_[i + 1]].instructions = 0;
        if (branches.falls_through(i)) estimates[place_[i]].instructions = 0;
        if (branches.hops(i) && ptx::leaves(from_->instructions[i + 2])) continue;
        auto const found = branches.conditional_at(i);
        if (!found || i == joined_branch) continue;
        bool finds_memory = knows_memory; // else once in an arm
        auto const cost = [&](std::uint32_t which) {
            ptx::instruction const& op = from_->instructions[which];
            constexpr unsigned unexpanded = 2; // doubles' maxima and minima at that time
            bool const is_extremum = (op.opcode == "min" || op.opcode == "max") && type_of(op) == ptx::type::f64;
            bool const is_joined = estimates[place_[which]].words == 0; // accesses are joined later
            unsigned const own = is_extremum ? unexpanded : is_joined ? 1u : estimates[place_[which]].instructions;
            bool const finds = !finds_memory && traits_.finds_shared_memory && names_shared_memory(which);
            finds_memory |= finds;
            return own + (finds ? 3u : 0u) + (is_extended_by_sum(which) ? 1u : 0u); // which joins them later
        };
        auto const predicate = [&](std::uint32_t from, std::uint32_t end) {
            for (std::uint32_t inside = from; inside < end; ++inside)
                for (std::size_t at = inside == 0 ? 0 : place_[inside - 1] + 1; at <= place_[inside]; ++at)
                    estimates[at].predicated_by = static_cast<std::uint32_t>(place_[i] + 1);
        };
        auto const both = branches.short_circuit_at(i);
        if (both && branches.is_predicated(both->decides, cost)) {
            joined_branch = both->second;
            estimates[place_[i]].instructions = estimates[place_[both->second]].instructions = 0;
            predicate(i + 1, both->decides.join);
            joined_[i + 1] = joined_[both->decides.first] = true;
            if (branches.ends_here(both->decides)) joined_[both->decides.join] = true;
            continue;
        }
        if (!branches.is_predicated(*found, cost)) {
            bool const diverges = !uniform_->is_uniform(from_->instructions[i].guard);
            if (!diverges && found->second != found->join) around.emplace(found->join, i);
            if (!diverges || !ends.insert(found->join).second) continue;
            auto const outer = around.find(found->join); // both arms end there, so that it begins in front of them
            std::uint32_t const begins = outer == around.end() ? i : outer->second;
            loops::interval const* const loop = loops_->innermost(begins);
            bool const leaves_loop = loop != nullptr && loop->first != 0 && found->join > loop->last;
            if (leaves_loop) add_beside(estimates, loop->first - 1, 2);
            else estimates[place_[begins]].instructions += 2;
            continue;
        }
        estimates[place_[i]].instructions = 0;
        predicate(found->first, found->first_end);
        predicate(found->second, found->join);
        joined_[i + 1] = joined_[found->first] = joined_[found->second] = true;
        if (branches.ends_here(*found)) joined_[found->join] = true;
        if (found->second != found->join) estimates[place_[found->first_end]].instructions = 0;
    }
    for (loops::interval const& loop : loops_->all()) {
        ptx::instruction const& back = from_->instructions[loop.last];
        std::uint32_t const behind = loop.last + 1;
        bool const parts = back.guard != ptx::instruction::no_guard && !uniform_->is_uniform(back.guard);
        if (!parts || loop.first == 0 || behind == from_->instructions.size()) continue;
        if (!ptx::leaves(from_->instructions[behind]) && ends.insert(behind).second)
            add_beside(estimates, loop.first - 1, 2);
    }
}

std::vector<unrolled_loop> sass_estimator::unroll_loops(std::vector<sass_estimate>& estimates) const {
    auto const cost = [&](std::uint32_t i) {
        return estimates[place_[i]].instructions + unsigned{estimates[place_[i]].beside};
    };
    auto found = unrolled_loops(*from_, *flow_, *loops_, cost);
    for (unrolled_loop const& loop : found) {
        std::size_t const before = place_[loop.text.first - 1];
        estimates[place_[loop.text.first]].entered_from = static_cast<std::uint32_t>(before + 1);
        for (std::uint32_t const i : loop.counting)
            estimates[place_[i]].unrolled_from = static_cast<std::uint32_t>(before + 1);
        add_beside(estimates, loop.text.first - 1, unrolled_loop::around);
    }
    return found;
}

void sass_estimator::place_instructions(std::vector<sass_estimate>& estimates) const {
    auto const& text = from_->instructions;
    auto const put = [&](std::uint32_t i, std::uint32_t beside) {
        if (beside != i) estimates[place_[i]].executed_with = static_cast<std::uint32_t>(place_[beside] + 1);
    };
    bool const has_stack = std::any_of(from_->variables.begin(), from_->variables.end(),
                                       [](ptx::variable const& v) { return v.space == ptx::space::local; });
    std::uint32_t reaches_memory = def_use::nobody, first_unmoved = def_use::nobody;
    for (std::uint32_t i = 0; i < text.size(); ++i) {
        if (reaches_memory == def_use::nobody && reaches_global_memory(text[i])) reaches_memory = i;
        if (!from_->is_entry) continue;
        if (first_unmoved == def_use::nobody && !has(text[i], "param")) first_unmoved = i;
        bool const falls_through = i != 0 && text[i].guard == ptx::instruction::no_guard &&
                                   text[i - 1].facts->control == ptx::control_effect::next;
        if (ptx::leaves(text[i]) && falls_through) put(i, i - 1);
        bool const is_jumped_to = i != 0 && text[i - 1].guard == ptx::instruction::no_guard &&
                                  text[i - 1].facts->control == ptx::control_effect::branch;
        if (ptx::leaves(text[i]) && is_jumped_to) estimates[place_[i]].instructions = 0; // each branch to it is an EXIT
    }
    if (from_->is_entry && has_stack && first_unmoved != def_use::nobody)
        add_beside(estimates, first_unmoved, 1); // makes room
    if (reaches_memory == def_use::nobody || !traits_.sets_up_global_memory) return;
    add_beside(estimates, loops_->before(reaches_memory), 1);
}

void sass_estimator::find_far_addresses(std::vector<sass_estimate>& estimates) const {
    constexpr std::int64_t reach = std::int64_t{1} << 23;
    std::set<std::tuple<std::uint32_t, std::uint32_t, std::int64_t>> found; // part, who wrote the address, region
    for (std::uint32_t i = 0; i < from_->instructions.size(); ++i) {
        ptx::instruction const& op = from_->instructions[i];
        if (!reaches_global_memory(op)) continue;
        for (ptx::operand const& o : op.operands) {
            bool const is_far = o.kind == ptx::operand_kind::address && (o.offset < -reach || o.offset >= reach) &&
                                o.elements.front().kind == ptx::operand_kind::reg;
            if (!is_far) continue;
            std::int64_t const region = (o.offset + reach) >> 24;
            if (found.emplace(parts_[i], flow_->writer_of(i, o.elements.front().index), region).second)
                add_beside(estimates, i, 2);
        }
    }
}

void sass_estimator::find_variables(std::vector<sass_estimate>& estimates) const {
    std::set<std::tuple<std::uint32_t, std::uint32_t, std::uint64_t>> found;
    for (std::uint32_t i = 0; i < from_->instructions.size(); ++i) {
        ptx::instruction const& op = from_->instructions[i];
        if (!reaches_global_memory(op)) continue;
        for (ptx::operand const& o : op.operands) {
            bool const names_it = o.kind == ptx::operand_kind::address &&
                                  o.elements.front().kind == ptx::operand_kind::module_variable &&
                                  kernel_.source->variables[o.elements.front().index].space == ptx::space::global;
            std::uint32_t const place = place_of_load(i);
            if (names_it && is_first(found, estimates, place, std::uint64_t{o.elements.front().index}, parts_))
                add_beside(estimates, place, 1);
        }
    }
}

std::uint32_t sass_estimator::place_of_load(std::uint32_t reader) const {
    loops::interval const* const loop = loops_->innermost(reader);
    if (loop == nullptr || loop->first == 0) return reader;
    for (std::uint32_t i = loop->first; i <= loop->last; ++i)
        if (has_slow_way(from_->instructions[i])) return reader;
    return loop->first - 1;
}

bool sass_estimator::names_shared_memory(std::uint32_t i) const noexcept {
    for (ptx::operand const& o : from_->instructions[i].operands) {
        if (shared_variable(o) != nullptr) return true;
        for (ptx::operand const& element : o.elements)
            if (shared_variable(element) != nullptr) return true;
    }
    return false;
}

void sass_estimator::find_parts() {
    parts_.assign(from_->instructions.size(), 0);
    uniform_parts_ = parts_;
    if_conversion const branches{*from_};
    std::set<std::uint32_t> labels;
    for (auto const& label : from_->labels) labels.insert(label.instruction);
    for (std::uint32_t i = 1; i < parts_.size(); ++i) {
        bool const begins = begins_part(i);
        parts_[i] = parts_[i - 1] + (begins ? 1u : 0u);
        std::uint32_t const end = branches.forward_target(i - 1);
        bool const goes_on = end != 0 && ptx::leaves(from_->instructions[end]) && !labels.contains(i);
        uniform_parts_[i] = uniform_parts_[i - 1] + (begins && !goes_on ? 1u : 0u);
        bool const goes_around_end = i >= 3 && branches.hops_alone(i - 3) && ptx::leaves(from_->instructions[i - 1]) &&
                                     branches.always_goes_to(i - 2) == i && branches.falls_through(i - 2);
        if (goes_around_end) uniform_parts_[i] = uniform_parts_[i - 3];
    }
}

bool sass_estimator::begins_part(std::uint32_t i) const {
    return (flow_->block(i) != flow_->block(i - 1) && !joined_[i]) || has_slow_way(from_->instructions[i - 1]);
}

template <class Key>
bool sass_estimator::is_first(std::set<std::tuple<std::uint32_t, std::uint32_t, Key>>& found,
                              std::vector<sass_estimate> const& estimates, std::uint32_t place, Key const& what,
                              std::vector<std::uint32_t> const& parts) const {
    std::uint32_t const condition = estimates[place_[place]].predicated_by;
    return !found.contains({parts[place], 0, what}) && found.insert({parts[place], condition, what}).second;
}

sass_estimator::loop_round sass_estimator::round_of(loops::interval const& loop,
                                                    std::vector<sass_estimate> const& estimates,
                                                    std::vector<unrolled_loop> const& unrolled) const {
    auto const same = std::find_if(unrolled.begin(), unrolled.end(), [&](unrolled_loop const& each) {
        return each.text.first == loop.first && each.text.last == loop.last;
    });
    loop_round round;
    if (same != unrolled.end()) round.counts_at = same->counting.front();
    for (std::uint32_t i = loop.first; i <= loop.last; ++i) {
        bool const counts = round.counts_at && std::count(same->counting.begin(), same->counting.end(), i) != 0;
        std::size_t const times = round.counts_at && !counts ? unrolled_loop::at_once : 1;
        round.length += std::size_t{estimates[place_[i]].instructions} * times;
        ptx::instruction const& op = from_->instructions[i];
        bool const loads = op.facts->profile.kind == instruction_kind::load && reaches_global_memory(op);
        round.keeps_numbers |= has_slow_way(op) || loads;
    }
    return round;
}

// A constant that needs a register is moved there before a short loop that loads nothing from global memory, and in others in each round.
// ptxas 13.0 for sm_90: short are up to 23 instructions, with one for each constant, and 11 if they are doubles.
void sass_estimator::place_numbers(std::vector<sass_estimate>& estimates,
                                   std::vector<unrolled_loop> const& unrolled) const {
    auto const& text = from_->instructions;
    struct number {
        std::uint64_t bits;
        bool twice;
        std::uint32_t reader;
    };
    std::vector<number> needed;
    for (std::uint32_t i = 0; i < text.size(); ++i) {
        if (text[i].opcode == "add" && is_wide(text[i]) && reads_long_product(i)) // IMAD.WIDE adds two registers
            if (std::uint64_t const bits = flow_->number(i, text[i].operands[2]).value_or(0); bits != 0)
                needed.push_back({bits, true, i});
        if (!has_immediate(text[i])) continue;
        bool const twice = type_of(text[i]) == ptx::type::f64;
        std::vector<std::uint64_t> numbers;
        for (ptx::operand const& o : text[i].operands)
            if (std::uint64_t const bits = flow_->number(i, o).value_or(0); bits != 0) numbers.push_back(bits);
        bool const by_words = twice && text[i].opcode == "selp";
        auto const fits = [=](std::uint64_t bits) {
            return !twice || by_words || static_cast<std::uint32_t>(bits) == 0;
        };
        for (std::size_t n = numbers.size(); n-- != 0;)
            if (fits(numbers[n])) {
                numbers.erase(numbers.begin() + static_cast<std::ptrdiff_t>(n));
                break;
            }
        for (std::uint64_t const bits : numbers) needed.push_back({bits, twice, i});
    }
    std::map<std::uint32_t, loop_round> rounds; // by the loop's first instruction
    for (number const& n : needed)
        if (auto const* const loop = loops_->innermost(n.reader)) {
            auto const [round, is_new] = rounds.try_emplace(loop->first);
            if (is_new) round->second = round_of(*loop, estimates, unrolled);
            round->second.numbers.insert(n.bits);
        }
    auto const place_of = [&](number const& n) {
        constexpr std::size_t longest = 23, longest_of_doubles = 11;
        auto const* const loop = loops_->innermost(n.reader);
        if (loop == nullptr || loop->first == 0) return n.reader;
        loop_round const& round = rounds.at(loop->first);
        bool const is_short = round.length + round.numbers.size() <= (n.twice ? longest_of_doubles : longest);
        return is_short && !round.keeps_numbers ? loop->first - 1 : round.counts_at.value_or(n.reader);
    };
    std::set<std::tuple<std::uint32_t, std::uint32_t, std::uint64_t>> placed;
    for (number const& n : needed) {
        std::uint32_t const place = place_of(n);
        if (is_first(placed, estimates, place, n.bits, parts_)) add_beside(estimates, place, n.twice ? 2 : 1);
    }
}

sass_estimator::parameter_use sass_estimator::use_of_parameter(std::uint32_t reader) const {
    if (reads_product(reader)) return parameter_use::product;
    return reaches_global_memory(from_->instructions[reader]) ? parameter_use::access : parameter_use::uniform;
}

void sass_estimator::load_parameters(std::vector<sass_estimate>& estimates) const {
    auto const& text = from_->instructions;
    std::set<std::tuple<std::uint32_t, std::uint32_t, std::pair<std::int64_t, parameter_use>>> kept;
    std::set<std::tuple<std::uint32_t, std::uint32_t, std::int64_t>> loaded; // of 8 bytes
    for (std::uint32_t i = 0; i < text.size(); ++i) {
        if (text[i].opcode != "ld" || !has(text[i], "param") || flow_->readers(i).empty()) continue;
        std::int64_t const offset = offset_of_parameter(i);
        bool const is_part = ptx::size_of(type_of(text[i])) < 4; // of a word: loaded alone
        std::int64_t const place_of_it = is_part ? ~offset : offset, pair = is_part ? ~offset : offset / 8;
        std::uint16_t& own = estimates[place_[i]].instructions;
        own = 0;
        auto const load = [&](std::uint32_t reader) {
            std::uint32_t const place = is_only_base(reader) ? reader : place_of_load(reader);
            bool const is_known =
                !is_first(kept, estimates, place, {place_of_it, use_of_parameter(reader)}, uniform_parts_);
            if (is_known || !is_first(loaded, estimates, place, pair, parts_)) return;
            if (own != 0) return add_beside(estimates, place, 1);
            own = 1;
            if (place != i) estimates[place_[i]].executed_with = static_cast<std::uint32_t>(place_[place] + 1);
        };
        for (std::uint32_t const reader : flow_->readers(i))
            if (text[reader].opcode != "cvta") load(reader);
            else
                for (std::uint32_t const next : flow_->readers(reader)) load(next);
    }
}

std::vector<std::uint32_t> sass_estimator::ends_around(std::vector<sass_estimate> const& estimates) const {
    if_conversion const branches{*from_};
    std::vector<std::uint32_t> around, first(from_->instructions.size(), def_use::nobody);
    for (std::uint32_t i = 0; i < first.size(); ++i) {
        std::erase_if(around, [=](std::uint32_t end) { return end <= i; });
        if (!around.empty()) first[i] = *std::min_element(around.begin(), around.end());
        std::uint32_t const end = branches.forward_target(i);
        if (end != 0 && estimates[place_[i]].instructions != 0) around.push_back(end);
    }
    return first;
}

void sass_estimator::add_beside(std::vector<sass_estimate>& estimates, std::uint32_t i, unsigned more) const {
    std::size_t at = place_[i];
    if (estimates[at].executed_with != 0) at = estimates[at].executed_with - 1;
    estimates[at].beside = static_cast<std::uint16_t>(estimates[at].beside + more);
}

void sass_estimator::find_shared_memory(std::vector<sass_estimate>& estimates) const {
    std::set<std::pair<std::uint32_t, ptx::variable const*>> found; // null: any
    auto const is_first_place = [&](std::uint32_t place, ptx::variable const* v) {
        return found.emplace(uniform_parts_[place], v).second; // uniform instructions are not predicated
    };
    for (std::uint32_t i = 0; i < from_->instructions.size(); ++i) {
        ptx::instruction const& op = from_->instructions[i];
        bool const moves = op.opcode == "mov";
        auto const find = [&](ptx::operand const& o) {
            ptx::variable const* const v = shared_variable(o);
            if (v == nullptr) return;
            loops::interval const* const loop = loops_->innermost(i);
            std::uint32_t const place = loop != nullptr && !is_one_block(*loop) ? i : place_of_load(i);
            ptx::variable const* const any = nullptr;
            bool const first = is_first_place(place, any), unknown = is_first_place(place, v);
            auto const cost = static_cast<std::uint16_t>(first ? 3 : unknown && moves ? 2 : 0);
            if (moves) estimates[place_[i]].instructions = 0;
            add_beside(estimates, place, cost);
        };
        for (ptx::operand const& o : op.operands) {
            find(o);
            for (ptx::operand const& element : o.elements) find(element);
        }
    }
}

std::int64_t sass_estimator::offset_of_parameter(std::uint32_t i) const noexcept {
    ptx::operand const& address = from_->instructions[i].operands[1];
    ptx::operand const& variable = address.elements.front();
    std::string_view const name =
        variable.kind == ptx::operand_kind::function_variable ? from_->variables[variable.index].name : variable.text;
    auto const parameter = std::find_if(kernel_.parameters.begin(), kernel_.parameters.end(),
                                        [=](auto const& p) { return p.name == name; });
    return address.offset + (parameter == kernel_.parameters.end() ? 0 : std::int64_t{parameter->offset});
}

void sass_estimator::join_constants(std::vector<sass_estimate>& estimates) const {
    std::map<std::tuple<std::uint32_t, std::string_view, std::int64_t>, std::uint32_t> found; // block, variable, place
    for (std::uint32_t i = 0; i < from_->instructions.size(); ++i) {
        ptx::instruction const& op = from_->instructions[i];
        if (op.opcode != "ld" || !has(op, "const") || ptx::size_of(type_of(op)) != 4) continue;
        if (op.operands.size() != 2 || op.operands[1].elements.empty() || op.operands[0].kind != ptx::operand_kind::reg)
            continue;
        ptx::operand const& variable = op.operands[1].elements.front();
        if (variable.kind == ptx::operand_kind::reg) continue;
        std::string_view const name = variable.kind == ptx::operand_kind::module_variable
                                          ? kernel_.source->variables[variable.index].name
                                          : variable.text;
        sass_estimate& e = estimates[place_[i]];
        if (!found.try_emplace({flow_->block(i), name, op.operands[1].offset / 8}, i).second) e.instructions = 0;
        else e.instructions = 1;
    }
}

void sass_estimator::join_bit_tests(std::vector<sass_estimate>& estimates) const {
    auto const& text = from_->instructions;
    std::set<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>> found; // part, who wrote the number, byte
    for (std::uint32_t i = 0; i < text.size(); ++i) {
        ptx::instruction const& bit = text[i];
        auto const& readers = flow_->readers(i);
        bool const masks = bit.opcode == "and" && !is_wide(bit) && absorbed_[i] && readers.size() == 1 &&
                           bit.operands[1].kind == ptx::operand_kind::reg &&
                           bit.operands[2].kind == ptx::operand_kind::integer;
        if (!masks) continue;
        auto const mask = static_cast<std::uint32_t>(bit.operands[2].bits);
        auto const at = static_cast<std::uint32_t>(std::countr_zero(mask));
        constexpr std::uint32_t predicates = 7; // P7 is PT
        if (!std::has_single_bit(mask) || at % 8 >= predicates || text[readers.front()].opcode != "setp") continue;
        auto const& branches = flow_->readers(readers.front());
        bool const predicates_more = branches.size() == 1 &&
                                     text[branches.front()].facts->control == ptx::control_effect::branch &&
                                     estimates[place_[branches.front()]].instructions == 0;
        std::uint32_t const number = flow_->writer_of(i, bit.operands[1].index);
        if (!predicates_more || number == def_use::nobody) continue;
        if (!found.emplace(parts_[i], number, at / 8).second) estimates[place_[readers.front()]].instructions = 0;
    }
}

void sass_estimator::join_divisions(std::vector<sass_estimate>& estimates) const {
    auto const ends = ends_around(estimates);
    std::vector<std::uint32_t> found;
    auto const same = [&](std::uint32_t a, std::uint32_t b, std::size_t part) {
        ptx::operand const &x = from_->instructions[a].operands[part], &y = from_->instructions[b].operands[part];
        if (x.kind != y.kind) return false;
        if (x.kind != ptx::operand_kind::reg) return x.bits == y.bits && x.text == y.text;
        return x.index == y.index && flow_->writer_of(a, x.index) == flow_->writer_of(b, y.index);
    };
    for (std::uint32_t i = 0; i < from_->instructions.size(); ++i) {
        ptx::instruction const& op = from_->instructions[i];
        bool const divides = (op.opcode == "div" || op.opcode == "rem") && is_integer(op) && !is_wide(op);
        if (!divides || op.operands.size() != 3) continue;
        std::uint16_t& cost = estimates[place_[i]].instructions;
        ptx::operand const& by = op.operands[2];
        std::uint32_t const divisor =
            by.kind == ptx::operand_kind::reg ? flow_->writer_of(i, by.index) : def_use::nobody;
        bool const is_known = divisor != def_use::nobody && from_->instructions[divisor].opcode == "mov" &&
                              is_number(from_->instructions[divisor].operands.back()); // WARP_SZ
        if (is_known) cost = static_cast<std::uint16_t>(cost - 2);                     // it is not 0
        unsigned alike = 0;
        bool repeats = false; // the quotient of the same numbers, or the remainder
        for (std::uint32_t const earlier : found) {
            if (!same(earlier, i, 2) || ends[earlier] <= i || !loops_->share(i, earlier)) continue;
            ++alike;
            repeats |= same(earlier, i, 1);
        }
        loops::interval const* const loop = loops_->innermost(i);
        bool const goes_in_front = loop != nullptr && loop->first != 0 && is_one_block(*loop) &&
                                   by.kind == ptx::operand_kind::reg && writers_in(*from_, *loop, by.index).empty();
        // ptxas 13.0, sm_90: what a loop does not do in its rounds, what a second division does not do again, and what further ones do not
        bool const is_signed = has(op, "s32");
        int const in_front = is_signed ? 10 : 9, shared = !is_signed ? 8 : alike == 1 ? 10 : 14;
        if (repeats) cost = 3;
        else if (goes_in_front || alike != 0)
            cost = static_cast<std::uint16_t>(cost - (goes_in_front ? in_front : shared));
        if (goes_in_front || alike != 0) estimates[place_[i]].special = 0;
        if (goes_in_front && alike == 0) add_beside(estimates, loop->first - 1, static_cast<unsigned>(in_front) + 1);
        found.push_back(i);
    }
}

} // namespace sim
GPUPROF_NAMESPACE_END
