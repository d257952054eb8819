// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gives profilers of the program the replays of driver calls.
#ifndef GPUPROF_MEASURE_CALL_REPLAYS_HPP
#define GPUPROF_MEASURE_CALL_REPLAYS_HPP

#include "../detail/config.hpp"
#include "call_replay.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace detail {

[[nodiscard]] owned<call_replay> make_call_replay(replay_mode how, lent_collection const& from);

// Before main(), as in sim.hpp.
inline bool const call_replay_registered = (program_call_replay = &make_call_replay, true);

} // namespace detail
GPUPROF_NAMESPACE_END

#if GPUPROF_HEADER_ONLY
#include "call_replays.inl.hpp"
#endif

#endif // GPUPROF_MEASURE_CALL_REPLAYS_HPP
