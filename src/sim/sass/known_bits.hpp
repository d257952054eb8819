// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds bits of integers that are always 0: a mask that only takes those away is not computed.
#ifndef GPUPROF_SRC_SIM_SASS_KNOWN_BITS_HPP
#define GPUPROF_SRC_SIM_SASS_KNOWN_BITS_HPP

#include <cstdint>
#include <vector>

#include "../ptx/module.hpp"
#include "def_use.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// Every instruction that writes a register counts. Immutable, but a view of the function and its flow.
class known_bits {
public:
    known_bits(ptx::function const& of, def_use const& flow);

    // Whether the instruction, a mask or a conversion of an unsigned part of a word, leaves the number as it is. Of a part that
    // comes from elsewhere than the same basic block ptxas knows nothing.
    [[nodiscard]] bool changes_nothing(std::uint32_t i) const noexcept;

private:
    // The bits that may be 1.
    [[nodiscard]] std::uint64_t bits_of(ptx::operand const& o) const noexcept;
    [[nodiscard]] std::uint64_t bits_given(ptx::instruction const& i) const noexcept;

    ptx::function const& of_;
    def_use const& flow_;
    std::vector<std::uint64_t> bits_; // by register
};

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_SASS_KNOWN_BITS_HPP
