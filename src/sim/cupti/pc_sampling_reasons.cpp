// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pc_sampling_reasons.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <string_view>

#include "../chip/chip_model.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::cupti {

// In the order of an H200's numbers (CUPTI 13.0): after the two counts of samples, a pair of
// numbers for each. Chips before Hopper lack the last one (the mapping of CUPTI 12.0, 2.10.2,
// does).
constexpr std::array<std::string_view, 19> stalls{
    "barrier",         "branch_resolving",   "dispatch_stall",   "drain",        "imc_miss",     "lg_throttle",
    "long_scoreboard", "math_pipe_throttle", "membar",           "mio_throttle", "misc",         "no_instructions",
    "not_selected",    "selected",           "short_scoreboard", "sleeping",     "tex_throttle", "wait",
    "warpgroup_arrive"};

// What a chip's warps can be sampled with.
[[nodiscard]] static std::span<std::string_view const> stalls_of(chip_model const& chip) noexcept {
    std::span<std::string_view const> const all{stalls};
    return chip.has_warpgroups ? all : all.first(all.size() - 1);
}

std::size_t reason_count(chip_model const& chip) noexcept { return 2 + 2 * stalls_of(chip).size(); }

std::uint32_t reason_number(warp_state of) noexcept {
    auto const at = std::find(stalls.begin(), stalls.end(), name(of)) - stalls.begin();
    return 2 + 2 * static_cast<std::uint32_t>(at);
}

std::string reason_name(std::uint32_t number) {
    if (number == 0) return "smsp__pcsamp_sample_count";
    if (number == 1) return "smsp__pcsamp_samples_data_dropped";
    return "smsp__pcsamp_warps_issue_stalled_" + std::string{stalls[(number - 2) / 2]} +
           (number % 2 == 0 ? "" : "_not_issued");
}

} // namespace sim::cupti
GPUPROF_NAMESPACE_END
