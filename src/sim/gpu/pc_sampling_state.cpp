// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pc_sampling_state.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "call_trace.hpp"
#include "gpu_registry.hpp"
#include "gpu_state.hpp"
#include "warp_waits.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

void pc_sampling_of_context::add(launch_waits const& waits, std::uint64_t code, std::uint32_t correlation) {
    double warp_cycles = 0;
    for (instruction_waits const& instruction : waits.instructions)
        for (double const cycles : instruction.cycles) warp_cycles += cycles;
    if (!(warp_cycles > 0) || !(waits.samplers_cycles > 0)) return;
    // From cycles of samplers to cycles of warps.
    double const scale = warp_cycles / waits.samplers_cycles;
    double const period = static_cast<double>(std::uint64_t{1} << settings.period) * scale;
    double next = to_next * scale, position = 0;
    double idle = 0; // share of samples that are latency samples, carried over
    std::uint64_t const room = settings.hardware_bytes / bytes_a_sample;
    for (instruction_waits const& instruction : waits.instructions)
        for (std::size_t s = 0; s < warp_states; ++s) {
            position += instruction.cycles[s];
            if (next >= position) continue;
            auto const taken = static_cast<std::uint64_t>(std::floor((position - next) / period)) + 1;
            next += static_cast<double>(taken) * period;
            std::uint64_t const kept = samples + taken <= room ? taken : samples < room ? room - samples : 0;
            samples += taken;
            lost += taken - kept;
            if (kept == 0) continue;
            auto const& function = waits.functions[instruction.function];
            sampled_counts& counts = places[{correlation, code, function.name, instruction.offset}];
            counts.function_index = function.index;
            counts.samples[s] += static_cast<std::uint32_t>(kept);
            if (s == static_cast<std::size_t>(warp_state::selected) ||
                s == static_cast<std::size_t>(warp_state::not_selected))
                continue;
            idle += static_cast<double>(kept) * waits.idle_share;
            counts.not_issued[s] += static_cast<std::uint32_t>(idle);
            idle -= std::floor(idle);
        }
    to_next = (next - position) / scale;
}

void pc_sampling_of_context::forget_samples() {
    places.clear();
    samples = lost = 0;
}

pc_sampling_of_context* pc_sampling_state::find(abi::CUcontext context) {
    auto const found = contexts_.find(context);
    return found == contexts_.end() ? nullptr : &found->second;
}

bool pc_sampling_state::is_taken(int device, abi::CUcontext by_other_than) {
    gpu_registry& gpus = shared().registry;
    std::erase_if(contexts_, [&](auto const& each) {
        return each.first != by_other_than && (gpus.device_of(each.first) == nullptr || gpus.is_lost(each.first));
    });
    for (auto const& [context, each] : contexts_)
        if (context != by_other_than && each.enabled && each.device == device) return true;
    return false;
}

std::uint64_t pc_sampling_state::number_of(std::string_view image) const {
    auto const own = numbers_code.load();
    std::uint64_t number = 0;
    if (own == nullptr) return number_of_code(image);
    own(image.data(), image.size(), &number);
    return number;
}

bool is_sampled(abi::CUcontext context) {
    auto const held = shared().registry.lock();
    auto const* const found = shared().pc_sampling.find(context);
    return found != nullptr && found->enabled && found->started;
}

void sample_launch(abi::CUcontext context, launch_waits const& waits, std::uint64_t code) {
    auto const held = shared().registry.lock();
    auto* const found = shared().pc_sampling.find(context);
    if (found == nullptr || !found->enabled || !found->started) return;
    bool const serialised = found->settings.mode == abi::CUPTI_PC_SAMPLING_COLLECTION_MODE_KERNEL_SERIALIZED;
    std::uint32_t const launch = current_correlation != 0 ? current_correlation : shared().calls.next_correlation();
    found->add(waits, code, serialised ? launch : 0);
}

} // namespace sim
GPUPROF_NAMESPACE_END
