// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ranges of NVTX as scopes of a trace, where no CUPTI records them.
#ifndef GPUPROF_SRC_INJECTION_NVTX_SCOPES_HPP
#define GPUPROF_SRC_INJECTION_NVTX_SCOPES_HPP

#include <cstdint>
#include <deque>
#include <mutex>
#include <set>
#include <string>

#include <gpuprof/hw/machine/platform/mutex.hpp>
#include <gpuprof/measure/scope.hpp>

#include "nvtx_calls.hpp"
#include "recording.hpp"

namespace gpuprof::injection {

// A range that a thread pushed or started.
struct open_range {
    open_range(program::nvtx::handle of, std::string const& called, std::uint64_t number = 0)
        : domain{of}, name{program::nvtx::full_name(of, called)}, started{number}, opened{scopes_of_trace(), name} {}
    program::nvtx::handle domain;
    std::string name;
    std::uint64_t started; // its number; 0: it was pushed
    scope opened;
    bool is_over = false;
};
using open_ranges = std::deque<open_range>;

// Ranges that were started on one thread and ended on another one.
struct ended_elsewhere {
    std::mutex access;
    std::set<std::uint64_t> ranges;
    std::uint64_t last = 0; // number of a range

    static ended_elsewhere& all() {
        static auto* const one = new ended_elsewhere; // threads may outlive static objects
        [[maybe_unused]] static bool const safe =
            platform::hold_over_fork([] { one->access.lock(); }, [] { one->access.unlock(); });
        return *one;
    }
};

// Scopes nest, ranges need not: one that ends under another one lasts until that ends.
inline void close_ended(open_ranges& mine) {
    for (open_range& each : mine) {
        if (each.started == 0 || each.is_over) continue;
        ended_elsewhere& all = ended_elsewhere::all();
        std::lock_guard const held{all.access};
        each.is_over = all.ranges.erase(each.started) != 0;
    }
    while (!mine.empty() && mine.back().is_over) mine.pop_back();
}

inline int push_scope(program::nvtx::handle domain, std::string const& name) {
    open_ranges* const mine = program::nvtx::own<open_ranges>();
    if (mine == nullptr) return -1;
    close_ended(*mine);
    int level = 0;
    for (open_range const& each : *mine) level += each.domain == domain && each.started == 0 && !each.is_over ? 1 : 0;
    mine->emplace_back(domain, name);
    return level;
}
inline int pop_scope(program::nvtx::handle domain) {
    open_ranges* const mine = program::nvtx::own<open_ranges>();
    int level = -1;
    if (mine == nullptr) return level;
    open_range* last = nullptr;
    for (open_range& each : *mine)
        if (each.domain == domain && each.started == 0 && !each.is_over) last = &each, ++level;
    if (last != nullptr) last->is_over = true;
    close_ended(*mine);
    return level;
}
// A scope of the thread that starts the range. Where another thread ends it, it lasts until this one begins or ends a range again.
inline std::uint64_t start_scope(program::nvtx::handle domain, std::string const& name) {
    std::uint64_t number = 0;
    {
        ended_elsewhere& all = ended_elsewhere::all();
        std::lock_guard const held{all.access};
        number = ++all.last;
    }
    if (open_ranges* const mine = program::nvtx::own<open_ranges>()) {
        close_ended(*mine);
        mine->emplace_back(domain, name, number);
    }
    return number;
}
inline void end_scope(std::uint64_t range) {
    {
        ended_elsewhere& all = ended_elsewhere::all();
        std::lock_guard const held{all.access};
        if (range <= all.last) all.ranges.insert(range);
    }
    if (open_ranges* const mine = program::nvtx::own<open_ranges>()) close_ended(*mine);
}

} // namespace gpuprof::injection

#endif // GPUPROF_SRC_INJECTION_NVTX_SCOPES_HPP
