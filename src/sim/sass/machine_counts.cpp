// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "machine_counts.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <set>
#include <string_view>
#include <vector>

#include "block_match.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

namespace {

std::optional<landmark> landmark_of(decoded const& op) {
    bool const shared = op.memory.space == ptx::space::shared;
    bool const counts = shared || op.memory.space == ptx::space::global || op.memory.space == ptx::space::generic;
    switch (op.action) {
        case action::load:
            return counts ? std::optional{shared ? landmark::shared_load : landmark::global_load} : std::nullopt;
        case action::store:
            return counts ? std::optional{shared ? landmark::shared_store : landmark::global_store} : std::nullopt;
        case action::atomic: return shared ? landmark::shared_atomic : landmark::global_atomic;
        case action::load_matrix: return landmark::shared_load;
        case action::store_matrix: return landmark::shared_store;
        case action::copy_async: return landmark::copy;
        case action::barrier:
        case action::barrier_arrive: return landmark::barrier;
        case action::texture: return landmark::texture;
        default: break;
    }
    if (op.info.kind == instruction_kind::inter_thread) return landmark::exchange;
    if (op.info.kind == instruction_kind::matrix) return landmark::matrix;
    return std::nullopt;
}

std::optional<landmark> landmark_of(std::string_view opcode) {
    struct name {
        std::string_view begins;
        landmark is;
    };
    static constexpr name names[]{
        {"LDGSTS", landmark::copy},      {"LDG", landmark::global_load},     {"LDSM", landmark::shared_load},
        {"LDS", landmark::shared_load},  {"STSM", landmark::shared_store},   {"STS", landmark::shared_store},
        {"STG", landmark::global_store}, {"ATOMS", landmark::shared_atomic}, {"ATOM", landmark::global_atomic},
        {"REDUX", landmark::exchange},   {"RED", landmark::global_atomic},   {"BAR", landmark::barrier},
        {"SHFL", landmark::exchange},    {"VOTE", landmark::exchange},       {"MATCH", landmark::exchange},
        {"HMMA", landmark::matrix},      {"IMMA", landmark::matrix},         {"DMMA", landmark::matrix},
        {"TEX", landmark::texture},      {"TLD", landmark::texture},         {"LD.", landmark::global_load},
        {"ST.", landmark::global_store},
    };
    for (name const& each : names)
        if (opcode.starts_with(each.begins)) return each.is;
    return std::nullopt;
}

void count(std::optional<landmark> is, text_block& in) {
    if (is) ++in.landmarks[static_cast<std::size_t>(*is)];
}

static_assert(std::size(float_operations) == operation_kinds);

void count_operations(decoded const& op, sass_estimate const& e, text_block& in) {
    if (e.is_slow_part) return;
    for (std::size_t kind = 0; kind < in.operations.size(); ++kind) {
        int const own = op.info.kind == float_operations[kind].kind ? e.instructions : 0;
        int const inside = e.inside.*float_operations[kind].inside;
        in.operations[kind] = static_cast<std::uint16_t>(in.operations[kind] + own + inside);
        bool const has_predicate = (op.guarded && e.executed_with == 0) || e.predicated_by != 0;
        if (has_predicate) in.predicated[kind] = static_cast<std::uint16_t>(in.predicated[kind] + own);
    }
}

void count_operations(machine_instruction const& i, text_block& in) {
    std::string_view const opcode = std::string_view{i.opcode}.substr(0, i.opcode.find('.'));
    for (std::size_t kind = 0; kind < in.operations.size(); ++kind) {
        if (opcode != float_operations[kind].machine) continue;
        ++in.operations[kind];
        in.predicated[kind] = static_cast<std::uint16_t>(in.predicated[kind] + (i.is_predicated ? 1 : 0));
    }
}

struct text_blocks {
    std::vector<text_block> all;
    std::vector<std::size_t> block_of; // by instruction; none where the block is left out
    static constexpr std::size_t none = ~std::size_t{0};

    // Leaves blocks out that cost nothing.
    void shorten() {
        std::vector<std::size_t> number(all.size() + 1);
        std::vector<text_block> kept;
        auto const stays = [](text_block const& b) { return b.cost != 0 || b.begins_loop || b.ends_loop; };
        for (std::size_t b = 0; b < all.size(); ++b) {
            number[b] = kept.size();
            if (stays(all[b])) kept.push_back(all[b]);
        }
        number[all.size()] = kept.size();
        for (std::size_t b = 0; b < kept.size(); ++b) kept[b].number = b;
        for (text_block& b : kept) b.loop_end = number[b.loop_end];
        for (std::size_t& b : block_of) b = stays(all[b]) ? number[b] : none;
        all = std::move(kept);
    }

    // @param begins by instruction, whether a block does; goes by instruction, where it branches to, and 1
    text_blocks(std::vector<bool> const& begins, std::vector<std::uint32_t> const& goes) {
        for (std::uint32_t i = 0; i < begins.size(); ++i) {
            if (i == 0 || begins[i]) all.push_back({.first = i});
            all.back().last = i;
            block_of.push_back(all.size() - 1);
        }
        std::vector<std::size_t> back;
        for (std::size_t b = 0; b < all.size(); ++b) {
            std::uint32_t const to = goes[all[b].last];
            std::size_t const there = to == 0 ? b + 1 : block_of[to - 1];
            back.push_back(there <= b ? there : b + 1);
        }
        find_depths(all, back);
    }
};

// Whether a branch goes back to an atomic operation that had no effect.
bool spins_before(machine_function const& code, std::size_t branch) {
    constexpr std::size_t longest = 8;
    std::size_t const to = code[branch].target;
    if (to == 0 || to > branch || branch - to > longest) return false;
    for (std::size_t i = to - 1; i < branch; ++i)
        if (code[i].opcode.starts_with("ATOMS.CAST.SPIN")) return true;
    return false;
}

// Whether a branch goes around nothing but the call of a slow way.
bool skips_slow_way(machine_function const& code, std::size_t branch) {
    constexpr std::size_t longest = 24;
    std::size_t const to = code[branch].target;
    if (to <= branch + 1 || to - branch > longest || to > code.size()) return false;
    bool calls = false;
    for (std::size_t i = branch + 1; i + 1 < to; ++i) {
        if (code[i].may_branch && i + 2 != to) return false; // around the way that is not slow
        calls |= code[i].calls_slow_way;
    }
    return calls;
}

text_blocks blocks_of(machine_function const& code) {
    std::vector<bool> begins(code.size()), is_rare(code.size()), is_repeated(code.size());
    std::vector<std::uint32_t> goes(code.size());
    for (std::size_t i = 0; i < code.size(); ++i) {
        if (code[i].opcode == "EXIT" && i + 1 < code.size()) begins[i + 1] = true;
        if (!code[i].may_branch || is_rare[i]) continue;
        if (skips_slow_way(code, i)) { // few threads come there, and the estimate counts them
            for (std::size_t rare = i + 1; rare + 1 < code[i].target; ++rare) is_rare[rare] = true;
            continue;
        }
        if (spins_before(
                code,
                i)) { // an atomic operation on floats in shared memory: the estimate counts the lanes that try again
            for (std::size_t again = code[i].target - 1; again <= i; ++again) is_repeated[again] = true;
            continue;
        }
        goes[i] = code[i].target <= code.size() ? code[i].target : 0;
        if (goes[i] != 0) begins[goes[i] - 1] = true;
        if (i + 1 < code.size()) begins[i + 1] = true;
    }
    text_blocks blocks{begins, goes};
    for (text_block& b : blocks.all) {
        for (std::uint32_t i = b.first; i <= b.last; ++i) {
            if (code[i].opcode == "NOP" || is_rare[i]) continue;
            b.cost += is_repeated[i] ? 0 : 1;
            if (!is_repeated[i]) count_operations(code[i], b);
            auto const is = landmark_of(code[i].opcode);
            if (!is_repeated[i] || is == landmark::shared_atomic) count(is, b);
        }
        b.parts = code[b.last].may_branch && code[b.last].is_predicated && goes[b.last] != 0;
        b.goes_to = goes[b.last];
        for (std::uint32_t i = b.first; i <= b.last; ++i)
            if (code[i].calls_slow_way && !is_rare[i]) b.cost = 0, b.landmarks = {};
    }
    return blocks;
}

unsigned cost_of(sass_estimate const& e) noexcept { return e.is_slow_part ? 0u : unsigned{e.instructions} + e.beside; }

text_blocks blocks_of(function_code const& code, std::span<sass_estimate const> estimates) {
    auto const& text = code.code;
    std::vector<bool> begins(text.size()), becomes_predicate(text.size());
    std::vector<std::uint32_t> goes(text.size());
    for (sass_estimate const& e : estimates.first(text.size()))
        if (e.predicated_by != 0) becomes_predicate[e.predicated_by - 1] = true;
    for (std::uint32_t i = 0; i < text.size(); ++i) {
        bool const branches = text[i].action == action::branch && !becomes_predicate[i] &&
                              !(text[i].guarded && cost_of(estimates[i]) == 0);
        if (branches) {
            goes[i] = text[i].target + 1;
            begins[text[i].target] = true;
        }
        bool const ends = text[i].action == action::exit || text[i].action == action::ret; // some threads, perhaps
        if ((branches || ends || text[i].action == action::branch_indexed) && i + 1 < text.size()) begins[i + 1] = true;
        if (text[i].action == action::branch_indexed) {
            for (std::uint32_t const to : code.branch_tables[text[i].target]) begins[to] = true;
        }
    }
    text_blocks blocks{begins, goes};
    for (std::uint32_t i = 0; i < text.size(); ++i) {
        sass_estimate const& e = estimates[i];
        std::uint32_t const at = e.executed_with != 0 && e.executed_with - 1 < text.size() ? e.executed_with - 1 : i;
        if (i + 1 != text.size())
            blocks.all[blocks.block_of[at]].cost += cost_of(e); // the last is a further end, which nobody reaches
        if (e.instructions != 0) count(landmark_of(text[i]), blocks.all[blocks.block_of[i]]);
        count_operations(text[i], e, blocks.all[blocks.block_of[at]]);
    }
    for (text_block& b : blocks.all) b.goes_to = goes[b.last], b.parts = goes[b.last] != 0 && text[b.last].guarded;
    blocks.all.front().cost += sass_estimator::prologue;
    blocks.shorten();
    return blocks;
}

std::ptrdiff_t calls_in(function_code const& code) {
    return std::count_if(code.code.begin(), code.code.end(),
                         [](decoded const& op) { return op.action == action::call; });
}
std::ptrdiff_t calls_in(machine_function const& code) {
    return std::count_if(code.begin(), code.end(), [](machine_instruction const& i) {
        return i.opcode.starts_with("CALL") && !i.calls_slow_way;
    });
}

// What stands before loops that are unrolled.
std::set<std::uint32_t> before_unrolled(std::span<sass_estimate const> estimates) {
    std::set<std::uint32_t> found;
    for (sass_estimate const& e : estimates)
        if (e.unrolled_from != 0) found.insert(e.unrolled_from - 1);
    return found;
}

void add_beside(std::span<sass_estimate> estimates, std::uint32_t i, int more) {
    std::uint32_t const at = estimates[i].executed_with != 0 ? estimates[i].executed_with - 1 : i;
    estimates[at].beside = static_cast<std::uint16_t>(std::max(0, estimates[at].beside + more));
}

// By kind, whether operations are taken from the machine code.
using known_operations = std::array<bool, operation_kinds>;

// Changes what the instructions of some blocks take, until they take that together.
class corrected_blocks {
public:
    corrected_blocks(function_code const& code, std::span<sass_estimate> estimates, text_blocks const& ptx)
        : code_{code}, estimates_{estimates} {
        members_.resize(ptx.all.size());
        for (std::uint32_t i = 0; i < code.code.size(); ++i) {
            sass_estimate const& e = estimates[i];
            std::uint32_t const at =
                e.executed_with != 0 && e.executed_with - 1 < code.code.size() ? e.executed_with - 1 : i;
            if (ptx.block_of[at] != text_blocks::none) members_[ptx.block_of[at]].push_back(i);
        }
    }

    // Of blocks in a row: `more` than they take, or less, in the first one if possible. Instructions that are done once for several rounds
    // stay, or alone change.
    void change(std::span<text_block const> blocks, int more, bool counting = false) {
        if (more > 0)
            for (std::uint32_t const i : members_[blocks.front().number])
                if (is_plain(i, counting)) {
                    estimates_[i].beside = static_cast<std::uint16_t>(estimates_[i].beside + more);
                    return;
                }
        unsigned less = more < 0 ? static_cast<unsigned>(-more) : 0;
        for (text_block const& b : blocks)
            for (bool const beside : {true, false})
                for (std::uint32_t const i : members_[b.number]) {
                    if (!is_plain(i, counting) || (!beside && !is_arithmetic(i))) continue;
                    std::uint16_t& of = beside ? estimates_[i].beside : estimates_[i].instructions;
                    auto const taken = std::min<unsigned>(less, of);
                    of = static_cast<std::uint16_t>(of - taken);
                    less -= taken;
                }
    }
    // A block does other floating-point operations of some kinds than were estimated, for all threads that come there.
    void operate(text_block const& block, text_block const& machine, known_operations const& known) {
        auto const& members = members_[block.number];
        auto const at = std::find_if(members.begin(), members.end(), [&](std::uint32_t i) {
            decoded const& op = code_.code[i];
            return is_plain(i, false) && !op.guarded && op.action != action::nothing;
        });
        if (at == members.end()) return;
        for (std::size_t kind = 0; kind < block.operations.size(); ++kind) {
            std::int16_t& more = estimates_[*at].inside.*float_operations[kind].inside;
            if (known[kind]) more = static_cast<std::int16_t>(more + machine.operations[kind] - block.operations[kind]);
        }
    }
    // Every warp that comes to the branch executes the instructions of a block, perhaps for no thread.
    void predicate(text_block const& block, std::uint32_t branch) {
        for (std::uint32_t const i : members_[block.number])
            if (!estimates_[i].is_slow_part && estimates_[i].predicated_by == 0)
                estimates_[i].predicated_by = branch + 1;
    }
    // Its branch is done once for four rounds.
    void unroll(text_block const& loop) {
        if (counting(loop) != 0) return;
        sass_estimate& back = estimates_[loop.last];
        back.unrolled_from = loop.first; // what stands before it, and 1
        back.instructions = std::max<std::uint16_t>(back.instructions, 1);
        estimates_[loop.first].entered_from = loop.first;
    }
    // What counts does nothing for rounds that are left.
    void leave_rest_out(text_block const& loop) {
        for (std::uint32_t const i : members_[loop.number])
            estimates_[i].rest_is_predicated = estimates_[i].unrolled_from != 0;
    }
    void roll_up(text_block const& loop) {
        for (std::uint32_t const i : members_[loop.number]) estimates_[i].unrolled_from = 0;
    }
    [[nodiscard]] unsigned counting(text_block const& loop) const {
        unsigned sum = 0;
        for (std::uint32_t const i : members_[loop.number])
            if (estimates_[i].unrolled_from != 0) sum += cost_of(estimates_[i]);
        return sum;
    }

private:
    // Whoever comes to the block executes it.
    [[nodiscard]] bool is_plain(std::uint32_t i, bool counting) const {
        sass_estimate const& e = estimates_[i];
        return !e.is_slow_part && e.predicated_by == 0 && (e.unrolled_from != 0) == counting &&
               code_.code[i].action != action::find_slow_lanes;
    }
    [[nodiscard]] bool is_arithmetic(std::uint32_t i) const {
        using enum instruction_kind;
        instruction_kind const kind = code_.code[i].info.kind;
        return kind == integer || kind == integer_multiply || kind == predicate || kind == bit || kind == move ||
               kind == special_register || kind == parameter_load || kind == conversion || kind == special_function;
    }

    function_code const& code_;
    std::span<sass_estimate> estimates_;
    std::vector<std::vector<std::uint32_t>> members_; // by block, its instructions and those that are done with them
};

// The arms of branches that are long enough to be looked for the other way round, the longest first.
std::vector<branch_arms> arms_in(function_code const& code, std::span<text_block const> blocks) {
    constexpr std::size_t least = 4, most = 12; // blocks of a branch, branches
    auto const& text = code.code;
    auto const block_from = [&](std::size_t instruction) {
        auto const begins = [=](text_block const& b) { return b.first >= instruction; };
        return static_cast<std::size_t>(std::find_if(blocks.begin(), blocks.end(), begins) - blocks.begin());
    };
    std::vector<branch_arms> found;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i].action != action::branch || text[i].target <= i + 1) continue;
        decoded const& last = text[text[i].target - 1];
        bool const leaves = last.action == action::exit || last.action == action::ret;
        bool const jumps = last.action == action::branch && last.target > text[i].target;
        if (last.guarded || !(leaves || jumps)) continue;
        branch_arms const arms{block_from(i + 1), block_from(text[i].target),
                               jumps ? block_from(last.target) : blocks.size()};
        bool const are_level = arms.first < arms.second && arms.second < arms.end && arms.end - arms.first >= least &&
                               blocks[arms.first].depth == blocks[arms.second].depth;
        if (are_level) found.push_back(arms);
    }
    std::stable_sort(found.begin(), found.end(),
                     [](branch_arms const& a, branch_arms const& b) { return a.end - a.first > b.end - b.first; });
    found.resize(std::min(found.size(), most));
    return found;
}

// The match of the block that has an instruction, or begins next behind it; the number of matches if there is none.
std::size_t match_of(std::span<block_match const> matches, std::span<text_block const> blocks,
                     std::uint32_t instruction, std::size_t block_match::*first, std::size_t block_match::*end) {
    std::size_t block = blocks.size();
    for (std::size_t b = 0; b < blocks.size(); ++b)
        if (instruction <= blocks[b].last && (block == blocks.size() || blocks[b].last < blocks[block].last)) block = b;
    auto const has = [&](block_match const& m) { return m.*first <= block && block < m.*end; };
    return static_cast<std::size_t>(std::find_if(matches.begin(), matches.end(), has) - matches.begin());
}

// Branches that end blocks which are the same, and how many of them lead to blocks which are the same.
struct compared_branches {
    unsigned all = 0, alike = 0;
};
compared_branches compare_branches(std::span<block_match const> matches, std::span<text_block const> ptx,
                                   std::span<text_block const> machine) {
    compared_branches found;
    for (block_match const& m : matches) {
        if (m.is != block_match::sort::same || m.ptx == m.ptx_end || m.machine == m.machine_end) continue;
        std::uint32_t const p = ptx[m.ptx_end - 1].goes_to, q = machine[m.machine_end - 1].goes_to;
        if (p == 0 || q == 0) continue;
        ++found.all;
        std::size_t const there = match_of(matches, ptx, p - 1, &block_match::ptx, &block_match::ptx_end);
        std::size_t const here = match_of(matches, machine, q - 1, &block_match::machine, &block_match::machine_end);
        // The machine code goes to the rounds that are left where the PTX goes behind the loop.
        bool const goes_to_rest = here + 1 == there && matches[here].is == block_match::sort::unrolled;
        found.alike += there == here || goes_to_rest;
    }
    return found;
}

// How far texts are apart, their branches included.
unsigned apart_by(matched_texts const& matched, std::span<text_block const> ptx, std::span<text_block const> machine) {
    constexpr unsigned wrong_branch = 10; // in instructions
    auto const branches = compare_branches(matched.matches, ptx, machine);
    return matched.apart + wrong_branch * (branches.all - branches.alike);
}

// The PTX as the machine code has it: arms of its branches may have changed places.
std::optional<matched_texts> match_texts(function_code const& code, std::vector<text_block>& ptx,
                                         std::span<text_block const> machine) {
    auto best = match_blocks(ptx, machine);
    if (!best) return best;
    for (branch_arms arms : arms_in(code, ptx)) {
        std::size_t const before = arms.second - arms.first, both = arms.end - arms.first, first = arms.first;
        auto const is_first = [=](text_block const& b) { return b.number == first; };
        arms.first = static_cast<std::size_t>(std::find_if(ptx.begin(), ptx.end(), is_first) - ptx.begin());
        arms.second = arms.first + before, arms.end = arms.first + both;
        if (arms.end > ptx.size()) continue; // others around it have changed places
        std::vector<text_block> swapped = ptx;
        swap_arms(swapped, arms);
        auto found = match_blocks(swapped, machine);
        if (!found || apart_by(*found, swapped, machine) >= apart_by(*best, ptx, machine)) continue;
        best = std::move(found);
        ptx = std::move(swapped);
    }
    return best;
}

unsigned cost_of(std::span<text_block const> blocks) noexcept {
    unsigned sum = 0;
    for (text_block const& b : blocks) sum += b.cost;
    return sum;
}

// The blocks of a match.
struct matched_blocks {
    std::span<text_block const> ptx, machine;

    matched_blocks(block_match const& match, std::span<text_block const> all_ptx,
                   std::span<text_block const> all_machine)
        : ptx{all_ptx.subspan(match.ptx, match.ptx_end - match.ptx)},
          machine{all_machine.subspan(match.machine, match.machine_end - match.machine)} {}

    // Whether they differ too much to be the same.
    [[nodiscard]] bool are_strange() const noexcept {
        constexpr unsigned few = 8;
        unsigned const p = cost_of(ptx), m = cost_of(machine);
        return p == 0 || m == 0 || m > 2 * p + few || p > 2 * m + few;
    }
};

// Whether most of both texts is found again, and most branches lead to the same blocks: of what is not found nobody knows which blocks of
// the one are in which of the other.
bool are_alike(matched_texts const& matched, std::span<text_block const> ptx, std::span<text_block const> machine) {
    unsigned found_ptx = 0, found_machine = 0;
    for (block_match const& match : matched.matches) {
        matched_blocks const of{match, ptx, machine};
        if (match.is == block_match::sort::unknown || (match.is == block_match::sort::same && of.are_strange()))
            continue;
        found_ptx += cost_of(of.ptx);
        found_machine += cost_of(of.machine);
    }
    auto const branches = compare_branches(matched.matches, ptx, machine);
    return 4 * found_ptx >= 3 * cost_of(ptx) && 4 * found_machine >= 3 * cost_of(machine) &&
           4 * branches.alike >= 3 * branches.all;
}

operation_counts operations_of(std::span<text_block const> blocks) noexcept {
    operation_counts sum{};
    for (text_block const& b : blocks)
        for (std::size_t kind = 0; kind < sum.size(); ++kind)
            sum[kind] = static_cast<std::uint16_t>(sum[kind] + b.operations[kind]);
    return sum;
}

// Where the machine code has others, it is known who executes them: block by block, as many of them have a predicate. One that went from
// there to where that is not so would count twice, or not at all.
known_operations find_operations(matched_texts const& matched, std::span<text_block const> ptx,
                                 std::span<text_block const> machine) {
    known_operations known;
    known.fill(true);
    for (block_match const& match : matched.matches) {
        if (match.is != block_match::sort::same) continue; // rounds of a loop
        matched_blocks const of{match, ptx, machine};
        auto const estimated = operations_of(of.ptx), done = operations_of(of.machine);
        bool const is_one = of.ptx.size() == 1 && of.machine.size() == 1 && !of.are_strange();
        for (std::size_t kind = 0; kind < known.size(); ++kind)
            known[kind] =
                known[kind] && (estimated[kind] == done[kind] ||
                                (is_one && of.ptx.front().predicated[kind] == of.machine.front().predicated[kind]));
    }
    return known;
}

int difference(unsigned a, unsigned b) noexcept { return static_cast<int>(a) - static_cast<int>(b); }

} // namespace

bool correct_by_machine_code(function_code const& code, machine_function const& machine,
                             std::span<sass_estimate> estimates) {
    if (machine.empty() || code.code.empty() || calls_in(code) != calls_in(machine))
        return false;                              // ptxas inlines calls
    estimates = estimates.first(code.code.size()); // those of functions that it calls follow
    std::vector<sass_estimate> const untouched(estimates.begin(), estimates.end());
    for (std::uint32_t const i : before_unrolled(estimates)) add_beside(estimates, i, -int{unrolled_loop::around});
    text_blocks ptx = blocks_of(code, estimates);
    text_blocks const other = blocks_of(machine);
    corrected_blocks to{code, estimates, ptx};
    auto const matched = match_texts(code, ptx.all, other.all);
    if (!matched || !are_alike(*matched, ptx.all, other.all)) {
        std::copy(untouched.begin(), untouched.end(), estimates.begin());
        return false;
    }
    known_operations const operations = find_operations(*matched, ptx.all, other.all);
    for (block_match const& match : matched->matches) {
        if (match.ptx == match.ptx_end) continue;
        matched_blocks const of{match, ptx.all, other.all};
        std::span<text_block const> const blocks = of.ptx;
        text_block const& first = blocks.front();
        if (match.is == block_match::sort::unknown) {
            for (std::uint32_t const before : before_unrolled(estimates))
                if (before + 1 >= first.first && before < blocks.back().last)
                    add_beside(estimates, before, unrolled_loop::around);
            continue;
        }
        if (match.is == block_match::sort::unrolled) {
            auto const found = find_unrolled(first, other.all, match);
            if (!found || first.first == 0) continue;
            to.unroll(first);
            unsigned const was = to.counting(first);
            unsigned const four = found->cost * unrolled_loop::at_once / found->at_once;
            unsigned round = (four - std::min(four, 1u)) / unrolled_loop::at_once;
            if (found->one) round = std::min(round, (four - std::min(four, *found->one) + 1) / 3);
            to.change(blocks, difference(round, first.cost - was));
            to.change(blocks, difference(four - round * unrolled_loop::at_once, was), true);
            unsigned around = found->around;
            if (found->rest_is_predicated) {
                to.leave_rest_out(first);
                around -= std::min(around, (unrolled_loop::at_once - 1) * round); // which each of them takes, too
            }
            add_beside(estimates, first.first - 1, static_cast<int>(around));
            continue;
        }
        unsigned cost = cost_of(of.machine);
        unsigned const estimated = cost_of(blocks);
        if (match.is == block_match::sort::straight) {
            auto const found = find_straight(ptx.all, other.all, match);
            if (!found) continue;
            text_block const& loop = ptx.all[found->loop];
            cost -= std::min(cost, estimated - loop.cost);
            to.roll_up(loop);
            to.change({&loop, 1}, difference(cost / found->rounds, loop.cost));
            to.change({&(loop.number == first.number ? blocks[1] : first), 1}, static_cast<int>(cost % found->rounds));
            continue;
        }
        if (of.are_strange()) continue;
        if (first.begins_loop && first.ends_loop) to.roll_up(first);
        to.change(blocks, difference(cost, estimated));
        if (blocks.size() == 1 && of.machine.size() == 1) to.operate(first, of.machine.front(), operations);
        // Arms behind the first block that ends with a branch became predicates.
        auto const head = std::find_if(blocks.begin(), blocks.end(), [](text_block const& b) { return b.parts; });
        if (match.machine_end - match.machine == 1 && head != blocks.end())
            for (auto arm = head + 1; arm != blocks.end(); ++arm) to.predicate(*arm, head->last);
    }
    return true;
}

} // namespace sim
GPUPROF_NAMESPACE_END
