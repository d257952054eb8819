// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Executes cp.async.bulk: one thread's copy between global and shared memory, or the shared memory of blocks of a
// cluster; and what st.async and red.async complete.
#ifndef GPUPROF_SRC_SIM_EXECUTE_BULK_COPY_UNIT_HPP
#define GPUPROF_SRC_SIM_EXECUTE_BULK_COPY_UNIT_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "../check/no_check.hpp"
#include "../code/decoded.hpp"
#include "../code/warp.hpp"
#include "../ops/mbarrier.hpp"
#include "../ops/memory_cell.hpp"
#include "cta_memory.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// The copy is done when it is issued, the earliest that PTX allows: its bytes are complete on the
// mbarrier, and a bulk group has nothing to wait for. Functions give false when a lane faults, as
// memory_unit's do.
template <sm_observer Sm>
class bulk_copy_unit {
public:
    using check_type = typename check_of<Sm>::type;
    bulk_copy_unit(cta_memory& memory, Sm& sm, check_type& check) noexcept : memory_{memory}, sm_{sm}, check_{check} {}

    // Each lane has a copy of its own; mostly one lane is elected.
    bool copy(warp& w, registers const& r, decoded const& op, lane_mask mask) {
        for (unsigned lane = 0; lane < warp_size; ++lane)
            if ((mask >> lane & 1) && !is_repeated(lane, mask, r, op) && !copy_of(lane, w, r, op)) return false;
        return true;
    }
    // Whether a lane before gives the same operands: the warp copies once, as hardware does, whose unit for copies has
    // operands of the warp (H200, CUTLASS's epilogues, where a whole warp stores a tile, and its bulk_store.cu).
    [[nodiscard]] static bool is_repeated(unsigned lane, lane_mask mask, registers const& r,
                                          decoded const& op) noexcept {
        for (unsigned other = 0; other < lane; ++other)
            if ((mask >> other & 1) && has_same_operands(r, op, lane, other)) return true;
        return false;
    }

    // st.async, red.async: what each lane has stored is complete on its mbarrier, which the last two slots name.
    bool complete_stores(warp& w, registers const& r, decoded const& op, lane_mask mask) {
        operand_slot const *const base = op.slots + op.list_count - 2, *const offset = base + 1;
        std::uint32_t const bytes = ptx::size_of(op.memory.element) * op.memory.count;
        for (unsigned lane = 0; lane < warp_size; ++lane)
            if ((mask >> lane & 1) &&
                !complete(lane, w, op, r.read_lane(base->ref, lane, base->bytes) + r.read_lane(offset->ref, lane, 8),
                          bytes))
                return false;
        return true;
    }

    // What copies of tensors need, too.
    struct place {
        ptx::space space;
        std::uint64_t address;
    };
    // Of destination, source and mbarrier.
    static std::uint64_t address(registers const& r, decoded const& op, unsigned lane, std::size_t which) noexcept {
        operand_slot const base = op.slots[2 * which];
        return r.read_lane(base.ref, lane, base.bytes) + r.read_lane(op.slots[2 * which + 1].ref, lane, 8);
    }

    bool complete(unsigned lane, warp& w, decoded const& op, std::uint64_t address, std::uint32_t bytes) {
        constexpr unsigned size = sizeof(std::uint64_t);
        std::byte* const at = memory_.locate(ptx::space::shared, w, lane, address, size);
        if (at == nullptr) return false;
        touch(lane, w, op, {ptx::space::shared, address}, memory_operation::atomic, size);
        mbarrier b{load_cell<std::uint64_t>(at, true)};
        mbarrier const before = b;
        b.complete_bytes(bytes);
        check_.mbarrier_used(w, op, lane, address, mbarrier_operation::complete_bytes, bytes, before, b, false);
        store_cell(at, b.bits(), true);
        return true;
    }

    void touch(unsigned lane, warp& w, decoded const& op, place at, memory_operation what, unsigned bytes) {
        if constexpr (check_type::listens) {
            lanes<std::uint64_t> all{};
            all[lane] = at.address;
            check_.touch(w, op, at.space, what, all, bytes, lane_mask{1} << lane);
        }
    }

private:
    static constexpr unsigned piece = 16; // bytes: addresses and sizes are multiples

    static bool has_same_operands(registers const& r, decoded const& op, unsigned a, unsigned b) noexcept {
        for (std::size_t i = 0; i < op.list_count; ++i)
            if (r.read_lane(op.slots[i].ref, a, op.slots[i].bytes) !=
                r.read_lane(op.slots[i].ref, b, op.slots[i].bytes))
                return false;
        bool const is_tensor = op.action == action::copy_tensor; // without a size, whose map has it
        bool const is_multicast = is_tensor ? (op.immediate & tensor_copy_multicast) != 0 : op.immediate != 0;
        return (is_tensor || r.read_lane(op.b, a, 4) == r.read_lane(op.b, b, 4)) &&
               (!is_multicast || r.read_lane(op.c, a, 2) == r.read_lane(op.c, b, 2));
    }

    bool copy_of(unsigned lane, warp& w, registers const& r, decoded const& op) {
        auto const form = static_cast<bulk_copy>(op.mode);
        place const to{form == bulk_copy::to_global ? ptx::space::global : ptx::space::shared, address(r, op, lane, 0)};
        place const from{form == bulk_copy::to_shared ? ptx::space::global : ptx::space::shared,
                         address(r, op, lane, 1)};
        auto const bytes = static_cast<std::uint32_t>(r.read_lane(op.b, lane, 4));
        if (bytes % piece != 0) {
            memory_.fail(launch_failure::misaligned_address, from.space, lane, from.address, bytes);
            memory_.describe("the size of a bulk copy, which is no multiple of 16");
            return false;
        }
        if (op.immediate == 0)
            return move(lane, w, op, to, from, bytes, true) &&
                   (form == bulk_copy::to_global || complete(lane, w, op, address(r, op, lane, 2), bytes));
        // Multicast: to the same place in each of these CTAs, and on the mbarrier at the same place there.
        bool first = true;
        for (std::uint64_t left = r.read_lane(op.c, lane, 2), rank = 1; left != 0; left >>= 1, ++rank) {
            if ((left & 1) == 0) continue;
            auto const there = [&](std::uint64_t own) {
                return (own & address_map::own_offset) | rank << address_map::rank_shift;
            };
            if (!move(lane, w, op, {to.space, there(to.address)}, from, bytes, first) ||
                !complete(lane, w, op, there(address(r, op, lane, 2)), bytes))
                return false;
            first = false;
        }
        return true;
    }

    // @param is_counted its side in global memory is
    bool move(unsigned lane, warp& w, decoded const& op, place to, place from, std::uint32_t bytes, bool is_counted) {
        constexpr std::uint32_t at_once = warp_size * piece;
        for (std::uint32_t done = 0; done < bytes; done += at_once)
            if (!copy_pieces(lane, w, op, {to.space, to.address + done}, {from.space, from.address + done},
                             (std::min)(bytes - done, at_once) / piece, is_counted))
                return false;
        return true;
    }

    // At most as many as a warp has lanes, in whose place they are told.
    bool copy_pieces(unsigned lane, warp& w, decoded const& op, place to, place from, unsigned count, bool is_counted) {
        lanes<std::uint64_t> global{};
        bool const loads = from.space == ptx::space::global;
        for (unsigned i = 0; i < count; ++i) {
            std::uint64_t const source = from.address + std::uint64_t{i} * piece;
            std::uint64_t const target = to.address + std::uint64_t{i} * piece;
            std::byte const* const read = memory_.locate(from.space, w, lane, source, piece);
            if (read == nullptr) return false;
            std::byte* const written = memory_.locate(to.space, w, lane, target, piece);
            if (written == nullptr) return false;
            touch(lane, w, op, {from.space, source}, memory_operation::load, piece);
            touch(lane, w, op, {to.space, target}, memory_operation::copy_async, piece);
            if (op.memory.operation == atomic_operation::none) std::memcpy(written, read, piece);
            else reduce(op, written, read);
            global[i] = loads ? source : target;
        }
        if (is_counted && (loads || to.space == ptx::space::global))
            sm_.memory(w.number(), op.info,
                       {ptx::space::global, loads ? memory_operation::bulk_load : memory_operation::bulk_store, false,
                        piece, count == warp_size ? all_lanes : (lane_mask{1} << count) - 1, global.data()});
        return true;
    }

    // cp.reduce.async.bulk, of a piece.
    static void reduce(decoded const& op, std::byte* to, std::byte const* from) noexcept {
        unsigned const size = ptx::size_of(op.memory.element);
        for (unsigned e = 0; e < piece; e += size)
            with_word(size, [&]<class Word>(Word) {
                if constexpr (sizeof(Word) > 1) { // decoders let no smaller ones pass
                    Word value;
                    std::memcpy(&value, from + e, sizeof value);
                    static_cast<void>(modify_cell<Word>(to + e, value, Word{0}, op));
                }
            });
    }

    cta_memory& memory_;
    Sm& sm_;
    check_type& check_;
};

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_EXECUTE_BULK_COPY_UNIT_HPP
