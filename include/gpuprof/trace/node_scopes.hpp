// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which scope a node of a graph was captured in.
#ifndef GPUPROF_TRACE_NODE_SCOPES_HPP
#define GPUPROF_TRACE_NODE_SCOPES_HPP

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <unordered_map>
#include <utility>

#include "../core/error.hpp"
#include "names_mutex.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace detail {

// Scopes of graph nodes by the ids that activity records bear (cuptiGetGraphNodeId), which CUPTI uses once. Memory: about 60
// bytes for each node that is alive, and for the last 2^18 that were destroyed, since their records come later. A replay of a
// graph adds nothing. CUPTI's callbacks write: nothing here throws. Thread-safe. CUPTI 12.0, 2.4 (resource callbacks).
class node_scopes {
public:
    // A node was added to a graph while that scope was open; 0: none.
    void created(std::uint64_t node, std::uint64_t scope) noexcept {
        platform::lock const held{names_mutex};
        if (scope != 0 && !has(node)) put(node, scope); // a clone that is known keeps its original's scope
    }
    // The clone of an original that is not known has no scope, even if one was open: that was around cuGraphInstantiate.
    void cloned(std::uint64_t node, std::uint64_t original) noexcept {
        platform::lock const held{names_mutex};
        auto const found = scopes_.find(original);
        put(node, found != scopes_.end() ? found->second : 0);
    }
    void destroyed(std::uint64_t node) noexcept {
        platform::lock const held{names_mutex};
        if (!has(node)) return;
#if GPUPROF_EXCEPTIONS
        try {
#endif
            ended_.push_back(node);
#if GPUPROF_EXCEPTIONS
        } catch (...) { // no memory to remember it any longer
            scopes_.erase(node);
        }
#endif
        for (; ended_.size() > most_ended; ended_.pop_front()) scopes_.erase(ended_.front());
    }

    // 0: captured in no scope, or not known.
    [[nodiscard]] std::uint64_t scope_of(std::uint64_t node) const noexcept {
        platform::lock const held{names_mutex};
        auto const found = scopes_.find(node);
        return found != scopes_.end() ? found->second : 0;
    }
    // How many nodes are remembered.
    [[nodiscard]] std::size_t size() const noexcept {
        platform::lock const held{names_mutex};
        return scopes_.size();
    }

    // Why no node is known, where CUPTI does not tell of them.
    void cannot(error why) {
        platform::lock const held{names_mutex};
        problem_ = std::move(why);
    }
    [[nodiscard]] std::optional<error> problem() const {
        platform::lock const held{names_mutex};
        return problem_;
    }

    static constexpr std::size_t most_ended = std::size_t{1} << 18;

private:
    [[nodiscard]] bool has(std::uint64_t node) const noexcept { return scopes_.find(node) != scopes_.end(); }
    void put(std::uint64_t node, std::uint64_t scope) noexcept {
#if GPUPROF_EXCEPTIONS
        try {
#endif
            scopes_.insert_or_assign(node, scope);
#if GPUPROF_EXCEPTIONS
        } catch (...) {} // no memory: its records have the scope of the call that launched the graph
#endif
    }

    std::unordered_map<std::uint64_t, std::uint64_t> scopes_;
    std::deque<std::uint64_t> ended_; // the oldest first
    std::optional<error> problem_;
};

} // namespace detail
GPUPROF_NAMESPACE_END

#endif // GPUPROF_TRACE_NODE_SCOPES_HPP
