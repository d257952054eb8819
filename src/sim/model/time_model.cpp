// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "time_model.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "../gpu/warp_waits.hpp"
#include "residency.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// Not std::pow and std::hypot, which are not the same to the bit on all platforms.
static double square(double x) noexcept { return x * x; }

// Of units that the same work goes through: nearly that of the busiest one, and more where another is as busy.
template <class... Unit>
static double in_a_row(Unit... cycles) noexcept {
    return std::sqrt(std::sqrt((square(square(cycles)) + ...)));
}

// Of what goes on at the same time, by the share of what is waited for that is known beforehand, as arithmetic's latencies are: there
// warps take turns, and it is nearly the longer one. Waits for memory vary, and what varies adds like the sides of a box.
static double beside(double busy, double waited, double known) noexcept {
    return known * in_a_row(busy, waited) + (1 - known) * std::sqrt(square(busy) + square(waited));
}

time_model::launch_cycles time_model::cycles_of(counter_values const& c, waits const& w) const noexcept {
    double const warps = real((std::max)(shape_.ctas, std::uint64_t{1})) * shape_.warps_per_cta;
    double const path = (w.path() + w.slowest) / warps; // of a CTA
    double const l2 = l2_seconds(c) * chip_.gpc_hz, dram = dram_seconds(c) * chip_.gpc_hz;
    double const over_link = real((std::max)(c[raw_counter::pcie_bytes_received], c[raw_counter::pcie_bytes_sent]));
    double const host = over_link / (chip_.link.bytes_per_nanosecond * 1e9) * chip_.gpc_hz;
    double const atomics = shape_.hottest_atomics / chip_.l2_hz * chip_.gpc_hz;
    sm_load const load = sm_cycles(c);
    double const waves = std::ceil(real(ctas_of_an_sm()) / places());
    // Of CTAs that are alike as far as they are, and of the longest one, which may have the SM for itself in the end.
    auto const latency = [&](double lengths) {
        return path * (std::min)(lengths, waves) + chip_.latency.next_cta * (waves - 1);
    };
    struct sm_units { // of an SM with this share of what the busiest one has to do
        double arithmetic, data_stage, l2;
    };
    auto const units_of = [&](double share) {
        return sm_units{(std::max)(load.issue, load.pipes) * share, load.data_stage * share,
                        (std::max)(load.crossbar * share, l2)};
    };
    auto const taken = [&](sm_units const& units, double lengths) {
        double const busiest = in_a_row(units.arithmetic, units.data_stage, units.l2, dram, host, atomics, w.fetch);
        double const memory = in_a_row(units.l2, dram, host), waited = latency(lengths);
        // The warps of the first wave ask for their first data at the same time. Nothing hides behind that wait.
        double const in_step = memory + waited - std::sqrt(square(memory) + square(waited));
        double const first = in_step * (std::min)(w.far_waits, 1.0) / (std::max)(w.far_waits * waves, 1.0);
        return (std::max)(beside(busiest, waited, w.known()) + first, path * lengths) + w.first;
    };
    launch_cycles cycles;
    cycles.a_cta = std::sqrt(square(path) + square(w.fetch)) + w.first;
    cycles.next_cta = path + chip_.latency.next_cta;
    // After the first CTA: the others run, and one after the other begins and ends.
    double const turn = chip_.gpc_hz / chip_.launch.ctas_a_second;
    double const busy = taken(units_of(1), shape_.schedule.span) + w.spread - cycles.a_cta;
    cycles.running = cycles.a_cta + in_a_row(busy, real(shape_.ctas) * turn);

    sm_units const mean = units_of(1 / (shape_.schedule.busiest_share * real(active_sms())));
    double const mean_busy = (std::max)(taken(mean, shape_.schedule.active) - cycles.a_cta, 0.0);
    double const ctas = mean_ctas(), first_wave = (std::min)(ctas, places());
    double const turns =
        (first_wave - 1) * chip_.latency.first_ctas + (ctas - first_wave) * turn * real(count(hardware_unit::sm));
    cycles.active = chip_.latency.next_cta + (std::min)(cycles.a_cta + in_a_row(mean_busy, turns), cycles.running);
    auto const fourth = [](double x) { return square(square(x)); };
    cycles.busy_share = turns > 0 ? fourth(mean_busy) / (fourth(mean_busy) + fourth(turns)) : 1;
    double const memory = fourth(mean.l2) + fourth(dram) + fourth(host);
    double const all = fourth(mean.arithmetic) + fourth(mean.data_stage) + memory + fourth(atomics);
    // Older CTAs keep their lead only where a warp goes on without waiting: after each wait it queues behind whoever is there, and
    // L2 and device memory serve whoever asks first. So CTAs go on together that share them (cross_kernel of HeCBench's cross: 73 % of
    // its warps are resident on an H200, not 65 %) or that wait at barriers again and again (tsa: 77 %, not 61 %).
    cycles.waits = (std::max)(w.global_waits + real(shape_.barriers) / warps, 1.0);
    if (all > 0)
        cycles.in_order = (fourth(mean.arithmetic) + fourth(mean.data_stage) + fourth(atomics)) / (cycles.waits * all);
    double const waited = fourth(latency(shape_.schedule.active));
    cycles.memory_share = memory > 0 ? memory / (all + waited) : 0;
    cycles.latency_share = all + waited > 0 ? waited / (all + waited) : 1;
    // Stores are on their way when the CTA has ended: memory that only they keep busy holds none (cub's static_kernel of HeCBench's
    // nosync fills memory: 18 % of its warps are resident on an H200).
    cycles.unqueued = cycles.memory_share * (1 - (std::min)(w.far_waits, 1.0));
    struct {
        time_bound bound;
        double cycles;
    } const bounds[]{{time_bound::latency, latency(shape_.schedule.span)},
                     {time_bound::issue, load.issue},
                     {time_bound::pipe, load.pipes},
                     {time_bound::l1, load.data_stage},
                     {time_bound::l2, (std::max)(load.crossbar, l2)},
                     {time_bound::dram, dram},
                     {time_bound::host, host},
                     {time_bound::atomics, atomics},
                     {time_bound::dispatch, real(shape_.ctas) * turn}};
    auto most = bounds[0];
    for (auto const& each : bounds)
        if (each.cycles > most.cycles) most = each;
    cycles.bound = most.bound;
    return cycles;
}

double time_model::mean_resident_ctas(launch_cycles const& cycles) const noexcept {
    double const ctas = mean_ctas();
    double const first_wave = (std::min)(ctas, places());
    double const cycles_of_all =
        first_wave * (chip_.latency.next_cta + cycles.a_cta) + (ctas - first_wave) * cycles.next_cta;
    double const unhindered = (std::min)(cycles_of_all / cycles.active, places());
    auto const queued = [&](double n) {
        double const together = (std::max)(1 - cycles.in_order - cycles.unqueued, 0.0);
        return cycles.in_order * resident_in_order(n, places(), unhindered) + cycles.unqueued * unhindered +
               together * resident_in_waves(n, places(), unhindered, cycles.waits);
    };
    double const fewer = std::floor(ctas), share = ctas - fewer; // of the SMs that have one more
    double const without_gaps = (1 - share) * queued(fewer) + share * queued(fewer + 1);
    double const gaps =
        (ctas - first_wave) * chip_.latency.next_cta / cycles.active; // places that are empty between CTAs
    double const in_a_queue = (std::max)(without_gaps - gaps, (std::min)(without_gaps, unhindered));
    // Where latency decides, CTAs that are shorter than others leave their places early (attention-paged of HeCBench: sequences of
    // different lengths, 7.6 % of the warps are resident on an H200, not 12 %).
    double const waves = (1 - share) * std::ceil(fewer / places()) + share * std::ceil((fewer + 1) / places());
    double const uneven = (std::min)(waves / shape_.schedule.active, 1.0);
    double const there = 1 - cycles.latency_share * (1 - uneven);
    return cycles.busy_share * in_a_queue * there + (1 - cycles.busy_share) * unhindered;
}

double time_model::mean_resident_warps(waits const& w, launch_cycles const& cycles) const noexcept {
    // Each begins, whatever it does then.
    double const begin = chip_.latency.next_cta + w.first,
                 path = (std::max)(cycles.next_cta - chip_.latency.next_cta, 1.0);
    double const there = (shape_.schedule.resident * path + begin) / (path + begin);
    // The place of a CTA is free when the last of its warps has ended. Where a barrier follows each wait they end together.
    double const warps = real(shape_.ctas) * shape_.warps_per_cta;
    if (real(shape_.barriers) >= w.far_waits * warps) return shape_.warps_per_cta * there;
    double const far = (std::max)(w.far_waits, 1.0), a_wait = (std::max)(path / far, double{chip_.latency.dram});
    double const late = latest_of(shape_.warps_per_cta) * chip_.latency.deviation / (a_wait * std::sqrt(far));
    return shape_.warps_per_cta * there / (1 + cycles.memory_share * late * (std::min)(w.far_waits, 1.0));
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
    double const running = cycles.running / chip_.gpc_hz;
    double const launch = launch_seconds(c);
    double const likely = launch + running;
    return {low_share * likely, likely, high_share * likely, launch > running ? time_bound::launch : cycles.bound};
}

void time_model::fill(counter_values& c) const noexcept {
    using enum raw_counter;
    if (shape_.ctas == 0) return; // nothing was launched
    waits const w = waits_of(c);
    launch_cycles const cycles = cycles_of(c, w);
    double const seconds = launch_seconds(c) + cycles.running / chip_.gpc_hz;

    c[gpu_time_ns] = whole(seconds * 1e9);
    c[gpu_cycles_active] = c[gpu_cycles_elapsed] = whole(seconds * chip_.sys_hz);
    c[sm_cycles_elapsed] = whole(seconds * chip_.gpc_hz);
    c[l2_cycles_elapsed] = whole(seconds * chip_.l2_hz);
    c[dram_cycles_elapsed] = whole(seconds * chip_.dram_hz);
    double const active = cycles.active * real(active_sms()); // SMs with less to do are done sooner
    double const ctas = active * mean_resident_ctas(cycles);
    c[sm_cycles_active] = whole(active);
    c[l2_cycles_active] = c[l2_cycles_elapsed] * count(hardware_unit::lts);
    c[dram_cycles_active] = whole(dram_bytes(c) / 32);
    c[ctas_active] = whole(ctas);
    c[warps_active] = whole(ctas * mean_resident_warps(w, cycles));
    c[issue_active] = (std::min)(c[inst_issued], whole(active * schedulers()));
    fill_stalls(w, c);
}

std::uint64_t time_model::ctas_of_an_sm() const noexcept {
    return (std::max)((shape_.ctas + count(hardware_unit::sm) - 1) / count(hardware_unit::sm), std::uint64_t{1});
}

double time_model::places() const noexcept {
    return real(std::min<std::uint64_t>(shape_.ctas_per_sm, ctas_of_an_sm()));
}

double time_model::mean_ctas() const noexcept {
    return real((std::max)(shape_.ctas, std::uint64_t{1})) / real(active_sms());
}

double time_model::resident_warps() const noexcept { return places() * shape_.warps_per_cta; }

time_model::sm_load time_model::sm_cycles(counter_values const& c) const noexcept {
    using enum raw_counter;
    pipe_rates const& rates = chip_.pipes;
    // In products of 16 by 8 by 16 halves. A warpgroup's take the pipelines of all schedulers.
    double const matrix = real(c[inst_pipe_tensor] - c[inst_tensor_gmma]) / rates.mma +
                          real(c[gmma_cycle_pairs_float] + c[gmma_cycle_pairs_integer]) / schedulers() / rates.tensor;
    double const fma = real(c[inst_pipe_fma]);
    double const products = (std::max)(fma - real(c[inst_pipe_fma_fp32] + c[inst_pipe_fp16]), 0.0); // of integers
    double const alu = real(c[inst_pipe_alu]), alu_only = alu - real(c[inst_alu_or_fma]);
    double const busiest =
        (std::max)({alu_only / rates.alu, products / rates.imad, (alu + products) / (rates.alu + rates.imad),
                    fma / rates.fma, real(c[inst_pipe_fp64]) / rates.fp64, real(c[inst_pipe_xu]) / rates.xu, matrix});
    double const wavefronts = real(c[shared_wavefronts_ld] + c[shared_wavefronts_st] + c[shared_wavefronts_atom] +
                                   c[shared_wavefronts_other] + c[lg_wavefronts]);
    memory_rates const& rate = chip_.rates;
    double const tags = real(c[lg_tag_turns]);
    double const swaps = real(c[shared_swap_rounds] - c[shared_swap_waits]) / rate.sm_swaps;
    double const textures = real(c[inst_texture]) / rate.sm_textures;
    double const constants = real(c[constant_words]) / rate.sm_constants;
    double const from_l2 = real(c[l2_sectors_tex_read] + c[l2_sectors_joined] + c[l2_sectors_tex_atom]) / rate.sm_loads;
    double const stores =
        real(c[l2_sectors_tex_write]) / rate.sm_stores + real(c[l2_requests_tex_write]) / rate.sm_store_requests;
    double const to_l2 = stores + real(c[l2_sectors_tex_atom] + c[l2_sectors_tex_red]) / rate.sm_reductions;
    double const share = shape_.schedule.busiest_share, used = used_schedulers();
    return {share * real(c[inst_issued]) / (schedulers() * used), share * busiest / used,
            share * (std::max)({real(c[inst_pipe_lsu]), wavefronts, tags, swaps, textures, constants}),
            share * (std::max)(from_l2, to_l2)};
}

double time_model::l2_seconds(counter_values const& c) const noexcept {
    using enum raw_counter;
    memory_rates const& rate = chip_.rates;
    double const loads =
        real(c[l2_sectors_tex_read] + c[l2_sectors_joined] + c[l2_sectors_other_read] - c[l2_sectors_fabric_read]);
    double const stores = real(c[l2_sectors_tex_write] + c[l2_sectors_other_write] - c[l2_sectors_fabric_write]);
    double const atomics = real(c[l2_sectors_tex_atom] + c[l2_sectors_tex_red]);
    double const sectors = loads / rate.l2_loads + stores / rate.l2_stores + atomics / rate.l2_atomics;
    double const requests = real(c[l2_requests_tex_read] + c[l2_requests_tex_atom] + c[l2_requests_tex_red]) +
                            real(c[l2_requests_tex_write]) / rate.l2_store_requests;
    return (std::max)(sectors, requests) / (chip_.l2_hz * chip_.count(hardware_unit::lts));
}

double time_model::dram_bytes(counter_values const& c) noexcept {
    return real(c[raw_counter::dram_bytes_read] + c[raw_counter::dram_bytes_written]);
}

double time_model::dram_seconds(counter_values const& c) const noexcept {
    using enum raw_counter;
    memory_rates const& rate = chip_.rates;
    double const read = real(c[dram_bytes_read]), written = real(c[dram_bytes_written]);
    // Requests are for one to four sectors of a line.
    double const requests = real(c[l2_requests_tex_read]), sectors = real(c[l2_sectors_tex_read]);
    double const scattered = sectors > 0 ? std::clamp((4 * requests / sectors - 1) / 3, 0.0, 1.0) : 0;
    double const reads = 1 / rate.dram + scattered * (1 / rate.dram_random - 1 / rate.dram);
    double const turns = 2 / rate.dram_copies - 2 / rate.dram; // from reads to writes and back
    double const bytes = read * reads + written / rate.dram + (std::min)(read, written) * turns;
    return bytes / (32 * chip_.dram_hz * chip_.count(hardware_unit::dram));
}

time_model::far_wait time_model::far_wait_of(counter_values const& c) const noexcept {
    using enum raw_counter;
    latency_traits const& latency = chip_.latency;
    double const awaited = real(c[waits_far]);
    if (awaited == 0) return {};
    double const sectors = real(c[l1_sectors_global_ld] + c[l1_sectors_local_ld] + c[l1_sectors_texture]);
    double const hits = real(c[l1_hits_global_ld] + c[l1_hits_local_ld] + c[l1_hits_texture]);
    double const requests = real(c[l1_requests_global_ld] + c[l1_requests_local_ld] + c[l1_requests_texture]);
    double const lines = (std::max)(real(c[l1_tags_global_ld] + c[l1_tags_local_ld]), requests);
    double const atomics = real(c[l1_requests_global_atom]);
    // Lanes that walk through lines of their own miss together, and find together what they fetched: requests miss, not lines.
    double const missed_lines = (sectors > 0 ? lines * (sectors - hits) / sectors : 0) + atomics;
    double const beyond_l1 = real(c[l1_requests_missed]) + atomics;
    double const l2_reads = real(c[l2_sectors_tex_read]);
    double const fetched = (std::min)(real(c[dram_bytes_read]) / 32, l2_reads);
    double const beyond_l2 = l2_reads > 0 ? (std::min)(missed_lines * fetched / l2_reads, beyond_l1) : 0;
    // Loads that are issued together are one wait, for all of their lines; but so many sectors of a warp are under way at most, and
    // more are asked for when those are there (last_time.txt: read_dram_128x128_4 has 64 under way, read_dram_128x256_8 would have 128).
    double const at_once = (std::max)((std::min)(requests, awaited), 1.0), most_sectors = latency.most_sectors;
    double const rounds = (std::max)((sectors - hits) / (at_once * most_sectors), 1.0);
    double const under_way = sectors > 0 ? (std::min)(lines / at_once, most_sectors * lines / sectors) : 0;
    double const more_lines = (std::max)(under_way - 1, 0.0);
    double const a_line = lines > 0 ? latency.line + (latency.dram_line - latency.line) * beyond_l2 / lines : 0;
    double const textures = requests > 0 ? real(c[l1_requests_texture]) / requests : 0;
    double const in_l1 = latency.l1 + (latency.texture - latency.l1) * textures;
    far_wait wait;
    wait.to_l2 = (std::min)(beyond_l1 / awaited, 1.0);
    wait.to_dram = (std::min)(beyond_l2 / awaited, 1.0);
    wait.cycles = in_l1 + (latency.l2 - latency.l1) * wait.to_l2 + (latency.dram - latency.l2) * wait.to_dram +
                  a_line * more_lines;
    wait.cycles *= 1 + wait.to_l2 * (rounds - 1);
    return wait;
}

double time_model::fetch_cycles(double executed) const noexcept {
    // An H200 holds a loop of 32 KiB and none of 96 (last_time.txt, code_32k and code_96k).
    constexpr std::uint64_t close = (40 << 10) / instruction_bytes, beyond = (128 << 10) / instruction_bytes;
    latency_traits const& latency = chip_.latency;
    double const once = (std::min)(real(shape_.code), executed);
    double const first = shape_.code > beyond ? once * latency.far_code : once * latency.first_code + shape_.jumps;
    if (shape_.looped > beyond) return first + (executed - once) * latency.far_code;
    return shape_.looped > close ? (std::max)(first, executed * latency.near_code) : first;
}

time_model::waits time_model::waits_of(counter_values const& c) const noexcept {
    using enum raw_counter;
    latency_traits const& latency = chip_.latency;
    waits w;
    w.issue = real(c[inst_issued]);
    w.dependent = real(c[dependent_cycles]) + latency.parting * real(c[branch_targets_divergent]);
    far_wait const far = far_wait_of(c);
    w.long_scoreboard = real(c[waits_far]) * far.cycles;
    double const shared_loads = real(c[inst_shared_ld]);
    double const conflicts = shared_loads > 0 ? real(c[shared_conflicts_ld]) / shared_loads : 0; // of one
    // A warp that is through waits for those that waited for it, at their barrier or at the end of their CTA.
    double const swaps = real(c[shared_swap_rounds] + c[shared_swap_waits]);
    w.short_scoreboard = real(c[waits_near]) * latency.shared + real(c[waits_special]) * latency.special +
                         (std::min)(real(c[waits_near]), shared_loads) * conflicts * latency.conflict +
                         swaps * latency.swap + real(c[constant_words]) * latency.constant;
    w.barrier = real(shape_.barriers) * (latency.barrier + latency.barrier_per_warp * shape_.warps_per_cta);
    w.fence = real(shape_.fences) * latency.fence + real(shape_.cta_fences) * latency.cta_fence;
    double const branches = (std::max)(real(c[inst_branch]) - real(c[warps_launched]), 0.0); // the end is none
    w.branch = (std::min)(latency.branch * branches, w.dependent);
    w.fixed_latency = (std::max)(w.dependent - w.branch - w.issue, 0.0);
    w.slowest = (std::max)(shape_.slowest_cycles + shape_.slowest_waits * far.cycles, 0.0);
    double const warps = (std::max)(real(c[warps_launched]), 1.0);
    w.fetch = fetch_cycles(w.issue / warps * shape_.slowest_warp);
    double const cold_code = shape_.code_is_cold ? double{latency.first_data} : 0;
    w.first = cold_code + far.to_dram * latency.first_data;
    double const first_wave = (std::min)(mean_ctas(), places()) * real(active_sms()) * shape_.warps_per_cta;
    double const issued = w.issue / warps * (std::max)(resident_warps() / schedulers(), 1.0); // meanwhile, by all warps
    w.no_instruction = warps * latency.next_cta + first_wave * ((std::max)(w.fetch - issued, 0.0) + cold_code);
    w.global_waits = real(c[waits_far]) / warps;
    w.far_waits = w.global_waits * far.to_l2;
    // Waits vary. The sums of n of them vary by the root of n, and the last warp of the chip is that much later than the mean.
    double const resident = real(active_sms()) * places() * shape_.warps_per_cta;
    w.spread = latest_of(resident) * latency.deviation * std::sqrt(w.far_waits * shape_.schedule.span);
    return w;
}

void time_model::fill_stalls(waits const& w, counter_values& c) const noexcept {
    using enum raw_counter;
    double const active = real(c[warps_active]);
    double const selected = (std::min)(real(c[inst_issued]), active);
    double const at_barriers = w.barrier + (shape_.barriers != 0 ? w.slowest : 0);
    double const waited = w.by_states() - w.issue + at_barriers - w.barrier;
    double const room = active - selected;
    double const share = waited > room ? (waited > 0 ? room / waited : 0) : 1;
    c[stalled_selected] = whole(selected);
    c[stalled_wait] = whole(w.fixed_latency * share);
    c[stalled_long_scoreboard] = whole(w.long_scoreboard * share);
    c[stalled_short_scoreboard] = whole(w.short_scoreboard * share);
    c[stalled_barrier] = whole(at_barriers * share);
    c[stalled_membar] = whole(w.fence * share);
    c[stalled_no_instruction] = whole(w.no_instruction * share);
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
