// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds warps that ask memory for the same over and over.
#ifndef GPUPROF_SRC_SIM_EXECUTE_POLL_WATCH_HPP
#define GPUPROF_SRC_SIM_EXECUTE_POLL_WATCH_HPP

#include <algorithm>
#include <cstdint>
#include <utility>

#include <gpuprof/detail/config.hpp>

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// What a warp asks: atomics, volatile and ordered loads, tests of mbarriers. A loop that gets the same answers for long
// waits for somebody else, who had better have a turn. A loop that counts, or looks at a clock, waits all the same.
// Cost: a comparison for each such instruction, until it has come again some thousand times.
class poll_watch {
public:
    // The warp's turn begins. @param time in steps of its CTA, as below
    void begin_turn(std::uint64_t time) noexcept {
        turn_began_ = time;
        same_ = 0;
        is_first_ = true;
        moved_ = false;
        waits_ = false;
    }
    // It did what others may wait for, or got what it waited for.
    void moved() noexcept {
        visits_ = turns_ = 0;
        moved_ = true;
    }
    // It asked an mbarrier in vain.
    void waits() noexcept { waits_ = true; }
    // Whether it may be in a loop that asks.
    [[nodiscard]] bool is_asking() const noexcept { return visits_ != 0; }

    // It asked. @param pc of the instruction. @param warps of the CTA
    // @param of_all whether CTAs that it does not know may answer
    // @param answer gives a number of addresses and values, called only when the loop has gone on for long
    // @return whether its turn had better end
    template <class Answer>
    [[nodiscard]] bool asks(std::uint32_t pc, std::uint64_t time, std::uint64_t warps, bool of_all,
                            Answer const& answer) {
        if (pc != pc_) { // one of several in the loop, or of another loop
            if (++others_ > most_in_loop) {
                pc_ = pc;
                others_ = 0;
                moved();
            } else if (visits_ >= patience_) {
                answers_ = mixed(answers_, answer());
            }
            return false;
        }
        others_ = 0;
        std::uint64_t const since = time - std::exchange(asked_at_, time);
        bool const is_first = std::exchange(is_first_, false);
        if ((std::min)(since, time - turn_began_) > longest_loop) moved();
        if (++visits_ <= patience_) return false;
        std::uint64_t const now = mixed(std::exchange(answers_, 0), answer());
        if (std::exchange(before_, now) != now) {
            if (visits_ != patience_ + 1) moved();
            same_ = 0;
            return false;
        }
        of_all_ = of_all;
        if (is_first) turns_ = since <= longest_loop_of_warps * warps ? turns_ + 1 : 0;
        if (++same_ < enough) return false;
        patience_ = enough;
        return true;
    }

    // Whether it did nothing but ask in vain in the last turn.
    [[nodiscard]] bool is_stuck() const noexcept { return !moved_ && (waits_ || same_ >= enough); }
    // Whether it asks in vain in each of its turns, and the whole CTA does not do more meanwhile than go around a loop:
    // that has a barrier.
    [[nodiscard]] bool is_stuck_with_others() const noexcept { return turns_ >= enough; }
    [[nodiscard]] bool asks_all() const noexcept { return of_all_ && (same_ >= enough || turns_ >= enough); }

private:
    static constexpr std::uint32_t most_in_loop = 8;           // instructions that ask
    static constexpr std::uint64_t longest_loop = 256;         // in instructions of the warp
    static constexpr std::uint64_t longest_loop_of_warps = 64; // of each of all warps
    static constexpr std::uint32_t enough = 8;                 // answers that are the same

    [[nodiscard]] static std::uint64_t mixed(std::uint64_t a, std::uint64_t b) noexcept {
        return (a ^ b) * 0x9e37'79b9'7f4a'7c15;
    }

    std::uint32_t pc_ = ~std::uint32_t{0};
    std::uint32_t others_ = 0;      // that asked since the one at pc_ did
    std::uint32_t visits_ = 0;      // of pc_
    std::uint32_t patience_ = 1024; // visits before answers are compared
    std::uint32_t turns_ = 0;       // one after the other that began with the same answer
    std::uint32_t same_ = 0;        // answers in a row, in this turn
    std::uint64_t asked_at_ = 0;
    std::uint64_t turn_began_ = 0;
    std::uint64_t answers_ = 0; // since the visit before
    std::uint64_t before_ = 0;
    bool of_all_ = false;
    bool is_first_ = false; // that asks in this turn, as all below
    bool moved_ = false;
    bool waits_ = false;
};

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_EXECUTE_POLL_WATCH_HPP
