// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Decodes a session's samples: drops the first one and counts losses.
#ifndef GPUPROF_SAMPLE_SAMPLE_DECODING_HPP
#define GPUPROF_SAMPLE_SAMPLE_DECODING_HPP

#include <cstdint>
#include <span>

#include "../core/result.hpp"
#include "../hw/samplers/pm_session.hpp"
#include "sampling_losses.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace detail {

enum class decoding : unsigned char {
    all,   // all samples
    a_call // one CUPTI call, for callers with little time
};

// Calls f(begin, end, values) for samples since the last call, and adds to the losses. Errors and
// cost: those of pm_session.
template <class F>
[[nodiscard]] result<hw::pm_decoded> try_decode_samples(hw::pm_session& from, decoding how, sample_sequence& sequence,
                                                        sampling_losses& lost, F&& f) {
    auto const take = [&](std::uint64_t begin, std::uint64_t end, std::span<double const> values) {
        if (sequence.accept(begin, end, lost)) f(begin, end, values);
    };
    auto decoded = how == decoding::all ? from.try_decode(take) : from.try_decode_some(take);
    if (!decoded) return decoded;
    lost.overflows += decoded->overflowed;
    lost.over_room += decoded->cut;
    if (decoded->overflowed) sequence.start(); // the next sample does not follow the last one
    return decoded;
}

} // namespace detail
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SAMPLE_SAMPLE_DECODING_HPP
