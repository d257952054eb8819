// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ranges of NVTX as scopes of a trace, where no CUPTI records them.
#ifndef GPUPROF_SRC_INJECTION_NVTX_SCOPES_HPP
#define GPUPROF_SRC_INJECTION_NVTX_SCOPES_HPP

#include <deque>
#include <string>

#include <gpuprof/measure/scope.hpp>

#include "nvtx_calls.hpp"
#include "recording.hpp"

namespace gpuprof::injection {

// A range that a thread pushed; of a domain of its own with that before its name: "loader:batch".
struct open_range {
    open_range(program::nvtx::handle of, std::string const& called)
        : domain{of}, name{of == nullptr ? called : *of + ':' + called}, opened{scopes_of_trace(), name} {}
    program::nvtx::handle domain;
    std::string name;
    scope opened;
    bool popped = false;
};
using open_ranges = std::deque<open_range>;

inline int push_scope(program::nvtx::handle domain, std::string const& name) {
    open_ranges* const mine = program::nvtx::own<open_ranges>();
    if (mine == nullptr) return -1;
    int level = 0;
    for (open_range const& each : *mine) level += each.domain == domain && !each.popped ? 1 : 0;
    mine->emplace_back(domain, name);
    return level;
}
// Scopes nest, ranges of different domains need not: one that is popped under another one ends with that.
inline int pop_scope(program::nvtx::handle domain) {
    open_ranges* const mine = program::nvtx::own<open_ranges>();
    int level = -1;
    if (mine == nullptr) return level;
    open_range* last = nullptr;
    for (open_range& each : *mine)
        if (each.domain == domain && !each.popped) last = &each, ++level;
    if (last != nullptr) last->popped = true;
    while (!mine->empty() && mine->back().popped) mine->pop_back();
    return level;
}

} // namespace gpuprof::injection

#endif // GPUPROF_SRC_INJECTION_NVTX_SCOPES_HPP
