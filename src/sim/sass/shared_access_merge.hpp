// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds loads and stores of neighbouring words of shared memory that ptxas joins into one.
#ifndef GPUPROF_SRC_SIM_SASS_SHARED_ACCESS_MERGE_HPP
#define GPUPROF_SRC_SIM_SASS_SHARED_ACCESS_MERGE_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "../ptx/module.hpp"
#include "def_use.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// How many times its own words each instruction of a function moves from or to shared memory: 2 or 4 for one that stands for others
// as well, 0 for those others, 1 for any other. ptxas joins what moves words of 8 or 16 aligned bytes that one register or variable
// addresses, if no access that may concern them stands between and it can tell how far the register's value is aligned; it aligns
// variables. Three words of 16 bytes are loaded as four; stores move nothing else.
class shared_access_merge {
public:
    shared_access_merge(ptx::function const& of, def_use const& flow);

    [[nodiscard]] std::uint8_t words(std::uint32_t i) const noexcept { return words_[i]; }

private:
    static constexpr std::uint32_t nobody = def_use::nobody;

    static constexpr std::uint32_t module_variable = 1u << 30, function_variable = 1u << 31; // and its index

    struct group { // the aligned bytes behind one base, and the instructions that move their words
        bool stored;
        std::uint32_t base;  // the instruction that wrote the register, or a variable
        std::uint32_t bytes; // 8 or 16
        std::int64_t offset; // in groups
        std::array<std::uint32_t, 4> words{nobody, nobody, nobody, nobody};
    };
    // How much it moves if that is a word or two of shared memory that a register or variable and a number address; else 0.
    [[nodiscard]] static std::uint32_t bytes_of(ptx::instruction const& i) noexcept;
    // Whether it may change what the words hold, or see that they are stored later.
    [[nodiscard]] bool interrupts(std::uint32_t i) const noexcept;

    void collect(std::uint32_t i);
    static ptx::operand const& address_of(ptx::instruction const& i) noexcept;
    static bool is_variable(ptx::operand const& o) noexcept;
    [[nodiscard]] std::uint32_t base_of(std::uint32_t i) const noexcept;

    void join();
    // Makes one of what moves the words from `first` on, and those of nobody between them.
    void join(group const& found, std::size_t first, std::size_t count);

    // How many of the lowest bits of a number the text shows to be zero, whoever wrote its register.
    static constexpr std::uint8_t most_zeros = 16;
    [[nodiscard]] unsigned zeros_of(ptx::operand const& o) const noexcept;
    [[nodiscard]] unsigned zeros_given(ptx::instruction const& i) const noexcept;
    void find_zeros();
    // 16 or 8 bytes, of which the text shows that they divide what an access adds a number to; else 0.
    [[nodiscard]] std::uint32_t alignment(std::uint32_t i) const noexcept;

    ptx::function const& of_;
    def_use const& flow_;
    std::vector<std::uint8_t> words_;
    std::vector<std::uint8_t> zeros_; // by register
    std::vector<group> groups_;
};

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_SASS_SHARED_ACCESS_MERGE_HPP
