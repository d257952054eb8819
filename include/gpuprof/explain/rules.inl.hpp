// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definitions of rules.hpp: the list, put together from the files of its groups.
#ifndef GPUPROF_EXPLAIN_RULES_INL_HPP
#define GPUPROF_EXPLAIN_RULES_INL_HPP

#include <array>
#include <cstddef>
#include <span>

#include "rules.hpp"
#include "arithmetic_rules.inl.hpp"
#include "launch_rules.inl.hpp"
#include "memory_rules.inl.hpp"
#include "reuse_rules.inl.hpp"
#include "waiting_rules.inl.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace explain {

namespace detail {
template <std::size_t... Sizes>
[[nodiscard]] constexpr auto joined_rules(rule const (&... lists)[Sizes]) noexcept {
    std::array<rule, (Sizes + ...)> all{};
    std::size_t at = 0;
    auto const add = [&](auto const& list) {
        for (rule const& each : list) all[at++] = each;
    };
    (add(lists), ...);
    return all;
}
inline constexpr auto rules_of_all_files =
    joined_rules(launch_rules, memory_rules, reuse_rules, arithmetic_rules, waiting_rules);
} // namespace detail

GPUPROF_INLINE std::span<rule const> all_rules() { return detail::rules_of_all_files; }

} // namespace explain
GPUPROF_NAMESPACE_END

#endif // GPUPROF_EXPLAIN_RULES_INL_HPP
