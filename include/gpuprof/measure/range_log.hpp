// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What scopes did on the host in each replay pass of a collection. Knows no hardware.
#ifndef GPUPROF_MEASURE_RANGE_LOG_HPP
#define GPUPROF_MEASURE_RANGE_LOG_HPP

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../core/error.hpp" // joined
#include "../detail/builtin.hpp"
#include "../detail/config.hpp"
#include "../detail/hash.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace detail {

// The tree of range names and the sequence in which they were opened. The first replay pass writes
// it, every later replay pass must repeat it. Hardware gets numbers for names: CUPTI merges equal
// names into one range and does not survive long ones.
class range_log {
public:
    static constexpr std::uint32_t none = (std::numeric_limits<std::uint32_t>::max)();
    static constexpr std::size_t longest_name = 255;
    static constexpr std::size_t few_siblings = 8; // what is looked through without the hash table

    // A distinct range name under its parent.
    struct node {
        std::uint32_t parent; // `none` at the top
        std::uint32_t first_child = none;
        std::uint32_t last_child = none;
        std::uint32_t next_sibling = none;
        std::uint32_t depth; // 1 at the top
        std::uint32_t name_size;
        std::size_t name_at;
    };

    // What open() decided. `push`: tell the hardware, under the number `id`.
    struct opened {
        bool push;
        std::uint32_t id;
        std::uint64_t ticket;
        std::uint32_t node = none; // of its name
    };

    // What the replay passes did that their result cannot show, each scope of the code counted
    // once, however often the code ran. The first three are the first replay pass's: later ones
    // repeat them, or differ. The next two are those of the replay pass that had the most.
    struct losses {
        std::size_t over_budget = 0;    // ranges there was no room for
        std::size_t too_deep = 0;       // ranges below the declared nesting
        std::size_t altered_names = 0;  // cut at a NUL or at the longest name
        std::size_t left_open = 0;      // closed by the end of the replay pass
        std::size_t out_of_order = 0;   // closed before a range opened inside it
        std::size_t left_paused = 0;    // pauses that the end of the replay pass ended
        std::size_t differing = 0;      // replay passes that did not repeat the first one
        std::string first_difference{}; // in words
    };

    // @param merge one number per name instead of one per range: equal names become one range of
    // the hardware
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
        paused_ = pauses_ = resumed_ = first_pauses_ = most_resumed_ = 0;
        first_root_ = last_root_ = none;
        slots_.clear();
        reserve();
    }
    // After a survey: exactly the room that was needed.
    void limit_to_seen() noexcept {
        max_ranges_ = ranges() + most_resumed_;
        max_depth_ = depth();
    }

    void begin_replay_pass() noexcept {
        ++replay_pass_;
        at_ = 0;
        refused_ = 0;
        out_of_order_ = 0;
        paused_ = pauses_ = resumed_ = 0;
        ++session_pass_;
        differs_ = false;
    }

    // Throws std::bad_alloc alone; the log can be used on after it, and cancel_open() takes the
    // range back.
    [[nodiscard]] opened open(std::string_view name) {
        if (std::size_t const nul = name.find('\0'); nul != name.npos || name.size() > longest_name) {
            name = name.substr(0, nul < longest_name ? nul : longest_name);
            if (replay_pass_ == 1) ++losses_.altered_names;
        }
        std::uint32_t const parent = stack_.empty() ? none : stack_.back().node;
        frame entry{next_serial_++, parent, false, false};
        opened result{false, 0, (std::uint64_t{replay_pass_} << 32) | entry.serial};
        if (stack_.size() >= max_depth_) {
            refuse(losses_.too_deep);
        } else if (at_ + resumed_ >= max_ranges_) {
            refuse(losses_.over_budget);
        } else {
            entry.node = find_or_add(parent, name);
            entry.pushed = true;
            entry.counts = true;
            result.push = true;
            result.node = entry.node;
            result.id = merge_ ? entry.node : static_cast<std::uint32_t>(at_);
            entry.id = result.id;
            follow(entry.node);
            ++at_;
        }
        stack_.push_back(entry);
        return result;
    }

    // Takes back the open() that was left by an exception, whether its own or that of what followed
    // it.
    void cancel_open() noexcept {
        if (!stack_.empty() && stack_.back().serial + 1 == next_serial_) stack_.pop_back();
    }

    // How many ranges the hardware must pop for this close: 0 for a scope of an earlier replay
    // pass, several when scopes were closed out of order.
    [[nodiscard]] std::size_t close(std::uint64_t ticket) noexcept {
        if ((ticket >> 32) != replay_pass_) return 0;
        std::uint32_t const serial = static_cast<std::uint32_t>(ticket);
        std::size_t depth = stack_.size();
        while (depth > 0 && stack_[depth - 1].serial != serial) --depth;
        if (depth == 0) return 0; // closed already, with the range around it
        out_of_order_ += stack_.size() - depth;
        return pop_to(depth - 1);
    }

    // ---- pauses: what is open is closed on the hardware, and goes on as the same range later ------

    struct pause_begun {
        std::uint64_t ticket; // for resume()
        std::size_t pops;     // of the hardware
    };
    // @pre a replay pass runs; no scope is opened until it goes on
    [[nodiscard]] pause_begun pause() noexcept {
        std::size_t pops = 0;
        if (paused_++ == 0) ++pauses_;
        for (frame& each : stack_) pops += std::exchange(each.counts, false) ? 1 : 0;
        return {session_pass_, pops};
    }
    // Whether this ended the pause: not one of an earlier replay pass, and not one inside another.
    [[nodiscard]] bool resume(std::uint64_t ticket) noexcept {
        return ticket == session_pass_ && paused_ != 0 && --paused_ == 0;
    }
    [[nodiscard]] bool is_paused() const noexcept { return paused_ != 0; }
    // After a pause: `push(id)` for each range that goes on, outermost first, until it says false. Each
    // takes room as a range does. False: there is none left, or `push` said so.
    template <class Push>
    [[nodiscard]] bool go_on(Push push) {
        for (frame& each : stack_) {
            if (!each.pushed) continue;
            if (at_ + resumed_ >= max_ranges_) return false;
            ++resumed_;
            if (resumed_ > most_resumed_) most_resumed_ = resumed_;
            each.counts = true;
            if (!push(each.id, each.node)) return false;
        }
        return true;
    }
    // Ranges that went on after pauses, in the replay pass that had the most.
    [[nodiscard]] std::size_t resumed() const noexcept { return most_resumed_; }

    // Closes what is open; returns the number of hardware pops it takes. `whole`: the replay pass
    // ran to its end. A pause ends, too.
    [[nodiscard]] std::size_t end_replay_pass(bool whole = true) {
        if (stack_.size() > losses_.left_open) losses_.left_open = stack_.size();
        if (out_of_order_ > losses_.out_of_order) losses_.out_of_order = out_of_order_;
        if (paused_ > losses_.left_paused) losses_.left_paused = paused_;
        paused_ = 0;
        std::size_t const pops = pop_to(0);
        if (replay_pass_ == 1) first_pauses_ = pauses_;
        else if (whole && pauses_ != first_pauses_)
            differ(joined({"counting paused ", std::to_string(pauses_), " times, in the first pass ",
                           std::to_string(first_pauses_), " times"}));
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
    // The names from the outermost range on, in quotes.
    [[nodiscard]] GPUPROF_COLD std::string path(std::uint32_t of) const {
        std::string text{name(nodes_[of])};
        of = nodes_[of].parent;
        for (int levels = 1; of != none && levels < 8; ++levels, of = nodes_[of].parent)
            text = joined({name(nodes_[of]), "/", text});
        return joined({"\"", of != none ? ".../" : "", text, "\""});
    }
    // Whether no scope is open.
    [[nodiscard]] bool is_outside() const noexcept { return stack_.empty(); }
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
        bool counts; // on the hardware; not in a pause
        std::uint32_t id = 0;
    };

    // With a declared budget nothing is allocated while scopes run, unless names are unusually
    // long.
    void reserve() {
        if (max_ranges_ > 1'000'000) return;
        nodes_.reserve(max_ranges_);
        instances_.reserve(max_ranges_);
        names_.reserve(max_ranges_ * 32);
        stack_.reserve(64 + (max_depth_ < max_ranges_ ? max_depth_ : max_ranges_));
        if (max_ranges_ > few_siblings) slots_.assign(slots_for(max_ranges_), none);
    }

    std::uint32_t find_or_add(std::uint32_t parent, std::string_view name) {
        if (at_ < instances_.size()) { // a later replay pass: most likely what the first one had here
            node const& expected = nodes_[instances_[at_]];
            if (expected.parent == parent && this->name(expected) == name) return instances_[at_];
        }
        return search_or_add(parent, name);
    }
    // The first few siblings one after the other, which is all that most code has, then by a hash
    // table of all nodes.
    GPUPROF_NOINLINE std::uint32_t search_or_add(std::uint32_t parent, std::string_view name) {
        std::uint32_t at = parent == none ? first_root_ : nodes_[parent].first_child;
        for (std::size_t i = 0; at != none && i < few_siblings; ++i) {
            if (this->name(nodes_[at]) == name) return at;
            at = nodes_[at].next_sibling;
        }
        return at == none ? add(parent, name) : hashed_or_added(parent, name);
    }
    GPUPROF_NOINLINE std::uint32_t hashed_or_added(std::uint32_t parent, std::string_view name) {
        if (!slots_.empty())
            for (std::size_t slot = first_slot(parent, name); slots_[slot] != none; slot = next_slot(slot)) {
                node const& each = nodes_[slots_[slot]];
                if (each.parent == parent && this->name(each) == name) return slots_[slot];
            }
        return add(parent, name);
    }

    // All that can fail comes first: then the node is linked, or nothing has changed.
    GPUPROF_COLD std::uint32_t add(std::uint32_t parent, std::string_view name) {
        auto const made = static_cast<std::uint32_t>(nodes_.size());
        grow_slots();
        std::size_t const name_at = names_.size();
        names_.append(name);
        std::uint32_t const depth = parent == none ? 1 : nodes_[parent].depth + 1;
        nodes_.push_back({parent, none, none, none, depth, static_cast<std::uint32_t>(name.size()), name_at});

        std::uint32_t& first = parent == none ? first_root_ : nodes_[parent].first_child;
        std::uint32_t& last = parent == none ? last_root_ : nodes_[parent].last_child;
        (first == none ? first : nodes_[last].next_sibling) = made;
        last = made;
        if (!slots_.empty()) put(made);
        return made;
    }

    // Room for one more node; the table begins when there are more than a few, and is at most half
    // full.
    void grow_slots() {
        std::size_t const needed = nodes_.size() + 1;
        if (needed <= few_siblings || 2 * needed <= slots_.size()) return;
        slots_ = std::vector<std::uint32_t>(slots_for(2 * needed), none);
        for (std::uint32_t each = 0; each < nodes_.size(); ++each) put(each);
    }
    void put(std::uint32_t made) noexcept {
        std::size_t slot = first_slot(nodes_[made].parent, name(nodes_[made]));
        while (slots_[slot] != none) slot = next_slot(slot);
        slots_[slot] = made;
    }
    [[nodiscard]] static std::size_t slots_for(std::size_t nodes) noexcept {
        std::size_t slots = 64;
        while (slots < 2 * nodes) slots *= 2;
        return slots;
    }
    [[nodiscard]] std::size_t first_slot(std::uint32_t parent, std::string_view name) const noexcept {
        std::uint64_t const hash = fnv1a(fnv1a(fnv1a_start, std::uint64_t{parent}), name);
        return static_cast<std::size_t>(hash ^ (hash >> 32)) & (slots_.size() - 1);
    }
    [[nodiscard]] std::size_t next_slot(std::size_t slot) const noexcept { return (slot + 1) & (slots_.size() - 1); }

    void follow(std::uint32_t to) {
        if (replay_pass_ == 1) instances_.push_back(to);
        else if (at_ >= instances_.size() || instances_[at_] != to) [[unlikely]] differ_at(to);
    }
    GPUPROF_COLD void differ_at(std::uint32_t to) {
        if (at_ >= instances_.size())
            differ(joined({"it opened more ranges than the first pass, the next being ", path(to)}));
        else
            differ(joined({"range ", std::to_string(at_), " is ", path(to), ", in the first pass it was ",
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

    std::size_t pop_to(std::size_t depth) noexcept {
        std::size_t pops = 0;
        for (; stack_.size() > depth; stack_.pop_back()) pops += stack_.back().counts ? 1 : 0;
        return pops;
    }

    std::size_t max_ranges_ = 0;
    std::size_t max_depth_ = 0;
    bool merge_ = false;
    bool differs_ = false;
    std::uint32_t replay_pass_ = 0;
    std::uint32_t next_serial_ = 0;
    std::uint32_t first_root_ = none;
    std::uint32_t last_root_ = none;
    std::size_t at_ = 0;             // ranges opened in this replay pass
    std::size_t refused_ = 0;        // and those without room
    std::size_t out_of_order_ = 0;   // and those closed with a range around them
    std::uint64_t session_pass_ = 0; // replay passes of all collections: what a pause is known by
    std::size_t paused_ = 0;         // pauses that have not ended, each inside the one before
    std::size_t pauses_ = 0;         // in this replay pass, those inside others apart
    std::size_t first_pauses_ = 0;   // in the first one
    std::size_t resumed_ = 0;        // ranges that went on after a pause, in this replay pass
    std::size_t most_resumed_ = 0;   // and in the one that had the most
    std::vector<node> nodes_;
    std::vector<std::uint32_t> instances_;
    std::vector<frame> stack_;
    std::string names_;
    std::vector<std::uint32_t> slots_; // of the hash table: numbers of nodes
    losses losses_;
};

} // namespace detail
GPUPROF_NAMESPACE_END

#endif // GPUPROF_MEASURE_RANGE_LOG_HPP
