// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A formula that adds sectors to cycles.
// expect: the_units_of_a_sum_differ
#include <gpuprof/legacy/expression.hpp>
#include <gpuprof/legacy/events.hpp>

namespace events = gpuprof::legacy::events;

#ifdef GPUPROF_COMPILE_FAIL
constexpr auto sum = events::fb_subp0_read_sectors + events::active_cycles;
#else
constexpr auto sum = events::fb_subp0_read_sectors + events::fb_subp1_read_sectors;
#endif
static_assert(sum.input_count == 2);
