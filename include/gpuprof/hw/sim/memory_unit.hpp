// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Executes loads, stores, atomics and asynchronous copies of a warp. Layer: embedded GPU, executor.
#ifndef GPUPROF_HW_SIM_MEMORY_UNIT_HPP
#define GPUPROF_HW_SIM_MEMORY_UNIT_HPP

#include <algorithm> // removing copies that have arrived
#include <cstddef>   // std::byte
#include <cstdint>   // addresses
#include <cstring>   // copies

#include "convert_ops.hpp"
#include "cta_memory.hpp"
#include "decoded.hpp"
#include "mbarrier.hpp"
#include "memory_cell.hpp"
#include "warp.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// Functions give false when a lane faults; the reason is in cta_memory::fault(). Lanes before it have taken effect.
template <sm_observer Sm>
class memory_unit {
public:
    memory_unit(cta_memory& memory, Sm& sm) noexcept : memory_{memory}, sm_{sm} {}

    bool load(warp& w, registers const& r, decoded const& op, lane_mask mask) {
        return for_each_space(w, r, op, mask, memory_operation::load, [&](ptx::space space, auto const& address, lane_mask lanes) {
            switch (ptx::size_of(op.memory.element)) {
                case 1: return load_lanes<std::uint8_t>(space, w, r, op, address, lanes);
                case 2: return load_lanes<std::uint16_t>(space, w, r, op, address, lanes);
                case 4: return load_lanes<std::uint32_t>(space, w, r, op, address, lanes);
                case 8: return load_lanes<std::uint64_t>(space, w, r, op, address, lanes);
                default: return copy_wide(space, w, r, op, address, lanes, true);
            }
        });
    }

    bool store(warp& w, registers const& r, decoded const& op, lane_mask mask) {
        return for_each_space(w, r, op, mask, memory_operation::store, [&](ptx::space space, auto const& address, lane_mask lanes) {
            switch (ptx::size_of(op.memory.element)) {
                case 1: return store_lanes<std::uint8_t>(space, w, r, op, address, lanes);
                case 2: return store_lanes<std::uint16_t>(space, w, r, op, address, lanes);
                case 4: return store_lanes<std::uint32_t>(space, w, r, op, address, lanes);
                case 8: return store_lanes<std::uint64_t>(space, w, r, op, address, lanes);
                default: return copy_wide(space, w, r, op, address, lanes, false);
            }
        });
    }

    // Lanes take their turn in ascending order, so a kernel in one CTA gives the same result every time.
    bool atomic(warp& w, registers const& r, decoded const& op, lane_mask mask) {
        auto const what = op.mode ? memory_operation::atomic : memory_operation::reduction;
        return for_each_space(w, r, op, mask, what, [&](ptx::space space, auto const& address, lane_mask lanes) {
            switch (ptx::size_of(op.memory.element)) {
                case 2: return modify_lanes<std::uint16_t>(space, w, r, op, address, lanes);
                case 4: return modify_lanes<std::uint32_t>(space, w, r, op, address, lanes);
                default: return modify_lanes<std::uint64_t>(space, w, r, op, address, lanes);
            }
        });
    }

    // Both addresses are checked now, the data moves when the copy is waited for.
    bool copy_async(warp& w, registers const& r, decoded const& op, lane_mask mask) {
        unsigned const bytes = ptx::size_of(op.memory.element);
        auto const sizes = r.read<std::uint32_t>(op.b);
        lanes<std::uint64_t> to;
        for (unsigned i = 0; i < warp_size; ++i)
            to[i] = (r.read_lane(op.slots[0].ref, i, op.slots[0].bytes) + op.immediate) & 0xffff'ffff;
        bool const good = for_each_space(w, r, op, mask, memory_operation::copy_async, [&](ptx::space space, auto const& address, lane_mask lanes) {
            for (unsigned i = 0; i < warp_size; ++i) {
                if (!(lanes >> i & 1)) continue;
                auto const read = static_cast<std::uint8_t>(sizes[i] < bytes ? sizes[i] : bytes);
                std::byte const* const from = read == 0 ? nullptr : memory_.locate(space, w, i, address[i], bytes);
                if ((from == nullptr && read != 0) || memory_.locate(ptx::space::shared, w, i, to[i], bytes) == nullptr) return false;
                w.copies.push_back({w.copy_group[i], static_cast<std::uint8_t>(i), static_cast<std::uint8_t>(bytes), read,
                                    static_cast<std::uint32_t>(to[i]), from});
            }
            return true;
        });
        if (good) sm_.memory(w.number(), op.info, {ptx::space::shared, memory_operation::copy_async, false, bytes, mask, to.data()});
        return good;
    }

    static void commit_copies(warp& w, lane_mask mask) noexcept {
        for (unsigned i = 0; i < warp_size; ++i) w.copy_group[i] += mask >> i & 1;
    }

    // Completes the lanes' copies but those of the last `may_stay` committed groups; all ones leaves nothing.
    void complete_copies(warp& w, lane_mask mask, std::uint32_t may_stay) {
        auto const arrived = [&](pending_copy const& c) {
            if (!(mask >> c.lane & 1)) return false;
            if (may_stay != ~std::uint32_t{0} && c.group + may_stay >= w.copy_group[c.lane]) return false;
            std::byte* const to = memory_.locate(ptx::space::shared, w, c.lane, c.to, c.bytes);
            std::memset(to, 0, c.bytes);
            if (c.read != 0) std::memcpy(to, c.from, c.read);
            return true;
        };
        w.copies.erase(std::remove_if(w.copies.begin(), w.copies.end(), arrived), w.copies.end());
    }

    // ldmatrix, stmatrix: lane 8m + r has the address of row r of matrix m; lane 4r + c holds elements 2c and 2c + 1 of row r
    // of every matrix, or of column r when transposed.
    bool move_matrices(warp& w, registers const& r, decoded const& op, lane_mask mask, bool loads) {
        auto address = addresses(w, r, op);
        unsigned const rows = 8 * op.immediate;
        lane_mask const givers = rows == warp_size ? all_lanes : (lane_mask{1} << rows) - 1;
        std::byte* row[warp_size]{};
        for (unsigned i = 0; i < rows; ++i) {
            ptx::space space = op.memory.space;
            if (space == ptx::space::generic) space = cta_memory::classify(address[i]);
            if (space != ptx::space::shared) return memory_.fail(launch_failure::illegal_address, space, i, address[i], 16) != nullptr;
            row[i] = memory_.locate(space, w, i, address[i], 16);
            if (row[i] == nullptr) return false;
        }
        bool const transposed = op.mode != 0;
        for (unsigned m = 0; m < op.immediate; ++m)
            for (unsigned lane = 0; lane < warp_size; ++lane) {
                if (!(mask >> lane & 1)) continue;
                auto pair = static_cast<std::uint32_t>(loads ? 0 : r.read_lane(op.slots[m].ref, lane, 4));
                for (unsigned e = 0; e < 2; ++e) {
                    unsigned const along = lane % 4 * 2 + e;
                    unsigned const across = lane / 4;
                    std::byte* const at = row[8 * m + (transposed ? along : across)] + 2 * (transposed ? across : along);
                    if (loads) pair |= std::uint32_t{load_cell<std::uint16_t>(at, false)} << (16 * e);
                    else store_cell(at, static_cast<std::uint16_t>(pair >> (16 * e)), false);
                }
                if (loads) r.write_lane(op.slots[m].ref, lane, 4, pair);
            }
        auto const what = loads ? memory_operation::load_matrix : memory_operation::store_matrix;
        sm_.memory(w.number(), op.info, {ptx::space::shared, what, op.memory.space == ptx::space::generic, 16, givers, address.data()});
        return true;
    }

    // mbarrier instructions, lane after lane. Their objects are the CTA's own, so nothing here need be atomic.
    bool synchronize(warp& w, registers const& r, decoded const& op, lane_mask mask) {
        using operation = mbarrier_operation;
        auto const what = static_cast<operation>(op.mode);
        if (what == operation::arrive_for_copies || what == operation::arrive_for_copies_noinc) complete_copies(w, mask, ~std::uint32_t{0});
        auto address = addresses(w, r, op);
        for (unsigned i = 0; i < warp_size; ++i) {
            if (!(mask >> i & 1)) continue;
            if (what == operation::pending_count) {
                r.write_lane(op.d, i, 4, mbarrier{r.read_lane(op.c, i, 8)}.pending());
                continue;
            }
            ptx::space const space = op.memory.space == ptx::space::generic ? cta_memory::classify(address[i]) : op.memory.space;
            std::byte* const at = space == ptx::space::shared ? memory_.locate(space, w, i, address[i], 8)
                                                              : memory_.fail(launch_failure::illegal_address, space, i, address[i], 8);
            if (at == nullptr) return false;
            auto const number = static_cast<std::uint32_t>(r.read_lane(op.b, i, 4));
            mbarrier b{load_cell<std::uint64_t>(at, true)};
            switch (what) {
                case operation::init: b = mbarrier::of(number); break;
                case operation::invalidate: b = mbarrier{}; break;
                case operation::expect_bytes: b.expect_bytes(number); break;
                case operation::complete_bytes: b.complete_bytes(number); break;
                case operation::test_state: write_test(r, op, i, mbarrier{r.read_lane(op.c, i, 8)}.parity() != b.parity()); break;
                case operation::test_parity: write_test(r, op, i, (number & 1) != b.parity()); break;
                default:
                    r.write_lane(op.d, i, 8, b.bits());
                    if (what == operation::arrive_drop) b.arrive_and_drop(number);
                    else if (what == operation::arrive_expect_bytes) b.expect_bytes(number), b.arrive(1);
                    else if (what == operation::arrive_for_copies) b.add_pending(1), b.arrive(1);
                    else b.arrive(number);
                    break;
            }
            store_cell(at, b.bits(), true);
        }
        return true;
    }

    // The addresses of an instruction, without looking at memory.
    [[nodiscard]] static lanes<std::uint64_t> addresses(warp const& w, registers const& r, decoded const& op) noexcept {
        lanes<std::uint64_t> address;
        auto offset = static_cast<std::uint64_t>(op.offset);
        if (op.memory.frame_relative) offset += w.frame().local;
        if (!op.memory.has_base) {
            address.fill(offset);
        } else if (op.memory.narrow_address) {
            auto const base = r.read<std::uint32_t>(op.a);
            for (unsigned i = 0; i < warp_size; ++i) address[i] = static_cast<std::uint32_t>(base[i] + offset);
        } else {
            auto const base = r.read<std::uint64_t>(op.a);
            for (unsigned i = 0; i < warp_size; ++i) address[i] = base[i] + offset;
        }
        return address;
    }

private:
    static void write_test(registers const& r, decoded const& op, unsigned lane, bool done) noexcept {
        r.write_predicate(op.d, done ? all_lanes : 0, lane_mask{1} << lane);
    }

    static ptx::space effective_space(decoded const& op) noexcept {
        bool const in_frame = op.memory.space == ptx::space::param && !op.memory.kernel_parameter;
        return in_frame ? ptx::space::local : op.memory.space;
    }

    // Calls access(space, addresses, lanes) for each space that lanes hit, and tells the observer of those in memory
    // proper: parameters of kernels are constants, those of functions are registers on a machine.
    template <class Access>
    bool for_each_space(warp& w, registers const& r, decoded const& op, lane_mask mask, memory_operation what, Access access) {
        auto address = addresses(w, r, op);
        std::uint32_t const bytes = ptx::size_of(op.memory.element) * op.memory.count;
        if (op.memory.space == ptx::space::param)
            return access(effective_space(op), address, mask);
        if (op.memory.space != ptx::space::generic) {
            if (!access(op.memory.space, address, mask)) return false;
            sm_.memory(w.number(), op.info, {op.memory.space, what, false, bytes, mask, address.data()});
            return true;
        }
        lane_mask in[6]{};
        for (unsigned i = 0; i < warp_size; ++i)
            if (mask >> i & 1) in[static_cast<int>(cta_memory::classify(address[i]))] |= lane_mask{1} << i;
        for (int s = 0; s < 6; ++s) {
            auto const space = static_cast<ptx::space>(s);
            if (in[s] == 0) continue;
            if (!access(space, address, in[s])) return false;
            if (space != ptx::space::param) sm_.memory(w.number(), op.info, {space, what, true, bytes, in[s], address.data()});
        }
        return true;
    }

    // A vector must be aligned as a whole.
    bool aligned(ptx::space space, decoded const& op, lanes<std::uint64_t> const& address, lane_mask mask) noexcept {
        unsigned const bytes = ptx::size_of(op.memory.element) * op.memory.count;
        std::uint64_t low = 0;
        for (unsigned i = 0; i < warp_size; ++i) low |= mask >> i & 1 ? address[i] : 0;
        if ((low & (bytes - 1)) == 0) return true;
        for (unsigned i = 0; i < warp_size; ++i)
            if ((mask >> i & 1) && (address[i] & (bytes - 1)) != 0)
                return memory_.fail(launch_failure::misaligned_address, space, i, address[i], bytes) != nullptr;
        return true;
    }

    template <class T>
    bool load_lanes(ptx::space space, warp& w, registers const& r, decoded const& op, lanes<std::uint64_t> const& address, lane_mask mask) {
        if (!aligned(space, op, address, mask)) return false;
        bool const sign = ptx::is_signed(op.memory.element);
        for (unsigned e = 0; e < op.memory.count; ++e) {
            operand_slot const to = op.slots[e];
            for (unsigned i = 0; i < warp_size; ++i) {
                if (!(mask >> i & 1)) continue;
                std::byte const* const from = memory_.locate(space, w, i, address[i] + e * sizeof(T), sizeof(T));
                if (from == nullptr) return false;
                T value;
                if (space == ptx::space::param) std::memcpy(&value, from, sizeof value); // aligned only in itself
                else value = load_cell<T>(from, op.memory.ordered);
                if (to.bytes == sizeof(T)) r.write_lane(to.ref, i, sizeof(T), value);
                else r.write_lane(to.ref, i, to.bytes, ops::extend(value, sizeof(T) * 8, sign));
            }
        }
        return true;
    }

    template <class T>
    bool store_lanes(ptx::space space, warp& w, registers const& r, decoded const& op, lanes<std::uint64_t> const& address, lane_mask mask) {
        if (!aligned(space, op, address, mask)) return false;
        if (space == ptx::space::constant || space == ptx::space::param) return read_only(space, op, address, mask);
        for (unsigned e = 0; e < op.memory.count; ++e) {
            operand_slot const from = op.slots[e];
            for (unsigned i = 0; i < warp_size; ++i) {
                if (!(mask >> i & 1)) continue;
                std::byte* const to = memory_.locate(space, w, i, address[i] + e * sizeof(T), sizeof(T));
                if (to == nullptr) return false;
                store_cell<T>(to, static_cast<T>(r.read_lane(from.ref, i, from.bytes)), op.memory.ordered);
            }
        }
        return true;
    }

    template <class T>
    bool modify_lanes(ptx::space space, warp& w, registers const& r, decoded const& op, lanes<std::uint64_t> const& address, lane_mask mask) {
        if (space == ptx::space::constant || space == ptx::space::param) return read_only(space, op, address, mask);
        bool const compares = op.memory.operation == atomic_operation::cas;
        for (unsigned i = 0; i < warp_size; ++i) {
            if (!(mask >> i & 1)) continue;
            std::byte* const at = memory_.locate(space, w, i, address[i], sizeof(T));
            if (at == nullptr) return false;
            auto const b = static_cast<T>(r.read_lane(op.slots[1].ref, i, sizeof(T)));
            auto const c = compares ? static_cast<T>(r.read_lane(op.slots[2].ref, i, sizeof(T))) : T{0};
            T const old = modify_cell<T>(at, b, c, op);
            if (!op.slots[0].sink) r.write_lane(op.slots[0].ref, i, op.slots[0].bytes, old);
        }
        return true;
    }

    // .b128: two cells, as no host need have wider ones.
    bool copy_wide(ptx::space space, warp& w, registers const& r, decoded const& op, lanes<std::uint64_t> const& address, lane_mask mask, bool loads) {
        if (!aligned(space, op, address, mask)) return false;
        for (unsigned e = 0; e < op.memory.count; ++e)
            for (unsigned i = 0; i < warp_size; ++i) {
                if (!(mask >> i & 1)) continue;
                std::byte* const at = memory_.locate(space, w, i, address[i] + e * 16, 16);
                if (at == nullptr) return false;
                if (loads) std::memcpy(r.bytes(op.slots[e].ref) + std::size_t{i} * 16, at, 16);
                else std::memcpy(at, r.read_bytes(op.slots[e].ref) + std::size_t{i} * 16, 16);
            }
        return true;
    }

    bool read_only(ptx::space space, decoded const& op, lanes<std::uint64_t> const& address, lane_mask mask) noexcept {
        for (unsigned i = 0; i < warp_size; ++i)
            if (mask >> i & 1) {
                memory_.fail(launch_failure::illegal_address, space, i, address[i], ptx::size_of(op.memory.element));
                return false;
            }
        return true;
    }

    cta_memory& memory_;
    Sm& sm_;
};

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_SIM_MEMORY_UNIT_HPP
