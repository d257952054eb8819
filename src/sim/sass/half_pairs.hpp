// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds operations of 16-bit floats that one instruction does for both halves of a word.
#ifndef GPUPROF_SRC_SIM_SASS_HALF_PAIRS_HPP
#define GPUPROF_SRC_SIM_SASS_HALF_PAIRS_HPP

#include <cstddef>
#include <cstdint>
#include <vector>

#include "../ptx/module.hpp"
#include "def_use.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// Two operations are a pair if their results are packed into a word, and what they are of comes from the halves of words, from other
// such pairs, or is the same number: ptxas makes one instruction of them (HADD2, HMUL2, HFMA2), and the word is there without being
// packed. Instructions go by their number in the function. A view of the function. Immutable.
class half_pairs {
public:
    half_pairs(ptx::function const& of, def_use const& flow);

    // Whether another instruction does the operation, or whether the word that it packs is there already.
    [[nodiscard]] bool is_done(std::uint32_t i) const noexcept { return !done_.empty() && done_[i]; }

private:
    // Who wrote a register that it reads, perhaps as one of several; nobody where the text does not tell.
    [[nodiscard]] std::uint32_t writer_of(std::uint32_t i, std::uint32_t register_index) const;
    // Adds the second operations of the pair, and of those before it, if it is one.
    [[nodiscard]] bool is_pair(std::uint32_t low, std::uint32_t high, std::uint32_t reader_of_low,
                               std::uint32_t reader_of_high, std::vector<std::uint32_t>& second) const;
    [[nodiscard]] bool are_halves(std::uint32_t low, std::uint32_t high, std::size_t operand,
                                  std::vector<std::uint32_t>& second) const;

    ptx::function const& of_;
    def_use const& flow_;
    std::vector<bool> done_; // by instruction; empty where there is none
};

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_SASS_HALF_PAIRS_HPP
