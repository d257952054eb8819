// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "data_flow.hpp"

#include <cstdint>

#include "../ptx/type.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

register_shadow flow(registers const& r, decoded const& op, operand_shadows const& in, lane_mask group) {
    using detail::is_constant;
    using detail::opcode_of;
    unsigned const bytes = op.result_bytes;
    register_shadow out;
    out.origin = in.origin();
    auto const everything = [&](lane_mask lanes, bool derived = true) {
        for (unsigned i = 0; i < bytes && i < 16; ++i) out.unwritten[i] = lanes;
        out.derived = derived ? lanes : 0;
    };
    lane_mask const inherited = in.a.derived | in.b.derived | in.c.derived | in.e.derived;
    std::uint64_t const b = is_constant(op.b) ? r.read_lane(op.b, 0, 4) : 0;
    std::uint64_t const c = is_constant(op.c) ? r.read_lane(op.c, 0, 4) : 0;
    switch (op.opcode) {
        case opcode_of("mov"):
        case opcode_of("cvta"): return in.a;
        case opcode_of("cvt"): {
            if (ptx::is_floating(op.type) || ptx::is_floating(op.source_type) || op.sat || (op.sources & 2) != 0) break;
            unsigned const from = ptx::size_of(op.source_type);
            unsigned const to = ptx::size_of(op.type);
            lane_mask const sign = ptx::is_signed(op.source_type) ? in.a.unwritten[from - 1] : 0;
            for (unsigned i = 0; i < bytes && i < 16; ++i)
                out.unwritten[i] = i < from && i < to                  ? in.a.unwritten[i]
                                   : i < to || ptx::is_signed(op.type) ? sign
                                                                       : 0;
            out.derived = inherited;
            return out;
        }
        case opcode_of("and"):
        case opcode_of("or"):
        case opcode_of("xor"):
        case opcode_of("not"): {
            if (bytes == 1) { // predicates: what the other operand decides is known
                lane_mask known = 0;
                lane_mask const va = r.read_predicate(op.a);
                lane_mask const vb = (op.sources & 2) != 0 ? r.read_predicate(op.b) : 0;
                lane_mask const pa = in.a.unwritten[0];
                lane_mask const pb = in.b.unwritten[0];
                if (op.opcode == opcode_of("and")) known = (~pa & ~va) | (~pb & ~vb);
                if (op.opcode == opcode_of("or")) known = (~pa & va) | (~pb & vb);
                out.unwritten[0] = (pa | pb) & ~known;
                out.derived = out.unwritten[0];
                return out;
            }
            for (unsigned i = 0; i < bytes && i < 16; ++i) {
                bool decided = false;
                if (is_constant(op.b) && i < 8) {
                    std::uint64_t const mask = r.read_lane(op.b, 0, bytes) >> (8 * i) & 0xff;
                    decided =
                        (op.opcode == opcode_of("and") && mask == 0) || (op.opcode == opcode_of("or") && mask == 0xff);
                }
                out.unwritten[i] = decided ? 0 : in.a.unwritten[i] | in.b.unwritten[i];
            }
            out.derived = inherited;
            return out;
        }
        case opcode_of("lop3"):
            for (unsigned i = 0; i < 4; ++i)
                out.unwritten[i] = in.a.unwritten[i] | in.b.unwritten[i] | in.c.unwritten[i];
            out.derived = inherited;
            return out;
        case opcode_of("shl"):
        case opcode_of("shr"): {
            if (!is_constant(op.b)) break;
            auto const shift = static_cast<unsigned>(b < std::uint64_t{8} * bytes ? b : std::uint64_t{8} * bytes);
            unsigned const whole = shift / 8;
            bool const parts = shift % 8 != 0;
            for (unsigned i = 0; i < bytes; ++i) {
                lane_mask from = 0;
                if (op.opcode == opcode_of("shl")) {
                    if (i >= whole) from |= in.a.unwritten[i - whole];
                    if (parts && i >= whole + 1) from |= in.a.unwritten[i - whole - 1];
                } else { // what comes in at the top is the sign's, or zero
                    from |= in.a.unwritten[i + whole < bytes ? i + whole : bytes - 1];
                    if (parts && i + whole + 1 < bytes) from |= in.a.unwritten[i + whole + 1];
                }
                out.unwritten[i] = from;
            }
            out.derived = inherited;
            return out;
        }
        case opcode_of("bfe"): {
            if (!is_constant(op.b) || !is_constant(op.c) || (c & 0xff) == 0) break;
            auto const first = static_cast<unsigned>(b & 0xff) / 8;
            auto const last = static_cast<unsigned>((b & 0xff) + (c & 0xff) - 1) / 8;
            lane_mask from = 0;
            for (unsigned i = first; i <= last && i < bytes; ++i) from |= in.a.unwritten[i];
            everything(from, false);
            out.derived = inherited & from;
            return out;
        }
        case opcode_of("bfi"): {
            if (!is_constant(op.c) || !is_constant(op.e)) break;
            auto const at = static_cast<unsigned>(c & 0xff);
            auto const length = static_cast<unsigned>(r.read_lane(op.e, 0, 4) & 0xff);
            for (unsigned i = 0; i < bytes; ++i) {
                bool const inserted = 8 * i + 7 >= at && 8 * i < at + length;
                bool const kept = 8 * i < at || 8 * i + 8 > at + length;
                lane_mask const low = i >= at / 8 ? in.a.unwritten[i - at / 8] : 0;
                lane_mask const next = at % 8 != 0 && i >= at / 8 + 1 ? in.a.unwritten[i - at / 8 - 1] : 0;
                out.unwritten[i] = (inserted ? low | next : 0) | (kept ? in.b.unwritten[i] : 0);
            }
            out.derived = inherited;
            return out;
        }
        case opcode_of("prmt"): {
            if (!is_constant(op.c) || op.mode != 0) break;
            for (unsigned i = 0; i < 4; ++i) {
                auto const which = static_cast<unsigned>(c >> (4 * i) & 7);
                out.unwritten[i] = which < 4 ? in.a.unwritten[which] : in.b.unwritten[which - 4];
            }
            out.derived = inherited;
            return out;
        }
        case opcode_of("selp"): {
            lane_mask const first = r.read_predicate(op.c);
            for (unsigned i = 0; i < bytes && i < 16; ++i)
                out.unwritten[i] = (in.a.unwritten[i] & first) | (in.b.unwritten[i] & ~first) | in.c.unwritten[0];
            out.derived = (in.a.derived & first) | (in.b.derived & ~first) | in.c.unwritten[0];
            return out;
        }
        case opcode_of("shfl"): {
            for (unsigned lane = 0; lane < warp_size; ++lane) {
                auto const from =
                    detail::shuffle_source(op, lane, static_cast<std::uint32_t>(r.read_lane(op.b, lane, 4)),
                                           static_cast<std::uint32_t>(r.read_lane(op.c, lane, 4)));
                for (unsigned i = 0; i < 4; ++i) out.unwritten[i] |= (in.a.unwritten[i] >> from & 1) << lane;
                out.derived |= (in.a.derived >> from & 1) << lane;
            }
            return out;
        }
        case opcode_of("vote"):
        case opcode_of("match"):
        case opcode_of("redux"): everything(((in.a.any() | in.b.any()) & group) != 0 ? group : 0); return out;
        case opcode_of("mma"):
        case opcode_of("wmma"):
        case opcode_of("movmatrix"):
        case opcode_of("createpolicy"):
        case opcode_of("activemask"): return out;
        default: break;
    }
    everything(in.any());
    return out;
}

} // namespace sim
GPUPROF_NAMESPACE_END
