// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The flow of values through registers: which instruction of a PTX function reads the result of
// which other.
#ifndef GPUPROF_SRC_SIM_SASS_DEF_USE_HPP
#define GPUPROF_SRC_SIM_SASS_DEF_USE_HPP

#include <cstdint>
#include <optional>
#include <vector>

#include "../ptx/module.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// Follows the order of the text: exact for a register that is written once, and within a basic
// block. Instructions go by their number in the function, which must outlive the object. Immutable,
// so its use is thread-safe.
class def_use {
public:
    static constexpr std::uint32_t nobody = ~std::uint32_t{0};

    explicit def_use(ptx::function const& of);

    // Readers of the instruction's result; one that reads it twice stands there twice.
    [[nodiscard]] std::vector<std::uint32_t> const& readers(std::uint32_t i) const noexcept { return uses_[i].readers; }
    // Whether a reader of the result may read another instruction's instead.
    [[nodiscard]] bool is_confused(std::uint32_t i) const noexcept { return uses_[i].confused; }
    // The instructions whose results it reads.
    [[nodiscard]] std::vector<std::uint32_t> const& writers(std::uint32_t i) const noexcept { return writers_[i]; }
    // The instruction that wrote the register for it; nobody where the text does not tell.
    [[nodiscard]] std::uint32_t writer_of(std::uint32_t i, std::uint32_t register_index) const noexcept;
    // The basic block it stands in, counted from 0.
    [[nodiscard]] std::uint32_t block(std::uint32_t i) const noexcept { return blocks_[i]; }
    // Whether more than one instruction writes the register.
    [[nodiscard]] bool is_written_again(std::uint32_t register_index) const noexcept {
        return writes_[register_index] > 1;
    }
    // Whether any instruction reads the register.
    [[nodiscard]] bool is_read(std::uint32_t register_index) const noexcept { return read_[register_index]; }
    // The constant that an operand of the instruction is, or that the text has moved into its register.
    [[nodiscard]] std::optional<std::uint64_t> number(std::uint32_t i, ptx::operand const& o) const;

private:
    struct result_use {
        std::vector<std::uint32_t> readers{};
        bool confused = false;
    };

    ptx::function const& of_;
    std::vector<result_use> uses_;
    std::vector<std::vector<std::uint32_t>> writers_;
    std::vector<std::uint32_t> blocks_;
    std::vector<std::uint32_t> writes_; // by register
    std::vector<bool> read_;
};

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_SASS_DEF_USE_HPP
