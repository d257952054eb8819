// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// PTX's fundamental types: names, sizes and families.
#ifndef GPUPROF_SRC_SIM_PTX_TYPE_HPP
#define GPUPROF_SRC_SIM_PTX_TYPE_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string_view>

#include <gpuprof/detail/config.hpp>

GPUPROF_NAMESPACE_BEGIN
namespace sim::ptx {

// What a register, variable or instruction holds. Packed types (f16x2) are one value of 32 bits.
enum class type : std::uint8_t {
    none,
    pred,
    b8,
    u8,
    s8,
    e4m3,
    e5m2,
    b16,
    u16,
    s16,
    f16,
    bf16,
    e4m3x2,
    e5m2x2,
    b32,
    u32,
    s32,
    f32,
    tf32,
    f16x2,
    bf16x2,
    u16x2,
    s16x2,
    b64,
    u64,
    s64,
    f64,
    b128
};

namespace detail {
struct type_row {
    std::string_view name;
    std::uint8_t bytes; // of one lane's value; a predicate counts as one
    char family;        // b untyped bits, u unsigned, s signed, f floating, p predicate, - none
};
inline constexpr type_row type_rows[] = {
    {"", 0, '-'},       {"pred", 1, 'p'},   {"b8", 1, 'b'},     {"u8", 1, 'u'},    {"s8", 1, 's'},    {"e4m3", 1, 'f'},
    {"e5m2", 1, 'f'},   {"b16", 2, 'b'},    {"u16", 2, 'u'},    {"s16", 2, 's'},   {"f16", 2, 'f'},   {"bf16", 2, 'f'},
    {"e4m3x2", 2, 'f'}, {"e5m2x2", 2, 'f'}, {"b32", 4, 'b'},    {"u32", 4, 'u'},   {"s32", 4, 's'},   {"f32", 4, 'f'},
    {"tf32", 4, 'f'},   {"f16x2", 4, 'f'},  {"bf16x2", 4, 'f'}, {"u16x2", 4, 'u'}, {"s16x2", 4, 's'}, {"b64", 8, 'b'},
    {"u64", 8, 'u'},    {"s64", 8, 's'},    {"f64", 8, 'f'},    {"b128", 16, 'b'},
};
} // namespace detail

[[nodiscard]] constexpr std::string_view name(type t) noexcept { return detail::type_rows[static_cast<int>(t)].name; }
[[nodiscard]] constexpr unsigned size_of(type t) noexcept { return detail::type_rows[static_cast<int>(t)].bytes; }
[[nodiscard]] constexpr bool is_signed(type t) noexcept { return detail::type_rows[static_cast<int>(t)].family == 's'; }
[[nodiscard]] constexpr bool is_floating(type t) noexcept {
    return detail::type_rows[static_cast<int>(t)].family == 'f';
}

namespace detail {
// A name as a number: reading a program compares millions of them. @pre at most 8 characters
[[nodiscard]] constexpr std::uint64_t packed(std::string_view name) noexcept {
    std::uint64_t all = 0;
    for (char const c : name) all = all << 8 | static_cast<unsigned char>(c);
    return all;
}
inline constexpr auto packed_type_names = [] {
    std::array<std::uint64_t, std::size(type_rows)> all{};
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = packed(type_rows[i].name);
    return all;
}();
inline constexpr std::size_t longest_type_name = [] {
    std::size_t longest = 0;
    for (type_row const& row : type_rows) longest = row.name.size() > longest ? row.name.size() : longest;
    return longest;
}();
static_assert(longest_type_name <= sizeof(std::uint64_t),
              "gpuprof: a name of a type does not fit the number that stands for it");
} // namespace detail

// The type of that name without its dot ("u32"), type::none where PTX has none.
[[nodiscard]] constexpr type type_named(std::string_view name) noexcept {
    if (name.size() > detail::longest_type_name) return type::none;
    std::uint64_t const wanted = detail::packed(name);
    for (std::size_t i = 1; i < detail::packed_type_names.size(); ++i)
        if (detail::packed_type_names[i] == wanted) return static_cast<type>(i);
    return type::none;
}

} // namespace sim::ptx
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_PTX_TYPE_HPP
