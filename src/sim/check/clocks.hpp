// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The order of the accesses of a launch: vector clocks of warps.
//
// Two accesses of different threads are ordered if a chain of these leads from the first to the
// second:
// - bar.warp.sync among the lanes that it names (and nothing else among lanes: not a shuffle, not
//   lockstep)
// - a barrier of the CTA, among the warps that take part
// - a release and an acquire. A release is an atomic, a volatile or relaxed write, or one that says
//   so, of a thread that executed a fence of that scope before; an acquire is any strong read of
//   the same word. (PTX wants a fence after it, too; CUDA's own examples do without.)
// - a volatile or relaxed write to global memory without a fence, and a strong read of it: these
//   order reads before them with writes after them. What was computed of a value was read before;
//   decoupled look-back in place relies on it.
// - the end of the launch.
// Between warps a warp stands for its lanes, so some races are not seen; what is reported is one.
//
// A warp's clock ticks at each of these. A segment is what a warp executes between two ticks; an
// access is remembered by the number of its segment. Segments of earlier launches have smaller
// numbers than the launch's first.
#ifndef GPUPROF_SRC_SIM_CHECK_CLOCKS_HPP
#define GPUPROF_SRC_SIM_CHECK_CLOCKS_HPP

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "../code/observer.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

using warp_clocks = std::vector<std::uint32_t>; // for each warp of a CTA: what is before that tick is known

// A point of a warp that others may synchronise with, and the points that it knows.
struct release_point {
    std::uint32_t cta = 0;
    bool in_cta_only = false;
    warp_clocks known; // of the CTA's warps; empty: only what `before` knows
    std::vector<std::uint32_t> before;
    warp_clocks known_reads; // the same for what was read, not written
    std::vector<std::uint32_t> before_reads;
};

// Of a launch.
struct launch_clocks {
    struct segment {
        std::uint32_t cta;
        std::uint32_t warp;
        std::uint32_t clock;
    };
    explicit launch_clocks(std::uint32_t first) : first_segment{first} {}

    [[nodiscard]] segment const& at(std::uint32_t number) const noexcept { return segments[number - first_segment]; }
    [[nodiscard]] std::uint32_t next() const noexcept {
        return first_segment + static_cast<std::uint32_t>(segments.size());
    }

    std::uint32_t first_segment;
    std::vector<segment> segments;
    std::vector<release_point> releases;
    std::unordered_map<std::uint64_t, std::uint32_t> global_releases; // by the word's number: the last one there
};

inline constexpr std::uint32_t no_release = ~std::uint32_t{0};

// Of a warp.
struct warp_clock {
    std::uint32_t clock = 1;
    std::uint32_t segment = 0;   // the current one's number; 0: no access yet
    std::uint32_t lanes_met = 0; // accesses before that tick are known to all lanes
    warp_clocks known;
    std::vector<std::uint32_t> acquired; // releases

    // Where lanes executed a fence last: of the CTA's scope, of a wider one.
    struct fence {
        lane_mask lanes = 0;
        std::uint32_t clock = 0;
        warp_clocks known;
        std::vector<std::uint32_t> acquired;
        std::uint32_t point = no_release; // the release of this and nothing else, once there was one
    };
    std::array<fence, 2> fences;

    // What lane j knows of lane i, where they met in groups.
    using lane_table = std::array<std::array<std::uint32_t, warp_size>, warp_size>;
    std::unique_ptr<lane_table> groups;

    // The releases of other CTAs that were followed so far.
    struct followed {
        std::unordered_set<std::uint32_t> seen;
        std::unordered_map<std::uint32_t, warp_clocks> known; // by CTA
    };
    std::array<std::unique_ptr<followed>, 2> foreign; // for all accesses, for reads alone

    void tick() noexcept { ++clock, segment = 0; }
};

// Of a CTA.
class cta_clocks {
public:
    cta_clocks(launch_clocks& launch, std::uint32_t cta, unsigned warps) : launch_{launch}, cta_{cta}, warps_(warps) {
        for (auto& w : warps_) w.known.resize(warps);
    }

    // The number of the segment that a warp is in.
    [[nodiscard]] std::uint32_t segment(unsigned warp) {
        warp_clock& w = warps_[warp];
        if (w.segment == 0) {
            w.segment = launch_.next();
            launch_.segments.push_back({cta_, warp, w.clock});
        }
        return w.segment;
    }

    // Whether an access of that lane in a segment of this launch is known to a lane of `warp`.
    // @param was_read the access read
    [[nodiscard]] bool knows(unsigned warp, unsigned lane, std::uint32_t segment, unsigned by_lane,
                             bool was_read = false) {
        launch_clocks::segment const then = launch_.at(segment);
        warp_clock& w = warps_[warp];
        if (then.cta == cta_ && then.warp == warp) {
            if (by_lane == lane || then.clock < w.lanes_met) return true;
            return w.groups && then.clock < (*w.groups)[by_lane][lane];
        }
        if (then.cta == cta_ && then.clock < w.known[then.warp]) return true;
        return !w.acquired.empty() && knows_by_release(w, then, was_read);
    }

    // Whether accesses of any lane in that segment are known to every lane of `warp`.
    [[nodiscard]] bool all_know(unsigned warp, std::uint32_t segment, bool was_read) {
        launch_clocks::segment const then = launch_.at(segment);
        if (then.cta == cta_ && then.warp == warp) return then.clock < warps_[warp].lanes_met;
        return knows(warp, 0, segment, 0, was_read);
    }

    // These lanes executed bar.warp.sync for each other.
    void meet(unsigned warp, lane_mask group, lane_mask live) {
        warp_clock& w = warps_[warp];
        if ((live & ~group) == 0) {
            w.tick();
            w.lanes_met = w.clock;
            return;
        }
        if (!w.groups) w.groups = std::make_unique<warp_clock::lane_table>();
        std::array<std::uint32_t, warp_size> joint{};
        for (unsigned j = 0; j < warp_size; ++j) {
            if (!(group >> j & 1)) continue;
            for (unsigned i = 0; i < warp_size; ++i) joint[i] = (std::max)(joint[i], (*w.groups)[j][i]);
            joint[j] = w.clock + 1;
        }
        for (unsigned j = 0; j < warp_size; ++j)
            if (group >> j & 1) (*w.groups)[j] = joint;
        w.tick();
    }

    // Barriers have a number, and count how often they opened.
    void arrive(unsigned warp, std::uint32_t barrier, std::uint32_t openings) {
        gathering& g = barrier_of(barrier, openings);
        if (!g.begun || g.openings != openings) g = {true, openings, warp_clocks(warps_.size()), {}};
        warp_clock& w = warps_[warp];
        join(g.known, w.known);
        g.known[warp] = (std::max)(g.known[warp], w.clock + 1);
        add(g.acquired, w.acquired);
        w.tick();
        w.lanes_met = w.clock;
    }
    void pass(unsigned warp, std::uint32_t barrier, std::uint32_t openings) {
        gathering const& g = barrier_of(barrier, openings);
        if (!g.begun || g.openings != openings) return;
        warp_clock& w = warps_[warp];
        join(w.known, g.known);
        add(w.acquired, g.acquired);
        if (w.acquired.size() > 8) gather(w);
    }

    void fence(unsigned warp, lane_mask lanes, bool in_cta_only) {
        warp_clock& w = warps_[warp];
        w.tick();
        for (int wide = 0; wide < (in_cta_only ? 1 : 2); ++wide) {
            warp_clock::fence& f = w.fences[static_cast<std::size_t>(wide)];
            f = {f.lanes | lanes, w.clock, w.known, w.acquired, no_release};
            f.known[warp] = w.clock;
        }
    }

    // A strong write of a lane. What the word released before stays, if the write also reads.
    // @param of whose shared memory it is; null: this CTA's
    void release(unsigned warp, unsigned lane, std::uint64_t word, bool is_shared, bool also_reads,
                 cta_clocks* of = nullptr) {
        auto& at = is_shared ? (of != nullptr ? *of : *this).shared_releases_ : launch_.global_releases;
        warp_clock& w = warps_[warp];
        bool const fenced = (w.fences[0].lanes >> lane & 1) != 0;
        bool const is_flag = !also_reads && !is_shared;
        if (!fenced && !is_flag) {
            if (!also_reads && !at.empty()) at.erase(word);
            return;
        }
        auto const add_point = [&](std::size_t wide, std::vector<std::uint32_t> before) {
            warp_clock::fence& f = w.fences[wide];
            bool const alone = before.empty() || (before.size() == 1 && before.front() == f.point);
            if (alone && !is_flag && f.point != no_release) return f.point;
            add(before, f.acquired);
            std::uint32_t const made = add_release({cta_, wide == 0, f.known, std::move(before), {}, {}});
            if (alone && !is_flag) f.point = made;
            return made;
        };
        std::vector<std::uint32_t> before;
        if (auto const found = at.find(word); found != at.end() && also_reads) before.push_back(found->second);
        std::uint32_t last = no_release;
        bool const wide = (w.fences[1].lanes >> lane & 1) != 0;
        if (fenced && wide) last = add_point(1, before), before = {last};
        if (fenced && (!wide || w.fences[1].clock != w.fences[0].clock)) last = add_point(0, before);
        if (is_flag) {
            if (last == no_release) last = add_release({cta_, false, {}, {}, {}, {}});
            release_point& point = launch_.releases[last];
            w.tick();
            point.known_reads = w.known;
            point.known_reads[warp] = w.clock;
            point.before_reads = w.acquired;
        }
        at[word] = last;
    }
    // A strong read.
    void acquire(unsigned warp, std::uint64_t word, bool is_shared, cta_clocks const* of = nullptr) {
        auto const& at = is_shared ? (of != nullptr ? *of : *this).shared_releases_ : launch_.global_releases;
        if (at.empty()) return;
        auto const found = at.find(word);
        if (found == at.end()) return;
        warp_clock& w = warps_[warp];
        if (std::find(w.acquired.begin(), w.acquired.end(), found->second) != w.acquired.end()) return;
        w.acquired.push_back(found->second);
        release_point const& point = launch_.releases[found->second];
        if (point.cta == cta_ && !point.known.empty()) join(w.known, point.known);
        if (w.acquired.size() > 64) gather(w);
    }

    [[nodiscard]] std::uint32_t cta() const noexcept { return cta_; }

    // What a warp knows at a moment.
    struct warp_point {
        warp_clocks known;
        std::uint32_t lanes_met = 0;
        bool acquired = false; // and perhaps more, from releases
    };
    [[nodiscard]] warp_point known_to(unsigned warp) const {
        warp_clock const& w = warps_[warp];
        return {w.known, w.lanes_met, !w.acquired.empty()};
    }

private:
    struct gathering {
        bool begun = false;
        std::uint32_t openings = 0;
        warp_clocks known;
        std::vector<std::uint32_t> acquired;
    };
    static constexpr unsigned barriers = 17;

    [[nodiscard]] gathering& barrier_of(std::uint32_t number, std::uint32_t openings) noexcept {
        return barriers_[number % barriers * 2 + openings % 2];
    }
    static void join(warp_clocks& to, warp_clocks const& from) noexcept {
        for (std::size_t i = 0; i < to.size(); ++i) to[i] = (std::max)(to[i], from[i]);
    }
    static void add(std::vector<std::uint32_t>& to, std::vector<std::uint32_t> const& from) {
        for (std::uint32_t const one : from)
            if (std::find(to.begin(), to.end(), one) == to.end()) to.push_back(one);
    }
    std::uint32_t add_release(release_point point) {
        launch_.releases.push_back(std::move(point));
        return static_cast<std::uint32_t>(launch_.releases.size() - 1);
    }
    // One release in the place of all that a warp acquired.
    void gather(warp_clock& w) { w.acquired = {add_release({cta_, false, {}, w.acquired, {}, {}})}; }

    bool knows_by_release(warp_clock& w, launch_clocks::segment const& then, bool was_read) {
        auto& slot = w.foreign[was_read ? 1 : 0];
        if (!slot) slot = std::make_unique<warp_clock::followed>();
        auto& foreign = *slot;
        std::vector<std::uint32_t> todo;
        for (std::uint32_t const one : w.acquired)
            if (foreign.seen.insert(one).second) todo.push_back(one);
        auto const learn = [&](std::uint32_t cta, warp_clocks const& known) {
            if (known.empty()) return;
            warp_clocks& of = foreign.known[cta];
            if (of.empty()) of = known;
            else join(of, known);
        };
        while (!todo.empty()) {
            release_point const& point = launch_.releases[todo.back()];
            todo.pop_back();
            if (!point.in_cta_only || point.cta == cta_) learn(point.cta, point.known);
            if (was_read) learn(point.cta, point.known_reads);
            for (std::uint32_t const one : point.before)
                if (foreign.seen.insert(one).second) todo.push_back(one);
            for (std::size_t i = 0; was_read && i < point.before_reads.size(); ++i)
                if (foreign.seen.insert(point.before_reads[i]).second) todo.push_back(point.before_reads[i]);
        }
        auto const found = foreign.known.find(then.cta);
        return found != foreign.known.end() && then.clock < found->second[then.warp];
    }

    launch_clocks& launch_;
    std::uint32_t cta_;
    std::vector<warp_clock> warps_;
    std::unordered_map<std::uint64_t, std::uint32_t> shared_releases_;
    std::array<gathering, std::size_t{barriers} * 2> barriers_;
};

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_CHECK_CLOCKS_HPP
