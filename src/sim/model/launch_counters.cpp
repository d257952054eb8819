// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "launch_counters.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include <gpuprof/detail/hash.hpp>

#include "time_model.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

launch_counters::launch_counters(chip_model const& chip, sim::kernel const& kernel, launch_config const& config,
                                 unsigned ctas_per_sm, l2_cache& l2, device_memory const* memory)
    : chip_{chip},
      kernel_{kernel},
      l2_{l2},
      memory_{memory},
      map_{kernel},
      ctas_{config.grid.count()},
      ctas_per_sm_{(std::max)(ctas_per_sm, 1u)},
      warps_per_cta_{static_cast<unsigned>((config.block.count() + warp_size - 1) / warp_size)} {
    std::size_t const shared = kernel.static_shared_bytes + std::size_t{config.dynamic_shared_bytes};
    std::uint64_t const an_sm = (ctas_ + static_cast<unsigned>(chip.count(hardware_unit::sm)) - 1) /
                                static_cast<unsigned>(chip.count(hardware_unit::sm));
    l1_bytes_ = l1_data_bytes(chip, shared * std::min<std::uint64_t>(ctas_per_sm_, an_sm));
    code_ = estimates_of(chip, kernel);
    estimates_ = code_->instructions;
    block_chains_ = code_->block_chains;
    profile_.resize(map_.size());
    streams_.reserve(static_cast<std::size_t>(std::min<std::uint64_t>(ctas_, l2.sm_count())));
}

void launch_counters::merge(unsigned, sm&& counted) {
    for (std::size_t i = 0; i < addresses_.size(); ++i) addresses_[i] += counted.addresses_.all()[i];
    counted.counts_.add_to(totals_);
    counted.traffic_.add_to(totals_);
    warp_cycles_ += counted.balance_.cycles();
    warp_waits_ += counted.balance_.quarter_waits();
    all_ctas_.length += counted.balance_.ctas().all().length;
    all_ctas_.waits += counted.balance_.ctas().all().waits;
    ctas_of_sms_.push_back(std::move(counted.balance_).ctas());
    constants_.resize(l2_.clusters());
    constants_[l2_.cluster_of(counted.index_)] += counted.traffic_.constants();
    streams_.push_back(std::move(counted.traffic_.to_l2()));
    l2_.give_back(counted.traffic_.take_storage());
}

counter_values launch_counters::finish() {
    launch_shape shape;
    profiles_.add_to(profile_);
    shape.jumps = jump_cycles();
    std::size_t first = 1;
    for (function_code const* const code : kernel_.functions) {
        function_code const& f = *code;
        std::span const counts{profile_.data() + first, f.code.size()};
        count_instructions(f, estimates_.subspan(first - 1, f.code.size()), counts, totals_);
        for (std::size_t i = 0; i < f.code.size(); ++i) {
            if (counts[i].warps == 0) continue;
            sass_estimate const& estimate = estimates_[first - 1 + i];
            shape.code += estimate.instructions;
            if (counts[i].warps >= 2 * totals_[raw_counter::warps_launched]) shape.looped += estimate.instructions;
            if (estimate.awaits_warps) shape.barriers += counts[i].warps;
            if (f.code[i].action == action::fence)
                (f.code[i].memory.order.in_cta_only ? shape.cta_fences : shape.fences) += counts[i].warps;
        }
        first += f.code.size();
    }
    count_prologue(totals_[raw_counter::warps_launched], totals_[raw_counter::threads_launched], totals_);
    totals_[raw_counter::inst_issued] = totals_[raw_counter::inst_executed]; // nothing is issued twice
    totals_[raw_counter::inst_pipe_cbu] += totals_[raw_counter::branch_targets_divergent];
    std::uint64_t const read_before = totals_[raw_counter::dram_bytes_read];
    fetch_code();
    shape.code_is_cold = totals_[raw_counter::dram_bytes_read] != read_before;
    l2_.replay(streams_, totals_, threads_);
    totals_[raw_counter::pcie_bytes_received] += sector_bytes * totals_[raw_counter::l2_sectors_sysmem_read];
    totals_[raw_counter::pcie_bytes_sent] += sector_bytes * totals_[raw_counter::l2_sectors_sysmem_write];
    shape.ctas = ctas_;
    shape.warps_per_cta = warps_per_cta_;
    shape.ctas_per_sm = ctas_per_sm_;
    shape.hottest_atomics = l2_.hottest_atomics();
    totals_[raw_counter::l2_atomics_busiest] +=
        static_cast<std::uint64_t>(shape.hottest_atomics * 100 / miss_stream::turn);
    shape.code += sass_estimator::prologue;
    if (warp_cycles_ != 0) {
        auto const all = static_cast<double>(warp_cycles_);
        shape.schedule = schedule_ctas(ctas_of_sms_, ctas_per_sm_, warps_per_cta_);
        shape.slowest_warp = static_cast<double>(all_ctas_.length) * warps_per_cta_ / all;
        auto const slowest = static_cast<double>(all_ctas_.waits) * warps_per_cta_;
        shape.slowest_waits = (slowest - static_cast<double>(warp_waits_)) / 4;
        shape.slowest_cycles = all * (shape.slowest_warp - 1) - shape.slowest_waits * chip_.latency.l2;
    }
    time_model const model{chip_, shape};
    time_ = model.estimate(totals_);
    model.fill(totals_);
    count_background();
    return totals_;
}

counted_instructions launch_counters::instructions() const {
    counted_instructions all;
    std::size_t first = 1;
    for (function_code const* const code : kernel_.functions) {
        auto const function = static_cast<std::uint32_t>(all.functions.size());
        all.functions.push_back({code->name, code->module_index});
        std::size_t const size = code->code.size();
        for (std::size_t i = 0; i < size; ++i) {
            counted_instructions::instruction entry{function, i * instruction_bytes, {}};
            count_instruction(i, *code, estimates_.subspan(first - 1, size), std::span{profile_}.subspan(first, size),
                              entry.counted);
            if (!addresses_.empty()) addresses_[first + i].add_to(entry.counted);
            if (function == 0 && i == 0)
                count_prologue(totals_[raw_counter::warps_launched], totals_[raw_counter::threads_launched],
                               entry.counted);
            if (entry.counted[raw_counter::inst_executed] != 0) all.instructions.push_back(entry);
        }
        first += size;
    }
    return all;
}

launch_waits launch_counters::waits(counter_values const& counted) const {
    return share_out_waits(chip_, kernel_, code_->instructions, profile_, counted);
}

// Code is fetched ahead in its order. A jump over code waits for what it leads to, no longer than for all that was skipped, and
// no longer than the way to L2 is (last_short_launches.txt: jumps_4 and jumps_16, each over 130 instructions).
double launch_counters::jump_cycles() const {
    latency_traits const& latency = chip_.latency;
    double all = 0;
    std::size_t first = 1;
    for (function_code const* const code : kernel_.functions) {
        double skipped = 0;
        bool begun = false;
        for (std::size_t i = 0; i < code->code.size(); ++i) {
            sass_estimate const& e = estimates_[first - 1 + i];
            std::size_t const at = e.predicated_by != 0 ? e.predicated_by - 1 : i;
            if (profile_[first + at].warps == 0) {
                skipped += e.instructions;
                continue;
            }
            if (begun) all += (std::min)(skipped * latency.first_code, double{latency.cold_jump});
            begun = true;
            skipped = 0;
        }
        first += code->code.size();
    }
    return all;
}

void launch_counters::fetch_code() {
    if (chip_.launch_bytes == 0) return;
    constexpr std::uint64_t ahead = 128, unit = 256;
    constexpr std::uint64_t before_parameters = 528, bank = std::uint64_t{1} << 40; // of constants; a place of its own
    std::uint64_t const code = (code_->code_bytes + ahead + unit - 1) / unit * unit;
    std::uint64_t const where = gpuprof::detail::fnv1a(0, kernel_.name); // the same in every launch of the kernel
    fetch(address_map::code_base + bank,
          (before_parameters + kernel_.parameter_bytes - 1) / sector_bytes * sector_bytes, true);
    fetch(address_map::code_base, chip_.launch_bytes, false);
    fetch(address_map::code_base + unit * (1 + (where >> 40)), code, false);
    std::size_t lines = 0;
    for (constant_sectors const& cluster : constants_) lines = (std::max)(lines, cluster.size());
    std::vector<sector_mask> sectors(constants_.size());
    for (std::size_t line = 0; line < lines; ++line) {
        for (std::size_t i = 0; i < sectors.size(); ++i) sectors[i] = constants_[i].sectors(line);
        l2_.fetch(address_map::constant_base / line_bytes + line, sectors, false, totals_);
    }
}

void launch_counters::fetch(std::uint64_t address, std::uint64_t bytes, bool is_there) {
    std::vector<sector_mask> sectors(l2_.clusters());
    for (std::uint64_t done = 0; done < bytes; done += line_bytes) {
        auto const count = static_cast<unsigned>(std::min<std::uint64_t>(bytes - done, line_bytes) / sector_bytes);
        sectors.assign(sectors.size(), static_cast<sector_mask>((1u << count) - 1));
        l2_.fetch((address + done) / line_bytes, sectors, is_there, totals_);
    }
}

void launch_counters::count_background() {
    if (chip_.launch_bytes == 0) return;
    // Measured on an H200 with kernels that wait, by Nsight Compute: what an empty one has, and more in a microsecond.
    constexpr double reads = 45, reads_a_microsecond = 4, writes = 20, writes_a_microsecond = 26;
    double const longer = (std::max)(0., static_cast<double>(totals_[raw_counter::gpu_time_ns]) * 1e-3 -
                                             chip_.launch.empty_seconds * 1e6);
    auto const read = static_cast<std::uint64_t>(reads + reads_a_microsecond * longer);
    auto const written = static_cast<std::uint64_t>(writes + writes_a_microsecond * longer);
    for (raw_counter const counter : {raw_counter::l2_sectors_other_read, raw_counter::l2_hits_other_read})
        totals_[counter] += read;
    for (raw_counter const counter : {raw_counter::l2_sectors_other_write, raw_counter::l2_hits_other_write})
        totals_[counter] += written;
    totals_[raw_counter::l2_requests_other_read] += read / 2;
    totals_[raw_counter::l2_requests_other_write] += written / 2;
}

} // namespace sim
GPUPROF_NAMESPACE_END
