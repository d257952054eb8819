// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds loads of neighbouring words from shared memory that ptxas joins into one.
#ifndef GPUPROF_SRC_SIM_SASS_SHARED_LOAD_MERGE_HPP
#define GPUPROF_SRC_SIM_SASS_SHARED_LOAD_MERGE_HPP

#include <array>
#include <cstdint>
#include <vector>

#include "../ptx/module.hpp"
#include "def_use.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// The words that each instruction of a function loads from shared memory: 2 or 4 for one that
// stands for others as well, 0 for those others, 1 for any other load. ptxas joins words of 8 or 16
// aligned bytes that one register addresses, if nothing that may change them stands between and it
// can tell that the register's value is aligned.
class shared_load_merge {
public:
    shared_load_merge(ptx::function const& of, def_use const& flow);

    [[nodiscard]] std::uint8_t words(std::uint32_t i) const noexcept { return words_[i]; }

private:
    static constexpr std::uint32_t nobody = def_use::nobody;

    struct quad { // 16 bytes that one register addresses, and the loads of their words
        std::uint32_t base;
        std::int64_t offset;
        std::array<std::uint32_t, 4> loads{nobody, nobody, nobody, nobody};
    };

    void collect(std::uint32_t i);

    void join();

    // Whether the text shows that the result is a multiple of 16 bytes.
    [[nodiscard]] bool is_aligned(std::uint32_t i, unsigned depth = 0) const;

    ptx::function const& of_;
    def_use const& flow_;
    std::vector<std::uint8_t> words_;
    std::vector<quad> quads_;
};

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_SASS_SHARED_LOAD_MERGE_HPP
