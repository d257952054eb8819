// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "block_match.hpp"

#include <algorithm>
#include <limits>
#include <utility>

GPUPROF_NAMESPACE_BEGIN
namespace sim {

namespace {

// What makes two texts differ, in instructions.
namespace apart {
constexpr unsigned length = 40;  // most, by the length of blocks alone
constexpr unsigned landmark = 4; // that only one of two blocks has
constexpr unsigned most_landmarks = 8;
constexpr unsigned predicated = 8, most_predicated = 10; // instructions that one, and the most that this is
constexpr unsigned parts = 3;                            // only one ends with a branch
constexpr unsigned joined = 2;                           // a further block in the same match
constexpr unsigned both_joined = 8;                      // and more of both texts
constexpr unsigned alone = 8;     // a block that the other text lacks there, and as many again by its instructions
constexpr unsigned unrolled = 4;  // rounds at once
constexpr unsigned unknown = 150; // loops that are not the other's
} // namespace apart

constexpr std::size_t most_ptx = 12, most_machine = 8; // blocks in a match
constexpr std::size_t most_around = 3;                 // of a loop without one in the machine code

// Blocks of a text in a row.
struct block_row {
    unsigned cost = 0, begins = 0, ends = 0, depth = 0;
    std::size_t blocks = 0;
    bool is_level = true;     // one depth
    bool parts = false;       // the last one does
    unsigned conditional = 0; // instructions behind a block that does
    std::array<unsigned, landmark_kinds> landmarks{};
    unsigned operations = 0; // of floats

    void add(text_block const& b) noexcept {
        is_level &= blocks == 0 || depth == b.depth;
        depth = b.depth;
        if (parts) conditional += b.cost;
        parts = b.parts;
        ++blocks;
        cost += b.cost;
        begins += b.begins_loop;
        ends += b.ends_loop;
        for (std::size_t k = 0; k < landmark_kinds; ++k) landmarks[k] += b.landmarks[k];
        for (std::uint16_t const n : b.operations) operations += n;
    }
    [[nodiscard]] bool has_landmarks() const noexcept { return landmarks != decltype(landmarks){}; }
    // A loop of one block that shows by its operations alone how many rounds it does at once.
    [[nodiscard]] bool shows_operations() const noexcept {
        return blocks == 1 && begins == 1 && ends == 1 && operations != 0 && !has_landmarks();
    }
};

constexpr unsigned rounds_at_once[]{4, 2, 8, 16}; // the first is what ptxas does mostly

constexpr unsigned distance(unsigned a, unsigned b) noexcept { return a < b ? b - a : a - b; }
// Instructions that only one has: few for the length of a long one, nearly all for a short one.
constexpr unsigned apart_by(unsigned a, unsigned b) noexcept {
    return apart::length * distance(a, b) / (apart::length / 2 + std::max(a, b));
}

// How far apart; none if they cannot be the same.
std::optional<unsigned> apart_by(block_row const& ptx, block_row const& machine) {
    if (!ptx.is_level || !machine.is_level || ptx.depth != machine.depth || ptx.begins != machine.begins ||
        ptx.ends != machine.ends)
        return std::nullopt;
    if (ptx.shows_operations() && machine.shows_operations())
        for (unsigned const times : rounds_at_once)
            if (machine.operations == times * ptx.operations) return std::nullopt;
    unsigned sum =
        apart_by(ptx.cost, machine.cost) + apart::joined * static_cast<unsigned>(ptx.blocks + machine.blocks - 2);
    sum += apart::both_joined * static_cast<unsigned>(std::min(ptx.blocks, machine.blocks) - 1);
    if (ptx.parts != machine.parts) sum += apart::parts;
    if (machine.blocks == 1)
        sum += std::min(ptx.conditional / apart::predicated, apart::most_predicated); // few become predicates
    unsigned landmarks = 0;
    for (std::size_t k = 0; k < landmark_kinds; ++k) landmarks += distance(ptx.landmarks[k], machine.landmarks[k]);
    return sum + apart::landmark * std::min(landmarks, apart::most_landmarks);
}

// A block that the other text lacks there.
std::optional<unsigned> apart_alone(text_block const& b) {
    if (b.begins_loop || b.ends_loop) return std::nullopt;
    unsigned landmarks = 0;
    for (std::uint16_t const n : b.landmarks) landmarks += n;
    return apart::alone + std::min(b.cost, apart::alone) + std::min(landmarks, apart::most_landmarks / 2);
}

// Arms of branches may stand elsewhere in the machine code: pairs those that are alone.
void pair_blocks(std::span<text_block const> ptx, std::span<text_block const> machine,
                 std::vector<block_match>& matches) {
    for (block_match& one : matches) {
        if (one.is != block_match::sort::same || one.machine != one.machine_end || one.ptx_end - one.ptx != 1) continue;
        text_block const& b = ptx[one.ptx];
        block_match* best = nullptr;
        unsigned least = apart::alone + 1;
        for (block_match& other : matches) {
            if (other.is != block_match::sort::same || other.ptx != other.ptx_end ||
                other.machine_end - other.machine != 1)
                continue;
            text_block const& m = machine[other.machine];
            block_row of_ptx, of_machine;
            of_ptx.add(b);
            of_machine.add(m);
            auto const by = apart_by(of_ptx, of_machine);
            if (by && *by < least) least = *by, best = &other;
        }
        if (best == nullptr) continue;
        one.machine = best->machine;
        one.machine_end = best->machine_end;
        best->machine_end = best->machine;
    }
}

bool is_single(text_block const& b) noexcept { return b.begins_loop && b.ends_loop; }

bool has_times(block_row const& many, block_row const& round, unsigned times) noexcept {
    for (std::size_t k = 0; k < landmark_kinds; ++k)
        if (many.landmarks[k] != times * round.landmarks[k]) return false;
    return !round.shows_operations() || many.operations == times * round.operations;
}

// Where a text has been matched up to.
struct matched_up_to {
    unsigned apart = std::numeric_limits<unsigned>::max();
    block_match by; // the match that ends here
};

} // namespace

std::optional<unrolled_rounds> find_unrolled(text_block const& loop, std::span<text_block const> machine,
                                             block_match const& match) {
    unrolled_rounds found;
    block_row round;
    round.add(loop);
    bool const is_shown = round.shows_operations(); // short loops share most of their instructions
    std::size_t loop_end = 0;
    unsigned left = 0; // rounds that are done at once behind it, of those that are left
    for (std::size_t i = match.machine; i < match.machine_end;) {
        text_block const& b = machine[i];
        std::size_t const end = b.begins_loop ? b.loop_end : i + 1;
        if (end > match.machine_end) return std::nullopt;
        block_row part; // a block, or a loop
        for (; i < end; ++i) part.add(machine[i]);
        bool const is_plain = b.depth + 1 == loop.depth && part.begins == 0 && part.ends == 0;
        bool const has_rounds = part.has_landmarks() || part.operations != 0;
        bool const is_loop = part.is_level && b.depth == loop.depth && part.begins == 1;
        if (found.at_once == 0 && is_loop) {
            for (unsigned const times : rounds_at_once)
                if (has_times(part, round, times) && (is_shown || 2 * part.cost > times * loop.cost))
                    found.at_once = times;
            if (found.at_once == 0) return std::nullopt;
            found.cost = part.cost;
        } else if (found.at_once == 4 && left == 0 && is_plain && has_times(part, round, 2) && part.cost > loop.cost) {
            left = 2;
        } else if (found.at_once == 4 && left == 0 && is_plain && has_rounds && has_times(part, round, 3)) {
            found.rest_is_predicated = true;
            found.around += part.cost;
            left = 1;
        } else if (left == 2 && (is_loop || (is_plain && 2 * part.cost > loop.cost)) && has_times(part, round, 1)) {
            found.one = part.cost;
            left = 1;
        } else if (left == 1 || !is_plain || part.has_landmarks()) {
            return std::nullopt;
        } else {
            found.around += part.cost;
        }
        if (is_loop && left == 0) loop_end = i;
    }
    if (found.at_once == 0 || left == 2 || (left == 0 && loop_end != match.machine_end)) return std::nullopt;
    return found;
}

std::optional<straight_rounds> find_straight(std::span<text_block const> ptx, std::span<text_block const> machine,
                                             block_match const& match) {
    constexpr unsigned most_rounds = 256;
    std::optional<straight_rounds> found;
    block_row outside, straight;
    for (std::size_t i = match.ptx; i < match.ptx_end; ++i) {
        if (!is_single(ptx[i])) {
            outside.add(ptx[i]);
            continue;
        }
        if (found) return std::nullopt;
        found = {i, 0};
    }
    for (std::size_t i = match.machine; i < match.machine_end; ++i) straight.add(machine[i]);
    if (!found || outside.blocks == 0 || !outside.is_level || !straight.is_level || outside.depth != straight.depth ||
        ptx[found->loop].depth != outside.depth + 1 || outside.begins != straight.begins ||
        outside.ends != straight.ends)
        return std::nullopt;
    text_block const& loop = ptx[found->loop];
    for (std::size_t k = 0; k < landmark_kinds && found->rounds == 0; ++k)
        if (loop.landmarks[k] != 0 && straight.landmarks[k] > outside.landmarks[k])
            found->rounds = (straight.landmarks[k] - outside.landmarks[k]) / loop.landmarks[k];
    if (found->rounds < 2 || found->rounds > most_rounds || 2 * straight.cost < found->rounds * loop.cost)
        return std::nullopt;
    for (std::size_t k = 0; k < landmark_kinds; ++k)
        if (straight.landmarks[k] != outside.landmarks[k] + found->rounds * loop.landmarks[k]) return std::nullopt;
    return found;
}

std::optional<matched_texts> match_blocks(std::span<text_block const> ptx, std::span<text_block const> machine) {
    constexpr std::size_t most_pairs = 400'000;
    if (ptx.empty() || machine.empty() || ptx.size() > most_pairs / machine.size()) return std::nullopt;
    std::size_t const width = machine.size() + 1;
    std::vector<matched_up_to> all((ptx.size() + 1) * width);
    all[0].apart = 0;
    for (std::size_t p = 0; p <= ptx.size(); ++p)
        for (std::size_t m = 0; m <= machine.size(); ++m) {
            unsigned const so_far = all[p * width + m].apart;
            if (so_far == matched_up_to{}.apart) continue;
            auto const reach = [&](std::size_t ptx_end, std::size_t machine_end, unsigned apart, block_match::sort is) {
                matched_up_to& there = all[ptx_end * width + machine_end];
                if (so_far + apart < there.apart) there = {so_far + apart, {p, ptx_end, m, machine_end, is}};
            };
            if (p < ptx.size())
                if (auto const by = apart_alone(ptx[p])) reach(p + 1, m, *by, block_match::sort::same);
            if (m < machine.size())
                if (auto const by = apart_alone(machine[m])) reach(p, m + 1, *by, block_match::sort::same);
            block_row of_ptx;
            for (std::size_t i = p; i < std::min(ptx.size(), p + most_ptx); ++i) {
                of_ptx.add(ptx[i]);
                block_row of_machine;
                for (std::size_t j = m; j < std::min(machine.size(), m + most_machine); ++j) {
                    of_machine.add(machine[j]);
                    if (auto const by = apart_by(of_ptx, of_machine)) reach(i + 1, j + 1, *by, block_match::sort::same);
                }
            }
            if (p == ptx.size()) continue;
            if (is_single(ptx[p])) {
                constexpr std::size_t most = 9;
                for (std::size_t n = 1; n <= most && m + n <= machine.size(); ++n)
                    if (auto const found = find_unrolled(ptx[p], machine, {p, p + 1, m, m + n}))
                        reach(p + 1, m + n, apart::unrolled + apart_by(found->at_once * ptx[p].cost, found->cost),
                              block_match::sort::unrolled);
            }
            for (std::size_t i = p; i < std::min(ptx.size(), p + most_around); ++i) {
                if (!is_single(ptx[i])) continue;
                for (std::size_t end = i + 1; end <= std::min(ptx.size(), p + most_around); ++end)
                    for (std::size_t n = 1; n <= most_around && m + n <= machine.size(); ++n)
                        if (find_straight(ptx, machine, {p, end, m, m + n}))
                            reach(end, m + n, apart::unrolled + apart::joined * static_cast<unsigned>(end - p + n - 2),
                                  block_match::sort::straight);
            }
            if (ptx[p].begins_loop) { // a loop that is not known again: none of the other text, or up to four
                std::size_t const end = ptx[p].loop_end;
                reach(end, m, apart::unknown, block_match::sort::unknown);
                std::size_t j = m;
                constexpr std::size_t most_loops = 4, most_between = 6;
                for (std::size_t loops = 0; loops < most_loops; ++loops) {
                    std::size_t const from = j;
                    while (loops != 0 && j < machine.size() && !machine[j].begins_loop && j - from < most_between) ++j;
                    if (j == machine.size() || !machine[j].begins_loop) break;
                    j = machine[j].loop_end;
                    reach(end, j, apart::unknown, block_match::sort::unknown);
                }
            }
        }
    if (all.back().apart == matched_up_to{}.apart) return std::nullopt;
    std::vector<block_match> matches;
    for (std::size_t at = all.size() - 1; at != 0;) {
        block_match const& by = all[at].by;
        matches.push_back(by);
        at = by.ptx * width + by.machine;
    }
    std::reverse(matches.begin(), matches.end());
    pair_blocks(ptx, machine, matches);
    return matched_texts{std::move(matches), all.back().apart};
}

void swap_arms(std::vector<text_block>& blocks, branch_arms const& arms) {
    std::size_t const before = arms.second - arms.first, behind = arms.end - arms.second;
    for (std::size_t i = arms.first; i < arms.end; ++i)
        if (blocks[i].loop_end != 0)
            blocks[i].loop_end = i < arms.second ? blocks[i].loop_end + behind : blocks[i].loop_end - before;
    auto const at = [&](std::size_t i) { return blocks.begin() + static_cast<std::ptrdiff_t>(i); };
    std::rotate(at(arms.first), at(arms.second), at(arms.end));
}

void find_depths(std::span<text_block> blocks, std::span<std::size_t const> goes_back) {
    std::vector<std::size_t> ends(blocks.size(), 0); // by the block that begins a loop, its last and 1
    for (std::size_t i = 0; i < blocks.size(); ++i)
        if (goes_back[i] <= i) ends[goes_back[i]] = i + 1;
    for (std::size_t first = 0; first < blocks.size(); ++first) {
        if (ends[first] == 0) continue;
        for (std::size_t i = first; i < ends[first]; ++i) ++blocks[i].depth;
        blocks[first].begins_loop = true;
        blocks[first].loop_end = ends[first];
        blocks[ends[first] - 1].ends_loop = true;
    }
}

} // namespace sim
GPUPROF_NAMESPACE_END
