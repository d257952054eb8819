// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds the loops that ptxas unrolls.
#ifndef GPUPROF_SRC_SIM_SASS_UNROLLING_HPP
#define GPUPROF_SRC_SIM_SASS_UNROLLING_HPP

#include <cstdint>
#include <utility>
#include <vector>

#include "../ptx/module.hpp"
#include "def_use.hpp"
#include "loops.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// A loop that counts, and ends nowhere else, of which ptxas does four rounds at once. What counts and compares is done once for them;
// what is left of a number of rounds is done by two and by one.
struct unrolled_loop {
    loops::interval text;
    std::vector<std::uint32_t> counting;   // adds a constant to a register, compares, goes back
    static constexpr unsigned at_once = 4; // rounds
    static constexpr std::uint16_t around =
        6; // instructions that choose between the parts, once for each time it is entered

    // How often a warp counts that enters the loop so many times for so many rounds.
    [[nodiscard]] static constexpr std::uint64_t counts(std::uint64_t rounds, std::uint64_t entered) noexcept {
        if (entered == 0) return rounds;
        std::uint64_t const each = rounds / entered, rest = each % at_once;
        std::uint64_t const done = each / at_once + (rest >= 2) + (rest & 1);
        return done * entered + (rounds - each * entered) / at_once;
    }
    // And how often it does that number of rounds at once.
    [[nodiscard]] static constexpr std::uint64_t together(std::uint64_t rounds, std::uint64_t entered) noexcept {
        if (entered == 0) return 0;
        return rounds / entered / at_once * entered + rounds % entered / at_once;
    }
};

// @param cost of an instruction, in machine instructions
template <class Cost>
[[nodiscard]] std::vector<unrolled_loop> unrolled_loops(ptx::function const& of, def_use const& flow, loops const& all,
                                                        Cost cost);

// The instructions by which a loop counts; empty where it does not, or goes on by something else.
[[nodiscard]] std::vector<std::uint32_t> counting_of(ptx::function const& of, def_use const& flow, loops const& all,
                                                     loops::interval const& loop);

// Whether the text shows how often a loop counts that has this comparison.
[[nodiscard]] bool knows_rounds(ptx::function const& of, loops::interval const& loop, std::uint32_t compares);
[[nodiscard]] bool has_global_atomics(ptx::function const& of, loops::interval const& loop);
// The loads in it, from whatever memory.
[[nodiscard]] unsigned loads_of(ptx::function const& of, loops::interval const& loop);

// ptxas 13.0 for sm_90 unrolls loops of up to 43 instructions and not 48, of up to 15 loads; where it knows how often they go around, up
// to 53 instructions and not 57, up to 24 loads and not 32. None with atomic operations in global memory.
template <class Cost>
std::vector<unrolled_loop> unrolled_loops(ptx::function const& of, def_use const& flow, loops const& all, Cost cost) {
    struct limits {
        unsigned instructions, loads;
    };
    constexpr limits of_any{46, 15}, of_known_rounds{54, 31};
    constexpr unsigned longest_part = 8; // a division is a call, perhaps
    std::vector<unrolled_loop> found;
    for (loops::interval const& loop : all.all()) {
        unsigned instructions = 0, most = 0;
        for (std::uint32_t i = loop.first; i <= loop.last && instructions <= of_known_rounds.instructions; ++i) {
            instructions += cost(i);
            most = cost(i) > most ? cost(i) : most;
        }
        if (instructions > of_known_rounds.instructions || most >= longest_part) continue;
        auto counting = counting_of(of, flow, all, loop);
        if (counting.empty()) continue;
        limits const here = knows_rounds(of, loop, counting.front()) ? of_known_rounds : of_any;
        if (instructions <= here.instructions && loads_of(of, loop) <= here.loads && !has_global_atomics(of, loop))
            found.push_back({loop, std::move(counting)});
    }
    return found;
}

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_SASS_UNROLLING_HPP
