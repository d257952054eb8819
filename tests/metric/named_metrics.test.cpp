// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The named descriptors.
#include <doctest/doctest.h>

#include <concepts>
#include <string>
#include <type_traits>

#include <gpuprof/metric/catalogue/gh100.hpp>
#include <gpuprof/metric/named_metrics.hpp>

namespace named_metrics_test {

using namespace gpuprof;

namespace {
template <auto const& Metric>
using value_of = metric_value<std::remove_cvref_t<decltype(Metric)>>;

static_assert(std::same_as<value_of<metrics::dram_bytes_read>, bytes>);
static_assert(std::same_as<value_of<metrics::inst_executed>, instructions>);
static_assert(std::same_as<value_of<metrics::gpu_time_duration>, nanoseconds>);
static_assert(std::same_as<value_of<metrics::global_load_sectors>, sectors>);
static_assert(std::same_as<value_of<metrics::global_load_requests>, requests>);
static_assert(std::same_as<value_of<metrics::global_load_sectors_per_request>, sectors_per_request>);
static_assert(std::same_as<value_of<metrics::shared_bank_conflicts>, bank_conflicts>);
static_assert(std::same_as<value_of<metrics::shared_wavefronts>, wavefronts>);
static_assert(std::same_as<value_of<metrics::achieved_occupancy>, percent>);
static_assert(std::same_as<value_of<metrics::ipc_active>, instructions_per_cycle>);
static_assert(std::same_as<value_of<metrics::warps_active_per_cycle>, warps>);
static_assert(std::same_as<value_of<metrics::grid_size>, ctas>);
} // namespace

TEST_CASE("GH100 has every named metric that the hardware delivers") {
    metric_ref const named[] = {
        metrics::inst_executed,
        metrics::inst_issued,
        metrics::thread_inst_executed,
        metrics::thread_inst_executed_pred_on,
        metrics::global_load_inst,
        metrics::global_store_inst,
        metrics::shared_load_inst,
        metrics::shared_store_inst,
        metrics::local_load_inst,
        metrics::local_store_inst,
        metrics::branch_inst,
        metrics::fadd_thread_inst,
        metrics::fmul_thread_inst,
        metrics::ffma_thread_inst,
        metrics::dadd_thread_inst,
        metrics::dmul_thread_inst,
        metrics::dfma_thread_inst,
        metrics::hadd_thread_inst,
        metrics::hmul_thread_inst,
        metrics::hfma_thread_inst,
        metrics::integer_thread_inst,
        metrics::tensor_pipe_inst,
        metrics::branch_targets,
        metrics::branch_targets_divergent,
        metrics::branch_targets_uniform,
        metrics::branch_uniformity,
        metrics::threads_per_inst,
        metrics::ipc_active,
        metrics::ipc_elapsed,
        metrics::issue_slot_utilization,
        metrics::warps_launched,
        metrics::threads_launched,
        metrics::ctas_launched,
        metrics::achieved_occupancy,
        metrics::warps_active_per_cycle,
        metrics::warps_eligible_per_cycle,
        metrics::warp_latency,
        metrics::gpu_time_duration,
        metrics::gpu_cycles_elapsed,
        metrics::sm_cycles_active,
        metrics::sm_cycles_elapsed,
        metrics::dram_cycles_elapsed,
        metrics::dram_bytes,
        metrics::dram_bytes_read,
        metrics::dram_bytes_write,
        metrics::dram_read_bandwidth,
        metrics::dram_write_bandwidth,
        metrics::dram_sectors_read,
        metrics::dram_sectors_write,
        metrics::global_load_requests,
        metrics::global_load_sectors,
        metrics::global_load_bytes,
        metrics::global_load_sectors_per_request,
        metrics::global_store_requests,
        metrics::global_store_sectors,
        metrics::global_store_bytes,
        metrics::global_store_sectors_per_request,
        metrics::global_atomic_requests,
        metrics::global_reduction_requests,
        metrics::local_load_sectors,
        metrics::local_store_sectors,
        metrics::l1_hit_rate,
        metrics::global_load_hit_rate,
        metrics::shared_wavefronts,
        metrics::shared_load_wavefronts,
        metrics::shared_store_wavefronts,
        metrics::shared_bank_conflicts,
        metrics::shared_load_bank_conflicts,
        metrics::shared_store_bank_conflicts,
        metrics::l2_requests,
        metrics::l2_sectors,
        metrics::l2_sectors_read,
        metrics::l2_sectors_write,
        metrics::l2_sectors_hit,
        metrics::l2_sectors_miss,
        metrics::l2_hit_rate,
        metrics::pcie_bytes_read,
        metrics::pcie_bytes_write,
        metrics::nvlink_bytes_received,
        metrics::nvlink_bytes_sent,
        metrics::sm_throughput,
        metrics::memory_throughput,
        metrics::l1_throughput,
        metrics::l2_throughput,
        metrics::dram_throughput,
    };
    for (metric_ref const& each : named) {
        CAPTURE(std::string{each.name});
        CHECK(catalogue_of<chip::gh100>.contains(each.name));
    }
}

} // namespace named_metrics_test
