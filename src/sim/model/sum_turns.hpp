// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums that shared memory does not make by itself, as those of floats, and the turns that lanes and warps take in them.
#ifndef GPUPROF_SRC_SIM_MODEL_SUM_TURNS_HPP
#define GPUPROF_SRC_SIM_MODEL_SUM_TURNS_HPP

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "shared_banks.hpp"
#include "warp_moment.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// What a warp does for a sum.
struct sum_cost {
    std::uint64_t rounds = 0;     // of its loop
    std::uint64_t waits = 0;      // rounds before the first of its lanes succeeds
    std::uint64_t lanes = 0;      // in its rounds, all together
    std::uint64_t wavefronts = 0; // of shared memory
};

// The machine loads, adds, compares and swaps. One lane of each address succeeds, and the others begin again. Warps that come from a
// barrier go round together: of each round it is the first warp's swap that succeeds, and the others wait for their turn, going round.
// After their first sum they are out of step. So an H200 counts it (tests/hardware/last_l2_counts.txt, shared_float and
// shared_float_one_address): 1 round a warp where no lanes meet, 145 where 8 warps add to one word: 32 of its own and as many for
// each warp before it, 144 in the mean.
class sum_turns {
public:
    // @param now null in `at` for a warp of which nothing is known: it is alone
    [[nodiscard]] sum_cost add(memory_access const& access, warp_moment const& now) noexcept {
        bool const in_step = now.at != nullptr && now.loads == 0 && begins_sums(now);
        std::array<std::uint32_t, warp_size> turns; // in which a lane's swap succeeds
        for (lane_mask left = access.active; left != 0; left &= left - 1) {
            auto const lane = static_cast<unsigned>(std::countr_zero(left));
            lane_mask before = access.active & ((lane_mask{1} << lane) - 1);
            std::uint32_t turn = 0;
            for (; before != 0 && turn == 0; before &= ~std::bit_floor(before)) {
                auto const other = static_cast<unsigned>(std::bit_width(before)) - 1;
                if (access.address[other] == access.address[lane]) turn = turns[other];
            }
            if (in_step) turn = std::max(turn, turns_taken(access.address[lane], now));
            turns[lane] = turn + 1;
        }
        for (lane_mask left = in_step ? access.active : 0; left != 0; left &= left - 1) {
            auto const lane = static_cast<unsigned>(std::countr_zero(left));
            words_[place(access.address[lane])] = {access.address[lane], now, turns[lane]};
        }
        return cost(access, turns);
    }

private:
    struct word {
        std::uint64_t address = 0;
        warp_moment moment;
        std::uint32_t turns = 0; // that were taken since the barrier
    };

    // Whether it is the warp's first sum since the barrier.
    [[nodiscard]] bool begins_sums(warp_moment const& now) noexcept {
        warp_moment& last = last_sums_[now.warp];
        bool const is_first = !last.same_phase(now);
        last = now;
        return is_first;
    }
    [[nodiscard]] std::uint32_t turns_taken(std::uint64_t address, warp_moment const& now) const noexcept {
        word const& last = words_[place(address)];
        return last.address == address && last.moment.same_phase(now) && last.moment.at == now.at ? last.turns : 0;
    }
    [[nodiscard]] std::size_t place(std::uint64_t address) const noexcept { return address / 4 % words_.size(); }

    // Each round loads and swaps: the swap takes its address and two values, a wavefront more than the load.
    [[nodiscard]] static sum_cost cost(memory_access const& access,
                                       std::array<std::uint32_t, warp_size> const& turns) noexcept {
        memory_access load = access;
        load.operation = memory_operation::load;
        load.pattern = address_pattern::any;
        sum_cost total;
        while (load.active != 0) { // the lanes that go round until the next of them is through
            std::uint32_t next = ~std::uint32_t{0};
            for (lane_mask left = load.active; left != 0; left &= left - 1)
                next = std::min(next, turns[static_cast<std::size_t>(std::countr_zero(left))]);
            std::uint64_t const rounds = next - total.rounds;
            if (total.rounds == 0) total.waits = rounds - 1;
            total.wavefronts += rounds * (2 * shared_wavefronts(load).wavefronts + 1);
            total.lanes += rounds * static_cast<std::uint64_t>(std::popcount(load.active));
            total.rounds = next;
            for (lane_mask left = load.active; left != 0; left &= left - 1)
                if (turns[static_cast<std::size_t>(std::countr_zero(left))] == next)
                    load.active &= ~(left & (~left + 1));
        }
        return total;
    }

    std::array<word, 32> words_{};            // by address
    std::array<warp_moment, 32> last_sums_{}; // by warp
};

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_MODEL_SUM_TURNS_HPP
