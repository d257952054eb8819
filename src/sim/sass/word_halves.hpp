// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds out which words of 64-bit integers are computed: machine code has instructions of 32 bits, one for each.
#ifndef GPUPROF_SRC_SIM_SASS_WORD_HALVES_HPP
#define GPUPROF_SRC_SIM_SASS_WORD_HALVES_HPP

#include <cstdint>
#include <optional>
#include <vector>

#include "../ptx/module.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// By register: a word that nobody needs is not computed, nor is one that is known to be zero or that is another number's word.
// Every instruction that writes a register counts, and every one that reads it. Immutable, but a view of the function.
class word_halves {
public:
    struct halves {
        bool low = false;
        bool high = false;
        friend bool operator==(halves const&, halves const&) = default;
    };

    explicit word_halves(ptx::function const& of);

    // The 32-bit instructions of a logic operation, a shift by a constant, a sum, a product, a choice or a move of 64-bit integers;
    // nothing for others.
    [[nodiscard]] std::optional<std::uint16_t> instructions(ptx::instruction const& i) const;

    // The words that a logic operation of 64-bit integers computes.
    [[nodiscard]] halves logic_words(ptx::instruction const& i) const;

    // The words of a 64-bit register that hold something: needed, and not known to be zero.
    [[nodiscard]] unsigned words(std::uint32_t register_index) const noexcept {
        halves const needed = needed_[register_index], zeros = zeros_[register_index];
        return unsigned{needed.low && !zeros.low} + unsigned{needed.high && !zeros.high};
    }

private:
    [[nodiscard]] halves zeros_of(ptx::operand const& o) const noexcept;
    [[nodiscard]] halves zeros_given(ptx::instruction const& i) const noexcept;
    [[nodiscard]] halves needed_of(ptx::operand const& o) const noexcept;
    // The words of an operand that the instruction reads.
    [[nodiscard]] halves read(ptx::instruction const& i, ptx::operand const& o) const noexcept;

    void find_zeros(ptx::function const& of);
    void find_needed(ptx::function const& of);

    std::vector<halves> zeros_; // by register
    std::vector<halves> needed_;
};

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_SASS_WORD_HALVES_HPP
