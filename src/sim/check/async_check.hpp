// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds errors with asynchronous copies: cp.async, bulk and tensor copies, st.async, and the mbarriers they complete on.
//
// The embedded GPU moves bytes when a copy is issued, or when cp.async is waited for. Here a copy is under way until a
// thread has waited for it as PTX wants, and until the accessing thread knows of that wait (clocks.hpp).
// - Shared memory that a copy fills is neither read nor written before.
// - Shared memory that a bulk copy reads is not written before its group is waited for.
// - Between a plain write to shared memory and a bulk copy or a product that reads it there is a fence.proxy.async, of
//   the writer or of a thread that knows of the write. After cp.async none is asked for: PTX counts it among the plain
//   writes, but CUTLASS's products read what it brought without a fence.
// - An mbarrier is initialised once, with a count, before it is used, and nobody arrives too often.
// - Shared memory of another CTA is used between its start and its end.
// Plain writes to global memory before a tensor copy reads it are not looked at.
#ifndef GPUPROF_SRC_SIM_CHECK_ASYNC_CHECK_HPP
#define GPUPROF_SRC_SIM_CHECK_ASYNC_CHECK_HPP

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "../ops/mbarrier.hpp"
#include "clocks.hpp"
#include "launch_check.hpp"
#include "product_check.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// Who accesses memory.
struct async_actor {
    cta_clocks& clocks; // of its CTA
    unsigned warp = 0;
    unsigned lane = 0;
    std::uint32_t instruction = 0;

    [[nodiscard]] check_place place() const noexcept { return {clocks.cta(), warp * warp_size + lane, instruction}; }
};

// Of the shared memory of a CTA. @pre there is a race check, too: its clocks are used
class async_check {
public:
    async_check(launch_check& launch, std::uint32_t cta, cta_clocks& clocks, unsigned warps, std::uint32_t shared_bytes)
        : launch_{launch},
          cta_{cta},
          clocks_{clocks},
          cells_((shared_bytes + 3) / 4),
          fences_(warps),
          products_{launch, cta, clocks, warps, shared_bytes} {
        for (unsigned w = 0; w < warps; ++w) starts_.push_back(clocks.segment(w));
    }

    enum class by : std::uint8_t { plain, copy, reduction };
    // An access to this CTA's shared memory.
    void access(async_actor const& me, std::uint32_t offset, std::uint32_t bytes, bool writes, by proxy);

    // cp.async: begun, arrived. @param on_barrier it arrives on the mbarrier that bind() names next
    void copy_begins(async_actor const& me, std::uint32_t to, std::uint32_t bytes);
    void copy_arrived(async_actor const& me, std::uint32_t to, std::uint32_t bytes, bool on_barrier);

    // A bulk copy fills, or st.async writes, these bytes, and completes on the mbarrier that bind() names next.
    // @param reduces it adds to what is there, as others may at the same time
    void fills(async_actor const& me, std::uint32_t offset, std::uint32_t bytes, bool reduces);
    void bind(async_actor const& me, async_check& owner, std::uint32_t mbarrier);

    // A bulk copy that a bulk group completes reads these bytes, or writes to global memory.
    void store_reads(async_actor const& me, std::uint32_t offset, std::uint32_t bytes);
    void store_writes(async_actor const& me, std::uint64_t address, std::uint32_t bytes);
    void commit_stores(unsigned thread) { ++threads_[thread].open; }
    // Calls read(offset, bytes) for what is no longer read.
    template <class Read>
    void wait_for_stores(unsigned thread, std::uint32_t may_stay, bool reads_only, Read read) {
        auto const found = threads_.find(thread);
        if (found == threads_.end()) return;
        for (std::uint32_t const id : found->second.stores) {
            operation& o = operations_[id];
            if (o.group + std::uint64_t{may_stay} >= found->second.open) continue;
            if (!o.done)
                for (auto const& [begin, end] : o.shared) read(begin, end - begin);
            o.done = true;
            o.written = o.written || !reads_only;
        }
        std::erase_if(found->second.stores, [&](std::uint32_t id) { return operations_[id].written; });
        std::erase_if(unwritten_, [&](std::uint32_t id) { return operations_[id].written; });
    }
    // A plain access to global memory.
    void global_access(async_actor const& me, std::uint64_t address, std::uint32_t bytes);

    void fence(unsigned warp, lane_mask lanes);

    // Of the warpgroups of this CTA.
    [[nodiscard]] product_check& products() noexcept { return products_; }
    // A product of this CTA reads these bytes, with the async proxy.
    void product_reads(async_actor const& me, warp const& w, std::uint32_t offset, std::uint32_t bytes);

    // An operation on an mbarrier of this CTA. @param number the count, the bytes or the parity
    void mbarrier_used(async_actor const& me, std::uint32_t offset, mbarrier_operation what, std::uint32_t number,
                       mbarrier before, mbarrier after, bool passes);

    // A thread of another CTA uses this CTA's shared memory.
    void used_from_elsewhere(async_actor const& me);
    // Lanes end. @param is_last no thread of the CTA is left
    void exited(async_actor const& me, lane_mask lanes, bool is_last);
    // The launch ends because threads wait in vain.
    static void stopped(launch_check& launch);

private:
    struct operation {
        check_place place;
        char const* name = "";
        std::uint32_t group = 0;       // of bulk groups
        async_check* owner = nullptr;  // of the mbarrier
        std::uint32_t mbarrier = 0;    // where it is
        std::uint32_t phase = 0;       // that it completes
        std::uint32_t incarnation = 0; // of the mbarrier
        bool waits_for_group = false;  // cp.async
        bool done = false;             // it neither fills nor reads any more
        bool reduces = false;
        bool written = false;                                        // what it wrote to global memory is seen
        std::uint64_t seen_by = 0;                                   // warps of this CTA that know that it is complete
        std::vector<std::pair<std::uint32_t, std::uint32_t>> shared; // begin and end
        std::vector<std::pair<std::uint64_t, std::uint64_t>> global;
    };
    static constexpr std::uint32_t none = ~std::uint32_t{0};
    struct cell { // 4 bytes
        std::uint32_t filling = none;
        std::uint32_t reading = none;
        std::uint32_t writer = 0; // the segment of the last plain write, or in which cp.async was waited for; 0: none
        std::uint32_t instruction = 0;
        std::uint64_t time = 0;
        std::uint8_t lane = 0;
        bool needs_fence = true; // before the async proxy reads it
    };
    struct proxy_fence {
        std::array<std::uint64_t, warp_size> time{};
        std::uint64_t last = 0;
        cta_clocks::warp_point known;
    };
    struct observation {
        std::uint32_t cta;
        std::uint32_t warp;
        std::uint32_t segment;
        std::uint32_t phases; // that were complete
    };
    struct barrier_state {
        bool valid = false;
        check_place init;
        std::uint32_t incarnation = 0;
        std::uint32_t phase = 0;     // complete ones
        std::uint32_t forgotten = 0; // phases before are known to all
        std::uint64_t bits = 0;
        std::vector<observation> seen;
    };
    struct bulk_thread {
        std::uint32_t open = 0; // group
        std::vector<std::uint32_t> stores;
    };

    [[nodiscard]] std::uint32_t begin(async_actor const& me, char const* name);
    [[nodiscard]] std::uint32_t store_of(async_actor const& me);
    // Whether that thread issued the operation.
    [[nodiscard]] static bool is_of(operation const& o, async_actor const& me);
    // The cells that lie within these bytes whole.
    [[nodiscard]] std::span<cell> cells_of(std::uint32_t offset, std::uint32_t bytes);
    [[nodiscard]] bool is_complete(operation& o, async_actor const& me);
    [[nodiscard]] bool is_fenced(cell const& c);
    template <class Range, class At>
    static void extend(Range& ranges, At begin, At bytes) {
        if (!ranges.empty() && ranges.back().second == begin) ranges.back().second += bytes;
        else ranges.push_back({begin, begin + bytes});
    }
    void found(finding_kind kind, check_place const& here, char const* did, check_place const* other,
               char const* other_did, std::string const& detail, std::uint64_t address);

    launch_check& launch_;
    std::uint32_t cta_;
    cta_clocks& clocks_;
    std::vector<cell> cells_;
    std::vector<operation> operations_;
    std::vector<std::uint32_t> free_;    // operations of cp.async that are over
    std::vector<std::uint32_t> unbound_; // whose mbarrier is not known yet
    std::vector<std::uint32_t> unwritten_;
    std::map<unsigned, bulk_thread> threads_;
    std::map<std::uint32_t, barrier_state> barriers_;
    std::vector<proxy_fence> fences_; // by warp
    product_check products_;
    std::vector<std::uint32_t> starts_;
    std::uint64_t time_ = 1;
    struct visit {
        std::uint32_t segment;
        check_place place;
    };
    std::map<std::pair<std::uint32_t, std::uint32_t>, visit> visits_; // by CTA and warp
    bool ended_ = false;
};

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_CHECK_ASYNC_CHECK_HPP
