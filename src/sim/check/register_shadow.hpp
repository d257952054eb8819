// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which bytes of a warp's registers hold what nobody wrote.
#ifndef GPUPROF_SRC_SIM_CHECK_REGISTER_SHADOW_HPP
#define GPUPROF_SRC_SIM_CHECK_REGISTER_SHADOW_HPP

#include <array>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "../code/kernel.hpp"
#include "../code/warp.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// Of one register, for the lanes of a warp.
struct register_shadow {
    std::array<lane_mask, 16> unwritten{}; // by byte
    lane_mask derived = 0;                 // the result of arithmetic on what was unwritten
    std::uint32_t origin = 0;              // the instruction that brought it from memory; 0: unknown

    [[nodiscard]] lane_mask any() const noexcept {
        lane_mask all = 0;
        for (lane_mask const one : unwritten) all |= one;
        return all;
    }
    [[nodiscard]] lane_mask any(unsigned first, unsigned count) const noexcept {
        lane_mask all = 0;
        for (unsigned i = first; i < first + count && i < unwritten.size(); ++i) all |= unwritten[i];
        return all;
    }
};

// Registers of functions get numbers as they are first seen to hold something unwritten, so that a
// warp's shadows are few.
class register_numbers {
public:
    // From 1 on; 0: none yet.
    [[nodiscard]] std::uint16_t of(function_code const& f, std::uint32_t code) const {
        auto const found = functions_.find(&f);
        return found == functions_.end() ? std::uint16_t{0} : found->second.numbers[code / 4];
    }
    [[nodiscard]] std::uint16_t get(function_code const& f, std::uint32_t code) {
        table& t = functions_[&f];
        if (t.numbers.empty()) t.numbers.resize(f.frame_bytes / 4 + 1);
        std::uint16_t& number = t.numbers[code / 4];
        if (number == 0) number = ++t.count;
        return number;
    }

private:
    struct table {
        std::vector<std::uint16_t> numbers;
        std::uint16_t count = 0;
    };
    std::unordered_map<function_code const*, table> functions_;
};

// A warp's. Costs nothing while no register holds anything unwritten.
class register_shadows {
public:
    // Whether any register does.
    [[nodiscard]] bool any() const noexcept { return tainted_ != 0; }

    // A function was entered, or left: frames from `depth` on begin anew.
    void cut(std::size_t depth) noexcept {
        while (frames_.size() > depth) {
            for (auto const& one : frames_.back()) tainted_ -= one.any() != 0;
            frames_.pop_back();
        }
    }
    [[nodiscard]] register_shadow const& read(register_numbers const& numbers, call_frame const& frame,
                                              std::size_t depth, operand_ref r) const {
        static register_shadow const clean;
        if ((r.code & operand_ref::in_pool) != 0 || frames_.size() < depth) return clean;
        std::uint16_t const number = numbers.of(*frame.function, r.code);
        auto const& of = frames_[depth - 1];
        return number == 0 || number > of.size() ? clean : of[number - 1u];
    }
    // The lanes get `to`, the others keep theirs.
    void write(register_numbers& numbers, call_frame const& frame, std::size_t depth, operand_ref r, lane_mask lanes,
               register_shadow const& to) {
        bool const clean = (to.any() & lanes) == 0;
        if (clean && (frames_.size() < depth || numbers.of(*frame.function, r.code) == 0)) return;
        if (frames_.size() < depth) frames_.resize(depth);
        auto& of = frames_[depth - 1];
        std::uint16_t const number = numbers.get(*frame.function, r.code);
        if (number > of.size()) {
            if (clean) return;
            of.resize(number);
        }
        register_shadow& at = of[number - 1u];
        tainted_ -= at.any() != 0;
        for (std::size_t i = 0; i < at.unwritten.size(); ++i)
            at.unwritten[i] = (at.unwritten[i] & ~lanes) | (to.unwritten[i] & lanes);
        at.derived = (at.derived & ~lanes) | (to.derived & lanes);
        if (!clean) at.origin = to.origin;
        tainted_ += at.any() != 0;
    }

private:
    std::vector<std::vector<register_shadow>> frames_; // by depth of the call
    std::size_t tainted_ = 0;                          // how many
};

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_CHECK_REGISTER_SHADOW_HPP
