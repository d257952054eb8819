// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Executes loads, stores, atomics and asynchronous copies of a warp.
#ifndef GPUPROF_SRC_SIM_EXECUTE_MEMORY_UNIT_HPP
#define GPUPROF_SRC_SIM_EXECUTE_MEMORY_UNIT_HPP

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "../check/no_check.hpp"
#include "../ops/convert_ops.hpp"
#include "cta_memory.hpp"
#include "../code/decoded.hpp"
#include "deferred_sums.hpp"
#include "lane_addresses.hpp"
#include "../ops/memory_cell.hpp"
#include "../code/warp.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// Functions give false when a lane faults; the reason is in cta_memory::fault(). Lanes before it
// have taken effect.
template <sm_observer Sm>
class memory_unit {
public:
    using check_type = typename check_of<Sm>::type;
    memory_unit(cta_memory& memory, Sm& sm, check_type& check) noexcept : memory_{memory}, sm_{sm}, check_{check} {}

    bool load(warp& w, registers const& r, decoded const& op, lane_mask mask) {
        return for_each_space(w, r, op, mask, memory_operation::load,
                              [&](ptx::space space, auto const& address, lane_mask lanes, address_pattern lie) {
                                  switch (ptx::size_of(op.memory.element)) {
                                      case 1: return load_lanes<std::uint8_t>(space, w, r, op, address, lanes, lie);
                                      case 2: return load_lanes<std::uint16_t>(space, w, r, op, address, lanes, lie);
                                      case 4: return load_lanes<std::uint32_t>(space, w, r, op, address, lanes, lie);
                                      case 8: return load_lanes<std::uint64_t>(space, w, r, op, address, lanes, lie);
                                      default: return copy_wide(space, w, r, op, address, lanes, lie, true);
                                  }
                              });
    }

    bool store(warp& w, registers const& r, decoded const& op, lane_mask mask) {
        return for_each_space(w, r, op, mask, memory_operation::store,
                              [&](ptx::space space, auto const& address, lane_mask lanes, address_pattern lie) {
                                  switch (ptx::size_of(op.memory.element)) {
                                      case 1: return store_lanes<std::uint8_t>(space, w, r, op, address, lanes, lie);
                                      case 2: return store_lanes<std::uint16_t>(space, w, r, op, address, lanes, lie);
                                      case 4: return store_lanes<std::uint32_t>(space, w, r, op, address, lanes, lie);
                                      case 8: return store_lanes<std::uint64_t>(space, w, r, op, address, lanes, lie);
                                      default: return copy_wide(space, w, r, op, address, lanes, lie, false);
                                  }
                              });
    }

    // Where atomics of global memory go from now on, in place of the memory; null: there.
    void defer_to(deferred_sums* sums) noexcept { sums_ = sums; }

    // Lanes take their turn in ascending order, so a kernel in one CTA gives the same result every
    // time.
    bool atomic(warp& w, registers const& r, decoded const& op, lane_mask mask) {
        auto const what = op.mode ? memory_operation::atomic : memory_operation::reduction;
        return for_each_space(w, r, op, mask, what,
                              [&](ptx::space space, auto const& address, lane_mask lanes, address_pattern) {
                                  switch (ptx::size_of(op.memory.element)) {
                                      case 2: return modify_lanes<std::uint16_t>(space, w, r, op, address, lanes);
                                      case 4: return modify_lanes<std::uint32_t>(space, w, r, op, address, lanes);
                                      default: return modify_lanes<std::uint64_t>(space, w, r, op, address, lanes);
                                  }
                              });
    }

    // Both addresses are checked now, the data moves when the copy is waited for. Lanes that copy nothing and only fill
    // with zeros do not read.
    bool copy_async(warp& w, registers const& r, decoded const& op, lane_mask mask) {
        unsigned const bytes = ptx::size_of(op.memory.element);
        auto const sizes = r.read<std::uint32_t>(op.b);
        auto const sources = lane_addresses(w, r, op);
        std::array<std::uint64_t, 2 * warp_size> places;
        std::uint64_t* const to = places.data();
        lane_mask reads = 0;
        for (unsigned i = 0; i < warp_size; ++i) {
            to[i] = (r.read_lane(op.slots[0].ref, i, op.slots[0].bytes) + op.immediate) & 0xffff'ffff;
            places[warp_size + i] = sources[i];
            if ((mask >> i & 1) != 0 && sizes[i] != 0) reads |= lane_mask{1} << i;
        }
        lane_mask const fills = mask & ~reads;
        auto const begin = [&](unsigned i, std::byte const* from) {
            if (memory_.locate(ptx::space::shared, w, i, to[i], bytes) == nullptr) return false;
            auto const read = static_cast<std::uint8_t>(sizes[i] < bytes ? sizes[i] : bytes);
            check_.copy_begins(w, op, i, to[i], bytes);
            w.copies.push_back({w.copy_group[i], static_cast<std::uint8_t>(i), static_cast<std::uint8_t>(bytes), read,
                                static_cast<std::uint32_t>(to[i]), from});
            return true;
        };
        if (reads != 0 && !for_each_space(w, r, op, reads, memory_operation::copy_async,
                                          [&](ptx::space space, auto const& address, lane_mask lanes, address_pattern) {
                                              for (unsigned i = 0; i < warp_size; ++i) {
                                                  if (!(lanes >> i & 1)) continue;
                                                  auto const* const from =
                                                      memory_.locate(space, w, i, address[i], bytes);
                                                  if (from == nullptr || !begin(i, from)) return false;
                                              }
                                              return true;
                                          }))
            return false;
        for (unsigned i = 0; i < warp_size; ++i)
            if ((fills >> i & 1) != 0 && !begin(i, nullptr)) return false;
        sm_.memory(w.number(), op.info,
                   {ptx::space::shared, memory_operation::copy_async, false, bytes, mask, to, address_pattern::any, 2,
                    0, fills});
        return true;
    }

    static void commit_copies(warp& w, lane_mask mask) noexcept {
        for (unsigned i = 0; i < warp_size; ++i) w.copy_group[i] += mask >> i & 1;
    }

    // Completes the lanes' copies but those of the last `may_stay` committed groups; all ones
    // leaves nothing.
    void complete_copies(warp& w, decoded const& op, lane_mask mask, std::uint32_t may_stay) {
        auto const arrived = [&](pending_copy const& c) {
            if (!(mask >> c.lane & 1)) return false;
            if (may_stay != ~std::uint32_t{0} && c.group + may_stay >= w.copy_group[c.lane]) return false;
            std::byte* const to = memory_.locate(ptx::space::shared, w, c.lane, c.to, c.bytes);
            std::memset(to, 0, c.bytes);
            if (c.read != 0) std::memcpy(to, c.from, c.read);
            if constexpr (check_type::listens) copied(w, op, c);
            return true;
        };
        w.copies.erase(std::remove_if(w.copies.begin(), w.copies.end(), arrived), w.copies.end());
    }

private:
    static ptx::space effective_space(decoded const& op) noexcept {
        bool const in_frame = op.memory.space == ptx::space::param && !op.memory.kernel_parameter;
        return in_frame ? ptx::space::local : op.memory.space;
    }

    void tell(warp const& w, decoded const& op, memory_access access, lanes<std::uint64_t> const& address) {
        if (access.space == ptx::space::shared) access.elsewhere = memory_.elsewhere(address, access.active);
        sm_.memory(w.number(), op.info, access);
    }

    // Calls access(space, addresses, lanes, pattern) for each space that lanes hit, and tells the
    // observer of those in memory proper: parameters of kernels are constants, those of functions
    // are registers on a machine.
    template <class Access>
    bool for_each_space(warp& w, registers const& r, decoded const& op, lane_mask mask, memory_operation what,
                        Access const& access) {
        auto address = lane_addresses(w, r, op);
        std::uint32_t const bytes = ptx::size_of(op.memory.element) * op.memory.count;
        auto const lie = pattern_of(address, mask, bytes);
        if (op.memory.space == ptx::space::param) {
            check_.access(w, r, op, effective_space(op), what, address, mask, lie, memory_.shared());
            return access(effective_space(op), address, mask, lie);
        }
        if (op.memory.space != ptx::space::generic) {
            check_.access(w, r, op, op.memory.space, what, address, mask, lie, memory_.shared());
            if (!access(op.memory.space, address, mask, lie)) return false;
            tell(w, op, {op.memory.space, what, false, bytes, mask, address.data(), lie}, address);
            return true;
        }
        lane_mask in[6]{};
        for (unsigned i = 0; i < warp_size; ++i)
            if (mask >> i & 1) in[static_cast<int>(cta_memory::classify(address[i]))] |= lane_mask{1} << i;
        for (int s = 0; s < 6; ++s) {
            auto const space = static_cast<ptx::space>(s);
            if (in[s] == 0) continue;
            auto const there = in[s] == mask ? lie : address_pattern::any;
            check_.access(w, r, op, space, what, address, in[s], there, memory_.shared());
            if (!access(space, address, in[s], there)) return false;
            if (space != ptx::space::param)
                tell(w, op, {space, what, true, bytes, in[s], address.data(), there}, address);
        }
        return true;
    }

    // A vector must be aligned as a whole.
    bool aligned(ptx::space space, decoded const& op, lanes<std::uint64_t> const& address, lane_mask mask,
                 address_pattern lie) noexcept {
        unsigned const bytes = ptx::size_of(op.memory.element) * op.memory.count;
        std::uint32_t low = 0;
        if (lie != address_pattern::any) low = static_cast<std::uint32_t>(address[0]);
        else
            for (unsigned i = 0; i < warp_size; ++i)
                low |= static_cast<std::uint32_t>(address[i]) & ((mask & lane_bits[i]) != 0 ? ~std::uint32_t{0} : 0u);
        if ((low & (bytes - 1)) == 0) return true;
        for (unsigned i = 0; i < warp_size; ++i)
            if ((mask >> i & 1) && (address[i] & (bytes - 1)) != 0)
                return memory_.fail(launch_failure::misaligned_address, space, i, address[i], bytes) != nullptr;
        return true;
    }

    // Where the first lane's bytes are if those of all lanes lie in one piece; `row` stays null if
    // they do not. False: there are none, which is the first lane's fault.
    template <class T>
    bool find_row(std::byte*& row, cta_memory::stretch& at_hand, ptx::space space, warp& w, decoded const& op,
                  lanes<std::uint64_t> const& address) {
        if (space == ptx::space::local) return true; // interleaved
        if (at_hand.find(address[0]) == nullptr) {
            if (memory_.locate(space, w, 0, address[0], sizeof(T)) == nullptr) return false;
            at_hand = memory_.at_hand(space, sizeof(T));
        }
        if (at_hand.find(address[warp_size - 1] + (op.memory.count - 1) * sizeof(T)) != nullptr)
            row = at_hand.find(address[0]);
        return true;
    }
    // Whether registers are as wide as what is in memory.
    template <class T>
    static bool fits(decoded const& op) noexcept {
        bool all = true;
        for (unsigned e = 0; e < op.memory.count; ++e) all = all && op.slots[e].bytes == sizeof(T);
        return all;
    }
    // f(how a cell is read), so that loops over lanes need not ask.
    template <class T, class F>
    static auto with_reader(ptx::space space, decoded const& op, F const& f) {
        if (space == ptx::space::param) // aligned only in itself
            return f([](std::byte const* at) {
                T value;
                std::memcpy(&value, at, sizeof value);
                return value;
            });
        if (op.memory.ordered) return f([](std::byte const* at) { return load_cell<T>(at, true); });
        return f([](std::byte const* at) { return load_cell<T>(at, false); });
    }
    // Whether a row is moved in words of 64 bits, which are atomic as the cells in them would be.
    template <class T>
    static bool has_words(std::byte const* row, decoded const& op) noexcept {
        return sizeof(T) < 8 && op.memory.count == 1 && !op.memory.ordered &&
               reinterpret_cast<std::uintptr_t>(row) % 8 == 0;
    }
    template <class T>
    static void load_rows(registers const& r, std::byte const* from, address_pattern lie, ptx::space space,
                          decoded const& op) noexcept {
        if (lie == address_pattern::side_by_side && space != ptx::space::param && has_words<T>(from, op)) {
            std::byte* const to = r.bytes(op.slots[0].ref);
            for (std::size_t at = 0; at < sizeof(T) * warp_size; at += 8) {
                auto const word = load_cell<std::uint64_t>(from + at, false);
                std::memcpy(to + at, &word, sizeof word);
            }
            return;
        }
        with_reader<T>(space, op, [&](auto read) {
            for (unsigned e = 0; e < op.memory.count; ++e) {
                std::byte* const to = r.bytes(op.slots[e].ref);
                if (lie == address_pattern::same) {
                    lanes<T> row;
                    row.fill(read(from + e * sizeof(T)));
                    std::memcpy(to, row.data(), sizeof row);
                } else {
                    for (std::size_t i = 0; i < warp_size; ++i) {
                        T const value = read(from + (i * op.memory.count + e) * sizeof(T));
                        std::memcpy(to + i * sizeof(T), &value, sizeof value);
                    }
                }
            }
        });
    }
    template <class T>
    static void store_rows(registers const& r, std::byte* to, decoded const& op) noexcept {
        if (has_words<T>(to, op)) {
            std::byte const* const from = r.read_bytes(op.slots[0].ref);
            for (std::size_t at = 0; at < sizeof(T) * warp_size; at += 8) {
                std::uint64_t word = 0;
                std::memcpy(&word, from + at, sizeof word);
                store_cell(to + at, word, false);
            }
            return;
        }
        for (unsigned e = 0; e < op.memory.count; ++e) {
            std::byte const* const from = r.read_bytes(op.slots[e].ref);
            for (std::size_t i = 0; i < warp_size; ++i) {
                T value;
                std::memcpy(&value, from + i * sizeof(T), sizeof value);
                store_cell<T>(to + (i * op.memory.count + e) * sizeof(T), value, op.memory.ordered);
            }
        }
    }

    template <class T>
    bool load_lanes(ptx::space space, warp& w, registers const& r, decoded const& op,
                    lanes<std::uint64_t> const& address, lane_mask mask, address_pattern lie) {
        if (!aligned(space, op, address, mask, lie)) return false;
        bool const sign = ptx::is_signed(op.memory.element);
        auto at_hand = memory_.at_hand(space, sizeof(T));
        if (lie != address_pattern::any && fits<T>(op)) {
            std::byte* row = nullptr;
            if (!find_row<T>(row, at_hand, space, w, op, address)) return false;
            if (row != nullptr) return load_rows<T>(r, row, lie, space, op), true;
        }
        for (unsigned e = 0; e < op.memory.count; ++e) {
            lanes<T> values;
            if (!with_reader<T>(space, op, [&](auto read) {
                    return at_each<T>(at_hand, space, w, address, e * sizeof(T), mask, 0,
                                      [&](unsigned i, std::byte const* from) { values[i] = read(from); });
                }))
                return false;
            put(r, op.slots[e], values, mask, sign);
        }
        return true;
    }
    // Calls access(lane, host storage) for each lane, in an order, until one has none there. False:
    // the fault of the lowest lane that has none.
    // @param turn the n-th lane is n ^ turn: 0 in ascending order; 2^k - 1 in groups of 2^k, in each
    // of which the lowest lane comes last
    template <class T, class Access>
    bool at_each(cta_memory::stretch& at_hand, ptx::space space, warp& w, lanes<std::uint64_t> const& address,
                 std::uint64_t beyond, lane_mask mask, unsigned turn, Access const& access) {
        if (mask == all_lanes) { // mostly all of them are at hand, which is seen at once
            lanes<std::uint64_t> offset;
            std::uint64_t outside = 0; // its highest bit
            for (unsigned i = 0; i < warp_size; ++i) {
                offset[i] = address[i] + beyond - at_hand.begin;
                outside |= offset[i] | (at_hand.limit - 1 - offset[i]);
            }
            if (outside >> 63 == 0 && at_hand.limit != 0) {
                for (unsigned n = 0; n < warp_size; ++n) access(n ^ turn, at_hand.host + offset[n ^ turn]);
                return true;
            }
        }
        for (lane_mask left = turned(mask, turn); left != 0; left &= left - 1) {
            unsigned const i = static_cast<unsigned>(std::countr_zero(left)) ^ turn;
            std::uint64_t const where = address[i] + beyond;
            std::byte* at = at_hand.find(where);
            if (at == nullptr) {
                at = memory_.locate(space, w, i, where, sizeof(T));
                if (at == nullptr) return blame_lowest(space, w, address, beyond, mask, sizeof(T));
                at_hand = memory_.at_hand(space, sizeof(T));
            }
            access(i, at);
        }
        return true;
    }
    // Bit n becomes bit n ^ turn. @pre turn + 1 is a power of two, and at most 32
    [[nodiscard]] static lane_mask turned(lane_mask mask, unsigned turn) noexcept {
        if (turn & 16) mask = mask >> 16 | mask << 16;
        if (turn & 8) mask = (mask >> 8 & 0x00ff'00ff) | (mask & 0x00ff'00ff) << 8;
        if (turn & 4) mask = (mask >> 4 & 0x0f0f'0f0f) | (mask & 0x0f0f'0f0f) << 4;
        if (turn & 2) mask = (mask >> 2 & 0x3333'3333) | (mask & 0x3333'3333) << 2;
        if (turn & 1) mask = (mask >> 1 & 0x5555'5555) | (mask & 0x5555'5555) << 1;
        return mask;
    }
    // Makes the fault that of the lowest lane that has one. Always false.
    GPUPROF_COLD bool blame_lowest(ptx::space space, warp& w, lanes<std::uint64_t> const& address, std::uint64_t beyond,
                                   lane_mask mask, unsigned bytes) {
        for (unsigned i = 0; i < warp_size; ++i)
            if ((mask >> i & 1) && memory_.locate(space, w, i, address[i] + beyond, bytes) == nullptr) break;
        return false;
    }
    // The order of a store, for at_each(). Lanes that store to one address: of those whose bytes go
    // at once, 128 of them, the lowest wins, and of all such groups the last one (H100, stores of 1
    // to 16 bytes a lane to shared and global memory, also with some lanes alone).
    [[nodiscard]] static unsigned order_of_store(decoded const& op) noexcept {
        unsigned const bytes = ptx::size_of(op.memory.element) * op.memory.count;
        return bytes <= 4 ? 31 : bytes <= 8 ? 15 : 7;
    }
    // Into a register that may be wider than what was in memory.
    template <class T>
    static void put(registers const& r, operand_slot to, lanes<T> const& values, lane_mask mask, bool sign) noexcept {
        if (to.bytes == sizeof(T)) return r.write(to.ref, values, mask);
        with_word(to.bytes, [&]<class Wide>(Wide) {
            lanes<Wide> wide;
            if (sign)
                for (unsigned i = 0; i < warp_size; ++i)
                    wide[i] = static_cast<Wide>(static_cast<std::make_signed_t<T>>(values[i]));
            else
                for (unsigned i = 0; i < warp_size; ++i) wide[i] = static_cast<Wide>(values[i]);
            r.write(to.ref, wide, mask);
        });
    }

    template <class T>
    bool store_lanes(ptx::space space, warp& w, registers const& r, decoded const& op,
                     lanes<std::uint64_t> const& address, lane_mask mask, address_pattern lie) {
        if (!aligned(space, op, address, mask, lie)) return false;
        if (space == ptx::space::constant || space == ptx::space::param) return read_only(space, op, address, mask);
        auto at_hand = memory_.at_hand(space, sizeof(T));
        if (lie == address_pattern::side_by_side && fits<T>(op)) {
            std::byte* row = nullptr;
            if (!find_row<T>(row, at_hand, space, w, op, address)) return false;
            if (row != nullptr) return store_rows<T>(r, row, op), true;
        }
        for (unsigned e = 0; e < op.memory.count; ++e) {
            operand_slot const from = op.slots[e];
            auto const give = [&](unsigned i, std::byte* to) {
                T value;
                if (from.bytes >= sizeof(T))
                    std::memcpy(&value, r.read_bytes(from.ref) + std::size_t{i} * from.bytes, sizeof value);
                else value = static_cast<T>(r.read_lane(from.ref, i, from.bytes));
                store_cell<T>(to, value, op.memory.ordered);
            };
            if (!at_each<T>(at_hand, space, w, address, e * sizeof(T), mask, order_of_store(op), give)) return false;
        }
        return true;
    }

    template <class T>
    bool modify_lanes(ptx::space space, warp& w, registers const& r, decoded const& op,
                      lanes<std::uint64_t> const& address, lane_mask mask) {
        if (space == ptx::space::constant || space == ptx::space::param) return read_only(space, op, address, mask);
        unsigned const count = op.memory.count;
        if (!aligned(space, op, address, mask, address_pattern::any)) return false;
        bool const compares = op.memory.operation == atomic_operation::cas;
        bool const is_own = space != ptx::space::global; // shared by CTAs that one thread executes
        auto at_hand = memory_.at_hand(space, sizeof(T));
        return with_combination<T>(op, [&](auto const& combine) {
            for (unsigned e = 0; e < count; ++e) {
                operand_slot const to = op.slots[e], from = op.slots[count + e];
                auto const modify = [&](unsigned i, std::byte* at) {
                    auto const b = static_cast<T>(r.read_lane(from.ref, i, sizeof(T)));
                    if (sums_ != nullptr && !is_own) return sums_->add(address[i] + e * sizeof(T), at, b, op);
                    auto const c = compares ? static_cast<T>(r.read_lane(op.slots[2].ref, i, sizeof(T))) : T{0};
                    T const old = modify_cell<T>(at, b, c, combine, is_own);
                    if (!to.sink) r.write_lane(to.ref, i, to.bytes, old);
                };
                if (!at_each<T>(at_hand, space, w, address, e * sizeof(T), mask, 0, modify)) return false;
            }
            return true;
        });
    }

    // .b128: two cells, as no host need have wider ones.
    bool copy_wide(ptx::space space, warp& w, registers const& r, decoded const& op,
                   lanes<std::uint64_t> const& address, lane_mask mask, address_pattern lie, bool loads) {
        if (!aligned(space, op, address, mask, lie)) return false;
        for (unsigned e = 0; e < op.memory.count; ++e)
            for (unsigned n = 0; n < warp_size; ++n) {
                unsigned const i = loads ? n : n ^ order_of_store(op);
                if (!(mask >> i & 1)) continue;
                std::uint64_t const beyond = std::uint64_t{e} * 16;
                std::byte* const at = memory_.locate(space, w, i, address[i] + beyond, 16);
                if (at == nullptr) return blame_lowest(space, w, address, beyond, mask, 16);
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

    // An asynchronous copy has arrived.
    void copied(warp& w, decoded const& op, pending_copy const& copy) {
        lanes<std::uint64_t> to{};
        to[copy.lane] = copy.to;
        check_.touch(w, op, ptx::space::shared, memory_operation::copy_async, to, copy.bytes,
                     lane_mask{1} << copy.lane);
    }

    cta_memory& memory_;
    Sm& sm_;
    check_type& check_;
    deferred_sums* sums_ = nullptr;
};

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_EXECUTE_MEMORY_UNIT_HPP
