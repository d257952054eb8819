// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The PC sampling of each context, and the samples that nobody has fetched yet. Layer: hw/sim; between what runs kernels and
// CUPTI's calls.
#ifndef GPUPROF_HW_SIM_COUNTERS_PC_SAMPLING_STATE_HPP
#define GPUPROF_HW_SIM_COUNTERS_PC_SAMPLING_STATE_HPP

#include <array>       // samples by state
#include <atomic>      // the function that numbers code
#include <cmath>       // std::floor
#include <cstddef>     // std::size_t
#include <cstdint>     // numbers
#include <map>         // by context, by place
#include <string>      // names
#include <string_view> // std::string_view
#include <tuple>       // order of places
#include <utility>     // std::move
#include <vector>      // stall reasons asked for

#include "../../../detail/config.hpp"
#include "../../abi/cupti_pc_sampling.hpp"
#include "../chip/chip_model.hpp"
#include "call_trace.hpp"
#include "gpu_registry.hpp"
#include "warp_waits.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// An instruction of a loaded module; and of which launch, where kernels are serialised.
struct sampled_place {
    std::uint32_t correlation = 0;
    std::uint64_t code = 0; // number_of_code()
    std::string function;
    std::uint64_t offset = 0;

    friend bool operator<(sampled_place const& a, sampled_place const& b) {
        return std::tie(a.correlation, a.code, a.function, a.offset) <
               std::tie(b.correlation, b.code, b.function, b.offset);
    }
};
struct sampled_counts {
    std::uint32_t function_index = 0;
    std::array<std::uint32_t, warp_states> samples{};
    std::array<std::uint32_t, warp_states> not_issued{}; // among them: in a cycle in which nothing was issued
};

// The attributes as they are documented to begin. The period for a chip is CUPTI's own choice: 2^17 cycles where there are
// many SMs is the embedded GPU's.
struct pc_sampling_settings {
    std::uint32_t period = 17; // 2 to that power cycles
    std::vector<std::uint32_t> reasons{};
    bool all_reasons = true;
    std::size_t scratch_bytes = std::size_t{1} << 20;
    std::size_t hardware_bytes = std::size_t{512} << 20;
    abi::CUpti_PCSamplingCollectionMode mode = abi::CUPTI_PC_SAMPLING_COLLECTION_MODE_CONTINUOUS;
    bool start_stop = false;
    void* last_buffer = nullptr;
    std::uint32_t worker_milliseconds = 100;
};

struct pc_sampling_of_context {
    int device = -1;
    bool enabled = false;
    bool started = false;
    pc_sampling_settings settings{};
    std::uint64_t range = 0; // how often it was started
    std::map<sampled_place, sampled_counts> places{};
    std::uint64_t samples = 0; // since the last fetch
    std::uint64_t lost = 0;    // for which the hardware buffer had no room
    double to_next = 0;        // cycles until the next sample
    static constexpr std::size_t bytes_a_sample = 32;

    // Every sampler takes a warp each period, the warps in turn: a state has as many samples as its share of warps' cycles.
    void add(launch_waits const& waits, std::uint64_t code, std::uint32_t correlation) {
        double warp_cycles = 0;
        for (auto const& each : waits.instructions)
            for (double const cycles : each.cycles) warp_cycles += cycles;
        if (!(warp_cycles > 0) || !(waits.samplers_cycles > 0)) return;
        // From cycles of samplers to cycles of warps.
        double const scale = warp_cycles / waits.samplers_cycles;
        double const period = static_cast<double>(std::uint64_t{1} << settings.period) * scale;
        double next = to_next * scale, position = 0;
        double idle = 0; // share of samples that are latency samples, carried over
        std::uint64_t const room = settings.hardware_bytes / bytes_a_sample;
        for (auto const& each : waits.instructions)
            for (std::size_t s = 0; s < warp_states; ++s) {
                position += each.cycles[s];
                if (next >= position) continue;
                auto const taken = static_cast<std::uint64_t>(std::floor((position - next) / period)) + 1;
                next += static_cast<double>(taken) * period;
                std::uint64_t const kept = samples + taken <= room ? taken : samples < room ? room - samples : 0;
                samples += taken;
                lost += taken - kept;
                if (kept == 0) continue;
                auto const& function = waits.functions[each.function];
                sampled_counts& counts = places[{correlation, code, function.name, each.offset}];
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
    void forget_samples() {
        places.clear();
        samples = lost = 0;
    }
};

// Guarded by the registry's lock.
class pc_sampling_state {
public:
    [[nodiscard]] static pc_sampling_state& instance() {
        static auto* const one = new pc_sampling_state; // outlives every static that may still call
        return *one;
    }

    [[nodiscard]] pc_sampling_of_context& of(abi::CUcontext context) { return contexts_[context]; }
    [[nodiscard]] pc_sampling_of_context* find(abi::CUcontext context) {
        auto const found = contexts_.find(context);
        return found == contexts_.end() ? nullptr : &found->second;
    }
    // Whether another context of the device is sampled; one that is lost or was destroyed is not any more.
    [[nodiscard]] bool is_taken(int device, abi::CUcontext by_other_than) {
        gpu_registry& gpus = gpu_registry::instance();
        std::erase_if(contexts_, [&](auto const& each) {
            return each.first != by_other_than && (gpus.device_of(each.first) == nullptr || gpus.is_lost(each.first));
        });
        for (auto const& [context, each] : contexts_)
            if (context != by_other_than && each.enabled && each.device == device) return true;
        return false;
    }
    void remove(abi::CUcontext context) { contexts_.erase(context); }
    void clear() { contexts_.clear(); }

    // The tool's own number for the code of modules; null for number_of_code().
    std::atomic<abi::CUpti_ComputeCrcCallbackFunc> numbers_code{nullptr};
    [[nodiscard]] std::uint64_t number_of(std::string_view image) const {
        auto const own = numbers_code.load();
        std::uint64_t number = 0;
        if (own == nullptr) return number_of_code(image);
        own(image.data(), image.size(), &number);
        return number;
    }

private:
    pc_sampling_state() = default;

    std::map<abi::CUcontext, pc_sampling_of_context> contexts_;
};

// Whether a kernel that ends now in the context is sampled.
[[nodiscard]] inline bool is_sampled(abi::CUcontext context) {
    auto const held = gpu_registry::instance().lock();
    auto const* const found = pc_sampling_state::instance().find(context);
    return found != nullptr && found->enabled && found->started;
}

inline void sample_launch(abi::CUcontext context, launch_waits const& waits, std::uint64_t code) {
    auto const held = gpu_registry::instance().lock();
    auto* const found = pc_sampling_state::instance().find(context);
    if (found == nullptr || !found->enabled || !found->started) return;
    bool const serialised = found->settings.mode == abi::CUPTI_PC_SAMPLING_COLLECTION_MODE_KERNEL_SERIALIZED;
    std::uint32_t const launch = current_correlation != 0 ? current_correlation : last_correlation.fetch_add(1) + 1;
    found->add(waits, code, serialised ? launch : 0);
}

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_SIM_COUNTERS_PC_SAMPLING_STATE_HPP
