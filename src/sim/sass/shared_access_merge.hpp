// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds loads and stores of neighbouring words of shared memory that ptxas joins into one.
#ifndef GPUPROF_SRC_SIM_SASS_SHARED_ACCESS_MERGE_HPP
#define GPUPROF_SRC_SIM_SASS_SHARED_ACCESS_MERGE_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "../ptx/module.hpp"
#include "def_use.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// Where a kernel's shared variables lie.
struct shared_places {
    ptx::parsed_module const* module = nullptr;
    std::map<ptx::variable const*, std::uint32_t> const* offsets = nullptr; // null: nobody knows
};

// How many times its own words each instruction of a function moves from or to shared memory: 2 or 4 for one that stands for others
// as well, 0 for those others, 1 for any other. ptxas joins what moves words of 8 or 16 aligned bytes that one register or variables
// address, if no access that may concern them stands between and it can tell how far the register's value is aligned. Three words of
// 16 bytes are loaded as four; stores move nothing else. Halves are joined like words, up to four of them, loads where nobody reads
// them as integers. What a block has loaded or stored is not loaded again, unless something that may change it stands between.
class shared_access_merge {
public:
    // @param places of variables; each is one by itself, and aligned, where they are not known
    shared_access_merge(ptx::function const& of, def_use const& flow, shared_places const& places = {});

    [[nodiscard]] std::uint8_t words(std::uint32_t i) const noexcept { return words_[i]; }

    // The words of a store of several that are moved to stand side by side: those that a load of several has put elsewhere. 0 for
    // any other instruction.
    [[nodiscard]] std::uint16_t moved(std::uint32_t store) const noexcept;

private:
    static constexpr std::uint32_t nobody = def_use::nobody;

    static constexpr std::uint32_t module_variable = 1u << 30, function_variable = 1u << 31; // and its index

    static constexpr std::uint32_t window = 1u << 29; // the base of variables whose places are known

    struct group { // the aligned bytes behind one base, and the instructions that move their words, or halves
        bool stored;
        std::uint32_t base;  // the instruction that wrote the register, or a variable
        std::uint32_t unit;  // bytes of a word, 4 or 2
        std::uint32_t bytes; // two or four units
        std::int64_t offset; // in groups
        std::array<std::uint32_t, 4> words{nobody, nobody, nobody, nobody};
    };
    struct value { // that a register holds as well
        std::uint32_t base;
        std::int64_t offset;
        std::uint32_t bytes;
    };
    // How much it moves if that is half a word, a word or two of shared memory that a register or variable and a number address; else 0.
    [[nodiscard]] std::uint32_t bytes_of(std::uint32_t i) const noexcept;
    [[nodiscard]] bool is_read_as_integer(std::uint32_t load) const noexcept;
    [[nodiscard]] std::optional<std::uint32_t> place_of(ptx::operand const& variable) const noexcept;
    struct place { // what an access adds a number to; known: the place of a variable, from where all of them begin
        ptx::operand const* base;
        std::uint32_t writer; // of its register, or the variable
        std::int64_t offset;
        bool known;
    };
    [[nodiscard]] place place_of(std::uint32_t i) const noexcept;
    // Whether a register holds what it loads. Notes what it moves for those that follow.
    [[nodiscard]] bool is_known(std::uint32_t i);
    // Whether it may change what the words hold, or see that they are stored later.
    [[nodiscard]] bool interrupts(std::uint32_t i) const noexcept;

    void collect(std::uint32_t i);
    static ptx::operand const& address_of(ptx::instruction const& i) noexcept;
    static bool is_variable(ptx::operand const& o) noexcept;
    [[nodiscard]] std::uint32_t base_of(std::uint32_t i) const noexcept { return place_of(i).writer; }
    [[nodiscard]] std::int64_t offset_of(std::uint32_t i) const noexcept { return place_of(i).offset; }

    void join();
    // Makes one of what moves the words from `first` on, and those of nobody between them.
    void join(group const& found, std::size_t first, std::size_t count);

    // How many of the lowest bits of a number the text shows to be zero, whoever wrote its register.
    static constexpr std::uint8_t most_zeros = 16;
    [[nodiscard]] unsigned zeros_of(ptx::operand const& o) const noexcept;
    [[nodiscard]] unsigned zeros_given(ptx::instruction const& i) const noexcept;
    void find_zeros();
    // 16, 8 or 4 bytes, of which the text shows that they divide what an access adds a number to; else 0.
    [[nodiscard]] std::uint32_t alignment(std::uint32_t i) const noexcept;

    ptx::function const& of_;
    def_use const& flow_;
    shared_places places_;
    struct member { // of what became one access
        std::uint32_t leader = nobody;
        std::uint32_t slot = 0;
    };
    std::vector<std::uint8_t> words_;
    std::vector<member> members_;
    std::vector<std::uint8_t> zeros_; // by register
    std::vector<group> groups_;
    std::vector<value> values_;
};

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_SASS_SHARED_ACCESS_MERGE_HPP
