// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What scopes did on the host in each replay pass of a collection. Layer: measure; knows no hardware.
#ifndef GPUPROF_MEASURE_RANGE_LOG_HPP
#define GPUPROF_MEASURE_RANGE_LOG_HPP

#include <cstddef>     // std::size_t
#include <cstdint>     // std::uint32_t
#include <limits>      // "no limit"
#include <string>      // the arena of names
#include <string_view> // names
#include <vector>      // nodes, instances

#include "../core/error.hpp" // joined
#include "../detail/builtin.hpp"
#include "../detail/config.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace detail {

// The tree of range names and the sequence in which they were opened. The first replay pass writes it, every later replay pass must
// repeat it. Hardware gets numbers for names: CUPTI merges equal names into one range and does not survive long ones.
GPUPROF_LAZY class basic_range_log {
public:
    static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();
    static constexpr std::size_t longest_name = 255;

    // A distinct range name under its parent.
    struct node {
        std::uint32_t parent; // `none` at the top
        std::uint32_t first_child = none;
        std::uint32_t next_sibling = none;
        std::uint32_t depth; // 1 at the top
        std::size_t name_at;
        std::size_t name_size;
    };

    // What open() decided. `push`: tell the hardware, under the number `id`.
    struct opened {
        bool push;
        std::uint32_t id;
        std::uint64_t ticket;
    };

    // What the replay passes did that their result cannot show. The first three are the first replay pass's: later ones repeat them, or
    // differ.
    struct losses {
        std::size_t over_budget = 0;    // ranges there was no room for
        std::size_t too_deep = 0;       // ranges below the declared nesting
        std::size_t altered_names = 0;  // cut at a NUL or at the longest name
        std::size_t left_open = 0;      // closed by the end of the replay pass
        std::size_t out_of_order = 0;   // closed before a range opened inside it
        std::size_t differing = 0;      // replay passes that did not repeat the first one
        std::string first_difference{}; // in words
    };

    // @param merge one number per name instead of one per range: equal names become one range of the hardware
    void reset(std::size_t max_ranges, std::size_t max_depth, bool merge) {
        max_ranges_ = max_ranges;
        max_depth_ = max_depth;
        merge_ = merge;
        nodes_.clear();
        instances_.clear();
        names_.clear();
        stack_.clear();
        losses_ = {};
        replay_pass_ = 0;
        first_root_ = none;
        reserve();
    }
    // After a survey: exactly the room that was needed.
    void limit_to_seen() noexcept {
        max_ranges_ = ranges();
        max_depth_ = depth();
    }

    void begin_replay_pass() noexcept {
        ++replay_pass_;
        at_ = 0;
        refused_ = 0;
        differs_ = false;
    }

    [[nodiscard]] opened open(std::string_view name) {
        if (std::size_t const nul = name.find('\0'); nul != name.npos || name.size() > longest_name) {
            name = name.substr(0, nul < longest_name ? nul : longest_name);
            if (replay_pass_ == 1) ++losses_.altered_names;
        }
        std::uint32_t const parent = stack_.empty() ? none : stack_.back().node;
        frame entry{next_serial_++, parent, false};
        opened result{false, 0, (std::uint64_t{replay_pass_} << 32) | entry.serial};
        if (stack_.size() >= max_depth_) {
            refuse(losses_.too_deep);
        } else if (at_ >= max_ranges_) {
            refuse(losses_.over_budget);
        } else {
            entry.node = find_or_add(parent, name);
            entry.pushed = true;
            result.push = true;
            result.id = merge_ ? entry.node : static_cast<std::uint32_t>(at_);
            follow(entry.node);
            ++at_;
        }
        stack_.push_back(entry);
        return result;
    }

    // How many ranges the hardware must pop for this close: 0 for a scope of an earlier replay pass, several when scopes were
    // closed out of order.
    [[nodiscard]] std::size_t close(std::uint64_t ticket) noexcept {
        if ((ticket >> 32) != replay_pass_) return 0;
        std::uint32_t const serial = static_cast<std::uint32_t>(ticket);
        std::size_t depth = stack_.size();
        while (depth > 0 && stack_[depth - 1].serial != serial) --depth;
        if (depth == 0) return 0; // closed already, with the range around it
        losses_.out_of_order += stack_.size() - depth;
        return pop_to(depth - 1);
    }

    // Closes what is open; returns the number of hardware pops it takes. `whole`: the replay pass ran to its end.
    [[nodiscard]] std::size_t end_replay_pass(bool whole = true) {
        losses_.left_open += stack_.size();
        std::size_t const pops = pop_to(0);
        std::size_t const refused_first = losses_.over_budget + losses_.too_deep;
        if (whole && replay_pass_ > 1 && (at_ < instances_.size() || refused_ != refused_first))
            differ(at_ + refused_ == instances_.size() + refused_first
                       ? "its ranges nest deeper than the first pass's"
                       : joined({"it opened ", std::to_string(at_ + refused_), " ranges, the first pass opened ",
                                 std::to_string(instances_.size() + refused_first)}));
        return pops;
    }

    [[nodiscard]] std::vector<node> const& nodes() const noexcept { return nodes_; }
    [[nodiscard]] std::uint32_t first_root() const noexcept { return first_root_; }
    // The node of each range, in the order of opening.
    [[nodiscard]] std::vector<std::uint32_t> const& instances() const noexcept { return instances_; }
    [[nodiscard]] losses const& lost() const noexcept { return losses_; }
    [[nodiscard]] std::string_view name(node const& of) const noexcept {
        return std::string_view{names_}.substr(of.name_at, of.name_size);
    }
    [[nodiscard]] std::size_t depth() const noexcept {
        std::size_t deepest = 0;
        for (node const& each : nodes_) deepest = each.depth > deepest ? each.depth : deepest;
        return deepest;
    }
    [[nodiscard]] std::size_t ranges() const noexcept { return instances_.size(); }

private:
    struct frame {
        std::uint32_t serial;
        std::uint32_t node; // of the nearest recorded range, itself or around it
        bool pushed;
    };

    // With a declared budget nothing is allocated while scopes run, unless names are unusually long.
    void reserve() {
        if (max_ranges_ > 1'000'000) return;
        nodes_.reserve(max_ranges_);
        instances_.reserve(max_ranges_);
        names_.reserve(max_ranges_ * 32);
        stack_.reserve(64 + (max_depth_ < max_ranges_ ? max_depth_ : max_ranges_));
    }

    std::uint32_t find_or_add(std::uint32_t parent, std::string_view name) {
        if (at_ < instances_.size()) { // a later replay pass: most likely what the first one had here
            node const& expected = nodes_[instances_[at_]];
            if (expected.parent == parent && this->name(expected) == name) return instances_[at_];
        }
        return search_or_add(parent, name);
    }
    GPUPROF_NOINLINE std::uint32_t search_or_add(std::uint32_t parent, std::string_view name) {
        std::uint32_t* link = parent == none ? &first_root_ : &nodes_[parent].first_child;
        while (*link != none) {
            if (this->name(nodes_[*link]) == name) return *link;
            link = &nodes_[*link].next_sibling;
        }
        *link = static_cast<std::uint32_t>(nodes_.size());
        std::uint32_t const depth = parent == none ? 1 : nodes_[parent].depth + 1;
        nodes_.push_back({parent, none, none, depth, names_.size(), name.size()}); // `link` may dangle from here on
        names_.append(name);
        return static_cast<std::uint32_t>(nodes_.size() - 1);
    }

    void follow(std::uint32_t range) {
        if (replay_pass_ == 1) instances_.push_back(range);
        else if (at_ >= instances_.size() || instances_[at_] != range) [[unlikely]] differ_at(range);
    }
    GPUPROF_COLD void differ_at(std::uint32_t range) {
        if (at_ >= instances_.size())
            differ(joined({"it opened more ranges than the first pass, the next being ", path(range)}));
        else
            differ(joined({"range ", std::to_string(at_), " is ", path(range), ", in the first pass it was ",
                           path(instances_[at_])}));
    }
    void refuse(std::size_t& loss) noexcept {
        ++refused_;
        if (replay_pass_ == 1) ++loss;
    }
    GPUPROF_COLD void differ(std::string_view how) {
        if (differs_) return;
        differs_ = true;
        if (losses_.differing++ == 0)
            losses_.first_difference = joined({"in replay pass ", std::to_string(replay_pass_), " ", how});
    }
    [[nodiscard]] GPUPROF_COLD std::string path(std::uint32_t of) const {
        std::string text{name(nodes_[of])};
        for (of = nodes_[of].parent; of != none; of = nodes_[of].parent) text = joined({name(nodes_[of]), "/", text});
        return joined({"\"", text, "\""});
    }

    std::size_t pop_to(std::size_t depth) noexcept {
        std::size_t pops = 0;
        for (; stack_.size() > depth; stack_.pop_back()) pops += stack_.back().pushed ? 1 : 0;
        return pops;
    }

    std::size_t max_ranges_ = 0;
    std::size_t max_depth_ = 0;
    bool merge_ = false;
    bool differs_ = false;
    std::uint32_t replay_pass_ = 0;
    std::uint32_t next_serial_ = 0;
    std::uint32_t first_root_ = none;
    std::size_t at_ = 0;      // ranges opened in this replay pass
    std::size_t refused_ = 0; // and those without room
    std::vector<node> nodes_;
    std::vector<std::uint32_t> instances_;
    std::vector<frame> stack_;
    std::string names_;
    losses losses_;
};
using range_log = basic_range_log<>;

} // namespace detail
GPUPROF_NAMESPACE_END

#endif // GPUPROF_MEASURE_RANGE_LOG_HPP
