// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "time_model.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

GPUPROF_NAMESPACE_BEGIN
namespace sim {

time_model::launch_cycles time_model::cycles_of(counter_values const& c, waits const& w) const noexcept {
    double const latency = w.total() * shape_.busiest_share / resident_warps();
    double const one_by_one = real(shape_.hottest_atomics) * atomic_l2_cycles / chip_.l2_hz;
    sm_load const load = sm_cycles(c);
    struct {
        time_bound bound;
        double cycles;
    } const resources[]{{time_bound::issue, load.issue},
                        {time_bound::pipe, load.pipes},
                        {time_bound::l1, load.data_stage},
                        {time_bound::l2, (std::max)(load.crossbar, l2_seconds(c) * chip_.gpc_hz)},
                        {time_bound::dram, dram_seconds(c) * chip_.gpc_hz},
                        {time_bound::atomics, one_by_one * chip_.gpc_hz}};
    auto most = resources[0];
    for (auto const& each : resources)
        if (each.cycles > most.cycles) most = each;
    launch_cycles cycles;
    cycles.busy = std::sqrt(most.cycles * most.cycles + latency * latency);
    cycles.dispatch = real(shape_.ctas) / chip_.launch.ctas_a_second * chip_.gpc_hz;
    if (cycles.dispatch > cycles.busy) cycles.bound = time_bound::dispatch;
    else if (most.cycles > latency) cycles.bound = most.bound;
    return cycles;
}

double time_model::launch_seconds(counter_values const& c) const noexcept {
    using enum raw_counter;
    constexpr std::uint64_t of_nothing = 2; // instructions of a warp that only ends
    bool const empty = c[inst_issued] <= of_nothing * c[warps_launched];
    double const begin = chip_.launch.begin_seconds;
    return chip_.launch.empty_seconds + (empty ? 0 : begin);
}

time_estimate time_model::estimate(counter_values const& c) const noexcept {
    launch_cycles const cycles = cycles_of(c, waits_of(c));
    double const running = (std::max)(cycles.busy, cycles.dispatch) / chip_.gpc_hz;
    double const launch = launch_seconds(c);
    double const likely = launch + running;
    return {low_share * likely, likely, high_share * likely, launch > running ? time_bound::launch : cycles.bound};
}

void time_model::fill(counter_values& c) const noexcept {
    using enum raw_counter;
    if (shape_.ctas == 0) return; // nothing was launched
    std::uint64_t const sms = std::min<std::uint64_t>(shape_.ctas, count(hardware_unit::sm));
    double const resident = resident_warps();
    waits const w = waits_of(c);
    launch_cycles const cycles = cycles_of(c, w);
    double const longer = (std::max)(cycles.busy, cycles.dispatch);
    double const seconds = launch_seconds(c) + longer / chip_.gpc_hz;

    c[gpu_time_ns] = whole(seconds * 1e9);
    c[gpu_cycles_active] = c[gpu_cycles_elapsed] = whole(seconds * chip_.sys_hz);
    c[sm_cycles_elapsed] = whole(seconds * chip_.gpc_hz);
    c[l2_cycles_elapsed] = whole(seconds * chip_.l2_hz);
    c[dram_cycles_elapsed] = whole(seconds * chip_.dram_hz);
    // SMs with less to do are done sooner.
    double const mean_share = shape_.busiest_share > 0 ? 1 / (shape_.busiest_share * static_cast<double>(sms)) : 1;
    double const of_all = (std::min)(mean_share, 1.0) * static_cast<double>(sms);
    // CTAs that are there on average: fewer than there is room for while they are awaited. An SM is active while it has one.
    double const ctas = resident / shape_.warps_per_cta * (cycles.busy / longer);
    double const active = longer * (std::min)(ctas, 1.0);
    c[sm_cycles_active] = whole(active * of_all);
    double const filled = real(c[sm_cycles_active]) * (cycles.busy / active);
    c[l2_cycles_active] = c[l2_cycles_elapsed] * count(hardware_unit::lts);
    c[dram_cycles_active] = whole(dram_bytes(c) / 32);
    c[ctas_active] = whole(filled * resident / shape_.warps_per_cta);
    c[warps_active] = whole(filled * resident);
    c[issue_active] = (std::min)(c[inst_issued], whole(filled * schedulers()));
    fill_stalls(w, c);
}

double time_model::resident_warps() const noexcept {
    std::uint64_t const an_sm = (shape_.ctas + count(hardware_unit::sm) - 1) / count(hardware_unit::sm);
    return real(std::min<std::uint64_t>(shape_.ctas_per_sm, an_sm) * shape_.warps_per_cta);
}

time_model::sm_load time_model::sm_cycles(counter_values const& c) const noexcept {
    using enum raw_counter;
    pipe_rates const& rates = chip_.pipes;
    // In products of 16 by 8 by 16 halves. A warpgroup's take the pipelines of all schedulers.
    double const products = real(c[inst_pipe_tensor] - c[inst_tensor_gmma]) +
                            real(c[gmma_cycle_pairs_float] + c[gmma_cycle_pairs_integer]) / schedulers();
    double const busiest =
        (std::max)({real(c[inst_pipe_alu]) / rates.alu, real(c[inst_pipe_fma]) / rates.fma,
                    real(c[inst_pipe_fp64]) / rates.fp64, real(c[inst_pipe_xu]) / rates.xu, products / rates.tensor});
    double const wavefronts = real(c[shared_wavefronts_ld] + c[shared_wavefronts_st] + c[shared_wavefronts_atom] +
                                   c[shared_wavefronts_other] + c[lg_wavefronts]);
    double const from_l2 = real(c[l2_sectors_tex_read] + c[l2_sectors_tex_atom]);
    double const to_l2 = real(c[l2_sectors_tex_write] + c[l2_sectors_tex_atom] + c[l2_sectors_tex_red]);
    double const share = shape_.busiest_share;
    return {share * real(c[inst_issued]) / schedulers(), share * busiest,
            share * (std::max)(real(c[inst_pipe_lsu]), wavefronts), share * (std::max)(from_l2, to_l2) / 2};
}

double time_model::l2_seconds(counter_values const& c) const noexcept {
    using enum raw_counter;
    std::uint64_t const sectors = c[l2_sectors_tex_read] + c[l2_sectors_tex_write] + c[l2_sectors_tex_atom] +
                                  c[l2_sectors_tex_red] + c[l2_sectors_other_read] + c[l2_sectors_other_write] +
                                  c[l2_sectors_other_atom] + c[l2_sectors_other_red];
    return real(sectors) / (chip_.l2_hz * chip_.count(hardware_unit::lts));
}

double time_model::dram_bytes(counter_values const& c) noexcept {
    return real(c[raw_counter::dram_bytes_read] + c[raw_counter::dram_bytes_written]);
}

double time_model::dram_seconds(counter_values const& c) const noexcept {
    constexpr double reached = 0.8; // of the peak, at best
    return dram_bytes(c) / (reached * 32 * chip_.dram_hz * chip_.count(hardware_unit::dram));
}

time_model::waits time_model::waits_of(counter_values const& c) const noexcept {
    using enum raw_counter;
    constexpr double arithmetic = 3.5, l1 = 33, l2 = 270, memory = 560, shared = 23, special_function = 18,
                     barrier = 30, fence = 500, branch = 8;
    double const sectors = real(c[l1_sectors_global_ld] + c[l1_sectors_local_ld]);
    double const hits = real(c[l1_hits_global_ld] + c[l1_hits_local_ld]);
    double const requests = real(c[l1_requests_global_ld] + c[l1_requests_local_ld]);
    double const l2_reads = real(c[l2_sectors_tex_read]);
    double const fetched = (std::min)(real(c[dram_bytes_read]) / 32, l2_reads);
    double const beyond_l1 = l2_reads > 0 ? l2 + (memory - l2) * fetched / l2_reads : l2;
    double const load = sectors > 0 ? (hits * l1 + (sectors - hits) * beyond_l1) / sectors : 0;
    waits w;
    w.issue = real(c[inst_issued]);
    w.fixed_latency = arithmetic * real(c[inst_issued]);
    w.long_scoreboard = (requests * load + real(c[l1_requests_global_atom]) * beyond_l1) / overlap;
    w.short_scoreboard =
        (real(c[inst_shared_ld] + c[inst_shared_atom]) * shared + real(c[inst_pipe_xu]) * special_function) / overlap;
    w.barrier = barrier * real(shape_.barriers);
    w.fence = fence * real(shape_.fences);
    w.branch = branch * real(c[inst_branch]);
    return w;
}

void time_model::fill_stalls(waits const& w, counter_values& c) const noexcept {
    using enum raw_counter;
    double const active = real(c[warps_active]);
    double const selected = (std::min)(real(c[inst_issued]), active);
    double const waited = w.total() - w.issue;
    double const room = active - selected;
    double const share = waited > room ? (waited > 0 ? room / waited : 0) : 1;
    c[stalled_selected] = whole(selected);
    c[stalled_wait] = whole(w.fixed_latency * share);
    c[stalled_long_scoreboard] = whole(w.long_scoreboard * share);
    c[stalled_short_scoreboard] = whole(w.short_scoreboard * share);
    c[stalled_barrier] = whole(w.barrier * share);
    c[stalled_membar] = whole(w.fence * share);
    c[stalled_branch_resolving] = whole(w.branch * share);
    double const queued = room - waited * share;
    sm_load const load = sm_cycles(c);
    double const memory = (std::max)(l2_seconds(c), dram_seconds(c)) * chip_.gpc_hz;
    if (memory >= load.most()) c[stalled_long_scoreboard] += whole(queued);
    else if (load.most() == load.issue) c[stalled_not_selected] = whole(queued);
    else if (load.most() == load.pipes) c[stalled_math_pipe_throttle] = whole(queued);
    else if (load.most() == load.data_stage) c[stalled_mio_throttle] = whole(queued);
    else c[stalled_lg_throttle] = whole(queued);
    c[warps_eligible] = c[stalled_selected] + c[stalled_not_selected];
}

} // namespace sim
GPUPROF_NAMESPACE_END
