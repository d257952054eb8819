// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How the embedded GPU counts each event of the event hardware.
#ifndef GPUPROF_SRC_SIM_COUNTERS_EVENT_COUNTS_HPP
#define GPUPROF_SRC_SIM_COUNTERS_EVENT_COUNTS_HPP

#include <span>

#include <gpuprof/core/fidelity.hpp>
#include <gpuprof/detail/config.hpp>
#include <gpuprof/legacy/capability_family.hpp>

#include "../chip/given.hpp"
#include "metric_row.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// The count of one event over the whole chip. In a name `*` stands for a digit: events that differ
// in it share the count of that row, as the slices of L2 or the halves of a memory partition do.
struct event_count {
    char const* name;
    capability_family first; // of the chips that count so
    capability_family last;
    fidelity how;
    given<counter_sum> value;
    unsigned part = 0; // the number of the share that this event counts
    unsigned parts =
        0; // shares; 0: the name's digit is the number, and every event of the chip that matches is a share
    bool clock = false; // every instance counts the whole
};

// The rows of the events that CUPTI lists, and of those that only metrics use.
[[nodiscard]] std::span<event_count const> event_counts() noexcept;
[[nodiscard]] std::span<event_count const> unlisted_event_counts() noexcept;

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_COUNTERS_EVENT_COUNTS_HPP
