// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Instructions that exchange values between the lanes of a warp: shuffle, vote, match, reduce.
#ifndef GPUPROF_SRC_SIM_OPS_WARP_OPS_HPP
#define GPUPROF_SRC_SIM_OPS_WARP_OPS_HPP

#include <bit>
#include <cstdint>

#include "../code/decoded.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

enum class shuffle_mode : std::uint8_t { up, down, butterfly, index };
enum class vote_mode : std::uint8_t { all, any, uniform, ballot };

// bar.warp.sync: the lanes of a path run in step, so those that execute it have met.
inline void meet(registers const&, decoded const&, lane_mask) noexcept {}

// A lane that the source lane's group does not hold, which PTX leaves undefined, gives what is in
// its register. shfl.mode d|d2, a, b, c: c holds the clamp in bits 0-4 and the segment mask in bits
// 8-12.
inline void shuffle(registers const& r, decoded const& op, lane_mask mask) noexcept {
    auto const a = r.read<std::uint32_t>(op.a);
    auto const b = r.read<std::uint32_t>(op.b);
    auto const c = r.read<std::uint32_t>(op.c);
    auto const mode = static_cast<shuffle_mode>(op.mode);
    lanes<std::uint32_t> d;
    lane_mask in_range = 0;
    for (unsigned lane = 0; lane < warp_size; ++lane) {
        auto const distance = static_cast<int>(b[lane] & 31);
        auto const clamp = static_cast<int>(c[lane] & 31);
        auto const segment = static_cast<int>(c[lane] >> 8 & 31);
        auto const self = static_cast<int>(lane);
        int const last = (self & segment) | (clamp & ~segment);
        int const first = self & segment;
        int source = 0;
        bool valid = false;
        switch (mode) {
            case shuffle_mode::up: source = self - distance, valid = source >= last; break;
            case shuffle_mode::down: source = self + distance, valid = source <= last; break;
            case shuffle_mode::butterfly: source = self ^ distance, valid = source <= last; break;
            case shuffle_mode::index: source = first | (distance & ~segment), valid = source <= last; break;
        }
        if (!valid) source = self;
        d[lane] = a[static_cast<unsigned>(source) & 31];
        in_range |= lane_mask{valid} << lane;
    }
    r.write(op.d, d, mask);
    r.write_predicate(op.d2, in_range, mask);
}

// vote.mode d, a, with a's negation already undone; d is a predicate, for a ballot a register.
inline void vote(registers const& r, decoded const& op, lane_mask mask) noexcept {
    lane_mask const said = (op.negated ? ~r.read_predicate(op.a) : r.read_predicate(op.a)) & mask;
    switch (static_cast<vote_mode>(op.mode)) {
        case vote_mode::all: return r.write_predicate(op.d, said == mask ? all_lanes : 0, mask);
        case vote_mode::any: return r.write_predicate(op.d, said != 0 ? all_lanes : 0, mask);
        case vote_mode::uniform: return r.write_predicate(op.d, said == 0 || said == mask ? all_lanes : 0, mask);
        case vote_mode::ballot: break;
    }
    lanes<std::uint32_t> d;
    d.fill(said);
    r.write(op.d, d, mask);
}

inline void active_mask(registers const& r, decoded const& op, lane_mask mask) noexcept {
    lanes<std::uint32_t> d;
    d.fill(mask);
    r.write(op.d, d, mask);
}

// match.any d, a: the lanes with the same value. match.all d|d2: all of them, or none (`mode` 1).
template <class T>
void match(registers const& r, decoded const& op, lane_mask mask) noexcept {
    auto const a = r.read<T>(op.a);
    lanes<std::uint32_t> d{};
    for (unsigned i = 0; i < warp_size; ++i)
        for (unsigned k = 0; k < warp_size; ++k) d[i] |= (mask >> k & 1) && a[i] == a[k] ? lane_mask{1} << k : 0;
    if (op.mode == 1) {
        auto const first = static_cast<unsigned>(std::countr_zero(mask)) & 31;
        bool const same = d[first] == mask;
        d.fill(same ? mask : 0);
        r.write_predicate(op.d2, same ? all_lanes : 0, mask);
    }
    r.write(op.d, d, mask);
}

// redux.op d, a: all lanes get Op over the executing lanes.
template <class Op, class T>
void reduce(registers const& r, decoded const& op, lane_mask mask) noexcept {
    auto const a = r.read<T>(op.a);
    auto const first = static_cast<unsigned>(std::countr_zero(mask)) & 31;
    T sum = a[first];
    for (unsigned i = first + 1; i < warp_size; ++i)
        if (mask >> i & 1) sum = Op{}(sum, a[i]);
    lanes<T> d;
    d.fill(sum);
    r.write(op.d, d, mask);
}

// elect d|d2, members: the lowest lane.
inline void elect(registers const& r, decoded const& op, lane_mask mask) noexcept {
    auto const leader = static_cast<std::uint32_t>(std::countr_zero(mask));
    lanes<std::uint32_t> d;
    d.fill(leader);
    r.write(op.d, d, mask);
    r.write_predicate(op.d2, lane_mask{1} << (leader & 31), mask);
}

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_OPS_WARP_OPS_HPP
