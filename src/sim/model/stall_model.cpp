// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "stall_model.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "../code/decoded.hpp"
#include "../sass/def_use.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// An instruction's share of a state's cycles is in proportion to these: the warps that execute it,
// times a cost.
using wait_weights = std::array<double, warp_states>;
static constexpr double& weight_of(wait_weights& all, warp_state state) noexcept {
    return all[static_cast<std::size_t>(state)];
}

static constexpr bool moves_memory(decoded const& op) noexcept {
    return op.action == action::load || op.action == action::store || op.action == action::atomic ||
           op.action == action::copy_async || op.action == action::load_matrix;
}
static constexpr bool moves_far_memory(decoded const& op) noexcept { // global and local memory
    return moves_memory(op) && (op.memory.space == ptx::space::global || op.memory.space == ptx::space::local ||
                                op.memory.space == ptx::space::generic);
}
static constexpr bool is_arithmetic_pipe(pipe where) noexcept {
    return where == pipe::alu || where == pipe::fma || where == pipe::fp16 || where == pipe::fp64 ||
           where == pipe::xu || where == pipe::tensor;
}

// The instruction at which a warp waits for the result of each instruction: the first one behind it
// that reads the result, or else itself. By the number of the decoded instruction, whose operands
// may have taken instructions of their own.
static std::vector<std::size_t> first_readers_of(kernel const& k, function_code const& code) {
    std::vector<std::size_t> readers(code.code.size());
    for (std::size_t i = 0; i < readers.size(); ++i) readers[i] = i;
    if (!k.source || code.module_index >= k.source->functions.size()) return readers;
    ptx::function const& text = k.source->functions[code.module_index];
    std::vector<std::size_t> place;
    for (std::size_t i = 0; i < code.code.size() && place.size() < text.instructions.size(); ++i)
        if (code.code[i].action != action::special_register && code.code[i].action != action::local_address)
            place.push_back(i);
    def_use const flow{text};
    for (std::uint32_t i = 0; i < place.size(); ++i) {
        std::uint32_t first = def_use::nobody;
        for (std::uint32_t const reader : flow.readers(i))
            if (reader > i && reader < first && reader < place.size()) first = reader;
        if (first != def_use::nobody) readers[place[i]] = place[first];
    }
    return readers;
}

static constexpr std::array<std::uint64_t, warp_states> cycles_of_states(counter_values const& c) noexcept {
    using enum raw_counter;
    return {c[stalled_barrier],         c[stalled_branch_resolving],   c[stalled_lg_throttle],
            c[stalled_long_scoreboard], c[stalled_math_pipe_throttle], c[stalled_membar],
            c[stalled_mio_throttle],    c[stalled_no_instruction],     c[stalled_not_selected],
            c[stalled_selected],        c[stalled_short_scoreboard],   c[stalled_wait]};
}

launch_waits share_out_waits(chip_model const& chip, kernel const& k, std::vector<sass_estimate> const& estimates,
                             std::vector<instruction_count> const& profile, counter_values const& counted) {
    using enum warp_state;
    launch_waits waits;
    std::vector<wait_weights> weights(profile.size());
    std::size_t first = 1;
    for (function_code const* const code : k.functions) {
        waits.functions.push_back({code->name, code->module_index});
        auto const readers = first_readers_of(k, *code);
        for (std::size_t i = 0; i < code->code.size(); ++i) {
            decoded const& op = code->code[i];
            sass_estimate const& estimate = estimates[first - 1 + i];
            double const warps = static_cast<double>(profile[first + i].warps);
            double const issued = warps * estimate.instructions;
            wait_weights& own = weights[first + i];
            wait_weights& reader = weights[first + readers[i]];
            weight_of(own, selected) += issued;
            weight_of(own, not_selected) += issued;
            weight_of(own, wait) += issued;
            if (warps > 0) weight_of(own, no_instructions) += estimate.instructions;
            bool const shared = moves_memory(op) && op.memory.space == ptx::space::shared;
            if (moves_far_memory(op)) {
                weight_of(own, lg_throttle) += warps;
                if (op.action != action::store) weight_of(reader, long_scoreboard) += warps;
            }
            if (op.action == action::texture) weight_of(reader, long_scoreboard) += warps;
            if ((shared && op.action != action::store) || estimate.pipe == pipe::xu)
                weight_of(reader, short_scoreboard) += warps;
            if (estimate.pipe == pipe::lsu || shared) weight_of(own, mio_throttle) += issued;
            if (is_arithmetic_pipe(estimate.pipe)) weight_of(own, math_pipe_throttle) += issued;
            if (op.action == action::barrier || op.action == action::cluster_wait) weight_of(own, barrier) += warps;
            if (op.action == action::fence) weight_of(own, membar) += warps;
            if (op.info.kind == instruction_kind::control) weight_of(own, branch_resolving) += warps;
        }
        first += code->code.size();
    }

    wait_weights sums{};
    for (wait_weights const& w : weights)
        for (std::size_t s = 0; s < warp_states; ++s) sums[s] += w[s];
    auto const cycles = cycles_of_states(counted);
    auto const fallback = static_cast<std::size_t>(selected);
    first = 1;
    for (std::uint32_t f = 0; f < k.functions.size(); ++f) {
        std::size_t const size = k.functions[f]->code.size();
        for (std::size_t i = 0; i < size; ++i) {
            if (profile[first + i].warps == 0) continue;
            instruction_waits share{f, i * instruction_bytes, {}};
            double any = 0;
            for (std::size_t s = 0; s < warp_states; ++s) {
                std::size_t const by = sums[s] > 0 ? s : fallback;
                if (sums[by] > 0) share.cycles[s] = static_cast<double>(cycles[s]) * weights[first + i][by] / sums[by];
                any += share.cycles[s];
            }
            if (any > 0) waits.instructions.push_back(share);
        }
        first += size;
    }
    waits.samplers_cycles = static_cast<double>(counted[raw_counter::sm_cycles_active]) *
                            chip.count(hardware_unit::smsp) / chip.count(hardware_unit::sm);
    double const issued = static_cast<double>(counted[raw_counter::issue_active]);
    if (waits.samplers_cycles > issued) waits.idle_share = 1 - issued / waits.samplers_cycles;
    return waits;
}

} // namespace sim
GPUPROF_NAMESPACE_END
