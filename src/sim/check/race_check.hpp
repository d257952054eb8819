// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds accesses that nothing orders.
//
// Each four bytes of memory keep their last write and their last read (access_cell.hpp), each byte
// where bytes are accessed by themselves. Two accesses of different threads are a race if one of
// them writes, clocks.hpp does not order them, and they are not both strong (atomic, volatile,
// relaxed) in a scope that holds both. A write of what is there already, by plain stores, is none:
// "found = true" by all threads is usual, and harmless on every GPU. Neither is a plain read beside
// a compare-and-swap: loops around one begin with it, and the swap checks what was read.
#ifndef GPUPROF_SRC_SIM_CHECK_RACE_CHECK_HPP
#define GPUPROF_SRC_SIM_CHECK_RACE_CHECK_HPP

#include <cstdint>
#include <string>
#include <vector>

#include "access_cell.hpp"
#include "clocks.hpp"
#include "launch_check.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// An access of the lanes of a warp in one instruction.
struct watched_access {
    ptx::space space = ptx::space::global; // global or shared
    bool reads = false;
    bool writes = false;
    memory_order order;
    std::uint32_t bytes = 0; // of a lane
    std::uint64_t const* address = nullptr;
    std::uint32_t instruction = 0;
    bool is_plain_store = false;
    bool is_swap = false; // by comparing
};

// The accesses of a CTA.
class race_check {
public:
    race_check(launch_check& launch, std::uint32_t cta, unsigned warps, std::uint32_t shared_bytes)
        : launch_{launch},
          clocks_{launch.clocks, cta, warps},
          shared_cells_((shared_bytes + shadow_page::bytes - 1) / shadow_page::bytes) {}

    [[nodiscard]] cta_clocks& clocks() noexcept { return clocks_; }

    // @param harmless whether a plain store of a lane, after that write, writes what is there
    // already
    template <class Harmless>
    // @param of whose shared memory it is; null: this CTA's
    void access(unsigned warp, lane_mask lanes, watched_access const& what, Harmless harmless,
                race_check* of = nullptr) {
        auto& shared_cells = of != nullptr ? of->shared_cells_ : shared_cells_;
        bool const is_shared = what.space == ptx::space::shared;
        if (of == nullptr && what.order.releases) clocks_.fence(warp, lanes, what.order.in_cta_only);
        if (of == nullptr && what.order.strong) synchronise(warp, lanes, what, is_shared);
        unsigned const strength = !what.order.strong                     ? 0
                                  : what.order.in_cta_only && !is_shared ? 1
                                  : what.is_swap                         ? 3
                                                                         : 2;
        std::uint32_t const segment = clocks_.segment(warp);
        std::uint32_t const first = launch_.clocks.first_segment;
        // Segments, of writes and of reads, of which all lanes know: mostly those of the lane
        // before.
        std::uint32_t known_write = 0, known_read = 0;
        auto const is_known = [&](access_record const& then, std::uint32_t& known, bool was_read) {
            if (then.segment == known) return true;
            if (then.segment == segment || !clocks_.all_know(warp, then.segment, was_read)) return false;
            known = then.segment;
            return true;
        };
        std::size_t const piece = what.bytes;
        cell_block<shadow_page::bytes>* block = nullptr;
        std::uint64_t block_number = ~std::uint64_t{0};
        for (unsigned lane = 0; lane < warp_size; ++lane) {
            if (!(lanes >> lane & 1)) continue;
            std::uint64_t const address = what.address[lane];
            if (address / shadow_page::bytes != block_number) {
                block_number = address / shadow_page::bytes;
                if (!is_shared) block = &launch_.shadow().page(address).accesses();
                else if (block_number < shared_cells.size()) block = &shared_cells[block_number];
                else continue;
            }
            access_record const me{segment, lane, what.instruction, strength};
            block->for_each(address % shadow_page::bytes, piece, [&](access_cell& cell) {
                if (cell.write.segment >= first && (cell.write.segment != segment || cell.write.lane() != lane) &&
                    !is_known(cell.write, known_write, false) && !is_ordered(cell.write, me, warp, false))
                    found(cell.write, true, me, warp, what, address,
                          what.is_plain_store ? harmless(lane, cell.write)
                                              : !what.writes && cell.write.strength() == 3);
                if (what.writes) {
                    if (cell.read.segment >= first &&
                        (cell.read.segment != segment || cell.read.lane() != lane || cell.read.by_many()) &&
                        !is_known(cell.read, known_read, true) && !is_ordered(cell.read, me, warp, true))
                        found(cell.read, false, me, warp, what, address, strength == 3);
                    cell.write = me;
                    cell.read = {};
                } else {
                    bool const again =
                        cell.read.segment == segment && (cell.read.lane() != lane || cell.read.by_many());
                    cell.read = me;
                    if (again) cell.read.set_by_many();
                }
            });
        }
    }

private:
    void synchronise(unsigned warp, lane_mask lanes, watched_access const& what, bool is_shared) {
        for (unsigned lane = 0; lane < warp_size; ++lane) {
            if (!(lanes >> lane & 1)) continue;
            std::uint64_t const last = (what.address[lane] + what.bytes - 1) / 4;
            for (std::uint64_t word = what.address[lane] / 4; word <= last; ++word) {
                if (what.reads) clocks_.acquire(warp, word, is_shared);
                if (what.writes) clocks_.release(warp, lane, word, is_shared, what.reads);
            }
        }
    }
    [[nodiscard]] bool is_ordered(access_record const& then, access_record const& now, unsigned warp, bool was_read) {
        if (then.strength() >= 2 && now.strength() >= 2) return true;
        if (then.segment == now.segment)
            return then.strength() != 0 && now.strength() != 0; // of one warp, side by side
        if (then.strength() != 0 && now.strength() != 0 && launch_.clocks.at(then.segment).cta == clocks_.cta())
            return true;
        return clocks_.knows(warp, then.lane(), then.segment, now.lane(), was_read);
    }
    static std::string text_of(bool writes, bool reads, unsigned strength, std::uint32_t bytes);
    void found(access_record const& then, bool then_writes, access_record const& now, unsigned warp,
               watched_access const& what, std::uint64_t address, bool is_harmless);

    launch_check& launch_;
    cta_clocks clocks_;
    std::vector<cell_block<shadow_page::bytes>> shared_cells_;
};

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_CHECK_RACE_CHECK_HPP
