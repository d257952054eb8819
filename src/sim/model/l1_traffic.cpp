// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "l1_traffic.hpp"

#include <cstddef>

GPUPROF_NAMESPACE_BEGIN
namespace sim {

void l1_traffic::add_to(counter_values& to) const noexcept {
    using enum raw_counter;
    for (std::size_t i = 0; i < l1_requests; ++i) {
        at(to, l1_requests_global_ld, i) += counts_[i].requests;
        at(to, l1_sectors_global_ld, i) += counts_[i].sectors;
        at(to, l1_hits_global_ld, i) += counts_[i].hits;
        at(to, l1_tags_global_ld, i) += counts_[i].tags;
        at(to, bytes_global_ld, i) += counts_[i].bytes;
    }
    for (std::size_t i = 0; i < 3; ++i) {
        at(to, shared_wavefronts_ld, i) += shared_[i].wavefronts;
        at(to, shared_conflicts_ld, i) += shared_[i].conflicts;
        at(to, bytes_shared_ld, i) += shared_[i].bytes;
    }
    for (std::size_t i = 0; i < widths; ++i) {
        at(to, threads_global_ld_8b, i) += threads_[0][i];
        at(to, threads_global_st_8b, i) += threads_[1][i];
    }
    for (std::size_t i = 0; i < texel_counts_.size(); ++i) {
        at(to, l1_requests_texture, i) += texel_counts_[i].requests;
        at(to, l1_sectors_texture, i) += texel_counts_[i].sectors;
        at(to, l1_hits_texture, i) += texel_counts_[i].hits;
    }
    to[lg_wavefronts] += wavefronts_;
    to[shared_wavefronts_other] += copied_;
}

} // namespace sim
GPUPROF_NAMESPACE_END
