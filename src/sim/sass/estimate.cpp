// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "estimate.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "../ptx/instruction_facts.hpp"
#include "atomic_merge.hpp"
#include "conditions.hpp"
#include "if_conversion.hpp"
#include "operand_registers.hpp"
#include "shared_access_merge.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// Special registers and addresses of local variables are read by instructions of their own before
// the one that names them, and lanes that an approximation scales, or that go a slow way, are counted there.
static bool is_operand_read(decoded const& op) noexcept {
    bool const counts_lanes = op.guard_only_counts && (op.action == action::nothing || !op.guarded);
    return op.action == action::special_register || op.action == action::local_address || counts_lanes;
}

// A predicate as a number, 1 or 0. compares_with_zero() finds the instruction that makes a
// predicate of it again.
static bool is_truth(ptx::instruction const& i) noexcept {
    return i.opcode == "selp" && i.operands.size() == 4 && i.operands[1].kind == ptx::operand_kind::integer &&
           i.operands[1].bits == 1 && i.operands[2].kind == ptx::operand_kind::integer && i.operands[2].bits == 0;
}

static bool is_equality(ptx::instruction const& i) noexcept { return has(i, "eq") || has(i, "ne"); }

// Makes a word of less than one, which registers do not have.
static bool widens_part(ptx::instruction const& i) noexcept {
    bool integers = true, to_word = false;
    for (std::string_view const m : i.modifiers) {
        ptx::type const t = ptx::type_named(m);
        integers &= !ptx::is_floating(t);
        to_word |= ptx::size_of(t) >= 4;
    }
    return integers && to_word && ptx::size_of(type_of(i)) < 4;
}

// Whether a load leaves the whole word as the conversion would.
static bool extends(ptx::instruction const& load, ptx::instruction const& conversion) noexcept {
    return load.facts->profile.kind == instruction_kind::load &&
           ptx::is_signed(type_of(load)) == ptx::is_signed(type_of(conversion));
}

static bool makes_float_of_word(ptx::instruction const& i) noexcept {
    auto const from = type_of(i);
    return i.opcode == "cvt" && has(i, "f32") && (from == ptx::type::u32 || from == ptx::type::s32);
}

// How many of its instructions of the alu pipeline may be those of a multiplication by 1 or by a power of two: sums, moves and shifts
// to the left; of a sum of 64 bits the upper word, since no product tells of a carry (IMAD.IADD, IMAD.MOV, IMAD.SHL, IMAD.X).
static std::uint8_t could_multiply(ptx::instruction const& i, std::uint16_t instructions) noexcept {
    bool const sums = i.facts->fusion == ptx::fusion::sum && is_integer(i);
    if (sums && is_wide(i)) return instructions > 1 ? 1 : 0;
    bool const divides = (i.opcode == "div" || i.opcode == "rem") && is_integer(i);
    if (divides) return static_cast<std::uint8_t>(instructions / 2);
    bool const shifts = i.opcode == "shl" && i.operands.back().kind == ptx::operand_kind::integer && !is_wide(i);
    return sums || shifts || i.opcode == "mov" ? static_cast<std::uint8_t>(instructions) : std::uint8_t{0};
}

static bool is_number_of_word(ptx::operand const& o) noexcept {
    return o.kind == ptx::operand_kind::integer && o.bits >> 32 == 0;
}

// Whether an operand of the reader may be taken with the opposite sign, or none, for all that its machine code does with it.
static bool has_sign_for(ptx::instruction const& reader, ptx::instruction const& source) noexcept {
    using enum instruction_kind;
    auto const kind = reader.facts->profile.kind;
    if (reader.opcode == "mov" || kind == store || kind == atomic || kind == reduction || kind == inter_thread)
        return false;
    if (reader.opcode == "cvt") return true;
    bool const rounded_root = (reader.opcode == "sqrt" || reader.opcode == "rcp") && has(reader, "rn");
    if (is_wide(source))
        return is_floating(reader) && !rounded_root && reader.opcode != "div" && reader.opcode != "selp";
    return is_floating(reader) && !rounded_root;
}

// Whether the reader of a result does the work of the instruction that gives it.
// @param single nobody else reads the result
static bool absorbs(ptx::instruction const& source, ptx::instruction const& reader, bool single) noexcept {
    using enum ptx::fusion;
    auto const joins = source.facts->fusion;
    bool const adds = reader.facts->fusion == sum;
    bool const scaled = (source.opcode == "shl" && source.operands.size() == 3 &&
                         source.operands[2].kind == ptx::operand_kind::integer) ||
                        (source.opcode == "mul" && (has(source, "wide") || (has(source, "lo") && !is_wide(source))));
    if (scaled && adds && is_integer(reader) && (single || !is_wide(source) || source.opcode == "mul")) return true;
    if (is_truth(source) && compares_with_zero(reader)) return true;
    bool const masks_word = source.opcode == "and" && (!is_wide(source) || is_number_of_word(source.operands[2]));
    if (single && masks_word && compares_with_zero(reader) && is_equality(reader)) return true;
    bool const high =
        source.opcode == "shr" && source.operands.size() == 3 && source.operands[2].kind == ptx::operand_kind::integer;
    if (high && !is_wide(source) && reader.opcode == "add" && is_integer(reader)) return true; // LEA.HI
    if (joins == sign) return is_floating(source) && has_sign_for(reader, source);
    return single && !is_wide(source) && joins == sum && adds && is_integer(source) && is_integer(reader);
}

std::vector<sass_estimate> sass_estimator::of(function_code const& code) {
    std::vector<sass_estimate> estimates(code.code.size());
    for (std::size_t i = 0; i < estimates.size(); ++i) {
        decoded const& op = code.code[i];
        estimates[i].pipe = op.info.pipe;
        estimates[i].awaits_warps = op.action == action::barrier || op.action == action::cluster_wait;
    }
    if (!kernel_.source || code.module_index >= kernel_.source->functions.size()) return estimates;
    from_ = &kernel_.source->functions[code.module_index];
    flow_.emplace(*from_);
    loops_.emplace(*from_);
    uniform_.emplace(*from_);
    halves_.emplace(*from_);
    known_.emplace(*from_, *flow_);
    absorbed_.assign(from_->instructions.size(), false);
    taken_.assign(from_->instructions.size(), 0);
    logic_parts_.clear();
    place_.assign(from_->instructions.size(), 0);
    shared_access_merge const merged{*from_, *flow_, {kernel_.source.get(), &code.shared}};
    calls_ = false;
    for (auto const& instruction : from_->instructions)
        calls_ |= instruction.facts->control == ptx::control_effect::call;
    std::size_t at = 0;
    for (std::uint32_t i = 0; i < from_->instructions.size(); ++i) {
        for (; at < code.code.size() && is_operand_read(code.code[at]); ++at)
            estimate_operand(code.code[at], estimates[at]);
        if (at == code.code.size()) return estimates;
        estimate(i, estimates[at]);
        estimates[at].words = merged.words(i);
        estimates[at].beside = static_cast<std::uint16_t>(estimates[at].beside + merged.moved(i));
        bool const is_taken = code.code[at].action == action::nothing && from_->instructions[i].opcode == "mul";
        if (merged.words(i) == 0 || is_taken) estimates[at].instructions = 0;
        place_[i] = at++;
    }
    estimate_floats(code, estimates);
    join_equal_floats(code, estimates);
    join_halves(estimates);
    estimate_choices(code, estimates);
    if (traits_.loads_constants) join_constants(estimates);
    estimate_branches(estimates);
    sink_behind_exits(code, estimates);
    join_divisions(estimates);
    find_parts();
    join_bit_tests(estimates);
    join_comparisons(estimates);
    if (traits_.finds_shared_memory) find_shared_memory(estimates);
    place_instructions(estimates);
    find_far_addresses(estimates);
    if (traits_.loads_constants) find_variables(estimates);
    auto const unrolled = traits_.unrolls_loops ? unroll_loops(estimates) : std::vector<unrolled_loop>{};
    copy_pointers(estimates);
    let_others_run(estimates);
    place_numbers(estimates, unrolled);
    if (traits_.loads_constants && from_->is_entry) load_parameters(estimates);
    estimate_chains(estimates, unrolled);
    return estimates;
}

void sass_estimator::estimate_operand(decoded const& op, sass_estimate& e) const noexcept {
    if (op.action != action::special_register) {
        e.instructions = 0;
        return;
    }
    auto const which = static_cast<special>(op.mode);
    if (which <= special::tid_z) {
        e.pipe = pipe::lsu;
    } else if (which <= special::nctaid_z) {
        bool const is_constant = which <= special::ntid_z || which >= special::nctaid_x;
        e.pipe = pipe::adu;
        e.loads_constant = is_constant && traits_.loads_constants;
        if (is_constant && !traits_.loads_constants) e.instructions = 0;
    }
}

ptx::variable const* sass_estimator::shared_variable(ptx::operand const& o) const noexcept {
    ptx::variable const* v = nullptr;
    if (o.kind == ptx::operand_kind::function_variable) v = &from_->variables[o.index];
    else if (o.kind == ptx::operand_kind::module_variable) v = &kernel_.source->variables[o.index];
    return v != nullptr && v->space == ptx::space::shared ? v : nullptr;
}

bool sass_estimator::is_offset(std::uint32_t i) const {
    ptx::instruction const& op = from_->instructions[i];
    if (op.opcode != "add" || !is_integer(op) || op.operands[2].kind != ptx::operand_kind::integer) return false;
    auto const offset = static_cast<std::int64_t>(op.operands[2].bits);
    std::int64_t const signed_offset = is_wide(op) ? offset : static_cast<std::int32_t>(offset);
    constexpr std::int64_t most = 1 << 23;
    if (signed_offset < -most || signed_offset >= most || op.operands[1].kind != ptx::operand_kind::reg) return false;
    std::uint32_t const result = op.operands[0].index;
    for (std::uint32_t const reader : flow_->readers(i)) {
        bool addresses = false;
        for (ptx::operand const& o : from_->instructions[reader].operands)
            if (o.kind == ptx::operand_kind::address)
                for_each_register(o, [&](std::uint32_t r) { addresses |= r == result; });
            else if (&o != ptx::result_of(from_->instructions[reader]))
                for_each_register(o, [&](std::uint32_t r) { addresses &= r != result; });
        if (!addresses) return false;
    }
    return true;
}

bool sass_estimator::is_added_by_access(std::uint32_t i) const {
    ptx::instruction const& op = from_->instructions[i];
    if (op.opcode != "add" || is_wide(op) || taken_[i] != 0 || flow_->is_confused(i) || flow_->readers(i).empty())
        return false;
    if (op.operands[1].kind != ptx::operand_kind::reg || op.operands[2].kind != ptx::operand_kind::reg) return false;
    bool const adds_variable = reads(i, [&](ptx::instruction const& w) {
        return w.opcode == "mov" && shared_variable(w.operands.back()) != nullptr;
    });
    bool const adds_uniform = uniform_->is_uniform(op.operands[1].index) != uniform_->is_uniform(op.operands[2].index);
    if (!adds_variable && !adds_uniform) return false;
    for (std::uint32_t const reader : flow_->readers(i)) {
        ptx::instruction const& access = from_->instructions[reader];
        bool const addresses = (access.opcode == "ld" || access.opcode == "st") && has(access, "shared");
        if (!addresses) return false;
    }
    return true;
}

std::uint16_t sass_estimator::cost_of_constant(std::uint32_t i) const {
    ptx::instruction const& move = from_->instructions[i];
    if (move.operands.size() != 2 || move.operands[0].kind != ptx::operand_kind::reg || !is_number(move.operands[1]))
        return 0;
    bool const zero = move.operands[1].bits == 0;
    bool const wide = is_wide(move);
    std::uint32_t const to = move.operands[0].index;
    if (flow_->is_written_again(to)) return wide && !zero ? 2 : 1;
    if (zero) return 0;
    for (std::uint32_t const reader : flow_->readers(i)) {
        ptx::instruction const& op = from_->instructions[reader];
        auto const kind = op.facts->profile.kind;
        if (kind == instruction_kind::store || kind == instruction_kind::atomic || kind == instruction_kind::reduction)
            return wide ? 2 : 1;
    }
    return 0;
}

bool sass_estimator::keeps_two_values(std::uint32_t i) const {
    ptx::instruction const& move = from_->instructions[i];
    if (move.operands.size() != 2 || move.operands[0].kind != ptx::operand_kind::reg ||
        move.operands[1].kind != ptx::operand_kind::reg)
        return false;
    std::uint32_t const to = move.operands[0].index;
    std::uint32_t const writer = flow_->writer_of(i, move.operands[1].index);
    if (!flow_->is_written_again(to) || writer == def_use::nobody) return false;
    ptx::instruction const& gives = from_->instructions[writer];
    bool const rotates = gives.opcode == "mov" && gives.operands[1].kind == ptx::operand_kind::reg &&
                         flow_->is_written_again(gives.operands[1].index); // what that held before
    loops::interval const* const loop = loops_->innermost(i);
    bool const may_be_moved = !rotates && loop != nullptr && flow_->block(i) == flow_->block(loop->last);
    std::set<std::uint32_t> made_of_it{gives.operands[0].index};
    // What the register held, together with what is made of the new value: what reads it alone may be done before.
    bool is_read = false;
    for (std::uint32_t between = writer + 1; between < i; ++between) {
        ptx::instruction const& op = from_->instructions[between];
        ptx::operand const* const result = ptx::result_of(op);
        bool reads_old = false, reads_new = false;
        auto const read = [&](std::uint32_t r) {
            reads_old |= r == to;
            reads_new |= made_of_it.contains(r);
        };
        if (op.guard != ptx::instruction::no_guard) read(op.guard);
        for (ptx::operand const& o : op.operands)
            if (&o != result) for_each_register(o, read);
        is_read |= reads_old && (reads_new || !may_be_moved || flow_->block(between) != flow_->block(writer));
        if (reads_new && result != nullptr) for_each_register(*result, [&](std::uint32_t r) { made_of_it.insert(r); });
    }
    return is_read;
}

std::uint16_t sass_estimator::stored_constants(ptx::instruction const& i) const noexcept {
    auto const kind = i.facts->profile.kind;
    bool const stores =
        kind == instruction_kind::store || kind == instruction_kind::reduction || kind == instruction_kind::atomic;
    if (!stores || has(i, "param")) return 0;
    unsigned constants = 0;
    auto const count = [&](ptx::operand const& o) { constants += is_number(o) && o.bits != 0; };
    for (ptx::operand const& o : i.operands) {
        count(o);
        if (o.kind == ptx::operand_kind::vector)
            for (ptx::operand const& element : o.elements) count(element);
    }
    return static_cast<std::uint16_t>(is_wide(i) ? 2 * constants : constants);
}

void sass_estimator::estimate_chains(std::vector<sass_estimate>& estimates,
                                     std::vector<unrolled_loop> const& unrolled) const {
    std::vector<std::uint32_t> number(estimates.size()); // of a decoded instruction in the text
    for (std::uint32_t i = 0; i < place_.size(); ++i) number[place_[i]] = i;
    std::vector<dependence_cost> costs;
    costs.reserve(place_.size());
    for (std::size_t const at : place_) {
        sass_estimate const& e = estimates[at];
        bool const predicated = e.predicated_by != 0;
        costs.push_back({e.instructions, e.pipe, !e.reduction,
                         predicated ? number[e.predicated_by - 1] : def_use::nobody, e.special != 0});
    }
    dependence const chains{*from_, latency_, costs, unrolled};
    for (std::uint32_t i = 0; i < place_.size(); ++i) {
        estimates[place_[i]].chain = chains.chain(i);
        estimates[place_[i]].rounds = chains.chain_of_rounds(i);
    }
    find_spins(estimates);
}

void sass_estimator::estimate(std::uint32_t i, sass_estimate& e) {
    ptx::instruction const& instruction = from_->instructions[i];
    instruction_kind const kind = instruction.facts->profile.kind;
    bool const adds = instruction.facts->fusion == ptx::fusion::sum;
    std::uint16_t around = 0;
    e.inside = expansion_of(instruction);
    e.special = special_part_of(instruction).instructions;
    e.instructions = halves_->instructions(instruction).value_or(sass_instruction_count(instruction));
    if (ptx::is_branch(instruction)) e.pipe = pipe::none; // counted where it parts a warp
    if (kind == instruction_kind::atomic || kind == instruction_kind::reduction) {
        atomic_merge const atomics{*from_, *flow_, *uniform_};
        lane_merge const merge = atomics.merge(i);
        e.reduction = atomics.is_reduction(i);
        e.counts_lanes = merge != lane_merge::none;
        if (merge == lane_merge::elects) around = static_cast<std::uint16_t>(atomics.instructions(i) - 1);
    } else if (has(instruction, "param")) {
        bool const load = instruction.opcode == "ld" && from_->is_entry && !flow_->readers(i).empty();
        e.instructions = load && traits_.loads_constants ? 1 : 0;
        e.loads_constant = e.instructions != 0 && is_wide(instruction) && is_added_to_product(i);
        e.pipe = e.loads_constant ? pipe::adu : pipe::none; // else it goes to a uniform register
    } else if (adds && is_wide(instruction) && reads_product(i)) {
        e.instructions = 1;
        e.pipe = pipe::fma;
    } else if (adds && is_wide(instruction) && reads_long_product(i)) {
        auto const& sums = flow_->readers(i);
        bool const sums_go_on = !sums.empty() && std::all_of(sums.begin(), sums.end(), [&](std::uint32_t r) {
            ptx::instruction const& next = from_->instructions[r];
            return next.opcode == "add" && is_wide(next) && next.operands[2].kind == ptx::operand_kind::reg;
        });
        e.instructions = sums_go_on ? 0 : 1; // of the upper word: the product's lowest part has taken the sum
    } else if (adds && is_wide(instruction) && reads_constant_address(i)) {
        e.instructions = 0;
    } else if (instruction.facts->fusion == ptx::fusion::logic && is_wide(instruction) && reads_extended(i)) {
        e.instructions = 1;
    } else if (traits_.converts_words_by_alu && makes_float_of_word(instruction)) {
        e.pipe = pipe::alu;
    } else if (instruction.opcode == "ld" && has(instruction, "const")) {
        e.loads_constant = true;
    } else if (compares_with_zero(instruction) && reads(i, is_truth)) {
        e.instructions = 0;
    } else if (compares_with_zero(instruction) && is_wide(instruction) && is_equality(instruction) &&
               reads(i,
                     [](ptx::instruction const& w) { return w.opcode == "and" && is_number_of_word(w.operands[2]); })) {
        e.instructions = 1; // of the word that may be another
    } else if (instruction.facts->control == ptx::control_effect::ret && calls_ && !from_->is_entry) {
        e.instructions = 15; // at its beginning and here: the return address, a barrier and a few others
    }
    if (instruction.opcode == "mov")
        e.instructions = names_parameter(instruction)
                             ? std::uint16_t{0}
                             : (std::max)(e.instructions, keeps_two_values(i) ? std::uint16_t{1} : cost_of_constant(i));
    if (e.instructions > 1 && is_wide(instruction) && is_integer(instruction) && is_narrow(i)) e.instructions = 1;
    if (instruction.opcode == "cvt" && widens_part(instruction) &&
        !reads(i, [&](ptx::instruction const& w) { return extends(w, instruction); }))
        e.instructions = 1;
    if (joins_high_word(i) && e.instructions > 1) --e.instructions;
    if (is_extended_by_sum(i) || is_pair_of_words(i)) e.instructions = 0;
    e.beside = e.counts_lanes ? around : stored_constants(instruction);
    e.beside = static_cast<std::uint16_t>(e.beside + cost_of_tile(i) + moved_words(instruction));
    bool const changes_nothing = known_->changes_nothing(i);
    if (changes_nothing) e.instructions = 0;
    absorbed_[i] = !changes_nothing && (joins_extremum(i) || is_absorbed(i));
    bool const in_words = absorbed_[i] && is_wide(instruction) && is_integer_logic(instruction) &&
                          is_integer_logic(from_->instructions[flow_->readers(i).front()]);
    if (in_words) { // the words that its reader computes, too
        auto const own = halves_->logic_words(instruction),
                   joined = halves_->logic_words(from_->instructions[flow_->readers(i).front()]);
        e.instructions = static_cast<std::uint16_t>((own.low && !joined.low) + (own.high && !joined.high));
    } else if (absorbed_[i] || (traits_.finds_shared_memory && is_added_by_access(i))) e.instructions = 0;
    if (is_rotation(i)) e.instructions = 2;
    if (joins_predicates(instruction)) e.instructions = cost_of_predicates(i);
    if (instruction.opcode == "setp" && is_integer(instruction) && ptx::size_of(type_of(instruction)) == 2)
        for (std::size_t part = 1; part < instruction.operands.size(); ++part)
            e.instructions = static_cast<std::uint16_t>(e.instructions + has_upper_part(i, instruction.operands[part]));
    if (is_folded(i)) e.instructions = 0;
    bool const is_rotated = flow_->readers(i).size() == 1 && is_rotation(flow_->readers(i).front());
    if (is_rotated && (instruction.opcode == "shl" || instruction.opcode == "shr")) e.instructions = 0;
    if (e.pipe == pipe::alu) e.may_use_fma = could_multiply(instruction, e.instructions);
}

bool sass_estimator::is_absorbed(std::uint32_t i) {
    auto const& readers = flow_->readers(i);
    if (readers.empty() || flow_->is_confused(i) || updates_itself(i)) return false;
    ptx::instruction const& source = from_->instructions[i];
    if (taken_[i] != 0 && source.facts->fusion == ptx::fusion::sum) return false; // it has its three parts
    if (is_offset(i)) return true;
    bool const single = readers.size() == 1;
    if (is_rotation(i)) return false;
    if (single && is_integer_logic(source) && is_integer_logic(from_->instructions[readers.front()]))
        return joins_logic(i, readers.front());
    if (joins_wide_sum(i)) {
        taken_[readers.front()] = 1;
        return true;
    }
    for (std::uint32_t const reader : readers) {
        if (!absorbs(source, from_->instructions[reader], single) || (single && taken_[reader] != 0)) return false;
        bool const is_before_loop = !loops_->share(i, reader); // it is done once; a sign costs nothing in each round
        bool const is_free = source.facts->fusion == ptx::fusion::sign;
        if (is_before_loop && !is_free && !(is_wide(from_->instructions[reader]) && source.opcode == "mul"))
            return false;
        if (is_product_taken_away(i, reader)) return false;
    }
    if (single) taken_[readers.front()] = 1;
    return true;
}

bool sass_estimator::reads_constant_address(std::uint32_t i) const {
    return reads(i, [&](ptx::instruction const& w) { return w.opcode == "mov" && names_constant(w); });
}

bool sass_estimator::names_constant(ptx::instruction const& w) const {
    auto const& o = w.operands.back();
    if (o.kind == ptx::operand_kind::function_variable) return names_parameter(w);
    return o.kind == ptx::operand_kind::module_variable &&
           kernel_.source->variables[o.index].space == ptx::space::constant;
}

bool sass_estimator::names_parameter(ptx::instruction const& w) const {
    auto const& o = w.operands.back();
    return from_->is_entry && o.kind == ptx::operand_kind::function_variable &&
           from_->variables[o.index].space == ptx::space::param;
}

bool sass_estimator::is_added_to_product(std::uint32_t i) const {
    auto const adds_product = [this](std::uint32_t reader) { // wherever that stands
        return reads(reader, [](ptx::instruction const& w) { return w.opcode == "mul" && has(w, "wide"); });
    };
    for (std::uint32_t const reader : flow_->readers(i)) {
        if (adds_product(reader)) return true;
        if (from_->instructions[reader].opcode != "cvta") continue;
        for (std::uint32_t const next : flow_->readers(reader))
            if (adds_product(next)) return true;
    }
    return false;
}

std::shared_ptr<std::vector<sass_estimate> const> estimates_of(chip_model const& chip, sim::kernel const& kernel,
                                                               function_code const& code) {
    std::lock_guard const only{code.derived->mutex};
    kept_facts& kept = code.derived->of_function;
    if (kept.made_for != chip.capability()) {
        kept.facts = std::make_shared<std::vector<sass_estimate> const>(sass_estimator{chip, kernel}.of(code));
        kept.made_for = chip.capability();
    }
    return std::static_pointer_cast<std::vector<sass_estimate> const>(kept.facts);
}

} // namespace sim
GPUPROF_NAMESPACE_END
