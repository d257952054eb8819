// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Different words of constant memory that a warp loads, which an SM reads one after the other.
#ifndef GPUPROF_SRC_SIM_MODEL_CONSTANT_WORDS_HPP
#define GPUPROF_SRC_SIM_MODEL_CONSTANT_WORDS_HPP

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include <gpuprof/detail/config.hpp>

#include "../code/observer.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// Words of 32 bits at which lanes begin, but for one. Exact where they lie within 2 KiB; words 2 KiB apart count as one.
[[nodiscard]] inline unsigned further_constant_words(memory_access const& access) noexcept {
    if (access.pattern == address_pattern::same || access.active == 0) return 0;
    std::array<std::uint64_t, 8> seen{};
    for (unsigned i = 0; i < warp_size; ++i)
        if ((access.active >> i & 1) != 0) {
            std::uint64_t const word = access.address[i] / 4;
            seen[word / 64 % seen.size()] |= std::uint64_t{1} << word % 64;
        }
    unsigned words = 0;
    for (std::uint64_t const some : seen) words += static_cast<unsigned>(std::popcount(some));
    return words - 1;
}

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_MODEL_CONSTANT_WORDS_HPP
