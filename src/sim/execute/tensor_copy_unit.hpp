// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Executes cp.async.bulk.tensor and cp.reduce.async.bulk.tensor: one thread's copy of a tile of a tensor; and tensormap,
// which changes and copies maps.
#ifndef GPUPROF_SRC_SIM_EXECUTE_TENSOR_COPY_UNIT_HPP
#define GPUPROF_SRC_SIM_EXECUTE_TENSOR_COPY_UNIT_HPP

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "../code/decoded.hpp"
#include "../code/warp.hpp"
#include "../ops/memory_cell.hpp"
#include "../ops/tensor_map.hpp"
#include "bulk_copy_unit.hpp"
#include "cta_memory.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// Done when it is issued, as bulk copies are. Functions give false when a lane faults, as memory_unit's do.
template <sm_observer Sm>
class tensor_copy_unit {
public:
    tensor_copy_unit(cta_memory& memory, Sm& sm, bulk_copy_unit<Sm>& bulk) noexcept
        : memory_{memory}, sm_{sm}, bulk_{bulk} {}

    bool copy(warp& w, registers const& r, decoded const& op, lane_mask mask) {
        for (unsigned lane = 0; lane < warp_size; ++lane)
            if ((mask >> lane & 1) && !bulk_copy_unit<Sm>::is_repeated(lane, mask, r, op) && !copy_of(lane, w, r, op))
                return false;
        return true;
    }

    // tensormap.replace: each lane changes a field of a map.
    bool replace(warp& w, registers const& r, decoded const& op, lane_mask mask) {
        for (unsigned lane = 0; lane < warp_size; ++lane) {
            if ((mask >> lane & 1) == 0) continue;
            place const at{op.memory.space, bulk_copy_unit<Sm>::address(r, op, lane, 0)};
            tile t{lane, w, op, {}, false, {}, {}};
            map_bytes bytes;
            if (!transfer(t, at, bytes, memory_operation::load)) return false;
            t.map = tensor_map::to_be_changed(bytes);
            if (t.map.mark != tensor_map::made_here)
                return fail_map(t, at, "what tensormap.replace changes is no tensor map");
            if (!t.map.replace(static_cast<tensor_map_field>(op.mode), op.immediate,
                               r.read_lane(op.b, lane, ptx::size_of(op.memory.element))))
                return fail_map(t, at, "a value that tensormap.replace cannot give to this field of a tensor map");
            std::memcpy(bytes.data(), &t.map, sizeof t.map);
            if (!transfer(t, at, bytes, memory_operation::store)) return false;
            tell_field(t, at);
        }
        return true;
    }

    // tensormap.cp_fenceproxy: the warp copies a map from shared to global memory, once. Hardware has a load from shared
    // memory and an atomic on global memory (H200, the grouped products of CUTLASS's tests).
    bool publish(warp& w, registers const& r, decoded const& op, lane_mask mask) {
        tile const t{static_cast<unsigned>(std::countr_zero(mask)), w, op, {}, false, {}, {}};
        map_bytes bytes;
        place const from{ptx::space::shared, bulk_copy_unit<Sm>::address(r, op, t.lane, 1)};
        place const to{ptx::space::global, bulk_copy_unit<Sm>::address(r, op, t.lane, 0)};
        if (!transfer(t, from, bytes, memory_operation::load) || !transfer(t, to, bytes, memory_operation::store))
            return false;
        tell_words(t, from, memory_operation::load);
        tell_words(t, to, memory_operation::atomic);
        return true;
    }

private:
    using map_bytes = tensor_map::map_bytes;
    static constexpr unsigned piece = 16; // bytes, of which rows of tiles are multiples
    using place = typename bulk_copy_unit<Sm>::place;

    // A copy under way.
    struct tile {
        unsigned lane;
        warp& w;
        decoded const& op;
        tensor_map map;
        bool loads;
        std::array<std::int64_t, tensor_map::most_dimensions> first;    // coordinates
        std::array<std::int64_t, tensor_map::most_dimensions> offset{}; // of an image: added to those of each pixel
    };

    bool copy_of(unsigned lane, warp& w, registers const& r, decoded const& op) {
        auto const form = static_cast<tensor_copy>(op.mode);
        tile t{lane, w, op, {}, form == tensor_copy::load, {}, {}};
        std::uint64_t shared = bulk_copy_unit<Sm>::address(r, op, lane, 0);
        if (!read_map(t, bulk_copy_unit<Sm>::address(r, op, lane, 1))) return false;
        std::size_t const coordinates = t.loads ? 6 : 4; // after the mbarrier
        for (std::size_t d = 0; d < t.map.dimensions; ++d)
            t.first[d] = static_cast<std::int32_t>(r.read_lane(op.slots[coordinates + d].ref, lane, 4));
        if (t.loads && t.map.pixels != 0)
            for (std::size_t d = 1; d + 1 < t.map.dimensions; ++d)
                t.offset[d] = static_cast<std::int64_t>(
                    r.read_lane(op.slots[coordinates + t.map.dimensions + d - 1].ref, lane, 2));
        bool const is_tile = t.map.slice == 0 && t.map.pixels == 0;
        if (is_tile && t.first[0] * t.map.element_bytes() % 16 != 0) { // as on an H200
            memory_.fail(launch_failure::invalid_instruction, ptx::space::shared, lane, shared, 16);
            memory_.describe("the first coordinate of a tensor copy, which is no multiple of 16 bytes");
            return false;
        }
        if (shared % 128 != 0) {
            memory_.fail(launch_failure::misaligned_address, ptx::space::shared, lane, shared, 128);
            memory_.describe("the tile of a tensor copy in shared memory, which is not aligned to 128 bytes");
            return false;
        }
        if (!t.loads) return move(t, shared, true);
        std::uint64_t const barrier = bulk_copy_unit<Sm>::address(r, op, lane, 2);
        if ((op.immediate & tensor_copy_multicast) == 0)
            return move(t, shared, true) && bulk_.complete(lane, w, op, barrier, t.map.bytes());
        bool is_counted = true; // of a multicast: once
        for (std::uint64_t left = r.read_lane(op.c, lane, 2), rank = 1; left != 0; left >>= 1, ++rank) {
            if ((left & 1) == 0) continue;
            std::uint64_t const there = rank << address_map::rank_shift;
            if (!move(t, (shared & address_map::own_offset) | there, is_counted) ||
                !bulk_.complete(lane, w, op, (barrier & address_map::own_offset) | there, t.map.bytes()))
                return false;
            is_counted = false;
        }
        return true;
    }

    bool read_map(tile& t, std::uint64_t address) {
        map_bytes bytes;
        place const at{ptx::space::generic, address};
        if (!transfer(t, at, bytes, memory_operation::load)) return false;
        std::memcpy(&t.map, bytes.data(), sizeof t.map);
        bool const is_image = (t.op.immediate & tensor_copy_image) != 0;
        if (t.map.is_sound() && t.map.dimensions == (t.op.immediate & 0xff) && (t.map.pixels != 0) == is_image)
            return true;
        return fail_map(t, at,
                        is_image ? "no tensor map that cuTensorMapEncodeIm2col made for so many dimensions"
                                 : "no tensor map that cuTensorMapEncodeTiled made for so many dimensions");
    }

    // The bytes of a map, from memory or to it.
    bool transfer(tile const& t, place at, map_bytes& bytes, memory_operation what) {
        std::uint64_t const address = at.address;
        if (at.space == ptx::space::generic) at.space = cta_memory::classify(at.address);
        if (address % 64 != 0) {
            memory_.fail(launch_failure::misaligned_address, at.space, t.lane, at.address, 64);
            memory_.describe("a tensor map, which is not aligned to 64 bytes");
            return false;
        }
        for (std::size_t i = 0; i < bytes.size(); i += piece) {
            std::byte* const there = memory_.locate(at.space, t.w, t.lane, at.address + i, piece);
            if (there == nullptr) return false;
            if (t.op.action != action::copy_tensor)
                bulk_.touch(t.lane, t.w, t.op, {at.space, at.address + i}, what, piece);
            if (what == memory_operation::load) std::memcpy(bytes.data() + i, there, piece);
            else std::memcpy(there, bytes.data() + i, piece);
        }
        return true;
    }

    // A field of a map in shared memory, which a lane stores. ptxas joins the stores of sizes 0 to 3; a stride has its low bits in
    // a word of its own, the last beside that of all high bits, which are read and written back. What hardware counts in
    // global memory is not known.
    void tell_field(tile const& t, place at) {
        bool const is_generic = at.space == ptx::space::generic;
        if (is_generic) at.space = cta_memory::classify(at.address);
        if (at.space != ptx::space::shared) return;
        lanes<std::uint64_t> address{};
        address[t.lane] = at.address;
        auto const tell_word = [&](memory_operation what) {
            sm_.memory(t.w.number(), t.op.info,
                       {at.space, what, is_generic, 4, lane_mask{1} << t.lane, address.data()});
        };
        auto const field = static_cast<tensor_map_field>(t.op.mode);
        if (field == tensor_map_field::size && t.op.immediate >= 1 && t.op.immediate <= 3) return;
        if (field == tensor_map_field::stride) {
            tell_word(memory_operation::load);
            if (t.op.immediate < 3) tell_word(memory_operation::store);
        }
        tell_word(memory_operation::store);
    }
    // A map that all lanes of the warp move, four bytes each.
    void tell_words(tile const& t, place at, memory_operation what) {
        lanes<std::uint64_t> address;
        for (unsigned lane = 0; lane < warp_size; ++lane) address[lane] = at.address + 4 * lane;
        sm_.memory(t.w.number(), t.op.info,
                   {at.space, what, false, 4, all_lanes, address.data(), address_pattern::side_by_side});
    }

    bool fail_map(tile const& t, place at, char const* why) {
        if (at.space == ptx::space::generic) at.space = cta_memory::classify(at.address);
        memory_.fail(launch_failure::invalid_instruction, at.space, t.lane, at.address, 128);
        memory_.describe(why);
        return false;
    }

    // All rows of the tile, between global memory and the tile at `shared`.
    bool move(tile const& t, std::uint64_t shared, bool is_counted) {
        told_ = 0;
        std::array<std::uint32_t, tensor_map::most_dimensions> at{};
        auto row_at = t.first;
        std::uint32_t const rows = t.map.rows();
        for (std::uint32_t row = 0; row < rows; ++row) {
            bool inside = true;
            std::uint64_t address = t.map.address;
            for (std::size_t d = 1; d < t.map.dimensions; ++d) {
                std::int64_t const coordinate = row_at[d] + t.offset[d];
                inside = inside && coordinate >= 0 && coordinate <= std::int64_t{t.map.last[d]};
                address += static_cast<std::uint64_t>(coordinate) * t.map.stride[d - 1];
            }
            if (!move_row(t, shared + std::uint64_t{row} * t.map.pitch(), address, inside, is_counted)) return false;
            for (std::size_t d = 1; d < t.map.dimensions; ++d) {
                row_at[d] += t.map.step[d];
                bool const is_pixel = t.map.pixels != 0; // of a bounding box, else of a box at `first`
                if (is_pixel
                        ? d + 1 == t.map.dimensions || row_at[d] <= std::int64_t{t.map.last[d]} + t.map.upper[d - 1]
                        : ++at[d] != t.map.count(d))
                    break;
                at[d] = 0;
                row_at[d] = is_pixel ? t.map.lower[d - 1] : t.first[d];
            }
        }
        if (is_counted) tell(t);
        return true;
    }

    // @param address of the row's coordinate 0 in global memory
    bool move_row(tile const& t, std::uint64_t shared, std::uint64_t address, bool inside, bool is_counted) {
        unsigned const size = t.map.element_bytes(), unit = t.map.unit_bytes();
        std::int64_t const end = std::int64_t{t.map.last[0]} + 1, units = t.map.count(0);
        std::int64_t const step = t.map.slice != 0 ? t.map.step[0] : 1;
        auto const first = (std::clamp<std::int64_t>)((step - 1 - t.first[0]) / step, 0, units);
        auto const last = (std::clamp<std::int64_t>)((end - t.first[0] + step - 1) / step, first, units);
        auto const begins = inside ? static_cast<std::uint32_t>(first) * unit : 0; // bytes of the row that exist
        auto const ends = inside ? static_cast<std::uint32_t>(last) * unit : 0;
        std::uint64_t const from = address + static_cast<std::uint64_t>(t.first[0]) * unit;
        auto const gap =
            static_cast<std::uint64_t>(step - 1) * unit; // between units that follow each other in the tile
        std::uint64_t const filling = t.map.filling();
        for (std::uint32_t at = 0; at < t.map.row_bytes(); at += piece) {
            std::uint64_t const source = from + at + (gap == 0 ? 0 : at / unit * gap);
            std::uint64_t const place_of_piece = t.map.swizzled(shared + at);
            std::byte* const tile_piece = memory_.locate(ptx::space::shared, t.w, t.lane, place_of_piece, piece);
            if (tile_piece == nullptr) return false;
            touch(t, {ptx::space::shared, place_of_piece}, t.loads);
            for (unsigned e = 0; e < piece; e += size) {
                std::byte* const in_tile = tile_piece + e;
                if (at + e < begins || at + e >= ends) {
                    if (t.loads) std::memcpy(in_tile, &filling, size);
                    continue;
                }
                std::byte* const in_tensor = memory_.locate(ptx::space::global, t.w, t.lane, source + e, size);
                if (in_tensor == nullptr) return false;
                touch(t, {ptx::space::global, source + e}, !t.loads, size);
                if (t.loads) load(t, in_tile, in_tensor, size);
                else if (t.op.memory.operation == atomic_operation::none) std::memcpy(in_tensor, in_tile, size);
                else reduce(t, in_tensor, in_tile);
            }
        }
        if (is_counted && begins < ends)
            for (std::uint32_t at = begins; at < ends; at += gap == 0 ? ends - begins : unit) {
                std::uint64_t const here = from + at + (gap == 0 ? 0 : at / unit * gap);
                std::uint64_t const bytes = gap == 0 ? ends - begins : unit;
                for (std::uint64_t p = here / piece; p <= (here + bytes - 1) / piece; ++p) note(t, p);
            }
        return true;
    }

    static void load(tile const& t, std::byte* in_tile, std::byte const* in_tensor, unsigned size) {
        std::memcpy(in_tile, in_tensor, size);
        if (!t.map.changes_values()) return;
        std::uint32_t bits = 0;
        std::memcpy(&bits, in_tile, sizeof bits);
        bits = t.map.changed(bits);
        std::memcpy(in_tile, &bits, sizeof bits);
    }
    static void reduce(tile const& t, std::byte* in_tensor, std::byte const* in_tile) {
        decoded op = t.op; // on the map's type
        op.memory.element = t.map.element == ptx::type::tf32 ? ptx::type::f32 : t.map.element;
        with_word(t.map.element_bytes(), [&]<class Word>(Word) {
            if constexpr (sizeof(Word) > 1) {
                Word value;
                std::memcpy(&value, in_tile, sizeof value);
                static_cast<void>(modify_cell<Word>(in_tensor, value, Word{0}, op));
            }
        });
    }

    void note(tile const& t, std::uint64_t number) {
        pieces_[told_++] = number * piece;
        if (told_ == warp_size) tell(t);
    }
    // The side in global memory, as bulk copies do.
    void tell(tile const& t) {
        if (told_ == 0) return;
        sm_.memory(t.w.number(), t.op.info,
                   {ptx::space::global, t.loads ? memory_operation::bulk_load : memory_operation::bulk_store, false,
                    piece, told_ == warp_size ? all_lanes : (lane_mask{1} << told_) - 1, pieces_.data()});
        told_ = 0;
    }

    void touch(tile const& t, place at, bool writes, unsigned bytes = piece) {
        bulk_.touch(t.lane, t.w, t.op, at, writes ? memory_operation::copy_async : memory_operation::load, bytes);
    }

    cta_memory& memory_;
    Sm& sm_;
    bulk_copy_unit<Sm>& bulk_;
    lanes<std::uint64_t> pieces_{}; // that were not told yet
    unsigned told_ = 0;
};

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_EXECUTE_TENSOR_COPY_UNIT_HPP
