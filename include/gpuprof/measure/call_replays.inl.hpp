// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definitions of call_replays.hpp.
#ifndef GPUPROF_MEASURE_CALL_REPLAYS_INL_HPP
#define GPUPROF_MEASURE_CALL_REPLAYS_INL_HPP

#include "call_replays.hpp"
#include "launch_replay.hpp"
#include "range_replay.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace detail {

GPUPROF_INLINE owned<call_replay> make_call_replay(replay_mode how, lent_collection const& from) {
    if (how == replay_mode::range) return owned<call_replay>{new range_replay{from}};
    return owned<call_replay>{new launch_replay{from}};
}

} // namespace detail
GPUPROF_NAMESPACE_END

#endif // GPUPROF_MEASURE_CALL_REPLAYS_INL_HPP
