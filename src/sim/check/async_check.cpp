// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "async_check.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

GPUPROF_NAMESPACE_BEGIN
namespace sim {

void async_check::found(finding_kind kind, check_place const& here, char const* did, check_place const* other,
                        char const* other_did, std::string const& detail, std::uint64_t address) {
    if (kind == finding_kind::barrier && !launch_.has(check::barriers)) return;
    launch_.found(kind, here.instruction, other != nullptr ? other->instruction : here.instruction, [&] {
        finding f;
        f.here = launch_.side(here, did);
        if (other != nullptr) f.other = launch_.side(*other, other_did);
        f.address = address_map::shared_window + address;
        f.detail = detail;
        return f;
    });
}

bool async_check::is_of(operation const& o, async_actor const& me) {
    check_place const place = me.place();
    return o.place.cta == place.cta && o.place.thread == place.thread;
}

std::span<async_check::cell> async_check::cells_of(std::uint32_t offset, std::uint32_t bytes) {
    std::size_t const end = (std::min<std::size_t>)((offset + bytes) / 4, cells_.size());
    std::size_t const begin = (std::min<std::size_t>)(offset / 4, end);
    return std::span{cells_}.subspan(begin, end - begin);
}

std::uint32_t async_check::begin(async_actor const& me, char const* name) {
    std::uint32_t id = static_cast<std::uint32_t>(operations_.size());
    if (free_.empty()) {
        operations_.emplace_back();
    } else {
        id = free_.back();
        free_.pop_back();
    }
    operation& o = operations_[id];
    o = {};
    o.place = me.place();
    o.name = name;
    return id;
}

bool async_check::is_complete(operation& o, async_actor const& me) {
    if (o.done) return true;
    if (o.owner == nullptr) return false;
    bool const here = me.clocks.cta() == cta_;
    std::uint64_t const bit = std::uint64_t{1} << (me.warp & 63);
    if (here && (o.seen_by & bit) != 0) return true;
    barrier_state const& b = o.owner->barriers_[o.mbarrier];
    if (b.incarnation != o.incarnation || o.phase < b.forgotten) return o.done = true;
    for (observation const& s : b.seen) {
        if (s.phases <= o.phase) continue;
        bool const is_me = s.cta == me.clocks.cta() && s.warp == me.warp;
        if (!is_me && !me.clocks.all_know(me.warp, s.segment, false)) continue;
        if (here) o.seen_by |= bit;
        return true;
    }
    return false;
}

// Whether a fence.proxy.async follows a write.
bool async_check::is_fenced(cell const& c) {
    launch_clocks::segment const then = launch_.clocks.at(c.writer);
    for (std::uint32_t w = 0; w < fences_.size(); ++w) {
        proxy_fence const& f = fences_[w];
        if (f.last == 0) continue;
        if (then.warp == w) {
            if (f.time[c.lane] > c.time || then.clock < f.known.lanes_met) return true;
        } else if (then.clock < f.known.known[then.warp] ||
                   (f.known.acquired && f.last > c.time && clocks_.all_know(w, c.writer, false))) {
            return true;
        }
    }
    return false;
}

void async_check::access(async_actor const& me, std::uint32_t offset, std::uint32_t bytes, bool writes, by proxy) {
    if (ended_ || bytes == 0) return;
    bool const is_copy = proxy != by::plain;
    std::uint64_t const now = time_++;
    if (writes) products_.written(me.clocks, me.warp, me.place(), offset, bytes, is_copy);
    for (std::uint32_t i = offset / 4; i <= (offset + bytes - 1) / 4 && i < cells_.size(); ++i) {
        cell& c = cells_[i];
        if (c.filling != none) {
            operation& o = operations_[c.filling];
            bool const is_same = is_copy && o.owner == nullptr && o.place.instruction == me.instruction &&
                                 o.place.cta == me.clocks.cta(); // pieces of one copy
            if (!is_same && !(o.reduces && proxy == by::reduction) && !is_complete(o, me)) {
                found(finding_kind::asynchronous, me.place(),
                      is_copy ? (writes ? "asynchronous write" : "asynchronous read") : (writes ? "write" : "read"),
                      &o.place, o.name,
                      o.waits_for_group
                          ? "of shared memory that the copy may still fill: commit the copy's group and wait for it "
                            "(cp.async.wait_group with few enough groups left, or wait_all) first"
                          : "of shared memory that the copy may still fill: wait for the phase of the mbarrier that it "
                            "completes first",
                      std::uint64_t{i} * 4);
                c.filling = none;
            }
        }
        if (writes && c.reading != none) {
            operation& o = operations_[c.reading];
            if (!o.done)
                found(finding_kind::asynchronous, me.place(), is_copy ? "asynchronous write" : "write", &o.place,
                      o.name,
                      "of shared memory that the copy may still read: its thread must commit the group and wait for it "
                      "(cp.async.bulk.wait_group.read) first",
                      std::uint64_t{i} * 4);
            c.reading = none;
        }
        if (is_copy && !writes && c.writer >= launch_.clocks.first_segment && c.writer != 0 && c.needs_fence &&
            !is_fenced(c)) {
            launch_clocks::segment const then = launch_.clocks.at(c.writer);
            check_place const writer{then.cta, then.warp * warp_size + c.lane, c.instruction};
            found(finding_kind::proxy, me.place(), "read through the async proxy", &writer, "write",
                  "no fence.proxy.async between: the writer must execute it after its writes, before the barrier",
                  std::uint64_t{i} * 4);
            c.writer = 0;
        }
        if (!writes) continue;
        c.writer = 0;
        if (is_copy || me.clocks.cta() != cta_) continue;
        c.writer = me.clocks.segment(me.warp);
        c.lane = static_cast<std::uint8_t>(me.lane);
        c.instruction = me.instruction;
        c.time = now;
        c.needs_fence = true;
    }
}

void async_check::product_reads(async_actor const& me, warp const& w, std::uint32_t offset, std::uint32_t bytes) {
    access(me, offset, bytes, false, by::copy);
    auto const cells = cells_of(offset, bytes);
    std::uint32_t writer = 0;
    check_place place;
    for (cell const& c : cells)
        if (c.writer >= launch_.clocks.first_segment && c.writer > writer) {
            launch_clocks::segment const then = launch_.clocks.at(c.writer);
            writer = c.writer;
            place = {then.cta, then.warp * warp_size + c.lane, c.instruction};
        }
    products_.reads(w, me.place(), offset, bytes, writer, place);
}

void async_check::copy_begins(async_actor const& me, std::uint32_t to, std::uint32_t bytes) {
    access(me, to, bytes, true, by::plain);
    std::uint32_t const id = begin(me, "cp.async");
    operations_[id].waits_for_group = true;
    for (cell& c : cells_of(to, bytes)) {
        c.filling = id;
        c.writer = 0;
    }
}

void async_check::copy_arrived(async_actor const& me, std::uint32_t to, std::uint32_t bytes, bool on_barrier) {
    std::uint32_t id = none;
    for (cell& c : cells_of(to, bytes)) {
        if (c.filling == none) continue;
        operation const& o = operations_[c.filling];
        if (!o.waits_for_group || o.place.thread != me.place().thread) continue;
        id = c.filling;
        if (on_barrier) continue;
        c.filling = none;
        c.writer = me.clocks.segment(me.warp);
        c.lane = static_cast<std::uint8_t>(me.lane);
        c.instruction = o.place.instruction;
        c.needs_fence = false;
    }
    if (id == none) return;
    operations_[id].waits_for_group = !on_barrier;
    if (on_barrier) unbound_.push_back(id);
    else free_.push_back(id);
}

void async_check::fills(async_actor const& me, std::uint32_t offset, std::uint32_t bytes, bool reduces) {
    access(me, offset, bytes, true, reduces ? by::reduction : by::copy);
    std::uint32_t id = none;
    for (std::uint32_t const one : unbound_) {
        operation const& o = operations_[one];
        if (o.place.instruction == me.instruction && is_of(o, me)) id = one;
    }
    if (id == none) {
        id = begin(me, "asynchronous copy");
        operations_[id].reduces = reduces;
        unbound_.push_back(id);
    }
    for (cell& c : cells_of(offset, bytes)) c.filling = id;
}

void async_check::bind(async_actor const& me, async_check& owner, std::uint32_t mbarrier) {
    barrier_state const& b = owner.barriers_[mbarrier];
    std::erase_if(unbound_, [&](std::uint32_t id) {
        operation& o = operations_[id];
        if (!is_of(o, me)) return false;
        o.owner = &owner;
        o.mbarrier = mbarrier;
        o.phase = b.phase;
        o.incarnation = b.incarnation;
        return true;
    });
}

std::uint32_t async_check::store_of(async_actor const& me) {
    bulk_thread& t = threads_[me.warp * warp_size + me.lane];
    if (!t.stores.empty()) {
        operation const& last = operations_[t.stores.back()];
        if (!last.done && last.group == t.open && last.place.instruction == me.instruction) return t.stores.back();
    }
    std::uint32_t const id = begin(me, "asynchronous store");
    operations_[id].group = t.open;
    t.stores.push_back(id);
    unwritten_.push_back(id);
    if (unwritten_.size() > 16) unwritten_.erase(unwritten_.begin());
    return id;
}

void async_check::store_reads(async_actor const& me, std::uint32_t offset, std::uint32_t bytes) {
    access(me, offset, bytes, false, by::copy);
    std::uint32_t const id = store_of(me);
    extend(operations_[id].shared, offset, bytes);
    for (cell& c : cells_of(offset, bytes)) c.reading = id;
}

void async_check::store_writes(async_actor const& me, std::uint64_t address, std::uint32_t bytes) {
    extend(operations_[store_of(me)].global, address, std::uint64_t{bytes});
}

void async_check::global_access(async_actor const& me, std::uint64_t address, std::uint32_t bytes) {
    for (std::uint32_t const id : unwritten_) {
        operation const& o = operations_[id];
        for (auto const& [begin, end] : o.global) {
            if (address >= end || address + bytes <= begin) continue;
            launch_.found(finding_kind::asynchronous, me.instruction, o.place.instruction, [&] {
                finding f;
                f.here = launch_.side(me.place(), "access");
                f.other = launch_.side(o.place, o.name);
                f.address = address;
                f.detail =
                    "to global memory that the copy may still write: wait for its group (cp.async.bulk.wait_group, "
                    "without .read) first";
                return f;
            });
            return;
        }
    }
}

void async_check::fence(unsigned warp, lane_mask lanes) {
    proxy_fence& f = fences_[warp];
    f.last = time_++;
    for (unsigned lane = 0; lane < warp_size; ++lane)
        if (lanes >> lane & 1) f.time[lane] = f.last;
    f.known = clocks_.known_to(warp);
}

void async_check::mbarrier_used(async_actor const& me, std::uint32_t offset, mbarrier_operation what,
                                std::uint32_t number, mbarrier before, mbarrier after, bool passes) {
    barrier_state& b = barriers_[offset];
    auto const wrong = [&](char const* did, char const* detail) {
        found(finding_kind::barrier, me.place(), did, b.valid ? &b.init : nullptr, "mbarrier.init", detail, offset);
    };
    auto const key = std::pair{std::uint64_t{cta_} << 32 | offset, std::uint64_t{me.clocks.cta()} << 32 | me.warp};
    b.bits = after.bits();
    if (what == mbarrier_operation::init) {
        if (number == 0 || number >= 1u << 20)
            wrong("mbarrier.init",
                  "with a count that is not between 1 and 1048575: give the number of arrivals of a phase");
        if (b.valid)
            wrong("mbarrier.init",
                  "of an mbarrier that is in use: initialise it once, or execute mbarrier.inval after all "
                  "threads have used it");
        b = {true, me.place(), b.incarnation + 1, 0, 0, after.bits(), {}};
        return;
    }
    if (!b.valid) {
        wrong("mbarrier operation",
              "on an mbarrier that is not initialised: one thread must execute mbarrier.init, and a "
              "barrier must follow");
        b.valid = true; // said once
        b.init = me.place();
    }
    if (what == mbarrier_operation::invalidate) {
        b.valid = false;
        ++b.incarnation;
        return;
    }
    bool const is_test = what == mbarrier_operation::test_state || what == mbarrier_operation::test_parity;
    if (is_test) {
        if (!passes) {
            launch_.waits[key] = {me.place(), b.init, after.bits(), number & 1,
                                  what == mbarrier_operation::test_parity};
            return;
        }
        launch_.waits.erase(key);
        for (observation const& s : b.seen)
            if (s.phases == b.phase && s.cta == me.clocks.cta() && s.warp == me.warp) return;
        b.seen.push_back({me.clocks.cta(), me.warp, me.clocks.segment(me.warp), b.phase});
        if (b.seen.size() > 256) {
            b.forgotten = (std::max)(b.forgotten, b.seen[127].phases);
            b.seen.erase(b.seen.begin(), b.seen.begin() + 128);
        }
        return;
    }
    for (auto& [at, wait] : launch_.waits)
        if (at.first == key.first) wait.bits = after.bits();
    bool const arrives = what == mbarrier_operation::arrive || what == mbarrier_operation::arrive_drop ||
                         what == mbarrier_operation::arrive_expect_bytes ||
                         what == mbarrier_operation::arrive_for_copies_noinc;
    std::uint32_t const arrivals =
        what == mbarrier_operation::arrive || what == mbarrier_operation::arrive_drop ? number : 1;
    if (arrives && arrivals > before.pending())
        wrong("arrival",
              "more arrivals than the phase of the mbarrier still expects: its count is too small, or threads "
              "arrive too often");
    if ((what == mbarrier_operation::expect_bytes || what == mbarrier_operation::arrive_expect_bytes) &&
        number >= 1u << 20)
        wrong("expect_tx", "of more than 1048575 bytes, which an mbarrier cannot count: split the copies into phases");
    if (after.parity() != before.parity()) ++b.phase;
}

void async_check::stopped(launch_check& launch) {
    if (!launch.has(check::barriers)) return;
    for (auto const& entry : launch.waits) { // lambdas capture no structured bindings in C++20 of clang 14
        auto const& key = entry.first;
        auto const& wait = entry.second;
        mbarrier const b{wait.bits};
        std::int64_t const bytes = b.pending_bytes();
        std::string why;
        if (b.pending() != 0 && b.pending() != b.expected()) {
            why = std::to_string(b.pending()) + " of " + std::to_string(b.expected()) +
                  " arrivals are missing: its count is too large, or threads do not arrive";
        } else if (bytes > 0) {
            why = std::to_string(bytes) + " bytes are missing: expect_tx names more than the copies bring";
        } else if (bytes < 0) {
            why = "copies brought " + std::to_string(-bytes) + " bytes more than expect_tx named";
        } else {
            why = "nobody arrives in this phase: the parity is that of a phase that is gone or never comes, or an "
                  "arrival is missing";
        }
        launch.found(finding_kind::barrier, wait.place.instruction, wait.init.instruction, [&] {
            finding f;
            f.here = launch.side(wait.place, wait.by_parity ? "waits for the mbarrier's phase of parity " +
                                                                  std::to_string(wait.parity)
                                                            : std::string{"waits for the mbarrier's phase"});
            f.other = launch.side(wait.init, "mbarrier.init");
            f.address = address_map::shared_window + (key.first & 0xffff'ffff);
            f.detail = "which never ends: " + why;
            return f;
        });
    }
}

void async_check::used_from_elsewhere(async_actor const& me) {
    if (ended_) {
        found(finding_kind::barrier, me.place(), "access", nullptr, "",
              "to shared memory of a CTA that has exited: all CTAs of the cluster must meet at barrier.cluster before "
              "one ends",
              0);
        return;
    }
    bool const knows = std::any_of(starts_.begin(), starts_.end(),
                                   [&](std::uint32_t start) { return me.clocks.all_know(me.warp, start, false); });
    if (!knows)
        found(
            finding_kind::barrier, me.place(), "access", nullptr, "",
            "to shared memory of a CTA that may not have started: all CTAs of the cluster must meet at barrier.cluster "
            "first",
            0);
    visits_[{me.clocks.cta(), me.warp}] = {me.clocks.segment(me.warp), me.place()};
}

void async_check::exited(async_actor const& me, lane_mask lanes, bool is_last) {
    for (unsigned lane = 0; lane < warp_size; ++lane) {
        if (!(lanes >> lane & 1)) continue;
        auto const t = threads_.find(me.warp * warp_size + lane);
        if (t == threads_.end()) continue;
        for (std::uint32_t const id : t->second.stores) {
            operation const& o = operations_[id];
            if (o.done || o.shared.empty()) continue;
            found(finding_kind::asynchronous, me.place(), "exits", &o.place, o.name,
                  "while the copy may still read the CTA's shared memory: commit its group and wait for it "
                  "(cp.async.bulk.wait_group.read) first",
                  o.shared.front().first);
        }
    }
    if (!is_last) return;
    ended_ = true;
    for (cell const& c : cells_) {
        if (c.filling == none) continue;
        operation const& o = operations_[c.filling];
        if (o.done || o.owner == nullptr || o.seen_by != 0) continue;
        barrier_state const& b = o.owner->barriers_[o.mbarrier];
        bool const is_seen =
            b.incarnation != o.incarnation || o.phase < b.forgotten ||
            std::any_of(b.seen.begin(), b.seen.end(), [&](observation const& s) { return s.phases > o.phase; });
        if (!is_seen)
            found(finding_kind::asynchronous, me.place(), "exits", &o.place, o.name,
                  "while the copy may still fill the CTA's shared memory: wait for its mbarrier first",
                  static_cast<std::uint64_t>(&c - cells_.data()) * 4);
    }
    for (auto const& [who, last] : visits_) {
        bool known = false;
        for (unsigned w = 0; w < fences_.size(); ++w) known = known || clocks_.all_know(w, last.segment, true);
        if (!known)
            found(finding_kind::barrier, me.place(), "exits", &last.place, "access to its shared memory",
                  "while another CTA may still use its shared memory: all CTAs of the cluster must meet at "
                  "barrier.cluster before one ends",
                  0);
    }
}

} // namespace sim
GPUPROF_NAMESPACE_END
