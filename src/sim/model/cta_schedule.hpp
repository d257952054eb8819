// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which SM gets which CTA, and when: waves, their partial last one, and the tail of uneven CTAs.
#ifndef GPUPROF_SRC_SIM_MODEL_CTA_SCHEDULE_HPP
#define GPUPROF_SRC_SIM_MODEL_CTA_SCHEDULE_HPP

#include <cstdint>
#include <vector>

#include <gpuprof/detail/config.hpp>

#include "warp_balance.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// A grid on a chip, in lengths of its mean CTA.
struct cta_schedule {
    double span = 1;          // from the first begin to the last end
    double active = 1;        // of an SM that gets a CTA, the mean: from its first begin to its last end
    double resident = 1;      // of the warps of a CTA that is there, the mean share that has not ended
    double busiest_share = 1; // of all work: the SM with most of it
};

// CTAs begin in their order: one after the other on each SM while there is room, then each where room is first. Of each SM
// only the last 1024 are followed CTA by CTA, or three waves where that is more, or fewer that differ from each other (256 at
// least): the places are taken to be free for them at the same time.
// Costs nothing worth naming where all CTAs are alike, else a step of a heap for each CTA that is followed.
// @param sms SM i of n executed CTA i, i + n and so on. @param ctas_per_sm that an SM has room for at once
[[nodiscard]] cta_schedule schedule_ctas(std::vector<executed_ctas> const& sms, unsigned ctas_per_sm,
                                         unsigned warps_per_cta);

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_MODEL_CTA_SCHEDULE_HPP
