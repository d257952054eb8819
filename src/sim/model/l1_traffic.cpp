// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "l1_traffic.hpp"

#include <cstddef>

GPUPROF_NAMESPACE_BEGIN
namespace sim {

void l1_traffic::add_shared(memory_operation what, raw_counter wavefronts, raw_counter conflicts, raw_counter bytes,
                            counter_values& to) const noexcept {
    shared_counts const& counts = shared_[static_cast<std::size_t>(what)];
    to[wavefronts] += counts.wavefronts;
    to[conflicts] += counts.conflicts;
    to[bytes] += counts.bytes;
}

void l1_traffic::add_to(counter_values& to) const noexcept {
    using enum raw_counter;
    for (std::size_t i = 0; i < l1_requests; ++i) {
        bool const copies = i >= static_cast<std::size_t>(l1_request::ldgsts);
        std::size_t const kind = copies ? static_cast<std::size_t>(l1_request::global_ld) : i;
        at(to, l1_requests_global_ld, kind) += counts_[i].requests;
        at(to, l1_sectors_global_ld, kind) += counts_[i].sectors;
        at(to, l1_hits_global_ld, kind) += counts_[i].hits;
        at(to, l1_tags_global_ld, kind) += counts_[i].tags;
        at(to, l1_wavefronts_global_ld, kind) += counts_[i].wavefronts;
        at(to, bytes_global_ld, kind) += counts_[i].bytes;
    }
    l1_counts const& kept = counts_[static_cast<std::size_t>(l1_request::ldgsts)];
    to[l1_requests_ldgsts] += kept.requests;
    to[l1_sectors_ldgsts] += kept.sectors;
    to[l1_hits_ldgsts] += kept.hits;
    to[l1_tags_ldgsts] += kept.tags;
    to[l1_wavefronts_ldgsts] += kept.wavefronts;
    l1_counts const& passing = counts_[static_cast<std::size_t>(l1_request::ldgsts_past_l1)];
    to[l1_requests_ldgsts_past_l1] += passing.requests;
    to[l1_sectors_ldgsts_past_l1] += passing.sectors;
    to[l1_wavefronts_ldgsts_past_l1] += passing.wavefronts;
    add_shared(memory_operation::load, shared_wavefronts_ld, shared_conflicts_ld, bytes_shared_ld, to);
    add_shared(memory_operation::load_matrix, shared_wavefronts_ld, shared_conflicts_ld, bytes_shared_ld, to);
    add_shared(memory_operation::store, shared_wavefronts_st, shared_conflicts_st, bytes_shared_st, to);
    add_shared(memory_operation::store_matrix, shared_wavefronts_st, shared_conflicts_st, bytes_shared_st, to);
    add_shared(memory_operation::atomic, shared_wavefronts_atom, shared_conflicts_atom, bytes_shared_atom, to);
    add_shared(memory_operation::reduction, shared_wavefronts_atom, shared_conflicts_atom, bytes_shared_atom, to);
    // What asynchronous copies write are neither loads nor stores.
    add_shared(memory_operation::copy_async, shared_wavefronts_ldgsts, shared_conflicts_ldgsts, bytes_shared_ldgsts,
               to);
    add_shared(memory_operation::load_matrix, shared_wavefronts_ldsm, shared_conflicts_ldsm, bytes_shared_ldsm, to);
    add_shared(memory_operation::store_matrix, shared_wavefronts_stsm, shared_conflicts_stsm, bytes_shared_stsm, to);
    to[shared_wavefronts_copies] += copy_wavefronts_;
    to[shared_wavefronts_other] += shared_[static_cast<std::size_t>(memory_operation::copy_async)].wavefronts;
    to[l1_sectors_cluster] += cluster_sectors_;
    to[l1_sectors_bulk_ld] += bulk_sectors_[0];
    to[l1_sectors_bulk_st] += bulk_sectors_[1];
    for (std::size_t i = 0; i < widths; ++i) {
        at(to, threads_global_ld_8b, i) += threads_[0][i];
        at(to, threads_global_st_8b, i) += threads_[1][i];
    }
    for (std::size_t i = 0; i < texel_counts_.size(); ++i) {
        at(to, l1_requests_texture, i) += texel_counts_[i].requests;
        at(to, l1_sectors_texture, i) += texel_counts_[i].sectors;
        at(to, l1_hits_texture, i) += texel_counts_[i].hits;
        at(to, l1_wavefronts_texture, i) += texel_counts_[i].wavefronts;
    }
    to[shared_swap_rounds] += swaps_.rounds;
    to[shared_swap_waits] += swaps_.waits;
    to[inst_executed] += swaps_.instructions;
    to[thread_inst_executed] += swaps_.thread_instructions;
    to[thread_inst_executed_pred_on] += swaps_.thread_instructions;
    to[thread_fadd] += swaps_.sums[0];
    to[thread_dadd] += swaps_.sums[1];
    to[lg_wavefronts] += wavefronts_;
    to[lg_tag_turns] += tag_turns_;
    to[l1_requests_missed] += missing_loads_;
}

} // namespace sim
GPUPROF_NAMESPACE_END
