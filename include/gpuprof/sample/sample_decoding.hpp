// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Samples of a session as whoever takes them wants them: without the first one, and with what is missing. Layer: sample.
#ifndef GPUPROF_SAMPLE_SAMPLE_DECODING_HPP
#define GPUPROF_SAMPLE_SAMPLE_DECODING_HPP

#include <cstdint> // times
#include <span>    // values

#include "../core/result.hpp"
#include "../hw/pm/pm_session.hpp"
#include "sampling_losses.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace detail {

enum class decoding : unsigned char {
    all,   // that there are
    a_call // to CUPTI, for who has little time
};

// Calls f(begin, end, values) for samples since the last call, and adds what is missing. Errors and cost: those of pm_session.
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
    if (decoded->overflowed) sequence.start(); // the next sample is not the neighbour of the last
    return decoded;
}

} // namespace detail
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SAMPLE_SAMPLE_DECODING_HPP
