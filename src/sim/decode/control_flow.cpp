// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "control_flow.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "../code/decoded.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

class control_flow {
public:
    explicit control_flow(function_code& f) : code_{f.code}, tables_{f.branch_tables}, calls_{f.calls} {}

    // Writes where each branch meets again into the branch.
    void resolve() {
        return_directly();
        find_blocks();
        connect();
        find_exits();
        keep_ways_to_exits();
        order();
        solve();
        for (std::uint32_t b = 0; b + 1 < starts_.size(); ++b) {
            decoded& last = code_[starts_[b + 1] - 1];
            if (last.action != action::branch && last.action != action::branch_indexed) continue;
            std::uint32_t const meets = dominator_[b];
            last.reconvergence = meets == none || meets == exit_ ? decoded::nowhere : starts_[meets];
            if (last.action != action::branch) continue;
            last.target_leaves = leads_to_[block_at(last.target)] != leads_to_[b];
            last.next_leaves = b + 1 == exit_ || leads_to_[b + 1] != leads_to_[b];
        }
    }

private:
    static constexpr std::uint32_t none = ~std::uint32_t{0};

    // A failed assertion ends the kernel, too: what stands behind its call is never reached.
    [[nodiscard]] bool traps(decoded const& op) const noexcept {
        return op.action == action::trap ||
               (op.action == action::call && calls_[op.target].system == system_call::fail_assertion);
    }
    [[nodiscard]] bool leaves_function(decoded const& op) const noexcept {
        return op.action == action::ret || op.action == action::exit || traps(op);
    }
    [[nodiscard]] bool ends_block(decoded const& op) const noexcept {
        return op.action == action::branch || op.action == action::branch_indexed || leaves_function(op);
    }

    template <class F>
    void for_targets(decoded const& op, F f) const {
        if (op.action == action::branch) f(op.target);
        if (op.action == action::branch_indexed)
            for (auto const t : tables_[op.target]) f(t);
    }

    void return_directly() {
        for (auto& op : code_) {
            if (op.action != action::branch) continue;
            decoded const& target = code_[op.target];
            bool const returns = target.action == action::ret || target.action == action::exit;
            if (returns && !target.guarded) op.action = target.action;
        }
    }

    void find_blocks() {
        auto const count = static_cast<std::uint32_t>(code_.size());
        starts_.push_back(0);
        for (std::uint32_t i = 0; i < count; ++i) {
            if (ends_block(code_[i])) starts_.push_back(i + 1);
            for_targets(code_[i], [&](std::uint32_t t) { starts_.push_back(t); });
        }
        starts_.push_back(count);
        std::sort(starts_.begin(), starts_.end());
        starts_.erase(std::unique(starts_.begin(), starts_.end()), starts_.end());
        exit_ = static_cast<std::uint32_t>(starts_.size() - 1);
    }
    [[nodiscard]] std::uint32_t block_at(std::uint32_t instruction) const {
        auto const after = std::upper_bound(starts_.begin(), starts_.end() - 1, instruction);
        return static_cast<std::uint32_t>(after - starts_.begin()) - 1;
    }

    void connect() {
        successors_.resize(exit_ + 1);
        predecessors_.resize(exit_ + 1);
        for (std::uint32_t b = 0; b < exit_; ++b) {
            decoded const& last = code_[starts_[b + 1] - 1];
            auto const link = [&](std::uint32_t to) {
                successors_[b].push_back(to);
                predecessors_[to].push_back(b);
            };
            for_targets(last, [&](std::uint32_t t) { link(block_at(t)); });
            if (!ends_block(last) || last.guarded) link(b + 1);
        }
    }

    // The last exit that each block leads to: backwards from every exit, those in front first. Some
    // lanes stay at an exit with a guard, so it counts only for what leads to no other return: a loop
    // that waits until its lanes may leave.
    void find_exits() {
        leads_to_.assign(exit_ + 1, none);
        std::vector<std::uint32_t> pending;
        for (bool const trapped : {false, true})
            for (bool const guarded : {false, true})
                for (std::uint32_t e = exit_; e-- > 0;) {
                    decoded const& end = code_[starts_[e + 1] - 1];
                    if (!leaves_function(end) || end.guarded != guarded || traps(end) != trapped ||
                        leads_to_[e] != none)
                        continue;
                    exits_.push_back(e);
                    leads_to_[e] = e;
                    for (pending.push_back(e); !pending.empty();) {
                        std::uint32_t const b = pending.back();
                        pending.pop_back();
                        for (auto const p : predecessors_[b])
                            if (leads_to_[p] == none) leads_to_[p] = e, pending.push_back(p);
                    }
                }
    }

    // Drops every edge from one part to another; each part's exit leads to the common end.
    void keep_ways_to_exits() {
        for (std::uint32_t b = 0; b < exit_; ++b) {
            auto const elsewhere = [&](std::uint32_t other) { return leads_to_[other] != leads_to_[b]; };
            std::erase_if(successors_[b], elsewhere);
            std::erase_if(predecessors_[b], elsewhere);
        }
        for (auto const e : exits_) successors_[e].push_back(exit_), predecessors_[exit_].push_back(e);
    }

    // Reverse post-order from the exit, without recursion.
    void order() {
        number_.assign(exit_ + 1, none);
        std::vector<std::pair<std::uint32_t, std::size_t>> stack{{exit_, 0}};
        std::vector<bool> seen(exit_ + 1);
        seen[exit_] = true;
        while (!stack.empty()) {
            auto& [block, next] = stack.back();
            if (next < predecessors_[block].size()) {
                std::uint32_t const p = predecessors_[block][next++];
                if (!seen[p]) seen[p] = true, stack.emplace_back(p, 0);
                continue;
            }
            number_[block] = static_cast<std::uint32_t>(order_.size());
            order_.push_back(block);
            stack.pop_back();
        }
    }

    [[nodiscard]] std::uint32_t meet(std::uint32_t a, std::uint32_t b) const {
        while (a != b) {
            while (number_[a] < number_[b]) a = dominator_[a];
            while (number_[b] < number_[a]) b = dominator_[b];
        }
        return a;
    }

    void solve() {
        dominator_.assign(exit_ + 1, none);
        dominator_[exit_] = exit_;
        for (bool changed = true; changed;) {
            changed = false;
            for (auto at = order_.rbegin(); at != order_.rend(); ++at) {
                if (*at == exit_) continue;
                std::uint32_t best = none;
                for (auto const s : successors_[*at]) {
                    if (number_[s] == none || dominator_[s] == none)
                        continue; // never reaches the exit, or not yet known
                    best = best == none ? s : meet(s, best);
                }
                if (best != dominator_[*at]) dominator_[*at] = best, changed = true;
            }
        }
    }

    std::vector<decoded>& code_;
    std::vector<std::vector<std::uint32_t>> const& tables_;
    std::vector<call_site> const& calls_;
    std::vector<std::uint32_t> starts_; // of blocks; the last entry is the end
    std::uint32_t exit_ = 0;
    std::vector<std::vector<std::uint32_t>> successors_;
    std::vector<std::vector<std::uint32_t>> predecessors_;
    std::vector<std::uint32_t> leads_to_; // the exit that each block belongs to
    std::vector<std::uint32_t> exits_;
    std::vector<std::uint32_t> order_; // post-order on the reversed graph
    std::vector<std::uint32_t> number_;
    std::vector<std::uint32_t> dominator_;
};

void find_reconvergence(function_code& f) { control_flow{f}.resolve(); }

} // namespace sim
GPUPROF_NAMESPACE_END
