// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Numbers for the scopes of a trace, by their names and the scopes around them.
#ifndef GPUPROF_TRACE_SCOPE_TREE_HPP
#define GPUPROF_TRACE_SCOPE_TREE_HPP

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "../detail/config.hpp"
#include "../detail/hash.hpp"
#include "names_mutex.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace detail {

// A scope of one name in one other scope is one number, from 1 on, however often it is opened. Names are copied, once. All
// functions are thread-safe; asking for a known scope costs a mutex and a hash of its name.
class scope_tree {
public:
    explicit scope_tree(std::size_t most) : most_{most} {}

    // 0 where there are as many as may be. Throws std::bad_alloc alone.
    [[nodiscard]] std::uint64_t number_of(std::uint64_t parent, std::string_view name) {
        std::uint64_t const hash = fnv1a(fnv1a(fnv1a_start, parent), name);
        platform::lock const held{names_mutex};
        std::size_t slot = slots_.empty() ? 0 : place(hash);
        for (; !slots_.empty() && slots_[slot] != 0; slot = (slot + 1) & (slots_.size() - 1)) {
            node const& each = nodes_[slots_[slot] - 1];
            if (each.parent == parent && each.name == name) return slots_[slot];
        }
        if (nodes_.size() >= most_) return 0;
        if (2 * (nodes_.size() + 1) > slots_.size()) grow();
        nodes_.push_back({parent, std::string{name}, hash});
        put(nodes_.size());
        return nodes_.size();
    }
    // The greatest number.
    [[nodiscard]] std::uint64_t size() const {
        platform::lock const held{names_mutex};
        return nodes_.size();
    }
    // 0 and empty for what is no number.
    [[nodiscard]] std::uint64_t parent_of(std::uint64_t number) const {
        platform::lock const held{names_mutex};
        return number - 1 < nodes_.size() ? nodes_[number - 1].parent : 0;
    }
    // Valid as long as the tree.
    [[nodiscard]] std::string_view name_of(std::uint64_t number) const {
        platform::lock const held{names_mutex};
        return number - 1 < nodes_.size() ? std::string_view{nodes_[number - 1].name} : std::string_view{};
    }
    // "frame/step".
    [[nodiscard]] std::string path_of(std::uint64_t number) const {
        platform::lock const held{names_mutex};
        std::string path;
        for (; number - 1 < nodes_.size(); number = nodes_[number - 1].parent)
            path = path.empty() ? nodes_[number - 1].name : nodes_[number - 1].name + "/" + path;
        return path;
    }

private:
    struct node {
        std::uint64_t parent;
        std::string name;
        std::uint64_t hash;
    };
    [[nodiscard]] std::size_t place(std::uint64_t hash) const noexcept {
        return static_cast<std::size_t>(hash ^ (hash >> 32)) & (slots_.size() - 1);
    }
    void grow() {
        slots_ = std::vector<std::uint64_t>(slots_.empty() ? 64 : 2 * slots_.size(), 0);
        for (std::size_t number = 1; number <= nodes_.size(); ++number) put(number);
    }
    void put(std::size_t number) noexcept {
        std::size_t slot = place(nodes_[number - 1].hash);
        while (slots_[slot] != 0) slot = (slot + 1) & (slots_.size() - 1);
        slots_[slot] = number;
    }

    std::size_t most_;
    std::deque<node> nodes_; // number 1 first
    std::vector<std::uint64_t> slots_;
};

} // namespace detail
GPUPROF_NAMESPACE_END

#endif // GPUPROF_TRACE_SCOPE_TREE_HPP
