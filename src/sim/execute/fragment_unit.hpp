// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Moves fragments of a matrix between memory and a warp's registers: wmma.load, wmma.store.
#ifndef GPUPROF_SRC_SIM_EXECUTE_FRAGMENT_UNIT_HPP
#define GPUPROF_SRC_SIM_EXECUTE_FRAGMENT_UNIT_HPP

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "../check/no_check.hpp"
#include "cta_memory.hpp"
#include "../code/decoded.hpp"
#include "lane_addresses.hpp"
#include "../ops/matrix_ops.hpp"
#include "../ops/memory_cell.hpp"
#include "../code/warp.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// PTX leaves open which lane holds what; here a fragment lies as mma.sync wants its own, those of b
// and c of 16 columns as two of 8. Halves of a and b have twice as many registers as they need: the
// second half holds the same again. `mode` 1: the matrix is stored by columns.
template <sm_observer Sm>
class fragment_unit {
public:
    using check_type = typename check_of<Sm>::type;
    fragment_unit(cta_memory& memory, Sm& sm, check_type& check) noexcept : memory_{memory}, sm_{sm}, check_{check} {}

    // False when a lane faults; the reason is in cta_memory::fault().
    bool move(warp& w, registers const& r, decoded const& op, lane_mask mask) {
        bool const loads = op.action == action::load;
        unsigned const size = ptx::size_of(op.memory.element);
        unsigned const run = neighbours(op);
        unsigned const values = wmma_shape::of(op.immediate).values(op.memory.fragment);
        auto const first = static_cast<unsigned>(std::countr_zero(mask)); // all lanes give the same matrix
        std::uint64_t base = lane_addresses(w, r, op)[first];
        std::uint64_t const stride = r.read_lane(op.b, first, 4);
        ptx::space space = op.memory.space;
        if (space == ptx::space::generic) space = cta_memory::classify(base);
        for (unsigned value = 0; value < values; value += run) {
            lanes<std::uint64_t> address{};
            for (unsigned lane = 0; lane < warp_size; ++lane) {
                if (!(mask >> lane & 1)) continue;
                auto const at = place_of(op, lane, value);
                std::uint64_t const index = op.mode != 0 ? at.column * stride + at.row : at.row * stride + at.column;
                address[lane] = base + index * size;
                std::byte* const cell = memory_.locate(space, w, lane, address[lane], run * size);
                if (cell == nullptr) return false;
                if (loads) load(r, op, lane, value, cell, run * size);
                else store(r, op, lane, value, cell, run * size);
            }
            check_.touch(w, op, space, loads ? memory_operation::load : memory_operation::store, address, run * size,
                         mask);
            sm_.memory(w.number(), op.info,
                       {space, loads ? memory_operation::load : memory_operation::store,
                        op.memory.space == ptx::space::generic, run * size, mask, address.data()});
        }
        return true;
    }

private:
    // How many of a lane's values lie side by side in memory.
    static unsigned neighbours(decoded const& op) noexcept {
        bool const by_columns = op.mode != 0;
        if (by_columns != (op.memory.fragment == fragment::b) || op.memory.element == ptx::type::f64) return 1;
        return op.memory.fragment == fragment::c ? 2 : 4 / ptx::size_of(op.memory.element);
    }
    static fragment_place place_of(decoded const& op, unsigned lane, unsigned value) noexcept {
        auto const shape = wmma_shape::of(op.immediate);
        unsigned const elements = (std::max)(4 / ptx::size_of(op.memory.element), 1u); // of a register
        if (op.memory.fragment == fragment::a)
            return place_in_a(lane, value / elements, value % elements, elements, shape.size == 16);
        unsigned const part =
            (op.memory.fragment == fragment::b ? shape.k : shape.size) * 8u / warp_size; // of 8 columns
        auto at = op.memory.fragment == fragment::b
                      ? place_in_b(lane, value % part / elements, value % elements, elements)
                      : place_in_c(lane, value % part);
        at.column += value / part * 8;
        return at;
    }

    static std::size_t byte_of(decoded const& op, unsigned value, unsigned& slot) noexcept {
        unsigned const at = value * ptx::size_of(op.memory.element);
        slot = at / 4;
        return at % 4;
    }
    // A run never crosses a register but where it fills registers.
    static void load(registers const& r, decoded const& op, unsigned lane, unsigned value, std::byte const* from,
                     unsigned bytes) noexcept {
        std::uint64_t const bits = bytes == 1   ? load_cell<std::uint8_t>(from, false)
                                   : bytes == 2 ? load_cell<std::uint16_t>(from, false)
                                   : bytes == 4 ? load_cell<std::uint32_t>(from, false)
                                                : load_cell<std::uint64_t>(from, false);
        if (op.memory.element == ptx::type::f64) return r.write_lane(op.slots[value].ref, lane, 8, bits);
        unsigned slot = 0;
        std::size_t const byte = byte_of(op, value, slot);
        unsigned const registers_needed =
            wmma_shape::of(op.immediate).values(op.memory.fragment) * ptx::size_of(op.memory.element) / 4;
        for (; slot < op.list_count; slot += registers_needed) {
            std::byte* const to = r.bytes(op.slots[slot].ref) + std::size_t{lane} * 4 + byte;
            std::memcpy(to, &bits, bytes < 4 ? bytes : 4);
            if (bytes == 8) r.write_lane(op.slots[slot + 1].ref, lane, 4, bits >> 32);
        }
    }
    static void store(registers const& r, decoded const& op, unsigned lane, unsigned value, std::byte* to,
                      unsigned bytes) noexcept {
        if (op.memory.element == ptx::type::f64)
            return store_cell(to, r.read_lane(op.slots[value].ref, lane, 8), false);
        unsigned slot = 0;
        std::size_t const byte = byte_of(op, value, slot);
        std::uint64_t bits = r.read_lane(op.slots[slot].ref, lane, 4) >> (byte * 8);
        if (bytes == 8) bits |= r.read_lane(op.slots[slot + 1].ref, lane, 4) << 32;
        switch (bytes) {
            case 1: return store_cell(to, static_cast<std::uint8_t>(bits), false);
            case 2: return store_cell(to, static_cast<std::uint16_t>(bits), false);
            case 4: return store_cell(to, static_cast<std::uint32_t>(bits), false);
            default: return store_cell(to, bits, false);
        }
    }

    cta_memory& memory_;
    Sm& sm_;
    check_type& check_;
};

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_EXECUTE_FRAGMENT_UNIT_HPP
