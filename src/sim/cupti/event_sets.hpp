// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CUPTI's event group sets for the embedded GPU: which events are counted in which pass.
#ifndef GPUPROF_SRC_SIM_CUPTI_EVENT_SETS_HPP
#define GPUPROF_SRC_SIM_CUPTI_EVENT_SETS_HPP

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <gpuprof/detail/config.hpp>
#include <gpuprof/hw/abi/cupti.hpp>

GPUPROF_NAMESPACE_BEGIN
namespace sim {
struct chip_event;
class event_table;
} // namespace sim

namespace sim::cupti {
using namespace abi;

namespace detail {

// The events of a pass, one list for each group.
using event_pass = std::vector<std::vector<chip_event const*>>;

// Packs events into passes, first come, first served: a group for each domain, as large as its
// counters allow. What is counted by added code has passes of its own, after the others. An event
// is counted once, however often it is named.
[[nodiscard]] std::vector<event_pass> pack(event_table const& catalogue, std::span<chip_event const* const> events);

// Groups for those passes on a context; null if there is no room for as many. @pre lock held.
[[nodiscard]] CUpti_EventGroupSets* make_sets(CUcontext context, event_table const& catalogue,
                                              std::vector<event_pass> const& passes);

} // namespace detail

CUptiResult event_group_sets_create(CUcontext context, std::size_t size, CUpti_EventID* events,
                                    CUpti_EventGroupSets** passes);

// Destroys the groups of the sets, too.
CUptiResult event_group_sets_destroy(CUpti_EventGroupSets* passes);

// All of a set's groups or none of them: where one is refused, those enabled before it are disabled
// again.
CUptiResult event_group_set_enable(CUpti_EventGroupSet* pass);

CUptiResult event_group_set_disable(CUpti_EventGroupSet* pass);

} // namespace sim::cupti
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_CUPTI_EVENT_SETS_HPP
