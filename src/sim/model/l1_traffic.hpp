// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Counts a warp's accesses in the L1 cache and the shared memory of its SM.
#ifndef GPUPROF_SRC_SIM_MODEL_L1_TRAFFIC_HPP
#define GPUPROF_SRC_SIM_MODEL_L1_TRAFFIC_HPP

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "access_lines.hpp"
#include "constant_sectors.hpp"
#include "../code/device_memory.hpp"
#include "l1_cache.hpp"
#include "../code/observer.hpp"
#include "../counters/raw_counter.hpp"
#include "shared_banks.hpp"
#include "store_merge.hpp"
#include "sum_turns.hpp"
#include "warp_moment.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// Requests by space and operation, in the order of the counters. Asynchronous copies (ldgsts) count as loads, too:
// those that L1 keeps, and those that it does not.
enum class l1_request : std::uint8_t {
    global_ld,
    global_st,
    global_atom,
    global_red,
    local_ld,
    local_st,
    ldgsts,
    ldgsts_past_l1
};
inline constexpr std::size_t l1_requests = 8;

// Of one kind of request (kernel profiling guide, 3.3): requests, sectors, sectors found, lines
// looked up, wavefronts that leave the look-up, and the bytes that threads asked for.
struct l1_counts {
    std::uint64_t requests = 0;
    std::uint64_t sectors = 0;
    std::uint64_t hits = 0;
    std::uint64_t tags = 0;
    std::uint64_t wavefronts = 0;
    std::uint64_t bytes = 0;
};

// What the machine knows of an access beside its addresses. The first two are the form in which it does an atomic.
struct access_form {
    bool reduces = false;      // nobody wants the result
    bool counts_lanes = false; // lanes at one address are added up first, and one of them asks for all
    cache_use cache{};
    warp_moment moment{};
};

class l1_traffic {
public:
    explicit l1_traffic(l1_cache cache) : cache_{std::move(cache)} {}

    // @param local_base line of the warp's local memory
    void access(memory_access const& access, access_form const& form, std::uint64_t local_base) {
        if (access.active == 0) return;
        if (access.operation >= memory_operation::texture) return texels(access, form.cache.eviction);
        switch (access.space) {
            case ptx::space::shared: return shared(access, form);
            case ptx::space::local: return local(access, local_base, form.cache.eviction);
            case ptx::space::global:
                return access.operation >= memory_operation::bulk_load ? bulk(access) : global(access, form);
            case ptx::space::constant: return constants_.add(access);
            default: return;
        }
    }

    [[nodiscard]] miss_stream& to_l2() noexcept { return cache_.to_l2(); }
    [[nodiscard]] sectored_cache take_storage() noexcept { return cache_.take_storage(); }
    [[nodiscard]] constant_sectors const& constants() const noexcept { return constants_; }

    // Adds everything that was counted.
    void add_to(counter_values& to) const noexcept;

private:
    static constexpr std::size_t widths = 5; // 1 to 16 bytes a thread

    static_assert(static_cast<std::size_t>(memory_operation::store_matrix) == 6);
    // Sums of floats in shared memory. A round loads, adds, compares and swaps, tests and goes back, as ptxas 13.0 makes it for sm_90: LDS,
    // FADD or DADD, ATOMS.CAST.SPIN, ISETP, two of 64 bits, BRA. What is added for the instruction itself counts elsewhere.
    struct swap_loops {
        std::uint64_t rounds = 0;
        std::uint64_t waits = 0; // of these, for other warps
        std::uint64_t instructions = 0;
        std::uint64_t thread_instructions = 0;
        std::array<std::uint64_t, 2> sums{}; // of single precision, of double

        void add(sum_cost const& cost, memory_access const& access, bool halves) noexcept {
            bool const wide = access.bytes == 8;
            std::uint64_t const in_round = wide ? 6 : 5;
            rounds += cost.rounds;
            waits += cost.waits;
            instructions += cost.rounds * in_round - 1;
            thread_instructions += cost.lanes * in_round - lane_count(access.active);
            if (!halves) sums[wide ? 1 : 0] += cost.lanes;
        }
    };
    struct shared_counts {
        std::uint64_t wavefronts = 0;
        std::uint64_t conflicts = 0;
        std::uint64_t bytes = 0;
    };

    void add_shared(memory_operation what, raw_counter wavefronts, raw_counter conflicts, raw_counter bytes,
                    counter_values& to) const noexcept;
    static std::uint64_t& at(counter_values& to, raw_counter first, std::size_t i) noexcept {
        return to.values[static_cast<std::size_t>(first) + i];
    }

    void shared(memory_access const& access, access_form const& form) noexcept {
        if (access.elsewhere != 0) return shared_of_cluster(access, form);
        if (access.operation == memory_operation::copy_async) return copies(access, form);
        auto const kind = static_cast<std::size_t>(access.operation);
        shared_[kind].bytes += std::uint64_t{access.bytes} * lane_count(access.active);
        if (form.cache.sums_floats) {
            sum_cost const cost = sum_turns_.add(access, form.moment);
            shared_[kind].wavefronts += cost.wavefronts;
            return swaps_.add(cost, access, form.cache.sums_halves);
        }
        shared_cost const cost = shared_wavefronts(access, form.counts_lanes);
        shared_[kind].wavefronts += cost.wavefronts;
        shared_[kind].conflicts += cost.conflicts;
    }

    // What cp.async writes (H200, tests/hardware/async_copies.cu). Instructions count the wavefronts of all their lanes by the banks
    // that they write or read, whichever take more; the pipeline counts those that copy, unless they pass L1, and those that fill.
    void copies(memory_access access, access_form const& form) noexcept {
        memory_access from = access;
        from.address += warp_size;
        copy_wavefronts_ += std::max(shared_wavefronts(access).wavefronts, shared_wavefronts(from).wavefronts);
        lane_mask const fills = access.fills, reads = access.active & ~fills;
        shared_counts& counts = shared_[static_cast<std::size_t>(memory_operation::copy_async)];
        for (lane_mask const lanes : {form.cache.past_l1 ? lane_mask{0} : reads, fills}) {
            access.active = lanes;
            if (lanes == 0) continue;
            shared_cost const cost = shared_wavefronts(access);
            counts.wavefronts += cost.wavefronts;
            counts.conflicts += cost.conflicts;
        }
        counts.bytes += std::uint64_t{access.bytes} * lane_count(reads);
    }

    // What reaches other CTAs of the cluster goes out through L1, where it finds nothing; the rest is an access to the CTA's own.
    GPUPROF_COLD void shared_of_cluster(memory_access const& access, access_form const& form) noexcept {
        memory_access others = access;
        others.active = access.elsewhere;
        others.pattern = address_pattern::any;
        lines_.collect(others);
        cluster_sectors_ += lines_.sector_total();
        memory_access const own = own_of_cluster(access);
        if (own.active != 0) shared(own, form);
    }

    void local(memory_access const& access, std::uint64_t base, l2_eviction eviction) {
        lines_.collect_local(access, base);
        bool const stores = access.operation == memory_operation::store;
        l1_counts& counts = begin(stores ? l1_request::local_st : l1_request::local_ld, access);
        wavefronts_ += std::max<std::uint64_t>(lines_.size(), lines_of(access)); // a line or 128 bytes each
        if (access.bytes > 4) counts.requests += access.bytes / 4 - 1; // one a word: words lie in lines of their own
        unsigned hits = 0;
        for (unsigned i = 0; i < lines_.size(); ++i)
            hits += stores ? cache_.local_store(lines_.line(i), lines_.sectors(i), eviction)
                           : cache_.load(lines_.line(i), lines_.sectors(i), eviction);
        count_hits(counts, hits, !stores);
    }

    void global(memory_access const& access, access_form const& form) {
        if (access.operation == memory_operation::atomic || access.operation == memory_operation::reduction)
            return atomics(access, form);
        lines_.collect(access);
        bool const stores = access.operation == memory_operation::store;
        auto kind = stores ? l1_request::global_st : l1_request::global_ld;
        if (access.operation == memory_operation::copy_async)
            kind = form.cache.past_l1 ? l1_request::ldgsts_past_l1 : l1_request::ldgsts;
        l1_counts& counts = begin(kind, access);
        l2_eviction const eviction = form.cache.eviction;
        threads_[stores ? 1 : 0][width_of(access)] += lane_count(access.active);
        if (stores) {
            wavefronts_ += data_wavefronts(access, 0);
            return store(counts, access, form);
        }
        unsigned missed = 0, found = 0; // lines, sectors
        for (unsigned i = 0; i < lines_.size(); ++i) {
            unsigned const hits = form.cache.past_l1 ? cache_.load_past(lines_.line(i), lines_.sectors(i), eviction)
                                                     : cache_.load(lines_.line(i), lines_.sectors(i), eviction);
            found += hits;
            missed += hits == 0 ? 1 : 0;
        }
        count_hits(counts, found, true);
        wavefronts_ += data_wavefronts(access, missed);
        tag_turns_ += lines_.tag_turns();
    }
    // To lines_. Sectors that are stored whole are not stored to again soon.
    void store(l1_counts& counts, memory_access const& access, access_form const& form) {
        unsigned const all = lines_.sector_total();
        for (unsigned i = 0; i < lines_.size(); ++i) {
            sector_mask const sectors = lines_.sectors(i), whole = lines_.whole(i);
            bool const is_alone = whole == sectors && access.pattern != address_pattern::same;
            sector_mask const sent = is_alone ? sectors : stores_.left(lines_.line(i), sectors, all, form.moment);
            counts.hits += cache_.store(lines_.line(i), sectors, whole, sent, form.cache.eviction);
        }
    }

    // Goes between L2 and shared memory, past L1.
    void bulk(memory_access const& access) {
        lines_.collect(access);
        bool const loads = access.operation == memory_operation::bulk_load;
        auto const what = loads ? l2_operation::read : l2_operation::write;
        bulk_sectors_[loads ? 0 : 1] += lines_.sector_total();
        for (unsigned i = 0; i < lines_.size(); ++i) cache_.to_l2().add(what, lines_.line(i), lines_.sectors(i));
    }

    // A request of the warp, with every texel that its lanes touch. Filtering touches several for
    // each lane.
    void texels(memory_access const& access, l2_eviction eviction) {
        lines_.collect(access);
        for (unsigned place = 1; place < access.places; ++place) {
            memory_access more = access;
            more.address += std::size_t{place} * warp_size;
            lines_.collect_more(more);
        }
        bool const stores = access.operation == memory_operation::store_surface;
        l1_counts& counts = texel_counts_[static_cast<std::size_t>(access.operation) -
                                          static_cast<std::size_t>(memory_operation::texture)];
        ++counts.requests;
        counts.sectors += lines_.sector_total();
        counts.wavefronts += wavefronts_of(lines_.size(), std::uint64_t{access.bytes} * lane_count(access.active));
        unsigned hits = 0;
        for (unsigned i = 0; i < lines_.size(); ++i)
            hits += stores
                        ? cache_.store(lines_.line(i), lines_.sectors(i), lines_.whole(i), lines_.sectors(i), eviction)
                        : cache_.load(lines_.line(i), lines_.sectors(i), eviction);
        count_hits(counts, hits, !stores);
    }

    // Lanes on the same address take turns, a pass each; every pass counts its sectors.
    void atomics(memory_access access, access_form const& form) {
        bool const discards = form.reduces || access.operation == memory_operation::reduction;
        l2_class const what{form.cache.compares ? l2_operation::compare
                            : discards          ? l2_operation::reduction
                                                : l2_operation::atomic,
                            form.cache.eviction};
        access.pattern = address_pattern::any; // each turn has some of the lanes
        if (form.counts_lanes) access.active &= ~access.active + 1;
        memory_access turn = access;
        bool first = true;
        for (lane_mask left = access.active; left != 0;) {
            turn.active = first_of_each_address(access, left);
            left &= ~turn.active;
            lines_.collect(turn);
            l1_counts& counts =
                counts_[static_cast<std::size_t>(discards ? l1_request::global_red : l1_request::global_atom)];
            wavefronts_ += std::max<std::uint64_t>(lines_.size(), first ? lines_of(access) : 0); // as local memory's
            if (first) static_cast<void>(begin(discards ? l1_request::global_red : l1_request::global_atom, access));
            else {
                counts.sectors += lines_.sector_total();
                counts.wavefronts += wavefronts_of(lines_.size(), 0);
            }
            first = false;
            for (unsigned i = 0; i < lines_.size(); ++i)
                counts.hits += cache_.atomic(lines_.line(i), lines_.sectors(i), what, form.cache.sums_floats);
        }
    }
    static std::size_t width_of(memory_access const& access) noexcept {
        return std::min<std::size_t>(static_cast<std::size_t>(std::bit_width(access.bytes | 1u)) - 1, widths - 1);
    }

    // Counts a request for lines_, but for what the cache has of it.
    l1_counts& begin(l1_request kind, memory_access const& access) noexcept {
        l1_counts& counts = counts_[static_cast<std::size_t>(kind)];
        std::uint64_t const bytes = std::uint64_t{access.bytes} * lane_count(access.active);
        ++counts.requests;
        counts.sectors += lines_.sector_total();
        counts.tags += lines_.size();
        counts.bytes += bytes;
        counts.wavefronts += wavefronts_of(lines_.size(), bytes);
        return counts;
    }

    // What the cache had of the request for lines_.
    void count_hits(l1_counts& counts, unsigned hits, bool loads) noexcept {
        counts.hits += hits;
        if (loads && hits != lines_.sector_total()) ++missing_loads_;
    }

    // Of the data, which lie in the banks of shared memory: lines that lanes find there meet in them. What comes from L2 is two lines
    // a cycle (H200, last_pairs_values.csv: a warp that reads 23 lines here and there has 3.9 wavefronts where L1 has 96 % of them,
    // mended_filtered_keys, and 13 of 32 where it has none, bad_vertex_walks).
    [[nodiscard]] std::uint64_t data_wavefronts(memory_access const& access, unsigned missed) const noexcept {
        std::uint64_t const full = lines_of(access);
        if (lines_.size() <= full) return full;
        return std::max<std::uint64_t>(shared_wavefronts(access).wavefronts, (missed + 1) / 2);
    }
    // That the bytes of its lanes fill.
    [[nodiscard]] static std::uint64_t lines_of(memory_access const& access) noexcept {
        return (std::uint64_t{access.bytes} * lane_count(access.active) + line_bytes - 1) / line_bytes;
    }

    // Of the look-up: four lines or 128 bytes each, as in the example of the kernel profiling guide, 10.2.
    static std::uint64_t wavefronts_of(unsigned lines, std::uint64_t bytes) noexcept {
        return std::max<std::uint64_t>((lines + 3) / 4, (bytes + line_bytes - 1) / line_bytes);
    }

    l1_cache cache_;
    store_merge stores_;
    sum_turns sum_turns_;
    constant_sectors constants_;
    access_lines lines_;
    std::array<l1_counts, l1_requests> counts_;
    std::array<l1_counts, 3> texel_counts_{}; // textures, loads and stores of surfaces
    std::uint64_t cluster_sectors_ = 0;
    std::array<shared_counts, 7> shared_; // by memory_operation
    std::uint64_t copy_wavefronts_ = 0;
    std::array<std::array<std::uint64_t, widths>, 2> threads_{}; // loads, stores of global memory by width
    std::uint64_t tag_turns_ = 0;                                // of loads
    std::uint64_t missing_loads_ = 0;                            // requests that L1 did not have all of
    std::uint64_t wavefronts_ = 0;
    swap_loops swaps_;
    std::array<std::uint64_t, 2> bulk_sectors_{}; // loads, stores
};

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_MODEL_L1_TRAFFIC_HPP
