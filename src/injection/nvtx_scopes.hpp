// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ranges of NVTX as scopes of a trace, where no CUPTI records them.
#ifndef GPUPROF_SRC_INJECTION_NVTX_SCOPES_HPP
#define GPUPROF_SRC_INJECTION_NVTX_SCOPES_HPP

#include <cstdint>
#include <deque>
#include <map>
#include <mutex>
#include <string>

#include <gpuprof/hw/machine/platform/mutex.hpp>
#include <gpuprof/measure/scope.hpp>

#include "nvtx_calls.hpp"
#include "recording.hpp"

namespace gpuprof::injection {

// Ranges that were started, on whatever thread, and whose thread still has them.
class started_ranges {
public:
    static started_ranges& all() {
        static auto* const one = new started_ranges; // threads may outlive static objects
        [[maybe_unused]] static bool const safe =
            platform::hold_over_fork([] { one->access_.lock(); }, [] { one->access_.unlock(); });
        return *one;
    }
    [[nodiscard]] std::uint64_t next() {
        std::lock_guard const held{access_};
        return ++last_;
    }
    void add(std::uint64_t range) {
        std::lock_guard const held{access_};
        is_over_.emplace(range, false);
    }
    void end(std::uint64_t range) {
        std::lock_guard const held{access_};
        if (auto const found = is_over_.find(range); found != is_over_.end()) found->second = true;
    }
    [[nodiscard]] bool is_over(std::uint64_t range) {
        std::lock_guard const held{access_};
        return is_over_.at(range);
    }
    void forget(std::uint64_t range) {
        std::lock_guard const held{access_};
        is_over_.erase(range);
    }

private:
    std::mutex access_;
    std::map<std::uint64_t, bool> is_over_; // by number
    std::uint64_t last_ = 0;                // number of a range
};

// A range that a thread pushed or started.
struct open_range {
    open_range(program::nvtx::handle of, std::string const& called, std::uint64_t number = 0)
        : domain{of}, name{program::nvtx::full_name(of, called)}, started{number}, opened{scopes_of_trace(), name} {
        if (started != 0) started_ranges::all().add(started);
    }
    ~open_range() { // also where the thread ends
        if (started != 0) started_ranges::all().forget(started);
    }
    open_range(open_range const&) = delete;
    open_range& operator=(open_range const&) = delete;
    program::nvtx::handle domain;
    std::string name;
    std::uint64_t started; // its number; 0: it was pushed
    scope opened;
    bool is_over = false;
};
using open_ranges = std::deque<open_range>;

// Scopes nest, ranges need not: one that ends under another one lasts until that ends.
inline void close_ended(open_ranges& mine) {
    for (open_range& each : mine)
        if (each.started != 0 && !each.is_over) each.is_over = started_ranges::all().is_over(each.started);
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
    std::uint64_t const number = started_ranges::all().next();
    if (open_ranges* const mine = program::nvtx::own<open_ranges>()) {
        close_ended(*mine);
        mine->emplace_back(domain, name, number);
    }
    return number;
}
inline void end_scope(std::uint64_t range) {
    started_ranges::all().end(range);
    if (open_ranges* const mine = program::nvtx::own<open_ranges>()) close_ended(*mine);
}

} // namespace gpuprof::injection

#endif // GPUPROF_SRC_INJECTION_NVTX_SCOPES_HPP
