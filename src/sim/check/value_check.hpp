// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds unwritten values where they decide something.
//
// To copy unwritten bytes is no error: programs copy padding. So bytes are followed through
// registers (data_flow.hpp), shared, local and global memory, and reported where
// - an address, a branch, a predicate of a memory access or a barrier's number is made of them
// - the result of arithmetic on them is written to global memory, or they are an operand of an
//   atomic there
// - an atomic works on a place in global memory that nobody wrote.
// An argument that is passed to a function by value counts as written.
#ifndef GPUPROF_SRC_SIM_CHECK_VALUE_CHECK_HPP
#define GPUPROF_SRC_SIM_CHECK_VALUE_CHECK_HPP

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "../code/special_registers.hpp"
#include "cta_states.hpp"
#include "data_flow.hpp"
#include "launch_check.hpp"
#include "register_shadow.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// The values of a CTA.
class value_check {
public:
    // @param own_shared what the CTA has of shared memory; the rest is the system's
    value_check(launch_check& launch, std::uint32_t cta, unsigned warps, std::uint32_t shared_bytes,
                std::uint32_t own_shared)
        : launch_{launch}, cta_{cta}, states_{launch.shadow(), warps, shared_bytes, own_shared}, registers_(warps) {}

    [[nodiscard]] bool any(warp const& w) const noexcept { return registers_[w.number()].any(); }

    // An instruction is about to be executed by a warp that has registers with something unwritten.
    // @param active lanes, of which those execute it whose guard allows
    void step(warp& w, registers const& r, decoded const& op, lane_mask active, lane_mask execute) {
        lane_mask undecided = 0;
        if (op.guarded && !op.guard_only_counts) {
            register_shadow const& guard = read(w, op.guard);
            undecided = guard.any() & active;
            if (undecided != 0 && op.action != action::compute && op.action != action::nothing)
                decides(w, op, undecided, guard.origin, op.action == action::branch ? "branch" : "predicate");
        }
        switch (op.action) {
            case action::compute: compute(w, r, op, execute, undecided); break;
            case action::branch_indexed: {
                register_shadow const& index = read(w, op.a);
                if ((index.any() & execute) != 0) decides(w, op, index.any() & execute, index.origin, "branch");
                break;
            }
            case action::special_register:
            case action::local_address:
            case action::cluster_address: clear(w, op.d, execute); break;
            case action::barrier:
                if (reduction_of(op) != barrier_reduction::none) clear(w, op.d, execute);
                break;
            case action::mbarrier: clear(w, op.d, execute); break;
            case action::load_matrix:
            case action::multiply_async:
                for (std::uint32_t i = 0; i < op.list_count; ++i) clear(w, op.slots[i].ref, execute);
                break;
            default: break;
        }
    }

    // Lanes read from lanes that do not take part, whose value is undefined.
    void shuffled(warp& w, registers const& r, decoded const& op, lane_mask execute) {
        lane_mask gone = 0;
        for (unsigned lane = 0; lane < warp_size; ++lane) {
            if (!(execute >> lane & 1)) continue;
            auto const from = detail::shuffle_source(op, lane, static_cast<std::uint32_t>(r.read_lane(op.b, lane, 4)),
                                                     static_cast<std::uint32_t>(r.read_lane(op.c, lane, 4)));
            if (!(execute >> from & 1)) gone |= lane_mask{1} << lane;
        }
        if (gone == 0) return;
        register_shadow out;
        for (unsigned i = 0; i < 4; ++i) out.unwritten[i] = gone;
        out.derived = gone;
        out.origin = launch_.number(*w.frame().function, op) + 1;
        remember(out.origin, w, gone, ptx::space::shared, 0, 0, true);
        write(w, op.d, gone, out);
    }

    // A memory instruction on one space, before it moves anything.
    void access(warp& w, registers const& r, decoded const& op, ptx::space space, bool loads, bool stores,
                lanes<std::uint64_t> const& address, lane_mask lanes, address_pattern lie) {
        bool const tainted = any(w);
        if (tainted && op.memory.has_base) {
            register_shadow const& base = read(w, op.a);
            if ((base.any() & lanes) != 0) decides(w, op, base.any() & lanes, base.origin, "address");
        }
        unsigned const size = ptx::size_of(op.memory.element);
        if (op.action == action::atomic) {
            auto element = address;
            for (unsigned e = 0; e < op.memory.count; ++e) {
                atomic(w, op, e, space, element, lanes);
                for (auto& each : element) each += size;
            }
            return;
        }
        if (space == ptx::space::constant || space == ptx::space::param) {
            if (loads && tainted)
                for (unsigned e = 0; e < op.memory.count; ++e) clear(w, op.slots[e].ref, lanes);
            return;
        }
        if (loads) load(w, op, space, size, address, lanes, lie, tainted);
        else if (stores) store(w, op, space, size, address, lanes, tainted);
        static_cast<void>(r);
    }
    // The same of instructions whose values are not followed: what they write is written.
    void touched(warp& w, ptx::space space, bool writes, lanes<std::uint64_t> const& address, unsigned bytes,
                 lane_mask lanes) {
        if (!writes) return;
        for (unsigned lane = 0; lane < warp_size; ++lane)
            if (lanes >> lane & 1)
                if (byte_state* const s = states_.at(w, space, lane, address[lane], bytes))
                    std::fill(s, s + bytes, byte_state::written);
    }

    // A function was entered: its registers and its local memory hold nothing yet, but for its
    // parameters.
    void entered(warp& w, call_site const* site, std::size_t frame) {
        register_shadows& registers = registers_[w.number()];
        registers.cut(frame);
        states_.entered(w, site, frame);
        if (site == nullptr) return;
        std::size_t const caller = w.frame(frame).caller;
        for (call_value const& v : site->outputs)
            if (!v.in_memory) registers.write(launch_.numbers, w.frame(caller), caller + 1, v.slot, all_lanes, {});
    }
    // A function of the system has written its results.
    void answered(warp& w, call_site const& site, lane_mask lanes) {
        for (call_value const& v : site.outputs) {
            if (!v.in_memory) clear(w, v.slot, lanes);
            for (unsigned lane = 0; v.in_memory && lane < warp_size; ++lane)
                if (lanes >> lane & 1)
                    if (byte_state* const s =
                            states_.at(w, ptx::space::local, lane, w.frame().local + v.offset, v.bytes))
                        std::fill(s, s + v.bytes, byte_state::written);
        }
    }
    void left(warp& w) { registers_[w.number()].cut(w.depth()); }

private:
    [[nodiscard]] register_shadow const& read(warp& w, operand_ref r) const {
        return registers_[w.number()].read(launch_.numbers, w.frame(), w.depth(), r);
    }
    void write(warp& w, operand_ref r, lane_mask lanes, register_shadow const& to) {
        registers_[w.number()].write(launch_.numbers, w.frame(), w.depth(), r, lanes, to);
    }
    void clear(warp& w, operand_ref r, lane_mask lanes) { write(w, r, lanes, {}); }

    void compute(warp& w, registers const& r, decoded const& op, lane_mask execute, lane_mask undecided) {
        static register_shadow const clean;
        using detail::opcode_of;
        bool const in_slots = op.slots != nullptr && op.list_count != 0 && op.opcode == opcode_of("mov");
        if (in_slots && op.sources == 0) { // packs
            register_shadow out;
            unsigned at = 0;
            for (auto const* s = op.slots; s != op.slots + op.list_count; at += s->bytes, ++s) {
                register_shadow const& part = read(w, s->ref);
                for (unsigned i = 0; i < s->bytes && at + i < 16; ++i) out.unwritten[at + i] = part.unwritten[i];
                out.derived |= part.derived;
                if (part.any() != 0) out.origin = part.origin;
            }
            return write(w, op.d, execute, out);
        }
        if (in_slots) {
            register_shadow const whole = read(w, op.a);
            unsigned at = 0;
            for (auto const* s = op.slots; s != op.slots + op.list_count; at += s->bytes, ++s) {
                register_shadow part;
                for (unsigned i = 0; i < s->bytes && at + i < 16; ++i) part.unwritten[i] = whole.unwritten[at + i];
                part.derived = whole.derived;
                part.origin = whole.origin;
                if (!s->sink) write(w, s->ref, execute, part);
            }
            return;
        }
        if (op.opcode == opcode_of("mma") || op.opcode == opcode_of("wmma")) {
            for (std::uint32_t i = 0; op.slots != nullptr && i < op.list_count; ++i) clear(w, op.slots[i].ref, execute);
            return;
        }
        if (op.result_bytes == 0) return;
        operand_shadows const in{
            (op.sources & 1) != 0 ? read(w, op.a) : clean, (op.sources & 2) != 0 ? read(w, op.b) : clean,
            (op.sources & 4) != 0 ? read(w, op.c) : clean, (op.sources & 8) != 0 ? read(w, op.e) : clean};
        register_shadow out = (in.any() != 0) ? flow(r, op, in, execute) : register_shadow{};
        if (undecided != 0) {
            for (unsigned i = 0; i < op.result_bytes && i < 16; ++i) out.unwritten[i] |= undecided;
            out.derived |= undecided;
            if (out.origin == 0) out.origin = read(w, op.guard).origin;
        }
        write(w, op.d, execute | undecided, out);
        bool const has_second =
            op.opcode == opcode_of("setp") || op.opcode == opcode_of("shfl") || op.opcode == opcode_of("match");
        if (has_second && op.opcode == opcode_of("setp")) write(w, op.d2, execute | undecided, out);
        else if (has_second) clear(w, op.d2, execute);
    }

    // Whether what all lanes load lies in one piece of written bytes, which is seen at once. False:
    // perhaps.
    [[nodiscard]] bool is_written_row(warp& w, ptx::space space, lanes<std::uint64_t> const& address, unsigned bytes,
                                      address_pattern lie) {
        if (space == ptx::space::local || lie == address_pattern::any) return false;
        unsigned const all = lie == address_pattern::same ? bytes : bytes * warp_size;
        byte_state const* const s = states_.at(w, space, 0, address[0], all);
        return s != nullptr && cta_states::all_written(s, all);
    }

    void load(warp& w, decoded const& op, ptx::space space, unsigned size, lanes<std::uint64_t> const& address,
              lane_mask lanes, address_pattern lie, bool tainted) {
        unsigned const bytes = size * op.memory.count;
        lane_mask partly = 0;
        if (!is_written_row(w, space, address, bytes, lie))
            for (unsigned lane = 0; lane < warp_size; ++lane) {
                if (!(lanes >> lane & 1)) continue;
                byte_state const* const s = states_.at(w, space, lane, address[lane], bytes);
                if (s != nullptr && !cta_states::all_written(s, bytes)) partly |= lane_mask{1} << lane;
            }
        if (partly == 0) {
            if (tainted)
                for (unsigned e = 0; e < op.memory.count; ++e) clear(w, op.slots[e].ref, lanes);
            return;
        }
        std::uint32_t const self = launch_.number(*w.frame().function, op) + 1;
        auto const first = static_cast<unsigned>(std::countr_zero(partly));
        std::uint32_t origin = self;
        for (unsigned e = 0; e < op.memory.count; ++e) {
            if (op.slots[e].sink) continue;
            register_shadow out;
            for (unsigned lane = 0; lane < warp_size; ++lane) {
                if (!(partly >> lane & 1)) continue;
                byte_state const* const s = states_.at(w, space, lane, address[lane], bytes) + std::size_t{e} * size;
                lane_mask const bit = lane_mask{1} << lane;
                for (unsigned i = 0; i < size && i < 16; ++i) {
                    if (s[i] == byte_state::written) continue;
                    out.unwritten[i] |= bit;
                    if (s[i] == byte_state::derived) {
                        out.derived |= bit;
                        if (derived_origin_ != 0) origin = derived_origin_;
                    }
                }
            }
            if (ptx::is_signed(op.memory.element)) // the sign fills what is wider
                for (unsigned i = size; i < op.slots[e].bytes && i < 16; ++i)
                    out.unwritten[i] = out.unwritten[size - 1];
            out.origin = origin;
            write(w, op.slots[e].ref, lanes, out);
        }
        remember(self, w, partly, space, address[first], bytes, false);
    }

    void store(warp& w, decoded const& op, ptx::space space, unsigned size, lanes<std::uint64_t> const& address,
               lane_mask lanes, bool tainted) {
        unsigned const bytes = size * op.memory.count;
        for (unsigned lane = 0; lane < warp_size; ++lane)
            if (lanes >> lane & 1)
                if (byte_state* const s = states_.at(w, space, lane, address[lane], bytes))
                    std::fill(s, s + bytes, byte_state::written);
        if (!tainted) return;
        for (unsigned e = 0; e < op.memory.count; ++e) {
            register_shadow const& value = read(w, op.slots[e].ref);
            lane_mask const unwritten = value.any(0, size) & lanes;
            if (unwritten == 0) continue;
            lane_mask const derived = unwritten & value.derived;
            bool const is_result = space == ptx::space::global;
            if (is_result && derived != 0) decides(w, op, derived, value.origin, "value written to global memory");
            for (unsigned lane = 0; lane < warp_size; ++lane) {
                if (!(unwritten >> lane & 1)) continue;
                bool const arithmetic = (derived >> lane & 1) != 0;
                if (arithmetic && is_result) continue;
                byte_state* const s = states_.at(w, space, lane, address[lane], bytes);
                if (s == nullptr) continue;
                for (unsigned i = 0; i < size && i < 16; ++i)
                    if (value.unwritten[i] >> lane & 1)
                        s[std::size_t{e} * size + i] = arithmetic ? byte_state::derived : byte_state::unwritten;
                if (arithmetic) derived_origin_ = value.origin;
            }
        }
    }

    // Slots: the results, as many operands, and what a compare-and-swap writes.
    void atomic(warp& w, decoded const& op, unsigned e, ptx::space space, lanes<std::uint64_t> const& address,
                lane_mask lanes) {
        unsigned const bytes = ptx::size_of(op.memory.element);
        bool const swaps =
            op.memory.operation == atomic_operation::exch || op.memory.operation == atomic_operation::cas;
        lane_mask old = 0;
        bool old_is_derived = false;
        for (unsigned lane = 0; lane < warp_size; ++lane) {
            if (!(lanes >> lane & 1)) continue;
            byte_state* const s = states_.at(w, space, lane, address[lane], bytes);
            if (s == nullptr || cta_states::all_written(s, bytes)) continue;
            old |= lane_mask{1} << lane;
            old_is_derived = old_is_derived || *s == byte_state::derived;
            std::fill(s, s + bytes, swaps || space == ptx::space::global ? byte_state::written : byte_state::derived);
        }
        std::uint32_t const self = launch_.number(*w.frame().function, op) + 1;
        std::uint32_t const origin = old_is_derived && derived_origin_ != 0 ? derived_origin_ : self;
        if (old != 0) {
            auto const first = static_cast<unsigned>(std::countr_zero(old));
            remember(self, w, old, space, address[first], bytes, false);
            if (!swaps && space == ptx::space::global) decides(w, op, old, self, "atomic on memory that nobody wrote");
            if (!swaps && space != ptx::space::global) derived_origin_ = origin;
        }
        for (std::uint32_t i = e + op.memory.count; i < op.list_count && any(w); i += op.memory.count) {
            register_shadow const& operand = read(w, op.slots[i].ref);
            lane_mask const unwritten = operand.any(0, bytes) & lanes;
            if (unwritten == 0) continue;
            if (space == ptx::space::global) {
                decides(w, op, unwritten, operand.origin, "operand of an atomic");
                continue;
            }
            derived_origin_ = operand.origin;
            for (unsigned lane = 0; lane < warp_size; ++lane)
                if (unwritten >> lane & 1)
                    if (byte_state* const s = states_.at(w, space, lane, address[lane], bytes))
                        std::fill(s, s + bytes, byte_state::derived);
        }
        if (op.list_count == 0 || op.slots[e].sink) return;
        register_shadow out;
        if (swaps || space != ptx::space::global)
            for (unsigned i = 0; i < bytes && i < 16; ++i) out.unwritten[i] = old;
        if (old_is_derived || !swaps) out.derived = old;
        out.origin = origin;
        if (any(w) || old != 0) write(w, op.slots[e].ref, lanes, out);
    }

    void remember(std::uint32_t origin, warp const& w, lane_mask lanes, ptx::space space, std::uint64_t address,
                  unsigned bytes, bool gone_lane);

    void decides(warp& w, decoded const& op, lane_mask lanes, std::uint32_t origin, char const* decision);

    launch_check& launch_;
    std::uint32_t cta_;
    cta_states states_;
    std::vector<register_shadows> registers_; // by warp
    std::uint32_t derived_origin_ = 0;        // of what was derived and went to memory last
};

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_CHECK_VALUE_CHECK_HPP
