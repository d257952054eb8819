// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The checks of the embedded GPU by name.
#ifndef GPUPROF_SIM_CHECK_SET_HPP
#define GPUPROF_SIM_CHECK_SET_HPP

#include <cstdint>
#include <string_view>

#include "../core/result.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// What a program's kernels can be checked for while they run.
enum class check : std::uint8_t {
    memory = 1,      // room between allocations, freed memory stays forbidden, frees of what is not allocated
    initialised = 2, // values that nobody wrote and that an address, a branch or a result depends on
    races = 4,       // accesses of two threads to the same bytes with nothing that orders them
    barriers = 8,    // barriers that not all threads reach at the same place
    copies = 16,     // copies to the host of bytes that nobody wrote, padding included
    leaks = 32,      // memory that is still allocated when the program ends
    exits = 64       // threads that end while others of the CTA still meet at barriers: allowed since capability 7.0
};

// Some of them.
class check_set {
public:
    constexpr check_set() = default;
    constexpr check_set(check one) noexcept : bits_{static_cast<std::uint8_t>(one)} {}

    [[nodiscard]] constexpr bool has(check one) const noexcept { return (bits_ & static_cast<std::uint8_t>(one)) != 0; }
    [[nodiscard]] constexpr bool any() const noexcept { return bits_ != 0; }
    // Those that kernels are watched for instruction by instruction.
    [[nodiscard]] constexpr bool watches_kernels() const noexcept {
        return has(check::initialised) || has(check::races) || has(check::barriers) || has(check::exits);
    }
    friend constexpr check_set operator|(check_set a, check_set b) noexcept {
        a.bits_ = static_cast<std::uint8_t>(a.bits_ | b.bits_);
        return a;
    }
    friend constexpr bool operator==(check_set, check_set) = default;

private:
    std::uint8_t bits_ = 0;
};
[[nodiscard]] constexpr check_set operator|(check a, check b) noexcept { return check_set{a} | check_set{b}; }

// The first four: those that report nothing about a correct program. The others are asked for by name.
inline constexpr check_set all_checks = check::memory | check::initialised | check_set{check::races} | check::barriers;

// "memory,races", "all", "all,leaks"; "" is none. invalid_argument for a word that is no check.
[[nodiscard]] result<check_set> checks_named(std::string_view list);

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SIM_CHECK_SET_HPP
