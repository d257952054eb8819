// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "l2_cache.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <utility>
#include <vector>

#include "../code/host_threads.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// Counters of the four operations stand side by side; a compare-and-swap is an atomic.
static void add(counter_values& to, raw_counter first, l2_class what, std::uint64_t n) noexcept {
    l2_operation const kind = what.operation() == l2_operation::compare ? l2_operation::atomic : what.operation();
    to.values[static_cast<std::size_t>(first) + static_cast<std::size_t>(kind)] += n;
}

static void count_from_l1(l2_class what, l2_traffic const& of, counter_values& to) noexcept {
    using enum raw_counter;
    add(to, l2_requests_tex_read, what, of.requests);
    add(to, l2_sectors_tex_read, what, of.sectors);
    add(to, l2_hits_tex_read, what, of.hits);
    if (what.is_on_host()) {
        add(to, l2_sectors_sysmem_read, what, of.sectors);
        add(to, l2_hits_sysmem_read, what, of.hits);
    }
    if (what.operation() == l2_operation::compare) {
        to[l2_requests_tex_cas] += of.requests;
        to[l2_sectors_tex_cas] += of.sectors;
        to[l2_hits_tex_cas] += of.hits;
        if (what.is_on_host()) {
            to[l2_sectors_sysmem_cas] += of.sectors;
            to[l2_hits_sysmem_cas] += of.hits;
        }
    }
    constexpr raw_counter sectors[l2_evictions]{l2_sectors_tex_normal_read, l2_sectors_tex_first_read,
                                                l2_sectors_tex_last_read};
    constexpr raw_counter hits[l2_evictions]{l2_hits_tex_normal_read, l2_hits_tex_first_read, l2_hits_tex_last_read};
    add(to, sectors[static_cast<std::size_t>(what.eviction())], what, of.sectors);
    add(to, hits[static_cast<std::size_t>(what.eviction())], what, of.hits);
}

// What one partition asks the other for.
static void count_from_fabric(l2_class what, l2_traffic const& of, counter_values& to) noexcept {
    using enum raw_counter;
    add(to, l2_requests_other_read, what, of.requests);
    add(to, l2_sectors_other_read, what, of.sectors);
    add(to, l2_hits_other_read, what, of.hits);
    add(to, l2_requests_fabric_read, what, of.requests);
    add(to, l2_sectors_fabric_read, what, of.sectors);
    add(to, l2_hits_fabric_read, what, of.hits);
    if (what.is_on_host()) {
        add(to, l2_sectors_fabric_sysmem_read, what, of.sectors);
        add(to, l2_hits_fabric_sysmem_read, what, of.hits);
    }
    if (what.operation() == l2_operation::compare) {
        to[l2_requests_fabric_cas] += of.requests;
        to[l2_sectors_fabric_cas] += of.sectors;
        to[l2_hits_fabric_cas] += of.hits;
    }
    if (what.eviction() == l2_eviction::first) {
        to[l2_sectors_fabric_first] += of.sectors;
        to[l2_hits_fabric_first] += of.hits;
    } else if (what.eviction() == l2_eviction::last) {
        to[l2_sectors_fabric_last] += of.sectors;
        to[l2_hits_fabric_last] += of.hits;
    }
}

void l2_cache::replay(std::span<miss_stream> sms, counter_values& counted, unsigned threads) {
    unsigned sampling = 0;
    std::size_t longest = 0;
    for (miss_stream const& sm : sms) sampling = (std::max)(sampling, sm.sampling());
    auto const requests = [&] {
        std::size_t all = 0;
        for (miss_stream const& sm : sms) all += sm.requests().size();
        return all;
    };
    unsigned const samplers = sampling == 0 ? 1 : shares_of(requests(), threads);
    on_host_threads(samplers, [&](unsigned share) {
        for (std::size_t sm = share; sm < sms.size(); sm += samplers)
            if (sms[sm].sampling() != sampling) sms[sm].sample(sampling);
    });
    for (miss_stream const& sm : sms) longest = (std::max)(longest, sm.requests().size());
    unsigned const shares = shares_of(requests(), threads);
    std::vector<sectored_cache> const before = sampling == 0 ? std::vector<sectored_cache>{} : partitions_;
    std::vector<outcome> parts(shares);
    coalescer_.start(longest);
    std::vector<std::uint8_t> owners(shares > 1 ? longest * sms.size() : 0, no_share); // by turn and SM
    if (shares > 1)
        on_host_threads(shares, [&](unsigned share) {
            assign(sms, longest * share / shares, longest * (share + 1) / shares, shares, owners);
        });
    on_host_threads(shares, [&](unsigned share) { take_share(sms, longest, share, owners, parts[share]); });
    turns_.clear();
    l2_traffic_by_class asked{};
    for (miss_stream const& sm : sms) {
        turns_.resize((std::max)(turns_.size(), sm.turns().size()));
        for (std::size_t i = 0; i < sm.turns().size(); ++i) turns_[i] += sm.turns()[i];
        for (std::size_t i = 0; i < l2_class::count; ++i) asked[i] += sm.traffic()[i];
    }
    if (sampling != 0) on_host_threads(shares, [&](unsigned share) { spread(before, sampling, share, shares); });
    for (std::size_t i = 0; i < l2_class::count; ++i) {
        l2_traffic& of = asked[i];
        if (of.requests == 0) continue;
        class_outcome& seen = parts.front()[i];
        for (unsigned share = 1; share < shares; ++share) seen += parts[share][i];
        if (seen.sectors != of.sectors) scale(seen, l2_class::at(i), of);
        l2_traffic const joined{(std::min)(seen.joined.requests, of.requests),
                                (std::min)(seen.joined.sectors, of.sectors), 0};
        counted[raw_counter::l2_requests_joined] += joined.requests;
        counted[raw_counter::l2_sectors_joined] += joined.sectors;
        of.requests -= joined.requests;
        of.sectors -= joined.sectors;
        of.hits = (std::min)(seen.nearest.hits, of.sectors);
        count_from_l1(l2_class::at(i), of, counted);
        count_from_fabric(l2_class::at(i), seen.home, counted);
        add(counted, raw_counter::l2_promoted_tex_read, l2_class::at(i), seen.promoted);
        add_dram(seen, counted);
    }
    count_barriers(sms, counted);
    for (miss_stream& sm : sms)
        if (std::vector<l2_request> storage = sm.take_storage(); storage.capacity() != 0)
            streams_.give_back(std::move(storage));
}

// Each SM ends a launch with a barrier for every slice that it asked for something, which the slice
// passes on to the other half of L2. Beside them come a few to every slice from the front end, and
// some to slices that the SM did not use. As an H200 counts them: an empty kernel 2,954, one that has
// all SMs read from all slices 25,380.
void l2_cache::count_barriers(std::span<miss_stream const> sms, counter_values& counted) const noexcept {
    if (slice_count_ == 0) return;
    constexpr std::uint64_t of_front_end = 6; // a slice
    constexpr double to_unused = 2390. / 132; // an SM, when it uses none
    std::uint64_t used = 0;
    for (miss_stream const& sm : sms) used += sm.slices().size();
    std::uint64_t const unused = std::uint64_t{sm_count_} * slice_count_ - used;
    std::uint64_t const found = of_front_end * slice_count_ + 2 * used;
    counted[raw_counter::l2_barriers] +=
        found + static_cast<std::uint64_t>(static_cast<double>(unused) * to_unused / slice_count_ + 0.5);
    counted[raw_counter::l2_barrier_hits] += found;
    counted[raw_counter::l2_barriers_fabric] += used;
}

void l2_cache::fetch(std::uint64_t line, std::span<sector_mask const> sectors, bool is_there, counter_values& counted) {
    std::uint32_t const set = sets().set_of(line);
    std::size_t const home = home_of(line);
    class_outcome seen;
    if (is_there) touch(home, line, set, seen).fill(all_sectors);
    for (std::size_t away = 0; away < partitions_.size(); ++away) {
        std::size_t const nearest = (home + away) % partitions_.size();
        std::size_t const end = (std::min)(first_cluster_next_to(nearest + 1), sectors.size());
        sector_mask found = 0; // sectors that the partition has now: of one cluster after the other
        for (std::size_t cluster = first_cluster_next_to(nearest); cluster < end; ++cluster) {
            if (sectors[cluster] == 0) continue;
            counted[raw_counter::l2_requests_other_read] += 1;
            counted[raw_counter::l2_sectors_other_read] += sector_count(sectors[cluster]);
            if ((sectors[cluster] & ~found) == 0) seen.nearest.hits += sector_count(sectors[cluster]);
            else take({l2_operation::read, line, sectors[cluster]}, set, nearest, seen);
            found |= sectors[cluster];
        }
    }
    counted[raw_counter::l2_hits_other_read] += seen.nearest.hits;
    count_from_fabric(l2_operation::read, seen.home, counted);
    add_dram(seen, counted);
}

// Requests of which none is in the sample go to few lines, many times: L2 has those.
void l2_cache::scale(class_outcome& seen, l2_class what, l2_traffic const& asked) const noexcept {
    if (seen.sectors != 0) return seen.scale(static_cast<double>(asked.sectors) / static_cast<double>(seen.sectors));
    seen.nearest.hits = asked.sectors;
    if (what.operation() == l2_operation::read) return;
    std::size_t const far = partitions_.size() - 1;
    seen.home = {asked.requests * far / partitions_.size(), asked.sectors * far / partitions_.size(),
                 asked.sectors * far / partitions_.size()};
}

void l2_cache::transfer(std::uint64_t address, std::uint64_t bytes, bool writes, counter_values& counted,
                        unsigned threads) {
    if (bytes == 0) return;
    std::uint64_t const begin = address / sector_bytes, end = (address + bytes - 1) / sector_bytes + 1;
    std::uint64_t const first_line = begin / 4, end_line = (end - 1) / 4 + 1;
    counted[writes ? raw_counter::l2_requests_other_write : raw_counter::l2_requests_other_read] +=
        end_line - first_line;
    counted[writes ? raw_counter::l2_sectors_other_write : raw_counter::l2_sectors_other_read] += end - begin;
    unsigned const shares = shares_of(end_line - first_line, threads);
    std::vector<class_outcome> parts(shares);
    on_host_threads(shares, [&](unsigned share) {
        class_outcome seen; // on the thread's own stack
        for (std::uint64_t line = first_line; line < end_line;) {
            std::uint32_t set = sets().set_of(line);
            std::uint64_t const run = (std::min)(sets().run_from(line, set), share_run - set % share_run);
            std::uint64_t const run_end = (std::min)(line + run, end_line);
            if (share_of(set, shares) != share) {
                line = run_end;
                continue;
            }
            for (; line < run_end; ++line, ++set) {
                constexpr std::uint32_t ahead = 8;
                if (set + ahead < sets().set_count())
                    for (sectored_cache const& partition : partitions_) partition.expect(set + ahead);
                std::uint64_t const from = (std::max)(begin, line * 4) - line * 4,
                                    to = (std::min)(end, line * 4 + 4) - line * 4;
                auto const mask = static_cast<sector_mask>((1u << to) - (1u << from));
                take({writes ? l2_operation::write : l2_operation::read, line, mask}, set, home_of(line), seen);
            }
        }
        parts[share] = seen;
    });
    class_outcome& seen = parts.front();
    for (unsigned share = 1; share < shares; ++share) seen += parts[share];
    counted[writes ? raw_counter::l2_hits_other_write : raw_counter::l2_hits_other_read] += seen.nearest.hits;
    add_dram(seen, counted);
}

void l2_cache::assign(std::span<miss_stream const> sms, std::size_t from, std::size_t to, unsigned shares,
                      std::span<std::uint8_t> owners) const noexcept {
    for (std::size_t sm = 0; sm < sms.size(); ++sm) {
        std::vector<l2_request> const& requests = sms[sm].requests();
        for (std::size_t turn = from; turn < (std::min)(to, requests.size()); ++turn)
            owners[turn * sms.size() + sm] =
                static_cast<std::uint8_t>(share_of(sets().set_of(requests[turn].line()), shares));
    }
}

void l2_cache::take_share(std::span<miss_stream const> sms, std::size_t longest, unsigned share,
                          std::span<std::uint8_t const> owners, outcome& parts) noexcept {
    // Requests whose storage, then whose sets, are on their way to the host's processor: more streams than it follows.
    struct expected {
        std::size_t turn = 0, sm = 0;
        l2_request const* request = nullptr;
        std::uint32_t set = 0;
    };
    constexpr std::size_t ahead = 8;
    std::array<expected, 2 * ahead> coming;
    std::size_t count = 0; // of all that came
    auto const look = [&](expected& at) {
        at.set = sets().set_of(at.request->line());
        for (sectored_cache const& partition : partitions_) partition.expect(at.set);
        coalescer_.expect(at.set);
    };
    auto const take_oldest = [&](expected const& at) { take_in_turn(*at.request, at.turn, at.sm, at.set, parts); };
    auto const next = [&](std::size_t turn, std::size_t sm) { // of the share in this turn, from that SM on
        if (owners.empty()) {
            while (sm < sms.size() && turn >= sms[sm].requests().size()) ++sm;
            return sm;
        }
        std::uint8_t const* const row = &owners[turn * sms.size()];
        void const* const found = std::memchr(row + sm, static_cast<int>(share), sms.size() - sm);
        return found == nullptr ? sms.size() : static_cast<std::size_t>(static_cast<std::uint8_t const*>(found) - row);
    };
    for (std::size_t turn = 0; turn < longest; ++turn)
        for (std::size_t sm = next(turn, 0); sm < sms.size(); sm = next(turn, sm + 1)) {
            expected& newest = coming[count % coming.size()];
            if (count >= coming.size()) take_oldest(newest);
            newest = {turn, sm, &sms[sm].requests()[turn], 0};
            gpuprof::detail::prefetch(newest.request);
            if (count >= ahead) look(coming[(count - ahead) % coming.size()]);
            ++count;
        }
    for (std::size_t i = count < ahead ? 0 : count - ahead; i < count; ++i) look(coming[i % coming.size()]);
    for (std::size_t i = count < coming.size() ? 0 : count - coming.size(); i < count; ++i)
        take_oldest(coming[i % coming.size()]);
}

void l2_cache::take_in_turn(l2_request const& request, std::size_t turn, std::size_t sm, std::uint32_t set,
                            outcome& parts) noexcept {
    class_outcome& seen = parts[request.class_index()];
    seen.sectors += sector_count(request.sectors());
    bool const may_join = coalescer_.is_there() && request.operation() == l2_operation::read;
    if (may_join && coalescer_.joins(sm, turn, set, request)) return count(seen.joined, request.sectors(), 0);
    std::uint64_t const fetched = seen.fetched;
    take(request, set, nearest_to(sm), seen);
    if (may_join) coalescer_.begin(sm, turn, set, request, fetched == seen.fetched ? l2_turns : device_memory_turns);
}

void l2_cache::spread(std::vector<sectored_cache> const& before, unsigned sampling, unsigned share,
                      unsigned shares) noexcept {
    std::uint32_t const set_count = sets().set_count();
    for (std::size_t p = 0; p < partitions_.size(); ++p)
        for (std::uint32_t set = 0; set < set_count; ++set) {
            if (!miss_stream::is_sampled(set, sampling)) continue;
            auto const now = partitions_[p].lines_of(set); // a copy: sets between may be reached from here
            auto const old = before[p].lines_of(set);
            for (std::size_t way = now.size(); way > 0; --way) { // oldest first
                cache_line const line = now[way - 1];
                if (line.is_empty()) continue;
                auto const same = std::find_if(old.begin(), old.end(),
                                               [&](cache_line const& other) { return other.is(line.number()); });
                bool const came_in = same == old.end();
                cache_line const was = came_in ? cache_line{} : *same;
                for (std::uint64_t next = line.number() + 1; next < line.number() + set_count; ++next) {
                    std::uint32_t const next_set = sets().set_of(next);
                    if (miss_stream::is_sampled(next_set, sampling)) break;
                    if (share_of(next_set, shares) != share) continue;
                    neighbour const to = find_neighbour(p, line, next, next_set, came_in);
                    if (to.line == nullptr) continue;
                    to.line->fill(static_cast<sector_mask>(line.valid() & ~was.valid()));
                    to.cache->clean(*to.line, to.set, static_cast<sector_mask>(was.dirty() & ~line.dirty()));
                    auto const stored = static_cast<sector_mask>(line.dirty() & ~was.dirty());
                    if (stored != 0) to.cache->write(*to.line, to.set, stored, dirty_ways_);
                }
            }
        }
}

l2_cache::neighbour l2_cache::find_neighbour(std::size_t partition, cache_line const& of, std::uint64_t line,
                                             std::uint32_t set, bool comes_in) noexcept {
    bool const is_copy = home_of(of.number()) != partition;
    std::size_t const home = home_of(line);
    sectored_cache& cache = partitions_[is_copy ? partitions_.size() - 1 - home : home];
    cache_line evicted; // counted when the launch was scaled up
    return {&cache, set, comes_in ? &cache.touch(line, set, evicted) : cache.find(line, set)};
}

} // namespace sim
GPUPROF_NAMESPACE_END
