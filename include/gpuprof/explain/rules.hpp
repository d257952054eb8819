// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The rules that there are. Nsight Compute guide, 2.1 and 11; thresholds and gains are our own: docs/explain.md.
#ifndef GPUPROF_EXPLAIN_RULES_HPP
#define GPUPROF_EXPLAIN_RULES_HPP

#include <span>
#include <string_view>

#include "../detail/config.hpp"
#include "rule.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace explain {

// Every rule: of how a kernel is launched and spread over the GPU, of memory, of data that is asked for again, of arithmetic, and
// of what warps wait for. A new rule is a function and a row in one of the files launch_rules.inl.hpp, memory_rules.inl.hpp,
// reuse_rules.inl.hpp, arithmetic_rules.inl.hpp, waiting_rules.inl.hpp.
[[nodiscard]] std::span<rule const> all_rules();

// The rule of that id; null if there is none.
[[nodiscard]] inline rule const* find_rule(std::string_view id) {
    for (rule const& each : all_rules())
        if (each.id == id) return &each;
    return nullptr;
}

#if !GPUPROF_ENABLED
inline std::span<rule const> all_rules() { return {}; }
#endif

} // namespace explain
GPUPROF_NAMESPACE_END

#if GPUPROF_ENABLED && GPUPROF_HEADER_ONLY
#include "rules.inl.hpp"
#endif

#endif // GPUPROF_EXPLAIN_RULES_HPP
